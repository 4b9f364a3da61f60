package mustgather

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	machinev1 "github.com/openshift/api/machine/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Bounds of what is taken from untrusted files.
const (
	maxJSONBytes     = 256 << 20
	maxEtcdInfoBytes = 16 << 20
	// maxKeptBytes bounds the text that is decoded into objects, below one base.
	maxKeptBytes = 256 << 20
	maxObjects   = 100_000
	// maxWholeBytes is up to where YAML that clients do not write so is read all the same: the parser takes forty times that.
	maxWholeBytes = 6 << 20
)

// gathering is what was read below one base.
type gathering struct {
	// base is where the folders are, relative to the root. full tells whether it has cluster-scoped resources.
	base string
	full bool
	// alarmed: a row of endpoint_health.json tells that some member has an alarm.
	alarmed bool

	nodes               []corev1.Node
	clusterVersions     []configv1.ClusterVersion
	infrastructures     []configv1.Infrastructure
	networks            []configv1.Network
	clusterOperators    []configv1.ClusterOperator
	etcds               []operatorv1.Etcd
	kubeAPIServers      []operatorv1.KubeAPIServer
	machines            []machinev1beta1.Machine
	machineSets         []machinev1.ControlPlaneMachineSet
	pods, onePods       []corev1.Pod
	etcdConfigMaps      []corev1.ConfigMap
	bootstrapConfigMaps []corev1.ConfigMap
	apiServerConfigMaps []corev1.ConfigMap
	budgets             []policyv1.PodDisruptionBudget
	foreignBudgets      []policyv1.PodDisruptionBudget

	read map[*resource]*reading
	// places are the files in which an object or a file of etcd_info was found, by key or path.
	places        map[string][]string
	objects, kept int
	// head is where the beginning of each file is read to; all gatherings share it.
	head *[]byte
	// info are the contents of the files of etcd_info by their path, several where there are several gatherings.
	info map[string][][]byte
	// infoRead tells which of these could be read.
	infoRead map[string]bool
	// probeError is what etcdctl ended in where there is no member list; empty when no file tells.
	probeError string
	// doubtful are the objects of which their text does not tell whether they end in the middle.
	doubtful []doubtful
	// notAsked says of members that endpoint_health.json has no row of them.
	notAsked map[snapshot.MemberID]string
	// infoTime and objectTime are the newest times at which a file of etcd_info, and one of an object, was written.
	infoTime, objectTime time.Time
	warnings             []Warning
}

// reading is how far a resource was read.
type reading struct {
	files int
	// list tells whether a file was a list of all objects; broken whether anything of it could not be read.
	list, broken bool
}

func newGathering(base string) *gathering {
	g := &gathering{base: base, read: map[*resource]*reading{}, places: map[string][]string{}, head: new([]byte), info: map[string][][]byte{},
		infoRead: map[string]bool{}, notAsked: map[snapshot.MemberID]string{}}
	for _, r := range resources {
		g.read[r] = &reading{}
	}
	return g
}

// takes tells whether a path below the base is read at all.
func takes(below string) bool { return resourceOf(below) != nil || isEtcdInfo(below) }

// take reads one file. What cannot be read becomes a warning; the error is for the reader underneath.
func (g *gathering) take(file string, modified time.Time, from io.Reader) error {
	below, behind := plainName(file)
	if behind != "" {
		g.unreadable(file, fmt.Errorf("what ends in %s is not read: unpack or rename it, or take it away", behind))
		return nil
	}
	if isEtcdInfo(below) {
		text, err := io.ReadAll(io.LimitReader(from, maxEtcdInfoBytes+1))
		if err != nil {
			return err
		}
		if len(text) > maxEtcdInfoBytes {
			g.warnOfFile(file, fmt.Errorf("it has more than %d MiB", maxEtcdInfoBytes>>20))
			return nil
		}
		g.info[below] = append(g.info[below], text)
		g.places[below] = append(g.places[below], path.Join(g.base, file))
		g.infoTime = latest(g.infoTime, modified)
		return nil
	}
	r := resourceOf(below)
	g.objectTime = latest(g.objectTime, modified)
	state := g.read[r]
	state.files++
	source := &readErrors{from: from}
	list, err := g.decode(r, file, source)
	if source.err != nil {
		return source.err
	}
	state.list = state.list || list
	if err != nil {
		g.fail(r, file, err)
	}
	return nil
}

// readErrors remembers an error of the reader underneath, which is no fault of the text.
type readErrors struct {
	from io.Reader
	err  error
}

func (r *readErrors) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

func (g *gathering) fail(r *resource, below string, err error) {
	g.read[r].broken = true
	g.warnOfFile(below, err)
}

// decode reads the objects of a file: those of a small one when all of it is known to be good, those of a large one as
// they come. list tells whether the file is a list of all objects.
func (g *gathering) decode(r *resource, below string, from io.Reader) (list bool, err error) {
	buffer := bytes.NewBuffer((*g.head)[:0])
	if _, err := buffer.ReadFrom(io.LimitReader(from, maxWholeBytes+1)); err != nil {
		return false, err
	}
	text := buffer.Bytes()
	*g.head = text
	small := len(text) <= maxWholeBytes
	start := bytes.TrimLeft(text, " \t\r\n")
	switch {
	case inUTF16(text):
		return false, errUTF16
	case small && len(start) == 0:
		return false, errors.New("it is empty")
	case small && start[0] == '{' && !json.Valid(text) && isYAML(text):
		return g.decodeAnyYAML(r, below, text)
	case len(start) > 0 && start[0] == '{':
		return g.decodeJSON(r, below, io.MultiReader(bytes.NewReader(text), from))
	case !small:
		return g.decodeLargeYAML(r, below, io.MultiReader(bytes.NewReader(text), from))
	case text[len(text)-1] != '\n':
		return false, errTruncated
	}
	return g.decodeYAML(r, below, text)
}

// decodeLargeYAML reads a text that is too long to be parsed whole.
func (g *gathering) decodeLargeYAML(r *resource, below string, from io.Reader) (list bool, err error) {
	list, err = filterYAML(from, r.keep, r.isList, func(i item) error { return g.addText(r, below, i) })
	var other *unusual
	if errors.As(err, &other) {
		err = fmt.Errorf("%w, which oc does not write so, and it is too large to be read in another way: it has more than %d MiB", err, maxWholeBytes>>20)
	}
	return list, err
}

// decodeYAML reads a text as oc writes it, or else whatever YAML it is.
func (g *gathering) decodeYAML(r *resource, below string, text []byte) (list bool, err error) {
	var kept []byte
	var found []item
	list, err = filterText(text, r.keep, r.isList, func(i item) error {
		if i.name == "" || r.wants(i.name) {
			kept = append(kept, i.text...)
			found = append(found, item{i.name, i.listed, kept[len(kept)-len(i.text) : len(kept) : len(kept)]})
		}
		return nil
	})
	var other *unusual
	if errors.As(err, &other) {
		return g.decodeAnyYAML(r, below, text)
	}
	if err != nil {
		return list, err
	}
	for _, i := range found {
		if err := g.addText(r, below, i); err != nil {
			return list, err
		}
	}
	return list, nil
}

func (g *gathering) decodeAnyYAML(r *resource, below string, text []byte) (list bool, err error) {
	documents, err := readYAML(text)
	if err != nil {
		return false, err
	}
	if len(documents) == 0 {
		return false, errors.New("there is no object in it")
	}
	g.kept += len(text)
	item := inList
	if endsInItems(text) {
		item = endsList
	}
	for _, document := range documents {
		isList, err := g.addDocument(r, below, document, item)
		list = list || isList
		if err != nil {
			return list, err
		}
	}
	if list && item == endsList {
		g.warn(FileUnreadable, fmt.Sprintf("read %s: its items are the last thing in it, so that nothing shows that they are all there", path.Join(g.base, below)))
	}
	return list, nil
}

// addDocument takes an object or a list of them, whose items stand at item. Clients write the kind of a list in any case.
func (g *gathering) addDocument(r *resource, below string, document map[string]any, item position) (list bool, err error) {
	for key := range document {
		if known := misspelt(key, listKeys); known != "" {
			return false, errCase(key, known)
		}
	}
	all, list := document["items"]
	if !list {
		return false, g.add(r, below, document, last)
	}
	kind, known := document["kind"].(string)
	if !known {
		return true, errTruncated
	}
	if err := r.isList(kind); err != nil {
		return true, err
	}
	objects, ok := all.([]any)
	if !ok && all != nil {
		return true, errItems
	}
	for _, object := range objects {
		value, ok := object.(map[string]any)
		if !ok {
			return true, errItems
		}
		if err := g.add(r, below, value, item); err != nil {
			return true, err
		}
	}
	return true, nil
}

// isList tells whether a kind is that of a list of the resource; a list need not say of what it is one.
func (r *resource) isList(kind string) error {
	if kind == "" || kind == "List" || kind == r.kind+"List" {
		return nil
	}
	return fmt.Errorf("it is a %s, not a list of %s objects", kind, r.kind)
}

func (r *resource) wants(name string) bool { return r.wanted == nil || r.wanted(name) }

// addText takes one object as filterYAML leaves it. A fault of the object does not keep the next from being read.
func (g *gathering) addText(r *resource, below string, i item) error {
	if i.name != "" && !r.wants(i.name) {
		return nil
	}
	text := i.text
	if r.bystander != nil && r.looksLikeBystander(text) {
		// Nothing is lost that add would not drop as well.
		_, err := filterText(text, r.bystanderKeep, r.isList, func(short item) error {
			text = bytes.Clone(short.text)
			return nil
		})
		if err != nil {
			text = i.text
		}
	}
	documents, err := readYAML(text)
	if err == nil && len(documents) != 1 {
		err = errors.New("there is no object in it")
	}
	if err != nil {
		g.fail(r, below, fmt.Errorf("object %q: %w", i.name, err))
		return nil
	}
	g.kept += len(i.text)
	at := last
	if i.listed {
		at = inList
	}
	return g.add(r, below, documents[0], at)
}

// position is where an object stands.
type position int

const (
	// inList: as an item of a list. More follows, so that it is whole.
	inList position = iota
	// endsList: as an item of a list, and nothing shows that more follows.
	endsList
	// closed: alone, and its text says where it ends.
	closed
	// last: alone, and nothing shows that it is whole.
	last
)

func (at position) alone() bool { return at == closed || at == last }

// add takes one object that is wanted. A fault of the object does not keep the next from being read.
func (g *gathering) add(r *resource, below string, value map[string]any, at position) error {
	metadata, _ := value["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	if name != "" && !r.wants(name) {
		return nil
	}
	g.objects++
	if g.objects > maxObjects || g.kept > maxKeptBytes {
		return fmt.Errorf("there are more than %d objects or %d MiB to read", maxObjects, maxKeptBytes>>20)
	}
	if err := g.addWanted(r, below, value, at); err != nil {
		g.fail(r, below, fmt.Errorf("object %q: %w", name, err))
	}
	return nil
}

// errIgnored is an object that is left out with a warning of its own.
var errIgnored = errors.New("ignored")

// addWanted keeps of an object what filterYAML keeps of its text, and decodes it.
func (g *gathering) addWanted(r *resource, below string, value map[string]any, at position) error {
	value, err := project(value, r.keep, "")
	whole := r.sealed(value)
	if err == nil && r.bystander != nil && r.bystander(value) {
		value, err = project(value, r.bystanderKeep, "")
	}
	if err != nil {
		return err
	}
	err = r.add(g, func(into any) error {
		if err := decodeObject(value, into); err != nil {
			return err
		}
		if err := r.check(into); err != nil {
			return err
		}
		if err := r.open(below, value, whole || !at.alone()); err != nil {
			if r.whole == nil {
				return err
			}
			if at == last || at == endsList {
				g.doubtful = append(g.doubtful, doubtful{r, path.Join(g.base, below), into.(metav1.Object), err})
			}
		}
		if err := cmp.Or(checkEntries(into), checkWritten(value, into)); err != nil {
			return err
		}
		if !g.belongs(r, below, into.(metav1.Object), at.alone()) {
			return errIgnored
		}
		key := r.key(into.(metav1.Object))
		g.places[key] = append(g.places[key], path.Join(g.base, below))
		return nil
	})
	if errors.Is(err, errIgnored) {
		return nil
	}
	return err
}

// open says what is missing at the end of an object, of which sealed tells whether it has a seal.
func (r *resource) open(below string, value map[string]any, sealed bool) error {
	if r.end != "" && value[r.end] == nil {
		return fmt.Errorf("it has no %s: it ends in the middle, or nobody has written that yet", r.end)
	}
	if _, single := r.objectOf(below); single && !sealed {
		return fmt.Errorf("its %s has no %s: it ends in the middle, or nobody has written that yet", r.end, strings.Join(r.seals, " or "))
	}
	return nil
}

// doubtful is an object that may end in the middle.
type doubtful struct {
	r      *resource
	file   string
	object metav1.Object
	err    error
}

// dropDoubtful drops what may end in the middle, unless something shows that nothing is lost.
func (g *gathering) dropDoubtful() {
	drop := map[string]bool{}
	for _, d := range g.doubtful {
		if !d.r.whole(g, d.object) {
			drop[d.r.key(d.object)] = true
			g.fail(d.r, d.file, fmt.Errorf("object %q: %w", d.object.GetName(), d.err))
		}
	}
	g.etcds = slices.DeleteFunc(g.etcds, func(o operatorv1.Etcd) bool { return drop[etcds.key(&o)] })
	g.kubeAPIServers = slices.DeleteFunc(g.kubeAPIServers, func(o operatorv1.KubeAPIServer) bool { return drop[kubeAPIServers.key(&o)] })
	g.machines = slices.DeleteFunc(g.machines, func(o machinev1beta1.Machine) bool { return drop[machines.key(&o)] })
}

// belongs reports whether an object is one of those that its file is for. An object of another namespace is none of the
// resource. What stands in the file of another object says that this one could not be read.
func (g *gathering) belongs(r *resource, below string, object metav1.Object, alone bool) bool {
	file := path.Join(g.base, below)
	if object.GetNamespace() == "" {
		object.SetNamespace(namespaceOf(below))
	}
	if object.GetNamespace() != namespaceOf(below) {
		g.warn(FilesContradict, fmt.Sprintf("%s is in %s, where those of %s are: it is ignored", r.key(object), file, orCluster(namespaceOf(below))))
		return false
	}
	if name, single := r.objectOf(below); alone && single && name != object.GetName() {
		g.read[r].broken = true
		g.warn(FilesContradict, fmt.Sprintf("%s is in %s, which is the file of %s: it is ignored, and what that file should hold is unknown", r.key(object), file, name))
		return false
	}
	return true
}

func orCluster(namespace string) string {
	if namespace == "" {
		return "no namespace"
	}
	return "namespace " + namespace
}

// key identifies an object among those of all resources.
func (r *resource) key(object metav1.Object) string {
	return r.kind + " " + path.Join(object.GetNamespace(), object.GetName())
}

// check refuses what is not an object of the kind.
func (r *resource) check(decoded any) error {
	kind := decoded.(runtime.Object).GetObjectKind().GroupVersionKind()
	if kind.Kind != "" && kind.Kind != r.kind {
		return fmt.Errorf("it is a %s, not a %s", kind.Kind, r.kind)
	}
	if kind.Version != "" && kind.Group != r.group {
		return fmt.Errorf("it is a %s of API group %q, not of %q", r.kind, kind.Group, r.group)
	}
	if decoded.(metav1.Object).GetName() == "" {
		return errors.New("it has no metadata.name")
	}
	return nil
}

var errUTF16 = errors.New("it is not UTF-8, but UTF-16")

// inUTF16 tells whether a text begins with the mark that editors of Windows put before UTF-16.
func inUTF16(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
}

var errBehindEnd = errors.New("there is something behind its end")

// decodeJSON reads one object, or a list object by object.
func (g *gathering) decodeJSON(r *resource, below string, from io.Reader) (list bool, err error) {
	limited := &io.LimitedReader{R: from, N: maxJSONBytes}
	list, err = g.decodeJSONObject(r, below, json.NewDecoder(limited))
	if err != nil && limited.N <= 0 {
		err = fmt.Errorf("it has more than %d MiB", maxJSONBytes>>20)
	}
	return list, truncated(err)
}

func (g *gathering) decodeJSONObject(r *resource, below string, in *json.Decoder) (list bool, err error) {
	if _, err := in.Token(); err != nil {
		return false, err
	}
	document, size := map[string]any{}, 0
	for in.More() {
		token, err := in.Token()
		if err != nil {
			return list, err
		}
		key, _ := token.(string)
		if known := misspelt(key, listKeys); known != "" {
			return list, errCase(key, known)
		}
		if _, twice := document[key]; twice {
			return list, fmt.Errorf("key %q is there twice", key)
		}
		document[key] = nil
		if key == "items" {
			list = true
			if err := g.decodeItems(r, below, in); err != nil {
				return list, err
			}
			continue
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return list, err
		}
		if size += len(value); size > maxItemBytes {
			return list, errTooLarge
		}
		if document[key], err = readJSON(value); err != nil {
			return list, err
		}
	}
	if _, err := in.Token(); err != nil {
		return list, err
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return list, errBehindEnd
	}
	if list {
		kind, _ := document["kind"].(string)
		return true, r.isList(kind)
	}
	g.kept += size
	return false, g.add(r, below, document, closed)
}

func (g *gathering) decodeItems(r *resource, below string, in *json.Decoder) error {
	start, err := in.Token()
	if err != nil {
		return err
	}
	if start == nil {
		return nil
	}
	if start != json.Delim('[') {
		return errItems
	}
	for in.More() {
		var text json.RawMessage
		if err := in.Decode(&text); err != nil {
			return err
		}
		if err := g.addJSONItem(r, below, text); err != nil {
			return err
		}
	}
	_, err = in.Token()
	return err
}

func (g *gathering) addJSONItem(r *resource, below string, text json.RawMessage) error {
	if len(text) > maxItemBytes {
		g.fail(r, below, errTooLarge)
		return nil
	}
	value, err := readJSON(text)
	object, ok := value.(map[string]any)
	if err == nil && !ok {
		err = errItems
	}
	if err != nil {
		g.fail(r, below, err)
		return nil
	}
	g.kept += len(text)
	return g.add(r, below, object, inList)
}

func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errTruncated
	}
	return err
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

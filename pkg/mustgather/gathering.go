package mustgather

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	machinev1 "github.com/openshift/api/machine/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// Bounds of what is taken from untrusted files.
const (
	maxJSONBytes     = 256 << 20
	maxEtcdInfoBytes = 16 << 20
	// maxKeptBytes bounds the text that is decoded into objects, below one base.
	maxKeptBytes = 256 << 20
	maxObjects   = 100_000
)

// gathering is what was read below one base.
type gathering struct {
	// base is where the folders are, relative to the root. full tells whether it has cluster-scoped resources.
	base string
	full bool

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
	// info are the contents of the files of etcd_info by their path, several where there are several gatherings.
	info map[string][][]byte
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
	g := &gathering{base: base, read: map[*resource]*reading{}, places: map[string][]string{}, info: map[string][][]byte{}}
	for _, r := range resources {
		g.read[r] = &reading{}
	}
	return g
}

// takes tells whether a path below the base is read at all.
func takes(below string) bool { return resourceOf(below) != nil || isEtcdInfo(below) }

// take reads one file. What cannot be read becomes a warning; the error is for the reader underneath.
func (g *gathering) take(below string, modified time.Time, from io.Reader) error {
	if isEtcdInfo(below) {
		text, err := io.ReadAll(io.LimitReader(from, maxEtcdInfoBytes+1))
		if err != nil {
			return err
		}
		if len(text) > maxEtcdInfoBytes {
			g.warnOfFile(below, fmt.Errorf("it has more than %d MiB", maxEtcdInfoBytes>>20))
			return nil
		}
		g.info[below] = append(g.info[below], text)
		g.places[below] = append(g.places[below], path.Join(g.base, below))
		g.infoTime = latest(g.infoTime, modified)
		return nil
	}
	r := resourceOf(below)
	g.objectTime = latest(g.objectTime, modified)
	state := g.read[r]
	state.files++
	source := &readErrors{from: from}
	list, err := g.decode(r, below, source)
	if source.err != nil {
		return source.err
	}
	state.list = state.list || list
	if err != nil {
		g.fail(r, below, err)
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

func (g *gathering) decode(r *resource, below string, from io.Reader) (list bool, err error) {
	text := bufio.NewReaderSize(from, 64<<10)
	start, err := text.Peek(1)
	for err == nil && (start[0] == ' ' || start[0] == '\n' || start[0] == '\r' || start[0] == '\t') {
		_, _ = text.ReadByte()
		start, err = text.Peek(1)
	}
	switch {
	case errors.Is(err, io.EOF):
		return false, errors.New("it is empty")
	case err != nil:
		return false, err
	case start[0] == '{':
		return g.decodeJSON(r, below, text)
	}
	objects := 0
	list, err = filterYAML(text, r.keep, r.isList, func(i item) error {
		objects++
		text := r.cut(i.text)
		return g.add(r, below, i.name, len(text), func(into any) error { return yaml.Unmarshal(text, into) })
	})
	if err == nil && !list && objects == 0 {
		err = errors.New("there is no object in it")
	}
	return list, err
}

// isList tells whether a kind is that of a list of the resource; a list need not say what it is.
func (r *resource) isList(kind string) error {
	if kind == "" || kind == "List" || kind == r.kind+"List" {
		return nil
	}
	return fmt.Errorf("it is a %s, not a list of %s objects", kind, r.kind)
}

// cut leaves of a bystander what matters of it.
func (r *resource) cut(text []byte) []byte {
	if r.bystander == nil || !r.bystander(text) {
		return text
	}
	short := text
	if _, err := filterYAML(bytes.NewReader(text), addressesOnly, r.isList, func(i item) error {
		short = i.text
		return nil
	}); err != nil {
		return text
	}
	return short
}

// add decodes one object that is wanted. A fault of the object does not keep the next from being read.
func (g *gathering) add(r *resource, below, name string, size int, decode func(any) error) error {
	if name != "" && r.wanted != nil && !r.wanted(name) {
		return nil
	}
	g.objects++
	g.kept += size
	if g.objects > maxObjects || g.kept > maxKeptBytes {
		return fmt.Errorf("there are more than %d objects or %d MiB to read", maxObjects, maxKeptBytes>>20)
	}
	err := r.add(g, func(into any) error {
		if err := decode(into); err != nil {
			return err
		}
		if err := r.check(into); err != nil {
			return err
		}
		key := r.key(into.(metav1.Object))
		g.places[key] = append(g.places[key], path.Join(g.base, below))
		return nil
	})
	if err != nil {
		g.fail(r, below, fmt.Errorf("object %q: %w", name, err))
	}
	return nil
}

// key identifies an object among those of all resources.
func (r *resource) key(object metav1.Object) string {
	return r.kind + " " + path.Join(object.GetNamespace(), object.GetName())
}

// check refuses what is not an object of the kind.
func (r *resource) check(decoded any) error {
	kind := decoded.(runtime.Object).GetObjectKind().GroupVersionKind().Kind
	if kind != "" && kind != r.kind {
		return fmt.Errorf("it is a %s, not a %s", kind, r.kind)
	}
	if decoded.(metav1.Object).GetName() == "" {
		return errors.New("it has no metadata.name")
	}
	return nil
}

// decodeJSON reads one object, or a list object by object.
func (g *gathering) decodeJSON(r *resource, below string, from io.Reader) (list bool, err error) {
	limited := &io.LimitedReader{R: from, N: maxJSONBytes}
	in := json.NewDecoder(limited)
	if _, err := in.Token(); err != nil {
		return false, truncated(err)
	}
	single := map[string]json.RawMessage{}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return list, truncated(err)
		}
		if key == "items" {
			list = true
			if err := g.decodeItems(r, below, in); err != nil {
				return list, err
			}
			continue
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return list, truncated(err)
		}
		single[fmt.Sprint(key)] = value
	}
	if _, err := in.Token(); err != nil {
		return list, truncated(err)
	}
	if list {
		var kind string
		if raw, has := single["kind"]; has {
			if err := json.Unmarshal(raw, &kind); err != nil {
				return true, err
			}
		}
		return true, r.isList(kind)
	}
	text, err := json.Marshal(single)
	if err != nil {
		return false, err
	}
	return false, g.addJSON(r, below, text)
}

func (g *gathering) decodeItems(r *resource, below string, in *json.Decoder) error {
	start, err := in.Token()
	if err != nil {
		return truncated(err)
	}
	if start == nil {
		return nil
	}
	if start != json.Delim('[') {
		return errors.New("its items are not a list")
	}
	for in.More() {
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return truncated(err)
		}
		if err := g.addJSON(r, below, value); err != nil {
			return err
		}
	}
	_, err = in.Token()
	return truncated(err)
}

func (g *gathering) addJSON(r *resource, below string, text []byte) error {
	var header struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(text, &header); err != nil {
		g.fail(r, below, err)
		return nil
	}
	return g.add(r, below, header.Metadata.Name, len(text), func(into any) error {
		if len(text) > maxItemBytes {
			return errTooLarge
		}
		return json.NewDecoder(bytes.NewReader(text)).Decode(into)
	})
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

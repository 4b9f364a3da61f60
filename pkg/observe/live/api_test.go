package live_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	configv1 "github.com/openshift/api/config/v1"
	machinev1 "github.com/openshift/api/machine/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	configclient "github.com/openshift/client-go/config/clientset/versioned"
	machineclient "github.com/openshift/client-go/machine/clientset/versioned"
	operatorclient "github.com/openshift/client-go/operator/clientset/versioned"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-etcd-operator/pkg/observe/live"
)

// api serves objects from memory: lists with selectors and pages, watches, reads by name, discovery, and faults on
// demand. It enforces nothing; what an API server enforces is tested on a real one.
type api struct {
	t testing.TB

	mu      sync.Mutex
	version int
	kinds   []kind
	objects map[address]runtime.Object
	events  []event
	// changed is closed at the next event or fault.
	changed chan struct{}
	// unserved is by resource; failing holds HTTP codes by resource, or by verb and resource as in requests.
	unserved map[string]bool
	failing  map[string]int
	// held are label selectors whose watches say nothing for the time being.
	held map[string]bool
	// silent: no watch says anything.
	silent bool
	// requests counts by "list nodes", "page nodes" for a page of a list of all, "watch pods", "get nodes/x", "discover
	// machine.openshift.io/v1".
	requests map[string]int
	// writes are requests that are not reads.
	writes []string
}

type kind struct {
	schema.GroupVersionResource
	name string
}

type address struct{ resource, namespace, name string }

// event is one change; an object that came has no before, one that went no after.
type event struct {
	address
	version       int
	before, after runtime.Object
}

func newAPI(t testing.TB, objects ...runtime.Object) *api {
	a := &api{
		t: t, objects: map[address]runtime.Object{}, changed: make(chan struct{}), unserved: map[string]bool{}, failing: map[string]int{}, held: map[string]bool{}, requests: map[string]int{},
		kinds: []kind{
			{corev1.SchemeGroupVersion.WithResource("nodes"), "Node"},
			{corev1.SchemeGroupVersion.WithResource("pods"), "Pod"},
			{corev1.SchemeGroupVersion.WithResource("configmaps"), "ConfigMap"},
			{policyv1.SchemeGroupVersion.WithResource("poddisruptionbudgets"), "PodDisruptionBudget"},
			{configv1.GroupVersion.WithResource("clusterversions"), "ClusterVersion"},
			{configv1.GroupVersion.WithResource("infrastructures"), "Infrastructure"},
			{configv1.GroupVersion.WithResource("networks"), "Network"},
			{configv1.GroupVersion.WithResource("clusteroperators"), "ClusterOperator"},
			{operatorv1.GroupVersion.WithResource("etcds"), "Etcd"},
			{operatorv1.GroupVersion.WithResource("kubeapiservers"), "KubeAPIServer"},
			{machinev1.GroupVersion.WithResource("controlplanemachinesets"), "ControlPlaneMachineSet"},
			{machinev1beta1.GroupVersion.WithResource("machines"), "Machine"},
		},
	}
	for _, object := range objects {
		a.put(object)
	}
	return a
}

// config fills in the clients.
func (a *api) config(into live.Config) live.Config {
	to := &rest.Config{Host: "http://api.example", QPS: -1, Transport: a}
	into.Kubernetes = kubernetes.NewForConfigOrDie(to)
	into.OpenShiftConfig = configclient.NewForConfigOrDie(to)
	into.OpenShiftOperator = operatorclient.NewForConfigOrDie(to)
	into.OpenShiftMachine = machineclient.NewForConfigOrDie(to)
	return into
}

// put creates or replaces an object.
func (a *api) put(object runtime.Object) { a.change(object, false) }

func (a *api) remove(object runtime.Object) { a.change(object, true) }

func (a *api) change(object runtime.Object, gone bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	object = object.DeepCopyObject()
	typeName := fmt.Sprintf("%T", object)
	typeName = typeName[strings.LastIndexByte(typeName, '.')+1:]
	i := slices.IndexFunc(a.kinds, func(k kind) bool { return k.name == typeName })
	if i < 0 {
		a.t.Fatalf("no resource holds a %s", typeName)
	}
	k := a.kinds[i]
	a.version++
	of, err := meta.Accessor(object)
	if err != nil {
		a.t.Fatal(err)
	}
	of.SetResourceVersion(strconv.Itoa(a.version))
	object.GetObjectKind().SetGroupVersionKind(k.GroupVersion().WithKind(k.name))
	at := address{k.Resource, of.GetNamespace(), of.GetName()}
	e := event{address: at, version: a.version, before: a.objects[at], after: object}
	if gone {
		e.after = nil
		delete(a.objects, at)
	} else {
		a.objects[at] = object
	}
	a.events = append(a.events, e)
	a.wake()
}

func (a *api) wake() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// fail has requests for a resource answered with an HTTP code, and ends its watches; 0 heals it.
func (a *api) fail(resource string, code int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failing[resource] = code
	a.wake()
}

// serve says whether a resource is served, and ends its watches if it is not.
func (a *api) serve(resource string, served bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.unserved[resource] = !served
	a.wake()
}

// hold has watches with a label selector say nothing, or go on.
func (a *api) hold(selector string, held bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held[selector] = held
	a.wake()
}

// silence has all watches say nothing, or go on.
func (a *api) silence(on bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.silent = on
	a.wake()
}

func (a *api) count(request string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.requests[request]
}

// total is how many requests came.
func (a *api) total() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	total := 0
	for _, n := range a.requests {
		total += n
	}
	return total
}

// RoundTrip implements http.RoundTripper without a network, which a bubble of synctest could not see the idleness of.
func (a *api) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, end := context.WithCancel(r.Context())
	reader, writer := io.Pipe()
	context.AfterFunc(ctx, func() { _ = writer.CloseWithError(context.Cause(ctx)) })
	response := &responding{header: http.Header{}, body: writer, code: make(chan int, 1)}
	go func() {
		defer end()
		a.ServeHTTP(response, r.WithContext(ctx))
		_ = writer.Close()
	}()
	select {
	case code := <-response.code:
		return &http.Response{
			StatusCode: code, Status: http.StatusText(code), Header: response.header, Request: r, ProtoMajor: 1, ProtoMinor: 1,
			Body: closing{reader, end},
		}, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// responding is an http.ResponseWriter whose reader sees everything at once.
type responding struct {
	header http.Header
	body   *io.PipeWriter
	code   chan int
}

func (r *responding) Header() http.Header            { return r.header }
func (r *responding) WriteHeader(code int)           { r.code <- code }
func (r *responding) Write(part []byte) (int, error) { return r.body.Write(part) }

// closing ends the request with its body.
type closing struct {
	io.Reader
	end func()
}

func (c closing) Close() error {
	c.end()
	return nil
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		a.mu.Lock()
		a.writes = append(a.writes, r.Method+" "+r.URL.Path)
		a.mu.Unlock()
		answer(w, http.StatusMethodNotAllowed, status(http.StatusMethodNotAllowed))
		return
	}
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	gv := schema.GroupVersion{Version: parts[1]}
	rest := parts[2:]
	if parts[0] == "apis" {
		gv, rest = schema.GroupVersion{Group: parts[1], Version: parts[2]}, parts[3:]
	}
	var at address
	if len(rest) > 2 && rest[0] == "namespaces" {
		at.namespace, rest = rest[1], rest[2:]
	}
	switch len(rest) {
	case 0:
		a.discover(w, gv)
		return
	case 2:
		at.name = rest[1]
	}
	at.resource = rest[0]
	i := slices.IndexFunc(a.kinds, func(k kind) bool { return k.GroupVersion() == gv && k.Resource == at.resource })
	if i < 0 {
		a.t.Errorf("%s is asked for, which nobody serves", r.URL)
		answer(w, http.StatusNotFound, status(http.StatusNotFound))
		return
	}
	switch query := r.URL.Query(); {
	case at.name != "":
		a.get(w, r, a.kinds[i], at)
	case query.Get("watch") != "":
		a.watch(w, r, a.kinds[i], at)
	default:
		a.list(w, r, a.kinds[i], at)
	}
}

func (a *api) discover(w http.ResponseWriter, gv schema.GroupVersion) {
	a.mu.Lock()
	a.requests["discover "+gv.String()]++
	code := a.failing["discover "+gv.String()]
	served := &metav1.APIResourceList{GroupVersion: gv.String()}
	served.Kind = "APIResourceList"
	for _, k := range a.kinds {
		if k.GroupVersion() == gv && !a.unserved[k.Resource] {
			served.APIResources = append(served.APIResources, metav1.APIResource{Name: k.Resource, Kind: k.name})
		}
	}
	a.mu.Unlock()
	switch {
	case code != 0:
		answer(w, code, status(code))
	case len(served.APIResources) == 0:
		answer(w, http.StatusNotFound, status(http.StatusNotFound))
	default:
		answer(w, http.StatusOK, served)
	}
}

// hang as a code leaves a request without an answer.
const hang = -1

// refuse answers a request for a resource that is not served, or that is to fail; it is called with the lock held, and
// ends without it if it has answered.
func (a *api) refuse(w http.ResponseWriter, r *http.Request, verb string, k kind) bool {
	code := cmp.Or(a.failing[k.Resource], a.failing[verb+" "+k.Resource])
	if a.unserved[k.Resource] {
		code = http.StatusNotFound
	}
	if code == 0 {
		return false
	}
	a.mu.Unlock()
	if code == hang {
		<-r.Context().Done()
		return true
	}
	answer(w, code, status(code))
	return true
}

func (a *api) get(w http.ResponseWriter, r *http.Request, k kind, at address) {
	a.mu.Lock()
	a.requests["get "+at.resource+"/"+at.name]++
	if a.refuse(w, r, "get", k) {
		return
	}
	object := a.objects[at]
	a.mu.Unlock()
	if object == nil {
		answer(w, http.StatusNotFound, status(http.StatusNotFound))
		return
	}
	answer(w, http.StatusOK, object)
}

func (a *api) list(w http.ResponseWriter, r *http.Request, k kind, at address) {
	query := r.URL.Query()
	selected := selection(query.Get("labelSelector"), query.Get("fieldSelector"))
	verb := "list"
	if query.Get("limit") != "" && query.Get("labelSelector") == "" && query.Get("fieldSelector") == "" {
		verb = "page"
	}
	a.mu.Lock()
	a.requests[verb+" "+at.resource]++
	if a.refuse(w, r, verb, k) {
		return
	}
	var names []string
	for of, object := range a.objects {
		if of.resource == at.resource && of.namespace == at.namespace && selected(object) {
			names = append(names, of.name)
		}
	}
	slices.Sort(names)
	more := ""
	from, _ := strconv.Atoi(query.Get("continue"))
	names = names[min(from, len(names)):]
	if limit, _ := strconv.Atoi(query.Get("limit")); limit > 0 && len(names) > limit {
		names, more = names[:limit], strconv.Itoa(from+limit)
	}
	items := make([]runtime.Object, 0)
	for _, name := range names {
		items = append(items, a.objects[address{at.resource, at.namespace, name}])
	}
	version := strconv.Itoa(a.version)
	a.mu.Unlock()
	answer(w, http.StatusOK, map[string]any{
		"apiVersion": k.GroupVersion().String(), "kind": k.name + "List",
		"metadata": map[string]string{"resourceVersion": version, "continue": more}, "items": items,
	})
}

// watch sends what happened after a version, or first what there is.
func (a *api) watch(w http.ResponseWriter, r *http.Request, k kind, at address) {
	query := r.URL.Query()
	selected := selection(query.Get("labelSelector"), query.Get("fieldSelector"))
	after, _ := strconv.Atoi(query.Get("resourceVersion"))
	a.mu.Lock()
	a.requests["watch "+at.resource]++
	if a.refuse(w, r, "watch", k) {
		return
	}
	var due []any
	send := func(what string, object any) { due = append(due, map[string]any{"type": what, "object": object}) }
	if query.Get("sendInitialEvents") == "true" {
		for of, object := range a.objects {
			if of.resource == at.resource && of.namespace == at.namespace && selected(object) {
				send("ADDED", object)
			}
		}
		after = a.version
		send("BOOKMARK", map[string]any{
			"apiVersion": k.GroupVersion().String(), "kind": k.name,
			"metadata": map[string]any{"resourceVersion": strconv.Itoa(after), "annotations": map[string]string{metav1.InitialEventsAnnotationKey: "true"}},
		})
	}
	a.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	for {
		a.mu.Lock()
		until := a.version
		if a.silent || a.held[query.Get("labelSelector")] {
			until = after
		}
		for _, e := range a.events {
			if e.version <= after || e.version > until || e.resource != at.resource || e.namespace != at.namespace {
				continue
			}
			was, is := e.before != nil && selected(e.before), e.after != nil && selected(e.after)
			switch {
			case is && was:
				send("MODIFIED", e.after)
			case is:
				send("ADDED", e.after)
			case was:
				send("DELETED", e.before)
			}
		}
		after = until
		changed, ends := a.changed, a.unserved[k.Resource] || a.failing[k.Resource] != 0
		a.mu.Unlock()
		for _, each := range due {
			_ = json.NewEncoder(w).Encode(each)
		}
		due = nil
		if ends {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

func selection(byLabel, byField string) func(runtime.Object) bool {
	ofLabels, err := labels.Parse(byLabel)
	if err != nil {
		panic(err)
	}
	ofFields, err := fields.ParseSelector(byField)
	if err != nil {
		panic(err)
	}
	return func(object runtime.Object) bool {
		of, err := meta.Accessor(object)
		return err == nil && ofLabels.Matches(labels.Set(of.GetLabels())) && ofFields.Matches(fields.Set{"metadata.name": of.GetName()})
	}
}

func status(code int) *metav1.Status {
	s := apierrors.NewGenericServerResponse(code, "get", schema.GroupResource{Resource: "things"}, "", "on demand", 0, false).ErrStatus
	s.Kind, s.APIVersion = "Status", "v1"
	return &s
}

func answer(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body)
}

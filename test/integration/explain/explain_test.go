package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/pkg/cmd/explain"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
	"github.com/openshift/cluster-etcd-operator/test/integration/kube"
)

// withoutWords takes the sentences away: those of a directory name the file that is missing.
func withoutWords(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if _, told := value["reason"]; told && (key == "message" || key == "unblock") {
				delete(value, key)
			} else if key != "warnings" {
				withoutWords(inner)
			}
		}
	case []any:
		for _, inner := range value {
			withoutWords(inner)
		}
	}
}

func TestARunningClusterIsExplainedAsItsMustGather(t *testing.T) {
	started, err := kube.Start(t.Context())
	if started != nil {
		t.Cleanup(started.Stop)
	}
	if err != nil {
		t.Fatal(err)
	}
	world := snapshottest.New(snapshottest.Deleting(snapshottest.A), snapshottest.NewMachine(snapshottest.D))
	files := mustgathertest.Files(&world)
	for name := range files {
		if strings.Contains(name, "/etcd_info/") {
			delete(files, name)
		}
	}
	root := t.TempDir()
	if err := mustgathertest.Write(root, files); err != nil {
		t.Fatal(err)
	}
	create(t, started.Config, files)
	offline := withoutTimes(run(t, "--from-dir", root, "-o", "json"))
	if text := fmt.Sprint(offline["membership"]); !strings.Contains(text, "there is no etcd_info/member_list.json") {
		t.Errorf("the file that is missing is not named: %s", text)
	}
	withoutWords(offline)

	api := newFront(t, started.Config)
	t.Run("with every right but no certificate", func(t *testing.T) {
		live := withoutTimes(run(t, "--kubeconfig", api.kubeconfig(t, ""), "-o", "json"))
		if live["source"] != "live" || live["observedAt"] == nil {
			t.Errorf("source %v, observed at %v", live["source"], live["observedAt"])
		}
		withoutWords(live)
		for _, part := range []string{"membership", "machines", "refused", "rollout", "members"} {
			if diff := cmp.Diff(offline[part], live[part]); diff != "" {
				t.Errorf("%s (-must-gather +running):\n%s", part, diff)
			}
		}
		if diff := cmp.Diff(offline["facts"], live["facts"]); diff != "" {
			t.Errorf("facts (-must-gather +running):\n%s", diff)
		}
		if text := fmt.Sprint(live["warnings"]); !strings.Contains(text, "EtcdUnreachable") || !strings.Contains(text, `secrets "etcd-client" not found`) {
			t.Errorf("warnings: %s", text)
		}
	})
	t.Run("with no right at all", func(t *testing.T) {
		live := run(t, "--kubeconfig", api.kubeconfig(t, "nobody"), "-o", "json")
		text := fmt.Sprint(live["warnings"])
		for _, missing := range []string{`cannot get resource "secrets"`, `cannot list resource "nodes"`, `cannot list resource "machines"`, `cannot list resource "etcds"`} {
			if !strings.Contains(text, missing) {
				t.Errorf("it is not said that the user %s: %s", missing, text)
			}
		}
		if m := live["membership"].(map[string]any); m["action"] != "Wait" || m["reason"] != "MemberListUnknown" {
			t.Errorf("membership %v", m)
		}
	})
	if methods := api.methods(); !slices.Equal(methods, []string{http.MethodGet}) {
		t.Errorf("the API server was sent %v", methods)
	}
}

// run returns the document that the subcommand prints.
func run(t *testing.T, args ...string) map[string]any {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := explain.NewCommand()
	c.SetArgs(args)
	c.SetOut(&stdout)
	c.SetErr(&stderr)
	if err := c.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("explain %v: %v\n%s", args, err, stderr.String())
	}
	var document map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// withoutTimes leaves out when a Machine was deleted: nobody can tell an API server that.
func withoutTimes(document map[string]any) map[string]any {
	for _, m := range document["machines"].([]any) {
		delete(m.(map[string]any), "deletionTimestamp")
	}
	return document
}

// front passes requests on to an API server and notes their methods.
type front struct {
	server *httptest.Server
	config *rest.Config

	mu   sync.Mutex
	seen []string
}

func newFront(t *testing.T, config *rest.Config) *front {
	t.Helper()
	target, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(rest.AnonymousClientConfig(config))
	if err != nil {
		t.Fatal(err)
	}
	f := &front{config: config}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, Transport: transport, FlushInterval: -1,
	}
	f.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.seen = append(f.seen, r.Method)
		f.mu.Unlock()
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(f.server.CloseClientConnections)
	return f
}

// methods are those that were used, each once.
func (f *front) methods() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	slices.Sort(f.seen)
	return slices.Compact(f.seen)
}

// kubeconfig is a file with an administrator's rights, or with those of somebody else.
func (f *front) kubeconfig(t *testing.T, as string) string {
	t.Helper()
	config := clientcmdapi.NewConfig()
	config.Clusters["c"] = &clientcmdapi.Cluster{Server: f.server.URL, InsecureSkipTLSVerify: true}
	config.AuthInfos["c"] = &clientcmdapi.AuthInfo{Token: f.config.BearerToken, Impersonate: as}
	config.Contexts["c"] = &clientcmdapi.Context{Cluster: "c", AuthInfo: "c"}
	config.CurrentContext = "c"
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// create makes the objects of a must-gather, with what an API server insists on besides.
func create(t *testing.T, config *rest.Config, files map[string]string) {
	t.Helper()
	ctx := t.Context()
	core := kubernetes.NewForConfigOrDie(config)
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "openshift-kube-apiserver"}}
	if _, err := core.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(core.Discovery()))
	names := make([]string, 0, len(files))
	for name := range files {
		if strings.HasSuffix(name, ".yaml") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		for _, object := range parse(t, files[name]) {
			kind := object.GroupVersionKind()
			mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
			if err != nil {
				t.Fatal(err)
			}
			if err := put(ctx, objects.Resource(mapping.Resource).Namespace(object.GetNamespace()), object); err != nil {
				t.Fatalf("create %s %s: %v", kind.Kind, object.GetName(), err)
			}
		}
	}
}

func parse(t *testing.T, text string) []*unstructured.Unstructured {
	t.Helper()
	var one map[string]any
	if err := yaml.Unmarshal([]byte(text), &one); err != nil {
		t.Fatal(err)
	}
	items, list := one["items"].([]any)
	if !list {
		return []*unstructured.Unstructured{{Object: one}}
	}
	var all []*unstructured.Unstructured
	for _, item := range items {
		all = append(all, &unstructured.Unstructured{Object: item.(map[string]any)})
	}
	return all
}

func put(ctx context.Context, client dynamic.ResourceInterface, object *unstructured.Unstructured) error {
	complete(object)
	status := object.Object["status"]
	deleting := object.GetDeletionTimestamp() != nil
	object.SetDeletionTimestamp(nil)
	object.SetUID("")
	object.SetGeneration(0)
	if deleting {
		object.SetFinalizers([]string{"test/stays"})
	}
	if _, err := client.Create(ctx, object, metav1.CreateOptions{}); err != nil {
		return err
	}
	if status != nil {
		for _, status := range steps(status.(map[string]any)) {
			// The disruption controller writes that of a budget as well.
			err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
				present, err := client.Get(ctx, object.GetName(), metav1.GetOptions{})
				if err != nil {
					return err
				}
				present.Object["status"] = status
				_, err = client.UpdateStatus(ctx, present, metav1.UpdateOptions{})
				return err
			})
			if apierrors.IsNotFound(err) {
				// A kind without that subresource took the status with the rest.
				break
			}
			if err != nil {
				return fmt.Errorf("status: %w", err)
			}
		}
	}
	if deleting {
		return client.Delete(ctx, object.GetName(), metav1.DeleteOptions{})
	}
	return nil
}

// steps are the statuses to write one after the other: a node has no revision at first.
func steps(status map[string]any) []map[string]any {
	nodes, has := status["nodeStatuses"].([]any)
	if !has {
		return []map[string]any{status}
	}
	first := maps.Clone(status)
	var fresh []any
	for _, node := range nodes {
		fresh = append(fresh, map[string]any{"nodeName": node.(map[string]any)["nodeName"]})
	}
	first["nodeStatuses"] = fresh
	return []map[string]any{first, status}
}

// complete adds what the kinds require and no decision reads.
func complete(object *unstructured.Unstructured) {
	set := func(value any, at ...string) {
		if _, has, _ := unstructured.NestedFieldNoCopy(object.Object, at...); !has {
			_ = unstructured.SetNestedField(object.Object, value, at...)
		}
	}
	switch object.GetKind() {
	case "ClusterVersion":
		set("00000000-0000-0000-0000-000000000001", "spec", "clusterID")
		set("example/release", "status", "desired", "image")
		set(int64(1), "status", "observedGeneration")
		set("x", "status", "versionHash")
		set(nil, "status", "availableUpdates")
	case "KubeAPIServer", "Etcd":
		set("Managed", "spec", "managementState")
	case "Infrastructure", "Network", "ClusterOperator":
		set(map[string]any{}, "spec")
	case "Pod":
		set([]any{map[string]any{"name": "x", "image": "x"}}, "spec", "containers")
	}
	for _, path := range [][]string{{"status", "conditions"}} {
		conditions, _, _ := unstructured.NestedSlice(object.Object, path...)
		for _, c := range conditions {
			condition := c.(map[string]any)
			if _, has := condition["lastTransitionTime"]; !has {
				condition["lastTransitionTime"] = "2026-01-01T00:00:00Z"
			}
		}
		if conditions != nil {
			_ = unstructured.SetNestedSlice(object.Object, conditions, path...)
		}
	}
}

package live_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	machinev1 "github.com/openshift/api/machine/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/observe/live"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	roleLabel = "machine.openshift.io/cluster-api-machine-role"
	version   = "4.22.0"
)

// world is a cluster of three control-plane hosts at rest: the fake etcd, and an API that knows it. It lives in a bubble
// of synctest, where time passes only while everybody waits.
type world struct {
	*api
	t        *testing.T
	etcd     *etcdclienttest.Cluster
	observer *live.Observer
	// changes counts the calls of OnChange.
	changes atomic.Int64
	// calls counts what etcd was asked.
	calls atomic.Int64
	// attend replaces what attending a member does; nil for nothing.
	attend func(context.Context, func(etcdclient.Header), etcdclient.Conn) error
}

// inWorld runs a test. The observer has not started yet.
func inWorld(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, etcd: etcdclienttest.New(t, etcdclienttest.Options{}), api: newAPI(t, atRest()...)}
		client := etcdclient.New(etcdclient.Config{TLS: w.etcd.TLS(), Dial: w.dial})
		t.Cleanup(client.Close)
		w.observer = live.New(w.config(live.Config{
			Etcd: client, Clock: clock.RealClock{}, OperatorVersion: version,
			GuardOutdated: func(p *corev1.Pod) bool { return p.Annotations["outdated"] != "" },
		}))
		w.observer.OnChange(func() { w.changes.Add(1) })
		test(t, w)
	})
}

// start starts the observer and waits until its caches are filled.
func (w *world) start() {
	w.observer.Start(w.t.Context())
	synctest.Wait()
}

// observe observes when nothing moves any more.
func (w *world) observe() observe.Observation {
	synctest.Wait()
	return w.observer.Observe(w.t.Context())
}

// pass lets time pass.
func (w *world) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// wantNoFault fails the test for any fault.
func (w *world) wantNoFault(seen observe.Observation) {
	w.t.Helper()
	if len(seen.Faults) > 0 {
		w.t.Errorf("unexpected faults: %v", seen.Faults)
	}
}

// wantFault fails the test unless a fault mentions text.
func (w *world) wantFault(seen observe.Observation, text string) {
	w.t.Helper()
	if !slices.ContainsFunc(seen.Faults, func(err error) bool { return strings.Contains(err.Error(), text) }) {
		w.t.Errorf("no fault mentions %q: %v", text, seen.Faults)
	}
}

func (w *world) dial(urls []string, credentials func() (*tls.Config, error)) (etcdclient.Conn, error) {
	conn, err := w.etcd.Dial(urls, credentials)
	if err != nil {
		return nil, err
	}
	return counting{conn, &w.calls, w.attend}, nil
}

// counting counts what is asked through a connection.
type counting struct {
	etcdclient.Conn
	calls  *atomic.Int64
	attend func(context.Context, func(etcdclient.Header), etcdclient.Conn) error
}

func (c counting) List(ctx context.Context) (etcdclient.MemberList, error) {
	c.calls.Add(1)
	return c.Conn.List(ctx)
}

func (c counting) Read(ctx context.Context, linearizable bool) (etcdclient.Header, error) {
	c.calls.Add(1)
	return c.Conn.Read(ctx, linearizable)
}

func (c counting) Status(ctx context.Context) (etcdclient.Header, etcdclient.Status, error) {
	c.calls.Add(1)
	return c.Conn.Status(ctx)
}

func (c counting) Alarms(ctx context.Context) ([]etcdclient.Alarm, error) {
	c.calls.Add(1)
	return c.Conn.Alarms(ctx)
}

func metaOf(name, namespace string, labels ...string) metav1.ObjectMeta {
	m := metav1.ObjectMeta{Name: name, Namespace: namespace, UID: types.UID("uid-of-" + name), ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "somebody"}}}
	for _, l := range labels {
		key, value, _ := strings.Cut(l, "=")
		metav1.SetMetaDataLabel(&m, key, value)
	}
	return m
}

func internal(ip string) []corev1.NodeAddress {
	return []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: ip}}
}

func node(name, ip string, labels ...string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metaOf(name, "", labels...), Status: corev1.NodeStatus{
		Addresses:  internal(ip),
		Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		Images:     []corev1.ContainerImage{{Names: []string{"an image"}}},
	}}
}

func machine(name, nodeName, ip, role string) *machinev1beta1.Machine {
	phase := "Running"
	m := &machinev1beta1.Machine{ObjectMeta: metaOf(name, "openshift-machine-api", roleLabel+"="+role), Status: machinev1beta1.MachineStatus{
		Phase: &phase, Addresses: internal(ip), NodeRef: &corev1.ObjectReference{Name: nodeName},
	}}
	m.Spec.LifecycleHooks.PreDrain = []machinev1beta1.LifecycleHook{{Name: observe.HookName, Owner: observe.HookOwner}}
	return m
}

func pod(name, app, nodeName string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metaOf(name, "openshift-etcd", "app="+app), Spec: corev1.PodSpec{NodeName: nodeName}}
	p.Status.Phase = corev1.PodRunning
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	if app == "etcd" {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "etcd", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
	}
	return p
}

func configMap(namespace, name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metaOf(name, namespace), Data: data}
}

func etcdResource() *operatorv1.Etcd {
	e := &operatorv1.Etcd{ObjectMeta: metaOf("cluster", "")}
	e.Generation = 1
	e.Spec.ObservedConfig.Raw = []byte(`{"controlPlane":{"replicas":3}}`)
	e.Status.LatestAvailableRevision = 4
	e.Status.Conditions = []operatorv1.OperatorCondition{{Type: "EtcdMembersAvailable", Status: operatorv1.ConditionFalse}}
	for i := range 3 {
		e.Status.NodeStatuses = append(e.Status.NodeStatuses, operatorv1.NodeStatus{NodeName: fmt.Sprintf("master-%d", i), CurrentRevision: 4})
	}
	return e
}

func apiServers(revisions ...int32) *operatorv1.KubeAPIServer {
	k := &operatorv1.KubeAPIServer{ObjectMeta: metaOf("cluster", "")}
	for i, revision := range revisions {
		k.Status.NodeStatuses = append(k.Status.NodeStatuses, operatorv1.NodeStatus{NodeName: fmt.Sprintf("master-%d", i), CurrentRevision: revision})
	}
	return k
}

func apiServerConfig(revision int) *corev1.ConfigMap {
	return configMap("openshift-kube-apiserver", fmt.Sprintf("config-%d", revision),
		map[string]string{"config.yaml": `{"apiServerArguments":{"etcd-servers":["https://192.0.2.1:2379","https://192.0.2.2:2379","https://192.0.2.3:2379"]}}`})
}

func budget() *policyv1.PodDisruptionBudget {
	two := intstr.FromInt32(2)
	b := &policyv1.PodDisruptionBudget{ObjectMeta: metaOf("etcd-guard-pdb", "openshift-etcd"), Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: &two, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "guard"}}}}
	b.Generation, b.Status.ObservedGeneration, b.Status.DisruptionsAllowed = 1, 1, 1
	return b
}

func clusterOperator(reported string) *configv1.ClusterOperator {
	return &configv1.ClusterOperator{ObjectMeta: metaOf("etcd", ""), Status: configv1.ClusterOperatorStatus{
		Versions: []configv1.OperandVersion{{Name: "operator", Version: reported}},
	}}
}

func clusterVersion(capabilities ...configv1.ClusterVersionCapability) *configv1.ClusterVersion {
	v := &configv1.ClusterVersion{ObjectMeta: metaOf("version", "")}
	v.Status.Capabilities.EnabledCapabilities = capabilities
	return v
}

func infrastructure(topology configv1.TopologyMode) *configv1.Infrastructure {
	return &configv1.Infrastructure{ObjectMeta: metaOf("cluster", ""), Status: configv1.InfrastructureStatus{ControlPlaneTopology: topology}}
}

func network(service ...string) *configv1.Network {
	return &configv1.Network{ObjectMeta: metaOf("cluster", ""), Status: configv1.NetworkStatus{ServiceNetwork: service}}
}

func machineSet(replicas int32) *machinev1.ControlPlaneMachineSet {
	return &machinev1.ControlPlaneMachineSet{ObjectMeta: metaOf("cluster", "openshift-machine-api"),
		Spec: machinev1.ControlPlaneMachineSetSpec{State: machinev1.ControlPlaneMachineSetStateActive, Replicas: &replicas}}
}

func endpointsMap(addresses ...string) *corev1.ConfigMap {
	data := map[string]string{}
	for i, addr := range addresses {
		data[fmt.Sprintf("%x", 10+i)] = addr
	}
	return configMap("openshift-etcd", "etcd-endpoints", data)
}

// atRest are the objects of three healthy hosts, and of things that are nobody's business here.
func atRest() []runtime.Object {
	objects := []runtime.Object{
		clusterVersion(configv1.ClusterVersionCapabilityMachineAPI), infrastructure(configv1.HighlyAvailableTopologyMode),
		network("172.30.0.0/16"), clusterOperator(version), otherClusterOperator(), etcdResource(), apiServers(7, 7, 7), apiServerConfig(7), budget(), machineSet(3),
		configMap("kube-system", "bootstrap", map[string]string{"status": "complete"}), configMap("kube-system", "another", nil),
		endpointsMap("192.0.2.1", "192.0.2.2", "192.0.2.3"), configMap("openshift-etcd", "etcd-pod", nil),
		pod("installer-4-master-0", "installer", "master-0"),
		node("worker-0", "192.0.2.100", "node-role.kubernetes.io/worker="), machine("worker-0", "worker-0", "192.0.2.100", "worker"),
	}
	for i := range 3 {
		name, ip := fmt.Sprintf("master-%d", i), fmt.Sprintf("192.0.2.%d", i+1)
		labels := []string{"node-role.kubernetes.io/master=", "node-role.kubernetes.io/control-plane="}
		objects = append(objects, node(name, ip, labels...), machine(name, name, ip, "master"), pod("etcd-"+name, "etcd", name), pod("etcd-guard-"+name, "guard", name))
	}
	return objects
}

func otherClusterOperator() *configv1.ClusterOperator {
	other := clusterOperator("1")
	other.Name = "dns"
	return other
}

func workerName(i int) string { return fmt.Sprintf("worker-%03d", i) }

func change(w *world, s snapshot.Snapshot) etcdclient.Change {
	return etcdclient.Change{Endpoints: w.etcd.Endpoints(), Judged: etcdclient.JudgedFrom(&s), Through: s.Leader}
}

func withTimeout(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), d)
}

package quorumguard

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	machinefake "github.com/openshift/client-go/machine/clientset/versioned/fake"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	testclock "k8s.io/utils/clock/testing"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/pass/passtest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const (
	a, b, c, d = world.A, world.B, world.C, world.D

	image = "example/operator:v1"
)

// bench is a controller on a cluster that a test controls. What an API server enforces is not here: see
// test/integration/machines.
type bench struct {
	t        *testing.T
	source   passtest.Source
	clock    *testclock.FakePassiveClock
	kube     *kubefake.Clientset
	spec     *operatorv1.OperatorSpec
	operator v1helpers.OperatorClient
	recorder events.InMemoryRecorder
	guards   *Guards
	members  etcdclient.MemberList
	// listing is the error of a member list.
	listing error
	*controller
}

// MemberList implements Etcd.
func (x *bench) MemberList(context.Context, []string) (etcdclient.MemberList, error) {
	return x.members, x.listing
}

// newBench returns a controller on a cluster that is as a world says.
func newBench(t *testing.T, edits ...world.Edit) *bench {
	t.Helper()
	s := world.New(edits...)
	x := &bench{
		t: t, clock: testclock.NewFakePassiveClock(world.Epoch.Add(time.Hour)), guards: NewGuards(image),
		spec: &operatorv1.OperatorSpec{ManagementState: operatorv1.Managed}, members: listOf(&s),
	}
	var objects []runtime.Object
	for i := range s.Guards {
		objects = append(objects, x.podOf(&s, &s.Guards[i]))
	}
	for i := range s.Nodes {
		if s.Nodes[i].Present.Holds() {
			objects = append(objects, nodeOfAPI(&s.Nodes[i]))
		}
	}
	if s.Budget.Present.Holds() {
		objects = append(objects, budgetOf(&s))
	}
	x.kube = kubefake.NewClientset(objects...)
	var machines []runtime.Object
	for i := range s.Machines {
		machines = append(machines, machineOf(&s.Machines[i]))
	}
	x.operator = v1helpers.NewFakeOperatorClient(x.spec, &operatorv1.OperatorStatus{}, nil)
	x.recorder = events.NewInMemoryRecorder("test", x.clock)
	x.controller = newController(Config{
		Source: &x.source, Etcd: x, Kubernetes: x.kube, Machines: machinefake.NewClientset(machines...).MachineV1beta1(),
		OperatorClient: x.operator, Recorder: x.recorder, Clock: x.clock, Guards: x.guards,
	})
	return x
}

// pass publishes what the cores say about a world that was seen an age ago, and lets the controller act on it.
func (x *bench) pass(age time.Duration, edits ...world.Edit) {
	x.t.Helper()
	s := world.New(edits...)
	s.ObservedAt = x.clock.Now().Add(-age)
	p := pass.Pass{Decisions: decision.About(s)}
	if s.Budget.Present.Holds() {
		p.Objects.Budget = observe.Found(x.budget())
	}
	x.source.Publish(p)
	x.sync()
}

func (x *bench) sync() {
	x.t.Helper()
	if err := x.controller.sync(x.t.Context(), nil); err != nil {
		x.t.Fatal(err)
	}
}

func (x *bench) budget() *policyv1.PodDisruptionBudget {
	x.t.Helper()
	budget, err := x.kube.PolicyV1().PodDisruptionBudgets(namespace).Get(x.t.Context(), budgetName, metav1.GetOptions{})
	if err != nil {
		x.t.Fatal(err)
	}
	return budget
}

// change changes the budget behind the controller's back.
func (x *bench) change(edit func(*policyv1.PodDisruptionBudget)) {
	x.t.Helper()
	budget := x.budget()
	edit(budget)
	if err := x.kube.Tracker().Update(policyv1.SchemeGroupVersion.WithResource("poddisruptionbudgets"), budget, namespace); err != nil {
		x.t.Fatal(err)
	}
	x.kube.ClearActions()
}

// writes are all that were tried, in order: "budget 3", "create etcd-guard-node-a", "delete etcd-guard-node-a".
func (x *bench) writes() []string {
	var writes []string
	for _, action := range x.kube.Actions() {
		switch action := action.(type) {
		case clienttesting.UpdateActionImpl:
			writes = append(writes, describe(action.GetObject()))
		case clienttesting.CreateActionImpl:
			writes = append(writes, describe(action.GetObject()))
		case clienttesting.DeleteActionImpl:
			if action.DeleteOptions.Preconditions == nil || action.DeleteOptions.Preconditions.UID == nil || action.DeleteOptions.Preconditions.ResourceVersion == nil {
				x.t.Errorf("%s is deleted without saying which", action.Name)
			}
			writes = append(writes, "delete "+action.Name)
		}
	}
	x.kube.ClearActions()
	return writes
}

func describe(object runtime.Object) string {
	switch object := object.(type) {
	case *policyv1.PodDisruptionBudget:
		return "budget " + object.Spec.MinAvailable.String()
	case *corev1.Pod:
		return "create " + object.Name
	default:
		return fmt.Sprintf("unexpected %T", object)
	}
}

// refuse has a verb on a resource answered with an error.
func (x *bench) refuse(verb, resource string, answer error) {
	x.kube.PrependReactor(verb, resource, func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, answer })
}

func (x *bench) condition(kind string) operatorv1.OperatorCondition {
	x.t.Helper()
	_, status, _, err := x.operator.GetOperatorState()
	if err != nil {
		x.t.Fatal(err)
	}
	found := v1helpers.FindOperatorCondition(status.Conditions, Name+kind)
	if found == nil {
		x.t.Fatalf("condition %s%s was not written", Name, kind)
	}
	return *found
}

func (x *bench) told() string {
	var told []string
	for _, e := range x.recorder.Events() {
		told = append(told, e.Reason+" "+e.Message)
	}
	return strings.Join(told, "\n")
}

func (x *bench) podOf(s *snapshot.Snapshot, g *snapshot.Guard) *corev1.Pod {
	address := "192.0.2.1"
	if node := nodeOf(s, g.Node); node != nil && node.PeerAddress.IsValid() {
		address = node.PeerAddress.String()
	}
	pod, err := x.guards.pod(g.Node, address)
	if err != nil {
		x.t.Fatal(err)
	}
	pod.UID, pod.ResourceVersion = types.UID("uid-"+pod.Name), "3"
	pod.Status.Phase = corev1.PodPhase(g.Phase)
	ready := corev1.ConditionFalse
	if g.Ready {
		ready = corev1.ConditionTrue
	}
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}
	if g.Outdated {
		pod.Spec.Containers[0].Image = "example/operator:v0"
	}
	if g.Deleting {
		pod.DeletionTimestamp, pod.Finalizers = &metav1.Time{Time: world.Epoch}, []string{"example/keep"}
	}
	return pod
}

func budgetOf(s *snapshot.Snapshot) *policyv1.PodDisruptionBudget {
	budget, err := budget(s.Budget.MinAvailable)
	if err != nil {
		panic(err)
	}
	budget.UID, budget.ResourceVersion, budget.Generation = "uid-budget", "5", 1
	budget.Status.DisruptionsAllowed = int32(s.Budget.DisruptionsAllowed)
	if s.Budget.Observed {
		budget.Status.ObservedGeneration = budget.Generation
	}
	return budget
}

func nodeOfAPI(n *snapshot.Node) *corev1.Node {
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: string(n.Name), Labels: map[string]string{"node-role.kubernetes.io/master": ""}},
		Spec:       corev1.NodeSpec{Unschedulable: n.Cordoned},
	}
	for _, addr := range n.Addresses {
		node.Status.Addresses = append(node.Status.Addresses, corev1.NodeAddress{Type: corev1.NodeInternalIP, Address: addr.String()})
	}
	return node
}

func machineOf(m *snapshot.Machine) *machinev1beta1.Machine {
	machine := &machinev1beta1.Machine{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: machineNamespace, Name: string(m.Name), UID: types.UID(m.UID),
			Labels: map[string]string{"machine.openshift.io/cluster-api-machine-role": "master"},
		},
		Status: machinev1beta1.MachineStatus{Phase: &m.Phase},
	}
	if m.Deleting {
		machine.DeletionTimestamp, machine.Finalizers = &metav1.Time{Time: m.DeletionTimestamp}, []string{"example/keep"}
	}
	if m.NodeRef != "" {
		machine.Status.NodeRef = &corev1.ObjectReference{Name: string(m.NodeRef)}
	}
	for _, addr := range m.Addresses {
		machine.Status.Addresses = append(machine.Status.Addresses, corev1.NodeAddress{Type: corev1.NodeInternalIP, Address: addr.String()})
	}
	if m.Hook == snapshot.HookPresent {
		machine.Spec.LifecycleHooks.PreDrain = []machinev1beta1.LifecycleHook{{Name: observe.HookName, Owner: observe.HookOwner}}
	}
	return machine
}

func listOf(s *snapshot.Snapshot) etcdclient.MemberList {
	list := etcdclient.MemberList{ClusterID: s.ClusterID}
	for i := range s.Members {
		m := &s.Members[i]
		member := etcdclient.Member{ID: m.ID, Name: m.Name, PeerURLs: m.PeerURLs, Learner: m.Learner}
		if m.Started {
			member.ClientURLs = []string{"https://192.0.2.1:2379"}
		}
		list.Members = append(list.Members, member)
	}
	return list
}

// keeping sets what the budget keeps, and with it what the disruption controller allows.
func keeping(minAvailable int) world.Edit {
	return func(w *world.World) {
		ready := 0
		for _, g := range w.Guards {
			if g.Ready && !g.Deleting {
				ready++
			}
		}
		w.Budget.MinAvailable, w.Budget.DisruptionsAllowed = minAvailable, max(ready-minAvailable, 0)
	}
}

// noBudget takes the budget away.
func noBudget(w *world.World) { w.Budget = snapshot.Budget{Present: snapshot.False} }

func singleReplica(w *world.World) { w.Topology = snapshot.SingleReplica }

func outdated(hosts ...world.Host) world.Edit {
	return func(w *world.World) {
		for _, h := range hosts {
			w.Guard(h).Outdated = true
		}
	}
}

func ipv6(h world.Host) netip.Addr { return h.IPv6() }

// liveSpec says another managementState when it is asked live than its cache does.
type liveSpec struct {
	v1helpers.OperatorClient
	state operatorv1.ManagementState
}

func (l liveSpec) GetOperatorStateWithQuorum(context.Context) (*operatorv1.OperatorSpec, *operatorv1.OperatorStatus, string, error) {
	return &operatorv1.OperatorSpec{ManagementState: l.state}, &operatorv1.OperatorStatus{}, "1", nil
}

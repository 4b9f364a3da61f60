package machines

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	machinev1 "github.com/openshift/api/machine/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	machineclient "github.com/openshift/client-go/machine/clientset/versioned"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	testclock "k8s.io/utils/clock/testing"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/machinedeletionhook"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/pass/passtest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const (
	a, b, c, d = world.A, world.B, world.C, world.D

	etcdNamespace    = "openshift-etcd"
	machineNamespace = "openshift-machine-api"
	budgetName       = "etcd-guard-pdb"
	version          = "4.99.0"

	// patience is how long a test waits for the disruption controller.
	patience = time.Minute
	poll     = 50 * time.Millisecond
)

// scene is a cluster whose API server is real, and whose etcd, kubelets and people are played by the test.
type scene struct {
	t        testing.TB
	kube     *kubernetes.Clientset
	machines *machineclient.Clientset
	guards   *quorumguard.Guards
	record   *machinedeletionhook.Record
	source   passtest.Source
	clock    *testclock.FakePassiveClock
	operator v1helpers.OperatorClient
	events   events.InMemoryRecorder

	members []observe.Member
	// silent are members that do not answer.
	silent map[world.Host]bool
	// unready are hosts whose guards do not become Ready.
	unready map[world.Host]bool
	desired int

	mu sync.Mutex
	// between is called before the next patch reaches the API server.
	between func()
}

func newScene(t testing.TB) *scene {
	t.Helper()
	s := &scene{
		t: t, guards: quorumguard.NewGuards("example/operator:v1"), clock: testclock.NewFakePassiveClock(world.Epoch),
		operator: v1helpers.NewFakeOperatorClient(&operatorv1.OperatorSpec{ManagementState: operatorv1.Managed}, &operatorv1.OperatorStatus{}, nil),
		events:   events.NewInMemoryRecorder("test", testclock.NewFakePassiveClock(world.Epoch)),
		silent:   map[world.Host]bool{}, unready: map[world.Host]bool{}, desired: 3,
	}
	s.record = machinedeletionhook.NewRecord(s.clock)
	s.kube = must(kubernetes.NewForConfig(cluster.Config))(t)
	s.machines = must(machineclient.NewForConfig(s.intercepted()))(t)
	t.Cleanup(s.clean)
	return s
}

func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// intercepted is a client configuration whose patches can be overtaken.
func (s *scene) intercepted() *rest.Config {
	config := rest.CopyConfig(cluster.Config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodPatch {
				s.mu.Lock()
				overtake := s.between
				s.between = nil
				s.mu.Unlock()
				if overtake != nil {
					overtake()
				}
			}
			return next.RoundTrip(r)
		})
	})
	return config
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// overtake has f done between the controller's judgement and its next patch.
func (s *scene) overtake(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.between = f
}

// clean removes all that tests leave.
func (s *scene) clean() {
	ctx := context.Background()
	now := metav1.DeleteOptions{GracePeriodSeconds: new(int64)}
	everything := metav1.ListOptions{}
	err := errors.Join(
		s.kube.CoreV1().Pods(etcdNamespace).DeleteCollection(ctx, now, everything),
		s.kube.PolicyV1().PodDisruptionBudgets(etcdNamespace).DeleteCollection(ctx, now, everything),
		s.kube.CoreV1().ResourceQuotas(etcdNamespace).DeleteCollection(ctx, now, everything),
		s.kube.CoreV1().Nodes().DeleteCollection(ctx, now, everything),
		s.kube.CoreV1().Events(machineNamespace).DeleteCollection(ctx, now, everything),
	)
	list, listed := s.machines.MachineV1beta1().Machines(machineNamespace).List(ctx, everything)
	err = errors.Join(err, listed)
	for i := range list.Items {
		err = errors.Join(err, s.vanish(list.Items[i].Name))
	}
	if err != nil {
		s.t.Errorf("clean: %v", err)
	}
}

// vanish makes a Machine go at once, whatever holds it.
func (s *scene) vanish(name string) error {
	machines := s.machines.MachineV1beta1().Machines(machineNamespace)
	_, err := machines.Patch(context.Background(), name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	if err == nil {
		err = machines.Delete(context.Background(), name, metav1.DeleteOptions{})
	}
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// hosts makes Machines with the hook, Nodes and healthy voters.
func (s *scene) hosts(hosts ...world.Host) {
	s.t.Helper()
	for _, h := range hosts {
		s.machine(h, hook(observe.HookName, observe.HookOwner))
		s.node(h)
		s.member(h, false)
	}
}

func (s *scene) node(h world.Host) {
	s.t.Helper()
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: string(h.Node()), Labels: map[string]string{"node-role.kubernetes.io/master": ""}}}
	created := must(s.kube.CoreV1().Nodes().Create(s.t.Context(), node, metav1.CreateOptions{}))(s.t)
	created.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: h.Address().String()}}
	created.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	must(s.kube.CoreV1().Nodes().UpdateStatus(s.t.Context(), created, metav1.UpdateOptions{}))(s.t)
}

func (s *scene) cordon(h world.Host) {
	s.t.Helper()
	patch := []byte(`{"spec":{"unschedulable":true}}`)
	must(s.kube.CoreV1().Nodes().Patch(s.t.Context(), string(h.Node()), types.MergePatchType, patch, metav1.PatchOptions{}))(s.t)
}

func hook(name, owner string) machinev1beta1.LifecycleHook {
	return machinev1beta1.LifecycleHook{Name: name, Owner: owner}
}

// machine makes a Machine as a machine set does, and then links it with its Node.
func (s *scene) machine(h world.Host, hooks ...machinev1beta1.LifecycleHook) {
	s.t.Helper()
	s.unlinked(h, hooks...)
	machine := s.get(h)
	phase := "Running"
	machine.Status.Phase = &phase
	machine.Status.NodeRef = &corev1.ObjectReference{Kind: "Node", Name: string(h.Node())}
	machine.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: h.Address().String()}}
	must(s.machines.MachineV1beta1().Machines(machineNamespace).UpdateStatus(s.t.Context(), machine, metav1.UpdateOptions{FieldManager: "nodelink"}))(s.t)
}

// unlinked makes a Machine that has no Node yet.
func (s *scene) unlinked(h world.Host, hooks ...machinev1beta1.LifecycleHook) {
	s.t.Helper()
	machine := &machinev1beta1.Machine{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: machineNamespace, Name: string(h.Machine()), Finalizers: []string{"machine.machine.openshift.io"},
			Labels: map[string]string{"machine.openshift.io/cluster-api-machine-role": "master"},
		},
		Spec: machinev1beta1.MachineSpec{LifecycleHooks: machinev1beta1.LifecycleHooks{PreDrain: hooks}},
	}
	must(s.machines.MachineV1beta1().Machines(machineNamespace).Create(s.t.Context(), machine, metav1.CreateOptions{FieldManager: "machineset"}))(s.t)
}

func (s *scene) get(h world.Host) *machinev1beta1.Machine {
	s.t.Helper()
	return must(s.machines.MachineV1beta1().Machines(machineNamespace).Get(context.Background(), string(h.Machine()), metav1.GetOptions{}))(s.t)
}

// update writes a Machine as a manager that knows nothing of server-side apply.
func (s *scene) update(h world.Host, manager string, edit func(*machinev1beta1.Machine)) {
	s.t.Helper()
	machine := s.get(h)
	edit(machine)
	must(s.machines.MachineV1beta1().Machines(machineNamespace).Update(context.Background(), machine, metav1.UpdateOptions{FieldManager: manager}))(s.t)
}

func stripHook(machine *machinev1beta1.Machine) {
	machine.Spec.LifecycleHooks.PreDrain = slices.DeleteFunc(machine.Spec.LifecycleHooks.PreDrain,
		func(h machinev1beta1.LifecycleHook) bool { return h.Name == observe.HookName })
}

// delete deletes a Machine, which stays for as long as its finalizer does.
func (s *scene) delete(h world.Host) {
	s.t.Helper()
	if err := s.machines.MachineV1beta1().Machines(machineNamespace).Delete(context.Background(), string(h.Machine()), metav1.DeleteOptions{}); err != nil {
		s.t.Fatal(err)
	}
}

// preDrain are the pre-drain hooks of a Machine, as "name=owner".
func (s *scene) preDrain(h world.Host) string {
	s.t.Helper()
	var all []string
	for _, hook := range s.get(h).Spec.LifecycleHooks.PreDrain {
		all = append(all, hook.Name+"="+hook.Owner)
	}
	return strings.Join(all, " ")
}

func (s *scene) member(h world.Host, learner bool) {
	s.leave(h)
	s.members = append(s.members, observe.Member{
		ID: h.ID(), Name: string(h.Node()), Learner: learner,
		PeerURLs: []string{fmt.Sprintf("https://%s:2380", h.Address())}, ClientURLs: []string{fmt.Sprintf("https://%s:2379", h.Address())},
	})
}

// leave takes a member from the list.
func (s *scene) leave(h world.Host) {
	s.members = slices.DeleteFunc(s.members, func(m observe.Member) bool { return m.ID == h.ID() })
}

// MemberList is the etcd of the scene.
func (s *scene) MemberList(context.Context, []string) (etcdclient.MemberList, error) {
	list := etcdclient.MemberList{ClusterID: 1}
	for _, m := range s.members {
		list.Members = append(list.Members, etcdclient.Member{ID: m.ID, Name: m.Name, PeerURLs: m.PeerURLs, ClientURLs: m.ClientURLs, Learner: m.Learner})
	}
	return list, nil
}

// look observes and publishes a pass.
func (s *scene) look() *pass.Pass {
	s.t.Helper()
	objects := s.objects()
	etcd := observe.Etcd{MemberList: snapshot.True, ClusterID: 1, Members: slices.Clone(s.members)}
	for _, m := range s.members {
		probe := observe.Probe{
			Member: m.ID, Served: snapshot.True, CannotServe: snapshot.False, Corrupt: snapshot.False, NoSpace: snapshot.False,
			Status: &observe.Status{Leader: s.members[0].ID, AppliedIndex: 1},
		}
		for h := range s.silent {
			if h.ID() == m.ID {
				probe.Served, probe.Status = snapshot.False, nil
			}
		}
		etcd.Probes = append(etcd.Probes, probe)
	}
	seen, problems := observe.Snapshot(observe.Pass{
		At: s.clock.Now(), Objects: objects, Etcd: etcd, OperatorVersion: version, GuardOutdated: s.guards.Outdated,
	}, observe.ElapsedMemory())
	if len(problems) > 0 {
		s.t.Fatal(errors.Join(problems...))
	}
	if !seen.Desired.Known() {
		s.t.Fatal("the desired size is not known")
	}
	for i := range seen.Machines {
		seen.Machines[i].HookBackOff = s.record.HookBackOff(seen.Machines[i].Name, seen.Machines[i].UID)
	}
	s.source.Publish(pass.Pass{Objects: objects, Etcd: etcd, Decisions: decision.About(seen)})
	return s.source.Latest()
}

func (s *scene) objects() observe.Objects {
	s.t.Helper()
	ctx := s.t.Context()
	everything := metav1.ListOptions{}
	replicas := fmt.Sprintf(`{"controlPlane":{"replicas":%d}}`, s.desired)
	objects := observe.Objects{
		ClusterVersion: observe.Found(&configv1.ClusterVersion{Status: configv1.ClusterVersionStatus{Capabilities: configv1.ClusterVersionCapabilitiesStatus{
			EnabledCapabilities: []configv1.ClusterVersionCapability{configv1.ClusterVersionCapabilityMachineAPI},
		}}}),
		Infrastructure:  observe.Found(&configv1.Infrastructure{Status: configv1.InfrastructureStatus{ControlPlaneTopology: configv1.HighlyAvailableTopologyMode}}),
		Network:         observe.Found(&configv1.Network{Status: configv1.NetworkStatus{ServiceNetwork: []string{"172.30.0.0/16"}}}),
		ClusterOperator: observe.Found(&configv1.ClusterOperator{Status: configv1.ClusterOperatorStatus{Versions: []configv1.OperandVersion{{Name: "operator", Version: version}}}}),
		Etcd: observe.Found(&operatorv1.Etcd{Spec: operatorv1.EtcdSpec{StaticPodOperatorSpec: operatorv1.StaticPodOperatorSpec{
			OperatorSpec: operatorv1.OperatorSpec{ObservedConfig: runtime.RawExtension{Raw: []byte(replicas)}},
		}}}),
		ControlPlaneMachineSet: observe.Absent[machinev1.ControlPlaneMachineSet](), KubeAPIServer: observe.Absent[operatorv1.KubeAPIServer](),
		Bootstrap:     observe.Found(&corev1.ConfigMap{Data: map[string]string{"status": "complete"}}),
		OtherMachines: observe.Listed[machinev1beta1.Machine](nil), OtherNodes: observe.Listed[corev1.Node](nil),
	}
	objects.Machines = observe.Listed(must(s.machines.MachineV1beta1().Machines(machineNamespace).List(ctx, everything))(s.t).Items)
	objects.Nodes = observe.Listed(must(s.kube.CoreV1().Nodes().List(ctx, everything))(s.t).Items)
	objects.Pods = observe.Listed(must(s.kube.CoreV1().Pods(etcdNamespace).List(ctx, everything))(s.t).Items)
	objects.Budget = observe.Absent[policyv1.PodDisruptionBudget]()
	if budget, err := s.kube.PolicyV1().PodDisruptionBudgets(etcdNamespace).Get(ctx, budgetName, metav1.GetOptions{}); err == nil {
		objects.Budget = observe.Found(budget)
	} else if !apierrors.IsNotFound(err) {
		s.t.Fatal(err)
	}
	return objects
}

func (s *scene) hookController() factory.Controller {
	return machinedeletionhook.New(machinedeletionhook.Config{
		Source: &s.source, Etcd: s, Machines: s.machines.MachineV1beta1(), OperatorClient: s.operator, Events: s.kube.CoreV1(),
		Recorder: s.events, Clock: s.clock, Record: s.record,
	})
}

func (s *scene) guardController() factory.Controller {
	return quorumguard.New(quorumguard.Config{
		Source: &s.source, Etcd: s, Kubernetes: s.kube, Machines: s.machines.MachineV1beta1(), OperatorClient: s.operator,
		Recorder: s.events, Clock: s.clock, Guards: s.guards,
	})
}

func (s *scene) sync(controller factory.Controller) {
	s.t.Helper()
	if err := controller.Sync(s.t.Context(), factory.NewSyncContext(controller.Name(), s.events)); err != nil {
		s.t.Fatal(err)
	}
}

// condition returns a condition's message, empty unless it is True.
func (s *scene) condition(kind string) string {
	s.t.Helper()
	_, status, _, err := s.operator.GetOperatorState()
	if err != nil {
		s.t.Fatal(err)
	}
	found := v1helpers.FindOperatorCondition(status.Conditions, kind)
	if found == nil || found.Status != operatorv1.ConditionTrue {
		return ""
	}
	return found.Reason + ": " + found.Message
}

// settle lets the guard controller and the kubelets work until neither has anything left to do.
func (s *scene) settle(controller factory.Controller) {
	s.t.Helper()
	for range 30 {
		before := s.source.Lookups()
		s.look()
		s.sync(controller)
		moved := s.playKubelets()
		s.awaitBudget()
		if !moved && s.source.Lookups() == before {
			return
		}
	}
	s.t.Fatal("guards and budget do not come to rest")
}

// playKubelets starts pods, lets guards become Ready where their etcd answers, and finishes deletions.
func (s *scene) playKubelets() (moved bool) {
	s.t.Helper()
	pods := s.kube.CoreV1().Pods(etcdNamespace)
	for _, pod := range must(pods.List(s.t.Context(), metav1.ListOptions{}))(s.t).Items {
		if pod.DeletionTimestamp != nil {
			if err := pods.Delete(s.t.Context(), pod.Name, metav1.DeleteOptions{GracePeriodSeconds: new(int64)}); err != nil && !apierrors.IsNotFound(err) {
				s.t.Fatal(err)
			}
			moved = true
			continue
		}
		if pod.Status.Phase == corev1.PodFailed {
			continue
		}
		ready := corev1.ConditionTrue
		if s.isUnready(pod.Spec.NodeName) {
			ready = corev1.ConditionFalse
		}
		if pod.Status.Phase == corev1.PodRunning && pod.Status.Conditions[0].Status == ready {
			continue
		}
		pod.Status.Phase = corev1.PodRunning
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}
		must(pods.UpdateStatus(s.t.Context(), &pod, metav1.UpdateOptions{}))(s.t)
		moved = true
	}
	return moved
}

func (s *scene) isUnready(node string) bool {
	for h := range s.unready {
		if string(h.Node()) == node {
			return true
		}
	}
	return false
}

// awaitBudget waits until the disruption controller has seen the budget and the guards as they are.
func (s *scene) awaitBudget() {
	s.t.Helper()
	healthy := int32(0)
	for _, pod := range must(s.kube.CoreV1().Pods(etcdNamespace).List(s.t.Context(), metav1.ListOptions{LabelSelector: "app=guard"}))(s.t).Items {
		if pod.DeletionTimestamp == nil && len(pod.Status.Conditions) > 0 && pod.Status.Conditions[0].Status == corev1.ConditionTrue {
			healthy++
		}
	}
	var last *policyv1.PodDisruptionBudget
	err := wait.PollUntilContextTimeout(s.t.Context(), poll, patience, true, func(ctx context.Context) (bool, error) {
		budget, err := s.kube.PolicyV1().PodDisruptionBudgets(etcdNamespace).Get(ctx, budgetName, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return true, nil
		}
		last = budget
		return err == nil && budget.Status.ObservedGeneration == budget.Generation && budget.Status.CurrentHealthy == healthy &&
			len(budget.Status.DisruptedPods) == 0, err
	})
	if err != nil {
		s.t.Fatalf("the disruption controller does not see %d guards: %v; %+v", healthy, err, last)
	}
}

func (s *scene) budget() *policyv1.PodDisruptionBudget {
	s.t.Helper()
	return must(s.kube.PolicyV1().PodDisruptionBudgets(etcdNamespace).Get(s.t.Context(), budgetName, metav1.GetOptions{}))(s.t)
}

// drain cordons a node and evicts its guard, as a drain does; it returns whether that was allowed.
func (s *scene) drain(h world.Host) bool {
	s.t.Helper()
	s.cordon(h)
	return s.evict(h)
}

func (s *scene) evict(h world.Host) bool {
	s.t.Helper()
	err := s.kube.CoreV1().Pods(etcdNamespace).EvictV1(s.t.Context(), &policyv1.Eviction{
		ObjectMeta: metav1.ObjectMeta{Namespace: etcdNamespace, Name: "etcd-guard-" + string(h.Node())},
	})
	if err != nil && !apierrors.IsTooManyRequests(err) {
		s.t.Fatalf("evict the guard of %s: %v", h.Node(), err)
	}
	return err == nil
}

// nodesWithGuards are the nodes that have a guard, by name.
func (s *scene) nodesWithGuards() string {
	s.t.Helper()
	var nodes []string
	for _, pod := range must(s.kube.CoreV1().Pods(etcdNamespace).List(s.t.Context(), metav1.ListOptions{LabelSelector: "app=guard"}))(s.t).Items {
		nodes = append(nodes, pod.Spec.NodeName)
	}
	slices.Sort(nodes)
	return strings.Join(nodes, " ")
}

// newGuards are those of a later release.
func newGuards() *quorumguard.Guards { return quorumguard.NewGuards("example/operator:v2") }

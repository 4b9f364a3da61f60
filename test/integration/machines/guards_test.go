package machines

import (
	"strings"
	"testing"
	"time"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// drained tries to drain nodes, one after the other, and returns those that could be.
func (s *scene) drained(hosts ...world.Host) string {
	s.t.Helper()
	var passed []string
	for _, h := range hosts {
		if s.drain(h) {
			passed = append(passed, string(h.Node()))
		}
	}
	return strings.Join(passed, " ")
}

func (s *scene) wantDrained(want string, hosts ...world.Host) {
	s.t.Helper()
	if got := s.drained(hosts...); got != want {
		s.t.Errorf("of %v, nodes %q could be drained, want %q; %+v", hosts, got, want, s.budget().Status)
	}
}

func (s *scene) wantGuards(want string) {
	s.t.Helper()
	if got := s.nodesWithGuards(); got != want {
		s.t.Errorf("guards are on %q, want %q", got, want)
	}
}

// wantWait asks for words in what people are told about drains.
func (s *scene) wantWait(words ...string) {
	s.t.Helper()
	got := s.condition("GuardControllerProgressing")
	for _, word := range words {
		if !strings.Contains(got, word) {
			s.t.Errorf("what drains wait for does not say %q: %q", word, got)
		}
	}
}

func TestThreeVotersLetOneDrainPassAtATime(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c)
	guard := s.guardController()
	s.settle(guard)
	s.wantGuards("node-a node-b node-c")
	if got := s.condition("GuardControllerProgressing"); got != "" {
		t.Errorf("drains wait: %s", got)
	}
	s.wantDrained("node-b", b, c)

	// G14: b stays without a guard until it is uncordoned, and c's drain waits for that, in words.
	s.settle(guard)
	s.wantGuards("node-a node-c")
	s.wantDrained("", c)
	s.wantWait("node-b is cordoned by somebody", "uncordon")
}

func TestTheGuardsOfARealAPIServerAreAsWanted(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c)
	s.settle(s.guardController())
	for _, pod := range must(s.kube.CoreV1().Pods(etcdNamespace).List(t.Context(), metav1.ListOptions{}))(t).Items {
		if s.guards.Outdated(&pod) {
			t.Errorf("what the API server made of the guard on %s is not as wanted: %+v", pod.Spec.NodeName, pod.Spec)
		}
		if pod.Spec.Priority == nil || *pod.Spec.Priority < 1_000_000_000 {
			t.Errorf("the guard on %s has no priority: %+v", pod.Spec.NodeName, pod.Spec.Priority)
		}
	}
	if policy := s.budget().Spec.UnhealthyPodEvictionPolicy; policy != nil {
		t.Errorf("R7.3: unhealthyPodEvictionPolicy is %s", *policy)
	}
}

func TestG2ANewMachineWithoutANodeHoldsDrainsBack(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c)
	guard := s.guardController()
	s.settle(guard)
	s.unlinked(d, hook(observe.HookName, observe.HookOwner))
	s.settle(guard)
	s.wantDrained("", b)
	s.wantWait("machine-d hosts no voter yet")
}

func TestG9ALearnersGuardStandsForNoVote(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.machine(d, hook(observe.HookName, observe.HookOwner))
	s.node(d)
	s.member(d, true)
	s.settle(s.guardController())
	s.wantGuards("node-b node-c node-d")
	if got := s.budget().Spec.MinAvailable.IntValue(); got != 3 {
		t.Errorf("minAvailable is %d, want 3", got)
	}
	s.wantDrained("", b)
}

func TestG8OfTwoVotersNoneCanBeDrained(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.settle(s.guardController())
	s.wantDrained("", b)
	s.wantWait("of 2 voters none can be spared")
}

// The disruption controller counts a Ready pod wherever it is, so that this one would stand for the vote that may not go.
func TestAReadyPodOnNoNodeLetsNoVoterBeDrained(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	guard := s.guardController()
	s.settle(guard)
	stray := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: etcdNamespace, Name: "stray", Labels: map[string]string{"app": "guard"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "stray", Image: "example/stray"}}},
	}
	must(s.kube.CoreV1().Pods(etcdNamespace).Create(t.Context(), stray, metav1.CreateOptions{}))(t)
	s.playKubelets()
	s.look()
	s.sync(guard)
	s.awaitBudget()
	s.wantDrained("", b)
	s.settle(guard)
	s.wantGuards("node-b node-c")
	s.wantDrained("", b)
}

func TestG7DrainsWaitUntilASurplusVoterHasLeft(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c, d)
	guard := s.guardController()
	s.settle(guard)
	s.delete(a)
	s.settle(guard)
	s.wantDrained("", b)
	s.wantWait("machine-a is removed")

	s.leave(a)
	s.unready[a] = true
	s.update(a, "a-person", stripHook)
	s.settle(guard)
	s.wantGuards("node-b node-c node-d")
	s.wantDrained("node-b", b, c)
}

func TestG10OfFiveMachinesWithFourVotersOneCanBeDrained(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c, d)
	s.machine(world.E, hook(observe.HookName, observe.HookOwner))
	s.node(world.E)
	s.settle(s.guardController())
	s.wantDrained("node-b", b, c, d)
}

func TestG12TheReadyGuardOfAVoterThatJustLeftLetsNoSecondDrainPass(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c, d)
	guard := s.guardController()
	s.delete(a)
	s.settle(guard)
	s.leave(a)
	s.update(a, "a-person", stripHook)
	// Before the operator's first pass, in the midst of it, and after.
	if got := s.drained(b, c); strings.Contains(got, " ") {
		t.Errorf("both %s could be drained", got)
	}
	s.look()
	s.sync(guard)
	s.awaitBudget()
	if got := s.drained(b, c); got == "node-b node-c" {
		t.Errorf("both %s could be drained", got)
	}
}

func TestG13TheReadyGuardOfACutOffVoterLetsNoDrainPass(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c)
	guard := s.guardController()
	s.settle(guard)
	s.silent[a] = true
	s.settle(guard)
	s.wantDrained("", b, c)
	s.wantWait("voter node-a is not healthy", "no healthy vote stands behind the guard on node node-a")
}

func TestG1DrainsThatWaitForEachOtherEndOnceTheirMembersAreGone(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c, d, world.E)
	guard := s.guardController()
	s.settle(guard)
	for _, h := range []world.Host{a, b} {
		s.delete(h)
		s.update(h, "a-person", stripHook)
		s.leave(h)
		s.cordon(h)
		s.unready[h] = true
	}
	s.settle(guard)
	s.wantGuards("node-c node-d node-e")
	if told := s.told("QuorumGuardRemoved"); !strings.Contains(told, "node-a") || !strings.Contains(told, "node-b") {
		t.Errorf("the removals are not told: %q", told)
	}
	s.wantDrained("node-c", c, d)
}

func (s *scene) told(why string) string {
	var told []string
	for _, e := range s.events.Events() {
		if e.Reason == why {
			told = append(told, e.Message)
		}
	}
	return strings.Join(told, "\n")
}

func TestG15AGuardThatFailedIsMadeAnew(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c)
	guard := s.guardController()
	s.settle(guard)
	pod := must(s.kube.CoreV1().Pods(etcdNamespace).Get(t.Context(), "etcd-guard-node-a", metav1.GetOptions{}))(t)
	pod.Status.Phase = corev1.PodFailed
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse}}
	must(s.kube.CoreV1().Pods(etcdNamespace).UpdateStatus(t.Context(), pod, metav1.UpdateOptions{}))(t)
	s.settle(guard)
	s.wantGuards("node-a node-b node-c")
	anew := must(s.kube.CoreV1().Pods(etcdNamespace).Get(t.Context(), "etcd-guard-node-a", metav1.GetOptions{}))(t)
	if anew.UID == pod.UID {
		t.Error("the pod that failed is still there")
	}
}

// An upgrade brings a new image. At no moment could two nodes be drained, nor one whose guard is away.
func TestGuardsWithAnOlderImageAreMadeAnewOneByOneWhileNoDrainCanBegin(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c)
	s.settle(s.guardController())
	before := s.uids()
	s.guards = newGuards()
	guard := s.guardController()
	for range 60 {
		lookups := s.source.Lookups()
		s.look()
		s.sync(guard)
		if ready := s.readyGuards(); ready < 2 {
			t.Fatalf("%d guards are ready", ready)
		} else if ready == 2 && s.evictable(a, b, c) {
			t.Fatal("a node could be drained while a guard is away")
		}
		moved := s.playKubelets()
		s.awaitBudget()
		if !moved && s.source.Lookups() == lookups {
			break
		}
	}
	for node, uid := range s.uids() {
		if before[node] == uid {
			t.Errorf("the guard on %s is still the old one", node)
		}
	}
	s.wantGuards("node-a node-b node-c")
	s.wantDrained("node-b", b, c)
}

func (s *scene) uids() map[string]string {
	s.t.Helper()
	uids := map[string]string{}
	for _, pod := range must(s.kube.CoreV1().Pods(etcdNamespace).List(s.t.Context(), metav1.ListOptions{LabelSelector: "app=guard"}))(s.t).Items {
		uids[pod.Spec.NodeName] = string(pod.UID)
	}
	return uids
}

func (s *scene) readyGuards() int {
	s.t.Helper()
	ready := 0
	for _, pod := range must(s.kube.CoreV1().Pods(etcdNamespace).List(s.t.Context(), metav1.ListOptions{LabelSelector: "app=guard"}))(s.t).Items {
		if pod.DeletionTimestamp == nil && len(pod.Status.Conditions) > 0 && pod.Status.Conditions[0].Status == corev1.ConditionTrue {
			ready++
		}
	}
	return ready
}

// evictable tells whether the guard of any of these nodes that is Ready could be evicted, without doing it.
func (s *scene) evictable(hosts ...world.Host) bool {
	s.t.Helper()
	for _, h := range hosts {
		pod, err := s.kube.CoreV1().Pods(etcdNamespace).Get(s.t.Context(), "etcd-guard-"+string(h.Node()), metav1.GetOptions{})
		if err != nil || pod.DeletionTimestamp != nil || pod.Status.Phase != corev1.PodRunning {
			continue
		}
		if err := s.kube.CoreV1().Pods(etcdNamespace).EvictV1(s.t.Context(), &policyv1.Eviction{
			ObjectMeta:    metav1.ObjectMeta{Namespace: etcdNamespace, Name: pod.Name},
			DeleteOptions: &metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}},
		}); err == nil {
			return true
		}
	}
	return false
}

func TestABudgetOfAnOlderOperatorIsGivenItsShape(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c)
	always, all := policyv1.AlwaysAllow, intstr.FromString("100%")
	old := &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Namespace: etcdNamespace, Name: budgetName},
		Spec: policyv1.PodDisruptionBudgetSpec{
			MaxUnavailable: &all, UnhealthyPodEvictionPolicy: &always,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"k8s-app": "etcd-quorum-guard"}},
		},
	}
	must(s.kube.PolicyV1().PodDisruptionBudgets(etcdNamespace).Create(t.Context(), old, metav1.CreateOptions{}))(t)
	s.settle(s.guardController())
	if spec := s.budget().Spec; spec.UnhealthyPodEvictionPolicy != nil || spec.MaxUnavailable != nil || spec.MinAvailable.IntValue() != 2 {
		t.Errorf("unexpected budget: %+v", spec)
	}
	s.wantDrained("node-a", a, b)
}

func TestAQuotaThatRefusesGuardsIsNamed(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c)
	none := corev1.ResourceList{corev1.ResourcePods: resource.MustParse("0")}
	quota := must(s.kube.CoreV1().ResourceQuotas(etcdNamespace).Create(t.Context(), &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Namespace: etcdNamespace, Name: "stingy"}, Spec: corev1.ResourceQuotaSpec{Hard: none},
	}, metav1.CreateOptions{}))(t)
	quota.Status = corev1.ResourceQuotaStatus{Hard: none, Used: none}
	must(s.kube.CoreV1().ResourceQuotas(etcdNamespace).UpdateStatus(t.Context(), quota, metav1.UpdateOptions{}))(t)
	guard := s.guardController()
	for s.condition("GuardControllerDegraded") == "" {
		// The API server's admission learns of the quota through a watch.
		s.look()
		s.sync(guard)
		if s.nodesWithGuards() != "" {
			s.playKubelets()
			for _, h := range []world.Host{a, b, c} {
				_ = s.kube.CoreV1().Pods(etcdNamespace).Delete(t.Context(), "etcd-guard-"+string(h.Node()), metav1.DeleteOptions{GracePeriodSeconds: new(int64)})
			}
		}
	}
	got := s.condition("GuardControllerDegraded")
	for _, want := range []string{"RefusedByAPIServer", "etcd-guard-node-", "exceeded quota: stingy", "ResourceQuotas"} {
		if !strings.Contains(got, want) {
			t.Errorf("Degraded does not say %q: %s", want, got)
		}
	}
}

// Two operators: the one that judged before the other wrote writes nothing over it.
func TestABudgetThatAnotherOperatorWroteMeanwhileIsNotWrittenOver(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c)
	guard, other := s.guardController(), s.guardController()
	s.settle(guard)
	s.unlinked(d, hook(observe.HookName, observe.HookOwner))
	s.settle(other)
	raised := s.budget()
	if got := raised.Spec.MinAvailable.IntValue(); got != 3 {
		t.Fatalf("minAvailable is %d, want 3", got)
	}
	// The first one comes to a pass from before the Machine, by a cache that lags: it saw a budget that it may keep.
	s.update(d, "a-person", func(m *machinev1beta1.Machine) { m.Finalizers = nil })
	s.delete(d)
	stale := s.look()
	s.unlinked(d, hook(observe.HookName, observe.HookOwner))
	s.sync(guard)
	if got := s.budget().Spec.MinAvailable.IntValue(); got != 3 {
		t.Errorf("pass %d lowered minAvailable to %d although a Machine is there by now", stale.Number, got)
	}
}

func TestAPassThatIsOldLowersNothing(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c)
	guard := s.guardController()
	s.unlinked(d, hook(observe.HookName, observe.HookOwner))
	s.settle(guard)
	if err := s.vanish("machine-d"); err != nil {
		t.Fatal(err)
	}
	s.look()
	s.clock.SetTime(s.clock.Now().Add(16 * time.Second))
	s.sync(guard)
	if got := s.budget().Spec.MinAvailable.IntValue(); got != 3 {
		t.Errorf("minAvailable is %d, want 3", got)
	}
	s.settle(guard)
	if got := s.budget().Spec.MinAvailable.IntValue(); got != 2 {
		t.Errorf("a fresh pass leaves minAvailable at %d, want 2", got)
	}
}

package quorumguard

import (
	"slices"
	"strings"
	"testing"
	"time"

	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	clienttesting "k8s.io/client-go/testing"

	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// admit has a webhook change each budget that is written.
func (x *bench) admit(edit func(*policyv1.PodDisruptionBudget)) {
	x.kube.PrependReactor("update", "poddisruptionbudgets", func(action clienttesting.Action) (bool, runtime.Object, error) {
		edit(action.(clienttesting.UpdateAction).GetObject().(*policyv1.PodDisruptionBudget))
		return false, nil, nil
	})
}

func evictAlways(b *policyv1.PodDisruptionBudget) {
	always := policyv1.AlwaysAllow
	b.Spec.UnhealthyPodEvictionPolicy = &always
}

func (x *bench) wantNotKept(object, field string) {
	x.t.Helper()
	got := x.condition("Degraded")
	if want := object + ": " + field + " does not stay as it is written"; got.Status != operatorv1.ConditionTrue || got.Reason != "RefusedByAPIServer" || !strings.Contains(got.Message, want) {
		x.t.Errorf("Degraded does not say %q: %+v", want, got)
	}
}

// fight has the controller act every 5 seconds for an hour, and returns how often it wrote.
func (x *bench) fight(each func()) (writes int) {
	for range 720 {
		each()
		x.pass(0, func(w *world.World) { w.Budget.MinAvailable = keeps(x.budget()) })
		writes += len(x.writes())
		x.clock.SetTime(x.clock.Now().Add(5 * time.Second))
	}
	return writes
}

func TestABudgetThatAWebhookChangesIsWrittenSeldomAndNamed(t *testing.T) {
	x := newBench(t)
	x.admit(evictAlways)
	x.change(evictAlways)
	x.pass(0)
	x.wantNotKept("PodDisruptionBudget etcd-guard-pdb", "spec.unhealthyPodEvictionPolicy")
	if writes := x.fight(func() {}); writes < 10 || writes > 25 {
		t.Errorf("%d writes in an hour", writes)
	}
	if asked, told := x.source.Lookups(), len(x.recorder.Events()); asked > 25 || told > 25 {
		t.Errorf("%d passes asked for at once, %d events", asked, told)
	}
	x.wantNotKept("PodDisruptionBudget etcd-guard-pdb", "spec.unhealthyPodEvictionPolicy")
}

func TestABudgetThatSomebodyKeepsChangingIsWrittenEveryFewSecondsAndNamed(t *testing.T) {
	x := newBench(t)
	writes := x.fight(func() { x.change(evictAlways) })
	if writes < 200 || writes > 300 {
		t.Errorf("%d writes in an hour", writes)
	}
	x.wantNotKept("PodDisruptionBudget etcd-guard-pdb", "spec.unhealthyPodEvictionPolicy")
	x.change(func(b *policyv1.PodDisruptionBudget) { b.Spec.UnhealthyPodEvictionPolicy = nil })
	x.clock.SetTime(x.clock.Now().Add(10 * time.Minute))
	x.pass(0)
	if got := x.condition("Degraded"); got.Status != operatorv1.ConditionFalse {
		t.Errorf("10 minutes after the last change: %+v", got)
	}
}

// I10: whoever keeps lowering it must not find it low for longer than a pass takes.
func TestABudgetThatSomebodyKeepsLoweringIsRaisedInEachPassAndNamed(t *testing.T) {
	x := newBench(t)
	lower := func(b *policyv1.PodDisruptionBudget) { b.Spec.MinAvailable = &intstr.IntOrString{IntVal: 1} }
	if writes := x.fight(func() { x.change(lower) }); writes != 720 {
		t.Errorf("%d writes in 720 passes that each found it lowered", writes)
	}
	if told := len(x.recorder.Events()); told > 25 {
		t.Errorf("%d events", told)
	}
	x.wantNotKept("PodDisruptionBudget etcd-guard-pdb", "spec.minAvailable")
}

func TestARaiseThatIsNotStoredIsTriedAgainWithinSeconds(t *testing.T) {
	x := newBench(t)
	lower := func(b *policyv1.PodDisruptionBudget) { b.Spec.MinAvailable = &intstr.IntOrString{IntVal: 1} }
	x.admit(lower)
	x.change(lower)
	if writes := x.fight(func() {}); writes < 200 || writes > 300 {
		t.Errorf("%d writes in an hour", writes)
	}
}

func TestABudgetThatIsChangedOnceIsWrittenAtOnceAndNamedNowhere(t *testing.T) {
	x := newBench(t)
	x.change(evictAlways)
	x.pass(0)
	if writes := x.writes(); len(writes) != 1 || x.budget().Spec.UnhealthyPodEvictionPolicy != nil {
		t.Errorf("writes %q, budget %+v", writes, x.budget().Spec)
	}
	if got := x.condition("Degraded"); got.Status != operatorv1.ConditionFalse {
		t.Errorf("unexpected condition: %+v", got)
	}
}

func TestAGuardThatAWebhookChangesIsNamed(t *testing.T) {
	gone := world.GuardGone(a)
	x := newBench(t, gone)
	x.kube.PrependReactor("create", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		pod := action.(clienttesting.CreateAction).GetObject().(*corev1.Pod).DeepCopy()
		pod.Spec.Containers[0].ReadinessProbe.TimeoutSeconds = 7
		return true, pod, nil
	})
	x.pass(0, gone)
	x.wantNotKept("pod etcd-guard-node-a", "readinessProbe")
}

// I10: a guard that is made while the budget keeps fewer would let another go.
func TestNoGuardIsMadeOnABudgetThatWasNotRaised(t *testing.T) {
	for name, test := range map[string]struct {
		edit  func(*policyv1.PodDisruptionBudget)
		field string
		made  bool
	}{
		"its number stays":                           {func(b *policyv1.PodDisruptionBudget) { b.Spec.MinAvailable = new(intstr.FromInt32(2)) }, "spec.minAvailable", false},
		"its selector is another":                    {func(b *policyv1.PodDisruptionBudget) { b.Spec.Selector = &metav1.LabelSelector{} }, "spec.selector", false},
		"it keeps as many, and is otherwise another": {evictAlways, "spec.unhealthyPodEvictionPolicy", true},
	} {
		t.Run(name, func(t *testing.T) {
			edits := []world.Edit{world.Learner(d), world.GuardGone(d)}
			x := newBench(t, edits...)
			x.admit(test.edit)
			for range 2 {
				x.pass(0, edits...)
			}
			if made := slices.Contains(x.writes(), "create etcd-guard-node-d"); made != test.made {
				t.Errorf("guard made: %t", made)
			}
			x.wantNotKept("PodDisruptionBudget etcd-guard-pdb", test.field)
			if strings.Contains(x.told(), "minAvailable is") {
				t.Errorf("told of a budget that does not stand: %s", x.told())
			}
		})
	}
}

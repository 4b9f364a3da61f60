package quorumguard

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

var (
	pods    = schema.GroupResource{Resource: "pods"}
	budgets = schema.GroupResource{Group: "policy", Resource: "poddisruptionbudgets"}
)

// gone: a's member was removed, its guard is still Ready, and its Machine was let go.
func gone() []world.Edit {
	return []world.Edit{
		world.Voter(d), world.Released(a), world.MemberGone(a), world.Guard(a, func(g *snapshot.Guard) { g.Ready = true }), keeping(3),
	}
}

// unguarded: a's guard is missing beside a voter that does not answer, so that the budget must be raised to 3 for the guard
// that is about to come.
func unguarded() []world.Edit {
	return []world.Edit{world.GuardGone(a), world.Unhealthy(a, time.Minute), keeping(2)}
}

// settled: nothing holds drains back, and the budget is higher than it must be.
func settled() []world.Edit { return []world.Edit{keeping(3)} }

func TestActing(t *testing.T) {
	conflict := apierrors.NewConflict(budgets, budgetName, errors.New("changed"))
	for name, test := range map[string]struct {
		seen []world.Edit
		// live is what is there when the controller comes to it; nil is what was seen.
		live    []world.Edit
		age     time.Duration
		prepare func(*bench)
		want    []string
	}{
		"nothing is written when nothing is to be done": {},
		"the budget is raised before a guard is made": {
			seen: unguarded(), want: []string{"budget 3", "create etcd-guard-node-a"},
		},
		"no guard is made when the budget could not be raised": {
			seen: unguarded(), prepare: func(x *bench) { x.refuse("update", "poddisruptionbudgets", conflict) },
			want: []string{"budget 3"},
		},
		"the budget is raised before a guard is deleted": {
			seen: append(gone(), keeping(2)), want: []string{"budget 3", "delete etcd-guard-node-a"},
		},
		"no guard is deleted when the budget could not be raised": {
			seen: append(gone(), keeping(2)), prepare: func(x *bench) { x.refuse("update", "poddisruptionbudgets", errors.New("broken")) },
			want: []string{"budget 3"},
		},
		"a budget that is not there is created before guards are": {
			seen: []world.Edit{world.GuardGone(a), noBudget}, want: []string{"budget 2", "create etcd-guard-node-a"},
		},
		"the budget is lowered after guards are made": {
			seen: []world.Edit{world.GuardGone(a), keeping(3)}, want: []string{"create etcd-guard-node-a", "budget 2"},
		},
		"the budget is lowered": {
			seen: settled(), want: []string{"budget 2"},
		},
		"R10.2 a pass that is 16 seconds old only raises": {
			seen: unguarded(), age: 16 * time.Second, want: []string{"budget 3"},
		},
		"R10.2 a pass that is 16 seconds old does not lower": {
			seen: settled(), age: 16 * time.Second,
		},
		"R10.2 a pass that is 16 seconds old deletes no guard": {
			seen: gone(), age: 16 * time.Second,
		},
		"nothing but raising is done when the members are others by now": {
			seen: append(gone(), keeping(2)), prepare: func(x *bench) { x.members.Members = x.members.Members[1:] },
			want: []string{"budget 3"},
		},
		"nothing but raising is done when the members cannot be read": {
			seen: append(gone(), keeping(2)), prepare: func(x *bench) { x.listing = errors.New("no quorum") },
			want: []string{"budget 3"},
		},
		"G14 no guard is made on a node that was cordoned since": {
			seen: []world.Edit{world.GuardGone(a)}, live: []world.Edit{world.GuardGone(a), world.Cordoned(a)},
		},
		"no guard is made on a node that is gone by now": {
			seen: []world.Edit{world.GuardGone(a)}, live: []world.Edit{world.GuardGone(a), world.NodeGone(b)},
			prepare: func(x *bench) {
				if err := x.kube.Tracker().Delete(corev1.SchemeGroupVersion.WithResource("nodes"), "", "node-a"); err != nil {
					x.t.Fatal(err)
				}
			},
		},
		"no second guard is made beside one that came since": {
			seen: []world.Edit{world.GuardGone(a)}, live: []world.Edit{},
		},
		"a learner's guard stays when its node was uncordoned since, and is counted": {
			seen: []world.Edit{world.Learner(d), world.Cordoned(d), keeping(3)}, live: []world.Edit{world.Learner(d), keeping(3)},
			want: []string{"budget 4"},
		},
		"the budget is not lowered when a new Machine came since": {
			seen: settled(), live: append(settled(), world.NewMachine(d)),
		},
		"the budget is lowered to what both judgements let go, when a Machine came since": {
			seen: []world.Edit{keeping(4)}, live: []world.Edit{keeping(4), world.NewMachine(d)}, want: []string{"budget 3"},
		},
		"the budget is lowered to what both judgements let go, when a Machine went since": {
			seen: []world.Edit{keeping(4), world.NewMachine(d)}, live: []world.Edit{keeping(4)}, want: []string{"budget 3"},
		},
		"a guard that is not as wanted is not made anew while the budget that was seen closed is open": {
			seen: []world.Edit{outdated(a), keeping(4)},
			live: []world.Edit{outdated(a), keeping(2)},
			want: []string{"budget 4"},
		},
		"one of two guards that are not as wanted is made anew while the budget is closed": {
			seen: []world.Edit{outdated(a, b), keeping(4)}, want: []string{"delete etcd-guard-node-a"},
		},
		"guards that have ended are made anew together": {
			seen: []world.Edit{
				world.Guard(a, func(g *snapshot.Guard) { g.Phase, g.Ready = "Failed", false }),
				world.Guard(b, func(g *snapshot.Guard) { g.Phase, g.Ready = "Failed", false }),
			},
			want: []string{"delete etcd-guard-node-a", "delete etcd-guard-node-b"},
		},
		"G6 a single replica loses its guards and then its budget": {
			seen: []world.Edit{singleReplica}, want: []string{
				"delete etcd-guard-node-a", "delete etcd-guard-node-b", "delete etcd-guard-node-c", "delete etcd-guard-pdb",
			},
		},
		"G3 nothing goes and nothing is lowered during an upgrade": {
			seen: append(gone(), keeping(4), world.Facts(func(s *snapshot.Snapshot) { s.VersionCurrent = snapshot.False })),
		},
		"R9.5 nothing is written while the operator is unmanaged": {
			seen: gone(), prepare: func(x *bench) { x.spec.ManagementState = operatorv1.Unmanaged },
		},
		"R9.5 nothing is written once a removed operator is known from a live read": {
			seen: append(gone(), keeping(2)), prepare: func(x *bench) { x.OperatorClient = liveSpec{x.operator, operatorv1.Removed} },
		},
		"a budget that somebody raised is not lowered by a decision to keep it": {
			live: []world.Edit{keeping(4)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if test.live == nil {
				test.live = test.seen
			}
			x := newBench(t, test.live...)
			if test.prepare != nil {
				test.prepare(x)
			}
			x.kube.ClearActions()
			x.pass(test.age, test.seen...)
			if diff := cmp.Diff(strings.Join(test.want, ", "), strings.Join(x.writes(), ", ")); diff != "" {
				t.Errorf("unexpected writes (-want +got):\n%s", diff)
			}
			x.sync()
			if again := x.writes(); len(again) > 0 {
				t.Errorf("the same pass was acted on twice: %v", again)
			}
		})
	}
}

// R7.3, and what an older operator may have left.
func TestTheShapeOfABudgetIsRepairedAndNothingLowered(t *testing.T) {
	always := policyv1.AlwaysAllow
	half, two := intstr.FromString("50%"), intstr.FromInt32(2)
	for name, edit := range map[string]func(*policyv1.PodDisruptionBudget){
		"a policy for unhealthy pods": func(b *policyv1.PodDisruptionBudget) { b.Spec.UnhealthyPodEvictionPolicy = &always },
		"another selector": func(b *policyv1.PodDisruptionBudget) {
			b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "etcd"}}
		},
		"a percentage": func(b *policyv1.PodDisruptionBudget) { b.Spec.MinAvailable, b.Status.DesiredHealthy = &half, 2 },
		"maxUnavailable": func(b *policyv1.PodDisruptionBudget) {
			b.Spec.MinAvailable, b.Spec.MaxUnavailable, b.Status.DesiredHealthy = nil, &two, 2
		},
	} {
		t.Run(name, func(t *testing.T) {
			for doubt, edits := range map[string][]world.Edit{
				"certain": nil,
				"blind":   {world.Facts(func(s *snapshot.Snapshot) { s.MemberList, s.Members = snapshot.Unknown, nil })},
			} {
				x := newBench(t)
				x.change(edit)
				x.pass(0, edits...)
				want, err := budget(2)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want.Spec, x.budget().Spec); diff != "" {
					t.Errorf("%s: unexpected budget (-want +got):\n%s", doubt, diff)
				}
			}
		})
	}
}

func TestRefusedWritesAreToldAtOnce(t *testing.T) {
	for name, test := range map[string]struct {
		edits    []world.Edit
		verb     string
		resource string
		answer   error
		want     []string
	}{
		"a quota refuses a guard": {
			edits: []world.Edit{world.GuardGone(a, b)}, verb: "create", resource: "pods",
			answer: apierrors.NewForbidden(pods, "etcd-guard-node-a", errors.New("exceeded quota: few")),
			want:   []string{"RefusedByAPIServer", "pod etcd-guard-node-a", "pod etcd-guard-node-b", "exceeded quota: few", "ResourceQuotas"},
		},
		"an admission webhook refuses the budget": {
			edits: settled(), verb: "update", resource: "poddisruptionbudgets",
			answer: apierrors.NewForbidden(budgets, budgetName, errors.New("admission webhook denied the request")),
			want:   []string{"RefusedByAPIServer", "PodDisruptionBudget etcd-guard-pdb", "admission webhook denied"},
		},
		"a finalizer's owner refuses a deletion": {
			edits: gone(), verb: "delete", resource: "pods", answer: apierrors.NewForbidden(pods, "etcd-guard-node-a", errors.New("policy")),
			want: []string{"RefusedByAPIServer", "the deletion of pod etcd-guard-node-a"},
		},
		"a webhook that does not answer": {
			edits: []world.Edit{world.GuardGone(a)}, verb: "create", resource: "pods",
			answer: apierrors.NewInternalError(errors.New("failed calling webhook")),
			want:   []string{"SyncError", "write pod etcd-guard-node-a", "failed calling webhook"},
		},
		"the name of a guard is taken": {
			edits: []world.Edit{world.GuardGone(a)}, verb: "create", resource: "pods",
			answer: apierrors.NewAlreadyExists(pods, "etcd-guard-node-a"),
			want:   []string{"SyncError", "a pod of that name exists", "node-a", "delete it"},
		},
		"a node has no address": {
			edits: []world.Edit{world.GuardGone(a), world.Node(a, func(n *snapshot.Node) { n.Addresses = nil })},
			want:  []string{"SyncError", "guard of Node node-a", "InternalIP"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := newBench(t, test.edits...)
			if test.verb != "" {
				x.refuse(test.verb, test.resource, test.answer)
			}
			x.pass(0, test.edits...)
			got := x.condition("Degraded")
			if got.Status != operatorv1.ConditionTrue {
				t.Errorf("not Degraded: %+v", got)
			}
			for _, want := range test.want {
				if !strings.Contains(got.Reason+" "+got.Message, want) {
					t.Errorf("Degraded does not say %q: %+v", want, got)
				}
			}
		})
	}
}

// One refused guard does not hold up the other.
func TestAGuardThatCannotBeMadeDoesNotStopAnother(t *testing.T) {
	edits := []world.Edit{world.GuardGone(a, b), world.Node(a, func(n *snapshot.Node) { n.Addresses = nil })}
	x := newBench(t, edits...)
	x.pass(0, edits...)
	if diff := cmp.Diff([]string{"create etcd-guard-node-b"}, x.writes()); diff != "" {
		t.Errorf("unexpected writes (-want +got):\n%s", diff)
	}
}

func TestConditionsSayWhatDrainsWaitFor(t *testing.T) {
	edits := []world.Edit{world.NewMachine(d), keeping(3)}
	x := newBench(t, edits...)
	x.pass(0, edits...)
	const waits = "drains wait: Machine machine-d hosts no voter yet"
	if got := x.condition("Progressing"); got.Status != operatorv1.ConditionTrue || got.Reason != "DrainsWaitForMachine" || !strings.Contains(got.Message, waits) {
		t.Errorf("Progressing does not say it: %+v", got)
	}
	if got := x.condition("Degraded"); got.Status != operatorv1.ConditionFalse {
		t.Errorf("Degraded before its time: %+v", got)
	}
	x.clock.SetTime(x.clock.Now().Add(30 * time.Minute))
	x.pass(0, edits...)
	if got := x.condition("Degraded"); got.Status != operatorv1.ConditionTrue || !strings.Contains(got.Message, waits) {
		t.Errorf("R7.2 a Machine that holds drains back for 30 minutes is not named: %+v", got)
	}
}

func TestAPassThatSeesNothingDoesNotTellThatAWaitHasEnded(t *testing.T) {
	for name, blind := range map[string]world.Edit{
		"no Machine API is known": func(w *world.World) { w.MachineAPI = snapshot.Unknown },
		"no Machines are known":   func(w *world.World) { w.MachineList, w.Machines = snapshot.Unknown, nil },
		"no object is known": func(w *world.World) {
			w.MachineAPI, w.MachineList, w.Machines = snapshot.Unknown, snapshot.Unknown, nil
		},
		"no member list could be read": func(w *world.World) { w.MemberList, w.Members = snapshot.Unknown, nil },
		"no guards are known":          func(w *world.World) { w.GuardList, w.Guards = snapshot.Unknown, nil },
		"no Nodes are known":           func(w *world.World) { w.NodeList, w.Nodes = snapshot.Unknown, nil },
		"a member is listed twice":     func(w *world.World) { w.Members = append(w.Members, w.Members[0]) },
	} {
		t.Run(name, func(t *testing.T) {
			waiting := []world.Edit{world.NewMachine(d), keeping(3)}
			x := newBench(t, waiting...)
			const waits = "drains wait: Machine machine-d hosts no voter yet"
			want := func(kind string) {
				t.Helper()
				if got := x.condition(kind); got.Status != operatorv1.ConditionTrue || !strings.Contains(got.Message, waits) {
					t.Errorf("%s does not say it: %+v", kind, got)
				}
			}
			x.pass(0, waiting...)
			want("Progressing")
			x.clock.SetTime(x.clock.Now().Add(29 * time.Minute))
			x.pass(0, append(waiting, blind)...)
			want("Progressing")
			x.clock.SetTime(x.clock.Now().Add(time.Minute))
			x.pass(0, waiting...)
			want("Degraded")
			x.pass(0, append(waiting, blind)...)
			want("Degraded")
			x.pass(0, settled()...)
			for _, kind := range []string{"Degraded", "Progressing"} {
				if got := x.condition(kind); got.Status != operatorv1.ConditionFalse {
					t.Errorf("a pass that sees all is not believed: %+v", got)
				}
			}
		})
	}
}

func TestConditionsOfAClusterWithoutWork(t *testing.T) {
	x := newBench(t)
	x.pass(0)
	for _, kind := range []string{"Degraded", "Progressing"} {
		if got := x.condition(kind); got.Status != operatorv1.ConditionFalse || got.Message != "" {
			t.Errorf("%s: %+v", kind, got)
		}
	}
	if told := x.told(); told != "" || x.source.Lookups() > 0 {
		t.Errorf("events %q, %d passes asked for", told, x.source.Lookups())
	}
}

func TestWhatWasDoneIsToldAndAnotherPassIsAskedFor(t *testing.T) {
	x := newBench(t, gone()...)
	x.pass(0, gone()...)
	if told := x.told(); !strings.Contains(told, "QuorumGuardRemoved pod etcd-guard-node-a: the guard on node node-a is deleted") {
		t.Errorf("the removal is not told: %q", told)
	}
	if x.source.Lookups() == 0 {
		t.Error("no pass was asked for")
	}
}

// Somebody's pod that counts as a guard on the same node goes with it: it would be one Ready pod too many for the budget.
func TestAllPodsThatCountAsTheGuardOfANodeGo(t *testing.T) {
	x := newBench(t, gone()...)
	second := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "second", UID: types.UID("uid-second"), ResourceVersion: "9", Labels: map[string]string{"app": "guard"}},
		Spec:       corev1.PodSpec{NodeName: "node-a"},
		Status:     corev1.PodStatus{Phase: corev1.PodRunning},
	}
	if err := x.kube.Tracker().Add(second); err != nil {
		t.Fatal(err)
	}
	x.pass(0, gone()...)
	if diff := cmp.Diff([]string{"delete etcd-guard-node-a", "delete second"}, x.writes()); diff != "" {
		t.Errorf("unexpected writes (-want +got):\n%s", diff)
	}
}

// No guard of ours is on no node, and none can become Ready there unless somebody writes its status; the disruption
// controller would count it all the same.
func TestAPodOnNoNodeThatCountsAsAGuardIsCountedAndGoes(t *testing.T) {
	x := newBench(t, keeping(2))
	stray := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "stray", UID: types.UID("uid-stray"), ResourceVersion: "9", Labels: map[string]string{"app": "guard"}},
		Status:     corev1.PodStatus{Phase: corev1.PodPending, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}
	if err := x.kube.Tracker().Add(stray); err != nil {
		t.Fatal(err)
	}
	x.pass(0, keeping(2), func(w *world.World) {
		w.Guards = append(w.Guards, snapshot.Guard{Node: observe.GuardNode(stray), Phase: snapshot.PodPending, Ready: true})
	})
	if diff := cmp.Diff([]string{"budget 3", "delete stray"}, x.writes()); diff != "" {
		t.Errorf("unexpected writes (-want +got):\n%s", diff)
	}
	if told := x.told(); !strings.Contains(told, "pod stray: the guard on node (none; pod stray) is deleted") {
		t.Errorf("it is not told: %s", told)
	}
	x.pass(0, keeping(3))
	if diff := cmp.Diff([]string{"budget 2"}, x.writes()); diff != "" {
		t.Errorf("unexpected writes (-want +got):\n%s", diff)
	}
}

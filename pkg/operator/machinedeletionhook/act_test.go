package machinedeletionhook

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// replacedA: a's member is gone, its Machine is deleting and still has the hook.
func replacedA() []world.Edit {
	return []world.Edit{world.Voter(d), world.Deleting(a), world.MemberGone(a)}
}

func TestActing(t *testing.T) {
	conflict := apierrors.NewConflict(machineResource, "machine-a", errors.New("changed"))
	for name, test := range map[string]struct {
		seen, live []world.Edit
		prepare    func(*bench)
		// age is how old the pass is when the controller comes to it.
		age      time.Duration
		want     []string
		degraded string
	}{
		"H10 the first of three writes conflicts, and the other two are made in the same pass": {
			seen: []world.Edit{stripped(a, b, c)}, live: []world.Edit{stripped(a, b, c)},
			prepare:  func(x *bench) { x.refuse("machine-a", conflict) },
			want:     []string{"apply machine-a", "apply machine-a", "apply machine-a", "apply machine-b", "apply machine-c"},
			degraded: "machine-a",
		},
		"another error is not tried again in the same pass, and does not stop the others": {
			seen: []world.Edit{stripped(a, b)}, live: []world.Edit{stripped(a, b)},
			prepare:  func(x *bench) { x.refuse("machine-a", apierrors.NewInternalError(errors.New("broken"))) },
			want:     []string{"apply machine-a", "apply machine-b"},
			degraded: "broken",
		},
		"a Machine that cannot be read does not stop the others": {
			seen: []world.Edit{stripped(a, b)}, live: []world.Edit{stripped(a, b)},
			prepare: func(x *bench) {
				x.machines.PrependReactor("get", "machines", func(action clienttesting.Action) (bool, runtime.Object, error) {
					return action.(clienttesting.GetAction).GetName() == "machine-a", nil, errors.New("unreachable")
				})
			},
			want:     []string{"apply machine-b"},
			degraded: "unreachable",
		},
		"a hook that must go is read again at most 3 times when a test of the patch fails": {
			seen: replacedA(), live: replacedA(),
			prepare:  func(x *bench) { x.refuse("machine-a", failedTest()) },
			want:     []string{"patch machine-a", "patch machine-a", "patch machine-a"},
			degraded: "remove the hook of Machine machine-a",
		},
		"a hook goes when no member is left on a deleting Machine": {
			seen: replacedA(), live: replacedA(), want: []string{"patch machine-a"},
		},
		"R9.5 nothing is written while the operator is unmanaged": {
			seen: []world.Edit{stripped(a)}, live: []world.Edit{stripped(a)},
			prepare: func(x *bench) { x.spec.ManagementState = operatorv1.Unmanaged },
		},
		"R9.5 nothing is written once a removed operator is known from a live read": {
			seen: []world.Edit{stripped(a)}, live: []world.Edit{stripped(a)},
			prepare: func(x *bench) { x.OperatorClient = liveSpec{x.operator, operatorv1.Removed} },
		},
		"H11 a hook that a person stripped since, from a Machine that is deleting by now, is not written": {
			seen: []world.Edit{stripped(a)}, live: []world.Edit{world.Released(a)},
		},
		"a hook that somebody else wrote since is left alone": {
			seen: []world.Edit{stripped(a)}, live: nil,
		},
		"another Machine of the same name is not written to": {
			seen: []world.Edit{stripped(a)},
			live: []world.Edit{stripped(a), world.Machine(a, func(m *snapshot.Machine) { m.UID = "another" })},
		},
		"H11 a Machine that is gone is not created": {
			seen: []world.Edit{world.NewMachine(d), stripped(d)}, live: nil,
		},
		"a hook stays when the Machine has the address of a member by now": {
			seen: append(replacedA(), world.MachineGone(b)),
			live: append(replacedA(), world.MachineGone(b), world.Machine(a, func(m *snapshot.Machine) { m.Addresses = append(m.Addresses, b.Address()) })),
		},
		"R4.4 a hook stays when the member list could not be read again": {
			seen: replacedA(), live: replacedA(),
			prepare:  func(x *bench) { x.members = x.members.with(errors.New("no quorum")) },
			degraded: "no quorum",
		},
		"R4.4 a hook stays when the member list is another one by now": {
			seen: replacedA(), live: append(replacedA(), world.MemberGone(b)),
		},
		"R10.2 a pass that is 16 seconds old takes no hook away": {
			seen: replacedA(), live: replacedA(), age: 16 * time.Second,
		},
		"a pass that is 16 seconds old still gives a hook, which only protects": {
			seen: append(replacedA(), stripped(b)), live: append(replacedA(), stripped(b)), age: 16 * time.Second,
			want: []string{"apply machine-b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := newBench(t)
			x.live(test.live...)
			if test.prepare != nil {
				test.prepare(x)
			}
			s := world.New(test.seen...)
			s.ObservedAt = x.clock.Now()
			x.advance(test.age)
			x.publish(s)
			if diff := cmp.Diff(test.want, x.writes(), cmp.Transformer("", func(s []string) string { return strings.Join(s, ", ") })); diff != "" {
				t.Errorf("unexpected writes (-want +got):\n%s", diff)
			}
			x.sync()
			if again := x.writes(); len(again) > 0 {
				t.Errorf("the same pass was acted on twice: %v", again)
			}
			_, status, _, _ := x.operator.GetOperatorState()
			if test.degraded == "" {
				for _, condition := range status.Conditions {
					if strings.HasSuffix(condition.Type, "Degraded") && condition.Status != operatorv1.ConditionFalse {
						t.Errorf("unexpected condition: %+v", condition)
					}
				}
				return
			}
			if got := x.condition("Degraded"); got.Status != operatorv1.ConditionTrue || !strings.Contains(got.Message, test.degraded) {
				t.Errorf("Degraded does not say %q: %+v", test.degraded, got)
			}
		})
	}
}

// What is applied is one entry, of the one Machine that was read in the version that was read.
func TestAnApplyHoldsNothingButTheEntryAndWhatIdentifiesTheMachine(t *testing.T) {
	x := newBench(t)
	edits := []world.Edit{stripped(a), world.Machine(a, func(m *snapshot.Machine) {
		m.OtherHooks = []snapshot.OtherHook{{Point: "preDrain", Name: "first", Owner: "somebody"}}
	})}
	x.live(edits...)
	x.pass(edits...)
	patches := x.patches()
	if len(patches) != 1 {
		t.Fatalf("%d patches, want 1", len(patches))
	}
	var got any
	if err := json.Unmarshal(patches[0].GetPatch(), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"apiVersion": "machine.openshift.io/v1beta1", "kind": "Machine",
		"metadata": map[string]any{"name": "machine-a", "namespace": machineNamespace, "uid": "uid-a", "resourceVersion": "7"},
		"spec": map[string]any{"lifecycleHooks": map[string]any{"preDrain": []any{
			map[string]any{"name": "EtcdQuorumOperator", "owner": "clusteroperator/etcd"},
		}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unexpected apply (-want +got):\n%s", diff)
	}
}

func TestARemovalTestsTheMachineAndTheEntry(t *testing.T) {
	x := newBench(t)
	edits := append(replacedA(), world.Machine(a, func(m *snapshot.Machine) {
		m.Hook, m.OtherHooks = snapshot.HookWrongOwner, []snapshot.OtherHook{{Point: "preDrain", Name: "first", Owner: "somebody"}}
	}))
	x.live(edits...)
	x.pass(edits...)
	patches := x.patches()
	if len(patches) != 1 {
		t.Fatalf("%d patches, want 1", len(patches))
	}
	var got []map[string]any
	if err := json.Unmarshal(patches[0].GetPatch(), &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{
		{"op": "test", "path": "/metadata/uid", "value": "uid-a"},
		{"op": "test", "path": "/spec/lifecycleHooks/preDrain/1", "value": map[string]any{"name": "EtcdQuorumOperator", "owner": "somebody"}},
		{"op": "remove", "path": "/spec/lifecycleHooks/preDrain/1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unexpected patch (-want +got):\n%s", diff)
	}
}

func TestWhatWasWrittenIsToldOnTheMachineAndAnotherPassIsAskedFor(t *testing.T) {
	x := newBench(t)
	edits := append(replacedA(), stripped(b))
	x.live(edits...)
	x.pass(edits...)
	want := []string{
		"Normal machine-a: Machine machine-a hosts no member any more and loses the hook",
		"Normal machine-b: Machine machine-b gets the hook",
	}
	got := x.told()
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unexpected events (-want +got):\n%s", diff)
	}
	if x.source.Lookups() == 0 {
		t.Error("no pass was asked for after a write")
	}
}

func TestNothingIsReadWhenNothingIsToBeDone(t *testing.T) {
	x := newBench(t)
	x.live()
	x.pass()
	if actions := x.machines.Actions(); len(actions) > 0 || x.source.Lookups() > 0 {
		t.Errorf("%d calls, %d passes asked for", len(actions), x.source.Lookups())
	}
}

func TestConditions(t *testing.T) {
	const held = "Machine machine-a is deleting and etcd no longer holds it, but the preDrain hook keep of somebody does"
	for name, test := range map[string]struct {
		edits       []world.Edit
		degraded    string
		progressing string
	}{
		"nothing to tell": {},
		"R4.7 a voter on a Machine that is excluded from draining is Degraded at once": {
			edits:    []world.Edit{world.Machine(b, func(m *snapshot.Machine) { m.ExcludedFromDrain = true })},
			degraded: "voter node-b lives on Machine machine-b, which is excluded from draining",
		},
		"R4.7 a voter on a Machine without a nodeRef is Degraded at once": {
			edits:    []world.Edit{world.Machine(b, func(m *snapshot.Machine) { m.NodeRef = "" })},
			degraded: "voter node-b lives on Machine machine-b, which has no nodeRef",
		},
		"R9.5 somebody else's hook that holds a Machine is named": {
			edits: []world.Edit{world.Voter(d), world.Released(a), world.MemberGone(a), world.Machine(a, func(m *snapshot.Machine) {
				m.OtherHooks = []snapshot.OtherHook{{Point: "preDrain", Name: "keep", Owner: "somebody"}}
			})},
			progressing: held,
		},
		"R9.5 a cordoned node that keeps the Machine API from draining another is named": {
			edits:       []world.Edit{world.Voter(d), world.Released(a), world.MemberGone(a), world.Cordoned(b)},
			progressing: "the Machine API drains no second control-plane node while node node-b is cordoned",
		},
		"a node that is cordoned itself is drained beside another": {
			edits: []world.Edit{world.Voter(d), world.Released(a), world.MemberGone(a), world.Cordoned(a, b)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := newBench(t)
			x.live(test.edits...)
			x.pass(test.edits...)
			for kind, want := range map[string]string{"Degraded": test.degraded, "Progressing": test.progressing} {
				got := x.condition(kind)
				if (got.Status == operatorv1.ConditionTrue) != (want != "") || !strings.Contains(got.Message, want) {
					t.Errorf("%s does not say %q: %+v", kind, want, got)
				}
			}
		})
	}
}

func TestCandidatesAreOtherManagersNewestFirst(t *testing.T) {
	at := func(minute int) *metav1.Time {
		return &metav1.Time{Time: world.Epoch.Add(time.Duration(minute) * time.Minute)}
	}
	machine := &machinev1beta1.Machine{ObjectMeta: metav1.ObjectMeta{ManagedFields: []metav1.ManagedFieldsEntry{
		{Manager: "old-tool", Time: at(1)},
		{Manager: Name, Time: at(9)},
		{Manager: "cluster-etcd-operator", Time: at(8)},
		{Manager: "machine-controller", Time: at(7), Subresource: "status"},
		{Manager: "gitops", Time: at(6)},
		{Manager: "old-tool", Time: at(3), Operation: metav1.ManagedFieldsOperationApply},
		{Manager: "timeless"},
		{Manager: "tie-b", Time: at(5)},
		{Manager: "tie-a", Time: at(5)},
		{Manager: "oldest", Time: at(0)},
	}}}
	if diff := cmp.Diff([]string{"gitops", "tie-a", "tie-b", "old-tool", "oldest"}, candidates(machine)); diff != "" {
		t.Errorf("unexpected candidates (-want +got):\n%s", diff)
	}
	if got := suspicion(candidates(&machinev1beta1.Machine{})); got != "; who does it is unknown" {
		t.Errorf("without managers: %q", got)
	}
}

func (f membersFunc) with(err error) membersFunc {
	return func() (etcdclient.MemberList, error) {
		list, _ := f()
		return list, err
	}
}

// That machine-a, whose host has another address, is node-b's is not believed (R3). A live judgement that believed it would
// take b's dead voter for machine-a's, and keep its hook for ever.
func TestALiveJudgementBelievesOfANodeRefWhatThePassDid(t *testing.T) {
	x := newBench(t)
	wrong := append(replacedA(), world.HostDead(b, time.Hour), world.Machine(a, func(m *snapshot.Machine) { m.NodeRef = b.Node() }))
	x.live(wrong...)
	seen := world.New(wrong...)
	seen.ObservedAt = x.clock.Now()
	p := pass.Pass{Decisions: decision.About(seen)}
	x.source.Publish(p)
	x.sync()
	if diff := cmp.Diff([]string{"patch machine-a"}, x.writes()); diff != "" {
		t.Errorf("writes (-want +got)\n%s", diff)
	}
}

// An API server that takes 3 s for each answer: the last of three hooks must not go by the list that was read for the first.
func TestEachHookGoesByAMemberListOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newBench(t)
		edits := []world.Edit{
			world.Voter(d), world.Deleting(a), world.MemberGone(a), world.Deleting(b), world.MemberGone(b), world.Deleting(c), world.MemberGone(c),
		}
		x.live(edits...)
		var listed time.Time
		members := x.members
		x.members = func() (etcdclient.MemberList, error) {
			listed = time.Now()
			return members()
		}
		x.machines.PrependReactor("get", "machines", func(clienttesting.Action) (bool, runtime.Object, error) {
			<-time.After(3 * time.Second)
			return false, nil, nil
		})
		var ages []time.Duration
		x.machines.PrependReactor("patch", "machines", func(clienttesting.Action) (bool, runtime.Object, error) {
			ages = append(ages, time.Since(listed))
			return false, nil, nil
		})
		x.pass(edits...)
		if diff := cmp.Diff([]time.Duration{3 * time.Second, 3 * time.Second, 3 * time.Second}, ages); diff != "" {
			t.Errorf("ages of the lists by which hooks went (-want +got):\n%s", diff)
		}
	})
}

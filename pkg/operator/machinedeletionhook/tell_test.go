package machinedeletionhook

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

func TestAPassThatSeesNothingDoesNotTellThatAWaitHasEnded(t *testing.T) {
	waiting := []world.Edit{
		world.Voter(d), world.Released(a), world.MemberGone(a),
		world.Machine(a, func(m *snapshot.Machine) {
			m.OtherHooks = []snapshot.OtherHook{{Point: "preTerminate", Name: "backup", Owner: "somebody"}}
		}),
		world.Machine(b, func(m *snapshot.Machine) { m.ExcludedFromDrain = true }),
	}
	for name, blind := range map[string]world.Edit{
		"no Machine API is known": func(w *world.World) { w.MachineAPI = snapshot.Unknown },
		"no Machines are known":   func(w *world.World) { w.MachineList, w.Machines = snapshot.Unknown, nil },
		"no object is known": func(w *world.World) {
			w.MachineAPI, w.MachineList, w.Machines = snapshot.Unknown, snapshot.Unknown, nil
		},
		"no member list could be read": func(w *world.World) { w.MemberList, w.Members = snapshot.Unknown, nil },
	} {
		t.Run(name, func(t *testing.T) {
			x := newBench(t)
			x.live(waiting...)
			x.pass(waiting...)
			want := []operatorv1.OperatorCondition{x.condition("Degraded"), x.condition("Progressing")}
			if want[0].Reason != "VoterMachineExcludedFromDrain" || want[1].Reason != "MachineHeldByAnotherHook" {
				t.Fatalf("unexpected conditions: %+v", want)
			}
			for range 2 {
				x.pass(append(waiting, blind)...)
				if diff := cmp.Diff(want, []operatorv1.OperatorCondition{x.condition("Degraded"), x.condition("Progressing")}); diff != "" {
					t.Errorf("conditions changed (-want +got):\n%s", diff)
				}
			}
			x.pass()
			for _, kind := range []string{"Degraded", "Progressing"} {
				if got := x.condition(kind); got.Status != operatorv1.ConditionFalse {
					t.Errorf("a pass that sees all is not believed: %+v", got)
				}
			}
		})
	}
}

package pass_test

import (
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// Most of these come together; each alone must be enough, whatever the cores come to say.
func TestOneThingInFlightIsEnough(t *testing.T) {
	for name, change := range map[string]func(*decision.Decisions){
		"the member list is unknown": func(d *decision.Decisions) { d.Snapshot.MemberList = snapshot.Unknown },
		"the nodes are unknown":      func(d *decision.Decisions) { d.Snapshot.NodeList = snapshot.Unknown },
		"the Machine API is unknown": func(d *decision.Decisions) { d.Snapshot.MachineAPI = snapshot.Unknown },
		"the machines are unknown":   func(d *decision.Decisions) { d.Snapshot.MachineList = snapshot.Unknown },
		"the guards are unknown":     func(d *decision.Decisions) { d.Snapshot.GuardList = snapshot.Unknown },
		"the budget is unknown":      func(d *decision.Decisions) { d.Snapshot.Budget.Present = snapshot.Unknown },
		"a learner":                  func(d *decision.Decisions) { d.Snapshot.Members[1].Learner = true },
		"an unstarted member":        func(d *decision.Decisions) { d.Snapshot.Members[1].Started = false },
		"an unhealthy member":        func(d *decision.Decisions) { d.Snapshot.Members[1].Health = snapshot.Unhealthy },
		"a machine deleting":         func(d *decision.Decisions) { d.Snapshot.Machines[1].Deleting = true },
		"an install":                 func(d *decision.Decisions) { d.Snapshot.NodeStatuses[1].Target = 2 },
		"a change of the members":    func(d *decision.Decisions) { d.Membership.Action = membership.AddLearner },
		"a wait for something":       func(d *decision.Decisions) { d.Membership.Reason = reason.DesiredReplicasUnknown },
		"a step of a rollout":        func(d *decision.Decisions) { d.Rollout.Step = rollout.CloseBudget },
		"a hook to write":            func(d *decision.Decisions) { d.Hooks.Machines[1].Action = machinehook.AddHook },
		"a budget to write":          func(d *decision.Decisions) { d.Guard.Budget = quorumguard.SetBudget },
		"a guard to make":            func(d *decision.Decisions) { d.Guard.Pods[1].Action = quorumguard.PodCreate },
		"a guard to delete":          func(d *decision.Decisions) { d.Guard.Pods[1].Action = quorumguard.PodDelete },
	} {
		t.Run(name, func(t *testing.T) {
			d := decision.About(world.New())
			if pass.InFlight(&d) {
				t.Fatal("a cluster at rest is in flight")
			}
			if change(&d); !pass.InFlight(&d) {
				t.Error("it is not in flight")
			}
		})
	}
}

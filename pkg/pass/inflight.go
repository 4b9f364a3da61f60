package pass

import (
	"slices"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// InFlight tells whether the next pass is due soon: something is not known, a member is not a healthy voter, a Machine is
// going away, a revision is being installed, or the operator has something to do or to wait for.
func InFlight(d *decision.Decisions) bool {
	return unseen(&d.Snapshot) || moving(&d.Snapshot) || unfinished(d)
}

// unseen: what could not be read is asked for again soon.
func unseen(s *snapshot.Snapshot) bool {
	return slices.Contains([]snapshot.Fact{s.MemberList, s.NodeList, s.MachineAPI, s.MachineList, s.GuardList, s.Budget.Present}, snapshot.Unknown)
}

func moving(s *snapshot.Snapshot) bool {
	return slices.ContainsFunc(s.Members, func(m snapshot.Member) bool { return m.Learner || !m.IsHealthy() }) ||
		slices.ContainsFunc(s.Machines, func(m snapshot.Machine) bool { return m.Deleting }) ||
		slices.ContainsFunc(s.NodeStatuses, func(n snapshot.NodeStatus) bool { return n.Target != 0 })
}

func unfinished(d *decision.Decisions) bool {
	return d.Membership.Action != membership.Wait || d.Membership.Reason != reason.MembershipAsExpected ||
		d.Rollout.Step != rollout.NoStep ||
		slices.ContainsFunc(d.Hooks.Machines, func(v machinehook.Verdict) bool { return v.Action != machinehook.None }) ||
		d.Guard.Budget != quorumguard.KeepBudget ||
		slices.ContainsFunc(d.Guard.Pods, func(p quorumguard.Pod) bool {
			return p.Action == quorumguard.PodCreate || p.Action == quorumguard.PodDelete
		})
}

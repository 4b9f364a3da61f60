package decision

import (
	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Decisions are what the cores say about one Snapshot.
type Decisions struct {
	// Snapshot is what was judged, with PlannedInstall filled in.
	Snapshot   snapshot.Snapshot
	Rollout    rollout.Decision
	Membership membership.Decision
	Hooks      machinehook.Decision
	Guard      quorumguard.Decision
}

// About returns the decisions about s. PlannedInstall of s is not read; it comes from the rollout's decision (rule R8.2).
func About(s snapshot.Snapshot) Decisions {
	s.PlannedInstall = ""
	view := snapshot.NewView(&s)
	d := Decisions{Rollout: rollout.DecideView(view)}
	s.PlannedInstall = d.Rollout.Hold
	d.Snapshot = s
	d.Membership, d.Hooks, d.Guard = membership.DecideView(view), machinehook.DecideView(view), quorumguard.DecideView(view)
	return d
}

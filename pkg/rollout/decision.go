package rollout

import (
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Step is what the installer does next on the chosen node.
type Step string

// The steps. CloseBudget comes before Install on a node that hosts a voter: no drain may begin meanwhile (rule R8.2).
const (
	NoStep      Step = "None"
	CloseBudget Step = "CloseBudget"
	Install     Step = "Install"
)

// Decision holds the permission to create a revision and the order of installing the latest one.
type Decision struct {
	Create Permission
	// Install holds one permission for every node with a node status that does not run the latest revision, by name.
	Install []NodePermission
	// Next is the node that Step is about; empty for NoStep.
	Next snapshot.NodeName
	Step Step
	// Hold is the node for whose install drains are held back now: Next when it hosts a voter, or the voter's node whose
	// install is in flight. It becomes Snapshot.PlannedInstall for the guard's decision.
	Hold snapshot.NodeName
	// Stable reports whether every node runs the latest revision (rule R8.4).
	Stable snapshot.Fact
	// Finding says why Step is what it is.
	reason.Finding
}

// Permission says whether something may happen, and why not.
type Permission struct {
	Allowed bool
	reason.Finding
}

// NodePermission says whether a node may take the latest revision now.
type NodePermission struct {
	Node    snapshot.NodeName
	Allowed bool
	reason.Finding
}

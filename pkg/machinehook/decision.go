package machinehook

import (
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Action is what happens to the hook of one Machine.
type Action string

// The actions, as explain prints them.
const (
	None       Action = "None"
	AddHook    Action = "AddHook"
	RepairHook Action = "RepairHook"
	RemoveHook Action = "RemoveHook"
)

// Decision holds one verdict for every control-plane Machine, by name.
type Decision struct {
	Machines []Verdict
	// Warnings are findings that a condition must tell at once (rule R4.7).
	Warnings []Verdict
}

// Verdict is what happens to the hook of one Machine, and why; for None it says what holds the hook where it is.
type Verdict struct {
	Machine snapshot.MachineName
	// UID is that of the Machine that was judged; a write must carry it (rule R4.5).
	UID    string
	Action Action
	// Member is the member that the Machine hosts; 0 when none is known.
	Member snapshot.MemberID
	// Refused is the action that the Finding refuses; None when nothing was to be done.
	Refused Action
	reason.Finding
}

package membership

import (
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Action is what one pass does to the member list.
type Action string

// The actions, as explain prints them.
const (
	Wait           Action = "Wait"
	AddLearner     Action = "AddLearner"
	PromoteLearner Action = "PromoteLearner"
	RemoveMember   Action = "RemoveMember"
)

// Target says what an action is about. Fields that do not apply, or are not known, are zero.
type Target struct {
	Member  snapshot.MemberID
	Name    string
	Node    snapshot.NodeName
	Machine snapshot.MachineName
}

// Decision is the one change that a Snapshot allows now, or the wait and its reason.
type Decision struct {
	Action Action
	Target
	// PeerURL is the peer URL to add, for AddLearner.
	PeerURL string
	// MoveLeaderTo is the voter that leadership is to be moved to before the removal (rule R6.7); 0 when the subject
	// does not lead, or nobody qualifies.
	MoveLeaderTo snapshot.MemberID
	// Finding carries the rule, the Reason, and the message: why this is done, or what is waited for.
	reason.Finding
	// Refused are the alternatives that were considered and not taken, removals first, then promotions, then adds, each
	// kind by name.
	Refused []Refusal
	// Warnings are findings that a condition must tell although they are not what the decision waits for.
	Warnings []Warning
	// ClusterID and MemberDigest identify what was judged; a writer compares them right before it writes (invariant I6).
	ClusterID    uint64
	MemberDigest uint64
}

// Refusal is one alternative that was not taken.
type Refusal struct {
	Action Action
	Target
	reason.Finding
}

// Warning is a finding about one object.
type Warning struct {
	Target
	reason.Finding
}

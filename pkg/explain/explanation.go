package explain

import (
	"encoding/json"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// What identifies the document.
const (
	APIVersion = "explain.etcd.openshift.io/v1"
	Kind       = "Explanation"
)

// Where facts come from.
const (
	SourceLive      = "live"
	SourceDirectory = "directory"
)

// Explanation is the document. Null in it means unknown or not applicable. Fields may be added, none are renamed or
// removed within a version.
type Explanation struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Source     string `json:"source"`
	// ObservedAt is when the facts were read.
	ObservedAt *time.Time `json:"observedAt"`
	// ClusterID is etcd's cluster id in lower-case hexadecimal.
	ClusterID Text `json:"clusterID"`
	// Assumed says what was taken to be so because the source cannot tell.
	Assumed    []string   `json:"assumed"`
	Facts      Facts      `json:"facts"`
	Quorum     Quorum     `json:"quorum"`
	Membership Membership `json:"membership"`
	Machines   []Machine  `json:"machines"`
	Guard      Guard      `json:"guard"`
	Rollout    Rollout    `json:"rollout"`
	// PodTroubles are what etcd pods and guards say of why they do not run; empty when all do, and when they were not read.
	PodTroubles []PodTrouble `json:"podTroubles"`
	Members     []Member     `json:"members"`
	Refused     []Refusal    `json:"refused"`
	Warnings    []Warning    `json:"warnings"`
	// Conditions are what the operator itself reports on the etcd resource about members, hooks and guards, as far as it is
	// not as it should be.
	Conditions []Condition `json:"conditions"`

	// urgent is what needs a person and stays as it is until one acts, whatever happens next.
	urgent            []Hold
	blind, notRunning string
}

// Condition is a condition of the etcd resource.
type Condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Text is a string that is null when empty.
type Text string

// MarshalJSON writes null for the empty string.
func (t Text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// Facts are what the decisions rest on.
type Facts struct {
	DesiredReplicas   *int          `json:"desiredReplicas"`
	DesiredFrom       string        `json:"desiredFrom"`
	Topology          Text          `json:"topology"`
	MachineAPI        string        `json:"machineAPI"`
	BootstrapComplete snapshot.Fact `json:"bootstrapComplete"`
	RolloutStable     snapshot.Fact `json:"rolloutStable"`
	EndpointsMatch    snapshot.Fact `json:"endpointsMatch"`
	// MembersKnown tells whether the member list is known. Without it the numbers of voters are 0 and mean nothing.
	MembersKnown  bool `json:"membersKnown"`
	Voters        int  `json:"voters"`
	HealthyVoters int  `json:"healthyVoters"`
	Quorum        int  `json:"quorum"`
	Leader        Text `json:"leader"`
	// ManagementState is that of the etcd resource. In Unmanaged and Removed the operator writes nothing, and all that the
	// document says is what it would do otherwise.
	ManagementState Text `json:"managementState"`

	writesNothing bool
}

// Quorum says whether enough voters are known to be healthy for etcd to work.
type Quorum struct {
	// Held is unknown while the health of voters that would make up the number is.
	Held snapshot.Fact `json:"held"`
	Finding
	Unblock string `json:"unblock"`

	// first is the part of Unblock that comes before any other remedy; empty unless quorum is known to be lost.
	first string
	// passes: what is being done on nodes explains that it is not held.
	passes bool
}

// Membership is the one change of the member list that comes next, or what it waits for.
type Membership struct {
	Action string `json:"action"`
	// Member is null when no member is concerned, and empty for one that has not started.
	Member   *string `json:"member"`
	MemberID Text    `json:"memberID"`
	Node     Text    `json:"node"`
	Machine  Text    `json:"machine"`
	PeerURL  Text    `json:"peerURL"`
	// MoveLeaderTo is the voter that takes over leadership before a removal.
	MoveLeaderTo Text `json:"moveLeaderTo"`
	Finding
	Unblock string `json:"unblock"`
	// DependsOn says what was not read and could put another change in the place of the action; empty when nothing could.
	DependsOn []string `json:"dependsOn"`

	label string
}

// Finding is a rule, a Reason and its sentence.
type Finding struct {
	Rule    string `json:"rule"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Machine is one control-plane Machine and what happens to its hook.
type Machine struct {
	Name              string     `json:"name"`
	Phase             Text       `json:"phase"`
	Deleting          bool       `json:"deleting"`
	DeletionTimestamp *time.Time `json:"deletionTimestamp"`
	Hook              string     `json:"hook"`
	// HookOwner is the owner of a hook in WrongOwner; null for others.
	HookOwner  Text        `json:"hookOwner"`
	OtherHooks []OtherHook `json:"otherHooks"`
	Action     string      `json:"action"`
	Node       Text        `json:"node"`
	// Member is null when the Machine hosts none, and empty for one that has not started.
	Member   *string `json:"member"`
	MemberID Text    `json:"memberID"`
	// Troubles are the Machine's own words on why it gets no host, or is not drained; no decision rests on them.
	Troubles []string `json:"troubles"`
	// HeldBy says what keeps a deleting Machine from going; empty for others.
	HeldBy []string `json:"heldBy"`
	Finding
	Unblock string `json:"unblock"`

	nodeGone bool
}

// OtherHook is a lifecycle hook of somebody else.
type OtherHook struct {
	Point string `json:"point"`
	Name  string `json:"name"`
	Owner string `json:"owner"`
}

// Guard is the disruption budget and the guard pods.
type Guard struct {
	// MinAvailable is the wanted number, Current the one in the cluster; DisruptionsAllowed is what the cluster grants now.
	MinAvailable       *int `json:"minAvailable"`
	Current            *int `json:"current"`
	DisruptionsAllowed *int `json:"disruptionsAllowed"`
	// Budget is what happens to the budget: Keep, Set or Delete; null while the etcd resource is not known.
	Budget Text `json:"budget"`
	// Misshapen: the spec of the budget in the cluster is not the operator's, apart from the number. It may protect other
	// pods than the guards, and holds no drain back.
	Misshapen bool `json:"misshapen"`
	// Absent: it is known that the cluster has no such budget, so that nothing holds drains back.
	Absent bool `json:"absent"`
	// Passing says that drains pass now although the operator's rules hold them back; null when none does, and when that is
	// not known.
	Passing Text `json:"passing"`
	// DependsOn says what was not read and could make the budget another one than MinAvailable and Budget say; empty when
	// nothing could.
	DependsOn []string `json:"dependsOn"`
	Finding
	// Holds are all the things that drains wait for; empty when one may pass.
	Holds []Hold     `json:"holds"`
	Pods  []GuardPod `json:"pods"`

	// danger: what passes may cost quorum, or nothing will change it.
	danger bool
}

// Hold is one thing that drains wait for.
type Hold struct {
	Finding
	Unblock string `json:"unblock"`
}

// GuardPod is the guard of one node.
type GuardPod struct {
	Node  string        `json:"node"`
	Ready snapshot.Fact `json:"ready"`
	// OtherBudgets select the pod besides the guards' own, so that nobody can evict it.
	OtherBudgets []string `json:"otherBudgets"`
	Action       string   `json:"action"`
	Finding

	// missing: it is known that there is none.
	missing bool
}

// mayGo reports whether a drain of the node may pass when the guards' budget lets one pass.
func (p GuardPod) mayGo() bool { return p.Ready.Holds() && len(p.OtherBudgets) == 0 }

// Rollout says whether a revision may be created, and where it may be installed.
type Rollout struct {
	Create  Permission       `json:"create"`
	Install []NodePermission `json:"install"`
	// Step is what comes next on node Next: None, CloseBudget or Install.
	Step string `json:"step"`
	Next Text   `json:"next"`
	// Nodes are the revisions of the nodes; empty when they are not known.
	Nodes []NodeRevision `json:"nodes"`
	Finding
}

// NodeRevision is what the etcd resource says of the revision on a node.
type NodeRevision struct {
	Node string `json:"node"`
	// Current is 0 before the first one, Target null while none is being installed.
	Current int  `json:"current"`
	Target  *int `json:"target"`
	// Failed is null unless an installation that came after the current revision failed.
	Failed *FailedRevision `json:"failed"`

	behind bool
}

// FailedRevision is an installation that failed.
type FailedRevision struct {
	Revision int        `json:"revision"`
	Times    int        `json:"times"`
	At       *time.Time `json:"at"`
	Reason   Text       `json:"reason"`
	Errors   []string   `json:"errors"`
}

// PodTrouble is why the containers of a pod do not run.
type PodTrouble struct {
	Pod     string `json:"pod"`
	Node    Text   `json:"node"`
	Guard   bool   `json:"guard"`
	Message string `json:"message"`
}

// Permission says whether something may happen.
type Permission struct {
	// Allowed is unknown while the etcd resource is.
	Allowed snapshot.Fact `json:"allowed"`
	Finding
	Unblock string `json:"unblock"`
}

// NodePermission says whether a node may take the latest revision.
type NodePermission struct {
	Node    string `json:"node"`
	Allowed bool   `json:"allowed"`
	Finding
	Unblock string `json:"unblock"`
}

// Member is one entry of etcd's member list.
type Member struct {
	// Name is empty until the member has started.
	Name     string `json:"name"`
	MemberID string `json:"memberID"`
	Voting   bool   `json:"voting"`
	Started  bool   `json:"started"`
	Leader   bool   `json:"leader"`
	// Health is as decisions count it: Healthy, Unhealthy or Unknown.
	Health string `json:"health"`
	// Error says why a member is not Healthy, as far as it is known.
	Error       Text     `json:"error"`
	Alarms      []string `json:"alarms"`
	Version     Text     `json:"version"`
	DBSizeBytes *int64   `json:"dbSizeBytes"`
	Node        Text     `json:"node"`
	Machine     Text     `json:"machine"`
	PeerURLs    []string `json:"peerURLs"`

	label    string
	nodeGone bool
}

// Refusal is an alternative that was considered and not taken.
type Refusal struct {
	// Action is one of those of membership and machines, or CreateGuard, DeleteGuard, CreateRevision, InstallRevision.
	Action   string  `json:"action"`
	Member   *string `json:"member"`
	MemberID Text    `json:"memberID"`
	Node     Text    `json:"node"`
	Machine  Text    `json:"machine"`
	Finding

	label string
}

// Warning is something that a person should know although nothing waits for it.
type Warning struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

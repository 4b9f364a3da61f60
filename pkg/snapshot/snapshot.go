package snapshot

import (
	"net/netip"
	"strconv"
	"time"
)

// MemberID is etcd's 64-bit id of a member. Zero is no member.
type MemberID uint64

// String returns the id as etcdctl and the etcd-endpoints ConfigMap write it: lower-case hexadecimal, no prefix.
func (id MemberID) String() string { return strconv.FormatUint(uint64(id), 16) }

// NodeName is metadata.name of a Node. Empty is no node.
type NodeName string

// MachineName is metadata.name of a Machine in namespace openshift-machine-api. Empty is no machine.
type MachineName string

// Snapshot is everything that one pass saw. Slices are in no particular order, and decisions must not depend on the
// order (invariant I7).
type Snapshot struct {
	// ObservedAt is when the pass began. Decisions do not read it; records and reports do.
	ObservedAt time.Time

	// ClusterID is etcd's cluster id, from the header of the member list; 0 when unknown.
	ClusterID uint64
	// MemberList is true when Members is a complete linearizable member list read in this pass.
	MemberList Fact
	// Members is the member list of etcd, joined with this pass's probes.
	Members []Member
	// Leader is the member that a quorum of voters named as leader in their status; 0 when unknown.
	Leader MemberID

	// MachineAPI tells whether the Machine API is functional (rule R2).
	MachineAPI Fact
	// MachineList is true when Machines holds every control-plane Machine: the informer has synced.
	MachineList Fact
	// Machines are the Machines of namespace openshift-machine-api whose role label is master or arbiter.
	Machines []Machine
	// NodeList is true when Nodes holds every control-plane Node: the informer has synced.
	NodeList Fact
	// Nodes are all control-plane Nodes, and any other Node that a member or a Machine refers to, as far as it was
	// read. A Node that nobody could read has no entry; one that a live read by name did not find has an entry whose
	// Present is false.
	Nodes []Node

	// Desired is the desired number of control-plane replicas (rule R1).
	Desired Desired
	// Topology is status.controlPlaneTopology of Infrastructure cluster.
	Topology Topology
	// ExternalEtcd tells, for DualReplica, whether the etcd outside the cluster has taken over: condition
	// ExternalEtcdHasCompletedTransition of the etcd resource. Not read for other topologies.
	ExternalEtcd Fact
	// BootstrapComplete tells whether ConfigMap bootstrap in kube-system says "status: complete".
	BootstrapComplete Fact
	// VersionCurrent tells whether ClusterOperator etcd reports the version that this operator ships; false during an
	// upgrade (rule R7.5).
	VersionCurrent Fact
	// UnsafeNonHA tells whether useUnsupportedUnsafeNonHANonProductionUnstableEtcd is set in
	// spec.unsupportedConfigOverrides.
	UnsafeNonHA bool

	// EndpointsKnown is true when ConfigMap etcd-endpoints in openshift-etcd was read and every value is an IP.
	EndpointsKnown Fact
	// Endpoints are the values of ConfigMap etcd-endpoints, in canonical form.
	Endpoints []netip.Addr

	// LatestRevision is status.latestAvailableRevision of the etcd resource; 0 when unknown or none.
	LatestRevision int
	// NodeStatuses are status.nodeStatuses of the etcd resource.
	NodeStatuses []NodeStatus

	// APIServers tells whether kubeapiservers.operator.openshift.io/cluster exists; unknown while it has no node statuses.
	APIServers Fact
	// APIServerNodes are its status.nodeStatuses.
	APIServerNodes []APIServerNode

	// GuardList is true when Guards holds every guard pod: the informer has synced.
	GuardList Fact
	// Guards are the pods of namespace openshift-etcd with label app=guard.
	Guards []Guard
	// Budget is PodDisruptionBudget etcd-guard-pdb in openshift-etcd.
	Budget Budget
	// PlannedInstall is the node on which the rollout decision made from this same Snapshot wants the next revision
	// installed, and for which drains must be held back meanwhile (rule R8.2); empty when none.
	PlannedInstall NodeName
}

// Health is what this pass's probe of a member through its own endpoint told (requirements, "Words").
type Health uint8

// The values of Health. HealthUnknown is whatever is neither of the others: the probe did not run, or it failed while
// no quorum of voters answered either.
const (
	HealthUnknown Health = iota
	// Healthy: the probe answered; a linearizable read for a voter, a serializable one for a learner.
	Healthy
	// Unhealthy: the probe failed or timed out while, in the same pass, a quorum of voters answered theirs.
	Unhealthy
)

// String returns the word that reports use.
func (h Health) String() string {
	switch h {
	case Healthy:
		return "healthy"
	case Unhealthy:
		return "unhealthy"
	default:
		return "unknown"
	}
}

// Member is one entry of etcd's member list.
type Member struct {
	ID MemberID
	// Name is empty until the member has started.
	Name string
	// PeerURLs as listed; kept for reports.
	PeerURLs []string
	// PeerAddresses are the canonical addresses of PeerURLs, in their order. It is empty when any of them could not be
	// read (see ParsePeerURL): such a member is owned by nobody knows whom.
	PeerAddresses []netip.Addr
	// Started: the member has published client URLs.
	Started bool
	// Learner: the member does not vote, as far as the list says.
	Learner bool

	Health Health
	// UnhealthyFor is how long every observation of this operator found the member unhealthy; 0 when it is not.
	UnhealthyFor time.Duration
	// CannotServe is true when the endpoint itself answered the probe, with an error that says it cannot serve.
	CannotServe Fact
	// Corrupt and NoSpace tell whether the member has that alarm.
	Corrupt, NoSpace Fact
	// AppliedIndex is the raft index that the member has applied, from its status; 0 when unknown.
	AppliedIndex uint64
	// StalledFor is, for a learner, how long it has neither started nor advanced its applied index.
	StalledFor time.Duration
	// Version and DatabaseBytes are from the member's status, for reports; empty and 0 when unknown.
	Version       string
	DatabaseBytes int64

	// AddressClaimed tells whether a Node of any label, or (with a functional Machine API) a Machine of any role, has
	// one of the member's addresses; false only after live reads.
	AddressClaimed Fact
	// UnclaimedFor is how long every observation found AddressClaimed false; 0 when it is not.
	UnclaimedFor time.Duration
}

// Hook is the state of the entry named EtcdQuorumOperator among a Machine's spec.lifecycleHooks.preDrain.
type Hook uint8

// The values of Hook.
const (
	HookMissing Hook = iota
	HookPresent
	// HookWrongOwner: an entry of that name whose owner is not clusteroperator/etcd (rule R4.2).
	HookWrongOwner
)

// OtherHook is a lifecycle hook that is not the operator's.
type OtherHook struct {
	// Point is "preDrain" or "preTerminate".
	Point       string
	Name, Owner string
}

// Machine is one control-plane Machine.
type Machine struct {
	Name MachineName
	UID  string
	// Phase is status.phase: Provisioning, Provisioned, Running, Deleting, Failed; empty when not yet set.
	Phase string
	// Deleting: metadata.deletionTimestamp is set.
	Deleting bool
	// DeletionTimestamp is that timestamp; zero when not deleting.
	DeletionTimestamp time.Time
	// NodeRef is status.nodeRef.name; empty when the Machine never had a node.
	NodeRef NodeName
	// Addresses are the InternalIPs of status.addresses, in canonical form.
	Addresses []netip.Addr
	// AddressUnreadable: there is an InternalIP besides that is no address.
	AddressUnreadable bool
	Hook              Hook
	// OtherHooks are the foreign hooks, in their order; kept for reports.
	OtherHooks []OtherHook
	// ExcludedFromDrain: annotation machine.openshift.io/exclude-node-draining is set.
	ExcludedFromDrain bool
	// Zone is the value of label machine.openshift.io/zone; empty when absent.
	Zone string
	// HookBackOff: somebody strips the hook from this Machine, and the time to write it again has not come
	// (rule R4.6, from the operator's own record of its writes).
	HookBackOff bool
}

// Node is one Node and the etcd pod on it.
type Node struct {
	Name NodeName
	// Present is false when a live read by name did not find it. All other fields are meaningless unless it is true.
	Present Fact
	// ControlPlane: it has a master, control-plane or arbiter role label.
	ControlPlane bool
	// Ready is the Ready condition; a condition of status Unknown (its kubelet is silent) is False.
	Ready Fact
	// Cordoned: spec.unschedulable.
	Cordoned bool
	// Deleting: metadata.deletionTimestamp is set.
	Deleting bool
	// Addresses are the InternalIPs of status.addresses, in their order and in canonical form.
	Addresses []netip.Addr
	// AddressUnreadable: there is an InternalIP besides that is no address.
	AddressUnreadable bool
	// PeerAddress is the InternalIP that an etcd member on this node uses as its peer address: the first of the
	// family of the first service network (rule R11). Invalid when the node has none.
	PeerAddress netip.Addr
	// Etcd is pod etcd-<name> in openshift-etcd.
	Etcd EtcdPod
}

// EtcdPod is the state of a node's etcd static pod as its mirror pod tells it.
type EtcdPod struct {
	// Present tells whether the pod exists.
	Present Fact
	// ContainerRunning and ContainerReady speak of the container named etcd alone.
	ContainerRunning, ContainerReady Fact
	// Ready is the Ready condition of the pod.
	Ready Fact
}

// NodeStatus is one entry of status.nodeStatuses of the etcd resource.
type NodeStatus struct {
	Node NodeName
	// Current and Target are revisions; 0 when unset.
	Current, Target int
}

// APIServerNode is one entry of status.nodeStatuses of the kube-apiserver resource.
type APIServerNode struct {
	Node NodeName
	// EtcdServersKnown is true when the ConfigMap config-<current revision> was read.
	EtcdServersKnown Fact
	// EtcdServers are the addresses of its etcd-servers, in canonical form; names such as localhost are left out.
	EtcdServers []netip.Addr
}

// Guard is one guard pod.
type Guard struct {
	Node NodeName
	// Phase is status.phase of the pod.
	Phase PodPhase
	// Ready is the Ready condition.
	Ready bool
	// Deleting: metadata.deletionTimestamp is set.
	Deleting bool
	// Outdated: its image, probe, host name or service account differ from the wanted ones.
	Outdated bool
}

// PodPhase is the phase of a pod.
type PodPhase string

// The phases that decisions look at; a pod in any other is finished.
const (
	PodPending PodPhase = "Pending"
	PodRunning PodPhase = "Running"
)

// Budget is the disruption budget over the guard pods.
type Budget struct {
	Present Fact
	// MinAvailable is spec.minAvailable, in pods.
	MinAvailable int
	// Observed: status.observedGeneration is the current generation, and the selector selects the guards and nothing else.
	Observed bool
	// DisruptionsAllowed is status.disruptionsAllowed, in pods.
	DisruptionsAllowed int
}

// DesiredSource tells where a desired replica count comes from.
type DesiredSource string

// The sources of Desired, as explain prints them.
const (
	DesiredFromNone      DesiredSource = "None"
	DesiredFromObserved  DesiredSource = "ObservedConfig"
	DesiredFromSet       DesiredSource = "ControlPlaneMachineSet"
	DesiredFromOverrides DesiredSource = "UnsupportedConfigOverrides"
)

// Desired is the desired number of control-plane replicas.
type Desired struct {
	// Replicas is 0 when no value was ever observed (rule R1.3).
	Replicas int
	Source   DesiredSource
}

// Known reports whether a value was ever observed.
func (d Desired) Known() bool { return d.Replicas > 0 }

// Topology is the control-plane topology of the cluster. The zero value is unknown.
type Topology string

// The topologies of Infrastructure.status.controlPlaneTopology.
const (
	TopologyUnknown        Topology = ""
	HighlyAvailable        Topology = "HighlyAvailable"
	HighlyAvailableArbiter Topology = "HighlyAvailableArbiter"
	DualReplica            Topology = "DualReplica"
	SingleReplica          Topology = "SingleReplica"
)

// BootstrapMember is the name of the temporary member that the installer's bootstrap host runs (rule R6.9).
const BootstrapMember = "etcd-bootstrap"

package reason

import "time"

// Rule is the id of a rule of docs/rules.md, such as "R6.3".
type Rule string

// The rules that decisions cite.
const (
	R1_3  Rule = "R1.3"
	R2_2  Rule = "R2.2"
	R2_3  Rule = "R2.3"
	R3    Rule = "R3"
	R4_1  Rule = "R4.1"
	R4_2  Rule = "R4.2"
	R4_3  Rule = "R4.3"
	R4_4  Rule = "R4.4"
	R4_6  Rule = "R4.6"
	R4_7  Rule = "R4.7"
	R5    Rule = "R5"
	R5_1  Rule = "R5.1"
	R5_2  Rule = "R5.2"
	R5_3  Rule = "R5.3"
	R5_5  Rule = "R5.5"
	R6    Rule = "R6"
	R6_1  Rule = "R6.1"
	R6_2  Rule = "R6.2"
	R6_3  Rule = "R6.3"
	R6_4  Rule = "R6.4"
	R6_5  Rule = "R6.5"
	R6_9  Rule = "R6.9"
	R6_10 Rule = "R6.10"
	R7_1  Rule = "R7.1"
	R7_2  Rule = "R7.2"
	R7_4  Rule = "R7.4"
	R7_5  Rule = "R7.5"
	R8_1  Rule = "R8.1"
	R8_2  Rule = "R8.2"
	R8_4  Rule = "R8.4"
	R9_5  Rule = "R9.5"
	R10_1 Rule = "R10.1"
	R10_2 Rule = "R10.2"
	R10_4 Rule = "R10.4"
	R10_5 Rule = "R10.5"
	R11   Rule = "R11"
)

// Reason is a stable CamelCase word for what is done or waited for; conditions, events, metrics and scripts show it.
type Reason string

// Facts.
const (
	MemberListUnknown    Reason = "MemberListUnknown"
	FactsContradict      Reason = "FactsContradict"
	MachineAPIUnknown    Reason = "MachineAPIUnknown"
	MachinesUnknown      Reason = "MachinesUnknown"
	NodesUnknown         Reason = "NodesUnknown"
	TopologyUnknown      Reason = "TopologyUnknown"
	ExternalEtcdUnknown  Reason = "ExternalEtcdUnknown"
	ExternalEtcdInCharge Reason = "ExternalEtcdInCharge"
	PeerURLUnreadable    Reason = "PeerURLUnreadable"
	OwnerAmbiguous       Reason = "OwnerAmbiguous"
	NodeRefContradicted  Reason = "NodeRefContradicted"
	MemberHealthUnknown  Reason = "MemberHealthUnknown"
)

// Membership: what is done.
const (
	MembershipAsExpected             Reason = "MembershipAsExpected"
	WaitingForNode                   Reason = "WaitingForNode"
	AddingLearner                    Reason = "AddingLearner"
	PromotingLearner                 Reason = "PromotingLearner"
	RemovingDeadMember               Reason = "RemovingDeadMember"
	RemovingReplacedMember           Reason = "RemovingReplacedMember"
	RemovingOrphanVoter              Reason = "RemovingOrphanVoter"
	RemovingOrphanLearner            Reason = "RemovingOrphanLearner"
	RemovingLearnerOfDeletingMachine Reason = "RemovingLearnerOfDeletingMachine"
	MemberOutOfSpace                 Reason = "MemberOutOfSpace"
	MemberCorrupt                    Reason = "MemberCorrupt"
	WaitingForAnotherChange          Reason = "WaitingForAnotherChange"
)

// Membership: removals that wait.
const (
	WaitingForBootstrap           Reason = "WaitingForBootstrap"
	WaitingForBootstrapMemberToGo Reason = "WaitingForBootstrapMemberToGo"
	DesiredReplicasUnknown        Reason = "DesiredReplicasUnknown"
	WaitingForReplacementVoter    Reason = "WaitingForReplacementVoter"
	WaitingForRemainingVoters     Reason = "WaitingForRemainingVoters"
	RevisionUnknown               Reason = "RevisionUnknown"
	VoterNodeUnknown              Reason = "VoterNodeUnknown"
	WaitingForInstall             Reason = "WaitingForInstall"
	WaitingForEndpoints           Reason = "WaitingForEndpoints"
	APIServersUnknown             Reason = "APIServersUnknown"
	WaitingForAPIServer           Reason = "WaitingForAPIServer"
	NoHealthyQuorum               Reason = "NoHealthyQuorum"
	WaitingForSecondWitness       Reason = "WaitingForSecondWitness"
	WaitingToConfirmMemberIsDead  Reason = "WaitingToConfirmMemberIsDead"
	MachineNotDeleting            Reason = "MachineNotDeleting"
	NodeOfLostMemberRemains       Reason = "NodeOfLostMemberRemains"
	AbsenceNotConfirmed           Reason = "AbsenceNotConfirmed"
	WaitingToConfirmOrphan        Reason = "WaitingToConfirmOrphan"
	HealthyOrphanVoter            Reason = "HealthyOrphanVoter"
)

// Membership: promotions and adds that wait.
const (
	WaitingForLearnerToStart   Reason = "WaitingForLearnerToStart"
	LearnerNotHealthy          Reason = "LearnerNotHealthy"
	LearnerHasAlarm            Reason = "LearnerHasAlarm"
	LearnerStalled             Reason = "LearnerStalled"
	EnoughVoters               Reason = "EnoughVoters"
	VoterNotHealthy            Reason = "VoterNotHealthy"
	NodeHasNoMachine           Reason = "NodeHasNoMachine"
	MachineDeleting            Reason = "MachineDeleting"
	MachineHasNoNode           Reason = "MachineHasNoNode"
	WaitingForHook             Reason = "WaitingForHook"
	MachineExcludedFromDrain   Reason = "MachineExcludedFromDrain"
	NodeMissing                Reason = "NodeMissing"
	NodeNotReady               Reason = "NodeNotReady"
	NodeCordoned               Reason = "NodeCordoned"
	NodeDeleting               Reason = "NodeDeleting"
	NodeHasNoAddress           Reason = "NodeHasNoAddress"
	MemberAddressChanged       Reason = "MemberAddressChanged"
	WaitingForGuard            Reason = "WaitingForGuard"
	AppliedIndexUnknown        Reason = "AppliedIndexUnknown"
	WaitingForLearnerToCatchUp Reason = "WaitingForLearnerToCatchUp"
	WaitingForEtcdPod          Reason = "WaitingForEtcdPod"
	EtcdContainerNotRunning    Reason = "EtcdContainerNotRunning"
	EtcdReadyWithoutMember     Reason = "EtcdReadyWithoutMember"
	WaitingForOtherLearner     Reason = "WaitingForOtherLearner"
	WaitingForUnstartedMember  Reason = "WaitingForUnstartedMember"
)

// Membership: changes that are decided and not made yet.
const (
	ChangeOutcomeUnknown Reason = "ChangeOutcomeUnknown"
	LeaderUnknown        Reason = "LeaderUnknown"
	LeaseNotFresh        Reason = "LeaseNotFresh"
	RefusedByEtcd        Reason = "RefusedByEtcd"
	DecidedAnew          Reason = "DecidedAnew"
)

// Hooks.
const (
	HookInPlace                     Reason = "HookInPlace"
	AddingHook                      Reason = "AddingHook"
	RepairingHook                   Reason = "RepairingHook"
	RemovingHook                    Reason = "RemovingHook"
	HookHoldsMember                 Reason = "HookHoldsMember"
	HostedMemberUnknown             Reason = "HostedMemberUnknown"
	HookStripped                    Reason = "HookStripped"
	HookStrippedFromDeletingMachine Reason = "HookStrippedFromDeletingMachine"
	MachineReleased                 Reason = "MachineReleased"
	MachineHeldByAnotherHook        Reason = "MachineHeldByAnotherHook"
	MachineHeldByCordonedNode       Reason = "MachineHeldByCordonedNode"
	MachineAPINotFunctional         Reason = "MachineAPINotFunctional"
	VoterMachineHasNoNode           Reason = "VoterMachineHasNoNode"
	VoterMachineExcludedFromDrain   Reason = "VoterMachineExcludedFromDrain"
)

// Guard.
const (
	OneDrainMayPass               Reason = "OneDrainMayPass"
	SingleReplicaNeedsNoGuard     Reason = "SingleReplicaNeedsNoGuard"
	GuardsUnknown                 Reason = "GuardsUnknown"
	BudgetUnknown                 Reason = "BudgetUnknown"
	WaitingForUpgrade             Reason = "WaitingForUpgrade"
	DrainsWaitForInstall          Reason = "DrainsWaitForInstall"
	DrainsWaitForVoter            Reason = "DrainsWaitForVoter"
	DrainsWaitForSurplusVoter     Reason = "DrainsWaitForSurplusVoter"
	DrainsWaitForMachine          Reason = "DrainsWaitForMachine"
	DrainsWaitForGuardWithoutVote Reason = "DrainsWaitForGuardWithoutVote"
	DrainsWaitForCordonedNode     Reason = "DrainsWaitForCordonedNode"
	DrainsWaitForGuard            Reason = "DrainsWaitForGuard"
	DrainsWaitForMoreVoters       Reason = "DrainsWaitForMoreVoters"
	DrainsWaitForBudget           Reason = "DrainsWaitForBudget"
	CreatingGuard                 Reason = "CreatingGuard"
	GuardInPlace                  Reason = "GuardInPlace"
	GuardDeleting                 Reason = "GuardDeleting"
	GuardWaitsForUncordon         Reason = "GuardWaitsForUncordon"
	NodeNeedsNoGuard              Reason = "NodeNeedsNoGuard"
	GuardStandsForNoMember        Reason = "GuardStandsForNoMember"
	LearnerNodeCordoned           Reason = "LearnerNodeCordoned"
	GuardOfLostVote               Reason = "GuardOfLostVote"
	GuardFinished                 Reason = "GuardFinished"
	GuardOutdated                 Reason = "GuardOutdated"
	GuardRemakeWaits              Reason = "GuardRemakeWaits"
	RefusedByAPIServer            Reason = "RefusedByAPIServer"
)

// Rollout.
const (
	RevisionMayBeCreated    Reason = "RevisionMayBeCreated"
	RevisionRepairs         Reason = "RevisionRepairs"
	SingleReplicaRollout    Reason = "SingleReplicaRollout"
	WaitingForSpareVoter    Reason = "WaitingForSpareVoter"
	WaitingForAllVoters     Reason = "WaitingForAllVoters"
	InstallingRevision      Reason = "InstallingRevision"
	InstallInFlight         Reason = "InstallInFlight"
	WaitingForBudgetToClose Reason = "WaitingForBudgetToClose"
	NodeHostsNoVoter        Reason = "NodeHostsNoVoter"
	OthersKeepQuorum        Reason = "OthersKeepQuorum"
	VoterIsDownAnyway       Reason = "VoterIsDownAnyway"
	HostedVoterUnknown      Reason = "HostedVoterUnknown"
	WaitingForOtherInstall  Reason = "WaitingForOtherInstall"
	WaitingForOtherVoters   Reason = "WaitingForOtherVoters"
	RevisionsCurrent        Reason = "RevisionsCurrent"
	WaitingForRevision      Reason = "WaitingForRevision"
)

// AtOnce is the deadline of a Reason that counts as Degraded as soon as it is found.
const AtOnce = time.Nanosecond

// Entry is what is said about a Reason.
type Entry struct {
	Reason Reason
	// Group is the heading under which docs/reasons.md lists it.
	Group string
	// Message says what is so, Unblock what would change it. {subject}, {other}, {have} and {need} stand for the fields of
	// a Finding.
	Message, Unblock string
	// DegradedAfter is how long the same finding may last before it counts as Degraded (rule R9.2); 0 means for ever.
	DegradedAfter time.Duration
}

// Entries lists every Reason once, in the order of docs/reasons.md.
var Entries = []Entry{
	{Reason: MemberListUnknown, Group: "Facts",
		Message: "etcd's member list could not be read linearizably in this pass",
		Unblock: "bring back etcd's quorum, or the operator's way to it", DegradedAfter: 10 * time.Minute},
	{Reason: FactsContradict, Group: "Facts",
		Message: "{subject} is listed twice",
		Unblock: "remove the duplicate; nothing is decided from facts that contradict each other", DegradedAfter: AtOnce},
	{Reason: MachineAPIUnknown, Group: "Facts",
		Message: "it is not known whether the Machine API works",
		Unblock: "make ClusterVersion version readable and let the Machine informer sync", DegradedAfter: 10 * time.Minute},
	{Reason: MachinesUnknown, Group: "Facts",
		Message: "the control-plane Machines could not be listed",
		Unblock: "make the Machines in openshift-machine-api readable to the operator", DegradedAfter: 10 * time.Minute},
	{Reason: NodesUnknown, Group: "Facts",
		Message: "the control-plane Nodes could not be listed",
		Unblock: "make the Nodes readable to the operator", DegradedAfter: 10 * time.Minute},
	{Reason: TopologyUnknown, Group: "Facts",
		Message: "status.controlPlaneTopology of Infrastructure cluster could not be read",
		Unblock: "make Infrastructure cluster readable and its status.controlPlaneTopology one of the known topologies", DegradedAfter: 10 * time.Minute},
	{Reason: ExternalEtcdUnknown, Group: "Facts",
		Message: "it is not known whether the etcd outside the cluster has taken over",
		Unblock: "make condition ExternalEtcdHasCompletedTransition of the etcd resource readable", DegradedAfter: 10 * time.Minute},
	{Reason: ExternalEtcdInCharge, Group: "Facts",
		Message: "the etcd outside the cluster has taken over",
		Unblock: "nothing: its own tooling manages the members now"},
	{Reason: PeerURLUnreadable, Group: "Facts",
		Message: "the peer URLs of member {subject} cannot be read, or the lists that would tell its owner were not",
		Unblock: "correct the member's peer URLs with etcdctl member update, or make Machines and Nodes readable", DegradedAfter: AtOnce},
	{Reason: OwnerAmbiguous, Group: "Facts",
		Message: "several Machines claim the address of {subject}, or name the Node that has it",
		Unblock: "give each Machine its own address and nodeRef, or delete the Machine that no longer has a host", DegradedAfter: AtOnce},
	{Reason: NodeRefContradicted, Group: "Facts",
		Message: "nodeRef {other} of Machine {subject} is doubted: another Machine has it too, and the Node is not seen to have an address of this one",
		Unblock: "correct status.nodeRef of Machine {subject}", DegradedAfter: AtOnce},
	{Reason: MemberHealthUnknown, Group: "Facts",
		Message: "{subject} counts neither as healthy nor as dead: it gave no answer that tells, or has alarm CORRUPT, or its alarms are not known",
		Unblock: "bring back its endpoint or etcd's quorum, or see to its alarm; a member is never removed on an unknown", DegradedAfter: 30 * time.Minute},
	{Reason: MembershipAsExpected, Group: "Membership: what is done",
		Message: "{have} of {need} voters are healthy and nobody waits to join or to leave",
		Unblock: "nothing"},
	{Reason: WaitingForNode, Group: "Membership: what is done",
		Message: "of {need} voters desired there are {have}, and no node waits to join",
		Unblock: "create a control-plane Machine, or let the host of the one that is there come up", DegradedAfter: 60 * time.Minute},
	{Reason: AddingLearner, Group: "Membership: what is done",
		Message: "node {subject} is added as a learner",
		Unblock: "nothing"},
	{Reason: PromotingLearner, Group: "Membership: what is done",
		Message: "learner {subject} is promoted, which makes {have} voters",
		Unblock: "nothing"},
	{Reason: RemovingDeadMember, Group: "Membership: what is done",
		Message: "{subject} is removed: its Machine {other} is deleting and it no longer answers",
		Unblock: "nothing"},
	{Reason: RemovingReplacedMember, Group: "Membership: what is done",
		Message: "{subject} is removed: its Machine {other} is deleting and the voters that remain suffice",
		Unblock: "nothing"},
	{Reason: RemovingOrphanVoter, Group: "Membership: what is done",
		Message: "{subject} is removed: it does not answer and has neither Machine nor Node",
		Unblock: "nothing"},
	{Reason: RemovingOrphanLearner, Group: "Membership: what is done",
		Message: "learner {subject} is removed: it has neither Machine nor Node",
		Unblock: "nothing"},
	{Reason: RemovingLearnerOfDeletingMachine, Group: "Membership: what is done",
		Message: "learner {subject} is removed: its Machine {other} is deleting",
		Unblock: "nothing"},
	{Reason: MemberOutOfSpace, Group: "Membership: what is done",
		Message: "{subject} has alarm NOSPACE: it accepts no writes",
		Unblock: "compact and defragment etcd, then disarm the alarm", DegradedAfter: AtOnce},
	{Reason: MemberCorrupt, Group: "Membership: what is done",
		Message: "{subject} has alarm CORRUPT and does not count as healthy",
		Unblock: "remove it with etcdctl member remove once every other voter is healthy, disarm the alarm, then delete its Machine", DegradedAfter: AtOnce},
	{Reason: WaitingForAnotherChange, Group: "Membership: what is done",
		Message: "{subject} waits for the change of {other}",
		Unblock: "nothing: one membership change at a time"},
	{Reason: WaitingForBootstrap, Group: "Membership: removals that wait",
		Message: "{subject} is not removed before bootstrap is complete",
		Unblock: "let the installation finish: ConfigMap bootstrap in kube-system must say status: complete"},
	{Reason: WaitingForBootstrapMemberToGo, Group: "Membership: removals that wait",
		Message: "{subject} is not removed while etcd-bootstrap is a member",
		Unblock: "let bootstrap teardown remove etcd-bootstrap"},
	{Reason: DesiredReplicasUnknown, Group: "Membership: removals that wait",
		Message: "the desired number of control-plane replicas is not known, so {subject} stays as it is",
		Unblock: "correct what a warning or condition names; without one, set controlPlane.replicas in key install-config of ConfigMap cluster-config-v1 in kube-system", DegradedAfter: AtOnce},
	{Reason: WaitingForReplacementVoter, Group: "Membership: removals that wait",
		Message: "without {subject}, {have} voters would remain and {need} are desired",
		Unblock: "create a replacement control-plane Machine; its member must become a voter first (a learner does not count)", DegradedAfter: 60 * time.Minute},
	{Reason: WaitingForRemainingVoters, Group: "Membership: removals that wait",
		Message: "{subject} stays while voter {other} is not healthy",
		Unblock: "make {other} healthy; if its host is lost, delete its Machine, or its Node if it has none", DegradedAfter: 60 * time.Minute},
	{Reason: RevisionUnknown, Group: "Membership: removals that wait",
		Message: "the latest static pod revision is not known, so {subject} waits",
		Unblock: "make status.latestAvailableRevision of the etcd resource greater than 0", DegradedAfter: 60 * time.Minute},
	{Reason: VoterNodeUnknown, Group: "Membership: removals that wait",
		Message: "the Node of voter {other} is not known, so {subject} waits",
		Unblock: "make the Node of {other} readable, with the member's address among its InternalIPs", DegradedAfter: 60 * time.Minute},
	{Reason: WaitingForInstall, Group: "Membership: removals that wait",
		Message: "{subject} stays until the revision on node {other} is installed and its etcd pod is ready",
		Unblock: "let the install on {other} finish; see pod etcd-{other} in openshift-etcd", DegradedAfter: 60 * time.Minute},
	{Reason: WaitingForEndpoints, Group: "Membership: removals that wait",
		Message: "{subject} stays until ConfigMap etcd-endpoints names exactly the {need} voters",
		Unblock: "nothing: the endpoints controller writes it; if it does not, see condition EtcdEndpointsDegraded", DegradedAfter: 60 * time.Minute},
	{Reason: APIServersUnknown, Group: "Membership: removals that wait",
		Message: "{subject} stays while it is not known which etcd endpoints the API servers use",
		Unblock: "make kubeapiservers.operator.openshift.io/cluster readable", DegradedAfter: 60 * time.Minute},
	{Reason: WaitingForAPIServer, Group: "Membership: removals that wait",
		Message: "{subject} stays until the API server on {other} knows {need} of the voters that would remain (it knows {have})",
		Unblock: "let the kube-apiserver roll out the new endpoints to node {other}", DegradedAfter: 60 * time.Minute},
	{Reason: NoHealthyQuorum, Group: "Membership: removals that wait",
		Message: "{subject} stays while {have} voters are healthy and quorum is {need}",
		Unblock: "bring back voters until {need} are healthy", DegradedAfter: 10 * time.Minute},
	{Reason: WaitingForSecondWitness, Group: "Membership: removals that wait",
		Message: "{subject} does not answer the operator, but nothing else says that it is down",
		Unblock: "if its host is lost, wait until Node {other} is NotReady; else repair the operator's way to it", DegradedAfter: 30 * time.Minute},
	{Reason: WaitingToConfirmMemberIsDead, Group: "Membership: removals that wait",
		Message: "{subject} does not answer; it counts as dead after {need} seconds without a break",
		Unblock: "nothing, or bring it back"},
	{Reason: MachineNotDeleting, Group: "Membership: removals that wait",
		Message: "{subject} is not healthy, and its Machine {other} is not deleting",
		Unblock: "bring the host back, or delete Machine {other} to have the member replaced", DegradedAfter: 30 * time.Minute},
	{Reason: NodeOfLostMemberRemains, Group: "Membership: removals that wait",
		Message: "{subject} is not healthy and has no Machine, but its Node {other} still exists",
		Unblock: "delete Node {other} if its host is lost, or bring the host back", DegradedAfter: 5 * time.Minute},
	{Reason: AbsenceNotConfirmed, Group: "Membership: removals that wait",
		Message: "{subject} is not healthy and has no Machine, but it is not confirmed that no Node has its address",
		Unblock: "make Nodes and Machines readable to the operator", DegradedAfter: 30 * time.Minute},
	{Reason: WaitingToConfirmOrphan, Group: "Membership: removals that wait",
		Message: "{subject} has neither Machine nor Node; it is removed after {need} seconds without one",
		Unblock: "nothing, or bring back its Node"},
	{Reason: HealthyOrphanVoter, Group: "Membership: removals that wait",
		Message: "{subject} is a healthy voter without Machine and Node, and blocks drains",
		Unblock: "remove it with etcdctl member remove if it is not wanted, or give its host a Node", DegradedAfter: AtOnce},
	{Reason: WaitingForLearnerToStart, Group: "Membership: promotions and adds that wait",
		Message: "learner {subject} has not started",
		Unblock: "see the etcd pod of its node in openshift-etcd", DegradedAfter: 5 * time.Minute},
	{Reason: LearnerNotHealthy, Group: "Membership: promotions and adds that wait",
		Message: "learner {subject} is not healthy",
		Unblock: "bring it back; if its host is lost, delete its Machine, or its Node if it has none", DegradedAfter: 5 * time.Minute},
	{Reason: LearnerHasAlarm, Group: "Membership: promotions and adds that wait",
		Message: "learner {subject} has an alarm, or its alarms are not known",
		Unblock: "free disk space and disarm the alarm with etcdctl alarm disarm", DegradedAfter: 10 * time.Minute},
	{Reason: LearnerStalled, Group: "Membership: promotions and adds that wait",
		Message: "learner {subject} has made no progress for 5 minutes",
		Unblock: "see the etcd pod of its node; delete its Machine to start over", DegradedAfter: AtOnce},
	{Reason: EnoughVoters, Group: "Membership: promotions and adds that wait",
		Message: "learner {subject} waits: there are {have} voters and at most {need} are allowed",
		Unblock: "delete a Machine whose member is to go; nothing if this one is spare"},
	{Reason: VoterNotHealthy, Group: "Membership: promotions and adds that wait",
		Message: "{subject} waits while voter {other} is not healthy",
		Unblock: "bring {other} back; if its host is lost, delete its Machine, or its Node if it has none", DegradedAfter: 30 * time.Minute},
	{Reason: NodeHasNoMachine, Group: "Membership: promotions and adds that wait",
		Message: "{subject} has no Machine although the Machine API works",
		Unblock: "create a Machine for it, or remove its Node", DegradedAfter: 30 * time.Minute},
	{Reason: MachineDeleting, Group: "Membership: promotions and adds that wait",
		Message: "{subject} gets no vote: its Machine {other} is deleting",
		Unblock: "nothing: create another Machine if a member is missing"},
	{Reason: MachineHasNoNode, Group: "Membership: promotions and adds that wait",
		Message: "{subject} gets no vote: its Machine {other} has no nodeRef, so the Machine API would ignore the hook",
		Unblock: "let the nodelink controller link Machine {other} with its Node", DegradedAfter: 30 * time.Minute},
	{Reason: WaitingForHook, Group: "Membership: promotions and adds that wait",
		Message: "{subject} gets no vote until Machine {other} carries the hook EtcdQuorumOperator",
		Unblock: "nothing: the hook is written next; if it does not stay, see who strips it", DegradedAfter: 10 * time.Minute},
	{Reason: MachineExcludedFromDrain, Group: "Membership: promotions and adds that wait",
		Message: "{subject} gets no vote: Machine {other} is excluded from draining, so the Machine API would ignore the hook",
		Unblock: "remove annotation machine.openshift.io/exclude-node-draining from Machine {other}", DegradedAfter: 10 * time.Minute},
	{Reason: NodeMissing, Group: "Membership: promotions and adds that wait",
		Message: "the Node of {subject} does not exist or could not be read",
		Unblock: "bring its Node back", DegradedAfter: 30 * time.Minute},
	{Reason: NodeNotReady, Group: "Membership: promotions and adds that wait",
		Message: "node {subject} is not Ready",
		Unblock: "bring node {subject} back", DegradedAfter: 30 * time.Minute},
	{Reason: NodeCordoned, Group: "Membership: promotions and adds that wait",
		Message: "node {subject} is cordoned",
		Unblock: "uncordon node {subject}", DegradedAfter: 60 * time.Minute},
	{Reason: NodeDeleting, Group: "Membership: promotions and adds that wait",
		Message: "node {subject} is being deleted",
		Unblock: "nothing"},
	{Reason: NodeHasNoAddress, Group: "Membership: promotions and adds that wait",
		Message: "node {subject} has no InternalIP of the cluster's address family",
		Unblock: "give Node {subject} an InternalIP in status.addresses", DegradedAfter: AtOnce},
	{Reason: MemberAddressChanged, Group: "Membership: promotions and adds that wait",
		Message: "member {other} belongs to node {subject}, but none of its peer URLs has an address of the node",
		Unblock: "a changed address means remove, then add: delete the node's Machine, or give the node its address back", DegradedAfter: AtOnce},
	{Reason: WaitingForGuard, Group: "Membership: promotions and adds that wait",
		Message: "learner {subject} waits until its guard pod is ready on node {other}",
		Unblock: "see pod etcd-guard-{other} in openshift-etcd", DegradedAfter: 10 * time.Minute},
	{Reason: AppliedIndexUnknown, Group: "Membership: promotions and adds that wait",
		Message: "learner {subject} waits: {other} did not tell how far it is",
		Unblock: "make the status of {other} readable", DegradedAfter: 10 * time.Minute},
	{Reason: WaitingForLearnerToCatchUp, Group: "Membership: promotions and adds that wait",
		Message: "learner {subject} is more than {need} entries behind the highest voter",
		Unblock: "nothing: it catches up by itself"},
	{Reason: WaitingForEtcdPod, Group: "Membership: promotions and adds that wait",
		Message: "node {subject} has no etcd pod yet",
		Unblock: "see the installer pods of node {subject} in openshift-etcd", DegradedAfter: 30 * time.Minute},
	{Reason: EtcdContainerNotRunning, Group: "Membership: promotions and adds that wait",
		Message: "the etcd container on node {subject} is not running",
		Unblock: "see pod etcd-{subject} in openshift-etcd", DegradedAfter: 30 * time.Minute},
	{Reason: EtcdReadyWithoutMember, Group: "Membership: promotions and adds that wait",
		Message: "the etcd container on node {subject} is ready, or its readiness is not known, although no member has its address",
		Unblock: "see pod etcd-{subject} in openshift-etcd: it must wait to be added", DegradedAfter: 30 * time.Minute},
	{Reason: WaitingForOtherLearner, Group: "Membership: promotions and adds that wait",
		Message: "node {subject} waits: learner {other} joins first",
		Unblock: "nothing: one learner at a time"},
	{Reason: WaitingForUnstartedMember, Group: "Membership: promotions and adds that wait",
		Message: "node {subject} waits: member {other} has not started",
		Unblock: "see the etcd pod of {other}", DegradedAfter: 10 * time.Minute},
	{Reason: ChangeOutcomeUnknown, Group: "Membership: changes that are decided and not made yet",
		Message: "the change of {subject} waits: whether an earlier change was made is not known",
		Unblock: "nothing: it is known when two member lists, 10 seconds apart, agree", DegradedAfter: 10 * time.Minute},
	{Reason: LeaderUnknown, Group: "Membership: changes that are decided and not made yet",
		Message: "the promotion of {subject} waits: the voters do not agree who leads, or the leader does not answer",
		Unblock: "nothing: etcd elects a leader", DegradedAfter: 10 * time.Minute},
	{Reason: LeaseNotFresh, Group: "Membership: changes that are decided and not made yet",
		Message: "the change of {subject} waits: the operator's leader lease could not be confirmed",
		Unblock: "make the operator's Lease in openshift-etcd-operator readable", DegradedAfter: 10 * time.Minute},
	{Reason: RefusedByEtcd, Group: "Membership: changes that are decided and not made yet",
		Message: "etcd does not change {subject} yet: {other}",
		Unblock: "nothing: it is asked again", DegradedAfter: 30 * time.Minute},
	{Reason: DecidedAnew, Group: "Membership: changes that are decided and not made yet",
		Message: "the change of {subject} is decided anew: {other}",
		Unblock: "nothing: the next pass decides; if it lasts, the API server or etcd is slow, or its members disagree", DegradedAfter: 10 * time.Minute},
	{Reason: HookInPlace, Group: "Hooks",
		Message: "Machine {subject} carries the hook",
		Unblock: "nothing"},
	{Reason: AddingHook, Group: "Hooks",
		Message: "Machine {subject} gets the hook",
		Unblock: "nothing"},
	{Reason: RepairingHook, Group: "Hooks",
		Message: "the hook of Machine {subject} has a wrong owner and is repaired",
		Unblock: "nothing"},
	{Reason: RemovingHook, Group: "Hooks",
		Message: "Machine {subject} hosts no member any more and loses the hook",
		Unblock: "nothing"},
	{Reason: HookHoldsMember, Group: "Hooks",
		Message: "Machine {subject} is deleting and keeps the hook: member {other} lives on it",
		Unblock: "see what the removal of {other} waits for"},
	{Reason: HostedMemberUnknown, Group: "Hooks",
		Message: "Machine {subject} is deleting and keeps the hook: it is not known whether it hosts a member",
		Unblock: "bring back etcd's quorum, or make the addresses of Machine {subject} and of every member readable", DegradedAfter: 30 * time.Minute},
	{Reason: HookStripped, Group: "Hooks",
		Message: "somebody keeps removing the hook from Machine {subject}; it is written again after a pause",
		Unblock: "make the tool that manages Machine {subject} leave spec.lifecycleHooks alone", DegradedAfter: AtOnce},
	{Reason: HookStrippedFromDeletingMachine, Group: "Hooks",
		Message: "a person removed the hook from deleting Machine {subject}, which hosts {other}; it is not added again",
		Unblock: "nothing: if that was meant, the node is drained as soon as the guards' budget allows it, whether or not the member has gone by then"},
	{Reason: MachineReleased, Group: "Hooks",
		Message: "Machine {subject} is deleting and etcd no longer holds it",
		Unblock: "nothing"},
	{Reason: MachineHeldByAnotherHook, Group: "Hooks",
		Message: "Machine {subject} is deleting and etcd no longer holds it, but the {other} does",
		Unblock: "ask the owner of that hook"},
	{Reason: MachineHeldByCordonedNode, Group: "Hooks",
		Message: "Machine {subject} is deleting and etcd no longer holds it, but the Machine API drains no second control-plane node while node {other} is cordoned",
		Unblock: "finish the work on node {other} and uncordon it"},
	{Reason: MachineAPINotFunctional, Group: "Hooks",
		Message: "the Machine API does not manage this control plane, so Machine {subject} is left alone",
		Unblock: "nothing"},
	{Reason: VoterMachineHasNoNode, Group: "Hooks",
		Message: "voter {other} lives on Machine {subject}, which has no nodeRef: the Machine API ignores the hook",
		Unblock: "let the nodelink controller link the Machine with its Node", DegradedAfter: AtOnce},
	{Reason: VoterMachineExcludedFromDrain, Group: "Hooks",
		Message: "voter {other} lives on Machine {subject}, which is excluded from draining: the Machine API ignores the hook",
		Unblock: "remove annotation machine.openshift.io/exclude-node-draining from the Machine", DegradedAfter: AtOnce},
	{Reason: OneDrainMayPass, Group: "Guard",
		Message: "{have} guards are ready and {need} must stay, so a drain may pass",
		Unblock: "nothing"},
	{Reason: SingleReplicaNeedsNoGuard, Group: "Guard",
		Message: "a single replica has no guard and no budget",
		Unblock: "nothing"},
	{Reason: GuardsUnknown, Group: "Guard",
		Message: "the guard pods or the member list could not be read, so nothing is deleted",
		Unblock: "make the pods of openshift-etcd readable and etcd's quorum available", DegradedAfter: 10 * time.Minute},
	{Reason: BudgetUnknown, Group: "Guard",
		Message: "PodDisruptionBudget etcd-guard-pdb could not be read",
		Unblock: "make it readable to the operator", DegradedAfter: 10 * time.Minute},
	{Reason: WaitingForUpgrade, Group: "Guard",
		Message: "ClusterOperator etcd reports another version than this operator's, so no guard is deleted and the budget is not lowered",
		Unblock: "let the upgrade finish"},
	{Reason: DrainsWaitForInstall, Group: "Guard",
		Message: "drains wait while node {subject} takes a new revision",
		Unblock: "nothing: the budget opens when its member answers again", DegradedAfter: 30 * time.Minute},
	{Reason: DrainsWaitForVoter, Group: "Guard",
		Message: "drains wait: voter {subject} is not healthy",
		Unblock: "bring {subject} back; if its host is lost, delete its Machine, or its Node if it has none", DegradedAfter: 30 * time.Minute},
	{Reason: DrainsWaitForSurplusVoter, Group: "Guard",
		Message: "drains wait until the voter of deleting Machine {subject} is removed",
		Unblock: "see what its removal waits for", DegradedAfter: 30 * time.Minute},
	{Reason: DrainsWaitForMachine, Group: "Guard",
		Message: "drains wait: Machine {subject} hosts no voter yet",
		Unblock: "let Machine {subject} get its node and its member, or, if nobody wants it, delete it; one that is deleting already waits for its hook to go", DegradedAfter: 30 * time.Minute},
	{Reason: DrainsWaitForGuardWithoutVote, Group: "Guard",
		Message: "drains wait: no healthy vote stands behind the guard on node {subject}, ready or not",
		Unblock: "bring back the member on {subject}; the guard of a node that hosts none goes by itself", DegradedAfter: 30 * time.Minute},
	{Reason: DrainsWaitForCordonedNode, Group: "Guard",
		Message: "drains wait: node {subject} is cordoned by somebody and its guard is away",
		Unblock: "finish the work on node {subject} and uncordon it", DegradedAfter: 60 * time.Minute},
	{Reason: DrainsWaitForGuard, Group: "Guard",
		Message: "drains wait: the guard on node {subject} is missing or not ready",
		Unblock: "see pod etcd-guard-{subject} in openshift-etcd", DegradedAfter: 30 * time.Minute},
	{Reason: DrainsWaitForMoreVoters, Group: "Guard",
		Message: "drains wait: of {have} voters none can be spared; {need} would do",
		Unblock: "create a replacement control-plane Machine", DegradedAfter: 30 * time.Minute},
	{Reason: DrainsWaitForBudget, Group: "Guard",
		Message: "drains wait: {have} guards are ready and {need} must stay",
		Unblock: "nothing: the budget follows the members", DegradedAfter: 30 * time.Minute},
	{Reason: CreatingGuard, Group: "Guard",
		Message: "node {subject} gets a guard",
		Unblock: "nothing"},
	{Reason: GuardInPlace, Group: "Guard",
		Message: "the guard on node {subject} stands for its member",
		Unblock: "nothing"},
	{Reason: GuardDeleting, Group: "Guard",
		Message: "the guard on node {subject} is being deleted",
		Unblock: "nothing"},
	{Reason: GuardWaitsForUncordon, Group: "Guard",
		Message: "node {subject} gets no guard while it is cordoned",
		Unblock: "uncordon node {subject}"},
	{Reason: NodeNeedsNoGuard, Group: "Guard",
		Message: "node {subject} hosts neither a voter nor a learner that stays",
		Unblock: "nothing"},
	{Reason: GuardStandsForNoMember, Group: "Guard",
		Message: "the guard on node {subject} is deleted: no voter and no learner that stays lives there",
		Unblock: "nothing"},
	{Reason: LearnerNodeCordoned, Group: "Guard",
		Message: "the guard on node {subject} is deleted: its learner has no vote and the node is cordoned",
		Unblock: "nothing"},
	{Reason: GuardOfLostVote, Group: "Guard",
		Message: "the guard on node {subject} is deleted: its voter does not answer and the node is cordoned",
		Unblock: "nothing"},
	{Reason: GuardFinished, Group: "Guard",
		Message: "the guard on node {subject} has ended and is made anew",
		Unblock: "nothing"},
	{Reason: GuardOutdated, Group: "Guard",
		Message: "the guard on node {subject} is not as wanted and is made anew",
		Unblock: "nothing"},
	{Reason: GuardRemakeWaits, Group: "Guard",
		Message: "the guard on node {subject} is not as wanted and waits to be made anew",
		Unblock: "nothing: one at a time, while the others are ready"},
	{Reason: RefusedByAPIServer, Group: "Guard",
		Message: "the API server refuses {subject}: {other}",
		Unblock: "see ResourceQuotas, LimitRanges, the Pod Security level and admission webhooks of openshift-etcd", DegradedAfter: AtOnce},
	{Reason: RevisionMayBeCreated, Group: "Rollout",
		Message: "{have} of {need} voters are healthy, so a revision may be created",
		Unblock: "nothing"},
	{Reason: RevisionRepairs, Group: "Rollout",
		Message: "a revision may be created: node {subject} waits for a pod or for a newer revision",
		Unblock: "nothing"},
	{Reason: SingleReplicaRollout, Group: "Rollout",
		Message: "a single replica rolls without a gate",
		Unblock: "nothing"},
	{Reason: WaitingForSpareVoter, Group: "Rollout",
		Message: "no revision is created while {have} voters are healthy: it takes {need} to spare one",
		Unblock: "bring back voters until {need} are healthy", DegradedAfter: 60 * time.Minute},
	{Reason: WaitingForAllVoters, Group: "Rollout",
		Message: "{have} of {need} voters are healthy and this topology can spare none",
		Unblock: "bring back every voter", DegradedAfter: 60 * time.Minute},
	{Reason: InstallingRevision, Group: "Rollout",
		Message: "node {subject} takes revision {have} next",
		Unblock: "nothing"},
	{Reason: InstallInFlight, Group: "Rollout",
		Message: "node {subject} is taking the latest revision",
		Unblock: "nothing"},
	{Reason: WaitingForBudgetToClose, Group: "Rollout",
		Message: "node {subject} takes its revision once no drain can begin",
		Unblock: "nothing: the disruption budget is being closed", DegradedAfter: 10 * time.Minute},
	{Reason: NodeHostsNoVoter, Group: "Rollout",
		Message: "node {subject} hosts no voter and may take a revision at any time",
		Unblock: "nothing"},
	{Reason: OthersKeepQuorum, Group: "Rollout",
		Message: "node {subject} may take a revision: the other voters keep quorum",
		Unblock: "nothing"},
	{Reason: VoterIsDownAnyway, Group: "Rollout",
		Message: "node {subject} may take a revision: its voter is down",
		Unblock: "nothing"},
	{Reason: HostedVoterUnknown, Group: "Rollout",
		Message: "it is not known whether node {subject} hosts a voter",
		Unblock: "bring back etcd's quorum, or make the Nodes of all voters readable", DegradedAfter: 30 * time.Minute},
	{Reason: WaitingForOtherInstall, Group: "Rollout",
		Message: "node {subject} waits until the install on {other} is finished",
		Unblock: "let the install on {other} finish", DegradedAfter: 60 * time.Minute},
	{Reason: WaitingForOtherVoters, Group: "Rollout",
		Message: "node {subject} waits: {have} healthy voters on other nodes would stay, and quorum is {need}",
		Unblock: "bring back or uncordon the other nodes", DegradedAfter: 60 * time.Minute},
	{Reason: RevisionsCurrent, Group: "Rollout",
		Message: "every node runs revision {have}",
		Unblock: "nothing"},
	{Reason: WaitingForRevision, Group: "Rollout",
		Message: "not every node runs revision {have} yet",
		Unblock: "nothing"},
}

package quorumguard_test

import (
	"slices"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const (
	a, b, c, d, e, f, g = world.A, world.B, world.C, world.D, world.E, world.F, world.Host("g")

	create, remove = quorumguard.PodCreate, quorumguard.PodDelete

	justBelow = -time.Nanosecond
)

var cases = slices.Concat(scalingCases, formulaCases, podCases, unknownCases, mutantCases)

// scalingCases are the rows of the list of situations that hurt people; the id of the row is in the name.
var scalingCases = []testCase{
	{
		name:  "G1 guards of members that are gone are deleted, so that two drains do not wait for each other",
		world: edits(world.Voter(d, e), world.Released(a, b), world.MemberGone(a, b), world.Cordoned(a, b)),
		min:   2,
		pods: lines(
			does(remove, a, reason.R7_4, reason.GuardStandsForNoMember),
			does(remove, b, reason.R7_4, reason.GuardStandsForNoMember),
		),
	},
	{
		name:  "G13 the ready guard of a voter that is cut off stands for no vote",
		world: edits(world.Unhealthy(a, time.Second)),
		min:   3,
		holds: holds(reason.DrainsWaitForVoter, "node-a", reason.DrainsWaitForGuardWithoutVote, "node-a"),
	},
	{
		name:  "G14 no guard is made on a node that is cordoned",
		world: edits(world.Cordoned(b), world.GuardGone(b)),
		min:   2,
		pods:  lines(refuses(create, b, reason.R7_1, reason.GuardWaitsForUncordon)),
		holds: holds(reason.DrainsWaitForCordonedNode, "node-b"),
	},
	{
		name:  "G14 the guard is made once the node is uncordoned",
		world: edits(world.GuardGone(b)),
		min:   2,
		pods:  lines(does(create, b, reason.R7_1, reason.CreatingGuard)),
		holds: holds(reason.DrainsWaitForGuard, "node-b"),
	},
	{
		name:  "G15 a guard that failed with its node's shutdown is made anew",
		world: edits(ended(b)),
		min:   2,
		pods:  lines(does(remove, b, reason.R7_4, reason.GuardFinished)),
		holds: holds(reason.DrainsWaitForGuard, "node-b"),
	},
	{
		name:  "G2 a new machine without a node holds drains back",
		world: edits(world.NewMachine(d)),
		min:   3,
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name: "G3 during an upgrade no guard is deleted and the budget is not lowered",
		world: edits(world.Voter(d, e), world.Released(a, b), world.MemberGone(a, b), world.Cordoned(a, b), budget(3),
			version(snapshot.False)),
		min: 3,
		pods: lines(
			refuses(remove, a, reason.R7_5, reason.WaitingForUpgrade),
			refuses(remove, b, reason.R7_5, reason.WaitingForUpgrade),
		),
		says:  finding(reason.R7_5, reason.WaitingForUpgrade),
		holds: holds(reason.WaitingForUpgrade, "", reason.DrainsWaitForBudget, ""),
	},
	{
		name:  "G3 during an upgrade the budget is raised and guards are made",
		world: edits(world.NewMachine(d), world.GuardGone(b), version(snapshot.False)),
		min:   3,
		pods:  lines(does(create, b, reason.R7_1, reason.CreatingGuard)),
		says:  finding(reason.R7_5, reason.WaitingForUpgrade),
		holds: holds(reason.DrainsWaitForMachine, "machine-d", reason.DrainsWaitForGuard, "node-b"),
	},
	{
		name: "G6 a single replica has neither guard nor budget",
		world: edits(world.MemberGone(b, c), world.NodeGone(b), world.NodeGone(c), world.MachineGone(b), world.MachineGone(c),
			world.Desired(1), topology(snapshot.SingleReplica)),
		deletesBudget: true,
		pods:          lines(does(remove, a, reason.R7_5, reason.SingleReplicaNeedsNoGuard)),
		says:          finding(reason.R7_5, reason.SingleReplicaNeedsNoGuard),
	},
	{
		name:  "G7 no drain passes while a surplus voter waits to be removed",
		world: edits(world.Voter(d), world.Deleting(a)),
		min:   4,
		holds: holds(reason.DrainsWaitForSurplusVoter, "machine-a"),
	},
	{
		name:  "G7 no drain passes while the machine of a removed voter still has the hook",
		world: edits(world.Voter(d), world.Deleting(a), world.MemberGone(a)),
		min:   3,
		pods:  lines(does(remove, a, reason.R7_4, reason.GuardStandsForNoMember)),
		holds: holds(reason.DrainsWaitForMachine, "machine-a"),
	},
	{
		name:  "G7 a drain passes once the voter is removed and the hook dropped",
		world: edits(world.Voter(d), world.Released(a), world.MemberGone(a)),
		min:   2,
		pods:  lines(does(remove, a, reason.R7_4, reason.GuardStandsForNoMember)),
	},
	{
		name:  "G12 the guard of a removed voter that is still ready does not let a second drain pass",
		world: edits(world.Voter(d), world.Released(a), world.MemberGone(a), ready(a)),
		min:   3,
		pods:  lines(does(remove, a, reason.R7_4, reason.GuardStandsForNoMember)),
	},
	{
		name:  "G8 after the removal of a dead voter neither of the two left may be drained",
		world: edits(world.MemberGone(a), world.NodeGone(a), world.MachineGone(a)),
		min:   2,
		holds: holds(reason.DrainsWaitForMoreVoters, ""),
	},
	{
		name:  "G9 the ready guard of a learner stands for no vote",
		world: edits(world.MemberGone(a), world.NodeGone(a), world.MachineGone(a), world.Learner(d)),
		min:   3,
		holds: holds(reason.DrainsWaitForMachine, "machine-d", reason.DrainsWaitForGuardWithoutVote, "node-d",
			reason.DrainsWaitForMoreVoters, ""),
	},
	{
		name:  "G10 a fifth machine, which will never vote, does not block drains of four voters",
		world: edits(world.Voter(d), world.Waiting(e), budget(3)),
		min:   3,
	},
	{
		name:  "G11 no drain passes while a voter whose hook was stripped is surplus",
		world: edits(world.Released(a), world.Voter(d)),
		min:   4,
		holds: holds(reason.DrainsWaitForSurplusVoter, "machine-a"),
	},
	{
		name:  "V2 no guard is deleted and drains wait while the Machines are not listed: 2, and 3 guards of unknown votes = 5",
		world: edits(budget(3), world.Facts(func(s *snapshot.Snapshot) { s.MachineAPI, s.MachineList = snapshot.Unknown, snapshot.Unknown })),
		min:   5,
		says:  finding(reason.R7_5, reason.MachineAPIUnknown),
		pods: lines(
			refuses(remove, a, reason.R7_5, reason.MachineAPIUnknown),
			refuses(remove, b, reason.R7_5, reason.MachineAPIUnknown),
			refuses(remove, c, reason.R7_5, reason.MachineAPIUnknown),
		),
		holds: holds(reason.DrainsWaitForGuardWithoutVote, "node-a", reason.DrainsWaitForGuardWithoutVote, "node-b",
			reason.DrainsWaitForGuardWithoutVote, "node-c"),
	},
	{
		name:  "V4 arbiter machines count",
		world: edits(world.NewMachine(d), topology(snapshot.HighlyAvailableArbiter)),
		min:   3,
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "S8 three machines deleting at once hold drains back until the surplus voter goes",
		world: edits(world.Deleting(a, b, c), world.Voter(d)),
		min:   4,
		holds: holds(reason.DrainsWaitForSurplusVoter, "machine-a"),
	},
}

// formulaCases are rule R7.2: minAvailable = max( min( max(machines, voters), max(voters, desired+1) ) - 1, quorum ) and
// what is added to it. The numbers beside each are worked out by hand.
var formulaCases = []testCase{
	{
		name:    "R7.2 three machines, three voters: 3-1 = 2",
		world:   edits(),
		min:     2,
		message: "3 guards are ready and 2 must stay, so a drain may pass",
	},
	{
		name:  "R7.2 three machines, two voters: min(3, 4)-1 = 2",
		world: edits(world.MemberGone(c), world.GuardGone(c)),
		min:   2,
		holds: holds(reason.DrainsWaitForMachine, "machine-c", reason.DrainsWaitForMoreVoters, ""),
	},
	{
		name:  "R7.2 five machines, five voters, five desired: min(5, 6)-1 = 4",
		world: edits(world.Voter(d, e), world.Desired(5)),
		min:   4,
	},
	{
		name:  "R7.2 six machines, five voters, five desired: min(6, 6)-1 = 5",
		world: edits(world.Voter(d, e), world.NewMachine(f), world.Desired(5)),
		min:   5,
		holds: holds(reason.DrainsWaitForMachine, "machine-f"),
	},
	{
		name:  "R7.2 seven machines, five voters, five desired: min(7, 6)-1 = 5",
		world: edits(world.Voter(d, e), world.NewMachine(f, g), world.Desired(5)),
		min:   5,
		holds: holds(reason.DrainsWaitForMachine, "machine-f", reason.DrainsWaitForMachine, "machine-g"),
	},
	{
		name:  "R7.2 two machines, three voters: max(2, 3)-1 = 2",
		world: edits(world.MachineGone(a)),
		min:   2,
	},
	{
		name:  "R7.2 one machine, one voter: 1-1 = 0, and quorum(1) = 1",
		world: edits(world.MemberGone(b, c), world.NodeGone(b), world.NodeGone(c), world.MachineGone(b), world.MachineGone(c)),
		min:   1,
		holds: holds(reason.DrainsWaitForMoreVoters, ""),
	},
	{
		name:  "R7.2 three machines, one voter: min(3, 4)-1 = 2",
		world: edits(world.MemberGone(b, c), world.GuardGone(b, c)),
		min:   2,
		holds: holds(reason.DrainsWaitForMachine, "machine-b", reason.DrainsWaitForMachine, "machine-c",
			reason.DrainsWaitForMoreVoters, ""),
	},
	{
		name:  "R7.2 four machines, four voters, three desired: min(4, 4)-1 = 3",
		world: edits(world.Voter(d)),
		min:   3,
	},
	{
		name:  "R7.2 five machines, one of them deleting without a member, four voters: min(5, 4)-1 = 3",
		world: edits(world.Voter(d), world.NewMachine(e), world.Deleting(e)),
		min:   3,
	},
	{
		name:  "R7.2 a deleting machine among exactly the desired voters: 3-1 = 2",
		world: edits(world.Deleting(a)),
		min:   2,
	},
	{
		name:  "R7.2 five voters, three desired, one leaving: at least all 5",
		world: edits(world.Voter(d, e), world.Deleting(a)),
		min:   5,
		holds: holds(reason.DrainsWaitForSurplusVoter, "machine-a"),
	},
	{
		name:  "R7.2 a surplus learner's machine that is deleting holds nothing back: 4-1 = 3",
		world: edits(world.Voter(d), world.Learner(e), world.Deleting(e), world.GuardGone(e)),
		min:   3,
		pods:  lines(keeps(quorumguard.PodNone, e, reason.R7_1, reason.NodeNeedsNoGuard)),
	},
	{
		name:  "R7.2 a failed machine that never had a node does not count: 3-1 = 2",
		world: edits(world.NewMachine(d), failed(d)),
		min:   2,
	},
	{
		name:  "R7.2 a failed machine that had a node counts: min(4, 4)-1 = 3",
		world: edits(world.NewMachine(d), failed(d), world.Machine(d, func(m *snapshot.Machine) { m.NodeRef = "node-d" })),
		min:   3,
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.2 a machine deleting with the hook counts although it hosts no member: min(4, 4)-1 = 3",
		world: edits(world.NewMachine(d), world.Deleting(d)),
		min:   3,
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.2 a machine deleting without the hook that hosts no member does not count: 3-1 = 2",
		world: edits(world.NewMachine(d), world.Released(d)),
		min:   2,
	},
	{
		name:  "R7.2 a machine deleting without the hook that hosts a voter counts: 3-1 = 2",
		world: edits(world.Released(a)),
		min:   2,
	},
	{
		name: "R7.2 a machine deleting without the hook counts while it is unknown whether it hosts a member: min(4, 4)-1 = 3",
		world: edits(world.NewMachine(d), world.Released(d), noAddress(d), world.Machine(d, func(m *snapshot.Machine) { m.NodeRef = "node-d" }),
			world.MachineGone(c)),
		min: 2,
	},
	{
		name:  "R7.2 without a functional Machine API the nodes count: 4-1 = 3",
		world: edits(world.NewNode(d), world.NoMachineAPI()),
		min:   3,
		holds: holds(reason.DrainsWaitForBudget, ""),
	},
	{
		name:  "R7.2 without a functional Machine API other nodes do not count: 3-1 = 2",
		world: edits(world.NewNode(d), world.NoMachineAPI(), world.Node(d, func(n *snapshot.Node) { n.ControlPlane = false })),
		min:   2,
	},
	{
		name:  "R7.2 once an external etcd has taken over, two nodes: 2-1 = 1",
		world: edits(twoNodes(snapshot.True), budget(1)),
		min:   1,
	},
	{
		name:  "R7.2 before an external etcd takes over, two nodes and two voters: quorum(2) = 2",
		world: edits(twoNodes(snapshot.False)),
		min:   2,
		holds: holds(reason.DrainsWaitForMoreVoters, ""),
	},
	{
		name:  "R7.2 the guard of an unhealthy voter that is not ready adds nothing: 3-1 = 2",
		world: edits(world.HostDead(a, time.Second)),
		min:   2,
		holds: holds(reason.DrainsWaitForVoter, "node-a", reason.DrainsWaitForGuard, "node-a"),
	},
	{
		name:  "R7.2 the ready guard of a voter of unknown health adds one: 2+1 = 3",
		world: edits(world.Member(a, func(m *snapshot.Member) { m.Health = snapshot.HealthUnknown })),
		min:   3,
		holds: holds(reason.DrainsWaitForVoter, "node-a", reason.DrainsWaitForGuardWithoutVote, "node-a"),
	},
	{
		name:  "R7.2 the ready guard of a voter with alarm CORRUPT adds one: 2+1 = 3",
		world: edits(world.Member(a, func(m *snapshot.Member) { m.Corrupt = snapshot.True })),
		min:   3,
		holds: holds(reason.DrainsWaitForVoter, "node-a", reason.DrainsWaitForGuardWithoutVote, "node-a"),
	},
	{
		name:  "R7.2 a ready guard without a vote that is being deleted adds nothing: 3-1 = 2",
		world: edits(world.Voter(d), world.Released(a), world.MemberGone(a), ready(a), deleted(a)),
		min:   2,
		pods:  lines(keeps(quorumguard.PodKeep, a, reason.R7_1, reason.GuardDeleting)),
	},
	{
		name:  "R7.2 guards without a vote come on top of a surplus voter: 4+1 = 5",
		world: edits(world.Voter(d), world.Deleting(a), world.Unhealthy(b, time.Second)),
		min:   5,
		holds: holds(reason.DrainsWaitForVoter, "node-b", reason.DrainsWaitForSurplusVoter, "machine-a",
			reason.DrainsWaitForGuardWithoutVote, "node-b"),
	},
	{
		name:  "R8.2 while a node takes a revision the budget is closed: 3 guards + 1 = 4",
		world: edits(planned(b)),
		min:   4,
		says:  finding(reason.R8_2, reason.DrainsWaitForInstall),
		holds: holds(reason.DrainsWaitForInstall, "node-b"),
	},
	{
		name:  "R1.3 the budget is not lowered while no desired number was ever observed",
		world: edits(world.NewMachine(d), world.Desired(0), budget(3)),
		min:   3,
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.2 a budget that is missing is made",
		world: edits(world.Facts(func(s *snapshot.Snapshot) { s.Budget = snapshot.Budget{Present: snapshot.False} })),
		min:   2,
		sets:  true,
	},
}

// podCases are rules R7.1 and R7.4.
var podCases = []testCase{
	{
		name:  "R7.1 a started learner gets a guard",
		world: edits(world.Learner(d), world.GuardGone(d)),
		min:   3,
		pods:  lines(does(create, d, reason.R7_1, reason.CreatingGuard)),
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.1 a learner that has not started gets no guard",
		world: edits(world.Learner(d), unstarted(d), world.GuardGone(d)),
		min:   3,
		pods:  lines(keeps(quorumguard.PodNone, d, reason.R7_1, reason.NodeNeedsNoGuard)),
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.4 the guard of a learner that has not started is deleted",
		world: edits(world.Learner(d), unstarted(d), unready(d)),
		min:   3,
		pods:  lines(does(remove, d, reason.R7_4, reason.GuardStandsForNoMember)),
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.1 a learner whose machine is deleting gets no guard",
		world: edits(world.Learner(d), world.Deleting(d), world.GuardGone(d)),
		min:   3,
		pods:  lines(keeps(quorumguard.PodNone, d, reason.R7_1, reason.NodeNeedsNoGuard)),
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.4 the guard of a learner whose machine is deleting is deleted",
		world: edits(world.Learner(d), world.Deleting(d), unready(d)),
		min:   3,
		pods:  lines(does(remove, d, reason.R7_4, reason.GuardStandsForNoMember)),
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.1 without a functional Machine API the guard of a learner stays while its node does",
		world: edits(world.Learner(d), world.NoMachineAPI(), unready(d)),
		min:   3,
		holds: holds(reason.DrainsWaitForBudget, ""),
	},
	{
		name:  "R7.1 without a functional Machine API the guard of a learner goes with its node",
		world: edits(world.Learner(d), world.NoMachineAPI(), unready(d), world.Node(d, func(n *snapshot.Node) { n.Deleting = true })),
		min:   3,
		pods:  lines(does(remove, d, reason.R7_4, reason.GuardStandsForNoMember)),
		holds: holds(reason.DrainsWaitForBudget, ""),
	},
	{
		name:  "R7.1 the voter of a deleting machine gets a guard",
		world: edits(world.Deleting(a), world.GuardGone(a)),
		min:   2,
		pods:  lines(does(create, a, reason.R7_1, reason.CreatingGuard)),
		holds: holds(reason.DrainsWaitForGuard, "node-a"),
	},
	{
		name:  "R7.1 a guard that is there stays on a cordoned node",
		world: edits(world.Cordoned(b)),
		min:   2,
	},
	{
		name:  "R7.4 the guard of a learner on a cordoned node is deleted",
		world: edits(world.Learner(d), world.Cordoned(d), unready(d)),
		min:   3,
		pods:  lines(does(remove, d, reason.R7_4, reason.LearnerNodeCordoned)),
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.1 a learner on a cordoned node gets no guard",
		world: edits(world.Learner(d), world.Cordoned(d), world.GuardGone(d)),
		min:   3,
		pods:  lines(refuses(create, d, reason.R7_1, reason.GuardWaitsForUncordon)),
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.4 just below 30 s the ready guard of an unhealthy voter on a cordoned node stays",
		world: edits(world.Cordoned(b), world.Unhealthy(b, 30*time.Second+justBelow)),
		min:   3,
		holds: holds(reason.DrainsWaitForVoter, "node-b", reason.DrainsWaitForGuardWithoutVote, "node-b"),
	},
	{
		name:  "R7.4 after 30 s the ready guard of an unhealthy voter on a cordoned node is deleted",
		world: edits(world.Cordoned(b), world.Unhealthy(b, 30*time.Second)),
		min:   3,
		pods:  lines(does(remove, b, reason.R7_4, reason.GuardOfLostVote)),
		holds: holds(reason.DrainsWaitForVoter, "node-b", reason.DrainsWaitForGuardWithoutVote, "node-b"),
	},
	{
		name:  "R7.4 the guard of an unhealthy voter stays on a node that is not cordoned",
		world: edits(world.Unhealthy(b, time.Hour)),
		min:   3,
		holds: holds(reason.DrainsWaitForVoter, "node-b", reason.DrainsWaitForGuardWithoutVote, "node-b"),
	},
	{
		name:  "R7.4 a guard of an unhealthy voter on a cordoned node that is not ready stays",
		world: edits(world.Cordoned(b), world.Unhealthy(b, time.Hour), unready(b)),
		min:   2,
		holds: holds(reason.DrainsWaitForVoter, "node-b", reason.DrainsWaitForCordonedNode, "node-b"),
	},
	{
		name:  "R7.4 the guard of a voter of unknown health stays on a cordoned node",
		world: edits(world.Cordoned(b), world.Member(b, func(m *snapshot.Member) { m.Health = snapshot.HealthUnknown })),
		min:   3,
		holds: holds(reason.DrainsWaitForVoter, "node-b", reason.DrainsWaitForGuardWithoutVote, "node-b"),
	},
	{
		name:  "R7.4 a guard whose node is gone stands for no member",
		world: edits(world.Voter(d), world.MemberGone(d), world.NodeGone(d), world.MachineGone(d), guard(d)),
		min:   2,
		pods:  lines(does(remove, d, reason.R7_4, reason.GuardStandsForNoMember)),
	},
	{
		name:  "R7.4 a guard that is being deleted is left to it",
		world: edits(deleted(b)),
		min:   2,
		pods:  lines(keeps(quorumguard.PodKeep, b, reason.R7_1, reason.GuardDeleting)),
		holds: holds(reason.DrainsWaitForGuard, "node-b"),
	},
	{
		name:  "R7.4 a guard that failed on a cordoned node is not made anew",
		world: edits(world.Cordoned(b), ended(b)),
		min:   2,
		pods:  lines(refuses(remove, b, reason.R7_4, reason.GuardWaitsForUncordon)),
		holds: holds(reason.DrainsWaitForCordonedNode, "node-b"),
	},
	{
		name:  "R7.4 the guard of a learner that failed is made anew, for it must run before the first vote",
		world: edits(world.Learner(d), ended(d)),
		min:   3,
		pods:  lines(does(remove, d, reason.R7_4, reason.GuardFinished)),
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.4 a guard that failed on a node that could not be read is not made anew",
		world: edits(ended(b), world.Node(b, func(n *snapshot.Node) { *n = snapshot.Node{Name: n.Name} })),
		min:   2,
		pods:  lines(refuses(remove, b, reason.R7_4, reason.NodeMissing)),
		holds: holds(reason.DrainsWaitForGuard, "node-b"),
	},
	{
		name:  "R7.1 no guard is made on a node that could not be read",
		world: edits(world.GuardGone(b), world.Node(b, func(n *snapshot.Node) { *n = snapshot.Node{Name: n.Name} })),
		min:   2,
		pods:  lines(refuses(create, b, reason.R7_1, reason.NodeMissing)),
		holds: holds(reason.DrainsWaitForGuard, "node-b"),
	},
	{
		name:  "R7.4 a pending guard is left to start",
		world: edits(world.Guard(b, func(g *snapshot.Guard) { g.Phase, g.Ready = snapshot.PodPending, false })),
		min:   2,
		holds: holds(reason.DrainsWaitForGuard, "node-b"),
	},
	{
		name:  "R7.4 an outdated guard is made anew while the others are ready",
		world: edits(outdated(b)),
		min:   2,
		pods:  lines(does(remove, b, reason.R7_4, reason.GuardOutdated)),
	},
	{
		name:  "R7.4 an outdated guard waits while another is not ready",
		world: edits(outdated(b), unready(c)),
		min:   2,
		pods:  lines(refuses(remove, b, reason.R7_4, reason.GuardRemakeWaits)),
		holds: holds(reason.DrainsWaitForGuard, "node-c"),
	},
	{
		name:  "R7.4 an outdated guard waits while another is missing",
		world: edits(outdated(b), world.GuardGone(c)),
		min:   2,
		pods: lines(
			refuses(remove, b, reason.R7_4, reason.GuardRemakeWaits),
			does(create, c, reason.R7_1, reason.CreatingGuard),
		),
		holds: holds(reason.DrainsWaitForGuard, "node-c"),
	},
	{
		name:  "R7.4 an outdated guard waits while another is being deleted",
		world: edits(outdated(b), deleted(c)),
		min:   2,
		pods: lines(
			refuses(remove, b, reason.R7_4, reason.GuardRemakeWaits),
			keeps(quorumguard.PodKeep, c, reason.R7_1, reason.GuardDeleting),
		),
		holds: holds(reason.DrainsWaitForGuard, "node-c"),
	},
	{
		name:  "R7.4 an outdated guard on a cordoned node waits",
		world: edits(outdated(b), world.Cordoned(b)),
		min:   2,
		pods:  lines(refuses(remove, b, reason.R7_4, reason.GuardWaitsForUncordon)),
	},
	{
		name:  "R7.4 of outdated guards one goes at a time, by name",
		world: edits(outdated(c), outdated(b), outdated(a)),
		min:   2,
		pods: lines(
			does(remove, a, reason.R7_4, reason.GuardOutdated),
			refuses(remove, b, reason.R7_4, reason.GuardRemakeWaits),
			refuses(remove, c, reason.R7_4, reason.GuardRemakeWaits),
		),
	},
	{
		name:  "R7.4 two guards that failed together do not wait for each other",
		world: edits(ended(b), ended(c)),
		min:   2,
		pods: lines(
			does(remove, b, reason.R7_4, reason.GuardFinished),
			does(remove, c, reason.R7_4, reason.GuardFinished),
		),
		holds: holds(reason.DrainsWaitForGuard, "node-b", reason.DrainsWaitForGuard, "node-c"),
	},
	{
		name:  "R7.4 two outdated guards that never get ready do not wait for each other",
		world: edits(outdated(b), unready(b), outdated(c), unready(c)),
		min:   2,
		pods: lines(
			does(remove, b, reason.R7_4, reason.GuardOutdated),
			refuses(remove, c, reason.R7_4, reason.GuardRemakeWaits),
		),
		holds: holds(reason.DrainsWaitForGuard, "node-b", reason.DrainsWaitForGuard, "node-c"),
	},
	{
		name:  "R7.4 an outdated guard that is not ready waits while another is missing",
		world: edits(outdated(b), unready(b), world.Cordoned(c), world.GuardGone(c)),
		min:   2,
		pods: lines(
			refuses(remove, b, reason.R7_4, reason.GuardRemakeWaits),
			refuses(create, c, reason.R7_1, reason.GuardWaitsForUncordon),
		),
		holds: holds(reason.DrainsWaitForGuard, "node-b", reason.DrainsWaitForCordonedNode, "node-c"),
	},
}

// unknownCases are rule R7.5: in doubt nothing is deleted and nothing lowered. The budget is higher than it needs to be,
// and a guard stands for nobody.
var unknownCases = []testCase{
	{
		name:  "R7.5 known facts lower the budget and delete a guard",
		world: doubtful(func(*snapshot.Snapshot) {}),
		min:   2,
		pods:  lines(does(remove, a, reason.R7_4, reason.GuardStandsForNoMember)),
	},
	{
		name:  "R7.5 in an unknown topology nothing changes",
		world: doubtful(func(s *snapshot.Snapshot) { s.Topology = snapshot.TopologyUnknown }),
		min:   3,
		pods:  lines(refuses(remove, a, reason.R7_5, reason.TopologyUnknown)),
		says:  finding(reason.R7_5, reason.TopologyUnknown),
		holds: holds(reason.TopologyUnknown, "", reason.DrainsWaitForBudget, ""),
	},
	{
		name:  "R7.5 without the member list nothing changes",
		world: doubtful(func(s *snapshot.Snapshot) { s.MemberList = snapshot.Unknown }),
		min:   3,
		pods: lines(
			keeps(quorumguard.PodKeep, a, reason.R7_5, reason.GuardsUnknown),
			keeps(quorumguard.PodKeep, b, reason.R7_5, reason.GuardsUnknown),
			keeps(quorumguard.PodKeep, c, reason.R7_5, reason.GuardsUnknown),
			keeps(quorumguard.PodKeep, d, reason.R7_5, reason.GuardsUnknown),
		),
		says:  finding(reason.R7_4, reason.MemberListUnknown),
		holds: holds(reason.MemberListUnknown, ""),
	},
	{
		name:  "R7.5 without the list of guards nothing changes",
		world: doubtful(func(s *snapshot.Snapshot) { s.GuardList = snapshot.Unknown }),
		min:   3,
		pods: lines(
			keeps(quorumguard.PodKeep, a, reason.R7_5, reason.GuardsUnknown),
			keeps(quorumguard.PodKeep, b, reason.R7_5, reason.GuardsUnknown),
			keeps(quorumguard.PodKeep, c, reason.R7_5, reason.GuardsUnknown),
			keeps(quorumguard.PodKeep, d, reason.R7_5, reason.GuardsUnknown),
		),
		says:  finding(reason.R7_5, reason.GuardsUnknown),
		holds: holds(reason.GuardsUnknown, "", reason.DrainsWaitForBudget, ""),
	},
	{
		name:  "R7.5 without the Nodes no guard is deleted and drains wait: 3, and 3 guards of unknown votes = 6",
		world: doubtful(func(s *snapshot.Snapshot) { s.NodeList = snapshot.Unknown }),
		min:   6,
		pods: lines(
			refuses(remove, a, reason.R7_5, reason.NodesUnknown),
			refuses(remove, b, reason.R7_5, reason.NodesUnknown),
			refuses(remove, c, reason.R7_5, reason.NodesUnknown),
			refuses(remove, d, reason.R7_5, reason.NodesUnknown),
		),
		says: finding(reason.R7_5, reason.NodesUnknown),
		holds: holds(reason.DrainsWaitForMachine, "machine-a", reason.DrainsWaitForMachine, "machine-b",
			reason.DrainsWaitForMachine, "machine-c", reason.DrainsWaitForMachine, "machine-d",
			reason.DrainsWaitForGuardWithoutVote, "node-b",
			reason.DrainsWaitForGuardWithoutVote, "node-c", reason.DrainsWaitForGuardWithoutVote, "node-d"),
	},
	{
		name:  "R7.5 without the Machines no guard is deleted and drains wait: 3, and 3 guards of unknown votes = 6",
		world: doubtful(func(s *snapshot.Snapshot) { s.MachineList = snapshot.Unknown }),
		min:   6,
		pods: lines(
			refuses(remove, a, reason.R7_5, reason.MachinesUnknown),
			refuses(remove, b, reason.R7_5, reason.MachinesUnknown),
			refuses(remove, c, reason.R7_5, reason.MachinesUnknown),
			refuses(remove, d, reason.R7_5, reason.MachinesUnknown),
		),
		says: finding(reason.R7_5, reason.MachinesUnknown),
		holds: holds(reason.DrainsWaitForMachine, "machine-a", reason.DrainsWaitForMachine, "machine-b",
			reason.DrainsWaitForMachine, "machine-c", reason.DrainsWaitForMachine, "machine-d",
			reason.DrainsWaitForGuardWithoutVote, "node-b",
			reason.DrainsWaitForGuardWithoutVote, "node-c", reason.DrainsWaitForGuardWithoutVote, "node-d"),
	},
	{
		name:  "R7.5 while it is unknown whether the Machine API works drains wait: 3, and 3 guards of unknown votes = 6",
		world: doubtful(func(s *snapshot.Snapshot) { s.MachineAPI = snapshot.Unknown }),
		min:   6,
		pods: lines(
			refuses(remove, a, reason.R7_5, reason.MachineAPIUnknown),
			refuses(remove, b, reason.R7_5, reason.MachineAPIUnknown),
			refuses(remove, c, reason.R7_5, reason.MachineAPIUnknown),
			refuses(remove, d, reason.R7_5, reason.MachineAPIUnknown),
		),
		says: finding(reason.R7_5, reason.MachineAPIUnknown),
		holds: holds(reason.DrainsWaitForGuardWithoutVote, "node-b",
			reason.DrainsWaitForGuardWithoutVote, "node-c", reason.DrainsWaitForGuardWithoutVote, "node-d"),
	},
	{
		name:  "R7.5 while the version is unknown nothing is deleted or lowered",
		world: doubtful(func(s *snapshot.Snapshot) { s.VersionCurrent = snapshot.Unknown }),
		min:   3,
		pods:  lines(refuses(remove, a, reason.R7_5, reason.WaitingForUpgrade)),
		says:  finding(reason.R7_5, reason.WaitingForUpgrade),
		holds: holds(reason.WaitingForUpgrade, "", reason.DrainsWaitForBudget, ""),
	},
	{
		name:  "R7.5 facts that contradict each other change nothing",
		world: doubtful(func(s *snapshot.Snapshot) { s.Members = append(s.Members, s.Members[0]) }),
		min:   3,
		pods:  lines(refuses(remove, a, reason.R10_1, reason.FactsContradict)),
		says:  finding(reason.R10_1, reason.FactsContradict),
		holds: holds(reason.FactsContradict, "member b"),
	},
	{
		name:  "R7.5 while it is unknown whether an external etcd has taken over nothing changes",
		world: doubtful(func(s *snapshot.Snapshot) { s.Topology, s.ExternalEtcd = snapshot.DualReplica, snapshot.Unknown }),
		min:   3,
		pods:  lines(refuses(remove, a, reason.R11, reason.ExternalEtcdUnknown)),
		says:  finding(reason.R11, reason.ExternalEtcdUnknown),
		holds: holds(reason.ExternalEtcdUnknown, "", reason.DrainsWaitForBudget, ""),
	},
	{
		name:  "R7.5 a budget that could not be read is not written",
		world: doubtful(func(s *snapshot.Snapshot) { s.Budget = snapshot.Budget{} }),
		min:   0,
		pods:  lines(does(remove, a, reason.R7_4, reason.GuardStandsForNoMember)),
		says:  finding(reason.R7_5, reason.BudgetUnknown),
		holds: holds(reason.BudgetUnknown, ""),
	},
	{
		name:  "R7.5 a single replica keeps its guard while the version is not current",
		world: edits(topology(snapshot.SingleReplica), version(snapshot.False)),
		min:   2,
		pods: lines(
			refuses(remove, a, reason.R7_5, reason.WaitingForUpgrade),
			refuses(remove, b, reason.R7_5, reason.WaitingForUpgrade),
			refuses(remove, c, reason.R7_5, reason.WaitingForUpgrade),
		),
		says: finding(reason.R7_5, reason.WaitingForUpgrade),
	},
	{
		name:  "R7.5 a single replica keeps guards and budget while the guards are not listed",
		world: edits(topology(snapshot.SingleReplica), world.Facts(func(s *snapshot.Snapshot) { s.GuardList, s.Guards = snapshot.Unknown, nil })),
		min:   2,
		says:  finding(reason.R7_5, reason.GuardsUnknown),
	},
	{
		name: "R7.5 a single replica leaves a guard to its deletion and a budget that is not there alone",
		world: edits(topology(snapshot.SingleReplica), deleted(a), world.GuardGone(b, c),
			world.Facts(func(s *snapshot.Snapshot) { s.Budget = snapshot.Budget{Present: snapshot.False} })),
		min:  0,
		pods: lines(keeps(quorumguard.PodKeep, a, reason.R7_1, reason.GuardDeleting)),
		says: finding(reason.R7_5, reason.SingleReplicaNeedsNoGuard),
	},
	{
		name:  "R7.2 once an external etcd has taken over, a node that could not be read counts: 2-1 = 1",
		world: edits(twoNodes(snapshot.True), budget(1), world.Node(b, func(n *snapshot.Node) { *n = snapshot.Node{Name: n.Name} })),
		min:   1,
	},
	{
		name: "R3 nothing is deleted while two machines claim a voter",
		world: doubtful(func(s *snapshot.Snapshot) {
			s.Machines[1].NodeRef = ""
			s.Machines = append(s.Machines, snapshot.Machine{Name: "machine-twin", UID: "uid-twin", Addresses: s.Machines[1].Addresses})
		}),
		min:   4,
		pods:  lines(refuses(remove, a, reason.R3, reason.OwnerAmbiguous), refuses(remove, b, reason.R3, reason.OwnerAmbiguous)),
		says:  finding(reason.R3, reason.OwnerAmbiguous),
		holds: holds(reason.DrainsWaitForMachine, "machine-b", reason.DrainsWaitForMachine, "machine-twin", reason.DrainsWaitForGuardWithoutVote, "node-b"),
	},
	{
		name: "R7.4 nothing is deleted while the node of a member is not known",
		world: append(doubtful(func(*snapshot.Snapshot) {}), world.MachineGone(b),
			world.Facts(func(s *snapshot.Snapshot) {
				s.Nodes = slices.DeleteFunc(s.Nodes, func(n snapshot.Node) bool { return n.Name == "node-b" })
			})),
		min:   3,
		pods:  lines(refuses(remove, a, reason.R7_4, reason.VoterNodeUnknown), refuses(remove, b, reason.R7_4, reason.VoterNodeUnknown)),
		says:  finding(reason.R7_4, reason.VoterNodeUnknown),
		holds: holds(reason.DrainsWaitForGuardWithoutVote, "node-b"),
	},
	{
		name:  "R7.4 the guard of a node stays while somebody's peer URLs cannot be read: 3, and 1 guard of an unknown vote = 4",
		world: doubtful(func(s *snapshot.Snapshot) { s.Members[0].PeerAddresses = nil }),
		min:   4,
		pods:  lines(refuses(remove, a, reason.R10_5, reason.PeerURLUnreadable), refuses(remove, b, reason.R10_5, reason.PeerURLUnreadable)),
		says:  finding(reason.R10_5, reason.PeerURLUnreadable),
		holds: holds(reason.DrainsWaitForMachine, "machine-a", reason.DrainsWaitForMachine, "machine-b",
			reason.DrainsWaitForGuardWithoutVote, "node-b"),
	},
}

package membership_test

import (
	"net/netip"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// promotionCases are the conditions of rules R5.2 and R5.3, each alone.
var promotionCases = []testCase{
	{
		name:    "R5.2 a learner in sync is promoted",
		world:   edits(world.Learner(d)),
		want:    promotes(d, reason.R5_2, reason.PromotingLearner),
		message: "learner node-d is promoted, which makes 4 voters",
	},
	{
		name:  "R5.2 a learner that has not started is not promoted",
		world: edits(world.Learner(d), unstarted(d)),
		want:  waits(d, reason.R5_2, reason.WaitingForLearnerToStart).named("NAME-PENDING-192.0.2.13"),
	},
	{
		name:  "R5.2 a learner whose probe fails is not promoted",
		world: edits(world.Learner(d), world.Unhealthy(d, time.Second)),
		want:  waits(d, reason.R5_2, reason.LearnerNotHealthy),
	},
	{
		name:  "R5.2 a learner whose health is unknown is not promoted",
		world: edits(world.Learner(d), health(d, snapshot.HealthUnknown)),
		want:  waits(d, reason.R5_2, reason.LearnerNotHealthy),
	},
	{
		name:   "R5.2 a learner with alarm CORRUPT is not promoted",
		world:  edits(world.Learner(d), corrupt(d)),
		want:   waits(d, reason.R5_2, reason.LearnerNotHealthy),
		warned: lines(warns(d, reason.R10_1, reason.MemberCorrupt)),
	},
	{
		name:   "R5.2 a learner with alarm NOSPACE is not promoted",
		world:  edits(world.Learner(d), noSpace(d)),
		want:   waits(d, reason.R5_2, reason.LearnerHasAlarm),
		warned: lines(warns(d, reason.R10_1, reason.MemberOutOfSpace)),
	},
	{
		name:  "R5.2 a learner of which it is unknown whether it has alarm CORRUPT is not promoted",
		world: edits(world.Learner(d), world.Member(d, func(m *snapshot.Member) { m.Corrupt = snapshot.Unknown })),
		want:  waits(d, reason.R5_2, reason.LearnerNotHealthy),
	},
	{
		name:  "R5.2 a learner of which it is unknown whether it has alarm NOSPACE is not promoted",
		world: edits(world.Learner(d), world.Member(d, func(m *snapshot.Member) { m.NoSpace = snapshot.Unknown })),
		want:  waits(d, reason.R5_2, reason.LearnerHasAlarm),
	},
	{
		name:  "R5.2 a learner 5000 entries behind is promoted",
		world: edits(world.Learner(d), behind(d, 5000)),
		want:  promotes(d, reason.R5_2, reason.PromotingLearner),
	},
	{
		name:    "R5.2 a learner 5001 entries behind is not promoted",
		world:   edits(world.Learner(d), behind(d, 5001)),
		want:    waits(d, reason.R5_2, reason.WaitingForLearnerToCatchUp),
		message: "learner node-d is more than 5000 entries behind the highest voter",
	},
	{
		name: "R5.2 the highest voter counts, whoever leads",
		world: edits(world.Learner(d), behind(d, 5000),
			world.Member(c, func(m *snapshot.Member) { m.AppliedIndex++ })),
		want: waits(d, reason.R5_2, reason.WaitingForLearnerToCatchUp),
	},
	{
		name:  "R5.2 a learner ahead of every voter is in sync",
		world: edits(world.Learner(d), world.Member(d, func(m *snapshot.Member) { m.AppliedIndex += 10_000 })),
		want:  promotes(d, reason.R5_2, reason.PromotingLearner),
	},
	{
		name: "R5.2 another learner far ahead is no voter to compare with",
		world: edits(world.Learner(d, e), notReady(e),
			world.Member(e, func(m *snapshot.Member) { m.AppliedIndex += 10_000 })),
		want: promotes(d, reason.R5_2, reason.PromotingLearner),
	},
	{
		name:  "R5.2 a learner whose applied index is unknown is not promoted",
		world: edits(world.Learner(d), world.Member(d, func(m *snapshot.Member) { m.AppliedIndex = 0 })),
		want:  waits(d, reason.R5_2, reason.AppliedIndexUnknown).of("node-d"),
	},
	{
		name: "R5.2 a learner is not promoted in a young cluster while its applied index is unknown",
		world: edits(world.Learner(d), world.Facts(func(s *snapshot.Snapshot) {
			for i := range s.Members {
				s.Members[i].AppliedIndex = 100
			}
		}), world.Member(d, func(m *snapshot.Member) { m.AppliedIndex = 0 })),
		want: waits(d, reason.R5_2, reason.AppliedIndexUnknown).of("node-d"),
	},
	{
		name:  "R5.2 a learner is not promoted while the applied index of one voter is unknown",
		world: edits(world.Learner(d), world.Member(c, func(m *snapshot.Member) { m.AppliedIndex = 0 })),
		want:  waits(d, reason.R5_2, reason.AppliedIndexUnknown).of("node-c"),
	},
	{
		name:  "R5.2 a learner on a NotReady node is not promoted",
		world: edits(world.Learner(d), notReady(d)),
		want:  waits(d, reason.R5_2, reason.NodeNotReady),
	},
	{
		name:  "R5.2 a learner on a node of unknown readiness is not promoted",
		world: edits(world.Learner(d), world.Node(d, func(n *snapshot.Node) { n.Ready = snapshot.Unknown })),
		want:  waits(d, reason.R5_2, reason.NodeNotReady),
	},
	{
		name:  "R5.2 a learner on a cordoned node is not promoted",
		world: edits(world.Learner(d), world.Cordoned(d)),
		want:  waits(d, reason.R5_2, reason.NodeCordoned),
	},
	{
		name:  "R5.2 a learner on a node that could not be read is not promoted",
		world: edits(world.Learner(d), world.Node(d, func(n *snapshot.Node) { *n = snapshot.Node{Name: n.Name} })),
		want:  waits(d, reason.R5_2, reason.NodeMissing),
	},
	{
		name:  "R5.2 a learner on a node that is gone is not promoted",
		world: edits(world.Learner(d), world.NodeGone(d)),
		want:  waits(d, reason.R5_2, reason.NodeMissing),
	},
	{
		name:  "R5.2 a learner whose guard is pending is not promoted",
		world: edits(world.Learner(d), world.Guard(d, func(g *snapshot.Guard) { g.Phase, g.Ready = snapshot.PodPending, false })),
		want:  waits(d, reason.R5_2, reason.WaitingForGuard).of("node-d"),
	},
	{
		name:  "R5.2 a learner whose guard ended is not promoted",
		world: edits(world.Learner(d), world.Guard(d, func(g *snapshot.Guard) { g.Phase, g.Ready = "Failed", false })),
		want:  waits(d, reason.R5_2, reason.WaitingForGuard).of("node-d"),
	},
	{
		name:  "R5.2 a learner without a guard is not promoted",
		world: edits(world.Learner(d), world.GuardGone(d)),
		want:  waits(d, reason.R5_2, reason.WaitingForGuard).of("node-d"),
	},
	{
		name:  "R5.2 a guard that is being deleted will not run when its learner votes",
		world: edits(world.Learner(d), world.Guard(d, func(g *snapshot.Guard) { g.Deleting = true })),
		want:  waits(d, reason.R5_2, reason.WaitingForGuard).of("node-d"),
	},
	{
		name:  "R5.2 a learner is not promoted while the guards could not be listed",
		world: edits(world.Learner(d), world.Facts(func(s *snapshot.Snapshot) { s.GuardList, s.Guards = snapshot.Unknown, nil })),
		want:  waits(d, reason.R5_2, reason.WaitingForGuard).of("node-d"),
	},
	{
		name:  "R5.2 a guard in a list that has not synced is not known to run",
		world: edits(world.Learner(d), world.Facts(func(s *snapshot.Snapshot) { s.GuardList = snapshot.Unknown })),
		want:  waits(d, reason.R5_2, reason.WaitingForGuard).of("node-d"),
	},
	{
		name:  "R5.2 a guard that runs but is not ready is not enough",
		world: edits(world.Learner(d), world.Guard(d, func(g *snapshot.Guard) { g.Ready = false })),
		want:  waits(d, reason.R5_2, reason.WaitingForGuard).of("node-d"),
	},
	{
		name:  "R5.2 a learner whose node is about to take another revision is not promoted",
		world: edits(world.Learner(d), target(d, world.Revision+1)),
		want:  waits(d, reason.R5_2, reason.WaitingForInstall).of("node-d"),
	},
	{
		name:  "R5.2 an install on another node holds no promotion back",
		world: edits(world.Learner(d), target(a, world.Revision+1)),
		want:  promotes(d, reason.R5_2, reason.PromotingLearner),
	},
	{
		name:  "R5.2 a single replica has no guard that its second voter could wait for",
		world: edits(singleReplica(), world.MemberGone(c), learner(b), world.GuardGone(a, b, c)),
		want:  promotes(b, reason.R5_2, reason.PromotingLearner),
	},
	{
		name:  "R5.2 a learner without a machine is not promoted",
		world: edits(world.Learner(d), world.MachineGone(d)),
		want:  waits(d, reason.R5_2, reason.NodeHasNoMachine).without(machine),
	},
	{
		name:  "R5.2 a learner whose machine's hook has another owner is not promoted",
		world: edits(world.Learner(d), hook(d, snapshot.HookWrongOwner)),
		want:  waits(d, reason.R5_2, reason.WaitingForHook).of("machine-d"),
	},
	{
		name:  "R5.2 without a functional Machine API a learner needs no machine",
		world: edits(world.Learner(d), world.NoMachineAPI()),
		want:  promotes(d, reason.R5_2, reason.PromotingLearner).without(machine),
	},
	{
		name:    "R5.2 voters may be one more than desired, not two",
		world:   edits(world.Voter(d), world.Learner(e)),
		want:    waits(e, reason.R5_2, reason.EnoughVoters),
		message: "learner node-e waits: there are 4 voters and at most 4 are allowed",
	},
	{
		name:    "R5.2 a voter that has not started counts as a voter, and is not healthy",
		world:   edits(unstarted(c), world.Learner(d)),
		want:    waits(c, reason.R6_1, reason.MachineNotDeleting).named("NAME-PENDING-192.0.2.12"),
		refused: lines(refuses(promote, d, reason.R5_2, reason.VoterNotHealthy).of("NAME-PENDING-192.0.2.12")),
	},
	{
		name:    "R5.2 a learner waits while a voter is unhealthy",
		world:   edits(world.Unhealthy(c, time.Second), world.Learner(d)),
		want:    waits(c, reason.R6_1, reason.MachineNotDeleting),
		refused: lines(refuses(promote, d, reason.R5_2, reason.VoterNotHealthy).of("node-c")),
	},
	{
		name:    "R5.2 a learner waits while the health of a voter is unknown",
		world:   edits(health(c, snapshot.HealthUnknown), world.Learner(d)),
		want:    waits(c, reason.R6_1, reason.MachineNotDeleting),
		refused: lines(refuses(promote, d, reason.R5_2, reason.VoterNotHealthy).of("node-c")),
	},
	{
		name:    "R5.2 a learner waits while a voter has alarm CORRUPT",
		world:   edits(corrupt(c), world.Learner(d)),
		want:    waits(c, reason.R6_1, reason.MachineNotDeleting),
		refused: lines(refuses(promote, d, reason.R5_2, reason.VoterNotHealthy).of("node-c")),
		warned:  lines(warns(c, reason.R10_1, reason.MemberCorrupt)),
	},
	{
		name:   "R5.3 a learner without progress for 5 minutes is reported and stays",
		world:  edits(world.Learner(d), behind(d, 5001), stalled(d, 5*time.Minute)),
		want:   waits(d, reason.R5_2, reason.WaitingForLearnerToCatchUp),
		warned: lines(warns(d, reason.R5_3, reason.LearnerStalled)),
	},
	{
		name:  "R5.3 just below 5 minutes a learner without progress is not reported",
		world: edits(world.Learner(d), behind(d, 5001), stalled(d, 5*time.Minute+justBelow)),
		want:  waits(d, reason.R5_2, reason.WaitingForLearnerToCatchUp),
	},
	{
		name:   "R5.3 a learner that has not started for 5 minutes is reported and stays",
		world:  edits(world.Learner(d), unstarted(d), stalled(d, 5*time.Minute)),
		want:   waits(d, reason.R5_2, reason.WaitingForLearnerToStart).named("NAME-PENDING-192.0.2.13"),
		warned: lines(warns(d, reason.R5_3, reason.LearnerStalled).named("NAME-PENDING-192.0.2.13")),
	},
	{
		name:    "R5.4 a learner that cannot be promoted does not stop the next",
		world:   edits(world.Learner(d, e), notReady(d)),
		want:    promotes(e, reason.R5_2, reason.PromotingLearner),
		refused: lines(refuses(promote, d, reason.R5_2, reason.NodeNotReady)),
	},
}

// addCases are the conditions of rules R5.1, R5.4 and R5.5, each alone.
var addCases = []testCase{
	{
		name:    "R5.1 a node that waits joins as a learner, by its InternalIP",
		world:   edits(world.Waiting(d)),
		want:    adds(d, reason.R5_1, reason.AddingLearner),
		peerURL: "https://192.0.2.13:2380",
	},
	{
		name:  "R5.1 a node whose etcd pod is unknown does not join",
		world: edits(world.Waiting(d), pod(d, func(p *snapshot.EtcdPod) { p.Present = snapshot.Unknown })),
		want:  waitsToAdd(d, reason.R5_1, reason.WaitingForEtcdPod),
	},
	{
		name:  "R5.1 a node whose etcd container is unknown does not join",
		world: edits(world.Waiting(d), pod(d, func(p *snapshot.EtcdPod) { p.ContainerRunning = snapshot.Unknown })),
		want:  waitsToAdd(d, reason.R5_1, reason.EtcdContainerNotRunning),
	},
	{
		name:  "R5.1 a node whose etcd container is of unknown readiness does not join",
		world: edits(world.Waiting(d), pod(d, func(p *snapshot.EtcdPod) { p.ContainerReady = snapshot.Unknown })),
		want:  waitsToAdd(d, reason.R5_1, reason.EtcdReadyWithoutMember),
	},
	{
		name:  "R5.1 the readiness of the whole pod is not asked",
		world: edits(world.Waiting(d), pod(d, func(p *snapshot.EtcdPod) { p.Ready = snapshot.Unknown })),
		want:  adds(d, reason.R5_1, reason.AddingLearner),
	},
	{
		name:    "R5.1 a node waits while a learner has not started",
		world:   edits(world.Learner(d), unstarted(d), world.Waiting(e)),
		want:    waits(d, reason.R5_2, reason.WaitingForLearnerToStart).named("NAME-PENDING-192.0.2.13"),
		refused: lines(refuses(add, e, reason.R5_1, reason.WaitingForOtherLearner).of("NAME-PENDING-192.0.2.13")),
	},
	{
		name:    "R5.1 a node waits while a voter has not started",
		world:   edits(unstarted(c), world.Waiting(e)),
		want:    waits(c, reason.R6_1, reason.MachineNotDeleting).named("NAME-PENDING-192.0.2.12"),
		refused: lines(refuses(add, e, reason.R5_1, reason.WaitingForUnstartedMember).of("NAME-PENDING-192.0.2.12")),
	},
	{
		name:    "R5.1 a node waits while the health of a voter is unknown",
		world:   edits(health(c, snapshot.HealthUnknown), world.Waiting(d)),
		want:    waits(c, reason.R6_1, reason.MachineNotDeleting),
		refused: lines(refuses(add, d, reason.R5_1, reason.VoterNotHealthy).of("node-c")),
	},
	{
		name:    "R5.1 a node waits while a voter has alarm CORRUPT",
		world:   edits(corrupt(c), world.Waiting(d)),
		want:    waits(c, reason.R6_1, reason.MachineNotDeleting),
		refused: lines(refuses(add, d, reason.R5_1, reason.VoterNotHealthy).of("node-c")),
		warned:  lines(warns(c, reason.R10_1, reason.MemberCorrupt)),
	},
	{
		name:  "R5.1 a NotReady node does not join",
		world: edits(world.Waiting(d), notReady(d)),
		want:  waitsToAdd(d, reason.R5_1, reason.NodeNotReady),
	},
	{
		name:  "R5.1 a node of unknown readiness does not join",
		world: edits(world.Waiting(d), world.Node(d, func(n *snapshot.Node) { n.Ready = snapshot.Unknown })),
		want:  waitsToAdd(d, reason.R5_1, reason.NodeNotReady),
	},
	{
		name:  "R5.1 a cordoned node does not join",
		world: edits(world.Waiting(d), world.Cordoned(d)),
		want:  waitsToAdd(d, reason.R5_1, reason.NodeCordoned),
	},
	{
		name:  "R5.1 a node that is being deleted does not join",
		world: edits(world.Waiting(d), world.Node(d, func(n *snapshot.Node) { n.Deleting = true })),
		want:  waits("", reason.R5, reason.MembershipAsExpected), refused: lines(adds(d, reason.R5_1, reason.NodeDeleting)),
	},
	{
		name:  "R5.1 a node without an InternalIP is skipped",
		world: edits(world.Waiting(d), addresses(d)),
		want:  waitsToAdd(d, reason.R5_1, reason.NodeHasNoAddress),
	},
	{
		name:  "R5.1 a node without an InternalIP of the cluster's family is skipped",
		world: edits(world.Waiting(d), world.Node(d, func(n *snapshot.Node) { n.PeerAddress = netip.Addr{} })),
		want:  waitsToAdd(d, reason.R5_1, reason.NodeHasNoAddress),
	},
	{
		name:  "R5.1 a node whose machine is deleting does not join",
		world: edits(world.Waiting(d), world.Deleting(d)),
		want:  waits("", reason.R5, reason.MembershipAsExpected), refused: lines(adds(d, reason.R5_1, reason.MachineDeleting).of("machine-d")),
	},
	{
		name:  "R5.1 a node whose machine's hook has another owner does not join",
		world: edits(world.Waiting(d), hook(d, snapshot.HookWrongOwner)),
		want:  waitsToAdd(d, reason.R5_1, reason.WaitingForHook).of("machine-d"),
	},
	{
		name:  "R3 a node that two machines claim does not join",
		world: edits(world.Waiting(d), twin(d, func(m *snapshot.Machine) { m.NodeRef = "node-d" })),
		want:  waitsToAdd(d, reason.R3, reason.OwnerAmbiguous).without(machine),
	},
	{
		name:  "R5.1 a node that is no control-plane node does not join",
		world: edits(world.Waiting(d), world.Node(d, func(n *snapshot.Node) { n.ControlPlane = false })),
		want:  waits("", reason.R5, reason.MembershipAsExpected),
	},
	{
		name:    "R5.4 a node that cannot be resolved does not stop the next",
		world:   edits(world.Waiting(d, e), world.MachineGone(d)),
		want:    adds(e, reason.R5_1, reason.AddingLearner),
		refused: lines(refuses(add, d, reason.R5_1, reason.NodeHasNoMachine).without(machine)),
	},
	{
		name:  "R5.4 a node without an address does not stop the next",
		world: edits(world.Waiting(d, e), addresses(d)),
		want:  adds(e, reason.R5_1, reason.AddingLearner),
	},
	{
		name:    "R5.5 a healthy member whose node has another address is not touched",
		world:   edits(moved(b)),
		want:    waitsToAdd(b, reason.R5_5, reason.MemberAddressChanged).of("node-b"),
		refused: lines(refuses(add, b, reason.R5_5, reason.MemberAddressChanged).of("node-b")),
	},
	{
		name:  "R1.3 nodes join while no desired number was ever observed",
		world: edits(world.Waiting(d), world.Desired(0)),
		want:  adds(d, reason.R5_1, reason.AddingLearner),
	},
	{
		name:  "R2.3 without a functional Machine API a node joins without a machine",
		world: edits(world.Waiting(d), world.NoMachineAPI()),
		want:  adds(d, reason.R5_1, reason.AddingLearner).without(machine),
	},
}

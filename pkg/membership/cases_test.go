package membership_test

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const (
	a, b, c, d, e, f = world.A, world.B, world.C, world.D, world.E, world.F

	remove, promote, add, wait = membership.RemoveMember, membership.PromoteLearner, membership.AddLearner, membership.Wait
)

// scalingCases are the rows of the list of situations that hurt people; the id of the row is in the name.
var scalingCases = []testCase{
	{
		name:    "S1 a deleting machine keeps its voter while there is no replacement",
		world:   edits(world.Deleting(a)),
		want:    waits(a, reason.R6_3, reason.WaitingForReplacementVoter),
		message: "without node-a, 2 voters would remain and 3 are desired",
	},
	{
		name:  "S2 a voter whose host is gone and whose machine failed is removed without a replacement",
		world: edits(world.Deleting(a), failed(a), world.HostDead(a, time.Minute)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:  "S2 the replacement of a dead voter joins once that voter is removed",
		world: edits(world.Deleting(a), failed(a), world.HostDead(a, time.Minute), world.MemberGone(a), world.Waiting(d)),
		want:  adds(d, reason.R5_1, reason.AddingLearner),
	},
	{
		name:    "S2 the replacement of a dead voter brings the voters from two back to three",
		world:   edits(world.Deleting(a), failed(a), world.HostDead(a, time.Minute), world.MemberGone(a), world.Learner(d)),
		want:    promotes(d, reason.R5_2, reason.PromotingLearner),
		message: "learner node-d is promoted, which makes 3 voters",
	},
	{
		name:    "S20 a host that somebody cordoned and reboots is not dead after three minutes",
		world:   edits(world.Deleting(a), world.Cordoned(a), world.HostDead(a, 3*time.Minute)),
		want:    waits(a, reason.R6_1, reason.WaitingToConfirmMemberIsDead),
		message: "node-a does not answer; it counts as dead after 600 seconds without a break",
	},
	{
		name:  "S21 a voter that only the operator cannot reach is not dead",
		world: edits(world.Deleting(a), world.Unhealthy(a, time.Hour)),
		want:  waits(a, reason.R6_1, reason.WaitingForSecondWitness),
	},
	{
		name:  "S21 a voter of which nothing is known stays",
		world: edits(world.Deleting(a), health(a, snapshot.HealthUnknown)),
		want:  waits(a, reason.R10_1, reason.MemberHealthUnknown),
	},
	{
		name:    "S3 an unhealthy voter that stays behind holds back the removal of a healthy one",
		world:   edits(world.Voter(d), world.Unhealthy(b, time.Hour), world.Deleting(a)),
		want:    waits(a, reason.R6_2, reason.WaitingForRemainingVoters).of("node-b"),
		message: "node-a stays while voter node-b is not healthy",
	},
	{
		name:    "S3 an unhealthy voter that stays is what a deleting machine waits for, not the replacement that cannot vote beside it",
		world:   edits(world.Waiting(d), world.Unhealthy(b, time.Hour), world.Deleting(a)),
		want:    waits(a, reason.R6_2, reason.WaitingForRemainingVoters).of("node-b"),
		refused: lines(refuses(add, d, reason.R5_1, reason.VoterNotHealthy).of("node-b")),
	},
	{
		name:  "S3 an unhealthy voter whose machine nobody knows stays as well",
		world: edits(world.Unhealthy(b, time.Hour), world.MachineGone(b), world.Deleting(a)),
		want:  waits(a, reason.R6_2, reason.WaitingForRemainingVoters).of("node-b"),
	},
	{
		name:    "S3 an unhealthy voter that is to go as well leaves a replacement to be waited for",
		world:   edits(world.Unhealthy(b, time.Hour), world.Deleting(a, b)),
		want:    waits(a, reason.R6_3, reason.WaitingForReplacementVoter),
		refused: lines(refuses(remove, b, reason.R6_1, reason.WaitingForSecondWitness)),
	},
	{
		name: "S4 of two dead voters among five the first is removed",
		world: edits(world.Voter(d, e), world.Deleting(a, b),
			world.HostDead(a, 5*time.Minute), world.HostDead(b, 5*time.Minute)),
		want:    removes(a, reason.R6_1, reason.RemovingDeadMember),
		refused: lines(refuses(remove, b, reason.R6, reason.WaitingForAnotherChange).of("node-a")),
	},
	{
		name: "S4 the second of two dead voters is removed in a pass of its own",
		world: edits(world.Voter(d, e), world.Deleting(a, b),
			world.HostDead(a, 5*time.Minute), world.HostDead(b, 5*time.Minute), world.MemberGone(a)),
		want: removes(b, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:    "S5 a learner is no replacement",
		world:   edits(world.Learner(d), behind(d, 5001), world.Deleting(a)),
		want:    waits(a, reason.R6_3, reason.WaitingForReplacementVoter),
		refused: lines(refuses(promote, d, reason.R5_2, reason.WaitingForLearnerToCatchUp)),
	},
	{
		name:    "S5 a learner in sync becomes a voter before the voter that it replaces goes",
		world:   edits(world.Learner(d), world.Deleting(a)),
		want:    promotes(d, reason.R5_2, reason.PromotingLearner),
		refused: lines(refuses(remove, a, reason.R6_3, reason.WaitingForReplacementVoter)),
	},
	{
		name:    "S6 a voter stays while etcd-endpoints does not know its replacement",
		world:   edits(world.Voter(d), world.Deleting(b), endpoints(a, b, c)),
		want:    waits(b, reason.R6_2, reason.WaitingForEndpoints),
		message: "node-b stays until ConfigMap etcd-endpoints names exactly the 4 voters",
	},
	{
		name: "S6 a voter stays while etcd-endpoints still names one that was removed",
		world: edits(world.Voter(d, e), world.MemberGone(a), world.NodeGone(a), world.MachineGone(a), world.Deleting(b),
			endpoints(a, b, c, e)),
		want: waits(b, reason.R6_2, reason.WaitingForEndpoints),
	},
	{
		name: "S6 of the live voters b, c and d none goes while three are desired, whatever etcd-endpoints lists",
		world: edits(world.Voter(d), world.MemberGone(a), world.NodeGone(a), world.MachineGone(a), world.Deleting(b),
			endpoints(a, b, c)),
		want: waits(b, reason.R6_3, reason.WaitingForReplacementVoter),
	},
	{
		name:  "S8 three machines deleting at once: the first replacement joins before anybody leaves",
		world: edits(world.Deleting(a, b, c), world.Waiting(d, e, f)),
		want:  adds(d, reason.R5_1, reason.AddingLearner),
		refused: lines(
			refuses(remove, a, reason.R6_3, reason.WaitingForReplacementVoter),
			refuses(remove, b, reason.R6_3, reason.WaitingForReplacementVoter),
			refuses(remove, c, reason.R6_3, reason.WaitingForReplacementVoter),
			refuses(add, e, reason.R6, reason.WaitingForAnotherChange),
			refuses(add, f, reason.R6, reason.WaitingForAnotherChange),
		),
	},
	{
		name:    "S8 three machines deleting at once: the first replacement votes, the second waits for it",
		world:   edits(world.Deleting(a, b, c), world.Learner(d), world.Waiting(e, f)),
		want:    promotes(d, reason.R5_2, reason.PromotingLearner),
		refused: lines(refuses(add, e, reason.R5_1, reason.WaitingForOtherLearner).of("node-d")),
	},
	{
		name:  "S8 three machines deleting at once: one voter goes for the one that came",
		world: edits(world.Deleting(a, b, c), world.Voter(d), world.Waiting(e, f)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: d,
		refused: lines(
			refuses(remove, b, reason.R6, reason.WaitingForAnotherChange),
			refuses(remove, c, reason.R6, reason.WaitingForAnotherChange),
			refuses(add, e, reason.R6, reason.WaitingForAnotherChange),
		),
	},
	{
		name:    "S8 three machines deleting at once: the second voter stays until the second replacement votes",
		world:   edits(world.Deleting(a, b, c), world.Voter(d), world.MemberGone(a), world.Waiting(e, f)),
		want:    adds(e, reason.R5_1, reason.AddingLearner),
		refused: lines(refuses(remove, b, reason.R6_3, reason.WaitingForReplacementVoter)),
	},
	{
		name: "S8 three machines were replaced: nothing is left to do",
		world: edits(world.Voter(d, e, f), world.MemberGone(a, b, c), world.NodeGone(a), world.NodeGone(b), world.NodeGone(c),
			world.MachineGone(a), world.MachineGone(b), world.MachineGone(c)),
		want:    waits("", reason.R5, reason.MembershipAsExpected),
		message: "3 of 3 voters are healthy and nobody waits to join or to leave",
	},
	{
		name: "S9 a voter on a node whose kubelet stopped goes although the revision never lands there",
		world: edits(world.Voter(d), world.Deleting(a), notReady(a), podNotReady(a),
			rollout(2, b, c, d), target(a, 2)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: b,
	},
	{
		name: "S10 a dead voter without machine and node is removed although the rollout waits for it",
		world: edits(world.Orphaned(a, 30*time.Second), world.Unhealthy(a, 30*time.Second), rollout(2), leftStatus(a, 2),
			target(b, 2)),
		want: removes(a, reason.R6_4, reason.RemovingOrphanVoter).without(machine),
	},
	{
		name: "S10 a dead voter whose machine is a tombstone is removed although the rollout waits for it",
		world: edits(world.Deleting(a), world.NodeGone(a), world.Unhealthy(a, 30*time.Second), rollout(2), leftStatus(a, 2),
			target(b, 2)),
		want: removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:   "S11 a healthy voter without machine and node is never removed, and named",
		world:  edits(world.Voter(d), world.Orphaned(d, 24*time.Hour)),
		want:   waits(d, reason.R6_4, reason.HealthyOrphanVoter).without(machine),
		warned: lines(warns(d, reason.R6_4, reason.HealthyOrphanVoter)),
	},
	{
		name: "S11 a healthy orphan voter does not hide a dead one",
		world: edits(world.Voter(d, e), world.Orphaned(d, 24*time.Hour), world.Orphaned(e, time.Hour),
			world.Unhealthy(e, time.Hour)),
		want:   removes(e, reason.R6_4, reason.RemovingOrphanVoter).without(machine),
		warned: lines(warns(d, reason.R6_4, reason.HealthyOrphanVoter)),
	},
	{
		name:  "S12 a learner whose machine is deleting is removed instead of promoted",
		world: edits(world.Learner(d), world.Deleting(d)),
		want:  removes(d, reason.R6_5, reason.RemovingLearnerOfDeletingMachine),
	},
	{
		name:    "S13 of three leaving voters the dead one goes first",
		world:   edits(world.Voter(d, e, f), world.Deleting(a, b, c), world.HostDead(b, 5*time.Minute)),
		want:    removes(b, reason.R6_1, reason.RemovingDeadMember),
		refused: lines(refuses(remove, a, reason.R6_2, reason.WaitingForRemainingVoters).of("node-b")),
	},
	{
		name:    "S13 after the dead voter the others go by name",
		world:   edits(world.Voter(d, e, f), world.Deleting(a, b, c), world.HostDead(b, 5*time.Minute), world.MemberGone(b)),
		want:    removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves:   d,
		refused: lines(refuses(remove, c, reason.R6, reason.WaitingForAnotherChange).of("node-a")),
	},
	{
		name:  "S13 the last of three leaving voters goes",
		world: edits(world.Voter(d, e, f), world.Deleting(a, b, c), world.HostDead(b, 5*time.Minute), world.MemberGone(a, b)),
		want:  removes(c, reason.R6_2, reason.RemovingReplacedMember),
		moves: d,
	},
	{
		name: "S14 the voter whose zone keeps another one goes first, although the other's deletion is older",
		world: edits(world.Voter(d), zone(a, "1"), zone(b, "2"), zone(c, "3"), zone(d, "1"),
			world.DeletingSince(a, world.Epoch.Add(time.Hour)), world.Deleting(b)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: c,
	},
	{
		name:    "S15 no voter is removed while etcd-bootstrap is a member",
		world:   edits(bootstrapMember(), world.Deleting(a)),
		want:    waits(a, reason.R6_9, reason.WaitingForBootstrapMemberToGo),
		unnamed: snapshot.BootstrapMember,
	},
	{
		name:  "S15 no voter is removed before bootstrap is complete",
		world: edits(world.Voter(d), world.Deleting(a), bootstrap(snapshot.False)),
		want:  waits(a, reason.R6_9, reason.WaitingForBootstrap),
	},
	{
		name:  "S16 nothing healthy is removed while no desired number was ever observed",
		world: edits(world.Voter(d), world.Deleting(a), world.Desired(0)),
		want:  waits(a, reason.R1_3, reason.DesiredReplicasUnknown),
	},
	{
		name:  "S16 nothing dead is removed while no desired number was ever observed",
		world: edits(world.Deleting(a), world.HostDead(a, time.Hour), world.Desired(0)),
		want:  waits(a, reason.R1_3, reason.DesiredReplicasUnknown),
	},
	{
		name:  "S16 no orphan is removed while no desired number was ever observed",
		world: edits(world.Orphaned(a, time.Hour), world.Unhealthy(a, time.Hour), world.Desired(0)),
		want:  waits(a, reason.R1_3, reason.DesiredReplicasUnknown).without(machine),
	},
	{
		name:  "S16 no learner is removed while no desired number was ever observed",
		world: edits(world.Learner(d), world.Deleting(d), world.Desired(0)),
		want:  waits(d, reason.R1_3, reason.DesiredReplicasUnknown),
	},
	{
		name:  "S16 nobody is promoted while no desired number was ever observed",
		world: edits(world.Learner(d), world.Desired(0)),
		want:  waits(d, reason.R1_3, reason.DesiredReplicasUnknown),
	},
	{
		name:  "S17 a leader hands over to the first healthy voter whose machine stays",
		world: edits(world.Voter(d), world.Deleting(a, b)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: c,
	},
	{
		name:  "S17 a leader that answers its peers but not the operator is asked to hand over as well",
		world: edits(world.Deleting(a), world.HostDead(a, 5*time.Minute), leads(a)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
		moves: b,
	},
	{
		name:  "S17 a voter that does not lead hands over nothing",
		world: edits(world.Voter(d), world.Deleting(b)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:  "S17 that nobody qualifies to lead does not block the removal",
		world: edits(world.Voter(d), world.Deleting(a, b, c, d)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:    "S19 a dead voter whose machine was force-deleted stays while its node is there",
		world:   edits(world.MachineGone(a), world.HostDead(a, time.Hour)),
		want:    waits(a, reason.R6_10, reason.NodeOfLostMemberRemains).of("node-a").without(machine),
		message: "node-a is not healthy and has no Machine, but its Node node-a still exists",
	},

	{
		name:  "H5 a node joins by itself where the Machine API does not work and left Machines behind",
		world: edits(world.Waiting(d), world.NoMachineAPI(), leftoverMachine()),
		want:  adds(d, reason.R5_1, reason.AddingLearner).without(machine),
	},
	{
		name:  "H7 no learner joins on a machine whose hook somebody strips",
		world: edits(world.Waiting(d), hook(d, snapshot.HookMissing), backOff(d)),
		want:  waitsToAdd(d, reason.R5_1, reason.WaitingForHook).of("machine-d"),
	},
	{
		name:  "H7 no learner is promoted on a machine whose hook somebody strips",
		world: edits(world.Learner(d), hook(d, snapshot.HookMissing), backOff(d)),
		want:  waits(d, reason.R5_2, reason.WaitingForHook).of("machine-d"),
	},

	{
		name:    "A1 nobody joins while a voter restarts",
		world:   edits(world.Unhealthy(b, 20*time.Second), world.Waiting(d)),
		want:    waits(b, reason.R6_1, reason.MachineNotDeleting).of("machine-b"),
		refused: lines(refuses(add, d, reason.R5_1, reason.VoterNotHealthy).of("node-b")),
	},
	{
		name:    "A2 of two nodes that wait to join the first by name does",
		world:   edits(world.Waiting(e, d)),
		want:    adds(d, reason.R5_1, reason.AddingLearner),
		refused: lines(refuses(add, e, reason.R6, reason.WaitingForAnotherChange).of("node-d")),
	},
	{
		name:  "A2 the second node waits until the first is no longer a learner",
		world: edits(world.Learner(d), behind(d, 5001), world.Waiting(e)),
		want:  waits(d, reason.R5_2, reason.WaitingForLearnerToCatchUp),
		refused: lines(
			refuses(add, e, reason.R5_1, reason.WaitingForOtherLearner).of("node-d"),
		),
	},
	{
		name:  "A3 a node without an etcd pod does not join",
		world: edits(world.NewNode(d)),
		want:  waitsToAdd(d, reason.R5_1, reason.WaitingForEtcdPod),
	},
	{
		name:  "A3 a node whose etcd container waits does not join",
		world: edits(world.Waiting(d), pod(d, func(p *snapshot.EtcdPod) { p.ContainerRunning = snapshot.False })),
		want:  waitsToAdd(d, reason.R5_1, reason.EtcdContainerNotRunning),
	},
	{
		name: "A3 a node on which only a sidecar runs does not join",
		world: edits(world.Waiting(d), pod(d, func(p *snapshot.EtcdPod) {
			p.ContainerRunning, p.Ready = snapshot.False, snapshot.True
		})),
		want: waitsToAdd(d, reason.R5_1, reason.EtcdContainerNotRunning),
	},
	{
		name:  "A3 a node whose etcd container is ready without a member does not join",
		world: edits(world.Waiting(d), pod(d, func(p *snapshot.EtcdPod) { p.ContainerReady = snapshot.True })),
		want:  waitsToAdd(d, reason.R5_1, reason.EtcdReadyWithoutMember),
	},
	{
		name:  "A4 a node without a machine does not join where the Machine API works",
		world: edits(world.Waiting(d), world.MachineGone(d)),
		want:  waitsToAdd(d, reason.R5_1, reason.NodeHasNoMachine).without(machine),
	},
	{
		name:  "A5 a node does not join before its machine has the hook",
		world: edits(world.Waiting(d), hook(d, snapshot.HookMissing)),
		want:  waitsToAdd(d, reason.R5_1, reason.WaitingForHook).of("machine-d"),
	},
	{
		name:  "A5 a node joins once its machine has the hook",
		world: edits(world.Waiting(d)),
		want:  adds(d, reason.R5_1, reason.AddingLearner),
	},
	{
		name:  "A7 a learner waits while the voters are one more than desired",
		world: edits(world.Voter(d), world.Learner(e)),
		want:  waits(e, reason.R5_2, reason.EnoughVoters),
	},
	{
		name:    "A8 a single voter grows by a learner",
		world:   edits(world.MemberGone(b, c)),
		want:    adds(b, reason.R5_1, reason.AddingLearner),
		refused: lines(refuses(add, c, reason.R6, reason.WaitingForAnotherChange)),
	},
	{
		name:    "A8 the learner of a single voter becomes the second voter",
		world:   edits(world.MemberGone(c), learner(b)),
		want:    promotes(b, reason.R5_2, reason.PromotingLearner),
		message: "learner node-b is promoted, which makes 2 voters",
	},
	{
		name:  "A8 two voters grow by a learner",
		world: edits(world.MemberGone(c)),
		want:  adds(c, reason.R5_1, reason.AddingLearner),
	},
	{
		name:    "A8 the learner of two voters becomes the third voter",
		world:   edits(learner(c)),
		want:    promotes(c, reason.R5_2, reason.PromotingLearner),
		message: "learner node-c is promoted, which makes 3 voters",
	},
	{
		name:    "A9 a removed member is not added again on a machine that is deleting",
		world:   edits(world.Voter(d), world.Deleting(a), world.MemberGone(a)),
		want:    waits("", reason.R5, reason.MembershipAsExpected),
		refused: lines(refuses(add, a, reason.R5_1, reason.MachineDeleting).of("machine-a")),
	},
	{
		name:    "A9 a removed member is not added again while its node drains and the hook is gone",
		world:   edits(world.Voter(d), world.Released(a), world.MemberGone(a), world.Cordoned(a)),
		want:    waits("", reason.R5, reason.MembershipAsExpected),
		refused: lines(refuses(add, a, reason.R5_1, reason.MachineDeleting).of("machine-a")),
	},
	{
		name:    "G8 two voters of three desired and no node to join is a wait, not the expected state",
		world:   edits(world.MemberGone(a), world.NodeGone(a), world.MachineGone(a)),
		want:    waits("", reason.R5, reason.WaitingForNode),
		message: "of 3 voters desired there are 2, and no node waits to join",
	},
	{
		name:    "A10 a member whose address changed is neither updated in place nor added beside itself",
		world:   edits(moved(b), world.Unhealthy(b, time.Hour), podNotReady(b)),
		want:    waits(b, reason.R6_1, reason.MachineNotDeleting),
		refused: lines(refuses(add, b, reason.R5_5, reason.MemberAddressChanged).of("node-b")),
	},
	{
		name:  "A11 no learner joins on a machine without nodeRef",
		world: edits(world.Waiting(d), noNodeRef(d)),
		want:  waitsToAdd(d, reason.R5_1, reason.MachineHasNoNode).of("machine-d"),
	},
	{
		name:  "A11 no learner joins on a machine that is excluded from draining",
		world: edits(world.Waiting(d), excluded(d)),
		want:  waitsToAdd(d, reason.R5_1, reason.MachineExcludedFromDrain).of("machine-d"),
	},
	{
		name:  "A11 no learner is promoted on a machine without nodeRef",
		world: edits(world.Learner(d), noNodeRef(d)),
		want:  waits(d, reason.R5_2, reason.MachineHasNoNode).of("machine-d"),
	},
	{
		name:  "A11 no learner is promoted on a machine that is excluded from draining",
		world: edits(world.Learner(d), excluded(d)),
		want:  waits(d, reason.R5_2, reason.MachineExcludedFromDrain).of("machine-d"),
	},
	{
		name:  "A12 a learner in sync whose host died is not promoted",
		world: edits(world.Learner(d), world.HostDead(d, 10*time.Second)),
		want:  waits(d, reason.R5_2, reason.LearnerNotHealthy),
	},
	{
		name:    "A13 a learner in sync waits until the dead voter of a deleting machine is removed",
		world:   edits(world.Deleting(a), world.HostDead(a, 10*time.Second), world.Learner(d)),
		want:    waits(a, reason.R6_1, reason.WaitingToConfirmMemberIsDead),
		refused: lines(refuses(promote, d, reason.R5_2, reason.VoterNotHealthy).of("node-a")),
	},

	{
		name:  "G11 a voter whose hook a person stripped goes once its replacement votes",
		world: edits(world.Released(a), world.Voter(d)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: b,
	},

	{
		name:  "V2 nothing is decided while the Machines are not listed",
		world: edits(world.Voter(d), world.Deleting(a), world.Facts(func(s *snapshot.Snapshot) { s.MachineList = snapshot.Unknown })),
		want:  waits("", reason.R2_2, reason.MachinesUnknown),
	},
	{
		name:  "V2 nothing is decided while the Nodes are not listed",
		world: edits(world.Voter(d), world.Deleting(a), world.Facts(func(s *snapshot.Snapshot) { s.NodeList = snapshot.Unknown })),
		want:  waits("", reason.R10_4, reason.NodesUnknown),
	},
	{
		name: "V4 voters are replaced in the arbiter topology",
		world: edits(world.Voter(d), world.Deleting(a),
			world.Facts(func(s *snapshot.Snapshot) { s.Topology = snapshot.HighlyAvailableArbiter })),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: b,
	},
	{
		name:    "V4 nodes join in the arbiter topology",
		world:   edits(world.Waiting(d), world.Facts(func(s *snapshot.Snapshot) { s.Topology = snapshot.HighlyAvailableArbiter })),
		want:    adds(d, reason.R5_1, reason.AddingLearner),
		peerURL: "https://192.0.2.13:2380",
	},
	{
		name:    "V5 the peer URL of an IPv6 node has brackets",
		world:   edits(world.Waiting(d), addresses(d, d.IPv6())),
		want:    adds(d, reason.R5_1, reason.AddingLearner),
		peerURL: "https://[fd00::13]:2380",
	},
	{
		name:    "V5 a dual-stack node joins by the address of the first family",
		world:   edits(world.Waiting(d), addresses(d, d.Address(), d.IPv6()), peerAddress(d, d.IPv6())),
		want:    adds(d, reason.R5_1, reason.AddingLearner),
		peerURL: "https://[fd00::13]:2380",
	},
	{
		name:  "V5 a dual-stack node whose member has the other family does not join twice",
		world: edits(addresses(b, b.Address(), b.IPv6()), peerAddress(b, b.IPv6())),
		want:  waits("", reason.R5, reason.MembershipAsExpected),
	},
}

package membership_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// first is a host whose Node and member come before all others in the order of names.
const first world.Host = "A"

// asExpected: nothing is done and nobody waits.
var asExpected = statement(wait, "", reason.R5, reason.MembershipAsExpected)

// mutantCases are rows that tell a broken decision from ours where no other row does. Some of their worlds hold facts that
// no observer would report together; they are therefore not among allCases, where each fact is forgotten in turn.
var mutantCases = []testCase{
	// Adding.
	{
		name:    "R5.1 a Node that is gone does not wait to join",
		world:   edits(world.Waiting(d), world.Node(d, func(n *snapshot.Node) { n.Present = snapshot.False })),
		want:    asExpected,
		unnamed: "node-d",
	},
	{
		name:    "R10.1 a Node that could not be read is not known to wait",
		world:   edits(world.Waiting(d), world.Node(d, func(n *snapshot.Node) { n.Present = snapshot.Unknown })),
		want:    asExpected,
		unnamed: "node-d",
	},
	{
		name:    "R10.5 nobody joins beside a member that could have his address",
		world:   edits(world.Waiting(d), garbage(b)),
		want:    waits(b, reason.R10_5, reason.PeerURLUnreadable).without(machine, node),
		refused: lines(adds(d, reason.R10_5, reason.PeerURLUnreadable).called("node-b")),
		warned:  lines(warns(b, reason.R10_5, reason.PeerURLUnreadable)),
	},
	{
		name: "R5.5 a node does not join twice because its member has another name",
		world: edits(world.Node(c, func(n *snapshot.Node) {
			n.Addresses, n.PeerAddress = []netip.Addr{e.Address()}, e.Address()
		}), world.Member(c, func(m *snapshot.Member) { m.Name = "other" })),
		want: waitsToAdd(c, reason.R5_5, reason.MemberAddressChanged).of("other"),
	},
	{
		name: "R5.5 a node does not join beside the member that has its name and lives elsewhere",
		world: edits(world.Waiting(d), world.Member(c, func(m *snapshot.Member) {
			m.PeerURLs, m.PeerAddresses = []string{"https://192.0.2.13:2380"}, []netip.Addr{d.Address()}
		})),
		want: waitsToAdd(c, reason.R5_5, reason.MemberAddressChanged).of("node-c"),
	},
	{
		name:  "L4 a node that waits is named although another one, which is about to go, comes before it",
		world: edits(world.NewNode(d, e), world.Deleting(d)),
		want:  waitsToAdd(e, reason.R5_1, reason.WaitingForEtcdPod),
	},

	// The cluster as a whole.
	{
		name:  "R2.3 a Machine list that nobody needs may be missing",
		world: edits(world.NoMachineAPI(), world.Facts(func(s *snapshot.Snapshot) { s.MachineList = snapshot.Unknown })),
		want:  asExpected,
	},
	{
		name:  "R11 only a two-node cluster can have its etcd outside",
		world: edits(world.Facts(func(s *snapshot.Snapshot) { s.ExternalEtcd = snapshot.True })),
		want:  asExpected,
	},

	// The order of removals.
	{
		name: "R6.6 a dead voter goes before a learner whose deletion is older",
		world: edits(world.Voter(d), world.Learner(e), world.Deleting(b), world.DeletingSince(e, world.Epoch.Add(-time.Hour)),
			world.HostDead(b, time.Hour)),
		want:    removes(b, reason.R6_1, reason.RemovingDeadMember),
		refused: lines(removes(e, reason.R6, reason.WaitingForAnotherChange)),
	},
	{
		name:  "R6.6 a learner whose deletion is older goes before a voter that is replaced",
		world: edits(world.Voter(d), world.Learner(e), world.Deleting(a), world.DeletingSince(e, world.Epoch.Add(-time.Hour))),
		want:  removes(e, reason.R6_5, reason.RemovingLearnerOfDeletingMachine),
	},
	{
		name:  "R6.6 of two deleted at once the one whose Machine has the first name goes",
		world: edits(world.Voter(d, e), world.Deleting(a, b), renamed(a, "machine-z"), renamed(b, "machine-y")),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember).on("machine-y"),
	},
	{
		name: "R6.6 a zone that nobody knows keeps no voter",
		world: edits(world.Voter(d, e), world.DeletingSince(a, world.Epoch.Add(-time.Hour)), world.Deleting(b),
			zone(b, "z"), zone(d, "z")),
		want: removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:  "R6.6 a voter without a Machine is in no zone",
		world: edits(world.Voter(d), world.Deleting(a), world.MachineGone(c), zone(a, "z")),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: b,
	},
	suffix("9", true), suffix("0", true), suffix("10", true),
	suffix("1x", false), suffix("x1", false), suffix("1.2", false), suffix("1/2", false), suffix("1:2", false),

	// Leadership.
	{
		name:  "R6.7 no learner is asked to lead",
		world: edits(world.Voter(d), world.Learner(first), world.Deleting(a)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: b,
	},
	{
		name:  "R6.7 no unhealthy voter is asked to lead",
		world: edits(world.Voter(d, e), world.Deleting(a), world.HostDead(a, time.Hour), world.Unhealthy(b, time.Second), leads(a)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
		moves: c,
	},
	{
		name: "R6.7 no voter is asked to lead whose Machine may be deleting",
		world: edits(world.Voter(d), world.Deleting(a), world.HostDead(a, time.Hour), leads(a),
			twin(b, func(*snapshot.Machine) {}), noNodeRef(b)),
		want:   removes(a, reason.R6_1, reason.RemovingDeadMember),
		moves:  c,
		warned: lines(warns(b, reason.R3, reason.OwnerAmbiguous)),
	},
	{
		name:   "R6.7 no voter is asked to lead whose Machine nobody can tell",
		world:  edits(world.Voter(d), world.Deleting(a), world.HostDead(a, time.Hour), leads(a), garbage(b)),
		want:   removes(a, reason.R6_1, reason.RemovingDeadMember),
		moves:  c,
		warned: lines(warns(b, reason.R10_5, reason.PeerURLUnreadable)),
	},
	{
		name:  "R6.7 a voter without a Machine may lead",
		world: edits(world.Voter(d), world.Deleting(a), world.MachineGone(b)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: b,
	},

	// Promoting.
	{
		name:    "R5.2 an unhealthy learner does not hold back another one",
		world:   edits(world.Learner(d, e), world.Unhealthy(e, time.Second)),
		want:    promotes(d, reason.R5_2, reason.PromotingLearner),
		refused: lines(promotes(e, reason.R5_2, reason.LearnerNotHealthy)),
	},
	{
		name:    "R3 that two Machines claim a learner is why it is not promoted",
		world:   edits(world.Learner(d), twin(d, func(*snapshot.Machine) {}), noNodeRef(d)),
		want:    waits(d, reason.R3, reason.OwnerAmbiguous).without(machine, node),
		refused: lines(promotes(d, reason.R3, reason.OwnerAmbiguous).without(machine, node)),
		warned:  lines(warns(d, reason.R3, reason.OwnerAmbiguous)),
	},
	{
		name:    "R10.5 that its peer URLs cannot be read is why a learner is not promoted",
		world:   edits(world.Learner(d), garbage(d)),
		want:    waits(d, reason.R10_5, reason.PeerURLUnreadable).without(machine, node),
		refused: lines(promotes(d, reason.R10_5, reason.PeerURLUnreadable).without(machine, node)),
		warned:  lines(warns(d, reason.R10_5, reason.PeerURLUnreadable)),
	},
	{
		name:  "R5.2 every voter is compared with, also those behind a learner in the list",
		world: edits(world.Learner(first), behind(first, 5001)),
		want:  waits(first, reason.R5_2, reason.WaitingForLearnerToCatchUp),
	},
	{
		name:  "R5.2 the highest voter is compared with, not the last",
		world: edits(world.Learner(d), behind(c, 4000), behind(d, 5001)),
		want:  waits(d, reason.R5_2, reason.WaitingForLearnerToCatchUp),
	},

	// Removing.
	{
		name:    "R6.9 the bootstrap member counts wherever it is in the list",
		world:   edits(bootstrapMember(), world.Voter(d), world.Deleting(a), world.Member(c, func(m *snapshot.Member) { m.Name = "another" })),
		want:    waits(a, reason.R6_9, reason.WaitingForBootstrapMemberToGo),
		unnamed: snapshot.BootstrapMember,
	},
	{
		name: "R6.5 a learner whose Node is there is no orphan, whatever else is told",
		world: edits(world.Learner(d), world.MachineGone(d), world.Member(d, func(m *snapshot.Member) {
			m.AddressClaimed, m.UnclaimedFor = snapshot.False, time.Hour
		})),
		want: waits(d, reason.R5_2, reason.NodeHasNoMachine).without(machine),
	},
	{
		name: "R6.5 a Node that is gone has no address any more",
		world: edits(world.Learner(d), world.MachineGone(d), world.Member(d, func(m *snapshot.Member) {
			m.AddressClaimed, m.UnclaimedFor = snapshot.False, time.Hour
		}), world.Node(d, func(n *snapshot.Node) { n.Present = snapshot.False })),
		want: removes(d, reason.R6_5, reason.RemovingOrphanLearner).without(machine),
	},
	{
		name: "R6.5 what stands in the entry of a Node that could not be read means nothing",
		world: edits(world.Learner(d), world.MachineGone(d), world.Member(d, func(m *snapshot.Member) {
			m.AddressClaimed, m.UnclaimedFor = snapshot.False, time.Hour
		}), world.Node(d, func(n *snapshot.Node) { n.Present = snapshot.Unknown })),
		want: removes(d, reason.R6_5, reason.RemovingOrphanLearner).without(machine),
	},
	{
		name:  "R6.5 an orphan learner goes although nobody looked for a Node of its name",
		world: edits(world.Learner(d), world.Orphaned(d, 3*time.Minute), forgotten(d)),
		want:  removes(d, reason.R6_5, reason.RemovingOrphanLearner).without(machine, node),
	},
	{
		name:  "R6.4 a dead voter stays while nobody looked for a Node of its name",
		world: edits(world.Voter(d), world.Unhealthy(d, time.Hour), world.Orphaned(d, time.Hour), forgotten(d)),
		want:  waits(d, reason.R6_4, reason.AbsenceNotConfirmed).without(machine, node),
	},
	{
		name:  "R6.10 an unhealthy learner without a Machine is no lost voter",
		world: edits(world.Learner(d), world.MachineGone(d), world.Unhealthy(d, time.Hour)),
		want:  waits(d, reason.R5_2, reason.LearnerNotHealthy).without(machine),
	},
	{
		name: "R6.1 a voter that says itself that it cannot serve is dead also where nothing is known of its Node",
		world: edits(world.Deleting(a), world.Unhealthy(a, 5*time.Minute), forgotten(a),
			world.Member(a, func(m *snapshot.Member) { m.CannotServe = snapshot.True })),
		want: removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:  "R6.2 an unhealthy learner holds back no removal",
		world: edits(world.Voter(d), world.Learner(e), world.Unhealthy(e, time.Second), world.Deleting(a)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: b,
	},
	{
		name:  "R6.2 an install on a learner's node holds back no removal",
		world: edits(world.Voter(d), world.Learner(e), target(e, 2), world.Deleting(a)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: b,
	},
	{
		name:  "R6.2 an install on a voter's node holds back, also behind a learner in the list",
		world: edits(world.Voter(d), world.Learner(first), target(c, 2), world.Deleting(a)),
		want:  waits(a, reason.R6_2, reason.WaitingForInstall).of("node-c"),
	},
	{
		name:    "R6.2 an install on a voter's node holds back, also behind an orphan in the list",
		world:   edits(world.Voter(d), world.Voter(first), world.Orphaned(first, time.Hour), target(c, 2), world.Deleting(a)),
		want:    waits(first, reason.R6_4, reason.HealthyOrphanVoter).without(machine),
		refused: lines(removes(a, reason.R6_2, reason.WaitingForInstall).of("node-c")),
		warned:  lines(warns(first, reason.R6_4, reason.HealthyOrphanVoter)),
	},
	{
		name: "R6.2 a voter with a Machine is no orphan, although nothing has its address",
		world: edits(world.Voter(d), world.Deleting(a), world.Machine(c, func(m *snapshot.Machine) { m.Addresses = nil }),
			world.NodeGone(c), world.Member(c, func(m *snapshot.Member) { m.AddressClaimed, m.UnclaimedFor = snapshot.False, time.Hour })),
		want: waits(a, reason.R6_2, reason.VoterNodeUnknown).of("node-c"),
	},
	{
		name:  "R6.2 a voter without a Machine whose Node is there is waited for",
		world: edits(world.Voter(d), world.Deleting(a), world.MachineGone(c), target(c, 2)),
		want:  waits(a, reason.R6_2, reason.WaitingForInstall).of("node-c"),
	},
	{
		name:  "R6.8 a Node of which nothing is known is not lost",
		world: edits(world.Voter(d, e), world.Deleting(a, b), forgotten(b)),
		want:  waits(a, reason.R6_2, reason.VoterNodeUnknown).of("node-b"),
	},
	{
		name: "R6.2 an API server whose Node is gone is not waited for",
		world: edits(world.Voter(d), world.Deleting(a), world.Waiting(e),
			world.Node(e, func(n *snapshot.Node) { n.Present, n.Ready = snapshot.False, snapshot.Unknown }),
			world.APIServer(e, func(s *snapshot.APIServerNode) { s.EtcdServersKnown = snapshot.Unknown })),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: b,
	},
	{
		name:  "R6.2 an API server that knows a learner knows no voter by it",
		world: edits(world.Voter(d), world.Learner(e), world.Deleting(a), knows(c, a, b, e)),
		want:  waits(a, reason.R6_2, reason.WaitingForAPIServer).of("node-c"),
	},
}

// suffix is a row about what follows the last dash in the names of Machines: whether it is a failure domain (rule R6.6).
// Voter a shares it with d, which stays; voter b has a zone that it shares with e, and its deletion is younger.
func suffix(text string, isDomain bool) testCase {
	tc := testCase{
		name: fmt.Sprintf("R6.6 %q at the end of a name is no failure domain", text),
		world: edits(world.Voter(d, e, f), world.DeletingSince(a, world.Epoch.Add(-time.Hour)), world.Deleting(b), zone(b, "z"), zone(e, "z"),
			renamed(a, snapshot.MachineName("first-"+text)), renamed(d, snapshot.MachineName("second-"+text))),
		want: removes(b, reason.R6_2, reason.RemovingReplacedMember),
	}
	if isDomain {
		tc.name = fmt.Sprintf("R6.6 %q at the end of a name is a failure domain", text)
		tc.want = removes(a, reason.R6_2, reason.RemovingReplacedMember).on(snapshot.MachineName("first-" + text))
		tc.moves = c
	}
	return tc
}

// forgotten takes the entry of a Node away: nothing is known of it.
func forgotten(h world.Host) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) {
		s.Nodes = slices.DeleteFunc(s.Nodes, func(n snapshot.Node) bool { return n.Name == h.Node() })
	})
}

func TestDecideInRareWorlds(t *testing.T) {
	for _, tc := range mutantCases {
		t.Run(tc.name, func(t *testing.T) { tc.check(t) })
	}
}

// Rule R9.1: one wait is said once.
func TestNothingIsRefusedTwice(t *testing.T) {
	rare := testCase{name: "a voter of unknown health with an old count", world: edits(world.Voter(d), world.Deleting(a),
		world.Member(a, func(m *snapshot.Member) { m.Health = snapshot.HealthUnknown }))}
	for _, tc := range slices.Concat(allCases, mutantCases, []testCase{rare}) {
		seen := map[membership.Action][]membership.Target{}
		for _, r := range membership.Decide(world.New(tc.world...)).Refused {
			if slices.Contains(seen[r.Action], r.Target) {
				t.Errorf("%s: %s of %+v is refused twice", tc.name, r.Action, r.Target)
			}
			seen[r.Action] = append(seen[r.Action], r.Target)
		}
	}
}

// Rule R9.1: what waits for another change is sorted among what waits for something else.
func TestRefusalsAreInTheOrderOfNames(t *testing.T) {
	refused := func(s snapshot.Snapshot) []string {
		var all []string
		for _, r := range membership.Decide(s).Refused {
			all = append(all, fmt.Sprintf("%s %s%s %s", r.Action, r.Node, r.Member, r.Reason))
		}
		return all
	}
	got := refused(world.New(world.Voter(d), world.Deleting(a), world.Waiting(e), world.NewNode(f)))
	if diff := cmp.Diff([]string{"AddLearner node-e0 WaitingForAnotherChange", "AddLearner node-f0 WaitingForEtcdPod"}, got); diff != "" {
		t.Errorf("nodes (-want +got)\n%s", diff)
	}

	// Learners that have not started have no name; nothing but their ids tells them apart.
	s := world.New(world.Facts(func(s *snapshot.Snapshot) {
		for i, unclaimedFor := range []time.Duration{3 * time.Minute, time.Minute, 3 * time.Minute} {
			s.Members = append(s.Members, snapshot.Member{
				ID: snapshot.MemberID(0x21 + i), Learner: true, PeerAddresses: []netip.Addr{netip.AddrFrom4([4]byte{198, 51, 100, byte(i)})},
				Corrupt: snapshot.False, NoSpace: snapshot.False, AddressClaimed: snapshot.False, UnclaimedFor: unclaimedFor,
			})
		}
	}))
	want := []string{
		"RemoveMember 22 WaitingToConfirmOrphan", "RemoveMember 23 WaitingForAnotherChange",
		"PromoteLearner 21 WaitingForLearnerToStart", "PromoteLearner 22 WaitingForLearnerToStart", "PromoteLearner 23 WaitingForLearnerToStart",
	}
	if diff := cmp.Diff(want, refused(s)); diff != "" {
		t.Errorf("learners without a name (-want +got)\n%s", diff)
	}
	s.Members[3].UnclaimedFor, s.Members[5].UnclaimedFor = 3*time.Minute, time.Minute
	want[0], want[1] = "RemoveMember 22 WaitingForAnotherChange", "RemoveMember 23 WaitingToConfirmOrphan"
	s.Members[4].UnclaimedFor = 3 * time.Minute
	if diff := cmp.Diff(want, refused(s)); diff != "" {
		t.Errorf("learners without a name, the last one too young (-want +got)\n%s", diff)
	}
}

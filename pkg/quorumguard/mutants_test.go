package quorumguard_test

import (
	"slices"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// mutantCases are rows that tell a broken decision from ours where no other row does.
var mutantCases = []testCase{
	{
		name: "R7.5 in doubt nothing is lowered, but a budget that is not there has nothing to lower",
		world: edits(version(snapshot.False), world.Facts(func(s *snapshot.Snapshot) {
			s.Budget = snapshot.Budget{Present: snapshot.False, MinAvailable: 5}
		})),
		min: 2, says: finding(reason.R7_5, reason.WaitingForUpgrade),
	},
	{
		name:  "R11 only a two-node cluster can have its etcd outside",
		world: edits(world.Unhealthy(a, time.Second), world.Facts(func(s *snapshot.Snapshot) { s.ExternalEtcd = snapshot.True })),
		min:   3,
		holds: holds(reason.DrainsWaitForVoter, "node-a", reason.DrainsWaitForGuardWithoutVote, "node-a"),
	},
	{
		name:  "R7.2 a two-node cluster whose etcd is outside asks for no guard when no node is there",
		world: edits(twoNodes(snapshot.True), world.NodeGone(a), world.NodeGone(b)),
		min:   0,
		pods:  lines(refuses(create, a, reason.R7_1, reason.NodeMissing), refuses(create, b, reason.R7_1, reason.NodeMissing)),
		holds: holds(reason.DrainsWaitForGuard, "node-a", reason.DrainsWaitForGuard, "node-b", reason.DrainsWaitForMoreVoters, ""),
	},
	{
		name:  "R7.2 a Node that is gone is not counted, whatever it was",
		world: edits(twoNodes(snapshot.True), world.Node(c, func(n *snapshot.Node) { n.ControlPlane = true })),
		min:   1,
	},
	{
		name:  "R7.2 voters without a Machine count like Machines",
		world: edits(world.Voter(d, e), world.Desired(5), world.MachineGone(d), world.MachineGone(e)),
		min:   4,
	},
	{
		name:  "R7.2 more voters than desired + 1 are all counted",
		world: edits(world.Voter(d, e)),
		min:   4,
	},
	{
		name:  "R7.2 without a desired number every Machine counts, also while a voter is leaving",
		world: edits(world.NewMachine(d, e, f), world.Desired(0), world.Deleting(a)),
		min:   5,
		holds: holds(reason.DrainsWaitForSurplusVoter, "machine-a",
			reason.DrainsWaitForMachine, "machine-d", reason.DrainsWaitForMachine, "machine-e", reason.DrainsWaitForMachine, "machine-f"),
	},
	{
		name:  "R7.2 Machines that a Machine API left behind hold back no drain",
		world: edits(world.NewMachine(d), world.Facts(func(s *snapshot.Snapshot) { s.MachineAPI = snapshot.False })),
		min:   2,
	},
	{
		name:  "R7.2 a new Machine counts before it carries the hook",
		world: edits(world.NewMachine(d), world.Machine(d, func(m *snapshot.Machine) { m.Hook = snapshot.HookMissing })),
		min:   3,
		holds: holds(reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name:  "R7.2 drains wait for a surplus voter, wherever it is in the list",
		world: edits(world.Voter(d), world.Deleting(c)),
		min:   4,
		holds: holds(reason.DrainsWaitForSurplusVoter, "machine-c"),
	},
	{
		name:    "R7.7 with two voters it takes three to spare one",
		world:   edits(world.MemberGone(c), world.NodeGone(c), world.MachineGone(c)),
		min:     2,
		message: "drains wait: of 2 voters none can be spared; 3 would do",
		holds:   holds(reason.DrainsWaitForMoreVoters, ""),
	},
	{
		name:    "R7.7 with one voter it takes three as well",
		world:   edits(world.MemberGone(b, c), world.NodeGone(b), world.NodeGone(c), world.MachineGone(b), world.MachineGone(c)),
		min:     1,
		message: "drains wait: of 1 voters none can be spared; 3 would do",
		holds:   holds(reason.DrainsWaitForMoreVoters, ""),
	},
	{
		name:  "R7.7 a guard is missed on a node of which nothing is known",
		world: edits(world.GuardGone(b), forgotten(b)),
		min:   2,
		pods:  lines(refuses(create, b, reason.R7_1, reason.NodeMissing)),
		holds: holds(reason.DrainsWaitForGuard, "node-b"),
	},
	{
		name:  "R7.7 nobody is told to uncordon a node that could not be read",
		world: edits(world.GuardGone(b), world.Node(b, func(n *snapshot.Node) { n.Present, n.Cordoned = snapshot.Unknown, true })),
		min:   2,
		pods:  lines(refuses(create, b, reason.R7_1, reason.NodeMissing)),
		holds: holds(reason.DrainsWaitForGuard, "node-b"),
	},
	{
		name:  "R7.7 a spare Machine is not named while a surplus voter is what drains wait for",
		world: edits(world.Voter(d), world.NewMachine(e), world.Deleting(a)),
		min:   4,
		holds: holds(reason.DrainsWaitForSurplusVoter, "machine-a"),
	},
	{
		name:  "R7.5 a Machine list that nobody needs may be missing",
		world: edits(world.NoMachineAPI(), budget(3), world.Facts(func(s *snapshot.Snapshot) { s.MachineList = snapshot.Unknown })),
		min:   2,
	},
	{
		name:  "R7.5 a member that is known to have no node leaves nothing in doubt",
		world: edits(world.Voter(d), world.Orphaned(d, time.Hour), forgotten(d), budget(4)),
		min:   3,
		holds: holds(reason.DrainsWaitForBudget, ""),
	},
	{
		name:  "R7.5 a single replica keeps its guards while it is not known whether an upgrade is under way",
		world: edits(topology(snapshot.SingleReplica), version(snapshot.Unknown)),
		min:   2, says: finding(reason.R7_5, reason.WaitingForUpgrade),
		pods: lines(
			refuses(remove, a, reason.R7_5, reason.WaitingForUpgrade),
			refuses(remove, b, reason.R7_5, reason.WaitingForUpgrade),
			refuses(remove, c, reason.R7_5, reason.WaitingForUpgrade),
		),
	},
	{
		name: "R7.4 of two guards on a node the one that stays counts",
		world: edits(world.Facts(func(s *snapshot.Snapshot) {
			s.Guards = append(s.Guards, snapshot.Guard{Node: a.Node(), Phase: snapshot.PodRunning, Ready: true, Deleting: true})
		})),
		min: 2,
	},
	{
		name:  "R7.1 without a Machine API a learner whose Node is gone does not stay",
		world: edits(world.Learner(d), world.NoMachineAPI(), world.NodeGone(d)),
		min:   2,
		pods:  lines(keeps(quorumguard.PodNone, d, reason.R7_1, reason.NodeNeedsNoGuard)),
	},
	{
		name: "R7.4 a learner's guard stays while its Node could not be read",
		world: edits(world.Learner(d), world.NoMachineAPI(), world.Node(d, func(n *snapshot.Node) {
			n.Present, n.Deleting = snapshot.Unknown, true
		})),
		min:   4,
		holds: holds(reason.DrainsWaitForGuardWithoutVote, "node-d"),
	},
	{
		name:  "R7.4 with a Machine API a learner without a Machine does not stay",
		world: edits(world.Learner(d), world.MachineGone(d)),
		min:   3,
		pods:  lines(does(remove, d, reason.R7_4, reason.GuardStandsForNoMember)),
	},
	{
		name:  "R7.4 the guard of a lost vote stays on a node that could not be read",
		world: edits(world.Unhealthy(a, 30*time.Second), world.Node(a, func(n *snapshot.Node) { n.Present, n.Cordoned = snapshot.Unknown, true })),
		min:   3,
		holds: holds(reason.DrainsWaitForVoter, "node-a", reason.DrainsWaitForGuardWithoutVote, "node-a"),
	},
	{
		name: "R7.4 the guard of a voter of which nothing is known stays",
		world: edits(world.Cordoned(a), world.Member(a, func(m *snapshot.Member) {
			m.Health, m.UnhealthyFor = snapshot.HealthUnknown, time.Minute
		})),
		min:   3,
		holds: holds(reason.DrainsWaitForVoter, "node-a", reason.DrainsWaitForGuardWithoutVote, "node-a"),
	},
	{
		name:  "R7.4 an outdated guard stays on a node of which nothing is known",
		world: edits(outdated(b), forgotten(b), closed()),
		min:   4,
		says:  finding(reason.R7_4, reason.GuardRemakeWaits),
		pods:  lines(refuses(remove, b, reason.R7_4, reason.NodeMissing)),
		holds: holds(reason.GuardRemakeWaits, "node-b"),
	},
	{
		name:  "R7.4 a guard that could not be made again is not called waiting for its turn",
		world: edits(outdated(b), forgotten(b)),
		min:   4,
		says:  finding(reason.R7_4, reason.GuardRemakeWaits),
		pods:  lines(refuses(remove, b, reason.R7_4, reason.NodeMissing)),
		holds: holds(reason.GuardRemakeWaits, "node-b"),
	},
	{
		name:  "R8.2 no guard comes to a Node that is gone, so a budget is closed without it",
		world: edits(planned(a), world.NodeGone(b)),
		min:   3,
		says:  finding(reason.R8_2, reason.DrainsWaitForInstall),
		pods:  lines(refuses(create, b, reason.R7_1, reason.NodeMissing)),
		holds: holds(reason.DrainsWaitForInstall, "node-a", reason.DrainsWaitForGuard, "node-b"),
	},
	{
		name:  "R7.4 a guard that has ended goes at once, outdated or not",
		world: edits(outdated(a), ended(a)),
		min:   2,
		pods:  lines(does(remove, a, reason.R7_4, reason.GuardFinished)),
		holds: holds(reason.DrainsWaitForGuard, "node-a"),
	},
	{
		name:  "R7.4 no drain is held back for an outdated guard that is being deleted",
		world: edits(outdated(a), deleted(a)),
		min:   2,
		pods:  lines(keeps(quorumguard.PodKeep, a, reason.R7_1, reason.GuardDeleting)),
		holds: holds(reason.DrainsWaitForGuard, "node-a"),
	},
	{
		name:  "R7.4 an outdated guard of a learner stays",
		world: edits(world.Learner(d), outdated(d)),
		min:   4,
		holds: holds(reason.DrainsWaitForMachine, "machine-d", reason.DrainsWaitForGuardWithoutVote, "node-d"),
	},
	{
		name:  "R7.4 no drain is held back for an outdated guard on a Node that is gone",
		world: edits(outdated(b), world.Node(b, func(n *snapshot.Node) { n.Present = snapshot.False })),
		min:   2,
		pods:  lines(refuses(remove, b, reason.R7_4, reason.NodeMissing)),
	},
	{
		name:  "R7.5 no drain is held back for an outdated guard that stays while an upgrade is under way",
		world: edits(outdated(a), version(snapshot.False)),
		min:   2, says: finding(reason.R7_5, reason.WaitingForUpgrade),
		pods: lines(refuses(remove, a, reason.R7_5, reason.WaitingForUpgrade)),
	},
	{
		name:  "R7.4 a learner's guard does not hold a drain in place of a voter's",
		world: edits(world.Learner(d), world.Cordoned(a), world.Unhealthy(a, 30*time.Second), unready(b)),
		min:   5,
		pods:  lines(refuses(remove, a, reason.R7_4, reason.WaitingForOtherVoters)),
		holds: holds(reason.DrainsWaitForVoter, "node-a", reason.DrainsWaitForMachine, "machine-d",
			reason.DrainsWaitForGuardWithoutVote, "node-a", reason.DrainsWaitForGuardWithoutVote, "node-d", reason.DrainsWaitForGuard, "node-b"),
	},
	{
		name:  "R7.4 a budget that could not be read is not known to be closed",
		world: edits(outdated(a), closed(), world.Facts(func(s *snapshot.Snapshot) { s.Budget.Present = snapshot.Unknown })),
		min:   4, says: finding(reason.R7_5, reason.BudgetUnknown),
		pods:  lines(refuses(remove, a, reason.R7_4, reason.GuardRemakeWaits)),
		holds: holds(reason.BudgetUnknown, ""),
	},
	{
		name:  "R7.4 a guard is made anew although a learner has none",
		world: edits(outdated(a), world.Learner(d), world.Cordoned(d), world.GuardGone(d), closed()),
		min:   4,
		says:  finding(reason.R7_4, reason.GuardRemakeWaits),
		pods:  lines(does(remove, a, reason.R7_4, reason.GuardOutdated), refuses(create, d, reason.R7_1, reason.GuardWaitsForUncordon)),
		holds: holds(reason.GuardRemakeWaits, "node-a", reason.DrainsWaitForMachine, "machine-d"),
	},
	{
		name: "R10.5 one member in the middle of the list whose node is not known is enough to be in doubt",
		world: doubtful(func(s *snapshot.Snapshot) {
			i := slices.IndexFunc(s.Members, func(m snapshot.Member) bool { return m.ID == c.ID() })
			s.Members[i].PeerAddresses = nil
		}),
		min: 4, says: finding(reason.R10_5, reason.PeerURLUnreadable),
		pods: lines(
			refuses(remove, a, reason.R10_5, reason.PeerURLUnreadable),
			refuses(remove, c, reason.R10_5, reason.PeerURLUnreadable),
		),
		holds: holds(reason.DrainsWaitForMachine, "machine-a", reason.DrainsWaitForMachine, "machine-c", reason.DrainsWaitForGuardWithoutVote, "node-c"),
	},
}

// forgotten takes the entry of a Node away: nothing is known of it.
func forgotten(h world.Host) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) {
		s.Nodes = slices.DeleteFunc(s.Nodes, func(n snapshot.Node) bool { return n.Name == h.Node() })
	})
}

// While nobody knows who owns a member no guard stands for a known vote, so every guard is added.
func TestAnUnknownMachineAPITakesTheLargerCount(t *testing.T) {
	unknown := world.Facts(func(s *snapshot.Snapshot) { s.MachineAPI = snapshot.Unknown })
	const guards = 3
	for name, edit := range map[string]world.Edit{
		"more Machines than Nodes": world.NewMachine(d),
		"more Nodes than Machines": func(w *world.World) {
			world.NewNode(d)(w)
			world.MachineGone(d)(w)
		},
	} {
		if got := quorumguard.Decide(world.New(edit, unknown)); got.MinAvailable != 3+guards {
			t.Errorf("%s: minAvailable %d, want %d", name, got.MinAvailable, 3+guards)
		}
	}
}

func TestARefusalIsAboutWhatIsInDoubt(t *testing.T) {
	s := world.New(doubtful(func(s *snapshot.Snapshot) { s.Members[0].PeerAddresses = nil })...)
	got := quorumguard.Decide(s).Pods[0]
	if got.Node != a.Node() || got.Reason != reason.PeerURLUnreadable || got.Subject != s.Members[0].Label() {
		t.Errorf("got %s by %s about %q, want the guard on %s to wait for %q", got.Node, got.Reason, got.Subject, a.Node(), s.Members[0].Label())
	}
}

func TestAGuardThatWaitsToBeMadeAnewNamesTheOneThatIsAway(t *testing.T) {
	got := quorumguard.Decide(world.New(outdated(a), world.GuardGone(c))).Pods[0]
	if got.Reason != reason.GuardRemakeWaits || got.Other != string(c.Node()) {
		t.Errorf("got %s for %q, want %s for %s", got.Reason, got.Other, reason.GuardRemakeWaits, c.Node())
	}
}

func TestAGuardThatWaitsForAnInstallNamesTheNode(t *testing.T) {
	got := quorumguard.Decide(world.New(outdated(a), planned(b))).Pods[0]
	if got.Reason != reason.GuardRemakeWaits || got.Other != string(b.Node()) {
		t.Errorf("got %s for %q, want %s for %s", got.Reason, got.Other, reason.GuardRemakeWaits, b.Node())
	}
}

func TestABudgetThatIsNotThereIsNotClosedWhateverItWas(t *testing.T) {
	got := quorumguard.Decide(world.New(outdated(a), closed(), world.Facts(func(s *snapshot.Snapshot) { s.Budget.Present = snapshot.False })))
	if pod := got.Pods[0]; pod.Action != quorumguard.PodKeep || pod.Reason != reason.GuardRemakeWaits || got.Budget != quorumguard.SetBudget {
		t.Errorf("got %s for %s, and %s for the budget", pod.Action, pod.Reason, got.Budget)
	}
}

// Zero is what a budget that is not there would ask for as well.
func TestABudgetOfNoneIsMadeAllTheSame(t *testing.T) {
	got := quorumguard.Decide(world.New(twoNodes(snapshot.True), world.NodeGone(b), world.Facts(func(s *snapshot.Snapshot) {
		s.Budget = snapshot.Budget{Present: snapshot.False}
	})))
	if got.Budget != quorumguard.SetBudget || got.MinAvailable != 0 {
		t.Errorf("got %s %d, want %s 0", got.Budget, got.MinAvailable, quorumguard.SetBudget)
	}
}

func TestABudgetThatGoesAsksForNothing(t *testing.T) {
	if got := quorumguard.Decide(world.New(topology(snapshot.SingleReplica))); got.Budget != quorumguard.DeleteBudget || got.MinAvailable != 0 {
		t.Errorf("got %s %d, want %s 0", got.Budget, got.MinAvailable, quorumguard.DeleteBudget)
	}
}

// Rule R7.1: its host is no control-plane node, and bootstrap teardown takes it away.
func TestTheBootstrapMemberGetsNoGuard(t *testing.T) {
	got := quorumguard.Decide(world.New(world.Voter(d), world.Member(d, func(m *snapshot.Member) { m.Name = snapshot.BootstrapMember }), world.GuardGone(d)))
	for _, pod := range got.Pods {
		if pod.Node == d.Node() {
			t.Errorf("%s of the guard on its node: %s", pod.Action, pod.Message())
		}
	}
}

// Rule R7.4 asks for the other guards; where no vote can be spared it cannot ask for a quorum of the others as well.
func TestOfTwoNodesAGuardIsMadeAnewBesideAVoterThatIsNotHealthy(t *testing.T) {
	got := quorumguard.Decide(world.New(twoNodes(snapshot.False), outdated(a), world.Unhealthy(b, time.Second), closed())).Pods[0]
	if got.Node != a.Node() || got.Action != remove || got.Reason != reason.GuardOutdated {
		t.Errorf("got %s of the guard on %s by %s, want %s by %s", got.Action, got.Node, got.Reason, remove, reason.GuardOutdated)
	}
}

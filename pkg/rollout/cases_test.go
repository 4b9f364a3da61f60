package rollout_test

import (
	"slices"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const a, b, c, d, e = world.A, world.B, world.C, world.D, world.E

var cases = slices.Concat(scalingCases, createCases, installCases, survivorCases, orderCases, budgetCases, topologyCases, stableCases, lostCases, unknownCases, mutantCases)

// scalingCases are the rows of the list of situations that hurt people; the id of the row is in the name.
var scalingCases = []testCase{
	{
		name:   "S4 no pod restarts while two of five voters are dead",
		world:  edits(world.Voter(d, e), world.Deleting(a, b), world.HostDead(a, 5*time.Minute), world.HostDead(b, 5*time.Minute)),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name: "S4 no survivor restarts for a revision while two of five voters are dead",
		world: edits(world.Voter(d, e), world.Deleting(a, b), world.HostDead(a, 5*time.Minute), world.HostDead(b, 5*time.Minute),
			latest(2, a, b)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			refusedOn(c, reason.R8_2, reason.WaitingForOtherVoters, 2, 3),
			refusedOn(d, reason.R8_2, reason.WaitingForOtherVoters, 2, 3),
			refusedOn(e, reason.R8_2, reason.WaitingForOtherVoters, 2, 3),
		),
		stable: snapshot.False,
		step:   nothing(reason.R8_2, reason.WaitingForOtherVoters),
	},
	{
		name:    "S9 a revision that never lands on a stopped kubelet's node is not waited for",
		world:   edits(world.Voter(d), world.Deleting(a), notReady(a), podNotReady(a), latest(2, b, c, d), target(a, 2)),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(flying(a)),
		stable:  snapshot.True,
		step:    nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "A1 no revision is created while one of three voters restarts",
		world:  edits(world.Unhealthy(b, 20*time.Second)),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "V2 nothing is created or installed without the member list",
		world:  edits(latest(2), fact(func(s *snapshot.Snapshot) { s.MemberList, s.Members = snapshot.Unknown, nil })),
		create: refused(reason.R10_1, reason.MemberListUnknown),
		install: permits(
			refusedOn(a, reason.R10_1, reason.HostedVoterUnknown, 0, 0),
			refusedOn(b, reason.R10_1, reason.HostedVoterUnknown, 0, 0),
			refusedOn(c, reason.R10_1, reason.HostedVoterUnknown, 0, 0),
		),
		stable: snapshot.False,
		step:   nothing(reason.R10_1, reason.HostedVoterUnknown),
	},
	{
		name:    "V4 voters of arbiter nodes count",
		world:   edits(latest(2), topology(snapshot.HighlyAvailableArbiter)),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(allowedOn(a, reason.R8_2, reason.OthersKeepQuorum), allowedOn(b, reason.R8_2, reason.OthersKeepQuorum), allowedOn(c, reason.R8_2, reason.OthersKeepQuorum)),
		stable:  snapshot.False,
		step:    closes(a),
	},
}

// createCases are rule R8.1: healthy voters - 1 >= quorum(voters), worked out by hand, and the two exceptions.
var createCases = []testCase{
	create("3 of 3 voters healthy: 2 >= 2", true, 3),
	create("2 of 3 voters healthy: 1 < 2", false, 3, b),
	create("1 of 3 voters healthy: 0 < 2", false, 3, b, c),
	create("4 of 4 voters healthy: 3 >= 3", true, 4),
	create("3 of 4 voters healthy: 2 < 3", false, 4, b),
	create("5 of 5 voters healthy: 4 >= 3", true, 5),
	create("4 of 5 voters healthy: 3 >= 3", true, 5, b),
	create("3 of 5 voters healthy: 2 < 3", false, 5, b, c),
	{
		name:    "R8.1 2 of 2 voters healthy: 1 < 2",
		world:   edits(gone(c)),
		create:  refused(reason.R8_1, reason.WaitingForSpareVoter),
		message: "no revision is created while 2 voters are healthy: it takes 3 to spare one",
		stable:  snapshot.True,
		step:    nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "R8.1 1 of 1 voter healthy: 0 < 1",
		world:  edits(gone(b), gone(c)),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "R8.1 an unhealthy learner does not count",
		world:  edits(world.Learner(d), world.Unhealthy(d, time.Hour)),
		create: allowed(reason.R8_1, reason.RevisionMayBeCreated),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "R8.1 a healthy learner does not count either",
		world:  edits(world.Learner(d), world.Unhealthy(b, time.Hour)),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "R8.1 a voter of unknown health is not healthy",
		world:  edits(health(b, snapshot.HealthUnknown)),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "R8.1 a voter with alarm CORRUPT is not healthy",
		world:  edits(world.Member(b, func(m *snapshot.Member) { m.Corrupt = snapshot.True })),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:    "R8.1 a revision may be created while a node without a voter waits for its pod",
		world:   edits(world.Unhealthy(b, time.Hour), world.NewNode(d), current(d, 1)),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		message: "a revision may be created: node node-d waits for a pod or for a newer revision",
		stable:  snapshot.True,
		step:    nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "R8.1 a node of which it is unknown whether it has a pod is no reason",
		world:  edits(world.Unhealthy(b, time.Hour), world.NewNode(d), current(d, 1), pod(d, func(p *snapshot.EtcdPod) { p.Present = snapshot.Unknown })),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "R8.1 a node whose pod waits to be added to the members is no reason",
		world:  edits(world.Unhealthy(b, time.Hour), world.Waiting(d)),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "R8.1 a node that is no control-plane node is no reason",
		world:  edits(world.Unhealthy(b, time.Hour), world.NewNode(d), current(d, 1), world.Node(d, func(n *snapshot.Node) { n.ControlPlane = false })),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "R8.1 a broken revision may be superseded while it is not on every voter's node",
		world:  edits(latest(2, a), world.Unhealthy(a, time.Hour), podNotReady(a)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			refusedOn(b, reason.R8_2, reason.WaitingForOtherVoters, 1, 2),
			refusedOn(c, reason.R8_2, reason.WaitingForOtherVoters, 1, 2),
		),
		stable: snapshot.False,
		step:   nothing(reason.R8_2, reason.WaitingForOtherVoters),
	},
	{
		name:    "R8.1 a node without a voter that lacks the latest revision is no reason",
		world:   edits(world.Unhealthy(b, time.Hour), world.Waiting(d), latest(2, a, b, c)),
		create:  refused(reason.R8_1, reason.WaitingForSpareVoter),
		install: permits(allowedOn(d, reason.R8_2, reason.NodeHostsNoVoter)),
		stable:  snapshot.False,
		step:    installs(d),
	},
}

// installCases are rule R8.2: what is asked before a node takes the latest revision.
var installCases = []testCase{
	{
		name:   "R8.2 with all voters healthy each node may take the revision, and the first is next",
		world:  edits(latest(2)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			allowedOn(a, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(b, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(c, reason.R8_2, reason.OthersKeepQuorum),
		),
		stable: snapshot.False,
		step:   closes(a),
	},
	{
		name:    "R8.2 nodes that run the revision already are not asked",
		world:   edits(latest(2, a, b), closed()),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(allowedOn(c, reason.R8_2, reason.OthersKeepQuorum)),
		stable:  snapshot.False,
		step:    installs(c).holding(c),
	},
	{
		name:   "R8.2 one install at a time: a node waits while another voter's node has a target",
		world:  edits(latest(2), target(b, 2)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			refusedOn(a, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(b),
			flying(b),
			refusedOn(c, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(b),
		),
		stable: snapshot.False,
		step:   waitsFor(b).holding(b),
	},
	{
		name:   "R8.2 an install ends with its target: a pod that is not ready is no install, as long as its voter answers",
		world:  edits(latest(2, b), podNotReady(b)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			allowedOn(a, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(c, reason.R8_2, reason.OthersKeepQuorum),
		),
		stable: snapshot.False,
		step:   closes(a),
	},
	{
		name:   "R8.2 two voters that are down do not wait for each other",
		world:  edits(latest(2), world.HostDead(a, time.Hour), world.HostDead(b, time.Hour)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			allowedOn(a, reason.R8_2, reason.VoterIsDownAnyway),
			allowedOn(b, reason.R8_2, reason.VoterIsDownAnyway),
			refusedOn(c, reason.R8_2, reason.WaitingForOtherVoters, 0, 2),
		),
		stable: snapshot.False,
		step:   closes(a),
	},
	{
		name:   "R8.2 an install is superseded on its own node",
		world:  edits(latest(3), target(b, 2)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			refusedOn(a, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(b),
			allowedOn(b, reason.R8_2, reason.OthersKeepQuorum),
			refusedOn(c, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(b),
		),
		stable: snapshot.False,
		step:   closes(b),
	},
	{
		name:    "R8.2 drains stay held back while the node of an install could not be read",
		world:   edits(latest(2, a, c), target(b, 2), world.Node(b, func(n *snapshot.Node) { *n = snapshot.Node{Name: n.Name} })),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(flying(b)),
		stable:  snapshot.False,
		step:    step{step: rollout.NoStep, hold: b, permission: refused(reason.R8_4, reason.WaitingForRevision)},
	},
	{
		name:    "R8.2 drains stay held back while it is not known whether the node of an install hosts a voter",
		world:   edits(latest(2, a, c), target(b, 2), world.Member(b, func(m *snapshot.Member) { m.PeerAddresses = nil })),
		create:  allowed(reason.R8_1, reason.RevisionMayBeCreated),
		install: permits(flying(b)),
		stable:  snapshot.False,
		step:    step{step: rollout.NoStep, hold: b, permission: refused(reason.R8_4, reason.WaitingForRevision)},
	},
	{
		name:   "R8.2 an install on a NotReady node is waited for although its machine is deleting, and drains are not held back for it",
		world:  edits(world.Voter(d, e), world.Deleting(a), notReady(a), podNotReady(a), latest(2), target(a, 2)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			flying(a),
			refusedOn(b, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(a),
			refusedOn(c, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(a),
			refusedOn(d, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(a),
			refusedOn(e, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(a),
		),
		stable: snapshot.False,
		step:   nothing(reason.R8_2, reason.WaitingForOtherInstall),
	},
	{
		name:   "R8.2 the budget opens for a node that is NotReady, and the others still wait for its install",
		world:  edits(latest(2), target(b, 2), notReady(b), podNotReady(b)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			refusedOn(a, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(b),
			flying(b),
			refusedOn(c, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(b),
		),
		stable: snapshot.False,
		step:   nothing(reason.R8_2, reason.WaitingForOtherInstall),
	},
	{
		name:   "R8.2 a node whose own voter is down goes first",
		world:  edits(latest(2), world.HostDead(c, time.Second)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			refusedOn(a, reason.R8_2, reason.WaitingForOtherVoters, 1, 2),
			refusedOn(b, reason.R8_2, reason.WaitingForOtherVoters, 1, 2),
			allowedOn(c, reason.R8_2, reason.VoterIsDownAnyway),
		),
		stable: snapshot.False,
		step:   closes(c),
	},
	down("its probe alone fails", false),
	down("its pod is not ready", true, pod(c, func(p *snapshot.EtcdPod) { p.Ready = snapshot.False })),
	down("its container does not run", true, pod(c, func(p *snapshot.EtcdPod) { p.ContainerRunning = snapshot.False })),
	down("its pod is gone", true, pod(c, func(p *snapshot.EtcdPod) { p.Present = snapshot.False })),
	down("nobody could read its pod", false, pod(c, func(p *snapshot.EtcdPod) { *p = snapshot.EtcdPod{} })),
	down("its node is NotReady", true, notReady(c)),
	down("its node is gone", true, leftBehind(c)),
	down("nobody could read its node", false, world.Node(c, func(n *snapshot.Node) { n.Present, n.Ready = snapshot.Unknown, snapshot.False })),
	down("it answers that it cannot serve", true, world.Member(c, func(m *snapshot.Member) { m.CannotServe = snapshot.True })),
	{
		name:   "R8.2 a node whose own voter is down waits for the install on another",
		world:  edits(latest(2), world.Unhealthy(c, time.Second), target(b, 2)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			refusedOn(a, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(b),
			flying(b),
			refusedOn(c, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(b),
		),
		stable: snapshot.False,
		step:   waitsFor(b).holding(b),
	},
	{
		name:   "R8.2 a voter of unknown health is neither down nor a survivor",
		world:  edits(latest(2), health(c, snapshot.HealthUnknown)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			refusedOn(a, reason.R8_2, reason.WaitingForOtherVoters, 1, 2),
			refusedOn(b, reason.R8_2, reason.WaitingForOtherVoters, 1, 2),
			allowedOn(c, reason.R8_2, reason.OthersKeepQuorum),
		),
		stable: snapshot.False,
		step:   closes(c),
	},
	{
		name:   "R8.2 of five voters two may be missing on other nodes",
		world:  edits(world.Voter(d, e), latest(2, d, e), world.Unhealthy(d, time.Hour)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			allowedOn(a, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(b, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(c, reason.R8_2, reason.OthersKeepQuorum),
		),
		stable: snapshot.False,
		step:   closes(a),
	},
}

// survivorCases are the voters that do not count as survivors in rule R8.2. In each of them c is not one, so a and b wait,
// and c, beside which a and b survive, goes.
var survivorCases = []testCase{
	survivor("on a NotReady node", false, notReady(c)),
	survivor("on a node of unknown readiness", false, world.Node(c, func(n *snapshot.Node) { n.Ready = snapshot.Unknown })),
	survivor("on a cordoned node", false, world.Cordoned(c)),
	survivor("on a machine that is deleting without the hook", false, world.Released(c)),
	survivor("on a machine that is deleting with somebody else's hook", false, world.Deleting(c), machine(c, func(m *snapshot.Machine) { m.Hook = snapshot.HookWrongOwner })),
	survivor("on a machine that is deleting and has no nodeRef", false, world.Deleting(c), machine(c, func(m *snapshot.Machine) { m.NodeRef = "" })),
	survivor("on a machine that is deleting and excluded from draining", false, world.Deleting(c), machine(c, func(m *snapshot.Machine) { m.ExcludedFromDrain = true })),
	survivor("on a machine that is deleting with the hook", true, world.Deleting(c)),
	survivor("on a machine that is excluded from draining and stays", true, machine(c, func(m *snapshot.Machine) { m.ExcludedFromDrain = true })),
	survivor("on a machine without the hook that stays", true, machine(c, func(m *snapshot.Machine) { m.Hook = snapshot.HookMissing })),
	survivor("without a machine", true, world.MachineGone(c)),
	survivor("without a guard", false, world.GuardGone(c)),
	survivor("whose guard is not ready", false, world.Guard(c, func(g *snapshot.Guard) { g.Ready = false })),
	survivor("whose guard is being deleted", false, world.Guard(c, func(g *snapshot.Guard) { g.Deleting = true })),
	survivor("whose guard is outdated", true, world.Guard(c, func(g *snapshot.Guard) { g.Outdated = true })),
	{
		name:   "R8.2 nobody is a survivor while the guards could not be read",
		world:  edits(latest(2, b, c), closed(), fact(func(s *snapshot.Snapshot) { s.GuardList = snapshot.Unknown })),
		create: allowed(reason.R8_1, reason.RevisionRepairs), stable: snapshot.False,
		install: permits(refusedOn(a, reason.R8_2, reason.WaitingForOtherVoters, 0, 2)),
		step:    nothing(reason.R8_2, reason.WaitingForOtherVoters),
	},
	survivor("with a NOSPACE alarm", true, world.Member(c, func(m *snapshot.Member) { m.NoSpace = snapshot.True })),
}

// orderCases: nodes that are known to host no voter come first, and neither hold back nor are held back.
var orderCases = []testCase{
	{
		name:   "R8.2 a node without a voter comes first and needs no closed budget",
		world:  edits(world.Waiting(d), latest(2)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			allowedOn(a, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(b, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(c, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(d, reason.R8_2, reason.NodeHostsNoVoter),
		),
		stable: snapshot.False,
		step:   installs(d),
	},
	{
		name:    "R8.2 the node of a learner hosts no voter",
		world:   edits(world.Learner(d), latest(2, a, b, c)),
		create:  allowed(reason.R8_1, reason.RevisionMayBeCreated),
		install: permits(allowedOn(d, reason.R8_2, reason.NodeHostsNoVoter)),
		stable:  snapshot.False,
		step:    installs(d),
	},
	{
		name:   "R8.2 a node without a voter is not held back by an install on a voter's node",
		world:  edits(world.Waiting(d), latest(2), target(b, 2)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			refusedOn(a, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(b),
			flying(b),
			refusedOn(c, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(b),
			allowedOn(d, reason.R8_2, reason.NodeHostsNoVoter),
		),
		stable: snapshot.False,
		step:   installs(d).holding(b),
	},
	{
		name:   "R8.2 a node without a voter is not held back by voters that are down",
		world:  edits(world.Waiting(d), latest(2), world.HostDead(a, time.Hour), world.HostDead(b, time.Hour)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			allowedOn(a, reason.R8_2, reason.VoterIsDownAnyway),
			allowedOn(b, reason.R8_2, reason.VoterIsDownAnyway),
			refusedOn(c, reason.R8_2, reason.WaitingForOtherVoters, 0, 2),
			allowedOn(d, reason.R8_2, reason.NodeHostsNoVoter),
		),
		stable: snapshot.False,
		step:   installs(d),
	},
	{
		name:   "R8.2 an install on a node without a voter holds nobody back",
		world:  edits(world.Waiting(d), latest(2), target(d, 2), podNotReady(d)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			allowedOn(a, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(b, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(c, reason.R8_2, reason.OthersKeepQuorum),
			flying(d),
		),
		stable: snapshot.False,
		step:   closes(a),
	},
	{
		name:   "R8.2 a down voter's node comes before a healthy voter's, whatever the names",
		world:  edits(world.Voter(d, e), latest(2), world.HostDead(e, time.Hour)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			allowedOn(a, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(b, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(c, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(d, reason.R8_2, reason.OthersKeepQuorum),
			allowedOn(e, reason.R8_2, reason.VoterIsDownAnyway),
		),
		stable: snapshot.False,
		step:   closes(e),
	},
}

// budgetCases: the budget is closed before an install starts on a voter's node.
var budgetCases = []testCase{
	budget("closed, observed and without disruptions", true, closed()),
	budget("closed, but not yet observed", false, closed(), fact(func(s *snapshot.Snapshot) { s.Budget.Observed = false })),
	budget("closed, but still with a disruption", false, closed(), fact(func(s *snapshot.Snapshot) { s.Budget.DisruptionsAllowed = 1 })),
	budget("without disruptions only because a guard is not ready", false, world.Guard(a, func(g *snapshot.Guard) { g.Ready = false }),
		fact(func(s *snapshot.Snapshot) { s.Budget.DisruptionsAllowed = 0 })),
	budget("that keeps all guards but no more", false, fact(func(s *snapshot.Snapshot) { s.Budget.MinAvailable, s.Budget.DisruptionsAllowed = 3, 0 })),
	budget("missing", false, fact(func(s *snapshot.Snapshot) { s.Budget = snapshot.Budget{Present: snapshot.False} })),
	budget("that could not be read", false, closed(), fact(func(s *snapshot.Snapshot) { s.Budget.Present = snapshot.Unknown })),
}

// topologyCases: SingleReplica has no gate; two nodes before the hand-over, and the unsafe override, ask all voters.
var topologyCases = []testCase{
	{
		name:    "R8.2 a single replica rolls without a gate",
		world:   edits(gone(b), gone(c), latest(2), topology(snapshot.SingleReplica)),
		create:  allowed(reason.R8_2, reason.SingleReplicaRollout),
		install: permits(allowedOn(a, reason.R8_2, reason.SingleReplicaRollout)),
		stable:  snapshot.False,
		step:    installs(a),
	},
	{
		name:    "R8.2 a single replica whose member is down rolls without a gate",
		world:   edits(gone(b), gone(c), latest(2), topology(snapshot.SingleReplica), health(a, snapshot.HealthUnknown)),
		create:  allowed(reason.R8_2, reason.SingleReplicaRollout),
		install: permits(allowedOn(a, reason.R8_2, reason.SingleReplicaRollout)),
		stable:  snapshot.False,
		step:    installs(a),
	},
	{
		name: "R8.2 a single replica rolls without a gate although the member list is unknown, the first node first",
		world: edits(latest(2, a), topology(snapshot.SingleReplica),
			fact(func(s *snapshot.Snapshot) { s.MemberList, s.Members = snapshot.Unknown, nil })),
		create:  allowed(reason.R8_2, reason.SingleReplicaRollout),
		install: permits(allowedOn(b, reason.R8_2, reason.SingleReplicaRollout), allowedOn(c, reason.R8_2, reason.SingleReplicaRollout)),
		stable:  snapshot.False,
		step:    installs(b),
	},
	{
		name:    "R8.2 two nodes roll before the hand-over while both voters are healthy",
		world:   edits(gone(c), twoNodes(), latest(2)),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(allowedOn(a, reason.R8_2, reason.OthersKeepQuorum), allowedOn(b, reason.R8_2, reason.OthersKeepQuorum)),
		stable:  snapshot.False,
		step:    closes(a),
	},
	{
		name:    "R8.2 two nodes roll one at a time",
		world:   edits(gone(c), twoNodes(), latest(2), target(a, 2)),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(flying(a), refusedOn(b, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(a)),
		stable:  snapshot.False,
		step:    waitsFor(a).holding(a),
	},
	{
		name:   "R8.2 no revision is created for two nodes while one voter is down",
		world:  edits(gone(c), twoNodes(), world.Unhealthy(b, time.Second)),
		create: refused(reason.R8_2, reason.WaitingForAllVoters),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:    "R8.2 of two nodes the healthy one waits, the down one goes",
		world:   edits(gone(c), twoNodes(), latest(2), world.HostDead(b, time.Second)),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(refusedOn(a, reason.R8_2, reason.WaitingForAllVoters, 1, 2), allowedOn(b, reason.R8_2, reason.VoterIsDownAnyway)),
		stable:  snapshot.False,
		step:    closes(b),
	},
	{
		name:    "R8.2 the unsafe override asks all voters, and no quorum without the node",
		world:   edits(gone(c), latest(2), fact(func(s *snapshot.Snapshot) { s.UnsafeNonHA = true })),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(allowedOn(a, reason.R8_2, reason.OthersKeepQuorum), allowedOn(b, reason.R8_2, reason.OthersKeepQuorum)),
		stable:  snapshot.False,
		step:    closes(a),
	},
	{
		name:    "R8.2 the unsafe override waits while one of five voters is down",
		world:   edits(world.Voter(d, e), latest(2, a, b, c, d), world.Unhealthy(d, time.Hour), fact(func(s *snapshot.Snapshot) { s.UnsafeNonHA = true })),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(refusedOn(e, reason.R8_2, reason.WaitingForAllVoters, 4, 5)),
		stable:  snapshot.False,
		step:    nothing(reason.R8_2, reason.WaitingForAllVoters),
	},
}

// stableCases are rule R8.4.
var stableCases = []testCase{
	{
		name:   "R8.4 stable: every node runs the latest revision and none has a target",
		world:  edits(),
		create: allowed(reason.R8_1, reason.RevisionMayBeCreated),
		stable: snapshot.True,
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
	},
	{
		name:   "R8.4 not stable without a latest revision",
		world:  edits(fact(func(s *snapshot.Snapshot) { s.LatestRevision = 0 }), current(a, 0), current(b, 0), current(c, 0)),
		create: allowed(reason.R8_1, reason.RevisionMayBeCreated),
		stable: snapshot.Unknown,
		step:   nothing(reason.R8_4, reason.WaitingForRevision),
	},
	{
		name:    "R8.4 nothing is installed without a latest revision",
		world:   edits(fact(func(s *snapshot.Snapshot) { s.LatestRevision = 0 }), current(a, 0), current(b, 0)),
		create:  allowed(reason.R8_1, reason.RevisionMayBeCreated),
		install: permits(refusedOn(c, reason.R8_2, reason.RevisionUnknown, 0, 0)),
		stable:  snapshot.Unknown,
		step:    nothing(reason.R8_2, reason.RevisionUnknown),
	},
	{
		name: "R8.4 not stable while a node without a voter lacks the latest revision and cannot be asked",
		world: edits(latest(2, a, b, c), fact(func(s *snapshot.Snapshot) {
			s.NodeStatuses = append(s.NodeStatuses, snapshot.NodeStatus{Node: "node-z", Current: 1, Target: 2})
		})),
		create:  allowed(reason.R8_1, reason.RevisionMayBeCreated),
		install: permits(flying("z")),
		stable:  snapshot.False,
		step:    nothing(reason.R8_4, reason.WaitingForRevision),
	},
	{
		name:   "R8.4 not stable without a node status",
		world:  edits(fact(func(s *snapshot.Snapshot) { s.NodeStatuses = nil })),
		create: allowed(reason.R8_1, reason.RevisionMayBeCreated),
		stable: snapshot.Unknown,
		step:   nothing(reason.R8_4, reason.WaitingForRevision),
	},
	{
		name:    "R8.4 not stable while a node of the latest revision has a target",
		world:   edits(target(b, 1)),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(flying(b)),
		stable:  snapshot.False,
		step:    nothing(reason.R8_4, reason.WaitingForRevision).holding(b),
	},
	{
		name:    "R8.4 a NotReady node whose machine is deleting is not waited for",
		world:   edits(world.Voter(d), latest(2, b, c, d), world.Deleting(a), world.HostDead(a, time.Hour)),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(allowedOn(a, reason.R8_2, reason.VoterIsDownAnyway)),
		stable:  snapshot.True,
		step:    closes(a),
	},
}

// lostCases are the nodes that are not waited for in rule R8.4 (rule R6.8), and those that are. In each of them node a
// alone lacks the latest revision; its install is under way, and drains are held back for the node that is named.
var lostCases = []testCase{
	lost("a NotReady node whose machine is deleting", true, "", world.Deleting(a), notReady(a)),
	lost("a node that is gone and whose machine is deleting", true, "", world.Deleting(a), leftBehind(a)),
	lost("a Ready node whose machine is deleting", false, a, world.Deleting(a)),
	lost("a NotReady node whose machine stays", false, "", notReady(a)),
	lost("a NotReady node without a machine", false, "", world.MachineGone(a), notReady(a)),
	lost("a node that is gone and whose machine stays", false, "", leftBehind(a)),
	lost("a node of unknown readiness whose machine is deleting", false, a, world.Deleting(a),
		world.Node(a, func(n *snapshot.Node) { n.Ready = snapshot.Unknown })),
	lost("a node that could not be read and whose machine is deleting", false, a, world.Deleting(a),
		world.Node(a, func(n *snapshot.Node) { *n = snapshot.Node{Name: n.Name} })),
}

// unknownCases: what is not known allows nothing.
var unknownCases = []testCase{
	{
		name:   "R11 nothing is created or installed in an unknown topology",
		world:  edits(latest(2), topology(snapshot.TopologyUnknown)),
		create: refused(reason.R11, reason.TopologyUnknown),
		install: permits(
			refusedOn(a, reason.R11, reason.TopologyUnknown, 0, 0),
			refusedOn(b, reason.R11, reason.TopologyUnknown, 0, 0),
			refusedOn(c, reason.R11, reason.TopologyUnknown, 0, 0),
		),
		stable: snapshot.False,
		step:   nothing(reason.R11, reason.TopologyUnknown),
	},
	{
		name:    "R10.1 nothing is created or installed from facts that contradict each other",
		world:   edits(latest(2), fact(func(s *snapshot.Snapshot) { s.Members = append(s.Members, s.Members[0]) })),
		create:  refused(reason.R10_1, reason.FactsContradict),
		message: "member a is listed twice",
		install: permits(
			refusedOn(a, reason.R10_1, reason.HostedVoterUnknown, 0, 0),
			refusedOn(b, reason.R10_1, reason.HostedVoterUnknown, 0, 0),
			refusedOn(c, reason.R10_1, reason.HostedVoterUnknown, 0, 0),
		),
		stable: snapshot.False,
		step:   nothing(reason.R10_1, reason.HostedVoterUnknown),
	},
	{
		name:    "R8.2 a node waits while it is not known whether it hosts a voter",
		world:   edits(world.Waiting(d), latest(2, a, b, c), world.Member(c, func(m *snapshot.Member) { m.PeerAddresses = nil })),
		create:  allowed(reason.R8_1, reason.RevisionMayBeCreated),
		install: permits(refusedOn(d, reason.R10_1, reason.HostedVoterUnknown, 0, 0)),
		stable:  snapshot.False,
		step:    nothing(reason.R10_1, reason.HostedVoterUnknown),
	},
	{
		name:    "R8.2 a voter's node waits while it is not known which node hosts another voter",
		world:   edits(latest(2, b, c), world.Member(c, func(m *snapshot.Member) { m.PeerAddresses = nil })),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(refusedOn(a, reason.R8_2, reason.WaitingForOtherVoters, 1, 2)),
		stable:  snapshot.False,
		step:    nothing(reason.R8_2, reason.WaitingForOtherVoters),
	},
}

package rollout_test

import (
	"slices"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// mutantCases are rows that tell a broken decision from ours where no other row does.
var mutantCases = []testCase{
	{
		name:    "R8.2 a voter that is known to have no node hides no node without a voter",
		world:   edits(world.Voter(d), world.Orphaned(d, time.Hour), forgotten(d), world.Waiting(e), latest(2, a, b, c)),
		create:  allowed(reason.R8_1, reason.RevisionMayBeCreated),
		install: permits(allowedOn(e, reason.R8_2, reason.NodeHostsNoVoter)),
		step:    installs(e),
		stable:  snapshot.False,
	},
	{
		name:   "R8.2 two nodes may create a revision while every voter is healthy",
		world:  edits(twoNodes()),
		create: allowed(reason.R8_1, reason.RevisionMayBeCreated),
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
		stable: snapshot.True,
	},
	{
		name:   "R8.1 a Node that is gone waits for no pod",
		world:  edits(world.Unhealthy(a, time.Second), withoutPod(d), world.Node(d, func(n *snapshot.Node) { n.Present = snapshot.False })),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
		stable: snapshot.True,
	},
	{
		name:   "R8.1 a Node that could not be read is not known to wait for a pod",
		world:  edits(world.Unhealthy(a, time.Second), withoutPod(d), world.Node(d, func(n *snapshot.Node) { n.Present = snapshot.Unknown })),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
		stable: snapshot.True,
	},
	{
		name:   "R8.1 a voter's node that waits for its pod is no repair",
		world:  edits(world.Unhealthy(a, time.Second), pod(b, func(p *snapshot.EtcdPod) { p.Present = snapshot.False })),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
		stable: snapshot.True,
	},
	{
		name:   "R8.1 a node that may host a voter and waits for its pod is no repair",
		world:  edits(world.Unhealthy(a, time.Second), withoutPod(d), world.MachineGone(c), forgotten(c)),
		create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		step:   nothing(reason.R8_4, reason.RevisionsCurrent),
		stable: snapshot.True,
	},
	{
		name:    "R8.2 an install on a node that may host a voter is waited for",
		world:   edits(world.MachineGone(c), forgotten(c), latest(2, b), target(c, 2)),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(refusedOn(a, reason.R8_2, reason.WaitingForOtherInstall, 0, 0).of(c), flying(c)),
		step:    waitsFor(c),
		stable:  snapshot.False,
	},
	{
		name:   "R8.2 a healthy learner is no survivor",
		world:  edits(world.Learner(d), world.HostDead(b, time.Second), latest(2)),
		create: allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(
			refusedOn(a, reason.R8_2, reason.WaitingForOtherVoters, 1, 2),
			allowedOn(b, reason.R8_2, reason.VoterIsDownAnyway),
			refusedOn(c, reason.R8_2, reason.WaitingForOtherVoters, 1, 2),
			allowedOn(d, reason.R8_2, reason.NodeHostsNoVoter),
		),
		step:   installs(d),
		stable: snapshot.False,
	},
	{
		name:   "R8.2 with a single replica a node that may host a voter does not go before one that does",
		world:  edits(topology(snapshot.SingleReplica), world.MachineGone(c), forgotten(c), latest(2, b)),
		create: allowed(reason.R8_2, reason.SingleReplicaRollout),
		install: permits(
			allowedOn(a, reason.R8_2, reason.SingleReplicaRollout),
			allowedOn(c, reason.R8_2, reason.SingleReplicaRollout),
		),
		step:   installs(a),
		stable: snapshot.False,
	},
	{
		name:    "R8.2 no drain is held back for an install on a Node that is gone",
		world:   edits(latest(2, b, c), target(a, 2), world.Node(a, func(n *snapshot.Node) { n.Present = snapshot.False })),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(flying(a)),
		step:    nothing(reason.R8_4, reason.WaitingForRevision),
		stable:  snapshot.False,
	},
	{
		name: "R8.2 drains are held back for an install on a Node that could not be read",
		world: edits(latest(2, b, c), target(a, 2), world.Node(a, func(n *snapshot.Node) {
			n.Present, n.Ready = snapshot.Unknown, snapshot.False
		})),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(flying(a)),
		step:    nothing(reason.R8_4, reason.WaitingForRevision).holding(a),
		stable:  snapshot.False,
	},
	{
		name:    "R8.2 a voter that fails its probe is not called down by a Node of which nothing is known",
		world:   edits(world.Unhealthy(a, time.Minute), forgotten(a), latest(2, b, c)),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(allowedOn(a, reason.R8_2, reason.OthersKeepQuorum)),
		step:    closes(a),
		stable:  snapshot.False,
	},
	{
		name: "R10.5 a voter whose peer URLs cannot be read may live on any node",
		world: edits(world.Waiting(d), latest(2, a, b, c), world.Member(c, func(m *snapshot.Member) {
			m.PeerAddresses, m.AddressClaimed = nil, snapshot.False
		})),
		create:  allowed(reason.R8_1, reason.RevisionMayBeCreated),
		install: permits(refusedOn(d, reason.R10_1, reason.HostedVoterUnknown, 0, 0)),
		step:    nothing(reason.R10_1, reason.HostedVoterUnknown),
		stable:  snapshot.False,
	},
}

// withoutPod adds a control-plane node on which no etcd pod runs, and of which the installer does not know yet.
func withoutPod(h world.Host) world.Edit {
	return func(w *world.World) {
		world.NewNode(h)(w)
		w.NodeStatuses = slices.DeleteFunc(w.NodeStatuses, func(s snapshot.NodeStatus) bool { return s.Node == h.Node() })
	}
}

// forgotten takes the entry of a Node away: nothing is known of it.
func forgotten(h world.Host) world.Edit {
	return fact(func(s *snapshot.Snapshot) {
		s.Nodes = slices.DeleteFunc(s.Nodes, func(n snapshot.Node) bool { return n.Name == h.Node() })
	})
}

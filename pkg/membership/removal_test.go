package membership_test

import (
	"net/netip"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const justBelow = -time.Nanosecond

// deadCases are the numbers and the witnesses of rule R6.1.
var deadCases = []testCase{
	{
		name:    "R6.1 just below 30 s a voter whose node is gone stays",
		world:   edits(world.Deleting(a), world.NodeGone(a), world.Unhealthy(a, 30*time.Second+justBelow)),
		want:    waits(a, reason.R6_1, reason.WaitingToConfirmMemberIsDead),
		message: "node-a does not answer; it counts as dead after 30 seconds without a break",
	},
	{
		name:  "R6.1 after 30 s a voter whose node is gone is dead",
		world: edits(world.Deleting(a), world.NodeGone(a), world.Unhealthy(a, 30*time.Second)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:    "R6.1 just below 30 s a voter whose machine failed stays",
		world:   edits(world.Deleting(a), failed(a), world.HostDead(a, 30*time.Second+justBelow)),
		want:    waits(a, reason.R6_1, reason.WaitingToConfirmMemberIsDead),
		message: "node-a does not answer; it counts as dead after 30 seconds without a break",
	},
	{
		name:  "R6.1 after 30 s a voter whose machine failed is dead",
		world: edits(world.Deleting(a), failed(a), world.HostDead(a, 30*time.Second)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:    "R6.1 just below 30 s a voter stays even if the desired number of healthy voters remains",
		world:   edits(world.Voter(d), world.Deleting(a), world.HostDead(a, 30*time.Second+justBelow)),
		want:    waits(a, reason.R6_1, reason.WaitingToConfirmMemberIsDead),
		message: "node-a does not answer; it counts as dead after 30 seconds without a break",
	},
	{
		name:  "R6.1 after 30 s a voter is dead if the desired number of healthy voters remains",
		world: edits(world.Voter(d), world.Deleting(a), world.HostDead(a, 30*time.Second)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name: "R6.1 one healthy voter fewer than desired and it takes 5 minutes again",
		world: edits(world.Voter(d), world.Deleting(a), world.HostDead(a, 5*time.Minute+justBelow),
			world.Unhealthy(b, time.Second), world.Voter(e), world.Desired(4)),
		want:    waits(a, reason.R6_1, reason.WaitingToConfirmMemberIsDead),
		message: "node-a does not answer; it counts as dead after 300 seconds without a break",
	},
	{
		name:    "R6.1 a learner is none of the healthy voters that shorten the time",
		world:   edits(world.Learner(d), world.Deleting(a), world.HostDead(a, 30*time.Second)),
		want:    waits(a, reason.R6_1, reason.WaitingToConfirmMemberIsDead),
		message: "node-a does not answer; it counts as dead after 300 seconds without a break",
	},
	{
		name:    "R6.1 just below 10 minutes a voter on a cordoned node stays",
		world:   edits(world.Deleting(a), world.Cordoned(a), world.HostDead(a, 10*time.Minute+justBelow)),
		want:    waits(a, reason.R6_1, reason.WaitingToConfirmMemberIsDead),
		message: "node-a does not answer; it counts as dead after 600 seconds without a break",
	},
	{
		name:  "R6.1 after 10 minutes a voter on a cordoned node is dead",
		world: edits(world.Deleting(a), world.Cordoned(a), world.HostDead(a, 10*time.Minute)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:  "R6.1 on a cordoned node 30 s are enough if the desired number of healthy voters remains",
		world: edits(world.Voter(d), world.Deleting(a), world.Cordoned(a), world.HostDead(a, 30*time.Second)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:  "R6.1 on a cordoned node 30 s are enough if the machine failed",
		world: edits(world.Deleting(a), failed(a), world.Cordoned(a), world.HostDead(a, 30*time.Second)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:    "R6.1 just below 5 minutes any other voter stays",
		world:   edits(world.Deleting(a), world.HostDead(a, 5*time.Minute+justBelow)),
		want:    waits(a, reason.R6_1, reason.WaitingToConfirmMemberIsDead),
		message: "node-a does not answer; it counts as dead after 300 seconds without a break",
	},
	{
		name:  "R6.1 after 5 minutes any other voter is dead",
		world: edits(world.Deleting(a), world.HostDead(a, 5*time.Minute)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:    "R6.1 just below 5 minutes a voter that takes a revision stays",
		world:   edits(world.Deleting(a), world.HostDead(a, 5*time.Minute+justBelow), rollout(2), target(a, 2)),
		want:    waits(a, reason.R6_1, reason.WaitingToConfirmMemberIsDead),
		message: "node-a does not answer; it counts as dead after 300 seconds without a break",
	},
	{
		name:  "R6.1 after 5 minutes a voter that takes a revision is dead",
		world: edits(world.Deleting(a), world.HostDead(a, 5*time.Minute), rollout(2), target(a, 2)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:  "R6.1 a dead voter goes although the hook of its machine was stripped",
		world: edits(world.Released(a), world.HostDead(a, 5*time.Minute)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:  "R6.1 a dead voter stays while its machine is not deleting",
		world: edits(world.HostDead(a, 24*time.Hour)),
		want:  waits(a, reason.R6_1, reason.MachineNotDeleting).of("machine-a"),
	},
	{
		name:    "R6.1 a dead voter stays while the voters have no quorum",
		world:   edits(world.Voter(d), world.Deleting(a), world.HostDead(a, time.Hour), world.Unhealthy(b, time.Hour)),
		want:    waits(a, reason.R6_1, reason.NoHealthyQuorum),
		message: "node-a stays while 2 voters are healthy and quorum is 3",
	},
	{
		name:  "R6.1 a dead voter goes with the last healthy quorum",
		world: edits(world.Voter(d, e), world.Deleting(a), world.HostDead(a, time.Hour), world.Unhealthy(b, time.Hour)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:    "R6.1 a learner is not counted for the quorum without which a dead voter stays",
		world:   edits(world.Learner(d), world.Deleting(a), world.HostDead(a, time.Hour), world.Unhealthy(b, time.Hour)),
		want:    waits(a, reason.R6_1, reason.NoHealthyQuorum),
		message: "node-a stays while 1 voters are healthy and quorum is 2",
	},

	{
		name:  "R6.1 the node alone, NotReady, is a second witness",
		world: edits(world.Deleting(a), world.Unhealthy(a, 5*time.Minute), notReady(a)),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name: "R6.1 the etcd container alone, not running, is a second witness",
		world: edits(world.Deleting(a), world.Unhealthy(a, 5*time.Minute),
			pod(a, func(p *snapshot.EtcdPod) { p.ContainerRunning = snapshot.False })),
		want: removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name: "R6.1 the etcd pod alone, not ready, is a second witness",
		world: edits(world.Deleting(a), world.Unhealthy(a, 5*time.Minute),
			pod(a, func(p *snapshot.EtcdPod) { p.Ready = snapshot.False })),
		want: removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name: "R6.1 the endpoint alone, which says itself that it cannot serve, is a second witness",
		world: edits(world.Deleting(a), world.Unhealthy(a, 5*time.Minute),
			world.Member(a, func(m *snapshot.Member) { m.CannotServe = snapshot.True })),
		want: removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name: "R6.1 the etcd pod alone, which a live read does not find, is a second witness",
		world: edits(world.Deleting(a), world.Unhealthy(a, 5*time.Minute),
			pod(a, func(p *snapshot.EtcdPod) { p.Present = snapshot.False })),
		want: removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name: "R6.1 nothing unknown is a second witness",
		world: edits(world.Deleting(a), world.Unhealthy(a, time.Hour),
			world.Member(a, func(m *snapshot.Member) { m.CannotServe = snapshot.Unknown }),
			world.Node(a, func(n *snapshot.Node) { n.Ready, n.Etcd = snapshot.Unknown, snapshot.EtcdPod{} })),
		want: waits(a, reason.R6_1, reason.WaitingForSecondWitness),
	},
	{
		name: "R6.1 a node that could not be read is neither gone nor NotReady",
		world: edits(world.Deleting(a), world.Unhealthy(a, time.Hour),
			world.Node(a, func(n *snapshot.Node) { *n = snapshot.Node{Name: n.Name} })),
		want: waits(a, reason.R6_1, reason.WaitingForSecondWitness),
	},
	{
		name:  "R6.1 a healthy voter is not dead, whatever the witnesses say",
		world: edits(world.Deleting(a), failed(a), notReady(a), podNotReady(a)),
		want:  waits(a, reason.R6_3, reason.WaitingForReplacementVoter),
	},
	{
		name:   "R10.1 a voter that answers with alarm CORRUPT is not known to be dead",
		world:  edits(world.Deleting(a), corrupt(a)),
		want:   waits(a, reason.R10_1, reason.MemberHealthUnknown),
		warned: lines(warns(a, reason.R10_1, reason.MemberCorrupt)),
	},
}

// replacedCases are the conditions of rules R6.2 and R6.3, each alone, and what rule R6.8 leaves out of them.
var replacedCases = []testCase{
	{
		name:  "R6.2 a voter whose replacement votes is removed",
		world: edits(world.Voter(d), world.Deleting(b)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:  "R6.2 a voter goes although somebody gave its hook another owner",
		world: edits(world.Voter(d), world.Deleting(b), hook(b, snapshot.HookWrongOwner)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:    "R6.3 a voter stays while exactly the desired number of voters is there",
		world:   edits(world.Voter(d), world.Deleting(b), world.Desired(4)),
		want:    waits(b, reason.R6_3, reason.WaitingForReplacementVoter),
		message: "without node-b, 3 voters would remain and 4 are desired",
	},
	{
		name:    "R6.3 learners do not count as voters that remain",
		world:   edits(world.Learner(d), behind(d, 5001), world.Deleting(b)),
		want:    waits(b, reason.R6_3, reason.WaitingForReplacementVoter),
		message: "without node-b, 2 voters would remain and 3 are desired",
	},
	{
		name:  "R6.2 a voter stays while the health of one that remains is unknown",
		world: edits(world.Voter(d), world.Deleting(b), health(c, snapshot.HealthUnknown)),
		want:  waits(b, reason.R6_2, reason.WaitingForRemainingVoters).of("node-c"),
	},
	{
		name:   "R6.2 a voter stays while one that remains has alarm CORRUPT",
		world:  edits(world.Voter(d), world.Deleting(b), corrupt(c)),
		want:   waits(b, reason.R6_2, reason.WaitingForRemainingVoters).of("node-c"),
		warned: lines(warns(c, reason.R10_1, reason.MemberCorrupt)),
	},
	{
		name: "R6.2 a voter stays while it is unknown whether one that remains has alarm CORRUPT",
		world: edits(world.Voter(d), world.Deleting(b),
			world.Member(c, func(m *snapshot.Member) { m.Corrupt = snapshot.Unknown })),
		want: waits(b, reason.R6_2, reason.WaitingForRemainingVoters).of("node-c"),
	},
	{
		name:   "R6.2 alarm NOSPACE of a voter that remains is a warning and does not hold back",
		world:  edits(world.Voter(d), world.Deleting(b), noSpace(c)),
		want:   removes(b, reason.R6_2, reason.RemovingReplacedMember),
		warned: lines(warns(c, reason.R10_1, reason.MemberOutOfSpace)),
	},
	{
		name:    "R6.2 a voter stays while one that remains has not started",
		world:   edits(world.Voter(d), world.Deleting(b), unstarted(c)),
		want:    waits(c, reason.R6_1, reason.MachineNotDeleting).named("NAME-PENDING-192.0.2.12").of("machine-c"),
		refused: lines(refuses(remove, b, reason.R6_2, reason.WaitingForRemainingVoters).of("NAME-PENDING-192.0.2.12")),
	},
	{
		name:  "R6.2 a voter stays while the latest revision is unknown",
		world: edits(world.Voter(d), world.Deleting(b), world.Facts(func(s *snapshot.Snapshot) { s.LatestRevision = 0 })),
		want:  waits(b, reason.R6_2, reason.RevisionUnknown),
	},
	{
		name:  "R6.2 a voter stays while another voter's node takes a revision",
		world: edits(world.Voter(d), world.Deleting(b), rollout(2), target(c, 2)),
		want:  waits(b, reason.R6_2, reason.WaitingForInstall).of("node-c"),
	},
	{
		name:  "R6.2 a voter stays while its own node takes a revision",
		world: edits(world.Voter(d), world.Deleting(b), rollout(2), target(b, 2)),
		want:  waits(b, reason.R6_2, reason.WaitingForInstall).of("node-b"),
	},
	{
		name:  "R6.2 a voter stays while the etcd pod on another voter's node is not ready",
		world: edits(world.Voter(d), world.Deleting(b), pod(c, func(p *snapshot.EtcdPod) { p.Ready = snapshot.False })),
		want:  waits(b, reason.R6_2, reason.WaitingForInstall).of("node-c"),
	},
	{
		name:  "R6.2 a voter stays while the readiness of the etcd pod on another voter's node is unknown",
		world: edits(world.Voter(d), world.Deleting(b), pod(c, func(p *snapshot.EtcdPod) { p.Ready = snapshot.Unknown })),
		want:  waits(b, reason.R6_2, reason.WaitingForInstall).of("node-c"),
	},
	{
		name:  "R6.2 a voter stays while its own etcd pod is not ready",
		world: edits(world.Voter(d), world.Deleting(b), pod(b, func(p *snapshot.EtcdPod) { p.Ready = snapshot.False })),
		want:  waits(b, reason.R6_2, reason.WaitingForInstall).of("node-b"),
	},
	{
		name: "R6.2 a voter stays while the node of one that remains is not known",
		world: edits(world.Voter(d), world.Deleting(b),
			world.Node(c, func(n *snapshot.Node) { *n = snapshot.Node{Name: n.Name} })),
		want: waits(b, reason.R6_2, reason.VoterNodeUnknown).of("node-c"),
	},
	{
		name:  "R6.2 nodes that merely wait for the latest revision do not hold a voter back",
		world: edits(world.Voter(d), world.Deleting(b), rollout(2)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:  "R6.2 an install on a node without a voter does not hold a voter back",
		world: edits(world.Voter(d), world.Deleting(b), world.Waiting(e), rollout(2), target(e, 2), podNotReady(e)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:  "R6.8 an install on a NotReady node whose machine is deleting does not hold another voter back",
		world: edits(world.Voter(d, e), world.Deleting(a, b), notReady(b), podNotReady(b), rollout(2), target(b, 2)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: c,
	},
	{
		name:  "R6.8 a voter goes although its node is gone, when its machine is deleting",
		world: edits(world.Voter(d), world.Deleting(b), world.NodeGone(b), leftStatus(b, 2)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:  "R6.8 an install on a NotReady node whose machine stays holds back",
		world: edits(world.Voter(d), world.Deleting(b), notReady(c), podNotReady(c)),
		want:  waits(b, reason.R6_2, reason.WaitingForInstall).of("node-c"),
	},
	{
		name: "R6.8 a node whose readiness is unknown holds back although its machine is deleting",
		world: edits(world.Voter(d), world.Deleting(b), podNotReady(b),
			world.Node(b, func(n *snapshot.Node) { n.Ready = snapshot.Unknown })),
		want: waits(b, reason.R6_2, reason.WaitingForInstall).of("node-b"),
	},

	{
		name:  "R6.2 a voter stays while etcd-endpoints could not be read",
		world: edits(world.Voter(d), world.Deleting(b), world.Facts(func(s *snapshot.Snapshot) { s.EndpointsKnown = snapshot.Unknown })),
		want:  waits(b, reason.R6_2, reason.WaitingForEndpoints),
	},
	{
		name:  "R6.2 a voter stays while etcd-endpoints holds something that is no address",
		world: edits(world.Voter(d), world.Deleting(b), world.Facts(func(s *snapshot.Snapshot) { s.EndpointsKnown = snapshot.False })),
		want:  waits(b, reason.R6_2, reason.WaitingForEndpoints),
	},
	{
		name:  "R6.2 a voter stays while etcd-endpoints names one too many",
		world: edits(world.Voter(d), world.Deleting(b), endpoints(a, b, c, d, e)),
		want:  waits(b, reason.R6_2, reason.WaitingForEndpoints),
	},
	{
		name:  "R6.2 a voter stays while etcd-endpoints names itself no more",
		world: edits(world.Voter(d), world.Deleting(b), endpoints(a, c, d)),
		want:  waits(b, reason.R6_2, reason.WaitingForEndpoints),
	},
	{
		name:  "R6.2 etcd-endpoints names the first peer URL of a voter that has two",
		world: edits(world.Voter(d), world.Deleting(b), secondPeerURL(c)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name: "R6.2 etcd-endpoints does not name the second peer URL of a voter",
		world: edits(world.Voter(d), world.Deleting(b), secondPeerURL(c),
			world.Facts(func(s *snapshot.Snapshot) { s.Endpoints[2] = c.IPv6() })),
		want: waits(b, reason.R6_2, reason.WaitingForEndpoints),
	},

	{
		name:  "R6.2 a cluster without a kube-apiserver resource has no such gate",
		world: edits(world.Voter(d), world.Deleting(b), apiServers(snapshot.False), noAPIServerNodes()),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:  "R6.2 a voter stays while it is unknown whether there is a kube-apiserver resource",
		world: edits(world.Voter(d), world.Deleting(b), apiServers(snapshot.Unknown), noAPIServerNodes()),
		want:  waits(b, reason.R6_2, reason.APIServersUnknown),
	},
	{
		name: "R6.2 a voter stays while the endpoints of one API server are unknown",
		world: edits(world.Voter(d), world.Deleting(b),
			world.APIServer(c, func(s *snapshot.APIServerNode) { s.EtcdServersKnown = snapshot.Unknown })),
		want: waits(b, reason.R6_2, reason.WaitingForAPIServer).of("node-c"),
	},
	{
		name:    "R6.2 a voter stays while one API server knows only one of those that would remain",
		world:   edits(world.Voter(d), world.Deleting(b), knows(c, b, c)),
		want:    waits(b, reason.R6_2, reason.WaitingForAPIServer).of("node-c"),
		message: "node-b stays until the API server on node-c knows 2 of the voters that would remain (it knows 1)",
	},
	{
		name:  "R6.2 of several API servers that know too few the first by name is told",
		world: edits(world.Voter(d), world.Deleting(b), knows(d, d), knows(a, a), knows(c)),
		want:  waits(b, reason.R6_2, reason.WaitingForAPIServer).of("node-a"),
	},
	{
		name:    "R6.2 a voter stays while one API server knows only localhost",
		world:   edits(world.Voter(d), world.Deleting(b), knows(c)),
		want:    waits(b, reason.R6_2, reason.WaitingForAPIServer).of("node-c"),
		message: "node-b stays until the API server on node-c knows 2 of the voters that would remain (it knows 0)",
	},
	{
		name:  "R6.2 an endpoint that an API server names twice counts once",
		world: edits(world.Voter(d), world.Deleting(b), knows(c, c, c)),
		want:  waits(b, reason.R6_2, reason.WaitingForAPIServer).of("node-c"),
	},
	{
		name:  "R6.2 two of the voters that would remain are enough for every API server",
		world: edits(world.Voter(d), world.Deleting(b), knows(a, a, c), knows(b, c, d), knows(c, a, d), knows(d, a, b, c)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:  "R6.2 the API server on a NotReady node is not asked",
		world: edits(world.Voter(d), world.Deleting(b), world.Waiting(e), notReady(e), knows(e)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:  "R6.2 the API server on the machine that is deleting is not asked",
		world: edits(world.Voter(d), world.Deleting(b), knows(b)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name: "R6.2 the API server on a node of unknown readiness is asked",
		world: edits(world.Voter(d), world.Deleting(b), world.Waiting(e), knows(e),
			world.Node(e, func(n *snapshot.Node) { n.Ready = snapshot.Unknown })),
		want: waits(b, reason.R6_2, reason.WaitingForAPIServer).of("node-e"),
	},
	{
		name: "R6.2 the API server on a node that was not read is asked",
		world: edits(world.Voter(d), world.Deleting(b), world.Facts(func(s *snapshot.Snapshot) {
			s.APIServerNodes = append(s.APIServerNodes, snapshot.APIServerNode{Node: "node-e", EtcdServersKnown: snapshot.True})
		})),
		want: waits(b, reason.R6_2, reason.WaitingForAPIServer).of("node-e"),
	},
	{
		name:  "R6.2 the API server on a node without a machine is asked",
		world: edits(world.Voter(d), world.Deleting(b), world.Waiting(e), world.MachineGone(e), knows(e)),
		want:  waits(b, reason.R6_2, reason.WaitingForAPIServer).of("node-e"),
	},
	{
		name:  "R6.2 where one voter would remain an API server must know that one",
		world: edits(world.MemberGone(c), world.Deleting(b), world.Desired(1)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:  "R6.2 where one voter would remain an API server that does not know it holds back",
		world: edits(world.MemberGone(c), world.Deleting(b), world.Desired(1), knows(c), world.Cordoned(c)),
		want:  waits(b, reason.R6_2, reason.WaitingForAPIServer).of("node-c"),
	},
}

// orphanCases are rules R6.4, R6.5 and R6.10.
var orphanCases = []testCase{
	{
		name:    "R6.4 just below 30 s an unhealthy orphan voter stays",
		world:   edits(world.Orphaned(a, time.Hour), world.Unhealthy(a, 30*time.Second+justBelow)),
		want:    waits(a, reason.R6_4, reason.WaitingToConfirmMemberIsDead).without(machine),
		message: "node-a does not answer; it counts as dead after 30 seconds without a break",
	},
	{
		name:  "R6.4 after 30 s an unhealthy orphan voter is removed",
		world: edits(world.Orphaned(a, time.Hour), world.Unhealthy(a, 30*time.Second)),
		want:  removes(a, reason.R6_4, reason.RemovingOrphanVoter).without(machine),
	},
	{
		name: "R6.4 an orphan voter stays while it is not known that no node has its address",
		world: edits(world.Orphaned(a, time.Hour), world.Unhealthy(a, time.Hour),
			world.Member(a, func(m *snapshot.Member) { m.AddressClaimed, m.UnclaimedFor = snapshot.Unknown, 0 })),
		want: waits(a, reason.R6_4, reason.AbsenceNotConfirmed).without(machine),
	},
	{
		name: "R6.4 an orphan voter stays while a node without a role has its address",
		world: edits(world.Orphaned(a, time.Hour), world.Unhealthy(a, time.Hour),
			world.Member(a, func(m *snapshot.Member) { m.AddressClaimed, m.UnclaimedFor = snapshot.True, 0 })),
		want: waits(a, reason.R6_4, reason.AbsenceNotConfirmed).without(machine),
	},
	{
		name:    "R6.4 an orphan voter stays while the voters have no quorum",
		world:   edits(world.Orphaned(a, time.Hour), world.Unhealthy(a, time.Hour), world.Unhealthy(b, time.Hour)),
		want:    waits(a, reason.R6_1, reason.NoHealthyQuorum).without(machine),
		message: "node-a stays while 1 voters are healthy and quorum is 2",
	},
	{
		name: "R6.4 a voter whose address a node of the list has is no orphan, whatever else was told",
		world: edits(world.MachineGone(a), world.HostDead(a, time.Hour),
			world.Member(a, func(m *snapshot.Member) { m.AddressClaimed, m.UnclaimedFor = snapshot.False, time.Hour })),
		want: waits(a, reason.R6_10, reason.NodeOfLostMemberRemains).of("node-a").without(machine),
	},
	{
		name:   "R6.4 a healthy orphan voter, which has no node for a revision, does not hold back another removal",
		world:  edits(world.Voter(d, e), world.Orphaned(e, time.Hour), world.Deleting(b), rollout(2)),
		want:   removes(b, reason.R6_2, reason.RemovingReplacedMember),
		warned: lines(warns(e, reason.R6_4, reason.HealthyOrphanVoter)),
	},
	{
		name:  "R6.4 an orphan voter of unknown health stays",
		world: edits(world.Orphaned(a, time.Hour), health(a, snapshot.HealthUnknown)),
		want:  waits(a, reason.R10_1, reason.MemberHealthUnknown).without(machine),
	},
	{
		name:  "R6.4 a voter that never started and has neither machine nor node is not healthy, so it goes when its probe fails",
		world: edits(world.Orphaned(a, time.Hour), world.Unhealthy(a, time.Hour), unstarted(a)),
		want:  removes(a, reason.R6_4, reason.RemovingOrphanVoter).without(machine, node).named("NAME-PENDING-192.0.2.10"),
	},
	{
		name:    "R6.5 just below 2 minutes an orphan learner stays",
		world:   edits(world.Learner(d), world.Orphaned(d, 2*time.Minute+justBelow)),
		want:    waits(d, reason.R6_5, reason.WaitingToConfirmOrphan).without(machine),
		message: "node-d has neither Machine nor Node; it is removed after 120 seconds without one",
	},
	{
		name:  "R6.5 after 2 minutes an orphan learner is removed, healthy or not",
		world: edits(world.Learner(d), world.Orphaned(d, 2*time.Minute)),
		want:  removes(d, reason.R6_5, reason.RemovingOrphanLearner).without(machine),
	},
	{
		name:  "R6.5 an orphan learner that never started is removed as well",
		world: edits(world.Learner(d), world.Orphaned(d, 2*time.Minute), unstarted(d)),
		want:  removes(d, reason.R6_5, reason.RemovingOrphanLearner).without(machine, node).named("NAME-PENDING-192.0.2.13"),
	},
	{
		name: "R6.5 an orphan learner stays while a node has its address",
		world: edits(world.Learner(d), world.Orphaned(d, time.Hour),
			world.Member(d, func(m *snapshot.Member) { m.AddressClaimed, m.UnclaimedFor = snapshot.True, 0 })),
		want: waits(d, reason.R5_2, reason.NodeHasNoMachine).without(machine),
	},
	{
		name: "R6.5 an orphan learner stays while it is not known whether a node has its address",
		world: edits(world.Learner(d), world.Orphaned(d, time.Hour),
			world.Member(d, func(m *snapshot.Member) { m.AddressClaimed, m.UnclaimedFor = snapshot.Unknown, 0 })),
		want: waits(d, reason.R5_2, reason.NodeHasNoMachine).without(machine),
	},
	{
		name:    "R6.5 an orphan learner stays while the voters have no quorum",
		world:   edits(world.Learner(d), world.Orphaned(d, time.Hour), world.Unhealthy(a, time.Hour), world.Unhealthy(b, time.Hour)),
		want:    waits(a, reason.R6_1, reason.MachineNotDeleting),
		refused: lines(refuses(remove, d, reason.R6_5, reason.NoHealthyQuorum).without(machine)),
	},
	{
		name:  "R6.5 the learner of a deleting machine is removed at once although it never started",
		world: edits(world.Learner(d), world.Deleting(d), unstarted(d)),
		want:  removes(d, reason.R6_5, reason.RemovingLearnerOfDeletingMachine).named("NAME-PENDING-192.0.2.13"),
	},
	{
		name:    "R6.5 the learner of a deleting machine is removed although another voter is not healthy",
		world:   edits(world.Learner(d), world.Deleting(d), world.Unhealthy(c, time.Hour)),
		want:    removes(d, reason.R6_5, reason.RemovingLearnerOfDeletingMachine),
		refused: lines(refuses(remove, c, reason.R6_1, reason.MachineNotDeleting)),
	},
	{
		name:  "R6.5 the learner of a deleting machine is removed although its hook was stripped",
		world: edits(world.Learner(d), world.Released(d)),
		want:  removes(d, reason.R6_5, reason.RemovingLearnerOfDeletingMachine),
	},
	{
		name:    "R6.5 the learner of a deleting machine stays while the voters have no quorum",
		world:   edits(world.Learner(d), world.Deleting(d), world.Unhealthy(a, time.Hour), world.Unhealthy(b, time.Hour)),
		want:    waits(a, reason.R6_1, reason.MachineNotDeleting),
		refused: lines(refuses(remove, d, reason.R6_5, reason.NoHealthyQuorum)),
	},
	{
		name:  "R6.10 a healthy voter whose machine was force-deleted stays without complaint about its node",
		world: edits(world.MachineGone(a)),
		want:  waits("", reason.R5, reason.MembershipAsExpected),
	},
	{
		name: "R6.10 a dead voter known by name to a node with another address stays",
		world: edits(world.MachineGone(a), addresses(a, netip.MustParseAddr("192.0.2.99")), world.HostDead(a, time.Hour),
			world.Member(a, func(m *snapshot.Member) { m.AddressClaimed, m.UnclaimedFor = snapshot.False, time.Hour })),
		want: waits(a, reason.R6_10, reason.NodeOfLostMemberRemains).of("node-a").without(machine),
	},
	{
		name:    "R2.3 without a functional Machine API an unhealthy voter stays until it had no node for 10 minutes",
		world:   edits(world.Orphaned(a, 10*time.Minute+justBelow), world.Unhealthy(a, time.Hour), world.NoMachineAPI()),
		want:    waits(a, reason.R2_3, reason.WaitingToConfirmOrphan).without(machine),
		message: "node-a has neither Machine nor Node; it is removed after 600 seconds without one",
	},
	{
		name:  "R2.3 without a functional Machine API an unhealthy voter goes after 10 minutes without a node",
		world: edits(world.Orphaned(a, 10*time.Minute), world.Unhealthy(a, time.Hour), world.NoMachineAPI()),
		want:  removes(a, reason.R6_4, reason.RemovingOrphanVoter).without(machine),
	},
	{
		name:    "R2.3 without a functional Machine API a voter without a node stays until it is unhealthy for 30 s",
		world:   edits(world.Orphaned(a, time.Hour), world.Unhealthy(a, 30*time.Second+justBelow), world.NoMachineAPI()),
		want:    waits(a, reason.R6_4, reason.WaitingToConfirmMemberIsDead).without(machine),
		message: "node-a does not answer; it counts as dead after 30 seconds without a break",
	},
	{
		name:    "R2.3 without a functional Machine API an orphan learner stays for 10 minutes",
		world:   edits(world.Learner(d), world.Orphaned(d, 10*time.Minute+justBelow), world.NoMachineAPI()),
		want:    waits(d, reason.R2_3, reason.WaitingToConfirmOrphan).without(machine),
		message: "node-d has neither Machine nor Node; it is removed after 600 seconds without one",
	},
	{
		name:  "R2.3 without a functional Machine API an orphan learner goes after 10 minutes",
		world: edits(world.Learner(d), world.Orphaned(d, 10*time.Minute), world.NoMachineAPI()),
		want:  removes(d, reason.R6_5, reason.RemovingOrphanLearner).without(machine),
	},
	{
		name: "R2.3 without a functional Machine API no voter is removed through a machine",
		world: edits(world.Voter(d), world.Deleting(a), world.HostDead(a, time.Hour),
			world.Facts(func(s *snapshot.Snapshot) { s.MachineAPI = snapshot.False })),
		want: waits(a, reason.R6_10, reason.NodeOfLostMemberRemains).without(machine),
	},
	{
		name: "R2.3 without a functional Machine API no healthy voter is removed through a machine",
		world: edits(world.Voter(d), world.Deleting(a),
			world.Facts(func(s *snapshot.Snapshot) { s.MachineAPI = snapshot.False })),
		want: waits("", reason.R5, reason.MembershipAsExpected),
	},
}

// bootstrapCases are rule R6.9, for every kind of removal.
var bootstrapCases = []testCase{
	{
		name:  "R6.9 a dead voter stays before bootstrap is complete",
		world: edits(world.Deleting(a), world.HostDead(a, time.Hour), bootstrap(snapshot.False)),
		want:  waits(a, reason.R6_9, reason.WaitingForBootstrap),
	},
	{
		name:  "R6.9 an orphan voter stays before bootstrap is complete",
		world: edits(world.Orphaned(a, time.Hour), world.Unhealthy(a, time.Hour), bootstrap(snapshot.False)),
		want:  waits(a, reason.R6_9, reason.WaitingForBootstrap).without(machine),
	},
	{
		name:  "R6.9 the learner of a deleting machine stays before bootstrap is complete",
		world: edits(world.Learner(d), world.Deleting(d), bootstrap(snapshot.False)),
		want:  waits(d, reason.R6_9, reason.WaitingForBootstrap),
	},
	{
		name:  "R6.9 an orphan learner stays before bootstrap is complete",
		world: edits(world.Learner(d), world.Orphaned(d, time.Hour), bootstrap(snapshot.False)),
		want:  waits(d, reason.R6_9, reason.WaitingForBootstrap).without(machine),
	},
	{
		name:  "R6.9 nothing is removed while it is unknown whether bootstrap is complete",
		world: edits(world.Voter(d), world.Deleting(a), bootstrap(snapshot.Unknown)),
		want:  waits(a, reason.R6_9, reason.WaitingForBootstrap),
	},
	{
		name:    "R6.9 a dead voter stays while etcd-bootstrap is a member",
		world:   edits(bootstrapMember(), world.Deleting(a), world.HostDead(a, time.Hour)),
		want:    waits(a, reason.R6_9, reason.WaitingForBootstrapMemberToGo),
		unnamed: snapshot.BootstrapMember,
	},
	{
		name:    "R6.9 etcd-bootstrap itself is left to bootstrap teardown",
		world:   edits(bootstrapMember()),
		want:    waits("", reason.R5, reason.MembershipAsExpected),
		unnamed: snapshot.BootstrapMember,
	},
	{
		name:  "R6.9 nodes join and learners are promoted before bootstrap is complete",
		world: edits(world.MemberGone(c), learner(b), bootstrapMember(), bootstrap(snapshot.False)),
		want:  promotes(b, reason.R5_2, reason.PromotingLearner),
	},
}

// orderCases are rule R6.6, and the first sentence of rule R6.
var orderCases = []testCase{
	{
		name:  "R6.6 the older deletion goes first",
		world: edits(world.Voter(d, e), world.DeletingSince(a, world.Epoch.Add(time.Second)), world.Deleting(b)),
		want:  removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name:  "R6.6 of deletions of the same time the first name goes first",
		world: edits(world.Voter(d, e), world.Deleting(b, a)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: c,
	},
	{
		name: "R6.6 the number after the last dash of the machine's name is its failure domain where there is no zone",
		world: edits(world.Voter(d), world.DeletingSince(a, world.Epoch.Add(time.Hour)), world.Deleting(b),
			renamed(c, "prod-master-2"), renamed(b, "prod-master-1"), renamed(d, "prod-master-x7k2p-0"), renamed(a, "prod-master-0")),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember).on("prod-master-0"),
		moves: c,
	},
	{
		name: "R6.6 what follows the last dash is no failure domain unless it is a number",
		world: edits(world.Voter(d), world.DeletingSince(a, world.Epoch.Add(time.Hour)), world.Deleting(b),
			renamed(d, "prod-master-x7k2p"), renamed(a, "old-master-x7k2p")),
		want: removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name: "R6.6 a zone comes before the number",
		world: edits(world.Voter(d), world.DeletingSince(a, world.Epoch.Add(time.Hour)), world.Deleting(b),
			zone(a, "east"), zone(d, "west"), zone(b, "north"), zone(c, "south"),
			renamed(d, "prod-master-x7k2p-0"), renamed(a, "prod-master-0")),
		want: removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name: "R6.6 a voter whose machine is deleting does not keep a failure domain",
		world: edits(world.Voter(d, e), world.Deleting(a, b), world.DeletingSince(c, world.Epoch.Add(time.Hour)),
			zone(a, "east"), zone(b, "east"), zone(c, "west"), zone(d, "west"), zone(e, "north")),
		want: removes(c, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name: "R6.6 a learner does not keep a failure domain",
		world: edits(world.Voter(d), world.Learner(e), world.DeletingSince(a, world.Epoch.Add(time.Hour)), world.Deleting(b),
			zone(a, "east"), zone(e, "east"), zone(b, "north"), zone(c, "south"), zone(d, "west")),
		want: removes(b, reason.R6_2, reason.RemovingReplacedMember),
	},
	{
		name: "R6.6 dead comes before a failure domain that is kept",
		world: edits(world.Voter(d, e), world.Deleting(a), world.DeletingSince(b, world.Epoch.Add(time.Hour)),
			world.HostDead(b, time.Hour), zone(a, "east"), zone(e, "east"), zone(b, "north")),
		want: removes(b, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name: "R6.6 of two dead voters the one whose failure domain keeps another goes first",
		world: edits(world.Voter(d, e), world.Deleting(a, b), world.HostDead(a, time.Hour), world.HostDead(b, time.Hour),
			zone(a, "east"), zone(b, "west"), zone(e, "west")),
		want: removes(b, reason.R6_1, reason.RemovingDeadMember),
	},
	{
		name:    "R6 a removal comes before an add",
		world:   edits(world.Voter(d), world.Deleting(b), world.Waiting(e)),
		want:    removes(b, reason.R6_2, reason.RemovingReplacedMember),
		refused: lines(refuses(add, e, reason.R6, reason.WaitingForAnotherChange).of("node-b")),
	},
	{
		name:    "R6 a removal comes before a promotion",
		world:   edits(world.Learner(d, e), world.Deleting(e)),
		want:    removes(e, reason.R6_5, reason.RemovingLearnerOfDeletingMachine),
		refused: lines(refuses(promote, d, reason.R6, reason.WaitingForAnotherChange).of("node-e")),
	},
	{
		name:    "R6 of two learners in sync the first by name is promoted",
		world:   edits(world.Learner(e, d)),
		want:    promotes(d, reason.R5_2, reason.PromotingLearner),
		refused: lines(refuses(promote, e, reason.R6, reason.WaitingForAnotherChange).of("node-d")),
	},
}

// unknownCases are what nothing is decided from: rules R2.2, R3, R10 and R11.
var unknownCases = []testCase{
	{
		name:  "R10.1 nothing is decided without a linearizable member list",
		world: edits(world.Voter(d), world.Deleting(a), world.Facts(func(s *snapshot.Snapshot) { s.MemberList = snapshot.Unknown })),
		want:  waits("", reason.R10_1, reason.MemberListUnknown),
	},
	{
		name:  "R10.1 nothing is decided from a member list that is known to be incomplete",
		world: edits(world.Voter(d), world.Deleting(a), world.Facts(func(s *snapshot.Snapshot) { s.MemberList = snapshot.False })),
		want:  waits("", reason.R10_1, reason.MemberListUnknown),
	},
	{
		name:  "R2.2 nothing is removed while it is unknown whether the Machine API works",
		world: edits(world.Voter(d), world.Deleting(a), world.Facts(func(s *snapshot.Snapshot) { s.MachineAPI = snapshot.Unknown })),
		want:  waits("", reason.R2_2, reason.MachineAPIUnknown),
	},
	{
		name:  "R2.2 nothing is added while it is unknown whether the Machine API works",
		world: edits(world.Waiting(d), world.Facts(func(s *snapshot.Snapshot) { s.MachineAPI = snapshot.Unknown })),
		want:  waits("", reason.R2_2, reason.MachineAPIUnknown),
	},
	{
		name:  "R11 nothing is decided in an unknown topology",
		world: edits(world.Voter(d), world.Deleting(a), world.Facts(func(s *snapshot.Snapshot) { s.Topology = snapshot.TopologyUnknown })),
		want:  waits("", reason.R11, reason.TopologyUnknown),
	},
	{
		name:  "R11 nothing is removed once an external etcd has taken over",
		world: edits(dualReplica(snapshot.True), world.Voter(d), world.Deleting(a)),
		want:  waits("", reason.R11, reason.ExternalEtcdInCharge),
	},
	{
		name:  "R11 nothing is added once an external etcd has taken over",
		world: edits(dualReplica(snapshot.True), world.Waiting(d)),
		want:  waits("", reason.R11, reason.ExternalEtcdInCharge),
	},
	{
		name:  "R11 nothing is removed while it is unknown whether an external etcd has taken over",
		world: edits(dualReplica(snapshot.Unknown), world.Voter(d), world.Deleting(a)),
		want:  waits("", reason.R11, reason.ExternalEtcdUnknown),
	},
	{
		name:  "R11 before an external etcd takes over nodes join two-node clusters",
		world: edits(dualReplica(snapshot.False), world.MemberGone(b, c), world.NodeGone(c), world.MachineGone(c)),
		want:  adds(b, reason.R5_1, reason.AddingLearner),
	},
	{
		name:  "R11 a single replica is replaced as well",
		world: edits(singleReplica(), world.MemberGone(c), world.GuardGone(a, b, c), world.Deleting(a)),
		want:  removes(a, reason.R6_2, reason.RemovingReplacedMember),
		moves: b,
	},
	{
		name:    "R10.1 nothing is decided from a member that is listed twice",
		world:   edits(world.Voter(d), world.Deleting(a), world.Facts(func(s *snapshot.Snapshot) { s.Members = append(s.Members, s.Members[1]) })),
		want:    waits("", reason.R10_1, reason.FactsContradict).called("member b"),
		message: "member b is listed twice",
	},
	{
		name:    "R10.1 nothing is decided from a machine that is listed twice",
		world:   edits(world.Voter(d), world.Deleting(a), world.Facts(func(s *snapshot.Snapshot) { s.Machines = append(s.Machines, s.Machines[1]) })),
		want:    waits("", reason.R10_1, reason.FactsContradict).called("machine machine-b"),
		message: "machine machine-b is listed twice",
	},
	{
		name:    "R10.1 nothing is decided from a node that is listed twice",
		world:   edits(world.Voter(d), world.Deleting(a), world.Facts(func(s *snapshot.Snapshot) { s.Nodes = append(s.Nodes, s.Nodes[1]) })),
		want:    waits("", reason.R10_1, reason.FactsContradict).called("node node-b"),
		message: "node node-b is listed twice",
	},
	{
		name:   "R10.5 a dead voter with garbage for peer URLs stays",
		world:  edits(world.Deleting(a), world.HostDead(a, time.Hour), garbage(a)),
		want:   waits(a, reason.R10_5, reason.PeerURLUnreadable).without(machine, node),
		warned: lines(warns(a, reason.R10_5, reason.PeerURLUnreadable)),
	},
	{
		name:   "R10.5 a learner with garbage for peer URLs is not promoted",
		world:  edits(world.Learner(d), garbage(d)),
		want:   waits(d, reason.R10_5, reason.PeerURLUnreadable).without(machine, node),
		warned: lines(warns(d, reason.R10_5, reason.PeerURLUnreadable)),
	},
	{
		name:   "R10.5 a voter is not removed while another one has garbage for peer URLs",
		world:  edits(world.Voter(d), world.Deleting(a), garbage(b)),
		want:   waits(a, reason.R6_2, reason.VoterNodeUnknown).of("node-b"),
		warned: lines(warns(b, reason.R10_5, reason.PeerURLUnreadable)),
	},
	{
		name: "R3 a dead voter whom two deleting machines claim stays",
		world: edits(world.Deleting(a), world.HostDead(a, time.Hour), twin(a, func(m *snapshot.Machine) {
			m.Deleting, m.DeletionTimestamp = true, world.Epoch
		}), noNodeRef(a)),
		want:   waits(a, reason.R3, reason.OwnerAmbiguous).without(machine, node),
		warned: lines(warns(a, reason.R3, reason.OwnerAmbiguous)),
	},
	{
		name:   "R3 a learner whom two machines claim is not promoted",
		world:  edits(world.Learner(d), twin(d, func(*snapshot.Machine) {}), noNodeRef(d)),
		want:   waits(d, reason.R3, reason.OwnerAmbiguous).without(machine, node),
		warned: lines(warns(d, reason.R3, reason.OwnerAmbiguous)),
	},
	{
		name:  "R3 a replacement with the address of the dead machine does not keep the dead voter",
		world: edits(world.Deleting(a), world.HostDead(a, 5*time.Minute), twin(a, func(m *snapshot.Machine) { m.NodeRef = "node-new" })),
		want:  removes(a, reason.R6_1, reason.RemovingDeadMember),
	},
}

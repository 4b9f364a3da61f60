package rollout

import (
	"cmp"
	"slices"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Decide returns whether a revision may be created now and what the installer may do next (rule R8).
//
//	R8.1  Creating asks that the cluster could lose a voter, unless it repairs or supersedes.
//	R8.2  Installing asks that the other voters keep quorum, one node at a time, with drains held back first.
//	R8.4  Stable is a report.
func Decide(s snapshot.Snapshot) Decision { return DecideView(snapshot.NewView(&s)) }

// DecideView is Decide for a Snapshot whose View exists already. It keeps and changes nothing of v.
func DecideView(v *snapshot.View) Decision {
	p := pass{View: v}
	p.readNodes()
	d := Decision{Step: NoStep, Stable: p.stable()}
	d.Create = p.judgeCreate()
	var next *revisionNode
	for i := range p.nodes {
		n := &p.nodes[i]
		if n.current == p.LatestRevision && n.target == 0 {
			continue
		}
		permission := p.judgeInstall(n)
		d.Install = append(d.Install, permission)
		startable := permission.Allowed && n.target != p.LatestRevision
		if startable && (next == nil || p.precedence(n) < p.precedence(next)) {
			next = n
		}
	}
	p.plan(&d, next)
	return d
}

// pass is one decision in the making.
type pass struct {
	*snapshot.View
	nodes []revisionNode
}

// revisionNode is a node that takes revisions, and what is known of the voter on it.
type revisionNode struct {
	name            snapshot.NodeName
	node            *snapshot.Node
	current, target int
	hostsVoter      snapshot.Fact
	// voter is the index of the hosted voter in SortedMembers; meaningful when hostsVoter holds.
	voter int
}

func (p *pass) readNodes() {
	for _, s := range p.NodeStatuses {
		n := revisionNode{name: s.Node, current: s.Current, target: s.Target, node: p.Node(s.Node), voter: -1}
		n.hostsVoter, n.voter = p.voterOn(s.Node)
		p.nodes = append(p.nodes, n)
	}
	slices.SortFunc(p.nodes, func(a, b revisionNode) int { return cmp.Compare(a.name, b.name) })
}

// voterOn tells whether a node hosts a voter: known only from a member list that was read, with every voter's node known
// (invariant I4).
func (p *pass) voterOn(name snapshot.NodeName) (snapshot.Fact, int) {
	if !p.MemberList.Holds() || p.Contradiction != "" {
		return snapshot.Unknown, -1
	}
	hosts := snapshot.False
	for i, m := range p.SortedMembers {
		switch {
		case m.Learner:
		case p.Owners[i].NodeName == name:
			return snapshot.True, i
		case p.Owners[i].NodeName == "" && (p.Owners[i].State != snapshot.OwnerNone || !m.AddressClaimed.Fails()):
			hosts = snapshot.Unknown
		}
	}
	return hosts, -1
}

// singleReplica: no gate at all (rule R8.2).
func (p *pass) singleReplica() bool { return p.Topology == snapshot.SingleReplica }

// needsAll: with two voters no one can be spared, and the unsafe override asks for no quorum; then every voter must be
// healthy and nothing else in flight (rule R8.2).
func (p *pass) needsAll() bool { return p.Topology == snapshot.DualReplica || p.UnsafeNonHA }

func (p *pass) judgeCreate() Permission {
	switch {
	case p.singleReplica():
		return Permission{Allowed: true, Finding: reason.Finding{Rule: reason.R8_2, Reason: reason.SingleReplicaRollout}}
	case p.Topology == snapshot.TopologyUnknown:
		return Permission{Finding: reason.Finding{Rule: reason.R11, Reason: reason.TopologyUnknown}}
	case !p.MemberList.Holds():
		return Permission{Finding: reason.Finding{Rule: reason.R10_1, Reason: reason.MemberListUnknown}}
	case p.Contradiction != "":
		return Permission{Finding: reason.Finding{Rule: reason.R10_1, Reason: reason.FactsContradict, Subject: p.Contradiction}}
	}
	if repairs := p.repairs(); repairs != "" {
		return Permission{Allowed: true, Finding: reason.Finding{Rule: reason.R8_1, Reason: reason.RevisionRepairs, Subject: repairs}}
	}
	if p.needsAll() {
		return p.createWithAll()
	}
	if p.HealthyVoters-1 < snapshot.Quorum(p.Voters) {
		return Permission{Finding: reason.Finding{Rule: reason.R8_1, Reason: reason.WaitingForSpareVoter, Have: p.HealthyVoters, Need: snapshot.Quorum(p.Voters) + 1}}
	}
	return Permission{Allowed: true, Finding: reason.Finding{Rule: reason.R8_1, Reason: reason.RevisionMayBeCreated, Have: p.HealthyVoters, Need: p.Voters}}
}

func (p *pass) createWithAll() Permission {
	if p.HealthyVoters < p.Voters {
		return Permission{Finding: reason.Finding{Rule: reason.R8_2, Reason: reason.WaitingForAllVoters, Have: p.HealthyVoters, Need: p.Voters}}
	}
	return Permission{Allowed: true, Finding: reason.Finding{Rule: reason.R8_1, Reason: reason.RevisionMayBeCreated, Have: p.HealthyVoters, Need: p.Voters}}
}

// repairs names what a new revision would repair or supersede (rule R8.1): a control-plane node without a voter that
// waits for a pod, or a voter's node that does not run the latest revision yet. Refusing then would make repair
// impossible (L3); what is already being rolled out is bounded by the installs' own gate.
func (p *pass) repairs() string {
	for _, node := range p.SortedNodes {
		if !node.ControlPlane || !node.Present.Holds() || !node.Etcd.Present.Fails() {
			continue
		}
		if hosts, _ := p.voterOn(node.Name); hosts.Fails() {
			return string(node.Name)
		}
	}
	if p.LatestRevision <= 0 {
		return ""
	}
	for _, n := range p.nodes {
		if n.hostsVoter.Holds() && (n.current != p.LatestRevision || n.target != 0) {
			return string(n.name)
		}
	}
	return ""
}

// judgeInstall says whether one node may take the latest revision now, apart from the budget (rule R8.2). It keeps invariant
// I11: a voter restarts only while the others are a quorum without it.
func (p *pass) judgeInstall(n *revisionNode) NodePermission {
	no := func(rule reason.Rule, why reason.Reason, other string) NodePermission {
		return NodePermission{Node: n.name, Finding: reason.Finding{Rule: rule, Reason: why, Subject: string(n.name), Other: other}}
	}
	yes := func(why reason.Reason) NodePermission {
		return NodePermission{Node: n.name, Allowed: true, Finding: reason.Finding{Rule: reason.R8_2, Reason: why, Subject: string(n.name)}}
	}
	switch {
	case p.LatestRevision <= 0:
		return no(reason.R8_2, reason.RevisionUnknown, "")
	case n.target == p.LatestRevision:
		return yes(reason.InstallInFlight)
	case p.singleReplica():
		return yes(reason.SingleReplicaRollout)
	case p.Topology == snapshot.TopologyUnknown:
		return no(reason.R11, reason.TopologyUnknown, "")
	case n.hostsVoter.Fails():
		return yes(reason.NodeHostsNoVoter)
	case !n.hostsVoter.Holds():
		return no(reason.R10_1, reason.HostedVoterUnknown, "")
	}
	if busy := p.otherInstall(n.name); busy != "" {
		return no(reason.R8_2, reason.WaitingForOtherInstall, string(busy))
	}
	if p.isDown(n) {
		return yes(reason.VoterIsDownAnyway)
	}
	if p.needsAll() {
		if p.HealthyVoters < p.Voters {
			verdict := no(reason.R8_2, reason.WaitingForAllVoters, "")
			verdict.Have, verdict.Need = p.HealthyVoters, p.Voters
			return verdict
		}
		return yes(reason.OthersKeepQuorum)
	}
	if others := p.survivors(n.name); others < snapshot.Quorum(p.Voters) {
		verdict := no(reason.R8_2, reason.WaitingForOtherVoters, "")
		verdict.Have, verdict.Need = others, snapshot.Quorum(p.Voters)
		return verdict
	}
	return yes(reason.OthersKeepQuorum)
}

// isDown: the node's voter is down for certain. A probe that failed alone may be the operator's own trouble, and then the
// restart would cost a vote.
func (p *pass) isDown(n *revisionNode) bool {
	m := p.SortedMembers[n.voter]
	return m.Health == snapshot.Unhealthy && m.DownBesidesProbe(n.node)
}

// otherInstall returns another node that hosts a voter, or may host one, and is on its way to another revision.
func (p *pass) otherInstall(name snapshot.NodeName) snapshot.NodeName {
	for _, n := range p.nodes {
		if n.name != name && n.target != 0 && !n.hostsVoter.Fails() {
			return n.name
		}
	}
	return ""
}

// survivors counts the healthy voters on other nodes that will stay up meanwhile: Ready, not cordoned, their Machine not
// free to go (rules R8.2, R4.7), and their guard in place: without it, a drain of that node would not ask the closed
// budget (invariant I11).
func (p *pass) survivors(except snapshot.NodeName) int {
	count := 0
	for i, m := range p.SortedMembers {
		owner := p.Owners[i]
		if m.Learner || !m.IsHealthy() || owner.NodeName == except || !owner.NodePresent() {
			continue
		}
		if owner.Node.Ready.Holds() && !owner.Node.Cordoned && !freeToGo(owner.Machine) && p.guardHolds(owner.NodeName) {
			count++
		}
	}
	return count
}

// guardHolds: a drain of the node must ask the closed budget. A guard that is not ready is let go by what was computed
// earlier, and one that has not begun or has ended without asking.
func (p *pass) guardHolds(node snapshot.NodeName) bool {
	return p.GuardList.Holds() && slices.ContainsFunc(p.SortedGuards, func(g *snapshot.Guard) bool {
		return g.Node == node && g.Ready && !g.Deleting
	})
}

// freeToGo: the Machine is deleting and nothing of etcd's holds it, since its hook is gone or somebody else's (rule R4.2), or
// the Machine API ignores it.
func freeToGo(machine *snapshot.Machine) bool {
	if machine == nil || !machine.Deleting {
		return false
	}
	return machine.Hook != snapshot.HookPresent || machine.NodeRef == "" || machine.ExcludedFromDrain
}

// plan turns the chosen node into the next step: on a node that hosts a voter, drains are held back before the install
// starts (rule R8.2).
func (p *pass) plan(d *Decision, next *revisionNode) {
	d.Hold = p.inFlightOnVoter()
	if next == nil {
		d.Finding = p.whyNone(d)
		return
	}
	d.Next, d.Step = next.name, Install
	d.Finding = reason.Finding{Rule: reason.R8_2, Reason: reason.InstallingRevision, Subject: string(next.name), Have: p.LatestRevision}
	if !next.hostsVoter.Holds() || p.singleReplica() {
		return
	}
	d.Hold = next.name
	if !p.BudgetClosed() {
		d.Step = CloseBudget
		d.Finding = reason.Finding{Rule: reason.R8_2, Reason: reason.WaitingForBudgetToClose, Subject: string(next.name)}
	}
}

// precedence orders nodes that may go next: without a voter, then with a voter that is down, then the others
// (rule R8.2); nodes of equal precedence go by name.
func (p *pass) precedence(n *revisionNode) int {
	switch {
	case n.hostsVoter.Fails():
		return 0
	case n.hostsVoter.Holds() && p.isDown(n):
		return 1
	default:
		return 2
	}
}

// inFlightOnVoter returns the node whose install is under way and that hosts a voter, or may host one, unless the node is
// known to be lost (rule R8.2, invariant I4). Drains need no longer be held back once the target is cleared: a voter that
// does not answer yet, or whose guard is not Ready, already uses up what the budget allows (rule R7.2).
func (p *pass) inFlightOnVoter() snapshot.NodeName {
	for _, n := range p.nodes {
		lost := n.node != nil && (n.node.Present.Fails() || n.node.Present.Holds() && n.node.Ready.Fails())
		if n.target != 0 && !n.hostsVoter.Fails() && !lost {
			return n.name
		}
	}
	return ""
}

func (p *pass) whyNone(d *Decision) reason.Finding {
	for _, permission := range d.Install {
		if !permission.Allowed {
			return permission.Finding
		}
	}
	if d.Stable.Holds() {
		return reason.Finding{Rule: reason.R8_4, Reason: reason.RevisionsCurrent, Have: p.LatestRevision}
	}
	return reason.Finding{Rule: reason.R8_4, Reason: reason.WaitingForRevision, Have: p.LatestRevision}
}

// stable: rule R8.4, less the nodes that are lost for good (rule R6.8).
func (p *pass) stable() snapshot.Fact {
	if p.LatestRevision <= 0 || len(p.nodes) == 0 {
		return snapshot.Unknown
	}
	for i := range p.nodes {
		n := &p.nodes[i]
		if n.current == p.LatestRevision && n.target == 0 {
			continue
		}
		if !p.lostForGood(n) {
			return snapshot.False
		}
	}
	return snapshot.True
}

func (p *pass) lostForGood(n *revisionNode) bool {
	if n.node == nil {
		return false
	}
	machine, _ := p.MachineOfNode(n.node)
	return machine != nil && machine.Deleting && (n.node.Present.Fails() || n.node.Ready.Fails())
}

package quorumguard

import (
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Decide returns the disruption budget and the guard pods that the cluster should have now (rule R7).
//
//	R7.5  A single replica has neither. While topology, caches or versions are in doubt, nothing is deleted or lowered.
//	R7.2  The budget leaves at most one eviction, and none while a vote is missing, about to leave, or about to restart.
//	R7.1  A guard stands on each node that hosts a voter, or a learner about to become one.
//	R7.4  A guard that stands for no vote is deleted, so that it cannot hold up a drain or be counted as a vote.
func Decide(s snapshot.Snapshot) Decision { return DecideView(snapshot.NewView(&s)) }

// DecideView is Decide for a Snapshot whose View exists already. It keeps and changes nothing of v.
func DecideView(v *snapshot.View) Decision {
	p := pass{View: v}
	if p.Topology == snapshot.SingleReplica {
		return p.withoutGuards()
	}
	p.readNodes()
	d := Decision{Pods: p.judgePods()}
	p.judgeBudget(&d)
	return d
}

// pass is one decision in the making.
type pass struct {
	*snapshot.View
	nodes []guardedNode
	// plannedRemake is the node whose guard is made anew next; drains are held back meanwhile (rule R7.4).
	plannedRemake snapshot.NodeName
}

// guardedNode is a node that has a guard, or hosts a member.
type guardedNode struct {
	name snapshot.NodeName
	node *snapshot.Node
	// guard is the guard pod there, if any; one that is not being deleted comes first.
	guard *snapshot.Guard
	// voter and learner are the members hosted there, if any.
	voter, learner *snapshot.Member
	// learnerStays: the learner's Machine (without a functional Machine API: its Node) is not deleting.
	learnerStays bool
}

// wantsGuard: the node hosts a voter, or a learner about to become one (rule R7.1).
func (n *guardedNode) wantsGuard() bool {
	return n.voter != nil || n.learner != nil && n.learnerStays && !n.cordoned()
}

// comes: a guard is about to be made here, or would be if it were known that the node is there and not cordoned; what is
// not known lets no drain pass that would otherwise wait (invariant I4).
func (n *guardedNode) comes() bool {
	return n.guard == nil && n.wantsGuard() && !n.cordoned() && !n.gone()
}

// outdated: the guard of a voter is to be made anew, unless its node is known to be cordoned or gone (as for comes).
func (n *guardedNode) outdated() bool {
	if n.voter == nil || n.guard == nil || n.guard.Deleting || !n.guard.Outdated || finished(n.guard) {
		return false
	}
	return !n.cordoned() && !n.gone()
}

func (n *guardedNode) gone() bool { return n.node != nil && n.node.Present.Fails() }

func (n *guardedNode) cordoned() bool {
	return n.node != nil && n.node.Present.Holds() && n.node.Cordoned
}

// judgeable returns what is in doubt: then nothing is deleted and nothing lowered (rule R7.5, invariant I4).
func (p *pass) judgeable() (reason.Finding, bool) {
	switch {
	case p.Topology == snapshot.TopologyUnknown:
		return reason.Finding{Rule: reason.R7_5, Reason: reason.TopologyUnknown}, false
	case !p.MemberList.Holds():
		return reason.Finding{Rule: reason.R7_4, Reason: reason.MemberListUnknown}, false
	case p.Contradiction != "":
		return reason.Finding{Rule: reason.R10_1, Reason: reason.FactsContradict, Subject: p.Contradiction}, false
	case p.MachineAPI == snapshot.Unknown:
		return reason.Finding{Rule: reason.R7_5, Reason: reason.MachineAPIUnknown}, false
	case p.MachineAPI.Holds() && !p.MachineList.Holds():
		return reason.Finding{Rule: reason.R7_5, Reason: reason.MachinesUnknown}, false
	case !p.NodeList.Holds():
		return reason.Finding{Rule: reason.R7_5, Reason: reason.NodesUnknown}, false
	case !p.GuardList.Holds():
		return reason.Finding{Rule: reason.R7_5, Reason: reason.GuardsUnknown}, false
	case !p.VersionCurrent.Holds():
		return reason.Finding{Rule: reason.R7_5, Reason: reason.WaitingForUpgrade}, false
	case p.Topology == snapshot.DualReplica && p.ExternalEtcd == snapshot.Unknown:
		return reason.Finding{Rule: reason.R11, Reason: reason.ExternalEtcdUnknown}, false
	}
	return p.ownersKnown()
}

// ownersKnown: the node of every member is known, or the member is known to have none.
func (p *pass) ownersKnown() (reason.Finding, bool) {
	for i, m := range p.SortedMembers {
		switch p.Owners[i].State {
		case snapshot.OwnerUnknown:
			return reason.Finding{Rule: reason.R10_5, Reason: reason.PeerURLUnreadable, Subject: m.Label()}, false
		case snapshot.OwnerAmbiguous:
			return reason.Finding{Rule: reason.R3, Reason: reason.OwnerAmbiguous, Subject: m.Label()}, false
		}
		if p.Owners[i].NodeName == "" && !m.AddressClaimed.Fails() {
			return reason.Finding{Rule: reason.R7_4, Reason: reason.VoterNodeUnknown, Subject: m.Label(), Other: m.Label()}, false
		}
	}
	return reason.Finding{}, true
}

// withoutGuards: rule R7.5, a single replica has neither guards nor a budget; but like everything else they are not
// deleted while an upgrade is under way, or while the guards are not known.
func (p *pass) withoutGuards() Decision {
	why := reason.Finding{Rule: reason.R7_5, Reason: reason.SingleReplicaNeedsNoGuard}
	certain := p.GuardList.Holds() && p.VersionCurrent.Holds()
	switch {
	case !p.GuardList.Holds():
		why.Reason = reason.GuardsUnknown
	case !p.VersionCurrent.Holds():
		why.Reason = reason.WaitingForUpgrade
	}
	d := Decision{Budget: KeepBudget, MinAvailable: p.Budget.MinAvailable, Finding: why}
	if certain && p.Budget.Present.Holds() {
		d.Budget, d.MinAvailable = DeleteBudget, 0
	}
	for _, g := range p.SortedGuards {
		pod := Pod{Action: PodDelete, Finding: why}
		switch {
		case g.Deleting:
			pod = kept(reason.R7_1, reason.GuardDeleting)
		case !certain:
			pod = Pod{Action: PodKeep, Refused: PodDelete, Finding: why}
		}
		pod.Node, pod.Subject = g.Node, string(g.Node)
		d.Pods = append(d.Pods, pod)
	}
	return d
}

// readNodes leaves out the bootstrap member, whose host is no control-plane node and gets no guard (rule R7.1).
func (p *pass) readNodes() {
	for _, g := range p.SortedGuards {
		if n := p.at(g.Node); n.guard == nil {
			n.guard = g
		}
	}
	for i, m := range p.SortedMembers {
		owner := p.Owners[i]
		if owner.NodeName == "" || m.Name == snapshot.BootstrapMember {
			continue
		}
		n := p.at(owner.NodeName)
		if !m.Learner {
			n.voter = m
			continue
		}
		if !m.Started {
			continue
		}
		n.learner = m
		if owner.Machine != nil {
			n.learnerStays = !owner.Machine.Deleting
		} else {
			leaves := owner.NodeGone() || owner.NodePresent() && owner.Node.Deleting
			n.learnerStays = p.MachineAPI.Fails() && !leaves
		}
	}
}

// at returns the entry for a node, in name order, made if it is not there yet.
func (p *pass) at(name snapshot.NodeName) *guardedNode {
	i := 0
	for ; i < len(p.nodes) && p.nodes[i].name < name; i++ {
	}
	if i == len(p.nodes) || p.nodes[i].name != name {
		p.nodes = append(p.nodes, guardedNode{})
		copy(p.nodes[i+1:], p.nodes[i:])
		p.nodes[i] = guardedNode{name: name, node: p.Node(name)}
	}
	return &p.nodes[i]
}

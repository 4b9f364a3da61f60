package membership

import (
	"cmp"
	"slices"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Decide returns the one membership change that s allows now, or a wait.
//
// The rules, in the order in which they are asked:
//
//	R10.1, R2.2, R11  Nothing is done while the member list, the Machines, the Nodes or the topology are not known, or an
//	                  etcd outside the cluster is in charge.
//	R6  remove        dead (R6.1), orphan (R6.4), learner without a future (R6.5), replaced (R6.2, R6.3); R6.6 orders them.
//	R5.2 promote      the first learner, by name, that keeps every condition.
//	R5.1 add          the first node, by name, that keeps every condition.
//
// At most one change comes out, whatever its kind: removals before promotions before adds (R6, invariant I2). What was
// allowed besides it is among the refused.
func Decide(s snapshot.Snapshot) Decision { return DecideView(snapshot.NewView(&s)) }

// DecideView is Decide for a Snapshot whose View exists already. It keeps and changes nothing of v.
func DecideView(v *snapshot.View) Decision {
	p := pass{View: v}
	decision := p.decide()
	decision.ClusterID = v.ClusterID
	decision.MemberDigest = v.MemberDigest()
	decision.Warnings = p.warnings
	return decision
}

// pass is one decision in the making.
type pass struct {
	*snapshot.View
	allowed  []candidate
	refused  []Refusal
	warnings []Warning
}

// candidate is an action that every rule allows.
type candidate struct {
	Action Action
	Target
	reason.Finding
	peerURL string
	member  *snapshot.Member
	order   removalOrder
}

func (p *pass) decide() Decision {
	if why, blind := p.cannotJudge(); blind {
		return Decision{Action: Wait, Finding: why}
	}
	p.warnOfAlarms()
	p.considerRemovals()
	p.considerPromotions()
	p.considerAdds()
	if len(p.allowed) == 0 {
		return p.wait()
	}
	chosen := slices.MinFunc(p.allowed, compareCandidates)
	for _, c := range p.allowed {
		if c.Action != chosen.Action || c.Target != chosen.Target {
			p.refused = append(p.refused, Refusal{c.Action, c.Target, reason.Finding{
				Rule: reason.R6, Reason: reason.WaitingForAnotherChange, Subject: p.label(c.Target), Other: p.label(chosen.Target),
			}})
		}
	}
	d := Decision{Action: chosen.Action, Target: chosen.Target, PeerURL: chosen.peerURL, Finding: chosen.Finding, Refused: p.sortedRefusals()}
	if chosen.Action == RemoveMember {
		d.MoveLeaderTo = p.nextLeader(chosen.member)
	}
	return d
}

// cannotJudge returns what is not known about the cluster as a whole, or who else is in charge; every action rests on it
// (invariant I4).
func (p *pass) cannotJudge() (reason.Finding, bool) {
	switch {
	case !p.MemberList.Holds():
		return reason.Finding{Rule: reason.R10_1, Reason: reason.MemberListUnknown}, true
	case p.Contradiction != "":
		return reason.Finding{Rule: reason.R10_1, Reason: reason.FactsContradict, Subject: p.Contradiction}, true
	case p.MachineAPI == snapshot.Unknown:
		return reason.Finding{Rule: reason.R2_2, Reason: reason.MachineAPIUnknown}, true
	case p.MachineAPI.Holds() && !p.MachineList.Holds():
		return reason.Finding{Rule: reason.R2_2, Reason: reason.MachinesUnknown}, true
	case !p.NodeList.Holds():
		return reason.Finding{Rule: reason.R10_4, Reason: reason.NodesUnknown}, true
	case p.Topology == snapshot.TopologyUnknown:
		return reason.Finding{Rule: reason.R11, Reason: reason.TopologyUnknown}, true
	case p.Topology == snapshot.DualReplica && p.ExternalEtcd == snapshot.Unknown:
		return reason.Finding{Rule: reason.R11, Reason: reason.ExternalEtcdUnknown}, true
	case p.Topology == snapshot.DualReplica && p.ExternalEtcd.Holds():
		return reason.Finding{Rule: reason.R11, Reason: reason.ExternalEtcdInCharge}, true
	}
	return reason.Finding{}, false
}

// warnOfAlarms: rule R10.1, CORRUPT makes a member unhealthy, NOSPACE is a warning.
func (p *pass) warnOfAlarms() {
	for i, m := range p.SortedMembers {
		t := p.targetOf(i)
		if m.Corrupt.Holds() {
			p.warn(t, reason.Finding{Rule: reason.R10_1, Reason: reason.MemberCorrupt, Subject: p.label(t)})
		}
		if m.NoSpace.Holds() {
			p.warn(t, reason.Finding{Rule: reason.R10_1, Reason: reason.MemberOutOfSpace, Subject: p.label(t)})
		}
	}
}

// wait makes the decision to do nothing now. Its headline is the first refusal: what a deleting Machine or a lost member
// waits for comes before what a learner waits for, and that before what a node waits for. Each of them stays among the
// refused, so that no wait is silent (L4).
func (p *pass) wait() Decision {
	refused := p.sortedRefusals()
	for _, first := range refused {
		if isWaited(first) {
			return Decision{Action: Wait, Target: first.Target, Finding: first.Finding, Refused: refused}
		}
	}
	why := reason.Finding{Rule: reason.R5, Reason: reason.MembershipAsExpected, Have: p.HealthyVoters, Need: p.Voters}
	if p.Voters < p.Desired.Replicas {
		why = reason.Finding{Rule: reason.R5, Reason: reason.WaitingForNode, Have: p.Voters, Need: p.Desired.Replicas}
	}
	return Decision{Action: Wait, Refused: refused, Finding: why}
}

// isWaited: a node whose Machine or Node is about to go gets no member and waits for none.
func isWaited(r Refusal) bool {
	return r.Action != AddLearner || r.Reason != reason.MachineDeleting && r.Reason != reason.NodeDeleting
}

func (p *pass) sortedRefusals() []Refusal {
	slices.SortStableFunc(p.refused, func(a, b Refusal) int {
		return cmp.Or(cmp.Compare(rank(a.Action), rank(b.Action)), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Member, b.Member))
	})
	return p.refused
}

func compareCandidates(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(rank(a.Action), rank(b.Action)),
		a.order.compare(b.order),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.Node, b.Node),
		cmp.Compare(a.Member, b.Member),
	)
}

// rank orders kinds of change: remove before promote before add (rule R6).
func rank(a Action) int {
	switch a {
	case RemoveMember:
		return 0
	case PromoteLearner:
		return 1
	default:
		return 2
	}
}

func (p *pass) allow(c candidate) { p.allowed = append(p.allowed, c) }

func (p *pass) refuse(a Action, t Target, why reason.Finding) {
	p.refused = append(p.refused, Refusal{a, t, why})
}

func (p *pass) warn(t Target, why reason.Finding) {
	p.warnings = append(p.warnings, Warning{t, why})
}

func (p *pass) targetOf(i int) Target {
	m, owner := p.SortedMembers[i], p.Owners[i]
	t := Target{Member: m.ID, Name: m.Name, Node: owner.NodeName}
	if owner.Machine != nil {
		t.Machine = owner.Machine.Name
	}
	return t
}

// label names a target in a sentence.
func (p *pass) label(t Target) string {
	if t.Member == 0 {
		return string(t.Node)
	}
	return p.SortedMembers[p.IndexOf(t.Member)].Label()
}

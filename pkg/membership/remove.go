package membership

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// How long a voter must have been unhealthy without a break before it counts as dead (rule R6.1), and how long no Node
// may have had an address of an orphan (rules R6.4, R6.5, R2.3).
const (
	deadAtOnce              = 30 * time.Second
	deadAfterRestart        = 5 * time.Minute
	deadAfterReboot         = 10 * time.Minute
	orphanLearnerAfter      = 2 * time.Minute
	orphanByNodesAloneAfter = 10 * time.Minute
)

// considerRemovals judges every member that could have to go. Each removal is judged on the voters that would remain. The
// bootstrap member has neither Machine nor Node by its nature; it is the business of bootstrap teardown (rule R6.9).
func (p *pass) considerRemovals() {
	for i, m := range p.SortedMembers {
		owner := p.Owners[i]
		switch {
		case m.Name == snapshot.BootstrapMember:
		case owner.State == snapshot.OwnerUnknown || owner.State == snapshot.OwnerAmbiguous:
			p.refuseUnresolved(i)
		case owner.State == snapshot.OwnerNone:
			p.judgeUnowned(i)
		case !owner.Machine.Deleting:
			p.explainStaying(i)
		case m.Learner:
			p.judgeLearnerOfDeletingMachine(i)
		case m.IsHealthy():
			p.judgeReplaced(i)
		default:
			p.judgeDead(i)
		}
	}
}

// refuseUnresolved: rule R3, no action for a member whose owner is ambiguous, and say so; rule R10.5 for one whose peer
// URLs cannot be read.
func (p *pass) refuseUnresolved(i int) {
	t := p.targetOf(i)
	why := reason.Finding{Rule: reason.R3, Reason: reason.OwnerAmbiguous, Subject: p.label(t)}
	if p.Owners[i].State == snapshot.OwnerUnknown {
		why = reason.Finding{Rule: reason.R10_5, Reason: reason.PeerURLUnreadable, Subject: p.label(t)}
	}
	p.refuse(RemoveMember, t, why)
	p.warn(t, why)
}

// explainStaying says why an unhealthy voter is not removed while nobody asked for its Machine to go.
func (p *pass) explainStaying(i int) {
	m := p.SortedMembers[i]
	if m.Learner || m.IsHealthy() {
		return
	}
	t := p.targetOf(i)
	p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R6_1, Reason: reason.MachineNotDeleting, Subject: p.label(t), Other: string(t.Machine)})
}

// mayRemoveAtAll holds what every removal rests on (rules R6.9 and R1.3, invariant I12).
func (p *pass) mayRemoveAtAll(t Target) (reason.Finding, bool) {
	if !p.BootstrapComplete.Holds() {
		return reason.Finding{Rule: reason.R6_9, Reason: reason.WaitingForBootstrap, Subject: p.label(t)}, false
	}
	for _, m := range p.SortedMembers {
		if m.Name == snapshot.BootstrapMember {
			return reason.Finding{Rule: reason.R6_9, Reason: reason.WaitingForBootstrapMemberToGo, Subject: p.label(t)}, false
		}
	}
	if !p.Desired.Known() {
		return reason.Finding{Rule: reason.R1_3, Reason: reason.DesiredReplicasUnknown, Subject: p.label(t)}, false
	}
	return reason.Finding{}, true
}

// judgeUnowned: a member that no Machine owns (rules R6.4, R6.5, R6.10; without a functional Machine API, R2.3).
func (p *pass) judgeUnowned(i int) {
	m := p.SortedMembers[i]
	switch {
	case !p.isOrphan(i):
		p.explainNotOrphan(i)
	case m.Learner:
		p.judgeOrphanLearner(i)
	case m.IsHealthy():
		t := p.targetOf(i)
		why := reason.Finding{Rule: reason.R6_4, Reason: reason.HealthyOrphanVoter, Subject: p.label(t)}
		p.refuse(RemoveMember, t, why)
		p.warn(t, why)
	default:
		p.judgeOrphanVoter(i)
	}
}

// isOrphan: no Machine, and no Node of any label, has one of the member's addresses or its name, as live reads confirmed.
func (p *pass) isOrphan(i int) bool {
	m := p.SortedMembers[i]
	if !m.AddressClaimed.Fails() || p.nodeHasAddressOf(m) {
		return false
	}
	if m.Learner || m.Name == "" {
		return true
	}
	named := p.Node(snapshot.NodeName(m.Name))
	return named != nil && named.Present.Fails()
}

func (p *pass) nodeHasAddressOf(m *snapshot.Member) bool {
	for _, node := range p.SortedNodes {
		if node.Present.Holds() && snapshot.Share(node.Addresses, m.PeerAddresses) {
			return true
		}
	}
	return false
}

// explainNotOrphan says what an unhealthy voter without a Machine waits for (rule R6.10).
func (p *pass) explainNotOrphan(i int) {
	m, owner := p.SortedMembers[i], p.Owners[i]
	if m.IsHealthy() || m.Learner {
		return
	}
	t := p.targetOf(i)
	if owner.NodePresent() {
		p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R6_10, Reason: reason.NodeOfLostMemberRemains, Subject: p.label(t), Other: string(t.Node)})
		return
	}
	p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R6_4, Reason: reason.AbsenceNotConfirmed, Subject: p.label(t)})
}

func (p *pass) judgeOrphanVoter(i int) {
	m, t := p.SortedMembers[i], p.targetOf(i)
	why := reason.Finding{Rule: reason.R6_4, Reason: reason.RemovingOrphanVoter, Subject: p.label(t)}
	if no, ok := p.mayRemoveAtAll(t); !ok {
		p.refuse(RemoveMember, t, no)
		return
	}
	if m.Health != snapshot.Unhealthy {
		p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R10_1, Reason: reason.MemberHealthUnknown, Subject: p.label(t)})
		return
	}
	if m.UnhealthyFor < deadAtOnce {
		p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R6_4, Reason: reason.WaitingToConfirmMemberIsDead, Subject: p.label(t), Need: seconds(deadAtOnce)})
		return
	}
	if p.MachineAPI.Fails() && m.UnclaimedFor < orphanByNodesAloneAfter {
		p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R2_3, Reason: reason.WaitingToConfirmOrphan, Subject: p.label(t), Need: seconds(orphanByNodesAloneAfter)})
		return
	}
	p.allowDead(i, why)
}

func (p *pass) judgeOrphanLearner(i int) {
	m, t := p.SortedMembers[i], p.targetOf(i)
	if no, ok := p.mayRemoveAtAll(t); !ok {
		p.refuse(RemoveMember, t, no)
		return
	}
	if m.UnclaimedFor < orphanLearnerAfter {
		p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R6_5, Reason: reason.WaitingToConfirmOrphan, Subject: p.label(t), Need: seconds(orphanLearnerAfter)})
		return
	}
	if p.MachineAPI.Fails() && m.UnclaimedFor < orphanByNodesAloneAfter {
		p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R2_3, Reason: reason.WaitingToConfirmOrphan, Subject: p.label(t), Need: seconds(orphanByNodesAloneAfter)})
		return
	}
	p.allowLearnerRemoval(i, reason.RemovingOrphanLearner)
}

// judgeLearnerOfDeletingMachine: rule R6.5, at once; it will never vote (rule R5.2).
func (p *pass) judgeLearnerOfDeletingMachine(i int) {
	t := p.targetOf(i)
	if no, ok := p.mayRemoveAtAll(t); !ok {
		p.refuse(RemoveMember, t, no)
		return
	}
	p.allowLearnerRemoval(i, reason.RemovingLearnerOfDeletingMachine)
}

// allowLearnerRemoval asks for a healthy quorum even though a learner has no vote: a member may be listed as learner and
// vote all the same (etcd issue 19557).
func (p *pass) allowLearnerRemoval(i int, why reason.Reason) {
	t := p.targetOf(i)
	if p.HealthyVoters < snapshot.Quorum(p.Voters) {
		p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R6_5, Reason: reason.NoHealthyQuorum, Subject: p.label(t), Have: p.HealthyVoters, Need: snapshot.Quorum(p.Voters)})
		return
	}
	p.allow(candidate{Action: RemoveMember, Target: t, Finding: reason.Finding{Rule: reason.R6_5, Reason: why, Subject: p.label(t), Other: string(t.Machine)},
		member: p.SortedMembers[i], order: p.orderOf(i, false)})
}

// judgeDead: rule R6.1, a voter whose Machine is deleting and that does not answer. It asks for no replacement, which could
// not join beside a dead voter (L2).
func (p *pass) judgeDead(i int) {
	m, owner, t := p.SortedMembers[i], p.Owners[i], p.targetOf(i)
	if no, ok := p.mayRemoveAtAll(t); !ok {
		p.refuse(RemoveMember, t, no)
		return
	}
	if m.Health != snapshot.Unhealthy {
		p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R10_1, Reason: reason.MemberHealthUnknown, Subject: p.label(t)})
		return
	}
	if !m.DownBesidesProbe(owner.Node) {
		p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R6_1, Reason: reason.WaitingForSecondWitness, Subject: p.label(t), Other: string(t.Node)})
		return
	}
	if wait := p.deadAfter(owner); m.UnhealthyFor < wait {
		p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R6_1, Reason: reason.WaitingToConfirmMemberIsDead, Subject: p.label(t), Need: seconds(wait)})
		return
	}
	p.allowDead(i, reason.Finding{Rule: reason.R6_1, Reason: reason.RemovingDeadMember, Subject: p.label(t), Other: string(t.Machine)})
}

// deadAfter is how long the member must have been unhealthy (rule R6.1). A restart or an install is not a death, and a
// cordoned node is probably being rebooted by somebody; neither matters once the host is gone or nobody misses the vote.
func (p *pass) deadAfter(owner snapshot.Owner) time.Duration {
	switch {
	case owner.NodeGone(), owner.Machine.Phase == "Failed", p.HealthyVoters >= p.Desired.Replicas:
		return deadAtOnce
	case owner.NodePresent() && owner.Node.Cordoned:
		return deadAfterReboot
	default:
		return deadAfterRestart
	}
}

// allowDead keeps invariants I1 and I5 for a voter that is down: the healthy ones must be a quorum now, or the removal
// could not be agreed on, and a quorum of what remains.
func (p *pass) allowDead(i int, why reason.Finding) {
	t := p.targetOf(i)
	if p.HealthyVoters < snapshot.Quorum(p.Voters) {
		p.refuse(RemoveMember, t, reason.Finding{Rule: reason.R6_1, Reason: reason.NoHealthyQuorum, Subject: p.label(t), Have: p.HealthyVoters, Need: snapshot.Quorum(p.Voters)})
		return
	}
	p.allow(candidate{Action: RemoveMember, Target: t, Finding: why, member: p.SortedMembers[i], order: p.orderOf(i, true)})
}

func seconds(d time.Duration) int { return int(d / time.Second) }

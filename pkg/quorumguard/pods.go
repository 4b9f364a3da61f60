package quorumguard

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// lostVoteAfter is how long a voter on a cordoned node must have been unhealthy before its guard is deleted
// (rule R7.4).
const lostVoteAfter = 30 * time.Second

// judgePods gives each node with a guard or a member its verdict; while anything is in doubt none of them is a deletion
// (rule R7.5).
func (p *pass) judgePods() []Pod {
	doubt, certain := p.judgeable()
	pods := make([]Pod, 0, len(p.nodes))
	for i := range p.nodes {
		n := &p.nodes[i]
		pod := p.judgePod(n)
		if n.outdated() && certain {
			pod = p.judgeRemake(n, pod)
		}
		if pod.Action == PodDelete && !certain {
			pod = Pod{Action: PodKeep, Refused: PodDelete, Finding: doubt}
		}
		pod.Node = n.name
		if pod.Subject == "" {
			pod.Subject = string(n.name)
		}
		pods = append(pods, pod)
	}
	return pods
}

func (p *pass) judgePod(n *guardedNode) Pod {
	if !p.GuardList.Holds() || !p.MemberList.Holds() {
		return Pod{Action: PodKeep, Finding: reason.Finding{Rule: reason.R7_5, Reason: reason.GuardsUnknown}}
	}
	if n.guard == nil {
		return p.judgeCreate(n)
	}
	if n.guard.Deleting {
		return kept(reason.R7_1, reason.GuardDeleting)
	}
	switch {
	case n.voter != nil:
		return p.judgeVoterGuard(n)
	case n.learner == nil || !n.learnerStays:
		return deleted(reason.R7_4, reason.GuardStandsForNoMember)
	case n.cordoned():
		return deleted(reason.R7_4, reason.LearnerNodeCordoned)
	case finished(n.guard):
		// The learner is not promoted before a guard runs (rules R5.2, R7.1), and this one never will.
		return deleted(reason.R7_4, reason.GuardFinished)
	default:
		return kept(reason.R7_1, reason.GuardInPlace)
	}
}

// judgeCreate: rule R7.1, a guard for every vote, and for a learner before its first vote, but none on a cordoned node.
func (p *pass) judgeCreate(n *guardedNode) Pod {
	refused := func(why reason.Reason) Pod {
		return Pod{Action: PodNone, Refused: PodCreate, Finding: reason.Finding{Rule: reason.R7_1, Reason: why}}
	}
	switch {
	case n.voter == nil && (n.learner == nil || !n.learnerStays):
		return Pod{Action: PodNone, Finding: reason.Finding{Rule: reason.R7_1, Reason: reason.NodeNeedsNoGuard}}
	case n.node == nil || !n.node.Present.Holds():
		return refused(reason.NodeMissing)
	case n.cordoned():
		return refused(reason.GuardWaitsForUncordon)
	case p.Budget.Present == snapshot.Unknown:
		// Once Ready, it could let a drain pass that a budget nobody can raise now should hold (invariant I4).
		return Pod{Action: PodKeep, Refused: PodCreate, Finding: reason.Finding{Rule: reason.R7_5, Reason: reason.BudgetUnknown}}
	}
	return Pod{Action: PodCreate, Finding: reason.Finding{Rule: reason.R7_1, Reason: reason.CreatingGuard}}
}

// judgeVoterGuard: rule R7.4. The guard of a lost vote on a cordoned node goes, since the drain that is under way there
// must not wait for it: the budget counts it as one that stands for no vote, and would never let it go. A finished guard,
// or one that is not as wanted, is deleted and made anew, but only on a node that is known not to be cordoned: elsewhere
// none would be made.
func (p *pass) judgeVoterGuard(n *guardedNode) Pod {
	lost := n.voter.Health == snapshot.Unhealthy && n.voter.UnhealthyFor >= lostVoteAfter
	switch {
	case n.cordoned() && lost:
		return p.judgeLostVote(n)
	case !finished(n.guard) && !n.guard.Outdated:
		return kept(reason.R7_1, reason.GuardInPlace)
	case n.cordoned():
		return notRemade(reason.GuardWaitsForUncordon)
	case n.node == nil || !n.node.Present.Holds():
		return notRemade(reason.NodeMissing)
	case finished(n.guard):
		return deleted(reason.R7_4, reason.GuardFinished)
	default:
		return deleted(reason.R7_4, reason.GuardOutdated)
	}
}

// finished: the pod has ended and will not run again.
func finished(guard *snapshot.Guard) bool {
	return guard.Phase != snapshot.PodPending && guard.Phase != snapshot.PodRunning
}

// judgeLostVote: deleting the guard lets the drain of its node pass, so the other votes must be a quorum that drains cannot
// touch; the operator's own probe may have failed alone (invariant I10).
func (p *pass) judgeLostVote(n *guardedNode) Pod {
	others := 0
	for i := range p.nodes {
		other := &p.nodes[i]
		if other != n && other.name != p.PlannedInstall && other.voter != nil && other.voter.IsHealthy() && other.guard != nil && other.guard.Ready && !other.guard.Deleting {
			others++
		}
	}
	if need := snapshot.Quorum(p.Voters); others < need {
		return Pod{Action: PodKeep, Refused: PodDelete, Finding: reason.Finding{Rule: reason.R7_4, Reason: reason.WaitingForOtherVoters, Have: others, Need: need}}
	}
	return deleted(reason.R7_4, reason.GuardOfLostVote)
}

// judgeRemake: while a guard is away, its node could be drained unnoticed. So none is made anew during an install, one
// goes at a time, a Ready one only while the others are Ready, only beside a quorum of other votes (where a vote can be
// spared at all), and only once no drain can begin (rule R7.4).
func (p *pass) judgeRemake(n *guardedNode, pod Pod) Pod {
	verdict := notRemade(reason.GuardRemakeWaits)
	healthy, possible := p.votesBeside(n)
	need := snapshot.Quorum(p.Voters)
	if p.Topology == snapshot.DualReplica || p.UnsafeNonHA {
		need = 0
	}
	switch other, away := p.missesGuard(n); {
	case p.plannedRemake != "" || p.PlannedInstall != "":
		verdict.Other = string(p.PlannedInstall)
	case away:
		verdict.Other = string(other)
	default:
		if possible >= need {
			p.plannedRemake = n.name
		}
		switch {
		case healthy < need:
			verdict.Reason, verdict.Have, verdict.Need = reason.WaitingForOtherVoters, healthy, need
		case p.BudgetClosed():
			return pod
		}
	}
	if pod.Action != PodDelete {
		return pod
	}
	return verdict
}

// votesBeside counts the voters on other nodes that are healthy, and those that may be: what is not known lets no drain pass
// that would otherwise wait (invariant I4).
func (p *pass) votesBeside(n *guardedNode) (healthy, possible int) {
	for i := range p.nodes {
		m := p.nodes[i].voter
		if &p.nodes[i] == n || m == nil {
			continue
		}
		if m.IsHealthy() {
			healthy++
		}
		if m.Health != snapshot.Unhealthy && !m.Corrupt.Holds() {
			possible++
		}
	}
	return healthy, possible
}

// missesGuard returns another voter's node whose guard is away, or not Ready while that of n is.
func (p *pass) missesGuard(n *guardedNode) (snapshot.NodeName, bool) {
	for i := range p.nodes {
		other := &p.nodes[i]
		if other == n || other.voter == nil {
			continue
		}
		away := other.guard == nil || other.guard.Deleting
		if away || (n.guard.Ready && !other.guard.Ready) {
			return other.name, true
		}
	}
	return "", false
}

func kept(rule reason.Rule, why reason.Reason) Pod {
	return Pod{Action: PodKeep, Finding: reason.Finding{Rule: rule, Reason: why}}
}

func notRemade(why reason.Reason) Pod {
	return Pod{Action: PodKeep, Refused: PodDelete, Finding: reason.Finding{Rule: reason.R7_4, Reason: why}}
}

func deleted(rule reason.Rule, why reason.Reason) Pod {
	return Pod{Action: PodDelete, Finding: reason.Finding{Rule: rule, Reason: why}}
}

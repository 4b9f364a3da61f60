package quorumguard

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// lostVoteAfter is how long a voter on a cordoned node must have been unhealthy before its Ready guard is deleted
// (rule R7.4).
const lostVoteAfter = 30 * time.Second

// judgePods gives each node with a guard or a member its verdict; while anything is in doubt none of them is a deletion
// (rule R7.5).
func (p *pass) judgePods() []Pod {
	doubt, certain := p.judgeable()
	pods := make([]Pod, 0, len(p.nodes))
	remakeTaken := false
	for i := range p.nodes {
		n := &p.nodes[i]
		pod := p.judgePod(n)
		if pod.Action == PodDelete && pod.Reason == reason.GuardOutdated {
			pod = p.oneRemakeAtATime(n, pod, &remakeTaken)
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
	cordoned := n.node != nil && n.node.Present.Holds() && n.node.Cordoned
	if n.guard == nil {
		return p.judgeCreate(n, cordoned)
	}
	if n.guard.Deleting {
		return kept(reason.R7_1, reason.GuardDeleting)
	}
	switch {
	case n.voter != nil:
		return judgeVoterGuard(n, cordoned)
	case n.learner == nil || !n.learnerStays:
		return deleted(reason.R7_4, reason.GuardStandsForNoMember)
	case cordoned:
		return deleted(reason.R7_4, reason.LearnerNodeCordoned)
	case finished(n.guard):
		// The learner is not promoted before a guard runs (rules R5.2, R7.1), and this one never will.
		return deleted(reason.R7_4, reason.GuardFinished)
	default:
		return kept(reason.R7_1, reason.GuardInPlace)
	}
}

// judgeCreate: rule R7.1, a guard for every vote, and for a learner before its first vote, but none on a cordoned node.
func (p *pass) judgeCreate(n *guardedNode, cordoned bool) Pod {
	refused := func(why reason.Reason) Pod {
		return Pod{Action: PodNone, Refused: PodCreate, Finding: reason.Finding{Rule: reason.R7_1, Reason: why}}
	}
	switch {
	case n.voter == nil && (n.learner == nil || !n.learnerStays):
		return Pod{Action: PodNone, Finding: reason.Finding{Rule: reason.R7_1, Reason: reason.NodeNeedsNoGuard}}
	case n.node == nil || !n.node.Present.Holds():
		return refused(reason.NodeMissing)
	case cordoned:
		return refused(reason.GuardWaitsForUncordon)
	}
	return Pod{Action: PodCreate, Finding: reason.Finding{Rule: reason.R7_1, Reason: reason.CreatingGuard}}
}

// judgeVoterGuard: rule R7.4. The guard of a lost vote on a cordoned node goes, since the drain that is under way there
// must not wait for it, and a Ready guard must not pass for the vote. A finished guard, or one that is not as wanted, is
// deleted and made anew, but only on a node that is known not to be cordoned: elsewhere none would be made.
func judgeVoterGuard(n *guardedNode, cordoned bool) Pod {
	lost := n.voter.Health == snapshot.Unhealthy && n.voter.UnhealthyFor >= lostVoteAfter
	switch {
	case cordoned && n.guard.Ready && lost:
		return deleted(reason.R7_4, reason.GuardOfLostVote)
	case !finished(n.guard) && !n.guard.Outdated:
		return kept(reason.R7_1, reason.GuardInPlace)
	case cordoned:
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

// oneRemakeAtATime: while one guard is away, its node could be drained unnoticed, so no second one goes, and one that is
// Ready goes only while the others are Ready (rule R7.4).
func (p *pass) oneRemakeAtATime(n *guardedNode, pod Pod, taken *bool) Pod {
	wait := notRemade(reason.GuardRemakeWaits)
	if *taken {
		return wait
	}
	for i := range p.nodes {
		other := &p.nodes[i]
		if other == n || other.voter == nil {
			continue
		}
		away := other.guard == nil || other.guard.Deleting
		if away || (n.guard.Ready && !other.guard.Ready) {
			wait.Other = string(other.name)
			return wait
		}
	}
	*taken = true
	return pod
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

package membership

import (
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// maxLag is how many raft entries a learner may be behind the highest voter (rule R5.2). etcd's own check is weaker: it
// asks for 90 % of the absolute index, and not whether the learner lives.
const maxLag = 5000

// considerPromotions judges every learner (rule R5.2). A promotion changes the quorum, so it asks more than anything
// else: a learner that can vote at once, on a machine that stays and whose hook and guard already protect the vote.
func (p *pass) considerPromotions() {
	for i, m := range p.SortedMembers {
		if !m.Learner {
			continue
		}
		t := p.targetOf(i)
		if m.StalledFor >= deadAfterRestart {
			p.warn(t, reason.Finding{Rule: reason.R5_3, Reason: reason.LearnerStalled, Subject: p.label(t)})
		}
		if no, ok := p.judgePromotion(i); !ok {
			p.refuse(PromoteLearner, t, no)
			continue
		}
		p.allow(candidate{Action: PromoteLearner, Target: t, member: m,
			Finding: reason.Finding{Rule: reason.R5_2, Reason: reason.PromotingLearner, Subject: p.label(t), Have: p.Voters + 1}})
	}
}

func (p *pass) judgePromotion(i int) (reason.Finding, bool) {
	for _, ask := range []func(int, string) (reason.Finding, bool){
		p.learnerMayVote,
		p.promotionKeepsSize,
		p.votersBearPromotion,
		p.learnerNodeStays,
		p.learnerCaughtUp,
	} {
		if no, ok := ask(i, p.SortedMembers[i].Label()); !ok {
			return no, false
		}
	}
	return reason.Finding{}, true
}

// learnerMayVote: started, healthy in this pass, without any alarm.
func (p *pass) learnerMayVote(i int, label string) (reason.Finding, bool) {
	m := p.SortedMembers[i]
	switch {
	case !m.Started:
		return reason.Finding{Rule: reason.R5_2, Reason: reason.WaitingForLearnerToStart, Subject: label}, false
	case !m.IsHealthy():
		return reason.Finding{Rule: reason.R5_2, Reason: reason.LearnerNotHealthy, Subject: label}, false
	case !m.NoSpace.Fails():
		return reason.Finding{Rule: reason.R5_2, Reason: reason.LearnerHasAlarm, Subject: label}, false
	}
	return reason.Finding{}, true
}

// promotionKeepsSize: invariant I3, voters never exceed desired + 1 through the operator; with no desired number ever
// observed there is no room at all (rule R1.3).
func (p *pass) promotionKeepsSize(_ int, label string) (reason.Finding, bool) {
	if !p.Desired.Known() {
		return reason.Finding{Rule: reason.R1_3, Reason: reason.DesiredReplicasUnknown, Subject: label}, false
	}
	if p.Voters+1 > p.Desired.Replicas+1 {
		return reason.Finding{Rule: reason.R5_2, Reason: reason.EnoughVoters, Subject: label, Have: p.Voters, Need: p.Desired.Replicas + 1}, false
	}
	return reason.Finding{}, true
}

// votersBearPromotion: a promotion beside a voter that is down could leave four voters of which two are alive.
func (p *pass) votersBearPromotion(_ int, label string) (reason.Finding, bool) {
	if down := p.firstUnhealthyVoter(); down != nil {
		return reason.Finding{Rule: reason.R5_2, Reason: reason.VoterNotHealthy, Subject: label, Other: down.Label()}, false
	}
	return reason.Finding{}, true
}

func (p *pass) firstUnhealthyVoter() *snapshot.Member {
	for _, m := range p.SortedMembers {
		if !m.Learner && !m.IsHealthy() {
			return m
		}
	}
	return nil
}

// learnerNodeStays: the node is Ready, not cordoned and its guard runs; with a functional Machine API, the Machine stays
// and its hook holds (invariant I9).
func (p *pass) learnerNodeStays(i int, label string) (reason.Finding, bool) {
	owner := p.Owners[i]
	switch {
	case owner.State == snapshot.OwnerAmbiguous:
		return reason.Finding{Rule: reason.R3, Reason: reason.OwnerAmbiguous, Subject: label}, false
	case owner.State == snapshot.OwnerUnknown:
		return reason.Finding{Rule: reason.R10_5, Reason: reason.PeerURLUnreadable, Subject: label}, false
	}
	if p.MachineAPI.Holds() {
		if no, ok := machineHolds(reason.R5_2, owner.Machine, label); !ok {
			return no, false
		}
	}
	if !owner.NodePresent() {
		return reason.Finding{Rule: reason.R5_2, Reason: reason.NodeMissing, Subject: label}, false
	}
	if no, ok := nodeStays(reason.R5_2, owner.Node); !ok {
		return no, false
	}
	if p.GuardsWanted() && !p.guardReady(owner.NodeName) {
		return reason.Finding{Rule: reason.R5_2, Reason: reason.WaitingForGuard, Subject: label, Other: string(owner.NodeName)}, false
	}
	// An install on a node without a voter asked nobody (rule R8.2); it must not take down a vote that came meanwhile.
	if p.targetSet(owner.NodeName) {
		return reason.Finding{Rule: reason.R5_2, Reason: reason.WaitingForInstall, Subject: label, Other: string(owner.NodeName)}, false
	}
	return reason.Finding{}, true
}

// machineHolds: the Machine exists, has a node, stays, carries the hook, and the Machine API will honour the hook.
func machineHolds(rule reason.Rule, machine *snapshot.Machine, subject string) (reason.Finding, bool) {
	why := func(r reason.Reason) (reason.Finding, bool) {
		f := reason.Finding{Rule: rule, Reason: r, Subject: subject}
		if machine != nil {
			f.Other = string(machine.Name)
		}
		return f, false
	}
	switch {
	case machine == nil:
		return why(reason.NodeHasNoMachine)
	case machine.Deleting:
		return why(reason.MachineDeleting)
	case machine.NodeRef == "":
		return why(reason.MachineHasNoNode)
	case machine.Hook != snapshot.HookPresent:
		return why(reason.WaitingForHook)
	case machine.ExcludedFromDrain:
		return why(reason.MachineExcludedFromDrain)
	}
	return reason.Finding{}, true
}

func nodeStays(rule reason.Rule, node *snapshot.Node) (reason.Finding, bool) {
	switch {
	case !node.Ready.Holds():
		return reason.Finding{Rule: rule, Reason: reason.NodeNotReady, Subject: string(node.Name)}, false
	case node.Cordoned:
		return reason.Finding{Rule: rule, Reason: reason.NodeCordoned, Subject: string(node.Name)}, false
	}
	return reason.Finding{}, true
}

// guardReady: a drain of the node must ask the budget. While the guard runs without being ready, the API server goes by
// what was computed of the others, which may be from before this vote.
func (p *pass) guardReady(node snapshot.NodeName) bool {
	for _, g := range p.SortedGuards {
		if g.Node == node && g.Ready && !g.Deleting {
			return p.GuardList.Holds()
		}
	}
	return false
}

// learnerCaughtUp compares with the highest voter. Everybody who is asked is healthy here, and has told the index in this
// pass unless the status was not read; then nothing is promoted.
func (p *pass) learnerCaughtUp(i int, label string) (reason.Finding, bool) {
	var highest uint64
	for _, m := range p.SortedMembers {
		if m.Learner {
			continue
		}
		if m.AppliedIndex == 0 {
			return reason.Finding{Rule: reason.R5_2, Reason: reason.AppliedIndexUnknown, Subject: label, Other: m.Label()}, false
		}
		highest = max(highest, m.AppliedIndex)
	}
	switch applied := p.SortedMembers[i].AppliedIndex; {
	case applied == 0:
		return reason.Finding{Rule: reason.R5_2, Reason: reason.AppliedIndexUnknown, Subject: label, Other: label}, false
	case applied+maxLag < highest:
		return reason.Finding{Rule: reason.R5_2, Reason: reason.WaitingForLearnerToCatchUp, Subject: label, Need: maxLag}, false
	}
	return reason.Finding{}, true
}

package model

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// checkState returns what is wrong with a state, or nothing.
func (e *examiner) checkState(s *state, t *truth, d *decisions, steps []step) string {
	if e.spares() && !t.hasQuorum && !e.somethingFailed(s) {
		return "quorum is lost although nothing failed: drains, reboots and installs alone took it"
	}
	if e.machineAPI && t.voters > max(e.desired+1, e.voters) {
		return fmt.Sprintf("I3: %d voters, %d desired", t.voters, e.desired)
	}
	if what := e.checkWords(s, t, d, steps); what != "" {
		return what
	}
	if s.blind != seeingAll {
		if what := e.checkBlind(s, t, d); what != "" {
			return what
		}
	}
	return e.checkOrder(s, t, d)
}

// checkOrder keeps I7 on every sixteenth state: the same facts in the reverse order give the same decisions.
func (e *examiner) checkOrder(s *state, t *truth, d *decisions) string {
	if e.states++; e.states%16 != 0 {
		return ""
	}
	snap := e.other.draw(e.world, s, t)
	slices.Reverse(snap.Members)
	slices.Reverse(snap.Machines)
	slices.Reverse(snap.Nodes)
	slices.Reverse(snap.NodeStatuses)
	slices.Reverse(snap.APIServerNodes)
	slices.Reverse(snap.Guards)
	slices.Reverse(snap.Endpoints)
	if again := e.cores.decide(snap); !reflect.DeepEqual(*d, again) {
		return "I7: the same facts in another order give another decision"
	}
	return ""
}

// somethingFailed reports whether any involuntary fault has happened on the way here.
func (e *examiner) somethingFailed(s *state) bool {
	happened := func(f fault) bool { return s.left[f] != e.granted[f] }
	if happened(operatorCut) && happened(kubeletStop) {
		// Together they make a living voter look dead to two witnesses, and it may be removed.
		return true
	}
	return slices.ContainsFunc(involuntary[:], happened)
}

// checkMove returns what is wrong with a move, or nothing.
func (e *examiner) checkMove(s *state, t *truth, d *decisions, m *step) string {
	i := int(m.slot)
	switch m.kind {
	case opAddLearner:
		return e.checkAdd(s, d, i)
	case opPromote:
		return e.checkPromotion(s, t, d, m)
	case opRemove:
		return e.checkRemoval(s, t, d, m)
	case opAddHook, opRepairHook:
		if s.slots[i].machine == deleting {
			return "I8: a deleting machine gains the hook"
		}
	case opRemoveHook:
		if s.slots[i].machine != deleting {
			return "I8: a machine that stays loses the hook"
		}
		if s.slots[i].member != noMember {
			return "I8: a deleting machine loses the hook although its member is listed"
		}
	case opInstall:
		return e.checkInstall(s, t, i)
	case opDeleteGuard, upkeepEvictsGuard, drainEvictsGuard:
		return e.checkEviction(s, t, m)
	}
	return ""
}

func (e *examiner) checkAdd(s *state, d *decisions, i int) string {
	if s.slots[i].member != noMember || d.membership.PeerURL != peerURLs[s.addressOf(i)][0] {
		return "I3: a member is added where one is listed, or with another address than the node's"
	}
	for j := range e.slots {
		if s.slots[j].member != noMember && s.addressOf(j) == s.addressOf(i) {
			return "I3: a second member is added with an address that is listed"
		}
	}
	return e.checkJudged(s, d)
}

// checkJudged keeps invariant I6: what a writer compares before it writes is what was judged, and a change of the member
// set shows in it.
func (e *examiner) checkJudged(s *state, d *decisions) string {
	judged := e.truth(s)
	if d.membership.ClusterID != clusterID || e.other.draw(e.world, s, &judged).MemberDigest() != d.membership.MemberDigest {
		return "I6: the decision does not name the cluster and the member set that were judged"
	}
	for i := range e.slots {
		c := s.slots[i]
		if c.member == noMember {
			continue
		}
		other := *s
		if c.member == voter {
			other.slots[i].member = laggingLearner
		} else {
			other.slots[i].member = noMember
		}
		t := e.truth(&other)
		t.listReadable = true
		if e.other.draw(e.world, &other, &t).MemberDigest() == d.membership.MemberDigest {
			return "I6: another member set has the digest of the one that was judged"
		}
	}
	return ""
}

// checkPromotion keeps I3 and I9, and that a promotion never makes the cluster bear less than before: the new member
// lives, and the others are a quorum even if it fails at once.
func (e *examiner) checkPromotion(s *state, t *truth, d *decisions, m *step) string {
	c := &s.slots[m.slot]
	after := e.truth(&m.to)
	switch {
	case after.voters > e.desired+1:
		return fmt.Sprintf("I3: a promotion makes %d voters, %d desired", after.voters, e.desired)
	case e.machineAPI && (c.machine != live || c.hook != hookPresent || c.excluded || !c.linked):
		return "I9: a promotion on a machine that does not hold"
	case after.connected&bit(int(m.slot)) == 0:
		return "I5: a learner that is down gets a vote"
	case t.voters > 1 && count(t.connected) < after.quorum:
		return "I5: a promotion after which the quorum rests on the new vote"
	}
	if what := e.checkGoing(s, t, &m.to, &after); what != "" {
		return what
	}
	return e.checkJudged(s, d)
}

// checkGoing: if the voters that are not about to go down were a quorum before a move of the operator, they are after.
func (e *examiner) checkGoing(s *state, t *truth, to *state, after *truth) string {
	before := count(t.connected&^e.going(s)) >= t.quorum
	if e.spares() && before && count(after.connected&^e.going(to)) < after.quorum {
		return "I5: after this change the drains and installs that are under way would take the quorum"
	}
	return ""
}

// checkRemoval keeps I1, I5 and I12.
func (e *examiner) checkRemoval(s *state, t *truth, d *decisions, m *step) string {
	i := int(m.slot)
	c := &s.slots[i]
	after := e.truth(&m.to)
	if s.blind == blindToBootstrap {
		return "I12: a removal before bootstrap is complete"
	}
	if !after.hasQuorum {
		return "I5: a removal takes the quorum"
	}
	if c.member == voter {
		remaining := t.seen &^ bit(i)
		if count(remaining) < majority(t.voters-1) {
			return fmt.Sprintf("I1: %d healthy voters remain of %d", count(remaining), t.voters-1)
		}
		if t.seen&bit(i) != 0 && count(remaining) < e.desired {
			return fmt.Sprintf("I1: a healthy voter is removed, %d healthy ones remain, %d desired", count(remaining), e.desired)
		}
		if e.comesBack(c) && count(remaining) < e.desired {
			return "I1: a voter is removed that is only restarting or rebooting, and less than desired healthy ones remain"
		}
		if what := e.checkAPIServers(s, t, i); what != "" {
			return what
		}
	}
	// Rule R6.1 takes a voter for dead on two witnesses. If both are wrong, it still counted among those that stay.
	misjudged := t.connected&bit(i) != 0 && t.seen&bit(i) == 0
	if what := e.checkGoing(s, t, &m.to, &after); what != "" && !misjudged {
		return what
	}
	if what := e.checkNextLeader(s, t, i); what != "" {
		return what
	}
	return e.checkJudged(s, d)
}

// checkNextLeader keeps rule R6.7: whoever leads, leadership moves to a healthy voter whose Machine stays, if there is one.
func (e *examiner) checkNextLeader(s *state, t *truth, subject int) string {
	if s.slots[subject].member != voter {
		return ""
	}
	snap := e.other.draw(e.world, s, t)
	snap.Leader = memberID(subject)
	next := e.cores.membership(*snap).MoveLeaderTo
	var stay uint16
	for i := range e.slots {
		if i != subject && t.seen&bit(i) != 0 && s.slots[i].machine != deleting {
			stay |= bit(i)
		}
	}
	switch {
	case next == 0 && stay == 0:
		return ""
	case next == 0:
		return "R6.7: leadership is not moved although a healthy voter stays"
	case stay&bit(slotOfMember(next)) == 0:
		return "R6.7: leadership moves to " + letter(slotOfMember(next))
	}
	return ""
}

// comesBack: the member is down for a while that has an end, a restart or a reboot that takes no longer than these do.
func (e *examiner) comesBack(c *slot) bool {
	return c.cut == notCut && (c.host == rebooting && c.down < tenMinutes || c.etcd == restarting && c.kubeletWorks() && c.down < fiveMinutes)
}

// checkAPIServers: an API server on a node that stays has at least one live voter among its endpoints after the removal
// of a healthy voter.
func (e *examiner) checkAPIServers(s *state, t *truth, subject int) string {
	if !e.apiServers || t.seen&bit(subject) == 0 {
		return ""
	}
	var alive uint16
	for i := range e.slots {
		if i != subject && t.connected&bit(i) != 0 {
			alive |= bit(s.addressOf(i))
		}
	}
	for i := range e.slots {
		c := &s.slots[i]
		if c.node && c.ready && c.current != noRevision && c.machine != deleting && count(c.apiServer&alive) < min(2, count(alive)) {
			return "R6.2: the API server on " + letter(i) + " is left with too few endpoints"
		}
	}
	return ""
}

// checkInstall keeps I11.
func (e *examiner) checkInstall(s *state, t *truth, i int) string {
	if s.slots[i].member != voter || t.connected&bit(i) == 0 || !e.spares() {
		return ""
	}
	others := t.connected &^ e.going(s) &^ e.unheld(s) &^ bit(i)
	if count(others) < t.quorum {
		return fmt.Sprintf("I11: a voter is restarted while %d others stay up of %d voters", count(others), t.voters)
	}
	return ""
}

// checkEviction keeps I10: a drain that has passed leaves a quorum, counting as healthy whoever failed within the last
// probe period. A guard that the operator deletes lets a drain pass as well.
func (e *examiner) checkEviction(s *state, t *truth, m *step) string {
	i := int(m.slot)
	c := &s.slots[i]
	if c.member != voter || t.connected&bit(i) == 0 || c.granted || c.exposed || c.fresh || !e.spares() {
		return ""
	}
	stay := t.connected &^ e.going(s)
	for j := range e.slots {
		if s.slots[j].member == voter && s.slots[j].fresh {
			stay |= bit(j)
		}
	}
	stay &^= bit(i)
	if count(stay) >= t.quorum {
		return ""
	}
	how := "the budget allows"
	switch {
	case m.kind == opDeleteGuard:
		how = "a deleted guard allows"
	case !s.asked(i):
		how = "the budget is not asked about"
	}
	return fmt.Sprintf("I10: %s a drain of %s that leaves %d of %d voters", how, letter(i), count(stay), t.voters)
}

// isGoal: all machines are current and none is deleting, as many vote as should (those of the machines, up to desired + 1), all are healthy and guarded, nobody is
// cordoned, every node runs the latest revision, and nothing is left to be done or told.
func (e *examiner) isGoal(s *state, t *truth, d *decisions) bool {
	machines, learners := 0, 0
	for i := range e.slots {
		c := &s.slots[i]
		if *c == (slot{}) {
			continue
		}
		if e.machineAPI && (c.machine != live || c.hook != hookPresent || !c.linked || c.failed || c.excluded || c.heldBy) {
			return false
		}
		if !c.kubeletWorks() || c.cut != notCut || !c.node || !c.ready || c.cordoned() || c.current != latestRevision && c.member != noMember || c.etcd != running {
			return false
		}
		if c.target != noRevision && c.member != noMember {
			return false
		}
		if c.learns() {
			learners++
		}
		if c.member == voter && d.quorumguard.Budget != quorumguard.DeleteBudget && s.budget && (c.guard != guardRunning || !c.guardReady || c.guardDeleting || c.guardOld) {
			return false
		}
		machines++
	}
	return machines >= e.desired &&
		t.voters == min(machines, e.desired+1) &&
		learners == min(machines-t.voters, 1) &&
		t.connected == t.voterMask &&
		!s.wanted && !s.latestBad && s.blind == seeingAll &&
		s.endpoints == e.voterAddresses(s) &&
		d.quorumguard.Budget == quorumguard.KeepBudget && !e.computationLags(s)
}

func (e *examiner) voterAddresses(s *state) uint16 {
	var mask uint16
	for i := range e.slots {
		if s.slots[i].member == voter {
			mask |= bit(s.addressOf(i))
		}
	}
	return mask
}

// checkWords keeps L4: whatever waits has a Reason with words, and what waits is named.
func (e *examiner) checkWords(s *state, t *truth, d *decisions, steps []step) string {
	for f := range d.findings() {
		if !e.hasWords(f) {
			return fmt.Sprintf("L4: %+v has no words", f)
		}
	}
	acts := false
	for i := range steps {
		acts = acts || steps[i].kind <= opRemove
	}
	if acts || d.membership.Action != membership.Wait || !t.listReadable || s.blind != seeingAll || e.topology == snapshot.DualReplica {
		return ""
	}
	named := func(i int, member bool) bool {
		for _, r := range d.membership.Refused {
			if member && r.Member == memberID(i) || !member && r.Node == nodeNames[i] {
				return true
			}
		}
		return false
	}
	for i := range e.slots {
		c := &s.slots[i]
		switch {
		case c.machine == deleting && c.member != noMember && !named(i, true):
			return "L4: nothing says what the removal of " + letter(i) + " waits for"
		case c.learns() && c.machine != noMachine && !named(i, true):
			return "L4: nothing says what learner " + letter(i) + " waits for"
		case c.node && c.member == noMember && !e.listed(s, i) && !named(i, false):
			return "L4: nothing says what node " + letter(i) + " waits for"
		}
	}
	for _, v := range d.machinehook.Machines {
		c := &s.slots[slotOfMachine(v.Machine)]
		if c.machine == deleting && c.hook != hookMissing && v.Action == machinehook.None && v.Refused != machinehook.RemoveHook {
			return "L4: nothing says why machine " + string(v.Machine) + " keeps its hook"
		}
	}
	ready := 0
	for i := range e.slots {
		if s.slots[i].guardReady && !s.slots[i].guardDeleting {
			ready++
		}
	}
	if s.budget && ready <= int(s.minAvailable) && d.quorumguard.Budget == quorumguard.KeepBudget && len(d.quorumguard.Holds) == 0 {
		return "L4: nothing says what drains wait for"
	}
	return ""
}

// listed: some member has the address of the node in slot i.
func (e *examiner) listed(s *state, i int) bool {
	for j := range e.slots {
		if s.slots[j].member != noMember && s.addressOf(j) == s.addressOf(i) {
			return true
		}
	}
	return false
}

func (e *examiner) hasWords(f reason.Finding) bool {
	if ok, known := e.seen[f]; known {
		return ok
	}
	entry, ok := reason.Lookup(f.Reason)
	ok = ok && f.Rule != "" && entry.Message != "" && entry.Unblock != "" && !strings.Contains(f.Message()+f.Unblock(), "{")
	e.seen[f] = ok
	return ok
}

// findings yields every finding of a decision.
func (d *decisions) findings() func(func(reason.Finding) bool) {
	return func(yield func(reason.Finding) bool) {
		all := func(f reason.Finding) bool { return yield(f) }
		if !all(d.membership.Finding) || !all(d.quorumguard.Finding) || !all(d.rollout.Finding) || !all(d.rollout.Create.Finding) {
			return
		}
		for i := range d.membership.Refused {
			if !all(d.membership.Refused[i].Finding) {
				return
			}
		}
		for i := range d.membership.Warnings {
			if !all(d.membership.Warnings[i].Finding) {
				return
			}
		}
		for i := range d.machinehook.Machines {
			if !all(d.machinehook.Machines[i].Finding) {
				return
			}
		}
		for i := range d.machinehook.Warnings {
			if !all(d.machinehook.Warnings[i].Finding) {
				return
			}
		}
		for i := range d.quorumguard.Holds {
			if !all(d.quorumguard.Holds[i]) {
				return
			}
		}
		for i := range d.quorumguard.Pods {
			if !all(d.quorumguard.Pods[i].Finding) {
				return
			}
		}
		for i := range d.rollout.Install {
			if !all(d.rollout.Install[i].Finding) {
				return
			}
		}
	}
}

// citation is a rule and the way in which it was cited: as a refusal, or otherwise.
type citation struct {
	rule    reason.Rule
	refuses bool
}

// cite counts the rules that a decision cites.
func (x *exploration) cite(d *decisions) {
	note := func(f reason.Finding, refuses bool) {
		x.cited[citation{f.Rule, refuses}]++
		x.reasons[f.Reason]++
	}
	note(d.membership.Finding, d.membership.Action == membership.Wait)
	for i := range d.membership.Refused {
		note(d.membership.Refused[i].Finding, true)
	}
	for i := range d.membership.Warnings {
		note(d.membership.Warnings[i].Finding, false)
	}
	for i := range d.machinehook.Machines {
		v := &d.machinehook.Machines[i]
		note(v.Finding, v.Refused != machinehook.None)
	}
	for i := range d.machinehook.Warnings {
		note(d.machinehook.Warnings[i].Finding, false)
	}
	note(d.quorumguard.Finding, len(d.quorumguard.Holds) > 0 || d.quorumguard.Budget == quorumguard.KeepBudget)
	for i := range d.quorumguard.Holds {
		note(d.quorumguard.Holds[i], true)
	}
	for i := range d.quorumguard.Pods {
		p := &d.quorumguard.Pods[i]
		note(p.Finding, p.Refused != "")
	}
	note(d.rollout.Create.Finding, !d.rollout.Create.Allowed)
	for i := range d.rollout.Install {
		note(d.rollout.Install[i].Finding, !d.rollout.Install[i].Allowed)
	}
	note(d.rollout.Finding, d.rollout.Step == rollout.NoStep)
}

// checkBlind keeps I4: with a fact taken away, nothing is done that would not be done with it.
func (e *examiner) checkBlind(s *state, t *truth, d *decisions) string {
	full := *s
	full.blind = seeingAll
	seeing := e.cores.decide(e.other.draw(e.world, &full, t))
	m := &d.membership
	if m.Action != membership.Wait && !allows(&seeing.membership, m.Action, m.Member, m.Node) {
		return fmt.Sprintf("I4: %s without knowing %s", m.Action, blindNames[s.blind])
	}
	for i, v := range d.machinehook.Machines {
		if v.Action != machinehook.None && (i >= len(seeing.machinehook.Machines) || seeing.machinehook.Machines[i].Action != v.Action) {
			return fmt.Sprintf("I4: %s without knowing %s", v.Action, blindNames[s.blind])
		}
	}
	if d.quorumguard.Budget == quorumguard.SetBudget && s.budget {
		// Held back for the same install, if any: one that nobody can plan any more needs no closed budget.
		e.other.snap.PlannedInstall = d.rollout.Hold
		if lowest := e.cores.quorumguard(e.other.snap).MinAvailable; d.quorumguard.MinAvailable < min(int(s.minAvailable), lowest) {
			return "I4: the budget is lowered without knowing " + blindNames[s.blind]
		}
	}
	for _, p := range d.quorumguard.Pods {
		if p.Action == quorumguard.PodDelete && !deletesGuard(&seeing.quorumguard, p.Node) {
			return "I4: a guard is deleted without knowing " + blindNames[s.blind]
		}
	}
	if s.blind.stopsGuards() {
		lowers := d.quorumguard.Budget == quorumguard.DeleteBudget || d.quorumguard.Budget == quorumguard.SetBudget && s.budget && d.quorumguard.MinAvailable < int(s.minAvailable)
		deletes := slices.ContainsFunc(d.quorumguard.Pods, func(p quorumguard.Pod) bool { return p.Action == quorumguard.PodDelete })
		if lowers || deletes {
			return "R7.5: a guard is deleted or the budget lowered without knowing " + blindNames[s.blind]
		}
	}
	if d.rollout.Create.Allowed && !seeing.rollout.Create.Allowed {
		return "I4: a revision is created without knowing " + blindNames[s.blind]
	}
	if d.rollout.Step == rollout.Install && !installs(&seeing.rollout, d.rollout.Next) {
		return "I4: a revision is installed without knowing " + blindNames[s.blind]
	}
	return ""
}

// allows: the decision takes the action, or would but for another one that comes first.
func allows(d *membership.Decision, a membership.Action, id snapshot.MemberID, node snapshot.NodeName) bool {
	if d.Action == a && d.Member == id && d.Node == node {
		return true
	}
	for _, r := range d.Refused {
		if r.Action == a && r.Member == id && r.Node == node && r.Reason == reason.WaitingForAnotherChange {
			return true
		}
	}
	return false
}

func deletesGuard(d *quorumguard.Decision, node snapshot.NodeName) bool {
	for _, p := range d.Pods {
		if p.Node == node && p.Action == quorumguard.PodDelete {
			return true
		}
	}
	return false
}

func installs(d *rollout.Decision, node snapshot.NodeName) bool {
	for _, p := range d.Install {
		if p.Node == node && p.Allowed {
			return true
		}
	}
	return false
}

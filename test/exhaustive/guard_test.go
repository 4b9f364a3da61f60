package exhaustive

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// guardsJudgeable: nothing is deleted or lowered while a fact is in doubt (rules R7.4, R7.5).
func guardsJudgeable(w *world, t *tally) bool {
	return w.topology != snapshot.TopologyUnknown && w.memberList == yes && w.ownersReadable() && w.guardList == yes &&
		w.versionCurrent == yes && !(w.topology == snapshot.DualReplica && w.external == unknown) && t.placed
}

// stands tells who lives on host j's node: a voter (its index, else -1), or a started learner that stays.
func (t *tally) stands(w *world, j int) (votes int, stays bool) {
	votes = -1
	for i := 0; i < w.n; i++ {
		h := &w.hosts[i]
		if h.role == noMember || t.node[i] != j {
			continue
		}
		switch {
		case h.role.votes():
			votes = i
		case h.role.started():
			if m := t.hostOf(w, i); m != nil {
				stays = m.machine != deleting
			} else {
				n := &w.hosts[j]
				stays = w.machineAPI == no && n.node != nodeAbsent && !(n.present() && n.nodeDeleting)
			}
		}
	}
	return votes, stays
}

// guardVerdict is what the rules want of one guard. mayKeep: or nothing at all, while another one is made anew.
type guardVerdict struct {
	must    quorumguard.PodAction
	mayKeep bool
}

// wantedGuard is rules R7.1 and R7.4 for the node of host j.
func wantedGuard(w *world, t *tally, j int) guardVerdict {
	h := &w.hosts[j]
	keep := guardVerdict{must: quorumguard.PodKeep}
	if h.guard == noGuard {
		keep.must = quorumguard.PodNone
	}
	if w.guardList != yes || w.memberList != yes {
		return keep
	}
	votes, stays := t.stands(w, j)
	switch {
	case h.guard == noGuard && (votes >= 0 || stays) && h.present() && !h.cordoned && w.budget.present != unknown:
		return guardVerdict{must: quorumguard.PodCreate}
	case h.guard == noGuard, h.guard == guardDeleting, !guardsJudgeable(w, t):
		return keep
	}
	remove := guardVerdict{must: quorumguard.PodDelete}
	cordoned := h.cordoned && h.present()
	switch {
	case votes < 0 && !stays, votes < 0 && cordoned:
		return remove
	case votes < 0 && h.guard == guardFinished:
		// It would never run, and its learner would never be promoted.
		return remove
	case votes < 0:
		return keep
	case cordoned:
		if m := &w.hosts[votes]; w.isDown(votes) && m.unhealthyFor >= 30*time.Second && t.guardedVotesBeside(w, j) >= quorum(t.voters) {
			return remove
		}
		return keep
	case !h.present():
		// Whether the node is cordoned is not known.
		return keep
	case h.guard == guardFinished:
		return remove
	case mayRemake(w, t, j) && w.budgetClosed():
		if well, _ := t.votesBeside(w, j); well < remakeNeeds(w, t) {
			return keep
		}
		return guardVerdict{must: quorumguard.PodDelete, mayKeep: true}
	}
	return keep
}

// guardedVotesBeside counts the healthy votes on other nodes than host j's that no drain and no install can touch.
func (t *tally) guardedVotesBeside(w *world, j int) int {
	count := 0
	for k := 0; k < w.n; k++ {
		if votes, _ := t.stands(w, k); k != j && k != w.planned && votes >= 0 && t.healthy[votes] && w.hosts[k].guard.ready() {
			count++
		}
	}
	return count
}

// budgetClosed: it is known that no drain can begin.
func (w *world) budgetClosed() bool {
	return w.budget.present == yes && w.budget.observed && w.budget.allowed == 0 && w.budget.minimum > w.guardPods()
}

// mayRemake: a voter's guard that is not as wanted goes alone, and beside no install; one that is Ready only while all
// others are Ready, the other kind also while they merely are there, since two that cannot become Ready must not wait for
// each other. Where it is not known whether the node is cordoned, drains are held back all the same.
func mayRemake(w *world, t *tally, j int) bool {
	h := &w.hosts[j]
	if votes, _ := t.stands(w, j); votes < 0 || h.guard != guardOutdated && h.guard != guardOutdatedNotReady {
		return false
	}
	if h.node == nodeAbsent || h.cordoned && h.present() || w.planned >= 0 || w.memberList != yes || !guardsJudgeable(w, t) {
		return false
	}
	for k := 0; k < w.n; k++ {
		votes, _ := t.stands(w, k)
		g := w.hosts[k].guard
		if k == j || votes < 0 {
			continue
		}
		if g == noGuard || g == guardDeleting || h.guard.ready() && !g.ready() {
			return false
		}
	}
	_, possible := t.votesBeside(w, j)
	return possible >= remakeNeeds(w, t)
}

// remakeNeeds is how many healthy voters must be on other nodes while a guard is made anew; a topology that has no voter to
// spare does not ask.
func remakeNeeds(w *world, t *tally) int {
	if needsAll(w) {
		return 0
	}
	return quorum(t.voters)
}

// votesBeside counts the voters on other nodes than host j's that are healthy, and those that may be.
func (t *tally) votesBeside(w *world, j int) (healthyOnes, possible int) {
	for k := 0; k < w.n; k++ {
		votes, _ := t.stands(w, k)
		if k == j || votes < 0 {
			continue
		}
		if t.healthy[votes] {
			healthyOnes++
		}
		if w.hosts[votes].health != unhealthy && w.hosts[votes].corrupt != alarmRaised {
			possible++
		}
	}
	return healthyOnes, possible
}

// wantedMinimum is the formula of rule R7.2, for a world in which nothing is in doubt; while drains are held back for an
// install or for a guard that is made anew, more than the guards that there will be (rules R8.2, R7.4).
func wantedMinimum(w *world, t *tally) int {
	nodes := 0
	for j := 0; j < w.n; j++ {
		if w.hosts[j].present() {
			nodes++
		}
	}
	machines := nodes
	if w.machineAPI == yes {
		machines = 0
		for j := 0; j < w.n; j++ {
			h := &w.hosts[j]
			hosting, _ := t.hosts(w, j)
			released := h.machine == deleting && h.hook == snapshot.HookMissing && hosting == no
			if h.machine != noMachine && !released && !(h.failed && h.noNodeRef) {
				machines++
			}
		}
	}
	machines = max(machines, t.voters)
	if w.desired > 0 {
		machines = min(machines, max(t.voters, w.desired+1))
	}
	minimum := max(machines-1, quorum(t.voters))
	if t.voters > w.desired && t.voterLeaves(w) {
		minimum = max(minimum, t.voters)
	}
	minimum += t.guardsWithoutVote(w)
	if w.topology == snapshot.DualReplica && w.external == yes {
		minimum = max(nodes-1, 0)
	}
	remakes := false
	for j := 0; j < w.n; j++ {
		remakes = remakes || mayRemake(w, t, j)
	}
	if w.planned >= 0 || remakes {
		created := 0
		for j := 0; j < w.n; j++ {
			if t.guardComes(w, j) {
				created++
			}
		}
		minimum = max(minimum, w.guardPods()+created+1)
	}
	return minimum
}

func (t *tally) voterLeaves(w *world) bool {
	for i := 0; i < w.n; i++ {
		if w.hosts[i].role.votes() && t.leaves(w, i) {
			return true
		}
	}
	return false
}

func (w *world) guardPods() int {
	pods := 0
	for j := 0; j < w.n; j++ {
		if w.hosts[j].guard != noGuard {
			pods++
		}
	}
	return pods
}

func (w *world) readyGuards() int {
	ready := 0
	for j := 0; j < w.n; j++ {
		if w.hosts[j].guard.ready() {
			ready++
		}
	}
	return ready
}

// guardsWithoutVote counts the guards that are Ready, or may become so since a voter or a learner that stays is there, or
// are about to be made, and behind which no healthy vote stands.
func (t *tally) guardsWithoutVote(w *world) int {
	count := 0
	for j := 0; j < w.n; j++ {
		h := &w.hosts[j]
		votes, stays := t.stands(w, j)
		if votes >= 0 && t.healthy[votes] {
			continue
		}
		awaited := votes >= 0 || stays && !(h.cordoned && h.present())
		there := h.guard.ready() || awaited && (h.guard == guardPending || h.guard.running())
		if there || t.guardComes(w, j) {
			count++
		}
	}
	return count
}

// guardComes: a guard is made on host j's node, or would be if the node could be read.
func (t *tally) guardComes(w *world, j int) bool {
	h := &w.hosts[j]
	votes, stays := t.stands(w, j)
	return h.guard == noGuard && (votes >= 0 || stays) && h.node != nodeAbsent && !(h.cordoned && h.present())
}

func (c *checker) checkGuards(w *world, t *tally, d *quorumguard.Decision) {
	c.cite(&d.Finding)
	for k := range d.Holds {
		c.cite(&d.Holds[k])
	}
	if w.topology == snapshot.SingleReplica {
		c.checkNoGuards(w, d)
		return
	}
	c.checkBudget(w, t, d)
	var judged [maxHosts]bool
	remade, mayBeRemade := 0, 0
	for k := range d.Pods {
		p := &d.Pods[k]
		c.cite(&p.Finding)
		j := w.hostOfNode(p.Node)
		if p.Node == snapshot.BootstrapMember && t.bootstrap && (p.Action == quorumguard.PodNone || p.Action == quorumguard.PodKeep) {
			continue
		}
		if j < 0 || k > 0 && d.Pods[k-1].Node >= p.Node {
			c.fail("R7.1", "verdict %d is about node %q", k, p.Node)
			return
		}
		judged[j] = true
		want := wantedGuard(w, t, j)
		if want.mayKeep {
			mayBeRemade++
		}
		if want.mayKeep && p.Action == quorumguard.PodDelete {
			remade++
		}
		if p.Action != want.must && !sameForNoGuard(&w.hosts[j], p.Action, want.must) && !(want.mayKeep && p.Action == quorumguard.PodKeep) {
			c.fail("R7.4", "the guard on %s: the rules say %s, the verdict says %s", p.Node, want.must, p.Action)
		}
	}
	// The first by name goes; if it is the one that nothing is known of, none does.
	if remade > 1 || remade == 0 && mayBeRemade > 0 && !t.remakeWaitsForFact(w) {
		c.fail("R7.4", "%d guards are made anew at a time", remade)
	}
	for j := 0; j < w.n; j++ {
		if !judged[j] {
			if want := wantedGuard(w, t, j); w.hosts[j].guard != noGuard || want.must != quorumguard.PodNone {
				c.fail("R7.1", "no verdict on the guard of %s, the rules say %s", nodeNames[w.names[j]], want.must)
			}
		}
	}
}

// remakeWaitsForFact: a guard that is not as wanted waits for what could not be read: its node, or the health of others.
func (t *tally) remakeWaitsForFact(w *world) bool {
	for j := 0; j < w.n; j++ {
		if !mayRemake(w, t, j) {
			continue
		}
		if well, _ := t.votesBeside(w, j); !w.hosts[j].present() || well < remakeNeeds(w, t) {
			return true
		}
	}
	return false
}

// sameForNoGuard: where there is no guard, keeping it and making none are the same.
func sameForNoGuard(h *host, a, b quorumguard.PodAction) bool {
	idle := func(x quorumguard.PodAction) bool { return x == quorumguard.PodKeep || x == quorumguard.PodNone }
	return h.guard == noGuard && idle(a) && idle(b)
}

// checkNoGuards: a single replica has neither guards nor budget; but nothing is deleted on doubtful facts (rule R7.5).
func (c *checker) checkNoGuards(w *world, d *quorumguard.Decision) {
	certain := w.guardList == yes && w.versionCurrent == yes
	for k := range d.Pods {
		j := w.hostOfNode(d.Pods[k].Node)
		c.cite(&d.Pods[k].Finding)
		if j < 0 || (d.Pods[k].Action == quorumguard.PodDelete) != (certain && w.hosts[j].guard != guardDeleting) {
			c.fail("R7.5", "the guard on %s of a single replica: %s", d.Pods[k].Node, d.Pods[k].Action)
		}
	}
	if len(d.Pods) != w.guardPods() || (d.Budget == quorumguard.DeleteBudget) != (certain && w.budget.present == yes) || d.Budget == quorumguard.SetBudget {
		c.fail("R7.5", "a single replica: budget %s, %d verdicts on %d guards", d.Budget, len(d.Pods), w.guardPods())
	}
}

func (c *checker) checkBudget(w *world, t *tally, d *quorumguard.Decision) {
	judgeable := guardsJudgeable(w, t)
	known := w.budget.present == yes
	switch {
	case d.Budget == quorumguard.DeleteBudget:
		c.fail("R7.5", "the budget is deleted")
		return
	case d.Budget == quorumguard.SetBudget && (w.memberList != yes || w.budget.present == unknown):
		c.fail("I4", "the budget is set although it is not known what it is or should be")
	case d.Budget == quorumguard.KeepBudget && d.MinAvailable != w.budget.minimum:
		c.fail("R7.2", "the budget is kept at %d, the verdict says %d", w.budget.minimum, d.MinAvailable)
	case !judgeable && known && d.MinAvailable < w.budget.minimum:
		c.fail("I4", "the budget is lowered from %d to %d on doubtful facts", w.budget.minimum, d.MinAvailable)
	}
	if judgeable && w.budget.present != unknown {
		want := wantedMinimum(w, t)
		if d.MinAvailable != want || (d.Budget == quorumguard.SetBudget) != (!known || w.budget.minimum != want) {
			c.fail("R7.2", "minAvailable by the rule is %d, the budget has %d (present: %s); the verdict is %s %d", want, w.budget.minimum, w.budget.present, d.Budget, d.MinAvailable)
		}
		if (len(d.Holds) > 0) != (w.readyGuards() <= want) {
			c.fail("R7.7", "%d guards are ready, %d must stay, and %d things are said to hold drains", w.readyGuards(), want, len(d.Holds))
		}
	}
	c.checkEvictions(w, t, d)
}

// checkEvictions is I10: whichever guards are evicted, as many as the budget lets go, a quorum of healthy voters stays
// whose guards are Ready. Nodes without a Ready guard are counted as lost, since their drain may have been granted before.
func (c *checker) checkEvictions(w *world, t *tally, d *quorumguard.Decision) {
	if w.memberList != yes || w.guardList != yes || w.budget.present == unknown {
		return
	}
	if w.topology == snapshot.DualReplica && w.external != no {
		return
	}
	standing := 0
	for j := 0; j < w.n; j++ {
		h := &w.hosts[j]
		if h.guard.ready() && h.role.votes() && t.healthy[j] {
			standing++
		}
	}
	evictions := w.readyGuards() - d.MinAvailable
	if evictions > 0 && standing-min(evictions, standing) < quorum(t.voters) {
		c.fail("I10", "of %d ready guards %d may be evicted; %d stand for healthy votes, quorum is %d", w.readyGuards(), evictions, standing, quorum(t.voters))
	}
}

func (w *world) hostOfNode(name snapshot.NodeName) int {
	for j := 0; j < w.n; j++ {
		if nodeNames[w.names[j]] == string(name) {
			return j
		}
	}
	return -1
}

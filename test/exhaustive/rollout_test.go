package exhaustive

import (
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// mayCreate is rule R8.1.
func mayCreate(w *world, t *tally) bool {
	switch {
	case w.topology == snapshot.SingleReplica:
		return true
	case w.topology == snapshot.TopologyUnknown || w.memberList != yes:
		return false
	}
	for j := 0; j < w.n; j++ {
		h := &w.hosts[j]
		votes, _ := t.votesOn(w, j)
		if h.present() && h.pod == podAbsent && votes == no {
			return true
		}
		if w.revisionKnown && votes == yes && (h.revision == behind || h.revision.targetSet()) {
			return true
		}
	}
	if needsAll(w) {
		return t.wellVoters == t.voters
	}
	return t.wellVoters-1 >= quorum(t.voters)
}

// needsAll: the two-node topology before hand-over, and the unsafe override (rule R8.2).
func needsAll(w *world) bool { return w.topology == snapshot.DualReplica || w.unsafeNonHA }

// mayInstall is rule R8.2, apart from the budget.
func mayInstall(w *world, t *tally, j int) bool {
	votes, i := t.votesOn(w, j)
	switch {
	case !w.revisionKnown:
		return false
	case w.hosts[j].revision == inFlight, w.topology == snapshot.SingleReplica:
		return true
	case w.topology == snapshot.TopologyUnknown || votes == unknown:
		return false
	case votes == no:
		return true
	}
	for k := 0; k < w.n; k++ {
		if k != j && w.hosts[k].revision.targetSet() {
			if others, _ := t.votesOn(w, k); others != no {
				return false
			}
		}
	}
	switch {
	case w.isDown(i) && isWitnessed(w, t, i):
		return true
	case needsAll(w):
		return t.wellVoters == t.voters
	default:
		return t.survivors(w, j) >= quorum(t.voters)
	}
}

// survivors counts the healthy voters that stay up while host j's node takes a revision: on other nodes, Ready, not
// cordoned, with a guard that a drain must ask about, and not on a Machine that is free to go.
func (t *tally) survivors(w *world, j int) int {
	count := 0
	for i := 0; i < w.n; i++ {
		n, m := t.nodeHost(w, i), t.hostOf(w, i)
		if !w.hosts[i].role.votes() || !t.healthy[i] || t.node[i] == j || n == nil || n.node != nodeReady || n.cordoned || w.guardList != yes || !n.guard.ready() {
			continue
		}
		if m != nil && m.machine == deleting && (m.hook != snapshot.HookPresent || !m.hasNodeRef() || m.excluded) {
			continue
		}
		count++
	}
	return count
}

// installRank orders the nodes that may take a revision: without a voter, with one that is down, the others.
func installRank(w *world, t *tally, j int) int {
	switch votes, i := t.votesOn(w, j); {
	case votes == no:
		return 0
	case i >= 0 && w.isDown(i) && isWitnessed(w, t, i):
		return 1
	default:
		return 2
	}
}

func (c *checker) checkRollout(w *world, t *tally, d *rollout.Decision) {
	c.cite(&d.Finding)
	c.cite(&d.Create.Finding)
	if want := mayCreate(w, t); d.Create.Allowed != want {
		c.fail("R8.1", "creating a revision: the rules say %t, the decision says %t", want, d.Create.Allowed)
	}
	var judged [maxHosts]bool
	next := -1
	for k := range d.Install {
		p := &d.Install[k]
		c.cite(&p.Finding)
		j := w.hostOfNode(p.Node)
		if j < 0 || k > 0 && d.Install[k-1].Node >= p.Node || !w.takesRevision(j) {
			c.fail("R8.2", "permission %d is about node %q", k, p.Node)
			return
		}
		judged[j] = true
		if want := mayInstall(w, t, j); p.Allowed != want {
			c.fail("R8.2", "installing on %s: the rules say %t, the decision says %t", p.Node, want, p.Allowed)
		}
		if p.Allowed && w.hosts[j].revision != inFlight {
			c.installInvariants(w, t, j)
			if next < 0 || installRank(w, t, j) < installRank(w, t, next) || installRank(w, t, j) == installRank(w, t, next) && w.names[j] < w.names[next] {
				next = j
			}
		}
	}
	for j := 0; j < w.n; j++ {
		if w.takesRevision(j) && !judged[j] {
			c.fail("R8.2", "no permission for %s", nodeNames[w.names[j]])
		}
	}
	c.checkStep(w, t, d, next)
	c.checkStable(w, d)
}

// takesRevision: the node has a status and does not run the latest revision.
func (w *world) takesRevision(j int) bool {
	r := w.hosts[j].revision
	return r != noStatus && (r != atLatest || !w.revisionKnown)
}

// installInvariants is I11, by who lives on which host: the other voters keep quorum without the member of host j, or it
// is down anyway. The bootstrap member lives on no node that takes revisions. A topology that has none to spare asks that
// all be healthy.
func (c *checker) installInvariants(w *world, t *tally, j int) {
	h := &w.hosts[j]
	if !h.role.votes() || h.bootstrap || w.topology == snapshot.SingleReplica || h.health == unhealthy && isWitnessed(w, t, j) {
		return
	}
	if needsAll(w) {
		if t.wellVoters < t.voters {
			c.fail("I11", "%s is restarted and not all voters are healthy", w.label(j))
		}
		return
	}
	others := 0
	for i := 0; i < w.n; i++ {
		o := &w.hosts[i]
		free := o.machine == deleting && o.hook == snapshot.HookMissing && w.machineAPI != no
		if i != j && o.role.votes() && t.healthy[i] && o.node == nodeReady && !o.cordoned && o.guard.ready() && !free && !o.revision.targetSet() {
			others++
		}
	}
	if others < quorum(t.voters) {
		c.fail("I11", "%s is restarted and %d other voters stay up; quorum is %d", w.label(j), others, quorum(t.voters))
	}
}

func (c *checker) checkStep(w *world, t *tally, d *rollout.Decision, next int) {
	if next < 0 {
		if d.Step != rollout.NoStep || d.Next != "" {
			c.fail("R8.2", "the next step is %s on %q, but no node may take a revision", d.Step, d.Next)
		}
	} else if string(d.Next) != nodeNames[w.names[next]] {
		c.fail("R8.2", "next is %q, the rules say %s", d.Next, nodeNames[w.names[next]])
		return
	}
	hold := ""
	if next >= 0 {
		votes, _ := t.votesOn(w, next)
		gated := votes == yes && w.topology != snapshot.SingleReplica
		closed := w.budget.present == yes && w.budget.observed && w.budget.allowed == 0 && w.budget.minimum > w.guardPods()
		want := rollout.Install
		if gated && !closed {
			want = rollout.CloseBudget
		}
		if d.Step != want {
			c.fail("R8.2", "the step on %s: the rules say %s, the decision says %s", d.Next, want, d.Step)
		}
		if gated {
			hold = nodeNames[w.names[next]]
		}
	}
	if hold == "" {
		hold = t.installUnderWay(w)
	}
	if string(d.Hold) != hold {
		c.fail("R8.2", "drains are held back for %q, the rules say %q", d.Hold, hold)
	}
}

// installUnderWay returns the node for whose install the budget stays closed: one that hosts a voter, or may host one, until
// the install is finished, or the node is NotReady or gone.
func (t *tally) installUnderWay(w *world) string {
	first := -1
	for j := 0; j < w.n; j++ {
		h := &w.hosts[j]
		votes, _ := t.votesOn(w, j)
		if h.revision.targetSet() && votes != no && h.node != nodeNotReady && h.node != nodeAbsent && (first < 0 || w.names[j] < w.names[first]) {
			first = j
		}
	}
	if first < 0 {
		return ""
	}
	return nodeNames[w.names[first]]
}

// checkStable: rule R8.4, less the nodes of rule R6.8.
func (c *checker) checkStable(w *world, d *rollout.Decision) {
	want, statuses := yes, 0
	for j := 0; j < w.n; j++ {
		h := &w.hosts[j]
		if h.revision == noStatus {
			continue
		}
		statuses++
		lost := h.machine == deleting && (h.node == nodeNotReady && (h.hasNodeRef() || !h.noMachineAddress) || h.node == nodeAbsent && h.hasNodeRef())
		if h.revision != atLatest && !lost {
			want = no
		}
	}
	if !w.revisionKnown || statuses == 0 {
		want = unknown
	}
	if d.Stable != want {
		c.fail("R8.4", "stable is %s, the rules say %s", d.Stable, want)
	}
}

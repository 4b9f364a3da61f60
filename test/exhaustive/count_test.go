package exhaustive

// tally is what follows from a world's description by counting.
type tally struct {
	kind       [maxHosts]ownerKind
	owner      [maxHosts]int
	node       [maxHosts]int
	healthy    [maxHosts]bool
	members    int
	voters     int
	wellVoters int
	// joining counts learners and unstarted members.
	joining               int
	unreadable, bootstrap bool
	// placed: the owner of every member is known or known not to be, and so is its node.
	placed bool
}

func count(w *world) tally {
	t := tally{placed: true}
	for i := 0; i < w.n; i++ {
		h := &w.hosts[i]
		t.owner[i], t.node[i] = -1, -1
		if h.role == noMember {
			continue
		}
		t.members++
		t.kind[i], t.owner[i] = w.owner(i)
		t.node[i] = w.nodeOf(i)
		t.healthy[i] = w.isHealthy(i)
		if h.role.votes() {
			t.voters++
			if t.healthy[i] {
				t.wellVoters++
			}
		}
		if h.role.learns() || !h.role.started() {
			t.joining++
		}
		t.unreadable = t.unreadable || h.unreadable
		t.bootstrap = t.bootstrap || h.bootstrap
		if t.nowhere(w, i) {
			t.placed = false
		}
	}
	return t
}

// hostOf returns the host whose Machine owns member i, or nil.
func (t *tally) hostOf(w *world, i int) *host {
	if t.kind[i] != ownerFound {
		return nil
	}
	return &w.hosts[t.owner[i]]
}

// nodeHost returns the host on whose Node member i lives, or nil.
func (t *tally) nodeHost(w *world, i int) *host {
	if t.node[i] < 0 {
		return nil
	}
	return &w.hosts[t.node[i]]
}

// leaves: the Machine of member i is known and deleting.
func (t *tally) leaves(w *world, i int) bool {
	h := t.hostOf(w, i)
	return h != nil && h.machine == deleting
}

// lost: rule R6.8, the Node of member i is NotReady or gone and its Machine is deleting.
func (t *tally) lost(w *world, i int) bool {
	n := t.nodeHost(w, i)
	return t.leaves(w, i) && n != nil && (n.node == nodeNotReady || n.node == nodeAbsent)
}

// votersWell reports whether every voter but one (-1 for none) is healthy.
func (t *tally) votersWell(w *world, but int) bool {
	for i := 0; i < w.n; i++ {
		if i != but && w.hosts[i].role.votes() && !t.healthy[i] {
			return false
		}
	}
	return true
}

// votesOn returns whether host j's node hosts a voter, and which member that is (rules R8.2, R10.1).
func (t *tally) votesOn(w *world, j int) (fact, int) {
	if w.memberList != yes {
		return unknown, -1
	}
	hosts := no
	for i := 0; i < w.n; i++ {
		if h := &w.hosts[i]; h.role.votes() {
			switch {
			case t.node[i] == j:
				return yes, i
			case t.nowhere(w, i):
				hosts = unknown
			}
		}
	}
	return hosts, -1
}

// nowhere: it is not known on which Node member i lives, nor that it lives on none (rules R3, R10.1).
func (t *tally) nowhere(w *world, i int) bool {
	return t.node[i] < 0 && (t.kind[i] != ownerNone || w.hosts[i].claimed != no)
}

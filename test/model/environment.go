package model

import "github.com/openshift/cluster-etcd-operator/pkg/quorumguard"

// environmentMoves appends every move of the environment that is no fault: it may happen as often as it can, and counts
// as progress.
func (w *world) environmentMoves(s *state, t *truth, d *decisions, out []step) []step {
	out = w.machinesAppear(s, out)
	for i := range w.slots {
		if s.slots[i] == (slot{}) {
			continue
		}
		out = w.hostMoves(s, t, i, out)
		out = w.machineControllerMoves(s, t, i, out)
		out = w.upkeepMoves(s, i, out)
		out = w.peopleMoves(s, t, i, out)
		out = w.timeMoves(s, t, d, i, out)
	}
	if w.computationLags(s) {
		out = w.step(s, out, evictionsAreComputed, -1, w.compute)
	}
	if s.latestBad && !s.wanted {
		out = w.step(s, out, revisionIsCorrected, -1, func(n *state) { n.wanted = true })
	}
	if s.blind != seeingAll {
		out = w.step(s, out, factIsKnownAgain, -1, func(n *state) { n.blind = seeingAll })
	}
	return out
}

// freeSlot returns the first slot with no trace of anything, and whose address no other host has got, or -1.
func (w *world) freeSlot(s *state) int {
	var used uint16
	for i := range w.slots {
		if s.slots[i] != (slot{}) {
			used |= bit(i) | bit(s.addressOf(i))
		}
	}
	for i := range w.slots {
		if used&bit(i) == 0 {
			return i
		}
	}
	return -1
}

// machinesAppear: a replacement comes as soon as, or any time after, fewer Machines than desired stay; whether it is
// created before or after the former one goes is a matter of when this move is taken.
func (w *world) machinesAppear(s *state, out []step) []step {
	staying := 0
	for i := range w.slots {
		c := &s.slots[i]
		if w.machineAPI && c.machine == live || !w.machineAPI && c.node {
			staying++
		}
	}
	i := w.freeSlot(s)
	if staying >= w.desired || i < 0 {
		return out
	}
	out = w.step(s, out, machineAppears, i, func(n *state) { w.newMachine(n, i) })
	if s.left[reusedAddress] == 0 {
		return out
	}
	for j := range w.slots {
		c := &s.slots[j]
		if c.host == up || c.host == rebooting || c.address != 0 || c.member == noMember {
			continue
		}
		out = w.step(s, out, faultReusedAddress, i, func(n *state) {
			n.left[reusedAddress]--
			w.newMachine(n, i)
			n.slots[i].address = uint8(j + 1)
		})
	}
	return out
}

func (w *world) newMachine(s *state, i int) {
	if w.machineAPI {
		s.slots[i].machine = live
		return
	}
	s.slots[i].host, s.slots[i].node, s.slots[i].ready = up, true, true
}

// hostMoves: the host, its kubelet and what runs there.
func (w *world) hostMoves(s *state, t *truth, i int, out []step) []step {
	c := &s.slots[i]
	if c.machine == live && c.host == noHost && !c.failed && !c.linked {
		out = w.step(s, out, hostComesUp, i, func(n *state) {
			n.slots[i].host, n.slots[i].node, n.slots[i].ready = up, true, true
		})
	}
	if c.machine != noMachine && c.node && !c.linked {
		out = w.step(s, out, nodeIsLinked, i, func(n *state) { n.slots[i].linked = true })
	}
	if c.target != noRevision && !c.landed && c.kubeletWorks() {
		out = w.step(s, out, installLands, i, func(n *state) { n.slots[i].restartWithTarget() })
	}
	if c.etcd == restarting && c.kubeletWorks() {
		out = w.step(s, out, etcdComesBack, i, func(n *state) { n.slots[i].etcd = running })
	}
	if c.landed && c.podReady {
		out = w.step(s, out, installIsDone, i, func(n *state) {
			c := &n.slots[i]
			c.current, c.target, c.landed, c.bad = c.target, noRevision, false, false
		})
	}
	if c.serving() && t.hasQuorum {
		switch c.member {
		case unstartedLearner:
			out = w.step(s, out, learnerStarts, i, func(n *state) { n.slots[i].member = laggingLearner })
		case laggingLearner:
			out = w.step(s, out, learnerCatchesUp, i, func(n *state) { n.slots[i].member = caughtUpLearner })
		}
	}
	if c.node && c.ready && !c.kubeletWorks() {
		out = w.step(s, out, nodeSilenceIsTold, i, func(n *state) { n.slots[i].ready = false })
	}
	if c.guard == guardRunning && !c.guardDeleting && c.kubeletWorks() && c.guardReady != c.readyz() {
		out = w.step(s, out, guardReadinessIsTold, i, func(n *state) { n.slots[i].guardReady = c.readyz() })
	}
	if c.cut != notCut {
		out = w.step(s, out, cutHeals, i, func(n *state) { n.slots[i].cut = notCut })
	}
	if w.apiServers && c.node && c.ready && c.current != noRevision && c.apiServer != s.endpoints {
		out = w.step(s, out, apiServerRolls, i, func(n *state) { n.slots[i].apiServer = n.endpoints })
	}
	return out
}

// restartWithTarget: the pod of the target revision replaces the one that ran, which takes the member down for a while.
func (c *slot) restartWithTarget() {
	c.landed = true
	switch {
	case c.bad:
		c.etcd = broken
	case c.started():
		c.etcd = restarting
	default:
		c.etcd = running
	}
}

// machineControllerMoves: it drains and destroys a deleting Machine that no hook holds.
func (w *world) machineControllerMoves(s *state, t *truth, i int, out []step) []step {
	c := &s.slots[i]
	if c.machine == live && c.host == dead && !c.failed || c.machine == deleting && c.host == dead && c.linked && !c.failed {
		out = w.step(s, out, machineFails, i, func(n *state) { n.slots[i].failed = true })
	}
	if c.machine != deleting || c.hookHolds() {
		return out
	}
	// Without nodeRef, or excluded, a Machine is not drained at all.
	undrained := !c.linked || c.excluded
	if !undrained && c.drain == notDraining && c.node {
		out = w.step(s, out, drainBegins, i, func(n *state) { n.slots[i].drain = drainEvicts })
	}
	if c.drain == drainEvicts && c.node {
		if next := *s; next.evict(i) {
			out = w.step(s, out, drainEvictsGuard, i, func(n *state) {
				n.drainPasses(i)
				n.slots[i].drain = drained
			})
		}
	}
	gone := undrained || c.drain == drained || !c.node
	if gone && c.host != noHost {
		out = w.step(s, out, hostIsDestroyed, i, func(n *state) {
			// A host that goes without having been drained goes like one that dies.
			unasked := c.drain != drained && t.connected&bit(i) != 0
			n.slots[i].host, n.slots[i].kubeletStopped, n.slots[i].cut, n.slots[i].fresh = noHost, false, notCut, c.fresh || unasked
		})
	}
	if gone && c.host == noHost && c.node {
		out = w.step(s, out, nodeGoes, i, func(n *state) { n.slots[i].loseNode() })
	}
	if gone && c.host == noHost && !c.node {
		out = w.step(s, out, machineGoes, i, func(n *state) { n.loseMachine(i) })
	}
	return out
}

func (c *slot) loseNode() { c.node = false }

// loseMachine: the Machine object is gone, and with it its place in the order of deletions.
func (s *state) loseMachine(i int) {
	c := &s.slots[i]
	place := c.deleted
	c.machine, c.hook, c.linked, c.failed, c.bare, c.excluded, c.backOff, c.heldBy = noMachine, hookMissing, false, false, false, false, false, false
	c.drain, c.deleted = notDraining, 0
	for j := range s.slots {
		if place != 0 && s.slots[j].deleted > place {
			s.slots[j].deleted--
		}
	}
}

func (w *world) deleteMachine(s *state, i int) {
	s.slots[i].machine, s.slots[i].backOff = deleting, false
	if !w.ordered {
		return
	}
	place := uint8(1)
	for j := range s.slots {
		if j != i && s.slots[j].machine == deleting {
			place++
		}
	}
	s.slots[i].deleted = place
}

// evict asks for the eviction of the guard on a node and reports whether the node is then free of it. What passes is
// decided by what the disruption controller last computed.
func (s *state) evict(i int) bool {
	c := &s.slots[i]
	switch {
	case c.guard == noGuard:
		return true
	case c.guardDeleting:
		// A drain does not wait for a pod that a silent node cannot end.
		return !c.ready
	case !s.budget, c.guard != guardRunning:
		// A pod that has not begun or has ended is no matter of the budget.
	case c.guardReady:
		// The API server lets nobody pass before the disruption controller has seen the budget as it is.
		if !s.observed || s.allowed == 0 {
			return false
		}
		s.allowed--
	case !s.enough:
		return false
	}
	c.deleteGuard()
	return true
}

// drainPasses is a drain that gets the node free of its guard.
func (s *state) drainPasses(i int) {
	s.evict(i)
	s.slots[i].granted = true
}

// asked reports whether evicting the guard on a node asks the budget at all.
func (s *state) asked(i int) bool {
	c := &s.slots[i]
	return c.guard == guardRunning && !c.guardDeleting && s.budget
}

// upkeepMoves: another component works on the node.
func (w *world) upkeepMoves(s *state, i int, out []step) []step {
	c := &s.slots[i]
	if c.upkeep == upkeepEvicts {
		if next := *s; next.evict(i) {
			out = w.step(s, out, upkeepEvictsGuard, i, func(n *state) {
				n.drainPasses(i)
				n.slots[i].upkeep = upkeepDrained
			})
		}
	}
	if c.upkeep == upkeepDrained && c.kubeletWorks() {
		out = w.step(s, out, upkeepReboots, i, func(n *state) { n.slots[i].host = rebooting })
	}
	if c.host == rebooting {
		out = w.step(s, out, rebootEnds, i, func(n *state) {
			c := &n.slots[i]
			c.host = up
			if c.etcd == restarting {
				c.etcd = running
			}
		})
	}
	if c.upkeep != noUpkeep && c.host != rebooting {
		out = w.step(s, out, upkeepEnds, i, func(n *state) { n.slots[i].upkeep = noUpkeep })
	}
	return out
}

// peopleMoves: people and health checks follow what they are told.
func (w *world) peopleMoves(s *state, t *truth, i int, out []step) []step {
	c := &s.slots[i]
	if c.machine == live && w.isLost(s, i) {
		out = w.step(s, out, deadMachineIsDeleted, i, func(n *state) { w.deleteMachine(n, i) })
	}
	if c.machine == noMachine && c.node && !c.ready && (c.host == dead || c.host == noHost || c.kubeletStopped) {
		out = w.step(s, out, leftNodeIsDeleted, i, func(n *state) { n.slots[i].loseNode() })
	}
	if c.machine == noMachine && !c.node && c.member == voter && t.seen&bit(i) != 0 && t.answered && w.etcdRemoves(s, t, i) {
		out = w.step(s, out, orphanIsRemovedByHand, i, func(n *state) { n.slots[i].member = noMember })
	}
	if c.excluded {
		out = w.step(s, out, exclusionIsTakenBack, i, func(n *state) { n.slots[i].excluded = false })
	}
	if c.heldBy {
		out = w.step(s, out, foreignHookGoes, i, func(n *state) { n.slots[i].heldBy = false })
	}
	return out
}

// isLost: a health check, or a person who reads the operator's conditions, sees that this Machine will not serve again.
func (w *world) isLost(s *state, i int) bool {
	c := &s.slots[i]
	if c.failed || c.node && !c.ready && (c.host == dead || c.kubeletStopped) || c.linked && !c.node {
		return true
	}
	// The address of this host belongs to a lost member that has no Machine and no Node of its own any more: the operator
	// says that the member waits for this Machine to be deleted.
	for j := range w.slots {
		other := &s.slots[j]
		if j != i && other.member != noMember && other.machine == noMachine && !other.node && s.addressOf(j) == s.addressOf(i) {
			return true
		}
	}
	return false
}

// timeMoves: how long the operator has observed something, in the steps that decisions tell apart. Only where a step can
// matter: a member that waits to be counted dead, or whose guard does.
func (w *world) timeMoves(s *state, t *truth, d *decisions, i int, out []step) []step {
	c := &s.slots[i]
	if c.backOff {
		out = w.step(s, out, backOffPasses, i, func(n *state) { n.slots[i].backOff = false })
	}
	if c.fresh && t.answered && w.reactedTo(s, d, i) {
		out = w.step(s, out, probePeriodPasses, i, func(n *state) { n.slots[i].fresh = false })
	}
	waits := c.member == voter && t.answered && t.seen&bit(i) == 0 && (c.machine != live || c.cordoned())
	if c.learns() && t.listReadable && !w.claimed(s, i) {
		waits = true
	}
	if waits && !c.fresh && c.down < c.longestDown() {
		out = w.step(s, out, timePasses, i, func(n *state) { n.slots[i].down++ })
	}
	return out
}

// longestDown is how long an outage can last: a restart less than 5 minutes, a reboot less than 10.
func (c *slot) longestDown() duration {
	switch {
	case c.host == rebooting:
		return fiveMinutes
	case c.etcd == restarting && c.kubeletWorks():
		return halfMinute
	case c.machine == live:
		return halfMinute
	default:
		return tenMinutes
	}
}

// reactedTo: everybody who reacts to the failure of a voter within a probe period has done so: readiness has been told,
// the operator has made the guards and the budget as it wants them, and the disruption controller has computed from that.
func (w *world) reactedTo(s *state, d *decisions, i int) bool {
	c := &s.slots[i]
	if c.node && !c.kubeletWorks() && c.ready {
		return false
	}
	if c.guard == guardRunning && c.kubeletWorks() && c.guardReady != c.readyz() {
		return false
	}
	if d.quorumguard.Budget != quorumguard.KeepBudget || w.computationLags(s) {
		return false
	}
	for j := range d.quorumguard.Pods {
		if a := d.quorumguard.Pods[j].Action; a == quorumguard.PodCreate || a == quorumguard.PodDelete {
			return false
		}
	}
	return true
}

func (w *world) computationLags(s *state) bool {
	next := *s
	w.compute(&next)
	return next.shared != s.shared
}

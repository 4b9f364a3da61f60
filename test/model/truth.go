package model

import "math/bits"

// truth is what follows from a state: who votes, who lives, what the operator's probes answer. All of it is arithmetic of
// the model's own.
type truth struct {
	voters, quorum int
	// voterMask has the slots whose member votes; connected those of them that run and reach their peers; seen those
	// whose probe answers the operator.
	voterMask, connected, seen uint16
	hasQuorum                  bool
	// listReadable: the operator gets a linearizable member list.
	listReadable bool
	// answered: a quorum of voters answered the operator's probes, so a probe that failed tells something.
	answered bool
}

func bit(i int) uint16 { return 1 << i }

func count(mask uint16) int { return bits.OnesCount16(mask) }

// majority is how many of n votes a decision of etcd needs.
func majority(n int) int { return n/2 + 1 }

// serving: the host is up and the etcd process on it runs.
func (c *slot) serving() bool { return c.host == up && c.etcd == running }

// kubeletWorks: the host is up and its kubelet reports and acts.
func (c *slot) kubeletWorks() bool { return c.host == up && !c.kubeletStopped }

func (c *slot) cordoned() bool { return c.node && (c.upkeep != noUpkeep || c.drain != notDraining) }

func (c *slot) started() bool { return c.member > unstartedLearner }

func (c *slot) learns() bool { return c.member != noMember && c.member != voter }

// readyz is what /readyz on the node answers: it is local, so it does not need peers (situation G5).
func (c *slot) readyz() bool { return c.serving() && c.started() }

// hookHolds: the Machine API waits for some hook before it drains this Machine. It does not without nodeRef, nor when
// the Machine is excluded from draining.
func (c *slot) hookHolds() bool {
	return (c.hook != hookMissing || c.heldBy) && c.linked && !c.excluded
}

// addressOf returns the slot whose address a slot has.
func (s *state) addressOf(i int) int {
	if a := s.slots[i].address; a != 0 {
		return int(a) - 1
	}
	return i
}

func (w *world) truth(s *state) truth {
	var t truth
	for i := range w.slots {
		c := &s.slots[i]
		if c.member != voter {
			continue
		}
		t.voters++
		t.voterMask |= bit(i)
		if c.serving() && c.cut != cutFromPeers {
			t.connected |= bit(i)
		}
	}
	t.quorum = majority(t.voters)
	t.hasQuorum = count(t.connected) >= t.quorum
	if !t.hasQuorum {
		return t
	}
	for i := range w.slots {
		if t.connected&bit(i) != 0 && s.slots[i].cut == notCut {
			t.seen |= bit(i)
		}
	}
	t.listReadable = t.seen != 0
	t.answered = count(t.seen) >= t.quorum
	return t
}

// going is the set of voters that are about to go down although they may still run: a drain of their node has been let
// through and their guard is not back, or an install is about to restart their pod. Whoever asks whether another one may
// go down counts them as gone.
func (w *world) going(s *state) uint16 {
	return w.votersThat(s, func(c *slot) bool {
		install := c.target != noRevision && !c.landed && c.kubeletWorks()
		return c.granted || c.upkeep == upkeepDrained || c.drain == drained || install
	})
}

// unheld is the set of voters that could go down at any moment without anybody being asked. No budget can hold them, but
// the operator must not count on them when it restarts another one.
func (w *world) unheld(s *state) uint16 {
	return w.votersThat(s, func(c *slot) bool { return c.exposed || c.freeToGo() })
}

func (w *world) votersThat(s *state, are func(*slot) bool) uint16 {
	var mask uint16
	for i := range w.slots {
		if c := &s.slots[i]; c.member == voter && are(c) {
			mask |= bit(i)
		}
	}
	return mask
}

// freeToGo: the machine controller may destroy the host at any moment without asking the budget.
func (c *slot) freeToGo() bool {
	return c.machine == deleting && !c.hookHolds() && (!c.linked || c.excluded)
}

// claimed: some Node or Machine has the address of the member in slot i.
func (w *world) claimed(s *state, i int) bool {
	address := s.addressOf(i)
	for j := range w.slots {
		c := &s.slots[j]
		if s.addressOf(j) == address && (c.node || c.machineHasAddress()) {
			return true
		}
	}
	return false
}

func (c *slot) machineHasAddress() bool {
	return c.machine != noMachine && !c.bare && (c.host != noHost || c.linked)
}

// settle lets everything follow that follows at once: what a working kubelet tells, what a silent node means for its
// pods, and which counters have nothing left to count.
func (w *world) settle(s *state) {
	for i := range w.slots {
		c := &s.slots[i]
		if c.machine == noMachine && !c.node && c.member == noMember {
			// Nothing that anybody can see is left; a host that still runs has nobody who knows it.
			*c = slot{}
			continue
		}
		if !c.node {
			c.ready, c.podReady, c.guardReady, c.guardDeleting, c.guardOld, c.landed, c.bad = false, false, false, false, false, false, false
			c.upkeep, c.guard, c.current, c.target, c.apiServer = noUpkeep, noGuard, noRevision, noRevision, 0
		}
		if c.host == noHost || c.host == dead {
			// What has ended for good leaves no trace but what was last told of it.
			c.kubeletStopped, c.cut, c.landed, c.bad = false, notCut, false, false
			switch {
			case !c.node:
				c.etcd = noProcess
			case c.etcd != noProcess:
				c.etcd = running
			}
		}
		if c.node && c.kubeletWorks() {
			c.ready, c.podReady = true, c.readyz()
			if c.guardDeleting {
				c.guard, c.guardReady, c.guardDeleting, c.guardOld = noGuard, false, false, false
			}
			if c.guard == guardPending {
				c.guard = guardRunning
			}
		}
		if !c.ready {
			// The node lifecycle controller marks the pods of a silent node not ready.
			c.podReady, c.guardReady = false, false
		}
	}
	t := w.truth(s)
	for i := range w.slots {
		c := &s.slots[i]
		switch {
		case c.member == voter && t.answered && t.seen&bit(i) == 0:
		case c.learns() && t.listReadable && !w.claimed(s, i):
		default:
			c.down = justNow
		}
		if c.member != voter {
			c.fresh = false
		}
		if c.member != voter || !c.node || c.guardReady && !c.guardDeleting {
			c.granted, c.exposed = false, false
		}
	}
}

// hasten takes, in worlds that are prompt, every move that is only a lag, until there is none left.
func (w *world) hasten(s *state) {
	for before := *s; ; before = *s {
		t := w.truth(s)
		for i := range w.slots {
			c := &s.slots[i]
			if c.machine != noMachine && c.node {
				c.linked = true
			}
			if c.target != noRevision && !c.landed && c.kubeletWorks() && c.member != voter {
				c.restartWithTarget()
			}
			if c.landed && c.podReady {
				c.current, c.target, c.landed, c.bad = c.target, noRevision, false, false
			}
			if c.serving() && t.hasQuorum && (c.member == unstartedLearner || c.member == laggingLearner) {
				c.member = caughtUpLearner
			}
			if c.node && c.ready && !c.kubeletWorks() {
				c.ready = false
			}
			if c.guard == guardRunning && !c.guardDeleting && c.kubeletWorks() {
				c.guardReady = c.readyz()
			}
		}
		w.settle(s)
		w.compute(s)
		if *s == before {
			return
		}
	}
}

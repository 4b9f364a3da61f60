package model

// faultMoves appends every fault that is still granted.
func (w *world) faultMoves(s *state, t *truth, out []step) []step {
	for i := range w.slots {
		if s.slots[i] == (slot{}) {
			continue
		}
		out = w.faultsOfMachine(s, i, out)
		out = w.faultsOfHost(s, t, i, out)
	}
	if i := w.freeSlot(s); i >= 0 && w.machineAPI {
		out = w.spend(s, out, extraMachine, faultExtraMachine, i, true, func(n *state) { w.newMachine(n, i) })
	}
	out = w.spend(s, out, revisionWish, faultRevisionWish, -1, !s.wanted, func(n *state) { n.wanted = true })
	if w.somethingToForget(s) {
		out = w.spend(s, out, operatorCrash, faultOperatorCrash, -1, true, func(n *state) {
			for i := range n.slots {
				n.slots[i].down, n.slots[i].backOff = justNow, false
			}
		})
	}
	if s.blind == seeingAll {
		for _, b := range w.blinds {
			out = w.spend(s, out, blinding, faultBlinding, -1, true, func(n *state) { n.blind = b })
		}
	}
	if w.allGuardsAsWanted(s) {
		out = w.spend(s, out, guardChange, faultGuardChange, -1, true, func(n *state) {
			for i := range n.slots {
				n.slots[i].guardOld = n.slots[i].guard != noGuard
			}
		})
	}
	return out
}

func (w *world) somethingToForget(s *state) bool {
	for i := range w.slots {
		if s.slots[i].down > justNow || s.slots[i].backOff {
			return true
		}
	}
	return false
}

func (w *world) allGuardsAsWanted(s *state) bool {
	for i := range w.slots {
		if s.slots[i].guardOld {
			return false
		}
	}
	return true
}

func (w *world) faultsOfMachine(s *state, i int, out []step) []step {
	c := &s.slots[i]
	lost := c.host == dead || c.host == noHost && c.linked
	out = w.spend(s, out, deletion, faultDeletion, i, c.machine == live, func(n *state) { w.deleteMachine(n, i) })
	out = w.spend(s, out, hookStrip, faultHookStrip, i, c.hook == hookPresent, func(n *state) {
		n.slots[i].hook, n.slots[i].backOff = hookMissing, n.slots[i].machine == live
	})
	out = w.spend(s, out, hookTheft, faultHookTheft, i, c.hook == hookPresent, func(n *state) { n.slots[i].hook = hookForeign })
	out = w.spend(s, out, failedProvisioning, faultFailedProvisioning, i, c.machine == live && c.host == noHost && !c.linked && !c.failed,
		func(n *state) { n.slots[i].failed = true })
	out = w.spend(s, out, lostAddresses, faultLostAddresses, i, c.machine == deleting && lost && !c.bare, func(n *state) { n.slots[i].bare = true })
	out = w.spend(s, out, forcedDeletion, faultForcedDeletion, i, c.machine == deleting && c.linked && (lost || c.kubeletStopped),
		func(n *state) { n.loseMachine(i) })
	out = w.spend(s, out, drainExclusion, faultDrainExclusion, i, c.machine != noMachine && !c.excluded, func(n *state) { n.slots[i].excluded = true })
	return w.spend(s, out, foreignHook, faultForeignHook, i, c.machine != noMachine && !c.heldBy, func(n *state) { n.slots[i].heldBy = true })
}

func (w *world) faultsOfHost(s *state, t *truth, i int, out []step) []step {
	c := &s.slots[i]
	// A voter that fails is not held against anybody until a probe period has passed.
	failing := t.connected&bit(i) != 0
	out = w.spend(s, out, hostDeath, faultHostDeath, i, c.host == up || c.host == rebooting, func(n *state) {
		n.slots[i].host, n.slots[i].fresh = dead, c.fresh || failing
	})
	out = w.spend(s, out, kubeletStop, faultKubeletStop, i, c.kubeletWorks(), func(n *state) {
		// The member lives on, but its guard's readiness goes as unasked as a host would.
		n.slots[i].kubeletStopped, n.slots[i].fresh = true, c.fresh || failing
	})
	out = w.spend(s, out, memberCrash, faultMemberCrash, i, c.serving() && c.started(), func(n *state) {
		n.slots[i].etcd, n.slots[i].fresh = restarting, c.fresh || failing
	})
	out = w.spend(s, out, operatorCut, faultOperatorCut, i, c.serving() && c.member == voter && c.cut == notCut,
		func(n *state) { n.slots[i].cut = cutFromOperator })
	out = w.spend(s, out, peerCut, faultPeerCut, i, c.serving() && c.member == voter && c.cut == notCut, func(n *state) {
		n.slots[i].cut, n.slots[i].fresh = cutFromPeers, c.fresh || failing
	})
	out = w.spend(s, out, upkeep, faultUpkeep, i, c.node && c.kubeletWorks() && c.upkeep == noUpkeep, func(n *state) { n.slots[i].upkeep = upkeepEvicts })
	out = w.spend(s, out, lostNode, faultLostNode, i, c.node && c.host == dead, func(n *state) { n.slots[i].loseNode() })
	return w.spend(s, out, guardEnd, faultGuardEnd, i, c.guard == guardRunning && !c.guardDeleting, func(n *state) {
		n.slots[i].guard, n.slots[i].guardReady, n.slots[i].exposed = guardFinished, false, true
		w.compute(n)
	})
}

// spend appends a fault if it is possible and still granted.
func (w *world) spend(s *state, out []step, f fault, kind moveKind, i int, possible bool, change func(*state)) []step {
	if !possible || s.left[f] == 0 {
		return out
	}
	return w.step(s, out, kind, i, func(n *state) {
		n.left[f]--
		change(n)
	})
}

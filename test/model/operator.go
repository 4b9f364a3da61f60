package model

import (
	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
)

// operatorMoves appends every write that the operator could do next. Each is judged on the state right before it, and
// each is a move of its own, so a crash, or any move of others, can fall between any two.
func (w *world) operatorMoves(s *state, t *truth, d *decisions, guardsFirst bool, out []step) []step {
	out = w.changeMembers(s, t, &d.membership, out)
	for i := range d.machinehook.Machines {
		out = w.changeHook(s, &d.machinehook.Machines[i], out)
	}
	out = w.changeGuards(s, &d.quorumguard, guardsFirst, out)
	if t.listReadable && s.blind != blindToMembers {
		out = w.changeEndpoints(s, out)
	}
	return w.changeRevisions(s, &d.rollout, out)
}

func (w *world) changeMembers(s *state, t *truth, d *membership.Decision, out []step) []step {
	switch d.Action {
	case membership.AddLearner:
		i := slotOfNode(d.Node)
		if !w.etcdAdds(s, t) {
			return out
		}
		return w.step(s, out, opAddLearner, i, func(n *state) { n.slots[i].member = unstartedLearner })
	case membership.PromoteLearner:
		i := slotOfMember(d.Member)
		if !w.etcdPromotes(s, t, i) {
			return out
		}
		return w.step(s, out, opPromote, i, func(n *state) { n.slots[i].member = voter })
	case membership.RemoveMember:
		i := slotOfMember(d.Member)
		if !w.etcdRemoves(s, t, i) {
			return out
		}
		return w.step(s, out, opRemove, i, func(n *state) { n.slots[i].member = noMember })
	}
	return out
}

// etcdAdds: what etcd itself asks of adding a learner with its strict check on: a live quorum, and no voter that has been
// unreachable for the last seconds.
func (w *world) etcdAdds(_ *state, t *truth) bool {
	return t.hasQuorum && t.connected == t.voterMask
}

// etcdPromotes: a live quorum, and a learner that has caught up at some time; etcd does not ask whether it still lives.
func (w *world) etcdPromotes(s *state, t *truth, i int) bool {
	return t.hasQuorum && s.slots[i].member == caughtUpLearner
}

// etcdRemoves: a live quorum; and a voter that is up goes only if the others that are up are a quorum of what remains.
func (w *world) etcdRemoves(s *state, t *truth, i int) bool {
	if !t.hasQuorum {
		return false
	}
	if s.slots[i].member != voter || t.connected&bit(i) == 0 {
		return true
	}
	return count(t.connected)-1 >= 1+(t.voters-1)/2
}

func (w *world) changeHook(s *state, v *machinehook.Verdict, out []step) []step {
	i := slotOfMachine(v.Machine)
	switch v.Action {
	case machinehook.AddHook:
		return w.step(s, out, opAddHook, i, func(n *state) { n.slots[i].hook = hookPresent })
	case machinehook.RepairHook:
		return w.step(s, out, opRepairHook, i, func(n *state) { n.slots[i].hook = hookPresent })
	case machinehook.RemoveHook:
		return w.step(s, out, opRemoveHook, i, func(n *state) { n.slots[i].hook = hookMissing })
	}
	return out
}

// changeGuards is the guard's controller. In each pass it first raises the budget if that is to be raised, and touches
// guards only after that: a guard that is ready before the budget has grown would let another one go.
func (w *world) changeGuards(s *state, d *quorumguard.Decision, guardsFirst bool, out []step) []step {
	raises := !guardsFirst && d.Budget == quorumguard.SetBudget && (!s.budget || d.MinAvailable > int(s.minAvailable))
	for j := range d.Pods {
		if raises {
			break
		}
		i := slotOfNode(d.Pods[j].Node)
		switch d.Pods[j].Action {
		case quorumguard.PodCreate:
			out = w.step(s, out, opCreateGuard, i, func(n *state) { n.slots[i].guard = guardPending })
		case quorumguard.PodDelete:
			out = w.step(s, out, opDeleteGuard, i, func(n *state) {
				// Until it is back, a drain of the node asks nobody: the operator has let one through.
				n.slots[i].granted = !s.slots[i].exposed
				n.slots[i].deleteGuard()
			})
		}
	}
	switch d.Budget {
	case quorumguard.SetBudget:
		out = w.step(s, out, opSetBudget, -1, func(n *state) {
			n.budget, n.minAvailable, n.observed = true, uint8(d.MinAvailable), false
		})
	case quorumguard.DeleteBudget:
		out = w.step(s, out, opDeleteBudget, -1, func(n *state) {
			n.budget, n.minAvailable, n.observed, n.allowed, n.enough = false, 0, false, 0, false
		})
	}
	return out
}

// deleteGuard: a working kubelet ends the pod within its grace period, which settle does; else it stays until the node
// goes.
func (c *slot) deleteGuard() { c.guardDeleting = true }

// changeEndpoints is the endpoints controller: it writes voters first, and takes former ones out in a write of its own.
func (w *world) changeEndpoints(s *state, out []step) []step {
	var want uint16
	for i := range w.slots {
		if s.slots[i].member == voter {
			want |= bit(s.addressOf(i))
		}
	}
	switch {
	case want&^s.endpoints != 0:
		return w.step(s, out, opGrowEndpoints, -1, func(n *state) { n.endpoints |= want })
	case s.endpoints != want:
		return w.step(s, out, opShrinkEndpoints, -1, func(n *state) { n.endpoints = want })
	}
	return out
}

func (w *world) changeRevisions(s *state, d *rollout.Decision, out []step) []step {
	if s.wanted && d.Create.Allowed {
		out = w.step(s, out, opCreateRevision, -1, func(n *state) { n.newRevision(false) })
		if s.left[badRevision] > 0 {
			out = w.step(s, out, opCreateBadRevision, -1, func(n *state) {
				n.left[badRevision]--
				n.newRevision(true)
			})
		}
	}
	if d.Step == rollout.Install {
		i := slotOfNode(d.Next)
		out = w.step(s, out, opInstall, i, func(n *state) {
			c := &n.slots[i]
			c.target, c.landed, c.bad = latestRevision, false, n.latestBad
		})
	}
	return out
}

func (s *state) newRevision(bad bool) {
	s.wanted, s.latestBad = false, bad
	for i := range s.slots {
		c := &s.slots[i]
		if c.current == latestRevision {
			c.current = oldRevision
		}
		if c.target == latestRevision {
			c.target = oldRevision
		}
	}
}

// step appends a move, unless it changes nothing.
func (w *world) step(s *state, out []step, kind moveKind, i int, change func(*state)) []step {
	out = append(out, step{move: move{kind, int8(i)}, to: *s})
	to := &out[len(out)-1].to
	change(to)
	w.settle(to)
	if w.prompt {
		w.hasten(to)
	}
	if *to == *s {
		return out[:len(out)-1]
	}
	return out
}

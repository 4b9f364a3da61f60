package model

import (
	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// A world says where the exploration starts and which faults it grants. It is bounded by these alone, never by depth.
type world struct {
	name string
	// slots is how many machines there can be at once, voters how many run at the start.
	slots, voters, desired int
	topology               snapshot.Topology
	// machineAPI: the Machine API is functional; without it hosts come and go by hand.
	machineAPI bool
	// apiServers: API servers take their etcd endpoints from revisions of their own.
	apiServers bool
	// ordered: the order in which Machines were deleted counts. Elsewhere all deletions have one timestamp, so that the
	// name decides.
	ordered bool
	// prompt: what only lags (see hasten) does not, which leaves room for more faults.
	prompt bool
	// unsafe: useUnsupportedUnsafeNonHANonProductionUnstableEtcd is set.
	unsafe  bool
	granted faults
	// blinds are the facts that a blinding can take away.
	blinds []blindness
	// start changes the state that the exploration starts from; begins says in words how.
	start  func(*state)
	begins string
}

// cores are the operator's judgement. Only TestFaultsAreFound uses others than the real ones.
type cores struct {
	membership  func(snapshot.Snapshot) membership.Decision
	machinehook func(snapshot.Snapshot) machinehook.Decision
	quorumguard func(snapshot.Snapshot) quorumguard.Decision
	rollout     func(snapshot.Snapshot) rollout.Decision
	// guardsFirst: the guard's controller touches guards before it raises the budget.
	guardsFirst bool
}

func realCores() cores {
	return cores{membership: membership.Decide, machinehook: machinehook.Decide, quorumguard: quorumguard.Decide, rollout: rollout.Decide}
}

// decisions are what the cores say of one state.
type decisions struct {
	membership  membership.Decision
	machinehook machinehook.Decision
	quorumguard quorumguard.Decision
	rollout     rollout.Decision
}

// decide asks the cores as the operator does: the rollout first, since the node that it wants to install on is a fact for
// the guard.
func (c *cores) decide(snap *snapshot.Snapshot) decisions {
	var d decisions
	d.rollout = c.rollout(*snap)
	snap.PlannedInstall = d.rollout.Hold
	d.quorumguard = c.quorumguard(*snap)
	d.membership = c.membership(*snap)
	d.machinehook = c.machinehook(*snap)
	return d
}

// initial is a cluster that runs well: every voter on its machine, every guard ready, every revision in place.
func (w *world) initial() state {
	var s state
	for i := range w.voters {
		c := &s.slots[i]
		*c = slot{
			host: up, etcd: running, member: voter, node: true, ready: true, podReady: true,
			guard: guardRunning, guardReady: true, current: latestRevision,
		}
		if w.machineAPI {
			c.machine, c.hook, c.linked = live, hookPresent, true
		}
		s.endpoints |= bit(i)
		if w.apiServers {
			c.apiServer = bit(w.voters) - 1
		}
	}
	s.budget, s.observed = true, true
	s.left = w.granted
	// The budget as the guard's core wants it, and computed from.
	var sc scene
	t := w.truth(&s)
	c := realCores()
	d := c.decide(sc.draw(w, &s, &t))
	s.minAvailable = uint8(d.quorumguard.MinAvailable)
	if d.quorumguard.Budget == quorumguard.DeleteBudget {
		s.budget, s.minAvailable = false, 0
		for i := range w.slots {
			s.slots[i].guard, s.slots[i].guardReady = noGuard, false
		}
	}
	w.compute(&s)
	if w.start != nil {
		w.start(&s)
	}
	w.settle(&s)
	return s
}

// spares reports whether the topology is one that keeps quorum while a voter restarts; two nodes, a single replica and
// the unsafe override cannot.
func (w *world) spares() bool {
	return w.topology != snapshot.SingleReplica && w.topology != snapshot.DualReplica && !w.unsafe
}

// compute is what the disruption controller does: how many evictions the guards that are told ready allow.
func (w *world) compute(s *state) {
	if !s.budget {
		s.observed, s.allowed, s.enough = false, 0, false
		return
	}
	ready, guards := 0, 0
	for i := range w.slots {
		c := &s.slots[i]
		if c.guard == noGuard {
			continue
		}
		guards++
		if c.guardReady && !c.guardDeleting {
			ready++
		}
	}
	s.observed = true
	s.allowed = 0
	if ready > int(s.minAvailable) {
		s.allowed = uint8(ready - int(s.minAvailable))
	}
	s.enough = s.minAvailable > 0 && ready >= int(s.minAvailable)
}

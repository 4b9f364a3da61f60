package metrics

import (
	"slices"
	"sync"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// phase is how far the replacement of a machine is. Each follows the one before, though several may be reached in one pass.
type phase int

const (
	// deleting: the machine is being deleted, and its member is one.
	deleting phase = iota
	// joined: as many voters as are desired would remain without its member.
	joined
	// removed: none of the members is the machine's.
	removed
	// released: the machine carries no hook of ours.
	released
	// gone: there is no such machine.
	gone
	phases
)

var phaseNames = [phases]string{"deleting", "joined", "removed", "released", "gone"}

// replacement is that of one Machine, by its UID. A zero time is a phase that was not reached yet.
type replacement struct {
	machine snapshot.MachineName
	reached [phases]time.Time
}

// history remembers the replacements that are under way, and the last one. Its zero value remembers nothing. It is safe
// for use by several goroutines.
type history struct {
	mu      sync.Mutex
	current map[string]*replacement
	last    *replacement
	count   int
}

// note learns from a pass. Where the pass does not know, nothing is learned.
func (h *history) note(p *pass.Pass) {
	if p == nil || !p.Snapshot.MachineList.Holds() || !p.Snapshot.MemberList.Holds() {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.current == nil {
		h.current = map[string]*replacement{}
	}
	view := snapshot.NewView(&p.Snapshot)
	present := map[string]bool{}
	for _, m := range view.SortedMachines {
		present[m.UID] = true
		if m.Deleting && ownersKnown(view) {
			h.noteMachine(view, m)
		}
	}
	for uid, r := range h.current {
		if present[uid] {
			continue
		}
		r.reach(gone, p.Snapshot.ObservedAt)
		delete(h.current, uid)
		h.count++
		h.last = r
	}
}

func (h *history) noteMachine(view *snapshot.View, m *snapshot.Machine) {
	hosts := hosting(view, m)
	r := h.current[m.UID]
	if r == nil {
		if !hosts {
			// It never had a member, or had it before this process looked.
			return
		}
		r = &replacement{machine: m.Name}
		r.reached[deleting] = m.DeletionTimestamp
		h.current[m.UID] = r
	}
	now := view.ObservedAt
	if hosts {
		if view.Desired.Known() && view.Voters-1 >= view.Desired.Replicas {
			r.reach(joined, now)
		}
		return
	}
	r.reach(removed, now)
	if m.Hook == snapshot.HookMissing {
		r.reach(released, now)
	}
}

func (r *replacement) reach(p phase, at time.Time) {
	if r.reached[p].IsZero() {
		r.reached[p] = at
	}
}

// ownersKnown reports whether it is known of each member whose it is; else a machine may host one of them.
func ownersKnown(view *snapshot.View) bool {
	return !slices.ContainsFunc(view.Owners, func(o snapshot.Owner) bool {
		return o.State == snapshot.OwnerUnknown || o.State == snapshot.OwnerAmbiguous
	})
}

// hosting reports whether a member is owned by the machine (rule R3).
func hosting(view *snapshot.View, m *snapshot.Machine) bool {
	return slices.ContainsFunc(view.Owners, func(o snapshot.Owner) bool { return o.Machine == m })
}

func (h *history) collect(gauge gauge, total func(float64)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.current {
		for p, at := range r.reached {
			if !at.IsZero() {
				gauge(phaseTime, seconds(at), string(r.machine), phaseNames[p])
			}
		}
	}
	total(float64(h.count))
	if h.last == nil {
		return
	}
	gauge(lastReplacement, seconds(h.last.reached[gone]))
	before := h.last.reached[deleting]
	for p := joined; p < phases; p++ {
		// A dead member is removed before anybody joins.
		if at := h.last.reached[p]; !at.IsZero() {
			gauge(lastPhase, at.Sub(before).Seconds(), phaseNames[p])
			before = at
		}
	}
}

func seconds(t time.Time) float64 { return float64(t.UnixNano()) / float64(time.Second) }

package machinedeletionhook

import (
	"slices"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	// calm is how long the hook must have stayed in place until earlier strips are forgotten. It is longer than the
	// longest pause, so that a tool which comes by every few minutes is still met with a growing one.
	calm = 10 * time.Minute
	// insistent is the number of strips from which on somebody is said to keep doing it. One alone may be a slip.
	insistent = 2
)

// Record remembers who lost the hook after this process wrote it (rule R4.6). It lives in memory only: a restart begins
// with the shortest pause again. The pass loop asks it while the controller writes to it.
type Record struct {
	clock clock.PassiveClock

	mu sync.Mutex
	by map[string]*history
}

// history is that of one Machine, by its UID.
type history struct {
	machine snapshot.MachineName
	// standing: the hook was written and nobody was seen to have stripped it since.
	standing bool
	// changed is when the hook was last written, or seen to be gone.
	changed time.Time
	// strips are those in a row; until is when the hook may be written again after the last.
	strips int
	until  time.Time
	// candidates are the managers that may have stripped it, newest first.
	candidates []string
	told       bool
}

// NewRecord returns a Record of nothing.
func NewRecord(clock clock.PassiveClock) *Record {
	return &Record{clock: clock, by: map[string]*history{}}
}

// HookBackOff reports whether somebody strips the hook from the Machine with this name and UID, and the time to write it
// again has not come (rule R4.6). The UID alone says which Machine it is; a name may be used again.
func (r *Record) HookBackOff(_ snapshot.MachineName, uid string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.by[uid]
	return h != nil && r.clock.Now().Before(h.until)
}

// wrote notes that the hook was written.
func (r *Record) wrote(machine snapshot.MachineName, uid string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.by[uid]
	if h == nil {
		h = &history{machine: machine}
		r.by[uid] = h
	}
	h.standing, h.changed = true, r.clock.Now()
}

// missing notes that a live read found no hook in order on a Machine that is not deleting. After a write of ours that is a
// strip; it returns whether it is one of which nobody was told yet.
func (r *Record) missing(uid string, candidates []string) (tell bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.by[uid]
	if h == nil || !h.standing {
		return false
	}
	now := r.clock.Now()
	if now.Sub(h.changed) >= calm {
		h.strips, h.told = 0, false
	}
	h.strips++
	h.standing, h.changed, h.until, h.candidates = false, now, now.Add(machinehook.BackOff(h.strips)), candidates
	tell = h.strips >= insistent && !h.told
	h.told = h.told || tell
	return tell
}

// look forgets what has come to rest: the hook that stayed in place, and Machines that are gone or deleting, which never
// gain the hook again.
func (r *Record) look(s *snapshot.Snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	live := map[string]bool{}
	for i := range s.Machines {
		live[s.Machines[i].UID] = !s.Machines[i].Deleting
	}
	for uid, h := range r.by {
		stays, known := live[uid]
		switch {
		case known && !stays, !known && s.MachineList.Holds():
			delete(r.by, uid)
		case h.standing && r.clock.Since(h.changed) >= calm:
			h.strips, h.told, h.candidates = 0, false, nil
		}
	}
}

// fight is a Machine from which somebody keeps stripping the hook.
type fight struct {
	machine    snapshot.MachineName
	candidates []string
}

// fights returns them by name.
func (r *Record) fights() []fight {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []fight
	for _, h := range r.by {
		if h.strips >= insistent {
			all = append(all, fight{h.machine, h.candidates})
		}
	}
	slices.SortFunc(all, func(a, b fight) int { return compareNames(a.machine, b.machine) })
	return all
}

// nextWrite returns when the first pause ends, of those that end after a time.
func (r *Record) nextWrite(after time.Time) (at time.Time, paused bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, h := range r.by {
		if !h.standing && h.until.After(after) && (!paused || h.until.Before(at)) {
			at, paused = h.until, true
		}
	}
	return at, paused
}

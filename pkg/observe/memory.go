package observe

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/replicas"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	// MaxGap is how far two passes may be apart and still count as consecutive. The slowest regular pace is a pass a
	// minute; what happened in a longer gap nobody observed.
	MaxGap = 2 * time.Minute
	// Elapsed is the duration that a Memory without a clock reports: longer than any that a rule asks for.
	Elapsed = 24 * time.Hour
)

// Memory counts how long something was observed in every pass, without a break (rules R6.1, R6.4, R6.5, R5.3), and keeps
// what the desired size was made of when it was last readable (rule R1.3). It is not safe for use by several goroutines: one observer has one Memory.
type Memory struct {
	clock  func() time.Time
	last   time.Time
	seen   map[observation]time.Time
	before map[observation]time.Time
	// applied holds, per learner, the highest applied index that it told.
	applied map[snapshot.MemberID]uint64
	// sources of the desired size, as they were last readable.
	sources replicas.Sources
}

type subject uint8

const (
	unhealthy subject = iota
	unclaimed
	stalled
)

type observation struct {
	subject subject
	member  snapshot.MemberID
}

// NewMemory returns a Memory that reads clock once in each pass. A clock with a monotonic reading (time.Now) keeps a
// corrected wall clock from counting as time.
func NewMemory(clock func() time.Time) *Memory {
	return &Memory{clock: clock, applied: map[snapshot.MemberID]uint64{}}
}

// ElapsedMemory returns a Memory for a single pass over what was recorded: it has no earlier passes to count, so all that
// is observed counts as having lasted for Elapsed. Whether a started learner makes progress one pass cannot tell; it
// counts as progress.
func ElapsedMemory() *Memory { return &Memory{} }

// begin starts a pass.
func (m *Memory) begin() {
	if m.clock == nil {
		return
	}
	now := m.clock()
	m.before, m.seen = m.seen, map[observation]time.Time{}
	if now.Sub(m.last) > MaxGap {
		m.before = nil
	}
	m.last = now
}

// lasting returns for how long, up to this pass, every pass observed it. What a pass does not report is forgotten.
func (m *Memory) lasting(what subject, member snapshot.MemberID) time.Duration {
	if m.clock == nil {
		return Elapsed
	}
	key := observation{what, member}
	since, known := m.before[key]
	if !known {
		since = m.last
	}
	m.seen[key] = since
	return m.last.Sub(since)
}

// stalledFor returns how long a learner has neither started nor advanced its applied index.
func (m *Memory) stalledFor(member *snapshot.Member) time.Duration {
	if m.clock == nil {
		if member.Started {
			return 0
		}
		return Elapsed
	}
	if member.AppliedIndex > m.applied[member.ID] {
		m.applied[member.ID] = member.AppliedIndex
		delete(m.before, observation{stalled, member.ID})
	}
	return m.lasting(stalled, member.ID)
}

// end finishes a pass: of members that are gone nothing is kept.
func (m *Memory) end(members []snapshot.Member) {
	if m.clock == nil {
		return
	}
	kept := map[snapshot.MemberID]uint64{}
	for i := range members {
		if index, known := m.applied[members[i].ID]; known {
			kept[members[i].ID] = index
		}
	}
	m.applied = kept
}

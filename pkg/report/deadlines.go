package report

import (
	"time"

	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

// Deadlines counts since when each finding was found in every pass, and tells which have lasted so long that they count
// as Degraded (rule R9.2). Two findings are the same when Reason and subject are: counts that change do not start the
// deadline anew. Not safe for use by several goroutines: each controller has its own.
type Deadlines struct {
	clock clock.PassiveClock
	since map[finding]time.Time
}

type finding struct {
	reason  reason.Reason
	subject string
}

// NewDeadlines returns Deadlines that have seen nothing yet.
func NewDeadlines(clock clock.PassiveClock) *Deadlines {
	return &Deadlines{clock: clock, since: map[finding]time.Time{}}
}

// Judge takes all findings of one pass, and returns those that are due, in their order and each once. What it is not
// given any more is forgotten.
//
// blind says that the pass could not judge what earlier ones had found, because a fact that everything rests on was not
// read. Then nothing is forgotten: that a wait was not seen does not say that it ended.
func (d *Deadlines) Judge(findings []reason.Finding, blind bool) (due []reason.Finding) {
	now := d.clock.Now()
	since := make(map[finding]time.Time, len(findings))
	if blind {
		for key, at := range d.since {
			since[key] = at
		}
	}
	told := map[reason.Finding]bool{}
	for _, f := range findings {
		key := finding{f.Reason, f.Subject}
		first, known := d.since[key]
		if !known {
			first = now
		}
		since[key] = first
		if isDue(f, now.Sub(first)) && !told[f] {
			told[f] = true
			due = append(due, f)
		}
	}
	d.since = since
	return due
}

func isDue(f reason.Finding, lasted time.Duration) bool {
	entry, _ := reason.Lookup(f.Reason)
	switch entry.DegradedAfter {
	case 0:
		return false
	case reason.AtOnce:
		return true
	default:
		return lasted >= entry.DegradedAfter
	}
}

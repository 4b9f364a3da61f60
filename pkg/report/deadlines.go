package report

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

// Deadlines counts since when each finding was found in every pass, and tells which have lasted so long that they count
// as Degraded (rule R9.2). Two findings are the same when Reason and subject are: counts that change do not start the
// deadline anew. Not safe for use by several goroutines: each controller has its own.
type Deadlines struct {
	clock clock.PassiveClock
	found map[key]lasting
}

type key struct {
	reason  reason.Reason
	subject string
}

// lasting is a finding as it was found last, and when it was found first.
type lasting struct {
	reason.Finding
	since time.Time
}

// NewDeadlines returns Deadlines that have seen nothing yet.
func NewDeadlines(clock clock.PassiveClock) *Deadlines {
	return &Deadlines{clock: clock, found: map[key]lasting{}}
}

// Judge takes all findings of one pass, and returns those that are due, in their order and each once. What it is not
// given any more is forgotten.
//
// blind says that the pass could not judge what earlier ones had found, because a fact that everything rests on was not
// read. Then nothing is forgotten, and what is due stays so, after the findings that are given: that a wait was not seen
// does not say that it ended.
func (d *Deadlines) Judge(findings []reason.Finding, blind bool) (due []reason.Finding) {
	now := d.clock.Now()
	found := make(map[key]lasting, len(findings))
	told := map[reason.Finding]bool{}
	judge := func(f reason.Finding) {
		k := key{f.Reason, f.Subject}
		first, known := d.found[k]
		if !known {
			first.since = now
		}
		found[k] = lasting{f, first.since}
		if isDue(f, now.Sub(first.since)) && !told[f] {
			told[f] = true
			due = append(due, f)
		}
	}
	for _, f := range findings {
		judge(f)
	}
	if blind {
		for _, k := range slices.SortedFunc(maps.Keys(d.found), compareKeys) {
			if _, given := found[k]; !given {
				judge(d.found[k].Finding)
			}
		}
	}
	d.found = found
	return due
}

// Lasting returns the findings of one pass and, when it was blind, also those of former passes that it does not have: that
// something was not seen to go on does not say that it ended. Two findings are the same when Reason and Subject are.
func Lasting(found, former []reason.Finding, blind bool) []reason.Finding {
	if !blind {
		return found
	}
	all := slices.Clone(found)
	for _, f := range former {
		if !slices.ContainsFunc(all, func(a reason.Finding) bool { return a.Reason == f.Reason && a.Subject == f.Subject }) {
			all = append(all, f)
		}
	}
	return all
}

// Pending are the lines of the findings that are not due, which are told as Degraded.
func Pending(findings, due []reason.Finding) []Line {
	var lines []Line
	for _, f := range findings {
		if !slices.Contains(due, f) {
			lines = append(lines, LineOf(f))
		}
	}
	return lines
}

func compareKeys(a, b key) int {
	return cmp.Or(cmp.Compare(a.reason, b.reason), cmp.Compare(a.subject, b.subject))
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

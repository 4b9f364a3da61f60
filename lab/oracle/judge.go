package oracle

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
)

// longestGap is how long a recording may show nothing and still prove something.
const longestGap = 2 * time.Second

// judge collects claims about a recording.
type judge struct {
	history.Recording
	claims  []Claim
	notes   []string
	assumed []string
	// looks are what fresh has found.
	looks map[bool][]facts.Facts
	// late are passes of processes whose turn was over, by their index.
	late map[int]bool
}

// Judge judges a recording.
func Judge(recording history.Recording) Verdict {
	j := &judge{Recording: recording, looks: map[bool][]facts.Facts{}}
	j.late = j.findLate()
	j.recorded()
	j.played()
	j.load()
	j.voters()
	j.joining()
	j.changes()
	j.hooks()
	j.guards()
	j.restarts()
	j.waits()
	j.passes()
	j.turns()
	j.end()
	j.assumptions()
	j.describe()
	return Verdict{Scenario: recording.Start.Scenario, Claims: j.claims, Assumed: j.assumed, Notes: j.notes}
}

// fault is something that should not have been, and when it was.
type fault struct {
	text string
	at   []time.Duration
}

func faultAt(at []time.Duration, format string, arguments ...any) fault {
	return fault{fmt.Sprintf(format, arguments...), at}
}

func times(at ...time.Duration) []time.Duration {
	slices.Sort(at)
	return slices.Compact(at)
}

// claim adds a claim that is broken by the first of faults, and holds without;
// evidence is told if it holds.
func (j *judge) claim(text, rules string, faults []fault, evidence string) {
	c := Claim{Text: text, Rules: rules, Result: Holds, Evidence: evidence}
	if len(faults) > 0 {
		c.Result, c.Evidence, c.At = Broken, faults[0].text, faults[0].at
		if len(faults) > 1 {
			c.Evidence += fmt.Sprintf(" (and %d more times)", len(faults)-1)
		}
	}
	j.claims = append(j.claims, c)
}

func (j *judge) unproven(text, rules, why string, at ...time.Duration) {
	j.claims = append(j.claims, Claim{Text: text, Rules: rules, Result: NotProven, Evidence: why, At: at})
}

// strained adds a claim that is not proven because the machine did not keep up.
func (j *judge) strained(text, why string, at ...time.Duration) {
	j.claims = append(j.claims, Claim{Text: text, Result: NotProven, Evidence: why, At: at, Strained: true})
}

// claimOfEnd is claim about what only a recording shows that was closed: one that
// breaks off can break it, if faults are certain without the end, and prove nothing.
func (j *judge) claimOfEnd(text, rules string, faults []fault, evidence string) {
	if !j.Complete && len(faults) == 0 {
		j.unproven(text, rules, "the recording is not complete")
		return
	}
	j.claim(text, rules, faults, evidence)
}

// mayBeDoing reports whether the scenario may have done something at that time which
// is not written down: steps are when they end, and the recording breaks off before.
func (j *judge) mayBeDoing(at time.Duration) bool {
	return !j.Complete && (len(j.Steps) == 0 || at >= j.Steps[len(j.Steps)-1].To)
}

// closing is when the recording ends or breaks off.
func (j *judge) closing() time.Duration {
	if len(j.Facts) == 0 {
		return j.End.At
	}
	return max(j.End.At, j.Facts[len(j.Facts)-1].At)
}

func (j *judge) assume(what string) { j.assumed = append(j.assumed, what) }

func seconds(at time.Duration) string { return fmt.Sprintf("%.1f s", at.Seconds()) }

// recorded: what happened was seen.
func (j *judge) recorded() {
	const text = "everything was recorded"
	if !j.Complete {
		j.unproven(text, "", j.Defect)
		return
	}
	if len(j.Facts) == 0 {
		j.unproven(text, "", "nothing was looked at")
		return
	}
	gaps := j.Gaps(j.Facts[0].At, j.End.At-j.afterLooks(), longestGap)
	if len(gaps) > 0 {
		worst := slices.MaxFunc(gaps, func(a, b history.Gap) int { return int(a.Length() - b.Length()) })
		j.strained(text, fmt.Sprintf("the %s were not seen for %s from %s on, more than %s (%d such gaps)", worst.Of, seconds(worst.Length()), seconds(worst.From), longestGap, len(gaps)), worst.From)
		return
	}
	j.claim(text, "", nil, fmt.Sprintf("%d looks in %s, none more than %s apart", len(j.Facts), seconds(j.End.At-j.Facts[0].At), longestGap))
}

// afterLooks is the time at the end in which the recording was closed.
func (j *judge) afterLooks() time.Duration {
	last := j.Facts[len(j.Facts)-1]
	return min(j.End.At-last.MembersAt, longestGap)
}

// played: the scenario ran to its end, and what it asks for itself came.
func (j *judge) played() {
	const text = "every step was taken and what it expects came"
	switch {
	case j.End.Stopped != "":
		j.claim(text, "", []fault{{j.End.Stopped, j.stoppedAt()}}, "")
	case !j.Complete:
		j.unproven(text, "", "the recording is not complete")
	default:
		j.claim(text, "", nil, fmt.Sprintf("%d steps", len(j.Steps)))
	}
	for _, name := range j.Start.Assertions {
		var faults []fault
		for _, failure := range j.Failures {
			if failure.Name == name {
				faults = append(faults, faultAt(times(failure.At), "not at %s: %s", seconds(failure.At), failure.Text))
			}
		}
		j.claimOfEnd(name, "", faults, "")
	}
}

// stoppedAt is when the steps ended that failed.
func (j *judge) stoppedAt() []time.Duration {
	var at []time.Duration
	for _, s := range j.Steps {
		if s.Failed != "" {
			at = append(at, s.To)
		}
	}
	return times(at...)
}

// fresh returns the looks whose members answered, and whose objects were read
// in the same look if objects is set.
func (j *judge) fresh(objects bool) []facts.Facts {
	if looks, known := j.looks[objects]; known {
		return looks
	}
	looks := slices.DeleteFunc(slices.Clone(j.Facts), func(f facts.Facts) bool {
		return f.MembersProblem != "" || objects && f.ObjectsProblem != ""
	})
	j.looks[objects] = looks
	return looks
}

// during reports whether the scenario did that to the subject at that time, or
// up to after before it.
func (j *judge) during(what, subject string, at, after time.Duration) bool {
	return slices.ContainsFunc(j.Intervals, func(i history.Interval) bool {
		return i.What == what && i.Subject == subject && i.From <= at && (i.To == 0 || at <= i.To+after)
	})
}

// ever reports whether the scenario has done that to the subject by then.
func (j *judge) ever(what, subject string, at time.Duration) bool {
	return slices.ContainsFunc(j.Intervals, func(i history.Interval) bool {
		return i.What == what && i.Subject == subject && i.From <= at
	})
}

// lasting finds spans in which something was wrong for longer than grace.
type lasting struct {
	grace time.Duration
	since map[string]time.Duration
	told  map[string]bool
}

func newLasting(grace time.Duration) *lasting {
	return &lasting{grace: grace, since: map[string]time.Duration{}, told: map[string]bool{}}
}

// look notes whether it is wrong for the subject; it returns true once per span,
// when the grace is over.
func (l *lasting) look(subject string, at time.Duration, wrong bool) bool {
	if !wrong {
		delete(l.since, subject)
		delete(l.told, subject)
		return false
	}
	since, known := l.since[subject]
	if !known {
		l.since[subject], since = at, at
	}
	if at-since < l.grace || l.told[subject] {
		return false
	}
	l.told[subject] = true
	return true
}

// end: what must be so after the last step. How the cluster was where a recording
// breaks off says nothing about it.
func (j *judge) end() {
	if len(j.Facts) == 0 {
		j.unproven("the cluster is whole at the end", "L1 L2", "nothing was looked at")
		return
	}
	last := j.Facts[len(j.Facts)-1]
	end := times(j.closing())
	for _, name := range j.Start.Gone {
		var faults []fault
		if j.Complete && last.MachineNamed(name).Exists {
			faults = append(faults, faultAt(end, "it is still there"))
		}
		j.claimOfEnd("Machine "+name+" is gone", "L1", faults, "")
	}
	if !j.Start.Unfinished {
		var faults []fault
		if j.Complete {
			for _, missing := range last.Missing(!j.Start.ByHand) {
				faults = append(faults, faultAt(end, "%s", missing))
			}
		}
		j.claimOfEnd("the cluster is whole at the end", "L1 L2", faults, fmt.Sprintf("%d healthy voters on Machines that stay", last.Desired))
	}
}

// assumptions are what the judgement rests on without having seen it.
func (j *judge) assumptions() {
	j.assume("that nothing began and ended between two looks, a quarter of a second apart at best")
	if j.Start.ByHand {
		return
	}
	j.assume("that the operator recorded each pass before it acted on it, and compared the member set right before each write (I6)")
	complete := !slices.ContainsFunc(j.Passes, func(p history.Pass) bool { return !history.True(p.Snapshot.BootstrapComplete) })
	if complete {
		j.assume("nothing about clusters whose bootstrap is not complete (I12): this one's was")
	}
	if unseen := j.readBetween(); unseen > 0 {
		j.assume(fmt.Sprintf("that objects were as before and after in %d looks that could not read them anew", unseen))
	}
}

// readBetween counts looks whose objects are of an earlier reading that failed to be
// repeated.
func (j *judge) readBetween() int {
	count := 0
	for _, f := range j.Facts {
		if f.ObjectsProblem != "" {
			count++
		}
	}
	return count
}

// describe tells what the run was.
func (j *judge) describe() {
	where := "the API server kept its data in the members' cluster"
	if j.Start.PrivateEtcd {
		where = "the API server kept its data in an etcd of its own, not in the members' cluster"
	}
	j.notes = append(j.notes, where)
	if version := j.Start.EtcdVersion; version != "" {
		j.notes = append(j.notes, "the members were of etcd "+version)
	}
	if line := j.timeline(); len(line) > 0 {
		j.notes = append(j.notes, "what happened: "+strings.Join(line, "; "))
	}
	if usage := j.usage(); usage != "" {
		j.notes = append(j.notes, usage)
	}
	if writes := j.writes(); writes != "" {
		j.notes = append(j.notes, writes)
	}
}

// usage says what the operator used while the scenario was played.
func (j *judge) usage() string {
	if len(j.Usages) == 0 {
		return ""
	}
	first, last := j.Usages[0], map[int]history.Usage{}
	var peak int64
	for _, u := range j.Usages {
		last[u.PID] = u
		peak = max(peak, u.Peak)
	}
	// What the first process used earlier, to start with, does not count.
	used := -first.CPU
	for _, u := range last {
		used += u.CPU
	}
	span := j.Usages[len(j.Usages)-1].At - first.At
	share := 0.0
	if span > 0 {
		share = 100 * used.Seconds() / span.Seconds()
	}
	return fmt.Sprintf("the operator used %.1f s of processor time in %s (%.1f %% of one), and %d MiB of memory at most", used.Seconds(), seconds(span), share, peak>>20)
}

// writes says what the operator wrote to the API server meanwhile.
func (j *judge) writes() string {
	count, total := map[string]int{}, 0
	for _, r := range j.Requests {
		if r.Operator() && r.Resource != "leases" && r.At >= 0 && r.At <= j.closing() {
			count[r.Resource]++
			total++
		}
	}
	var parts []string
	for _, resource := range sortedKeys(count) {
		parts = append(parts, fmt.Sprintf("%d %s", count[resource], resource))
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("the operator wrote %d times to the API server: %s", total, strings.Join(parts, ", "))
}

// timeline says in order when members came, were promoted and went, and how
// Machines were replaced.
func (j *judge) timeline() []string {
	type moment struct {
		at   time.Duration
		what string
	}
	var moments []moment
	tell := func(at time.Duration, name, what string) { moments = append(moments, moment{at, name + " " + what}) }
	members := map[string]facts.Member{}
	machines := map[string]facts.Machine{}
	for i, f := range j.fresh(true) {
		now := map[string]facts.Member{}
		for _, m := range f.Members {
			now[m.ID] = m
			old, known := members[m.ID]
			switch {
			case i == 0:
			case !known:
				tell(f.MembersAt, label(m), "added")
			case old.Learner && m.Voter:
				tell(f.MembersAt, label(m), "promoted")
			}
		}
		for _, id := range sortedKeys(members) {
			if _, still := now[id]; !still {
				tell(f.MembersAt, label(members[id]), "removed")
			}
		}
		members = now
		there := map[string]facts.Machine{}
		for _, m := range f.Machines {
			there[m.UID] = m
			old, known := machines[m.UID]
			switch {
			case i == 0:
			case !known:
				tell(f.ObjectsAt, "Machine "+m.Name, "made")
			case m.Deleting && !old.Deleting:
				tell(f.ObjectsAt, "Machine "+m.Name, "deleting")
			}
			if m.Deleting && old.Hooked && !m.Hooked {
				tell(f.ObjectsAt, "Machine "+m.Name, "without hook")
			}
		}
		for _, uid := range sortedKeys(machines) {
			if _, still := there[uid]; !still {
				tell(f.ObjectsAt, "Machine "+machines[uid].Name, "gone")
			}
		}
		machines = there
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return int(a.at - b.at) })
	var lines []string
	for _, m := range moments {
		lines = append(lines, seconds(m.at)+" "+m.what)
	}
	return lines
}

func label(m facts.Member) string {
	if m.Name == "" {
		return m.Address
	}
	return m.Name
}

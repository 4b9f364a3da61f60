package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/history"
)

// Operator is what the operator did and why, by its own record.
type Operator struct {
	// Recorded says that it kept a record; it is not run where a scenario is played by
	// hand. Torn counts lines of it that could not be read.
	Recorded bool `json:"recorded"`
	Torn     int  `json:"torn,omitempty"`
	// Processes are the spans in which one was seen to run, Passes when each of its
	// rounds began.
	Processes []Process `json:"processes"`
	Passes    []Pass    `json:"passes"`
	// Cores tell for each core what was foremost of what it decided, from pass to
	// pass.
	Cores []CoreLane `json:"cores"`
	// Decisions are all that was decided, each with the passes in a row that said the
	// same.
	Decisions []Decision `json:"decisions"`
}

// Process is a process of the operator.
type Process struct {
	// PID is 0 for one of an operator that the scenario started: then From and To are
	// its first and last pass.
	PID int `json:"pid"`
	// Operator is the name that the scenario gave it, empty for the one that the lab
	// keeps running.
	Operator string `json:"operator,omitempty"`

	From Seconds `json:"from"`
	To   Seconds `json:"to"`
	// CPU is processor time in seconds since the process was started, which was before
	// From for the first one; Peak is memory in bytes.
	CPU  Seconds `json:"cpu"`
	Peak int64   `json:"peak"`
}

// Pass is one round of the operator.
type Pass struct {
	At      Seconds `json:"at"`
	Process int     `json:"process"`
}

// The kinds of a decision.
const (
	// Act: something was to be changed.
	Act = "act"
	// Waits: something was refused, or is waited for.
	Waits = "wait"
	// Rest: all is as it should be.
	Rest = "rest"
)

// Decision is one finding of one core, for as long as passes in a row had it.
type Decision struct {
	// Number counts from 1, by time.
	Number int `json:"number"`
	// Core is "membership", "hook", "budget", "guard", "rollout", or "drains" for what
	// the budget makes drains wait for.
	Core string `json:"core"`
	Kind string `json:"kind"`
	// Action is the core's word; Refused says that it was not to be done.
	Action  string `json:"action"`
	Refused bool   `json:"refused,omitempty"`
	// Object is what it is about, if that is not the cluster.
	Object  string `json:"object,omitempty"`
	Rule    string `json:"rule"`
	Reason  string `json:"reason"`
	Subject string `json:"subject,omitempty"`
	Other   string `json:"other,omitempty"`
	// Have and Need are counts or seconds, as the sentence says.
	Have int `json:"have,omitempty"`
	Need int `json:"need,omitempty"`
	// Sentence says it in words, Remedy what would change it.
	Sentence string `json:"sentence"`
	Remedy   string `json:"remedy,omitempty"`
	// From is the first pass that decided so, To the first one that no longer did, or
	// when the process ended.
	From    Seconds `json:"from"`
	To      Seconds `json:"to"`
	Passes  int     `json:"passes"`
	Process int     `json:"process"`
}

// CoreLane is what was foremost of a core's decisions.
type CoreLane struct {
	Core  string     `json:"core"`
	Spans []CoreSpan `json:"spans"`
}

// CoreSpan is a time in which the same decision was foremost.
type CoreSpan struct {
	From     Seconds `json:"from"`
	To       Seconds `json:"to"`
	Decision int     `json:"decision"`
}

// cores are those with a lane, in its order.
var cores = []string{"membership", "hook", "budget", "guard", "rollout"}

// identity tells one decision from another.
type identity struct {
	history.Decided
	process int
}

// decided are all decisions of a pass. What the record has only for some passes
// (what drains wait for, whether a revision may be created) comes with them.
func decided(p history.Pass) []history.Decided {
	all := p.Decisions()
	for _, hold := range p.Guard.Holds {
		all = append(all, history.Decided{Core: "drains", Action: "Drain", Refused: true, Finding: hold})
	}
	for _, w := range p.Membership.Warnings {
		all = append(all, history.Decided{Core: "membership", Action: "Warn", Refused: true, Object: w.Target.String(), Finding: w.Finding})
	}
	for _, w := range p.Hooks.Warnings {
		all = append(all, history.Decided{Core: "hook", Action: "Warn", Refused: true, Object: w.Machine, Finding: w.Finding})
	}
	if !p.Rollout.Create.Allowed {
		all = append(all, history.Decided{Core: "rollout", Action: "Create", Refused: true, Finding: p.Rollout.Create.Finding})
	}
	for _, n := range p.Rollout.Install {
		if !n.Allowed {
			all = append(all, history.Decided{Core: "rollout", Action: "Install", Refused: true, Object: n.Node, Finding: n.Finding})
		}
	}
	return all
}

// kindOf sorts a decision.
func kindOf(d history.Decided) string {
	switch {
	case d.Acts():
		return Act
	case d.Refused || !goesOn(d.Reason):
		return Waits
	}
	return Rest
}

func (b *builder) operator(faults []Fault) Operator {
	r := b.recording
	o := Operator{Recorded: r.HasPasses, Torn: r.TornPasses, Processes: b.processes(faults)}
	open := map[identity]int{}
	foremost := map[string]*CoreLane{}
	for _, core := range cores {
		foremost[core] = &CoreLane{Core: core}
	}
	for i, p := range r.Passes {
		until := b.until(i, faults)
		o.Passes = append(o.Passes, Pass{At: secondsOf(p.At), Process: p.Process})
		next, first := map[identity]int{}, map[string]int{}
		for _, d := range decided(p) {
			id := identity{d, p.Process}
			n, same := open[id]
			if _, twice := next[id]; twice {
				continue
			}
			if !same {
				n = len(o.Decisions)
				o.Decisions = append(o.Decisions, decision(d, p, n+1))
			}
			next[id] = n
			o.Decisions[n].Passes++
			o.Decisions[n].To = secondsOf(until)
			if best, some := first[d.Core]; !some || weight(o.Decisions[n]) > weight(o.Decisions[best]) {
				first[d.Core] = n
			}
		}
		open = next
		for core, n := range first {
			if lane := foremost[core]; lane != nil {
				lane.add(CoreSpan{From: secondsOf(p.At), To: secondsOf(until), Decision: n + 1})
			}
		}
	}
	for _, core := range cores {
		if lane := foremost[core]; len(lane.Spans) > 0 {
			o.Cores = append(o.Cores, *lane)
		}
	}
	return o
}

// add prolongs the last span if the decision is the same, and it goes on.
func (l *CoreLane) add(span CoreSpan) {
	if n := len(l.Spans) - 1; n >= 0 && l.Spans[n].Decision == span.Decision && l.Spans[n].To >= span.From {
		l.Spans[n].To = span.To
		return
	}
	l.Spans = append(l.Spans, span)
}

// weight orders decisions of one core and pass by how much they tell. The first
// one of the core is its headline, so that of two equal ones the first stays.
func weight(d Decision) int {
	switch {
	case d.Kind == Act:
		return 3
	case d.Core == "membership":
		// The decision itself names what it waits for; what was refused is said below.
		return 0
	case d.Kind == Waits:
		return 2
	}
	return 1
}

func decision(d history.Decided, p history.Pass, number int) Decision {
	meaning, remedy := sentence(d.Finding)
	return Decision{
		Number: number, Core: d.Core, Kind: kindOf(d), Action: d.Action, Refused: d.Refused, Object: d.Object,
		Rule: d.Rule, Reason: d.Reason, Subject: d.Subject, Other: d.Other, Have: d.Have, Need: d.Need,
		Sentence: meaning, Remedy: remedy, From: secondsOf(p.At), Process: p.Process,
	}
}

// until is how long what a pass decided was the last word: to the next pass of
// that process, or until the process ended.
func (b *builder) until(pass int, faults []Fault) time.Duration {
	p, until := b.recording.Passes[pass], b.end
	if pass+1 < len(b.recording.Passes) {
		until = b.recording.Passes[pass+1].At
	}
	for _, f := range b.recording.Intervals {
		if p.Operator == "" && f.What == history.OperatorDown && f.From > p.At {
			until = min(until, f.From)
		}
	}
	return max(until, p.At)
}

// stillSeen is how long a process that was killed may have been seen afterwards.
const stillSeen = 500 * time.Millisecond

// processes are those whose usage was recorded.
func (b *builder) processes(faults []Fault) []Process {
	var all []Process
	for _, u := range b.recording.Usages {
		i := slices.IndexFunc(all, func(p Process) bool { return p.PID == u.PID })
		if i < 0 {
			all, i = append(all, Process{PID: u.PID, From: secondsOf(u.At)}), len(all)
		}
		p := &all[i]
		p.To, p.CPU, p.Peak = secondsOf(u.At), secondsOf(u.CPU), max(p.Peak, u.Peak)
	}
	slices.SortStableFunc(all, func(a, b Process) int { return cmp.Compare(a.From, b.From) })
	for i := range all {
		// It is looked at once a second; it ran until something ended it, which is
		// nothing that it was seen after.
		end := secondsOf(b.end)
		if i+1 < len(all) {
			end = all[i+1].From
		}
		for _, f := range faults {
			if f.What == history.OperatorDown && f.From >= all[i].From && f.From > all[i].To-secondsOf(stillSeen) && f.From < end {
				end = f.From
			}
		}
		if end-all[i].To < secondsOf(longestGap) || end < all[i].To {
			all[i].To = end
		}
	}
	return append(all, b.furtherProcesses()...)
}

// furtherProcesses are those of operators that the scenario started, in the order of
// their numbers.
func (b *builder) furtherProcesses() []Process {
	var all []Process
	for _, p := range b.recording.Passes {
		if p.Operator == "" {
			continue
		}
		i := slices.IndexFunc(all, func(known Process) bool { return known.Operator == p.Operator })
		if i < 0 {
			all, i = append(all, Process{Operator: p.Operator, From: secondsOf(p.At)}), len(all)
		}
		all[i].To = secondsOf(p.At)
	}
	return all
}

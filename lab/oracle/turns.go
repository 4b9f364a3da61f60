package oracle

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/history"
)

const (
	// wakeGrace is how long an operator that was stopped may go on looking and deciding:
	// for the 10 s in which a lease can be renewed it tries that before it ends.
	wakeGrace = 15 * time.Second
	// wakeTold is how much later than it was done it may be written down that an operator
	// goes on.
	wakeTold = time.Second
)

// operators are those that recorded passes.
func (j *judge) operators() []string {
	names := map[string]bool{}
	for _, p := range j.Passes {
		names[p.Operator] = true
	}
	return sortedKeys(names)
}

// findLate finds passes of processes whose turn was over: another one had made some
// after them. A process that leads no more ends, and never leads again.
func (j *judge) findLate() map[int]bool {
	late, over := map[int]bool{}, map[int]bool{}
	leads := 0
	for i, p := range j.Passes {
		switch {
		case over[p.Process]:
			late[i] = true
		case p.Process != leads:
			over[leads] = true
			leads = p.Process
		}
	}
	return late
}

// led reports whether the operator that made that pass had the lead still at that
// time, by who made passes.
func (j *judge) led(pass int, at time.Duration) bool {
	if j.late[pass] {
		return false
	}
	for i := pass + 1; i < len(j.Passes) && j.Passes[i].At < at; i++ {
		if j.Passes[i].Operator != j.Passes[pass].Operator && !j.late[i] {
			return false
		}
	}
	return true
}

// unled reports whether nobody may have led because of what the scenario did to the
// operator that the lab keeps running, now or lately. Another one may have taken over.
func (j *judge) unled(at time.Duration) bool {
	if !j.during(history.OperatorDown, "", at, restartGrace) {
		return false
	}
	for i, p := range slices.Backward(j.Passes) {
		if p.At <= at && !j.late[i] {
			return p.Operator == ""
		}
	}
	return true
}

// turns: of several operators one decides and acts, and one that leads no more does
// not change the member list.
func (j *judge) turns() {
	const text = "one operator acts at a time"
	operators := j.operators()
	if len(operators) < 2 {
		return
	}
	var faults []fault
	for i, p := range j.Passes {
		if j.late[i] && !j.wokeUp(p) {
			faults = append(faults, faultAt(times(p.At), "%s made a pass at %s, after another one had led", operatorName(p.Operator), seconds(p.At)))
		}
	}
	changes := 0
	for _, c := range j.findChanges() {
		if c.byHand || c.decided == nil {
			continue
		}
		changes++
		i := slices.IndexFunc(j.Passes, func(p history.Pass) bool { return p.Process == c.decided.Process && p.Number == c.decided.Number })
		if !j.led(i, c.lo) {
			faults = append(faults, faultAt(times(c.decided.At, c.hi), "%s, which only %s had decided, at %s, and another one led since", c, operatorName(c.decided.Operator), seconds(c.decided.At)))
		}
	}
	var names []string
	for _, name := range operators {
		names = append(names, operatorName(name))
	}
	j.claim(text, "R10.4 I6", faults, fmt.Sprintf("%s; %d changes of the member list", strings.Join(names, " and "), changes))
	j.assume("that hooks, guards and the budget were written by the operator that led: the API server does not tell them apart")
}

func operatorName(name string) string {
	if name == "" {
		return "the lab's operator"
	}
	return "operator " + name
}

// wokeUp reports whether the scenario had stopped whoever made the pass, and let it go
// on a moment ago.
func (j *judge) wokeUp(p history.Pass) bool {
	return p.Operator == "" && slices.ContainsFunc(j.Intervals, func(i history.Interval) bool {
		return i.What == history.OperatorDown && i.To != 0 && p.At >= i.To-wakeTold && p.At <= i.To+wakeGrace
	})
}

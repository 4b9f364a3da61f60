package oracle

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// recent is how long after a fault ended a member may still be unwell of it.
const recent = 20 * time.Second

// voters: how many there were at any time, and that none was removed who was
// needed.
func (j *judge) voters() {
	looks := j.fresh(false)
	if len(looks) == 0 {
		j.unproven("voters never exceed desired + 1", "I3", "members were never seen")
		return
	}
	most, fewest := 0, 0
	start, _ := looks[0].Voters()
	fewest = start
	var above, below, needed, quorum []fault
	ceiling, floor := 0, start
	var before facts.Facts
	for i, f := range looks {
		if f.Desired > 0 {
			// A desired number that was lowered leaves more for a while, one that was
			// raised fewer.
			ceiling, floor = max(ceiling, f.Desired+1), min(floor, f.Desired)
		}
		least := floor
		if j.Start.MinVoters > 0 {
			least = min(least, j.Start.MinVoters)
		}
		voters, _ := f.Voters()
		for _, list := range f.Lists {
			most = max(most, len(list.Voters))
			if ceiling > 0 && len(list.Voters) > ceiling {
				above = append(above, faultAt(times(f.MembersAt), "%d at %s in the list of %s, desired %d", len(list.Voters), seconds(f.MembersAt), list.From, f.Desired))
			}
		}
		fewest = min(fewest, voters)
		if voters < least {
			below = append(below, faultAt(times(f.MembersAt), "%d at %s, at least %d are wanted", voters, seconds(f.MembersAt), least))
		}
		if i > 0 {
			n, q := j.removals(before, f)
			needed, quorum = append(needed, n...), append(quorum, q...)
		}
		before = f
	}
	j.claim("voters never exceed desired + 1", "I3 R5.2", above, fmt.Sprintf("at most %d", most))
	j.claim("voters never drop below what is wanted", "I1 R6.3", below, fmt.Sprintf("at least %d", fewest))
	j.claim("no healthy voter is removed that desired needs", "I1 R6.3", needed, "")
	j.claim("after each removal healthy voters are a quorum", "I1 I5 R6.1", quorum, "")
}

// removals judges what went between two looks.
func (j *judge) removals(before, after facts.Facts) (needed, quorum []fault) {
	remaining := map[string]bool{}
	for _, m := range after.Members {
		remaining[m.ID] = true
	}
	voters, healthy := after.Voters()
	for _, m := range before.Members {
		if remaining[m.ID] || !m.Voter {
			continue
		}
		if m.Healthy && after.Desired > 0 && voters < after.Desired {
			needed = append(needed, faultAt(times(after.MembersAt), "%s at %s, with %d left of %d", label(m), seconds(after.MembersAt), voters, after.Desired))
		}
		// One that is just busy with the change may not have answered in time: it
		// counts as the look before saw it.
		well := healthy
		for _, other := range after.Members {
			if other.Voter && !other.Healthy && before.Member(other.Name).Healthy && !j.during(history.HostDown, other.Name, after.MembersAt, recent) {
				well++
			}
		}
		if well < facts.Quorum(voters) {
			quorum = append(quorum, faultAt(times(after.MembersAt), "%s at %s leaves %d healthy of %d voters", label(m), seconds(after.MembersAt), well, voters))
		}
	}
	return needed, quorum
}

// joining: how members come to vote.
func (j *judge) joining() {
	looks := j.fresh(false)
	if len(looks) == 0 {
		return
	}
	known := map[string]bool{}
	for _, m := range looks[0].Members {
		known[m.ID] = true
	}
	wasLearner := map[string]bool{}
	var uninvited, together, unhooked []fault
	before := looks[0]
	promotions := 0
	for i, f := range looks {
		learners := 0
		for _, m := range f.Members {
			switch {
			case m.Learner:
				learners++
				wasLearner[m.ID] = true
				known[m.ID] = true
			case !known[m.ID]:
				known[m.ID] = true
				uninvited = append(uninvited, faultAt(times(f.MembersAt), "%s was a voter when it was first seen, at %s", label(m), seconds(f.MembersAt)))
			case wasLearner[m.ID]:
				wasLearner[m.ID] = false
				promotions++
				after, read := readAfter(looks[i:], f.MembersAt)
				if why := unfit(before, after, m); read && why != "" {
					unhooked = append(unhooked, faultAt(times(f.MembersAt), "%s at %s: %s", label(m), seconds(f.MembersAt), why))
				}
			}
		}
		if learners > 1 {
			together = append(together, faultAt(times(f.MembersAt), "%d at %s", learners, seconds(f.MembersAt)))
		}
		before = f
	}
	j.claim("a member's first vote comes by promotion", "I3 R5.1", uninvited, fmt.Sprintf("%d promotions", promotions))
	j.claim("there is one learner at a time", "R5.1", together, "")
	j.claim("nobody is promoted on a Machine that is deleting or has no hook", "I9 R5.2", unhooked, "")
}

// readAfter returns the first of the looks whose objects were read after that
// time, if there is one.
func readAfter(looks []facts.Facts, at time.Duration) (after facts.Facts, read bool) {
	for _, f := range looks {
		if f.ObjectsProblem == "" && f.ObjectsAt >= at {
			return f, true
		}
	}
	return facts.Facts{}, false
}

// unfit says why a member should not have been promoted between two looks: what
// spoke against it was so before and after.
func unfit(before, after facts.Facts, m facts.Member) string {
	if before.ObjectsProblem != "" || after.ObjectsProblem != "" {
		return ""
	}
	against := func(f facts.Facts) string {
		if !f.MachinesAtWork() {
			return ""
		}
		for _, machine := range f.Machines {
			if !slices.Contains(machine.Addresses, m.Address) {
				continue
			}
			switch {
			case machine.Deleting:
				return "Machine " + machine.Name + " is deleting"
			case !machine.Hooked:
				return "Machine " + machine.Name + " has no hook"
			}
			return ""
		}
		return "it has no Machine"
	}
	if why := against(before); why == against(after) {
		return why
	}
	return ""
}

package oracle

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
)

const (
	// decidedWithin is how long before a change the pass that decided it may have
	// begun: passes are acted on for 15 s, writes take 5 s, and one whose outcome the
	// operator never learned may be done later.
	decidedWithin = time.Minute
	// stepGrace is how long after a step its effect may be seen.
	stepGrace = 2 * time.Second
)

// change is one of the member list that was seen between two looks.
type change struct {
	// action is one of history's words.
	action string
	// member is who was added, promoted or removed, as the last look with it saw it.
	member facts.Member
	// After lo and not after hi it was done.
	lo, hi        time.Duration
	before, after facts.Facts
	// decided is the pass that decided it, nil if none did or a person did it by hand.
	decided *history.Pass
	byHand  bool
}

func (c change) String() string {
	what := map[string]string{history.AddLearner: "added", history.PromoteLearner: "promoted", history.RemoveMember: "removed"}[c.action]
	return fmt.Sprintf("%s was %s at %s", label(c.member), what, seconds(c.hi))
}

// findChanges finds all changes of the newest list. A look in which only members
// answered that were behind says nothing new.
func (j *judge) findChanges() []change {
	var changes []change
	var before facts.Facts
	var newest uint64
	for i, f := range j.fresh(false) {
		applied := uint64(0)
		for _, list := range f.Lists {
			applied = max(applied, list.Applied)
		}
		if applied < newest {
			continue
		}
		newest = applied
		if i > 0 {
			changes = append(changes, j.between(before, f)...)
		}
		before = f
	}
	return changes
}

func (j *judge) between(before, after facts.Facts) []change {
	var changes []change
	note := func(action string, m facts.Member) {
		c := change{action: action, member: m, lo: before.MembersAt, hi: after.MembersAt, before: before, after: after}
		c.byHand = j.byHand(c)
		if !c.byHand {
			c.decided = j.decider(c)
			c.byHand = c.decided == nil && j.mayBeDoing(c.hi)
		}
		changes = append(changes, c)
	}
	old := map[string]facts.Member{}
	for _, m := range before.Members {
		old[m.ID] = m
	}
	for _, m := range after.Members {
		was, known := old[m.ID]
		delete(old, m.ID)
		if !known {
			note(history.AddLearner, m)
		}
		if m.Voter && known && was.Learner {
			note(history.PromoteLearner, m)
		}
	}
	for _, id := range sortedKeys(old) {
		note(history.RemoveMember, old[id])
	}
	return changes
}

// handMade are words of commands that change the member list.
var handMade = []string{"member add", "member promote", "member remove"}

// byHand: the scenario runs no operator, or a command of its own changed members
// then, or may have.
func (j *judge) byHand(c change) bool {
	return j.Start.ByHand || slices.ContainsFunc(j.Steps, func(s history.Step) bool {
		return s.From <= c.hi && c.lo <= s.To+stepGrace && slices.ContainsFunc(handMade, func(words string) bool { return strings.Contains(s.Name, words) })
	})
}

// decider is the last pass before the change that decided it, if there is one of an
// operator that led then.
func (j *judge) decider(c change) *history.Pass {
	var late *history.Pass
	for i := range slices.Backward(j.Passes) {
		pass := &j.Passes[i]
		if pass.At > c.hi || pass.Membership.Action != c.action {
			continue
		}
		if pass.At < c.lo-decidedWithin {
			break
		}
		if c.action == history.AddLearner && facts.HostOf(pass.Membership.PeerURL) == c.member.Address || c.action != history.AddLearner && string(pass.Membership.Member) == c.member.ID {
			if j.led(i, c.lo) {
				return pass
			}
			if late == nil {
				late = pass
			}
		}
	}
	return late
}

// membership: what the operator did to the member list, one by one.
func (j *judge) changes() {
	const (
		decided  = "every change of the member list was decided by a pass"
		one      = "no change is made before the last one was seen"
		replaced = "no healthy voter is removed whose Machine stays"
		install  = "no healthy voter is removed while an install is in flight"
		dead     = "no voter is removed as dead soon after it answered"
	)
	if j.Start.ByHand {
		return
	}
	if !j.HasPasses {
		for _, text := range []string{decided, one} {
			j.unproven(text, "I2 R10.2", "the operator's passes were not recorded")
		}
	}
	var undecided, blind, staying, during, early []fault
	var last *change
	all := j.findChanges()
	byHand := 0
	for i := range all {
		c := &all[i]
		if c.byHand {
			byHand++
			continue
		}
		if c.decided == nil {
			undecided = append(undecided, faultAt(times(c.hi), "%s, and no pass decided that", c))
		} else if last != nil && last.decided != nil && !shows(c.decided, *last) {
			blind = append(blind, faultAt(times(c.decided.At, last.hi, c.hi), "%s by a pass of %s that did not see that %s", c, seconds(c.decided.At), last))
		}
		last = c
		if c.action != history.RemoveMember || !c.member.Voter {
			continue
		}
		if !c.dead() {
			if why := j.stays(*c); why != "" {
				staying = append(staying, faultAt(times(c.hi), "%s: %s", c, why))
			}
			if node := j.installing(*c); node != "" {
				during = append(during, faultAt(times(c.hi), "%s, while a revision was being installed on %s", c, node))
			}
		} else if down := j.downFor(*c); down < shortestDeath {
			early = append(early, faultAt(times(c.hi), "%s, %s after it answered", c, seconds(down)))
		}
	}
	if j.HasPasses {
		evidence := fmt.Sprintf("%d changes", len(all)-byHand)
		if byHand > 0 {
			evidence += fmt.Sprintf(", and %d by the scenario itself", byHand)
		}
		j.claim(decided, "I2 R10.2", undecided, evidence)
		j.claim(one, "I2", blind, "")
	}
	j.claim(replaced, "R6.2 R6.4", staying, "")
	j.claim(install, "R6.2", during, "")
	j.claim(dead, "I4 R6.1", early, "")
}

// dead reports whether the voter was removed as one that is down: the pass that
// decided it says so. The last look before the removal may have met a member that
// was busy with it.
func (c change) dead() bool {
	if c.decided == nil {
		return !c.member.Healthy
	}
	p := passJudge{Pass: c.decided}
	subject, _ := p.member(c.decided.Membership.Member)
	return !well(subject)
}

// shows reports whether the pass's own member list has the change.
func shows(pass *history.Pass, c change) bool {
	i := slices.IndexFunc(pass.Snapshot.Members, func(m history.PassMember) bool { return string(m.ID) == c.member.ID })
	switch c.action {
	case history.RemoveMember:
		return i < 0
	case history.PromoteLearner:
		// It may have gone since.
		return i < 0 || !pass.Snapshot.Members[i].Learner
	default:
		return i >= 0
	}
}

// deletionSeen is how long before a removal the Machine may have been seen to be
// deleting last: one that is let go by force is gone before its member is.
const deletionSeen = 30 * time.Second

// stays says why a healthy voter should not have been removed: its Machine was
// not being deleted, as was seen before and after.
func (j *judge) stays(c change) string {
	looks := j.fresh(true)
	after, read := readAfter(looks, c.hi)
	if c.before.ObjectsProblem != "" || !read {
		return ""
	}
	for _, f := range looks {
		if f.MembersAt < c.lo-deletionSeen || f.MembersAt > c.hi {
			continue
		}
		if m := f.MachineOf(c.member); m.Exists && m.Deleting {
			return ""
		}
	}
	// After the removal nobody is left to be found on it.
	before := c.before.MachineOf(c.member)
	if !before.Exists {
		return "it has no Machine, and is healthy"
	}
	if later := after.MachineNamed(before.Name); later.Exists && !later.Deleting {
		return "Machine " + before.Name + " stays"
	}
	return ""
}

// installing returns a node with a voter that had a revision to come all the time
// around the change, as far as it is waited for (R6.8).
func (j *judge) installing(c change) string {
	around := []facts.Facts{}
	looks := j.fresh(true)
	for _, f := range looks {
		if f.ObjectsAt >= c.lo-stepGrace && f.MembersAt <= c.hi {
			around = append(around, f)
		}
	}
	after, read := readAfter(looks, c.hi)
	if !read {
		return ""
	}
	around = append(around, after)
	for _, m := range c.before.Members {
		node := c.before.MachineOf(m).Node
		if !m.Voter || node == "" {
			continue
		}
		busy := func(f facts.Facts) bool {
			lost := f.MachineOf(m).Deleting && !f.NodeNamed(node).Ready
			return !lost && slices.ContainsFunc(f.Revisions, func(r facts.Revision) bool { return r.Node == node && r.Target != 0 })
		}
		if !slices.ContainsFunc(around, func(f facts.Facts) bool { return !busy(f) }) {
			return node
		}
	}
	return ""
}

// shortestDeath is how long a voter must not have answered to us when it is
// removed as dead: the operator waits for 30 s, but may have missed an answer
// between two of its passes, which are up to 15 s apart.
const shortestDeath = 14 * time.Second

// downFor is how long before the change the member had last answered.
func (j *judge) downFor(c change) time.Duration {
	for _, f := range slices.Backward(j.fresh(false)) {
		if f.MembersAt > c.lo {
			continue
		}
		if m := f.Member(c.member.Name); m.ID == c.member.ID && m.Healthy {
			return c.lo - f.MembersAt
		}
	}
	return c.lo
}

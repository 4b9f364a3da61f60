package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/openshift/cluster-etcd-operator/lab/oracle"
)

// course tells the run as a story, of what the other parts of a report say.
func course(r Report) []Moment {
	var all []Moment
	for _, s := range r.Steps {
		if s.Kind != StepWait {
			all = append(all, Moment{At: s.From, By: ByScenario, What: s.Text, Step: s.Number, Fault: s.Kind == StepFault})
		}
		if s.Failed != "" {
			all = append(all, Moment{At: s.To, By: ByScenario, What: s.Text + " – failed: " + s.Failed, Step: s.Number, Fault: true})
		}
	}
	for _, d := range r.Operator.Decisions {
		if d.Kind == Act {
			what := d.Sentence
			if d.Core == "budget" {
				// Its sentence says what it rests on, not what is done.
				what = actText(d) + ": " + what
			}
			all = append(all, Moment{At: d.From, By: ByOperator, What: what, Decision: d.Number})
		}
	}
	for _, e := range r.Evictions {
		all = append(all, Moment{At: e.At, By: InCluster, What: e.String()})
	}
	for _, restart := range r.Restarts {
		all = append(all, Moment{At: restart.At, By: InCluster, What: "etcd of " + restart.Host + " was started again"})
	}
	for _, h := range r.Hosts {
		for _, lane := range h.Lanes {
			all = append(all, laneMoments(lane, r.Length)...)
		}
	}
	for _, c := range r.Verdict.Claims {
		for _, at := range c.At {
			if c.Result == oracle.Broken {
				all = append(all, Moment{At: at, By: ByOracle, What: strings.TrimSpace("broken: " + c.Text + " " + brackets(c.Rules)), Claim: c.Number, Fault: true})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	return all
}

// String says what became of it.
func (e Eviction) String() string {
	became := "granted"
	if !e.Granted {
		became = "refused"
	}
	if e.Times > 1 {
		became += fmt.Sprintf(" %d times, until %s", e.Times, e.Until)
	}
	return fmt.Sprintf("eviction of %s, asked for by %s: %s", e.Pod, e.By, became)
}

func brackets(rules []string) string {
	if len(rules) == 0 {
		return ""
	}
	return "[" + strings.Join(rules, " ") + "]"
}

// votes reports whether a member in that state votes.
func votes(state string) bool {
	return state == MemberVoter || state == MemberLeader || state == MemberUnhealthy
}

// laneMoments are the changes of one thing. What was there at the first look did
// not come to be in it, and what is there at the last has not gone.
func laneMoments(lane Lane, length Seconds) []Moment {
	var all []Moment
	tell := func(at Seconds, format string, arguments ...any) {
		all = append(all, Moment{At: at, By: InCluster, What: fmt.Sprintf(format, arguments...)})
	}
	const beginning = Seconds(2)
	before := Span{}
	for i, s := range lane.Spans {
		first := i == 0
		came := first && s.From > beginning
		switch {
		case s.State == Unseen:
			continue
		case lane.Kind == MemberLane && came:
			tell(s.From, "%s is a member: %s", lane.Name, s.State)
		case lane.Kind == MachineLane && came:
			tell(s.From, "Machine %s is there", lane.Name)
		case first:
		case lane.Kind == MemberLane:
			memberMoment(tell, lane.Name, before, s)
		case lane.Kind == MachineLane:
			machineMoment(tell, lane.Name, before, s)
		case lane.Kind == HostLane && s.State != before.State:
			tell(s.From, "Node %s is %s", lane.Name, s.State)
		}
		before = s
	}
	last := lane.Spans[len(lane.Spans)-1]
	if last.To < length {
		switch lane.Kind {
		case MemberLane:
			tell(last.To, "%s is no member any more", lane.Name)
		case MachineLane:
			tell(last.To, "Machine %s is gone", lane.Name)
		case HostLane:
			tell(last.To, "Node %s is gone", lane.Name)
		}
	}
	return all
}

func memberMoment(tell func(Seconds, string, ...any), name string, before, now Span) {
	unwell := func(s Span) bool { return s.State == MemberUnhealthy || s.State == MemberLearnerNotThere }
	switch {
	case votes(now.State) && !votes(before.State) && before.State != "":
		tell(now.From, "%s votes", name)
	case now.State == MemberLeader:
		tell(now.From, "%s leads", name)
	case unwell(now) && !unwell(before):
		tell(now.From, "%s does not answer", name)
	case !unwell(now) && unwell(before):
		tell(now.From, "%s answers again", name)
	case before.State == MemberUnstarted:
		tell(now.From, "%s has started: %s", name, now.State)
	}
}

func machineMoment(tell func(Seconds, string, ...any), name string, before, now Span) {
	if now.State == MachineDeleting && before.State != MachineDeleting {
		tell(now.From, "Machine %s is deleting", name)
	} else if now.State != before.State {
		tell(now.From, "Machine %s is %s", name, now.Text)
	}
	switch {
	case before.Hooked && !now.Hooked:
		tell(now.From, "Machine %s is without the hook", name)
	case !before.Hooked && now.Hooked:
		tell(now.From, "Machine %s has the hook", name)
	}
}

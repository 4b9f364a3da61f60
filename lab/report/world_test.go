package report

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/oracle"
)

const (
	second = time.Second
	look   = 250 * time.Millisecond
)

// stage is a state of the cluster that lasts.
type stage struct {
	lasts time.Duration
	// members: upper case is not healthy; before a name, * is the leader, a minus a
	// learner, a dot one that has not started.
	members string
	// machines: a minus before a name is deleting, a question mark on its way, a dot
	// after it is without the hook.
	machines string
	least    int
}

// replaced is how m-1 is replaced by m-4: what is seen when is in the comments.
var replaced = []stage{
	{2 * second, "*1 2 3", "1 2 3", 2},       // 0 s
	{2 * second, "*1 2 3", "-1 2 3", 2},      // 2 s
	{1 * second, "*1 2 3", "-1 2 3 ?4.", 3},  // 4 s
	{1 * second, "*1 2 3 .4", "-1 2 3 4", 3}, // 5 s
	{2 * second, "*1 2 3 -4", "-1 2 3 4", 3}, // 6 s
	{2 * second, "*1 2 3 4", "-1 2 3 4", 4},  // 8 s
	{2 * second, "1 *2 C 4", "-1 2 3 4", 4},  // 10 s; C is m-3
	{2 * second, "*2 3 4", "-1. 2 3 4", 2},   // 12 s
	{2 * second, "*2 3 4", "2 3 4", 2},       // 14 s
}

const replacedLasts = 16 * second

func name(word string) string {
	letter := strings.Trim(word, "*-.?")
	if strings.ToUpper(letter) != strings.ToLower(letter) {
		letter = string('1' + strings.ToLower(letter)[0] - 'a')
	}
	return "m-" + letter
}

func address(name string) string { return "10.0.0." + name[strings.LastIndexByte(name, '-')+1:] }

func (s stage) facts() facts.Facts {
	f := facts.Facts{Desired: 3, Budget: facts.Budget{Exists: true, Current: true, MinAvailable: s.least}}
	for _, word := range strings.Fields(s.members) {
		n := name(word)
		m := facts.Member{ID: "id-" + n, Name: n, Address: address(n), Started: true, Voter: true, Healthy: true}
		letter := strings.Trim(word, "*-.")
		switch {
		case word[0] == '*':
			m.Leader = true
		case word[0] == '-':
			m.Learner, m.Voter = true, false
		case word[0] == '.':
			m.Learner, m.Voter, m.Started, m.Healthy, m.Name = true, false, false, false, ""
		case letter != strings.ToLower(letter):
			m.Healthy, m.Problem = false, "it does not answer"
		}
		f.Members = append(f.Members, m)
		if m.Started {
			f.Guards = append(f.Guards, facts.Guard{Name: "guard-" + n, Node: n, Ready: m.Healthy})
			f.Processes = append(f.Processes, facts.Process{Member: n, PID: 7, Began: 1})
		}
	}
	for _, word := range strings.Fields(s.machines) {
		n := name(word)
		m := facts.Machine{Name: n, Role: "master", Phase: "Running", Node: n, Addresses: []string{address(n)}, UID: "uid-" + n, Hooked: !strings.HasSuffix(word, "."), Deleting: word[0] == '-'}
		if word[0] == '?' {
			m.Phase, m.Node = "Provisioning", ""
		} else {
			f.Nodes = append(f.Nodes, facts.Node{Name: n, Ready: true, ControlPlane: true, Addresses: []string{address(n)}})
		}
		if m.Hooked {
			m.Hooks = []string{facts.Hook}
		}
		f.Machines = append(f.Machines, m)
	}
	_, healthy := f.Voters()
	f.Budget.DisruptionsAllowed = max(0, healthy-s.least)
	return f
}

// recorded is a recording of stages, with load, steps and a fault.
func recorded(stages []stage) history.Recording {
	r := history.Recording{Complete: true, HasPasses: true, EvictionsWritten: true}
	at := time.Duration(0)
	for _, s := range stages {
		for end := at + s.lasts; at < end; at += look {
			f := s.facts()
			f.At, f.ObjectsAt, f.MembersAt = at, at, at
			r.Facts = append(r.Facts, f)
		}
	}
	r.Start = history.Start{
		Scenario: "a-replacement", Source: "name: a-replacement\nabout: One is replaced.\n", Seed: 7, Began: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		ControlPlanes: 3, Victims: map[string]string{"old": "m-1"}, LoadClients: 2, LoadWrites: 100, MaxWriteGap: 2 * second, Gone: []string{"m-1"},
	}
	r.End = history.End{At: at}
	r.Load = history.LoadSpan{To: at}
	r.Steps = []history.Step{
		{Line: 3, Name: "wait until it is well", To: second},
		{Line: 4, Name: "delete machine m-1", From: 2 * second, To: 2*second + 10*time.Millisecond},
		{Line: 5, Name: "partition m-3", From: 10 * second, To: 10*second + 10*time.Millisecond},
		{Line: 6, Name: "heal m-3", From: 12 * second, To: 12*second + 10*time.Millisecond},
	}
	r.Intervals = []history.Interval{{From: 10*second + time.Millisecond, To: 12 * second, What: history.HostDown, Subject: "m-3"}}
	for n := range int(at / (10 * time.Millisecond)) {
		call := time.Duration(n) * 10 * time.Millisecond
		r.Operations = append(r.Operations, history.Operation{Kind: history.Put, Key: "k", Value: fmt.Sprint(n), Call: call, Return: call + 3*time.Millisecond, Outcome: history.Acknowledged, Revision: int64(n)})
	}
	return r
}

// passed is a pass of the operator that says one thing about membership.
func passed(at time.Duration, process int, action, object string, finding history.Finding) history.Pass {
	p := history.Pass{At: at, Process: process}
	p.Membership.Action, p.Membership.Name, p.Membership.Finding = action, object, finding
	p.Guard.Budget, p.Guard.Finding = history.KeepBudget, history.Finding{Rule: "R7.2", Reason: "OneDrainMayPass", Have: 3, Need: 2}
	p.Rollout.Step, p.Rollout.Finding = history.NoAction, history.Finding{Rule: "R8.4", Reason: "RevisionsCurrent", Have: 1}
	p.Rollout.Create.Allowed = true
	return p
}

var (
	expected  = history.Finding{Rule: "R5", Reason: "MembershipAsExpected", Have: 3, Need: 3}
	waiting   = history.Finding{Rule: "R6.3", Reason: "WaitingForReplacementVoter", Subject: "m-1", Have: 2, Need: 3}
	removing  = history.Finding{Rule: "R6.2", Reason: "RemovingReplacedMember", Subject: "m-1", Other: "m-1"}
	promoting = history.Finding{Rule: "R5.2", Reason: "PromotingLearner", Subject: "m-4", Have: 4}
)

// decidedUpon adds what an operator says that is killed at 9 s and back at 10 s.
func decidedUpon(r *history.Recording) {
	r.Passes = []history.Pass{
		passed(-second, 1, history.Wait, "", expected), passed(second, 1, history.Wait, "", expected),
		passed(3*second, 1, history.Wait, "", waiting), passed(5*second, 1, history.Wait, "", waiting),
		passed(7*second+500*time.Millisecond, 1, history.PromoteLearner, "m-4", promoting),
		passed(10*second, 2, history.Wait, "", waiting), passed(11*second+500*time.Millisecond, 2, history.RemoveMember, "m-1", removing),
		passed(14*second, 2, history.Wait, "", expected),
	}
	r.Intervals = append(r.Intervals, history.Interval{From: 9 * second, To: 10 * second, What: history.OperatorDown})
	for at := time.Duration(0); at < 16*second; at += second {
		pid := 11
		if at >= 10*second {
			pid = 12
		}
		if at != 9*second {
			r.Usages = append(r.Usages, history.Usage{At: at, PID: pid, CPU: at / 10, Peak: 1 << 20})
		}
	}
}

func replacement() history.Recording {
	r := recorded(replaced)
	decidedUpon(&r)
	return r
}

// verdictOf is a verdict with these claims, after one that holds.
func verdictOf(claims ...oracle.Claim) oracle.Verdict {
	return oracle.Verdict{Scenario: "a-replacement", Claims: append([]oracle.Claim{{Text: "everything was recorded", Result: oracle.Holds, Evidence: "64 looks"}}, claims...), Notes: []string{"a note"}, Assumed: []string{"an assumption"}}
}

func page1(t *testing.T, r Report) string {
	t.Helper()
	var text strings.Builder
	if err := Render(&text, r); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func lane(t *testing.T, r Report, host, kind string) Lane {
	t.Helper()
	for _, h := range r.Hosts {
		for _, l := range h.Lanes {
			if h.Name == host && l.Kind == kind {
				return l
			}
		}
	}
	t.Fatalf("host %s has no lane of a %s", host, kind)
	return Lane{}
}

// fortyMinutes and flapping are made once.
var (
	fortyMinutes = sync.OnceValue(func() history.Recording { return long(40*time.Minute, false) })
	flapping     = sync.OnceValue(func() history.Recording { return long(40*time.Minute, true) })
)

// long is a recording of about that length, in which a host after the other is
// replaced; flapping makes everything change with every look.
func long(length time.Duration, flapping bool) history.Recording {
	var whole history.Recording
	random := rand.New(rand.NewPCG(1, 2))
	for round := 0; ; round++ {
		off := time.Duration(round) * replacedLasts
		if off+replacedLasts > length {
			whole.End = history.End{At: off}
			whole.Load = history.LoadSpan{To: off}
			break
		}
		r := renamed(replacement(), round)
		for _, f := range r.Facts {
			f.At, f.ObjectsAt, f.MembersAt = f.At+off, f.ObjectsAt+off, f.MembersAt+off
			if flapping {
				for i := range f.Members {
					f.Members[i].Healthy, f.Members[i].Problem = random.IntN(2) == 0, fmt.Sprint(random.IntN(9))
				}
				for i := range f.Machines {
					f.Machines[i].Phase = fmt.Sprint(random.IntN(9))
				}
				for i := range f.Nodes {
					f.Nodes[i].Ready = random.IntN(2) == 0
				}
				f.Budget.DisruptionsAllowed = random.IntN(3)
			}
			whole.Facts = append(whole.Facts, f)
		}
		for n, o := range r.Operations {
			if n%5 > 0 {
				continue
			}
			o.Call, o.Return = o.Call+off, o.Return+off
			whole.Operations = append(whole.Operations, o)
		}
		for _, s := range r.Steps {
			s.From, s.To = s.From+off, s.To+off
			whole.Steps = append(whole.Steps, s)
		}
		for _, i := range r.Intervals {
			i.From, i.To = i.From+off, i.To+off
			whole.Intervals = append(whole.Intervals, i)
		}
		for _, u := range r.Usages {
			u.At, u.PID = u.At+off, u.PID+2*round
			whole.Usages = append(whole.Usages, u)
		}
		for _, p := range r.Passes {
			p.At, p.Process = max(p.At, 0)+off, p.Process+2*round
			whole.Passes = append(whole.Passes, p)
		}
		if flapping {
			for at := off; at < off+replacedLasts; at += second {
				whole.Passes = append(whole.Passes, passed(at, 1, history.Wait, "", history.Finding{Rule: "R6.3", Reason: "WaitingForReplacementVoter", Subject: "m-1", Have: random.IntN(100), Need: 3}))
			}
		}
		whole.Start = r.Start
	}
	slices.SortStableFunc(whole.Passes, func(a, b history.Pass) int { return int(a.At - b.At) })
	whole.Complete, whole.HasPasses, whole.EvictionsWritten = true, true, true
	return whole
}

// renamed makes of the replacement of m-1 that of the machine that came in the
// round before.
func renamed(r history.Recording, round int) history.Recording {
	operations := r.Operations
	r.Operations = nil
	data, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	old, come := "1", fmt.Sprint(round+4)
	if round > 0 {
		old = fmt.Sprint(round + 3)
	}
	var pairs []string
	for _, stem := range []string{"m-", "10.0.0."} {
		pairs = append(pairs, stem+`1"`, stem+old+`"`, stem+`4"`, stem+come+`"`)
	}
	// Passes are decoded from lines of another form and are no matter here.
	passes := r.Passes
	var again history.Recording
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(strings.NewReplacer(pairs...).Replace(string(data))), &fields); err != nil {
		panic(err)
	}
	delete(fields, "Passes")
	if data, err = json.Marshal(fields); err != nil {
		panic(err)
	}
	if err := json.Unmarshal(data, &again); err != nil {
		panic(err)
	}
	again.Passes, again.Operations = passes, operations
	return again
}

// write writes a folder as a run leaves it, and returns it.
func write(t *testing.T, r history.Recording) string {
	t.Helper()
	folder := t.TempDir()
	w, err := history.Create(folder, r.Start)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Facts {
		w.Facts(f)
	}
	for _, s := range r.Steps {
		w.Step(s)
	}
	w.Load(r.Load)
	if err := w.Close(""); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(folder, "lab"), 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

package history

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

// passLine is a line as the operator writes it, of a pass that began so long
// after began.
func passLine(began time.Time, after time.Duration) string {
	return fmt.Sprintf(`{"Snapshot":{"ObservedAt":%q,"ClusterID":9,"MemberList":true,"Members":[{"ID":255,"Name":"a","Learner":true,"Health":2,"UnhealthyFor":1500000000,"CannotServe":null}],"Leader":0,"GuardList":false},`+
		`"Membership":{"Action":"RemoveMember","Member":255,"Name":"a","Machine":"ma","Rule":"R6.1","Reason":"RemovingDeadMember","Subject":"a","Have":2,"Need":2,"Refused":[{"Action":"AddLearner","Node":"n","Rule":"R5.1","Reason":"OneChange"}]},`+
		`"Hooks":{"Machines":[{"Machine":"ma","Action":"None","Refused":"RemoveHook","Rule":"R4.4","Reason":"HookHoldsMember"},{"Machine":"mb","Action":"AddHook","Refused":"None"}]},`+
		`"Guard":{"Budget":"Set","MinAvailable":2,"Reason":"DrainsWait","Pods":[{"Node":"n","Action":"Create","Refused":""}]},"Rollout":{"Step":"None","Next":""}}`,
		began.Add(after).Format(time.RFC3339Nano)) + "\n"
}

// recorded writes a recording with these lines of the operator and reads it.
func recorded(t *testing.T, write func(*Writer), lines func(began time.Time) string) Recording {
	t.Helper()
	folder := t.TempDir()
	w, err := Create(folder, Start{})
	if err != nil {
		t.Fatal(err)
	}
	write(w)
	if err := w.Close(""); err != nil {
		t.Fatal(err)
	}
	if lines != nil {
		path := filepath.Join(folder, PassesFile)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(lines(w.began.UTC())), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func nothing(*Writer) {}

func TestAPassSaysWhatWasSeenAndDecided(t *testing.T) {
	r := recorded(t, nothing, func(began time.Time) string { return passLine(began, 3*time.Second) })
	if len(r.Passes) != 1 || !r.HasPasses || r.TornPasses != 0 {
		t.Fatalf("%d passes, there %t, torn %d", len(r.Passes), r.HasPasses, r.TornPasses)
	}
	p := r.Passes[0]
	if p.At.Round(time.Millisecond) != 3*time.Second || p.Process != 1 || p.Number != 1 {
		t.Errorf("it was at %s, process %d, number %d", p.At, p.Process, p.Number)
	}
	m := p.Snapshot.Members[0]
	if m.ID != "ff" || m.Health != HealthBad || m.UnhealthyFor != 1500*time.Millisecond || m.CannotServe != nil || p.Snapshot.Leader != "" {
		t.Errorf("the member is %+v, the leader %q", m, p.Snapshot.Leader)
	}
	if s := p.Snapshot; !True(s.MemberList) || False(s.MemberList) || !False(s.GuardList) || True(s.GuardList) || True(s.NodeList) || False(s.NodeList) {
		t.Errorf("true, false and unknown are %v %v %v", s.MemberList, s.GuardList, s.NodeList)
	}
	want := []Decided{
		{Core: "membership", Action: RemoveMember, Object: "a", Finding: Finding{Rule: "R6.1", Reason: "RemovingDeadMember", Subject: "a", Have: 2, Need: 2}},
		{Core: "membership", Action: AddLearner, Refused: true, Object: "n", Finding: Finding{Rule: "R5.1", Reason: "OneChange"}},
		{Core: "hook", Action: RemoveHook, Refused: true, Object: "ma", Finding: Finding{Rule: "R4.4", Reason: "HookHoldsMember"}},
		{Core: "hook", Action: AddHook, Object: "mb"},
		{Core: "budget", Action: SetBudget, Finding: Finding{Reason: "DrainsWait"}},
		{Core: "guard", Action: CreatePod, Object: "n"},
		{Core: "rollout", Action: NoAction},
	}
	if diff := cmp.Diff(want, p.Decisions()); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	var acts []bool
	for _, d := range p.Decisions() {
		acts = append(acts, d.Acts())
	}
	if diff := cmp.Diff([]bool{true, false, false, true, true, true, false}, acts); diff != "" {
		t.Errorf("which of them change something (-want +got):\n%s", diff)
	}
	if want := `{"ObservedAt":`; !strings.HasPrefix(string(p.Seen), want) {
		t.Errorf("what was seen begins with %.40s", p.Seen)
	}
}

func TestPassesAreReadAsFarAsTheyAreThere(t *testing.T) {
	for name, test := range map[string]struct {
		lines        func(began time.Time) string
		passes, torn int
		none         bool
	}{
		"no operator was run":             {nil, 0, 0, true},
		"it made none":                    {func(time.Time) string { return "" }, 0, 0, false},
		"the last line is not whole":      {func(b time.Time) string { return passLine(b, 1) + passLine(b, 2) + passLine(b, 3)[:200] }, 2, 1, false},
		"the next one goes on in a line":  {func(b time.Time) string { return passLine(b, 1) + passLine(b, 2)[:200] + passLine(b, 3) }, 2, 1, false},
		"the last has no line break":      {func(b time.Time) string { return strings.TrimSuffix(passLine(b, 1), "\n") }, 1, 0, false},
		"a line is something else":        {func(b time.Time) string { return passLine(b, 1) + `{"Snapshot":{}}` + "\n" }, 1, 1, false},
		"two processes wrote out of turn": {func(b time.Time) string { return passLine(b, 2) + passLine(b, 1) }, 2, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := recorded(t, nothing, test.lines)
			if len(r.Passes) != test.passes || r.TornPasses != test.torn || r.HasPasses == test.none {
				t.Errorf("%d passes, torn %d, there %t", len(r.Passes), r.TornPasses, r.HasPasses)
			}
			for i := 1; i < len(r.Passes); i++ {
				if r.Passes[i].At <= r.Passes[i-1].At {
					t.Errorf("pass %d is not after the one before", i)
				}
			}
		})
	}
}

func TestARestartBeginsAnew(t *testing.T) {
	s := time.Second
	r := recorded(t, func(w *Writer) {
		for _, u := range []Usage{{At: 1 * s, PID: 7}, {At: 5 * s, PID: 7}, {At: 9 * s, PID: 8}, {At: 12 * s, PID: 8}, {At: 14 * s, PID: 9}, {At: 15 * s, PID: 8}} {
			w.Usage(u)
		}
		// The first was killed, the second ended by itself.
		w.Interval(Interval{From: 6 * s, What: OperatorDown})
		w.Interval(Interval{To: 8 * s, What: OperatorDown})
	}, func(began time.Time) string {
		var lines strings.Builder
		for _, at := range []time.Duration{-s, 5 * s, 7 * s, 11 * s, 13 * s, 16 * s} {
			lines.WriteString(passLine(began, at))
		}
		return lines.String()
	})
	var got [][2]int
	for _, p := range r.Passes {
		got = append(got, [2]int{p.Process, p.Number})
	}
	if diff := cmp.Diff([][2]int{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {2, 3}, {3, 1}}, got); diff != "" {
		t.Errorf("process and number (-want +got):\n%s", diff)
	}
}

func TestEveryOperatorHasARecordOfItsOwn(t *testing.T) {
	folder := t.TempDir()
	w, err := Create(folder, Start{})
	if err != nil {
		t.Fatal(err)
	}
	s, began := time.Second, w.began.UTC()
	w.Usage(Usage{At: 1 * s, PID: 7})
	w.Usage(Usage{At: 4 * s, PID: 8})
	if err := w.Close(""); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "lab"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, lines := range map[string]string{
		"passes.jsonl":           passLine(began, 1*s) + passLine(began, 5*s) + passLine(began, 6*s)[:200],
		"passes-of-second.jsonl": passLine(began, 2*s) + passLine(began, 3*s) + passLine(began, 7*s)[:200],
		"passes-of-other.jsonl":  passLine(began, 8*s),
	} {
		if err := os.WriteFile(filepath.Join(folder, "lab", name), []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	if r.TornPasses != 2 {
		t.Errorf("%d lines are torn, want 2", r.TornPasses)
	}
	type made struct {
		Operator        string
		Process, Number int
	}
	var got []made
	for _, p := range r.Passes {
		got = append(got, made{p.Operator, p.Process, p.Number})
	}
	want := []made{{"", 1, 1}, {"second", 3, 1}, {"second", 3, 2}, {"", 2, 1}, {"other", 4, 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("who made which (-want +got):\n%s", diff)
	}
}

func TestTheSentenceIsThatOfTheFirstConditionWithTheReason(t *testing.T) {
	s := time.Second
	look := func(at time.Duration, reason, message string) facts.Facts {
		return facts.Facts{At: at, ObjectsAt: at, EtcdConditions: []facts.Condition{{Type: "XProgressing", Reason: "Other"}, {Type: "YProgressing", Reason: reason, Message: message}}}
	}
	r := Recording{Facts: []facts.Facts{look(1*s, "A", "before"), look(3*s, "A", "first"), look(4*s, "A", "second"), look(90*s, "B", "late")}}
	for _, test := range []struct {
		reason string
		at     time.Duration
		want   string
	}{{"A", 2 * s, "first"}, {"A", 5 * s, ""}, {"B", 2 * s, ""}, {"B", 40 * s, "late"}, {"", 0, ""}} {
		if got := r.Told(test.reason, test.at); got != test.want {
			t.Errorf("%q at %s: %q, want %q", test.reason, test.at, got, test.want)
		}
	}
}

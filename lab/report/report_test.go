package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/oracle"
)

func TestEveryThingOfEveryHostHasALaneWithItsSpans(t *testing.T) {
	r := Build(replacement(), verdictOf())
	hooks := []string{facts.Hook}
	for _, tc := range []struct {
		host, kind string
		want       []Span
	}{
		{"m-1", HostLane, []Span{{From: 0, To: 14, State: NodeReady}}},
		{"m-4", HostLane, []Span{{From: 5, To: 16, State: NodeReady}}},
		{"m-1", MachineLane, []Span{
			{From: 0, To: 2, State: MachineRunning, Text: "Running", Hooked: true, Hooks: hooks}, {From: 2, To: 12, State: MachineDeleting, Text: "Running", Hooked: true, Hooks: hooks},
			{From: 12, To: 14, State: MachineDeleting, Text: "Running"},
		}},
		{"m-4", MachineLane, []Span{{From: 4, To: 5, State: MachineComing, Text: "Provisioning"}, {From: 5, To: 16, State: MachineRunning, Text: "Running", Hooked: true, Hooks: hooks}}},
		{"m-1", MemberLane, []Span{{From: 0, To: 10, State: MemberLeader}, {From: 10, To: 12, State: MemberVoter}}},
		{"m-3", MemberLane, []Span{{From: 0, To: 10, State: MemberVoter}, {From: 10, To: 12, State: MemberUnhealthy, Text: "it does not answer"}, {From: 12, To: 16, State: MemberVoter}}},
		{"m-4", MemberLane, []Span{{From: 5, To: 6, State: MemberUnstarted}, {From: 6, To: 8, State: MemberLearner}, {From: 8, To: 16, State: MemberVoter}}},
		{"m-3", GuardLane, []Span{{From: 0, To: 10, State: GuardReady}, {From: 10, To: 12, State: GuardNotReady}, {From: 12, To: 16, State: GuardReady}}},
		{"m-4", GuardLane, []Span{{From: 6, To: 16, State: GuardReady}}},
	} {
		if diff := cmp.Diff(tc.want, lane(t, r, tc.host, tc.kind).Spans); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", tc.kind, tc.host, diff)
		}
	}
	var names []string
	for _, h := range r.Hosts {
		names = append(names, h.Name)
	}
	if diff := cmp.Diff([]string{"m-1", "m-2", "m-3", "m-4"}, names); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
}

func TestHostsAreInTheOrderOfTheirNumbers(t *testing.T) {
	names := []string{"m-10", "m-9", "a", "m-2", "m", "m-x"}
	slices.SortFunc(names, natural)
	if diff := cmp.Diff([]string{"a", "m", "m-2", "m-9", "m-10", "m-x"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAMemberWithoutANameIsOnTheHostThatHasItsAddress(t *testing.T) {
	// Nobody ever saw its name: the Machine has it.
	r := recorded([]stage{{4 * second, "*1 2 3 .4", "1 2 3 4", 2}})
	if got := lane(t, Build(r, verdictOf()), "m-4", MemberLane).Spans[0].State; got != MemberUnstarted {
		t.Errorf("it is %s", got)
	}
	// Nobody has the address.
	r = recorded([]stage{{4 * second, "*1 2 3 .4", "1 2 3", 2}})
	lane(t, Build(r, verdictOf()), "10.0.0.4", MemberLane)
}

func TestTwoMembersOfOneHostHaveALaneEach(t *testing.T) {
	r := recorded([]stage{{4 * second, "*1 2 3", "1 2 3", 2}})
	for i := range r.Facts {
		if m := &r.Facts[i].Members[2]; r.Facts[i].At >= 2*second {
			m.ID = "another"
		}
	}
	report := Build(r, verdictOf())
	var got []string
	for _, l := range report.Hosts[2].Lanes {
		if l.Kind == MemberLane {
			got = append(got, fmt.Sprint(l.ID, " ", l.Spans[0].From, " ", l.Spans[0].To))
		}
	}
	if diff := cmp.Diff([]string{"id-m-3 0.0 s 2.0 s", "another 2.0 s 4.0 s"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatNobodySawIsSaidToBeUnseen(t *testing.T) {
	for name, change := range map[string]func(*history.Recording){
		"no looks": func(r *history.Recording) {
			r.Facts = slices.DeleteFunc(r.Facts, func(f facts.Facts) bool { return f.At >= 4*second && f.At < 9*second })
		},
		"no answers": func(r *history.Recording) {
			for i := range r.Facts {
				if f := &r.Facts[i]; f.At >= 4*second && f.At < 9*second {
					f.MembersProblem, f.Members = "nobody answers", nil
					f.ObjectsProblem, f.Nodes = "no API server", nil
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := recorded([]stage{{16 * second, "*1 2 3", "1 2 3", 2}})
			change(&r)
			report := Build(r, verdictOf())
			for kind, state := range map[string]string{MemberLane: MemberVoter, HostLane: NodeReady} {
				want := []Span{{From: 0, To: 5.75, State: state}, {From: 5.75, To: 9, State: Unseen}, {From: 9, To: 16, State: state}}
				if diff := cmp.Diff(want, lane(t, report, "m-2", kind).Spans); diff != "" {
					t.Errorf("%s (-want +got):\n%s", kind, diff)
				}
			}
			wantVoters := []VoterSpan{{From: 0, To: 5.75, Voters: 3, Healthy: 3, Quorum: 2, Desired: 3}, {From: 9, To: 16, Voters: 3, Healthy: 3, Quorum: 2, Desired: 3}}
			if diff := cmp.Diff(wantVoters, report.Voters); diff != "" {
				t.Errorf("voters (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("the end", func(t *testing.T) {
		r := recorded([]stage{{4 * second, "*1 2 3", "1 2 3", 2}})
		r.End.At = 10 * second
		want := []Span{{From: 0, To: 5.75, State: MemberVoter}, {From: 5.75, To: 10, State: Unseen}}
		if diff := cmp.Diff(want, lane(t, Build(r, verdictOf()), "m-2", MemberLane).Spans); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestVotersAndBudgetAreToldAsTheyChange(t *testing.T) {
	r := Build(replacement(), verdictOf())
	wantVoters := []VoterSpan{
		{From: 0, To: 5, Voters: 3, Healthy: 3, Quorum: 2, Desired: 3}, {From: 5, To: 8, Voters: 3, Healthy: 3, Quorum: 2, Learners: 1, Desired: 3},
		{From: 8, To: 10, Voters: 4, Healthy: 4, Quorum: 3, Desired: 3}, {From: 10, To: 12, Voters: 4, Healthy: 3, Quorum: 3, Desired: 3}, {From: 12, To: 16, Voters: 3, Healthy: 3, Quorum: 2, Desired: 3},
	}
	if diff := cmp.Diff(wantVoters, r.Voters); diff != "" {
		t.Errorf("voters (-want +got):\n%s", diff)
	}
	wantBudget := []BudgetSpan{
		{From: 0, To: 4, Exists: true, MinAvailable: 2, DisruptionsAllowed: 1, Current: true}, {From: 4, To: 8, Exists: true, MinAvailable: 3, Current: true},
		{From: 8, To: 12, Exists: true, MinAvailable: 4, Current: true}, {From: 12, To: 16, Exists: true, MinAvailable: 2, DisruptionsAllowed: 1, Current: true},
	}
	if diff := cmp.Diff(wantBudget, r.Budget); diff != "" {
		t.Errorf("budget (-want +got):\n%s", diff)
	}
}

func TestDecisionsLastFromPassToPassAndNoLongerThanTheirProcess(t *testing.T) {
	o := Build(replacement(), verdictOf()).Operator
	var got []Decision
	for _, d := range o.Decisions {
		if d.Core == "membership" {
			got = append(got, d)
		}
	}
	want := []Decision{
		{Kind: Rest, Action: "Wait", Rule: "R5", Reason: "MembershipAsExpected", From: -1, To: 3, Passes: 2, Process: 1},
		{Kind: Waits, Action: "Wait", Rule: "R6.3", Reason: "WaitingForReplacementVoter", Subject: "m-1", From: 3, To: 7.5, Passes: 2, Process: 1},
		{Kind: Act, Action: "PromoteLearner", Object: "m-4", Rule: "R5.2", Reason: "PromotingLearner", Subject: "m-4", From: 7.5, To: 9, Passes: 1, Process: 1},
		{Kind: Waits, Action: "Wait", Rule: "R6.3", Reason: "WaitingForReplacementVoter", Subject: "m-1", From: 10, To: 11.5, Passes: 1, Process: 2},
		{Kind: Act, Action: "RemoveMember", Object: "m-1", Rule: "R6.2", Reason: "RemovingReplacedMember", Subject: "m-1", Other: "m-1", From: 11.5, To: 14, Passes: 1, Process: 2},
		{Kind: Rest, Action: "Wait", Rule: "R5", Reason: "MembershipAsExpected", From: 14, To: 16, Passes: 1, Process: 2},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Decision{}, "Number", "Core", "Sentence", "Remedy", "Have", "Need")); diff != "" {
		t.Errorf("membership (-want +got):\n%s", diff)
	}
	if got, want := got[4].Sentence, "m-1 is removed: its Machine m-1 is deleting and the voters that remain suffice"; got != want {
		t.Errorf("sentence %q, want %q", got, want)
	}
	for i, d := range o.Decisions {
		if d.Number != i+1 {
			t.Errorf("decision %d has number %d", i+1, d.Number)
		}
	}
	wantProcesses := []Process{{PID: 11, From: 0, To: 9, CPU: 0.8, Peak: 1 << 20}, {PID: 12, From: 10, To: 16, CPU: 1.5, Peak: 1 << 20}}
	if diff := cmp.Diff(wantProcesses, o.Processes); diff != "" {
		t.Errorf("processes (-want +got):\n%s", diff)
	}
}

func TestWhatIsForemostOfACoreIsWhatItDoes(t *testing.T) {
	r := recorded(replaced)
	p := passed(second, 1, history.Wait, "", waiting)
	p.Membership.Refused = []history.MembershipRefusal{{Action: history.RemoveMember, Target: history.Target{Name: "m-1"}, Finding: waiting}}
	p.Hooks.Machines = []history.HookVerdict{
		{Machine: "m-2", Action: history.NoAction, Refused: history.NoAction, Finding: history.Finding{Rule: "R4.1", Reason: "HookInPlace", Subject: "m-2"}},
		{Machine: "m-1", Action: history.NoAction, Refused: history.RemoveHook, Finding: history.Finding{Rule: "R4.4", Reason: "HookHoldsMember", Subject: "m-1", Other: "m-1"}},
		{Machine: "m-4", Action: history.AddHook, Refused: history.NoAction, Finding: history.Finding{Rule: "R4.1", Reason: "AddingHook", Subject: "m-4"}},
	}
	p.Guard.Holds = []history.Finding{{Rule: "R7.2", Reason: "DrainsWaitForMachine", Subject: "m-4"}}
	p.Rollout.Create.Allowed, p.Rollout.Create.Finding = false, history.Finding{Rule: "R8.1", Reason: "WaitingForSpareVoter", Have: 2, Need: 3}
	r.Passes = []history.Pass{p}
	o := Build(r, verdictOf()).Operator
	foremost := map[string]string{}
	for _, c := range o.Cores {
		d := o.Decisions[c.Spans[0].Decision-1]
		foremost[c.Core] = d.Kind + " " + d.Reason
	}
	want := map[string]string{"membership": "wait WaitingForReplacementVoter", "hook": "act AddingHook", "budget": "rest OneDrainMayPass", "rollout": "wait WaitingForSpareVoter"}
	if diff := cmp.Diff(want, foremost); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var all []string
	for _, d := range o.Decisions {
		all = append(all, d.Core+" "+does(d))
	}
	wantAll := []string{"membership waits", "membership not: remove m-1", "hook as it should be", "hook not: hook off m-1", "hook hook onto m-4", "budget as it should be", "rollout as it should be", "drains no drain", "rollout not: Create"}
	if diff := cmp.Diff(wantAll, all); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
}

func TestTheSentencesAreThoseOfTheDocument(t *testing.T) {
	document, err := os.ReadFile("../../docs/reasons.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(document) != reasonsDocument {
		t.Error("lab/report/reasons.txt is not docs/reasons.md any more: run `go generate ./report` in lab/")
	}
	for word, r := range reasons {
		if r.meaning == "" || r.remedy == "" || strings.Contains(r.meaning+r.remedy, "*") {
			t.Errorf("%s: %+v", word, r)
		}
	}
	if len(reasons) != strings.Count(reasonsDocument, "\n| `") {
		t.Errorf("%d rows were read, there are %d", len(reasons), strings.Count(reasonsDocument, "\n| `"))
	}
	if meaning, remedy := sentence(history.Finding{Rule: "R1", Reason: "NobodyKnowsThis", Subject: "m"}); meaning != "NobodyKnowsThis m [R1]" || remedy != "" {
		t.Errorf("%q %q", meaning, remedy)
	}
}

func TestWritesAreToldByBucketAndGapsByLength(t *testing.T) {
	r := recorded([]stage{{10 * second, "*1 2 3", "1 2 3", 2}})
	r.Operations = slices.DeleteFunc(r.Operations, func(o history.Operation) bool { return o.Return > 3*second && o.Return < 4*second })
	for i := range r.Operations {
		o := &r.Operations[i]
		switch {
		case o.Call >= 5*second && o.Call < 6*second:
			o.Return = o.Call + 40*time.Millisecond
		case o.Call >= 8*second && o.Call < 8*second+100*time.Millisecond:
			o.Outcome = history.Unknown
		}
	}
	r.Operations = append(r.Operations, history.Operation{Kind: history.Get, Call: second, Return: second + 1, Outcome: history.Acknowledged})
	w := Build(r, verdictOf()).Writes
	if w.Bucket != 0.25 || w.Unknown != 10 || w.Reads != 1 || w.Acknowledged != 1000-100-10 {
		t.Errorf("bucket %v, %d unknown, %d reads, %d acknowledged", w.Bucket, w.Unknown, w.Reads, w.Acknowledged)
	}
	if want := []Gap{{From: 2.993, To: 4.003}}; !cmp.Equal(want, w.Gaps) || w.Longest != want[0] {
		t.Errorf("gaps %v, longest %v", w.Gaps, w.Longest)
	}
	byTime := map[Seconds]Latency{}
	for _, l := range w.Latencies {
		byTime[l.From] = l
	}
	for at, want := range map[Seconds]Latency{
		2: {From: 2, Writes: 25, Median: 0.003, Slowest: 0.003}, 3.5: {From: 3.5}, 5.25: {From: 5.25, Writes: 25, Median: 0.04, Slowest: 0.04}, 8: {From: 8, Writes: 15, Unknown: 10, Median: 0.003, Slowest: 0.003},
	} {
		if diff := cmp.Diff(want, byTime[at]); diff != "" {
			t.Errorf("at %s (-want +got):\n%s", at, diff)
		}
	}
	if w.Median != 0.003 || w.Slowest != 0.04 {
		t.Errorf("median %v, slowest %v", w.Median, w.Slowest)
	}
}

func TestEvictionsAreThoseOfTheAPIServerAndTheSameAreOne(t *testing.T) {
	r := replacement()
	ask := func(at time.Duration, pod string, code int) history.Request {
		return history.Request{At: at, User: "system:serviceaccount:ns:drainer", Verb: "create", Resource: "pods/eviction", Namespace: "openshift-etcd", Name: pod, Code: code}
	}
	r.Requests = []history.Request{ask(3*second, "guard-m-1", 429), ask(4*second, "guard-m-1", 429), ask(4*second, "another", 201), ask(5*second, "guard-m-1", 201), {At: 5 * second, Verb: "create", Resource: "pods", Code: 201}}
	r.Evictions = []history.Eviction{{At: 5 * second, Pod: "guard-m-1"}}
	got := Build(r, verdictOf()).Evictions
	want := []Eviction{
		{At: 3, Until: 4, Times: 2, Namespace: "openshift-etcd", Pod: "guard-m-1", By: "drainer"}, {At: 4, Until: 4, Times: 1, Namespace: "openshift-etcd", Pod: "another", By: "drainer", Granted: true},
		{At: 5, Until: 5, Times: 1, Namespace: "openshift-etcd", Pod: "guard-m-1", By: "drainer", Granted: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r.EvictionsWritten = false
	if got := Build(r, verdictOf()).Evictions; len(got) != 1 || got[0].By != "scenario" {
		t.Errorf("without the API server's word: %+v", got)
	}
}

func TestAnEtcdThatIsStartedAgainIsTold(t *testing.T) {
	r := replacement()
	for i := range r.Facts {
		for n := range r.Facts[i].Processes {
			if p := &r.Facts[i].Processes[n]; p.Member == "m-3" && r.Facts[i].At >= 12*second {
				p.PID, p.Began = 8, 2
			}
		}
	}
	if diff := cmp.Diff([]Restart{{At: 12, Host: "m-3"}}, Build(r, verdictOf()).Restarts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAFaultIsThatOfTheStepThatDoesHarm(t *testing.T) {
	r := replacement()
	at := 9 * second
	r.Steps = []history.Step{
		{Line: 4, Name: "run sleep 1", From: 8 * second, To: at}, {Line: 5, Name: "pause the operator", From: at, To: at},
		{Line: 6, Name: "run sleep 2", From: at, To: 12 * second}, {Line: 7, Name: "reboot m-3", From: 10 * second, To: 13 * second},
	}
	var got []int
	for _, f := range Build(r, verdictOf()).Faults {
		got = append(got, f.Step)
	}
	// The host m-3 is down, and then the operator.
	if diff := cmp.Diff([]int{4, 2}, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func TestAClaimKeepsItsTimes(t *testing.T) {
	got := Build(replacement(), verdictOf(
		oracle.Claim{Text: "a", Result: oracle.Broken, At: []time.Duration{-second / 2, 4*second + 10*time.Millisecond}},
		oracle.Claim{Text: "b", Result: oracle.NotProven, Evidence: "not at 12.5 s"},
	)).Verdict.Claims
	for i, want := range [][]Seconds{nil, {-0.5, 4.01}, nil} {
		if diff := cmp.Diff(want, got[i].At); diff != "" {
			t.Errorf("%s (-want +got):\n%s", got[i].Text, diff)
		}
	}
}

func TestTheVerdictIsThatOfTheWorstClaim(t *testing.T) {
	holds, broken, unproven := oracle.Claim{Text: "h", Result: oracle.Holds}, oracle.Claim{Text: "b", Result: oracle.Broken}, oracle.Claim{Text: "n", Result: oracle.NotProven}
	for _, tc := range []struct {
		claims []oracle.Claim
		want   oracle.Result
	}{
		{[]oracle.Claim{holds}, oracle.Holds}, {[]oracle.Claim{unproven, holds}, oracle.NotProven}, {[]oracle.Claim{unproven, broken, unproven}, oracle.Broken}, {nil, oracle.NotProven},
	} {
		if got := Build(replacement(), oracle.Verdict{Claims: tc.claims}).Verdict.Result; got != tc.want {
			t.Errorf("%v: %s, want %s", tc.claims, got, tc.want)
		}
	}
}

func TestTheCourseTellsWhoDidWhatInOrder(t *testing.T) {
	r := Build(replacement(), verdictOf(oracle.Claim{Text: "it is well", Rules: "I1", Result: oracle.Broken, Evidence: "not at 11.0 s", At: []time.Duration{11 * second}}))
	var got []string
	for _, m := range r.Course {
		got = append(got, fmt.Sprintf("%s %s: %s", m.At, m.By, m.What))
	}
	want := []string{
		"2.0 s scenario: delete machine m-1", "2.0 s cluster: Machine m-1 is deleting", "4.0 s cluster: Machine m-4 is there",
		"5.0 s cluster: Machine m-4 is Running", "5.0 s cluster: Machine m-4 has the hook", "5.0 s cluster: m-4 is a member: unstarted", "6.0 s cluster: m-4 has started: learner",
		"7.5 s operator: learner m-4 is promoted, which makes 4 voters", "8.0 s cluster: m-4 votes",
		"10.0 s scenario: partition m-3", "10.0 s cluster: m-2 leads", "10.0 s cluster: m-3 does not answer", "11.0 s verdict: broken: it is well [I1]",
		"11.5 s operator: m-1 is removed: its Machine m-1 is deleting and the voters that remain suffice",
		"12.0 s scenario: heal m-3", "12.0 s cluster: Machine m-1 is without the hook", "12.0 s cluster: m-1 is no member any more", "12.0 s cluster: m-3 answers again",
		"14.0 s cluster: Node m-1 is gone", "14.0 s cluster: Machine m-1 is gone",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestARecordingThatWasNotClosedIsTold(t *testing.T) {
	r := replacement()
	r.End, r.Complete, r.Defect = history.End{}, false, "it was not closed"
	report := Build(r, verdictOf())
	if report.Length < 15.7 || report.Length > 16.1 {
		t.Errorf("it lasts %v", report.Length)
	}
	if text := page1(t, report); !strings.Contains(text, "not complete: it was not closed") {
		t.Error("the page does not tell")
	}
	// The barest one there can be.
	if text := page1(t, Build(history.Recording{}, oracle.Verdict{})); !strings.Contains(text, "not proven") {
		t.Error("nothing at all is proven of an empty recording")
	}
}

func TestTheFilesHaveTheSameData(t *testing.T) {
	folder := write(t, replacement())
	recording, err := history.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	path, err := Write(folder, recording, verdictOf(oracle.Claim{Text: "it is well", Result: oracle.Broken, Evidence: "not at 11.0 s", At: []time.Duration{11 * second}}))
	if err != nil {
		t.Fatal(err)
	}
	html, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(folder, JSONFile))
	if err != nil {
		t.Fatal(err)
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if page1(t, r) != string(html) {
		t.Error("the page made of the JSON file is another one")
	}
	if got := lane(t, r, "m-4", MemberLane).Spans[0]; got.From != 5 || got.To != 6 {
		t.Errorf("times are not in seconds: %+v", got)
	}
	if strings.Contains(string(data), "null") {
		// A program that reads a list wants one, empty or not.
		t.Error("some list is null")
	}
}

func TestSecondsAreWrittenShort(t *testing.T) {
	for at, want := range map[Seconds][3]string{
		0: {"0", "0.0 s", "0.0 s"}, 12.34567: {"12.3457", "12.3 s", "12.3 s"}, 59.96: {"59.96", "1:00.0", "60.0 s"}, -0.54: {"-0.54", "−0.5 s", "−0.5 s"}, 605.25: {"605.25", "10:05.3", "10 min 5 s"}, -0.01: {"-0.01", "0.0 s", "0.0 s"},
	} {
		data, err := json.Marshal(at)
		if got := [3]string{string(data), at.String(), at.words()}; err != nil || got[0] != want[0] || got[1] != want[1] || at < 59 && got[2] != want[2] {
			t.Errorf("%v: %q, want %q (%v)", float64(at), got, want, err)
		}
	}
}

func TestTheDocumentNamesEveryField(t *testing.T) {
	document, err := os.ReadFile("../../docs/lab.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(document), "\n### The report\n")
	section, _, _ = strings.Cut(section, "\n## ")
	if !found {
		t.Fatal("docs/lab.md has no section about the report")
	}
	words := strings.FieldsFunc(section, func(r rune) bool { return !unicode.IsLetter(r) })
	var check func(of reflect.Type)
	check = func(of reflect.Type) {
		for of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || of == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range of.NumField() {
			field := of.Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !slices.Contains(words, name) {
				t.Errorf("field %s of %s is not in docs/lab.md", name, of.Name())
			}
			check(field.Type)
		}
	}
	check(reflect.TypeFor[Report]())
}

func TestAProcessLastsAsLongAsItIsSeenAlthoughItWasStoppedForAWhile(t *testing.T) {
	for name, test := range map[string]struct {
		down history.Interval
		// last is when usage was told last, next the process after it.
		last, next time.Duration
		want       Seconds
	}{
		"paused and resumed":                           {history.Interval{From: 3 * second, To: 5 * second}, 15 * second, 0, 16},
		"paused to the end":                            {history.Interval{From: 3 * second}, 15 * second, 0, 16},
		"killed after it was seen":                     {history.Interval{From: 9500 * time.Millisecond, To: 11 * second}, 9 * second, 11 * second, 9.5},
		"killed a moment before it was seen to end":    {history.Interval{From: 8900 * time.Millisecond, To: 11 * second}, 9 * second, 11 * second, 8.9},
		"told to end, which took it some time":         {history.Interval{From: 6 * second, To: 13 * second}, 9 * second, 13 * second, 9},
		"cut off from the API server, and ended later": {history.Interval{From: 2 * second, To: 15 * second}, 12 * second, 15 * second, 12},
	} {
		t.Run(name, func(t *testing.T) {
			r := recorded(replaced)
			test.down.What = history.OperatorDown
			r.Intervals = append(r.Intervals, test.down)
			for at := time.Duration(0); at <= test.last; at += second {
				r.Usages = append(r.Usages, history.Usage{At: at, PID: 11, Peak: 1})
			}
			if test.next > 0 {
				r.Usages = append(r.Usages, history.Usage{At: test.next, PID: 12, Peak: 1})
			}
			if got := Build(r, verdictOf()).Operator.Processes[0]; got.To != test.want {
				t.Errorf("it lasts to %v, want %v", got.To, test.want)
			}
		})
	}
}

package player

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

// newPlayer is one without a lab; its recording is in a folder of the test's.
func newPlayer(t *testing.T, text string) (p *Player, recording func() history.Recording) {
	t.Helper()
	parsed, err := scenario.Parse("f.yaml", []byte(text), 1)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	w, err := history.Create(folder, history.Start{})
	if err != nil {
		t.Fatal(err)
	}
	p = &Player{config: Config{File: "f.yaml"}, scenario: parsed, writer: w, teller: newTeller(io.Discard), looked: make(chan struct{}), random: scenario.Random(1, "steps")}
	return p, func() history.Recording {
		t.Helper()
		if err := w.Close(""); err != nil {
			t.Fatal(err)
		}
		r, err := history.Read(folder)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// blind is the number of voters of a look that saw nobody.
const blind = -1

// voters is a look with that many.
func voters(at time.Duration, n int) facts.Facts {
	f := facts.Facts{At: at, Desired: 3}
	if n == blind {
		f.MembersProblem, n = "no member answered", 0
	}
	for range n {
		f.Members = append(f.Members, facts.Member{Voter: true, Healthy: true})
	}
	return f
}

func TestAnAssertionCountsOnceAndAfterItsGrace(t *testing.T) {
	p, recording := newPlayer(t, "name: s\nalways:\n- {name: now, that: voters == 3}\n- {name: later, that: voters == 3, grace: 2s}\n- {name: lenient, that: voters == 3, grace: 5s}\nsteps: [{cordon: {node: a}}]\n")
	for _, a := range p.scenario.Always {
		p.begin(a)
	}
	for i, n := range []int{blind, 2, 2, 2, 2, 3, blind, 3} {
		p.look(voters(time.Duration(i)*time.Second, n))
	}
	if err := p.brokenAssertion(); err == nil || !strings.Contains(err.Error(), "f.yaml:3: it did not always hold: now") {
		t.Errorf("error is %v", err)
	}
	want := []history.Failure{
		{At: 1 * time.Second, Line: 3, Name: "now", Text: "voters == 3"},
		{At: 3 * time.Second, Line: 4, Name: "later", Text: "voters == 3"},
	}
	if diff := cmp.Diff(want, recording().Failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}

func TestAnAssertionThatIsReleasedIsNotAskedAnyMore(t *testing.T) {
	p, recording := newPlayer(t, "name: s\nsteps:\n- assert: {name: x, that: voters == 3}\n- release: {name: x}\n")
	ctx := context.Background()
	for _, step := range p.scenario.Steps {
		p.look(voters(0, 3))
		if err := p.do(ctx, ctx, step); err != nil {
			t.Fatal(err)
		}
	}
	p.look(voters(0, 2))
	if err := p.brokenAssertion(); err != nil || len(recording().Failures) > 0 {
		t.Errorf("error is %v", err)
	}
}

func TestWaitHoldAndExpect(t *testing.T) {
	for name, test := range map[string]struct {
		step  string
		looks []int
		want  string
	}{
		"wait ends with the look that holds":      {"wait: {until: voters == 3}", []int{2, 2, 3}, ""},
		"wait fails after its deadline":           {"wait: {until: voters == 3, within: 50ms}", []int{2, 2, 2}, "not so within 50ms: voters == 3"},
		"wait tells why it could not be asked":    {"wait: {until: 'members[7].voter', within: 50ms}", []int{2}, "out of range"},
		"hold holds":                              {"hold: {that: voters == 3, for: 50ms}", []int{3, 3, 3}, ""},
		"hold passes over a look that saw nobody": {"hold: {that: voters == 3, for: 50ms}", []int{3, blind, 3}, ""},
		"hold fails with the look that does not":  {"hold: {that: voters == 3, for: 10s}", []int{3, 3, 2}, "did not hold all the time: voters == 3"},
		"expect is asked at once":                 {"expect: {that: voters == 3}", []int{2}, "not so: voters == 3"},
		"expect with a deadline is waited for":    {"expect: {that: voters == 3, within: 10s}", []int{2, 3}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := newPlayer(t, "name: s\nsteps:\n- "+test.step+"\n")
			p.look(voters(0, test.looks[0]))
			done := make(chan error, 1)
			go func() { done <- p.do(context.Background(), context.Background(), p.scenario.Steps[0]) }()
			for i, n := range test.looks[1:] {
				select {
				case err := <-done:
					done <- err
				case <-time.After(2 * time.Millisecond):
					p.look(voters(time.Duration(i+1)*time.Second, n))
				}
			}
			err := <-done
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %q", err, test.want)
			}
		})
	}
}

func TestExpectAnEventOrACondition(t *testing.T) {
	p, _ := newPlayer(t, "name: s\nsteps: [{cordon: {node: a}}]\n")
	p.event(facts.Event{Reason: "MemberRemove", Object: "Machine/a", Message: "removed a for good"})
	p.look(facts.Facts{
		EtcdConditions:     []facts.Condition{{Type: "T", Status: "True", Reason: "R", Message: "because of it"}},
		OperatorConditions: []facts.Condition{{Type: "Degraded", Status: "False"}},
	})
	for text, want := range map[string]bool{
		"event: {reason: MemberRemove}":                                        true,
		"event: {reason: MemberRemove, object: Machine/a, contains: for good}": true,
		"event: {reason: MemberAdd}":                                           false,
		"event: {reason: MemberRemove, object: Machine/b}":                     false,
		"event: {object: Machine/a, contains: nothing}":                        false,
		"condition: {type: T, status: 'True', reason: R, contains: because}":   true,
		"condition: {type: T, status: 'False'}":                                false,
		"condition: {type: T, reason: S}":                                      false,
		"condition: {type: Degraded}":                                          false,
		"condition: {on: clusteroperator, type: Degraded, status: 'False'}":    true,
	} {
		s, err := scenario.Parse("f", []byte("name: s\nsteps:\n- expect: {within: 20ms, "+text+"}\n"), 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.do(context.Background(), context.Background(), s.Steps[0]); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAKilledEtcdIsDownUntilAnotherOneAnswers(t *testing.T) {
	p, recording := newPlayer(t, "name: s\nsteps: [{cordon: {node: a}}]\n")
	look := func(at time.Duration, pid int, healthy bool) facts.Facts {
		return facts.Facts{
			At: at, MembersAt: at + time.Millisecond, Processes: []facts.Process{{Member: "a", PID: pid}},
			Members: []facts.Member{{Name: "a", Voter: true, Healthy: healthy}},
		}
	}
	before := look(time.Second, 7, true)
	p.look(before)
	p.writer.Interval(history.Interval{From: 2 * time.Second, What: history.HostDown, Subject: "a"})
	for _, f := range []facts.Facts{look(3*time.Second, 7, true), look(4*time.Second, 0, false), look(5*time.Second, 8, false)} {
		p.look(f)
		if startedAgain(before, f, "a") {
			t.Errorf("in the look of %s it is taken for started again", f.At)
		}
	}
	ended := make(chan struct{})
	go func() { p.untilStartedAgain(context.Background(), before, "a"); close(ended) }()
	p.look(look(6*time.Second, 8, true))
	<-ended
	want := []history.Interval{{From: 2 * time.Second, To: 6*time.Second + time.Millisecond, What: history.HostDown, Subject: "a"}}
	if diff := cmp.Diff(want, recording().Intervals); diff != "" {
		t.Errorf("intervals (-want +got):\n%s", diff)
	}
}

func TestARequestIsRepeatedUntilThereIsAnAnswer(t *testing.T) {
	p, _ := newPlayer(t, "name: s\nsteps: [{cordon: {node: a}}]\n")
	resource := schema.GroupResource{Resource: "machines"}
	for name, test := range map[string]struct {
		answers []error
		calls   int
		fails   bool
	}{
		"yes":                               {[]error{nil}, 1, false},
		"no":                                {[]error{apierrors.NewForbidden(resource, "a", nil)}, 1, true},
		"nobody there, then yes":            {[]error{errors.New("connection refused"), nil}, 2, false},
		"a conflict, then yes":              {[]error{apierrors.NewConflict(resource, "a", nil), nil}, 2, false},
		"there already, from somebody else": {[]error{apierrors.NewAlreadyExists(resource, "a")}, 1, true},
		"there already, since the answer to the first attempt was lost": {[]error{errors.New("reset"), apierrors.NewAlreadyExists(resource, "a")}, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			err := p.api(context.Background(), func(context.Context) error {
				calls++
				return test.answers[calls-1]
			})
			if calls != test.calls || (err != nil) != test.fails {
				t.Errorf("%d calls, error %v", calls, err)
			}
		})
	}
}

func TestMergingInstallConfig(t *testing.T) {
	document := map[string]any{"controlPlane": map[string]any{"replicas": 3, "name": "master"}, "a": 1}
	got := merge(document, map[string]any{"controlPlane": map[string]any{"replicas": 5}, "a": nil, "b": map[string]any{"c": 1}})
	want := map[string]any{"controlPlane": map[string]any{"replicas": 5, "name": "master"}, "b": map[string]any{"c": 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
}

func TestEndpointsOfTheEnvironment(t *testing.T) {
	if got := endpointsOf("https://10.0.0.1:2379,https://[fd00:199::b]:2379"); !slices.Equal(got, []string{"10.0.0.1", "fd00:199::b"}) {
		t.Errorf("endpoints are %v", got)
	}
	if got := endpointsOf(""); got != nil {
		t.Errorf("endpoints of nothing are %v", got)
	}
}

func TestWhatTheKernelTellsOfAProcess(t *testing.T) {
	stat := []byte("42 (a) b (c)) S 1 42 42 0 -1 4194560 100 0 0 0 123 77 0 0 20 0 9 0 1 2 3")
	got, err := parseUsage(42, stat, []byte("Name:\tx\nVmHWM:\t   51200 kB\nVmRSS:\t 1 kB\n"))
	if want := (history.Usage{PID: 42, CPU: 2 * time.Second, Peak: 50 << 20}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for name, test := range map[string]struct{ stat, status string }{
		"a process that has ended": {string(stat), "Name:\tx\n"},
		"half a line":              {"42 (x) S 1", "VmHWM:\t   51200 kB\n"},
		"a time that is none":      {"42 (x) S 1 42 42 0 -1 4194560 100 0 0 0 x 77 0", "VmHWM:\t   51200 kB\n"},
	} {
		if got, err := parseUsage(42, []byte(test.stat), []byte(test.status)); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	own, err := readUsage(os.Getpid())
	if err != nil || own.Peak < 1<<20 {
		t.Errorf("of this process: %+v, %v", own, err)
	}
}

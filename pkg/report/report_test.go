package report_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	operatorv1 "github.com/openshift/api/operator/v1"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

var (
	epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	// stale is a finding with a deadline of 60 minutes, alarm one that is due at once, spare one that never is.
	stale = reason.Finding{Rule: reason.R6_3, Reason: reason.WaitingForReplacementVoter, Subject: "node-a", Have: 2, Need: 3}
	alarm = reason.Finding{Rule: reason.R10_1, Reason: reason.MemberOutOfSpace, Subject: "node-b"}
	spare = reason.Finding{Rule: reason.R5_2, Reason: reason.EnoughVoters, Subject: "node-e", Have: 4, Need: 4}
)

func changed(f reason.Finding, change func(*reason.Finding)) reason.Finding {
	change(&f)
	return f
}

func TestDeadlines(t *testing.T) {
	type judged struct {
		after    time.Duration
		findings []reason.Finding
		blind    bool
		want     []reason.Finding
	}
	only := func(f ...reason.Finding) []reason.Finding { return f }
	for name, passes := range map[string][]judged{
		"a safe wait is due when its deadline is over and not before": {
			{0, only(stale), false, nil}, {time.Hour - time.Nanosecond, only(stale), false, nil}, {time.Nanosecond, only(stale), false, only(stale)},
		},
		"what is due at once is due in the first pass, and what has no deadline never is": {
			{0, only(alarm, spare), false, only(alarm)}, {240 * time.Hour, only(alarm, spare), false, only(alarm)},
		},
		"a wait that was not found in one pass starts anew": {
			{0, only(stale), false, nil}, {50 * time.Minute, nil, false, nil}, {15 * time.Minute, only(stale), false, nil}, {time.Hour, only(stale), false, only(stale)},
		},
		"a pass that saw nothing does not end a wait": {
			{0, only(stale), false, nil}, {50 * time.Minute, nil, true, nil}, {15 * time.Minute, only(stale), false, only(stale)},
		},
		"what is due stays so in a pass that saw nothing": {
			{0, only(stale), false, nil}, {time.Hour, only(alarm), true, only(alarm, stale)}, {0, only(alarm), false, only(alarm)},
		},
		"counts that change do not start the deadline anew": {
			{0, only(stale), false, nil},
			{time.Hour, only(changed(stale, func(f *reason.Finding) { f.Have = 1 })), false, only(changed(stale, func(f *reason.Finding) { f.Have = 1 }))},
		},
		"another subject and another Reason have deadlines of their own": {
			{0, only(stale), false, nil},
			{time.Hour, only(changed(stale, func(f *reason.Finding) { f.Subject = "node-b" })), false, nil},
			{time.Hour, only(changed(stale, func(f *reason.Finding) { f.Reason, f.Subject = reason.WaitingForRemainingVoters, "node-b" })), false, nil},
		},
		"a finding that is given twice is due once": {
			{0, only(alarm, alarm), false, only(alarm)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			clock := clocktesting.NewFakePassiveClock(epoch)
			deadlines := report.NewDeadlines(clock)
			for i, p := range passes {
				clock.SetTime(clock.Now().Add(p.after))
				if diff := cmp.Diff(p.want, deadlines.Judge(p.findings, p.blind)); diff != "" {
					t.Errorf("pass %d (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}

func TestAConditionSaysWhatIsSoAndWhatWouldUnblockItSortedAndOnce(t *testing.T) {
	got := report.True("XDegraded", append(report.LinesOf([]reason.Finding{stale, alarm, stale}), report.Errors(nil, errors.New("read it"))...))
	want := operatorv1.OperatorCondition{
		Type: "XDegraded", Status: operatorv1.ConditionTrue, Reason: "WaitingForReplacementVoter",
		Message: "node-b has alarm NOSPACE: it accepts no writes (to unblock: compact and defragment etcd, then disarm the alarm)\n" +
			"read it\n" +
			"without node-a, 2 voters would remain and 3 are desired (to unblock: create a replacement control-plane Machine; its member must become a voter first (a learner does not count))",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unexpected condition (-want +got):\n%s", diff)
	}
	if got := report.True("XDegraded", nil); got.Status != operatorv1.ConditionFalse || got.Reason != report.AsExpected || got.Message != "" {
		t.Errorf("without lines: got %+v", got)
	}
	if got, want := report.Sentence(reason.Finding{Reason: reason.RevisionsCurrent, Have: 4}), "every node runs revision 4"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestConditionsAreWrittenOnlyWhenTheyChange(t *testing.T) {
	writes := 0
	client := v1helpers.NewFakeOperatorClient(&operatorv1.OperatorSpec{}, &operatorv1.OperatorStatus{Conditions: []operatorv1.OperatorCondition{
		{Type: "OthersDegraded", Status: operatorv1.ConditionTrue},
	}}, nil)
	conditions := report.NewConditions(client, "manager")
	write := func(want bool, all ...operatorv1.OperatorCondition) {
		t.Helper()
		wrote, err := conditions.Write(t.Context(), all...)
		if err != nil || wrote != want {
			t.Errorf("write %d: wrote %t, %v; want %t", writes, wrote, err, want)
		}
		writes++
	}
	well, ill := report.True("XDegraded", nil), report.True("XDegraded", []report.Line{{Reason: "R", Text: "one"}})
	worse := report.True("XDegraded", []report.Line{{Reason: "R", Text: "two"}})
	write(true, well)
	write(false, well)
	write(true, ill)
	write(false, ill)
	write(true, worse)
	write(true, well, report.True("XProgressing", nil))
	_, status, _, _ := client.GetOperatorState()
	if c := v1helpers.FindOperatorCondition(status.Conditions, "OthersDegraded"); c == nil {
		t.Error("another controller's condition is gone")
	}
}

// A cache that is behind shows what was so before the last write, and that must not count as what is so.
func TestAConditionIsWrittenAgainWhenOnlyAnOldCacheShowsIt(t *testing.T) {
	cache := &operatorv1.OperatorStatus{}
	client := &behind{OperatorClient: v1helpers.NewFakeOperatorClient(&operatorv1.OperatorSpec{}, &operatorv1.OperatorStatus{}, nil), cache: cache}
	conditions := report.NewConditions(client, "manager")
	well, ill := report.True("XDegraded", nil), report.True("XDegraded", []report.Line{{Reason: "R", Text: "one"}})
	cache.Conditions = []operatorv1.OperatorCondition{well}
	for i, next := range []operatorv1.OperatorCondition{ill, well} {
		if wrote, err := conditions.Write(t.Context(), next); !wrote || err != nil {
			t.Errorf("write %d: wrote %t, %v", i, wrote, err)
		}
	}
}

type behind struct {
	v1helpers.OperatorClient
	cache *operatorv1.OperatorStatus
}

func (b *behind) GetOperatorState() (*operatorv1.OperatorSpec, *operatorv1.OperatorStatus, string, error) {
	return &operatorv1.OperatorSpec{}, b.cache, "", nil
}

func TestOnlyAManagedOperatorWrites(t *testing.T) {
	for state, want := range map[operatorv1.ManagementState]bool{
		operatorv1.Managed: true, "": true, operatorv1.Force: true, operatorv1.Unmanaged: false, operatorv1.Removed: false,
	} {
		client := v1helpers.NewFakeOperatorClient(&operatorv1.OperatorSpec{ManagementState: state}, &operatorv1.OperatorStatus{}, nil)
		if got, err := report.Managed(client); got != want || err != nil {
			t.Errorf("%q: got %t, %v", state, got, err)
		}
	}
}

func TestAnEventAboutAMachineIsOnThatMachine(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(epoch)
	operator := events.NewInMemoryRecorder("etcd-operator", clock)
	kube := fake.NewClientset()
	all := report.NewEvents(operator, kube.CoreV1(), clock)
	all.About(&snapshot.Machine{Name: "machine-a", UID: "uid-a"}).Event("MemberRemove", "node-a is removed")
	all.About(nil).Event("MemberRemove", "node-b is removed")

	onMachines, err := kube.CoreV1().Events("openshift-machine-api").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(onMachines.Items) != 1 {
		t.Fatalf("got %v, %v; want one event", onMachines, err)
	}
	e := onMachines.Items[0]
	if o := e.InvolvedObject; o.Kind != "Machine" || o.Name != "machine-a" || o.UID != "uid-a" || o.Namespace != "openshift-machine-api" || o.APIVersion != "machine.openshift.io/v1beta1" {
		t.Errorf("the event is on %+v", o)
	}
	if e.Message != "node-a is removed" || e.Source.Component != "etcd-operator" {
		t.Errorf("got %+v", e)
	}
	if got := operator.Events(); len(got) != 1 || got[0].Message != "node-b is removed" {
		t.Errorf("got %v on the operator", got)
	}
}

func TestAChangeIsToldOnceAndAtMostOnceInEveryPause(t *testing.T) {
	type say = map[string]string
	type fresh = map[string]bool
	clock := clocktesting.NewFakePassiveClock(epoch)
	changes := report.NewChanges(clock, 5*time.Minute)
	for i, p := range []struct {
		after   time.Duration
		current say
		want    fresh
	}{
		{0, say{"a": "x"}, fresh{"a": true}},
		{time.Minute, say{"a": "x", "b": "x"}, fresh{"b": true}},
		{time.Minute, say{"a": "y", "b": "x"}, fresh{}},
		{2*time.Minute + 59*time.Second, say{"a": "y", "b": "x"}, fresh{}},
		{time.Second, say{"a": "y", "b": "x"}, fresh{"a": true}},
		{time.Hour, say{"a": "y"}, fresh{}},
		{time.Minute, say{}, fresh{}},
		{time.Minute, say{"a": "y", "b": "x"}, fresh{"a": true, "b": true}},
		{time.Minute, say{}, fresh{}},
		{time.Minute, say{"a": "z"}, fresh{}},
	} {
		clock.SetTime(clock.Now().Add(p.after))
		if diff := cmp.Diff(p.want, changes.New(p.current)); diff != "" {
			t.Errorf("pass %d (-want +got):\n%s", i, diff)
		}
	}
}

package observe

import (
	"testing"
	"time"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// observer runs passes against a clock that only the test moves.
type observer struct {
	now    time.Time
	memory *Memory
}

func newObserver() *observer {
	o := &observer{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	o.memory = NewMemory(func() time.Time { return o.now })
	return o
}

func (o *observer) pass(after time.Duration, p Pass) snapshot.Snapshot {
	o.now = o.now.Add(after)
	s, _ := Snapshot(p, o.memory)
	return s
}

func TestUnhealthyForCountsConsecutiveObservations(t *testing.T) {
	const yes, no = snapshot.True, snapshot.False
	down := Pass{Etcd: three(no, yes, yes)}
	up := Pass{Etcd: three(yes, yes, yes)}
	dark := Pass{Etcd: three(no, no, yes)}
	gone := Pass{Etcd: Etcd{MemberList: yes, Members: three(no, yes, yes).Members[1:], Probes: three(no, yes, yes).Probes[1:]}}
	type step struct {
		after time.Duration
		pass  Pass
		want  time.Duration
	}
	for name, steps := range map[string][]step{
		"the first observation is the start":                     {{0, down, 0}, {15 * time.Second, down, 15 * time.Second}, {time.Minute, down, 75 * time.Second}},
		"an answer in between starts it again":                   {{0, down, 0}, {30 * time.Second, up, 0}, {30 * time.Second, down, 0}, {time.Second, down, time.Second}},
		"an unknown in between starts it again":                  {{0, down, 0}, {30 * time.Second, dark, 0}, {30 * time.Second, down, 0}},
		"a list without the member in between starts it again":   {{0, down, 0}, {30 * time.Second, gone, 0}, {30 * time.Second, down, 0}},
		"passes that are too far apart are not consecutive":      {{0, down, 0}, {MaxGap, down, MaxGap}, {MaxGap + 1, down, 0}, {time.Second, down, time.Second}},
		"a pass that could not read the members starts it again": {{0, down, 0}, {30 * time.Second, Pass{}, 0}, {30 * time.Second, down, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newObserver()
			for i, step := range steps {
				var got time.Duration
				if s := o.pass(step.after, step.pass); len(s.Members) == 3 {
					got = s.Members[0].UnhealthyFor
				}
				if got != step.want {
					t.Errorf("pass %d: unhealthy for %v, want %v", i+1, got, step.want)
				}
			}
		})
	}
}

func TestStalledForEndsWithProgress(t *testing.T) {
	learner := func(started bool, applied uint64) Pass {
		e := three(snapshot.True)
		e.Members[0].Learner = true
		if !started {
			e.Members[0].ClientURLs = nil
		}
		e.Probes[0].Status = &Status{AppliedIndex: applied}
		return Pass{Etcd: e}
	}
	o := newObserver()
	for i, step := range []struct {
		pass Pass
		want time.Duration
	}{
		{learner(false, 0), 0},
		{learner(false, 0), time.Minute},
		{learner(true, 10), 0},
		{learner(true, 10), time.Minute},
		{learner(true, 0), 2 * time.Minute},
		{learner(true, 9), 3 * time.Minute},
		{learner(true, 11), 0},
	} {
		if got := o.pass(time.Minute, step.pass).Members[0].StalledFor; got != step.want {
			t.Errorf("pass %d: stalled for %v, want %v", i+1, got, step.want)
		}
	}
	o.pass(time.Minute, Pass{Etcd: Etcd{MemberList: snapshot.True}})
	if got := o.pass(time.Minute, learner(true, 5)).Members[0].StalledFor; got != 0 {
		t.Errorf("of a member that was gone something was kept: stalled for %v", got)
	}
}

func TestUnclaimedForCountsWhileNobodyHasTheAddress(t *testing.T) {
	alone := Pass{Etcd: three(snapshot.True), Objects: Objects{
		ClusterVersion: clusterVersion(), Machines: Listed[machinev1beta1.Machine](nil), Nodes: Listed[corev1.Node](nil), OtherNodes: Listed[corev1.Node](nil),
	}}
	unread := alone
	unread.Objects.OtherNodes = List[corev1.Node]{}
	o := newObserver()
	for i, step := range []struct {
		pass Pass
		want time.Duration
	}{{alone, 0}, {alone, time.Minute}, {unread, 0}, {alone, 0}, {alone, time.Minute}} {
		if got := o.pass(time.Minute, step.pass).Members[0].UnclaimedFor; got != step.want {
			t.Errorf("pass %d: unclaimed for %v, want %v", i+1, got, step.want)
		}
	}
}

func TestWithoutAClockAllThatIsSoHasLasted(t *testing.T) {
	e := three(snapshot.False, snapshot.True, snapshot.True)
	e.Members = append(e.Members, Member{ID: 8, Learner: true}, Member{ID: 9, Name: "l", ClientURLs: []string{"x"}, Learner: true})
	s := convert(Pass{Etcd: e})
	for i, want := range []time.Duration{Elapsed, 0, 0} {
		if s.Members[i].UnhealthyFor != want {
			t.Errorf("member %d is unhealthy for %v, want %v", i, s.Members[i].UnhealthyFor, want)
		}
	}
	if s.Members[3].StalledFor != Elapsed || s.Members[4].StalledFor != 0 {
		t.Errorf("an unstarted learner stalls for %v, a started one for %v", s.Members[3].StalledFor, s.Members[4].StalledFor)
	}
}

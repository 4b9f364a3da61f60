package pass_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// observer sees what a test sets.
type observer struct {
	mu      sync.Mutex
	sees    snapshot.Snapshot
	faults  []error
	takes   time.Duration
	looks   []time.Time
	changed func()
	// during runs in each observation.
	during func()
}

func (o *observer) OnChange(changed func()) { o.changed = changed }

func (o *observer) Observe(ctx context.Context) observe.Observation {
	o.mu.Lock()
	o.looks = append(o.looks, time.Now())
	sees, faults, takes, during := o.sees, o.faults, o.takes, o.during
	o.mu.Unlock()
	if during != nil {
		during()
	}
	if takes > 0 {
		select {
		case <-time.After(takes):
		case <-ctx.Done():
		}
	}
	sees.Machines = append([]snapshot.Machine(nil), sees.Machines...)
	return observe.Observation{Snapshot: sees, Faults: faults, Endpoints: []string{"https://192.0.2.10:2379"}}
}

func (o *observer) see(s snapshot.Snapshot) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sees = s
}

// since returns when looks were taken, and forgets them.
func (o *observer) since(t time.Time) []time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	var at []time.Duration
	for _, look := range o.looks {
		at = append(at, look.Sub(t))
	}
	o.looks = nil
	return at
}

// run runs a Loop in a bubble where time passes only while everybody waits.
func run(t *testing.T, config pass.LoopConfig, o *observer, test func(t *testing.T, loop *pass.Loop)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		config.Observer, config.Clock = o, clock.RealClock{}
		loop := pass.NewLoop(config)
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { loop.Run(ctx) })
		test(t, loop)
		cancel()
		running.Wait()
	})
}

func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

const s = time.Second

func TestThePaceFollowsWhatIsInFlight(t *testing.T) {
	for name, test := range map[string]struct {
		sees snapshot.Snapshot
		pace time.Duration
	}{
		"at rest":                      {world.New(), pass.Idle},
		"a learner":                    {world.New(world.Learner(world.D)), pass.Busy},
		"an unstarted member":          {world.New(world.Learner(world.D), world.Member(world.D, func(m *snapshot.Member) { m.Started, m.Learner = false, false })), pass.Busy},
		"a member waits to be added":   {world.New(world.Waiting(world.D)), pass.Busy},
		"a machine deleting":           {world.New(world.Deleting(world.A)), pass.Busy},
		"a machine without its hook":   {world.New(world.Machine(world.A, func(m *snapshot.Machine) { m.Hook = snapshot.HookMissing })), pass.Busy},
		"an unhealthy member":          {world.New(world.Unhealthy(world.B, s)), pass.Busy},
		"a member of unknown health":   {world.New(world.Member(world.B, func(m *snapshot.Member) { m.Health = snapshot.HealthUnknown })), pass.Busy},
		"an install":                   {world.New(world.Status(world.A, func(n *snapshot.NodeStatus) { n.Target = 1 })), pass.Busy},
		"a new revision":               {world.New(world.Facts(func(s *snapshot.Snapshot) { s.LatestRevision = 2 })), pass.Busy},
		"a guard to make":              {world.New(world.GuardGone(world.C)), pass.Busy},
		"a budget to set":              {world.New(world.Facts(func(s *snapshot.Snapshot) { s.Budget.MinAvailable = 1 })), pass.Busy},
		"no member list":               {world.New(world.Facts(func(s *snapshot.Snapshot) { s.MemberList, s.Members = snapshot.Unknown, nil })), pass.Busy},
		"nodes are unknown":            {world.New(world.Facts(func(s *snapshot.Snapshot) { s.NodeList = snapshot.Unknown })), pass.Busy},
		"a Machine API that is absent": {world.New(world.NoMachineAPI()), pass.Idle},
	} {
		t.Run(name, func(t *testing.T) {
			o := &observer{sees: test.sees}
			run(t, pass.LoopConfig{}, o, func(t *testing.T, _ *pass.Loop) {
				began := time.Now()
				after(2*time.Minute + s)
				var want []time.Duration
				for at := time.Duration(0); at <= 2*time.Minute; at += test.pace {
					want = append(want, at)
				}
				if diff := cmp.Diff(want, o.since(began)); diff != "" {
					t.Errorf("unexpected passes (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestASlowObservationDoesNotShiftThePace(t *testing.T) {
	o := &observer{sees: world.New(), takes: 5 * s}
	run(t, pass.LoopConfig{}, o, func(t *testing.T, _ *pass.Loop) {
		began := time.Now()
		after(2*time.Minute + s)
		if diff := cmp.Diff([]time.Duration{0, time.Minute, 2 * time.Minute}, o.since(began)); diff != "" {
			t.Errorf("unexpected passes (-want +got):\n%s", diff)
		}
	})
}

func TestChangesWakeTheLoopButNeverMoreThanOnceASecond(t *testing.T) {
	o := &observer{sees: world.New()}
	run(t, pass.LoopConfig{}, o, func(t *testing.T, loop *pass.Loop) {
		began := time.Now()
		after(10 * s)
		o.changed()
		o.changed()
		loop.LookAgain()
		after(5 * s)
		for range 30 {
			o.changed()
			after(100 * time.Millisecond)
		}
		after(5 * s)
		want := []time.Duration{0, 10 * s, 15 * s, 16 * s, 17 * s, 18 * s}
		if diff := cmp.Diff(want, o.since(began)); diff != "" {
			t.Errorf("unexpected passes (-want +got):\n%s", diff)
		}
	})
}

func TestWhatChangesDuringAPassCausesAnother(t *testing.T) {
	o := &observer{sees: world.New(), takes: 3 * s}
	run(t, pass.LoopConfig{}, o, func(t *testing.T, loop *pass.Loop) {
		began := time.Now()
		after(s)
		loop.LookAgain()
		after(30 * s)
		if diff := cmp.Diff([]time.Duration{0, 4 * s}, o.since(began)); diff != "" {
			t.Errorf("unexpected passes (-want +got):\n%s", diff)
		}
	})
}

func TestPassesArePublishedInOrder(t *testing.T) {
	fault := errors.New("something could not be read")
	o := &observer{sees: world.New(), faults: []error{fault}}
	run(t, pass.LoopConfig{}, o, func(t *testing.T, loop *pass.Loop) {
		if loop.Latest() != nil || !loop.LastFinished().IsZero() {
			t.Error("there is a pass before the first")
		}
		var seen []uint64
		loop.Subscribe(func() { seen = append(seen, loop.Latest().Number) })
		after(s)
		o.see(world.New(world.Deleting(world.A)))
		loop.LookAgain()
		synctest.Wait()
		loop.Subscribe(func() { seen = append(seen, 100+loop.Latest().Number) })
		if diff := cmp.Diff([]uint64{1, 2, 102}, seen); diff != "" {
			t.Errorf("unexpected notices (-want +got):\n%s", diff)
		}
		p := loop.Latest()
		if len(p.Faults) != 1 || !errors.Is(p.Faults[0], fault) || len(p.Endpoints) != 1 {
			t.Errorf("faults %v, endpoints %v", p.Faults, p.Endpoints)
		}
		if diff := cmp.Diff(decision.About(world.New(world.Deleting(world.A))), p.Decisions, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
			t.Errorf("unexpected decisions (-want +got):\n%s", diff)
		}
		if !loop.LastFinished().Equal(time.Now()) || !loop.LastBegan().Equal(time.Now()) {
			t.Errorf("began %s, finished %s, want now", loop.LastBegan(), loop.LastFinished())
		}
	})
}

func TestAPassThatHangsShowsAndEnds(t *testing.T) {
	o := &observer{sees: world.New(), takes: time.Hour}
	run(t, pass.LoopConfig{}, o, func(t *testing.T, loop *pass.Loop) {
		began := time.Now()
		after(pass.Limit - s)
		if !loop.LastBegan().Equal(began) || !loop.LastFinished().IsZero() {
			t.Errorf("began %s, finished %s", loop.LastBegan(), loop.LastFinished())
		}
		after(2 * s)
		if p := loop.Latest(); p == nil {
			t.Error("no pass was published after its limit")
		}
	})
}

func TestALoopThatIsStoppedPublishesNoHalfPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &observer{sees: world.New(), takes: 10 * s}
		loop := pass.NewLoop(pass.LoopConfig{Observer: o, Clock: clock.RealClock{}})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { loop.Run(ctx) })
		after(s)
		stopped := time.Now()
		cancel()
		running.Wait()
		if loop.Latest() != nil || !time.Now().Equal(stopped) {
			t.Errorf("published %v, stopped after %s", loop.Latest(), time.Since(stopped))
		}
	})
}

func TestTheBackOffOfHooksReachesTheDecision(t *testing.T) {
	o := &observer{sees: world.New(world.Machine(world.B, func(m *snapshot.Machine) { m.Hook = snapshot.HookMissing }))}
	backsOff := func(machine snapshot.MachineName, uid string) bool { return machine == "machine-b" && uid == "uid-b" }
	run(t, pass.LoopConfig{HookBackOff: backsOff}, o, func(t *testing.T, loop *pass.Loop) {
		synctest.Wait()
		for _, m := range loop.Latest().Snapshot.Machines {
			if m.HookBackOff != (m.Name == "machine-b") {
				t.Errorf("machine %s: back-off %t", m.Name, m.HookBackOff)
			}
		}
	})
}

// decoded returns the passes of a record.
func decoded(t *testing.T, record string) ([]decision.Decisions, error) {
	t.Helper()
	var all []decision.Decisions
	err := pass.DecodeRecords(strings.NewReader(record), func(d decision.Decisions) error {
		all = append(all, d)
		return nil
	})
	return all, err
}

func TestARecordTellsEachPassAsItWas(t *testing.T) {
	for name, sees := range map[string]snapshot.Snapshot{
		"nothing known":       {},
		"at rest":             world.New(),
		"a dead host":         world.New(world.Deleting(world.A), world.HostDead(world.A, time.Hour)),
		"a node that is gone": world.New(world.NodeGone(world.B), world.Deleting(world.B)),
		"an id that no float holds": world.New(world.Facts(func(s *snapshot.Snapshot) {
			s.ClusterID, s.Members[0].ID, s.Leader = 1<<64-1, 1<<64-3, 1<<64-3
		})),
		"hostile names": world.New(world.Facts(func(s *snapshot.Snapshot) { s.Members[0].Name = "a\nb\"\u2028<&" })),
	} {
		t.Run(name, func(t *testing.T) {
			var record bytes.Buffer
			o := &observer{sees: sees}
			run(t, pass.LoopConfig{Record: &record}, o, func(t *testing.T, loop *pass.Loop) {
				synctest.Wait()
				loop.LookAgain()
				after(2 * s)
				passes, err := decoded(t, record.String())
				if err != nil || len(passes) != 2 {
					t.Fatalf("%d passes, error %v; want 2", len(passes), err)
				}
				if diff := cmp.Diff(loop.Latest().Decisions, passes[1], cmpopts.EquateComparable(netip.Addr{}), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("it was recorded differently (-was +recorded):\n%s", diff)
				}
				if again := decision.About(passes[1].Snapshot); !cmp.Equal(again, passes[1], cmpopts.EquateComparable(netip.Addr{}), cmpopts.EquateEmpty()) {
					t.Error("what was recorded is not decided the same way")
				}
			})
		})
	}
}

// flaky fails its second write after half of it, and its third at once.
type flaky struct {
	bytes.Buffer
	writes int
}

func (f *flaky) Write(line []byte) (int, error) {
	f.writes++
	switch f.writes {
	case 2:
		n, _ := f.Buffer.Write(line[:len(line)/2])
		return n, io.ErrShortWrite
	case 3:
		return 0, io.ErrClosedPipe
	}
	return f.Buffer.Write(line)
}

func TestARecordThatCannotBeWrittenHoldsNothingUp(t *testing.T) {
	record := &flaky{}
	o := &observer{sees: world.New()}
	run(t, pass.LoopConfig{Record: record}, o, func(t *testing.T, loop *pass.Loop) {
		for number, want := range []error{nil, io.ErrShortWrite, io.ErrClosedPipe, nil} {
			synctest.Wait()
			if got := loop.Latest().Number; got != uint64(number+1) {
				t.Fatalf("pass %d, want %d", got, number+1)
			}
			if got := loop.RecordError(); !errors.Is(got, want) {
				t.Errorf("pass %d: got error %v, want %v", number+1, got, want)
			}
			loop.LookAgain()
			after(pass.Rest)
		}
	})
	passes, err := decoded(t, record.String())
	if !errors.Is(err, pass.ErrTorn) || len(passes) != 3 {
		t.Errorf("%d passes and error %v, want 3 and %v", len(passes), err, pass.ErrTorn)
	}
}

func TestADecoderStopsWhenItIsToldTo(t *testing.T) {
	enough := errors.New("enough")
	calls := 0
	err := pass.DecodeRecords(strings.NewReader("{}\n\n{}\n{}"), func(decision.Decisions) error {
		if calls++; calls == 2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || calls != 2 {
		t.Errorf("%d calls and error %v", calls, err)
	}
	if passes, err := decoded(t, "{}\n{}"); err != nil || len(passes) != 2 {
		t.Errorf("the last line without its end: %d passes, error %v", len(passes), err)
	}
}

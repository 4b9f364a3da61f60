package live_test

import (
	"context"
	"errors"
	"net/url"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Attend counts once.
func (c counting) Attend(ctx context.Context, begun func(etcdclient.Header)) error {
	c.calls.Add(1)
	if c.attend != nil {
		return c.attend(ctx, begun, c.Conn)
	}
	return c.Conn.Attend(ctx, begun)
}

// unhealthyAfter returns how long it takes from now on until a pass finds a member unhealthy.
func (w *world) unhealthyAfter(loop *pass.Loop, id snapshot.MemberID) time.Duration {
	w.t.Helper()
	found, began := make(chan struct{}, 1), time.Now()
	loop.Subscribe(func() {
		if m := member(loop.Latest().Snapshot, id); m != nil && !m.IsHealthy() {
			select {
			case found <- struct{}{}:
			default:
			}
		}
	})
	select {
	case <-found:
		return time.Since(began)
	case <-time.After(10 * time.Minute):
		w.t.Fatal("never")
		return 0
	}
}

func member(s snapshot.Snapshot, id snapshot.MemberID) *snapshot.Member {
	for i := range s.Members {
		if s.Members[i].ID == id {
			return &s.Members[i]
		}
	}
	return nil
}

// The guard's /readyz is local and a host that is cut off cannot tell that it is (rule R7.2), so that the budget rests on
// the operator's own probe, and idle passes are a minute apart (invariant I10, case G13).
func TestAVoterThatFailsWhileNothingIsInFlightIsFoundLongBeforeTheNextRegularPass(t *testing.T) {
	const begin, probe = 2 * pass.Rest, etcdclient.ProbeTimeout
	for name, test := range map[string]struct {
		fault  func(w *world, id snapshot.MemberID)
		within time.Duration
	}{
		"its process ends":                  {func(w *world, id snapshot.MemberID) { w.etcd.Kill(w.t, id) }, begin},
		"its process hangs":                 {func(w *world, id snapshot.MemberID) { w.etcd.Pause(w.t, id) }, etcdclient.PingEvery + etcdclient.PingTimeout + begin + probe},
		"it is cut off from its peers: G13": {func(w *world, id snapshot.MemberID) { w.etcd.CutOff(w.t, id) }, 5*time.Second + begin},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.start()
				loop, stop := w.loop()
				defer stop()
				// Five minutes later everything that starting caused is over; a pass has just been made.
				w.pass(5*time.Minute + 10*time.Second)
				first := loop.Latest()
				subject := first.Snapshot.Members[1].ID
				w.calls.Store(0)
				test.fault(w, subject)
				took := w.unhealthyAfter(loop, subject)
				t.Logf("found after %s, in pass %d after %d", took, loop.Latest().Number, first.Number)
				if took > test.within {
					t.Errorf("found after %s, want at most %s", took, test.within)
				}
				if passes := loop.Latest().Number - first.Number; passes != 1 {
					t.Errorf("it took %d passes", passes)
				}
			})
		})
	}
}

func TestAVoterIsAttendedAgainAfterItCameBack(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		loop, stop := w.loop()
		defer stop()
		w.pass(5 * time.Minute)
		subject := loop.Latest().Snapshot.Members[1].ID
		for range 3 {
			w.etcd.Kill(t, subject)
			if took := w.unhealthyAfter(loop, subject); took > 2*pass.Rest {
				t.Errorf("found after %s", took)
			}
			w.etcd.Restart(t, subject)
			w.pass(5 * time.Minute)
			if m := member(loop.Latest().Snapshot, subject); !m.IsHealthy() {
				t.Fatalf("it did not come back: %+v", m)
			}
		}
	})
}

func TestAMemberThatHangsUpEveryTimeDoesNotKeepTheObserverBusy(t *testing.T) {
	for name, test := range map[string]struct {
		agrees   bool
		all      bool
		stays    time.Duration
		from, to uint64
	}{
		"it does not agree":              {false, false, 0, 9, 11},
		"it agrees and hangs up at once": {true, false, 0, 11, 16},
		"it hangs up after 30 s":         {true, false, 30 * time.Second, 11, 22},
		"it hangs up after 90 s":         {true, false, 90 * time.Second, 11, 22},
		"all agree and hang up at once":  {true, true, 0, 11, 40},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				var subject atomic.Uint64
				w.attend = func(ctx context.Context, begun func(etcdclient.Header), c etcdclient.Conn) error {
					header, _, err := c.Status(ctx)
					if id := uint64(header.Member); err != nil || !test.all && !subject.CompareAndSwap(0, id) && subject.Load() != id {
						return c.Attend(ctx, begun)
					}
					if test.agrees {
						begun(header)
					}
					select {
					case <-time.After(test.stays):
					case <-ctx.Done():
					}
					return errors.New("enough")
				}
				w.start()
				loop, stop := w.loop()
				defer stop()
				w.pass(10 * time.Second)
				first := loop.Latest().Number
				w.pass(10 * time.Minute)
				if passes := loop.Latest().Number - first; passes < test.from || passes > test.to {
					t.Errorf("%d passes in ten minutes, want %d to %d", passes, test.from, test.to)
				}
			})
		})
	}
}

// What is left behind would keep the test's bubble from ending.
func TestAMemberThatIsRemovedIsLeftAtTheNextList(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		loop, stop := w.loop()
		defer stop()
		w.pass(5 * time.Minute)
		first := loop.Latest()
		var removed snapshot.MemberID
		for _, m := range first.Snapshot.Members {
			if m.ID != first.Snapshot.Leader {
				removed = m.ID
			}
		}
		// A process that hangs does not hang up.
		w.etcd.Pause(t, removed)
		client := w.etcd.Client(t)
		if err := client.Remove(t.Context(), change(w, first.Snapshot), removed); err != nil {
			t.Fatal(err)
		}
		client.Close()
		var addresses []string
		for _, endpoint := range w.etcd.Endpoints() {
			u, err := url.Parse(endpoint)
			if err != nil {
				t.Fatal(err)
			}
			addresses = append(addresses, u.Hostname())
		}
		w.put(endpointsMap(addresses...))
		w.pass(2 * pass.Rest)
		synctest.Wait()
		if m := member(loop.Latest().Snapshot, removed); m != nil {
			t.Fatalf("it is still listed: %+v", m)
		}
		if got := w.etcd.Connections(t, removed); got != 0 {
			t.Errorf("%d connections to it", got)
		}
	})
}

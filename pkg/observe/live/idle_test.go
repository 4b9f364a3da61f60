package live_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/pass"
)

// loop runs passes until the returned function is called, which waits for their end.
func (w *world) loop() (*pass.Loop, func()) {
	ctx, cancel := context.WithCancel(w.t.Context())
	loop := pass.NewLoop(pass.LoopConfig{Observer: w.observer, Clock: clock.RealClock{}})
	var running sync.WaitGroup
	running.Go(func() { loop.Run(ctx) })
	return loop, func() {
		cancel()
		running.Wait()
	}
}

func TestTenIdleMinutesCostLittle(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		loop, stop := w.loop()
		defer stop()
		// The passes that filling the caches causes are not those of a cluster at rest.
		w.pass(10 * time.Second)
		first := loop.Latest()
		if first == nil || pass.InFlight(&first.Decisions) {
			t.Fatalf("a cluster at rest is taken for busy: %+v", first)
		}
		w.calls.Store(0)
		gets := w.total()
		// Kubelets and controllers go on telling what is no news.
		for minute := range 10 {
			for i := range 3 {
				name := fmt.Sprintf("master-%d", i)
				n := node(name, fmt.Sprintf("192.0.2.%d", i+1), "node-role.kubernetes.io/master=", "node-role.kubernetes.io/control-plane=")
				n.Status.Conditions[0].LastHeartbeatTime.Time = time.Now()
				w.put(n)
				m := machine(name, name, fmt.Sprintf("192.0.2.%d", i+1), "master")
				m.Annotations = map[string]string{"minute": fmt.Sprint(minute)}
				w.put(m)
			}
			w.pass(time.Minute)
		}
		passes, calls := loop.Latest().Number-first.Number, w.calls.Load()
		t.Logf("ten idle minutes: %d passes, %d calls to etcd, %d requests to the API", passes, calls, w.total()-gets)
		if passes < 9 || passes > 11 {
			t.Errorf("%d passes in ten idle minutes, want one a minute", passes)
		}
		if calls > 100 {
			t.Errorf("%d calls to etcd in ten idle minutes, want at most 100", calls)
		}
		if len(w.writes) > 0 {
			t.Errorf("writes: %q", w.writes)
		}
		if got := w.total() - gets; got > 0 {
			t.Errorf("%d requests to the API in ten idle minutes, besides watches that go on", got)
		}
	})
}

func TestANodeThatIsCordonedIsJudgedAtOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		loop, stop := w.loop()
		defer stop()
		w.pass(10 * time.Second)
		n := node("master-1", "192.0.2.2", "node-role.kubernetes.io/master=", "node-role.kubernetes.io/control-plane=")
		n.Spec.Unschedulable = true
		w.put(n)
		synctest.Wait()
		if got := nodeOf(loop.Latest().Snapshot, "master-1"); !got.Cordoned {
			t.Errorf("the latest pass says %+v", got)
		}
	})
}

// Everything at once, for the race detector.
func TestObservingAndChangingAtTheSameTime(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		loop, stop := w.loop()
		defer stop()
		var changing sync.WaitGroup
		for i := range 3 {
			changing.Go(func() {
				name, ip := fmt.Sprintf("master-%d", i), fmt.Sprintf("192.0.2.%d", i+1)
				for round := range 20 {
					n := node(name, ip, "node-role.kubernetes.io/master=", "node-role.kubernetes.io/control-plane=")
					n.Spec.Unschedulable = round%2 == 0
					w.put(n)
					w.put(machine(name, name, ip, "master"))
					w.put(apiServers(7, 7, 7))
					<-time.After(300 * time.Millisecond)
					if p := loop.Latest(); p == nil || errors.Join(p.Faults...) != nil {
						t.Errorf("pass %+v", p)
					}
				}
			})
		}
		changing.Wait()
		w.pass(2 * time.Second)
		for _, n := range loop.Latest().Snapshot.Nodes {
			if n.Cordoned {
				t.Errorf("node %s was uncordoned last", n.Name)
			}
		}
	})
}

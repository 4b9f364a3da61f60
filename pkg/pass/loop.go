package pass

import (
	"context"
	"io"
	"sync"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// The pace of passes, measured from the beginning of one to the beginning of the next.
const (
	// Busy is the pace while anything is in flight.
	Busy = 15 * time.Second
	// Idle is the pace while nothing is.
	Idle = time.Minute
	// Rest is the least time between the end of a pass and the beginning of the next, however much changes meanwhile.
	Rest = time.Second
	// Limit bounds one observation. All reads have shorter deadlines of their own; together they stay below it.
	Limit = time.Minute
)

// Observer looks at the cluster, one look at a time.
type Observer interface {
	// Observe returns what it saw; what it could not see is unknown and among the Faults.
	Observe(ctx context.Context) observe.Observation
	// OnChange has changed called when something changed that a pass would see.
	OnChange(changed func())
}

// LoopConfig is what a Loop is made from. Observer and Clock must be set.
type LoopConfig struct {
	Observer Observer
	Clock    clock.Clock
	// Record receives each pass as one line of JSON, as DecodeRecords reads it, before anybody can act on the pass. Nil:
	// nothing is recorded.
	Record io.Writer
	// HookBackOff tells whether the time to write the hook of a Machine once more has not come (rule R4.6). Nil: no.
	HookBackOff func(machine snapshot.MachineName, uid string) bool
}

// Loop makes passes, one after the other, and publishes each. It implements Source.
type Loop struct {
	config LoopConfig
	record *recorder
	wake   chan struct{}

	mu              sync.Mutex
	latest          *Pass
	notify          []func()
	began, finished time.Time
	recordError     error
}

var _ Source = (*Loop)(nil)

// NewLoop returns a Loop that Run starts.
func NewLoop(config LoopConfig) *Loop {
	l := &Loop{config: config, record: newRecorder(config.Record), wake: make(chan struct{}, 1)}
	config.Observer.OnChange(l.LookAgain)
	return l
}

// Run makes passes until ctx ends: at once, then Busy or Idle apart, and earlier if something changed or LookAgain was
// called, but never with less than Rest between two.
func (l *Loop) Run(ctx context.Context) {
	for ctx.Err() == nil {
		began := l.config.Clock.Now()
		pace := l.once(ctx)
		if !l.sleep(ctx, Rest, nil) {
			return
		}
		l.sleep(ctx, pace-l.config.Clock.Since(began), l.wake)
	}
}

// sleep returns after d, or when wake or ctx ends it; it reports whether ctx has not ended.
func (l *Loop) sleep(ctx context.Context, d time.Duration, wake <-chan struct{}) bool {
	if d > 0 {
		timer := l.config.Clock.NewTimer(d)
		defer timer.Stop()
		select {
		case <-ctx.Done():
		case <-wake:
		case <-timer.C():
		}
	}
	return ctx.Err() == nil
}

// once makes a pass and returns how long after its beginning the next one is due.
func (l *Loop) once(ctx context.Context) time.Duration {
	l.begin()
	// What changes from here on may not be seen by this pass, so it asks for another.
	select {
	case <-l.wake:
	default:
	}
	limited, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	seen := l.config.Observer.Observe(limited)
	if ctx.Err() != nil {
		// An observation that was broken off knows less than there is to know.
		return 0
	}
	p := &Pass{Objects: seen.Objects, Etcd: seen.Etcd, Endpoints: seen.Endpoints, Faults: seen.Faults, Decisions: decision.About(l.withBackOff(seen.Snapshot))}
	l.publish(ctx, p)
	if InFlight(&p.Decisions) {
		return Busy
	}
	return Idle
}

func (l *Loop) withBackOff(s snapshot.Snapshot) snapshot.Snapshot {
	for i := range s.Machines {
		m := &s.Machines[i]
		m.HookBackOff = l.config.HookBackOff != nil && l.config.HookBackOff(m.Name, m.UID)
	}
	return s
}

func (l *Loop) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.began = l.config.Clock.Now()
}

// publish records the pass first, so that nothing is done that the record does not tell. A record that cannot be written
// holds nothing up.
func (l *Loop) publish(ctx context.Context, p *Pass) {
	logger := klog.FromContext(ctx)
	err := l.record.write(&p.Decisions)
	l.mu.Lock()
	before, news := l.latest, l.recordError == nil
	l.recordError = err
	p.Number = 1
	if before != nil {
		p.Number = before.Number + 1
	}
	l.latest = p
	l.finished = l.config.Clock.Now()
	notify := l.notify
	l.mu.Unlock()
	if err != nil && news {
		logger.Error(err, "Passes are not recorded")
	}
	logger.V(4).Info("Finished a pass", "number", p.Number, "membership", p.Membership.Reason, "faults", len(p.Faults))
	for _, f := range notify {
		f()
	}
}

// Latest implements Source.
func (l *Loop) Latest() *Pass {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.latest
}

// Subscribe implements Source.
func (l *Loop) Subscribe(notify func()) {
	l.mu.Lock()
	l.notify = append(l.notify, notify)
	known := l.latest != nil
	l.mu.Unlock()
	if known {
		notify()
	}
}

// LookAgain implements Source.
func (l *Loop) LookAgain() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// LastBegan returns when the last pass began; the zero time before the first.
func (l *Loop) LastBegan() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.began
}

// LastFinished returns when the last pass was published; the zero time before the first.
func (l *Loop) LastFinished() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.finished
}

// RecordError returns why the last pass could not be recorded; nil if it could, or nothing is recorded.
func (l *Loop) RecordError() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.recordError
}

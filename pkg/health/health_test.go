package health

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
	dto "github.com/prometheus/client_model/go"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/utils/clock"
	testingclock "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
)

var start = time.Unix(1_700_000_000, 0)

type loop struct{ finished time.Time }

func (l *loop) LastFinished() time.Time { return l.finished }

// busy are queues with the seconds that their oldest item has been worked on.
func busy(queues map[string]float64) func() ([]*dto.MetricFamily, error) {
	return func() ([]*dto.MetricFamily, error) {
		family := &dto.MetricFamily{Name: ptr.To(longestRunning)}
		for name, seconds := range queues {
			family.Metric = append(family.Metric, &dto.Metric{
				Label: []*dto.LabelPair{{Name: ptr.To("name"), Value: ptr.To(name)}}, Gauge: &dto.Gauge{Value: ptr.To(seconds)},
			})
		}
		other := &dto.MetricFamily{Name: ptr.To("workqueue_unfinished_work_seconds"), Metric: []*dto.Metric{{Gauge: &dto.Gauge{Value: ptr.To(1e9)}}}}
		return []*dto.MetricFamily{other, family}, nil
	}
}

func TestCheck(t *testing.T) {
	const minute = time.Minute
	for name, test := range map[string]struct {
		// after the loop was watched; finished is when a pass ended last, after the start, or never if negative.
		after, finished time.Duration
		standby         bool
		queues          map[string]float64
		want            string
	}{
		"a process without the lease is healthy, however long it waits": {after: 100 * minute, standby: true},
		"a loop that has just begun is healthy":                         {after: 0, finished: -1},
		"the first pass may take five minutes":                          {after: 5 * minute, finished: -1},
		"and no longer":                                                 {after: 5*minute + 1, finished: -1, want: "no pass has ended for 5m0s"},
		"a loop that makes passes is healthy":                           {after: 60 * minute, finished: 59 * minute},
		"one whose passes have ceased is not":                           {after: 60 * minute, finished: 54 * minute, want: "no pass has ended for 6m0s"},
		"a sync may take five minutes":                                  {finished: -1, queues: map[string]float64{"GuardController": 300}},
		"and no longer, and the controller is named": {finished: -1, queues: map[string]float64{"GuardController": 301, "Other": 2},
			want: "controller GuardController has been in one sync for 5m1s"},
		"all that is stuck is named, in order": {after: 6 * minute, finished: -1, queues: map[string]float64{"B": 400, "A": 500},
			want: "no pass has ended for 6m0s; controller A has been in one sync for 8m20s; controller B has been in one sync for 6m40s"},
	} {
		t.Run(name, func(t *testing.T) {
			now := testingclock.NewFakePassiveClock(start)
			c := New(Config{Clock: now, Gather: busy(test.queues)})
			if !test.standby {
				l := &loop{}
				if test.finished >= 0 {
					l.finished = start.Add(test.finished)
				}
				c.Watch(l)
			}
			now.SetTime(start.Add(test.after))
			got := ""
			if err := c.Check(nil); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A registry returns what the other collectors gathered beside the error of one.
func TestABrokenCollectorOfSomethingElseStopsNothingAndHidesNothing(t *testing.T) {
	for name, test := range map[string]struct {
		queues map[string]float64
		want   string
	}{
		"nothing is stuck":          {queues: map[string]float64{"GuardController": 1}},
		"a controller is stuck":     {queues: map[string]float64{"GuardController": 301}, want: "controller GuardController has been in one sync for 5m1s"},
		"no controller has started": {},
	} {
		t.Run(name, func(t *testing.T) {
			c := New(Config{Clock: testingclock.NewFakePassiveClock(start), Gather: func() ([]*dto.MetricFamily, error) {
				families, _ := busy(test.queues)()
				return families, errors.New("a series was collected twice")
			}})
			got := ""
			if err := c.Check(nil); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestQueuesOfControllersAreTimed holds what the check rests on: a queue made as library-go makes those of its controllers
// has the metric under its name. It waits for the queue to update it.
func TestQueuesOfControllersAreTimed(t *testing.T) {
	queue := factory.NewSyncContext("SomeController", events.NewInMemoryRecorder("test", clock.RealClock{})).Queue()
	defer queue.ShutDown()
	queue.Add("key")
	key, _ := queue.Get()
	defer queue.Done(key)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		families, err := legacyregistry.DefaultGatherer.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			for _, m := range f.GetMetric() {
				if f.GetName() == longestRunning && queueOf(m) == "SomeController" && m.GetGauge().GetValue() > 0 {
					return
				}
			}
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s tells nothing of a queue in use: %s", longestRunning, strings.Join(names(families), " "))
		case <-ticker.C:
		}
	}
}

func names(families []*dto.MetricFamily) []string {
	var all []string
	for _, f := range families {
		all = append(all, f.GetName())
	}
	return all
}

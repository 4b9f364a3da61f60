package health

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	dto "github.com/prometheus/client_model/go"
	"k8s.io/component-base/metrics/legacyregistry"
	// It times what is taken from each controller's queue.
	_ "k8s.io/component-base/metrics/prometheus/workqueue"
	"k8s.io/utils/clock"
)

// Limit is how long one pass or one sync may take. Everything that they wait for has deadlines of seconds.
const Limit = 5 * time.Minute

// longestRunning is the metric, by queue, of how long the oldest unfinished item has been worked on, in seconds.
const longestRunning = "workqueue_longest_running_processor_seconds"

// Loop is what makes passes.
type Loop interface {
	// LastFinished tells when a pass ended last; zero when none has.
	LastFinished() time.Time
}

// Config is what a Check is made from.
type Config struct {
	Clock clock.PassiveClock
	// Gather returns metrics in which longestRunning may be; nil means those of this process.
	Gather func() ([]*dto.MetricFamily, error)
}

// Check implements healthz.HealthChecker of k8s.io/apiserver. It may be used by any number of goroutines.
type Check struct {
	config Config

	mu   sync.Mutex
	loop Loop
	// since is when loop was told of.
	since time.Time
}

// New returns a Check that knows of no loop yet.
func New(config Config) *Check {
	if config.Gather == nil {
		config.Gather = legacyregistry.DefaultGatherer.Gather
	}
	return &Check{config: config}
}

// Watch has the Check look at a loop that starts now.
func (c *Check) Watch(loop Loop) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loop, c.since = loop, c.config.Clock.Now()
}

// Name implements healthz.HealthChecker.
func (c *Check) Name() string { return "stuck" }

// Check implements healthz.HealthChecker. The error names everything that is stuck.
func (c *Check) Check(*http.Request) error {
	var stuck []string
	if err := c.checkLoop(); err != nil {
		stuck = append(stuck, err.Error())
	}
	stuck = append(stuck, c.stuckQueues()...)
	if len(stuck) == 0 {
		return nil
	}
	return errors.New(strings.Join(stuck, "; "))
}

func (c *Check) checkLoop() error {
	c.mu.Lock()
	loop, last := c.loop, c.since
	c.mu.Unlock()
	if loop == nil {
		return nil
	}
	if finished := loop.LastFinished(); finished.After(last) {
		last = finished
	}
	if idle := c.config.Clock.Since(last); idle > Limit {
		return fmt.Errorf("no pass has ended for %s", idle.Round(time.Second))
	}
	return nil
}

// stuckQueues returns a phrase for each controller whose sync does not end, in order.
func (c *Check) stuckQueues() []string {
	// The error is that of any collector of the process, beside what the others gathered. Of stuck queues it says nothing,
	// and a restart does not mend it.
	families, _ := c.config.Gather()
	var stuck []string
	for _, family := range families {
		if family.GetName() != longestRunning {
			continue
		}
		for _, m := range family.GetMetric() {
			if busy := time.Duration(m.GetGauge().GetValue() * float64(time.Second)); busy > Limit {
				stuck = append(stuck, fmt.Sprintf("controller %s has been in one sync for %s", queueOf(m), busy.Round(time.Second)))
			}
		}
	}
	slices.Sort(stuck)
	return stuck
}

func queueOf(m *dto.Metric) string {
	for _, label := range m.GetLabel() {
		if label.GetName() == "name" {
			return label.GetValue()
		}
	}
	return "without a name"
}

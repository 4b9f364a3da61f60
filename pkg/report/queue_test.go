package report_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/openshift/library-go/pkg/operator/events"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// answers is an API server that gives one answer after the other, and the last one from then on, each after some time.
type answers struct {
	corev1client.EventInterface
	after time.Duration
	errs  []error
	calls int
	made  []string
}

func (a *answers) Events(string) corev1client.EventInterface { return a }

func (a *answers) Create(ctx context.Context, event *corev1.Event, _ metav1.CreateOptions) (*corev1.Event, error) {
	a.calls++
	select {
	case <-time.After(a.after):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := a.errs[min(a.calls, len(a.errs))-1]; err != nil {
		return nil, err
	}
	a.made = append(a.made, event.Message)
	return event, nil
}

// run has a queue of this API server run in a bubble until end is called, which returns how long it took to end.
func (a *answers) run(t *testing.T) (queue *report.EventQueue, end func() time.Duration) {
	ctx, cancel := context.WithCancel(t.Context())
	queue = report.NewEventQueue(a)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		queue.Run(ctx)
	}()
	return queue, func() time.Duration {
		asked := time.Now()
		cancel()
		<-ended
		return time.Since(asked)
	}
}

func put(t *testing.T, queue *report.EventQueue, messages ...string) {
	t.Helper()
	for _, message := range messages {
		event := &corev1.Event{Message: message}
		if made, err := queue.Events("").Create(t.Context(), event, metav1.CreateOptions{}); made != event || err != nil {
			t.Errorf("got %v, %v", made, err)
		}
	}
}

func TestAnEventIsTriedAgainWhileTheAPIServerIsInTrouble(t *testing.T) {
	resource := schema.GroupResource{Resource: "events"}
	stopped := apierrors.NewInternalError(errors.New("raft: stopped"))
	refused := apierrors.NewForbidden(resource, "e", errors.New("no"))
	exists := apierrors.NewAlreadyExists(resource, "e")
	for name, test := range map[string]struct {
		errs  []error
		after time.Duration
		calls int
		made  bool
	}{
		"it is made at once":                                         {errs: []error{nil}, calls: 1, made: true},
		"its member of etcd was just removed":                        {errs: []error{stopped, nil}, calls: 2, made: true},
		"it cannot be reached for a moment":                          {errs: []error{errors.New("connection refused"), nil}, calls: 2, made: true},
		"it asks to wait":                                            {errs: []error{apierrors.NewTooManyRequests("later", 1), nil}, calls: 2, made: true},
		"an attempt that failed had made it after all":               {errs: []error{stopped, exists, nil}, calls: 2},
		"somebody else's event of that name is not taken for ours":   {errs: []error{exists, nil}, calls: 1},
		"what is refused is not asked again":                         {errs: []error{refused, nil}, calls: 1},
		"it does not come back: the event is given up after a while": {errs: []error{stopped}, calls: 5},
		"it does not answer: the event is given up after a while":    {errs: []error{nil}, after: time.Hour, calls: 5},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &answers{errs: slices.Clone(test.errs), after: test.after}
				queue, end := server.run(t)
				put(t, queue, "event")
				<-time.After(time.Minute)
				end()
				if server.calls != test.calls || (len(server.made) == 1) != test.made {
					t.Errorf("made %q after %d calls, want %t after %d", server.made, server.calls, test.made, test.calls)
				}
			})
		})
	}
}

// R10.4: events that cannot be created must not hold an action up, and those that are made later are not lost by them.
func TestWhoTellsOfAMachineWaitsForNoAPIServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &answers{errs: []error{apierrors.NewTimeoutError("504", 1), apierrors.NewTimeoutError("504", 1), nil}, after: 9 * time.Second}
		queue, end := server.run(t)
		clock := clock.RealClock{}
		machine := report.NewEvents(events.NewInMemoryRecorder("test", clock), queue, clock).About(&snapshot.Machine{Name: "machine-a"})
		began := time.Now()
		machine.Event("MemberRemove", "first")
		machine.Event("MemberRemove", "second")
		machine.Warning("MemberRemove", "third")
		if took := time.Since(began); took != 0 {
			t.Errorf("telling took %s", took)
		}
		<-time.After(time.Minute)
		end()
		if diff := cmp.Diff([]string{"first", "second", "third"}, server.made); diff != "" {
			t.Errorf("events in their order (-want +got):\n%s", diff)
		}
	})
}

func TestTheOldestEventsAreDroppedWhenTooManyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &answers{errs: []error{nil}}
		queue := report.NewEventQueue(server)
		for i := range 300 {
			put(t, queue, fmt.Sprint(i))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		queue.Run(ctx)
		if made := server.made; len(made) != 256 || made[0] != "44" || made[255] != "299" {
			t.Errorf("%d made, from %s to %s", len(made), made[0], made[len(made)-1])
		}
	})
}

func TestAProcessThatEndsWritesItsEventsForThreeSecondsAtMost(t *testing.T) {
	for name, test := range map[string]struct {
		after, took time.Duration
		made        []string
	}{
		"the API server answers":        {time.Second, 2 * time.Second, []string{"first", "second"}},
		"the API server takes too long": {2 * time.Second, 3 * time.Second, []string{"first"}},
		"the API server hangs":          {time.Hour, 3 * time.Second, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &answers{errs: []error{nil}, after: test.after}
				queue, end := server.run(t)
				put(t, queue, "first", "second")
				synctest.Wait()
				if took := end(); took != test.took {
					t.Errorf("ending took %s, want %s", took, test.took)
				}
				if diff := cmp.Diff(test.made, server.made); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
			})
		})
	}
}

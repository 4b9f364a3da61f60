package report

import (
	"context"
	"errors"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/klog/v2"
)

const (
	// waiting is how many events may wait to be written.
	waiting = 256
	// attemptLimit bounds one attempt: an API server in trouble may take a minute to say so.
	attemptLimit = 10 * time.Second
	// farewell is how long events are still written after the process was asked to end.
	farewell = 3 * time.Second
)

// persistence is how often an event is tried: at once and after 0.5, 1, 2 and 4 s. Events about a membership change need
// that: the API server's own connection to etcd may have been to the member that just went.
var persistence = wait.Backoff{Steps: 5, Duration: 500 * time.Millisecond, Factor: 2}

// EventQueue writes events one after the other, in the order in which they were made, so that nobody who acts waits for it
// (rule R10.4). It may be used by several goroutines.
type EventQueue struct {
	client corev1client.EventsGetter
	events chan *corev1.Event
}

var _ corev1client.EventsGetter = &EventQueue{}

// NewEventQueue returns an EventQueue that writes by a client once it runs.
func NewEventQueue(client corev1client.EventsGetter) *EventQueue {
	return &EventQueue{client: client, events: make(chan *corev1.Event, waiting)}
}

// Events returns a client of a namespace whose Create puts the event, which must name that namespace, into the queue and
// returns it as it is, never with an error.
func (q *EventQueue) Events(namespace string) corev1client.EventInterface {
	return queued{q.client.Events(namespace), q}
}

type queued struct {
	corev1client.EventInterface
	queue *EventQueue
}

// Create drops the oldest events when the queue is full: what happened last says most about what is so.
func (c queued) Create(_ context.Context, event *corev1.Event, _ metav1.CreateOptions) (*corev1.Event, error) {
	for {
		select {
		case c.queue.events <- event:
			return event, nil
		default:
		}
		select {
		case oldest := <-c.queue.events:
			logLost(oldest, errFull)
		default:
		}
	}
}

// Run writes events until ctx ends, then what is still in the queue for a few seconds at most, and returns.
func (q *EventQueue) Run(ctx context.Context) {
	writing, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	context.AfterFunc(ctx, func() {
		select {
		case <-time.After(farewell):
			end()
		case <-writing.Done():
		}
	})
	for {
		select {
		case event := <-q.events:
			q.write(writing, event)
		case <-ctx.Done():
			if len(q.events) == 0 {
				return
			}
		}
	}
}

// write tries to create an event. One that exists after a failed attempt was made by it: names are unique.
func (q *EventQueue) write(ctx context.Context, event *corev1.Event) {
	var last error
	err := wait.ExponentialBackoffWithContext(ctx, persistence, func(ctx context.Context) (done bool, err error) {
		limited, cancel := context.WithTimeout(ctx, attemptLimit)
		defer cancel()
		_, err = q.client.Events(event.Namespace).Create(limited, event, metav1.CreateOptions{})
		switch {
		case err == nil, last != nil && apierrors.IsAlreadyExists(err):
			return true, nil
		case isPassing(err):
			last = err
			return false, nil
		default:
			return false, err
		}
	})
	switch {
	case err == nil:
	case isPassing(err) && last != nil:
		logLost(event, last)
	default:
		logLost(event, err)
	}
}

var errFull = errors.New("too many events wait to be written")

func logLost(event *corev1.Event, why error) {
	klog.Background().Info("event not written", "namespace", event.Namespace, "about", event.InvolvedObject.Name,
		"event", event.Reason, "message", event.Message, "why", why.Error())
}

// isPassing tells errors that the next attempt may not have: of the server, or on the way to it.
func isPassing(err error) bool {
	var status apierrors.APIStatus
	return !errors.As(err, &status) || status.Status().Code >= http.StatusInternalServerError || status.Status().Code == http.StatusTooManyRequests
}

package report

import (
	"time"

	"github.com/openshift/library-go/pkg/operator/events"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const machineNamespace = "openshift-machine-api"

// Events writes events where people look for them: those about a Machine on that Machine (rule R9.5), so that
// `oc describe machine` shows them, and all others on the operator itself.
type Events struct {
	operator events.Recorder
	client   corev1client.EventsGetter
	clock    clock.PassiveClock
}

// NewEvents returns Events. operator records events on the operator; client writes those on Machines, as the same component.
// Whoever acts waits for client, so a running operator takes an EventQueue.
func NewEvents(operator events.Recorder, client corev1client.EventsGetter, clock clock.PassiveClock) *Events {
	return &Events{operator: operator, client: client, clock: clock}
}

// About returns a recorder of events about a Machine, or on the operator when machine is nil. It never returns nil.
func (e *Events) About(machine *snapshot.Machine) events.Recorder {
	if machine == nil {
		return e.operator
	}
	return events.NewRecorder(e.client.Events(machineNamespace), e.operator.ComponentName(), &corev1.ObjectReference{
		APIVersion: "machine.openshift.io/v1beta1", Kind: "Machine",
		Namespace: machineNamespace, Name: string(machine.Name), UID: types.UID(machine.UID),
	}, e.clock)
}

// Changes tells which sentences are new, so that an event is written when what it says changes and not in every pass
// (rule R9.4). Not safe for use by several goroutines.
type Changes struct {
	clock clock.PassiveClock
	pause time.Duration
	told  map[string]telling
}

type telling struct {
	what string
	at   time.Time
}

// NewChanges returns Changes that tell something new about the same subject at most once in every pause.
func NewChanges(clock clock.PassiveClock, pause time.Duration) *Changes {
	return &Changes{clock: clock, pause: pause, told: map[string]telling{}}
}

// New takes what one pass has to say about each subject, and returns the subjects of which it is to be told now: it is not
// what was told last, and the pause is over. Of a subject that current does not have, the last telling is kept for as long
// as the pause lasts.
func (c *Changes) New(current map[string]string) map[string]bool {
	now := c.clock.Now()
	fresh := map[string]bool{}
	for subject, last := range c.told {
		if _, has := current[subject]; !has && now.Sub(last.at) >= c.pause {
			delete(c.told, subject)
		}
	}
	for subject, what := range current {
		last, known := c.told[subject]
		if known && (last.what == what || now.Sub(last.at) < c.pause) {
			continue
		}
		c.told[subject] = telling{what, now}
		fresh[subject] = true
	}
	return fresh
}

package live

import (
	"context"
	"slices"
	"sync"
	"time"

	configclient "github.com/openshift/client-go/config/clientset/versioned"
	machineclient "github.com/openshift/client-go/machine/clientset/versioned"
	operatorclient "github.com/openshift/client-go/operator/clientset/versioned"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
)

// Config is what an Observer is made from. All but OperatorVersion, GuardOutdated and Memory must be
// set.
type Config struct {
	Kubernetes        kubernetes.Interface
	OpenShiftConfig   configclient.Interface
	OpenShiftOperator operatorclient.Interface
	OpenShiftMachine  machineclient.Interface
	Etcd              *etcdclient.Client
	// Clock also counts how long something was observed, so it should have a monotonic reading, as clock.RealClock has.
	Clock clock.Clock
	// OperatorVersion is the version that the operator ships, which ClusterOperator etcd must report (rule R7.5); empty
	// when it is not known.
	OperatorVersion string
	// GuardOutdated tells whether image, probe, host name or service account of a guard pod differ from the wanted ones
	// (rule R7.4). Nil: none does.
	GuardOutdated func(*corev1.Pod) bool
	// Memory counts how long something was observed; nil for a new one that begins with this Observer.
	Memory *observe.Memory
}

// Observer observes one cluster. Observe is for one caller at a time.
type Observer struct {
	Config
	caches
	attendance *attendance
	memory     *observe.Memory
	// configs are the ConfigMaps config-<revision> that API servers run; they never change.
	configs map[string]*corev1.ConfigMap

	mu        sync.Mutex
	listeners []func()
}

// New returns an Observer that has read nothing yet.
func New(config Config) *Observer {
	o := &Observer{Config: config, memory: config.Memory, configs: map[string]*corev1.ConfigMap{}}
	if o.memory == nil {
		o.memory = observe.NewMemory(config.Clock.Now)
	}
	o.caches, o.attendance = o.newCaches(), newAttendance(o)
	return o
}

// OnChange has changed called whenever an object begins, changes or ceases to tell something that a Snapshot holds or
// the operator obeys, when a cache begins or ceases to know its objects, and when a voter that served ceases to be there.
// Heartbeats and other changes that carry no fact call nobody. changed must return quickly; call OnChange before Start.
func (o *Observer) OnChange(changed func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.listeners = append(o.listeners, changed)
}

func (o *Observer) changed() {
	o.mu.Lock()
	listeners := o.listeners
	o.mu.Unlock()
	for _, changed := range listeners {
		changed()
	}
}

// Start fills the caches and keeps them until ctx ends, and so long attends the voters that serve. It returns at once; what a
// cache does not know yet is unknown.
func (o *Observer) Start(ctx context.Context) {
	go o.attendance.run(ctx)
	for _, run := range o.runs {
		go run(ctx)
	}
}

// WaitForCaches returns when all caches know their objects, or that there are none, and at the latest when ctx ends. A
// pass made before that is safe, but tells people that everything is unknown. It reports whether all do.
func (o *Observer) WaitForCaches(ctx context.Context) bool {
	err := wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(context.Context) (bool, error) {
		return !slices.ContainsFunc(o.known, func(known func() bool) bool { return !known() }), nil
	})
	return err == nil
}

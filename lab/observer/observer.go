package observer

import (
	"context"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/members"
)

const (
	// interval is from the beginning of one look to that of the next.
	interval = 250 * time.Millisecond
	// objectsInterval is between two readings of the objects, which cost the API
	// server more than members are asked.
	objectsInterval = 450 * time.Millisecond
	// A reading may take long on a busy machine: the next one does not wait for it.
	objectsTimeout = 5 * time.Second
	objectsAtOnce  = 5
	membersTimeout = 600 * time.Millisecond
)

// Settings are what an Observer works with.
type Settings struct {
	Client  kubernetes.Interface
	Dynamic dynamic.Interface
	Etcd    *members.Observer
	// Addresses of hosts that may have members; those of Nodes and of members that
	// are seen later are added.
	Addresses []string
	// Now counts from the start of the recording.
	Now func() time.Duration
	// Look gets every look, Event every event; both must return quickly.
	Look  func(facts.Facts)
	Event func(facts.Event)
}

// Observer looks at a lab.
type Observer struct {
	settings  Settings
	addresses []string

	mu   sync.Mutex
	told map[string]bool
	// objects holds the newest complete reading of the API server.
	objects facts.Facts
	// processes is the newest list of etcd's processes.
	processes []facts.Process
}

// New returns an Observer that has not looked yet.
func New(settings Settings) *Observer {
	return &Observer{
		settings: settings, addresses: slices.Clone(settings.Addresses), told: map[string]bool{},
		objects: facts.Facts{ObjectsProblem: "not read yet"},
	}
}

// Run looks until ctx ends.
func (o *Observer) Run(ctx context.Context) {
	var others sync.WaitGroup
	others.Go(func() { o.watchEvents(ctx) })
	others.Go(func() { o.readObjects(ctx) })
	others.Go(func() { o.findProcesses(ctx) })
	defer others.Wait()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		f := o.look(ctx)
		if ctx.Err() != nil {
			// It was interrupted, and says nothing.
			return
		}
		o.settings.Look(f)
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

func (o *Observer) rest(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(interval):
	}
}

func (o *Observer) look(ctx context.Context) facts.Facts {
	o.mu.Lock()
	f := o.objects
	f.Processes = o.processes
	o.mu.Unlock()
	f.At = o.settings.Now()
	limited, cancel := context.WithTimeout(ctx, membersTimeout)
	defer cancel()
	answers := o.askMembers(limited)
	f.MembersAt = o.settings.Now()
	compose(&f, answers)
	for i := range f.Members {
		for _, machine := range f.Machines {
			if slices.Contains(machine.Addresses, f.Members[i].Address) {
				f.Members[i].Machine = machine.Name
			}
		}
	}
	o.learnAddresses(f)
	return f
}

// readObjects reads the objects again and again.
func (o *Observer) readObjects(ctx context.Context) {
	var readings sync.WaitGroup
	defer readings.Wait()
	places := make(chan struct{}, objectsAtOnce)
	ticker := time.NewTicker(objectsInterval)
	defer ticker.Stop()
	for ctx.Err() == nil {
		select {
		case places <- struct{}{}:
			readings.Go(func() {
				o.readObjectsOnce(ctx)
				<-places
			})
		default:
			// Enough that wait for an answer.
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

// readObjectsOnce keeps a reading unless there is a newer one.
func (o *Observer) readObjectsOnce(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, objectsTimeout)
	defer cancel()
	fresh := facts.Facts{ObjectsAt: o.settings.Now()}
	err := o.askObjects(ctx, &fresh)
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case fresh.ObjectsAt < o.objects.ObjectsAt:
	case err != nil:
		o.objects.ObjectsProblem = err.Error()
	default:
		if fresh.Desired == 0 {
			fresh.Desired = o.objects.Desired
		}
		o.objects = fresh
	}
}

func (o *Observer) learnAddresses(f facts.Facts) {
	learn := func(address string) {
		if address != "" && !slices.Contains(o.addresses, address) {
			o.addresses = append(o.addresses, address)
		}
	}
	known := map[string]bool{}
	for _, m := range f.Members {
		learn(m.Address)
		known[m.Address] = true
	}
	if f.MembersProblem != "" {
		return
	}
	// Those that the newest list has not are asked no longer: most of them are
	// hosts that are gone, each a wait for a timeout.
	o.addresses = slices.DeleteFunc(o.addresses, func(address string) bool { return !known[address] })
}

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
	// Both together leave a look below the longest gap that a recording may have.
	objectsTimeout = 1200 * time.Millisecond
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
	// objects holds the last complete reading of the API server.
	objects facts.Facts

	mu   sync.Mutex
	told map[string]bool
}

// New returns an Observer that has not looked yet.
func New(settings Settings) *Observer {
	return &Observer{settings: settings, addresses: slices.Clone(settings.Addresses), told: map[string]bool{}}
}

// Run looks until ctx ends.
func (o *Observer) Run(ctx context.Context) {
	var events sync.WaitGroup
	events.Go(func() { o.watchEvents(ctx) })
	defer events.Wait()
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
	began := o.settings.Now()
	o.lookAtObjects(ctx, began)
	f := o.objects
	f.At = began
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

// lookAtObjects keeps the last complete reading where there is no new one.
func (o *Observer) lookAtObjects(ctx context.Context, began time.Duration) {
	if o.objects.ObjectsProblem == "" && o.objects.ObjectsAt > 0 && began-o.objects.ObjectsAt < objectsInterval {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, objectsTimeout)
	defer cancel()
	fresh := facts.Facts{}
	if err := o.askObjects(ctx, &fresh); err != nil {
		o.objects.ObjectsProblem = err.Error()
		return
	}
	// What was read is at least as old as the beginning.
	fresh.ObjectsAt = began
	if fresh.Desired == 0 {
		fresh.Desired = o.objects.Desired
	}
	o.objects = fresh
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

package live

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/klog/v2"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
)

// A member must have been attended for some time before its loss asks for an observation at once. One that is lost earlier
// asks when that time is over, so that a member which hangs up again and again does not keep the observer busy: the time
// begins with settled and doubles with each loss, until it is that between regular passes. A member that was attended for
// as long as that begins anew.
const (
	settled = 5 * time.Second
	regular = time.Minute
)

// attendance stays with the voters that served when they were observed last, so that one that ceases to be there is
// observed at once and not at the next regular pass. No fact is made of it.
type attendance struct {
	*Observer
	// served has the latest voters that served, and is empty when they have been taken.
	served chan voters

	mu       sync.Mutex
	attended map[string]bool
	// patience is for how long each member must be attended next time.
	patience map[string]time.Duration
}

// voters are some members of a list.
type voters struct {
	list    etcdclient.MemberList
	members []etcdclient.Member
}

func newAttendance(o *Observer) *attendance {
	return &attendance{Observer: o, served: make(chan voters, 1), attended: map[string]bool{}, patience: map[string]time.Duration{}}
}

// attend asks for the attendance of all voters that just served. It is for one caller at a time.
func (a *attendance) attend(list etcdclient.MemberList, probes []etcdclient.Probe) {
	a.forgetOthers(list.Members)
	served := voters{list: list}
	for i := range probes {
		if m := &list.Members[i]; probes[i].Err == nil && !m.Learner {
			served.members = append(served.members, *m)
		}
	}
	select {
	case <-a.served:
	default:
	}
	a.served <- served
}

// run attends until ctx ends, and returns when it has left all members.
func (a *attendance) run(ctx context.Context) {
	var stays sync.WaitGroup
	defer stays.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case served := <-a.served:
			for i := range served.members {
				m := &served.members[i]
				if a.begin(m) {
					stays.Go(func() { a.stay(ctx, &served.list, m) })
				}
			}
		}
	}
}

// stay attends one member, and asks for an observation when it is gone. A member that did not agree to be attended is left
// to the regular passes.
func (a *attendance) stay(ctx context.Context, list *etcdclient.MemberList, m *etcdclient.Member) {
	var begun time.Time
	err := a.Config.Etcd.Attend(ctx, list, m, func() { begun = a.Clock.Now() })
	if ctx.Err() != nil {
		return
	}
	klog.FromContext(ctx).V(2).Info("A member is not attended any more", "member", m.ID, "name", m.Name, "begun", !begun.IsZero(), "why", err.Error())
	if !begun.IsZero() {
		lasted := a.Clock.Since(begun)
		if wait := a.patienceWith(m, lasted) - lasted; wait > 0 {
			timer := a.Clock.NewTimer(wait)
			defer timer.Stop()
			select {
			case <-ctx.Done():
				return
			case <-timer.C():
			}
		}
	}
	a.end(m)
	if !begun.IsZero() {
		a.changed()
	}
}

// patienceWith returns for how long the member that was lost should have been attended, and doubles that for the next time.
func (a *attendance) patienceWith(m *etcdclient.Member, lasted time.Duration) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := attendedAs(m)
	patience := max(settled, a.patience[key])
	if lasted >= regular {
		patience = 0
	}
	a.patience[key] = min(2*patience, regular)
	return patience
}

// forgetOthers forgets the patience with members that are not in the list any more.
func (a *attendance) forgetOthers(members []etcdclient.Member) {
	a.mu.Lock()
	defer a.mu.Unlock()
	patience := map[string]time.Duration{}
	for i := range members {
		key := attendedAs(&members[i])
		if p, known := a.patience[key]; known {
			patience[key] = p
		}
	}
	a.patience = patience
}

// begin reports whether a member is not attended yet, and says that it is.
func (a *attendance) begin(m *etcdclient.Member) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := attendedAs(m)
	if a.attended[key] {
		return false
	}
	a.attended[key] = true
	return true
}

func (a *attendance) end(m *etcdclient.Member) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.attended, attendedAs(m))
}

// attendedAs tells a member from another, and from itself at another place.
func attendedAs(m *etcdclient.Member) string {
	return strings.Join(append([]string{m.ID.String()}, slices.Sorted(slices.Values(m.ClientURLs))...), " ")
}

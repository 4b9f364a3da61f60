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

// settled is for how long a member must have been attended before its loss asks for an observation at once. One that is
// lost earlier asks when that time is over, so that a member which hangs up every time does not keep the observer busy.
const settled = 5 * time.Second

// attendance stays with the voters that served when they were observed last, so that one that ceases to be there is
// observed at once and not at the next regular pass. No fact is made of it.
type attendance struct {
	*Observer
	// served has the latest voters that served, and is empty when they have been taken.
	served chan voters

	mu       sync.Mutex
	attended map[string]bool
}

// voters are some members of a list.
type voters struct {
	list    etcdclient.MemberList
	members []etcdclient.Member
}

func newAttendance(o *Observer) *attendance {
	return &attendance{Observer: o, served: make(chan voters, 1), attended: map[string]bool{}}
}

// attend asks for the attendance of all voters that just served. It is for one caller at a time.
func (a *attendance) attend(list etcdclient.MemberList, probes []etcdclient.Probe) {
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
		if wait := settled - a.Clock.Since(begun); wait > 0 {
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

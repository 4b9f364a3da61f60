package clustermember

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// doubt is whether a change was sent whose outcome is not known: it may have been made, or may still be. It ends when two
// linearizable lists, read after the call and at least 10 s apart, agree (rule R10.2). The zero value is in doubt, since a
// process that has just started does not know what its predecessor had sent when it ended.
type doubt struct {
	settled bool
	// since is when the call ended that left the doubt.
	since time.Time
	// first is the list that the second must agree with; firstAt is when it was in hand, zero when there is none yet.
	first   etcdclient.Judged
	firstAt time.Time
}

func (d *doubt) raise(now time.Time) { *d = doubt{since: now} }

// look takes the list of one pass, which was read between ObservedAt and now.
func (d *doubt) look(s *snapshot.Snapshot, now time.Time) {
	if d.settled || !s.MemberList.Holds() || s.ObservedAt.Before(d.since) {
		return
	}
	list := etcdclient.JudgedFrom(s)
	switch {
	case d.firstAt.IsZero() || list != d.first:
		d.first, d.firstAt = list, now
	case s.ObservedAt.Sub(d.firstAt) >= apart:
		d.settled = true
	}
}

// secondListAt returns when the pass may begin whose list can end the doubt; awaited is false while there is no doubt, or
// no first list.
func (d *doubt) secondListAt() (at time.Time, awaited bool) {
	return d.firstAt.Add(apart), !d.settled && !d.firstAt.IsZero()
}

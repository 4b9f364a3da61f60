package live

import (
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
)

func TestPatienceGrowsWithEachLossAndBeginsAnew(t *testing.T) {
	a := newAttendance(&Observer{})
	m, other := &etcdclient.Member{ID: 1}, &etcdclient.Member{ID: 2}
	expect := func(when string, lasted time.Duration, want time.Duration) {
		t.Helper()
		if got := a.patienceWith(m, lasted); got != want {
			t.Errorf("%s: patience %s, want %s", when, got, want)
		}
	}
	for i, want := range []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute, time.Minute} {
		expect("a loss after another", time.Duration(i)*time.Second, want)
	}
	if got := a.patienceWith(other, 0); got != settled {
		t.Errorf("another member has to be attended for %s", got)
	}
	expect("after a call as long as a regular pass is away", regular, 0)
	expect("the next loss", 0, settled)
	a.attend(etcdclient.MemberList{Members: []etcdclient.Member{*m}}, nil)
	expect("a list with the member", 0, 2*settled)
	a.attend(etcdclient.MemberList{Members: []etcdclient.Member{*other}}, nil)
	if _, kept := a.patience[attendedAs(m)]; kept {
		t.Error("a member that is in no list any more is remembered")
	}
}

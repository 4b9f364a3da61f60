package live

import (
	"fmt"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Only a member that was asked can have failed to serve.
func TestWhatAProbeThatEndedInAnErrorTells(t *testing.T) {
	for name, test := range map[string]struct {
		err    error
		served snapshot.Fact
	}{
		"no error":                    {nil, snapshot.True},
		"it gave no answer":           {etcdclient.ErrNoAnswer, snapshot.False},
		"somebody else answered":      {etcdclient.ErrOtherMember, snapshot.False},
		"it said that it cannot":      {etcdclient.ErrCannotServe, snapshot.False},
		"it has not started":          {etcdclient.ErrUnstarted, snapshot.Unknown},
		"the way to it is closed":     {etcdclient.ErrNoWay, snapshot.Unknown},
		"nobody can be asked anymore": {etcdclient.ErrClosed, snapshot.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			p := etcdclient.Probe{Err: test.err}
			if test.err != nil {
				p.Err = fmt.Errorf("probe: %w", test.err)
			}
			if got := convertProbe(&p); got.Served != test.served || (got.Error == "") != (test.err == nil) {
				t.Errorf("served %v, error %q", got.Served, got.Error)
			}
		})
	}
}

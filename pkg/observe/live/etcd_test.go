package live_test

import (
	"context"
	"crypto/tls"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// through has the observer reach etcd by connections that change makes of others.
func (w *world) through(change func(etcdclient.Conn) etcdclient.Conn) {
	client := etcdclient.New(etcdclient.Config{TLS: w.etcd.TLS(), Dial: func(urls []string, credentials func() (*tls.Config, error)) (etcdclient.Conn, error) {
		conn, err := w.dial(urls, credentials)
		if err != nil {
			return nil, err
		}
		return change(conn), nil
	}})
	w.t.Cleanup(client.Close)
	w.observer.Config.Etcd = client
}

type noAlarms struct{ etcdclient.Conn }

func (noAlarms) Alarms(ctx context.Context) ([]etcdclient.Alarm, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// Alarms go through etcd's log, so that a slow disk holds them up where reads are served.
func TestAlarmsThatCannotBeReadAreNamed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.through(func(conn etcdclient.Conn) etcdclient.Conn { return noAlarms{conn} })
		w.start()
		seen := w.observe()
		if len(seen.Faults) != 1 {
			t.Errorf("want one fault, got %v", seen.Faults)
		}
		w.wantFault(seen, "read alarms: "+etcdclient.ErrNoEndpoint.Error()+": https://192.0.2.1:2379: ")
		for _, m := range seen.Snapshot.Members {
			if m.Health != snapshot.Healthy || m.Corrupt != snapshot.Unknown || m.IsHealthy() {
				t.Errorf("member %s answered and may be corrupt; got %+v", m.Name, m)
			}
		}
	})
}

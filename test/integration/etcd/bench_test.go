package etcd

import (
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
)

// One observation's part in etcd: a linearizable list, and the probes of three members.
func BenchmarkReadingOfThreeMembers(b *testing.B) {
	c := start(b, etcdclienttest.Spec{Voters: 3})
	client := etcdclient.New(etcdclient.Config{TLS: c.TLS()})
	defer client.Close()
	b.ReportAllocs()
	for b.Loop() {
		list, err := client.MemberList(b.Context(), c.Endpoints())
		if err != nil {
			b.Fatal(err)
		}
		probes, err := client.Probe(b.Context(), list)
		if err != nil {
			b.Fatal(err)
		}
		for _, p := range probes {
			if p.Err != nil {
				b.Fatal(p.Err)
			}
		}
	}
}

package quorumguard_test

import (
	"strconv"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

func BenchmarkDecide(b *testing.B) {
	for _, members := range []int{3, 5, 100} {
		b.Run(strconv.Itoa(members)+"Members", func(b *testing.B) {
			s := snapshottest.Replacement(members)
			b.ReportAllocs()
			for b.Loop() {
				quorumguard.Decide(s)
			}
		})
	}
}

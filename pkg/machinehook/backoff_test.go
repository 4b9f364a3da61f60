package machinehook_test

import (
	"math"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
)

// Rule R4.6: doubling from 1 s, at most 5 min.
func TestBackOff(t *testing.T) {
	for n, want := range map[int]time.Duration{
		math.MinInt: 0, -1: 0, 0: 0,
		1: time.Second, 2: 2 * time.Second, 3: 4 * time.Second, 4: 8 * time.Second,
		8: 128 * time.Second, 9: 256 * time.Second,
		10: 5 * time.Minute, 11: 5 * time.Minute, 33: 5 * time.Minute, 64: 5 * time.Minute, 65: 5 * time.Minute, math.MaxInt: 5 * time.Minute,
	} {
		if got := machinehook.BackOff(n); got != want {
			t.Errorf("stripped %d times: %s, want %s", n, got, want)
		}
	}
}

package quorumguard_test

import (
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// A budget that is closed for an install must stay closed when the guards that the same decision creates become Ready
// (rule R8.2, invariant I10).
func TestAnInstallClosesTheBudgetToTheGuardsThatComeAsWell(t *testing.T) {
	for _, c := range []struct {
		name string
		gone []world.Host
		min  int
	}{
		{"three guards are there", nil, 4},
		{"one is there and two are created", []world.Host{world.A, world.C}, 4},
		{"none is there and three are created", []world.Host{world.A, world.B, world.C}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := quorumguard.Decide(world.New(world.GuardGone(c.gone...), planned(world.B)))
			if d.MinAvailable != c.min || d.Budget != quorumguard.SetBudget {
				t.Errorf("the budget is %s %d, want it set to %d", d.Budget, d.MinAvailable, c.min)
			}
		})
	}
	t.Run("a node without a guard that gets none either does not lower the budget", func(t *testing.T) {
		d := quorumguard.Decide(world.New(world.GuardGone(world.A, world.B, world.C), world.Cordoned(world.A, world.B, world.C), planned(world.B)))
		if d.MinAvailable != 2 {
			t.Errorf("minAvailable is %d, want 2: two of three votes must stay", d.MinAvailable)
		}
	})
}

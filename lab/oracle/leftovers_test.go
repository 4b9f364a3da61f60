package oracle

import (
	"testing"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

func TestWhereMachinesAreLeftoversNodesCountAndNobodyAsksForHooks(t *testing.T) {
	f := facts.Facts{Desired: 5, Machines: []facts.Machine{{Name: "left", Role: "master", Phase: "Provisioning", Addresses: []string{"a"}}}}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		f.Members = append(f.Members, facts.Member{ID: name, Name: name, Address: name, Voter: true, Healthy: true})
		f.Nodes = append(f.Nodes, facts.Node{Name: name, Ready: true, ControlPlane: true})
	}
	f.Nodes = append(f.Nodes, facts.Node{Name: "worker", Ready: true})
	f.Members = f.Members[:3]
	if got := leastAvailable(f); got != 4 {
		t.Errorf("the budget keeps %d guards of 5 nodes, want 4", got)
	}
	if why := unfit(f, f, f.Members[0]); why != "" {
		t.Errorf("%s may not vote: %s", f.Members[0].Name, why)
	}
	// One that runs, and Machines are asked after.
	f.Machines = append(f.Machines, facts.Machine{Name: "runs", Role: "master", Phase: "Running", Node: "b", Addresses: []string{"b"}})
	if got := leastAvailable(f); got != 2 {
		t.Errorf("the budget keeps %d guards of 2 Machines and 3 voters, want 2", got)
	}
	for _, m := range f.Members {
		if why := unfit(f, f, m); why == "" {
			t.Errorf("%s may vote", m.Name)
		}
	}
}

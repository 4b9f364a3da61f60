package replicas

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

func TestParseMachineSet(t *testing.T) {
	number := func(n int32) *int32 { return &n }
	none := MachineSet{Active: snapshot.False}
	for name, test := range map[string]struct {
		state    string
		replicas *int32
		want     MachineSet
		fault    fault
	}{
		"an active set":                          {state: "Active", replicas: number(3), want: MachineSet{snapshot.True, 3}},
		"an active set of five":                  {state: "Active", replicas: number(5), want: MachineSet{snapshot.True, 5}},
		"an inactive set":                        {state: "Inactive", replicas: number(5), want: none},
		"a set without a state is inactive":      {replicas: number(5), want: none},
		"an inactive set is not asked for more":  {state: "Inactive", want: none},
		"nor does it matter what it says":        {state: "Inactive", replicas: number(-1), want: none},
		"a state that the API does not know":     {state: "active", replicas: number(3), fault: fault{"spec.state", "active", "is neither Active nor Inactive"}},
		"an active set without a number":         {state: "Active", fault: fault{"spec.replicas", "", "is missing"}},
		"an active set of none":                  {state: "Active", replicas: number(0), fault: fault{"spec.replicas", "0", "is zero"}},
		"an active set with a negative number":   {state: "Active", replicas: number(math.MinInt32), fault: fault{"spec.replicas", "-2147483648", "is negative"}},
		"an active set with an absurd number":    {state: "Active", replicas: number(10), fault: fault{"spec.replicas", "10", "is more than 9, which no control plane has"}},
		"an active set with the largest of them": {state: "Active", replicas: number(math.MaxInt32), fault: fault{"spec.replicas", "2147483647", "is more than 9, which no control plane has"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseMachineSet(test.state, test.replicas)
			test.fault.check(t, "controlplanemachinesets.machine.openshift.io/cluster in openshift-machine-api", err)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("unexpected set (-want +got):\n%s", diff)
			}
		})
	}
}

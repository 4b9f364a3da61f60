package facts

import (
	"strings"
	"testing"
)

func TestMachinesAreAskedAfterWhereTheyAreAtWork(t *testing.T) {
	whole := func(machine Machine) Facts {
		return Facts{
			Desired: 1, Members: []Member{{Name: "a", Address: "x", Voter: true, Healthy: true, Machine: machine.Name}},
			Machines: []Machine{machine, {Name: "worker", Role: "worker", Phase: "Running", Node: "worker"}},
			Nodes:    []Node{{Name: "a", Ready: true}}, Guards: []Guard{{Node: "a", Ready: true}}, Endpoints: []string{"x"},
		}
	}
	stray := whole(Machine{Name: "a", Role: "master", Phase: "Running", Node: "a"})
	stray.Members[0].Machine = ""
	cordoned := whole(Machine{Name: "leftover", Role: "master", Phase: "Provisioning"})
	cordoned.Members[0].Machine = ""
	leftover := cordoned
	cordoned.Nodes = []Node{{Name: "a", Ready: true, Cordoned: true}}
	for name, test := range map[string]struct {
		facts  Facts
		atWork bool
		want   string
	}{
		"a member on its Machine":                            {whole(Machine{Name: "a", Role: "master", Phase: "Running", Node: "a"}), true, ""},
		"a Machine that failed and has its Node":             {whole(Machine{Name: "a", Role: "arbiter", Phase: "Failed", Node: "a"}), true, ""},
		"a member without a Machine, where they are at work": {stray, true, "a has no Machine"},
		"a member without a Machine, beside leftovers":       {leftover, false, ""},
		"a cordoned Node, beside leftovers":                  {cordoned, false, "not Ready, or cordoned"},
		"a Machine that is being deleted":                    {whole(Machine{Name: "a", Role: "master", Phase: "Running", Node: "a", Deleting: true}), true, "is being deleted"},
	} {
		if got := test.facts.MachinesAtWork(); got != test.atWork {
			t.Errorf("%s: Machines are at work: %t", name, got)
		}
		if got := strings.Join(test.facts.Missing(true), "; "); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: missing is %q, want %q", name, got, test.want)
		}
	}
}

func TestTheHostOfAURLIsCanonical(t *testing.T) {
	for url, want := range map[string]string{
		"https://10.199.0.10:2380":           "10.199.0.10",
		"https://[fd00:199:0:0::a]:2380":     "fd00:199::a",
		"https://master-0.lab.invalid:2380/": "master-0.lab.invalid",
		"https://[":                          "",
	} {
		if got := HostOf(url); got != want {
			t.Errorf("the host of %s is %q, want %q", url, got, want)
		}
	}
}

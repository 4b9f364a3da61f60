package snapshot_test

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

func TestANodeIsGoneOrPresentOnlyIfThatIsKnown(t *testing.T) {
	for _, tc := range []struct {
		node          *snapshot.Node
		gone, present bool
	}{
		{nil, false, false},
		{&snapshot.Node{Present: snapshot.Unknown}, false, false},
		{&snapshot.Node{Present: snapshot.False}, true, false},
		{&snapshot.Node{Present: snapshot.True}, false, true},
	} {
		o := snapshot.Owner{Node: tc.node}
		if o.NodeGone() != tc.gone || o.NodePresent() != tc.present {
			t.Errorf("%+v: gone %t, present %t; want %t, %t", tc.node, o.NodeGone(), o.NodePresent(), tc.gone, tc.present)
		}
	}
}

// TestOwnerInRareWorlds is rule R3 for the member of host a, where no other row tells a broken resolution from ours.
func TestOwnerInRareWorlds(t *testing.T) {
	nameless := world.Member(a, func(m *snapshot.Member) {
		m.Name, m.Started, m.Health, m.AppliedIndex = "", false, snapshot.HealthUnknown, 0
	})
	for _, tc := range []struct {
		name  string
		world []world.Edit
		want  owner
	}{
		{
			"a member belongs by its name to any machine of the list, not only to the first",
			edits(world.NewMachine("0"), machineAddresses(a), world.NodeGone(a)), found("machine-a", "node-a").whose(snapshot.False),
		},
		{
			"the node's address is enough, whatever the member is called",
			edits(machineAddresses(a), name(a, "other")), found("machine-a", "node-a"),
		},
		{
			"the node's address is enough for a member that has no name yet",
			edits(machineAddresses(a), nameless), found("machine-a", "node-a"),
		},
		{
			"a member without a name does not belong to the machine without a nodeRef because both are empty",
			edits(nameless, world.NewMachine(d), machineAddresses(d, a.Address())), ambiguous,
		},
		{
			"a Node without a name is nobody's",
			edits(world.MachineGone(a), forgetNode(a), world.Facts(func(s *snapshot.Snapshot) {
				s.Nodes = append(s.Nodes, snapshot.Node{Present: snapshot.True})
			})), nobody,
		},
		{
			"a Node without a name gives its address to no machine",
			edits(machineAddresses(a), nodeRef(a, ""), forgetNode(a), world.Facts(func(s *snapshot.Snapshot) {
				s.Nodes = append(s.Nodes, snapshot.Node{Present: snapshot.True, Addresses: slices.Clone(s.Members[0].PeerAddresses)})
			}), name(a, "other")), nobody,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := world.New(tc.world...)
			v := snapshot.NewView(&s)
			o := v.Owners[v.IndexOf(a.ID())]
			got := owner{state: o.State, node: o.NodeName}
			if o.Machine != nil {
				got.machine = o.Machine.Name
			}
			if o.Node != nil {
				got.present = o.Node.Present
			}
			if got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestHasAddress(t *testing.T) {
	for name, tc := range map[string]struct {
		world []world.Edit
		want  bool
	}{
		"of its own":                          {edits(forgetNode(a)), true},
		"of its node":                         {edits(machineAddresses(a)), true},
		"neither its own nor one of its node": {edits(machineAddresses(a), nodeAddresses(a)), false},
		"of a node that is gone":              {edits(machineAddresses(a), world.Node(a, func(n *snapshot.Node) { n.Present = snapshot.False })), false},
		"of nothing that is known":            {edits(machineAddresses(a), forgetNode(a)), false},
		"of its node, but without a nodeRef":  {edits(machineAddresses(a), nodeRef(a, "")), false},
	} {
		s := world.New(tc.world...)
		v := snapshot.NewView(&s)
		i := slices.IndexFunc(v.SortedMachines, func(m *snapshot.Machine) bool { return m.Name == a.Machine() })
		if got := v.HasAddress(v.SortedMachines[i]); got != tc.want {
			t.Errorf("%s: got %t, want %t", name, got, tc.want)
		}
	}
}

// Rule R3: what two Machines claim, neither is known not to host.
func TestEachOfTwoMachinesThatClaimAMemberMayHostIt(t *testing.T) {
	s := world.New(name(a, "other"), world.NewNode(d), machineAddresses(d, a.Address()))
	v := snapshot.NewView(&s)
	for _, machine := range v.SortedMachines {
		want := snapshot.True
		if machine.Name == a.Machine() || machine.Name == d.Machine() {
			want = snapshot.Unknown
		}
		if got, _ := v.Hosting(machine); got != want {
			t.Errorf("%s: got %s, want %s", machine.Name, got, want)
		}
	}
}

func TestANodeWithoutAMachineDoesNotGetTheOneThatWaitsForItsNode(t *testing.T) {
	s := world.New(world.MachineGone(a), world.NewMachine(d))
	v := snapshot.NewView(&s)
	if machine, isAmbiguous := v.MachineOfNode(v.Node(a.Node())); machine != nil || isAmbiguous {
		t.Errorf("got %+v, ambiguous %t", machine, isAmbiguous)
	}
}

// Invariant I7: members are in the order of their names, then ids; guards in that of their nodes, those that stay first.
func TestAViewIsInOneOrder(t *testing.T) {
	s := world.New()
	s.Members = []snapshot.Member{{ID: 1, Name: "b"}, {ID: 9}, {ID: 5, Name: "a"}, {ID: 3}}
	guardsInOrder := []snapshot.Guard{
		{Node: "a", Ready: true, Phase: "Failed"}, {Node: "a", Phase: "Pending"}, {Node: "a", Phase: "Running"}, {Node: "a", Phase: "Running", Outdated: true},
		{Node: "a", Deleting: true, Ready: true, Phase: "Failed"}, {Node: "b"}, {Node: "b", Deleting: true},
	}
	s.Guards = nil
	for _, i := range []int{6, 2, 5, 4, 1, 3, 0} {
		s.Guards = append(s.Guards, guardsInOrder[i])
	}
	for range 2 {
		v := snapshot.NewView(&s)
		var ids []snapshot.MemberID
		for _, m := range v.SortedMembers {
			ids = append(ids, m.ID)
		}
		if diff := cmp.Diff([]snapshot.MemberID{3, 9, 5, 1}, ids); diff != "" {
			t.Errorf("members (-want +got)\n%s", diff)
		}
		var guards []snapshot.Guard
		for _, g := range v.SortedGuards {
			guards = append(guards, *g)
		}
		if diff := cmp.Diff(guardsInOrder, guards); diff != "" {
			t.Errorf("guards (-want +got)\n%s", diff)
		}
		slices.Reverse(s.Members)
		slices.Reverse(s.Guards)
	}
}

// Invariant I4.
func TestAContradictionIsFoundAtTheFrontOfAList(t *testing.T) {
	for want, change := range map[string]func(*snapshot.Snapshot){
		"machine machine-a": func(s *snapshot.Snapshot) { s.Machines = append(s.Machines, s.Machines[0]) },
		"node node-a":       func(s *snapshot.Snapshot) { s.Nodes = append(s.Nodes, s.Nodes[0]) },
	} {
		s := world.New(fact(change))
		if got := snapshot.NewView(&s).Contradiction; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestOnlyASingleReplicaWantsNoGuards(t *testing.T) {
	for topology, want := range map[snapshot.Topology]bool{
		snapshot.TopologyUnknown: true, snapshot.HighlyAvailable: true, snapshot.HighlyAvailableArbiter: true, snapshot.DualReplica: true, snapshot.SingleReplica: false,
	} {
		s := world.New(fact(func(s *snapshot.Snapshot) { s.Topology = topology }))
		if got := snapshot.NewView(&s).GuardsWanted(); got != want {
			t.Errorf("%q: got %t, want %t", topology, got, want)
		}
	}
}

func TestAddressListsShareAnyOfTheirAddresses(t *testing.T) {
	x, y, z := a.Address(), b.Address(), c.Address()
	for _, tc := range []struct {
		name string
		got  bool
		want bool
	}{
		{"the last of both", snapshot.Share([]netip.Addr{x, z}, []netip.Addr{y, z}), true},
		{"the first of both", snapshot.Share([]netip.Addr{z, x}, []netip.Addr{z, y}), true},
		{"none", snapshot.Share([]netip.Addr{x}, []netip.Addr{y, z}), false},
		{"none of nothing", snapshot.Share(nil, nil), false},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: got %t, want %t", tc.name, tc.got, tc.want)
		}
	}
}

package snapshot_test

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const a, b, c, d = world.A, world.B, world.C, world.D

// owner is what rule R3 must tell of a member.
type owner struct {
	state   snapshot.OwnerState
	machine snapshot.MachineName
	node    snapshot.NodeName
	// present is what is known of the node's existence; Unknown where there is no entry for it.
	present snapshot.Fact
}

func found(machine snapshot.MachineName, node snapshot.NodeName) owner {
	return owner{snapshot.OwnerFound, machine, node, snapshot.True}
}

func none(node snapshot.NodeName) owner {
	return owner{snapshot.OwnerNone, "", node, snapshot.True}
}

var (
	nobody    = owner{state: snapshot.OwnerNone}
	unknown   = owner{state: snapshot.OwnerUnknown}
	ambiguous = owner{state: snapshot.OwnerAmbiguous}
)

func told(o snapshot.Owner) owner {
	got := owner{state: o.State, node: o.NodeName}
	if o.Machine != nil {
		got.machine = o.Machine.Name
	}
	if o.Node != nil {
		got.present = o.Node.Present
	}
	return got
}

// whose present is what the node's existence is known to be.
func (o owner) whose(present snapshot.Fact) owner {
	o.present = present
	return o
}

// TestOwner is rule R3 for the member of host a.
func TestOwner(t *testing.T) {
	for _, tc := range []struct {
		name  string
		world []world.Edit
		want  owner
	}{
		{"a member belongs to the machine whose node has its address", edits(), found("machine-a", "node-a")},
		{
			"the node that nodeRef names gives the address to a machine that has none itself",
			edits(machineAddresses(a)), found("machine-a", "node-a"),
		},
		{
			"any InternalIP of the node counts",
			edits(machineAddresses(a), nodeAddresses(a, d.Address(), d.IPv6(), a.Address())), found("machine-a", "node-a"),
		},
		{
			"any InternalIP of the machine counts",
			edits(world.NodeGone(a), machineAddresses(a, d.Address(), d.IPv6(), a.Address())),
			found("machine-a", "node-a").whose(snapshot.False),
		},
		{
			"an IPv6 address counts like an IPv4 address",
			edits(machineAddresses(a, a.Address(), a.IPv6()), nodeAddresses(a, a.Address()), peers(a, a.IPv6())), found("machine-a", "node-a"),
		},
		{
			"an IPv4 address counts on a machine whose first address is IPv6",
			edits(machineAddresses(a, a.IPv6(), a.Address()), nodeAddresses(a, a.IPv6())), found("machine-a", "node-a"),
		},
		{
			"any peer URL of the member counts",
			edits(peers(a, d.IPv6(), d.Address(), a.Address()), name(a, "other")), found("machine-a", "node-a"),
		},
		{
			"a machine without nodeRef owns by its address, and the node with that address is the member's",
			edits(nodeRef(a, "")), found("machine-a", "node-a"),
		},
		{
			"a nodeRef to a node that has neither the member's name nor its address does not hide the node that has",
			edits(nodeRef(a, "node-new"), nodeAddresses(a, a.Address())), found("machine-a", "node-a"),
		},
		{
			"a nodeRef and a name that agree count, even if another node has the address by now",
			edits(world.NodeGone(a), world.NewNode(d), nodeAddresses(d, a.Address())), found("machine-a", "node-a").whose(snapshot.False),
		},
		{
			"a member without a name on a machine without nodeRef is on the node that has the address",
			edits(name(a, ""), nodeRef(a, "")), found("machine-a", "node-a"),
		},
		{
			"of two nodes with the address the one with the member's name is its node, also if it is not the first",
			edits(nodeRef(a, ""), world.NewNode("0"), world.MachineGone("0"), nodeAddresses("0", a.Address())), found("machine-a", "node-a"),
		},
		{
			"a nodeRef to another voter's node does not hide the node that has the address, whatever its name",
			edits(nodeRef(a, "node-b"), name(a, "other")), found("machine-a", "node-a"),
		},
		{
			"the node that nodeRef names is the member's if it has the address, even if another node has it too and the name",
			edits(world.NewNode(d), world.MachineGone(d), nodeRef(a, "node-d"), nodeAddresses(d, a.Address())), found("machine-a", "node-d"),
		},
		{
			"with no node that has the address the one that nodeRef names counts, not the one of the member's name",
			edits(nodeRef(a, "node-new"), nodeAddresses(a, d.Address())), found("machine-a", "node-new").whose(snapshot.Unknown),
		},
		{
			"a nodeRef to a node that has neither the member's name nor its address counts for nothing beside a node whose address cannot be read",
			edits(nodeRef(a, "node-new"), world.Node(a, func(n *snapshot.Node) { n.Addresses, n.AddressUnreadable = nil, true })), found("machine-a", "node-a"),
		},
		{
			"it counts for nothing beside a node that could not be read",
			edits(nodeRef(a, "node-new"), world.Node(a, func(n *snapshot.Node) { n.Present = snapshot.Unknown })),
			found("machine-a", "node-a").whose(snapshot.Unknown),
		},
		{
			"it counts for nothing beside another's node that could not be read, and no node is known then",
			edits(nodeRef(a, "node-new"), name(a, "other"), nodeAddresses(a, d.Address()), world.Node(b, func(n *snapshot.Node) { n.Present = snapshot.Unknown })),
			owner{snapshot.OwnerFound, "machine-a", "", snapshot.Unknown},
		},
		{
			"that the node which nodeRef names could not be read hides no other node",
			edits(name(a, "other"), world.Node(a, func(n *snapshot.Node) { n.Present = snapshot.Unknown })),
			found("machine-a", "node-a").whose(snapshot.Unknown),
		},
		{
			"of two nodes with the address none is the member's, if neither has its name or is named by the nodeRef",
			edits(world.NewNode(d), world.MachineGone(d), nodeAddresses(d, a.Address()), name(a, "other"), nodeRef(a, "node-new")),
			owner{snapshot.OwnerFound, "machine-a", "", snapshot.Unknown},
		},
		{
			"a member that has not started belongs by its address",
			edits(name(a, "")), found("machine-a", "node-a"),
		},

		{
			"a name that equals a nodeRef counts when no address does",
			edits(machineAddresses(a, d.Address()), nodeAddresses(a, d.Address())), found("machine-a", "node-a"),
		},
		{
			"a name that equals a nodeRef counts when the node is gone and the machine has no address",
			edits(world.NodeGone(a), machineAddresses(a)), found("machine-a", "node-a").whose(snapshot.False),
		},
		{
			"a name that equals a nodeRef counts when nothing is known of the node",
			edits(forgetNode(a), machineAddresses(a)), found("machine-a", "node-a").whose(snapshot.Unknown),
		},
		{
			"an address comes before a name, which tells the node only",
			edits(peers(a, d.Address()), world.NewMachine(d)), found("machine-d", "node-a"),
		},
		{
			"the empty name of a member that has not started is no nodeRef",
			edits(name(a, ""), world.MachineGone(a), world.NodeGone(a), world.NewMachine(d), machineAddresses(d)), nobody,
		},
		{
			"the addresses of a node that could not be read are not looked at",
			edits(machineAddresses(a), name(a, "other"), world.Node(a, func(n *snapshot.Node) { n.Present = snapshot.Unknown })), nobody,
		},

		{
			"of two machines with the address the one whose node has the member's name owns it",
			edits(world.NewMachine(d), machineAddresses(d, a.Address()), nodeRef(d, "node-d"), world.Deleting(a)), found("machine-a", "node-a"),
		},
		{
			"a dead machine without addresses owns the voter of its name although its replacement has the address",
			edits(world.Deleting(a), world.NodeGone(a), machineAddresses(a), world.Unhealthy(a, time.Hour),
				world.NewMachine(d), machineAddresses(d, a.Address()), nodeRef(d, "node-d")),
			found("machine-a", "node-a").whose(snapshot.False),
		},
		{
			"a healthy member belongs to the machine that stays and has a node",
			edits(name(a, "other"), world.Deleting(a), world.NewMachine(d), machineAddresses(d, a.Address()), nodeRef(d, "node-d")),
			found("machine-d", "node-a"),
		},
		{
			"an unhealthy voter belongs to the machine that is deleting",
			edits(name(a, "other"), world.Unhealthy(a, time.Second), world.Deleting(a), world.NewMachine(d), machineAddresses(d, a.Address()),
				nodeRef(d, "node-d")),
			found("machine-a", "node-a"),
		},
		{
			"with the same node name as well, an unhealthy voter belongs to the machine that is deleting",
			edits(world.Unhealthy(a, time.Second), world.Deleting(a), world.NewMachine(d), machineAddresses(d, a.Address()), nodeRef(d, "node-a")),
			found("machine-a", "node-a"),
		},
		{
			"with the same node name as well, a healthy member belongs to the machine that stays",
			edits(world.Deleting(a), world.NewMachine(d), machineAddresses(d, a.Address()), nodeRef(d, "node-a")),
			found("machine-d", "node-a"),
		},
		{
			"a healthy member of two machines that stay is ambiguous",
			edits(name(a, "other"), world.NewMachine(d), machineAddresses(d, a.Address()), nodeRef(d, "node-d")), ambiguous,
		},
		{
			"a healthy member of two machines of which the one that stays has no node is ambiguous",
			edits(name(a, "other"), world.Deleting(a), world.NewMachine(d), machineAddresses(d, a.Address())), ambiguous,
		},
		{
			"an unhealthy voter of two machines that are deleting is ambiguous",
			edits(name(a, "other"), world.Unhealthy(a, time.Hour), world.NewMachine(d), machineAddresses(d, a.Address()), world.Deleting(a, d)), ambiguous,
		},
		{
			"an unhealthy voter of two machines that stay is ambiguous",
			edits(name(a, "other"), world.Unhealthy(a, time.Hour), world.NewMachine(d), machineAddresses(d, a.Address())), ambiguous,
		},
		{
			"a voter of unknown health is ambiguous",
			edits(name(a, "other"), world.Deleting(a), world.NewMachine(d), machineAddresses(d, a.Address()), nodeRef(d, "node-d"),
				world.Member(a, func(m *snapshot.Member) { m.Health = snapshot.HealthUnknown })), ambiguous,
		},
		{
			"a voter that answers with alarm CORRUPT is neither healthy nor dead, hence ambiguous",
			edits(name(a, "other"), world.Deleting(a), world.NewMachine(d), machineAddresses(d, a.Address()), nodeRef(d, "node-d"),
				world.Member(a, func(m *snapshot.Member) { m.Corrupt = snapshot.True })), ambiguous,
		},
		{
			"an unhealthy learner is no voter, hence ambiguous",
			edits(name(a, "other"), world.Deleting(a), world.NewMachine(d), machineAddresses(d, a.Address()), nodeRef(d, "node-d"),
				world.Unhealthy(a, time.Hour), world.Member(a, func(m *snapshot.Member) { m.Learner = true })), ambiguous,
		},

		{
			"a member without a machine belongs to nobody and to the node with its address",
			edits(world.MachineGone(a), name(a, "other")), none("node-a"),
		},
		{
			"a member without a machine is on the node of its name when no node has its address",
			edits(world.MachineGone(a), nodeAddresses(a, d.Address())), none("node-a"),
		},
		{
			"a member without a machine is on the node of its name that is gone",
			edits(world.MachineGone(a), world.NodeGone(a)), none("node-a").whose(snapshot.False),
		},
		{
			"a member without a machine is on no node that nobody knows of",
			edits(world.MachineGone(a), forgetNode(a)), nobody,
		},
		{
			"of two nodes with the address the one with the member's name is its node",
			edits(world.MachineGone(a), world.NewNode(d), world.MachineGone(d), nodeAddresses(d, a.Address())), none("node-a"),
		},
		{
			"of two nodes with the address none is the node of a member of another name",
			edits(world.MachineGone(a), name(a, "other"), world.NewNode(d), world.MachineGone(d), nodeAddresses(d, a.Address())), nobody,
		},
		{
			"a node without a control-plane role can be the member's node",
			edits(world.MachineGone(a), world.Node(a, func(n *snapshot.Node) { n.ControlPlane = false })), none("node-a"),
		},
		{
			"without a functional Machine API the node alone is told",
			edits(fact(func(s *snapshot.Snapshot) { s.MachineAPI, s.MachineList = snapshot.False, snapshot.Unknown })), none("node-a"),
		},

		{"a member whose peer URLs cannot be read belongs to nobody knows whom", edits(peers(a)), unknown},
		{"without the Machines nobody knows", edits(fact(func(s *snapshot.Snapshot) { s.MachineList = snapshot.Unknown })), unknown},
		{"without the Nodes nobody knows", edits(fact(func(s *snapshot.Snapshot) { s.NodeList = snapshot.Unknown })), unknown},
		{
			"without the Nodes nobody knows, although Machines do not matter",
			edits(fact(func(s *snapshot.Snapshot) { s.NodeList, s.MachineAPI = snapshot.Unknown, snapshot.False })), unknown,
		},
		{
			"while it is unknown whether the Machine API works nobody knows",
			edits(fact(func(s *snapshot.Snapshot) { s.MachineAPI = snapshot.Unknown })), unknown,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := world.New(tc.world...)
			for _, variant := range append(world.Reordered(s), world.Variant{Name: "as it is", Snapshot: s}) {
				v := snapshot.NewView(&variant.Snapshot)
				o := v.Owners[v.IndexOf(a.ID())]
				if got := told(o); got != tc.want {
					t.Errorf("%s: got %+v, want %+v", variant.Name, got, tc.want)
				}
				if o.NodeGone() != tc.want.present.Fails() || o.NodePresent() != tc.want.present.Holds() {
					t.Errorf("%s: node gone %t, present %t", variant.Name, o.NodeGone(), o.NodePresent())
				}
			}
		})
	}
}

// TestHosting is the last sentence of rule R3, and what rule R4.4 rests on, for the machine of host a.
func TestHosting(t *testing.T) {
	for _, tc := range []struct {
		name  string
		world []world.Edit
		want  snapshot.Fact
		// member is the one that is hosted, or that is in doubt.
		member snapshot.MemberID
	}{
		{"a machine hosts the member that it owns", edits(), snapshot.True, a.ID()},
		{"a machine hosts none once its member is gone", edits(world.MemberGone(a)), snapshot.False, 0},
		{
			"a machine whose member another one owns hosts none",
			edits(name(a, "other"), world.Deleting(a), world.NewMachine(d), machineAddresses(d, a.Address()), nodeRef(d, "node-d")), snapshot.False, 0,
		},
		{"nobody knows without the member list", edits(fact(func(s *snapshot.Snapshot) { s.MemberList = snapshot.Unknown })), snapshot.Unknown, 0},
		{"nobody knows from an incomplete member list", edits(fact(func(s *snapshot.Snapshot) { s.MemberList = snapshot.False })), snapshot.Unknown, 0},
		{
			"nobody knows from facts that contradict each other",
			edits(fact(func(s *snapshot.Snapshot) { s.Members = append(s.Members, s.Members[1]) })), snapshot.Unknown, 0,
		},
		{"nobody knows while the owner of some member is unknown", edits(world.MemberGone(a), peers(c)), snapshot.Unknown, c.ID()},
		{"its own member is known even if another one's owner is not", edits(peers(c)), snapshot.True, a.ID()},
		{
			"nobody knows while two machines, this one among them, claim a member",
			edits(name(a, "other"), world.NewMachine(d), machineAddresses(d, a.Address()), nodeRef(d, "node-d")), snapshot.Unknown, a.ID(),
		},
		{
			"a member that two other machines claim is not hosted here",
			edits(world.MemberGone(a), name(b, "other"), world.NewMachine(d), machineAddresses(d, b.Address()), nodeRef(d, "node-d")), snapshot.False, 0,
		},
		{
			"a member that belongs to nobody is not hosted by a machine whose addresses are known",
			edits(world.MemberGone(a), world.MachineGone(b)), snapshot.False, 0,
		},
		{
			"a member that belongs to nobody may be hosted by a machine that had a node and has no address",
			edits(world.MemberGone(a), world.MachineGone(b), world.NodeGone(a), machineAddresses(a)), snapshot.Unknown, 0,
		},
		{
			"a member that two others claim may be hosted by a machine that had a node and has no address",
			edits(world.MemberGone(a), name(b, "other"), world.NewMachine(d), machineAddresses(d, b.Address()), nodeRef(d, "node-d"),
				world.NodeGone(a), machineAddresses(a)), snapshot.Unknown, 0,
		},
		{
			"a member that belongs to nobody may be hosted by a machine whose node could not be read",
			edits(world.MemberGone(a), world.MachineGone(b), forgetNode(a)), snapshot.Unknown, 0,
		},
		{
			"a member that belongs to nobody may be hosted by a machine of whose node nothing is known",
			edits(world.MemberGone(a), world.MachineGone(b), world.Node(a, func(n *snapshot.Node) { *n = snapshot.Node{Name: n.Name} })), snapshot.Unknown, 0,
		},
		{
			"a machine without any address hosts none if every member belongs elsewhere",
			edits(world.MemberGone(a), world.NodeGone(a), machineAddresses(a)), snapshot.False, 0,
		},
		{
			"a machine without any address hosts none if it never had a node",
			edits(world.MemberGone(a), world.MachineGone(b), machineAddresses(a), nodeRef(a, "")), snapshot.False, 0,
		},
		{
			"without a functional Machine API nobody owns, and a machine with addresses hosts none",
			edits(fact(func(s *snapshot.Snapshot) { s.MachineAPI = snapshot.False })), snapshot.False, 0,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := world.New(tc.world...)
			v := snapshot.NewView(&s)
			i := slices.IndexFunc(v.SortedMachines, func(m *snapshot.Machine) bool { return m.Name == a.Machine() })
			got, member := v.Hosting(v.SortedMachines[i])
			var id snapshot.MemberID
			if member != nil {
				id = member.ID
			}
			if got != tc.want || id != tc.member {
				t.Errorf("got %s, member %s; want %s, member %s", got, id, tc.want, tc.member)
			}
		})
	}
}

func TestMachineOfNode(t *testing.T) {
	for _, tc := range []struct {
		name      string
		world     []world.Edit
		want      snapshot.MachineName
		ambiguous bool
	}{
		{"the machine whose nodeRef names the node", edits(), "machine-a", false},
		{"a nodeRef counts without any address", edits(machineAddresses(a)), "machine-a", false},
		{"a machine without nodeRef that has one of the node's addresses", edits(nodeRef(a, "")), "machine-a", false},
		{
			"a nodeRef comes before an address",
			edits(world.NewMachine(d), machineAddresses(d, a.Address())), "machine-a", false,
		},
		{"a machine with the node's address and another nodeRef is not the node's", edits(nodeRef(a, "node-new")), "", false},
		{"a node without a machine", edits(world.MachineGone(a)), "", false},
		{"of two machines with the same nodeRef the one that has the address", edits(world.NewMachine(d), nodeRef(d, "node-a")), "machine-a", false},
		{
			"two machines with the same nodeRef, the addresses of neither the node's",
			edits(world.NewMachine(d), nodeRef(d, "node-a"), machineAddresses(a, b.Address())), "", true,
		},
		{
			"two machines with the same nodeRef, one without address, the other with one that is not the node's",
			edits(world.NewMachine(d), nodeRef(d, "node-a"), machineAddresses(a)), "", true,
		},
		{"two machines with the same nodeRef, one without address", edits(world.NewMachine(d), nodeRef(d, "node-a"), machineAddresses(d)), "", true},
		{
			"two machines without nodeRef that have the node's address",
			edits(nodeRef(a, ""), world.NewMachine(d), machineAddresses(d, a.Address())), "", true,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := world.New(tc.world...)
			v := snapshot.NewView(&s)
			machine, isAmbiguous := v.MachineOfNode(v.Node(a.Node()))
			var got snapshot.MachineName
			if machine != nil {
				got = machine.Name
			}
			if got != tc.want || isAmbiguous != tc.ambiguous {
				t.Errorf("got %q, ambiguous %t; want %q, ambiguous %t", got, isAmbiguous, tc.want, tc.ambiguous)
			}
		})
	}
}

func edits(e ...world.Edit) []world.Edit { return e }

func fact(change func(*snapshot.Snapshot)) world.Edit { return world.Facts(change) }

func name(h world.Host, name string) world.Edit {
	return world.Member(h, func(m *snapshot.Member) { m.Name = name })
}

func peers(h world.Host, addresses ...netip.Addr) world.Edit {
	return world.Member(h, func(m *snapshot.Member) { m.PeerAddresses = addresses })
}

func machineAddresses(h world.Host, addresses ...netip.Addr) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Addresses = addresses })
}

func nodeAddresses(h world.Host, addresses ...netip.Addr) world.Edit {
	return world.Node(h, func(n *snapshot.Node) { n.Addresses = addresses })
}

func nodeRef(h world.Host, node snapshot.NodeName) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.NodeRef = node })
}

// forgetNode takes the entry of a Node away: nothing is known of it.
func forgetNode(h world.Host) world.Edit {
	return fact(func(s *snapshot.Snapshot) {
		s.Nodes = slices.DeleteFunc(s.Nodes, func(n snapshot.Node) bool { return n.Name == h.Node() })
	})
}

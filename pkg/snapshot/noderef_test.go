package snapshot_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// Somebody writes node-a into the nodeRef of machine-b, whose host is b, while machine-a is deleting: machine-a must stay the
// owner of the voter on node-a, or its hook would go while that member votes.
func TestTwoMachinesThatNameOneNode(t *testing.T) {
	for _, tc := range []struct {
		name  string
		world []world.Edit
		// ofA and ofB are the owners of the voters of hosts a and b.
		ofA, ofB owner
		// doubted are machine and node of the nodeRefs that are not believed.
		doubted []string
	}{
		{
			name: "each names its own", world: edits(world.Deleting(a)),
			ofA: found("machine-a", "node-a"), ofB: found("machine-b", "node-b"),
		},
		{
			name: "b names the node of a, and its own address is not that node's", world: edits(world.Deleting(a), nodeRef(b, "node-a")),
			ofA: found("machine-a", "node-a"), ofB: found("machine-b", "node-b"), doubted: []string{"machine-b node-a"},
		},
		{
			name: "a names the node of b", world: edits(world.Deleting(a), nodeRef(a, "node-b")),
			ofA: found("machine-a", "node-a"), ofB: found("machine-b", "node-b"), doubted: []string{"machine-a node-b"},
		},
		{
			name: "each names the other's alone, and a nodeRef comes before an address", world: edits(nodeRef(a, "node-b"), nodeRef(b, "node-a")),
			ofA: found("machine-b", "node-a"), ofB: found("machine-a", "node-b"),
		},
		{
			name: "three name one node", world: edits(nodeRef(b, "node-a"), nodeRef(c, "node-a")),
			ofA: found("machine-a", "node-a"), ofB: found("machine-b", "node-b"), doubted: []string{"machine-b node-a", "machine-c node-a"},
		},
		{
			name:  "two name the node of a machine that is gone",
			world: edits(world.MachineGone(a), nodeRef(b, "node-a"), nodeRef(c, "node-a")),
			ofA:   ambiguous, ofB: found("machine-b", "node-b"), doubted: []string{"machine-b node-a", "machine-c node-a"},
		},
		{
			name:  "both have the node's address, so the member's health decides",
			world: edits(world.Deleting(a), nodeRef(b, "node-a"), machineAddresses(b, b.Address(), a.Address())),
			ofA:   found("machine-b", "node-a"), ofB: found("machine-b", "node-b"),
		},
		{
			name:  "both have the member's address, and the node could not be read, so its health decides",
			world: edits(world.Deleting(a), nodeRef(b, "node-a"), machineAddresses(b, b.Address(), a.Address()), forgetNode(a)),
			ofA:   owner{snapshot.OwnerFound, "machine-b", "", snapshot.Unknown}, ofB: found("machine-b", "node-b"),
			doubted: []string{"machine-a node-a", "machine-b node-a"},
		},
		{
			name:  "a and the node have a new address that the member has not",
			world: edits(world.Deleting(a), nodeAddresses(a, d.Address()), machineAddresses(a, d.Address()), nodeRef(b, "node-a")),
			ofA:   found("machine-a", "node-a"), ofB: found("machine-b", "node-b"), doubted: []string{"machine-b node-a"},
		},
		{
			name: "two without a nodeRef name no node", world: edits(nodeRef(a, ""), nodeRef(b, "")),
			ofA: found("machine-a", "node-a"), ofB: found("machine-b", "node-b"),
		},
		{
			name: "a lists only addresses of the other family, so neither is tied to the node by more than its nodeRef",
			world: edits(world.Deleting(a), machineAddresses(a, a.IPv6()), nodeAddresses(a, a.Address()), peers(a, a.Address()),
				nodeRef(b, "node-a")),
			ofA: ambiguous, ofB: found("machine-b", "node-b"), doubted: []string{"machine-a node-a", "machine-b node-a"},
		},
		{
			name:  "a lists only addresses of the other family, and the node could not be read",
			world: edits(world.Deleting(a), machineAddresses(a, a.IPv6()), peers(a, a.Address()), forgetNode(a), nodeRef(b, "node-a")),
			ofA:   ambiguous, ofB: found("machine-b", "node-b"), doubted: []string{"machine-a node-a", "machine-b node-a"},
		},
		{
			name: "a, which stays, lists only addresses of the other family, and b has none",
			world: edits(world.Deleting(b), machineAddresses(a, a.IPv6()), nodeAddresses(a, a.Address()), peers(a, a.Address()),
				nodeRef(b, "node-a"), machineAddresses(b)),
			ofA: ambiguous, ofB: none("node-b"), doubted: []string{"machine-a node-a"},
		},
		{
			name: "a lists the family that the member does not use, and so the node's",
			world: edits(world.Deleting(a), machineAddresses(a, a.Address()), nodeAddresses(a, a.Address(), a.IPv6()), peers(a, a.IPv6()),
				nodeRef(b, "node-a")),
			ofA: found("machine-a", "node-a"), ofB: found("machine-b", "node-b"), doubted: []string{"machine-b node-a"},
		},
		{
			name:  "b has no address, so only its nodeRef claims",
			world: edits(world.Deleting(a), nodeRef(b, "node-a"), machineAddresses(b)),
			ofA:   ambiguous, ofB: none("node-b"),
		},
		{
			name:  "a has no address, so only its nodeRef claims",
			world: edits(world.Deleting(a), machineAddresses(a), nodeRef(b, "node-a"), machineAddresses(b, a.Address())),
			ofA:   ambiguous, ofB: none("node-b"),
		},
		{
			name:  "neither has an address, and the voter is dead",
			world: edits(world.Deleting(a), machineAddresses(a), nodeRef(b, "node-a"), machineAddresses(b), world.HostDead(a, time.Hour)),
			ofA:   ambiguous, ofB: none("node-b"),
		},
		{
			name:  "an address of b that cannot be read does not show that it is the node's",
			world: edits(world.Deleting(a), nodeRef(b, "node-a"), world.Machine(b, func(m *snapshot.Machine) { m.AddressUnreadable = true })),
			ofA:   found("machine-a", "node-a"), ofB: found("machine-b", "node-b"), doubted: []string{"machine-b node-a"},
		},
		{
			name:  "the node has no address that could tell, so neither is believed",
			world: edits(world.Deleting(a), nodeRef(b, "node-a"), nodeAddresses(a)),
			ofA:   found("machine-a", "node-a"), ofB: found("machine-b", "node-b"), doubted: []string{"machine-a node-a", "machine-b node-a"},
		},
		{
			name:  "the node could not be read, so neither is believed",
			world: edits(world.Deleting(a), nodeRef(b, "node-a"), forgetNode(a)),
			ofA:   owner{snapshot.OwnerFound, "machine-a", "", snapshot.Unknown}, ofB: found("machine-b", "node-b"),
			doubted: []string{"machine-a node-a", "machine-b node-a"},
		},
		{
			name:  "the node could not be read, and b has no address",
			world: edits(world.Deleting(a), nodeRef(b, "node-a"), machineAddresses(b), forgetNode(a)),
			ofA:   ambiguous, ofB: none("node-b"), doubted: []string{"machine-a node-a"},
		},
		{
			name:  "the node is gone, and the dead voter is still on the node of its name",
			world: edits(world.Deleting(a), nodeRef(b, "node-a"), world.HostDead(a, time.Hour), world.NodeGone(a)),
			ofA:   found("machine-a", "node-a").whose(snapshot.False), ofB: found("machine-b", "node-b"),
			doubted: []string{"machine-a node-a", "machine-b node-a"},
		},
		{
			name:  "nobody else names the node",
			world: edits(world.MachineGone(a), nodeRef(b, "node-a")),
			ofA:   found("machine-b", "node-a"), ofB: found("machine-b", "node-b"),
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := world.New(tc.world...)
			for _, variant := range append(world.Reordered(s), world.Variant{Name: "as it is", Snapshot: s}) {
				v := snapshot.NewView(&variant.Snapshot)
				for h, want := range map[world.Host]owner{a: tc.ofA, b: tc.ofB} {
					if got := told(v.Owners[v.IndexOf(h.ID())]); got != want {
						t.Errorf("%s: owner of the voter of %s is %+v, want %+v", variant.Name, h, got, want)
					}
				}
				var doubted []string
				for _, d := range v.DoubtedNodeRefs {
					doubted = append(doubted, string(d.Name)+" "+string(d.NodeRef))
				}
				if diff := cmp.Diff(tc.doubted, doubted); diff != "" {
					t.Errorf("%s: doubted (-want +got)\n%s", variant.Name, diff)
				}
			}
			if diff := cmp.Diff(world.New(tc.world...), s, cmp.Comparer(func(x, y netip.Addr) bool { return x == y })); diff != "" {
				t.Errorf("the Snapshot was changed (-before +after)\n%s", diff)
			}
		})
	}
}

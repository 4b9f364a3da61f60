package machinehook_test

import (
	"net/netip"
	"slices"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const (
	a, b, c, d = world.A, world.B, world.C, world.D

	addHook, repairHook, removeHook = machinehook.AddHook, machinehook.RepairHook, machinehook.RemoveHook
)

var cases = slices.Concat(scalingCases, ruleCases, hostingCases, warningCases, unknownCases)

// scalingCases are the rows of the list of situations that hurt people; the id of the row is in the name.
var scalingCases = []testCase{
	{
		name:  "S1 a deleting machine keeps the hook while its voter waits for a replacement",
		world: edits(world.Deleting(a)),
		want:  lines(holds(a)),
	},
	{
		name:  "S12 a deleting machine drops the hook once its learner is removed",
		world: edits(world.Learner(d), world.Deleting(d), world.MemberGone(d)),
		want:  lines(drops(d)),
	},
	{
		name:  "S18 a hook that a killed operator left is dropped although fewer voters than desired remain",
		world: edits(world.Deleting(a), world.HostDead(a, time.Hour), world.MemberGone(a)),
		want:  lines(drops(a)),
	},
	{
		name:  "H1 a new machine in Provisioning gets the hook",
		world: edits(world.NewMachine(d), phase(d, "Provisioning"), noAddress(d), hook(d, snapshot.HookMissing)),
		want:  lines(gains(d)),
	},
	{
		name:  "H2 a hook that a person stripped from a deleting machine is not added again",
		world: edits(world.Released(a)),
		want:  lines(stays(a, reason.R4_3, reason.HookStrippedFromDeletingMachine).refusing(addHook).hosting(a).of("node-a")),
	},
	{
		name: "H3 a hook with a wrong owner between two foreign hooks is repaired",
		world: edits(hook(b, snapshot.HookWrongOwner), otherHooks(b,
			snapshot.OtherHook{Point: "preDrain", Name: "first", Owner: "somebody"},
			snapshot.OtherHook{Point: "preDrain", Name: "last", Owner: "somebody"})),
		want: lines(repairs(b)),
	},
	{
		name:  "H4 a machine of both families keeps the hook for a member on its first address",
		world: edits(addresses(a, netip.MustParseAddr("192.0.2.10"), netip.MustParseAddr("fd00::10")), world.Deleting(a)),
		want:  lines(holds(a)),
	},
	{
		name: "H4 a machine of both families keeps the hook for a member on its second address",
		world: edits(addresses(a, netip.MustParseAddr("192.0.2.10"), netip.MustParseAddr("fd00::10")), world.Deleting(a),
			world.Member(a, func(m *snapshot.Member) {
				m.PeerURLs, m.PeerAddresses = []string{"https://[fd00::10]:2380"}, []netip.Addr{netip.MustParseAddr("fd00::10")}
			})),
		want: lines(holds(a)),
	},
	{
		name: "H5 machines that a user-provisioned install left behind get no hook",
		world: edits(machineAPI(snapshot.False), world.NewMachine(d), phase(d, "Provisioning"), hook(d, snapshot.HookMissing),
			world.Deleting(a), world.MemberGone(a)),
		want: lines(
			stays(a, reason.R2_3, reason.MachineAPINotFunctional),
			stays(b, reason.R2_3, reason.MachineAPINotFunctional),
			stays(c, reason.R2_3, reason.MachineAPINotFunctional),
			stays(d, reason.R2_3, reason.MachineAPINotFunctional),
		),
	},
	{
		name:  "H7 a hook that somebody keeps stripping is written again after a pause only",
		world: edits(hook(b, snapshot.HookMissing), backOff(b)),
		want:  lines(stays(b, reason.R4_6, reason.HookStripped).refusing(addHook).hosting(b)),
	},
	{
		name:  "H7 an owner that somebody keeps overwriting is repaired after a pause only",
		world: edits(hook(b, snapshot.HookWrongOwner), backOff(b)),
		want:  lines(stays(b, reason.R4_6, reason.HookStripped).refusing(repairHook).hosting(b)),
	},
	{
		name:  "H9 a hook is dropped once the member is gone, whoever wrote it",
		world: edits(world.Voter(d), world.Deleting(a), world.MemberGone(a)),
		want:  lines(drops(a)),
	},
	{
		name: "H10 three machines that need a change are all judged in one pass",
		world: edits(world.NewMachine(d), hook(d, snapshot.HookMissing), hook(b, snapshot.HookWrongOwner),
			world.Deleting(a), world.MemberGone(a)),
		want: lines(drops(a), repairs(b), gains(d)),
	},
	{
		name:  "G11 a machine whose hook a person stripped is free once its voter is removed",
		world: edits(world.Released(a), world.Voter(d), world.MemberGone(a)),
		want:  lines(stays(a, reason.R4_4, reason.MachineReleased)),
	},
	{
		name: "V4 arbiter machines carry the hook",
		world: edits(hook(c, snapshot.HookMissing),
			world.Facts(func(s *snapshot.Snapshot) { s.Topology = snapshot.HighlyAvailableArbiter })),
		want: lines(gains(c).hosting(c)),
	},
}

// ruleCases are rules R4.1 to R4.4, and what R9.5 says besides.
var ruleCases = []testCase{
	{
		name:  "R4.1 machines that carry the hook are left alone",
		world: edits(),
	},
	{
		name:  "R4.1 a machine without a phase gets the hook",
		world: edits(world.NewMachine(d), phase(d, ""), hook(d, snapshot.HookMissing)),
		want:  lines(gains(d)),
	},
	{
		name:  "R4.1 a machine in Provisioned gets the hook",
		world: edits(world.NewMachine(d), phase(d, "Provisioned"), hook(d, snapshot.HookMissing)),
		want:  lines(gains(d)),
	},
	{
		name:  "R4.1 a machine in Running gets the hook",
		world: edits(hook(b, snapshot.HookMissing)),
		want:  lines(gains(b).hosting(b)),
	},
	{
		name:  "R4.1 a machine in Failed that is not deleting gets the hook",
		world: edits(world.NewMachine(d), phase(d, "Failed"), hook(d, snapshot.HookMissing)),
		want:  lines(gains(d)),
	},
	{
		name:  "R4.1 a machine gets the hook while the member list is unknown",
		world: edits(hook(b, snapshot.HookMissing), memberList(snapshot.Unknown)),
		want:  lines(gains(b)),
	},
	{
		name:  "R4.2 an owner is repaired while the member list is unknown",
		world: edits(hook(b, snapshot.HookWrongOwner), memberList(snapshot.Unknown)),
		want:  lines(repairs(b).hosting("")),
	},
	{
		name:  "R4.2 a hook with a wrong owner is removed by name once nothing is hosted",
		world: edits(world.Deleting(a), world.MemberGone(a), hook(a, snapshot.HookWrongOwner)),
		want:  lines(drops(a)),
	},
	{
		name:  "R4.2 a hook with a wrong owner on a deleting machine is not repaired and stays while a member is hosted",
		world: edits(world.Deleting(a), hook(a, snapshot.HookWrongOwner)),
		want:  lines(holds(a)),
	},
	{
		name:  "R4.3 a deleting machine that never had the hook does not gain it",
		world: edits(world.NewMachine(d), world.Released(d)),
		want:  lines(stays(d, reason.R4_4, reason.MachineReleased)),
	},
	{
		name:  "R4.3 a deleting machine does not gain the hook while the member list is unknown",
		world: edits(world.Released(a), memberList(snapshot.Unknown)),
		want:  lines(stays(a, reason.R4_4, reason.MachineReleased)),
	},
	{
		name:  "R4.4 a learner holds the hook",
		world: edits(world.Learner(d), world.Deleting(d)),
		want:  lines(holds(d)),
	},
	{
		name: "R4.4 a member that has not started holds the hook",
		world: edits(world.Learner(d), world.Deleting(d),
			world.Member(d, func(m *snapshot.Member) { m.Name, m.Started, m.Health = "", false, snapshot.HealthUnknown })),
		want: lines(holds(d).of("NAME-PENDING-192.0.2.13")),
	},
	{
		name:  "R4.4 a dead voter holds the hook",
		world: edits(world.Deleting(a), world.HostDead(a, time.Hour)),
		want:  lines(holds(a)),
	},
	{
		name: "R4.4 nothing but the members holds the hook",
		world: edits(world.Deleting(a), world.MemberGone(a), world.Facts(func(s *snapshot.Snapshot) {
			s.Desired, s.Topology = snapshot.Desired{}, snapshot.TopologyUnknown
			s.BootstrapComplete, s.VersionCurrent, s.ExternalEtcd = snapshot.False, snapshot.False, snapshot.Unknown
			s.EndpointsKnown, s.APIServers, s.GuardList = snapshot.Unknown, snapshot.Unknown, snapshot.Unknown
			s.LatestRevision, s.NodeStatuses, s.APIServerNodes, s.Guards = 0, nil, nil, nil
			s.Budget = snapshot.Budget{}
			for i := range s.Members {
				s.Members[i].Health, s.Members[i].Corrupt = snapshot.HealthUnknown, snapshot.Unknown
			}
		})),
		want: lines(drops(a)),
	},
	{
		name:  "R4.4 a machine that never got a node drops the hook",
		world: edits(world.NewMachine(d), world.Deleting(d)),
		want:  lines(drops(d)),
	},
	{
		name: "R9.5 a deleting machine that another hook holds names that hook",
		world: edits(world.Released(a), world.MemberGone(a),
			otherHooks(a, snapshot.OtherHook{Point: "preTerminate", Name: "backup", Owner: "storage-team"})),
		want: lines(stays(a, reason.R9_5, reason.MachineHeldByAnotherHook)),
		says: []string{"machine-a", "preTerminate", "backup", "storage-team"},
	},
}

// hostingCases are rule R4.4 where ownership (R3) is hard to tell.
var hostingCases = []testCase{
	{
		name:  "R4.4 a deleting machine keeps the hook while the member list is unknown",
		world: edits(world.Deleting(a), memberList(snapshot.Unknown)),
		want:  lines(doubts(a)),
	},
	{
		name:  "R4.4 a deleting machine keeps the hook while the member list is known to be incomplete",
		world: edits(world.Deleting(a), world.MemberGone(a), memberList(snapshot.False)),
		want:  lines(doubts(a)),
	},
	{
		name:  "R4.4 a deleting machine keeps the hook while the Nodes are unknown",
		world: edits(world.Deleting(a), world.MemberGone(a), world.Facts(func(s *snapshot.Snapshot) { s.NodeList = snapshot.Unknown })),
		want:  lines(doubts(a), keeps(b), keeps(c)),
	},
	{
		name:  "R4.4 a deleting machine keeps the hook while somebody's peer URLs cannot be read",
		world: edits(world.Deleting(a), world.MemberGone(a), world.Member(c, func(m *snapshot.Member) { m.PeerAddresses = nil })),
		want:  lines(doubts(a).of("node-c"), keeps(c)),
	},
	{
		name: "R4.4 of two deleting machines that claim a member neither loses the hook",
		world: edits(world.Deleting(a), world.Machine(a, func(m *snapshot.Machine) { m.NodeRef = "" }),
			world.NewMachine(d), world.Machine(d, func(m *snapshot.Machine) { m.Addresses = []netip.Addr{a.Address()} }), world.Deleting(d)),
		want: lines(doubts(a).of("node-a"), doubts(d).of("node-a")),
	},
	{
		name:  "R4.4 a member that belongs to nobody does not hold the hook of a machine with other addresses",
		world: edits(world.Voter(d), world.Orphaned(d, time.Hour), world.Deleting(a), world.MemberGone(a)),
		want:  lines(drops(a)),
	},
	{
		name:  "R3 a machine without any address keeps the hook while a member belongs to nobody",
		world: edits(world.Voter(d), world.Orphaned(d, time.Hour), world.Deleting(a), world.MemberGone(a), world.NodeGone(a), noAddress(a)),
		want:  lines(doubts(a)),
	},
	{
		name:  "R3 a machine without any address drops the hook when every member belongs elsewhere",
		world: edits(world.Voter(d), world.Deleting(a), world.MemberGone(a), world.NodeGone(a), noAddress(a)),
		want:  lines(drops(a)),
	},
	{
		name: "R3 a machine without any address drops the hook if it never had a node",
		world: edits(world.Voter(d), world.Orphaned(d, time.Hour), world.Deleting(a), world.MemberGone(a), noAddress(a),
			world.Machine(a, func(m *snapshot.Machine) { m.NodeRef = "" })),
		want: lines(drops(a)),
	},
	{
		name: "I4 a machine with an address that cannot be read keeps the hook while a member belongs to nobody, node or not",
		world: edits(world.Voter(d), world.Orphaned(d, time.Hour), world.Deleting(a), world.MemberGone(a), unreadable(a),
			world.Machine(a, func(m *snapshot.Machine) { m.NodeRef = "" })),
		want: lines(doubts(a)),
	},
	{
		name: "I4 so does a machine whose node has such an address, whatever other addresses it has",
		world: edits(world.Voter(d), world.Orphaned(d, time.Hour), world.Deleting(a), world.MemberGone(a),
			world.Node(a, func(n *snapshot.Node) { n.AddressUnreadable = true })),
		want: lines(doubts(a)),
	},
	{
		name:  "I4 a machine with an address that cannot be read drops the hook when every member belongs elsewhere",
		world: edits(world.Voter(d), world.Deleting(a), world.MemberGone(a), unreadable(a)),
		want:  lines(drops(a)),
	},
	{
		name:  "R3 a machine without any address keeps the hook for the member that is named like its node",
		world: edits(world.Deleting(a), world.HostDead(a, time.Hour), world.NodeGone(a), noAddress(a)),
		want:  lines(holds(a)),
	},
	{
		name:  "R3 a machine keeps the hook for the member that only its node has the address of",
		world: edits(world.Deleting(a), noAddress(a)),
		want:  lines(holds(a)),
	},
	{
		name: "R3 a member that has no name and no address of any machine belongs to nobody",
		world: edits(world.Deleting(a), world.NodeGone(a), noAddress(a),
			world.Member(a, func(m *snapshot.Member) { m.Name, m.Started = "", false })),
		want: lines(doubts(a)),
	},
}

// warningCases are rule R4.7, and what R3 says of nodeRefs.
var warningCases = []testCase{
	{
		name:   "R3 a machine that names the node of another one, whose addresses it has not, takes nobody's hook away",
		world:  edits(world.Deleting(a), world.Machine(b, func(m *snapshot.Machine) { m.NodeRef = a.Node() })),
		want:   lines(holds(a)),
		warned: lines(stays(b, reason.R3, reason.NodeRefContradicted).of("node-a")),
	},
	{
		name: "R3 each machine that names the node of another one is told of",
		world: edits(world.Machine(b, func(m *snapshot.Machine) { m.NodeRef = a.Node() }),
			world.Machine(c, func(m *snapshot.Machine) { m.NodeRef = a.Node() })),
		warned: lines(stays(b, reason.R3, reason.NodeRefContradicted).of("node-a"), stays(c, reason.R3, reason.NodeRefContradicted).of("node-a")),
	},
	{
		name:  "R3 two machines that name one node, one of them without an address, keep their hooks",
		world: edits(world.Deleting(a), world.Machine(b, func(m *snapshot.Machine) { m.NodeRef, m.Addresses = a.Node(), nil })),
		want:  lines(doubts(a), keeps(b)),
	},
	{
		name:   "R4.7 a voter on a machine without nodeRef is named at once",
		world:  edits(world.Machine(b, func(m *snapshot.Machine) { m.NodeRef = "" })),
		warned: lines(stays(b, reason.R4_7, reason.VoterMachineHasNoNode).hosting(b).of("node-b")),
	},
	{
		name:   "R4.7 a voter on a machine that is excluded from draining is named at once",
		world:  edits(world.Machine(b, func(m *snapshot.Machine) { m.ExcludedFromDrain = true })),
		warned: lines(stays(b, reason.R4_7, reason.VoterMachineExcludedFromDrain).hosting(b).of("node-b")),
	},
	{
		name:   "R4.7 a voter is named while its machine is deleting as well",
		world:  edits(world.Deleting(b), world.Machine(b, func(m *snapshot.Machine) { m.ExcludedFromDrain = true })),
		want:   lines(holds(b)),
		warned: lines(stays(b, reason.R4_7, reason.VoterMachineExcludedFromDrain).hosting(b).of("node-b")),
	},
	{
		name:  "R4.7 a learner is no voter",
		world: edits(world.Learner(d), world.Machine(d, func(m *snapshot.Machine) { m.ExcludedFromDrain = true })),
	},
	{
		name:  "R4.7 a machine without nodeRef that hosts nobody is not named",
		world: edits(world.NewMachine(d)),
	},
	{
		name:  "R4.7 without a functional Machine API nobody relies on a hook",
		world: edits(world.Machine(b, func(m *snapshot.Machine) { m.ExcludedFromDrain = true }), machineAPI(snapshot.False)),
		want: lines(
			stays(a, reason.R2_3, reason.MachineAPINotFunctional),
			stays(b, reason.R2_3, reason.MachineAPINotFunctional),
			stays(c, reason.R2_3, reason.MachineAPINotFunctional),
		),
	},
}

// unknownCases are rules R2.2 and R10.4: what is not known changes no hook.
var unknownCases = []testCase{
	{
		name: "R2.2 no hook changes while it is unknown whether the Machine API works",
		world: edits(hook(b, snapshot.HookMissing), hook(c, snapshot.HookWrongOwner),
			world.NewMachine(d), world.Released(d), world.Deleting(a), world.MemberGone(a), machineAPI(snapshot.Unknown)),
		want: lines(
			stays(a, reason.R2_2, reason.MachineAPIUnknown).refusing(removeHook),
			stays(b, reason.R2_2, reason.MachineAPIUnknown).refusing(addHook),
			stays(c, reason.R2_2, reason.MachineAPIUnknown).refusing(repairHook),
			stays(d, reason.R2_2, reason.MachineAPIUnknown),
		),
	},
	{
		name: "V2 no hook changes while the Machine informer has not synced",
		world: edits(hook(b, snapshot.HookMissing), world.Deleting(a), world.MemberGone(a), machineAPI(snapshot.Unknown),
			world.Facts(func(s *snapshot.Snapshot) { s.MachineList = snapshot.Unknown })),
		want: lines(
			stays(a, reason.R2_2, reason.MachineAPIUnknown).refusing(removeHook),
			stays(b, reason.R2_2, reason.MachineAPIUnknown).refusing(addHook),
			stays(c, reason.R2_2, reason.MachineAPIUnknown),
		),
	},
	{
		name: "R10.4 no hook is dropped while some Machines may be missing from the list",
		world: edits(world.Deleting(a), world.MemberGone(a),
			world.Facts(func(s *snapshot.Snapshot) { s.MachineList = snapshot.Unknown })),
		want: lines(doubts(a), keeps(b), keeps(c)),
	},
	{
		name: "R10.1 no hook is dropped from facts that contradict each other",
		world: edits(world.Deleting(a), world.MemberGone(a),
			world.Facts(func(s *snapshot.Snapshot) { s.Members = append(s.Members, s.Members[0]) })),
		want: lines(doubts(a), keeps(b), keeps(c)),
	},
}

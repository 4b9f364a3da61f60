package snapshottest

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Host is a control-plane host of a test world: a small letter. Node node-a, Machine machine-a and a member named node-a
// with id a belong to host a.
type Host string

// The hosts that tables use; A, B and C are there from the start.
const (
	A Host = "a"
	B Host = "b"
	C Host = "c"
	D Host = "d"
	E Host = "e"
	F Host = "f"
)

// Revision is the latest revision of every world, and the one that its nodes run; Index is the applied index of members.
const (
	Revision = 1
	Index    = 100_000
)

// Epoch is the deletionTimestamp of Machines that are deleting.
var Epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// Node returns the name of the host's Node, which its member has as well.
func (h Host) Node() snapshot.NodeName { return snapshot.NodeName("node-" + h) }

// Machine returns the name of the host's Machine.
func (h Host) Machine() snapshot.MachineName { return snapshot.MachineName("machine-" + h) }

// ID returns the id of the host's member: 0xa for host a.
func (h Host) ID() snapshot.MemberID { return snapshot.MemberID(0xa + h[0] - 'a') }

// Address returns the host's IPv4 address: 192.0.2.10 for host a, 192.0.2.11 for b.
func (h Host) Address() netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, 10 + h[0] - 'a'}) }

// IPv6 returns an address that the host could have besides: fd00::10 for host a. No world has it unless an edit says so.
func (h Host) IPv6() netip.Addr {
	return netip.MustParseAddr("fd00::1" + strconv.Itoa(int(h[0]-'a')))
}

// World is a Snapshot under edit.
type World struct{ snapshot.Snapshot }

// Edit changes a World. Edits panic when they name something that is not there: the table is wrong then.
type Edit func(*World)

// New returns a healthy world after the edits: hosts a, b and c of a HighlyAvailable cluster with a working Machine API,
// three replicas desired and every fact known. Each has a Running Machine with the hook, a Ready Node, a ready etcd pod
// of the latest revision, a started and healthy voter, a Ready guard and an API server that knows all voters. a leads.
// The budget lets one drain pass.
func New(edits ...Edit) snapshot.Snapshot {
	w := World{snapshot.Snapshot{
		ObservedAt: Epoch.Add(time.Hour), ClusterID: 0xc1, MemberList: snapshot.True, Leader: A.ID(),
		MachineAPI: snapshot.True, MachineList: snapshot.True, NodeList: snapshot.True,
		Desired:  snapshot.Desired{Replicas: 3, Source: snapshot.DesiredFromObserved},
		Topology: snapshot.HighlyAvailable, BootstrapComplete: snapshot.True, VersionCurrent: snapshot.True,
		EndpointsKnown: snapshot.True, LatestRevision: Revision, APIServers: snapshot.True, GuardList: snapshot.True,
		Budget: snapshot.Budget{Present: snapshot.True, MinAvailable: 2, Observed: true, DisruptionsAllowed: 1},
	}}
	Voter(A, B, C)(&w)
	for _, edit := range edits {
		edit(&w)
	}
	return w.Snapshot
}

// NewMachine adds a Machine that has the hook and an address but no Node yet.
func NewMachine(hosts ...Host) Edit {
	return each(hosts, func(w *World, h Host) {
		w.Machines = append(w.Machines, snapshot.Machine{
			Name: h.Machine(), UID: "uid-" + string(h), Phase: "Provisioned",
			Addresses: []netip.Addr{h.Address()}, Hook: snapshot.HookPresent,
		})
	})
}

// NewNode adds a Machine and its Ready Node, on which no etcd pod runs yet.
func NewNode(hosts ...Host) Edit {
	return each(hosts, func(w *World, h Host) {
		NewMachine(h)(w)
		machine := w.Machine(h)
		machine.Phase, machine.NodeRef = "Running", h.Node()
		w.Nodes = append(w.Nodes, snapshot.Node{
			Name: h.Node(), Present: snapshot.True, ControlPlane: true, Ready: snapshot.True,
			Addresses: []netip.Addr{h.Address()}, PeerAddress: h.Address(),
			Etcd: snapshot.EtcdPod{
				Present: snapshot.False, ContainerRunning: snapshot.False, ContainerReady: snapshot.False, Ready: snapshot.False,
			},
		})
		w.NodeStatuses = append(w.NodeStatuses, snapshot.NodeStatus{Node: h.Node()})
	})
}

// Waiting adds a Machine with a Node whose etcd container runs and waits to be added to the member list.
func Waiting(hosts ...Host) Edit {
	return each(hosts, func(w *World, h Host) {
		NewNode(h)(w)
		pod := &w.Node(h).Etcd
		pod.Present, pod.ContainerRunning = snapshot.True, snapshot.True
		w.Status(h).Current = Revision
		w.APIServerNodes = append(w.APIServerNodes, snapshot.APIServerNode{
			Node: h.Node(), EtcdServersKnown: snapshot.True, EtcdServers: slices.Clone(w.Endpoints),
		})
	})
}

// Learner adds a host whose learner has started, is healthy and in sync, and whose guard is Ready.
func Learner(hosts ...Host) Edit {
	return each(hosts, func(w *World, h Host) {
		Waiting(h)(w)
		pod := &w.Node(h).Etcd
		pod.ContainerReady, pod.Ready = snapshot.True, snapshot.True
		w.Members = append(w.Members, snapshot.Member{
			ID: h.ID(), Name: string(h.Node()), Started: true, Learner: true,
			PeerURLs:      []string{"https://" + netip.AddrPortFrom(h.Address(), 2380).String()},
			PeerAddresses: []netip.Addr{h.Address()},
			Health:        snapshot.Healthy, CannotServe: snapshot.False, Corrupt: snapshot.False, NoSpace: snapshot.False,
			AppliedIndex: Index, Version: "3.6.16", DatabaseBytes: 1 << 20, AddressClaimed: snapshot.True,
		})
		w.Guards = append(w.Guards, snapshot.Guard{Node: h.Node(), Phase: snapshot.PodRunning, Ready: true})
	})
}

// Voter adds a host whose voter is healthy and known to etcd-endpoints and to every API server.
func Voter(hosts ...Host) Edit {
	return each(hosts, func(w *World, h Host) {
		Learner(h)(w)
		w.Member(h).Learner = false
		w.Endpoints = append(w.Endpoints, h.Address())
		for i := range w.APIServerNodes {
			w.APIServerNodes[i].EtcdServers = slices.Clone(w.Endpoints)
		}
	})
}

// Deleting marks Machines as deleting since Epoch.
func Deleting(hosts ...Host) Edit {
	return each(hosts, func(w *World, h Host) { DeletingSince(h, Epoch)(w) })
}

// DeletingSince marks a Machine as deleting since the given time.
func DeletingSince(h Host, since time.Time) Edit {
	return Machine(h, func(m *snapshot.Machine) { m.Phase, m.Deleting, m.DeletionTimestamp = "Deleting", true, since })
}

// Released marks Machines as deleting without the hook: etcd no longer holds them, or somebody stripped it.
func Released(hosts ...Host) Edit {
	return each(hosts, func(w *World, h Host) {
		Deleting(h)(w)
		w.Machine(h).Hook = snapshot.HookMissing
	})
}

// Unhealthy lets the probe of a member fail for the given time; nothing else tells that the member is down. If it led,
// the first healthy voter leads now.
func Unhealthy(h Host, unhealthyFor time.Duration) Edit {
	return func(w *World) {
		member := w.Member(h)
		member.Health, member.UnhealthyFor, member.AppliedIndex = snapshot.Unhealthy, unhealthyFor, 0
		w.elect()
	}
}

// HostDead lets a host go dark for the given time: no answer from its member, its Node NotReady, its pods not ready. What
// its kubelet told last of containers stays.
func HostDead(h Host, unhealthyFor time.Duration) Edit {
	return func(w *World) {
		Unhealthy(h, unhealthyFor)(w)
		node := w.Node(h)
		node.Ready, node.Etcd.Ready = snapshot.False, snapshot.False
		w.Guard(h).Ready = false
	}
}

// NodeGone deletes a Node, as a live read tells, with the pods and the node statuses that belong to it.
func NodeGone(h Host) Edit {
	return func(w *World) {
		*w.Node(h) = snapshot.Node{Name: h.Node(), Present: snapshot.False}
		w.Guards = slices.DeleteFunc(w.Guards, func(g snapshot.Guard) bool { return g.Node == h.Node() })
		w.NodeStatuses = slices.DeleteFunc(w.NodeStatuses, func(s snapshot.NodeStatus) bool { return s.Node == h.Node() })
		w.APIServerNodes = slices.DeleteFunc(w.APIServerNodes, func(s snapshot.APIServerNode) bool { return s.Node == h.Node() })
	}
}

// MachineGone deletes a Machine; its Node and its member stay.
func MachineGone(h Host) Edit {
	return func(w *World) {
		w.Machines = slices.DeleteFunc(w.Machines, func(m snapshot.Machine) bool { return m.Name == h.Machine() })
	}
}

// Orphaned takes Machine and Node from a member, for the given time as live reads tell.
func Orphaned(h Host, unclaimedFor time.Duration) Edit {
	return func(w *World) {
		NodeGone(h)(w)
		MachineGone(h)(w)
		member := w.Member(h)
		member.AddressClaimed, member.UnclaimedFor = snapshot.False, unclaimedFor
	}
}

// MemberGone takes members from the list, from etcd-endpoints and from the API servers. Their etcd containers start again
// and wait; their guards are no longer ready. If one of them led, the first healthy voter leads now.
func MemberGone(hosts ...Host) Edit {
	return each(hosts, func(w *World, h Host) {
		isIt := func(a netip.Addr) bool { return a == h.Address() }
		w.Members = slices.DeleteFunc(w.Members, func(m snapshot.Member) bool { return m.ID == h.ID() })
		w.Endpoints = slices.DeleteFunc(w.Endpoints, isIt)
		for i := range w.APIServerNodes {
			w.APIServerNodes[i].EtcdServers = slices.DeleteFunc(w.APIServerNodes[i].EtcdServers, isIt)
		}
		pod := &w.Node(h).Etcd
		pod.ContainerReady, pod.Ready = snapshot.False, snapshot.False
		w.Guard(h).Ready = false
		w.elect()
	})
}

// GuardGone deletes guard pods.
func GuardGone(hosts ...Host) Edit {
	return each(hosts, func(w *World, h Host) {
		w.Guards = slices.DeleteFunc(w.Guards, func(g snapshot.Guard) bool { return g.Node == h.Node() })
	})
}

// Cordoned cordons Nodes.
func Cordoned(hosts ...Host) Edit {
	return each(hosts, func(w *World, h Host) { w.Node(h).Cordoned = true })
}

// Desired sets the desired number of replicas; 0 is a number that was never observed.
func Desired(replicas int) Edit {
	return Facts(func(s *snapshot.Snapshot) {
		s.Desired = snapshot.Desired{Replicas: replicas, Source: snapshot.DesiredFromObserved}
		if replicas == 0 {
			s.Desired.Source = snapshot.DesiredFromNone
		}
	})
}

// NoMachineAPI takes all Machines away and tells that the Machine API does not work.
func NoMachineAPI() Edit {
	return Facts(func(s *snapshot.Snapshot) { s.MachineAPI, s.Machines = snapshot.False, nil })
}

// Facts changes anything.
func Facts(change func(*snapshot.Snapshot)) Edit {
	return func(w *World) { change(&w.Snapshot) }
}

// Member changes the member of a host.
func Member(h Host, change func(*snapshot.Member)) Edit {
	return func(w *World) { change(w.Member(h)) }
}

// Machine changes the Machine of a host.
func Machine(h Host, change func(*snapshot.Machine)) Edit {
	return func(w *World) { change(w.Machine(h)) }
}

// Node changes the Node of a host, or the etcd pod on it.
func Node(h Host, change func(*snapshot.Node)) Edit {
	return func(w *World) { change(w.Node(h)) }
}

// Guard changes the guard pod of a host.
func Guard(h Host, change func(*snapshot.Guard)) Edit {
	return func(w *World) { change(w.Guard(h)) }
}

// Status changes the entry of a host in status.nodeStatuses of the etcd resource.
func Status(h Host, change func(*snapshot.NodeStatus)) Edit {
	return func(w *World) { change(w.Status(h)) }
}

// APIServer changes the API server of a host.
func APIServer(h Host, change func(*snapshot.APIServerNode)) Edit {
	return func(w *World) { change(w.APIServer(h)) }
}

func each(hosts []Host, edit func(*World, Host)) Edit {
	return func(w *World) {
		for _, h := range hosts {
			edit(w, h)
		}
	}
}

// elect lets the first healthy voter lead if the leader is not one.
func (w *World) elect() {
	canLead := func(m snapshot.Member) bool { return !m.Learner && m.Health == snapshot.Healthy }
	if slices.ContainsFunc(w.Members, func(m snapshot.Member) bool { return m.ID == w.Leader && canLead(m) }) {
		return
	}
	w.Leader = 0
	if i := slices.IndexFunc(w.Members, canLead); i >= 0 {
		w.Leader = w.Members[i].ID
	}
}

// Member returns the member of a host.
func (w *World) Member(h Host) *snapshot.Member {
	return find(w.Members, h, func(m *snapshot.Member) bool { return m.ID == h.ID() })
}

// Machine returns the Machine of a host.
func (w *World) Machine(h Host) *snapshot.Machine {
	return find(w.Machines, h, func(m *snapshot.Machine) bool { return m.Name == h.Machine() })
}

// Node returns the Node of a host.
func (w *World) Node(h Host) *snapshot.Node {
	return find(w.Nodes, h, func(n *snapshot.Node) bool { return n.Name == h.Node() })
}

// Guard returns the guard pod of a host.
func (w *World) Guard(h Host) *snapshot.Guard {
	return find(w.Guards, h, func(g *snapshot.Guard) bool { return g.Node == h.Node() })
}

// Status returns the entry of a host in status.nodeStatuses of the etcd resource.
func (w *World) Status(h Host) *snapshot.NodeStatus {
	return find(w.NodeStatuses, h, func(s *snapshot.NodeStatus) bool { return s.Node == h.Node() })
}

// APIServer returns the API server of a host.
func (w *World) APIServer(h Host) *snapshot.APIServerNode {
	return find(w.APIServerNodes, h, func(s *snapshot.APIServerNode) bool { return s.Node == h.Node() })
}

func find[T any](items []T, h Host, is func(*T) bool) *T {
	for i := range items {
		if is(&items[i]) {
			return &items[i]
		}
	}
	panic(fmt.Sprintf("host %s has no %T", h, *new(T)))
}

package model

import (
	"net/netip"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const clusterID = 0xc1

// Applied indexes: a learner that catches up is further behind than any rule allows until it has caught up.
const (
	farIndex  = 20000
	nearIndex = 100
)

var (
	machineNames [maxSlots]snapshot.MachineName
	nodeNames    [maxSlots]snapshot.NodeName
	zones        [maxSlots]string
	addresses    [maxSlots][]netip.Addr
	peerURLs     [maxSlots][]string
	garbageURLs  = []string{"https://"}
	otherAddress = []netip.Addr{netip.AddrFrom4([4]byte{192, 0, 2, 200})}
	otherHooks   = []snapshot.OtherHook{{Point: "preDrain", Name: "Backup", Owner: "backup-controller"}}
	durations    = [...]time.Duration{justNow: time.Second, halfMinute: 30 * time.Second, fiveMinutes: 5 * time.Minute, tenMinutes: 10 * time.Minute}
	epoch        = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
)

func init() {
	for i := range maxSlots {
		letter := string(rune('a' + i))
		machineNames[i] = snapshot.MachineName("machine-" + letter)
		nodeNames[i] = snapshot.NodeName("node-" + letter)
		zones[i] = "zone-" + string(rune('1'+i%3))
		address := netip.AddrFrom4([4]byte{192, 0, 2, byte(10 + i)})
		addresses[i] = []netip.Addr{address}
		peerURLs[i] = []string{"https://" + address.String() + ":2380"}
	}
}

// letter names a slot in a trace.
func letter(i int) string { return string(rune('A' + i)) }

func memberID(i int) snapshot.MemberID { return snapshot.MemberID(0xa0 + i) }

func slotOfMember(id snapshot.MemberID) int { return int(id) - 0xa0 }

func slotOfNode(name snapshot.NodeName) int { return int(name[len(name)-1] - 'a') }

func slotOfMachine(name snapshot.MachineName) int { return int(name[len(name)-1] - 'a') }

// scene is room for one Snapshot, used again for each state.
type scene struct {
	members    [maxSlots]snapshot.Member
	machines   [maxSlots]snapshot.Machine
	nodes      [maxSlots]snapshot.Node
	statuses   [maxSlots]snapshot.NodeStatus
	guards     [maxSlots]snapshot.Guard
	endpoints  [maxSlots]netip.Addr
	apiServers [maxSlots]snapshot.APIServerNode
	servers    [maxSlots][maxSlots]netip.Addr
	snap       snapshot.Snapshot
}

// draw writes what the operator sees of a state. The Snapshot is valid until the next call.
func (sc *scene) draw(w *world, s *state, t *truth) *snapshot.Snapshot {
	sc.snap = snapshot.Snapshot{
		ClusterID: clusterID, MemberList: snapshot.Known(t.listReadable),
		MachineAPI: snapshot.Known(w.machineAPI), MachineList: snapshot.True, NodeList: snapshot.True,
		Desired: snapshot.Desired{Replicas: w.desired, Source: snapshot.DesiredFromObserved}, Topology: w.topology,
		BootstrapComplete: snapshot.True, VersionCurrent: snapshot.True, ExternalEtcd: snapshot.False,
		UnsafeNonHA: w.unsafe, EndpointsKnown: snapshot.True, LatestRevision: 2, APIServers: snapshot.Known(w.apiServers), GuardList: snapshot.True,
		Budget: snapshot.Budget{Present: snapshot.Known(s.budget), MinAvailable: int(s.minAvailable), Observed: s.observed, DisruptionsAllowed: int(s.allowed)},
	}
	members, machines, nodes := sc.members[:0], sc.machines[:0], sc.nodes[:0]
	statuses, guards, endpoints := sc.statuses[:0], sc.guards[:0], sc.endpoints[:0]
	for i := range w.slots {
		c := &s.slots[i]
		if c.member != noMember && t.listReadable {
			members = append(members, sc.member(w, s, t, i))
			if sc.snap.Leader == 0 && t.connected&bit(i) != 0 {
				sc.snap.Leader = memberID(i)
			}
		}
		if c.machine != noMachine {
			machines = append(machines, machineOf(s, i))
		}
		if c.node || c.member != noMember || c.linked {
			nodes = append(nodes, nodeOf(s, i))
		}
		if c.node {
			statuses = append(statuses, snapshot.NodeStatus{Node: nodeNames[i], Current: int(c.current), Target: int(c.target)})
		}
		if c.guard != noGuard {
			guards = append(guards, guardOf(s, i))
		}
		if s.endpoints&bit(i) != 0 {
			endpoints = append(endpoints, addresses[i][0])
		}
	}
	sc.snap.Members, sc.snap.Machines, sc.snap.Nodes = members, machines, nodes
	sc.snap.NodeStatuses, sc.snap.Guards, sc.snap.Endpoints = statuses, guards, endpoints
	if w.apiServers {
		sc.drawAPIServers(w, s)
	}
	sc.blind(s)
	return &sc.snap
}

func (sc *scene) member(w *world, s *state, t *truth, i int) snapshot.Member {
	c := &s.slots[i]
	m := snapshot.Member{
		ID: memberID(i), PeerURLs: peerURLs[s.addressOf(i)], PeerAddresses: addresses[s.addressOf(i)],
		Started: c.started(), Learner: c.member != voter, Corrupt: snapshot.False, NoSpace: snapshot.False,
		AddressClaimed: snapshot.Known(w.claimed(s, i)),
	}
	if m.AddressClaimed == snapshot.False {
		m.UnclaimedFor = durations[c.down]
	}
	if m.Learner && c.member != caughtUpLearner && c.node && !c.ready {
		m.StalledFor = durations[fiveMinutes]
	}
	if !c.started() {
		return m
	}
	m.Name = string(nodeNames[i])
	answers := t.seen&bit(i) != 0
	if m.Learner {
		answers = c.serving() && c.cut == notCut
	}
	switch {
	case answers:
		m.Health, m.CannotServe, m.AppliedIndex = snapshot.Healthy, snapshot.False, farIndex
		if c.member == laggingLearner {
			m.AppliedIndex = nearIndex
		}
	case t.answered:
		m.Health, m.UnhealthyFor = snapshot.Unhealthy, durations[c.down]
		if c.serving() && c.cut == cutFromPeers {
			// It answers that it cannot serve a linearizable read without its peers.
			m.CannotServe = snapshot.True
		}
	}
	return m
}

func machineOf(s *state, i int) snapshot.Machine {
	c := &s.slots[i]
	m := snapshot.Machine{
		Name: machineNames[i], UID: string(machineNames[i]), Phase: "Provisioning", Deleting: c.machine == deleting,
		Hook: snapshot.Hook(c.hook), ExcludedFromDrain: c.excluded, Zone: zones[i], HookBackOff: c.backOff,
	}
	if c.machineHasAddress() {
		m.Addresses = addresses[s.addressOf(i)]
	}
	if c.linked {
		m.NodeRef, m.Phase = nodeNames[i], "Running"
	}
	if m.Deleting {
		m.Phase = "Deleting"
		m.DeletionTimestamp = epoch.Add(time.Duration(c.deleted) * time.Minute)
	}
	if c.failed {
		m.Phase = "Failed"
	}
	if c.heldBy {
		m.OtherHooks = otherHooks
	}
	return m
}

func nodeOf(s *state, i int) snapshot.Node {
	c := &s.slots[i]
	n := snapshot.Node{Name: nodeNames[i], Present: snapshot.Known(c.node)}
	if !c.node {
		return n
	}
	n.ControlPlane, n.Ready, n.Cordoned = true, snapshot.Known(c.ready), c.cordoned()
	n.Addresses = addresses[s.addressOf(i)]
	n.PeerAddress = n.Addresses[0]
	n.Etcd.Present = snapshot.Known(c.etcd != noProcess)
	if c.etcd != noProcess {
		// Without a working kubelet the containers look as they did when it last told.
		n.Etcd.ContainerRunning = snapshot.Known(c.etcd == running || c.etcd == broken || !c.kubeletWorks())
		n.Etcd.ContainerReady = snapshot.Known(c.podReady)
		n.Etcd.Ready = snapshot.Known(c.podReady)
	} else {
		n.Etcd.ContainerRunning, n.Etcd.ContainerReady, n.Etcd.Ready = snapshot.False, snapshot.False, snapshot.False
	}
	return n
}

func guardOf(s *state, i int) snapshot.Guard {
	c := &s.slots[i]
	g := snapshot.Guard{Node: nodeNames[i], Phase: snapshot.PodRunning, Ready: c.guardReady, Deleting: c.guardDeleting, Outdated: c.guardOld}
	switch c.guard {
	case guardPending:
		g.Phase = snapshot.PodPending
	case guardFinished:
		g.Phase = "Failed"
	}
	return g
}

func (sc *scene) drawAPIServers(w *world, s *state) {
	servers := sc.apiServers[:0]
	for i := range w.slots {
		c := &s.slots[i]
		if !c.node || c.current == noRevision {
			continue
		}
		known := sc.servers[i][:0]
		for j := range w.slots {
			if c.apiServer&bit(j) != 0 {
				known = append(known, addresses[j][0])
			}
		}
		servers = append(servers, snapshot.APIServerNode{Node: nodeNames[i], EtcdServersKnown: snapshot.True, EtcdServers: known})
	}
	sc.snap.APIServerNodes = servers
}

// blind takes away what cannot be read at the moment.
func (sc *scene) blind(s *state) {
	snap := &sc.snap
	switch s.blind {
	case blindToMachineAPI:
		snap.MachineAPI = snapshot.Unknown
	case blindToMachines:
		snap.MachineList, snap.Machines = snapshot.Unknown, nil
	case blindToNodes:
		snap.NodeList, snap.Nodes = snapshot.Unknown, nil
	case blindToMembers:
		snap.MemberList, snap.Members = snapshot.Unknown, nil
	case blindToTopology:
		snap.Topology = snapshot.TopologyUnknown
	case blindToVersion:
		snap.VersionCurrent = snapshot.False
	case blindToBootstrap:
		snap.BootstrapComplete = snapshot.False
	case blindToDesired:
		snap.Desired = snapshot.Desired{}
	case blindToEndpoints:
		snap.EndpointsKnown, snap.Endpoints = snapshot.Unknown, nil
	case blindToRevision:
		snap.LatestRevision = 0
	case blindToAPIServers:
		snap.APIServers, snap.APIServerNodes = snapshot.Unknown, nil
	case blindToGuards:
		snap.GuardList, snap.Guards = snapshot.Unknown, nil
	case blindToBudget:
		snap.Budget = snapshot.Budget{}
	case blindToExternalEtcd:
		snap.ExternalEtcd = snapshot.Unknown
	case blindToPeerURL:
		if len(snap.Members) > 0 {
			snap.Members[0].PeerURLs, snap.Members[0].PeerAddresses = garbageURLs, nil
		}
	case blindToAddress:
		if len(snap.Members) > 0 {
			sc.moveAddress(slotOfMember(snap.Members[0].ID))
		}
	case blindToAlarms:
		for i := range snap.Members {
			snap.Members[i].Corrupt, snap.Members[i].NoSpace = snapshot.Unknown, snapshot.Unknown
		}
	}
}

// moveAddress gives the host of a member another address than the one it joined with.
func (sc *scene) moveAddress(i int) {
	for j := range sc.snap.Nodes {
		if n := &sc.snap.Nodes[j]; n.Name == nodeNames[i] && n.Present.Holds() {
			n.Addresses, n.PeerAddress = otherAddress, otherAddress[0]
		}
	}
	for j := range sc.snap.Machines {
		if m := &sc.snap.Machines[j]; m.Name == machineNames[i] {
			m.Addresses = otherAddress
		}
	}
}

package exhaustive

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	clusterID      = 77
	latestRevision = 8
	highestIndex   = 1_000_000
	goneAddress    = maxHosts
)

// What hosts are called and where they are, made once.
var (
	nodeNames, memberNames, machineNames, numberedMachineNames, uids, zoneNames, addressText [maxHosts]string
	memberURLs                                                                               [maxHosts][]string
	bootstrapURLs                                                                            = []string{"https://192.0.2.200:2380"}
	bootstrapAddresses                                                                       = []netip.Addr{netip.MustParseAddr("192.0.2.200")}
	peerAddresses, movedAddresses, bothFamilies                                              [maxHosts][]netip.Addr
	// addressesOf has the addresses of the names whose bits are set; bit goneAddress is an address that nobody has.
	addressesOf [1 << (maxHosts + 1)][]netip.Addr
	ages        [8]time.Time
	foreignHook = []snapshot.OtherHook{{Point: "preTerminate", Name: "Backup", Owner: "someone"}}
)

func init() {
	for k := range maxHosts {
		letter := string(rune('a' + k))
		nodeNames[k], memberNames[k], machineNames[k] = "node-"+letter, "node-"+letter, "machine-"+letter
		numberedMachineNames[k] = []string{"east-", "west-"}[k/3] + strconv.Itoa(k%3)
		uids[k], zoneNames[k] = "uid-"+letter, "zone-"+letter
		v4, v6 := netip.AddrFrom4([4]byte{192, 0, 2, byte(k + 1)}), netip.MustParseAddr("fd00::"+strconv.Itoa(k+1))
		peerAddresses[k], bothFamilies[k] = []netip.Addr{v4}, []netip.Addr{v6, v4}
		movedAddresses[k] = []netip.Addr{netip.AddrFrom4([4]byte{198, 51, 100, byte(k + 1)})}
		addressText[k] = v4.String()
		memberURLs[k] = []string{"https://" + addressText[k] + ":2380"}
	}
	for bits := range addressesOf {
		for k := range maxHosts {
			if bits>>k&1 == 1 {
				addressesOf[bits] = append(addressesOf[bits], peerAddresses[k][0])
			}
		}
		if bits>>goneAddress&1 == 1 {
			addressesOf[bits] = append(addressesOf[bits], netip.MustParseAddr("192.0.2.99"))
		}
	}
	for k := range ages {
		ages[k] = time.Unix(1_700_000_000+int64(k), 0)
	}
}

// idOf is the id of the member with a name. Ids and names are in opposite order, so that neither passes for the other.
func idOf(name uint8) snapshot.MemberID { return snapshot.MemberID(0x100 - int(name)) }

// nameOfID is the reverse of idOf; ok is false for an id that no member of a world can have.
func nameOfID(id snapshot.MemberID) (name uint8, ok bool) {
	k := 0x100 - int(id)
	return uint8(k), k >= 0 && k < maxHosts
}

var pods = [...]snapshot.EtcdPod{
	podReady:            {Present: yes, ContainerRunning: yes, ContainerReady: yes, Ready: yes},
	podNotReady:         {Present: yes, ContainerRunning: yes, ContainerReady: yes, Ready: no},
	podWaiting:          {Present: yes, ContainerRunning: yes, ContainerReady: no, Ready: no},
	podContainerDown:    {Present: yes, ContainerRunning: no, ContainerReady: no, Ready: no},
	podAbsent:           {Present: no},
	podUnknown:          {},
	podReadinessUnknown: {Present: yes, ContainerRunning: yes},
}

var guards = [...]snapshot.Guard{
	guardReady:            {Phase: snapshot.PodRunning, Ready: true},
	guardNotReady:         {Phase: snapshot.PodRunning},
	guardPending:          {Phase: snapshot.PodPending},
	guardFinished:         {Phase: "Failed"},
	guardOutdated:         {Phase: snapshot.PodRunning, Ready: true, Outdated: true},
	guardOutdatedNotReady: {Phase: snapshot.PodRunning, Outdated: true},
	guardDeleting:         {Phase: snapshot.PodRunning, Ready: true, Deleting: true},
}

var statuses = [...]snapshot.NodeStatus{
	atLatest:        {Current: latestRevision},
	behind:          {Current: latestRevision - 1},
	inFlight:        {Current: latestRevision - 1, Target: latestRevision},
	inFlightToOlder: {Current: latestRevision - 2, Target: latestRevision - 1},
}

var appliedIndex = [...]uint64{inSync: highestIndex, lagAtLimit: highestIndex - lagLimit, lagBeyondLimit: highestIndex - lagLimit - 1, indexUnknown: 0}

// builder makes Snapshots of worlds, one at a time: the next one uses the memory of the last.
type builder struct {
	s snapshot.Snapshot
}

func (b *builder) build(w *world) *snapshot.Snapshot {
	s := &b.s
	s.Members, s.Machines, s.Nodes = s.Members[:0], s.Machines[:0], s.Nodes[:0]
	s.Guards, s.NodeStatuses, s.APIServerNodes = s.Guards[:0], s.NodeStatuses[:0], s.APIServerNodes[:0]
	s.ClusterID = clusterID
	s.MemberList, s.MachineAPI, s.MachineList, s.NodeList, s.GuardList = w.memberList, w.machineAPI, w.machineList, w.nodeList, w.guardList
	s.Desired, s.Topology, s.ExternalEtcd = snapshot.Desired{Replicas: w.desired}, w.topology, w.external
	s.BootstrapComplete, s.VersionCurrent, s.UnsafeNonHA = w.bootstrapComplete, w.versionCurrent, w.unsafeNonHA
	s.LatestRevision, s.APIServers, s.PlannedInstall, s.Leader = 0, w.apiServers, "", 0
	s.Budget = snapshot.Budget{Present: w.budget.present, MinAvailable: w.budget.minimum, Observed: w.budget.observed, DisruptionsAllowed: w.budget.allowed}
	if w.revisionKnown {
		s.LatestRevision = latestRevision
	}
	if w.planned >= 0 {
		s.PlannedInstall = snapshot.NodeName(nodeNames[w.names[w.planned]])
	}
	if w.leader >= 0 {
		s.Leader = idOf(w.names[w.leader])
	}
	b.endpoints(w)
	for i := 0; i < w.n; i++ {
		b.host(w, i)
	}
	return s
}

func (b *builder) endpoints(w *world) {
	voters, last := 0, 0
	for i := 0; i < w.n; i++ {
		if w.hosts[i].role.votes() {
			last = 1 << w.addressOf(i)
			voters |= last
		}
	}
	b.s.EndpointsKnown = yes
	switch w.endpoints {
	case endpointsTooMany:
		voters |= 1 << goneAddress
	case endpointsTooFew:
		voters &^= last
	case endpointsOther:
		voters = voters&^last | 1<<goneAddress
	case endpointsUnread:
		b.s.EndpointsKnown = unknown
	}
	b.s.Endpoints = addressesOf[voters]
}

func (b *builder) host(w *world, i int) {
	h, k, s := &w.hosts[i], w.names[i], &b.s
	addresses := peerAddresses[w.addressOf(i)]
	peers := addresses
	switch {
	case h.moved:
		addresses = movedAddresses[k]
	case w.dualStack:
		addresses = bothFamilies[w.addressOf(i)]
	}
	node := snapshot.NodeName(nodeNames[k])
	if h.role != noMember {
		b.member(w, i, peers)
	}
	if h.machine != noMachine {
		s.Machines = append(s.Machines, snapshot.Machine{
			Name: w.machineName(i), UID: uids[k], Phase: "Running", Deleting: h.machine == deleting, Hook: h.hook,
			ExcludedFromDrain: h.excluded, HookBackOff: h.hookBackOff, NodeRef: node, Addresses: addresses,
		})
		m := &s.Machines[len(s.Machines)-1]
		if h.machine == deleting {
			m.Phase, m.DeletionTimestamp = "Deleting", ages[h.age]
		}
		if h.failed {
			m.Phase = "Failed"
		}
		if h.noNodeRef {
			m.NodeRef = ""
		}
		if h.namesGoneNode {
			m.NodeRef = snapshot.NodeName("old-" + nodeNames[k])
			s.Nodes = append(s.Nodes, snapshot.Node{Name: m.NodeRef, Present: no})
		}
		if h.namesNodeOfFirst {
			m.NodeRef = snapshot.NodeName(nodeNames[w.names[0]])
		}
		if h.noMachineAddress {
			m.Addresses = nil
		}
		if h.foreignHook {
			m.OtherHooks = foreignHook
		}
		if h.zone > 0 {
			m.Zone = zoneNames[h.zone]
		}
	}
	switch {
	case h.present():
		s.Nodes = append(s.Nodes, snapshot.Node{
			Name: node, Present: yes, ControlPlane: true, Ready: [...]fact{nodeReady: yes, nodeNotReady: no, nodeReadinessUnknown: unknown}[h.node],
			Cordoned: h.cordoned, Deleting: h.nodeDeleting, Addresses: addresses, Etcd: pods[h.pod],
		})
		if !h.noPeerAddress {
			s.Nodes[len(s.Nodes)-1].PeerAddress = addresses[len(addresses)-1]
		}
	case h.bootstrap:
		s.Nodes = append(s.Nodes, snapshot.Node{Name: snapshot.BootstrapMember, Present: no})
	case h.node == nodeAbsent:
		s.Nodes = append(s.Nodes, snapshot.Node{Name: node, Present: no})
	}
	if h.guard != noGuard {
		g := guards[h.guard]
		g.Node = node
		s.Guards = append(s.Guards, g)
	}
	if h.revision != noStatus {
		status := statuses[h.revision]
		status.Node = node
		s.NodeStatuses = append(s.NodeStatuses, status)
	}
	if h.api != noAPIServer {
		var known int
		for j, bits := 0, w.knownBy(i); j < w.n; j++ {
			if bits>>j&1 == 1 {
				known |= 1 << w.addressOf(j)
			}
		}
		s.APIServerNodes = append(s.APIServerNodes, snapshot.APIServerNode{Node: node, EtcdServersKnown: yes, EtcdServers: addressesOf[known]})
		if h.api == apiServerUnread {
			s.APIServerNodes[len(s.APIServerNodes)-1].EtcdServersKnown = unknown
		}
	}
}

func (b *builder) member(w *world, i int, peers []netip.Addr) {
	h, k := &w.hosts[i], w.names[i]
	b.s.Members = append(b.s.Members, snapshot.Member{
		ID: idOf(k), PeerURLs: memberURLs[k], PeerAddresses: peers, Started: h.role.started(), Learner: h.role.learns(),
		Health:      [...]snapshot.Health{healthy: snapshot.Healthy, unhealthy: snapshot.Unhealthy, healthUnknown: snapshot.HealthUnknown}[h.health],
		CannotServe: h.cannotServe, Corrupt: h.corrupt.fact(), NoSpace: h.noSpace.fact(),
		AppliedIndex: appliedIndex[h.lag], StalledFor: h.stalledFor, AddressClaimed: h.claimed, UnclaimedFor: h.unclaimedFor,
	})
	m := &b.s.Members[len(b.s.Members)-1]
	if m.Started {
		m.Name = memberNames[k]
	}
	if h.health == unhealthy {
		m.UnhealthyFor = h.unhealthyFor
	}
	if h.unreadable {
		m.PeerAddresses = nil
	}
	if h.bootstrap {
		m.Name, m.PeerURLs, m.PeerAddresses = snapshot.BootstrapMember, bootstrapURLs, bootstrapAddresses
	}
}

func (w *world) machineName(i int) snapshot.MachineName {
	if w.numbered {
		return snapshot.MachineName(numberedMachineNames[w.names[i]])
	}
	return snapshot.MachineName(machineNames[w.names[i]])
}

// shuffle brings every slice of the Snapshot into another order, the same for the same turn.
func (b *builder) shuffle(turn uint64) {
	r := mixer(turn*2 + 1)
	shuffle(&r, b.s.Members)
	shuffle(&r, b.s.Machines)
	shuffle(&r, b.s.Nodes)
	shuffle(&r, b.s.Guards)
	shuffle(&r, b.s.NodeStatuses)
	shuffle(&r, b.s.APIServerNodes)
	if len(b.s.Endpoints) > 1 {
		// The list is shared between worlds, so it is turned around in a copy.
		reversed := make([]netip.Addr, len(b.s.Endpoints))
		for i, a := range b.s.Endpoints {
			reversed[len(reversed)-1-i] = a
		}
		b.s.Endpoints = reversed
	}
}

// mixer is a xorshift generator: which order comes next must be the same in every run.
type mixer uint64

func (m *mixer) next() uint64 {
	x := uint64(*m)*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*m = mixer(x)
	return x
}

// shuffle never leaves two or more items as they were: the last item always moves.
func shuffle[T any](r *mixer, items []T) {
	for last := len(items) - 1; last > 0; last-- {
		other := int(r.next() >> 33 % uint64(last+1))
		if last == len(items)-1 {
			other = int(r.next() >> 33 % uint64(last))
		}
		items[last], items[other] = items[other], items[last]
	}
}

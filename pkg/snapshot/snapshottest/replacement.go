package snapshottest

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	latestRevision = 8
	appliedIndex   = 1_000_000
)

// Replacement returns a cluster of n members, n at least 2, in the state that leaves no fact unread: the first voter
// leads and leaves, since n-1 voters are one more than desired and its Machine is deleting; the last member is a learner
// in sync; one more node waits to join; and every node still runs the revision before the latest.
//
// The removal of the first voter passes every question that rule R6.2 asks, and every guard and node is judged as well.
func Replacement(n int) snapshot.Snapshot {
	s := snapshot.Snapshot{
		ClusterID: 1, MemberList: snapshot.True, Leader: 1,
		MachineAPI: snapshot.True, MachineList: snapshot.True, NodeList: snapshot.True,
		Desired:           snapshot.Desired{Replicas: n - 2, Source: snapshot.DesiredFromObserved},
		Topology:          snapshot.HighlyAvailable,
		BootstrapComplete: snapshot.True, VersionCurrent: snapshot.True,
		EndpointsKnown: snapshot.True, LatestRevision: latestRevision,
		APIServers: snapshot.True, GuardList: snapshot.True,
		Budget: snapshot.Budget{Present: snapshot.True, MinAvailable: n - 2, Observed: true, DisruptionsAllowed: 1},
	}
	voters := n - 1
	for i := range voters {
		s.Endpoints = append(s.Endpoints, address(i))
	}
	for i := range n + 1 {
		name := "master-" + strconv.Itoa(i)
		isMember, isVoter, leaves := i < n, i < voters, i == 0
		node := snapshot.Node{
			Name: snapshot.NodeName(name), Present: snapshot.True, ControlPlane: true, Ready: snapshot.True,
			Addresses: []netip.Addr{address(i)}, PeerAddress: address(i),
			Etcd: snapshot.EtcdPod{
				Present: snapshot.True, ContainerRunning: snapshot.True,
				ContainerReady: snapshot.Known(isMember), Ready: snapshot.Known(isMember),
			},
		}
		machine := snapshot.Machine{
			Name: snapshot.MachineName("machine-" + name), UID: "uid-" + name, Phase: "Running", Deleting: leaves,
			NodeRef: node.Name, Addresses: node.Addresses, Hook: snapshot.HookPresent, Zone: "zone-" + strconv.Itoa(i%3),
		}
		if leaves {
			machine.Phase, machine.DeletionTimestamp = "Deleting", time.Unix(1_700_000_000, 0)
		}
		s.Nodes = append(s.Nodes, node)
		s.Machines = append(s.Machines, machine)
		s.NodeStatuses = append(s.NodeStatuses, snapshot.NodeStatus{Node: node.Name, Current: latestRevision - 1})
		if !isMember {
			continue
		}
		s.Members = append(s.Members, snapshot.Member{
			ID: snapshot.MemberID(i + 1), Name: name, Started: true, Learner: !isVoter,
			PeerURLs: []string{"https://" + netip.AddrPortFrom(address(i), 2380).String()}, PeerAddresses: node.Addresses,
			Health: snapshot.Healthy, CannotServe: snapshot.False, Corrupt: snapshot.False, NoSpace: snapshot.False,
			AppliedIndex: appliedIndex, AddressClaimed: snapshot.True,
		})
		s.APIServerNodes = append(s.APIServerNodes, snapshot.APIServerNode{
			Node: node.Name, EtcdServersKnown: snapshot.True, EtcdServers: s.Endpoints,
		})
		s.Guards = append(s.Guards, snapshot.Guard{Node: node.Name, Phase: snapshot.PodRunning, Ready: true})
	}
	return s
}

func address(i int) netip.Addr {
	return netip.AddrFrom4([4]byte{192, 0, 2, byte(i + 1)})
}

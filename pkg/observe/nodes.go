package observe

import (
	"net/netip"
	"slices"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	etcdContainer = "etcd"
	appLabel      = "app"
	appEtcd       = "etcd"
	appGuard      = "guard"
)

// controlPlaneLabels are the labels that make a Node one of the control plane, whatever their value (rule R11).
var controlPlaneLabels = []string{"node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/arbiter"}

// IsControlPlaneNode tells whether a Node with these labels is of the control plane.
func IsControlPlaneNode(labels map[string]string) bool {
	return slices.ContainsFunc(controlPlaneLabels, func(l string) bool {
		_, has := labels[l]
		return has
	})
}

// convertNodes takes the control-plane Nodes, and whatever else a member, a Machine or an API server refers to by name.
func (c *conversion) convertNodes() {
	list := c.Objects.Nodes
	c.s.NodeList = list.Complete
	have := map[string]bool{}
	for i := range list.Items {
		if IsControlPlaneNode(list.Items[i].Labels) {
			have[list.Items[i].Name] = true
			c.s.Nodes = append(c.s.Nodes, c.convertNode(&list.Items[i]))
		}
	}
	others := map[string]*corev1.Node{}
	for _, items := range [][]corev1.Node{list.Items, c.Objects.OtherNodes.Items} {
		for i := range items {
			others[items[i].Name] = &items[i]
		}
	}
	for _, name := range NamedNodes(c.Objects, c.Etcd) {
		switch node := others[string(name)]; {
		case have[string(name)]:
		case node != nil:
			c.s.Nodes = append(c.s.Nodes, c.convertNode(node))
		case c.allNodesKnown() || slices.Contains(c.Objects.GoneNodes, name):
			c.s.Nodes = append(c.s.Nodes, snapshot.Node{Name: name, Present: snapshot.False})
		}
	}
}

func (c *conversion) allNodesKnown() bool {
	return c.Objects.Nodes.Complete.Holds() && c.Objects.OtherNodes.Complete.Holds()
}

func (c *conversion) convertNode(from *corev1.Node) snapshot.Node {
	n := snapshot.Node{
		Name:         snapshot.NodeName(from.Name),
		Present:      snapshot.True,
		ControlPlane: IsControlPlaneNode(from.Labels),
		Cordoned:     from.Spec.Unschedulable,
		Deleting:     from.DeletionTimestamp != nil,
		Etcd:         c.etcdPod(from.Name),
	}
	var readable bool
	n.Addresses, readable = c.addresses("Node "+from.Name, internalIPs(from.Status.Addresses))
	n.AddressUnreadable = !readable
	n.Ready = nodeReady(from)
	n.PeerAddress = c.peerAddress(n.Addresses)
	return n
}

// nodeReady is false as well where the node's controller has not heard from its kubelet (status Unknown). Anything else
// than the three values, and conditions that contradict each other, tell nothing (invariant I4).
func nodeReady(node *corev1.Node) snapshot.Fact {
	var told []snapshot.Fact
	for i := range node.Status.Conditions {
		if node.Status.Conditions[i].Type != corev1.NodeReady {
			continue
		}
		switch node.Status.Conditions[i].Status {
		case corev1.ConditionTrue:
			told = append(told, snapshot.True)
		case corev1.ConditionFalse, corev1.ConditionUnknown:
			told = append(told, snapshot.False)
		default:
			told = append(told, snapshot.Unknown)
		}
	}
	return agreed(told)
}

// agreed is what all say; nobody, or several who contradict each other, say nothing.
func agreed(told []snapshot.Fact) snapshot.Fact {
	if told = slices.Compact(told); len(told) == 1 {
		return told[0]
	}
	return snapshot.Unknown
}

func (c *conversion) peerAddress(addresses []netip.Addr) netip.Addr {
	if !c.Objects.Network.Exists.Holds() {
		return netip.Addr{}
	}
	addr, err := snapshot.PeerAddressOfFamily(addresses, c.Objects.Network.Value.Status.ServiceNetwork)
	c.report(err)
	return addr
}

// etcdPod reads the mirror pod of a node's etcd. What its kubelet has not told yet is unknown.
func (c *conversion) etcdPod(node string) snapshot.EtcdPod {
	pods := c.Objects.Pods
	i := slices.IndexFunc(pods.Items, func(p corev1.Pod) bool { return p.Name == "etcd-"+node && p.Labels[appLabel] == appEtcd })
	if i < 0 {
		if !pods.Complete.Holds() {
			return snapshot.EtcdPod{}
		}
		return snapshot.EtcdPod{Present: snapshot.False, ContainerRunning: snapshot.False, ContainerReady: snapshot.False, Ready: snapshot.False}
	}
	pod := snapshot.EtcdPod{Present: snapshot.True, Ready: podReady(&pods.Items[i])}
	for _, status := range pods.Items[i].Status.ContainerStatuses {
		if status.Name == etcdContainer {
			if status.State != (corev1.ContainerState{}) {
				pod.ContainerRunning = snapshot.Known(status.State.Running != nil)
			}
			pod.ContainerReady = snapshot.Known(status.Ready)
		}
	}
	return pod
}

func podReady(pod *corev1.Pod) snapshot.Fact {
	var told []snapshot.Fact
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type != corev1.PodReady {
			continue
		}
		switch pod.Status.Conditions[i].Status {
		case corev1.ConditionTrue:
			told = append(told, snapshot.True)
		case corev1.ConditionFalse:
			told = append(told, snapshot.False)
		default:
			told = append(told, snapshot.Unknown)
		}
	}
	return agreed(told)
}

// claimAddresses tells for each member whether any Node or Machine has one of its addresses (rules R6.4, R6.5). "No" needs
// complete lists whose every address could be read, and with a Machine API that works, or may work, those of the Machines
// as well.
func (c *conversion) claimAddresses() {
	byNodes, allNodes := c.nodeAddresses()
	allNodes = allNodes && c.allNodesKnown()
	byMachines, allMachines := c.machineAddresses()
	allMachines = c.s.MachineAPI.Fails() ||
		allMachines && c.s.MachineAPI.Holds() && c.Objects.Machines.Complete.Holds() && c.Objects.OtherMachines.Complete.Holds()
	for i := range c.s.Members {
		m := &c.s.Members[i]
		claimed := func(by map[netip.Addr]bool) bool {
			return slices.ContainsFunc(m.PeerAddresses, func(a netip.Addr) bool { return by[a] })
		}
		switch {
		case len(m.PeerAddresses) == 0:
		case claimed(byNodes) || !c.s.MachineAPI.Fails() && claimed(byMachines):
			m.AddressClaimed = snapshot.True
		case allNodes && allMachines:
			m.AddressClaimed = snapshot.False
			m.UnclaimedFor = c.memory.lasting(unclaimed, m.ID)
		}
	}
}

// nodeAddresses returns the addresses of all Nodes, and whether each could be read.
func (c *conversion) nodeAddresses() (by map[netip.Addr]bool, readable bool) {
	by, readable = map[netip.Addr]bool{}, true
	for _, items := range [][]corev1.Node{c.Objects.Nodes.Items, c.Objects.OtherNodes.Items} {
		for i := range items {
			readable = c.note(by, "Node "+items[i].Name, items[i].Status.Addresses) && readable
		}
	}
	return by, readable
}

// machineAddresses returns the addresses of all Machines, and whether each could be read.
func (c *conversion) machineAddresses() (by map[netip.Addr]bool, readable bool) {
	by, readable = map[netip.Addr]bool{}, true
	for _, items := range [][]machinev1beta1.Machine{c.Objects.Machines.Items, c.Objects.OtherMachines.Items} {
		for i := range items {
			readable = c.note(by, "Machine "+items[i].Name, items[i].Status.Addresses) && readable
		}
	}
	return by, readable
}

func (c *conversion) note(by map[netip.Addr]bool, object string, addresses []corev1.NodeAddress) (readable bool) {
	parsed, readable := c.addresses(object, internalIPs(addresses))
	for _, addr := range parsed {
		by[addr] = true
	}
	return readable
}

package observe

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

func withAddress(n corev1.Node, ip string) corev1.Node {
	n.Status.Addresses = append(slices.Clone(n.Status.Addresses), corev1.NodeAddress{Type: corev1.NodeInternalIP, Address: ip})
	return n
}

// Somebody writes master-0 into the nodeRef of Machine b, whose host is master-1, while Machine a is deleting: a must stay
// the owner of the member on master-0, or its hook would go while the member votes.
func TestANodeRefThatAnotherMachineHasTheAddressesForIsNotBelieved(t *testing.T) {
	at := func(m machinev1beta1.Machine, ips ...string) machinev1beta1.Machine {
		for _, ip := range ips {
			m.Status.Addresses = append(m.Status.Addresses, corev1.NodeAddress{Type: corev1.NodeInternalIP, Address: ip})
		}
		return m
	}
	a := at(machine("a", "Deleting", "master-0"), "192.0.2.10")
	nodes := []corev1.Node{node("master-0", "192.0.2.10", "node-role.kubernetes.io/master"), node("master-1", "192.0.2.11", "node-role.kubernetes.io/master")}
	for name, test := range map[string]struct {
		machines []machinev1beta1.Machine
		nodes    List[corev1.Node]
		// want are the nodeRefs of a and b.
		want [2]snapshot.NodeName
	}{
		"each has its own": {
			machines: []machinev1beta1.Machine{a, at(machine("b", "Running", "master-1"), "192.0.2.11")}, nodes: Listed(nodes),
			want: [2]snapshot.NodeName{"master-0", "master-1"},
		},
		"b names a's node": {
			machines: []machinev1beta1.Machine{a, at(machine("b", "Running", "master-0"), "192.0.2.11")}, nodes: Listed(nodes),
			want: [2]snapshot.NodeName{"master-0", ""},
		},
		"a names b's node": {
			machines: []machinev1beta1.Machine{at(machine("a", "Deleting", "master-1"), "192.0.2.10"), at(machine("b", "Running", "master-1"), "192.0.2.11")}, nodes: Listed(nodes),
			want: [2]snapshot.NodeName{"", "master-1"},
		},
		"b has no address left, so its nodeRef is all that it has": {
			machines: []machinev1beta1.Machine{a, machine("b", "Running", "master-0")}, nodes: Listed(nodes),
			want: [2]snapshot.NodeName{"master-0", "master-0"},
		},
		"both have the address, which rule R3 decides": {
			machines: []machinev1beta1.Machine{a, at(machine("b", "Running", "master-0"), "192.0.2.11", "192.0.2.10")}, nodes: Listed(nodes),
			want: [2]snapshot.NodeName{"master-0", "master-0"},
		},
		"nobody else names the node": {
			machines: []machinev1beta1.Machine{at(machine("a", "Deleting", "master-1"), "192.0.2.10"), at(machine("b", "Running", ""), "192.0.2.11")}, nodes: Listed(nodes),
			want: [2]snapshot.NodeName{"master-1", ""},
		},
		"an address of b cannot be read, and may be the node's": {
			machines: []machinev1beta1.Machine{a, at(machine("b", "Running", "master-0"), "192.0.2.11", "?")}, nodes: Listed(nodes),
			want: [2]snapshot.NodeName{"master-0", "master-0"},
		},
		"an address of the node cannot be read, and may be b's": {
			machines: []machinev1beta1.Machine{a, at(machine("b", "Running", "master-0"), "192.0.2.11")},
			nodes:    Listed([]corev1.Node{withAddress(nodes[0], "?"), nodes[1]}),
			want:     [2]snapshot.NodeName{"master-0", "master-0"},
		},
		"the node's addresses are not known": {
			machines: []machinev1beta1.Machine{a, at(machine("b", "Running", "master-0"), "192.0.2.11")},
			want:     [2]snapshot.NodeName{"master-0", "master-0"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, faults := Snapshot(Pass{Objects: Objects{Machines: Listed(test.machines), Nodes: test.nodes}}, ElapsedMemory())
			if diff := cmp.Diff(test.want, [2]snapshot.NodeName{s.Machines[0].NodeRef, s.Machines[1].NodeRef}); diff != "" {
				t.Errorf("nodeRefs (-want +got)\n%s", diff)
			}
			distrusted := 0
			for _, fault := range faults {
				if strings.Contains(fault.Error(), "status.nodeRef.name") {
					distrusted++
				}
			}
			want := 0
			for i, ref := range test.want {
				if test.machines[i].Status.NodeRef != nil && ref == "" {
					want++
				}
			}
			if distrusted != want {
				t.Errorf("%d faults name a nodeRef, want %d: %v", distrusted, want, faults)
			}
		})
	}
}

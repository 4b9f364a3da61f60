package plane

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-etcd-operator/lab/hosts"
	"github.com/openshift/cluster-etcd-operator/lab/members"
)

// statusTimeout bounds what a status asks of the API server.
const statusTimeout = 3 * time.Second

// Status is how things are.
type Status struct {
	Phase Phase
	// Seconds since the start, and from the start to ready (0 before).
	ElapsedSeconds float64
	ReadySeconds   float64
	Work           string
	Hosts          []HostStatus
	Members        []members.Member
	Machines       []MachineStatus
	// MembersProblem says why Members could not be read.
	MembersProblem string
	// APIProblem is empty when the API server answers.
	APIProblem string
	// PrivateEtcd says that the API server's data are not in the members' cluster.
	PrivateEtcd bool
	// GatewayTargets are the members that the API server's requests go to.
	GatewayTargets []string
}

// HostStatus is how a host is.
type HostStatus struct {
	Name        string
	Role        hosts.Role
	Address     string
	State       hosts.State
	Partitioned bool
	// Node is Ready, NotReady, missing, or unknown.
	Node     string
	Cordoned bool
}

// Status asks everybody; what does not answer in time is unknown.
func (p *Plane) Status(ctx context.Context) Status {
	p.mu.Lock()
	status := Status{Phase: p.phase, ElapsedSeconds: time.Since(p.began).Seconds(), Work: p.options.Work, PrivateEtcd: p.options.PrivateEtcd}
	if !p.ready.IsZero() {
		status.ReadySeconds = p.ready.Sub(p.began).Seconds()
	}
	manager, observer, client, forward := p.hosts, p.observer, p.client, p.gateway
	p.mu.Unlock()
	if manager == nil {
		return status
	}
	status.GatewayTargets = forward.Ready()
	list, err := observer.Observe(ctx, p.addresses())
	status.Members = list
	if err != nil {
		status.MembersProblem = err.Error()
	}
	for _, host := range manager.List() {
		state, partitioned := host.Condition()
		status.Hosts = append(status.Hosts, HostStatus{
			Name: host.Name, Role: host.Role, Address: host.Address.String(), State: state, Partitioned: partitioned, Node: "unknown",
		})
	}
	if client == nil {
		status.APIProblem = "not started"
		return status
	}
	ctx, cancel := context.WithTimeout(ctx, statusTimeout)
	defer cancel()
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		status.APIProblem = err.Error()
		return status
	}
	if status.Machines, err = p.machines(ctx); err != nil {
		status.APIProblem = err.Error()
		return status
	}
	for i := range status.Hosts {
		host := &status.Hosts[i]
		host.Node = "missing"
		for _, node := range nodes.Items {
			if node.Name != host.Name {
				continue
			}
			host.Node, host.Cordoned = "NotReady", node.Spec.Unschedulable
			if isReady(node) {
				host.Node = "Ready"
			}
		}
	}
	return status
}

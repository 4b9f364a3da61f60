package plane

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/hosts"
	"github.com/openshift/cluster-etcd-operator/lab/payload"
)

const (
	machineNamespace = "openshift-machine-api"
	machineDeadline  = 5 * time.Minute
)

var machineResource = schema.GroupVersionResource{Group: "machine.openshift.io", Version: "v1beta1", Resource: "machines"}

// startMachines starts the Machine API's controllers and gives every host its
// Machine, as the installer would; it returns when they are Running.
func (p *Plane) startMachines(ctx context.Context) error {
	// In the lab's own network namespace the name is free again: this socket is
	// for programs of the lab.
	listener, err := control.Listen()
	if err != nil {
		return err
	}
	go func() { p.fail(control.Serve(ctx, listener, p.Answer)) }()
	if p.options.UserProvisioned {
		return p.leaveMachines(ctx)
	}
	if err := p.start(&child{
		name:        "machine-controllers",
		program:     "labmachines",
		arguments:   []string{"-kubeconfig=" + p.kubeconfig()},
		environment: []string{"GOGC=50"},
	}, p.fail); err != nil {
		return err
	}
	for _, host := range p.hosts.List() {
		if err := p.installer.Create(ctx, machineOf(host)); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, machineDeadline, errors.New("machines did not become Running in time"))
	defer cancel()
	return p.wait(ctx, func(ctx context.Context) (bool, string) {
		machines, err := p.machines(ctx)
		if err != nil {
			return false, err.Error()
		}
		running := 0
		for _, machine := range machines {
			if machine.Phase == "Running" {
				running++
			}
		}
		return running == p.options.ControlPlanes+p.options.Workers, fmt.Sprintf("%d of %d machines are Running", running, p.options.ControlPlanes+p.options.Workers)
	})
}

// leaveMachines makes the Machines of the first hosts as an installer leaves them
// where people provide the hosts: nobody connects the two.
func (p *Plane) leaveMachines(ctx context.Context) error {
	for _, host := range p.hosts.List() {
		machine := machineOf(host)
		machine.Object["status"] = map[string]any{"phase": "Provisioning"}
		if err := p.installer.Create(ctx, machine); err != nil {
			return err
		}
	}
	return nil
}

// startMachineSets starts what replaces Machines that are not as their
// ControlPlaneMachineSet wants them.
func (p *Plane) startMachineSets() error {
	return p.start(&child{
		name:    "machine-set-operator",
		program: "machineset",
		// Its webhooks would need a certificate of the service CA.
		arguments:   []string{"--kubeconfig=" + p.kubeconfig(), "--leader-elect=false", "--metrics-bind-address=0", "--health-probe-bind-address=0", "--webhook-port=0"},
		environment: []string{"RELEASE_VERSION=" + payload.Version},
	}, p.fail)
}

// machineOf describes a host as a Machine. What webhooks would default is
// written out, since there are none.
func machineOf(host *hosts.Host) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "machine.openshift.io/v1beta1",
		"kind":       "Machine",
		"metadata": map[string]any{
			"name":      host.Name,
			"namespace": machineNamespace,
			"labels": map[string]any{
				"machine.openshift.io/cluster-api-cluster":      "lab",
				"machine.openshift.io/cluster-api-machine-role": string(host.Role),
				"machine.openshift.io/cluster-api-machine-type": string(host.Role),
				"machine.openshift.io/zone":                     host.Zone,
			},
		},
		"spec": map[string]any{
			"providerSpec": map[string]any{"value": map[string]any{"apiVersion": "lab/v1", "kind": "HostSpec"}},
		},
	}}
}

// MachineStatus is how a Machine is.
type MachineStatus struct {
	Name     string
	Role     string
	Phase    string
	Deleting bool
	// Hooks are the names of its preDrain hooks.
	Hooks []string
}

func (p *Plane) machines(ctx context.Context) ([]MachineStatus, error) {
	list, err := p.dynamic.Resource(machineResource).Namespace(machineNamespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list machines: %w", err)
	}
	var machines []MachineStatus
	for _, item := range list.Items {
		phase, _, _ := unstructured.NestedString(item.Object, "status", "phase")
		hooks, _, _ := unstructured.NestedSlice(item.Object, "spec", "lifecycleHooks", "preDrain")
		status := MachineStatus{
			Name:     item.GetName(),
			Role:     item.GetLabels()["machine.openshift.io/cluster-api-machine-role"],
			Phase:    phase,
			Deleting: item.GetDeletionTimestamp() != nil,
		}
		for _, hook := range hooks {
			fields, _ := hook.(map[string]any)
			name, _ := fields["name"].(string)
			status.Hooks = append(status.Hooks, name)
		}
		machines = append(machines, status)
	}
	return machines, nil
}

// CreateHost is part of control.Cloud.
func (p *Plane) CreateHost(name, role, zone string) error {
	switch hosts.Role(role) {
	case hosts.Master, hosts.Arbiter, hosts.Worker:
	default:
		return fmt.Errorf("no host can have the role %q", role)
	}
	host, err := p.hosts.Create(hosts.Spec{Name: name, Role: hosts.Role(role), Zone: zone})
	if errors.Is(err, hosts.ErrExists) {
		host, err = p.hosts.Host(name)
	}
	if err != nil {
		return err
	}
	if p.isBootHeld(name) {
		return nil
	}
	return host.Start()
}

// holdBoot says whether the cloud powers on a host that it makes for a Machine.
func (p *Plane) holdBoot(host string, held bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bootHeld[host] = held
}

func (p *Plane) isBootHeld(host string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bootHeld[host]
}

// DeleteHost is part of control.Cloud.
func (p *Plane) DeleteHost(name string) error {
	err := p.hosts.Delete(name)
	if errors.Is(err, hosts.ErrUnknownHost) {
		return nil
	}
	return err
}

// FindHost is part of control.Cloud.
func (p *Plane) FindHost(name string) (*control.HostInfo, error) {
	host, err := p.hosts.Host(name)
	if errors.Is(err, hosts.ErrUnknownHost) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	state, _ := host.Condition()
	var addresses []string
	for _, address := range host.Addresses {
		addresses = append(addresses, address.String())
	}
	return &control.HostInfo{Name: host.Name, Addresses: addresses, State: string(state), ProviderID: host.ProviderID()}, nil
}

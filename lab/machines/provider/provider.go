package provider

import (
	"context"
	"encoding/json"
	"fmt"

	machinev1 "github.com/openshift/api/machine/v1beta1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/openshift/cluster-etcd-operator/lab/control"
)

// Labels of a Machine that say what its host is for and where it stands.
const (
	roleLabel = "machine.openshift.io/cluster-api-machine-role"
	zoneLabel = "machine.openshift.io/zone"
)

// Actuator creates and deletes hosts.
type Actuator struct {
	client client.Client
}

// New returns an Actuator that notes on Machines what it did through client.
func New(client client.Client) *Actuator { return &Actuator{client: client} }

// Exists reports whether the Machine's host exists, whether it runs or not.
func (a *Actuator) Exists(_ context.Context, machine *machinev1.Machine) (bool, error) {
	host, err := control.FindHost(machine.Name)
	if err != nil {
		return false, fmt.Errorf("look for host %s: %w", machine.Name, err)
	}
	return host != nil, nil
}

// Create creates the Machine's host and powers it on.
func (a *Actuator) Create(ctx context.Context, machine *machinev1.Machine) error {
	zone := machine.Labels[zoneLabel]
	if zone == "" {
		zone = machine.Spec.Labels["topology.kubernetes.io/zone"]
	}
	if err := control.CreateHost(machine.Name, machine.Labels[roleLabel], zone); err != nil {
		return fmt.Errorf("create host %s: %w", machine.Name, err)
	}
	return a.Update(ctx, machine)
}

// Update notes the host's id, addresses and state on the Machine.
func (a *Actuator) Update(ctx context.Context, machine *machinev1.Machine) error {
	host, err := control.FindHost(machine.Name)
	if err != nil {
		return fmt.Errorf("look for host %s: %w", machine.Name, err)
	}
	if host == nil {
		return fmt.Errorf("host %s is gone", machine.Name)
	}
	if machine.Spec.ProviderID == nil || *machine.Spec.ProviderID != host.ProviderID {
		before := machine.DeepCopy()
		machine.Spec.ProviderID = &host.ProviderID
		if err := a.client.Patch(ctx, machine, client.MergeFrom(before)); err != nil {
			return fmt.Errorf("note the id of host %s: %w", machine.Name, err)
		}
	}
	state, err := json.Marshal(map[string]string{"instanceState": host.State})
	if err != nil {
		return fmt.Errorf("encode the state of host %s: %w", machine.Name, err)
	}
	further, err := furtherAddresses(machine)
	if err != nil {
		return err
	}
	before := machine.DeepCopy()
	machine.Status.Addresses = nil
	for _, address := range append(further, host.Addresses...) {
		machine.Status.Addresses = append(machine.Status.Addresses, corev1.NodeAddress{Type: corev1.NodeInternalIP, Address: address})
	}
	machine.Status.Addresses = append(machine.Status.Addresses,
		corev1.NodeAddress{Type: corev1.NodeInternalDNS, Address: host.Name},
		corev1.NodeAddress{Type: corev1.NodeHostName, Address: host.Name},
	)
	machine.Status.ProviderStatus = &runtime.RawExtension{Raw: state}
	if equality.Semantic.DeepEqual(before.Status, machine.Status) {
		return nil
	}
	if err := a.client.Status().Patch(ctx, machine, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("note the addresses of host %s: %w", machine.Name, err)
	}
	return nil
}

// furtherAddresses are those that the Machine's specification wants its cloud to
// report before the host's own; nothing listens there.
func furtherAddresses(machine *machinev1.Machine) ([]string, error) {
	var spec struct {
		FurtherAddresses []string `json:"furtherAddresses"`
	}
	if value := machine.Spec.ProviderSpec.Value; value != nil {
		if err := json.Unmarshal(value.Raw, &spec); err != nil {
			return nil, fmt.Errorf("read the specification of machine %s: %w", machine.Name, err)
		}
	}
	return spec.FurtherAddresses, nil
}

// Delete pulls the plug of the Machine's host and removes it.
func (a *Actuator) Delete(_ context.Context, machine *machinev1.Machine) error {
	if err := control.DeleteHost(machine.Name); err != nil {
		return fmt.Errorf("delete host %s: %w", machine.Name, err)
	}
	return nil
}

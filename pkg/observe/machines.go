package observe

import (
	"fmt"
	"maps"
	"slices"

	configv1 "github.com/openshift/api/config/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// What the Machine API calls things.
const (
	HookName  = "EtcdQuorumOperator"
	HookOwner = "clusteroperator/etcd"

	roleLabel         = "machine.openshift.io/cluster-api-machine-role"
	zoneLabel         = "machine.openshift.io/zone"
	excludeAnnotation = "machine.openshift.io/exclude-node-draining"
	phaseRunning      = "Running"
)

// IsControlPlaneMachine tells whether a Machine with these labels is of the control plane (rule R4.1).
func IsControlPlaneMachine(labels map[string]string) bool {
	return labels[roleLabel] == "master" || labels[roleLabel] == "arbiter"
}

func (c *conversion) convertMachines() {
	list := c.Objects.Machines
	c.s.MachineList = snapshot.Known(list.Complete.Holds())
	if list.Complete == snapshot.Unknown {
		c.s.MachineList = snapshot.Unknown
	}
	for i := range list.Items {
		if IsControlPlaneMachine(list.Items[i].Labels) {
			c.s.Machines = append(c.s.Machines, c.convertMachine(&list.Items[i]))
		}
	}
}

func (c *conversion) convertMachine(from *machinev1beta1.Machine) snapshot.Machine {
	m := snapshot.Machine{
		Name:     snapshot.MachineName(from.Name),
		UID:      string(from.UID),
		Deleting: from.DeletionTimestamp != nil,
		Zone:     from.Labels[zoneLabel],
	}
	var readable bool
	m.Addresses, readable = c.addresses("Machine "+from.Name, internalIPs(from.Status.Addresses))
	m.AddressUnreadable = !readable
	if from.DeletionTimestamp != nil {
		m.DeletionTimestamp = from.DeletionTimestamp.UTC()
	}
	if from.Status.Phase != nil {
		m.Phase = *from.Status.Phase
	}
	if from.Status.NodeRef != nil {
		m.NodeRef = snapshot.NodeName(from.Status.NodeRef.Name)
	}
	_, m.ExcludedFromDrain = from.Annotations[excludeAnnotation]
	hooks := from.Spec.LifecycleHooks
	for _, h := range hooks.PreDrain {
		switch {
		case h.Name != HookName:
			m.OtherHooks = append(m.OtherHooks, snapshot.OtherHook{Point: "preDrain", Name: h.Name, Owner: h.Owner})
		case h.Owner == HookOwner:
			m.Hook = snapshot.HookPresent
		default:
			m.Hook = snapshot.HookWrongOwner
		}
	}
	for _, h := range hooks.PreTerminate {
		m.OtherHooks = append(m.OtherHooks, snapshot.OtherHook{Point: "preTerminate", Name: h.Name, Owner: h.Owner})
	}
	return m
}

// convertMachineAPI: rule R2. ClusterVersion unreadable or Machines not listed is "unknown", never "no". A machines
// resource that is not served means "no" only where the capability is off as well; where it is on, the resource is yet
// to come.
func (c *conversion) convertMachineAPI() {
	enabled := c.capabilityEnabled()
	served := c.Objects.Machines.Complete
	switch {
	case enabled == snapshot.Unknown || served == snapshot.Unknown:
		c.s.MachineAPI = snapshot.Unknown
	case served.Fails() && enabled.Holds():
		c.s.MachineAPI = snapshot.Unknown
	default:
		c.s.MachineAPI = snapshot.Known(slices.ContainsFunc(c.s.Machines, func(m snapshot.Machine) bool {
			return m.Phase == phaseRunning || m.NodeRef != ""
		}))
	}
}

func (c *conversion) capabilityEnabled() snapshot.Fact {
	if !c.Objects.ClusterVersion.Exists.Holds() {
		return c.Objects.ClusterVersion.Exists
	}
	enabled := c.Objects.ClusterVersion.Value.Status.Capabilities.EnabledCapabilities
	return snapshot.Known(slices.Contains(enabled, configv1.ClusterVersionCapabilityMachineAPI))
}

// address is one InternalIP and where it stands.
type address struct{ field, value string }

func internalIPs(all []corev1.NodeAddress) []address {
	var internal []address
	for i, a := range all {
		if a.Type == corev1.NodeInternalIP {
			internal = append(internal, address{fmt.Sprintf("status.addresses[%d]", i), a.Address})
		}
	}
	return internal
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

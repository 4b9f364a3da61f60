package replicas

import (
	"strconv"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const machineSetObject = "controlplanemachinesets.machine.openshift.io/cluster in openshift-machine-api"

// MachineSet is what is known of the ControlPlaneMachineSet named cluster. The zero value is unknown.
type MachineSet struct {
	// Active is false when there is no such object, no such kind of object, or its spec.state is Inactive.
	Active snapshot.Fact
	// Replicas is its spec.replicas, between 1 and Max; 0 unless it is active.
	Replicas int
}

// NoMachineSet is a set that is known not to exist.
func NoMachineSet() MachineSet { return MachineSet{Active: snapshot.False} }

// ParseMachineSet reads spec.state and spec.replicas of the ControlPlaneMachineSet named cluster (rule R1.2). An empty
// state is Inactive, as the API defines it. A state that the API does not know, and a number outside 1 to Max or none on
// an active set, leave the set unknown, with an *snapshot.InputError.
func ParseMachineSet(state string, replicas *int32) (MachineSet, error) {
	switch state {
	case "Active":
	case "", "Inactive":
		return NoMachineSet(), nil
	default:
		return MachineSet{}, &snapshot.InputError{Object: machineSetObject, Field: "spec.state", Value: state,
			Problem: "is neither Active nor Inactive", Remedy: "set it to Active or Inactive"}
	}
	const field, remedy = "spec.replicas", "set it to the number of control-plane machines, 3 to 5"
	if replicas == nil {
		return MachineSet{}, &snapshot.InputError{Object: machineSetObject, Field: field, Problem: "is missing", Remedy: remedy}
	}
	n, problem := count(int64(*replicas))
	if problem != "" {
		return MachineSet{}, &snapshot.InputError{Object: machineSetObject, Field: field,
			Value: strconv.Itoa(int(*replicas)), Problem: problem, Remedy: remedy}
	}
	return MachineSet{Active: snapshot.True, Replicas: n}, nil
}

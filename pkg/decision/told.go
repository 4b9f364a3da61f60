package decision

import (
	"slices"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// OfMachine is what to tell of a Machine: the verdict's own finding, or what keeps the Machine API from draining one that
// neither etcd nor a hook holds any more (rule R9.5).
func OfMachine(view *snapshot.View, v machinehook.Verdict) reason.Finding {
	i := slices.IndexFunc(view.SortedMachines, func(m *snapshot.Machine) bool { return m.Name == v.Machine })
	if v.Reason != reason.MachineReleased || i < 0 {
		return v.Finding
	}
	cordoned := view.CordonedBeside(view.SortedMachines[i])
	if cordoned == "" {
		return v.Finding
	}
	return reason.Finding{Rule: reason.R9_5, Reason: reason.MachineHeldByCordonedNode, Subject: string(v.Machine), Other: string(cordoned)}
}

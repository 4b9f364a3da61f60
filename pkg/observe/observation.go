package observe

import (
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Observation is all that one look at a live cluster told.
type Observation struct {
	// Objects and Etcd are what was read. Objects belong to caches: nobody changes them.
	Objects Objects
	Etcd    Etcd
	// Endpoints are the client URLs that the member list was asked of.
	Endpoints []string
	// Snapshot is what Snapshot made of it; PlannedInstall and HookBackOff are not filled in.
	Snapshot snapshot.Snapshot
	// Faults are what could not be read, and what was read but could not be turned into facts; each once, in order of
	// their texts.
	Faults []error
}

// NamedNodes returns the names of Nodes that members, control-plane Machines and API servers refer to, each once and in
// order. Whether these exist matters even if they are no control-plane Nodes.
func NamedNodes(objects Objects, etcd Etcd) []snapshot.NodeName {
	names := map[string]bool{}
	for _, m := range etcd.Members {
		names[m.Name] = true
	}
	for i := range objects.Machines.Items {
		if m := &objects.Machines.Items[i]; IsControlPlaneMachine(m.Labels) && m.Status.NodeRef != nil {
			names[m.Status.NodeRef.Name] = true
		}
	}
	if objects.KubeAPIServer.Exists.Holds() {
		for _, s := range objects.KubeAPIServer.Value.Status.NodeStatuses {
			names[s.NodeName] = true
		}
	}
	delete(names, "")
	var sorted []snapshot.NodeName
	for _, name := range sortedKeys(names) {
		sorted = append(sorted, snapshot.NodeName(name))
	}
	return sorted
}

package live

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// look is one observation in the making.
type look struct {
	*Observer
	observe.Observation
	began time.Time
	// configs are the Observer's of the look before, and then those of this one.
	configs map[string]*corev1.ConfigMap
	// reread holds what was read anew, by cache; nil for a look at the caches.
	reread map[any]reading
}

// Observe looks at the cluster once. It takes as long as etcd's slowest member and the live reads do, each of which has a
// deadline of its own; whatever cannot be read by then, or before ctx ends, is unknown and among the Faults.
func (o *Observer) Observe(ctx context.Context) observe.Observation {
	l := look{Observer: o, began: o.Clock.Now(), configs: o.configs}
	// The caches are read after etcd, which may take seconds, so that they are the newer part.
	l.readEtcd(ctx)
	l.readCaches()
	l.readBeyondCaches(ctx)
	o.configs = l.configs
	facts, problems := observe.Snapshot(l.pass(), o.memory)
	l.Snapshot = facts
	l.report(problems...)
	slices.SortFunc(l.Faults, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	l.Faults = slices.CompactFunc(l.Faults, func(a, b error) bool { return a.Error() == b.Error() })
	return l.Observation
}

// readBeyondCaches reads what caches do not hold and something in them asks for.
func (l *look) readBeyondCaches(ctx context.Context) {
	l.readConfigs(ctx)
	l.readMissingNodes(ctx)
	l.readOthers(ctx)
}

func (l *look) pass() observe.Pass {
	return observe.Pass{
		At: l.began, Objects: l.Objects, Etcd: l.Etcd, OperatorVersion: l.OperatorVersion, GuardOutdated: l.GuardOutdated,
	}
}

func (l *look) report(errs ...error) {
	for _, err := range errs {
		if err != nil {
			l.Faults = append(l.Faults, err)
		}
	}
}

func (l *look) readCaches() {
	o := &l.Objects
	o.ClusterVersion = single(l, l.clusterVersion)
	o.Infrastructure = single(l, l.infrastructure)
	o.Network = single(l, l.network)
	o.ClusterOperator = single(l, l.clusterOperator)
	o.Etcd = single(l, l.caches.etcd)
	o.KubeAPIServer = single(l, l.kubeAPIServer)
	o.ControlPlaneMachineSet = single(l, l.controlPlaneMachineSet)
	o.Bootstrap = single(l, l.bootstrap)
	o.Endpoints = single(l, l.endpoints)
	o.Budget = single(l, l.budget)
	o.Machines = list(l, l.machines)
	o.Pods = list(l, l.pods)
	o.Nodes = l.joinNodes()
}

// single reads a cache of at most one object.
func single[T any](l *look, c *cached[T]) observe.Object[T] {
	items, complete, err := contents(l, c)
	l.report(err)
	switch {
	case complete == snapshot.Unknown:
		return observe.Object[T]{}
	case len(items) == 0:
		return observe.Absent[T]()
	case len(items) > 1:
		l.report(fmt.Errorf("list %s: the API server sent %d objects", c.what, len(items)))
		return observe.Object[T]{}
	}
	return observe.Found(&items[0])
}

// list reads a cache of many. Objects of a cache that does not know whether they are still there are left out.
func list[T any](l *look, c *cached[T]) observe.List[T] {
	items, complete, err := contents(l, c)
	l.report(err)
	if complete == snapshot.Unknown {
		return observe.List[T]{}
	}
	return observe.List[T]{Complete: complete, Items: items}
}

// joinNodes makes one list of the Nodes, which have one label of the control plane or several. Caches are not at the same
// moment; of two versions of a Node the newer one counts.
func (l *look) joinNodes() observe.List[corev1.Node] {
	joined, at := observe.Listed[corev1.Node](nil), map[string]int{}
	for _, c := range l.nodes {
		one := list(l, c)
		if !one.Complete.Holds() {
			joined.Complete = snapshot.Unknown
		}
		for _, node := range one.Items {
			i, known := at[node.Name]
			switch {
			case !known:
				at[node.Name] = len(joined.Items)
				joined.Items = append(joined.Items, node)
			case newer(&node, &joined.Items[i]):
				joined.Items[i] = node
			}
		}
	}
	return joined
}

// newer cannot fail on what an API server wrote.
func newer(a, b *corev1.Node) bool {
	order, err := resourceversion.CompareResourceVersion(a.ResourceVersion, b.ResourceVersion)
	return err == nil && order > 0
}

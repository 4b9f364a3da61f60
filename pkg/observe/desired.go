package observe

import (
	"github.com/openshift/cluster-etcd-operator/pkg/replicas"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// convertDesired: rule R1. What cannot be read keeps the value of the pass before.
func (c *conversion) convertDesired() {
	var sources replicas.Sources
	unreadable := len(c.problems)
	if c.Objects.Etcd.Exists.Holds() {
		spec := c.Objects.Etcd.Value.Spec
		observed, err := replicas.ParseObservedConfig(spec.ObservedConfig.Raw)
		c.report(err)
		sources.Observed = observed
		overrides, err := replicas.ParseOverrides(spec.UnsupportedConfigOverrides.Raw)
		c.report(err)
		sources.Override, c.s.UnsafeNonHA = overrides.Replicas, overrides.UnsafeNonHA
	}
	switch set := c.Objects.ControlPlaneMachineSet; set.Exists {
	case snapshot.False:
		sources.Set = replicas.NoMachineSet()
	case snapshot.True:
		parsed, err := replicas.ParseMachineSet(string(set.Value.Spec.State), set.Value.Spec.Replicas)
		c.report(err)
		sources.Set = parsed
	}
	sources = sources.OrLast(c.memory.sources)
	c.memory.sources = sources
	desired, err := sources.Desired()
	c.s.Desired = desired
	if c.memory.clock != nil && len(c.problems) == unreadable {
		// It speaks of all passes so far; and after another error it would say once more what that one said.
		c.report(err)
	}
}

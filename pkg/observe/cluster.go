package observe

import (
	"net/netip"
	"slices"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Names of conditions, versions and keys, all from docs/names of the cluster.
const (
	externalEtcdCondition = "ExternalEtcdHasCompletedTransition"
	operatorVersionName   = "operator"
	bootstrapStatusKey    = "status"
	bootstrapComplete     = "complete"
)

// convertCluster reads what holds for the cluster as a whole.
func (c *conversion) convertCluster() {
	c.s.ObservedAt = c.At
	c.s.Topology = c.topology()
	c.s.ExternalEtcd = c.externalEtcd()
	c.s.BootstrapComplete = c.bootstrapComplete()
	c.s.VersionCurrent = c.versionCurrent()
	c.convertEndpoints()
}

// topology is unknown for any word that R11 does not name.
func (c *conversion) topology() snapshot.Topology {
	if !c.Objects.Infrastructure.Exists.Holds() {
		return snapshot.TopologyUnknown
	}
	value := c.Objects.Infrastructure.Value.Status.ControlPlaneTopology
	switch value {
	case configv1.HighlyAvailableTopologyMode:
		return snapshot.HighlyAvailable
	case configv1.HighlyAvailableArbiterMode:
		return snapshot.HighlyAvailableArbiter
	case configv1.DualReplicaTopologyMode:
		return snapshot.DualReplica
	case configv1.SingleReplicaTopologyMode:
		return snapshot.SingleReplica
	}
	c.report(&snapshot.InputError{
		Object: "Infrastructure cluster", Field: "status.controlPlaneTopology", Value: string(value),
		Problem: "is no topology that the operator knows",
		Remedy:  "see why it is not HighlyAvailable, HighlyAvailableArbiter, DualReplica or SingleReplica",
	})
	return snapshot.TopologyUnknown
}

// externalEtcd: the condition appears with the transition, so a status that was written without it says no. A status
// that nobody has written says nothing (rule R11: an unreadable status removes nothing).
func (c *conversion) externalEtcd() snapshot.Fact {
	if c.s.Topology != snapshot.DualReplica || !c.Objects.Etcd.Exists.Holds() {
		return snapshot.Unknown
	}
	conditions := c.Objects.Etcd.Value.Status.Conditions
	for i := range conditions {
		if conditions[i].Type != externalEtcdCondition {
			continue
		}
		switch conditions[i].Status {
		case operatorv1.ConditionTrue:
			return snapshot.True
		case operatorv1.ConditionFalse:
			return snapshot.False
		}
		return snapshot.Unknown
	}
	if len(conditions) == 0 {
		return snapshot.Unknown
	}
	return snapshot.False
}

func (c *conversion) bootstrapComplete() snapshot.Fact {
	if !c.Objects.Bootstrap.Exists.Holds() {
		return c.Objects.Bootstrap.Exists
	}
	return snapshot.Known(c.Objects.Bootstrap.Value.Data[bootstrapStatusKey] == bootstrapComplete)
}

// versionCurrent: rule R7.5. A ClusterOperator that is absent, or reports no version yet, reports none that is ours.
func (c *conversion) versionCurrent() snapshot.Fact {
	if c.OperatorVersion == "" || c.Objects.ClusterOperator.Exists == snapshot.Unknown {
		return snapshot.Unknown
	}
	if !c.Objects.ClusterOperator.Exists.Holds() {
		return snapshot.False
	}
	return snapshot.Known(slices.ContainsFunc(c.Objects.ClusterOperator.Value.Status.Versions, func(v configv1.OperandVersion) bool {
		return v.Name == operatorVersionName && v.Version == c.OperatorVersion
	}))
}

// convertEndpoints: one value that is no address makes the whole ConfigMap unusable, since it is compared as a set
// (rule R6.2).
func (c *conversion) convertEndpoints() {
	c.s.EndpointsKnown = c.Objects.Endpoints.Exists
	if !c.s.EndpointsKnown.Holds() {
		return
	}
	data := c.Objects.Endpoints.Value.Data
	for _, key := range sortedKeys(data) {
		addr, err := snapshot.ParseAddress("ConfigMap etcd-endpoints in openshift-etcd", "data."+key, data[key])
		if err != nil {
			c.report(err)
			c.s.EndpointsKnown = snapshot.False
			continue
		}
		c.s.Endpoints = append(c.s.Endpoints, addr)
	}
}

// addresses parses InternalIPs; what cannot be parsed is reported and left out, and then readable is false.
func (c *conversion) addresses(object string, all []address) (parsed []netip.Addr, readable bool) {
	readable = true
	for _, a := range all {
		addr, err := snapshot.ParseAddress(object, a.field, a.value)
		if err != nil {
			c.report(err)
			readable = false
			continue
		}
		if !slices.Contains(parsed, addr) {
			parsed = append(parsed, addr)
		}
	}
	return parsed, readable
}

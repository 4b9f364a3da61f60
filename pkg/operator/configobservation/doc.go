// Package configobservation copies what installation and users configure elsewhere into spec.observedConfig of the etcd
// resource, through library-go's config observer: so far the desired number of control-plane replicas, from ConfigMap
// cluster-config-v1 in kube-system (rule R1.1). Everything else in the operator reads the copy, never the ConfigMap.
//
// A ControlPlaneMachineSet and unsupportedConfigOverrides are not looked at here: whoever reads the copy lays them over it
// (rule R1.2), so that a value that is observed wrongly never hides another. Only the starter imports it.
package configobservation

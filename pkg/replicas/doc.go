// Package replicas turns what stands in ConfigMaps and custom resources into the desired number of control-plane
// replicas (rule R1). It reads text and returns numbers: the install-config document, the two documents in the spec of
// the etcd resource, and the ControlPlaneMachineSet.
//
// A value that cannot be read is an error of type *snapshot.InputError that names object, field and remedy. It is never
// replaced by a default: the last good value stays in force, and without one the desired number is unknown, so that
// nothing is removed (rule R1.3, docs/adr/0002-desired-size-bad-input.md).
//
// The package never reads an API, a file or a clock and keeps nothing between calls; what was good last is an argument.
// The config observer, pkg/observe and tests import it; the cores see its result in the Snapshot.
package replicas

// Package live observes a running cluster for all controllers at once (rule R10.2): caches of Kubernetes and OpenShift
// objects that the API server filters, live reads of what a cache cannot tell, and one reading of etcd. What it read
// becomes a snapshot.Snapshot by package observe, the same way as for a must-gather directory.
//
// Three things stay apart all the way (rule R10.1):
//   - A cache that has not synced, or whose list or watch fails at the moment, tells nothing: unknown.
//   - A kind that discovery does not know is absent, and so is a single object that a synced cache does not hold. Whether
//     the kind is served is asked again, so that it is noticed when it comes and when it goes.
//   - An object that a filtered cache does not hold may well exist. A Node that something refers to by name is read by
//     name. Whether an address is anybody's is told by a list of all, which is read only while a member has nobody
//     (rules R6.4, R6.5).
//
// Between observations it attends the voters that served, so that the loss of one is observed at once
// (docs/adr/0011-idle-passes-and-what-ends-them.md).
//
// No worker's Node or Machine is ever cached, so a cluster of any size costs the same.
//
// The package writes nothing and decides nothing. The starter makes the one Observer of a process; package pass asks it.
package live

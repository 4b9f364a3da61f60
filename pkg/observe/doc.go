// Package observe turns what was read of a cluster into one snapshot.Snapshot: Kubernetes and OpenShift objects, and one
// reading of etcd. It is the same conversion for a live cluster and for a must-gather directory, so that both are judged
// alike.
//
// Whether something was read, is absent for certain, or is not known stays apart all the way (rule R10.1): the zero value
// of everything in Objects and Etcd is "not read". What stands in an object but cannot be read becomes an unknown fact and
// an error that names object, field and remedy; it never becomes a default (rule R10.5).
//
// The package lists, watches, reads and writes nothing itself. The only thing that it keeps between two passes is Memory,
// which counts how long something was observed without a break. It decides nothing: no core is imported here, only their
// vocabulary. Observers, reports and subcommands may import it.
package observe

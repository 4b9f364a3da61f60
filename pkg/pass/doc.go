// Package pass holds one round of the operator's work: what was observed and what was decided from it. One loop makes the
// passes and publishes each; every controller acts on the latest one and none observes by itself (rule R10.2), so that all
// of them, the reports and the record speak about the same moment.
//
// The package writes nothing to the cluster. Controllers and the starter import it.
package pass

// Package snapshottest builds Snapshots for tests: New a small healthy world and edits of it, which tables read like
// sentences; Reordered and Forgotten its variants that no decision may depend on; Replacement a cluster of any size, for
// benchmarks.
//
// It decides nothing and checks nothing. Only tests import it.
package snapshottest

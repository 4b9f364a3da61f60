// Package quorumguard decides how many voluntary evictions etcd can bear now (the disruption budget) and on which nodes
// a guard pod stands for a vote (rule R7). Decide is a pure function of a Snapshot.
//
// It never evicts, drains or writes. It imports only the standard library and the shared vocabulary.
package quorumguard

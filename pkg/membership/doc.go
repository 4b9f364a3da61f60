// Package membership decides the next change of etcd's member list: add a learner, promote one, remove a member, or
// wait (rules R5 and R6). Decide is a pure function of a Snapshot; it returns exactly one action (invariant I2) and every
// alternative it refused, with the rule that refused it.
//
// It never reads a clock, an API or etcd, never writes, and never decides about Machines (package machinehook), guards
// (quorumguard) or revisions (rollout). It imports only the standard library and the shared vocabulary, and anything may
// import it.
package membership

// Package rollout decides whether a new static pod revision may be created and which node may take it next (rule R8).
// Decide is a pure function of a Snapshot.
//
// It never creates or installs a revision, and membership asks nothing of it but facts that both read in the Snapshot.
// It imports only the standard library and the shared vocabulary.
package rollout

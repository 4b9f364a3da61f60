// Package exhaustive decides every small world there is, and checks each decision of the four cores.
//
// A world is described in its own words: for each host the role and health of its member, its Machine, its Node, its pods.
// From the description two things are derived that know nothing of each other: the Snapshot that the cores decide from,
// and, by arithmetic written anew from the rules, what they may and must do. The second uses nothing of pkg/snapshot but
// its plain types, so a fault in what the cores share (sorting, ownership, quorum) is found like any other.
//
// Nobody imports this package. It imports of ours only the cores, pkg/snapshot and pkg/reason.
package exhaustive

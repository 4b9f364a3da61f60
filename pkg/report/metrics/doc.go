// Package metrics tells Prometheus what the last pass saw and decided: members by role and health, the current action and
// its Reason, what rules refuse, and where each replacement of a machine is (rule R9.4). All names begin with
// openshift_etcd_operator_.
//
// A series is made from the last pass at the moment it is asked for, so that those of members and machines that are gone
// vanish with them. Only the times of replacements are remembered, in memory: after a restart they are known from the next
// phase on. The package writes nothing to the cluster; the starter registers it.
package metrics

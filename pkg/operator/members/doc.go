// Package members tells people about etcd's members: conditions EtcdMembersAvailable, EtcdMembersDegraded,
// EtcdMembersProgressing and EtcdMembersControllerDegraded on the etcd resource, and ConfigMap etcd-members in openshift-etcd
// with each member's role, health, version and database size (rule R9.3, docs/adr/0009).
//
// It changes nothing but these reports, and nothing reads them to decide.
//
// Only the starter imports it.
package members

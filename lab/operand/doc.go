// Package operand is a stand-in for the part of the operator that owns etcd's
// static pods: it renders the pod of a host, tells the hosts what ConfigMap
// etcd-endpoints says, and keeps the revision fields of the etcd resource's
// status. Where no operator runs it keeps etcd-endpoints equal to the voters as
// well. It never adds, promotes or removes a member.
//
// It goes away, piece by piece, as the operator learns to do this.
package operand

// Package operand is a stand-in for the part of the operator that owns etcd's
// static pods: it renders the pod of a host, keeps the ConfigMap etcd-endpoints
// equal to the voters, tells the hosts about it, and keeps the revision fields
// of the etcd resource's status. It never adds, promotes or removes a member.
//
// It goes away, piece by piece, as the operator learns to do this.
package operand

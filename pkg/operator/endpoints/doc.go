// Package endpoints keeps ConfigMap etcd-endpoints in openshift-etcd equal to the voters of etcd: key is the member's id in
// hexadecimal, value the bare address of its first peer URL. API servers, etcdctl and starting members find etcd through it,
// and a removal waits until it names exactly the present voters (rule R6.2).
//
// It is written from nothing but a linearizable member list that is read right before, so a voter's address comes as soon
// as the voter votes and goes only when a list without it is known. A list that cannot be read, a peer URL that cannot be
// read and an empty set change nothing.
//
// Only the starter imports it.
package endpoints

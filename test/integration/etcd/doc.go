// Package etcd runs the contract of pkg/etcdclient against real etcd processes: three to five members on loopback
// addresses, over TLS, killed, paused, cut off from each other and restarted as the cases ask for it.
//
// The binary comes from `make tools`. Nothing imports this package.
package etcd

// Package plane is the lab's control plane as a whole: it brings up network,
// hosts, etcd, API server, controllers and objects in the order of a real
// bootstrap, keeps the stand-ins going, and tells how things are.
package plane

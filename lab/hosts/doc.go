// Package hosts creates, powers on and harms the hosts of the lab. A host is a
// process in network, mount, process and host-name namespaces of its own
// (package hostinit), with a root folder that outlives it, an address on the
// lab's bridge, and a kubelet.
package hosts

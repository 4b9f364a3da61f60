// Package hostinit is what runs inside a host of the lab: pid 1 of the host's
// process namespace. It makes the host's root folder, name and address, serves
// the container runtime, keeps the kubelet running, and obeys the lab on a
// socket that it was started with. When that socket closes, the host ends.
//
// Package hosts is the other side.
package hostinit

// Package session is the lab as a process: the outer process that a person
// starts, which stays in the machine's namespaces and holds the control socket,
// and the inner one, pid 1 of the lab's namespaces. The kernel kills the inner
// one when the outer ends, however it ends, and everything in the lab with it.
package session

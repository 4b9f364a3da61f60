// Package process starts child processes in a process that is pid 1 of its
// namespace, and so inherits orphans that nobody asked for.
//
// One Reaper collects every child that ends. Children are started through it
// and never through exec.Cmd's own Wait, because two waiters would steal each
// other's results.
package process

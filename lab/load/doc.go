// Package load writes to etcd and reads from it while a scenario is played, as
// several clients that each speak to one member, and records every operation.
// What it writes where is decided by a seed.
package load

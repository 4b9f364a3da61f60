// Package etcdclienttest has a cluster in memory that refuses what etcd refuses, and the suite that both it and real
// etcd processes pass.
//
// The fake stands where etcd and the network are: behind etcdclient.Conn. A test uses the same etcdclient.Client as the
// operator does, with the fake's Dialer, so what the Client itself keeps (deadlines, the list before a change, whom a
// removal is asked of) is never faked. Its errors are the very values that etcd's client returns.
//
// It is strict where etcd is: a learner serves no linearizable read and is not promoted before it is in sync, a change
// needs quorum and is refused while too few voters have started or have been connected for five seconds, a change that
// was proposed may be made after its caller has given up. Its time is that of contexts and timers, so that a test in a
// bubble of testing/synctest waits for nothing.
//
// Only tests import it.
package etcdclienttest

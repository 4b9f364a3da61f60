// Package etcdclient is the only way from this operator to etcd: it lists members, probes each member through its own
// endpoint, adds learners, promotes, removes, and moves leadership.
//
// Attend stays with a member and tells when it is lost, at no call meanwhile.
//
// It reports what was seen and what became of a change. It decides nothing: whether a member is unhealthy, whether a
// change is safe and which member it is asked of are the business of the observer and of the cores.
//
// What it keeps, whoever calls:
//   - A member joins as a learner; there is no way to add a voter (invariant I3).
//   - A change is made only to the member set that was judged: the list is read again, linearizably, through the very
//     connection that the change is then sent on, and compared (invariant I6).
//   - A removal is asked of another voter than its subject (rule R6).
//   - A member that hangs costs the others nothing (rule R10.3).
//   - A change without a definite answer is never reported as refused (rule R10.2): ErrOutcomeUnknown.
//
// The package writes no log, reads no clock other than for its deadlines, and keeps nothing between calls but open
// connections. Its errors are matched with errors.Is against the variables in errors.go.
//
// Controllers, the observer and tests import it. Nothing else imports etcd's own client.
package etcdclient

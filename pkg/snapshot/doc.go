// Package snapshot holds the facts that decisions are made from, and the one relation between them that every decision
// needs: which Node and Machine a member belongs to (rule R3).
//
// A Snapshot is what one pass of the observer saw, of etcd and of the API server together. It is plain data: nothing in
// it is a judgement except health, which the observer derives from its own probe, and the durations, which it counts on
// its own consecutive observations.
//
// Whether something could be seen at all is a Fact: true, false or unknown. A property of an object that was read is a
// plain value, since reading the object made it known. The zero value of every Fact is Unknown, so a field that an
// observer forgets to fill proves nothing (invariant I4).
//
// An address is a fact only in one form, so what turns the text of one into it is here as well (rule R11). Text that is
// no fact is an InputError, which names object, field and remedy.
//
// The package never reads a clock, an API or a file. It imports only the standard library, and only the cores, the
// readers of outside text, the etcd client, the observer, reports and tests import it.
package snapshot

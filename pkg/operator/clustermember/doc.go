// Package clustermember carries out what package membership decided: it adds a learner, promotes one or removes a member,
// at most one change for each pass (invariant I2), and says what it waits for.
//
// It decides nothing. Before a change it makes sure that what the decision rests on still holds: the pass is young, the
// operator is managed and its lease fresh, no earlier change is in doubt, and (inside etcdclient) the member set is the one
// that was judged (invariant I6). Whenever one of these is not known, nothing is sent and the next pass decides anew.
//
// Only the starter imports it.
package clustermember

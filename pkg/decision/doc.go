// Package decision asks the four cores about one Snapshot, in the only order that is right: the rollout first, whose hold
// on a node the guard's decision needs.
//
// It decides nothing itself, and names what holds a Machine besides and who joins next. Whoever carries out, records or
// explains decisions imports it, so that all of them speak about the same ones; it imports the cores and their vocabulary.
package decision

// Package pass makes the rounds of the operator's work: what was observed and what was decided from it. One Loop makes the
// passes and publishes each; every controller acts on the latest one and none observes by itself (rule R10.2), so that all
// of them, the reports and the record speak about the same moment.
//
// The Loop knows when to look again: at once when something changed that carries a fact, soon while anything is in
// flight, else now and then. It can record each pass as one line of JSON; the record of a pass is written before anybody
// acts on it.
//
// The package writes nothing to the cluster. Controllers and the starter import it; it asks the cores through package
// decision.
package pass

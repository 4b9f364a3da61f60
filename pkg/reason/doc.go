// Package reason holds the words that decisions speak in: the ids of the rules, the Reasons that conditions, events,
// metrics and `explain` show, and for each Reason the sentence that says what is so, the one that says what would
// unblock it, and how long it may last before it counts as Degraded.
//
// Keeping them in one table makes every report of a decision the same sentence, and lets docs/reasons.md be generated
// and checked. The package decides nothing and imports only the standard library.
package reason

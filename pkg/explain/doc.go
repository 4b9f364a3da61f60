// Package explain says in one document what the operator would do now and which rule stops everything else. It asks the
// four cores about one Snapshot, in the order in which the operator asks them, and puts their decisions into the schema of
// docs/explain.md and into text for people.
//
// It holds no judgement of its own: whatever it says about what may be done comes from a core, in that core's words. It
// reads no cluster, file or clock and writes nothing. Subcommands and reports may import it.
package explain

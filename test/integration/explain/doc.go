// Package explain tests the subcommand `explain` on a real API server: what it tells of a running cluster is what it tells
// of a must-gather of the same one, it writes nothing, and without rights it says which ones it lacks.
package explain

// Package mustgathertest writes the must-gather that a cluster in the state of a Snapshot would give. Tests import it.
package mustgathertest

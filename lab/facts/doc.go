// Package facts says what can be seen of a lab at one moment: members,
// Machines, Nodes, guards, the disruption budget, conditions. Scenarios ask about
// it in expressions, the recording keeps it, and the oracle judges it.
package facts

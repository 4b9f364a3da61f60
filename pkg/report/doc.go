// Package report tells people what was decided and what became of it: conditions on the etcd resource, and events
// (rule R9). Whether a finding is a safe wait or counts as Degraded is a matter of the deadline in the table of Reasons
// and of how long the finding lasted; Deadlines counts that.
//
// What is counted lives in memory only. A restart of the operator starts every deadline anew, which delays Degraded by at
// most the deadline and never shows it too early; nothing that acts reads it.
//
// The package decides nothing about etcd or Machines. Controllers import it.
package report

// Package machinehook decides which control-plane Machines gain, keep or lose the operator's pre-drain hook (rule R4).
// Decide is a pure function of a Snapshot. All Machines are judged in every pass, each on its own, so that a failed
// write to one does not hold up the others.
//
// It never reads or writes anything, and it never decides about members. It imports only the standard library and the
// shared vocabulary.
package machinehook

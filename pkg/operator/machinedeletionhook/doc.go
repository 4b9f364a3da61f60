// Package machinedeletionhook carries out what pkg/machinehook decides: it gives, repairs and takes away the operator's
// pre-drain hook on control-plane Machines (rule R4), paces itself against somebody who keeps stripping the hook, and tells
// about both.
//
// It judges nothing itself. Right before each write it reads the Machine live, and before a hook is taken away the member
// list too, and lets the cores judge again; a write carries what identifies the Machine that was judged. It never creates a
// Machine, and never touches another's hook. Only the starter imports it.
package machinedeletionhook

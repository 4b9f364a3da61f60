package machinehook

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Decide returns, for every control-plane Machine, what happens to its hook (rule R4).
//
//	R2.2, R2.3  While the Machine API is not known to be functional, hooks are left alone.
//	R3          A nodeRef that the Machine contradicts is told of.
//	R4.1, R4.2  A Machine that is not deleting gains the hook, or has its owner repaired.
//	R4.3        A deleting Machine never gains it, whoever removed it: that is the escape hatch.
//	R4.4        A deleting Machine loses it when, and only when, no member is owned by it (invariant I8); nothing else
//	            holds that back (L1).
func Decide(s snapshot.Snapshot) Decision { return DecideView(snapshot.NewView(&s)) }

// DecideView is Decide for a Snapshot whose View exists already. It keeps and changes nothing of v.
func DecideView(v *snapshot.View) Decision {
	var d Decision
	for _, doubted := range v.DoubtedNodeRefs {
		warning := refused(None, reason.R3, reason.NodeRefContradicted)
		warning.Machine, warning.UID = doubted.Name, doubted.UID
		warning.Subject, warning.Other = string(doubted.Name), string(doubted.NodeRef)
		d.Warnings = append(d.Warnings, warning)
	}
	for _, machine := range v.SortedMachines {
		verdict := judge(v, machine)
		verdict.Machine, verdict.UID, verdict.Subject = machine.Name, machine.UID, string(machine.Name)
		d.Machines = append(d.Machines, verdict)
		if warning, ok := ignoredHook(v, machine); ok {
			d.Warnings = append(d.Warnings, warning)
		}
	}
	return d
}

func judge(v *snapshot.View, machine *snapshot.Machine) Verdict {
	hosting, member := v.Hosting(machine)
	verdict := decideHook(v, machine, hosting, member)
	if hosting.Holds() {
		verdict.Member = member.ID
	}
	return verdict
}

func decideHook(v *snapshot.View, machine *snapshot.Machine, hosting snapshot.Fact, member *snapshot.Member) Verdict {
	switch {
	case v.MachineAPI == snapshot.Unknown:
		return refused(wanted(machine), reason.R2_2, reason.MachineAPIUnknown)
	case v.MachineAPI.Fails():
		return refused(None, reason.R2_3, reason.MachineAPINotFunctional)
	case !machine.Deleting:
		return decideLive(machine)
	case machine.Hook == snapshot.HookMissing:
		return decideStripped(machine, hosting, member)
	}
	switch hosting {
	case snapshot.True:
		verdict := refused(RemoveHook, reason.R4_4, reason.HookHoldsMember)
		verdict.Other = member.Label()
		return verdict
	case snapshot.Unknown:
		verdict := refused(RemoveHook, reason.R4_4, reason.HostedMemberUnknown)
		if member != nil {
			verdict.Other = member.Label()
		}
		return verdict
	default:
		return allowed(RemoveHook, reason.R4_4, reason.RemovingHook)
	}
}

// wanted is the action that is held back while the Machine API is unknown.
func wanted(machine *snapshot.Machine) Action {
	switch {
	case machine.Deleting && machine.Hook != snapshot.HookMissing:
		return RemoveHook
	case machine.Deleting || machine.Hook == snapshot.HookPresent:
		return None
	case machine.Hook == snapshot.HookWrongOwner:
		return RepairHook
	default:
		return AddHook
	}
}

// decideLive: rules R4.1 and R4.2, in every phase; R4.6 spaces the writes out while somebody keeps stripping the hook.
func decideLive(machine *snapshot.Machine) Verdict {
	action, why := AddHook, reason.AddingHook
	switch machine.Hook {
	case snapshot.HookPresent:
		return allowed(None, reason.R4_1, reason.HookInPlace)
	case snapshot.HookWrongOwner:
		action, why = RepairHook, reason.RepairingHook
	}
	if machine.HookBackOff {
		return refused(action, reason.R4_6, reason.HookStripped)
	}
	if action == RepairHook {
		return allowed(action, reason.R4_2, why)
	}
	return allowed(action, reason.R4_1, why)
}

// decideStripped: rule R4.3, a person let the Machine go; say what that means for its member.
func decideStripped(machine *snapshot.Machine, hosting snapshot.Fact, member *snapshot.Member) Verdict {
	if hosting.Holds() {
		verdict := refused(AddHook, reason.R4_3, reason.HookStrippedFromDeletingMachine)
		verdict.Other = member.Label()
		return verdict
	}
	if len(machine.OtherHooks) > 0 {
		other := machine.OtherHooks[0]
		verdict := allowed(None, reason.R9_5, reason.MachineHeldByAnotherHook)
		verdict.Other = other.Point + " hook " + other.Name + " of " + other.Owner
		return verdict
	}
	return allowed(None, reason.R4_4, reason.MachineReleased)
}

// ignoredHook: rule R4.7, a voter on a Machine whose hook the Machine API does not honour.
func ignoredHook(v *snapshot.View, machine *snapshot.Machine) (Verdict, bool) {
	if !v.MachineAPI.Holds() || (machine.NodeRef != "" && !machine.ExcludedFromDrain) {
		return Verdict{}, false
	}
	for i, m := range v.SortedMembers {
		if m.Learner || v.Owners[i].Machine != machine {
			continue
		}
		why := reason.VoterMachineExcludedFromDrain
		if machine.NodeRef == "" {
			why = reason.VoterMachineHasNoNode
		}
		warning := refused(None, reason.R4_7, why)
		warning.Machine, warning.UID, warning.Member = machine.Name, machine.UID, m.ID
		warning.Subject, warning.Other = string(machine.Name), m.Label()
		return warning, true
	}
	return Verdict{}, false
}

func refused(action Action, rule reason.Rule, why reason.Reason) Verdict {
	return Verdict{Action: None, Refused: action, Finding: reason.Finding{Rule: rule, Reason: why}}
}

func allowed(action Action, rule reason.Rule, why reason.Reason) Verdict {
	return Verdict{Action: action, Refused: None, Finding: reason.Finding{Rule: rule, Reason: why}}
}

// The back-off against somebody who strips the hook from live Machines (rule R4.6).
const (
	firstBackOff = time.Second
	maxBackOff   = 5 * time.Minute
)

// BackOff returns how long to wait before the hook is written again after it was stripped n times in a row: doubling
// from 1 s, at most 5 min; 0 for n < 1.
func BackOff(n int) time.Duration {
	if n < 1 {
		return 0
	}
	wait := firstBackOff
	for ; n > 1 && wait < maxBackOff; n-- {
		wait *= 2
	}
	return min(wait, maxBackOff)
}

package exhaustive

import (
	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// hosts tells whether the Machine of host j hosts any member, and the first one (rules R3, R4.4).
func (t *tally) hosts(w *world, j int) (fact, int) {
	if w.memberList != yes {
		return unknown, -1
	}
	elsewhere, doubt := true, false
	for i := 0; i < w.n; i++ {
		if w.hosts[i].role == noMember {
			continue
		}
		switch {
		case t.kind[i] == ownerFound && t.owner[i] == j:
			return yes, i
		case t.kind[i] == ownerFound:
		case t.kind[i] == ownerNone, t.kind[i] == ownerAmbiguous && w.claims(i)>>j&1 == 0:
			elsewhere = false
		default:
			elsewhere, doubt = false, true
		}
	}
	h := &w.hosts[j]
	switch {
	case doubt:
		return unknown, -1
	case !elsewhere && h.hasNodeRef() && (h.node == nodeUnread || w.addressless(j)):
		// R3: a Machine without any address hosts a member unless it never had a nodeRef, or every member is owned
		// elsewhere. One whose Node could not be read may have more addresses than were seen.
		return unknown, -1
	default:
		return no, -1
	}
}

// wantedHookAction is rule R4 for the Machine of host j.
func wantedHookAction(w *world, t *tally, j int) machinehook.Action {
	h := &w.hosts[j]
	if w.machineAPI != yes {
		return machinehook.None
	}
	if h.machine == live {
		switch {
		case h.hook == snapshot.HookPresent || h.hookBackOff:
			return machinehook.None
		case h.hook == snapshot.HookWrongOwner:
			return machinehook.RepairHook
		default:
			return machinehook.AddHook
		}
	}
	if hosting, _ := t.hosts(w, j); h.hook != snapshot.HookMissing && hosting == no {
		return machinehook.RemoveHook
	}
	return machinehook.None
}

func (c *checker) checkHooks(w *world, t *tally, d *machinehook.Decision) {
	machines := 0
	for j := 0; j < w.n; j++ {
		if w.hosts[j].machine != noMachine {
			machines++
		}
	}
	if len(d.Machines) != machines {
		c.fail("R4", "%d verdicts for %d Machines", len(d.Machines), machines)
		return
	}
	for k := range d.Machines {
		v := &d.Machines[k]
		c.cite(&v.Finding)
		j := w.hostOfMachine(v.Machine)
		if j < 0 || k > 0 && d.Machines[k-1].Machine >= v.Machine {
			c.fail("R4", "verdict %d is about %q", k, v.Machine)
			return
		}
		if v.UID != uids[w.names[j]] {
			c.fail("R4.5", "the verdict on %s carries uid %q", v.Machine, v.UID)
		}
		c.hookInvariants(w, t, j, v)
		if want := wantedHookAction(w, t, j); v.Action != want {
			c.fail("R4", "the hook of %s: the rules say %s, the verdict says %s", v.Machine, want, v.Action)
		}
		if (v.Action != machinehook.None) && v.Refused != machinehook.None {
			c.fail("R4", "the hook of %s: %s and not %s at once", v.Machine, v.Action, v.Refused)
		}
	}
	for k := range d.Warnings {
		c.cite(&d.Warnings[k].Finding)
	}
	c.checkIgnoredHooks(w, t, d)
}

// hookInvariants checks I8 and R4.4 from who lives on which host, whoever may be said to own whom.
func (c *checker) hookInvariants(w *world, t *tally, j int, v *machinehook.Verdict) {
	h := &w.hosts[j]
	if h.machine == deleting && (v.Action == machinehook.AddHook || v.Action == machinehook.RepairHook) {
		c.fail("I8", "deleting Machine %s gains the hook", v.Machine)
	}
	if v.Action != machinehook.RemoveHook {
		return
	}
	if h.machine != deleting {
		c.fail("I8", "Machine %s loses the hook although it is not deleting", v.Machine)
	}
	if w.memberList != yes || w.machineAPI != yes {
		c.fail("I4", "Machine %s loses the hook although it is not known who lives on it", v.Machine)
	}
	// A member lives on the host whose address it has. On one that has another's address too, it lives nowhere certain;
	// that case is judged by wantedHookAction alone.
	if h.role != noMember && !h.bootstrap && t.owner[j] == j {
		c.fail("I8", "Machine %s loses the hook and %s lives on it", v.Machine, w.label(j))
	}
	if h.role != noMember && !h.bootstrap && !w.sharesAddress() && h.hasNodeRef() {
		c.fail("I8", "Machine %s loses the hook and %s lives on its host", v.Machine, w.label(j))
	}
}

// checkIgnoredHooks: rule R4.7, and each nodeRef that is not believed is told of (R3).
func (c *checker) checkIgnoredHooks(w *world, t *tally, d *machinehook.Decision) {
	want := 0
	for j := 0; j < w.n; j++ {
		if w.hosts[j].namesNodeOfFirst {
			want++
			c.checkToldOfNodeRef(w, j, d)
		}
	}
	for j := 0; j < w.n; j++ {
		h := &w.hosts[j]
		if w.machineAPI != yes || h.machine == noMachine || h.hasNodeRef() && !h.excluded {
			continue
		}
		for i := 0; i < w.n; i++ {
			if w.hosts[i].role.votes() && t.kind[i] == ownerFound && t.owner[i] == j {
				want++
				break
			}
		}
	}
	if want != len(d.Warnings) {
		c.fail("R4.7", "%d voters live on Machines whose hook is ignored or name another's Node, and %d warnings say so", want, len(d.Warnings))
	}
}

func (c *checker) checkToldOfNodeRef(w *world, j int, d *machinehook.Decision) {
	for k := range d.Warnings {
		if v := &d.Warnings[k]; v.Reason == reason.NodeRefContradicted && v.Machine == w.machineName(j) && v.Other == nodeNames[w.names[0]] {
			return
		}
	}
	c.fail("R3", "nothing tells that Machine %s names the Node of %s", w.machineName(j), w.label(0))
}

func (w *world) hostOfMachine(name snapshot.MachineName) int {
	for j := 0; j < w.n; j++ {
		if w.hosts[j].machine != noMachine && w.machineName(j) == name {
			return j
		}
	}
	return -1
}

func (w *world) sharesAddress() bool {
	for j := 0; j < w.n; j++ {
		if w.hosts[j].sharesAddressOfFirst {
			return true
		}
	}
	return false
}

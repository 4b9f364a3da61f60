package exhaustive

// Who owns a member, and on which node it lives, by the words of rule R3 and from the description of the world alone.

type ownerKind uint8

const (
	ownerUnknown ownerKind = iota
	ownerNone
	ownerFound
	ownerAmbiguous
)

// readable: the lists that could name an owner were read (rule R10.1).
func (w *world) ownersReadable() bool {
	return w.nodeList == yes && (w.machineAPI == no || w.machineAPI == yes && w.machineList == yes)
}

// owner returns the host whose Machine owns the member of host i.
func (w *world) owner(i int) (ownerKind, int) {
	h := &w.hosts[i]
	switch {
	case h.unreadable || !w.ownersReadable():
		return ownerUnknown, -1
	case w.machineAPI == no || h.bootstrap:
		return ownerNone, -1
	}
	claims := w.claims(i)
	switch {
	case claims == 0:
		return ownerNone, -1
	case claims&(claims-1) == 0:
		return ownerFound, lowestBit(claims)
	case h.role.started() && claims>>i&1 == 1 && h.hasNodeRef():
		// The one whose Node name equals the member's name.
		return ownerFound, i
	}
	var fits uint8
	for j := 0; j < w.n; j++ {
		if claims>>j&1 == 0 {
			continue
		}
		c := &w.hosts[j]
		if w.isHealthy(i) && c.machine == live && c.hasNodeRef() || h.health == unhealthy && h.role.votes() && c.machine == deleting {
			fits |= 1 << j
		}
	}
	if fits != 0 && fits&(fits-1) == 0 {
		return ownerFound, lowestBit(fits)
	}
	return ownerAmbiguous, -1
}

// claims returns the hosts whose Machines could own the member of host i, as bits.
func (w *world) claims(i int) uint8 {
	h := &w.hosts[i]
	var claims uint8
	for j := 0; j < w.n; j++ {
		c := &w.hosts[j]
		if c.machine == noMachine || c.moved || w.addressOf(j) != w.addressOf(i) {
			continue
		}
		if !c.noMachineAddress || c.hasNodeRef() && c.present() {
			claims |= 1 << j
		}
	}
	// The name: when nobody has the address, or for a Machine that has no address left to be known by.
	if h.role.started() && h.hasNodeRef() && (claims == 0 || w.addressless(i)) {
		claims |= 1 << i
	}
	return claims
}

// addressless: neither the Machine of host i nor its Node, as far as it was read, has an address.
func (w *world) addressless(i int) bool {
	h := &w.hosts[i]
	return h.noMachineAddress && !(h.hasNodeRef() && h.present())
}

// nodeOf returns the host on whose Node the member of host i lives, or -1 if that is not known or there is none.
func (w *world) nodeOf(i int) int {
	h := &w.hosts[i]
	ref := -1
	switch kind, j := w.owner(i); {
	case kind == ownerUnknown || kind == ownerAmbiguous:
		return -1
	case kind == ownerFound && w.hosts[j].hasNodeRef() && !w.hosts[j].namesNodeOfFirst && !w.hosts[j].namesGoneNode:
		ref = j
	}
	switch {
	case ref == i && h.role.started():
		return i
	case h.bootstrap:
		return -1
	}
	var there uint8
	for j := 0; j < w.n; j++ {
		if c := &w.hosts[j]; c.present() && !c.moved && w.addressOf(j) == w.addressOf(i) {
			there |= 1 << j
		}
	}
	switch {
	case ref >= 0 && there>>ref&1 == 1:
		return ref
	case there>>i&1 == 1 && h.role.started():
		return i
	case there != 0 && there&(there-1) == 0:
		return lowestBit(there)
	case there != 0:
		return -1
	case ref >= 0:
		return ref
	case h.role.started() && h.node != nodeUnread:
		return i
	default:
		return -1
	}
}

// isOrphan: no Node of any label has an address of the member, and for a started voter none has its name (rules R6.4,
// R6.5). That no Machine owns it is asked elsewhere.
func (w *world) isOrphan(i int) bool {
	h := &w.hosts[i]
	if h.claimed != no {
		return false
	}
	for j := 0; j < w.n; j++ {
		if c := &w.hosts[j]; c.present() && !c.moved && w.addressOf(j) == w.addressOf(i) && !h.bootstrap {
			return false
		}
	}
	return !(h.role == voter) || h.node == nodeAbsent
}

// isHealthy: the probe answered in this pass and it is known that there is no CORRUPT alarm. Who has not started has no
// endpoint that could answer.
func (w *world) isHealthy(i int) bool {
	h := &w.hosts[i]
	return h.role.started() && h.health == healthy && h.corrupt == noAlarm
}

// isDown: the probe failed although a quorum answered theirs.
func (w *world) isDown(i int) bool { return w.hosts[i].health == unhealthy }

func lowestBit(bits uint8) int {
	for i := 0; ; i++ {
		if bits>>i&1 == 1 {
			return i
		}
	}
}

func quorum(n int) int { return n/2 + 1 }

package snapshot

// doubtNodeRefs finds the Machines whose nodeRef names the Node of another Machine, too, and that are not seen to have an
// address of it although they have some. A Node has one Machine, so some of these nodeRefs are wrong (rule R3).
func (v *View) doubtNodeRefs() {
	for _, machine := range v.SortedMachines {
		if len(machine.Addresses) > 0 && !v.likeItsNode(machine) && v.namedByAnother(machine) {
			v.DoubtedNodeRefs = append(v.DoubtedNodeRefs, machine)
		}
	}
}

// likeItsNode reports whether a Machine and the Node that its nodeRef names have an address in common (rule R3).
func (v *View) likeItsNode(machine *Machine) bool {
	node := v.nodeOf(machine)
	return node != nil && Share(machine.Addresses, node.Addresses)
}

// namedByAnother reports whether another Machine names the same Node (rule R3).
func (v *View) namedByAnother(machine *Machine) bool {
	if machine.NodeRef == "" {
		return false
	}
	for _, other := range v.SortedMachines {
		if other != machine && other.NodeRef == machine.NodeRef {
			return true
		}
	}
	return false
}

func (v *View) doubted(machine *Machine) bool {
	for _, d := range v.DoubtedNodeRefs {
		if d == machine {
			return true
		}
	}
	return false
}

// byNodeAlone reports whether a Machine's nodeRef, which another Machine has too, is all that ties it to the member: none
// of its own addresses is the member's, or that Node's (rule R3).
func (v *View) byNodeAlone(machine *Machine, m *Member) bool {
	return v.namedByAnother(machine) && !v.likeItsNode(machine) && !Share(machine.Addresses, m.PeerAddresses)
}

// withoutDoubted leaves out claims that rest on a doubted nodeRef alone, if another one rests on more (rule R3).
func (v *View) withoutDoubted(claims []*Machine, m *Member) []*Machine {
	var kept []*Machine
	firm := false
	for _, c := range claims {
		alone := v.byNodeAlone(c, m)
		firm = firm || !alone
		if !alone || !v.doubted(c) {
			kept = append(kept, c)
		}
	}
	if !firm {
		return claims
	}
	return kept
}

package snapshot

// DoubtedNodeRef is a nodeRef that is not believed, because another Machine names the same Node (rule R3).
type DoubtedNodeRef struct {
	// Machine is the copy in SortedMachines whose NodeRef is empty.
	Machine *Machine
	// Node is what the nodeRef names.
	Node NodeName
}

// doubtNodeRefs puts in SortedMachines, for each Machine whose nodeRef is not believed, a copy that has none. A Node has one
// Machine, so of several that name it some are wrong. Believed is one that is seen to have an address of the Node; or that
// has no address at all, since its nodeRef is then all that tells of its member. A wrong one could own the member of another
// Machine, which would lose its hook, and would have its own member looked for on another's Node (rule R3).
func (v *View) doubtNodeRefs() {
	for i, machine := range v.SortedMachines {
		if !v.unlikeItsNode(machine) || !v.namedByAnother(machine) {
			continue
		}
		believed := *machine
		believed.NodeRef = ""
		v.SortedMachines[i] = &believed
		v.DoubtedNodeRefs = append(v.DoubtedNodeRefs, DoubtedNodeRef{&believed, machine.NodeRef})
	}
}

// unlikeItsNode reports whether a Machine with nodeRef and addresses is not seen to have one of the Node's
// (rule R3).
func (v *View) unlikeItsNode(machine *Machine) bool {
	if machine.NodeRef == "" || len(machine.Addresses) == 0 {
		return false
	}
	node := v.nodeOf(machine)
	return node == nil || !Share(machine.Addresses, node.Addresses)
}

// namedByAnother looks at the Snapshot, where no nodeRef has been taken away yet (rule R3).
func (v *View) namedByAnother(machine *Machine) bool {
	for i := range v.Machines {
		if other := &v.Machines[i]; other.NodeRef == machine.NodeRef && other.Name != machine.Name {
			return true
		}
	}
	return false
}

package snapshot

// OwnerState tells how well a member's owner is known.
type OwnerState uint8

// The values of OwnerState.
const (
	// OwnerUnknown: a list that could name the owner was not read, or the member's peer URLs could not be read.
	OwnerUnknown OwnerState = iota
	// OwnerNone: no Machine in the Snapshot claims the member.
	OwnerNone
	// OwnerFound: exactly one Machine does, or the tie was broken by rule R3.
	OwnerFound
	// OwnerAmbiguous: several Machines do, and rule R3 does not break the tie.
	OwnerAmbiguous
)

// Owner is what rule R3 tells of one member.
type Owner struct {
	State OwnerState
	// Machine is the owner when State is OwnerFound, else nil.
	Machine *Machine
	// NodeName is the member's Node: the owner's nodeRef, else the Node that has one of its addresses, else the Node of
	// its name; empty when none is known or several are possible.
	NodeName NodeName
	// Node is the Snapshot's entry for NodeName; nil when there is none.
	Node *Node
}

// NodeGone reports whether the member's node is known by name and known not to exist.
func (o Owner) NodeGone() bool { return o.Node != nil && o.Node.Present.Fails() }

// NodePresent reports whether the member's node is known to exist.
func (o Owner) NodePresent() bool { return o.Node != nil && o.Node.Present.Holds() }

// resolveOwner applies rule R3. With a Machine API that is known not to be functional it looks at Nodes alone
// (rule R2.3).
func (v *View) resolveOwner(m *Member) Owner {
	if len(m.PeerAddresses) == 0 || !v.NodeList.Holds() {
		return Owner{State: OwnerUnknown}
	}
	if v.MachineAPI.Fails() {
		return v.withNode(m, Owner{State: OwnerNone})
	}
	if !v.MachineAPI.Holds() || !v.MachineList.Holds() {
		return Owner{State: OwnerUnknown}
	}
	var buffer [maxClaimsWithoutHeap]*Machine
	claims := v.claims(m, buffer[:0])
	switch machine := v.breakTie(m, claims); {
	case machine != nil:
		return v.withNode(m, Owner{State: OwnerFound, Machine: machine})
	case len(claims) == 0:
		return v.withNode(m, Owner{State: OwnerNone})
	default:
		return Owner{State: OwnerAmbiguous}
	}
}

const maxClaimsWithoutHeap = 4

// claims returns the Machines that could own m. A name counts as a claim when nobody claims by address, and for a
// Machine that has no address left to claim with: its nodeRef is then all that tells whose member this was.
func (v *View) claims(m *Member, into []*Machine) []*Machine {
	for _, machine := range v.SortedMachines {
		if v.claimsByAddress(machine, m) {
			into = append(into, machine)
		}
	}
	byAddress := len(into)
	if m.Name == "" {
		return into
	}
	for _, machine := range v.SortedMachines {
		if string(machine.NodeRef) == m.Name && (byAddress == 0 || !v.HasAddress(machine)) {
			into = append(into, machine)
		}
	}
	return into
}

func (v *View) claimsByAddress(machine *Machine, m *Member) bool {
	if Share(machine.Addresses, m.PeerAddresses) {
		return true
	}
	node := v.nodeOf(machine)
	return node != nil && Share(node.Addresses, m.PeerAddresses)
}

// nodeOf returns the Node that a Machine's nodeRef names, if it exists.
func (v *View) nodeOf(machine *Machine) *Node {
	if machine.NodeRef == "" {
		return nil
	}
	node := v.Node(machine.NodeRef)
	if node == nil || !node.Present.Holds() {
		return nil
	}
	return node
}

// HasAddress reports whether any address of the Machine is known, its own or its Node's.
func (v *View) HasAddress(machine *Machine) bool {
	if len(machine.Addresses) > 0 {
		return true
	}
	node := v.nodeOf(machine)
	return node != nil && len(node.Addresses) > 0
}

// breakTie picks the owner among several claims as rule R3 says, or returns nil.
func (v *View) breakTie(m *Member, claims []*Machine) *Machine {
	if len(claims) == 1 {
		return claims[0]
	}
	for _, c := range claims {
		if v.claimsByNodeAlone(c, m) {
			return nil
		}
	}
	if m.Name != "" {
		if machine := only(claims, func(c *Machine) bool { return string(c.NodeRef) == m.Name }); machine != nil {
			return machine
		}
	}
	switch {
	case m.IsHealthy():
		return only(claims, func(c *Machine) bool { return !c.Deleting && c.NodeRef != "" })
	case m.Health == Unhealthy && !m.Learner:
		return only(claims, func(c *Machine) bool { return c.Deleting })
	}
	return nil
}

// claimsByNodeAlone reports whether a nodeRef that another Machine has too is all that ties a claim to the member. One of
// these nodeRefs is wrong, and neither the member's name nor its health tells which: a deleting Machine would lose its hook
// to one that merely names its Node.
func (v *View) claimsByNodeAlone(machine *Machine, m *Member) bool {
	return !Share(machine.Addresses, m.PeerAddresses) && v.namedByAnother(machine)
}

func only(claims []*Machine, is func(*Machine) bool) *Machine {
	var match *Machine
	for _, c := range claims {
		if !is(c) {
			continue
		}
		if match != nil {
			return nil
		}
		match = c
	}
	return match
}

func (v *View) withNode(m *Member, o Owner) Owner {
	o.NodeName = v.nodeNameOf(m, o.Machine)
	if o.NodeName != "" {
		o.Node = v.Node(o.NodeName)
	}
	return o
}

func (v *View) nodeNameOf(m *Member, machine *Machine) NodeName {
	if machine != nil && machine.NodeRef != "" {
		return machine.NodeRef
	}
	var byAddress []*Node
	for _, node := range v.SortedNodes {
		if !node.Present.Holds() || !Share(node.Addresses, m.PeerAddresses) {
			continue
		}
		if string(node.Name) == m.Name {
			return node.Name
		}
		byAddress = append(byAddress, node)
	}
	switch len(byAddress) {
	case 0:
		if m.Name != "" && v.Node(NodeName(m.Name)) != nil {
			return NodeName(m.Name)
		}
		return ""
	case 1:
		return byAddress[0].Name
	default:
		return ""
	}
}

// MachineOfNode returns the Machine behind a Node: the one whose nodeRef names it, else the one without nodeRef that
// shares an address with it. ambiguous is true when several Machines fit equally.
func (v *View) MachineOfNode(node *Node) (machine *Machine, ambiguous bool) {
	matches := 0
	for _, c := range v.SortedMachines {
		if c.NodeRef == node.Name {
			machine = c
			matches++
		}
	}
	if matches == 0 {
		for _, c := range v.SortedMachines {
			if c.NodeRef == "" && Share(c.Addresses, node.Addresses) {
				machine = c
				matches++
			}
		}
	}
	if matches > 1 {
		return nil, true
	}
	return machine, false
}

// Hosting tells whether a Machine hosts any member, from the owners of a member list that was read (rules R3, R4.4).
// False is told only if every member is known to belong elsewhere, or to nobody.
func (v *View) Hosting(machine *Machine) (Fact, *Member) {
	if !v.MemberList.Holds() || v.Contradiction != "" {
		return Unknown, nil
	}
	allElsewhere := true
	var doubtful *Member
	for i, m := range v.SortedMembers {
		switch owner := v.Owners[i]; {
		case owner.State == OwnerFound && owner.Machine == machine:
			return True, m
		case owner.State == OwnerFound:
		case owner.State == OwnerNone:
			allElsewhere = false
		case owner.State == OwnerAmbiguous && !v.claimsMember(machine, m):
			allElsewhere = false
		default:
			allElsewhere = false
			doubtful = m
		}
	}
	if doubtful != nil {
		return Unknown, doubtful
	}
	if !allElsewhere && (v.addressUnreadable(machine) || machine.NodeRef != "" && !v.addressesKnown(machine)) {
		return Unknown, nil
	}
	return False, nil
}

// addressesKnown reports whether all addresses that a Machine with a nodeRef could be known by were seen: it has some, and
// its Node was read or is known to be gone.
func (v *View) addressesKnown(machine *Machine) bool {
	node := v.Node(machine.NodeRef)
	return node != nil && node.Present != Unknown && v.HasAddress(machine)
}

// addressUnreadable reports whether the Machine, or its Node, has an address that may be any member's (invariant I4).
func (v *View) addressUnreadable(machine *Machine) bool {
	node := v.nodeOf(machine)
	return machine.AddressUnreadable || node != nil && node.AddressUnreadable
}

func (v *View) claimsMember(machine *Machine, m *Member) bool {
	var buffer [maxClaimsWithoutHeap]*Machine
	for _, c := range v.claims(m, buffer[:0]) {
		if c == machine {
			return true
		}
	}
	return false
}

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
	// NodeName is the member's Node (see nodeNameOf); empty when none is known or several are possible.
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
	if len(v.DoubtedNodeRefs) > 0 {
		claims = v.withoutDoubted(claims, m)
	}
	if len(claims) == 1 {
		return claims[0]
	}
	for _, c := range claims {
		if v.byNodeAlone(c, m) {
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

// nodeNameOf returns the Node of a member (rule R3): the one that nodeRef names, if it has the member's name or address;
// else the one that has the address. Where neither can be seen, nodeRef or the name tells; nodeRef only if no other Node
// could have the address unseen (invariant I4).
func (v *View) nodeNameOf(m *Member, machine *Machine) NodeName {
	ref := NodeName("")
	if machine != nil && !v.doubted(machine) {
		ref = machine.NodeRef
	}
	if ref != "" && string(ref) == m.Name {
		return ref
	}
	var byAddress []*Node
	unseen := false
	for _, node := range v.SortedNodes {
		unseen = unseen || node.Name != ref && (node.AddressUnreadable || node.Present == Unknown)
		if !node.Present.Holds() || !Share(node.Addresses, m.PeerAddresses) {
			continue
		}
		if node.Name == ref {
			return ref
		}
		byAddress = append(byAddress, node)
	}
	for _, node := range byAddress {
		if string(node.Name) == m.Name {
			return node.Name
		}
	}
	switch {
	case len(byAddress) == 1:
		return byAddress[0].Name
	case len(byAddress) > 0:
		return ""
	case ref != "" && !unseen:
		return ref
	case m.Name != "" && v.Node(NodeName(m.Name)) != nil:
		return NodeName(m.Name)
	default:
		return ""
	}
}

// MachineOfNode returns the Machine behind a Node: the one whose nodeRef names it, else the one without nodeRef that
// shares an address with it. Of several that name it, it is the one that has an address of it, if the nodeRefs of all others
// are doubted. ambiguous is true when several Machines fit equally.
func (v *View) MachineOfNode(node *Node) (machine *Machine, ambiguous bool) {
	believed, left := v.machineWhere(func(c *Machine) bool { return c.NodeRef == node.Name && !v.doubted(c) })
	if left == 1 && v.likeItsNode(believed) {
		return believed, false
	}
	machine, matches := v.machineWhere(func(c *Machine) bool { return c.NodeRef == node.Name })
	if matches == 0 {
		machine, matches = v.machineWhere(func(c *Machine) bool { return c.NodeRef == "" && Share(c.Addresses, node.Addresses) })
	}
	if matches > 1 {
		return nil, true
	}
	return machine, false
}

// machineWhere returns the last Machine of which something is so, and of how many it is.
func (v *View) machineWhere(is func(*Machine) bool) (machine *Machine, matches int) {
	for _, c := range v.SortedMachines {
		if is(c) {
			machine = c
			matches++
		}
	}
	return machine, matches
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

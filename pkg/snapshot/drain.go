package snapshot

// CordonedBeside returns the cordoned control-plane Node because of which the Machine API does not begin to drain the Node of
// a Machine, or "" when there is none: it drains one of the control plane at a time, and takes a cordoned one for that
// (machine-api-operator, isDrainAllowed). A Node that is cordoned itself is drained all the same,
// and one that is not known to be there may need no drain.
func (v *View) CordonedBeside(m *Machine) NodeName {
	own := v.Node(m.NodeRef)
	if own == nil || !own.Present.Holds() || own.Cordoned || m.ExcludedFromDrain || !v.MachineAPI.Holds() {
		return ""
	}
	for _, n := range v.SortedNodes {
		if n.Name != own.Name && n.Present.Holds() && n.ControlPlane && n.Cordoned {
			return n.Name
		}
	}
	return ""
}

package snapshot

// CordonedBeside returns the cordoned control-plane Node because of which the Machine API does not begin to drain the Node of
// a Machine, or "" when there is none: it drains one of the control plane at a time, and takes a cordoned one for that
// (machine-api-operator, isDrainAllowed). A Node that is cordoned itself is drained all the same.
func (v *View) CordonedBeside(m *Machine) NodeName {
	if m.NodeRef == "" || m.ExcludedFromDrain || !v.MachineAPI.Holds() {
		return ""
	}
	var cordoned NodeName
	for _, n := range v.SortedNodes {
		switch {
		case n.Name == m.NodeRef && (n.Cordoned || !n.Present.Holds()):
			return ""
		case n.Name != m.NodeRef && n.Present.Holds() && n.ControlPlane && n.Cordoned && cordoned == "":
			cordoned = n.Name
		}
	}
	return cordoned
}

package snapshot

// Label names a member in a sentence: its name, or NAME-PENDING-<host> until it has started, with the id when there is
// no readable address either.
func (m *Member) Label() string {
	switch {
	case m.Name != "":
		return m.Name
	case len(m.PeerAddresses) > 0:
		return "NAME-PENDING-" + m.PeerAddresses[0].String()
	default:
		return "NAME-PENDING-" + m.ID.String()
	}
}

package snapshot

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"net/netip"
	"slices"
)

// View is a Snapshot in canonical order together with what follows from it: who owns which member, and the counts that
// quorum arithmetic needs. A decision reads nothing but its View, so the order of the Snapshot's slices cannot reach it
// (invariant I7).
type View struct {
	*Snapshot
	// SortedMembers are ordered by name, then id; SortedMachines and SortedNodes by name; SortedGuards by
	// node, and of several on one node those that stay and are Ready come first.
	SortedMembers  []*Member
	SortedMachines []*Machine
	SortedNodes    []*Node
	SortedGuards   []*Guard
	// DoubtedNodeRefs are the Machines whose nodeRef is doubted, in their order: another Machine names the same Node.
	DoubtedNodeRefs []*Machine
	// Owners[i] is the owner of SortedMembers[i].
	Owners []Owner
	// Contradiction names an object that is listed twice; empty when there is none. A Snapshot that contradicts itself
	// proves nothing (invariant I4).
	Contradiction string
	// Voters counts started and unstarted non-learner members; HealthyVoters those of them that are healthy.
	Voters, HealthyVoters int
	// Learners and Unstarted count members; an unstarted learner is in both.
	Learners, Unstarted int
}

// NewView sorts s and derives owners and counts, so that no order of the facts is left (invariant I7). It keeps s and
// never changes it.
func NewView(s *Snapshot) *View {
	v := &View{Snapshot: s}
	v.SortedMembers = sorted(s.Members, func(a, b *Member) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	v.SortedMachines = sorted(s.Machines, func(a, b *Machine) int { return cmp.Compare(a.Name, b.Name) })
	v.SortedNodes = sorted(s.Nodes, func(a, b *Node) int { return cmp.Compare(a.Name, b.Name) })
	v.SortedGuards = sorted(s.Guards, func(a, b *Guard) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(rank(a.Deleting), rank(b.Deleting)),
			cmp.Compare(rank(!a.Ready), rank(!b.Ready)), cmp.Compare(a.Phase, b.Phase), cmp.Compare(rank(a.Outdated), rank(b.Outdated)))
	})
	v.Contradiction = v.findContradiction()
	v.doubtNodeRefs()
	for _, m := range v.SortedMembers {
		if m.Learner {
			v.Learners++
		} else {
			v.Voters++
			if m.IsHealthy() {
				v.HealthyVoters++
			}
		}
		if !m.Started {
			v.Unstarted++
		}
	}
	v.Owners = make([]Owner, len(v.SortedMembers))
	for i, m := range v.SortedMembers {
		v.Owners[i] = v.resolveOwner(m)
	}
	return v
}

func sorted[T any](items []T, compare func(a, b *T) int) []*T {
	pointers := make([]*T, len(items))
	for i := range items {
		pointers[i] = &items[i]
	}
	slices.SortFunc(pointers, compare)
	return pointers
}

// rank puts what holds after what does not.
func rank(fact bool) int {
	if fact {
		return 1
	}
	return 0
}

func (v *View) findContradiction() string {
	for i, m := range v.SortedMembers {
		for _, other := range v.SortedMembers[:i] {
			if m.ID == other.ID {
				return "member " + m.ID.String()
			}
		}
	}
	for i := 1; i < len(v.SortedMachines); i++ {
		if v.SortedMachines[i].Name == v.SortedMachines[i-1].Name {
			return "machine " + string(v.SortedMachines[i].Name)
		}
	}
	for i := 1; i < len(v.SortedNodes); i++ {
		if v.SortedNodes[i].Name == v.SortedNodes[i-1].Name {
			return "node " + string(v.SortedNodes[i].Name)
		}
	}
	return ""
}

// Quorum returns how many votes a cluster of n voters needs (rules R6, R7.2, R8).
func Quorum(n int) int { return n/2 + 1 }

// IsHealthy reports whether the member's probe answered in this pass and it is known to have no CORRUPT alarm
// (requirements, "Words"; rule R10.1). A member that has not started has no endpoint of its own to answer.
func (m *Member) IsHealthy() bool {
	return m.Started && m.Health == Healthy && m.Corrupt.Fails()
}

// Node returns the entry for a Node name, or nil when the Snapshot has none: then nothing is known of it.
func (v *View) Node(name NodeName) *Node {
	i, found := slices.BinarySearchFunc(v.SortedNodes, name, func(n *Node, name NodeName) int { return cmp.Compare(n.Name, name) })
	if !found {
		return nil
	}
	return v.SortedNodes[i]
}

// IndexOf returns the position of a member in SortedMembers, or -1.
func (v *View) IndexOf(id MemberID) int {
	return slices.IndexFunc(v.SortedMembers, func(m *Member) bool { return m.ID == id })
}

// DownBesidesProbe reports whether, besides the operator's own probe, something else says that the member is down: its
// endpoint itself, its node n, or the etcd pod there (the second witness of rule R6.1). n is nil when the node is not known.
func (m *Member) DownBesidesProbe(n *Node) bool {
	if m.CannotServe.Holds() {
		return true
	}
	if n == nil || !n.Present.Holds() {
		return n != nil && n.Present.Fails()
	}
	return n.Ready.Fails() || n.Etcd.Present.Fails() || n.Etcd.ContainerRunning.Fails() || n.Etcd.Ready.Fails()
}

// BudgetClosed reports whether the disruption controller has seen a budget that no drain can pass (rule R8.2).
func (v *View) BudgetClosed() bool {
	return v.Budget.Present.Holds() && v.Budget.Observed && v.Budget.DisruptionsAllowed == 0 && v.Budget.MinAvailable > len(v.Guards)
}

// GuardsWanted reports whether the topology has guards at all; only a single replica has none (rule R7.5).
func (v *View) GuardsWanted() bool { return v.Topology != SingleReplica }

// MemberDigest identifies the member set that was judged: ids, names, peer URLs and roles, in canonical order. A writer
// compares it right before it writes (invariant I6). FNV-1a, 64 bits: it detects change, it does not resist forgery.
func (s *Snapshot) MemberDigest() uint64 {
	members := sorted(s.Members, func(a, b *Member) int { return cmp.Compare(a.ID, b.ID) })
	h := fnv.New64a()
	var buf []byte
	for _, m := range members {
		buf = binary.BigEndian.AppendUint64(buf[:0], uint64(m.ID))
		buf = append(append(buf, m.Name...), 0)
		for _, u := range m.PeerURLs {
			buf = append(append(buf, u...), 0)
		}
		buf = append(buf, flag(m.Learner), flag(m.Started))
		_, _ = h.Write(buf)
	}
	return h.Sum64()
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// Share reports whether two address lists have an address in common.
func Share(a, b []netip.Addr) bool {
	for _, x := range a {
		if slices.Contains(b, x) {
			return true
		}
	}
	return false
}

package etcdclient

import (
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Member is one entry of etcd's member list.
type Member struct {
	ID snapshot.MemberID
	// Name and ClientURLs are empty until the member has started.
	Name                 string
	PeerURLs, ClientURLs []string
	Learner              bool
}

// Started reports whether the member has published client URLs.
func (m *Member) Started() bool { return len(m.ClientURLs) > 0 }

// MemberList is one linearizable member list.
type MemberList struct {
	ClusterID uint64
	// AnsweredBy is the member that gave the list.
	AnsweredBy snapshot.MemberID
	// Members are in the order of etcd's answer, which means nothing.
	Members []Member
}

// Find returns the member with an id, or nil.
func (l *MemberList) Find(id snapshot.MemberID) *Member {
	for i := range l.Members {
		if l.Members[i].ID == id {
			return &l.Members[i]
		}
	}
	return nil
}

// Judged returns what identifies the member set of this list.
func (l *MemberList) Judged() Judged {
	s := snapshot.Snapshot{ClusterID: l.ClusterID, Members: make([]snapshot.Member, len(l.Members))}
	for i, m := range l.Members {
		s.Members[i] = snapshot.Member{ID: m.ID, Name: m.Name, PeerURLs: m.PeerURLs, Started: m.Started(), Learner: m.Learner}
	}
	return JudgedFrom(&s)
}

// Judged identifies the member set that a decision was made from (invariant I6).
type Judged struct {
	ClusterID uint64
	// Digest is that of snapshot.Snapshot.MemberDigest.
	Digest uint64
}

// JudgedFrom returns what identifies the member set of a Snapshot.
func JudgedFrom(s *snapshot.Snapshot) Judged {
	return Judged{ClusterID: s.ClusterID, Digest: s.MemberDigest()}
}

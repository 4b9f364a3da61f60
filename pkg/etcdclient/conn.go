package etcdclient

import (
	"context"
	"crypto/tls"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Conn is one connection to the client endpoint of one member. Its calls may run at the same time. They return etcd's
// own errors, the way etcd's client does; the Client gives them their meaning.
//
// It exists so that the fake in etcdclienttest replaces etcd and the network, and nothing of what the Client does.
type Conn interface {
	// List returns a linearizable member list.
	List(ctx context.Context) (MemberList, error)
	// Read reads a key that need not exist: linearizably, and then it fails at once if the member knows no leader, or
	// from the member's own store.
	Read(ctx context.Context, linearizable bool) (Header, error)
	// Status returns what the member knows of itself.
	Status(ctx context.Context) (Header, Status, error)
	// Alarms returns the alarms of the whole cluster. etcd passes this read through its log, so it needs quorum.
	Alarms(ctx context.Context) ([]Alarm, error)
	// AddLearner adds a member that does not vote.
	AddLearner(ctx context.Context, peerURLs []string) (snapshot.MemberID, error)
	Promote(ctx context.Context, id snapshot.MemberID) error
	Remove(ctx context.Context, id snapshot.MemberID) error
	// MoveLeader asks the member at the other end to hand over leadership.
	MoveLeader(ctx context.Context, to snapshot.MemberID) error
	// Attend is one call that stays open, for voters. It calls begun once, with who answered, when the member has agreed
	// to it, and returns when the member ceases to be there: the connection is lost, nothing has been heard for longer
	// than etcdclient allows, or the member has had no leader for three election timeouts. Its error is never nil.
	Attend(ctx context.Context, begun func(Header)) error
	// Broken reports whether the connection is known to be of no use any more.
	Broken() bool
	// Close ends the connection and whatever runs for it.
	Close() error
}

// Dialer makes a Conn to a member that has these client URLs. It returns at once: the connection is made by the first
// call on it, within that call's deadline. credentials is called for each TLS handshake.
type Dialer func(clientURLs []string, credentials func() (*tls.Config, error)) (Conn, error)

// Header names who answered.
type Header struct {
	ClusterID uint64
	Member    snapshot.MemberID
}

// Status is what a member says of itself.
type Status struct {
	// Leader is the leader that the member knows; 0 when it knows none.
	Leader snapshot.MemberID
	// Learner: the member takes itself for a learner.
	Learner bool
	Version string
	// DatabaseBytes is the size of the database file.
	DatabaseBytes int64
	// AppliedIndex is the raft index that the member has applied.
	AppliedIndex uint64
}

// AlarmKind is the kind of an alarm.
type AlarmKind int

// The kinds of alarm that etcd has.
const (
	AlarmOther AlarmKind = iota
	AlarmNoSpace
	AlarmCorrupt
)

// Alarm is one alarm of one member.
type Alarm struct {
	Member snapshot.MemberID
	Kind   AlarmKind
}

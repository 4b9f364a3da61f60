package etcdclient

import (
	"context"
	"errors"
	"fmt"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Change is what every change of the member set rests on.
type Change struct {
	// Endpoints are the client URLs that the list is first read from, as for MemberList.
	Endpoints []string
	// Judged is the member set that the decision was made from.
	Judged Judged
	// Through is the member that is asked: a healthy voter that is not the subject of the change. Promotions are best
	// asked of the leader, which alone knows how far a learner is: another voter passes the question on, and of some
	// refusals only a time limit comes back.
	Through snapshot.MemberID
}

// AddLearner adds a member that does not vote, and returns its id.
//
// This and every other change lists the members again, compares, and writes within WriteTimeout. Errors of all: before
// anything is sent, ErrSetChanged, ErrMisdirected, and those of MemberList; ErrOutcomeUnknown; a definite refusal. Of
// this one: ErrAlreadyExists, ErrTooManyLearners, ErrQuorumAtRisk, ErrRefused.
func (c *Client) AddLearner(ctx context.Context, change Change, peerURLs []string) (snapshot.MemberID, error) {
	// etcd's client refuses some URLs itself, with an error that nobody could tell from a lost answer.
	if err := checkURLs(peerURLs); err != nil {
		return 0, fmt.Errorf("add learner: %w", explained{ErrRefused, err})
	}
	var added snapshot.MemberID
	err := c.change(ctx, change, 0, func(ctx context.Context, conn Conn) error {
		id, err := conn.AddLearner(ctx, peerURLs)
		added = id
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("add learner %q: %w", peerURLs, err)
	}
	return added, nil
}

// Promote gives a learner its vote. Errors, besides those of all changes: ErrNotInSync, ErrNotLearner, ErrQuorumAtRisk,
// ErrMemberNotFound.
func (c *Client) Promote(ctx context.Context, change Change, learner snapshot.MemberID) error {
	err := c.change(ctx, change, learner, func(ctx context.Context, conn Conn) error { return conn.Promote(ctx, learner) })
	if err != nil {
		return fmt.Errorf("promote member %s: %w", learner, err)
	}
	return nil
}

// Remove removes a voter or learner. Errors, besides those of all changes: ErrQuorumAtRisk, ErrMemberNotFound.
func (c *Client) Remove(ctx context.Context, change Change, member snapshot.MemberID) error {
	err := c.change(ctx, change, member, func(ctx context.Context, conn Conn) error { return conn.Remove(ctx, member) })
	if err != nil {
		return fmt.Errorf("remove member %s: %w", member, err)
	}
	return nil
}

// MoveLeader moves leadership from change.Through, which must have it, to another voter (rule R6.7). Errors, besides
// those of all changes: ErrNotLeader, ErrBadTransferee.
func (c *Client) MoveLeader(ctx context.Context, change Change, to snapshot.MemberID) error {
	err := c.change(ctx, change, to, func(ctx context.Context, conn Conn) error { return conn.MoveLeader(ctx, to) })
	if err != nil {
		return fmt.Errorf("move leadership from %s to %s: %w", change.Through, to, err)
	}
	return nil
}

// change keeps invariant I6, and of rule R6 that a change is not asked of its subject. The list comes from any endpoint
// first, since that is where the address of change.Through is, and then once more through change.Through: it must be
// the member it is taken for, be able to serve, and see the set that was judged; and the change follows on the same
// connection.
func (c *Client) change(ctx context.Context, change Change, subject snapshot.MemberID, write func(context.Context, Conn) error) error {
	if change.Through == subject {
		return fmt.Errorf("%w: member %s is both", ErrMisdirected, subject)
	}
	ctx, cancel := context.WithTimeout(ctx, WriteTimeout)
	defer cancel()
	list, err := c.listAny(ctx, change.Endpoints)
	if err != nil {
		return fmt.Errorf("list members again: %w", err)
	}
	if err := change.permits(&list); err != nil {
		return err
	}
	through := list.Find(change.Through)
	if through == nil || !through.Started() || through.Learner {
		return fmt.Errorf("%w: member %s", ErrMisdirected, change.Through)
	}
	if err := c.enter(ctx); err != nil {
		return explainRead(err)
	}
	defer c.leave()
	sent := false
	err = c.call(ctx, through.ClientURLs, func(ctx context.Context, conn Conn) error {
		list, err := conn.List(ctx)
		header := Header{ClusterID: list.ClusterID, Member: list.AnsweredBy}
		if err := expect(Header{ClusterID: change.Judged.ClusterID, Member: change.Through}, header, err); err != nil {
			return err
		}
		if err := change.permits(&list); err != nil {
			return err
		}
		sent = true
		return write(ctx, conn)
	})
	switch {
	case err == nil:
		return nil
	case sent:
		return explainWrite(err)
	case errors.Is(err, ErrSetChanged):
		return err
	default:
		return fmt.Errorf("list members again through member %s: %w", change.Through, explainRead(err))
	}
}

// permits compares a list that was just read with what was judged.
func (change *Change) permits(list *MemberList) error {
	if now := list.Judged(); now != change.Judged {
		return fmt.Errorf("%w: cluster %x, digest %x; judged were cluster %x, digest %x",
			ErrSetChanged, now.ClusterID, now.Digest, change.Judged.ClusterID, change.Judged.Digest)
	}
	return nil
}

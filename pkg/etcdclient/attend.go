package etcdclient

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// errLeft: the connection was given up under the call, by a MemberList that does not name the member any more, by another
// call that got no answer, or because the member did not agree in time.
var errLeft = errors.New("the connection was given up")

// Attend stays with a voter that serves, and returns when it ceases to be there: its process ended or hangs, its host is
// gone or cut off, it has no leader, or a MemberList does not name it any more. It tells when to ask, never what is so:
// only Probe makes a fact, and a member may fail without any of these. It costs one call when it begins, and none for as
// long as it lasts.
//
// list is where m comes from, and begun is called when the member has agreed, which takes at most ProbeTimeout. What then
// falls silent is noticed within PingEvery and PingTimeout, a host that is gone within a few seconds, a lost leader within
// four election timeouts after the member noticed.
//
// The error is never nil: that of ctx, or one of Probe.
func (c *Client) Attend(ctx context.Context, list *MemberList, m *Member, begun func()) error {
	err := explainRead(c.attend(ctx, Header{ClusterID: list.ClusterID, Member: m.ID}, m, begun))
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return fmt.Errorf("attend member %s: %w", m.ID, err)
}

func (c *Client) attend(ctx context.Context, expected Header, m *Member, begun func()) error {
	if !m.Started() {
		return ErrUnstarted
	}
	if err := checkURLs(m.ClientURLs); err != nil {
		return explained{ErrNoAnswer, err}
	}
	l, err := c.pool.acquire(m.ClientURLs)
	if err != nil {
		return err
	}
	attending, leave := context.WithCancelCause(ctx)
	late := time.AfterFunc(ProbeTimeout, func() { leave(errLeft) })
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-l.gone:
			leave(errLeft)
		case <-attending.Done():
		}
	})
	err = l.Attend(attending, func(by Header) {
		if other := expect(expected, by, nil); other != nil {
			leave(other)
			return
		}
		if attending.Err() == nil && late.Stop() {
			begun()
		}
	})
	if attending.Err() != nil {
		err = context.Cause(attending)
	}
	late.Stop()
	leave(nil)
	watching.Wait()
	c.pool.release(l, isSilence(err))
	return err
}

package etcdclient

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Probe is what one member told through its own endpoint.
type Probe struct {
	Member snapshot.MemberID
	// Err is nil when the member served the read that its role asks for: a linearizable one for a voter, a serializable
	// one for a learner. Else it is ErrCannotServe, ErrLearnerCannotServe, ErrOtherMember, ErrUnstarted, ErrClosed,
	// ErrNoWay or ErrNoAnswer.
	Err error
	// CannotServe is True when the member itself, known by the id in its status, answered that it cannot serve; False
	// when it served; else unknown (rule R6.1). Silence is never a witness.
	CannotServe snapshot.Fact
	// StatusKnown: the member answered with Status.
	StatusKnown bool
	Status      Status
	// Corrupt and NoSpace tell whether the member has that alarm; unknown when the alarms could not be read, Corrupt also
	// when it has an alarm of a kind that is not known.
	Corrupt, NoSpace snapshot.Fact
	// AlarmsErr is why the alarms could not be read, the same for all members: one of the errors of MemberList.
	AlarmsErr error
}

// Probe asks every member of list through its own endpoint, all at the same time, each for at most ProbeTimeout. It
// returns one Probe per member, in the order of list; a member that did not answer says so in its own Probe.
//
// It has an error only when ctx ended first. Then some members had less time than others, and there is no result: that a
// member was not asked for long enough must not look like its death (invariant I4).
func (c *Client) Probe(ctx context.Context, list MemberList) ([]Probe, error) {
	probes := make([]Probe, len(list.Members))
	var (
		alarms []Alarm
		unread error
		tasks  sync.WaitGroup
	)
	tasks.Go(func() { alarms, unread = c.alarms(ctx, list) })
	for i := range list.Members {
		tasks.Go(func() { probes[i] = c.probe(ctx, list.ClusterID, &list.Members[i]) })
	}
	tasks.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("probe members: %w", err)
	}
	if unread == nil {
		spread(alarms, probes)
		return probes, nil
	}
	for i := range probes {
		probes[i].AlarmsErr = fmt.Errorf("read alarms: %w", unread)
	}
	return probes, nil
}

// alarms asks the voters for the alarms; learners refuse.
func (c *Client) alarms(ctx context.Context, list MemberList) ([]Alarm, error) {
	ctx, cancel := context.WithTimeout(ctx, ProbeTimeout)
	defer cancel()
	var voters [][]string
	for _, m := range list.Members {
		if m.Started() && !m.Learner {
			voters = append(voters, m.ClientURLs)
		}
	}
	return firstAnswer(ctx, c, voters, func(ctx context.Context, conn Conn) ([]Alarm, error) { return conn.Alarms(ctx) })
}

// spread tells each probe of the member's alarms. A CORRUPT alarm of member 0 is everybody's: etcd raises it when the
// members' data differ and no majority says whose are right (etcd 3.6, server/etcdserver/corrupt.go). What an alarm of
// another kind says of the data nobody knows.
func spread(alarms []Alarm, probes []Probe) {
	for i := range probes {
		p := &probes[i]
		p.Corrupt, p.NoSpace = snapshot.False, snapshot.False
		for _, a := range alarms {
			switch {
			case a.Kind == AlarmCorrupt && (a.Member == p.Member || a.Member == 0):
				p.Corrupt = snapshot.True
			case a.Kind == AlarmNoSpace && a.Member == p.Member:
				p.NoSpace = snapshot.True
			case a.Kind == AlarmOther && (a.Member == p.Member || a.Member == 0) && !p.Corrupt.Holds():
				p.Corrupt = snapshot.Unknown
			}
		}
	}
}

// probe makes the read and asks for the status at the same time, since a member whose read hangs may still tell that it
// knows no leader.
func (c *Client) probe(ctx context.Context, clusterID uint64, m *Member) Probe {
	if !m.Started() {
		return Probe{Member: m.ID, Err: ErrUnstarted}
	}
	if err := c.enter(ctx); err != nil {
		return Probe{Member: m.ID, Err: explainRead(err)}
	}
	defer c.leave()
	ctx, cancel := context.WithTimeout(ctx, ProbeTimeout)
	defer cancel()
	var (
		expected = Header{ClusterID: clusterID, Member: m.ID}
		p        = Probe{Member: m.ID}
		status   Status
		unknown  error
		calls    sync.WaitGroup
	)
	calls.Go(func() {
		p.Err = explainRead(c.call(ctx, m.ClientURLs, func(ctx context.Context, conn Conn) error {
			header, err := conn.Read(ctx, !m.Learner)
			return expect(expected, header, err)
		}))
	})
	calls.Go(func() {
		unknown = c.call(ctx, m.ClientURLs, func(ctx context.Context, conn Conn) error {
			header, s, err := conn.Status(ctx)
			status = s
			return expect(expected, header, err)
		})
	})
	calls.Wait()
	if unknown == nil {
		p.StatusKnown, p.Status = true, status
	}
	switch {
	case p.Err == nil:
		p.CannotServe = snapshot.False
	case errors.Is(p.Err, ErrCannotServe) && p.StatusKnown:
		p.CannotServe = snapshot.True
	}
	return p
}

// expect turns an answer of somebody else into an error: an address may have passed to another member.
func expect(want, got Header, err error) error {
	switch {
	case err != nil:
		return err
	case got != want:
		return fmt.Errorf("%w: member %s of cluster %x answered", ErrOtherMember, got.Member, got.ClusterID)
	}
	return nil
}

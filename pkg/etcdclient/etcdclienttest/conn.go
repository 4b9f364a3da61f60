package etcdclienttest

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"slices"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// errLearnerRefuses is the client's form of an error for which rpctypes has none.
var errLearnerRefuses = rpctypes.Error(rpctypes.ErrGRPCNotSupportedForLearner)

// Dial is the cluster's etcdclient.Dialer.
func (c *Cluster) Dial(clientURLs []string, credentials func() (*tls.Config, error)) (etcdclient.Conn, error) {
	return &conn{cluster: c, urls: clientURLs, credentials: credentials, turn: make(chan struct{}, 1)}, nil
}

type conn struct {
	cluster     *Cluster
	urls        []string
	credentials func() (*tls.Config, error)
	// turn lets one call connect; a mutex would hold up the time of a synctest bubble.
	turn chan struct{}

	// Guarded by the cluster's lock. node is nil until connected, process the one that was connected to.
	node    *node
	process int
}

func (c *conn) Broken() bool {
	c.cluster.mu.Lock()
	defer c.cluster.mu.Unlock()
	return c.lost()
}

// lost is called with the lock held.
func (c *conn) lost() bool { return c.node != nil && (!c.node.running || c.node.process != c.process) }

func (c *conn) Close() error {
	c.cluster.mu.Lock()
	defer c.cluster.mu.Unlock()
	if c.node != nil && !c.lost() {
		c.node.connections--
	}
	return nil
}

// serve runs a request at the connected node. step is called with the lock held, at once and after every change, until
// it is done. A paused process takes no step.
func (c *conn) serve(ctx context.Context, step func(n *node) (done bool, err error)) error {
	if err := c.connect(ctx); err != nil {
		return err
	}
	return c.await(ctx, func() (bool, error) {
		switch {
		case c.lost():
			return true, status.Error(codes.Unavailable, "the connection was closed by the other side")
		case c.node.paused:
			return false, nil
		default:
			return step(c.node)
		}
	})
}

func (c *conn) await(ctx context.Context, step func() (bool, error)) error {
	for {
		c.cluster.mu.Lock()
		done, err := step()
		changed := c.cluster.changed
		c.cluster.mu.Unlock()
		if done {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *conn) connect(ctx context.Context) error {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	var (
		host, target *node
		connected    bool
	)
	err := c.await(ctx, func() (bool, error) {
		connected = c.node != nil
		host, target = c.cluster.listener(c.urls)
		switch {
		case connected:
			return true, nil
		case target == nil:
			return true, status.Error(codes.Unavailable, "connection refused")
		default:
			return !target.paused, nil
		}
	})
	if err != nil || connected {
		return err
	}
	if err := c.handshake(ctx, host); err != nil {
		// gRPC would go on connecting for the next call; this one only learns that it was given up.
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return status.Errorf(codes.Unavailable, "handshake failed: %v", err)
	}
	c.cluster.mu.Lock()
	defer c.cluster.mu.Unlock()
	c.node, c.process = target, target.process
	target.connections++
	return nil
}

// listener returns whose address the first usable of some client URLs is, and which running node answers there. It is
// called with the lock held.
func (c *Cluster) listener(clientURLs []string) (host, answers *node) {
	for _, u := range clientURLs {
		for _, n := range c.nodes {
			if n.clientURL != u {
				continue
			}
			if by := cmp.Or(c.routes[u], n); by.running {
				return n, by
			}
		}
	}
	return nil, nil
}

// handshake is a real one, over a pipe, so that the files that the client reads matter. Whoever answers at the host's
// address has a certificate for it.
func (c *conn) handshake(ctx context.Context, host *node) error {
	config, err := c.credentials()
	if err != nil {
		return err
	}
	c.cluster.mu.Lock()
	server := host.server
	c.cluster.mu.Unlock()
	config.ServerName = host.address.String()
	near, far := net.Pipe()
	defer near.Close()
	accepted := make(chan error, 1)
	go func() {
		defer far.Close()
		accepted <- tls.Server(far, server).HandshakeContext(ctx)
	}()
	if err := tls.Client(near, config).HandshakeContext(ctx); err != nil {
		near.Close()
		<-accepted
		return err
	}
	// In TLS 1.3 the client is done before the server has looked at its certificate.
	return <-accepted
}

func (c *conn) header(n *node) etcdclient.Header {
	return etcdclient.Header{ClusterID: c.cluster.id, Member: n.id}
}

// linearizable returns a step that is done when the node may serve a linearizable read, or knows that it may not.
func (c *conn) linearizable(then func(n *node)) func(*node) (bool, error) {
	var asked bool
	var leader snapshot.MemberID
	return func(n *node) (bool, error) {
		cluster := c.cluster
		switch {
		case n.learner:
			return true, errLearnerRefuses
		case n.sees == 0 && !asked:
			return true, rpctypes.ErrNoLeader
		case asked && n.sees != leader:
			return true, rpctypes.ErrLeaderChanged
		}
		asked, leader = true, n.sees
		if !n.reachable() || !cluster.canCommit() || n.sees != cluster.leader.id || n.match < cluster.index {
			return false, nil
		}
		then(n)
		return true, nil
	}
}

func (c *conn) List(ctx context.Context) (etcdclient.MemberList, error) {
	var list etcdclient.MemberList
	err := c.serve(ctx, c.linearizable(func(n *node) {
		list = etcdclient.MemberList{ClusterID: c.cluster.id, AnsweredBy: n.id}
		for _, m := range c.cluster.nodes {
			if m.id == 0 {
				continue
			}
			member := etcdclient.Member{ID: m.id, PeerURLs: slices.Clone(m.peerURLs), Learner: m.learner}
			if m.started {
				member.Name, member.ClientURLs = m.name, []string{m.clientURL}
			}
			list.Members = append(list.Members, member)
		}
	}))
	return list, err
}

func (c *conn) Read(ctx context.Context, linearizable bool) (etcdclient.Header, error) {
	var header etcdclient.Header
	step := func(n *node) (bool, error) {
		header = c.header(n)
		return true, nil
	}
	if linearizable {
		step = c.linearizable(func(n *node) { header = c.header(n) })
	}
	err := c.serve(ctx, step)
	return header, err
}

func (c *conn) Status(ctx context.Context) (etcdclient.Header, etcdclient.Status, error) {
	var header etcdclient.Header
	var answer etcdclient.Status
	err := c.serve(ctx, func(n *node) (bool, error) {
		header = c.header(n)
		answer = etcdclient.Status{
			Leader: n.sees, Learner: n.learner, Version: version, DatabaseBytes: int64(n.match+1) << 10, AppliedIndex: n.match,
		}
		return true, nil
	})
	return header, answer, err
}

func (c *conn) Alarms(ctx context.Context) ([]etcdclient.Alarm, error) {
	var alarms []etcdclient.Alarm
	leads := func(n *node) error {
		if n.sees == 0 {
			return rpctypes.ErrNoLeader
		}
		return nil
	}
	err := c.serve(ctx, c.propose(leads, func() error {
		alarms = slices.Clone(c.cluster.alarms)
		return nil
	}))
	return alarms, err
}

// propose returns a step that checks once at the node, puts an entry into the leader's log and is done when it has been
// applied. A node that knows no leader waits.
func (c *conn) propose(check func(n *node) error, apply func() error) func(*node) (bool, error) {
	var checked bool
	var p *proposal
	return func(n *node) (bool, error) {
		cluster := c.cluster
		if p != nil {
			return p.done, p.err
		}
		if !checked {
			checked = true
			if n.learner {
				return true, errLearnerRefuses
			}
			if err := check(n); err != nil {
				return true, err
			}
		}
		leader := cluster.leader
		if leader == nil || n.sees != leader.id || n != leader && !(n.reachable() && leader.reachable()) {
			return false, nil
		}
		p = &proposal{owner: leader, apply: apply}
		cluster.proposals = append(cluster.proposals, p)
		cluster.settle()
		return p.done, p.err
	}
}

func (c *conn) AddLearner(ctx context.Context, peerURLs []string) (snapshot.MemberID, error) {
	var id snapshot.MemberID
	cluster := c.cluster
	mayAdd := func(n *node) error {
		if voters := cluster.voters(); voters > 1 && cluster.connectedVoters(n) < snapshot.Quorum(voters+1) {
			return rpctypes.ErrUnhealthy
		}
		return nil
	}
	err := c.serve(ctx, c.propose(mayAdd, func() error {
		for _, m := range cluster.nodes {
			if m.id != 0 && slices.ContainsFunc(peerURLs, func(u string) bool { return slices.Contains(m.peerURLs, u) }) {
				return rpctypes.ErrPeerURLExist
			}
		}
		if cluster.count(func(m *node) bool { return m.learner }) >= cluster.maxLearners {
			return rpctypes.ErrTooManyLearners
		}
		m := cluster.place(peerURLs...)
		cluster.join(m, true)
		id = m.id
		return nil
	}))
	return id, err
}

func (c *conn) Promote(ctx context.Context, id snapshot.MemberID) error {
	// Only the leader knows how far a learner is. Another member passes the question on, and repeats it after any
	// answer but these three.
	passedBack := []error{rpctypes.ErrMemberLearnerNotReady, rpctypes.ErrMemberNotFound, rpctypes.ErrMemberNotLearner}
	propose := c.propose(func(*node) error { return nil }, func() error {
		m := c.cluster.member(id)
		switch {
		case m == nil:
			return rpctypes.ErrMemberNotFound
		case !m.learner:
			return rpctypes.ErrMemberNotLearner
		}
		m.learner = false
		return nil
	})
	proposed := false
	return c.serve(ctx, func(n *node) (bool, error) {
		if !proposed {
			if n.learner {
				return true, errLearnerRefuses
			}
			leader := c.cluster.leader
			if leader == nil || n.sees != leader.id || n != leader && !(n.reachable() && leader.reachable()) {
				return false, nil
			}
			if err := c.cluster.mayPromote(leader, id); err != nil {
				return n == leader || slices.Contains(passedBack, err), err
			}
		}
		proposed = true
		return propose(n)
	})
}

// mayPromote is called with the lock held.
func (c *Cluster) mayPromote(leader *node, id snapshot.MemberID) error {
	m := c.member(id)
	switch {
	case m == nil:
		return rpctypes.ErrMemberNotFound
	case float64(m.match)/float64(leader.match) < readyPercent:
		return rpctypes.ErrMemberLearnerNotReady
	case c.count(func(n *node) bool { return !n.learner && n.started })+1 < snapshot.Quorum(c.voters()+1):
		return rpctypes.ErrMemberNotEnoughStarted
	}
	return nil
}

func (c *conn) Remove(ctx context.Context, id snapshot.MemberID) error {
	return c.serve(ctx, c.propose(
		func(n *node) error { return c.cluster.mayRemove(n, id) },
		func() error {
			m := c.cluster.member(id)
			if m == nil {
				return rpctypes.ErrMemberNotFound
			}
			m.id, m.started = 0, false
			if !m.paused {
				m.stop()
			}
			return nil
		}))
}

// mayRemove is what etcd's strict reconfiguration check asks of the member that was asked. It is called with the lock
// held.
func (c *Cluster) mayRemove(n *node, id snapshot.MemberID) error {
	m := c.member(id)
	if m != nil && m.learner {
		return nil
	}
	remaining := c.count(func(v *node) bool { return !v.learner && v != m })
	started := c.count(func(v *node) bool { return !v.learner && v != m && v.started })
	switch {
	case started < snapshot.Quorum(remaining):
		return rpctypes.ErrMemberNotEnoughStarted
	case n != m && (m == nil || !m.linked() || !n.linked()):
		return nil
	case c.connectedVoters(n)-1 < 1+(c.voters()-1)/2:
		return rpctypes.ErrUnhealthy
	}
	return nil
}

func (c *conn) MoveLeader(ctx context.Context, to snapshot.MemberID) error {
	checked := false
	return c.serve(ctx, func(n *node) (bool, error) {
		cluster := c.cluster
		target := cluster.member(to)
		if !checked {
			switch {
			case n.learner:
				return true, errLearnerRefuses
			case n.sees != n.id:
				return true, rpctypes.ErrNotLeader
			case target == nil || target.learner:
				return true, rpctypes.ErrBadLeaderTransferee
			}
			checked = true
		}
		if cluster.leader == n && cluster.canCommit() && target != nil && target.reachable() && target.match == cluster.index {
			cluster.lead(target)
		}
		return n.sees == to, nil
	})
}

// Attend is left by a paused process when a client gives it up, and by one without a leader after three election timeouts.
func (c *conn) Attend(ctx context.Context, begun func(etcdclient.Header)) error {
	var by etcdclient.Header
	agree := func(n *node) (bool, error) {
		switch {
		case n.learner:
			return true, errLearnerRefuses
		case n.sees == 0:
			return true, rpctypes.ErrNoLeader
		}
		by = c.header(n)
		return true, nil
	}
	if err := c.serve(ctx, agree); err != nil {
		return err
	}
	begun(by)
	var silent, leaderless time.Time
	for {
		c.cluster.mu.Lock()
		lost := c.lost()
		since(&silent, c.node.paused)
		since(&leaderless, !c.node.paused && c.node.sees == 0)
		changed := c.cluster.changed
		c.cluster.mu.Unlock()
		switch {
		case lost:
			return status.Error(codes.Unavailable, "the connection was closed by the other side")
		case lasted(silent, etcdclient.PingEvery+etcdclient.PingTimeout):
			return status.Error(codes.Unavailable, "nothing was heard")
		case lasted(leaderless, maxNoLeader):
			return rpctypes.ErrNoLeader
		}
		look := time.NewTimer(electionTimeout)
		select {
		case <-changed:
		case <-look.C:
		case <-ctx.Done():
		}
		look.Stop()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// since keeps the moment from which on something has been so; zero while it is not.
func since(moment *time.Time, isSo bool) {
	switch {
	case !isSo:
		*moment = time.Time{}
	case moment.IsZero():
		*moment = time.Now()
	}
}

func lasted(since time.Time, d time.Duration) bool { return !since.IsZero() && time.Since(since) >= d }

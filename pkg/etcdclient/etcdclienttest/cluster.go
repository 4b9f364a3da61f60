package etcdclienttest

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"hash/fnv"
	"net"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// etcd's own constants.
const (
	// electionTimeout is the default of --election-timeout: so long passes before members notice that a leader is gone,
	// or that quorum is.
	electionTimeout = time.Second
	// healthInterval is etcdserver.HealthInterval: a voter counts as connected for a change of the member set when it
	// has been for longer.
	healthInterval = 5 * time.Second
	// streamTimeout is rafthttp.ConnReadTimeout: so long a connection to a peer that hangs still counts.
	streamTimeout = 5 * time.Second
	// maxNoLeader is v3rpc's maxNoLeaderCnt election timeouts: so long a member without a leader keeps calls open that ask
	// for one.
	maxNoLeader = 3 * electionTimeout
	// readyPercent is how much of the leader's log a learner must have to be promoted.
	readyPercent = 0.9
	version      = "3.6.16"
)

// Options are what a fake Cluster is made from.
type Options struct {
	// Voters that the cluster starts with; 0 means 3.
	Voters int
	// MaxLearners is etcd's --max-learners; 0 means 8, as in rule R5.6.
	MaxLearners int
}

// Cluster is an etcd cluster in memory. Its methods may be called by any number of goroutines; those that cause a fault
// return when it is in force.
type Cluster struct {
	t           testing.TB
	folder      string
	files       etcdclient.TLSFiles
	maxLearners int
	id          uint64

	mu        sync.Mutex
	authority *Authority
	// nodes are all places that ever had a member, in the order in which they came up.
	nodes []*node
	// ids has every member there ever was.
	ids map[snapshot.MemberID]*node
	// routes overrides which node answers at a client URL.
	routes map[string]*node
	// leader is who leads the members that have quorum, or who did until they notice that they have lost it.
	leader *node
	// index is the last committed entry of the log.
	index       uint64
	proposals   []*proposal
	alarms      []etcdclient.Alarm
	electionDue bool
	// changed is closed at the next change of anything above.
	changed chan struct{}
}

type node struct {
	name                string
	peerURLs            []string
	clientURL           string
	address             net.IP
	server              *tls.Config
	id                  snapshot.MemberID // 0: no member
	learner, started    bool
	running             bool
	paused, cut, lagged bool
	// process counts starts: connections belong to one process.
	process int
	// connected: its peers had connections to it after the last change, and have had since connectedAt.
	connected             bool
	connectedAt, pausedAt time.Time
	// match is the last entry of the log that it has; sees is the leader that it knows.
	match uint64
	sees  snapshot.MemberID
	// connections are those that clients hold to the present process.
	connections int
}

// reachable reports whether the node's process can talk to its peers.
func (n *node) reachable() bool { return n.id != 0 && n.running && !n.paused && !n.cut }

// linked reports whether its peers have a connection to it, as far as they have noticed.
func (n *node) linked() bool {
	return n.id != 0 && n.running && !n.cut && !(n.paused && time.Since(n.pausedAt) >= streamTimeout)
}

// stop ends the process. One that learns that it is no member any more does so itself.
func (n *node) stop() { n.running, n.connections, n.sees = false, 0, 0 }

// proposal is an entry in the log of the leader at the time. It stays there when its caller has given up.
type proposal struct {
	owner *node
	apply func() error
	done  bool
	err   error
}

// New starts a cluster whose voters have been connected for long. It stops with the test.
func New(t testing.TB, options Options) *Cluster {
	t.Helper()
	c := &Cluster{
		t: t, folder: t.TempDir(), id: 0xcdf818194e3a8c32,
		maxLearners: cmp.Or(options.MaxLearners, 8),
		ids:         map[snapshot.MemberID]*node{},
		routes:      map[string]*node{},
		changed:     make(chan struct{}),
	}
	c.trust(NewAuthority(t))
	for i := range cmp.Or(options.Voters, 3) {
		n := c.place(peerURL(i + 1))
		c.join(n, false)
		n.started, n.running = true, true
		n.connected, n.connectedAt = true, time.Now().Add(-time.Hour)
		c.index += 2
	}
	c.leader = c.nodes[0]
	for _, n := range c.nodes {
		n.sees = c.leader.id
	}
	c.settle()
	return c
}

// TLS returns the files that a client of this cluster uses.
func (c *Cluster) TLS() etcdclient.TLSFiles { return c.files }

// Client returns a new Client of this cluster; it is closed with the test.
func (c *Cluster) Client(t testing.TB) *etcdclient.Client {
	client := etcdclient.New(etcdclient.Config{TLS: c.TLS(), Dial: c.Dial})
	t.Cleanup(client.Close)
	return client
}

// Endpoints returns the client URLs of all members that have started.
func (c *Cluster) Endpoints() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var urls []string
	for _, n := range c.nodes {
		if n.id != 0 && n.started {
			urls = append(urls, n.clientURL)
		}
	}
	return urls
}

// Place returns the peer URL of a host that has no member yet.
func (c *Cluster) Place(testing.TB) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.place(peerURL(len(c.nodes) + 1)).peerURLs[0]
}

// Start starts the process of a member that was added.
func (c *Cluster) Start(t testing.TB, id snapshot.MemberID) {
	t.Helper()
	c.alter(t, id, func(n *node) {
		n.running = true
		n.process++
	})
}

// Kill ends a member's process at once.
func (c *Cluster) Kill(t testing.TB, id snapshot.MemberID) {
	t.Helper()
	c.alter(t, id, (*node).stop)
}

// Restart starts a killed member again, with its data.
func (c *Cluster) Restart(t testing.TB, id snapshot.MemberID) {
	t.Helper()
	c.Start(t, id)
}

// Pause stops a member's process without ending it: connections stay open and nothing answers.
func (c *Cluster) Pause(t testing.TB, id snapshot.MemberID) {
	t.Helper()
	c.alter(t, id, func(n *node) { n.paused, n.pausedAt = true, time.Now() })
}

// Resume lets a paused process go on.
func (c *Cluster) Resume(t testing.TB, id snapshot.MemberID) {
	t.Helper()
	c.alter(t, id, func(n *node) {
		n.connected = n.linked()
		n.paused = false
		if n.id == 0 {
			n.stop()
		}
	})
}

// CutOff separates a member from its peers; clients still reach it.
func (c *Cluster) CutOff(t testing.TB, id snapshot.MemberID) {
	t.Helper()
	c.alter(t, id, func(n *node) { n.cut = true })
}

// Reconnect ends CutOff.
func (c *Cluster) Reconnect(t testing.TB, id snapshot.MemberID) {
	t.Helper()
	c.alter(t, id, func(n *node) { n.cut = false })
}

// Lag lets a member receive nothing more of the log, or everything again, while it stays connected and healthy.
func (c *Cluster) Lag(t testing.TB, id snapshot.MemberID, lags bool) {
	t.Helper()
	c.alter(t, id, func(n *node) { n.lagged = lags })
}

// Write adds entries to the log; the cluster must have quorum.
func (c *Cluster) Write(t testing.TB, entries int) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.canCommit() {
		t.Fatal("write: the cluster has no quorum")
	}
	c.index += uint64(entries)
	c.settle()
}

// Exhaust fills a member's database up to its quota, so that it raises NOSPACE.
func (c *Cluster) Exhaust(t testing.TB, id snapshot.MemberID) {
	t.Helper()
	c.raise(t, etcdclient.Alarm{Member: id, Kind: etcdclient.AlarmNoSpace})
}

// MarkCorrupt raises CORRUPT for a member, or for member 0, which is none, as etcd does when it cannot tell whose data are
// right.
func (c *Cluster) MarkCorrupt(t testing.TB, id snapshot.MemberID) {
	t.Helper()
	c.raise(t, etcdclient.Alarm{Member: id, Kind: etcdclient.AlarmCorrupt})
}

func (c *Cluster) raise(t testing.TB, alarm etcdclient.Alarm) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if alarm.Member != 0 && c.ids[alarm.Member] == nil {
		t.Fatalf("there never was a member %s", alarm.Member)
	}
	c.alarms = append(c.alarms, alarm)
	c.settle()
}

// RotateCertificates replaces the authority and everything that it issued, the client's files included. Members that run
// are restarted, since etcd reads its authorities when it starts.
func (c *Cluster) RotateCertificates(t testing.TB) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trust(NewAuthority(t))
	for _, n := range c.nodes {
		n.server = c.authority.serverConfig(t, n.name, n.address)
		if n.running {
			n.process++
			n.connections = 0
		}
	}
	c.settle()
}

// Impersonate lets the endpoint of one member be answered by another, as after an address has passed on.
func (c *Cluster) Impersonate(t testing.TB, id, by snapshot.MemberID) {
	t.Helper()
	c.alter(t, id, func(n *node) { c.routes[n.clientURL] = c.ids[by] })
}

// Connections returns how many connections clients have open to a member, present or former.
func (c *Cluster) Connections(t testing.TB, id snapshot.MemberID) int {
	t.Helper()
	var count int
	c.alter(t, id, func(n *node) { count = n.connections })
	return count
}

// alter changes one node and settles what follows from it.
func (c *Cluster) alter(t testing.TB, id snapshot.MemberID, change func(*node)) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.ids[id]
	if n == nil {
		t.Fatalf("there never was a member %s", id)
	}
	change(n)
	c.settle()
}

func peerURL(number int) string { return fmt.Sprintf("https://192.0.2.%d:2380", number) }

// The functions below are called with the lock held.

func (c *Cluster) trust(authority *Authority) {
	c.authority = authority
	c.files = WriteFiles(c.t, c.folder, authority.Issue(c.t, "operator"), authority)
}

// place returns the node with a peer URL, and makes one if there is none.
func (c *Cluster) place(peerURLs ...string) *node {
	for _, n := range c.nodes {
		if n.id == 0 && slices.Equal(n.peerURLs, peerURLs) {
			return n
		}
	}
	n := &node{name: fmt.Sprintf("master-%d", len(c.nodes)), peerURLs: peerURLs}
	if u, err := url.Parse(peerURLs[0]); err == nil {
		n.address = net.ParseIP(u.Hostname())
		n.clientURL = "https://" + net.JoinHostPort(u.Hostname(), "2379")
	}
	n.server = c.authority.serverConfig(c.t, n.name, n.address)
	c.nodes = append(c.nodes, n)
	return n
}

// join makes a node a member. Like etcd, it never uses an id twice.
func (c *Cluster) join(n *node, learner bool) {
	h := fnv.New64a()
	fmt.Fprint(h, n.peerURLs, len(c.ids))
	n.id, n.learner, n.started, n.match, n.sees = snapshot.MemberID(h.Sum64()), learner, false, 0, 0
	n.running, n.paused, n.cut, n.lagged = false, false, false, false
	c.ids[n.id] = n
}

func (c *Cluster) member(id snapshot.MemberID) *node {
	for _, n := range c.nodes {
		if n.id == id && id != 0 {
			return n
		}
	}
	return nil
}

func (c *Cluster) count(is func(*node) bool) int {
	count := 0
	for _, n := range c.nodes {
		if n.id != 0 && is(n) {
			count++
		}
	}
	return count
}

func (c *Cluster) voters() int { return c.count(func(n *node) bool { return !n.learner }) }

func (c *Cluster) hasQuorum() bool {
	return c.count(func(n *node) bool { return !n.learner && n.reachable() }) >= snapshot.Quorum(c.voters())
}

func (c *Cluster) canCommit() bool {
	return c.leader != nil && c.leader.reachable() && c.hasQuorum()
}

// settle draws the consequences of a change: what commits, who has which entries, and whether the members will notice
// after the election timeout that they need another leader.
func (c *Cluster) settle() {
	for _, n := range c.nodes {
		if now := n.linked(); now != n.connected {
			n.connected, n.connectedAt = now, time.Now()
		}
	}
	c.commit()
	if leader := c.nextLeader(); leader != c.leader || slices.ContainsFunc(c.nodes, func(n *node) bool { return n.sees != viewOf(n, leader) }) {
		c.scheduleElection()
	}
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *Cluster) commit() {
	for i := 0; i < len(c.proposals) && c.canCommit(); i++ {
		if p := c.proposals[i]; !p.done && p.owner == c.leader {
			c.index++
			p.done, p.err = true, p.apply()
		}
	}
	c.proposals = slices.DeleteFunc(c.proposals, func(p *proposal) bool { return p.done })
	if !c.canCommit() {
		return
	}
	for _, n := range c.nodes {
		if n.reachable() && !n.started {
			n.started = true
			c.index++
		}
	}
	for _, n := range c.nodes {
		if n.reachable() && !n.lagged {
			n.match = c.index
		}
	}
}

// nextLeader is who leads when everybody has noticed: the present leader if it can, else the voter with the longest log.
func (c *Cluster) nextLeader() *node {
	if !c.hasQuorum() {
		return nil
	}
	if c.leader != nil && c.leader.reachable() && !c.leader.learner {
		return c.leader
	}
	var best *node
	for _, n := range c.nodes {
		if n.reachable() && !n.learner && (best == nil || c.lengthOfLog(n) > c.lengthOfLog(best)) {
			best = n
		}
	}
	return best
}

// lengthOfLog counts what a former leader has not committed as well.
func (c *Cluster) lengthOfLog(n *node) uint64 {
	length := n.match
	for _, p := range c.proposals {
		if p.owner == n {
			length++
		}
	}
	return length
}

// viewOf is the leader that a node knows when everybody has noticed. A process that does not run notices nothing.
func viewOf(n, leader *node) snapshot.MemberID {
	switch {
	case !n.running || n.paused:
		return n.sees
	case leader == nil || !n.reachable():
		return 0
	default:
		return leader.id
	}
}

func (c *Cluster) scheduleElection() {
	if c.electionDue {
		return
	}
	c.electionDue = true
	time.AfterFunc(electionTimeout, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.electionDue = false
		c.lead(c.nextLeader())
	})
}

// lead makes a node the leader. What only a former leader had in its log is lost.
func (c *Cluster) lead(leader *node) {
	if leader != nil && leader != c.leader {
		c.proposals = slices.DeleteFunc(c.proposals, func(p *proposal) bool { return p.owner != leader })
		c.index++
	}
	c.leader = leader
	for _, n := range c.nodes {
		n.sees = viewOf(n, leader)
	}
	c.settle()
}

// connectedFor reports whether self has been connected to a peer for longer than etcd's health interval.
func (c *Cluster) connectedFor(self, peer *node) bool {
	if self == peer {
		return true
	}
	if !self.linked() || !peer.linked() {
		return false
	}
	limit := time.Now().Add(-healthInterval)
	return self.connectedAt.Before(limit) && peer.connectedAt.Before(limit)
}

func (c *Cluster) connectedVoters(self *node) int {
	return c.count(func(n *node) bool { return !n.learner && c.connectedFor(self, n) })
}

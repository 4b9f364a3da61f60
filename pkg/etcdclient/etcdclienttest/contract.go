package etcdclienttest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"regexp"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Spec is the cluster that a case of the contract needs.
type Spec struct {
	Voters, MaxLearners int
}

// Subject is what the contract asks of a cluster besides its members' answers: faults, and what only a server or an
// operating system knows. The fake has these methods, and so has the cluster of real processes.
type Subject interface {
	TLS() etcdclient.TLSFiles
	Dial(clientURLs []string, credentials func() (*tls.Config, error)) (etcdclient.Conn, error)
	Endpoints() []string
	Place(t testing.TB) string
	Start(t testing.TB, id snapshot.MemberID)
	Kill(t testing.TB, id snapshot.MemberID)
	Restart(t testing.TB, id snapshot.MemberID)
	Pause(t testing.TB, id snapshot.MemberID)
	Resume(t testing.TB, id snapshot.MemberID)
	CutOff(t testing.TB, id snapshot.MemberID)
	Reconnect(t testing.TB, id snapshot.MemberID)
	Write(t testing.TB, entries int)
	Exhaust(t testing.TB, id snapshot.MemberID)
	MarkCorrupt(t testing.TB, id snapshot.MemberID)
	RotateCertificates(t testing.TB)
	Connections(t testing.TB, id snapshot.MemberID) int
}

var _ Subject = (*Cluster)(nil)

// Implementation is one way to have a cluster.
type Implementation struct {
	// New starts a cluster that stops with the test.
	New func(t *testing.T, spec Spec) Subject
	// Run runs the body of one case, the fake's in a bubble of testing/synctest.
	Run func(t *testing.T, body func(t *testing.T))
}

// RunContract runs every case of the contract between etcdclient.Client and etcd. No case is left out for anybody.
func RunContract(t *testing.T, of Implementation) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			of.Run(t, func(t *testing.T) {
				spec := c.spec
				if spec.Voters == 0 {
					spec.Voters = 3
				}
				s := &suite{T: t, Subject: of.New(t, spec)}
				s.client = etcdclient.New(etcdclient.Config{TLS: s.TLS(), Dial: s.record})
				t.Cleanup(s.client.Close)
				c.run(s)
			})
		})
	}
}

// patience is how long a condition may take to come true. It decides only how long a failure takes.
const (
	patience = 90 * time.Second
	pollsAt  = 100 * time.Millisecond
)

// suite is one case on its way.
type suite struct {
	*testing.T
	Subject
	client *etcdclient.Client

	mu sync.Mutex
	// sent are the changes that left the client: "remove 8e9e05c52164694d at https://192.0.2.1:2379".
	sent []string
	// asked counts all calls that left the client.
	asked int
	// before runs before a change goes to the member, beforeList once before the next list from an endpoint.
	before     func()
	beforeList map[string]func()
}

// eventually waits until attempt has no error.
func (s *suite) eventually(what string, attempt func() error) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	ticker := time.NewTicker(pollsAt)
	defer ticker.Stop()
	for {
		err := attempt()
		if err == nil {
			return
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			s.Fatalf("%s: not after %s: %v", what, patience, err)
		}
	}
}

// list waits where a leader has to be found first.
func (s *suite) list() etcdclient.MemberList {
	s.Helper()
	var list etcdclient.MemberList
	s.eventually("list members", func() (err error) {
		list, err = s.client.MemberList(s.Context(), s.Endpoints())
		return err
	})
	return list
}

func (s *suite) through(list etcdclient.MemberList, id snapshot.MemberID) etcdclient.Change {
	return etcdclient.Change{Endpoints: s.Endpoints(), Judged: list.Judged(), Through: id}
}

// want fails unless attempt ends in an error that has that meaning and no other. An attempt that did not come to etcd's
// verdict, as on a machine that is short of time, is made again.
func (s *suite) want(meaning error, attempt func() error) {
	s.Helper()
	s.eventually(fmt.Sprintf("the error is %q", meaning), func() error {
		err := attempt()
		if onlyMeans(err, meaning) {
			return nil
		}
		if !isPassing(err) {
			s.Fatalf("got error %v; want one that is %q and nothing else", err, meaning)
		}
		return err
	})
}

func onlyMeans(err, meaning error) bool {
	for _, other := range meanings {
		if errors.Is(err, other) != (other == meaning) {
			return false
		}
	}
	return true
}

// isPassing reports whether an error may come from the state that a cluster is in for a moment: no leader, not connected
// for long enough, too slow.
func isPassing(err error) bool {
	for _, passing := range []error{
		etcdclient.ErrNoAnswer, etcdclient.ErrNoEndpoint, etcdclient.ErrCannotServe, etcdclient.ErrQuorumAtRisk, etcdclient.ErrOutcomeUnknown,
	} {
		if errors.Is(err, passing) {
			return true
		}
	}
	return false
}

// meanings are all of which an error of the client has one. That a member answers nobody is a reason that may stand
// behind another meaning.
var meanings = []error{
	etcdclient.ErrCannotServe, etcdclient.ErrLearnerCannotServe, etcdclient.ErrOtherMember,
	etcdclient.ErrUnstarted, etcdclient.ErrNoEndpoint, etcdclient.ErrClosed, etcdclient.ErrSetChanged,
	etcdclient.ErrMisdirected, etcdclient.ErrNotInSync, etcdclient.ErrNotLearner, etcdclient.ErrTooManyLearners,
	etcdclient.ErrQuorumAtRisk, etcdclient.ErrMemberNotFound, etcdclient.ErrAlreadyExists, etcdclient.ErrNotLeader,
	etcdclient.ErrBadTransferee, etcdclient.ErrRefused, etcdclient.ErrOutcomeUnknown,
}

// wantSilence fails unless err says that nothing was heard, which makes nobody a witness.
func (s *suite) wantSilence(p etcdclient.Probe) {
	s.Helper()
	for _, other := range meanings {
		if errors.Is(p.Err, other) {
			s.Fatalf("got error %v, which is %q; want silence", p.Err, other)
		}
	}
	if !errors.Is(p.Err, etcdclient.ErrNoAnswer) || p.CannotServe != snapshot.Unknown || p.StatusKnown {
		s.Fatalf("got %+v; want silence, of which nothing follows", p)
	}
}

// probes returns one probe per member; of is indexed by id.
func (s *suite) probes(list etcdclient.MemberList) map[snapshot.MemberID]etcdclient.Probe {
	s.Helper()
	probes, err := s.client.Probe(s.Context(), list)
	if err != nil {
		s.Fatal(err)
	}
	if len(probes) != len(list.Members) {
		s.Fatalf("got %d probes of %d members", len(probes), len(list.Members))
	}
	of := map[snapshot.MemberID]etcdclient.Probe{}
	for i, p := range probes {
		if p.Member != list.Members[i].ID {
			s.Fatalf("probe %d is of member %s, listed there is %s", i, p.Member, list.Members[i].ID)
		}
		of[p.Member] = p
	}
	return of
}

// didServe returns an error unless the member served and told its status.
func didServe(p etcdclient.Probe) error {
	switch {
	case p.Err != nil:
		return p.Err
	case p.CannotServe != snapshot.False || !p.StatusKnown:
		return fmt.Errorf("member %s served, yet its probe is %+v", p.Member, p)
	}
	return nil
}

// served waits until some members serve in one pass whose alarms are known, and returns the probes of that pass.
func (s *suite) served(list etcdclient.MemberList, ids ...snapshot.MemberID) map[snapshot.MemberID]etcdclient.Probe {
	s.Helper()
	var probes map[snapshot.MemberID]etcdclient.Probe
	s.eventually("members serve", func() error {
		probes = s.probes(list)
		for _, id := range ids {
			p := probes[id]
			if err := didServe(p); err != nil {
				return err
			}
			if p.Corrupt == snapshot.Unknown || p.NoSpace == snapshot.Unknown {
				return errors.New("the alarms are unknown")
			}
		}
		return nil
	})
	return probes
}

// roles returns the leader and the other voters.
func (s *suite) roles(list etcdclient.MemberList) (leader snapshot.MemberID, followers []snapshot.MemberID) {
	s.Helper()
	s.eventually("the voters agree on a leader", func() error {
		leader, followers = 0, nil
		probes := s.probes(list)
		for _, m := range list.Members {
			if m.Learner {
				continue
			}
			p := probes[m.ID]
			if err := didServe(p); err != nil {
				return err
			}
			if p.Status.Leader == 0 || leader != 0 && leader != p.Status.Leader {
				return fmt.Errorf("member %s takes %s for the leader, others %s", m.ID, p.Status.Leader, leader)
			}
			leader = p.Status.Leader
			if m.ID != leader {
				followers = append(followers, m.ID)
			}
		}
		return nil
	})
	return leader, followers
}

// addLearner adds a learner that has not started.
func (s *suite) addLearner(through snapshot.MemberID) snapshot.MemberID {
	s.Helper()
	var id snapshot.MemberID
	place := s.Place(s.T)
	s.eventually("add a learner", func() error {
		list := s.list()
		for _, m := range list.Members {
			if slices.Contains(m.PeerURLs, place) {
				if id != 0 && id != m.ID {
					s.Fatalf("the learner was added as %s and is listed as %s", id, m.ID)
				}
				id = m.ID
				return nil
			}
		}
		var err error
		id, err = s.client.AddLearner(s.Context(), s.through(list, through), []string{place})
		return s.again(err)
	})
	return id
}

// remove removes a member.
func (s *suite) remove(through, id snapshot.MemberID) {
	s.Helper()
	s.eventually("remove a member", func() error {
		list := s.list()
		if list.Find(id) == nil {
			return nil
		}
		return s.again(s.client.Remove(s.Context(), s.through(list, through), id))
	})
}

// again ends one attempt at a change, which the next list must show.
func (s *suite) again(err error) error {
	s.Helper()
	if err != nil && !isPassing(err) {
		s.Fatal(err)
	}
	return cmp.Or(err, errors.New("look whether it was made"))
}

// startLearner adds a learner and waits until it serves.
func (s *suite) startLearner(through snapshot.MemberID) snapshot.MemberID {
	s.Helper()
	id := s.addLearner(through)
	s.Start(s.T, id)
	s.eventually("the learner serves", func() error {
		list := s.list()
		if m := list.Find(id); m == nil || !m.Started() {
			return errors.New("it has not started")
		}
		return didServe(s.probes(list)[id])
	})
	return id
}

// recording is a Conn that tells which changes go where.
type recording struct {
	etcdclient.Conn
	suite *suite
	url   string
}

func (s *suite) record(clientURLs []string, credentials func() (*tls.Config, error)) (etcdclient.Conn, error) {
	conn, err := s.Dial(clientURLs, credentials)
	if err != nil {
		return nil, err
	}
	return &recording{Conn: conn, suite: s, url: strings.Join(clientURLs, ",")}, nil
}

func (r *recording) note(change string) {
	r.suite.mu.Lock()
	r.suite.asked++
	r.suite.sent = append(r.suite.sent, change+" at "+r.url)
	before := r.suite.before
	r.suite.mu.Unlock()
	if before != nil {
		before()
	}
}

func (r *recording) List(ctx context.Context) (etcdclient.MemberList, error) {
	r.suite.mu.Lock()
	r.suite.asked++
	before := r.suite.beforeList[r.url]
	delete(r.suite.beforeList, r.url)
	r.suite.mu.Unlock()
	if before != nil {
		before()
	}
	return r.Conn.List(ctx)
}

func (r *recording) count() {
	r.suite.mu.Lock()
	defer r.suite.mu.Unlock()
	r.suite.asked++
}

func (r *recording) Read(ctx context.Context, linearizable bool) (etcdclient.Header, error) {
	r.count()
	return r.Conn.Read(ctx, linearizable)
}

func (r *recording) Status(ctx context.Context) (etcdclient.Header, etcdclient.Status, error) {
	r.count()
	return r.Conn.Status(ctx)
}

func (r *recording) Alarms(ctx context.Context) ([]etcdclient.Alarm, error) {
	r.count()
	return r.Conn.Alarms(ctx)
}

func (r *recording) Attend(ctx context.Context, begun func(etcdclient.Header)) error {
	r.count()
	return r.Conn.Attend(ctx, begun)
}

func (r *recording) AddLearner(ctx context.Context, peerURLs []string) (snapshot.MemberID, error) {
	r.note("add " + strings.Join(peerURLs, ","))
	return r.Conn.AddLearner(ctx, peerURLs)
}

func (r *recording) Promote(ctx context.Context, id snapshot.MemberID) error {
	r.note("promote " + id.String())
	return r.Conn.Promote(ctx, id)
}

func (r *recording) Remove(ctx context.Context, id snapshot.MemberID) error {
	r.note("remove " + id.String())
	return r.Conn.Remove(ctx, id)
}

func (r *recording) MoveLeader(ctx context.Context, to snapshot.MemberID) error {
	r.note("lead " + to.String())
	return r.Conn.MoveLeader(ctx, to)
}

func (s *suite) takeAsked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = 0
	return asked
}

// takeSent returns what was sent since the last call.
func (s *suite) takeSent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sent := s.sent
	s.sent = nil
	return sent
}

func (s *suite) wantNothingSent() {
	s.Helper()
	if sent := s.takeSent(); len(sent) > 0 {
		s.Fatalf("these changes were sent: %q", sent)
	}
}

func (s *suite) setBefore(before func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = before
}

// goroutinesOf counts the goroutines that descend from one that runs under a pprof label.
func goroutinesOf(label string) int {
	var profile bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&profile, 1)
	count := 0
	for _, stack := range strings.Split(profile.String(), "\n\n") {
		if first := headOfStack.FindStringSubmatch(stack); first != nil && strings.Contains(stack, strconv.Quote(label)) {
			n, _ := strconv.Atoi(first[1])
			count += n
		}
	}
	return count
}

var headOfStack = regexp.MustCompile(`(?m)^(\d+) @ `)

func without(ids []snapshot.MemberID, id snapshot.MemberID) []snapshot.MemberID {
	return slices.DeleteFunc(slices.Clone(ids), func(other snapshot.MemberID) bool { return other == id })
}

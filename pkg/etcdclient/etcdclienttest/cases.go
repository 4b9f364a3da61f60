package etcdclienttest

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

type contractCase struct {
	name string
	spec Spec
	run  func(s *suite)
}

var cases = []contractCase{
	{name: "each voter of a healthy cluster serves and tells its status", run: healthyCluster},
	{name: "five voters lose two and remove one of the dead", spec: Spec{Voters: 5}, run: fiveVoters},
	{name: "a hanging voter costs the others nothing and is no witness", run: hangingVoter},
	{name: "a killed voter is silent and is served again after its restart", run: killedVoter},
	{name: "a voter cut off from its peers says itself that it cannot serve", run: cutOffVoter},
	{name: "a leader cut off from its peers says itself that it cannot serve", run: cutOffLeader},
	{name: "without quorum every call says so and no change is in doubt", run: noQuorum},
	{name: "certificates rotate under the client", run: rotatedCertificates},
	{name: "an added member has not started and is not promoted until it has and is in sync", run: unstartedLearner},
	{name: "a learner that lags is not promoted until it has caught up", run: laggingLearner},
	{name: "a learner does not serve the member list", run: learnerEndpoint},
	{name: "one learner too many", spec: Spec{MaxLearners: 1}, run: tooManyLearners},
	{name: "a peer URL is used once and is an address of a host", run: peerURLs},
	{name: "a member that does not exist and one that votes already", run: wrongSubjects},
	{name: "a removal that breaks quorum is refused and that of the dead voter is not", run: removalBreakingQuorum},
	{name: "a change is asked of another started voter than its subject", run: misdirected},
	{name: "leadership moves when its holder is asked", run: leaderMoves},
	{name: "a set that changed after it was judged is left alone", run: changedSet},
	{name: "a set that changes between the two lists before a change is left alone", run: changingSet},
	{name: "a change without an answer is in doubt", run: outcomeUnknown},
	{name: "a member out of space has that alarm and no other has", spec: Spec{Exhaustible: true}, run: noSpace},
	{name: "a corrupt member has that alarm and no other has", run: corrupt},
	{name: "what belongs to a member goes with it", run: goneMember},
}

func healthyCluster(s *suite) {
	list := s.list()
	if len(list.Members) != 3 || list.ClusterID == 0 || list.Find(list.AnsweredBy) == nil {
		s.Fatalf("got %+v; want three members, a cluster id and one of them as the answering one", list)
	}
	for _, m := range list.Members {
		if !m.Started() || m.Learner || m.Name == "" || len(m.PeerURLs) != 1 {
			s.Errorf("got %+v; want a started voter with a name and one peer URL", m)
		}
	}
	leader, _ := s.roles(list)
	for id, p := range s.probes(list) {
		if err := served(p); err != nil {
			s.Errorf("member %s: %v", id, err)
		}
		if p.Corrupt != snapshot.False || p.NoSpace != snapshot.False {
			s.Errorf("member %s: corrupt %s, no space %s; want neither", id, p.Corrupt, p.NoSpace)
		}
		if st := p.Status; st.Leader != leader || st.Learner || st.Version == "" || st.DatabaseBytes == 0 || st.AppliedIndex == 0 {
			s.Errorf("member %s: got status %+v; want a voter that follows %s, and no empty field", id, st, leader)
		}
	}
}

func fiveVoters(s *suite) {
	list := s.list()
	leader, followers := s.roles(list)
	dead, alive := followers[:2], append(followers[2:], leader)
	s.Kill(s.T, dead[0])
	s.Pause(s.T, dead[1])
	probes := s.eventuallyServed(list, alive...)
	s.wantSilence(probes[dead[0]])
	s.wantSilence(probes[dead[1]])
	s.changeInQuiet("remove the dead voter", func() error {
		return s.client.Remove(s.Context(), s.through(s.list(), alive[0]), dead[0])
	})
	list = s.list()
	if len(list.Members) != 4 || list.Find(dead[0]) != nil {
		s.Fatalf("got %+v; want four members without %s", list, dead[0])
	}
}

func hangingVoter(s *suite) {
	list := s.list()
	leader, followers := s.roles(list)
	hanging := followers[0]
	s.Pause(s.T, hanging)
	others := []snapshot.MemberID{leader, followers[1]}
	probes := s.probes(list)
	s.wantServed(probes, others...)
	s.wantSilence(probes[hanging])
	// The list comes from whoever answers, also if the hanging member is asked first.
	slices.SortFunc(list.Members, func(a, b etcdclient.Member) int {
		if a.ID == hanging {
			return -1
		}
		return 0
	})
	var endpoints []string
	for _, m := range list.Members {
		endpoints = append(endpoints, m.ClientURLs...)
	}
	if _, err := s.client.MemberList(s.Context(), endpoints); err != nil {
		s.Fatal(err)
	}
	s.Resume(s.T, hanging)
	s.eventuallyServed(list, hanging)
}

func killedVoter(s *suite) {
	list := s.list()
	_, followers := s.roles(list)
	dead := followers[0]
	s.Kill(s.T, dead)
	probes := s.probes(list)
	s.wantServed(probes, remove(idsOf(list), dead)...)
	s.wantSilence(probes[dead])
	s.list()
	s.Restart(s.T, dead)
	s.eventuallyServed(list, dead)
}

func cutOffVoter(s *suite) {
	list := s.list()
	_, followers := s.roles(list)
	s.cutOff(list, followers[0])
}

func cutOffLeader(s *suite) {
	list := s.list()
	leader, _ := s.roles(list)
	s.cutOff(list, leader)
}

func (s *suite) cutOff(list etcdclient.MemberList, id snapshot.MemberID) {
	s.Helper()
	s.CutOff(s.T, id)
	others := remove(idsOf(list), id)
	s.eventually("the member says that it cannot serve, and the others serve", func() error {
		probes := s.probes(list)
		for _, other := range others {
			if err := served(probes[other]); err != nil {
				return err
			}
		}
		if p := probes[id]; p.CannotServe != snapshot.True || !errors.Is(p.Err, etcdclient.ErrCannotServe) {
			return fmt.Errorf("probe of the member that is cut off: %+v", p)
		}
		return nil
	})
	s.Reconnect(s.T, id)
	s.eventuallyServed(list, id)
}

func noQuorum(s *suite) {
	list := s.list()
	leader, followers := s.roles(list)
	for _, id := range followers {
		s.Kill(s.T, id)
	}
	s.eventually("the last member says that it cannot serve", func() error {
		_, err := s.client.MemberList(s.Context(), s.Endpoints())
		if !errors.Is(err, etcdclient.ErrCannotServe) {
			return fmt.Errorf("got error %v", err)
		}
		return nil
	})
	probes := s.probes(list)
	if p := probes[leader]; p.CannotServe != snapshot.True || p.Status.Leader != 0 || p.Corrupt != snapshot.Unknown || p.NoSpace != snapshot.Unknown {
		s.Errorf("got %+v; want a member that cannot serve, knows no leader and no alarms", p)
	}
	s.wantSilence(probes[followers[0]])
	change := s.through(list, leader)
	_, err := s.client.AddLearner(s.Context(), change, []string{s.Place(s.T)})
	s.want(err, etcdclient.ErrCannotServe)
	s.want(s.client.Remove(s.Context(), change, followers[0]), etcdclient.ErrCannotServe)
	s.wantNothingSent()

	s.Kill(s.T, leader)
	_, err = s.client.MemberList(s.Context(), s.Endpoints())
	s.want(err, etcdclient.ErrNoEndpoint)
	s.want(s.client.Remove(s.Context(), change, followers[0]), etcdclient.ErrNoEndpoint)
	_, err = s.client.MemberList(s.Context(), nil)
	s.want(err, etcdclient.ErrNoEndpoint)
	s.wantNothingSent()

	s.client.Close()
	_, err = s.client.MemberList(s.Context(), s.Endpoints())
	s.want(err, etcdclient.ErrClosed)
}

func rotatedCertificates(s *suite) {
	list := s.list()
	s.eventuallyServed(list, idsOf(list)...)
	s.RotateCertificates(s.T)
	s.eventuallyServed(list, idsOf(list)...)
	s.list()
}

func unstartedLearner(s *suite) {
	leader, followers := s.roles(s.list())
	learner := s.addLearner(followers[0])
	list := s.list()
	if m := list.Find(learner); m == nil || m.Started() || !m.Learner || m.Name != "" {
		s.Fatalf("got %+v; want an unstarted learner %s", list, learner)
	}
	probes := s.probes(list)
	s.wantServed(probes, leader)
	if p := probes[learner]; !errors.Is(p.Err, etcdclient.ErrUnstarted) || p.CannotServe != snapshot.Unknown || p.StatusKnown {
		s.Errorf("got %+v; want an unstarted member, of which nothing is known", p)
	}
	for _, through := range []snapshot.MemberID{leader, followers[0]} {
		s.want(s.client.Promote(s.Context(), s.through(list, through), learner), etcdclient.ErrNotInSync)
	}

	s.Start(s.T, learner)
	s.eventually("the learner serves", func() error {
		list = s.list()
		return served(s.probes(list)[learner])
	})
	if p := s.probes(list)[learner]; !p.Status.Learner || p.Corrupt != snapshot.False {
		s.Errorf("got %+v; want a learner that is known not to be corrupt", p)
	}
	s.promote(learner, followers[0])
}

// promote waits until the learner is in sync.
func (s *suite) promote(learner, through snapshot.MemberID) {
	s.Helper()
	s.eventually("promote the learner", func() error {
		err := s.client.Promote(s.Context(), s.through(s.list(), through), learner)
		if err != nil {
			s.want(err, etcdclient.ErrNotInSync)
		}
		return err
	})
	list := s.list()
	if m := list.Find(learner); m == nil || m.Learner {
		s.Fatalf("got %+v; want %s as a voter", list, learner)
	}
	s.eventuallyServed(list, learner)
}

func laggingLearner(s *suite) {
	list := s.list()
	leader, _ := s.roles(list)
	learner := s.startLearner(leader)
	applied := s.probes(s.list())[leader].Status.AppliedIndex
	s.Pause(s.T, learner)
	// etcd compares with nine tenths of the leader's index.
	s.Write(s.T, int(applied))
	s.want(s.client.Promote(s.Context(), s.through(s.list(), leader), learner), etcdclient.ErrNotInSync)
	if m := find(s.list(), learner); m == nil || !m.Learner {
		s.Fatalf("got %+v; want a learner still", m)
	}
	s.Resume(s.T, learner)
	s.promote(learner, leader)
}

func learnerEndpoint(s *suite) {
	leader, _ := s.roles(s.list())
	learner := s.startLearner(leader)
	list := s.list()
	_, err := s.client.MemberList(s.Context(), find(list, learner).ClientURLs)
	s.want(err, etcdclient.ErrLearnerCannotServe)
	s.want(s.client.Remove(s.Context(), s.through(list, learner), leader), etcdclient.ErrMisdirected)
	s.wantServed(s.probes(list), learner, leader)
}

func tooManyLearners(s *suite) {
	leader, _ := s.roles(s.list())
	s.addLearner(leader)
	list := s.list()
	_, err := s.client.AddLearner(s.Context(), s.through(list, leader), []string{s.Place(s.T)})
	s.want(err, etcdclient.ErrTooManyLearners)
	s.wantSame(list)
}

func peerURLs(s *suite) {
	list := s.list()
	leader, followers := s.roles(list)
	taken := find(list, followers[0]).PeerURLs
	// etcd asks first whether its voters have been connected for long enough.
	s.eventually("etcd looks at the URL", func() error {
		_, err := s.client.AddLearner(s.Context(), s.through(list, leader), taken)
		if errors.Is(err, etcdclient.ErrQuorumAtRisk) {
			return err
		}
		s.want(err, etcdclient.ErrAlreadyExists)
		return nil
	})
	s.takeSent()
	for _, urls := range [][]string{nil, {"192.0.2.1:2380"}, {"https://192.0.2.1"}, {"unix:///tmp/etcd"}, {"https://192.0.2.1:2380", "garbage"}} {
		_, err := s.client.AddLearner(s.Context(), s.through(list, leader), urls)
		s.want(err, etcdclient.ErrRefused)
	}
	s.wantNothingSent()
	s.wantSame(list)
}

func wrongSubjects(s *suite) {
	const nobody = snapshot.MemberID(0xdead)
	list := s.list()
	leader, followers := s.roles(list)
	change := s.through(list, leader)
	s.want(s.client.Promote(s.Context(), change, nobody), etcdclient.ErrMemberNotFound)
	s.want(s.client.Remove(s.Context(), change, nobody), etcdclient.ErrMemberNotFound)
	s.want(s.client.Promote(s.Context(), change, followers[0]), etcdclient.ErrNotLearner)
	s.wantSame(list)
}

func removalBreakingQuorum(s *suite) {
	list := s.list()
	leader, followers := s.roles(list)
	dead := followers[1]
	s.Kill(s.T, dead)
	s.want(s.client.Remove(s.Context(), s.through(list, leader), followers[0]), etcdclient.ErrQuorumAtRisk)
	s.wantSame(list)
	if err := s.client.Remove(s.Context(), s.through(list, leader), dead); err != nil {
		s.Fatal(err)
	}
	list = s.list()
	if got, want := len(list.Members), 2; got != want || list.Find(dead) != nil {
		s.Fatalf("got %+v; want %d members without %s", list, want, dead)
	}
	s.want(s.client.Remove(s.Context(), s.through(list, leader), dead), etcdclient.ErrMemberNotFound)
}

func misdirected(s *suite) {
	leader, followers := s.roles(s.list())
	learner := s.addLearner(leader)
	list := s.list()
	s.takeSent()
	for _, id := range []snapshot.MemberID{leader, followers[0]} {
		s.want(s.client.Remove(s.Context(), s.through(list, id), id), etcdclient.ErrMisdirected)
	}
	s.want(s.client.Promote(s.Context(), s.through(list, learner), learner), etcdclient.ErrMisdirected)
	s.want(s.client.Remove(s.Context(), s.through(list, learner), leader), etcdclient.ErrMisdirected)
	s.want(s.client.Remove(s.Context(), s.through(list, 0xdead), leader), etcdclient.ErrMisdirected)
	s.wantNothingSent()

	// The one that was named gets it, whichever endpoints the list came from.
	for _, through := range followers {
		s.want(s.client.Remove(s.Context(), s.through(list, through), 0xdead), etcdclient.ErrMemberNotFound)
		want := []string{"remove dead at " + strings.Join(find(list, through).ClientURLs, ",")}
		if diff := cmp.Diff(want, s.takeSent()); diff != "" {
			s.Errorf("unexpected changes sent (-want +got):\n%s", diff)
		}
	}
}

func leaderMoves(s *suite) {
	leader, followers := s.roles(s.list())
	learner := s.addLearner(leader)
	list := s.list()
	s.want(s.client.MoveLeader(s.Context(), s.through(list, followers[0]), followers[1]), etcdclient.ErrNotLeader)
	s.want(s.client.MoveLeader(s.Context(), s.through(list, leader), learner), etcdclient.ErrBadTransferee)
	s.want(s.client.MoveLeader(s.Context(), s.through(list, leader), 0xdead), etcdclient.ErrBadTransferee)
	s.want(s.client.MoveLeader(s.Context(), s.through(list, leader), leader), etcdclient.ErrMisdirected)
	if err := s.client.MoveLeader(s.Context(), s.through(list, leader), followers[0]); err != nil {
		s.Fatal(err)
	}
	if got, _ := s.roles(list); got != followers[0] {
		s.Errorf("got %s as leader, want %s", got, followers[0])
	}
}

func changedSet(s *suite) {
	before := s.list()
	leader, followers := s.roles(before)
	learner := s.addLearner(leader)
	after := s.list()
	s.takeSent()
	_, err := s.client.AddLearner(s.Context(), s.through(before, leader), []string{s.Place(s.T)})
	s.want(err, etcdclient.ErrSetChanged)
	s.want(s.client.Promote(s.Context(), s.through(before, leader), learner), etcdclient.ErrSetChanged)
	s.want(s.client.Remove(s.Context(), s.through(before, leader), followers[0]), etcdclient.ErrSetChanged)
	s.want(s.client.MoveLeader(s.Context(), s.through(before, leader), followers[0]), etcdclient.ErrSetChanged)
	another := s.through(after, leader)
	another.Judged.ClusterID++
	s.want(s.client.Remove(s.Context(), another, learner), etcdclient.ErrSetChanged)
	s.wantNothingSent()
	s.wantSame(after)

	if err := s.client.Remove(s.Context(), s.through(after, leader), learner); err != nil {
		s.Fatal(err)
	}
	s.wantSame(before)
}

// The list is read from any endpoint first, and then from the member that is asked.
func changingSet(s *suite) {
	leader, followers := s.roles(s.list())
	learner := s.addLearner(leader)
	list := s.list()
	change := s.through(list, leader)
	change.Endpoints = find(list, followers[0]).ClientURLs
	s.takeSent()

	somebody := etcdclient.New(etcdclient.Config{TLS: s.TLS(), Dial: s.Dial})
	s.Cleanup(somebody.Close)
	s.mu.Lock()
	s.beforeList = map[string]func(){strings.Join(find(list, leader).ClientURLs, ","): func() {
		if err := somebody.Remove(s.Context(), s.through(list, followers[0]), learner); err != nil {
			s.Errorf("somebody else: %v", err)
		}
	}}
	s.mu.Unlock()
	s.want(s.client.Remove(s.Context(), change, followers[1]), etcdclient.ErrSetChanged)
	s.wantNothingSent()
	if now := s.list(); len(now.Members) != 3 {
		s.Errorf("got %+v; want the three voters", now)
	}
}

func outcomeUnknown(s *suite) {
	leader, followers := s.roles(s.list())
	// Leave nothing for etcd to refuse.
	spare := s.addLearner(leader)
	if err := s.client.Remove(s.Context(), s.through(s.list(), leader), spare); err != nil {
		s.Fatal(err)
	}
	list := s.list()
	place := s.Place(s.T)
	s.setBefore(func() {
		for _, id := range followers {
			s.Pause(s.T, id)
		}
	})
	_, err := s.client.AddLearner(s.Context(), s.through(list, leader), []string{place})
	s.want(err, etcdclient.ErrOutcomeUnknown)
	s.setBefore(nil)
	for _, id := range followers {
		s.Resume(s.T, id)
	}
	// It may have been made or not, and nothing else may have been.
	now := s.eventuallyList()
	now.Members = slices.DeleteFunc(now.Members, func(m etcdclient.Member) bool {
		return m.Learner && slices.Equal(m.PeerURLs, []string{place})
	})
	if now.Judged() != list.Judged() {
		s.Errorf("got members %+v besides the learner; want %+v", now.Members, list.Members)
	}
}

func noSpace(s *suite) {
	list := s.list()
	_, followers := s.roles(list)
	s.Exhaust(s.T, followers[0])
	s.wantAlarm(list, followers[0], snapshot.False, snapshot.True)
}

func corrupt(s *suite) {
	list := s.list()
	_, followers := s.roles(list)
	s.MarkCorrupt(s.T, followers[0])
	s.wantAlarm(list, followers[0], snapshot.True, snapshot.False)
}

// wantAlarm fails unless one member has the alarms given and the others have none. All of them serve.
func (s *suite) wantAlarm(list etcdclient.MemberList, id snapshot.MemberID, corrupt, noSpace snapshot.Fact) {
	s.Helper()
	for member, p := range s.probes(list) {
		wantCorrupt, wantNoSpace := snapshot.False, snapshot.False
		if member == id {
			wantCorrupt, wantNoSpace = corrupt, noSpace
		}
		if p.Corrupt != wantCorrupt || p.NoSpace != wantNoSpace {
			s.Errorf("member %s: corrupt %s, no space %s; want %s and %s", member, p.Corrupt, p.NoSpace, wantCorrupt, wantNoSpace)
		}
		if err := served(p); err != nil {
			s.Errorf("member %s: %v", member, err)
		}
	}
}

// The member hangs when it is removed, so that it does not close the connection itself.
func goneMember(s *suite) {
	leader, followers := s.roles(s.list())
	gone := followers[1]
	s.client.Close()
	label := "client of " + s.Name()
	pprof.Do(s.Context(), pprof.Labels("contract", label), func(context.Context) {
		s.client = etcdclient.New(etcdclient.Config{TLS: s.TLS(), Dial: s.record})
		defer s.client.Close()
		list := s.list()
		s.eventuallyServed(list, idsOf(list)...)
		s.wantConnections(1, idsOf(list)...)
		with := goroutinesOf(label)
		s.Pause(s.T, gone)
		s.changeInQuiet("remove", func() error {
			return s.client.Remove(s.Context(), s.through(s.list(), leader), gone)
		})
		s.wantConnections(1, gone)
		// Its endpoint is neither given any more nor listed.
		list, err := s.client.MemberList(s.Context(), find(list, leader).ClientURLs)
		if err != nil {
			s.Fatal(err)
		}
		s.wantConnections(0, gone)
		s.eventually("the goroutines of the connection are gone", func() error {
			if got := goroutinesOf(label); with > 1 && got >= with {
				return fmt.Errorf("%d goroutines, %d before", got, with)
			}
			return nil
		})
		s.wantServed(s.probes(list), leader, followers[0])
		s.wantConnections(1, leader, followers[0])
	})
	s.eventually("the goroutines of the client are gone", func() error {
		if got := goroutinesOf(label); got != 0 {
			return fmt.Errorf("%d goroutines", got)
		}
		return nil
	})
}

// wantConnections waits until each of the members has that many connections from this process.
func (s *suite) wantConnections(want int, ids ...snapshot.MemberID) {
	s.Helper()
	for _, id := range ids {
		s.eventually("count connections", func() error {
			if got := s.Connections(s.T, id); got != want {
				return fmt.Errorf("member %s has %d connections, want %d", id, got, want)
			}
			return nil
		})
	}
}

// wantSame fails unless the member set is that of a list.
func (s *suite) wantSame(list etcdclient.MemberList) {
	s.Helper()
	if now := s.list(); now.Judged() != list.Judged() {
		s.Fatalf("the member set changed from\n%+v\nto\n%+v", list.Members, now.Members)
	}
}

func idsOf(list etcdclient.MemberList) []snapshot.MemberID {
	var ids []snapshot.MemberID
	for _, m := range list.Members {
		ids = append(ids, m.ID)
	}
	return ids
}

func find(list etcdclient.MemberList, id snapshot.MemberID) *etcdclient.Member { return list.Find(id) }

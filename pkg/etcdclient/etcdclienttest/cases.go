package etcdclienttest

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

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
	{name: "a member out of space has that alarm and no other has", run: noSpace},
	{name: "a corrupt member has that alarm and no other has", run: corrupt},
	{name: "a corruption that names no member is everybody's", run: corruptSomewhere},
	{name: "what belongs to a member goes with it", run: goneMember},
	{name: "a killed voter is missed at no call", run: func(s *suite) { s.missed((*suite).killed, false) }},
	{name: "a hanging voter is missed at no call", run: func(s *suite) { s.missed((*suite).paused, false) }},
	{name: "a voter cut off from its peers is missed at no call", run: func(s *suite) { s.missed((*suite).cut, false) }},
	{name: "a leader cut off from its peers is missed at no call", run: func(s *suite) { s.missed((*suite).cut, true) }},
	{name: "who does not serve is not attended", run: notAttended},
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
	for id, p := range s.served(list, idsOf(list)...) {
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
	probes := s.served(list, alive...)
	s.wantSilence(probes[dead[0]])
	s.wantSilence(probes[dead[1]])
	s.remove(alive[0], dead[0])
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
	s.wantSilence(s.served(list, others...)[hanging])
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
	s.eventually("list members", func() error {
		_, err := s.client.MemberList(s.Context(), endpoints)
		return err
	})
	s.Resume(s.T, hanging)
	s.served(list, hanging)
}

func killedVoter(s *suite) {
	list := s.list()
	_, followers := s.roles(list)
	dead := followers[0]
	s.Kill(s.T, dead)
	s.wantSilence(s.served(list, without(idsOf(list), dead)...)[dead])
	s.list()
	s.Restart(s.T, dead)
	s.served(list, dead)
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
	others := without(idsOf(list), id)
	s.eventually("the member says that it cannot serve, and the others serve", func() error {
		probes := s.probes(list)
		for _, other := range others {
			if err := didServe(probes[other]); err != nil {
				return err
			}
		}
		if p := probes[id]; p.CannotServe != snapshot.True || !errors.Is(p.Err, etcdclient.ErrCannotServe) {
			return fmt.Errorf("probe of the member that is cut off: %+v", p)
		}
		return nil
	})
	s.Reconnect(s.T, id)
	s.served(list, id)
}

func noQuorum(s *suite) {
	list := s.list()
	leader, followers := s.roles(list)
	for _, id := range followers {
		s.Kill(s.T, id)
	}
	var probes map[snapshot.MemberID]etcdclient.Probe
	s.eventually("the last member says that it cannot serve", func() error {
		probes = s.probes(list)
		if p := probes[leader]; !errors.Is(p.Err, etcdclient.ErrCannotServe) || !p.StatusKnown || p.Status.Leader != 0 {
			return fmt.Errorf("probe: %+v", probes[leader])
		}
		return nil
	})
	if p := probes[leader]; p.CannotServe != snapshot.True || p.Corrupt != snapshot.Unknown || p.NoSpace != snapshot.Unknown {
		s.Errorf("got %+v; want a witness against itself whose alarms are unknown", p)
	}
	s.wantSilence(probes[followers[0]])
	change := s.through(list, leader)
	place := []string{s.Place(s.T)}
	listFrom := func(endpoints []string) func() error {
		return func() error {
			_, err := s.client.MemberList(s.Context(), endpoints)
			return err
		}
	}
	add := func() error {
		_, err := s.client.AddLearner(s.Context(), change, place)
		return err
	}
	remove := func() error { return s.client.Remove(s.Context(), change, followers[0]) }
	s.want(etcdclient.ErrCannotServe, add)
	s.want(etcdclient.ErrCannotServe, remove)
	s.wantNothingSent()

	s.Kill(s.T, leader)
	s.want(etcdclient.ErrNoEndpoint, listFrom(s.Endpoints()))
	s.want(etcdclient.ErrNoEndpoint, listFrom(nil))
	s.want(etcdclient.ErrNoEndpoint, remove)
	s.wantNothingSent()

	s.client.Close()
	s.want(etcdclient.ErrClosed, listFrom(s.Endpoints()))
}

func rotatedCertificates(s *suite) {
	list := s.list()
	s.served(list, idsOf(list)...)
	s.RotateCertificates(s.T)
	s.served(list, idsOf(list)...)
	s.list()
}

func unstartedLearner(s *suite) {
	leader, followers := s.roles(s.list())
	learner := s.addLearner(followers[0])
	list := s.list()
	if m := list.Find(learner); m == nil || m.Started() || !m.Learner || m.Name != "" {
		s.Fatalf("got %+v; want an unstarted learner %s", list, learner)
	}
	if p := s.served(list, leader)[learner]; !errors.Is(p.Err, etcdclient.ErrUnstarted) || p.CannotServe != snapshot.Unknown || p.StatusKnown {
		s.Errorf("got %+v; want an unstarted member, of which nothing is known", p)
	}
	for _, through := range []snapshot.MemberID{leader, followers[0]} {
		s.want(etcdclient.ErrNotInSync, func() error { return s.client.Promote(s.Context(), s.through(list, through), learner) })
	}

	s.Start(s.T, learner)
	s.eventually("the learner serves", func() error {
		list = s.list()
		return didServe(s.probes(list)[learner])
	})
	if p := s.served(list, learner, leader)[learner]; !p.Status.Learner || p.Corrupt != snapshot.False {
		s.Errorf("got %+v; want a learner that is known not to be corrupt", p)
	}
	s.promote(learner, followers[0])
}

// promote waits until the learner is in sync.
func (s *suite) promote(learner, through snapshot.MemberID) {
	s.Helper()
	var list etcdclient.MemberList
	s.eventually("promote the learner", func() error {
		list = s.list()
		if m := list.Find(learner); m != nil && !m.Learner {
			return nil
		}
		err := s.client.Promote(s.Context(), s.through(list, through), learner)
		if errors.Is(err, etcdclient.ErrNotInSync) {
			return err
		}
		return s.again(err)
	})
	s.served(list, learner)
}

func laggingLearner(s *suite) {
	list := s.list()
	leader, _ := s.roles(list)
	learner := s.startLearner(leader)
	applied := s.served(s.list(), leader)[leader].Status.AppliedIndex
	s.Pause(s.T, learner)
	// etcd compares with nine tenths of the leader's index.
	s.Write(s.T, int(applied))
	s.want(etcdclient.ErrNotInSync, func() error {
		return s.client.Promote(s.Context(), s.through(s.list(), leader), learner)
	})
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
	s.want(etcdclient.ErrLearnerCannotServe, func() error {
		_, err := s.client.MemberList(s.Context(), find(list, learner).ClientURLs)
		return err
	})
	s.want(etcdclient.ErrMisdirected, func() error {
		return s.client.Remove(s.Context(), s.through(list, learner), leader)
	})
	s.served(list, learner, leader)
}

func tooManyLearners(s *suite) {
	leader, _ := s.roles(s.list())
	s.addLearner(leader)
	list := s.list()
	place := []string{s.Place(s.T)}
	s.want(etcdclient.ErrTooManyLearners, func() error {
		_, err := s.client.AddLearner(s.Context(), s.through(list, leader), place)
		return err
	})
	s.wantSame(list)
}

func peerURLs(s *suite) {
	list := s.list()
	leader, followers := s.roles(list)
	taken := find(list, followers[0]).PeerURLs
	add := func(urls []string) func() error {
		return func() error {
			_, err := s.client.AddLearner(s.Context(), s.through(list, leader), urls)
			return err
		}
	}
	s.want(etcdclient.ErrAlreadyExists, add(taken))
	s.takeSent()
	for _, urls := range [][]string{nil, {"192.0.2.1:2380"}, {"https://192.0.2.1"}, {"unix:///tmp/etcd"}, {"https://192.0.2.1:2380", "garbage"}} {
		s.want(etcdclient.ErrRefused, add(urls))
	}
	s.wantNothingSent()
	s.wantSame(list)
}

func wrongSubjects(s *suite) {
	const nobody = snapshot.MemberID(0xdead)
	list := s.list()
	leader, followers := s.roles(list)
	change := s.through(list, leader)
	s.want(etcdclient.ErrMemberNotFound, func() error { return s.client.Promote(s.Context(), change, nobody) })
	s.want(etcdclient.ErrMemberNotFound, func() error { return s.client.Remove(s.Context(), change, nobody) })
	s.want(etcdclient.ErrNotLearner, func() error { return s.client.Promote(s.Context(), change, followers[0]) })
	s.wantSame(list)
}

func removalBreakingQuorum(s *suite) {
	list := s.list()
	leader, followers := s.roles(list)
	dead := followers[1]
	s.Kill(s.T, dead)
	s.want(etcdclient.ErrQuorumAtRisk, s.removal(list, leader, followers[0]))
	s.wantSame(list)
	s.remove(leader, dead)
	list = s.list()
	if got, want := len(list.Members), 2; got != want || list.Find(dead) != nil {
		s.Fatalf("got %+v; want %d members without %s", list, want, dead)
	}
	s.want(etcdclient.ErrMemberNotFound, s.removal(list, leader, dead))
}

// removal is one attempt at removing a member from the set of a list.
func (s *suite) removal(list etcdclient.MemberList, through, id snapshot.MemberID) func() error {
	return func() error { return s.client.Remove(s.Context(), s.through(list, through), id) }
}

// move is one attempt at moving leadership.
func (s *suite) move(list etcdclient.MemberList, from, to snapshot.MemberID) func() error {
	return func() error { return s.client.MoveLeader(s.Context(), s.through(list, from), to) }
}

func misdirected(s *suite) {
	leader, followers := s.roles(s.list())
	learner := s.addLearner(leader)
	list := s.list()
	s.takeSent()
	for _, id := range []snapshot.MemberID{leader, followers[0]} {
		s.want(etcdclient.ErrMisdirected, s.removal(list, id, id))
	}
	s.want(etcdclient.ErrMisdirected, func() error {
		return s.client.Promote(s.Context(), s.through(list, learner), learner)
	})
	s.want(etcdclient.ErrMisdirected, s.removal(list, learner, leader))
	s.want(etcdclient.ErrMisdirected, s.removal(list, 0xdead, leader))
	s.wantNothingSent()

	// The one that was named gets it, whichever endpoints the list came from.
	for _, through := range followers {
		s.want(etcdclient.ErrMemberNotFound, s.removal(list, through, 0xdead))
		want := []string{"remove dead at " + strings.Join(find(list, through).ClientURLs, ",")}
		if diff := cmp.Diff(want, slices.Compact(s.takeSent())); diff != "" {
			s.Errorf("unexpected changes sent (-want +got):\n%s", diff)
		}
	}
}

func leaderMoves(s *suite) {
	leader, _ := s.roles(s.list())
	learner := s.addLearner(leader)
	list := s.list()
	s.want(etcdclient.ErrNotLeader, func() error {
		_, followers := s.roles(list)
		return s.move(list, followers[0], followers[1])()
	})
	s.want(etcdclient.ErrBadTransferee, s.moveFromLeader(list, learner))
	s.want(etcdclient.ErrBadTransferee, s.moveFromLeader(list, 0xdead))
	s.want(etcdclient.ErrMisdirected, s.move(list, leader, leader))
	_, followers := s.roles(list)
	s.eventually("leadership moves", func() error {
		if now, _ := s.roles(list); now == followers[0] {
			return nil
		}
		return s.again(s.moveFromLeader(list, followers[0])())
	})
}

// moveFromLeader is one attempt at moving leadership from whoever has it. That it was lost meanwhile is no verdict.
func (s *suite) moveFromLeader(list etcdclient.MemberList, to snapshot.MemberID) func() error {
	return func() error {
		leader, _ := s.roles(list)
		err := s.move(list, leader, to)()
		if errors.Is(err, etcdclient.ErrNotLeader) {
			return fmt.Errorf("%w: %v", etcdclient.ErrNoAnswer, err)
		}
		return err
	}
}

func changedSet(s *suite) {
	before := s.list()
	leader, followers := s.roles(before)
	learner := s.addLearner(leader)
	after := s.list()
	s.takeSent()
	place := []string{s.Place(s.T)}
	s.want(etcdclient.ErrSetChanged, func() error {
		_, err := s.client.AddLearner(s.Context(), s.through(before, leader), place)
		return err
	})
	s.want(etcdclient.ErrSetChanged, func() error {
		return s.client.Promote(s.Context(), s.through(before, leader), learner)
	})
	s.want(etcdclient.ErrSetChanged, s.removal(before, leader, followers[0]))
	s.want(etcdclient.ErrSetChanged, s.move(before, leader, followers[0]))
	another := after
	another.ClusterID++
	s.want(etcdclient.ErrSetChanged, s.removal(another, leader, learner))
	s.wantNothingSent()
	s.wantSame(after)

	s.remove(leader, learner)
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
		if err := somebody.Remove(s.Context(), s.through(list, followers[0]), learner); err != nil && !isPassing(err) {
			s.Errorf("somebody else: %v", err)
		}
	}}
	s.mu.Unlock()
	s.want(etcdclient.ErrSetChanged, func() error { return s.client.Remove(s.Context(), change, followers[1]) })
	s.wantNothingSent()
	if now := s.list(); len(now.Members) != 3 {
		s.Errorf("got %+v; want the three voters", now)
	}
}

func outcomeUnknown(s *suite) {
	leader, followers := s.roles(s.list())
	// Leave nothing for etcd to refuse.
	s.remove(leader, s.addLearner(leader))
	list := s.list()
	place := s.Place(s.T)
	s.setBefore(func() {
		for _, id := range followers {
			s.Pause(s.T, id)
		}
	})
	s.want(etcdclient.ErrOutcomeUnknown, func() error {
		_, err := s.client.AddLearner(s.Context(), s.through(list, leader), []string{place})
		return err
	})
	s.setBefore(nil)
	for _, id := range followers {
		s.Resume(s.T, id)
	}
	// It may have been made or not, and nothing else may have been.
	now := s.list()
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

func corruptSomewhere(s *suite) {
	list := s.list()
	s.MarkCorrupt(s.T, 0)
	s.eventually("all members have the alarm", func() error {
		for member, p := range s.probes(list) {
			if p.Corrupt != snapshot.True || p.NoSpace != snapshot.False {
				return fmt.Errorf("member %s: corrupt %s, no space %s; want %s and %s", member, p.Corrupt, p.NoSpace, snapshot.True, snapshot.False)
			}
		}
		return nil
	})
}

// wantAlarm waits until one member has the alarms given, the others are known to have none, and all serve.
func (s *suite) wantAlarm(list etcdclient.MemberList, id snapshot.MemberID, corrupt, noSpace snapshot.Fact) {
	s.Helper()
	s.eventually("one member has the alarm", func() error {
		for member, p := range s.probes(list) {
			wantCorrupt, wantNoSpace := snapshot.False, snapshot.False
			if member == id {
				wantCorrupt, wantNoSpace = corrupt, noSpace
			}
			if p.Corrupt != wantCorrupt || p.NoSpace != wantNoSpace {
				return fmt.Errorf("member %s: corrupt %s, no space %s; want %s and %s", member, p.Corrupt, p.NoSpace, wantCorrupt, wantNoSpace)
			}
			if err := didServe(p); err != nil {
				return fmt.Errorf("member %s: %w", member, err)
			}
		}
		return nil
	})
}

// attend attends members, and returns when all have agreed, with channels that hold the error when it is over.
func (s *suite) attend(list etcdclient.MemberList, ids ...snapshot.MemberID) map[snapshot.MemberID]chan error {
	s.Helper()
	ended, begun := map[snapshot.MemberID]chan error{}, make(chan struct{}, len(ids))
	for _, id := range ids {
		over := make(chan error, 1)
		ended[id] = over
		go func() {
			over <- s.client.Attend(s.Context(), &list, list.Find(id), func() { begun <- struct{}{} })
		}()
	}
	late := time.After(patience)
	for range ids {
		select {
		case <-begun:
		case <-late:
			s.Fatalf("not all of %v are attended after %s", ids, patience)
		}
	}
	return ended
}

func (s *suite) killed(id snapshot.MemberID) { s.Kill(s.T, id) }
func (s *suite) paused(id snapshot.MemberID) { s.Pause(s.T, id) }
func (s *suite) cut(id snapshot.MemberID)    { s.CutOff(s.T, id) }

// missed attends three voters, lets a fault befall one of them, and waits until that is noticed while nobody asks anything.
func (s *suite) missed(fault func(*suite, snapshot.MemberID), leads bool) {
	list := s.list()
	leader, followers := s.roles(list)
	subject := followers[0]
	if leads {
		subject = leader
	}
	ended := s.attend(list, idsOf(list)...)
	s.takeAsked()
	began := time.Now()
	fault(s, subject)
	select {
	case err := <-ended[subject]:
		s.Logf("noticed after %s: %v", time.Since(began).Round(time.Millisecond), err)
		if !errors.Is(err, etcdclient.ErrNoAnswer) && !errors.Is(err, etcdclient.ErrCannotServe) {
			s.Errorf("got error %v; want one of a probe", err)
		}
	case <-time.After(patience):
		s.Fatalf("not noticed after %s", patience)
	}
	if asked := s.takeAsked(); asked > 0 {
		s.Errorf("etcd was asked %d times meanwhile", asked)
	}
	for _, id := range without(idsOf(list), subject) {
		select {
		case err := <-ended[id]:
			s.Errorf("member %s, which serves, is missed as well: %v", id, err)
		default:
		}
	}
	s.served(list, without(idsOf(list), subject)...)
}

func notAttended(s *suite) {
	list := s.list()
	leader, followers := s.roles(list)
	learner := s.startLearner(leader)
	s.Kill(s.T, followers[0])
	list = s.list()
	attend := func(ctx context.Context, m *etcdclient.Member) error {
		return s.client.Attend(ctx, &list, m, func() { s.Errorf("%+v has agreed", m) })
	}
	s.want(etcdclient.ErrLearnerCannotServe, func() error { return attend(s.Context(), list.Find(learner)) })
	s.want(etcdclient.ErrUnstarted, func() error { return attend(s.Context(), &etcdclient.Member{ID: 1}) })
	if err := attend(s.Context(), list.Find(followers[0])); !errors.Is(err, etcdclient.ErrNoAnswer) {
		s.Errorf("got error %v; want silence", err)
	}
	gone, leave := context.WithCancel(s.Context())
	leave()
	if err := attend(gone, list.Find(leader)); !errors.Is(err, context.Canceled) {
		s.Errorf("got error %v; want that of the context", err)
	}
	s.client.Close()
	s.want(etcdclient.ErrClosed, func() error { return attend(s.Context(), list.Find(leader)) })
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
		s.wantOneConnection(list)
		ended := s.attend(list, idsOf(list)...)
		with := goroutinesOf(label)
		s.Pause(s.T, gone)
		s.remove(leader, gone)
		// Its endpoint is neither given any more nor listed.
		s.eventually("list members", func() (err error) {
			list, err = s.client.MemberList(s.Context(), find(list, leader).ClientURLs)
			return err
		})
		s.eventually("the connection is gone", func() error {
			if got := s.Connections(s.T, gone); got != 0 {
				return fmt.Errorf("%d connections", got)
			}
			return nil
		})
		s.eventually("the goroutines of the connection are gone", func() error {
			if got := goroutinesOf(label); with > 1 && got >= with {
				return fmt.Errorf("%d goroutines, %d before", got, with)
			}
			return nil
		})
		s.eventually("it is not attended any more", func() error {
			if len(ended[gone]) == 0 {
				return errors.New("it is")
			}
			return nil
		})
		s.wantOneConnection(list)
	})
	s.eventually("the goroutines of the client are gone", func() error {
		if got := goroutinesOf(label); got != 0 {
			return fmt.Errorf("%d goroutines", got)
		}
		return nil
	})
}

// wantOneConnection waits until all members serve and each has one connection from this process.
func (s *suite) wantOneConnection(list etcdclient.MemberList) {
	s.Helper()
	s.eventually("each member has one connection", func() error {
		s.served(list, idsOf(list)...)
		for _, id := range idsOf(list) {
			if got := s.Connections(s.T, id); got != 1 {
				return fmt.Errorf("member %s has %d connections", id, got)
			}
		}
		return nil
	})
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

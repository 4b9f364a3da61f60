package etcdclient_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// In a bubble of synctest time passes only while everybody waits, so durations are exact.

func listOf(t *testing.T, cluster *etcdclienttest.Cluster, client *etcdclient.Client) etcdclient.MemberList {
	t.Helper()
	list, err := client.MemberList(t.Context(), cluster.Endpoints())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func probesOf(t *testing.T, client *etcdclient.Client, list etcdclient.MemberList) map[snapshot.MemberID]etcdclient.Probe {
	t.Helper()
	probes, err := client.Probe(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	of := map[snapshot.MemberID]etcdclient.Probe{}
	for _, p := range probes {
		of[p.Member] = p
	}
	return of
}

func TestTwoHangingMembersCostTheDeadlineOfOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := etcdclienttest.New(t, etcdclienttest.Options{Voters: 5})
		client := cluster.Client(t)
		list := listOf(t, cluster, client)
		cluster.Pause(t, list.Members[3].ID)
		cluster.Pause(t, list.Members[4].ID)

		began := time.Now()
		probes := probesOf(t, client, list)
		if got := time.Since(began); got != etcdclient.ProbeTimeout {
			t.Errorf("the probes took %s, want %s", got, etcdclient.ProbeTimeout)
		}
		for i, m := range list.Members {
			if got, want := probes[m.ID].Err == nil, i < 3; got != want {
				t.Errorf("member %d: served %t, want %t: %v", i, got, want, probes[m.ID].Err)
			}
		}

		began = time.Now()
		listOf(t, cluster, client)
		if got := time.Since(began); got != 0 {
			t.Errorf("the list took %s with members that answer at once", got)
		}
	})
}

func TestWhenAllHangAListEndsAtItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := etcdclienttest.New(t, etcdclienttest.Options{})
		client := cluster.Client(t)
		list := listOf(t, cluster, client)
		for _, m := range list.Members {
			cluster.Pause(t, m.ID)
		}
		began := time.Now()
		_, err := client.MemberList(t.Context(), cluster.Endpoints())
		if !errors.Is(err, etcdclient.ErrNoEndpoint) {
			t.Errorf("got error %v, want %v", err, etcdclient.ErrNoEndpoint)
		}
		if got := time.Since(began); got != etcdclient.ProbeTimeout {
			t.Errorf("the list took %s, want %s", got, etcdclient.ProbeTimeout)
		}
	})
}

// A pass that is interrupted must not make the members that were slower look dead.
func TestAnInterruptedPassHasNoProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := etcdclienttest.New(t, etcdclienttest.Options{})
		client := cluster.Client(t)
		list := listOf(t, cluster, client)
		cluster.Pause(t, list.Members[2].ID)
		ctx, cancel := context.WithTimeout(t.Context(), etcdclient.ProbeTimeout/2)
		defer cancel()
		probes, err := client.Probe(ctx, list)
		if probes != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v and error %v, want no probes and %v", probes, err, context.DeadlineExceeded)
		}
	})
}

// slow delays each list and lets changes hang.
type slow struct {
	etcdclient.Conn
	delay time.Duration
}

func (s slow) List(ctx context.Context) (etcdclient.MemberList, error) {
	select {
	case <-time.After(s.delay):
		return s.Conn.List(ctx)
	case <-ctx.Done():
		return etcdclient.MemberList{}, ctx.Err()
	}
}

func (s slow) Remove(ctx context.Context, _ snapshot.MemberID) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestListingAgainAndWritingShareOneDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := etcdclienttest.New(t, etcdclienttest.Options{})
		list := listOf(t, cluster, cluster.Client(t))
		for name, test := range map[string]struct {
			delay time.Duration
			want  error
		}{
			"both lists in time":                           {delay: 2 * time.Second, want: etcdclient.ErrOutcomeUnknown},
			"the second too late, so that nothing is sent": {delay: 3 * time.Second, want: etcdclient.ErrNoAnswer},
			"the first too late, so that nothing is sent":  {delay: 6 * time.Second, want: etcdclient.ErrNoEndpoint},
		} {
			client := etcdclient.New(etcdclient.Config{TLS: cluster.TLS(), Dial: func(urls []string, credentials func() (*tls.Config, error)) (etcdclient.Conn, error) {
				conn, err := cluster.Dial(urls, credentials)
				return slow{conn, test.delay}, err
			}})
			began := time.Now()
			err := client.Remove(t.Context(), etcdclient.Change{
				Endpoints: cluster.Endpoints(), Judged: list.Judged(), Through: list.Members[0].ID,
			}, list.Members[1].ID)
			if !errors.Is(err, test.want) || errors.Is(err, etcdclient.ErrOutcomeUnknown) != (test.want == etcdclient.ErrOutcomeUnknown) {
				t.Errorf("%s: got error %v, want %v", name, err, test.want)
			}
			if got := time.Since(began); got != etcdclient.WriteTimeout {
				t.Errorf("%s: it took %s, want %s", name, got, etcdclient.WriteTimeout)
			}
			client.Close()
		}
	})
}

func TestAnEndpointThatPassedToAnotherMemberIsNoWitness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := etcdclienttest.New(t, etcdclienttest.Options{Voters: 5})
		list := listOf(t, cluster, cluster.Client(t))
		lost, other := list.Members[3].ID, list.Members[4].ID
		cluster.Kill(t, lost)
		cluster.Impersonate(t, lost, other)

		client := cluster.Client(t)
		wantNoWitness := func(want error) {
			t.Helper()
			p := probesOf(t, client, list)[lost]
			if !errors.Is(p.Err, want) || p.CannotServe != snapshot.Unknown || p.StatusKnown {
				t.Errorf("got %+v; want %q, and nothing known of the member", p, want)
			}
		}
		wantNoWitness(etcdclient.ErrOtherMember)
		err := client.Remove(t.Context(), etcdclient.Change{
			Endpoints: cluster.Endpoints(), Judged: list.Judged(), Through: lost,
		}, list.Members[1].ID)
		if !errors.Is(err, etcdclient.ErrOtherMember) || errors.Is(err, etcdclient.ErrOutcomeUnknown) {
			t.Errorf("got error %v, want %v", err, etcdclient.ErrOtherMember)
		}
		if got := listOf(t, cluster, client); got.Judged() != list.Judged() {
			t.Errorf("the member set changed to %+v", got)
		}

		if err := client.Attend(t.Context(), &list, list.Find(lost), func() { t.Error("the other one is attended") }); !errors.Is(err, etcdclient.ErrOtherMember) {
			t.Errorf("got error %v, want %v", err, etcdclient.ErrOtherMember)
		}

		// That the other one cannot serve says nothing about the lost one either.
		cluster.CutOff(t, other)
		for probesOf(t, client, list)[other].CannotServe != snapshot.True {
			select {
			case <-time.After(100 * time.Millisecond):
			case <-t.Context().Done():
				t.Fatal("the member that is cut off never said that it cannot serve")
			}
		}
		wantNoWitness(etcdclient.ErrCannotServe)
	})
}

// stub is an endpoint that counts what it is asked and answers when the test lets it.
type stub struct {
	etcdclient.Conn
	stubs *stubs
	url   string
}

type stubs struct {
	mu           sync.Mutex
	now, most    int
	reads        map[string]int
	dialed       []string
	closed       []string
	release      chan struct{}
	list         etcdclient.MemberList
	alarms       []etcdclient.Alarm
	listsBlocked bool
	// listsEnd is the error of every list; broken is what connections say of themselves.
	listsEnd error
	broken   bool
}

func (s *stubs) dial(urls []string, _ func() (*tls.Config, error)) (etcdclient.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	url := strings.Join(urls, ",")
	s.dialed = append(s.dialed, url)
	return &stub{stubs: s, url: url}, nil
}

func (c *stub) Broken() bool { return c.stubs.broken }

func (c *stub) Close() error {
	c.stubs.mu.Lock()
	defer c.stubs.mu.Unlock()
	c.stubs.closed = append(c.stubs.closed, c.url)
	return nil
}

func (c *stub) wait(ctx context.Context) error {
	select {
	case <-c.stubs.release:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *stub) List(ctx context.Context) (etcdclient.MemberList, error) {
	if c.stubs.listsBlocked && strings.Contains(c.url, "slow") {
		if err := c.wait(ctx); err != nil {
			return etcdclient.MemberList{}, err
		}
	}
	return c.stubs.list, c.stubs.listsEnd
}

func (c *stub) Read(ctx context.Context, _ bool) (etcdclient.Header, error) {
	c.stubs.mu.Lock()
	c.stubs.reads[c.url]++
	c.stubs.now++
	c.stubs.most = max(c.stubs.most, c.stubs.now)
	c.stubs.mu.Unlock()
	err := c.wait(ctx)
	c.stubs.mu.Lock()
	defer c.stubs.mu.Unlock()
	c.stubs.now--
	return etcdclient.Header{}, err
}

func (c *stub) Status(ctx context.Context) (etcdclient.Header, etcdclient.Status, error) {
	return etcdclient.Header{}, etcdclient.Status{}, c.wait(ctx)
}

func (c *stub) Alarms(context.Context) ([]etcdclient.Alarm, error) { return c.stubs.alarms, nil }

func newStubs() *stubs {
	return &stubs{
		reads: map[string]int{}, release: make(chan struct{}),
		list: etcdclient.MemberList{AnsweredBy: 1, Members: []etcdclient.Member{{ID: 1}}},
	}
}

// lacking takes members out of the lists that one endpoint gives.
type lacking struct {
	etcdclient.Conn
	lacks func(m etcdclient.Member, answers snapshot.MemberID) bool
}

func (c lacking) List(ctx context.Context) (etcdclient.MemberList, error) {
	list, err := c.Conn.List(ctx)
	list.Members = slices.DeleteFunc(list.Members, func(m etcdclient.Member) bool { return c.lacks(m, list.AnsweredBy) })
	return list, err
}

// Who is not listed counts as gone: its guard is deleted and its hook removed.
func TestAListWithoutTheMemberThatGaveItIsNoAnswer(t *testing.T) {
	for name, lacks := range map[string]func(m etcdclient.Member, answers snapshot.MemberID) bool{
		"an empty list":        func(etcdclient.Member, snapshot.MemberID) bool { return true },
		"a list of the others": func(m etcdclient.Member, answers snapshot.MemberID) bool { return m.ID == answers },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cluster := etcdclienttest.New(t, etcdclienttest.Options{})
				list := listOf(t, cluster, cluster.Client(t))
				lying := cluster.Endpoints()
				client := etcdclient.New(etcdclient.Config{TLS: cluster.TLS(), Dial: func(urls []string, credentials func() (*tls.Config, error)) (etcdclient.Conn, error) {
					conn, err := cluster.Dial(urls, credentials)
					if slices.Contains(lying, urls[0]) {
						conn = lacking{conn, lacks}
					}
					return conn, err
				}})
				defer client.Close()
				if got, err := client.MemberList(t.Context(), cluster.Endpoints()); !errors.Is(err, etcdclient.ErrNoEndpoint) {
					t.Errorf("got %+v and error %v, want %v", got, err, etcdclient.ErrNoEndpoint)
				}
				judged := etcdclient.MemberList{ClusterID: list.ClusterID}
				change := etcdclient.Change{Endpoints: cluster.Endpoints(), Judged: judged.Judged(), Through: list.Members[0].ID}
				if err := client.Remove(t.Context(), change, list.Members[1].ID); !errors.Is(err, etcdclient.ErrNoEndpoint) {
					t.Errorf("a change that rests on such a list: got error %v, want %v", err, etcdclient.ErrNoEndpoint)
				}

				lying = lying[:1]
				if got := listOf(t, cluster, client); got.Judged() != list.Judged() {
					t.Errorf("beside members that tell the truth, got %+v, want %+v", got, list)
				}
			})
		})
	}
}

// Garbage in the member list must neither open connections without end nor shorten the time that a member has.
func TestAnAbsurdNumberOfMembersIsAskedInTurns(t *testing.T) {
	const members, atOnce = 200, 64
	synctest.Test(t, func(t *testing.T) {
		s := newStubs()
		client := etcdclient.New(etcdclient.Config{Dial: s.dial})
		defer client.Close()
		var list etcdclient.MemberList
		for i := range members {
			list.Members = append(list.Members, etcdclient.Member{
				ID: snapshot.MemberID(i + 1), Learner: true, ClientURLs: []string{fmt.Sprintf("https://host-%d:2379", i)},
			})
		}
		began := time.Now()
		for _, p := range probesOf(t, client, list) {
			if !errors.Is(p.Err, etcdclient.ErrNoAnswer) {
				t.Fatalf("got error %v, want %v", p.Err, etcdclient.ErrNoAnswer)
			}
		}
		if s.most != atOnce || len(s.reads) != members {
			t.Errorf("%d members were asked, at most %d at the same time; want %d and %d", len(s.reads), s.most, members, atOnce)
		}
		turns := (members + atOnce - 1) / atOnce
		if got, want := time.Since(began), time.Duration(turns)*etcdclient.ProbeTimeout; got != want {
			t.Errorf("it took %s, want %s", got, want)
		}
	})
}

// A cluster at rest is asked often, and each call is work for it.
func TestWhatAnyMemberCanTellIsAskedOfOne(t *testing.T) {
	const first, second, third = "https://192.0.2.1:2379", "https://192.0.2.2:2379", "https://192.0.2.3:2379"
	for name, test := range map[string]struct {
		endpoints []string
		stubs     func(*stubs)
		dialed    []string
		took      time.Duration
		fails     bool
	}{
		"the first answers": {endpoints: []string{first, second, third}, dialed: []string{first}},
		"the first is silent, so the second is asked after its share of a second": {
			endpoints: []string{"https://slow.example:2379", second, third}, stubs: func(s *stubs) { s.listsBlocked = true },
			dialed: []string{"https://slow.example:2379", second}, took: time.Second / 3,
		},
		"each fails, so the next is asked at once": {
			endpoints: []string{first, second, third}, stubs: func(s *stubs) { s.listsEnd = errors.New("broken") },
			dialed: []string{first, second, third}, fails: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStubs()
				if test.stubs != nil {
					test.stubs(s)
				}
				client := etcdclient.New(etcdclient.Config{Dial: s.dial})
				defer client.Close()
				began := time.Now()
				_, err := client.MemberList(t.Context(), test.endpoints)
				if got := time.Since(began); (err != nil) != test.fails || got != test.took {
					t.Errorf("took %s and ended in %v, want %s and failure %t", got, err, test.took, test.fails)
				}
				if diff := cmp.Diff(test.dialed, s.dialed); diff != "" {
					t.Errorf("unexpected members were asked (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestAConnectionIsClosedWhenTheLastCallOnItHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStubs()
		s.listsBlocked = true
		client := etcdclient.New(etcdclient.Config{Dial: s.dial})
		defer client.Close()
		const slow, quick = "https://slow:2379", "https://quick:2379"
		done := make(chan error)
		go func() {
			_, err := client.MemberList(t.Context(), []string{slow})
			done <- err
		}()
		synctest.Wait()
		// Another caller, who knows nothing of that endpoint.
		if _, err := client.MemberList(t.Context(), []string{quick}); err != nil {
			t.Fatal(err)
		}
		if len(s.closed) > 0 {
			t.Fatalf("%q were closed under a call", s.closed)
		}
		close(s.release)
		if err := <-done; err != nil {
			t.Errorf("the first call: %v", err)
		}
		// The list of the first caller did not name the second's endpoint.
		slices.Sort(s.closed)
		if want := []string{quick, slow}; !slices.Equal(s.closed, want) {
			t.Errorf("closed are %q, want %q", s.closed, want)
		}
		if want := []string{slow, quick}; !slices.Equal(s.dialed, want) {
			t.Errorf("dialed were %q, want %q", s.dialed, want)
		}
	})
}

func TestAConnectionIsMadeAnewWhenItIsOfNoUse(t *testing.T) {
	const url = "https://host:2379"
	for name, test := range map[string]struct {
		listsEnd error
		broken   bool
		want     int
	}{
		"it answered":                       {want: 1},
		"it answered that it cannot serve":  {listsEnd: rpctypes.ErrNoLeader, want: 1},
		"nobody answered on it":             {listsEnd: context.DeadlineExceeded, want: 3},
		"it is broken although it answered": {broken: true, want: 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStubs()
			s.listsEnd, s.broken = test.listsEnd, test.broken
			client := etcdclient.New(etcdclient.Config{Dial: s.dial})
			for range 3 {
				if _, err := client.MemberList(t.Context(), []string{url}); (err == nil) != (test.listsEnd == nil) {
					t.Fatal(err)
				}
			}
			client.Close()
			if len(s.dialed) != test.want || len(s.closed) != test.want {
				t.Errorf("dialed %d times and closed %d times, want %d each", len(s.dialed), len(s.closed), test.want)
			}
		})
	}
}

func TestOnlyEncryptedEndpointsOnTheNetworkAreDialed(t *testing.T) {
	s := newStubs()
	client := etcdclient.New(etcdclient.Config{Dial: s.dial})
	defer client.Close()
	for _, url := range []string{
		"http://192.0.2.1:2379", "unix:///var/run/socket", "unixs://host:2379", "192.0.2.1:2379", "https://192.0.2.1",
		"https://:2379", "https://192.0.2.1:2379/path", "https://%zz:2379", "\x00", "",
	} {
		if _, err := client.MemberList(t.Context(), []string{url}); !errors.Is(err, etcdclient.ErrNoEndpoint) {
			t.Errorf("list from %q: got error %v, want %v", url, err, etcdclient.ErrNoEndpoint)
		}
		list := etcdclient.MemberList{Members: []etcdclient.Member{{ID: 1, ClientURLs: []string{"https://192.0.2.1:2379", url}}}}
		if p := probesOf(t, client, list)[1]; !errors.Is(p.Err, etcdclient.ErrNoAnswer) || p.CannotServe != snapshot.Unknown {
			t.Errorf("probe of %q: got %+v, want %v", url, p, etcdclient.ErrNoAnswer)
		}
	}
	if len(s.dialed) > 0 {
		t.Errorf("dialed were %q", s.dialed)
	}
	if _, err := client.MemberList(t.Context(), []string{"https://[2001:db8::1]:2379"}); err != nil {
		t.Errorf("list from an IPv6 address: %v", err)
	}
}

// TestTheSetOfASnapshotIsTheSetOfTheList ties the digest of what the operator judged to that of what it lists again.
func TestTheSetOfASnapshotIsTheSetOfTheList(t *testing.T) {
	list := etcdclient.MemberList{ClusterID: 7, Members: []etcdclient.Member{
		{ID: 1, Name: "master-0", PeerURLs: []string{"https://192.0.2.1:2380"}, ClientURLs: []string{"https://192.0.2.1:2379"}},
		{ID: 2, PeerURLs: []string{"https://192.0.2.2:2380"}, Learner: true},
	}}
	observed := snapshot.Snapshot{ClusterID: 7, Members: []snapshot.Member{
		{ID: 2, PeerURLs: []string{"https://192.0.2.2:2380"}, Learner: true, Health: snapshot.Unhealthy},
		{ID: 1, Name: "master-0", PeerURLs: []string{"https://192.0.2.1:2380"}, Started: true, Health: snapshot.Healthy},
	}}
	if got, want := list.Judged(), etcdclient.JudgedFrom(&observed); got != want {
		t.Errorf("got %+v from the list, %+v from the snapshot", got, want)
	}
	for name, change := range map[string]func(m *etcdclient.Member){
		"id":       func(m *etcdclient.Member) { m.ID++ },
		"name":     func(m *etcdclient.Member) { m.Name = "other" },
		"peer URL": func(m *etcdclient.Member) { m.PeerURLs = []string{"https://192.0.2.9:2380"} },
		"role":     func(m *etcdclient.Member) { m.Learner = !m.Learner },
		"start":    func(m *etcdclient.Member) { m.ClientURLs = nil },
	} {
		changed := etcdclient.MemberList{ClusterID: list.ClusterID, Members: slices.Clone(list.Members)}
		change(&changed.Members[0])
		if changed.Judged() == list.Judged() {
			t.Errorf("another %s makes no difference", name)
		}
	}
}

// An alarm that a later etcd brings may tell of the data.
func TestAnAlarmOfAKindThatIsNotKnownLeavesTheHealthUnknown(t *testing.T) {
	const other, corrupt = etcdclient.AlarmOther, etcdclient.AlarmCorrupt
	for name, test := range map[string]struct {
		alarms        []etcdclient.Alarm
		first, second snapshot.Fact
	}{
		"of one member":            {[]etcdclient.Alarm{{Member: 1, Kind: other}}, snapshot.Unknown, snapshot.False},
		"of nobody":                {[]etcdclient.Alarm{{Kind: other}}, snapshot.Unknown, snapshot.Unknown},
		"before one of corruption": {[]etcdclient.Alarm{{Member: 1, Kind: other}, {Member: 1, Kind: corrupt}}, snapshot.True, snapshot.False},
		"behind one of corruption": {[]etcdclient.Alarm{{Member: 1, Kind: corrupt}, {Member: 1, Kind: other}}, snapshot.True, snapshot.False},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStubs()
			s.alarms = test.alarms
			close(s.release)
			client := etcdclient.New(etcdclient.Config{Dial: s.dial})
			defer client.Close()
			probes, err := client.Probe(t.Context(), etcdclient.MemberList{Members: []etcdclient.Member{
				{ID: 1, ClientURLs: []string{"https://192.0.2.1:2379"}}, {ID: 2, ClientURLs: []string{"https://192.0.2.2:2379"}},
			}})
			if err != nil {
				t.Fatal(err)
			}
			if probes[0].Corrupt != test.first || probes[1].Corrupt != test.second || probes[0].NoSpace != snapshot.False {
				t.Errorf("corrupt %s and %s, want %s and %s", probes[0].Corrupt, probes[1].Corrupt, test.first, test.second)
			}
		})
	}
}

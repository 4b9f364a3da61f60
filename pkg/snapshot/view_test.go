package snapshot_test

import (
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// Invariant I6: a writer compares the digest of what was judged with that of what is there.
func TestMemberDigest(t *testing.T) {
	judged := world.New(world.Learner(d))
	want := judged.MemberDigest()
	for _, variant := range world.Reordered(judged) {
		if got := variant.Snapshot.MemberDigest(); got != want {
			t.Errorf("%s: digest %x, want %x", variant.Name, got, want)
		}
	}
	for _, tc := range []struct {
		name    string
		change  world.Edit
		differs bool
	}{
		{"a role", world.Member(d, func(m *snapshot.Member) { m.Learner = false }), true},
		{"a start", world.Member(d, func(m *snapshot.Member) { m.Started = false }), true},
		{"a name", name(d, "node-e"), true},
		{"an id", world.Member(d, func(m *snapshot.Member) { m.ID++ }), true},
		{"a peer URL", world.Member(d, func(m *snapshot.Member) { m.PeerURLs = []string{"https://192.0.2.14:2380"} }), true},
		{"one more peer URL", world.Member(d, func(m *snapshot.Member) { m.PeerURLs = append(m.PeerURLs, "https://[fd00::13]:2380") }), true},
		{"a character that moves from the name to the peer URL", world.Member(d, func(m *snapshot.Member) {
			m.Name, m.PeerURLs = "node-", []string{"d" + m.PeerURLs[0]}
		}), true},
		{"one member fewer", world.MemberGone(d), true},
		{"roles that two members exchange", func(w *world.World) { w.Member(c).Learner, w.Member(d).Learner = true, false }, true},
		{"health, index and alarms", world.Member(d, func(m *snapshot.Member) {
			m.Health, m.UnhealthyFor, m.AppliedIndex, m.Corrupt = snapshot.Unhealthy, time.Hour, 7, snapshot.True
		}), false},
		{"anything else", world.Cordoned(a), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := world.New(world.Learner(d), tc.change)
			if got := s.MemberDigest(); (got != want) != tc.differs {
				t.Errorf("digest %x of the judged set, %x now; differs should be %t", want, got, tc.differs)
			}
		})
	}
}

// Invariant I4: facts that contradict each other prove nothing, so what is listed twice is named.
func TestContradiction(t *testing.T) {
	for _, tc := range []struct {
		name  string
		world []world.Edit
		want  string
	}{
		{"nothing is listed twice", edits(world.Voter(d)), ""},
		{"two members of one name are none, while they have two ids", edits(world.Learner(d), name(d, "node-a")), ""},
		{"two members that have not started are none", edits(world.Learner(d), name(d, ""), name(c, "")), ""},
		{"a member", edits(fact(func(s *snapshot.Snapshot) { s.Members = append(s.Members, s.Members[1]) })), "member b"},
		{"a member under two names", edits(world.Learner(d), world.Member(d, func(m *snapshot.Member) { m.ID = b.ID() })), "member b"},
		{"a machine", edits(fact(func(s *snapshot.Snapshot) { s.Machines = append(s.Machines, s.Machines[1]) })), "machine machine-b"},
		{"a node", edits(fact(func(s *snapshot.Snapshot) { s.Nodes = append(s.Nodes, s.Nodes[1]) })), "node node-b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := world.New(tc.world...)
			for _, variant := range append(world.Reordered(s), world.Variant{Name: "as it is", Snapshot: s}) {
				if got := snapshot.NewView(&variant.Snapshot).Contradiction; got != tc.want {
					t.Errorf("%s: got %q, want %q", variant.Name, got, tc.want)
				}
			}
		})
	}
}

func TestViewCountsMembers(t *testing.T) {
	type counts struct{ Voters, HealthyVoters, Learners, Unstarted int }
	for _, tc := range []struct {
		name  string
		world []world.Edit
		want  counts
	}{
		{"three healthy voters", edits(), counts{Voters: 3, HealthyVoters: 3}},
		{"a learner is no voter", edits(world.Learner(d)), counts{Voters: 3, HealthyVoters: 3, Learners: 1}},
		{"a learner that has not started counts twice", edits(world.Learner(d), started(d, false)), counts{Voters: 3, HealthyVoters: 3, Learners: 1, Unstarted: 1}},
		{"a voter that has not started is a voter and not healthy", edits(started(c, false)), counts{Voters: 3, HealthyVoters: 2, Unstarted: 1}},
		{"an unhealthy voter", edits(world.Unhealthy(c, time.Second)), counts{Voters: 3, HealthyVoters: 2}},
		{"a voter of unknown health", edits(world.Member(c, func(m *snapshot.Member) { m.Health = snapshot.HealthUnknown })), counts{Voters: 3, HealthyVoters: 2}},
		{"a voter with alarm CORRUPT", edits(world.Member(c, func(m *snapshot.Member) { m.Corrupt = snapshot.True })), counts{Voters: 3, HealthyVoters: 2}},
		{"a voter whose alarms are unknown", edits(world.Member(c, func(m *snapshot.Member) { m.Corrupt = snapshot.Unknown })), counts{Voters: 3, HealthyVoters: 2}},
		{"a voter with alarm NOSPACE is healthy", edits(world.Member(c, func(m *snapshot.Member) { m.NoSpace = snapshot.True })), counts{Voters: 3, HealthyVoters: 3}},
		{"no members", edits(fact(func(s *snapshot.Snapshot) { s.Members = nil })), counts{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := world.New(tc.world...)
			v := snapshot.NewView(&s)
			if got := (counts{v.Voters, v.HealthyVoters, v.Learners, v.Unstarted}); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestQuorum(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 4, 7: 4} {
		if got := snapshot.Quorum(n); got != want {
			t.Errorf("quorum(%d) = %d, want %d", n, got, want)
		}
	}
}

func TestIndexOfAMemberThatIsNotThere(t *testing.T) {
	s := world.New()
	if got := snapshot.NewView(&s).IndexOf(d.ID()); got != -1 {
		t.Errorf("got %d, want -1", got)
	}
}

func TestLabel(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		change     func(*snapshot.Member)
	}{
		{"a member that has started", "node-a", func(*snapshot.Member) {}},
		{"a member that has not", "NAME-PENDING-192.0.2.10", func(m *snapshot.Member) { m.Name = "" }},
		{"a member that has not, with two peer URLs", "NAME-PENDING-fd00::10", func(m *snapshot.Member) {
			m.Name, m.PeerAddresses = "", append([]netip.Addr{a.IPv6()}, m.PeerAddresses...)
		}},
		{"a member that has not, and whose peer URLs cannot be read", "NAME-PENDING-a", func(m *snapshot.Member) { m.Name, m.PeerAddresses = "", nil }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := world.New(world.Member(a, tc.change))
			if got := s.Members[0].Label(); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// What is recorded of a pass must be readable again, unknown facts as unknown.
func TestASnapshotSurvivesJSON(t *testing.T) {
	want := world.New(world.Learner(d), world.Deleting(a), fact(func(s *snapshot.Snapshot) {
		s.BootstrapComplete, s.APIServers = snapshot.Unknown, snapshot.False
	}))
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got snapshot.Snapshot
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(x, y netip.Addr) bool { return x == y })); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

func TestFactReadsWhatItWrites(t *testing.T) {
	for fact, want := range map[snapshot.Fact]string{snapshot.True: "true", snapshot.False: "false", snapshot.Unknown: "null"} {
		text, err := json.Marshal(fact)
		if err != nil || string(text) != want {
			t.Errorf("%s is written as %s (%v), want %s", fact, text, err, want)
		}
		read := snapshot.True
		if fact == snapshot.True {
			read = snapshot.False
		}
		if err := read.UnmarshalJSON(text); err != nil || read != fact {
			t.Errorf("%s is read as %s (%v), want %s", text, read, err, fact)
		}
	}
	var read snapshot.Fact
	if err := json.Unmarshal([]byte(`"yes"`), &read); err == nil || !strings.Contains(err.Error(), "yes") {
		t.Errorf("a word that is no fact is read as %s; error %v should quote it", read, err)
	}
}

func TestWordsOfFactsAndHealth(t *testing.T) {
	for got, want := range map[string]string{
		snapshot.True.String(): "true", snapshot.False.String(): "false", snapshot.Unknown.String(): "unknown",
		snapshot.Known(true).String(): "true", snapshot.Known(false).String(): "false",
		snapshot.Healthy.String(): "healthy", snapshot.Unhealthy.String(): "unhealthy", snapshot.HealthUnknown.String(): "unknown",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	var zero snapshot.Fact
	if zero.Holds() || zero.Fails() {
		t.Error("the zero value of a fact proves something")
	}
}

func started(h world.Host, started bool) world.Edit {
	return world.Member(h, func(m *snapshot.Member) { m.Started = started })
}

package membership_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/reason/reasontest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// testCase is a world and what must be decided about it.
type testCase struct {
	name  string
	world []world.Edit
	want  line
	// message is what the decision says, where the row is about a number or a name; empty: not compared.
	message string
	// moves is the host that leadership moves to; empty: nowhere.
	moves world.Host
	// peerURL is compared where it is set.
	peerURL string
	// refused must be among what was refused.
	refused []line
	// warned are all the warnings.
	warned []line
	// unnamed must appear in no sentence.
	unnamed string
}

// line is one statement of a decision: about which host, by which rule, for which Reason.
type line struct {
	action  membership.Action
	rule    reason.Rule
	reason  reason.Reason
	subject string
	// other is compared where it is set.
	other  string
	target membership.Target
}

type field string

const (
	machine field = "machine"
	node    field = "node"
)

func statement(action membership.Action, h world.Host, rule reason.Rule, r reason.Reason) line {
	l := line{action: action, rule: rule, reason: r}
	if h == "" {
		return l
	}
	l.subject = string(h.Node())
	l.target = membership.Target{Member: h.ID(), Name: string(h.Node()), Node: h.Node(), Machine: h.Machine()}
	return l
}

func removes(h world.Host, rule reason.Rule, r reason.Reason) line {
	return statement(remove, h, rule, r)
}
func promotes(h world.Host, rule reason.Rule, r reason.Reason) line {
	return statement(promote, h, rule, r)
}
func waits(h world.Host, rule reason.Rule, r reason.Reason) line { return statement(wait, h, rule, r) }
func warns(h world.Host, rule reason.Rule, r reason.Reason) line { return statement("", h, rule, r) }

func adds(h world.Host, rule reason.Rule, r reason.Reason) line { return refuses(add, h, rule, r) }

// waitsToAdd is a wait about a node that has no member yet.
func waitsToAdd(h world.Host, rule reason.Rule, r reason.Reason) line {
	l := adds(h, rule, r)
	l.action = wait
	return l
}

func refuses(action membership.Action, h world.Host, rule reason.Rule, r reason.Reason) line {
	l := statement(action, h, rule, r)
	if action == add {
		l.target.Member, l.target.Name = 0, ""
	}
	return l
}

// of names the other object of the sentence.
func (l line) of(other string) line {
	l.other = other
	return l
}

// named says that the member has no name yet, and what it is called instead.
func (l line) named(subject string) line {
	l.subject, l.target.Name = subject, ""
	return l
}

// called says what the sentence is about, if that is no host.
func (l line) called(subject string) line {
	l.subject = subject
	return l
}

// on says that the Machine has another name than hosts have.
func (l line) on(machine snapshot.MachineName) line {
	l.target.Machine = machine
	return l
}

// without says that a part of the target does not exist.
func (l line) without(fields ...field) line {
	if slices.Contains(fields, machine) {
		l.target.Machine = ""
	}
	if slices.Contains(fields, node) {
		l.target.Node = ""
	}
	return l
}

func (l line) matches(f reason.Finding) bool {
	return f.Rule == l.rule && f.Reason == l.reason && f.Subject == l.subject && (l.other == "" || f.Other == l.other)
}

func (l line) String() string {
	return fmt.Sprintf("%s %q by %s: %s (%q)", l.action, l.subject, l.rule, l.reason, l.other)
}

func edits(e ...world.Edit) []world.Edit { return e }

func lines(l ...line) []line { return l }

var allCases = slices.Concat(scalingCases, deadCases, replacedCases, orphanCases, bootstrapCases, orderCases,
	promotionCases, addCases, unknownCases)

func TestDecide(t *testing.T) {
	for _, tc := range allCases {
		t.Run(tc.name, func(t *testing.T) { tc.check(t) })
	}
}

func (tc testCase) check(t *testing.T) {
	s := world.New(tc.world...)
	got := membership.Decide(s)
	if diff := cmp.Diff(world.New(tc.world...), s, compareAddresses); diff != "" {
		t.Errorf("deciding changed the snapshot (-before +after):\n%s", diff)
	}

	if got.Action != tc.want.action || !tc.want.matches(got.Finding) {
		t.Errorf("got %s, want %s\nit says: %s", describe(got.Action, got.Finding), tc.want, got.Message())
	}
	if got.Target != tc.want.target {
		t.Errorf("target %+v, want %+v", got.Target, tc.want.target)
	}
	if tc.message != "" && got.Message() != tc.message {
		t.Errorf("it says\n%q, want\n%q", got.Message(), tc.message)
	}
	if !strings.Contains(got.Message(), tc.want.subject) {
		t.Errorf("%q does not name %s", got.Message(), tc.want.subject)
	}
	var successor snapshot.MemberID
	if tc.moves != "" {
		successor = tc.moves.ID()
	}
	if got.MoveLeaderTo != successor {
		t.Errorf("leadership moves to %s, want %s", got.MoveLeaderTo, successor)
	}
	if tc.peerURL != "" && got.PeerURL != tc.peerURL {
		t.Errorf("peer URL %q, want %q", got.PeerURL, tc.peerURL)
	}
	if got.ClusterID != s.ClusterID || got.MemberDigest != s.MemberDigest() {
		t.Errorf("judged cluster %x with digest %x, want %x, %x", got.ClusterID, got.MemberDigest, s.ClusterID, s.MemberDigest())
	}
	tc.checkRefused(t, got)
	tc.checkWarned(t, got)
	for _, finding := range findings(got) {
		reasontest.Complete(t, finding)
		if tc.unnamed != "" && finding.Subject == tc.unnamed {
			t.Errorf("a sentence about %s: %s", tc.unnamed, finding.Message())
		}
	}
}

func (tc testCase) checkRefused(t *testing.T, got membership.Decision) {
	for _, want := range tc.refused {
		if !slices.ContainsFunc(got.Refused, func(r membership.Refusal) bool {
			return r.Action == want.action && r.Target == want.target && want.matches(r.Finding)
		}) {
			t.Errorf("want refused: %s %+v\ngot: %+v", want, want.target, got.Refused)
		}
	}
	if slices.ContainsFunc(got.Refused, func(r membership.Refusal) bool { return r.Action == got.Action && r.Target == got.Target }) {
		t.Errorf("what is done is among the refused: %+v", got.Refused)
	}
	kinds := []membership.Action{remove, promote, add}
	if !slices.IsSortedFunc(got.Refused, func(x, y membership.Refusal) int {
		if k := slices.Index(kinds, x.Action) - slices.Index(kinds, y.Action); k != 0 {
			return k
		}
		return strings.Compare(x.Subject, y.Subject)
	}) {
		t.Errorf("refused are not ordered by kind, then name: %+v", got.Refused)
	}
}

func (tc testCase) checkWarned(t *testing.T, got membership.Decision) {
	var want, have []string
	for _, l := range tc.warned {
		want = append(want, fmt.Sprintf("%s by %s: %s", l.subject, l.rule, l.reason))
	}
	for _, w := range got.Warnings {
		have = append(have, fmt.Sprintf("%s by %s: %s", w.Subject, w.Rule, w.Reason))
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func describe(action membership.Action, f reason.Finding) string {
	return line{action: action, rule: f.Rule, reason: f.Reason, subject: f.Subject, other: f.Other}.String()
}

func findings(d membership.Decision) []reason.Finding {
	all := []reason.Finding{d.Finding}
	for _, r := range d.Refused {
		all = append(all, r.Finding)
	}
	for _, w := range d.Warnings {
		all = append(all, w.Finding)
	}
	return all
}

var compareAddresses = cmp.Comparer(func(x, y netip.Addr) bool { return x == y })

// Invariant I7.
func TestTheOrderOfFactsDoesNotMatter(t *testing.T) {
	for _, tc := range allCases {
		s := world.New(tc.world...)
		want := membership.Decide(s)
		for _, variant := range world.Reordered(s) {
			if diff := cmp.Diff(want, membership.Decide(variant.Snapshot)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", tc.name, variant.Name, diff)
			}
		}
	}
}

// S7: health results came in another order than the members, and a healthy voter was removed.
func TestS7EveryOrderOfTheMembersRemovesTheDeadOne(t *testing.T) {
	s := world.New(world.Voter(d), world.Deleting(a, b), world.HostDead(b, time.Hour))
	orders := 0
	permute(s.Members, 0, func() {
		orders++
		if got := membership.Decide(s); got.Action != remove || got.Member != b.ID() {
			t.Errorf("members %v: %s", s.Members, describe(got.Action, got.Finding))
		}
	})
	if orders != 24 {
		t.Errorf("tried %d orders, want 24", orders)
	}
}

func permute[T any](items []T, from int, visit func()) {
	if from == len(items) {
		visit()
		return
	}
	for i := from; i < len(items); i++ {
		items[from], items[i] = items[i], items[from]
		permute(items, from+1, visit)
		items[from], items[i] = items[i], items[from]
	}
}

// Invariant I4: what one forgets of a fact makes nothing possible that the fact forbids.
func TestAForgottenFactMakesNoActionPossible(t *testing.T) {
	for _, tc := range allCases {
		s := world.New(tc.world...)
		possible := actions(membership.Decide(s))
		for forgotten, variant := range world.Forgotten(s) {
			got := membership.Decide(variant)
			for action := range actions(got) {
				if !possible[action] {
					t.Errorf("%s: %s is possible without knowing %s: %s", tc.name, action, forgotten, got.Message())
				}
			}
			for _, finding := range findings(got) {
				reasontest.Complete(t, finding)
			}
		}
	}
}

// actions returns everything that a decision allows: what it does, and what merely waits for its turn.
func actions(decision membership.Decision) map[string]bool {
	possible := map[string]bool{}
	note := func(action membership.Action, target membership.Target) {
		if action != wait {
			possible[fmt.Sprintf("%s %x %s", action, target.Member, target.Node)] = true
		}
	}
	note(decision.Action, decision.Target)
	for _, r := range decision.Refused {
		if r.Reason == reason.WaitingForAnotherChange {
			note(r.Action, r.Target)
		}
	}
	return possible
}

// The edits that only these tables need.

func health(h world.Host, health snapshot.Health) world.Edit {
	return world.Member(h, func(m *snapshot.Member) { m.Health = health })
}

func corrupt(h world.Host) world.Edit {
	return world.Member(h, func(m *snapshot.Member) { m.Corrupt = snapshot.True })
}

func noSpace(h world.Host) world.Edit {
	return world.Member(h, func(m *snapshot.Member) { m.NoSpace = snapshot.True })
}

func behind(h world.Host, entries uint64) world.Edit {
	return world.Member(h, func(m *snapshot.Member) { m.AppliedIndex = world.Index - entries })
}

func stalled(h world.Host, stalledFor time.Duration) world.Edit {
	return world.Member(h, func(m *snapshot.Member) { m.StalledFor = stalledFor })
}

// unstarted takes from a member what it has only after its start; nobody can probe it by the client URL it has not got.
func unstarted(h world.Host) world.Edit {
	return world.Member(h, func(m *snapshot.Member) {
		m.Name, m.Started, m.AppliedIndex = "", false, 0
		if m.Health == snapshot.Healthy {
			m.Health = snapshot.HealthUnknown
		}
	})
}

func learner(h world.Host) world.Edit {
	return world.Member(h, func(m *snapshot.Member) { m.Learner = true })
}

func leads(h world.Host) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) { s.Leader = h.ID() })
}

func garbage(h world.Host) world.Edit {
	return world.Member(h, func(m *snapshot.Member) { m.PeerURLs, m.PeerAddresses = []string{"https://%zz:2380"}, nil })
}

func secondPeerURL(h world.Host) world.Edit {
	return world.Member(h, func(m *snapshot.Member) {
		m.PeerURLs = append(m.PeerURLs, "https://["+h.IPv6().String()+"]:2380")
		m.PeerAddresses = append(m.PeerAddresses, h.IPv6())
	})
}

func bootstrap(complete snapshot.Fact) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) { s.BootstrapComplete = complete })
}

func bootstrapMember() world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) {
		address := netip.MustParseAddr("192.0.2.5")
		s.Nodes = append(s.Nodes, snapshot.Node{Name: snapshot.BootstrapMember, Present: snapshot.False})
		s.Members = append(s.Members, snapshot.Member{
			ID: 0xb00, Name: snapshot.BootstrapMember, Started: true,
			PeerURLs: []string{"https://192.0.2.5:2380"}, PeerAddresses: []netip.Addr{address},
			Health: snapshot.Healthy, CannotServe: snapshot.False, Corrupt: snapshot.False, NoSpace: snapshot.False,
			AppliedIndex: world.Index, AddressClaimed: snapshot.False, UnclaimedFor: time.Hour,
		})
	})
}

func failed(h world.Host) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Phase = "Failed" })
}

func hook(h world.Host, hook snapshot.Hook) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Hook = hook })
}

func backOff(h world.Host) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.HookBackOff = true })
}

func noNodeRef(h world.Host) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.NodeRef = "" })
}

func excluded(h world.Host) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.ExcludedFromDrain = true })
}

func zone(h world.Host, zone string) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Zone = zone })
}

// renamed must come last: hosts no longer find a renamed Machine.
func renamed(h world.Host, name snapshot.MachineName) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Name = name })
}

// twin adds a Machine without nodeRef that has the address of a host, then changes it.
func twin(h world.Host, change func(*snapshot.Machine)) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) {
		machine := snapshot.Machine{
			Name: "machine-twin", UID: "uid-twin", Phase: "Provisioned", Addresses: []netip.Addr{h.Address()}, Hook: snapshot.HookPresent,
		}
		change(&machine)
		s.Machines = append(s.Machines, machine)
	})
}

func leftoverMachine() world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) {
		s.Machines = append(s.Machines, snapshot.Machine{Name: "leftover", UID: "uid-leftover", Phase: "Provisioning"})
	})
}

func notReady(h world.Host) world.Edit {
	return world.Node(h, func(n *snapshot.Node) { n.Ready = snapshot.False })
}

func pod(h world.Host, change func(*snapshot.EtcdPod)) world.Edit {
	return world.Node(h, func(n *snapshot.Node) { change(&n.Etcd) })
}

func podNotReady(h world.Host) world.Edit {
	return pod(h, func(p *snapshot.EtcdPod) { p.Ready, p.ContainerReady = snapshot.False, snapshot.False })
}

// addresses gives a Node and its Machine other InternalIPs, the first of which is the peer address.
func addresses(h world.Host, all ...netip.Addr) world.Edit {
	return func(w *world.World) {
		node := w.Node(h)
		node.Addresses, node.PeerAddress = all, netip.Addr{}
		if len(all) > 0 {
			node.PeerAddress = all[0]
		}
		for i := range w.Machines {
			if w.Machines[i].NodeRef == node.Name {
				w.Machines[i].Addresses = all
			}
		}
	}
}

func peerAddress(h world.Host, address netip.Addr) world.Edit {
	return world.Node(h, func(n *snapshot.Node) { n.PeerAddress = address })
}

// moved gives a host another address than its member is known by.
func moved(h world.Host) world.Edit {
	return func(w *world.World) {
		addresses(h, netip.MustParseAddr("192.0.2.99"))(w)
		member := w.Member(h)
		member.AddressClaimed, member.UnclaimedFor = snapshot.False, time.Hour
		pod := &w.Node(h).Etcd
		pod.ContainerReady, pod.Ready = snapshot.False, snapshot.False
	}
}

func endpoints(hosts ...world.Host) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) { s.Endpoints = addressesOf(hosts) })
}

func knows(h world.Host, hosts ...world.Host) world.Edit {
	return world.APIServer(h, func(s *snapshot.APIServerNode) { s.EtcdServers = addressesOf(hosts) })
}

func addressesOf(hosts []world.Host) []netip.Addr {
	var all []netip.Addr
	for _, h := range hosts {
		all = append(all, h.Address())
	}
	return all
}

func apiServers(exist snapshot.Fact) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) { s.APIServers = exist })
}

func noAPIServerNodes() world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) { s.APIServerNodes = nil })
}

// rollout makes a revision the latest one, and lets the hosts run it.
func rollout(latest int, current ...world.Host) world.Edit {
	return func(w *world.World) {
		w.LatestRevision = latest
		for _, h := range current {
			w.Status(h).Current = latest
		}
	}
}

func target(h world.Host, revision int) world.Edit {
	return world.Status(h, func(s *snapshot.NodeStatus) { s.Target = revision })
}

// leftStatus adds a node status that was left behind, with an install that cannot end.
func leftStatus(h world.Host, target int) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) {
		s.NodeStatuses = append(s.NodeStatuses, snapshot.NodeStatus{Node: h.Node(), Current: world.Revision, Target: target})
	})
}

func dualReplica(external snapshot.Fact) world.Edit {
	return func(w *world.World) {
		w.Topology, w.ExternalEtcd = snapshot.DualReplica, external
		world.Desired(2)(w)
	}
}

func singleReplica() world.Edit {
	return func(w *world.World) {
		w.Topology = snapshot.SingleReplica
		world.Desired(1)(w)
	}
}

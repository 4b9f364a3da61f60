package quorumguard_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/reason/reasontest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// testCase is a world and what must be decided about its budget and its guards.
type testCase struct {
	name  string
	world []world.Edit
	// min is the wanted minAvailable.
	min int
	// sets is true where the budget must be written although its minAvailable is the wanted one.
	sets bool
	// deletesBudget is true where the budget must go; min is not looked at then.
	deletesBudget bool
	// says is the finding of the budget; if empty, it must be the first of holds, or that a drain may pass.
	says reason.Finding
	// message is what the decision says, where the row is about a number; empty: not compared.
	message string
	// pods are the verdicts on guards; a node that they do not name must have a guard and keep it.
	pods []line
	// holds are all the things that drains wait for.
	holds []hold
}

// line is one verdict on a guard.
type line struct {
	host            world.Host
	action, refused quorumguard.PodAction
	rule            reason.Rule
	reason          reason.Reason
}

type hold struct {
	reason  reason.Reason
	subject string
}

// does: the guard is created or deleted.
func does(action quorumguard.PodAction, h world.Host, rule reason.Rule, r reason.Reason) line {
	return line{host: h, action: action, rule: rule, reason: r}
}

// refuses: the guard is not created or deleted, and stays as it is.
func refuses(action quorumguard.PodAction, h world.Host, rule reason.Rule, r reason.Reason) line {
	l := line{host: h, action: quorumguard.PodKeep, refused: action, rule: rule, reason: r}
	if action == create {
		l.action = quorumguard.PodNone
	}
	return l
}

// keeps: nothing is done about the guard, and nothing was to be done.
func keeps(action quorumguard.PodAction, h world.Host, rule reason.Rule, r reason.Reason) line {
	return line{host: h, action: action, rule: rule, reason: r}
}

func holds(reasonsAndSubjects ...any) []hold {
	var all []hold
	for pair := range slices.Chunk(reasonsAndSubjects, 2) {
		all = append(all, hold{pair[0].(reason.Reason), pair[1].(string)})
	}
	return all
}

func finding(rule reason.Rule, r reason.Reason) reason.Finding {
	return reason.Finding{Rule: rule, Reason: r}
}

func edits(e ...world.Edit) []world.Edit { return e }

func lines(l ...line) []line { return l }

func TestDecide(t *testing.T) {
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) { tc.check(t) })
	}
}

func (tc testCase) check(t *testing.T) {
	s := world.New(tc.world...)
	got := quorumguard.Decide(s)
	if diff := cmp.Diff(world.New(tc.world...), s, compareAddresses); diff != "" {
		t.Errorf("deciding changed the snapshot (-before +after):\n%s", diff)
	}
	tc.checkBudget(t, s, got)
	tc.checkHolds(t, got)
	tc.checkPods(t, s, got)
	for _, f := range findings(got) {
		reasontest.Complete(t, f)
	}
	for _, p := range got.Pods {
		if p.Action != quorumguard.PodKeep && p.Reason != reason.SingleReplicaNeedsNoGuard && !strings.Contains(p.Message(), string(p.Node)) {
			t.Errorf("%q does not name %s", p.Message(), p.Node)
		}
		// What is in doubt is the same for the budget and for each guard that is not deleted.
		if p.Refused == remove && p.Reason == got.Reason && p.Subject != string(p.Node) && p.Message() != got.Message() {
			t.Errorf("guard on %s: %q, budget: %q", p.Node, p.Message(), got.Message())
		}
	}
}

func (tc testCase) checkBudget(t *testing.T, s snapshot.Snapshot, got quorumguard.Decision) {
	want := quorumguard.KeepBudget
	switch {
	case tc.deletesBudget:
		want = quorumguard.DeleteBudget
	case tc.sets || s.Budget.MinAvailable != tc.min:
		want = quorumguard.SetBudget
	}
	if got.Budget != want || !tc.deletesBudget && got.MinAvailable != tc.min {
		t.Errorf("budget: %s %d, want %s %d (%s)", got.Budget, got.MinAvailable, want, tc.min, got.Message())
	}
	says := tc.says
	switch {
	case says.Reason != "":
	case len(tc.holds) > 0:
		says = reason.Finding{Rule: reason.R7_2, Reason: tc.holds[0].reason}
	default:
		says = reason.Finding{Rule: reason.R7_2, Reason: reason.OneDrainMayPass}
	}
	if got.Rule != says.Rule || got.Reason != says.Reason {
		t.Errorf("it says by %s: %s, want by %s: %s\nmessage: %s", got.Rule, got.Reason, says.Rule, says.Reason, got.Message())
	}
	if tc.message != "" && got.Message() != tc.message {
		t.Errorf("it says\n%q, want\n%q", got.Message(), tc.message)
	}
}

func (tc testCase) checkHolds(t *testing.T, got quorumguard.Decision) {
	var have []hold
	for _, h := range got.Holds {
		have = append(have, hold{h.Reason, h.Subject})
		if !strings.Contains(h.Message(), h.Subject) {
			t.Errorf("%q does not name %s", h.Message(), h.Subject)
		}
	}
	if !slices.Equal(tc.holds, have) {
		t.Errorf("drains wait for\n%v, want\n%v", have, tc.holds)
	}
}

func (tc testCase) checkPods(t *testing.T, s snapshot.Snapshot, got quorumguard.Decision) {
	want := slices.Clone(tc.pods)
	for _, guard := range s.Guards {
		h := world.Host(strings.TrimPrefix(string(guard.Node), "node-"))
		if !slices.ContainsFunc(want, func(l line) bool { return l.host == h }) {
			want = append(want, keeps(quorumguard.PodKeep, h, reason.R7_1, reason.GuardInPlace))
		}
	}
	slices.SortFunc(want, func(x, y line) int { return strings.Compare(string(x.host), string(y.host)) })
	var have []line
	for _, p := range got.Pods {
		have = append(have, line{
			host: world.Host(strings.TrimPrefix(string(p.Node), "node-")), action: p.Action, refused: p.Refused, rule: p.Rule, reason: p.Reason,
		})
	}
	if !slices.Equal(want, have) {
		t.Errorf("guards\ngot  %+v\nwant %+v", have, want)
	}
}

func findings(d quorumguard.Decision) []reason.Finding {
	all := append([]reason.Finding{d.Finding}, d.Holds...)
	for _, p := range d.Pods {
		all = append(all, p.Finding)
	}
	return all
}

var compareAddresses = cmp.Comparer(func(x, y netip.Addr) bool { return x == y })

// Invariant I7.
func TestTheOrderOfFactsDoesNotMatter(t *testing.T) {
	for _, tc := range cases {
		s := world.New(tc.world...)
		want := quorumguard.Decide(s)
		for _, variant := range world.Reordered(s) {
			if diff := cmp.Diff(want, quorumguard.Decide(variant.Snapshot)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", tc.name, variant.Name, diff)
			}
		}
	}
}

// Invariant I4: what one forgets of a fact deletes nothing, creates nothing and lowers nothing that the fact would not.
func TestAForgottenFactMakesNothingPossible(t *testing.T) {
	for _, tc := range cases {
		s := world.New(tc.world...)
		known := quorumguard.Decide(s)
		possible := map[string]bool{}
		for _, p := range known.Pods {
			possible[fmt.Sprint(p.Action, p.Node)] = true
			if p.Reason == reason.GuardRemakeWaits && p.Other == "" { // It waits for its turn only.
				possible[fmt.Sprint(p.Refused, p.Node)] = true
			}
		}
		for forgotten, variant := range world.Forgotten(s) {
			got := quorumguard.Decide(variant)
			for _, p := range got.Pods {
				if (p.Action == create || p.Action == remove) && !possible[fmt.Sprint(p.Action, p.Node)] {
					t.Errorf("%s: %s of the guard on %s is possible without knowing %s: %s", tc.name, p.Action, p.Node, forgotten, p.Message())
				}
			}
			if got.Budget == quorumguard.DeleteBudget && known.Budget != quorumguard.DeleteBudget {
				t.Errorf("%s: the budget is deleted without knowing %s", tc.name, forgotten)
			}
			if got.Budget == quorumguard.SetBudget && got.MinAvailable < min(s.Budget.MinAvailable, known.MinAvailable) {
				t.Errorf("%s: the budget is lowered to %d without knowing %s", tc.name, got.MinAvailable, forgotten)
			}
			for _, f := range findings(got) {
				reasontest.Complete(t, f)
			}
		}
	}
}

// The edits that only these tables need.

func budget(minAvailable int) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) { s.Budget.MinAvailable = minAvailable })
}

// closed closes the budget over the three guards.
func closed() world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) {
		s.Budget = snapshot.Budget{Present: snapshot.True, MinAvailable: 4, Observed: true}
	})
}

// remakeWaits is a row about a budget that is closed but for one thing: no guard is made anew.
func remakeWaits(name string, change func(*snapshot.Budget)) testCase {
	return testCase{
		name:  "R7.4 no guard is made anew with a budget that " + name,
		world: edits(outdated(b), closed(), world.Facts(func(s *snapshot.Snapshot) { change(&s.Budget) })),
		min:   4,
		says:  finding(reason.R7_4, reason.GuardRemakeWaits),
		pods:  lines(refuses(remove, b, reason.R7_4, reason.GuardRemakeWaits)),
		holds: holds(reason.GuardRemakeWaits, "node-b"),
	}
}

// gone takes away all of a host.
func gone(h world.Host) world.Edit {
	return func(w *world.World) {
		for _, edit := range edits(world.MemberGone(h), world.NodeGone(h), world.MachineGone(h)) {
			edit(w)
		}
	}
}

func version(current snapshot.Fact) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) { s.VersionCurrent = current })
}

func topology(topology snapshot.Topology) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) { s.Topology = topology })
}

func planned(h world.Host) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) { s.PlannedInstall = h.Node() })
}

// twoNodes leaves hosts a and b of a two-node cluster.
func twoNodes(external snapshot.Fact) world.Edit {
	return func(w *world.World) {
		for _, edit := range edits(world.MemberGone(c), world.NodeGone(c), world.MachineGone(c), world.Desired(2)) {
			edit(w)
		}
		w.Topology, w.ExternalEtcd = snapshot.DualReplica, external
	}
}

// doubtful is a world in which the budget can be lowered from 3 to 2 and the guard of a deleted; then it is changed.
func doubtful(change func(*snapshot.Snapshot)) []world.Edit {
	return edits(world.Voter(d), world.Released(a), world.MemberGone(a), budget(3), world.Facts(change))
}

func failed(h world.Host) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Phase = "Failed" })
}

func noAddress(h world.Host) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Addresses = nil })
}

func unstarted(h world.Host) world.Edit {
	return world.Member(h, func(m *snapshot.Member) {
		m.Name, m.Started, m.Health, m.AppliedIndex = "", false, snapshot.HealthUnknown, 0
	})
}

func ready(h world.Host) world.Edit {
	return world.Guard(h, func(g *snapshot.Guard) { g.Ready = true })
}

func anotherGuard(h world.Host, g snapshot.Guard) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) {
		g.Node = h.Node()
		s.Guards = append(s.Guards, g)
	})
}

func unready(h world.Host) world.Edit {
	return world.Guard(h, func(g *snapshot.Guard) { g.Ready = false })
}

func deleted(h world.Host) world.Edit {
	return world.Guard(h, func(g *snapshot.Guard) { g.Deleting = true })
}

func ended(h world.Host) world.Edit {
	return world.Guard(h, func(g *snapshot.Guard) { g.Phase, g.Ready = "Failed", false })
}

func outdated(h world.Host) world.Edit {
	return world.Guard(h, func(g *snapshot.Guard) { g.Outdated = true })
}

// guard adds a guard that is not ready.
func guard(h world.Host) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) {
		s.Guards = append(s.Guards, snapshot.Guard{Node: h.Node(), Phase: snapshot.PodRunning})
	})
}

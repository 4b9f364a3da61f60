package rollout_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/reason/reasontest"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// testCase is a world and what must be decided about its revisions.
type testCase struct {
	name  string
	world []world.Edit
	// create is the permission to create a revision, message what it says; an empty message is not compared.
	create  permission
	message string
	// install are the permissions of all nodes that do not run the latest revision.
	install []nodePermission
	step    step
	// stable is what is reported of rule R8.4.
	stable snapshot.Fact
}

type permission struct {
	allowed bool
	rule    reason.Rule
	reason  reason.Reason
}

type nodePermission struct {
	host world.Host
	permission
	// other is the node that is waited for.
	other world.Host
	// have and need are counts of voters.
	have, need int
}

// step is what happens next, and what drains wait for meanwhile.
type step struct {
	step  rollout.Step
	next  world.Host
	hold  world.Host
	about world.Host
	permission
}

func allowed(rule reason.Rule, r reason.Reason) permission { return permission{true, rule, r} }

func refused(rule reason.Rule, r reason.Reason) permission { return permission{false, rule, r} }

func permits(p ...nodePermission) []nodePermission { return p }

func allowedOn(h world.Host, rule reason.Rule, r reason.Reason) nodePermission {
	return nodePermission{host: h, permission: allowed(rule, r)}
}

func refusedOn(h world.Host, rule reason.Rule, r reason.Reason, have, need int) nodePermission {
	return nodePermission{host: h, permission: refused(rule, r), have: have, need: need}
}

// flying is the permission of a node that is taking the revision.
func flying(h world.Host) nodePermission { return allowedOn(h, reason.R8_2, reason.InstallInFlight) }

func (p nodePermission) of(h world.Host) nodePermission {
	p.other = h
	return p
}

// nothing: no node takes a revision.
func nothing(rule reason.Rule, r reason.Reason) step {
	return step{step: rollout.NoStep, permission: permission{rule: rule, reason: r}}
}

// closes: the budget is closed for the install on a voter's node.
func closes(h world.Host) step {
	return step{step: rollout.CloseBudget, next: h, hold: h, about: h, permission: permission{rule: reason.R8_2, reason: reason.WaitingForBudgetToClose}}
}

// installs: the node takes the revision.
func installs(h world.Host) step {
	return step{step: rollout.Install, next: h, about: h, permission: permission{rule: reason.R8_2, reason: reason.InstallingRevision}}
}

// waitsFor: nobody starts while the install on a voter's node goes on.
func waitsFor(h world.Host) step {
	return nothing(reason.R8_2, reason.WaitingForOtherInstall).holding(h)
}

// holding says for which node drains are held back.
func (s step) holding(h world.Host) step {
	s.hold = h
	return s
}

func edits(e ...world.Edit) []world.Edit { return e }

// create is a row about counts: the first so many voters are there, and those that are named are unhealthy.
func create(name string, may bool, voters int, unhealthy ...world.Host) testCase {
	tc := testCase{
		name: "R8.1 " + name, create: refused(reason.R8_1, reason.WaitingForSpareVoter),
		stable: snapshot.True, step: nothing(reason.R8_4, reason.RevisionsCurrent),
	}
	if may {
		tc.create = allowed(reason.R8_1, reason.RevisionMayBeCreated)
	}
	tc.world = edits(world.Voter([]world.Host{d, e}[:voters-3]...))
	for _, h := range unhealthy {
		tc.world = append(tc.world, world.Unhealthy(h, time.Second))
	}
	return tc
}

// survivor is a row about voter c: whether the others may restart beside it.
func survivor(name string, counts bool, change ...world.Edit) testCase {
	tc := testCase{
		name: "R8.2 no survivor is a voter " + name, world: append(edits(latest(2)), change...),
		create: allowed(reason.R8_1, reason.RevisionRepairs), stable: snapshot.False,
		install: permits(
			refusedOn(a, reason.R8_2, reason.WaitingForOtherVoters, 1, 2),
			refusedOn(b, reason.R8_2, reason.WaitingForOtherVoters, 1, 2),
			allowedOn(c, reason.R8_2, reason.OthersKeepQuorum),
		),
		step: closes(c),
	}
	if counts {
		tc.name = "R8.2 a survivor is a voter " + name
		tc.install[0], tc.install[1] = allowedOn(a, reason.R8_2, reason.OthersKeepQuorum), allowedOn(b, reason.R8_2, reason.OthersKeepQuorum)
		tc.step = closes(a)
	}
	return tc
}

// down is a row about voter c, whose probe fails, beside voter a on a cordoned node: whether c counts as down, so that its
// node may take the revision all the same.
func down(name string, is bool, change ...world.Edit) testCase {
	tc := testCase{
		name:   "R8.2 a voter is not down when " + name,
		world:  append(edits(latest(2, a, b), world.Cordoned(a), world.Unhealthy(c, time.Hour)), change...),
		create: allowed(reason.R8_1, reason.RevisionRepairs), stable: snapshot.False,
		install: permits(refusedOn(c, reason.R8_2, reason.WaitingForOtherVoters, 1, 2)),
		step:    nothing(reason.R8_2, reason.WaitingForOtherVoters),
	}
	if is {
		tc.name = "R8.2 a voter is down when " + name
		tc.install, tc.step = permits(allowedOn(c, reason.R8_2, reason.VoterIsDownAnyway)), closes(c)
	}
	return tc
}

// budget is a row about the budget: whether the install on voter a's node may start.
func budget(name string, may bool, change ...world.Edit) testCase {
	tc := testCase{
		name: "R8.2 no install starts with a budget " + name, world: append(edits(latest(2, b, c)), change...),
		create: allowed(reason.R8_1, reason.RevisionRepairs), stable: snapshot.False,
		install: permits(allowedOn(a, reason.R8_2, reason.OthersKeepQuorum)),
		step:    closes(a),
	}
	if may {
		tc.name = "R8.2 an install starts with a budget " + name
		tc.step = installs(a).holding(a)
	}
	return tc
}

// lost is a row about node a, on which the latest revision does not land: whether the cluster is stable without it.
func lost(name string, is bool, hold world.Host, change ...world.Edit) testCase {
	tc := testCase{
		name: "R8.4 not stable without " + name, world: append(edits(latest(2, b, c), target(a, 2)), change...),
		create:  allowed(reason.R8_1, reason.RevisionRepairs),
		install: permits(flying(a)),
		stable:  snapshot.False,
		step:    nothing(reason.R8_4, reason.WaitingForRevision),
	}
	if is {
		tc.name = "R8.4 stable without " + name
		tc.stable, tc.step = snapshot.True, nothing(reason.R8_4, reason.RevisionsCurrent)
	}
	tc.step = tc.step.holding(hold)
	return tc
}

func TestDecide(t *testing.T) {
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) { tc.check(t) })
	}
}

func (tc testCase) check(t *testing.T) {
	s := world.New(tc.world...)
	got := rollout.Decide(s)
	if diff := cmp.Diff(world.New(tc.world...), s, compareAddresses); diff != "" {
		t.Errorf("deciding changed the snapshot (-before +after):\n%s", diff)
	}
	if have := (permission{got.Create.Allowed, got.Create.Rule, got.Create.Reason}); have != tc.create {
		t.Errorf("create %+v, want %+v: %s", have, tc.create, got.Create.Message())
	}
	if tc.message != "" && got.Create.Message() != tc.message {
		t.Errorf("it says\n%q, want\n%q", got.Create.Message(), tc.message)
	}
	tc.checkInstall(t, got)
	tc.checkStep(t, got)
	if got.Stable != tc.stable {
		t.Errorf("stable is %s, want %s", got.Stable, tc.stable)
	}
	for _, f := range findings(got) {
		reasontest.Complete(t, f)
	}
}

func (tc testCase) checkInstall(t *testing.T, got rollout.Decision) {
	var have []nodePermission
	for i, p := range got.Install {
		n := nodePermission{host: host(string(p.Node)), permission: permission{p.Allowed, p.Rule, p.Reason}, other: host(p.Other)}
		if i < len(tc.install) && tc.install[i].need > 0 {
			n.have, n.need = p.Have, p.Need
		}
		have = append(have, n)
		if p.Subject != string(p.Node) && p.Rule == reason.R8_2 {
			t.Errorf("the permission of %s is about %q: %s", p.Node, p.Subject, p.Message())
		}
	}
	if !slices.Equal(tc.install, have) {
		t.Errorf("install\ngot  %+v\nwant %+v", have, tc.install)
	}
}

func (tc testCase) checkStep(t *testing.T, got rollout.Decision) {
	have := step{
		step: got.Step, next: host(string(got.Next)), hold: host(string(got.Hold)), about: tc.step.about,
		permission: permission{rule: got.Rule, reason: got.Reason},
	}
	if have != tc.step {
		t.Errorf("got  %+v\nwant %+v\nit says: %s", have, tc.step, got.Message())
	}
	if tc.step.about != "" && got.Subject != string(tc.step.about.Node()) {
		t.Errorf("it is about %q, want %q: %s", got.Subject, tc.step.about.Node(), got.Message())
	}
}

func host(node string) world.Host { return world.Host(strings.TrimPrefix(node, "node-")) }

func findings(d rollout.Decision) []reason.Finding {
	all := []reason.Finding{d.Finding, d.Create.Finding}
	for _, p := range d.Install {
		all = append(all, p.Finding)
	}
	return all
}

var compareAddresses = cmp.Comparer(func(x, y netip.Addr) bool { return x == y })

// Invariant I7.
func TestTheOrderOfFactsDoesNotMatter(t *testing.T) {
	for _, tc := range cases {
		s := world.New(tc.world...)
		want := rollout.Decide(s)
		for _, variant := range world.Reordered(s) {
			if diff := cmp.Diff(want, rollout.Decide(variant.Snapshot)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", tc.name, variant.Name, diff)
			}
		}
	}
}

// Invariant I4: what one forgets of a fact permits nothing that the fact does not.
func TestAForgottenFactPermitsNothing(t *testing.T) {
	for _, tc := range cases {
		s := world.New(tc.world...)
		known := rollout.Decide(s)
		may := permitted(known)
		for forgotten, variant := range world.Forgotten(s) {
			got := rollout.Decide(variant)
			for what := range permitted(got) {
				if !may[what] {
					t.Errorf("%s: %s is permitted without knowing %s", tc.name, what, forgotten)
				}
			}
			if got.Step == rollout.Install && !may["install on "+string(got.Next)] {
				t.Errorf("%s: %s takes the revision without knowing %s", tc.name, got.Next, forgotten)
			}
			// An install that only waits to start holds nothing back if it may not start.
			if known.Hold != "" && known.Hold != known.Next && got.Hold == "" {
				t.Errorf("%s: drains are no longer held back for %s without knowing %s", tc.name, known.Hold, forgotten)
			}
			if got.Stable.Holds() && !known.Stable.Holds() {
				t.Errorf("%s: stable without knowing %s", tc.name, forgotten)
			}
			for _, f := range findings(got) {
				reasontest.Complete(t, f)
			}
		}
	}
}

func permitted(d rollout.Decision) map[string]bool {
	may := map[string]bool{}
	if d.Create.Allowed {
		may["creating"] = true
	}
	for _, p := range d.Install {
		if p.Allowed {
			may[fmt.Sprint("install on ", p.Node)] = true
		}
	}
	return may
}

// The edits that only these tables need.

func fact(change func(*snapshot.Snapshot)) world.Edit { return world.Facts(change) }

func machine(h world.Host, change func(*snapshot.Machine)) world.Edit {
	return world.Machine(h, change)
}

func topology(topology snapshot.Topology) world.Edit {
	return fact(func(s *snapshot.Snapshot) { s.Topology = topology })
}

func twoNodes() world.Edit {
	return fact(func(s *snapshot.Snapshot) {
		s.Topology, s.ExternalEtcd, s.Desired.Replicas = snapshot.DualReplica, snapshot.False, 2
	})
}

// latest makes a revision the latest one, and lets the hosts run it.
func latest(revision int, hosts ...world.Host) world.Edit {
	return func(w *world.World) {
		w.LatestRevision = revision
		for _, h := range hosts {
			w.Status(h).Current = revision
		}
	}
}

func current(h world.Host, revision int) world.Edit {
	return world.Status(h, func(s *snapshot.NodeStatus) { s.Current = revision })
}

func target(h world.Host, revision int) world.Edit {
	return world.Status(h, func(s *snapshot.NodeStatus) { s.Target = revision })
}

// closed closes the budget over the three guards.
func closed() world.Edit {
	return fact(func(s *snapshot.Snapshot) {
		s.Budget = snapshot.Budget{Present: snapshot.True, MinAvailable: 4, Observed: true}
	})
}

func health(h world.Host, health snapshot.Health) world.Edit {
	return world.Member(h, func(m *snapshot.Member) { m.Health = health })
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

// leftBehind deletes a Node and leaves its node status, with an install that cannot end.
func leftBehind(h world.Host) world.Edit {
	return func(w *world.World) {
		status := *w.Status(h)
		world.NodeGone(h)(w)
		w.NodeStatuses = append(w.NodeStatuses, status)
	}
}

// gone takes a host out of the world, member and all.
func gone(h world.Host) world.Edit {
	return func(w *world.World) {
		for _, edit := range edits(world.MemberGone(h), world.NodeGone(h), world.MachineGone(h)) {
			edit(w)
		}
	}
}

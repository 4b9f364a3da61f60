package machinehook_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/reason/reasontest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// testCase is a world and what must be decided about its Machines.
type testCase struct {
	name  string
	world []world.Edit
	// want are the verdicts; a Machine that it does not name must carry the hook and keep it.
	want []line
	// warned are all the warnings.
	warned []line
	// says must be in the message of the first verdict.
	says []string
}

// line is one verdict.
type line struct {
	host            world.Host
	action, refused machinehook.Action
	member          snapshot.MemberID
	rule            reason.Rule
	reason          reason.Reason
	// other is compared where it is set.
	other string
}

func stays(h world.Host, rule reason.Rule, r reason.Reason) line {
	return line{host: h, action: machinehook.None, refused: machinehook.None, rule: rule, reason: r}
}

// keeps: the Machine carries the hook, whatever it hosts.
func keeps(h world.Host) line { return stays(h, reason.R4_1, reason.HookInPlace) }

// gains: the Machine gets the hook.
func gains(h world.Host) line {
	return line{host: h, action: addHook, refused: machinehook.None, rule: reason.R4_1, reason: reason.AddingHook}
}

// repairs: the Machine of a member gets the right owner of the hook.
func repairs(h world.Host) line {
	l := line{host: h, action: repairHook, refused: machinehook.None, rule: reason.R4_2, reason: reason.RepairingHook}
	return l.hosting(h)
}

func unreadable(h world.Host) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Addresses, m.AddressUnreadable = nil, true })
}

// drops: the Machine loses the hook.
func drops(h world.Host) line {
	return line{host: h, action: removeHook, refused: machinehook.None, rule: reason.R4_4, reason: reason.RemovingHook}
}

// holds: the Machine keeps the hook for its member.
func holds(h world.Host) line {
	return stays(h, reason.R4_4, reason.HookHoldsMember).refusing(removeHook).hosting(h).of(string(h.Node()))
}

// doubts: the Machine keeps the hook since nobody knows whether it hosts a member.
func doubts(h world.Host) line {
	return stays(h, reason.R4_4, reason.HostedMemberUnknown).refusing(removeHook)
}

func (l line) refusing(action machinehook.Action) line {
	l.refused = action
	return l
}

func (l line) hosting(member world.Host) line {
	l.member = 0
	if member != "" {
		l.member = member.ID()
	}
	return l
}

func (l line) of(other string) line {
	l.other = other
	return l
}

func (l line) String() string {
	return fmt.Sprintf("machine-%s hosting %s: %s, refusing %s, by %s: %s (%q)", l.host, l.member, l.action, l.refused, l.rule, l.reason, l.other)
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
	got := machinehook.Decide(s)
	if diff := cmp.Diff(world.New(tc.world...), s, compareAddresses); diff != "" {
		t.Errorf("deciding changed the snapshot (-before +after):\n%s", diff)
	}
	compare(t, "verdicts", tc.verdicts(s), got.Machines)
	compare(t, "warnings", tc.warned, got.Warnings)
	for _, v := range slices.Concat(got.Machines, got.Warnings) {
		reasontest.Complete(t, v.Finding)
		if !strings.Contains(v.Message(), string(v.Machine)) && v.Rule != reason.R2_2 {
			t.Errorf("%q does not name %s", v.Message(), v.Machine)
		}
		if i := slices.IndexFunc(s.Machines, func(m snapshot.Machine) bool { return m.Name == v.Machine }); v.UID != s.Machines[i].UID {
			t.Errorf("verdict on %s carries uid %q, want %q", v.Machine, v.UID, s.Machines[i].UID)
		}
	}
	for _, words := range tc.says {
		if message := got.Machines[0].Message(); !strings.Contains(message, words) {
			t.Errorf("%q does not say %q", message, words)
		}
	}
}

// verdicts completes want by the Machines that it does not name, by name.
func (tc testCase) verdicts(s snapshot.Snapshot) []line {
	want := slices.Clone(tc.want)
	for _, m := range s.Machines {
		h := world.Host(strings.TrimPrefix(string(m.Name), "machine-"))
		if slices.ContainsFunc(want, func(l line) bool { return l.host == h }) {
			continue
		}
		l := keeps(h)
		if slices.ContainsFunc(s.Members, func(m snapshot.Member) bool { return m.ID == h.ID() }) && s.MemberList.Holds() {
			l = l.hosting(h)
		}
		want = append(want, l)
	}
	slices.SortFunc(want, func(x, y line) int { return strings.Compare(string(x.host), string(y.host)) })
	return want
}

func compare(t *testing.T, what string, want []line, got []machinehook.Verdict) {
	t.Helper()
	var have []line
	for i, v := range got {
		l := line{
			host: world.Host(strings.TrimPrefix(string(v.Machine), "machine-")), action: v.Action, refused: v.Refused,
			member: v.Member, rule: v.Rule, reason: v.Reason, other: v.Other,
		}
		if i < len(want) && want[i].other == "" {
			l.other = ""
		}
		have = append(have, l)
	}
	if !slices.Equal(want, have) {
		t.Errorf("%s\nwant %v\ngot  %v", what, want, have)
	}
}

var compareAddresses = cmp.Comparer(func(x, y netip.Addr) bool { return x == y })

// Invariant I7.
func TestTheOrderOfFactsDoesNotMatter(t *testing.T) {
	for _, tc := range cases {
		s := world.New(tc.world...)
		want := machinehook.Decide(s)
		for _, variant := range world.Reordered(s) {
			if diff := cmp.Diff(want, machinehook.Decide(variant.Snapshot)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", tc.name, variant.Name, diff)
			}
		}
	}
}

// Invariant I4: what one forgets of a fact makes nothing possible that the fact forbids.
func TestAForgottenFactMakesNoActionPossible(t *testing.T) {
	for _, tc := range cases {
		s := world.New(tc.world...)
		possible := map[snapshot.MachineName]machinehook.Action{}
		for _, v := range machinehook.Decide(s).Machines {
			possible[v.Machine] = v.Action
		}
		for forgotten, variant := range world.Forgotten(s) {
			for _, v := range machinehook.Decide(variant).Machines {
				if v.Action != machinehook.None && v.Action != possible[v.Machine] {
					t.Errorf("%s: %s of %s is possible without knowing %s: %s", tc.name, v.Action, v.Machine, forgotten, v.Message())
				}
				reasontest.Complete(t, v.Finding)
			}
		}
	}
}

// The edits that only these tables need.

func hook(h world.Host, hook snapshot.Hook) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Hook = hook })
}

func backOff(h world.Host) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.HookBackOff = true })
}

func phase(h world.Host, phase string) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Phase = phase })
}

func noAddress(h world.Host) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Addresses = nil })
}

func addresses(h world.Host, all ...netip.Addr) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.Addresses = all })
}

func otherHooks(h world.Host, hooks ...snapshot.OtherHook) world.Edit {
	return world.Machine(h, func(m *snapshot.Machine) { m.OtherHooks = hooks })
}

func memberList(known snapshot.Fact) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) { s.MemberList = known })
}

func machineAPI(functional snapshot.Fact) world.Edit {
	return world.Facts(func(s *snapshot.Snapshot) { s.MachineAPI = functional })
}

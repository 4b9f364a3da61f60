package explain

import (
	"strings"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// unknownHealth is what members have when no quorum answers.
func unknownHealth(hosts ...snapshottest.Host) []snapshottest.Edit {
	var edits []snapshottest.Edit
	for _, h := range hosts {
		edits = append(edits, snapshottest.Member(h, func(m *snapshot.Member) { m.Health, m.Corrupt = snapshot.HealthUnknown, snapshot.Unknown }))
	}
	return edits
}

func TestWhetherThereIsQuorum(t *testing.T) {
	a, b, c := snapshottest.A, snapshottest.B, snapshottest.C
	asked := map[snapshot.MemberID]bool{a.ID(): true, b.ID(): true, c.ID(): true}
	const bringBack = "bring hosts back until 2 of 3 voters answer, and delete no Machine, Node or member before; if so many hosts are lost for ever, restore the cluster from a backup of etcd"
	for name, test := range map[string]struct {
		in              Input
		held            snapshot.Fact
		reason, unblock string
	}{
		"every voter is healthy": {Input{Snapshot: snapshottest.New()}, snapshot.True, "QuorumHeld", "nothing"},
		"one voter is lost":      {Input{Snapshot: snapshottest.New(snapshottest.Unhealthy(a, time.Hour))}, snapshot.True, "QuorumHeld", "nothing"},
		"nobody answered":        {Input{Snapshot: snapshottest.New(unknownHealth(a, b, c)...), Unserved: asked}, snapshot.False, "QuorumLost", bringBack},
		"two did not answer":     {Input{Snapshot: snapshottest.New(unknownHealth(a, b)...), Unserved: asked}, snapshot.False, "QuorumLost", bringBack},
		"nobody was asked":       {Input{Snapshot: snapshottest.New(unknownHealth(a, b, c)...)}, snapshot.Unknown, "QuorumUnknown", keepAllUnsure},
		"two are corrupt": {Input{Snapshot: snapshottest.New(snapshottest.Member(a, func(m *snapshot.Member) { m.Corrupt = snapshot.True }),
			snapshottest.Member(b, func(m *snapshot.Member) { m.Corrupt = snapshot.True }))}, snapshot.False, "QuorumLost", bringBack},
		"a revision is being installed": {Input{Snapshot: snapshottest.New(append(unknownHealth(a, b), snapshottest.Facts(func(s *snapshot.Snapshot) { s.NodeStatuses[0].Target = 2 }))...), Unserved: asked},
			snapshot.False, "QuorumLost", "revision 2 is being installed on node node-a, which restarts its member: wait for that first; " + bringBack},
		"no list of members": {Input{Snapshot: snapshottest.New(snapshottest.Facts(func(s *snapshot.Snapshot) { s.MemberList, s.Members = snapshot.Unknown, nil }))},
			snapshot.Unknown, "QuorumUnknown", keepAllUnsure},
	} {
		t.Run(name, func(t *testing.T) {
			test.in.Source = SourceDirectory
			e := New(test.in)
			if q := e.Quorum; q.Held != test.held || q.Reason != test.reason || q.Unblock != test.unblock {
				t.Errorf("%+v", q)
			}
			head := strings.Contains(text(t, e, Plain), "\nQUORUM   ")
			if red := strings.Contains(text(t, e, Coloured), "\n"+string(red)+"QUORUM"); red != (test.reason == quorumLost && !strings.Contains(test.unblock, "being installed")) {
				t.Errorf("it is an alarm: %v", red)
			}
			if head != (test.held != snapshot.True && e.Facts.MembersKnown) {
				t.Errorf("the headline tells: %v", head)
			}
		})
	}
}

// Without quorum a host that comes back may be all there is.
func TestNobodyIsToldToDeleteWithoutQuorum(t *testing.T) {
	lost := []snapshottest.Edit{snapshottest.Voter(snapshottest.D), snapshottest.Deleting(snapshottest.A)}
	lost = append(lost, unknownHealth(snapshottest.A, snapshottest.B, snapshottest.C)...)
	unserved := map[snapshot.MemberID]bool{snapshottest.A.ID(): true, snapshottest.B.ID(): true, snapshottest.C.ID(): true}
	for name, in := range map[string]Input{"lost": {Unserved: unserved}, "unknown": {}} {
		in.Snapshot, in.Source = snapshottest.New(lost...), SourceDirectory
		e := New(in)
		told := []string{e.Membership.Unblock, e.Rollout.Create.Unblock}
		for _, h := range e.Guard.Holds {
			told = append(told, h.Unblock)
		}
		for _, what := range told {
			if strings.Contains(what, "delete its") || strings.Contains(what, "delete Machine") {
				t.Errorf("%s: %s", name, what)
			}
		}
	}
}

// TestRemediesThatDelete: a new remedy that has a person delete something must be decided upon.
func TestRemediesThatDelete(t *testing.T) {
	for what, want := range map[string]bool{
		reason.Finding{Reason: reason.MachineNotDeleting}.Unblock():            true,
		reason.Finding{Reason: reason.NodeOfLostMemberRemains}.Unblock():       true,
		reason.Finding{Reason: reason.WaitingForRemainingVoters}.Unblock():     true,
		reason.Finding{Reason: reason.MemberCorrupt}.Unblock():                 true,
		reason.Finding{Reason: reason.LearnerStalled}.Unblock():                true,
		reason.Finding{Reason: reason.EnoughVoters}.Unblock():                  true,
		reason.Finding{Reason: reason.NodeHasNoMachine}.Unblock():              true,
		reason.Finding{Reason: reason.HealthyOrphanVoter}.Unblock():            true,
		reason.Finding{Reason: reason.OwnerAmbiguous}.Unblock():                true,
		reason.Finding{Reason: reason.DrainsWaitForMachine}.Unblock():          true,
		reason.Finding{Reason: reason.DrainsWaitForGuardWithoutVote}.Unblock(): false,
		reason.Finding{Reason: reason.WaitingForReplacementVoter}.Unblock():    false,
	} {
		if deletes.MatchString(what) != want {
			t.Errorf("it counts as deleting a member: %v, %q", !want, what)
		}
	}
}

// A restart is not a death (rules R6.1 and R8.2).
func TestWorkOnANodeIsWaitedForFirst(t *testing.T) {
	const otherwise = "; if it stays away after that: bring the host back, or delete Machine machine-b to have the member replaced"
	down := snapshottest.Unhealthy(snapshottest.B, time.Hour)
	for name, test := range map[string]struct {
		edit snapshottest.Edit
		want string
	}{
		"its node is cordoned": {snapshottest.Cordoned(snapshottest.B), "node node-b is cordoned, so somebody works on it: wait for that first, and uncordon it" + otherwise},
		"a revision is landing": {snapshottest.Facts(func(s *snapshot.Snapshot) { s.NodeStatuses[1].Target = 2 }),
			"revision 2 is being installed on node node-b, which restarts its member: wait for that first" + otherwise},
		"another node is cordoned": {snapshottest.Cordoned(snapshottest.C), "bring the host back, or delete Machine machine-b to have the member replaced"},
	} {
		if m := explained(down, test.edit).Membership; m.Reason != "MachineNotDeleting" || m.Unblock != test.want {
			t.Errorf("%s: %s: got %q, want %q", name, m.Reason, m.Unblock, test.want)
		}
	}
}

// The operator reads what a person may not: its decision is another one than what can be told here.
func TestWhatWhoeverAsksMayNotReadIsNoDecisionOfTheOperator(t *testing.T) {
	s := snapshottest.New(snapshottest.Facts(func(s *snapshot.Snapshot) { s.NodeList, s.Nodes = snapshot.Unknown, nil }))
	e := New(Input{Snapshot: s, Source: SourceLive, ManagementState: "Managed", Unread: map[Part]string{Nodes: "whoever asks here has no right to list nodes"}})
	shown := text(t, e, Plain)
	if strings.Contains(shown, "NEXT ") || !strings.Contains(shown, "DEPENDS  ") || !strings.Contains(shown, "has no right to list nodes") {
		t.Errorf("a guess is told as what comes next:\n%s", shown)
	}
	if strings.Contains(shown, "directory;") || deletes.MatchString(shown) {
		t.Errorf("a remedy is about a directory, or deletes something:\n%s", shown)
	}
}

func TestWhoHasNotStartedIsNotBroughtBack(t *testing.T) {
	for name, edits := range map[string][]snapshottest.Edit{
		"its Machine stays": nil, "its Machine is deleting": {snapshottest.Deleting(snapshottest.D)},
	} {
		edits = append([]snapshottest.Edit{snapshottest.Voter(snapshottest.D), snapshottest.Member(snapshottest.D, func(m *snapshot.Member) {
			m.Started, m.Health, m.Name = false, snapshot.HealthUnknown, ""
		})}, edits...)
		e := New(Input{Snapshot: snapshottest.New(edits...), Source: SourceDirectory, ManagementState: "Managed"})
		if m := e.Membership; !strings.Contains(m.Message, "has not started") || !strings.Contains(m.Unblock, "member remove") || strings.Contains(m.Unblock, "bring") {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

func TestNobodyIsToldThatAnUnheldOnlyCopyNeedsNoCare(t *testing.T) {
	alone := []snapshottest.Edit{snapshottest.MemberGone(snapshottest.B), snapshottest.MemberGone(snapshottest.C), snapshottest.Desired(1), snapshottest.Deleting(snapshottest.A),
		snapshottest.Machine(snapshottest.A, func(m *snapshot.Machine) { m.Hook = snapshot.HookMissing })}
	for name, test := range map[string]struct {
		in   Input
		want string
	}{
		"a single voter": {Input{Snapshot: snapshottest.New(alone...)}, "make a backup of etcd now"},
		"no quorum": {Input{Snapshot: snapshottest.New(append(unknownHealth(snapshottest.A, snapshottest.B), snapshottest.Deleting(snapshottest.A),
			snapshottest.Machine(snapshottest.A, func(m *snapshot.Machine) { m.Hook = snapshot.HookMissing }))...),
			Unserved: map[snapshot.MemberID]bool{snapshottest.A.ID(): true, snapshottest.B.ID(): true}}, "bring hosts back until 2 of 3 voters answer"},
	} {
		if m := New(test.in).Machines[0]; m.Reason != string(reason.HookStrippedFromDeletingMachine) || !strings.HasPrefix(m.Unblock, test.want) {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// Rule R4.7: the Machine API asks no hook of a Machine that is excluded from draining.
func TestAHookThatIsNotAskedHoldsNothing(t *testing.T) {
	s := snapshottest.New(snapshottest.Deleting(snapshottest.A), snapshottest.Machine(snapshottest.A, func(m *snapshot.Machine) { m.ExcludedFromDrain = true }))
	if held := New(Input{Snapshot: s}).Machines[0].HeldBy; strings.Contains(strings.Join(held, " "), "EtcdQuorumOperator") {
		t.Errorf("held by %v", held)
	}
}

func TestAPodThatDoesNotRunIsMendedBeforeAnythingIsDeleted(t *testing.T) {
	s := snapshottest.New(snapshottest.Unhealthy(snapshottest.B, time.Hour))
	for name, test := range map[string]struct {
		guard, first bool
	}{"its etcd pod": {false, true}, "its guard": {true, false}} {
		e := New(Input{Snapshot: s, PodTroubles: []PodTrouble{{Pod: "pod-b", Node: "node-b", Guard: test.guard, Message: "container waits: ImagePullBackOff"}}})
		if got := strings.HasPrefix(e.Membership.Unblock, "pod pod-b does not run (see members): mend that first; "); got != test.first {
			t.Errorf("%s: %s", name, e.Membership.Unblock)
		}
	}
}

// An offline look without the list misses a file; a live one may have met a cluster without quorum.
func TestALiveLookWithoutMembersTellsOfQuorum(t *testing.T) {
	s := snapshottest.New(snapshottest.Facts(func(s *snapshot.Snapshot) { s.MemberList, s.Members = snapshot.Unknown, nil }))
	shown := text(t, New(Input{Snapshot: s, Source: SourceLive, ManagementState: "Managed"}), Plain)
	if !strings.Contains(shown, "\nQUORUM   whether etcd has quorum is not known") || !strings.Contains(shown, "delete no Machine, Node or member") {
		t.Error(shown)
	}
}

func TestNobodyIsCalledForAMemberThatIsRemovedNext(t *testing.T) {
	full := snapshottest.Member(snapshottest.A, func(m *snapshot.Member) { m.NoSpace = snapshot.True })
	for name, test := range map[string]struct {
		edits  []snapshottest.Edit
		urgent int
	}{
		"it stays":           {[]snapshottest.Edit{full}, 1},
		"it is removed next": {[]snapshottest.Edit{full, snapshottest.Voter(snapshottest.D), snapshottest.Deleting(snapshottest.A)}, 0},
	} {
		if e := New(Input{Snapshot: snapshottest.New(test.edits...)}); len(e.urgent) != test.urgent {
			t.Errorf("%s: %s, and %+v", name, e.Membership.Action, e.urgent)
		}
	}
}

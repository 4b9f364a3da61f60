package clustermember

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// see publishes a pass about a world of the test, in which the decision must be to wait.
func (h *harness) see(edits ...snapshottest.Edit) {
	h.Helper()
	s := snapshottest.New(edits...)
	s.ObservedAt = time.Now()
	p := pass.Pass{Decisions: decision.About(s)}
	if p.Membership.Action != membership.Wait {
		h.Fatalf("the decision is %s", p.Membership.Action)
	}
	h.sync(p)
}

func TestAReplacementIsProgressingWithTheMachinesNameAndDegradedAfterItsDeadline(t *testing.T) {
	run(t, func(h *harness) {
		world := snapshottest.Deleting(snapshottest.A)
		h.see(world)
		h.wantCondition("Progressing", yes, reason.WaitingForReplacementVoter)
		h.wantCondition("Degraded", no, asExpected)
		want := "Machine machine-a is being replaced: without node-a, 2 voters would remain and 3 are desired (to unblock: create a replacement control-plane Machine; its member must become a voter first (a learner does not count))"
		if got := h.condition("Progressing").Message; got != want {
			t.Errorf("got message %q, want %q", got, want)
		}
		<-time.After(time.Hour - time.Second)
		h.see(world)
		h.wantCondition("Degraded", no, asExpected)
		<-time.After(time.Second)
		h.see(world)
		h.wantCondition("Degraded", yes, reason.WaitingForReplacementVoter)
		h.wantCondition("Progressing", yes, reason.WaitingForReplacementVoter)
		h.see()
		h.wantCondition("Degraded", no, asExpected)
		h.wantCondition("Progressing", no, asExpected)
	})
}

func TestConditionsOfWaits(t *testing.T) {
	const never = -1
	for name, test := range map[string]struct {
		edits       []snapshottest.Edit
		progressing reason.Reason
		degraded    reason.Reason
		after       time.Duration
	}{
		"all is well": {nil, asExpected, asExpected, never},
		"a voter is down and nobody asked for its replacement": {
			[]snapshottest.Edit{snapshottest.HostDead(snapshottest.B, time.Minute)}, asExpected, reason.MachineNotDeleting, 30 * time.Minute,
		},
		"a voter is down whose Machine was force-deleted, and its Node is still there": {
			[]snapshottest.Edit{snapshottest.HostDead(snapshottest.B, time.Minute), snapshottest.MachineGone(snapshottest.B)},
			reason.NodeOfLostMemberRemains, reason.NodeOfLostMemberRemains, 5 * time.Minute,
		},
		"a voter is down that has neither Machine nor Node, for a moment": {
			[]snapshottest.Edit{snapshottest.Orphaned(snapshottest.B, time.Second), snapshottest.Unhealthy(snapshottest.B, time.Second)},
			reason.WaitingToConfirmMemberIsDead, asExpected, never,
		},
		"a voter that somebody added by hand has not started": {
			[]snapshottest.Edit{snapshottest.Voter(snapshottest.D), snapshottest.Orphaned(snapshottest.D, time.Hour), snapshottest.Member(snapshottest.D, func(m *snapshot.Member) {
				m.Name, m.Started, m.Health = "", false, snapshot.HealthUnknown
			})},
			reason.MemberHealthUnknown, reason.MemberHealthUnknown, 30 * time.Minute,
		},
		"a voter reboots where there are no Machines": {
			[]snapshottest.Edit{snapshottest.NoMachineAPI(), snapshottest.HostDead(snapshottest.B, time.Minute)}, asExpected, reason.NodeOfLostMemberRemains, 5 * time.Minute,
		},
		"a spare learner": {
			[]snapshottest.Edit{snapshottest.Voter(snapshottest.D), snapshottest.Learner(snapshottest.E)}, asExpected, asExpected, never,
		},
		"a learner that has not started": {
			[]snapshottest.Edit{snapshottest.Learner(snapshottest.D), snapshottest.Member(snapshottest.D, func(m *snapshot.Member) { m.Started = false })},
			reason.WaitingForLearnerToStart, reason.WaitingForLearnerToStart, 5 * time.Minute,
		},
		"a node whose pod is to come": {
			[]snapshottest.Edit{snapshottest.NewNode(snapshottest.D)}, reason.WaitingForEtcdPod, reason.WaitingForEtcdPod, 30 * time.Minute,
		},
		"a node that is to go": {
			[]snapshottest.Edit{snapshottest.Waiting(snapshottest.D), snapshottest.Released(snapshottest.D)}, asExpected, asExpected, never,
		},
		"a voter too few and no node to come": {
			[]snapshottest.Edit{snapshottest.Desired(4)}, reason.WaitingForNode, reason.WaitingForNode, 60 * time.Minute,
		},
		"an alarm": {
			[]snapshottest.Edit{snapshottest.Member(snapshottest.B, func(m *snapshot.Member) { m.NoSpace = snapshot.True })}, asExpected, reason.MemberOutOfSpace, 0,
		},
		"an unknown member list": {
			[]snapshottest.Edit{snapshottest.Facts(func(s *snapshot.Snapshot) { s.MemberList = snapshot.Unknown })}, asExpected, reason.MemberListUnknown, 10 * time.Minute,
		},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(h *harness) {
				h.see(test.edits...)
				if test.progressing == asExpected {
					h.wantCondition("Progressing", no, asExpected)
				} else {
					h.wantCondition("Progressing", yes, test.progressing)
				}
				if test.after > 0 {
					h.wantCondition("Degraded", no, asExpected)
					<-time.After(test.after - time.Second)
					h.see(test.edits...)
					h.wantCondition("Degraded", no, asExpected)
					<-time.After(time.Second)
					h.see(test.edits...)
					// What waits too long is Degraded, and nothing moves any more.
					h.wantCondition("Progressing", no, asExpected)
				}
				if test.after == never {
					<-time.After(48 * time.Hour)
					h.see(test.edits...)
					h.wantCondition("Degraded", no, asExpected)
				} else {
					h.wantCondition("Degraded", yes, test.degraded)
				}
			})
		})
	}
}

func TestAPassWithoutAMemberListEndsNoWait(t *testing.T) {
	run(t, func(h *harness) {
		world := snapshottest.Deleting(snapshottest.A)
		blind := snapshottest.Facts(func(s *snapshot.Snapshot) { s.MemberList, s.Members = snapshot.Unknown, nil })
		h.see(world)
		<-time.After(30 * time.Minute)
		h.see(world, blind)
		h.wantCondition("Progressing", yes, reason.WaitingForReplacementVoter)
		<-time.After(30 * time.Minute)
		h.see(world)
		h.wantCondition("Degraded", yes, reason.WaitingForReplacementVoter)
		writes := h.operator.writes
		h.see(world, blind)
		h.wantCondition("Degraded", yes, reason.WaitingForReplacementVoter)
		if h.operator.writes != writes {
			t.Error("conditions were written although nothing was learned")
		}
	})
}

func TestTheSameWaitIsWrittenOnce(t *testing.T) {
	run(t, func(h *harness) {
		for range 10 {
			h.see(snapshottest.Deleting(snapshottest.A))
			<-time.After(15 * time.Second)
		}
		if h.operator.writes != 1 {
			t.Errorf("conditions were written %d times, want once", h.operator.writes)
		}
		if got := h.eventsOnMachines(); !slices.Equal(got, []string{"machine-a: ScaleDown"}) {
			t.Errorf("events on Machines %q", got)
		}
		h.wantEvents(eventWhyNot)
	})
}

func TestWhyAMemberIsNotRemovedIsToldWhenTheReasonChangesAndAtMostEveryFiveMinutes(t *testing.T) {
	run(t, func(h *harness) {
		deleting := snapshottest.Deleting(snapshottest.A)
		another := []snapshottest.Edit{snapshottest.Voter(snapshottest.D), deleting, snapshottest.Facts(func(s *snapshot.Snapshot) { s.EndpointsKnown = snapshot.False })}
		h.see(deleting)
		<-time.After(time.Minute)
		h.see(another...)
		h.wantEvents(eventWhyNot)
		<-time.After(4*time.Minute - time.Second)
		h.see(another...)
		h.wantEvents(eventWhyNot)
		<-time.After(time.Second)
		h.see(another...)
		h.wantEvents(eventWhyNot, eventWhyNot)
		if got := h.recorder.Events()[1].Message; !strings.HasPrefix(got, "node-a stays until ConfigMap etcd-endpoints names exactly the 4 voters") {
			t.Errorf("got %q", got)
		}
		<-time.After(time.Hour)
		h.see(another...)
		h.wantEvents(eventWhyNot, eventWhyNot)
	})
}

func TestAConditionThatCouldNotBeWrittenIsWrittenLaterAndNothingIsDoneTwice(t *testing.T) {
	run(t, func(h *harness) {
		h.settle()
		h.operator.fails = errors.New("the API server is away")
		h.source.Publish(h.observe(add(h.etcd.Place(t))))
		if err := h.c.sync(h.Context(), h.context); err == nil {
			t.Error("got no error, so nobody tries again")
		}
		h.wantSent("add at 1")
		h.operator.fails = nil
		h.again()
		h.wantSent()
		h.wantCondition("Progressing", yes, reason.AddingLearner)
		h.wantEvents(eventAdd)
	})
}

func TestWhatKeepsAReplacementFromVotingIsToldAndNotThatThereIsNone(t *testing.T) {
	a, b, d := snapshottest.A, snapshottest.B, snapshottest.D
	const missing = "Machine machine-a is being replaced: without node-a, 2 voters would remain and 3 are desired; "
	const down = "Machine machine-a is being replaced: node-a stays while voter node-b is not healthy (to unblock: make node-b healthy; if its host is lost, delete its Machine, or its Node if it has none)"
	const create = "create a replacement control-plane Machine; its member must become a voter first (a learner does not count)"
	for name, test := range map[string]struct {
		edits []snapshottest.Edit
		why   reason.Reason
		// first is the first line of the message.
		first string
	}{
		"another voter is not healthy, beside which nobody joins": {
			[]snapshottest.Edit{snapshottest.Deleting(a), snapshottest.Waiting(d), snapshottest.Unhealthy(b, time.Minute)},
			reason.WaitingForRemainingVoters,
			down,
		},
		"another voter is not healthy, and there is no replacement either": {
			[]snapshottest.Edit{snapshottest.Deleting(a), snapshottest.Unhealthy(b, time.Minute)},
			reason.WaitingForRemainingVoters,
			down,
		},
		"another voter is not healthy and is being replaced itself, and nobody joins beside it": {
			[]snapshottest.Edit{snapshottest.Deleting(a, b), snapshottest.Waiting(d), snapshottest.HostDead(b, time.Minute)},
			reason.VoterNotHealthy,
			missing + "node-d waits while voter node-b is not healthy (to unblock: bring node-b back; if its host is lost, delete its Machine, or its Node if it has none)",
		},
		"another voter is not healthy, and is being replaced itself": {
			[]snapshottest.Edit{snapshottest.Deleting(a, b), snapshottest.HostDead(b, time.Minute)},
			reason.WaitingForReplacementVoter,
			"Machine machine-a is being replaced: without node-a, 2 voters would remain and 3 are desired (to unblock: " + create + ")",
		},
		"its pod is to come": {
			[]snapshottest.Edit{snapshottest.Deleting(a), snapshottest.NewNode(d)},
			reason.WaitingForReplacementVoter,
			missing + "node node-d has no etcd pod yet (to unblock: see the installer pods of node node-d in openshift-etcd)",
		},
		"it is a learner that has not started": {
			[]snapshottest.Edit{snapshottest.Deleting(a), snapshottest.Learner(d), snapshottest.Member(d, func(m *snapshot.Member) { m.Started = false })},
			reason.WaitingForReplacementVoter,
			missing + "learner node-d has not started (to unblock: see the etcd pod of its node in openshift-etcd)",
		},
		"the one that is there is to go as well": {
			[]snapshottest.Edit{snapshottest.Deleting(a), snapshottest.Waiting(d), snapshottest.Released(d)},
			reason.WaitingForReplacementVoter,
			"Machine machine-a is being replaced: without node-a, 2 voters would remain and 3 are desired (to unblock: " + create + ")",
		},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(h *harness) {
				h.see(test.edits...)
				h.wantCondition("Progressing", yes, test.why)
				if lines := strings.Split(h.condition("Progressing").Message, "\n"); !slices.Contains(lines, test.first) {
					t.Errorf("no line is %q:\n%s", test.first, strings.Join(lines, "\n"))
				}
				told := h.recorder.Events()
				if want := strings.TrimPrefix(test.first, "Machine machine-a is being replaced: "); !slices.ContainsFunc(told, func(e *corev1.Event) bool { return e.Message == want }) {
					t.Errorf("no event says %q", want)
				}
				<-time.After(time.Hour)
				h.see(test.edits...)
				h.see(test.edits...)
				if degraded := h.condition("Degraded"); strings.HasPrefix(test.first, missing) && strings.Contains(degraded.Message, "(to unblock: create a replacement") {
					t.Errorf("Degraded tells to make what is there: %q", degraded.Message)
				}
			})
		})
	}
}

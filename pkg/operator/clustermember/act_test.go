package clustermember

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	asExpected = reason.Reason("AsExpected")
	yes        = operatorv1.ConditionTrue
	no         = operatorv1.ConditionFalse
)

func run(t *testing.T, test func(h *harness)) {
	synctest.Test(t, func(t *testing.T) { test(newHarness(t, operatorv1.Managed)) })
}

func TestEachChangeIsMadeOnceAndTold(t *testing.T) {
	run(t, func(h *harness) {
		h.settle()
		h.sync(h.observe(add(h.etcd.Place(t))))
		h.wantSent("add at 1")
		h.wantCondition("Progressing", yes, reason.AddingLearner)
		if h.source.Lookups() != 1 {
			t.Errorf("looked again %d times after a change, want 1", h.source.Lookups())
		}
		h.again()
		h.again()
		h.wantSent()

		<-time.After(time.Second)
		h.observe(nil)
		h.etcd.Start(t, h.id(4))
		<-time.After(6 * time.Second)
		h.sync(h.observe(promote(h, 4)))
		h.wantSent("promote at 1")

		<-time.After(6 * time.Second)
		h.sync(h.observe(remove(h, 1, 3)))
		h.wantSent("move leader to 3 at 1", "remove 1 at 3")
		list := h.list()
		if len(list.Members) != 3 || list.Find(h.id(1)) != nil || list.Find(h.id(4)).Learner {
			t.Errorf("got members %v", list.Members)
		}
		h.wantEvents(eventAdd, eventPromote, eventRemove)
		if got, want := h.eventsOnMachines(), []string{"machine-a: " + eventRemove, "machine-b: " + eventAdd}; !sameSet(got, want) {
			t.Errorf("events on Machines %q, want %q", got, want)
		}
		h.wantCondition("Degraded", no, asExpected)
		<-time.After(time.Second)
		h.sync(h.observe(nil))
		h.wantCondition("Progressing", no, asExpected)
	})
}

func sameSet(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

func TestNothingIsSentWhenWhatADecisionRestsOnDoesNotHold(t *testing.T) {
	for name, test := range map[string]func(h *harness){
		"a pass is older than 15 s": func(h *harness) {
			p := h.observe(remove(h, 2, 0))
			<-time.After(15*time.Second + time.Nanosecond)
			h.sync(p)
			if h.source.Lookups() != 1 {
				h.Errorf("looked again %d times, want 1", h.source.Lookups())
			}
			h.wantCondition("Progressing", yes, reason.DecidedAnew)
		},
		"live reads tell that the Machine of a learner is deleting by now": func(h *harness) {
			h.confirm = func(membership.Decision) (membership.Decision, error) {
				return membership.Decision{Action: membership.Wait, Finding: reason.Finding{Rule: reason.R6_5, Reason: reason.MachineDeleting}}, nil
			}
			h.sync(h.observe(promote(h, 3)))
			h.wantCondition("Progressing", yes, reason.DecidedAnew)
			h.wantCondition("Degraded", no, asExpected)
			if h.source.Lookups() != 1 {
				h.Errorf("looked again %d times, want 1", h.source.Lookups())
			}
		},
		"live reads tell that another member is to be removed": func(h *harness) {
			h.confirm = func(d membership.Decision) (membership.Decision, error) {
				d.Member = h.id(3)
				return d, nil
			}
			h.sync(h.observe(remove(h, 2, 0)))
		},
		"live reads tell that leadership is to move elsewhere": func(h *harness) {
			h.confirm = func(d membership.Decision) (membership.Decision, error) {
				d.MoveLeaderTo = h.id(3)
				return d, nil
			}
			h.sync(h.observe(remove(h, 1, 2)))
		},
		"live reads tell of another peer URL": func(h *harness) {
			h.confirm = func(d membership.Decision) (membership.Decision, error) {
				d.PeerURL = "https://192.0.2.99:2380"
				return d, nil
			}
			h.sync(h.observe(add(h.etcd.Place(h))))
		},
		"what a change rests on cannot be read live": func(h *harness) {
			h.confirm = func(membership.Decision) (membership.Decision, error) {
				return membership.Decision{Action: membership.Wait}, errors.New("list Machines: no")
			}
			h.sync(h.observe(remove(h, 2, 0)))
			h.wantCondition("Degraded", yes, "SyncError")
		},
		"the lease is not confirmed": func(h *harness) {
			h.lease = errors.New("somebody else holds it")
			h.sync(h.observe(remove(h, 2, 0)))
			h.wantCondition("Progressing", yes, reason.LeaseNotFresh)
			h.wantCondition("Degraded", no, asExpected)
		},
		"the lease is not confirmed and leadership would move": func(h *harness) {
			h.lease = errors.New("somebody else holds it")
			h.sync(h.observe(remove(h, 1, 2)))
		},
		"a live read says Unmanaged": func(h *harness) {
			h.operator.live = operatorv1.Unmanaged
			before := h.operator.writes
			h.sync(h.observe(remove(h, 2, 0)))
			h.sync(h.observe(remove(h, 1, 2)))
			if h.operator.writes != before {
				h.Error("conditions were written")
			}
		},
		"a pass began before the last change was answered": func(h *harness) {
			p := h.observe(remove(h, 2, 0))
			<-time.After(time.Second)
			h.sync(h.observe(add(h.etcd.Place(h))))
			h.wantSent("add at 1")
			<-time.After(time.Second)
			h.lease = errors.New("it is not asked for")
			h.sync(p)
			h.wantCondition("Progressing", yes, reason.RemovingReplacedMember)
		},
		"somebody else changed the member list": func(h *harness) {
			p := h.observe(remove(h, 2, 0))
			list := h.list()
			if _, err := h.eyes.AddLearner(h.Context(), etcdclient.Change{Endpoints: h.etcd.Endpoints(), Judged: list.Judged(), Through: h.id(1)}, []string{h.etcd.Place(h)}); err != nil {
				h.Fatal(err)
			}
			h.sync(p)
			h.wantCondition("Degraded", no, asExpected)
			if h.source.Lookups() != 1 {
				h.Errorf("looked again %d times, want 1", h.source.Lookups())
			}
		},
		"the leader is not known and a learner is to be promoted": func(h *harness) {
			p := h.observe(promote(h, 3))
			p.Snapshot.Leader = 0
			h.sync(p)
			h.wantCondition("Progressing", yes, reason.LeaderUnknown)
		},
		"the leader is not healthy and a learner is to be promoted": func(h *harness) {
			p := h.observe(promote(h, 3))
			p.Snapshot.Members[0].Health = snapshot.Unhealthy
			h.sync(p)
			h.wantCondition("Progressing", yes, reason.LeaderUnknown)
		},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(h *harness) {
				h.settle()
				test(h)
				h.wantSent()
			})
		})
	}
}

func TestNothingIsWrittenWhileUnmanaged(t *testing.T) {
	for _, state := range []operatorv1.ManagementState{operatorv1.Unmanaged, operatorv1.Removed} {
		t.Run(string(state), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, state)
				h.settle()
				for range 3 {
					h.sync(h.observe(remove(h, 2, 0)))
					<-time.After(apart)
				}
				h.wantSent()
				h.wantEvents()
				if h.operator.writes != 0 {
					t.Errorf("conditions were written %d times", h.operator.writes)
				}
			})
		})
	}
}

// A process that has just started does not know what its predecessor had sent (rule R10.2).
func TestAProcessThatStartsChangesNothingBeforeTwoListsTenSecondsApartAgree(t *testing.T) {
	run(t, func(h *harness) {
		h.observe(nil)
		for range 2 {
			h.sync(h.observe(remove(h, 2, 0)))
			h.wantSent()
			h.wantCondition("Progressing", yes, reason.ChangeOutcomeUnknown)
			<-time.After(apart - time.Second)
			// Somebody adds a learner, so the second list is another first.
			if h.id(4) == 0 {
				list := h.list()
				if _, err := h.eyes.AddLearner(h.Context(), etcdclient.Change{Endpoints: h.etcd.Endpoints(), Judged: list.Judged(), Through: h.id(1)}, []string{h.etcd.Place(t)}); err != nil {
					t.Fatal(err)
				}
			}
			h.sync(h.observe(remove(h, 2, 0)))
			h.wantSent()
		}
		h.again()
		if h.source.Lookups() != 0 {
			t.Error("looked again before the time for the second list")
		}
		<-time.After(time.Second)
		h.again()
		if h.source.Lookups() != 1 {
			t.Error("did not look again at the time for the second list")
		}
		h.sync(h.observe(remove(h, 2, 0)))
		h.wantSent("remove 2 at 1")
	})
}

func TestAfterAnUnknownOutcomeNothingChangesBeforeTwoListsTenSecondsApartAgree(t *testing.T) {
	run(t, func(h *harness) {
		h.settle()
		place := h.etcd.Place(t)
		p := h.observe(add(place))
		h.before = func() {
			h.etcd.Pause(t, h.id(2))
			h.etcd.Pause(t, h.id(3))
		}
		h.sync(p)
		h.wantSent("add at 1")
		h.before = nil
		h.wantCondition("Progressing", yes, reason.ChangeOutcomeUnknown)
		h.wantCondition("Degraded", no, asExpected)
		h.wantEvents(eventAdd)
		h.etcd.Resume(t, h.id(2))
		h.etcd.Resume(t, h.id(3))
		<-time.After(5 * time.Second)

		retry := func(p *pass.Pass) {
			if len(p.Snapshot.Members) == 3 {
				add(place)(p)
			} else {
				remove(h, 4, 0)(p)
			}
		}
		first := h.observe(retry)
		h.sync(first)
		h.wantSent()
		<-time.After(apart - time.Millisecond)
		h.sync(h.observe(retry))
		h.wantSent()
		// The list of a pass that began less than 10 s after the first list was in hand does not count; one that did does.
		<-time.After(time.Millisecond)
		h.sync(h.observe(retry))
		if got := h.takeSent(); len(got) != 1 {
			t.Errorf("sent %q after the doubt, want one change", got)
		}
	})
}

func TestAListThatIsNotKnownSettlesNoDoubt(t *testing.T) {
	run(t, func(h *harness) {
		h.observe(nil)
		for range 3 {
			p := h.observe(remove(h, 2, 0))
			p.Snapshot.MemberList = snapshot.Unknown
			h.sync(p)
			<-time.After(apart)
		}
		h.sync(h.observe(remove(h, 2, 0)))
		h.wantSent()
	})
}

func TestWhatEtcdRefusesIsAWaitAndNoError(t *testing.T) {
	for name, test := range map[string]func(h *harness){
		"a learner is not in sync": func(h *harness) {
			h.sync(h.observe(add(h.etcd.Place(h))))
			<-time.After(6 * time.Second)
			h.observe(nil)
			h.takeSent()
			h.sync(h.observe(promote(h, 4)))
			h.wantSent("promote at 1")
		},
		"quorum is at risk": func(h *harness) {
			h.etcd.Kill(h, h.id(3))
			h.sync(h.observe(remove(h, 2, 0)))
			h.wantSent("remove 2 at 1")
		},
		"there are too many learners": func(h *harness) {
			h.sync(h.observe(add(h.etcd.Place(h))))
			<-time.After(6 * time.Second)
			h.takeSent()
			h.sync(h.observe(add("https://192.0.2.77:2380")))
			h.wantSent("add at 1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(h *harness) {
				h.settle()
				test(h)
				h.again()
				h.wantSent()
				h.wantCondition("Progressing", yes, reason.RefusedByEtcd)
				h.wantCondition("Degraded", no, asExpected)
				if got := h.recorder.Events(); len(got) > 1 || len(got) == 1 && got[0].Reason != eventAdd {
					t.Errorf("unexpected events %v", got)
				}
			})
		})
	}
}

func TestAMemberThatExistsIsToldAndNoError(t *testing.T) {
	run(t, func(h *harness) {
		h.settle()
		h.sync(h.observe(add("https://192.0.2.2:2380")))
		h.wantSent("add at 1")
		h.wantEvents(eventAlreadyAdded)
		h.wantCondition("Degraded", no, asExpected)
		// Pass by pass the same, it is told once.
		for range 3 {
			<-time.After(15 * time.Second)
			h.sync(h.observe(add("https://192.0.2.2:2380")))
			h.wantSent("add at 1")
		}
		h.wantEvents(eventAlreadyAdded)
		h.sync(h.observe(add("https://192.0.2.3:2380")))
		h.wantEvents(eventAlreadyAdded, eventAlreadyAdded)
	})
}

func TestWhatAChangeDoesNotRestOnMayStayUnread(t *testing.T) {
	run(t, func(h *harness) {
		h.settle()
		h.confirm = func(d membership.Decision) (membership.Decision, error) {
			return d, errors.New("read ConfigMap config-7: no")
		}
		h.sync(h.observe(remove(h, 2, 0)))
		h.wantSent("remove 2 at 1")
		h.wantCondition("Degraded", no, asExpected)
	})
}

func TestAMemberThatIsGoneOrVotesAlreadyIsNoError(t *testing.T) {
	run(t, func(h *harness) {
		h.settle()
		p := h.observe(remove(h, 2, 0))
		p.Membership.Member = 0xdead
		h.sync(p)
		h.wantSent("remove 0 at 1")
		h.wantCondition("Degraded", no, asExpected)
		h.sync(h.observe(promote(h, 2)))
		h.wantSent("promote at 1")
		h.wantCondition("Degraded", no, asExpected)
		h.wantEvents()
	})
}

// etcd may take a member for a learner in one place and for a voter in another; then a change is wanted in each pass, and
// refused each time.
func TestAChangeThatIsNeverMadeIsTriedAtTheUsualPaceAndDegradedInTheEnd(t *testing.T) {
	run(t, func(h *harness) {
		h.settle()
		for range 41 {
			h.sync(h.observe(promote(h, 2)))
			h.wantSent("promote at 1")
			<-time.After(15 * time.Second)
		}
		if h.source.Lookups() != 1 {
			t.Errorf("looked again %d times besides passes at their own pace, want 1", h.source.Lookups())
		}
		h.wantCondition("Degraded", yes, reason.DecidedAnew)
	})
}

func TestWhatCannotBeDoneIsDegradedAtOnceAndDecidedAnew(t *testing.T) {
	run(t, func(h *harness) {
		h.settle()
		p := h.observe(remove(h, 2, 0))
		p.Endpoints = nil
		h.sync(p)
		h.wantSent()
		h.wantCondition("Degraded", yes, "SyncError")
		h.sync(h.observe(remove(h, 2, 0)))
		h.wantSent("remove 2 at 1")
		h.wantCondition("Degraded", no, asExpected)
	})
}

func TestLeadershipThatDoesNotMoveBlocksNoRemoval(t *testing.T) {
	run(t, func(h *harness) {
		h.settle()
		h.sync(h.observe(add(h.etcd.Place(t))))
		h.takeSent()
		h.observe(nil)
		h.etcd.Start(t, h.id(4))
		<-time.After(6 * time.Second)
		p := h.observe(remove(h, 1, 4))
		h.sync(p)
		// Member 4 is a learner, which cannot lead, and of which no change is asked.
		if got := h.takeSent(); len(got) != 2 || got[1] == "remove 1 at 1" {
			t.Errorf("sent %q, want an attempt to move leadership and the removal at another voter", got)
		}
		if list := h.list(); list.Find(h.id(1)) != nil {
			t.Error("member 1 was not removed")
		}
	})
}

func TestARemovalWhosePassGrewOldWhileLeadershipMovedWaitsForTheNext(t *testing.T) {
	run(t, func(h *harness) {
		h.settle()
		p := h.observe(remove(h, 1, 2))
		h.before = func() { <-time.After(4 * time.Second) }
		<-time.After(12 * time.Second)
		h.sync(p)
		h.wantSent("move leader to 2 at 1")
		if h.source.Lookups() != 1 {
			t.Errorf("looked again %d times, want 1", h.source.Lookups())
		}
	})
}

// A change is asked of the leader where it may be, never of its subject, and rather of a voter that stays.
func TestWhoIsAsked(t *testing.T) {
	run(t, func(h *harness) {
		h.settle()
		p := h.observe(remove(h, 1, 0))
		p.Snapshot.Machines[1].Deleting = true
		h.sync(p)
		h.wantSent("remove 1 at 3")
	})
}

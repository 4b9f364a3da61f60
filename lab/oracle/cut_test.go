package oracle

import (
	"slices"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
)

// cut has the recording break off at that time, as that of a run that is killed.
func (w *world) cut(at time.Duration) {
	w.Complete, w.Defect, w.End = false, "it was not closed", history.End{}
	w.Facts = slices.DeleteFunc(w.Facts, func(f facts.Facts) bool { return f.MembersAt > at })
	w.Operations = slices.DeleteFunc(w.Operations, func(o history.Operation) bool { return o.Return > at })
	w.Passes = slices.DeleteFunc(w.Passes, func(p history.Pass) bool { return p.At > at })
	w.Steps, w.Finals, w.Hashes, w.Load = nil, nil, nil, history.LoadSpan{}
}

// everyOther has objects read in every other look only, as on a real lab.
func (w *world) everyOther() {
	for i := 1; i < len(w.Facts); i += 2 {
		members, lists, at, membersAt := w.Facts[i].Members, w.Facts[i].Lists, w.Facts[i].At, w.Facts[i].MembersAt
		w.Facts[i] = w.Facts[i-1]
		w.Facts[i].Members, w.Facts[i].Lists, w.Facts[i].At, w.Facts[i].MembersAt = members, lists, at, membersAt
	}
}

func TestARecordingThatBreaksOffAnywhereBreaksNothingAndProvesNoEnd(t *testing.T) {
	for _, stale := range []bool{false, true} {
		whole := play(stages())
		for _, f := range whole.Facts {
			w := play(stages())
			if stale {
				w.everyOther()
			}
			w.cut(f.MembersAt)
			verdict := Judge(w.Recording)
			for _, claim := range verdict.Claims {
				if claim.Result == Broken {
					t.Errorf("cut at %s: %s %s", f.MembersAt, claim.Result, claim)
				}
			}
			for _, text := range []string{"Machine ma is gone", "the cluster is whole at the end", "an assertion", "no acknowledged write is lost"} {
				if got := verdict.Claim(text).Result; got != NotProven {
					t.Errorf("cut at %s: %q is %q, want %s", f.MembersAt, text, got, NotProven)
				}
			}
		}
	}
}

func TestARecordingThatBreaksOffWhileItIsReadBackLosesNoWrite(t *testing.T) {
	for name, test := range map[string]struct {
		bend func(*world)
		want map[string]Result
	}{
		"keys and digests that are still to come": {func(*world) {}, map[string]Result{
			"no acknowledged write is lost": NotProven, "reads and writes are linearizable": NotProven, "all members hold the same data": NotProven,
		}},
		"a key that was read back and is not what was written": {func(w *world) { w.Finals[1].Revision-- }, map[string]Result{"no acknowledged write is lost": Broken}},
		"digests that differ": {func(w *world) { w.Hashes[1].Hash++ }, map[string]Result{"all members hold the same data": Broken}},
	} {
		t.Run(name, func(t *testing.T) {
			w := play(stages())
			w.Complete, w.Defect, w.End = false, "it was not closed", history.End{}
			w.Finals, w.Hashes = w.Finals[:5], w.Hashes[:2]
			test.bend(w)
			verdict := Judge(w.Recording)
			for text, want := range test.want {
				if got := verdict.Claim(text); got.Result != want {
					t.Errorf("%s %s, want %s", got.Result, got, want)
				}
			}
		})
	}
}

func TestWhatTheScenarioMayHaveDoneWhenTheRecordingBreaksOffIsNotHeldAgainstAnybody(t *testing.T) {
	const restarted, decided = "no voter is restarted but by the scenario", "every change of the member list was decided by a pass"
	play := func() *world {
		w := play(stages())
		// One is started again at 12 s, and no pass decides the promotion at 20 s.
		w.change(12*second, time.Hour, func(f *facts.Facts) {
			f.Processes = slices.Clone(f.Processes)
			f.Processes[1].Began = 99
		})
		for i := range w.Passes {
			if p := &w.Passes[i]; p.Membership.Action == history.PromoteLearner {
				p.Membership = history.MembershipDecision{Action: history.Wait, Finding: why}
			}
		}
		return w
	}
	for name, test := range map[string]struct {
		stepEnds time.Duration
		want     Result
	}{
		"a step that has not ended may have done it": {11 * second, Holds},
		"steps that have ended have not":             {21 * second, Broken},
	} {
		t.Run(name, func(t *testing.T) {
			w := play()
			w.cut(22 * second)
			w.Steps = []history.Step{{Name: "sleep", From: second, To: test.stepEnds}}
			verdict := Judge(w.Recording)
			for _, text := range []string{restarted, decided} {
				if got := verdict.Claim(text); got.Result != test.want {
					t.Errorf("%s %s, want %s", got.Result, got, test.want)
				}
			}
		})
	}
}

func TestAnEvictionRightBeforeTheRecordingBreaksOffIsHeldAgainstNobody(t *testing.T) {
	w := play(stages())
	// A fourth guard has become Ready, which the next look would have shown.
	w.evict(14900*time.Millisecond, "etcd-guard-mb", 201)
	w.cut(14800 * time.Millisecond)
	if got := Judge(w.Recording).Claim("no eviction is granted that the budget must refuse"); got.Result != Holds {
		t.Errorf("%s %s", got.Result, got)
	}
}

func TestARemovalRightBeforeTheRecordingBreaksOffIsNotOfAMachineThatStays(t *testing.T) {
	const stays = "no healthy voter is removed whose Machine stays"
	for name, test := range map[string]struct {
		cut  time.Duration
		want Result
	}{
		"objects were not read again":                    {25010 * time.Millisecond, Holds},
		"objects were read again, and the Machine stays": {25300 * time.Millisecond, Broken},
	} {
		t.Run(name, func(t *testing.T) {
			w := play(stages())
			w.change(0, time.Hour, func(f *facts.Facts) { f.Machines[0].Deleting = false })
			w.cut(test.cut)
			if got := Judge(w.Recording).Claim(stays); got.Result != test.want {
				t.Errorf("%s %s, want %s", got.Result, got, test.want)
			}
		})
	}
}

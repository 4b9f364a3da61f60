package model

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const (
	// stepsPerWalk is how far a walk goes; far enough for several replacements one after another.
	stepsPerWalk = 400
	// A walk makes one move in so many a fault, so that the faults meet a cluster in the middle of something.
	faultEvery = 12
	// stepsHome is how many random moves the way to the goal may take before it is searched for, and statesHome how many
	// states that search looks at before it gives up.
	stepsHome  = 4000
	statesHome = 50_000
)

// walkWorlds are too large to be explored: more machines and more faults at once than the model's.
func walkWorlds() []*world {
	return []*world{
		of(5, 5, "five voters, everything at once", 10, faults{deletion: 5, hostDeath: 1, upkeep: 5, memberCrash: 2, revisionWish: 3, badRevision: 1, hookStrip: 2, guardChange: 1, operatorCrash: 2}),
		of(5, 5, "five voters, cut off, crashed and silent", 8, faults{deletion: 3, peerCut: 2, operatorCut: 3, kubeletStop: 1, memberCrash: 3, upkeep: 3}),
		of(3, 3, "three voters, up to ten machines", 10, faults{deletion: 6, extraMachine: 4, upkeep: 5, revisionWish: 3, hookStrip: 2, hookTheft: 2, foreignHook: 2, failedProvisioning: 1}),
		of(3, 3, "three voters, lost hosts", 8, faults{deletion: 3, hostDeath: 2, kubeletStop: 1, lostNode: 1, lostAddresses: 1, reusedAddress: 1, forcedDeletion: 1, upkeep: 3, operatorCrash: 2}, ordered),
		of(3, 3, "three voters, unreadable facts", 6, faults{deletion: 3, upkeep: 3, revisionWish: 2, blinding: 6}, blindToAny),
		of(3, 3, "three voters, API servers and guards that end", 6, faults{deletion: 3, upkeep: 4, guardEnd: 3, guardChange: 2, drainExclusion: 1, memberCrash: 1}, withAPIServers),
	}
}

// TestWalk goes at random through worlds beyond the size that can be explored, with the moves and the checks of the
// model; from where it ends, the state in which all is well must be in reach without a further fault. A failure prints the
// seed, and the shortest walk that still fails.
func TestWalk(t *testing.T) {
	for _, w := range walkWorlds() {
		t.Run(w.name, func(t *testing.T) {
			e := newExaminer(w, realCores())
			var total walked
			rapid.Check(t, func(t *rapid.T) { total.add(walk(t, e)) })
			t.Logf("%d moves, of which %d changed the membership and %d were faults; of the ends, %d led home, %d had no quorum, %d were not decided",
				total.moves, total.changes, total.faults, total.home, total.lost, total.undecided)
			if total.changes == 0 || total.faults == 0 || total.home == 0 {
				t.Error("the walks did not get far enough to test anything")
			}
		})
	}
}

// walked counts what happened on walks.
type walked struct{ moves, changes, faults, home, lost, undecided int }

func (w *walked) add(o walked) {
	w.moves += o.moves
	w.changes += o.changes
	w.faults += o.faults
	w.home += o.home
	w.lost += o.lost
	w.undecided += o.undecided
}

// walk takes random moves from the start of the world.
func walk(t *rapid.T, e *examiner) (count walked) {
	s := e.initial()
	var trace []string
	fail := func(what string, at *state) {
		t.Fatalf("%s\nworld: %s\n%s\n%s", what, e.name, strings.Join(trace, "\n"), e.describe(at))
	}
	for count.moves < stepsPerWalk {
		truth, d, steps := e.successors(&s)
		if what := e.checkState(&s, &truth, &d, steps); what != "" {
			fail(what, &s)
		}
		chosen := choose(t, steps)
		if chosen == nil {
			break
		}
		trace = append(trace, fmt.Sprintf("%3d. %s", count.moves+1, e.wordsOf(chosen)))
		if what := e.checkMove(&s, &truth, &d, chosen); what != "" {
			fail(what, &chosen.to)
		}
		if chosen.kind <= opRemove {
			count.changes++
		}
		if chosen.kind.isFault() {
			count.faults++
		}
		count.moves++
		s = chosen.to
	}
	switch {
	case !quorate(e, &s):
		count.lost++
	default:
		home, decided := e.findsHome(&s, rapid.Uint64().Draw(t, "way home"))
		switch {
		case home:
			count.home++
		case decided:
			fail("L3: nothing but a further fault leads from here to the state in which all is well", &s)
		default:
			count.undecided++
		}
	}
	return count
}

// choose draws a move, mostly one of progress; nil if there is none.
func choose(t *rapid.T, steps []step) *step {
	var progress, hazards []*step
	for i := range steps {
		if steps[i].kind.isFault() {
			hazards = append(hazards, &steps[i])
		} else {
			progress = append(progress, &steps[i])
		}
	}
	from := progress
	if len(progress) == 0 || len(hazards) > 0 && rapid.IntRange(1, faultEvery).Draw(t, "fault") == faultEvery {
		from = hazards
	}
	if len(from) == 0 {
		return nil
	}
	return from[rapid.IntRange(0, len(from)-1).Draw(t, "move")]
}

// findsHome reports whether progress alone leads from a state to the goal: first at random, then by search, which may stay
// undecided in a large world.
func (e *examiner) findsHome(from *state, seed uint64) (home, decided bool) {
	random := rand.New(rand.NewPCG(seed, 0))
	s := *from
	s.left = faults{}
	for range stepsHome {
		t, d, steps := e.successors(&s)
		if e.isGoal(&s, &t, &d) {
			return true, true
		}
		if len(steps) == 0 {
			break
		}
		s = steps[random.IntN(len(steps))].to
	}
	return e.searchHome(from)
}

func (e *examiner) searchHome(from *state) (home, decided bool) {
	states := newStore(e.slots + 2)
	var k key
	s := *from
	s.left = faults{}
	states.add(s.pack(e.slots, &k))
	for id := uint32(0); id < states.count; id++ {
		if states.count > statesHome {
			return false, false
		}
		s.unpack(states.at(id))
		t, d, steps := e.successors(&s)
		if e.isGoal(&s, &t, &d) {
			return true, true
		}
		for i := range steps {
			states.add(steps[i].to.pack(e.slots, &k))
		}
	}
	return false, true
}

func quorate(e *examiner, s *state) bool {
	t := e.truth(s)
	return t.hasQuorum
}

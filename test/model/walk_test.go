package model

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// stepsPerWalk is how far a walk goes; far enough for several replacements one after another.
const stepsPerWalk = 600

// walkWorlds are too large to be explored: more machines and more faults at once than the model's. None grants together
// both faults that make a living voter look dead to two witnesses (the operator cut off from it, and its kubelet stopped):
// on a deleting machine it is then rightly removed by rule R6.1, and beside a drain and another lost voter that is one
// fault more than the cluster bears.
func walkWorlds() []*world {
	return []*world{
		of(5, 5, "five voters, everything at once", 10, faults{deletion: 5, hostDeath: 1, upkeep: 5, memberCrash: 2, revisionWish: 3, badRevision: 1, hookStrip: 2, guardChange: 1, operatorCrash: 2}),
		of(5, 5, "five voters, cut off and crashed", 8, faults{deletion: 3, peerCut: 2, operatorCut: 3, memberCrash: 3, upkeep: 3}),
		of(3, 3, "three voters, up to ten machines", 10, faults{deletion: 6, extraMachine: 4, upkeep: 5, revisionWish: 3, hookStrip: 2, hookTheft: 2, foreignHook: 2, failedProvisioning: 1}),
		of(3, 3, "three voters, lost hosts", 8, faults{deletion: 3, hostDeath: 1, lostNode: 1, lostAddresses: 1, reusedAddress: 1, forcedDeletion: 1, upkeep: 3, operatorCrash: 2}),
		of(3, 3, "three voters, unreadable facts", 6, faults{deletion: 3, upkeep: 3, revisionWish: 2, blinding: 6}, blindToAny),
	}
}

// TestWalk goes at random through worlds beyond the size that can be explored, with the moves and the checks of the
// model. A failure prints the seed and the shortest walk that still fails.
func TestWalk(t *testing.T) {
	for _, w := range walkWorlds() {
		t.Run(w.name, func(t *testing.T) {
			e := newExaminer(w, realCores())
			var walked, changes int
			rapid.Check(t, func(t *rapid.T) {
				steps, changed := walk(t, e)
				walked += steps
				changes += changed
			})
			t.Logf("%d moves, of which %d changed the membership", walked, changes)
			if changes == 0 {
				t.Error("no walk changed the membership, so nothing was tested")
			}
		})
	}
}

// walk takes random moves from the start of the world and returns how many, and how many of them changed the members.
func walk(t *rapid.T, e *examiner) (walked, changes int) {
	s := e.initial()
	var trace []string
	fail := func(what string, at *state) {
		t.Fatalf("%s\nworld: %s\n%s\n%s", what, e.name, strings.Join(trace, "\n"), e.describe(at))
	}
	for walked < stepsPerWalk {
		truth, d, steps := e.successors(&s)
		if what := e.checkState(&s, &truth, &d, steps); what != "" {
			fail(what, &s)
		}
		if len(steps) == 0 {
			return walked, changes
		}
		chosen := steps[rapid.IntRange(0, len(steps)-1).Draw(t, "move")]
		trace = append(trace, fmt.Sprintf("%3d. %s", walked+1, e.wordsOf(&chosen)))
		if what := e.checkMove(&s, &truth, &d, &chosen); what != "" {
			fail(what, &chosen.to)
		}
		if chosen.kind <= opRemove {
			changes++
		}
		s = chosen.to
		walked++
	}
	return walked, changes
}

package model

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

// The least number of states that count as an exploration; worlds that have shrunk show less than they say.
const (
	leastStates     = 1_000_000
	leastStatesFull = 5_000_000
)

// TestModel explores the default worlds. Besides the invariants, every move must have been taken and every rule have
// decided somewhere: a rule that never decides, or an event that never happens, has not been tested.
func TestModel(t *testing.T) {
	explored := exploreAll(t, defaultWorlds(), leastStates)
	checkTaken(t, explored)
	checkCited(t, explored)
}

// TestModelFull explores the larger worlds as well.
func TestModelFull(t *testing.T) {
	if os.Getenv("MODEL_FULL") == "" {
		t.Skip("MODEL_FULL is not set: the larger worlds take a quarter of an hour and are explored by `make test-model-full`")
	}
	exploreAll(t, append(fullWorlds(), defaultWorlds()...), leastStatesFull)
}

// exploreAll explores worlds, one on each processor at a time, and prints what was covered.
func exploreAll(t *testing.T, worlds []*world, least uint64) []*exploration {
	explored := make([]*exploration, len(worlds))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				explored[i] = explore(worlds[i], realCores())
				explored[i].forget()
			}
		})
	}
	for i := range worlds {
		next <- i
	}
	close(next)
	workers.Wait()
	var states, transitions uint64
	t.Logf("%-58s %10s %12s %8s  %s", "world", "states", "transitions", "seconds", "faults granted")
	for i, x := range explored {
		t.Logf("%-58s %10d %12d %8.1f  %s", worlds[i].name, x.found, x.transitions, x.seconds, worlds[i].grants())
		states += uint64(x.found)
		transitions += x.transitions
		if x.violation != nil {
			t.Errorf("%s\n%s", x.violation.what, x.told)
		}
	}
	t.Logf("%-58s %10d %12d", "all", states, transitions)
	if states < least {
		t.Errorf("explored %d states, want at least %d", states, least)
	}
	return explored
}

// neverTaken are moves that no world of the default size takes, with the reason.
var neverTaken = map[moveKind]string{}

func checkTaken(t *testing.T, explored []*exploration) {
	for kind := range moveKinds {
		var taken uint64
		for _, x := range explored {
			taken += x.taken[kind]
		}
		if why, never := neverTaken[kind]; taken == 0 && !never {
			t.Errorf("no world takes this move: %s", moveWords[kind])
		} else if taken > 0 && never {
			t.Errorf("this move is taken although %s: %s", why, moveWords[kind])
		}
	}
}

// rules are the rules that the cores can cite.
var rules = []reason.Rule{
	reason.R1_3, reason.R2_2, reason.R2_3, reason.R3, reason.R4_1, reason.R4_2, reason.R4_3, reason.R4_4, reason.R4_6, reason.R4_7,
	reason.R5, reason.R5_1, reason.R5_2, reason.R5_3, reason.R5_5, reason.R6, reason.R6_1, reason.R6_2, reason.R6_3, reason.R6_4,
	reason.R6_5, reason.R6_9, reason.R6_10, reason.R7_1, reason.R7_2, reason.R7_4, reason.R7_5, reason.R8_1, reason.R8_2, reason.R8_4,
	reason.R9_5, reason.R10_1, reason.R10_4, reason.R10_5, reason.R11,
}

// neverRefuse are rules that are never the ground of a refusal, with the reason; they must be cited otherwise.
var neverRefuse = map[reason.Rule]string{
	reason.R4_1: "it asks for the hook on every machine that stays, and refuses nothing",
	reason.R4_2: "it repairs a hook, and refuses nothing",
	reason.R4_7: "it names a voter whose hook is ignored in a warning; R5.2 and R8.2 refuse",
	reason.R5_3: "it reports a learner that makes no progress in a warning; R5.2 refuses",
	reason.R9_5: "it names what else holds a machine that the operator has let go",
}

func checkCited(t *testing.T, explored []*exploration) {
	cited := map[citation]uint64{}
	for _, x := range explored {
		for c, n := range x.cited {
			cited[c] += n
		}
	}
	for c := range cited {
		if !slices.Contains(rules, c.rule) {
			t.Errorf("the cores cite rule %s, which the list of rules does not have", c.rule)
		}
	}
	var lines []string
	for _, rule := range rules {
		refuses, otherwise := cited[citation{rule, true}], cited[citation{rule, false}]
		lines = append(lines, fmt.Sprintf("%s %d+%d", rule, refuses, otherwise))
		why, never := neverRefuse[rule]
		switch {
		case never && refuses > 0:
			t.Errorf("rule %s refused something although %s", rule, why)
		case never && otherwise == 0:
			t.Errorf("rule %s was never cited", rule)
		case !never && refuses == 0:
			t.Errorf("rule %s was never the ground of a refusal", rule)
		}
	}
	t.Logf("rules cited (as refusals + otherwise): %s", strings.Join(lines, ", "))
	var silent []string
	for _, entry := range reason.Entries {
		if !slices.ContainsFunc(explored, func(x *exploration) bool { return x.reasons[entry.Reason] > 0 }) {
			silent = append(silent, string(entry.Reason))
		}
	}
	t.Logf("reasons that no state gave, which are the business of tables and small worlds: %s", strings.Join(silent, ", "))
}

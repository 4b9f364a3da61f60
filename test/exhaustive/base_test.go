package exhaustive

import (
	"os"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// full is set by EXHAUSTIVE_FULL=1: then worlds of three members are made of all hosts, not of one for each set of alike
// hosts, and each is decided by every core.
var full = os.Getenv("EXHAUSTIVE_FULL") == "1"

// allHosts is the alphabet of the full enumeration: role x health x Machine x Node. alike[k] is the host, at most k, that
// every core must treat as it treats host k: a member that has not started has no endpoint that could answer a probe, how
// long a learner was unhealthy is asked by no rule, a learner that is not known to be healthy is not promoted for whatever
// reason, and one that has not started is not, however healthy.
func allHosts() (kinds []host, alike []int) {
	type state struct {
		is   health
		long bool
	}
	for _, r := range []role{voter, learner, unstartedVoter, unstartedLearner} {
		for _, state := range []state{{healthUnknown, false}, {healthy, false}, {unhealthy, false}, {unhealthy, true}} {
			for _, machine := range []struct {
				is   machineState
				hook snapshot.Hook
			}{{live, snapshot.HookPresent}, {live, snapshot.HookMissing}, {deleting, snapshot.HookPresent}, {deleting, snapshot.HookMissing}, {noMachine, snapshot.HookMissing}} {
				for _, node := range []nodeState{nodeReady, nodeNotReady, nodeAbsent} {
					h := member(r)
					h.health, h.machine, h.hook, h.node = state.is, machine.is, machine.hook, node
					if state.is == unhealthy {
						h.unhealthyFor = briefly
						if state.long {
							h.unhealthyFor = long
						}
						if state.long && !r.learns() {
							h.pod = podContainerDown
						}
					}
					kinds = append(kinds, settle(h))
				}
			}
		}
	}
	const states, places = 4, 5 * 3
	for k := range kinds {
		first := k - k/places%states*places
		switch h := &kinds[k]; {
		case h.role == learner && h.health != healthy, h.role == unstartedLearner, h.role == unstartedVoter && h.health == healthy:
			alike = append(alike, first)
		default:
			alike = append(alike, k)
		}
	}
	return kinds, alike
}

// distinct returns one host for each set of alike ones.
func distinct(kinds []host, alike []int) []host {
	var some []host
	for k, h := range kinds {
		if alike[k] == k {
			some = append(some, h)
		}
	}
	return some
}

// TestAlikeHostsAreDecidedAlike justifies that worlds of three members are made of one host for each set of alike ones: in
// every world of two members, taking the one for the other changes no decision.
func TestAlikeHostsAreDecidedAlike(t *testing.T) {
	kinds, alike := allHosts()
	found := &violations{}
	c := newChecker(found)
	w := ordinary()
	w.n = 2
	compared := 0
	for k := range kinds {
		if alike[k] == k {
			continue
		}
		for other := range kinds {
			w.hosts[1] = kinds[other]
			w.hosts[0] = kinds[alike[k]]
			want := c.decide(c.build(&w), &w)
			w.hosts[0] = kinds[k]
			c.world, c.decisions = &w, want
			c.checkOrder(c.decide(c.build(&w), &w))
			compared++
		}
		if len(found.texts) > 0 {
			t.Fatalf("%s decided otherwise than %s: %s", kinds[k].words(), kinds[alike[k]].words(), found.texts[0])
		}
	}
	t.Logf("%d of %d hosts are alike another one; compared in %d worlds", len(kinds)-len(distinct(kinds, alike)), len(kinds), compared)
}

// eachRollout calls visit with the world in each rollout state: at least stable, an install in flight on the node of one
// of some hosts, unknown.
func eachRollout(w *world, hosts []int, visit func() bool) bool {
	w.revisionKnown = true
	if !visit() {
		return false
	}
	for _, at := range hosts {
		w.hosts[at].revision = inFlight
		ok := visit()
		w.hosts[at].revision = atLatest
		if !ok {
			return false
		}
	}
	w.revisionKnown = false
	ok := visit()
	w.revisionKnown = true
	return ok
}

func upToTwoMembers() family {
	kinds, _ := allHosts()
	return family{
		name:         "all worlds of 1 and 2 members",
		ordered:      func() uint64 { return (power(len(kinds), 1)*3 + power(len(kinds), 2)*4) * 2 },
		unknownEvery: 61, shortEvery: 5,
		each: func(visit func(w *world) bool) {
			w := ordinary()
			w.holdFromRollout = true
			var number uint64
			for n := 1; n <= 2; n++ {
				multisets(len(kinds), n, func(choice []int) bool {
					place(&w, kinds, choice, number)
					number++
					for _, w.desired = range []int{3, 5} {
						if !eachRollout(&w, []int{0, 1}[:n], func() bool { return visit(&w) }) {
							return false
						}
					}
					return true
				})
			}
		},
	}
}

// threeMembers has each choice of three hosts in every rollout state and with every desired number. In which of its nodes
// an install is in flight turns with the number of the choice. The member list is decided in all of them. A core that reads
// less decides once for those that differ only in what it does not read, which worlds of up to two members show it does
// not: hooks read neither rollout nor desired, guards no rollout but the install that drains are held back for, revisions
// no desired.
func threeMembers() family {
	kinds, alike := allHosts()
	all := len(kinds)
	if !full {
		kinds = distinct(kinds, alike)
	}
	return family{
		name:       "all worlds of 3 members",
		ordered:    func() uint64 { return power(all, 3) * 6 },
		shortEvery: 31,
		each: func(visit func(w *world) bool) {
			w := ordinary()
			w.holdFromRollout = true
			var number uint64
			at := []int{0}
			multisets(len(kinds), 3, func(choice []int) bool {
				place(&w, kinds, choice, number)
				at[0] = int(number % 3)
				turn := uint64(0)
				for _, w.desired = range []int{3, 5} {
					ok := eachRollout(&w, at, func() bool {
						w.cores = allCores
						if !full {
							w.cores = readers(turn%3 == number%3, turn/3 == number%2)
						}
						turn++
						return visit(&w)
					})
					if !ok {
						return false
					}
				}
				number++
				return true
			})
		},
	}
}

// readers returns the cores that decide a world: thisRollout and thisDesired tell that it is the world's turn among those
// that differ only in the rollout or only in the desired number.
func readers(thisRollout, thisDesired bool) coreSet {
	cores := membershipCore
	if thisRollout {
		cores |= guardCore
	}
	if thisDesired {
		cores |= rolloutCore
	}
	if thisRollout && thisDesired {
		cores |= hookCore
	}
	return cores
}

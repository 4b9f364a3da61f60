package exhaustive

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// dimension is one thing about the cluster as a whole, or about its first hosts, and the ways in which it can be other than
// ordinary.
type dimension []func(w *world)

// dimensions are crossed in pairs: a decision that rests on two facts is wrong in a world where these two are so.
func dimensions() []dimension {
	facts := func(field func(w *world) *fact, values ...fact) dimension {
		var d dimension
		for _, value := range values {
			d = append(d, func(w *world) { *field(w) = value })
		}
		return d
	}
	return []dimension{
		facts(func(w *world) *fact { return &w.memberList }, no, unknown),
		facts(func(w *world) *fact { return &w.machineAPI }, no, unknown),
		facts(func(w *world) *fact { return &w.machineList }, no, unknown),
		facts(func(w *world) *fact { return &w.nodeList }, no, unknown),
		facts(func(w *world) *fact { return &w.guardList }, no, unknown),
		facts(func(w *world) *fact { return &w.versionCurrent }, no, unknown),
		{
			func(w *world) { w.topology = snapshot.HighlyAvailableArbiter },
			func(w *world) { w.topology = snapshot.SingleReplica },
			func(w *world) { w.topology = snapshot.TopologyUnknown },
			func(w *world) { w.topology, w.external = snapshot.DualReplica, yes },
			func(w *world) { w.topology, w.external = snapshot.DualReplica, no },
			func(w *world) { w.topology, w.external = snapshot.DualReplica, unknown },
		},
		{
			func(w *world) { w.bootstrapComplete = no },
			func(w *world) { w.bootstrapComplete = unknown },
			func(w *world) { w.hosts[w.n], w.n = bootstrapHost(), w.n+1 },
		},
		{
			func(w *world) { w.desired = 0 },
			func(w *world) { w.desired = 1 },
			func(w *world) { w.desired = 3 },
			func(w *world) { w.desired = 5 },
		},
		{
			func(w *world) { w.endpoints = endpointsTooMany },
			func(w *world) { w.endpoints = endpointsTooFew },
			func(w *world) { w.endpoints = endpointsOther },
			func(w *world) { w.endpoints = endpointsUnread },
		},
		{
			func(w *world) { w.apiServers = unknown },
			func(w *world) { w.apiServers = yes },
			func(w *world) { w.apiServers, w.hosts[0].api = yes, apiServerOfFirstTwo },
			func(w *world) { w.apiServers, w.hosts[0].api = yes, apiServerOfFirst },
			func(w *world) { w.apiServers, w.hosts[0].api = yes, apiServerUnread },
		},
		{func(w *world) { w.unsafeNonHA = true }},
		{
			func(w *world) { w.revisionKnown = false },
			func(w *world) { w.hosts[0].revision = inFlight },
			func(w *world) { w.hosts[0].revision = inFlightToOlder },
			func(w *world) { w.hosts[0].revision = noStatus },
			func(w *world) {
				for i := range w.n {
					w.hosts[i].revision = behind
				}
			},
		},
		{
			func(w *world) { w.budget = budgetState{present: no} },
			func(w *world) { w.budget = budgetState{present: unknown, minimum: 2} },
			func(w *world) { w.budget.minimum = 0 },
			func(w *world) { w.budget.minimum = 1 },
			func(w *world) { w.budget = budgetState{yes, maxHosts + 1, true, 0} },
			func(w *world) { w.budget = budgetState{yes, maxHosts + 1, false, 0} },
		},
		{func(w *world) { w.planned, w.holdFromRollout = 0, false }, func(w *world) { w.holdFromRollout = false }},
		{func(w *world) { w.leader = 0 }, func(w *world) { w.leader = w.n - 1 }},
		{func(w *world) { w.dualStack = true }},
		{
			func(w *world) { w.hosts[0].cordoned = true },
			func(w *world) { w.hosts[0].nodeDeleting = true },
			func(w *world) { w.hosts[0].node, w.hosts[0].claimed = nodeUnread, unknown },
			func(w *world) { w.hosts[0].node = nodeReadinessUnknown },
		},
		{
			func(w *world) { w.hosts[0].corrupt = alarmRaised },
			func(w *world) { w.hosts[0].corrupt = alarmUnknown },
			func(w *world) { w.hosts[0].noSpace = alarmRaised },
			func(w *world) { w.hosts[0].lag = lagBeyondLimit },
			func(w *world) { w.hosts[0].lag = indexUnknown },
			func(w *world) { w.hosts[0].stalledFor = 5 * minutes },
		},
		{
			func(w *world) { w.hosts[0].unreadable, w.hosts[0].claimed = true, unknown },
			func(w *world) { w.hosts[0].moved = w.hosts[0].role != noMember },
		},
	}
}

// bootstrapHost runs the installer's temporary member: it has neither Machine nor Node.
func bootstrapHost() host {
	h := member(voter)
	h.bootstrap, h.node, h.revision, h.api = true, nodeUnread, noStatus, noAPIServer
	return with(h, unowned)
}

// pairsOfFacts has small worlds in every one, and every two, of the ways in which a cluster can be other than ordinary;
// worlds of three hosts in half of the pairs each, every pair in half of them.
func pairsOfFacts() family {
	v, l := member(voter), member(learner)
	kinds := []host{v, with(v, leaving), with(v, leaving, down(long), gone), with(v, down(long)), with(v, unowned, gone, down(long)), l, with(l, leaving), with(member(unstartedVoter)), waiting()}
	dims := dimensions()
	return family{
		name:         "pairs of facts about the cluster",
		unknownEvery: 211, shortEvery: 7,
		each: func(visit func(w *world) bool) {
			var number uint64
			for n := 1; n <= 3; n++ {
				multisets(len(kinds), n, func(choice []int) bool {
					original := ordinary()
					original.holdFromRollout, original.desired = true, 2
					place(&original, kinds, choice, number)
					number++
					every := 1
					if n == 3 {
						every = 2
					}
					return eachPair(&original, dims, int(number), every, visit)
				})
			}
		},
	}
}

// eachPair calls visit with copies of a world that differ from it in nothing, in one dimension, or in two: in every how
// manieth pair of ways, beginning at first.
func eachPair(original *world, dims []dimension, first, every int, visit func(w *world) bool) bool {
	w := *original
	if !visit(&w) {
		return false
	}
	pair := first
	for i, dim := range dims {
		for _, one := range dim {
			w = *original
			one(&w)
			if !visit(&w) {
				return false
			}
			for _, second := range dims[i+1:] {
				for _, other := range second {
					if pair++; pair%every != 0 {
						continue
					}
					w = *original
					one(&w)
					other(&w)
					if !visit(&w) {
						return false
					}
				}
			}
		}
	}
	return true
}

// companies are the other members of worlds that look at one member closely.
func companies() [][]host {
	v := member(voter)
	dead := with(v, down(long))
	return [][]host{{v}, {v, v}, {v, dead}, {v, v, v}, {v, with(v, silent)}}
}

// deaths is rule R6.1 for one voter, on both sides of each limit.
func deaths() family {
	times := []time.Duration{0, 30*seconds - moment, 30 * seconds, minutes, 5*minutes - moment, 5 * minutes, 10*minutes - moment, 10 * minutes}
	return family{
		name:         "deaths of a voter",
		unknownEvery: 307, shortEvery: 7,
		each: func(visit func(w *world) bool) {
			var number uint64
			for _, company := range companies() {
				for _, desired := range []int{2, 3} {
					for _, unhealthyFor := range times {
						w := ordinary()
						w.cores = membershipCore | hookCore
						w.n, w.desired = 1+len(company), desired
						copy(w.hosts[1:], company)
						h := &w.hosts[0]
						for _, node := range []nodeState{nodeReady, nodeNotReady, nodeReadinessUnknown, nodeAbsent, nodeUnread} {
							for pod := podReady; pod <= podReadinessUnknown; pod++ {
								for _, cannotServe := range []fact{no, unknown, yes} {
									for variant := range 4 {
										*h = with(member(voter), leaving, down(unhealthyFor))
										h.node, h.pod, h.cannotServe = node, pod, cannotServe
										h.cordoned, h.failed = variant%2 == 1, variant/2 == 1
										h.hook = snapshot.Hook(number % 3)
										w.names = orders[number%uint64(len(orders))]
										number++
										if !visit(&w) {
											return
										}
									}
								}
							}
						}
					}
				}
			}
		},
	}
}

// orphans is rules R6.4 and R6.5, with and without a functional Machine API, on both sides of each limit.
func orphans() family {
	type state struct {
		is health
		d  time.Duration
	}
	return family{
		name:         "members without a Machine",
		unknownEvery: 101, shortEvery: 3,
		each: func(visit func(w *world) bool) {
			var number uint64
			for _, company := range companies() {
				for _, api := range []fact{yes, no} {
					for _, r := range []role{voter, learner, unstartedVoter, unstartedLearner} {
						for _, state := range []state{{healthy, 0}, {healthUnknown, 0}, {unhealthy, 30*seconds - moment}, {unhealthy, 30 * seconds}} {
							for _, claimed := range []fact{no, unknown, yes} {
								for _, unclaimedFor := range []time.Duration{0, 2*minutes - moment, 2 * minutes, 10*minutes - moment, 10 * minutes} {
									for _, node := range []nodeState{nodeAbsent, nodeUnread, nodeReady, nodeNotReady} {
										w := ordinary()
										w.n, w.machineAPI, w.desired = 1+len(company), api, 3
										copy(w.hosts[1:], company)
										h := &w.hosts[0]
										*h = with(member(r), unowned)
										h.health, h.unhealthyFor, h.node = state.is, state.d, node
										h.claimed, h.unclaimedFor = claimed, unclaimedFor
										if !h.present() {
											h.guard = noGuard
										}
										if w.contradictory() {
											w.cores = membershipCore | hookCore
										}
										w.names = orders[number%uint64(len(orders))]
										number++
										if !visit(&w) {
											return
										}
									}
								}
							}
						}
					}
				}
			}
		},
	}
}

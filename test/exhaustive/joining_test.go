package exhaustive

import (
	"slices"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// machineVariants are the Machines that rules R5.1 and R5.2 tell apart.
func machineVariants() []func(h *host) {
	return []func(h *host){
		func(*host) {},
		func(h *host) { h.hook = snapshot.HookMissing },
		func(h *host) { h.hook = snapshot.HookWrongOwner },
		leaving,
		func(h *host) { h.excluded = true },
		unowned,
		func(h *host) { h.noNodeRef = true },
		func(h *host) { h.noMachineAddress = true },
	}
}

// nodeVariants are the Nodes that they tell apart.
func nodeVariants() []func(h *host) {
	return []func(h *host){
		func(*host) {},
		cordoned,
		notReady,
		gone,
		func(h *host) { h.node = nodeReadinessUnknown },
		func(h *host) { h.node = nodeUnread },
		func(h *host) { h.nodeDeleting = true },
		func(h *host) { h.noPeerAddress = true },
	}
}

// promotions is rule R5.2 for one learner, with everything that it asks of the learner and its host.
func promotions() family {
	v := member(voter)
	companies := [][]host{{v}, {v, v}, {v, v, v}, {v, v, v, v}, {v, with(v, down(briefly))}, {v, with(v, func(h *host) { h.lag = indexUnknown })}, {v, with(v, func(h *host) { h.corrupt = alarmUnknown })}, {v, with(v, leaving, silent)}}
	alarms := [][2]alarm{{}, {alarmRaised, noAlarm}, {alarmUnknown, noAlarm}, {noAlarm, alarmRaised}, {noAlarm, alarmUnknown}}
	guards := []guardState{guardReady, guardNotReady, noGuard, guardPending, guardFinished, guardDeleting, guardOutdated}
	return family{
		name:         "promotions",
		unknownEvery: 1009, shortEvery: 17,
		each: func(visit func(w *world) bool) {
			var number uint64
			w := ordinary()
			w.cores = membershipCore
			h := &w.hosts[0]
			for _, company := range companies {
				w.n = 1 + len(company)
				copy(w.hosts[1:], company)
				for _, machine := range machineVariants() {
					for _, node := range nodeVariants() {
						for _, guard := range guards {
							for _, alarms := range alarms {
								for behind := inSync; behind <= indexUnknown; behind++ {
									for variant := range 6 {
										*h = with(member(learner), machine, node)
										h.guard, h.lag = guard, behind
										h.corrupt, h.noSpace = alarms[0], alarms[1]
										h.health = health(variant % 3)
										w.machineAPI = [2]fact{yes, no}[variant/3]
										w.topology = [2]snapshot.Topology{snapshot.HighlyAvailable, snapshot.SingleReplica}[number/7%2]
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

// waitingNodes is rule R5.1 for one node and for two, beside members of which each could forbid it.
func waitingNodes() family {
	var candidates []host
	for pod := podReady; pod <= podReadinessUnknown; pod++ {
		for _, machine := range machineVariants() {
			for _, node := range nodeVariants() {
				h := waiting()
				machine(&h)
				node(&h)
				h.pod = pod
				candidates = append(candidates, h)
			}
		}
	}
	v := member(voter)
	members := []host{v, with(v, down(briefly)), with(v, leaving), member(learner), member(unstartedVoter), member(unstartedLearner), with(v, func(h *host) { h.unreadable = true }), with(v, func(h *host) { h.moved = true })}
	return family{
		name:         "waiting nodes",
		unknownEvery: 307, shortEvery: 7,
		each: func(visit func(w *world) bool) {
			var number uint64
			w := ordinary()
			w.holdFromRollout = true
			try := func(hosts ...host) bool {
				for _, w.machineAPI = range []fact{yes, no} {
					w.names = orders[number%uint64(len(orders))]
					number++
					for i, h := range hosts {
						w.hosts[(i+int(number))%len(hosts)] = h
					}
					w.n = len(hosts)
					if !visit(&w) {
						return false
					}
				}
				return true
			}
			for _, candidate := range candidates {
				for n := 1; n <= 2; n++ {
					if !multisets(len(members), n, func(choice []int) bool {
						return n == 1 && try(candidate, members[choice[0]]) || n == 2 && try(candidate, members[choice[0]], members[choice[1]])
					}) {
						return
					}
				}
			}
			for k, one := range candidates {
				for other := k % 5; other <= k; other += 5 {
					if !try(one, candidates[other], members[0]) {
						return
					}
				}
			}
		},
	}
}

// sharedAddresses is the rest of rule R3: two Machines have the address of one member, as when a replacement gets the
// address of the dead host. The member has the name of the one or of the other.
func sharedAddresses() family {
	var machines []host
	for _, state := range []machineState{live, deleting} {
		for _, hook := range []snapshot.Hook{snapshot.HookPresent, snapshot.HookMissing} {
			for variant := range 4 {
				for _, node := range []nodeState{nodeReady, nodeNotReady, nodeAbsent, nodeUnread} {
					h := member(noMember)
					h.machine, h.hook, h.node, h.pod = state, hook, node, podWaiting
					h.noNodeRef, h.noMachineAddress = variant%2 == 1, variant/2 == 1
					machines = append(machines, settle(h))
				}
			}
		}
	}
	v := member(voter)
	companies := [][]host{{v}, {v, v}, {v, with(v, leaving)}, {v, with(v, unowned, gone)}}
	return family{
		name:         "two Machines with one address",
		unknownEvery: 499, shortEvery: 17,
		each: func(visit func(w *world) bool) {
			var number uint64
			for _, r := range []role{voter, learner, unstartedVoter, unstartedLearner} {
				for _, state := range []func(h *host){silent, func(*host) {}, down(long)} {
					for _, first := range machines {
						for _, second := range machines {
							w := ordinary()
							w.desired = 2
							company := companies[number/6%uint64(len(companies))]
							w.n = 2 + len(company)
							w.hosts[0], w.hosts[1] = first, second
							copy(w.hosts[2:], company)
							w.hosts[1].sharesAddressOfFirst = true
							h := &w.hosts[number/2%2]
							h.role = r
							pod := h.pod
							state(h)
							h.pod, h.claimed, h.cannotServe = pod, yes, no
							w.names = orders[number%uint64(len(orders))]
							number++
							if !visit(&w) {
								return
							}
						}
					}
				}
			}
		},
	}
}

// wrongNodeRefs is rule R3 where one or two Machines name the Node of another one, whose addresses they do not have, or one
// that is gone.
func wrongNodeRefs() family {
	v := member(voter)
	firsts := []host{
		v, with(v, leaving), with(v, stripped), with(v, leaving, cordoned), with(v, down(briefly)), with(v, leaving, down(long)), with(v, leaving, silent),
		with(v, leaving, notReady), member(learner), with(member(learner), leaving), with(member(unstartedLearner), leaving), with(waiting(), leaving), waiting(),
	}
	others := slices.Concat(firsts, []host{member(unstartedLearner), with(v, gone), with(v, gone, down(long)), with(v, leaving, gone, down(long)), with(v, func(h *host) { h.failed = true })})
	return family{
		name:         "Machines that name another's Node, or one that is gone",
		unknownEvery: 29, shortEvery: 7,
		each: func(visit func(w *world) bool) {
			var number uint64
			for _, first := range firsts {
				for _, second := range others {
					for _, third := range others {
						for bits := 1; bits < 16; bits++ {
							w := ordinary()
							w.n = 4
							w.hosts[0], w.hosts[1], w.hosts[2], w.hosts[3] = first, second, third, v
							for j := 1; j < 3; j++ {
								h := &w.hosts[j]
								h.namesNodeOfFirst = bits&j != 0
								h.namesGoneNode = bits>>2&j != 0 && !h.namesNodeOfFirst && h.present()
								// A Node that no Machine names is not known to have one.
								h.noNodeRef = (h.namesNodeOfFirst || h.namesGoneNode) && h.role == noMember
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
		},
	}
}

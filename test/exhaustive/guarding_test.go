package exhaustive

import "github.com/openshift/cluster-etcd-operator/pkg/snapshot"

// guardPods is rule R7: guard pods in every state, on cordoned nodes and others, standing for votes and for none.
func guardPods() family {
	v, l := member(voter), member(learner)
	all := []host{
		v, with(v, leaving), with(v, stripped), with(v, down(30*seconds-moment)), with(v, down(30*seconds)),
		l, with(l, leaving), member(unstartedVoter), waiting(),
	}
	kinds := withGuards(all, guardDeleting)
	few := withGuards([]host{v, with(v, leaving), l}, guardNotReady)
	return family{
		name:         "guard pods",
		unknownEvery: 1009, shortEvery: 17,
		each: func(visit func(w *world) bool) {
			var number uint64
			w := ordinary()
			w.cores = guardCore
			try := func(kinds []host) func(choice []int) bool {
				return func(choice []int) bool {
					place(&w, kinds, choice, number)
					w.desired = 3 - int(number/7%2)
					w.budget = budgetState{present: yes, minimum: int(number / 5 % 5), observed: true}
					if number%11 == 0 {
						w.budget = budgetState{present: no}
					}
					w.machineAPI = yes
					if number%13 == 0 {
						w.machineAPI = no
					}
					number++
					return visit(&w)
				}
			}
			for n := 1; n <= 3; n++ {
				if !multisets(len(kinds), n, try(kinds)) {
					return
				}
			}
			multisets(len(few), 4, try(few))
		},
	}
}

// withGuards returns each host with a guard in each state up to last, on a node that is cordoned and on one that is not.
func withGuards(hosts []host, last guardState) []host {
	var all []host
	for _, h := range hosts {
		for g := noGuard; g <= last; g++ {
			h.guard, h.cordoned = g, false
			all = append(all, h)
			h.cordoned = true
			all = append(all, h)
		}
	}
	return all
}

// revisions is rule R8: nodes before, within and after an install, with voters that live, do not, or are about to go.
func revisions() family {
	v := member(voter)
	var kinds []host
	for _, h := range []host{v, with(v, down(briefly)), with(v, silent), with(v, stripped), with(v, leaving), member(learner)} {
		for _, node := range []func(h *host){func(*host) {}, cordoned, notReady, gone} {
			for r := noStatus; r <= inFlightToOlder; r++ {
				k := with(h, node)
				k.revision = r
				kinds = append(kinds, k)
			}
		}
	}
	few := kinds[:0:0]
	for _, h := range []host{v, with(v, down(briefly)), with(v, cordoned), member(learner), with(waiting(), func(h *host) { h.pod = podAbsent })} {
		for _, h.revision = range []revisionState{atLatest, behind, inFlight} {
			few = append(few, h)
		}
	}
	return family{
		name:         "revisions",
		unknownEvery: 1009, shortEvery: 17,
		each: func(visit func(w *world) bool) {
			var number uint64
			w := ordinary()
			w.cores, w.holdFromRollout = rolloutCore|guardCore, true
			try := func(kinds []host) func(choice []int) bool {
				return func(choice []int) bool {
					place(&w, kinds, choice, number)
					w.topology, w.external, w.unsafeNonHA = snapshot.HighlyAvailable, no, false
					switch number % 9 {
					case 2:
						w.topology = snapshot.DualReplica
					case 4:
						w.unsafeNonHA = true
					case 6:
						w.topology = snapshot.SingleReplica
					}
					w.memberList, w.machineAPI = yes, yes
					switch number % 11 {
					case 5:
						w.memberList = unknown
					case 7:
						w.machineAPI = unknown
					case 9:
						w.machineAPI = no
					}
					w.budget = budgetState{present: yes, minimum: maxHosts + 1, observed: true}
					switch number % 5 {
					case 1:
						w.budget.observed = false
					case 2:
						w.budget.allowed = 1
					case 3:
						w.budget.minimum = 2
					}
					number++
					return visit(&w)
				}
			}
			for n := 1; n <= 3; n++ {
				if !multisets(len(kinds), n, try(kinds)) {
					return
				}
			}
			for n := 4; n <= 5; n++ {
				if !multisets(len(few), n, try(few)) {
					return
				}
			}
		},
	}
}

// hooks is rule R4 for one Machine, with and without a member, beside another host whose member may or may not be known to
// live elsewhere.
func hooks() family {
	v := member(voter)
	companies := []host{v, with(v, unowned, gone), with(v, func(h *host) { h.unreadable = true }), member(unstartedLearner), with(waiting(), leaving)}
	doubts := []func(w *world){
		func(*world) {},
		func(w *world) { w.memberList = unknown },
		func(w *world) { w.machineAPI = no },
		func(w *world) { w.machineAPI = unknown },
		func(w *world) { w.nodeList = unknown },
		func(w *world) { w.topology, w.bootstrapComplete, w.versionCurrent = snapshot.TopologyUnknown, no, no },
	}
	return family{
		name:         "hooks",
		unknownEvery: 499, shortEvery: 17,
		each: func(visit func(w *world) bool) {
			var number uint64
			for r := noMember; r <= unstartedLearner; r++ {
				for _, company := range companies {
					for _, machine := range []machineState{live, deleting} {
						for hook := snapshot.HookMissing; hook <= snapshot.HookWrongOwner; hook++ {
							for _, node := range []nodeState{nodeReady, nodeAbsent, nodeUnread} {
								for bits := range 64 {
									w := ordinary()
									w.cores = hookCore | membershipCore
									w.n = 2
									w.hosts[0], w.hosts[1] = with(member(r), func(h *host) { h.node = node }), company
									h := &w.hosts[0]
									h.machine, h.hook = machine, hook
									h.noNodeRef, h.noMachineAddress = bits&1 != 0, bits&2 != 0
									h.failed, h.hookBackOff = bits&4 != 0, bits&8 != 0
									h.excluded, h.foreignHook = bits&16 != 0, bits&32 != 0
									w.names = orders[number%uint64(len(orders))]
									doubts[number/5%uint64(len(doubts))](&w)
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
		},
	}
}

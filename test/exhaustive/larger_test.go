package exhaustive

import "time"

// cast are the hosts that larger worlds are made of: for each rule about the member list one that it speaks of.
func cast() []host {
	v, l := member(voter), member(learner)
	return []host{
		v,
		with(v, leaving),
		with(v, stripped),
		with(v, leaving, notReady),
		with(v, leaving, down(long), gone),
		with(v, leaving, down(long), notReady),
		with(v, leaving, down(4*time.Minute)),
		with(v, down(long)),
		with(v, leaving, silent),
		with(v, unowned, gone, down(long)),
		with(v, unowned, gone),
		with(v, unowned, down(long)),
		with(v, cordoned),
		with(member(unstartedVoter)),
		l,
		with(l, leaving),
		with(l, unowned, gone),
		with(member(unstartedLearner)),
		waiting(),
	}
}

// fourAndFiveMembers has every choice of four and five hosts of the cast, with a surplus of one and with none. Each is
// decided as it is, and with two of the things changed that the removal of a healthy voter asks for beyond the members, in
// turn (S4, S8, S9, S10, G11, A7).
func fourAndFiveMembers() family {
	kinds := cast()
	changes := []func(w *world, number int){
		func(w *world, number int) { w.hosts[number%w.n].revision = inFlight },
		func(w *world, _ int) { w.revisionKnown = false },
		func(w *world, number int) { w.endpoints = endpointsTooMany + endpointsState(number%4) },
		func(w *world, _ int) { w.apiServers = yes },
		func(w *world, number int) {
			w.apiServers = yes
			w.hosts[number%w.n].api = apiServerOfFirstTwo + apiServerState(number/w.n%3)
		},
		func(w *world, number int) { w.apiServers, w.hosts[number%w.n].cordoned = unknown, true },
	}
	return family{
		name:         "4 and 5 members, reduced alphabet",
		ordered:      func() uint64 { return (power(len(kinds), 4) + power(len(kinds), 5)) * 6 },
		unknownEvery: 499, shortEvery: 17,
		each: func(visit func(w *world) bool) {
			original := ordinary()
			original.holdFromRollout = true
			number := 0
			for n := 4; n <= 5; n++ {
				multisets(len(kinds), n, func(choice []int) bool {
					for surplus := range 2 {
						for turn := range 3 {
							w := original
							place(&w, kinds, choice, uint64(number))
							w.desired = n - 1 - surplus
							w.leader = number%(n+1) - 1
							if turn > 0 {
								changes[(number+turn*len(changes)/2)%len(changes)](&w, number)
							}
							if !visit(&w) {
								return false
							}
						}
					}
					number++
					return true
				})
			}
		},
	}
}

// sixVoters is S13 and everything near it.
func sixVoters() family {
	v := member(voter)
	kinds := []host{v, with(v, leaving), with(v, stripped), with(v, leaving, down(long), gone), with(v, leaving, down(briefly)), with(v, down(long)), with(v, leaving, silent), with(member(learner))}
	return family{
		name:         "6 members, reduced alphabet",
		ordered:      func() uint64 { return power(len(kinds), 6) * 3 },
		unknownEvery: 101, shortEvery: 5,
		each: func(visit func(w *world) bool) {
			w := ordinary()
			var number uint64
			multisets(len(kinds), 6, func(choice []int) bool {
				place(&w, kinds, choice, number)
				w.leader = int(number % 6)
				for w.desired = 3; w.desired <= 5; w.desired++ {
					if !visit(&w) {
						return false
					}
				}
				number++
				return true
			})
		},
	}
}

// orderOfRemovals is rule R6.6: several may go, and failure domains, deletion times and names say who is first.
func orderOfRemovals() family {
	v := member(voter)
	var kinds []host
	for zone := range uint8(3) {
		inZone := func(h *host) { h.zone = zone }
		kinds = append(kinds, with(v, inZone), with(v, inZone, leaving), with(v, inZone, leaving, down(long), gone), with(member(learner), inZone, leaving))
	}
	agePatterns := [][maxHosts]uint8{{}, {0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {1, 0, 1, 0, 1}, {2, 0, 0, 1, 1}}
	return family{
		name:       "order of removals",
		ordered:    func() uint64 { return (power(len(kinds), 4) + power(len(kinds), 5)) * uint64(len(agePatterns)) * 4 },
		shortEvery: 7,
		each: func(visit func(w *world) bool) {
			w := ordinary()
			w.cores = membershipCore
			var number uint64
			for n := 4; n <= 5; n++ {
				multisets(len(kinds), n, func(choice []int) bool {
					place(&w, kinds, choice, number)
					number++
					for _, ages := range agePatterns {
						for i := range n {
							w.hosts[i].age = ages[i]
						}
						for variant := range 4 {
							w.numbered, w.desired = variant%2 == 1, n-2-variant/2
							if !visit(&w) {
								return false
							}
						}
					}
					return true
				})
			}
		},
	}
}

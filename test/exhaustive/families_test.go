package exhaustive

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// families are all worlds that the test decides, the largest family first.
func families() []family {
	return []family{
		threeMembers(),
		upToTwoMembers(),
		fourAndFiveMembers(),
		sixVoters(),
		orderOfRemovals(),
		pairsOfFacts(),
		deaths(),
		orphans(),
		promotions(),
		waitingNodes(),
		guardPods(),
		hooks(),
		sharedAddresses(),
		wrongNodeRefs(),
		revisions(),
	}
}

// multisets calls visit with every choice of size items out of kinds, the order of the items left out: worlds that differ
// only by a renaming of their hosts are made once.
func multisets(kinds, size int, visit func(choice []int) bool) bool {
	choice := make([]int, size)
	var pick func(at, from int) bool
	pick = func(at, from int) bool {
		if at == size {
			return visit(choice)
		}
		for k := from; k < kinds; k++ {
			choice[at] = k
			if !pick(at+1, k) {
				return false
			}
		}
		return true
	}
	return pick(0, 0)
}

func power(base, exponent int) uint64 {
	p := uint64(1)
	for range exponent {
		p *= uint64(base)
	}
	return p
}

// orders are permutations of names. Worlds take them in turn, so that what comes first in a choice does not always come
// first by name.
var orders = func() [][maxHosts]uint8 {
	var all [][maxHosts]uint8
	var names [maxHosts]uint8
	var place func(at int, used uint8)
	place = func(at int, used uint8) {
		if at == 3 {
			for k := 3; k < maxHosts; k++ {
				names[k] = uint8(k)
			}
			all = append(all, names)
			return
		}
		for k := range uint8(3) {
			if used>>k&1 == 0 {
				names[at] = k
				place(at+1, used|1<<k)
			}
		}
	}
	place(0, 0)
	return all
}()

// place puts hosts into a world.
func place(w *world, kinds []host, choice []int, number uint64) {
	w.n = len(choice)
	for i, k := range choice {
		w.hosts[i] = kinds[k]
	}
	w.names = orders[number%uint64(len(orders))]
}

// settle makes what a host's pods and the live reads say fit its Node and Machine.
func settle(h host) host {
	switch {
	case !h.present():
		h.guard = noGuard
	case h.node == nodeNotReady && h.guard == guardReady:
		h.guard = guardNotReady
	case h.pod != podReady && h.guard == guardReady:
		h.guard = guardNotReady
	}
	if h.machine == noMachine && !h.present() {
		h.claimed, h.unclaimedFor = no, long
	}
	return h
}

// with returns a host in which some things are different, and the rest fits them.
func with(h host, change ...func(*host)) host {
	for _, do := range change {
		do(&h)
	}
	return settle(h)
}

func leaving(h *host) { h.machine = deleting }
func stripped(h *host) {
	h.machine, h.hook = deleting, snapshot.HookMissing
}
func unowned(h *host)  { h.machine, h.hook = noMachine, snapshot.HookMissing }
func gone(h *host)     { h.node = nodeAbsent }
func notReady(h *host) { h.node = nodeNotReady }
func cordoned(h *host) { h.cordoned = true }
func silent(h *host)   { h.health = healthUnknown }

// down returns a change that makes a member unhealthy for a time, its etcd container not running.
func down(d time.Duration) func(*host) {
	return func(h *host) { h.health, h.unhealthyFor, h.pod = unhealthy, d, podContainerDown }
}

// waiting is a node whose etcd pod waits to be added.
func waiting() host {
	h := member(noMember)
	h.pod, h.guard, h.health, h.claimed, h.api = podWaiting, noGuard, healthy, unknown, noAPIServer
	return h
}

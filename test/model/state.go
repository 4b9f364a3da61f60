package model

import "slices"

// maxSlots is how many machines a world can have at once.
const maxSlots = 10

// A state is what is so, and, apart from it, what has been told about it: the API objects lag behind the hosts, and what
// controllers have computed lags behind the API objects. Everything is small and comparable, so that a state packs into
// two words and one per slot.
type state struct {
	slots [maxSlots]slot
	shared
	left faults
}

// A slot is a place for one control-plane machine, with all that stands on it or remains of it: Machine, host, Node,
// etcd pod, member and guard. A slot whose last trace is gone is used again by a later machine, which then has the same
// names and address as the former one, as a cloud may hand out.
type slot struct {
	// The Machine object.
	machine                                         machineState
	hook                                            hookState
	linked, failed, bare, excluded, backOff, heldBy bool
	// address is 0 for the slot's own address, or 1 + the slot whose address this host got.
	address uint8
	// deleted is the place of the Machine in the order of deletions, from 1; 0 in worlds that do not look at it.
	deleted uint8

	// The host and what runs on it.
	host           hostState
	kubeletStopped bool
	etcd           processState
	cut            cutState
	member         memberState

	// What the API server has been told.
	node, ready, podReady               bool
	upkeep                              upkeepState
	drain                               drainState
	guard                               guardState
	guardReady, guardDeleting, guardOld bool
	current, target                     revision
	landed, bad                         bool
	// granted: a drain of this node has been let through, and its guard is not back and ready yet. exposed: its guard ended by
	// itself, or was never there, and a drain would ask nobody.
	granted, exposed bool
	// apiServer is the set of addresses that the API server on this node uses for etcd, as a bit mask over slots.
	apiServer uint16

	// down is how long the operator has observed the member unhealthy or unclaimed.
	down duration
	// fresh: the voter failed within the last probe period; see docs/testing.md.
	fresh bool
}

type machineState uint8

const (
	noMachine machineState = iota
	live
	deleting
)

type hookState uint8

const (
	hookMissing hookState = iota
	hookPresent
	hookForeign
)

type hostState uint8

const (
	noHost hostState = iota
	up
	rebooting
	dead
)

type processState uint8

const (
	noProcess processState = iota
	// running: serving if it is a started member, else waiting to join.
	running
	// restarting: it comes back by itself.
	restarting
	// broken: it runs a revision with which it never becomes ready.
	broken
)

type cutState uint8

const (
	notCut cutState = iota
	// cutFromOperator: only the operator cannot reach it.
	cutFromOperator
	// cutFromPeers: it runs, and its /readyz is fine, but no other member reaches it.
	cutFromPeers
)

type memberState uint8

const (
	noMember memberState = iota
	unstartedLearner
	laggingLearner
	caughtUpLearner
	voter
)

// upkeepState is what another component does to the node: cordon, evict, reboot, uncordon.
type upkeepState uint8

const (
	noUpkeep upkeepState = iota
	upkeepEvicts
	upkeepDrained
)

// drainState is what the machine controller does before it destroys the host.
type drainState uint8

const (
	notDraining drainState = iota
	drainEvicts
	drained
)

type guardState uint8

const (
	noGuard guardState = iota
	guardPending
	guardRunning
	guardFinished
)

// revision of a node, relative to the latest one.
type revision uint8

const (
	noRevision revision = iota
	oldRevision
	latestRevision
)

// duration is a step of time that decisions tell apart.
type duration uint8

const (
	justNow duration = iota
	halfMinute
	fiveMinutes
	tenMinutes
)

// shared is what belongs to no slot.
type shared struct {
	// endpoints is ConfigMap etcd-endpoints, as a bit mask over the slots whose address it names.
	endpoints uint16
	// The disruption budget: what is wanted, and what the disruption controller last computed.
	budget       bool
	minAvailable uint8
	observed     bool
	allowed      uint8
	// enough: at the last computation at least minAvailable guards were ready.
	enough bool
	// wanted: somebody changed what a revision is made of; latestBad: the latest revision never becomes ready.
	wanted, latestBad bool
	// blind is the one fact that nobody can read at the moment.
	blind blindness
}

// faults counts, for each kind of fault, how many may still happen.
type faults [faultKinds]uint8

// key is a packed state: two words and one per slot.
type key [maxSlots + 2]uint64

// packer writes small numbers side by side into words.
type packer struct {
	word  uint64
	shift uint
}

func (p *packer) put(value uint64, bits uint) {
	p.word |= value << p.shift
	p.shift += bits
}

func (p *packer) flag(b bool) {
	if b {
		p.word |= 1 << p.shift
	}
	p.shift++
}

type unpacker struct{ word uint64 }

func (u *unpacker) get(bits uint) uint64 {
	value := u.word & (1<<bits - 1)
	u.word >>= bits
	return value
}

func (u *unpacker) flag() bool { return u.get(1) != 0 }

func (c *slot) pack() uint64 {
	if *c == (slot{}) {
		return 0
	}
	var p packer
	p.put(uint64(c.machine), 2)
	p.put(uint64(c.hook), 2)
	p.flag(c.linked)
	p.flag(c.failed)
	p.flag(c.bare)
	p.flag(c.excluded)
	p.flag(c.backOff)
	p.flag(c.heldBy)
	p.put(uint64(c.address), 4)
	p.put(uint64(c.deleted), 4)
	p.put(uint64(c.host), 2)
	p.flag(c.kubeletStopped)
	p.put(uint64(c.etcd), 2)
	p.put(uint64(c.cut), 2)
	p.put(uint64(c.member), 3)
	p.flag(c.node)
	p.flag(c.ready)
	p.flag(c.podReady)
	p.put(uint64(c.upkeep), 2)
	p.put(uint64(c.drain), 2)
	p.put(uint64(c.guard), 2)
	p.flag(c.guardReady)
	p.flag(c.guardDeleting)
	p.flag(c.guardOld)
	p.put(uint64(c.current), 2)
	p.put(uint64(c.target), 2)
	p.flag(c.landed)
	p.flag(c.bad)
	p.put(uint64(c.apiServer), maxSlots)
	p.put(uint64(c.down), 2)
	p.flag(c.fresh)
	p.flag(c.granted)
	p.flag(c.exposed)
	return p.word
}

func unpackSlot(word uint64) slot {
	if word == 0 {
		return slot{}
	}
	u := unpacker{word}
	return slot{
		machine: machineState(u.get(2)), hook: hookState(u.get(2)), linked: u.flag(), failed: u.flag(), bare: u.flag(), excluded: u.flag(),
		backOff: u.flag(), heldBy: u.flag(), address: uint8(u.get(4)), deleted: uint8(u.get(4)),
		host: hostState(u.get(2)), kubeletStopped: u.flag(), etcd: processState(u.get(2)), cut: cutState(u.get(2)), member: memberState(u.get(3)),
		node: u.flag(), ready: u.flag(), podReady: u.flag(), upkeep: upkeepState(u.get(2)), drain: drainState(u.get(2)),
		guard: guardState(u.get(2)), guardReady: u.flag(), guardDeleting: u.flag(), guardOld: u.flag(),
		current: revision(u.get(2)), target: revision(u.get(2)), landed: u.flag(), bad: u.flag(), apiServer: uint16(u.get(maxSlots)),
		down: duration(u.get(2)), fresh: u.flag(), granted: u.flag(), exposed: u.flag(),
	}
}

// pack writes the state into k and returns the words in use.
func (s *state) pack(slots int, k *key) []uint64 {
	for i := range slots {
		k[i] = s.slots[i].pack()
	}
	var p packer
	p.put(uint64(s.endpoints), maxSlots)
	p.flag(s.budget)
	p.put(uint64(s.minAvailable), 5)
	p.flag(s.observed)
	p.put(uint64(s.allowed), 4)
	p.flag(s.enough)
	p.flag(s.wanted)
	p.flag(s.latestBad)
	p.put(uint64(s.blind), 5)
	k[slots] = p.word
	p = packer{}
	for _, n := range s.left {
		p.put(uint64(n), bitsPerFault)
	}
	k[slots+1] = p.word
	return k[:slots+2]
}

func (s *state) unpack(words []uint64) {
	*s = state{}
	slots := len(words) - 2
	for i := range slots {
		s.slots[i] = unpackSlot(words[i])
	}
	u := unpacker{words[slots]}
	s.shared = shared{
		endpoints: uint16(u.get(maxSlots)), budget: u.flag(), minAvailable: uint8(u.get(5)), observed: u.flag(), allowed: uint8(u.get(4)), enough: u.flag(),
		wanted: u.flag(), latestBad: u.flag(), blind: blindness(u.get(5)),
	}
	u = unpacker{words[slots+1]}
	for i := range s.left {
		s.left[i] = uint8(u.get(bitsPerFault))
	}
}

// hash mixes the words of a packed state.
func hash(words []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range words {
		h ^= w
		h *= 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

func same(a, b []uint64) bool { return slices.Equal(a, b) }

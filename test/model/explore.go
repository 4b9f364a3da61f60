package model

import (
	"fmt"
	"math"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

const none = math.MaxUint32

// A store keeps packed states once each, numbered in the order in which they were found.
type store struct {
	stride int
	words  [][]uint64
	table  []uint32
	count  uint32
}

// statesPerChunk keeps the arena from being copied when it grows.
const statesPerChunk = 1 << 14

func newStore(stride int) *store {
	st := &store{stride: stride, table: make([]uint32, 1<<12)}
	clear32(st.table)
	return st
}

func clear32(table []uint32) {
	for i := range table {
		table[i] = none
	}
}

func (st *store) at(id uint32) []uint64 {
	offset := int(id%statesPerChunk) * st.stride
	return st.words[id/statesPerChunk][offset : offset+st.stride]
}

// add returns the number of a state, and whether it is new.
func (st *store) add(words []uint64) (uint32, bool) {
	mask := uint64(len(st.table) - 1)
	slot := hash(words) & mask
	for st.table[slot] != none {
		if id := st.table[slot]; same(st.at(id), words) {
			return id, false
		}
		slot = (slot + 1) & mask
	}
	id := st.count
	if id%statesPerChunk == 0 {
		st.words = append(st.words, make([]uint64, statesPerChunk*st.stride))
	}
	st.count++
	copy(st.at(id), words)
	st.table[slot] = id
	if int(st.count)*4 > len(st.table)*3 {
		st.grow()
	}
	return id, true
}

func (st *store) grow() {
	st.table = make([]uint32, 2*len(st.table))
	clear32(st.table)
	mask := uint64(len(st.table) - 1)
	for id := range st.count {
		slot := hash(st.at(id)) & mask
		for st.table[slot] != none {
			slot = (slot + 1) & mask
		}
		st.table[slot] = id
	}
}

// An exploration is a world, explored.
type exploration struct {
	*world
	cores  cores
	states *store
	// parents has, for each state, the one that it was first reached from.
	parents []uint32
	// edges has the progress moves of state i at offsets[i] to offsets[i+1].
	edges   []uint32
	offsets []uint32
	// flags has quorum and goal of each state.
	flags       []uint8
	transitions uint64
	seconds     float64
	taken       [moveKinds]uint64
	cited       map[citation]uint64
	reasons     map[reason.Reason]uint64
	violation   *violation
	// found is the number of states, told the trace of the violation; they remain when the states are forgotten.
	found uint32
	told  string
}

// forget drops the states, which take most of the memory, and keeps what is reported.
func (x *exploration) forget() {
	x.found = x.states.count
	if x.violation != nil {
		x.told = x.trace()
	}
	x.states, x.parents, x.edges, x.offsets, x.flags = nil, nil, nil, nil, nil
}

const (
	flagQuorum = 1 << iota
	flagGoal
)

// A violation is what is wrong, in which state, or on which move from it.
type violation struct {
	what string
	at   uint32
	move *step
}

// examiner is what one goroutine needs to look at states.
type examiner struct {
	*world
	cores cores
	scene scene
	other scene
	steps []step
	seen  map[reason.Finding]bool
	// states counts what was looked at, to take samples.
	states uint64
}

func newExaminer(w *world, c cores) *examiner {
	return &examiner{world: w, cores: c, seen: map[reason.Finding]bool{}}
}

// successors returns every move that is possible in s, with the decisions that the operator makes there.
func (e *examiner) successors(s *state) (truth, decisions, []step) {
	t := e.truth(s)
	d := e.cores.decide(e.scene.draw(e.world, s, &t))
	steps := e.operatorMoves(s, &t, &d, e.cores.guardsFirst, e.steps[:0])
	steps = e.environmentMoves(s, &t, &d, steps)
	steps = e.faultMoves(s, &t, steps)
	e.steps = steps
	return t, d, steps
}

// mostStates is what fits into memory; a world that grows beyond it is no small world.
const mostStates = 20_000_000

// explore visits every state that can be reached, nearest first, and stops at the first violation.
func explore(w *world, c cores) *exploration {
	begin := time.Now()
	x := &exploration{world: w, cores: c, states: newStore(w.slots + 2), cited: map[citation]uint64{}, reasons: map[reason.Reason]uint64{}}
	e := newExaminer(w, c)
	var k key
	s := w.initial()
	x.states.add(s.pack(w.slots, &k))
	x.parents = append(x.parents, none)
	for id := uint32(0); id < x.states.count && x.violation == nil; id++ {
		if x.states.count > mostStates {
			x.violation = &violation{what: "the world is too large for this exploration", at: id}
			break
		}
		s.unpack(x.states.at(id))
		x.visit(e, id, &s)
	}
	x.offsets = append(x.offsets, uint32(len(x.edges)))
	if x.violation == nil {
		x.checkReachable()
	}
	x.seconds = time.Since(begin).Seconds()
	return x
}

func (x *exploration) visit(e *examiner, id uint32, s *state) {
	t, d, steps := e.successors(s)
	var flag uint8
	if t.hasQuorum {
		flag |= flagQuorum
	}
	if e.isGoal(s, &t, &d) {
		flag |= flagGoal
	}
	x.flags = append(x.flags, flag)
	x.offsets = append(x.offsets, uint32(len(x.edges)))
	x.cite(&d)
	if what := e.checkState(s, &t, &d, steps); what != "" {
		x.violation = &violation{what: what, at: id}
		return
	}
	var k key
	for i := range steps {
		to := &steps[i]
		x.transitions++
		x.taken[to.kind]++
		if what := e.checkMove(s, &t, &d, to); what != "" {
			broken := *to
			x.violation = &violation{what: what, at: id, move: &broken}
			return
		}
		next, isNew := x.states.add(to.to.pack(x.slots, &k))
		if isNew {
			x.parents = append(x.parents, id)
		}
		if !to.kind.isFault() {
			x.edges = append(x.edges, next)
		}
	}
}

// checkReachable walks backwards over the moves that count as progress, from the states in which all is well: every
// state with quorum must be met (invariant L3).
func (x *exploration) checkReachable() {
	n := x.states.count
	starts := make([]uint32, n+1)
	for _, to := range x.edges {
		starts[to+1]++
	}
	for i := range n {
		starts[i+1] += starts[i]
	}
	back := make([]uint32, len(x.edges))
	fill := make([]uint32, n)
	for from := range n {
		for _, to := range x.edges[x.offsets[from]:x.offsets[from+1]] {
			back[starts[to]+fill[to]] = from
			fill[to]++
		}
	}
	reached := make([]bool, n)
	var queue []uint32
	for id := range n {
		if x.flags[id]&flagGoal != 0 {
			reached[id] = true
			queue = append(queue, id)
		}
	}
	for len(queue) > 0 {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, from := range back[starts[id]:starts[id+1]] {
			if !reached[from] {
				reached[from] = true
				queue = append(queue, from)
			}
		}
	}
	stuck := uint32(none)
	howMany := 0
	for id := range n {
		if x.flags[id]&flagQuorum != 0 && !reached[id] {
			howMany++
			if stuck == none {
				stuck = id
			}
		}
	}
	if stuck != none {
		x.violation = &violation{what: fmt.Sprintf("L3: nothing but a further fault leads from here to the state in which all is well (so it is in %d states)", howMany), at: stuck}
	}
}

// trace tells the shortest way to a violation: one line for each move, then the state in words.
func (x *exploration) trace() string {
	var path []uint32
	for id := x.violation.at; id != none; id = x.parents[id] {
		path = append(path, id)
	}
	e := newExaminer(x.world, x.cores)
	out := "world: " + x.name + "\n"
	var s state
	var k key
	for i := len(path) - 1; i > 0; i-- {
		s.unpack(x.states.at(path[i]))
		_, _, steps := e.successors(&s)
		for j := range steps {
			if same(steps[j].to.pack(x.slots, &k), x.states.at(path[i-1])) {
				out += fmt.Sprintf("%3d. %s\n", len(path)-i, e.wordsOf(&steps[j]))
				break
			}
		}
	}
	s.unpack(x.states.at(x.violation.at))
	out += e.describe(&s)
	if m := x.violation.move; m != nil {
		out += "then: " + e.wordsOf(m) + "\n" + e.describe(&m.to)
	}
	return out + x.violation.what + "\n"
}

package campaign

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

// Bounds of walks.
const (
	fewestMoves = 6
	mostMoves   = 14
	// mostLeaving is how many Machines may be on their way out at once.
	mostLeaving = 2
	// mostOpen is how many things a walk may have to undo at once.
	mostOpen = 3
	// longestOpen is the number of moves after which a fault is undone.
	longestOpen = 3
	// oneInLarge is how rarely a walk begins with five control planes: they cost
	// more than they tell.
	oneInLarge = 6
)

// Walk is a generated scenario.
type Walk struct {
	Name string
	// Seed decides the walk, and what the player chooses in it.
	Seed int64
	// Moves is how many it takes, before it undoes what it did.
	Moves int
	// Text is the scenario file.
	Text string
}

// All is the number of moves that the seed chooses.
const All = -1

// NewWalk makes a walk. With fewer moves than the seed chooses it is the beginning
// of that walk: the same first moves, and an end that undoes those.
func NewWalk(name string, seed int64, moves int) Walk {
	random := scenario.Random(seed, "walk")
	w := newWalker(random)
	length := fewestMoves + random.IntN(mostMoves-fewestMoves+1)
	if moves >= 0 {
		length = min(length, moves)
	}
	w.settle()
	for range length {
		w.move()
	}
	w.finish()
	return Walk{Name: name, Seed: seed, Moves: length, Text: w.text(name, seed)}
}

// host is a control-plane host and its Machine.
type host struct {
	name string
	// like is the first Machine whose zone it has.
	like string
	// fresh: it may not have its Node yet. held: its etcd pod is kept back. stripped:
	// its Machine may be without the hook. votes: its member did when all was whole.
	fresh, held, stripped, votes bool
}

// open is something that the walk has to undo.
type open struct {
	// since is the move that began it.
	since int
	// about is the host that it is done to, empty for the operator.
	about *host
	// takes: the member there does not count as alive.
	takes bool
	undo  func()
}

// walker makes a walk, and knows what must be so at any moment for the next move
// to be allowed and to be possible.
type walker struct {
	random *rand.Rand
	steps  []string
	size   int
	// stay are the hosts whose Machines nobody has deleted; leave are those that may
	// not have gone yet.
	stay, leave []*host
	gone        []string
	opened      []*open
	next        int
	moved       int
	// fragile: a member was lost for good, and what takes its place may not vote yet.
	fragile bool
	// noOperator: it is paused or stopped.
	noOperator bool
}

func newWalker(random *rand.Rand) *walker {
	w := &walker{random: random, size: 3}
	if random.IntN(oneInLarge) == 0 {
		w.size = 5
	}
	for ; w.next < w.size; w.next++ {
		name := fmt.Sprintf("master-%d", w.next)
		w.stay = append(w.stay, &host{name: name, like: name, votes: true})
	}
	return w
}

func (w *walker) step(format string, arguments ...any) {
	w.steps = append(w.steps, fmt.Sprintf(format, arguments...))
}

// taken counts members that faults keep from voting, and spare says how many more
// may be.
func (w *walker) taken() int {
	count := 0
	for _, o := range w.opened {
		if o.takes {
			count++
		}
	}
	return count
}

func (w *walker) spare() int {
	if w.fragile {
		return 0
	}
	return (w.size-1)/2 - w.taken()
}

func (w *walker) busy(h *host) bool {
	return slices.ContainsFunc(w.opened, func(o *open) bool { return o.about == h })
}

// free are hosts that stay and to which nothing is being done.
func (w *walker) free() []*host {
	return slices.DeleteFunc(slices.Clone(w.stay), func(h *host) bool { return w.busy(h) || h.held })
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// choice is a kind of move, how often it is taken, and whether it can be now.
type choice struct {
	weight   int
	possible bool
	take     func()
}

// voting are free hosts whose member votes for certain.
func (w *walker) voting() []*host {
	return slices.DeleteFunc(w.free(), func(h *host) bool { return !h.votes })
}

// deletable are free hosts whose Machine can be waited for to have its hook.
func (w *walker) deletable() []*host {
	return slices.DeleteFunc(w.free(), func(h *host) bool { return h.stripped && w.noOperator })
}

func (w *walker) choices() []choice {
	free, spare := len(w.free()) > 0, w.spare() > 0
	room := len(w.opened) < mostOpen
	fault := free && spare && room
	// Nobody is deleted beside a member that is lost for good, nor while a member that
	// the removal would need may be away.
	delete := len(w.deletable()) > 0 && !w.fragile && len(w.leave) < mostLeaving
	calm := !w.fragile && w.taken() == 0 && !w.noOperator && len(w.opened) == 0
	return []choice{
		{5, delete, w.replace},
		{2, calm && free && len(w.leave) == 0, w.destroy},
		{2, fault, func() { w.fault("terminate: {host: %s}", "start: {host: %s}") }},
		{3, fault, func() { w.fault("partition: {host: %s}", "heal: {host: %s}") }},
		{2, fault, func() { w.fault("pause: {host: %s}", "resume: {host: %s}") }},
		{2, fault && len(w.voting()) > 0, w.pauseEtcd},
		{2, fault, func() { w.fault("slow: {host: %s, process: etcd}", "resume: {host: %s, process: etcd}") }},
		{2, fault, func() { w.fault("stop-kubelet: {host: %s}", "start-kubelet: {host: %s}") }},
		{2, fault && len(w.voting()) > 0, w.killEtcd},
		{3, !w.noOperator, w.endOperator},
		{2, !w.noOperator && room, func() { w.holdOperator("pause", "resume") }},
		{1, !w.noOperator && room, func() { w.holdOperator("stop", "start") }},
		{1, !w.noOperator && room, func() { w.holdOperator("partition", "heal") }},
		{2, free, w.strip},
		{2, free && room, w.drain},
		{1, free && room, w.cordon},
		{1, calm && free && len(w.leave) == 0, w.reboot},
		{1, free, w.deleteGuard},
		{2, calm, w.settle},
		{4, len(w.opened) > 0, func() { w.close(w.random.IntN(len(w.opened))) }},
	}
}

// move takes one move, undoes what has lasted long enough, and lets time pass.
func (w *walker) move() {
	w.moved++
	for i := len(w.opened) - 1; i >= 0; i-- {
		if w.moved-w.opened[i].since > longestOpen {
			w.close(i)
		}
	}
	var possible []choice
	total := 0
	for _, c := range w.choices() {
		if c.possible {
			possible = append(possible, c)
			total += c.weight
		}
	}
	n := w.random.IntN(total)
	for _, c := range possible {
		if n -= c.weight; n < 0 {
			c.take()
			break
		}
	}
	longest := pick(w.random, []int{1, 1, 4, 12})
	w.step("sleep: {from: 200ms, to: %ds}", longest)
}

func (w *walker) begin(about *host, takes bool, undo func()) {
	w.opened = append(w.opened, &open{since: w.moved, about: about, takes: takes, undo: undo})
}

func (w *walker) close(i int) {
	o := w.opened[i]
	w.opened = slices.Delete(w.opened, i, i+1)
	o.undo()
}

// there waits until a new host can have something done to it.
func (w *walker) there(h *host) {
	if h.fresh {
		w.step("wait: {until: 'node(%q).exists', within: 2m}", h.name)
		h.fresh = false
	}
}

func (w *walker) fault(do, undo string) {
	h := pick(w.random, w.free())
	w.there(h)
	w.step(do, h.name)
	w.begin(h, true, func() { w.step(undo, h.name) })
}

// etcdRuns waits for the host's etcd: one whose host was powered on a moment ago is not
// back yet.
func (w *walker) etcdRuns(h *host) {
	w.step(`run: {command: [sh, -c, 'grep -qzxe "[-]-name=%s" /proc/[0-9]*/cmdline 2>/dev/null'], within: 1m}`, h.name)
}

func (w *walker) pauseEtcd() {
	h := pick(w.random, w.voting())
	w.etcdRuns(h)
	w.step("pause: {host: %s, process: etcd}", h.name)
	w.begin(h, true, func() { w.step("resume: {host: %s, process: etcd}", h.name) })
}

func (w *walker) killEtcd() {
	h := pick(w.random, w.voting())
	w.etcdRuns(h)
	w.step("kill: {host: %s, process: etcd}", h.name)
	// It takes a while to be back; until then nobody else is taken.
	w.begin(h, true, func() { w.step("wait: {until: 'member(%q).healthy', within: 2m}", h.name) })
}

// runs waits for a process of the operator: one that was ended comes back by
// itself.
func (w *walker) runs() {
	w.step(`run: {command: [sh, -c, 'ls -l /proc/[0-9]*/exe 2>/dev/null | grep -q cluster-etcd-operator'], within: 1m}`)
}

func (w *walker) endOperator() {
	w.runs()
	w.step("operator: {do: %s}", pick(w.random, []string{"kill", "kill", "restart"}))
}

func (w *walker) holdOperator(do, undo string) {
	w.runs()
	w.step("operator: {do: %s}", do)
	w.noOperator = true
	w.begin(nil, false, func() {
		w.step("operator: {do: %s}", undo)
		// One that was paused for longer than its lease ends by itself now.
		w.step("sleep: {for: 3s}")
		w.noOperator = false
	})
}

// replace deletes a Machine and makes another one, in either order.
func (w *walker) replace() {
	old := pick(w.random, w.deletable())
	w.there(old)
	fresh := w.newHost(old)
	remove := func() {
		w.protected(old)
		w.step("delete: {machine: %s}", old.name)
		w.leaves(old)
	}
	produce := func() {
		if w.random.IntN(4) == 0 {
			fresh.held = true
			w.step("hold-rollout: {node: %s}", fresh.name)
			w.begin(fresh, false, func() {
				w.step("let-rollout: {node: %s}", fresh.name)
				fresh.held = false
			})
		}
		w.step("create: {machine: %s, like: %s}", fresh.name, old.like)
		w.stay = append(w.stay, fresh)
	}
	if w.random.IntN(2) == 0 {
		remove()
		w.pause()
		produce()
	} else {
		produce()
		w.pause()
		remove()
	}
}

func (w *walker) pause() {
	if w.random.IntN(2) == 0 {
		w.step("sleep: {from: 100ms, to: %ds}", pick(w.random, []int{1, 5, 20}))
	}
}

func (w *walker) newHost(old *host) *host {
	h := &host{name: fmt.Sprintf("master-%d", w.next), like: old.like, fresh: true}
	w.next++
	return h
}

func (w *walker) leaves(h *host) {
	w.stay = slices.DeleteFunc(w.stay, func(other *host) bool { return other == h })
	w.leave = append(w.leave, h)
	w.gone = append(w.gone, h.name)
}

// destroy loses a host for good; what people and a cloud do then follows.
func (w *walker) destroy() {
	old := pick(w.random, w.free())
	w.there(old)
	w.protected(old)
	w.fragile = true
	w.step("destroy: {host: %s}", old.name)
	w.pause()
	w.step("delete: {machine: %s}", old.name)
	w.step("delete: {object: {apiVersion: v1, kind: Node, name: %s}}", old.name)
	w.leaves(old)
	w.pause()
	fresh := w.newHost(old)
	w.step("create: {machine: %s, like: %s}", fresh.name, old.like)
	w.stay = append(w.stay, fresh)
}

func (w *walker) strip() {
	h := pick(w.random, w.free())
	h.stripped = true
	if w.random.IntN(3) == 0 {
		w.step("fight: {machine: %s, every: 2s, for: 10s}", h.name)
		w.step("sleep: {for: 12s}")
		return
	}
	w.step("strip: {machine: %s}", h.name)
}

// protected waits until the Machine has its hook again: to delete one without it is
// to give its member up, which is a fault of another kind.
func (w *walker) protected(h *host) {
	if h.stripped {
		w.step("wait: {until: 'machine(%q).hooked', within: 6m}", h.name)
	}
}

// drain has somebody drain a node, for a while, whatever comes of it.
func (w *walker) drain() {
	h := pick(w.random, w.free())
	w.there(h)
	w.step("drain: {node: %s, background: true, within: %ds}", h.name, 10+w.random.IntN(30))
	w.uncordonLater(h)
}

func (w *walker) cordon() {
	h := pick(w.random, w.free())
	w.there(h)
	w.step("cordon: {node: %s}", h.name)
	w.uncordonLater(h)
}

func (w *walker) uncordonLater(h *host) {
	w.begin(h, false, func() { w.step("uncordon: {node: %s}", h.name) })
}

func (w *walker) reboot() {
	w.settle()
	h := pick(w.random, w.free())
	w.step("reboot: {node: %s, within: 4m}", h.name)
}

func (w *walker) deleteGuard() {
	h := pick(w.random, w.free())
	w.step("run: {command: [kubectl, -n, openshift-etcd, delete, pod, etcd-guard-%s, --ignore-not-found, --wait=false]}", h.name)
}

// settle waits until all is whole.
func (w *walker) settle() {
	w.step("wait: {until: 'healthyVoters == %d and len(members) == %d and len(machines) == %d and none(machines, .deleting) and all(machines, .hooked) and count(guards, .ready) == %d', within: 6m}", w.size, w.size, w.size, w.size)
	w.leave, w.fragile = nil, false
	for _, h := range w.stay {
		h.fresh, h.stripped, h.votes = false, false, true
	}
}

// finish undoes everything, and waits until all is whole without anybody's help.
func (w *walker) finish() {
	for len(w.opened) > 0 {
		w.close(0)
	}
	w.settle()
}

// longestGap is how long nobody may be able to write, in seconds: walks take
// leaders away again and again.
const longestGap = 45

func (w *walker) text(name string, seed int64) string {
	var text strings.Builder
	fmt.Fprintf(&text, "name: %s\nabout: A random walk of %d moves, from seed %d.\ncontrol-planes: %d\n", name, w.moved, seed, w.size)
	fmt.Fprintf(&text, "load: {clients: 4, writes: 60}\nmax-write-gap: %ds\nmin-voters: %d\ndeadline: 30m\n", longestGap, w.size/2+1)
	if len(w.gone) > 0 {
		fmt.Fprintf(&text, "gone: [%s]\n", strings.Join(w.gone, ", "))
	}
	fmt.Fprintf(&text, "steps:\n- %s\n", strings.Join(w.steps, "\n- "))
	return text.String()
}

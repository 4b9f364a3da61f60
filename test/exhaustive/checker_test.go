package exhaustive

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// maxViolations is how many are printed before the run stops: the first few tell what is wrong.
const maxViolations = 5

// violations collects what the workers find.
type violations struct {
	mu    sync.Mutex
	texts []string
	full  atomic.Bool
}

func (v *violations) add(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.texts) < maxViolations {
		v.texts = append(v.texts, text)
	}
	v.full.Store(len(v.texts) == maxViolations)
}

// numbers is what a worker has done.
type numbers struct {
	worlds, decisions, acts, unknowns uint64
}

func (n *numbers) add(m numbers) {
	n.worlds += m.worlds
	n.decisions += m.decisions
	n.acts += m.acts
	n.unknowns += m.unknowns
}

// checker decides worlds and checks the decisions; one for each goroutine.
type checker struct {
	builder
	found *violations
	numbers
	cited   map[citation]bool
	recent  [512]citation
	digests map[uint64]uint64

	world     *world
	decisions decisions
	failed    bool
	without   string
}

// decisions are those of the cores that decided.
type decisions struct {
	membership membership.Decision
	hooks      machinehook.Decision
	guards     quorumguard.Decision
	rollout    rollout.Decision
}

type citation struct {
	rule   reason.Rule
	reason reason.Reason
}

func newChecker(found *violations) *checker {
	return &checker{found: found, cited: map[citation]bool{}, digests: map[uint64]uint64{}}
}

// check decides one world in two orders, and holds the decisions against the description.
func (c *checker) check(w *world, number uint64) {
	c.world, c.failed = w, false
	c.worlds++
	defer c.reportPanic()
	planned := w.planned
	s := c.build(w)
	c.decisions = c.decide(s, w)
	t := count(w)
	d := &c.decisions
	if w.cores&membershipCore != 0 {
		c.checkMembership(w, &t, &d.membership)
		if d.membership.Action != membership.Wait {
			c.acts++
		}
	}
	if w.cores&hookCore != 0 {
		c.checkHooks(w, &t, &d.hooks)
	}
	if w.cores&rolloutCore != 0 {
		c.checkRollout(w, &t, &d.rollout)
		if w.holdFromRollout && w.cores&guardCore != 0 {
			w.planned = w.hostOfNode(d.rollout.Hold)
		}
	}
	if w.cores&guardCore != 0 {
		c.checkGuards(w, &t, &d.guards)
	}
	c.shuffle(number)
	c.checkOrder(c.decide(s, w))
	w.planned = planned
}

// reportPanic makes a panic of a core a violation like others (rule R10.5), with the world that caused it.
func (c *checker) reportPanic() {
	if p := recover(); p != nil {
		c.failed = false
		c.fail("R10.5", "panic: %v\n%s", p, debug.Stack())
	}
}

// decide asks every core that decides this world. The guard's learns from the rollout's decision what drains are held back
// for, as in the operator.
func (c *checker) decide(s *snapshot.Snapshot, w *world) decisions {
	var d decisions
	view := snapshot.NewView(s)
	if w.cores&membershipCore != 0 {
		d.membership = membership.DecideView(view)
		c.numbers.decisions++
	}
	if w.cores&hookCore != 0 {
		d.hooks = machinehook.DecideView(view)
		c.numbers.decisions++
	}
	if w.cores&rolloutCore != 0 {
		d.rollout = rollout.DecideView(view)
		c.numbers.decisions++
	}
	if w.cores&guardCore != 0 {
		if w.holdFromRollout {
			s.PlannedInstall = d.rollout.Hold
		}
		d.guards = quorumguard.DecideView(view)
		c.numbers.decisions++
	}
	return d
}

// checkOrder is I7: the same facts in another order give the same decision.
func (c *checker) checkOrder(other decisions) {
	d := &c.decisions
	switch {
	case !sameMembership(&d.membership, &other.membership):
		c.fail("I7", "in another order membership decides %+v", other.membership)
	case !sameHooks(&d.hooks, &other.hooks):
		c.fail("I7", "in another order machinehook decides %+v", other.hooks)
	case !sameGuards(&d.guards, &other.guards):
		c.fail("I7", "in another order quorumguard decides %+v", other.guards)
	case !sameRollout(&d.rollout, &other.rollout):
		c.fail("I7", "in another order rollout decides %+v", other.rollout)
	}
}

// fail reports a violation: what is violated, the world in words, and the decisions. One for each world is enough.
func (c *checker) fail(rule, format string, args ...any) {
	if c.failed {
		return
	}
	c.failed = true
	text := fmt.Sprintf("%s: %s\n%s", rule, fmt.Sprintf(format, args...), c.world)
	if c.without != "" {
		text += "  with this changed in the Snapshot: " + c.without + "\n"
	}
	c.found.add(text + c.decisions.words(c.world.cores))
}

func (d *decisions) words(cores coreSet) string {
	var text string
	if cores&membershipCore != 0 {
		text += fmt.Sprintf("  membership: %+v\n", d.membership)
	}
	if cores&hookCore != 0 {
		text += fmt.Sprintf("  machinehook: %+v\n", d.hooks)
	}
	if cores&guardCore != 0 {
		text += fmt.Sprintf("  quorumguard: %+v\n", d.guards)
	}
	if cores&rolloutCore != 0 {
		text += fmt.Sprintf("  rollout: %+v\n", d.rollout)
	}
	return text
}

// cite remembers that a rule and a Reason were given, and checks that both exist. Most citations are repetitions, so a
// table of recent ones comes before the map.
func (c *checker) cite(f *reason.Finding) {
	if len(f.Rule) < 2 || len(f.Reason) < 2 {
		c.fail("R9.1", "a finding without rule or Reason: %+v", *f)
		return
	}
	slot := &c.recent[(len(f.Reason)*31+len(f.Rule)*7+int(f.Reason[0])*5+int(f.Reason[len(f.Reason)/2])*13+int(f.Rule[len(f.Rule)-1]))%len(c.recent)]
	if slot.rule == f.Rule && slot.reason == f.Reason {
		return
	}
	*slot = citation{f.Rule, f.Reason}
	if c.cited[*slot] {
		return
	}
	c.cited[*slot] = true
	if _, ok := reason.Lookup(f.Reason); !ok {
		c.fail("R9.1", "%q is no Reason", f.Reason)
	}
}

// rememberDigest is the rest of I6: different member lists have different digests. Lists are told apart by the role on
// each name; everything else that the digest covers follows from these in a world.
func (c *checker) rememberDigest(w *world, digest uint64) {
	var list uint64
	for i := 0; i < w.n; i++ {
		h := &w.hosts[i]
		kind := uint64(h.role)
		if h.bootstrap {
			kind = 7
		}
		list |= kind << (3 * w.names[i])
	}
	if other, ok := c.digests[digest]; !ok {
		c.digests[digest] = list
	} else if other != list {
		c.fail("I6", "two member lists have digest %x", digest)
	}
}

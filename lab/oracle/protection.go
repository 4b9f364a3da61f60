package oracle

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
)

const (
	// hookGrace is how long a Machine may be without the hook.
	hookGrace = 30 * time.Second
	// budgetGrace is how long the budget may lag behind Machines and members: the
	// operator looks every 15 s while something is in flight.
	budgetGrace = 20 * time.Second
	// evictionGrace is how long the budget must have been too low for an eviction
	// to be held against it.
	evictionGrace = 5 * time.Second
	// readinessGrace is how long it may take until a member that went away is
	// counted: probes, and a Node that has to be found dead.
	readinessGrace = 40 * time.Second
	// restartGrace is what an operator needs to be back after it was down: the
	// lease of its predecessor has to end.
	restartGrace = 45 * time.Second
)

// machineKey tells a Machine from a later one with its name.
func machineKey(m facts.Machine) string { return m.Name + " " + m.UID }

// hooks: the hook as the rules say.
func (j *judge) hooks() {
	hadHook, deletingWithout, bare := map[string]bool{}, map[string]bool{}, newLasting(hookGrace)
	var early, regained, missing []fault
	told := map[string]bool{}
	for _, f := range j.fresh(true) {
		for _, machine := range f.Machines {
			if !machine.ControlPlane() {
				continue
			}
			key := machineKey(machine)
			byScenario := j.ever(history.HookStripped, machine.Name, f.MembersAt) || j.ever(history.MachineForced, machine.Name, f.MembersAt)
			down := j.unled(f.At) || j.Start.ByHand
			if bare.look(key, f.At, !machine.Deleting && !machine.Hooked && !byScenario && !down && f.MachinesAtWork()) {
				missing = append(missing, faultAt(times(f.At), "%s had none for %s at %s", machine.Name, hookGrace, seconds(f.At)))
			}
			if machine.Deleting && machine.Hooked && deletingWithout[key] {
				regained = append(regained, faultAt(times(f.At), "%s at %s", machine.Name, seconds(f.At)))
			}
			// The members were read after the Machine: whoever is still one was one when
			// the hook was gone.
			if on := f.MembersOn(machine); machine.Deleting && !machine.Hooked && hadHook[key] && len(on) > 0 && !byScenario && !told[key] {
				told[key] = true
				early = append(early, faultAt(times(f.At), "%s at %s, when %s was still a member", machine.Name, seconds(f.At), label(on[0])))
			}
			deletingWithout[key] = machine.Deleting && !machine.Hooked
			hadHook[key] = hadHook[key] || machine.Hooked
		}
	}
	j.claim("a deleting Machine keeps the hook while it hosts a member", "I8 R4.4", early, "")
	j.claim("a deleting Machine never gains the hook", "I8 R4.3", regained, "")
	if !j.Start.ByHand {
		j.claim("every live control-plane Machine carries the hook", "R4.1", missing, "")
	}
}

// guards: the disruption budget as the rules say.
func (j *judge) guards() {
	if j.Start.ByHand || j.Start.ControlPlanes == 1 {
		return
	}
	const protects = "the budget never allows an eviction that quorum cannot bear"
	const counts = "the budget counts Machines and voters as it must"
	bear, low := newLasting(readinessGrace), newLasting(budgetGrace)
	var unbearable, tooLow []fault
	seen := false
	for _, f := range j.fresh(true) {
		seen = seen || f.Budget.Exists
		down := j.unled(f.At)
		voters, healthy := f.Voters()
		allowed := 0
		if f.Budget.Current {
			allowed = f.Budget.DisruptionsAllowed
		}
		if bear.look("", f.At, allowed > 0 && healthy-allowed < facts.Quorum(voters)) {
			unbearable = append(unbearable, faultAt(times(f.At), "at %s it has allowed %d for %s, with %d healthy of %d voters", seconds(f.At), allowed, readinessGrace, healthy, voters))
		}
		least := leastAvailable(f)
		if low.look("", f.At, f.Budget.Exists && !down && f.Budget.MinAvailable < least) {
			tooLow = append(tooLow, faultAt(times(f.At), "at %s minAvailable has been %d for %s, must be at least %d (%d voters, %d desired)", seconds(f.At), f.Budget.MinAvailable, budgetGrace, least, voters, f.Desired))
		}
	}
	if !seen {
		j.unproven(protects, "I10 R7.2", "there was never a budget")
		return
	}
	j.claim(protects, "I10 R7.2", unbearable, "")
	j.claim(counts, "I10 R7.2", tooLow, "")
	evictions := j.guardEvictions()
	evidence := fmt.Sprintf("%d granted, to anybody", len(evictions))
	if !j.EvictionsWritten {
		evidence = fmt.Sprintf("%d granted to the scenario", len(evictions))
		j.assume("that nobody but the scenario evicted a guard: the API server did not write evictions down")
	}
	wrong, fatal := j.wrongEvictions(evictions)
	j.claim("no eviction is granted that the budget must refuse", "I10 R7.2", wrong, evidence)
	j.claim("no eviction leaves fewer healthy voters than a quorum", "I10", fatal, "")
}

// eviction is one of a guard that was granted.
type eviction struct {
	at  time.Duration
	pod string
	by  string
}

const (
	guardNamespace = "openshift-etcd"
	guardPrefix    = "etcd-guard-"
)

// guardEvictions are those that the API server wrote down; where it did not, those
// that the scenario asked for.
func (j *judge) guardEvictions() []eviction {
	var all []eviction
	add := func(at time.Duration, namespace, pod, by string) {
		if namespace == guardNamespace && strings.HasPrefix(pod, guardPrefix) {
			all = append(all, eviction{at, pod, by})
		}
	}
	if j.EvictionsWritten {
		for _, r := range j.Requests {
			if r.Eviction() && r.Granted() {
				add(r.At, r.Namespace, r.Name, r.User)
			}
		}
		return all
	}
	for _, e := range j.Evictions {
		add(e.At, e.Namespace, e.Pod, "the scenario")
	}
	return all
}

// wrongEvictions finds guards whose eviction was granted although too few were
// left, and had been too few to spare one in every look for a while in which an
// operator could have told; and those that cost quorum a vote that had been needed
// for as long as readiness takes.
func (j *judge) wrongEvictions(evictions []eviction) (wrong, fatal []fault) {
	looks := j.fresh(true)
	for _, e := range evictions {
		before := lookedAt(looks, e.at-evictionGrace, e.at)
		if len(before) == 0 || before[len(before)-1].At-before[0].At < evictionGrace/2 {
			// Not seen long enough to say.
			continue
		}
		last := before[len(before)-1]
		guard := slices.IndexFunc(last.Guards, func(g facts.Guard) bool { return g.Name == e.pod })
		if guard < 0 || !last.Guards[guard].Ready || last.Guards[guard].Deleting {
			// One that is not Ready protects nothing, and one that goes is gone.
			continue
		}
		if !j.unled(e.at) && !slices.ContainsFunc(before, func(f facts.Facts) bool { return readyGuards(f) > leastAvailable(f) }) && !spared(looks, e) {
			wrong = append(wrong, faultAt(times(e.at), "%s at %s, of %s, with %d guards Ready and %d needed", e.pod, seconds(e.at), e.by, readyGuards(last), leastAvailable(last)))
		}
		long := lookedAt(looks, e.at-readinessGrace, e.at)
		if len(long) > 0 && !slices.ContainsFunc(long, func(f facts.Facts) bool { return bears(f, last.Guards[guard].Node) }) {
			voters, healthy := last.Voters()
			fatal = append(fatal, faultAt(times(e.at), "%s at %s, of %s, with %d healthy of %d voters", e.pod, seconds(e.at), e.by, healthy, voters))
		}
	}
	return wrong, fatal
}

// spared reports whether the first look after an eviction finds as many other guards
// Ready as must stay: one of them may have become Ready right before it. Where there
// is no such look nobody knows.
func spared(looks []facts.Facts, e eviction) bool {
	i := slices.IndexFunc(looks, func(f facts.Facts) bool { return f.ObjectsAt > e.at })
	if i < 0 {
		return true
	}
	after := looks[i]
	after.Guards = slices.DeleteFunc(slices.Clone(after.Guards), func(g facts.Guard) bool { return g.Name == e.pod })
	return readyGuards(after) >= leastAvailable(after)
}

// lookedAt returns the looks between two times, objects and members both.
func lookedAt(looks []facts.Facts, from, to time.Duration) []facts.Facts {
	var between []facts.Facts
	for _, f := range looks {
		if f.ObjectsAt >= from && f.MembersAt <= to {
			between = append(between, f)
		}
	}
	return between
}

// bears reports whether the voters on other nodes are a quorum, or the one on this
// node is down already.
func bears(f facts.Facts, node string) bool {
	voters, healthy := f.Voters()
	for _, m := range f.Members {
		if m.Voter && m.Healthy && f.MachineOf(m).Node == node {
			return healthy-1 >= facts.Quorum(voters)
		}
	}
	return true
}

func readyGuards(f facts.Facts) int {
	ready := 0
	for _, guard := range f.Guards {
		if guard.Ready && !guard.Deleting {
			ready++
		}
	}
	return ready
}

// leastAvailable is the lowest minAvailable that R7.2 allows, without what it adds
// for guards that stand for no vote.
func leastAvailable(f facts.Facts) int {
	voters, _ := f.Voters()
	machines, surplusLeaves := 0, false
	for _, machine := range f.Machines {
		on := f.MembersOn(machine)
		surplusLeaves = surplusLeaves || machine.Deleting && voters > f.Desired && slices.ContainsFunc(on, func(m facts.Member) bool { return m.Voter })
		leaving := machine.Deleting && !machine.Hooked && len(on) == 0
		stillborn := machine.Phase == "Failed" && machine.Node == ""
		if machine.ControlPlane() && !leaving && !stillborn {
			machines++
		}
	}
	if !f.MachinesAtWork() {
		machines = 0
		for _, node := range f.Nodes {
			if node.ControlPlane {
				machines++
			}
		}
	}
	most := min(max(machines, voters), max(voters, f.Desired+1))
	least := max(most-1, facts.Quorum(voters))
	if surplusLeaves {
		// Drains wait until the voter that is too many has gone.
		least = max(least, voters)
	}
	return least
}

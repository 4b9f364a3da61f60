package oracle

import (
	"fmt"
	"slices"
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
	var early, regained, missing []string
	told := map[string]bool{}
	for _, f := range j.fresh(true) {
		for _, machine := range f.Machines {
			if !machine.ControlPlane() {
				continue
			}
			key := machineKey(machine)
			byScenario := j.ever(history.HookStripped, machine.Name, f.MembersAt) || j.ever(history.MachineForced, machine.Name, f.MembersAt)
			down := j.during(history.OperatorDown, "", f.At, restartGrace) || j.Start.ByHand
			if bare.look(key, f.At, !machine.Deleting && !machine.Hooked && !byScenario && !down) {
				missing = append(missing, fmt.Sprintf("%s had none for %s at %s", machine.Name, hookGrace, seconds(f.At)))
			}
			if machine.Deleting && machine.Hooked && deletingWithout[key] {
				regained = append(regained, fmt.Sprintf("%s at %s", machine.Name, seconds(f.At)))
			}
			// The members were read after the Machine: whoever is still one was one when
			// the hook was gone.
			if on := f.MembersOn(machine); machine.Deleting && !machine.Hooked && hadHook[key] && len(on) > 0 && !byScenario && !told[key] {
				told[key] = true
				early = append(early, fmt.Sprintf("%s at %s, when %s was still a member", machine.Name, seconds(f.At), label(on[0])))
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
	var unbearable, tooLow []string
	seen := false
	for _, f := range j.fresh(true) {
		seen = seen || f.Budget.Exists
		down := j.during(history.OperatorDown, "", f.At, restartGrace)
		voters, healthy := f.Voters()
		allowed := 0
		if f.Budget.Current {
			allowed = f.Budget.DisruptionsAllowed
		}
		if bear.look("", f.At, allowed > 0 && healthy-allowed < facts.Quorum(voters)) {
			unbearable = append(unbearable, fmt.Sprintf("at %s it has allowed %d for %s, with %d healthy of %d voters", seconds(f.At), allowed, readinessGrace, healthy, voters))
		}
		least := leastAvailable(f)
		if low.look("", f.At, f.Budget.Exists && !down && f.Budget.MinAvailable < least) {
			tooLow = append(tooLow, fmt.Sprintf("at %s minAvailable has been %d for %s, must be at least %d (%d voters, %d desired)", seconds(f.At), f.Budget.MinAvailable, budgetGrace, least, voters, f.Desired))
		}
	}
	if !seen {
		j.unproven(protects, "I10 R7.2", "there was never a budget")
		return
	}
	j.claim(protects, "I10 R7.2", unbearable, "")
	j.claim(counts, "I10 R7.2", tooLow, "")
	j.claim("no eviction is granted that the budget must refuse", "I10 R7.2", j.wrongEvictions(), fmt.Sprintf("%d granted to the scenario", len(j.Evictions)))
}

// wrongEvictions finds guards whose eviction was granted although too few were
// left, and had been too few to spare one in every look for a while.
func (j *judge) wrongEvictions() []string {
	var wrong []string
	looks := j.fresh(true)
	for _, eviction := range j.Evictions {
		var before []facts.Facts
		for _, f := range looks {
			if f.ObjectsAt >= eviction.At-evictionGrace && f.MembersAt <= eviction.At {
				before = append(before, f)
			}
		}
		if len(before) == 0 || before[len(before)-1].At-before[0].At < evictionGrace/2 || !slices.ContainsFunc(before[0].Guards, func(g facts.Guard) bool { return g.Name == eviction.Pod }) {
			// Not a guard, or not seen long enough to say.
			continue
		}
		spare := slices.ContainsFunc(before, func(f facts.Facts) bool { return readyGuards(f) > leastAvailable(f) })
		if last := before[len(before)-1]; !spare {
			wrong = append(wrong, fmt.Sprintf("%s at %s, with %d guards Ready and %d needed", eviction.Pod, seconds(eviction.At), readyGuards(last), leastAvailable(last)))
		}
	}
	return wrong
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
	most := min(max(machines, voters), max(voters, f.Desired+1))
	least := max(most-1, facts.Quorum(voters))
	if surplusLeaves {
		// Drains wait until the voter that is too many has gone.
		least = max(least, voters)
	}
	return least
}

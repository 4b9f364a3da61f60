package model

import (
	"fmt"
	"strings"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// of returns a world of the usual kind: highly available, on machines.
func of(voters, desired int, name string, slots int, granted faults, differ ...func(*world)) *world {
	w := &world{name: name, slots: slots, voters: voters, desired: desired, topology: snapshot.HighlyAvailable, machineAPI: true, granted: granted}
	for _, change := range differ {
		change(w)
	}
	return w
}

func prompt(w *world)         { w.prompt = true }
func ordered(w *world)        { w.ordered = true }
func withAPIServers(w *world) { w.apiServers = true }
func byHand(w *world)         { w.machineAPI = false }
func unsafe(w *world)         { w.unsafe = true }

func topology(is snapshot.Topology) func(*world) {
	return func(w *world) { w.topology = is }
}

func blind(to ...blindness) func(*world) {
	return func(w *world) { w.blinds = to }
}

// blindToAny are all facts that a highly available cluster can miss.
func blindToAny(w *world) {
	for b := blindToMachineAPI; b < blindKinds; b++ {
		if b != blindToExternalEtcd {
			w.blinds = append(w.blinds, b)
		}
	}
}

// withoutGuards starts from a cluster that has never had a guard or a budget: until a guard is there, a drain of its node
// asks nobody.
func withoutGuards(w *world) {
	w.begins = "without guards"
	w.start = func(s *state) {
		s.budget = false
		for i := range s.slots {
			s.slots[i].guard, s.slots[i].guardReady, s.slots[i].exposed = noGuard, false, s.slots[i].member == voter
		}
		w.compute(s)
	}
}

// withLeftGuard starts from a single replica that has a guard and a budget all the same.
func withLeftGuard(w *world) {
	w.begins = "with a guard left"
	w.start = func(s *state) {
		s.budget, s.minAvailable, s.slots[0].guard, s.slots[0].guardReady = true, 1, guardRunning, true
		w.compute(s)
	}
}

// surplusLeaves starts with one voter more than the world says, on a deleting machine.
func surplusLeaves(w *world) {
	w.begins = "a surplus voter leaves"
	w.slots++
	w.start = func(s *state) {
		i := w.voters
		s.slots[i] = s.slots[0]
		s.endpoints |= bit(i)
		w.deleteMachine(s, i)
		s.minAvailable = uint8(w.voters + 1)
		w.compute(s)
	}
}

// learnerWaits starts with a learner that has caught up, on a machine more than the world says, whose guard is not yet
// made.
func learnerWaits(w *world) {
	w.begins = "a learner has caught up"
	w.slots++
	w.start = func(s *state) {
		c := &s.slots[w.voters]
		*c = s.slots[0]
		c.member, c.guard, c.guardReady = caughtUpLearner, noGuard, false
	}
}

// twoAreLeft starts after a dead voter was removed and all of its host is gone.
func twoAreLeft(w *world) {
	w.begins = "two voters are left"
	w.start = func(s *state) {
		last := w.voters - 1
		s.slots[last] = slot{}
		s.endpoints &^= bit(last)
		w.compute(s)
	}
}

// defaultWorlds are explored by TestModel.
func defaultWorlds() []*world {
	return []*world{
		// Drains by others, revisions, and what can befall a voter beside them.
		of(3, 3, "drains, revisions, a broken one", 4, faults{upkeep: 2, revisionWish: 2, badRevision: 1}),
		of(3, 3, "drains, a revision, changed guards", 4, faults{upkeep: 2, revisionWish: 1, guardChange: 1}),
		of(3, 3, "drains, a revision, a guard that ends", 4, faults{upkeep: 2, revisionWish: 1, guardEnd: 1}),
		of(3, 3, "drains, a revision, a voter cut off", 4, faults{upkeep: 2, revisionWish: 1, peerCut: 1}),
		of(3, 3, "drains, a revision, an operator cut off", 4, faults{upkeep: 2, revisionWish: 1, operatorCut: 1}),
		of(3, 3, "drains, a revision, a crash", 4, faults{upkeep: 2, revisionWish: 1, memberCrash: 1}),
		of(3, 3, "drains and a stopped kubelet", 4, faults{upkeep: 2, kubeletStop: 1}),
		of(3, 3, "a drain and a revision before there are guards", 3, faults{upkeep: 1, revisionWish: 1, memberCrash: 1}, withoutGuards),

		// Replacements.
		of(3, 3, "a deletion and a drain", 4, faults{deletion: 1, upkeep: 1}),
		of(3, 3, "a deletion and revisions, a broken one", 4, faults{deletion: 1, revisionWish: 1, badRevision: 1}),
		of(3, 3, "a deletion, a stripped hook and a drain", 4, faults{deletion: 1, hookStrip: 1, upkeep: 1}),
		of(3, 3, "a deletion and a stopped kubelet", 4, faults{deletion: 1, kubeletStop: 1}),
		of(3, 3, "a deletion, an excluded machine and a revision", 4, faults{deletion: 1, drainExclusion: 1, revisionWish: 1}, prompt),
		of(3, 3, "a deletion and other hooks", 4, faults{deletion: 1, foreignHook: 1, hookTheft: 1}),
		of(3, 3, "a deletion and a replacement that fails", 4, faults{deletion: 1, failedProvisioning: 1}),
		of(3, 3, "a deletion and a crash", 4, faults{deletion: 1, memberCrash: 1}),
		of(3, 3, "a deletion with API servers", 4, faults{deletion: 1}, withAPIServers),
		of(3, 3, "two deletions in their order", 5, faults{deletion: 2}, prompt, ordered),
		of(3, 3, "all three machines deleted", 6, faults{deletion: 3}, prompt),
		of(3, 3, "a surplus voter leaves during drains", 3, faults{upkeep: 2}, surplusLeaves),

		// Lost hosts.
		of(3, 3, "a dead host and a drain", 4, faults{hostDeath: 1, upkeep: 1}),
		of(3, 3, "two voters are left, a drain and changed guards", 3, faults{upkeep: 1, guardChange: 1}, twoAreLeft),
		of(3, 3, "a dead host and an operator that crashes", 4, faults{hostDeath: 1, operatorCrash: 1}),
		of(3, 3, "a dead host, its node deleted, its addresses lost", 4, faults{hostDeath: 1, lostNode: 1, lostAddresses: 1}),
		of(3, 3, "a dead host whose address is used again", 4, faults{hostDeath: 1, reusedAddress: 1}),
		of(3, 3, "a dead host whose machine is force-deleted", 4, faults{hostDeath: 1, forcedDeletion: 1}),
		of(3, 3, "a stopped kubelet whose machine is force-deleted", 4, faults{kubeletStop: 1, forcedDeletion: 1}),
		of(3, 3, "a stopped kubelet and a revision", 4, faults{kubeletStop: 1, revisionWish: 1}),
		of(3, 3, "a deletion and a dead host", 5, faults{deletion: 1, hostDeath: 1}, prompt),

		// Three desired, up to five machines.
		of(3, 3, "extra machines and drains", 5, faults{extraMachine: 2, upkeep: 1}),
		of(3, 3, "an extra machine and drains", 4, faults{extraMachine: 1, upkeep: 2}),
		of(3, 3, "a learner waits and a host dies", 4, faults{hostDeath: 1}, learnerWaits, prompt),
		of(3, 3, "a learner waits, a crash and a drain", 3, faults{memberCrash: 1, upkeep: 1}, learnerWaits),
		of(3, 3, "extra machines, a deletion, a stripped hook", 5, faults{extraMachine: 2, deletion: 1, hookStrip: 1}, prompt),

		// Five voters.
		of(5, 5, "five voters, a dead host", 6, faults{hostDeath: 1}),
		of(5, 5, "five voters, drains and a revision", 5, faults{upkeep: 2, revisionWish: 1}),
		of(5, 5, "five voters, drains and one cut off", 5, faults{upkeep: 3, peerCut: 1}),
		of(5, 5, "five voters, a deletion and a drain", 6, faults{deletion: 1, upkeep: 1}, prompt),

		// Facts that nobody can read for a while.
		of(3, 3, "a deletion and an unreadable fact", 4, faults{deletion: 1, blinding: 1}, prompt, blindToAny),
		of(3, 3, "drains, a revision and an unreadable fact", 3, faults{upkeep: 2, revisionWish: 1, blinding: 1}, blindToAny),
		of(3, 3, "a dead host, its node deleted, and an unreadable fact", 4, faults{hostDeath: 1, lostNode: 1, blinding: 1}, prompt, blindToAny),

		// Other kinds of cluster.
		of(1, 3, "one voter grows to three", 3, faults{upkeep: 1}),
		of(1, 1, "a single replica", 2, faults{deletion: 1, memberCrash: 1, revisionWish: 1}, topology(snapshot.SingleReplica), withLeftGuard),
		of(2, 2, "two nodes", 3, faults{deletion: 1, upkeep: 1, revisionWish: 1, blinding: 1}, topology(snapshot.DualReplica), blind(blindToExternalEtcd), prompt),
		of(3, 3, "an arbiter", 4, faults{deletion: 1, upkeep: 1}, topology(snapshot.HighlyAvailableArbiter), prompt),
		of(3, 3, "the unsafe override", 3, faults{upkeep: 1, revisionWish: 1}, unsafe),
		of(3, 3, "without a Machine API", 4, faults{hostDeath: 1, upkeep: 1, revisionWish: 1, lostNode: 1}, byHand, prompt),
	}
}

// fullWorlds are explored by TestModelFull besides those of TestModel.
func fullWorlds() []*world {
	return []*world{
		of(5, 5, "five voters, two dead hosts", 6, faults{hostDeath: 2}, prompt),
		of(3, 3, "a deletion and a drain with API servers", 4, faults{deletion: 1, upkeep: 1}, withAPIServers),
		of(3, 3, "an extra machine and a dead host", 5, faults{extraMachine: 1, hostDeath: 1}),
		of(3, 3, "a dead host, a drain and changed guards", 4, faults{hostDeath: 1, upkeep: 1, guardChange: 1}, prompt),
		of(3, 3, "two deletions", 5, faults{deletion: 2}),
		of(3, 3, "a deletion, a drain and a voter cut off", 4, faults{deletion: 1, upkeep: 1, peerCut: 1}),
		of(3, 3, "a deletion, a drain and a revision", 4, faults{deletion: 1, upkeep: 1, revisionWish: 1}),
		of(3, 3, "a deletion, a drain and changed guards", 4, faults{deletion: 1, upkeep: 1, guardChange: 1}),
		of(3, 3, "a deletion, a stripped hook, a drain and a revision", 4, faults{deletion: 1, hookStrip: 1, upkeep: 1, revisionWish: 1}, prompt),
		of(3, 3, "drains, a revision, two crashes", 4, faults{upkeep: 2, revisionWish: 1, memberCrash: 2}),
		of(3, 3, "three drains, two revisions", 4, faults{upkeep: 3, revisionWish: 2, badRevision: 1}),
		of(3, 3, "more extra machines and drains", 5, faults{extraMachine: 2, upkeep: 2}),
		of(3, 3, "extra machines, a deletion, a stripped hook, a drain", 5, faults{extraMachine: 2, deletion: 1, hookStrip: 1, upkeep: 1}, prompt),
		of(3, 3, "two dead hosts", 5, faults{hostDeath: 2}, prompt),
	}
}

// grants says in words which faults a world grants.
func (w *world) grants() string {
	var words []string
	for f, n := range w.granted {
		if n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, faultNames[f]))
		}
	}
	if w.prompt {
		words = append(words, "prompt")
	}
	return strings.Join(words, ", ")
}

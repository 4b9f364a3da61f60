package model

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// TestTheWorldsOfFaultsAreSound: what finds a fault must not find one where there is none, so each world in which one is
// looked for is part of one that TestModel explores with the real cores.
func TestTheWorldsOfFaultsAreSound(t *testing.T) {
	for _, fault := range earlierFaults {
		small := fault.world()
		if !slices.ContainsFunc(defaultWorlds(), func(w *world) bool { return w.contains(small) }) {
			t.Errorf("no world of TestModel contains the one of %q: %s", fault.name, small.grants())
		}
	}
}

// contains: every move that is possible in the smaller world is possible in w.
func (w *world) contains(smaller *world) bool {
	for f := range faultKinds {
		if w.granted[f] < smaller.granted[f] {
			return false
		}
	}
	alike := w.apiServers == smaller.apiServers && w.voters == smaller.voters && w.desired == smaller.desired && w.topology == smaller.topology && w.machineAPI == smaller.machineAPI && w.unsafe == smaller.unsafe
	return alike && w.slots >= smaller.slots && (!w.prompt || smaller.prompt) && w.begins == smaller.begins
}

// TestFaultsAreFound puts faults of earlier wordings of the rules back, one at a time, and wants each to be found in a
// small world. One that is not found means that the model is too weak.
func TestFaultsAreFound(t *testing.T) { findEach(t, earlierFaults) }

// TestChecksCanFail breaks the decisions in ways that no wording of the rules ever had, one for each check that no earlier
// fault makes fail.
func TestChecksCanFail(t *testing.T) { findEach(t, brokenDecisions) }

func findEach(t *testing.T, faults []earlierFault) {
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			t.Parallel()
			c := realCores()
			fault.putBack(&c)
			x := explore(fault.world(), c)
			if x.violation == nil {
				t.Fatalf("not found in %d states", x.states.count)
			}
			if !strings.HasPrefix(x.violation.what, fault.found) {
				t.Errorf("found by another check than %q:\n%s", fault.found, x.trace())
			}
			t.Logf("found in %d states: %s", x.states.count, x.violation.what)
		})
	}
}

// TestTheDocumentListsTheFaults keeps the table in docs/testing.md true.
func TestTheDocumentListsTheFaults(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "..", "docs", "testing.md"))
	if err != nil {
		t.Fatal(err)
	}
	var told, put []string
	_, table, _ := strings.Cut(string(document), "| fault put back |")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, line := range strings.Split(table, "\n")[2:] {
		cells := strings.Split(line, " | ")
		told = append(told, strings.TrimPrefix(cells[0], "| ")+": "+strings.TrimSuffix(cells[len(cells)-1], " |"))
	}
	for _, fault := range earlierFaults {
		invariant, _, _ := strings.Cut(fault.found, ":")
		put = append(put, fault.name+": "+invariant)
	}
	if diff := cmp.Diff(put, told); diff != "" {
		t.Errorf("docs/testing.md tells of other faults (-put back +told):\n%s", diff)
	}
}

type earlierFault struct {
	name    string
	granted faults
	// lags: the fault needs a world in which what is told lags behind.
	lags bool
	// differ changes the world besides.
	differ []func(*world)
	// found is how the violation begins that finds it.
	found   string
	putBack func(*cores)
}

// world is the smallest one that finds the fault: three voters, three desired, and room for as many replacements as the
// granted faults can make necessary.
func (f *earlierFault) world() *world {
	replaced := int(max(f.granted[deletion], f.granted[hostDeath], f.granted[kubeletStop]))
	w := of(3, 3, f.name, 3+int(f.granted[extraMachine])+replaced, f.granted, f.differ...)
	w.prompt = !f.lags
	return w
}

var earlierFaults = []earlierFault{
	{
		name: "a budget of one with two voters left", granted: faults{hostDeath: 1, upkeep: 1}, found: "I10",
		putBack: budget(func(s *snapshot.Snapshot, _ *quorumguard.Decision) int {
			voters, machines := 0, 0
			for _, m := range s.Members {
				if !m.Learner {
					voters++
				}
			}
			for _, m := range s.Machines {
				if !m.Deleting {
					machines++
				}
			}
			return max(machines, voters) - 1
		}),
	},
	{
		name: "the ready guard of a learner stands in for a vote", granted: faults{hostDeath: 1, upkeep: 1}, found: "I10",
		putBack: budget(func(s *snapshot.Snapshot, d *quorumguard.Decision) int {
			return d.MinAvailable - guardsOn(s, d, true, func(m *snapshot.Member) bool { return m != nil && m.Learner })
		}),
	},
	{
		name: "the ready guard of a removed voter stands in for a vote", granted: faults{upkeep: 2}, lags: true, differ: []func(*world){surplusLeaves}, found: "I10",
		putBack: budget(func(s *snapshot.Snapshot, d *quorumguard.Decision) int {
			return d.MinAvailable - guardsOn(s, d, false, func(m *snapshot.Member) bool { return m == nil })
		}),
	},
	{
		name: "the ready guard of a voter that is cut off stands in for a vote", granted: faults{peerCut: 1, upkeep: 1}, found: "I10",
		putBack: budget(func(s *snapshot.Snapshot, d *quorumguard.Decision) int {
			return d.MinAvailable - guardsOn(s, d, false, func(m *snapshot.Member) bool { return m != nil && !m.Learner && m.Health != snapshot.Healthy })
		}),
	},
	{
		name: "a guard is made anew on a cordoned node", granted: faults{upkeep: 2}, found: "I10",
		putBack: func(c *cores) {
			c.quorumguard = func(s snapshot.Snapshot) quorumguard.Decision {
				d := quorumguard.Decide(s)
				for i := range d.Pods {
					if p := &d.Pods[i]; p.Refused == quorumguard.PodCreate && p.Reason == reason.GuardWaitsForUncordon {
						p.Action = quorumguard.PodCreate
					}
				}
				return d
			}
		},
	},
	{
		name: "a learner is promoted before its guard runs", granted: faults{extraMachine: 1, upkeep: 2}, found: "I10",
		putBack: seeing(func(s *snapshot.Snapshot) {
			for i := range s.Members {
				if m := &s.Members[i]; m.Learner {
					s.Guards = append(withoutGuard(s.Guards, m.Name), snapshot.Guard{Node: snapshot.NodeName(m.Name), Phase: snapshot.PodRunning, Ready: true})
				}
			}
		}),
	},
	{
		name: "a learner is promoted as soon as its guard runs, ready or not", granted: faults{extraMachine: 1, upkeep: 2}, lags: true, found: "I10",
		putBack: seeing(func(s *snapshot.Snapshot) {
			s.Guards = slices.Clone(s.Guards)
			for i := range s.Guards {
				s.Guards[i].Ready = s.Guards[i].Phase == snapshot.PodRunning
			}
		}),
	},
	{
		name: "a dead learner is promoted", granted: faults{memberCrash: 1}, lags: true, differ: []func(*world){learnerWaits}, found: "I5: a learner that is down",
		putBack: seeing(func(s *snapshot.Snapshot) {
			for i := range s.Members {
				if m := &s.Members[i]; m.Learner && m.Started {
					m.Health, m.AppliedIndex = snapshot.Healthy, farIndex
				}
			}
		}),
	},
	{
		name: "a learner is promoted beside a dead voter whose machine is deleting anyway", granted: faults{deletion: 1, memberCrash: 1}, found: "I5: a promotion after which",
		putBack: seeing(func(s *snapshot.Snapshot) {
			for i := range s.Members {
				if m := &s.Members[i]; !m.Learner && machineOfMember(s, m).Deleting {
					m.Health, m.AppliedIndex = snapshot.Healthy, farIndex
				}
			}
		}),
	},
	{
		name: "a learner is promoted while its node is about to restart", granted: faults{deletion: 1, revisionWish: 1}, lags: true, found: "I5: after this change",
		putBack: seeing(func(s *snapshot.Snapshot) {
			s.NodeStatuses = slices.Clone(s.NodeStatuses)
			for i := range s.NodeStatuses {
				for j := range s.Members {
					if s.Members[j].Learner && s.Members[j].Name == string(s.NodeStatuses[i].Node) {
						s.NodeStatuses[i].Target = 0
					}
				}
			}
		}),
	},
	{
		name: "a reboot is taken for a death", granted: faults{deletion: 1, upkeep: 1}, found: "I1: a voter is removed that is only restarting",
		putBack: seeing(func(s *snapshot.Snapshot) {
			for i := range s.Members {
				if m := &s.Members[i]; m.UnhealthyFor >= 30*time.Second {
					m.UnhealthyFor = time.Hour
				}
			}
		}),
	},
	{
		name: "an install starts while an eviction is under way", granted: faults{upkeep: 1, revisionWish: 1}, lags: true, found: "I10",
		putBack: func(c *cores) {
			c.rollout = func(s snapshot.Snapshot) rollout.Decision {
				d := rollout.Decide(s)
				if d.Step == rollout.CloseBudget {
					d.Step = rollout.Install
				}
				return d
			}
		},
	},
	{
		name: "a voter that is free to go counts as a survivor", granted: faults{deletion: 1, drainExclusion: 1, revisionWish: 1}, found: "I11",
		putBack: seeingRollout(func(s *snapshot.Snapshot) {
			s.Machines = slices.Clone(s.Machines)
			for i := range s.Machines {
				s.Machines[i].ExcludedFromDrain, s.Machines[i].Hook = false, snapshot.HookPresent
			}
		}),
	},
	{
		name: "a voter whose guard is away counts as a survivor", granted: faults{upkeep: 2, revisionWish: 1}, lags: true, found: "I11",
		putBack: seeingRollout(func(s *snapshot.Snapshot) {
			s.Guards = nil
			for _, n := range s.Nodes {
				s.Guards = append(s.Guards, snapshot.Guard{Node: n.Name, Phase: snapshot.PodRunning, Ready: true})
			}
		}),
	},
	{
		name: "a voter that only the operator cannot reach counts as down", granted: faults{upkeep: 1, revisionWish: 1, operatorCut: 1}, lags: true, found: "I11",
		putBack: seeingRollout(func(s *snapshot.Snapshot) {
			s.Members = slices.Clone(s.Members)
			for i := range s.Members {
				s.Members[i].CannotServe = snapshot.True
			}
		}),
	},
	{
		name: "a broken revision can never be superseded", granted: faults{revisionWish: 1, badRevision: 1}, found: "L3",
		putBack: func(c *cores) {
			c.rollout = func(s snapshot.Snapshot) rollout.Decision {
				d := rollout.Decide(s)
				healthy, voters := 0, 0
				for _, m := range s.Members {
					if !m.Learner {
						voters++
						if m.Health == snapshot.Healthy {
							healthy++
						}
					}
				}
				if healthy-1 < majority(voters) {
					d.Create = rollout.Permission{Finding: reason.Finding{Rule: reason.R8_1, Reason: reason.WaitingForSpareVoter, Have: healthy, Need: majority(voters) + 1}}
				}
				return d
			}
		},
	},
	{
		name: "a removal waits for a rollout that waits for the removal", granted: faults{kubeletStop: 1, revisionWish: 1}, found: "L3",
		putBack: refusing(func(s *snapshot.Snapshot, d *membership.Decision) bool {
			return slices.ContainsFunc(s.NodeStatuses, func(n snapshot.NodeStatus) bool { return n.Target != 0 })
		}),
	},
	{
		name: "a stripped hook with five machines that nobody could finish", granted: faults{deletion: 1, hookStrip: 1, extraMachine: 1}, found: "L3",
		putBack: func(c *cores) {
			refusing(hookIsGone)(c)
			budget(func(s *snapshot.Snapshot, d *quorumguard.Decision) int {
				voters := 0
				for _, m := range s.Members {
					if !m.Learner {
						voters++
					}
				}
				return max(len(s.Machines), voters) - 1
			})(c)
		},
	},
	{
		name: "a replaced voter is kept because its hook is gone", granted: faults{deletion: 1, hookStrip: 1}, found: "L3",
		putBack: refusing(hookIsGone),
	},
	{
		name: "a machine without addresses keeps its hook for ever", granted: faults{hostDeath: 1, lostNode: 1, lostAddresses: 1}, found: "L3",
		putBack: func(c *cores) {
			c.machinehook = func(s snapshot.Snapshot) machinehook.Decision {
				d := machinehook.Decide(s)
				for i := range d.Machines {
					v := &d.Machines[i]
					machine := s.Machines[slices.IndexFunc(s.Machines, func(m snapshot.Machine) bool { return m.Name == v.Machine })]
					if v.Action == machinehook.RemoveHook && len(machine.Addresses) == 0 {
						v.Action, v.Refused = machinehook.None, machinehook.RemoveHook
					}
				}
				return d
			}
		},
	},
	{
		name: "a replacement has the address of the dead member", granted: faults{hostDeath: 1, reusedAddress: 1}, found: "L3",
		putBack: refusing(func(s *snapshot.Snapshot, d *membership.Decision) bool {
			claims := 0
			for _, m := range s.Members {
				if m.ID != d.Member {
					continue
				}
				for _, machine := range s.Machines {
					if slices.Equal(machine.Addresses, m.PeerAddresses) {
						claims++
					}
				}
			}
			return claims > 1
		}),
	},
	{
		name: "a guard without a vote counts only once it is ready", granted: faults{hostDeath: 1, upkeep: 1}, lags: true, found: "I10",
		putBack: budget(func(s *snapshot.Snapshot, d *quorumguard.Decision) int {
			return d.MinAvailable - guardsOn(s, d, true, func(m *snapshot.Member) bool { return m != nil && (m.Learner || m.Health != snapshot.Healthy) }) +
				readyGuardsOn(s, func(m *snapshot.Member) bool { return m != nil && (m.Learner || m.Health != snapshot.Healthy) })
		}),
	},
	{
		name: "a guard is made before the budget is raised", granted: faults{hostDeath: 1, upkeep: 1}, lags: true, found: "I10",
		putBack: func(c *cores) { c.guardsFirst = true },
	},
	{
		name: "the guard of a vote that only the operator misses is deleted beside a drained node", granted: faults{upkeep: 2, operatorCut: 1}, lags: true, found: "I10",
		putBack: pods(func(_ *snapshot.Snapshot, p *quorumguard.Pod) bool { return p.Reason == reason.WaitingForOtherVoters }),
	},
	{
		name: "a guard is made anew while drains can begin", granted: faults{upkeep: 2, guardChange: 1}, lags: true, found: "I10",
		putBack: func(c *cores) {
			c.quorumguard = func(s snapshot.Snapshot) quorumguard.Decision {
				before := s
				s.Budget = snapshot.Budget{Present: snapshot.True, MinAvailable: len(s.Guards) + 1, Observed: true}
				d := quorumguard.Decide(s)
				without := before
				without.Guards = slices.Clone(before.Guards)
				for i := range without.Guards {
					without.Guards[i].Outdated = false
				}
				pods := d.Pods
				d = quorumguard.Decide(without)
				d.Pods = pods
				return d
			}
		},
	},
	{
		name: "a guard is made anew where only two voters are left", granted: faults{upkeep: 1, guardChange: 1}, differ: []func(*world){twoAreLeft}, found: "I10",
		putBack: func(c *cores) {
			c.quorumguard = func(s snapshot.Snapshot) quorumguard.Decision {
				s.UnsafeNonHA = true
				return quorumguard.Decide(s)
			}
		},
	},
	{
		name: "a guard is made anew during an install", granted: faults{upkeep: 1, revisionWish: 1, guardChange: 1}, lags: true, found: "I10",
		putBack: func(c *cores) {
			c.quorumguard = func(s snapshot.Snapshot) quorumguard.Decision {
				d := quorumguard.Decide(s)
				s.PlannedInstall = ""
				d.Pods = quorumguard.Decide(s).Pods
				return d
			}
		},
	},
}

// budget replaces minAvailable, except where the budget is closed for an install or a guard that is made anew.
func budget(minAvailable func(*snapshot.Snapshot, *quorumguard.Decision) int) func(*cores) {
	return func(c *cores) {
		c.quorumguard = func(s snapshot.Snapshot) quorumguard.Decision {
			d := quorumguard.Decide(s)
			if !s.MemberList.Holds() || s.PlannedInstall != "" {
				return d
			}
			d.MinAvailable, d.Budget = max(minAvailable(&s, &d), 0), quorumguard.SetBudget
			if s.Budget.Present.Holds() && s.Budget.MinAvailable == d.MinAvailable {
				d.Budget = quorumguard.KeepBudget
			}
			if len(d.Holds) == 0 {
				d.Holds = []reason.Finding{{Rule: reason.R7_2, Reason: reason.DrainsWaitForBudget}}
			}
			return d
		}
	}
}

// pods lets guards be deleted that the rules keep.
func pods(let func(*snapshot.Snapshot, *quorumguard.Pod) bool) func(*cores) {
	return func(c *cores) {
		c.quorumguard = func(s snapshot.Snapshot) quorumguard.Decision {
			d := quorumguard.Decide(s)
			for i := range d.Pods {
				if let(&s, &d.Pods[i]) {
					d.Pods[i].Action = quorumguard.PodDelete
				}
			}
			return d
		}
	}
}

// seeing shows the membership's core other facts than those that are so.
func seeing(change func(*snapshot.Snapshot)) func(*cores) {
	return func(c *cores) {
		c.membership = func(s snapshot.Snapshot) membership.Decision {
			digest := s.MemberDigest()
			s.Members = slices.Clone(s.Members)
			change(&s)
			d := membership.Decide(s)
			d.MemberDigest = digest
			return d
		}
	}
}

func seeingRollout(change func(*snapshot.Snapshot)) func(*cores) {
	return func(c *cores) {
		c.rollout = func(s snapshot.Snapshot) rollout.Decision {
			change(&s)
			return rollout.Decide(s)
		}
	}
}

// refusing makes the membership's core wait instead of removing some members.
func refusing(refuse func(*snapshot.Snapshot, *membership.Decision) bool) func(*cores) {
	return func(c *cores) {
		c.membership = func(s snapshot.Snapshot) membership.Decision {
			d := membership.Decide(s)
			if d.Action == membership.RemoveMember && refuse(&s, &d) {
				why := reason.Finding{Rule: reason.R6_2, Reason: reason.WaitingForInstall, Subject: d.Name, Other: string(d.Node)}
				d.Action, d.Finding = membership.Wait, why
				d.Refused = append(d.Refused, membership.Refusal{Action: membership.RemoveMember, Target: d.Target, Finding: why})
			}
			return d
		}
	}
}

// hookIsGone: the subject is healthy and its machine has no hook.
func hookIsGone(s *snapshot.Snapshot, d *membership.Decision) bool {
	for i := range s.Members {
		if m := &s.Members[i]; m.ID == d.Member {
			return m.Health == snapshot.Healthy && machineOfMember(s, m).Hook == snapshot.HookMissing
		}
	}
	return false
}

// machineOfMember goes by names, which suffices where no address is used twice; a machine of no name if there is none.
func machineOfMember(s *snapshot.Snapshot, m *snapshot.Member) snapshot.Machine {
	for _, machine := range s.Machines {
		if m.Name != "" && string(machine.NodeRef) == m.Name {
			return machine
		}
	}
	return snapshot.Machine{}
}

// guardsOn counts the guards that are there, or, if toCome, also those about to be made, on nodes whose member fits; nil
// stands for no member.
func guardsOn(s *snapshot.Snapshot, d *quorumguard.Decision, toCome bool, fits func(*snapshot.Member) bool) int {
	count := 0
	for _, p := range d.Pods {
		there := slices.ContainsFunc(s.Guards, func(g snapshot.Guard) bool { return g.Node == p.Node && !g.Deleting && (toCome || g.Ready) })
		if (there || toCome && p.Action == quorumguard.PodCreate) && fits(memberOn(s, p.Node)) && p.Action != quorumguard.PodDelete || there && !toCome && fits(memberOn(s, p.Node)) {
			count++
		}
	}
	return count
}

func readyGuardsOn(s *snapshot.Snapshot, fits func(*snapshot.Member) bool) int {
	count := 0
	for _, g := range s.Guards {
		if g.Ready && !g.Deleting && fits(memberOn(s, g.Node)) {
			count++
		}
	}
	return count
}

func memberOn(s *snapshot.Snapshot, node snapshot.NodeName) *snapshot.Member {
	for i := range s.Members {
		if s.Members[i].Name == string(node) {
			return &s.Members[i]
		}
	}
	return nil
}

func withoutGuard(guards []snapshot.Guard, node string) []snapshot.Guard {
	return slices.DeleteFunc(slices.Clone(guards), func(g snapshot.Guard) bool { return string(g.Node) == node })
}

var brokenDecisions = []earlierFault{
	{
		name: "a healthy voter goes before its replacement votes", granted: faults{deletion: 1}, found: "I1: a healthy voter",
		putBack: seeing(func(s *snapshot.Snapshot) { s.Desired.Replicas-- }),
	},
	{
		name: "a learner too many is promoted", granted: faults{extraMachine: 2}, found: "I3: a promotion",
		putBack: seeing(func(s *snapshot.Snapshot) { s.Desired.Replicas++ }),
	},
	{
		name: "a member is added where one is listed", found: "I3: a member is added",
		putBack: deciding(func(_ *snapshot.Snapshot, d *membership.Decision) {
			d.Action, d.Target, d.PeerURL = membership.AddLearner, membership.Target{Node: nodeNames[0]}, peerURLs[0][0]
		}),
	},
	{
		name: "a number that nobody knows is taken for one", granted: faults{deletion: 1, blinding: 1}, found: "I4: RemoveMember",
		differ: []func(*world){blind(blindToDesired)},
		putBack: seeing(func(s *snapshot.Snapshot) {
			if !s.Desired.Known() {
				s.Desired.Replicas = 1
			}
		}),
	},
	{
		name: "a decision does not name the member set that was judged", granted: faults{deletion: 1}, found: "I6",
		putBack: deciding(func(_ *snapshot.Snapshot, d *membership.Decision) { d.MemberDigest = 0 }),
	},
	{
		name: "a decision depends on the order of facts", granted: faults{upkeep: 2}, lags: true, found: "I7",
		putBack: deciding(func(s *snapshot.Snapshot, d *membership.Decision) {
			if len(s.Members) > 0 {
				d.Subject = s.Members[0].Name
			}
		}),
	},
	{
		name: "the hook goes while the member is listed", granted: faults{deletion: 1}, found: "I8: a deleting machine loses",
		putBack: hooking(func(m *snapshot.Machine) machinehook.Action {
			return onlyIf(m.Deleting && m.Hook == snapshot.HookPresent, machinehook.RemoveHook)
		}),
	},
	{
		name: "the hook goes from a machine that stays", granted: faults{deletion: 1}, found: "I8: a machine that stays",
		putBack: hooking(func(m *snapshot.Machine) machinehook.Action {
			return onlyIf(!m.Deleting && m.Hook == snapshot.HookPresent, machinehook.RemoveHook)
		}),
	},
	{
		name: "a stripped hook is added to a deleting machine", granted: faults{deletion: 1, hookStrip: 1}, found: "I8: a deleting machine gains",
		putBack: hooking(func(m *snapshot.Machine) machinehook.Action {
			return onlyIf(m.Deleting && m.Hook == snapshot.HookMissing, machinehook.AddHook)
		}),
	},
	{
		name: "a learner is promoted on a machine without the hook", granted: faults{extraMachine: 1, hookStrip: 1}, found: "I9",
		putBack: seeing(func(s *snapshot.Snapshot) {
			s.Machines = slices.Clone(s.Machines)
			for i := range s.Machines {
				s.Machines[i].Hook = snapshot.HookPresent
			}
		}),
	},
	{
		name: "a member goes before bootstrap is complete", granted: faults{deletion: 1, blinding: 1}, found: "I12",
		differ:  []func(*world){blind(blindToBootstrap)},
		putBack: seeing(func(s *snapshot.Snapshot) { s.BootstrapComplete = snapshot.True }),
	},
	{
		name: "a decision has no reason", found: "L4",
		putBack: deciding(func(_ *snapshot.Snapshot, d *membership.Decision) { d.Reason = "" }),
	},
	{
		name: "what waits is not named", granted: faults{deletion: 1}, found: "L4: nothing says",
		putBack: deciding(func(_ *snapshot.Snapshot, d *membership.Decision) { d.Refused = nil }),
	},
	{
		name: "API servers are not asked", granted: faults{deletion: 2}, found: "R6.2",
		differ:  []func(*world){withAPIServers},
		putBack: seeing(func(s *snapshot.Snapshot) { s.APIServers = snapshot.False }),
	},
	{
		name: "leadership stays with the member that goes", granted: faults{deletion: 1}, found: "R6.7",
		putBack: deciding(func(_ *snapshot.Snapshot, d *membership.Decision) { d.MoveLeaderTo = 0 }),
	},
	{
		name: "a guard goes while an upgrade is under way", granted: faults{deletion: 1, blinding: 1}, found: "R7.5",
		differ: []func(*world){blind(blindToVersion)},
		putBack: func(c *cores) {
			c.quorumguard = func(s snapshot.Snapshot) quorumguard.Decision {
				s.VersionCurrent = snapshot.True
				return quorumguard.Decide(s)
			}
		},
	},
}

// deciding changes what the membership's core decided.
func deciding(change func(*snapshot.Snapshot, *membership.Decision)) func(*cores) {
	return func(c *cores) {
		c.membership = func(s snapshot.Snapshot) membership.Decision {
			d := membership.Decide(s)
			change(&s, &d)
			return d
		}
	}
}

// hooking replaces what happens to a machine's hook where the replacement does anything.
func hooking(action func(*snapshot.Machine) machinehook.Action) func(*cores) {
	return func(c *cores) {
		c.machinehook = func(s snapshot.Snapshot) machinehook.Decision {
			d := machinehook.Decide(s)
			for i := range d.Machines {
				v := &d.Machines[i]
				machine := slices.IndexFunc(s.Machines, func(m snapshot.Machine) bool { return m.Name == v.Machine })
				if a := action(&s.Machines[machine]); a != machinehook.None {
					v.Action, v.Refused = a, machinehook.None
				}
			}
			return d
		}
	}
}

func onlyIf(holds bool, a machinehook.Action) machinehook.Action {
	if holds {
		return a
	}
	return machinehook.None
}

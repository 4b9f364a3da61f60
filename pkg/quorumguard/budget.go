package quorumguard

import (
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// sparesOne is the smallest number of voters of which one can be spared: of two neither can.
const sparesOne = 3

// judgeBudget decides minAvailable (rule R7.2) and says what drains wait for (rule R7.7). Raising is always safe;
// lowering needs every fact (rule R7.5).
func (p *pass) judgeBudget(d *Decision) {
	doubt, certain := p.judgeable()
	if p.Budget.Present == snapshot.Unknown || !p.MemberList.Holds() || p.Contradiction != "" {
		d.Budget, d.MinAvailable, d.Finding = KeepBudget, p.Budget.MinAvailable, doubt
		if certain {
			d.Finding = reason.Finding{Rule: reason.R7_5, Reason: reason.BudgetUnknown}
		}
		d.Holds = []reason.Finding{d.Finding}
		return
	}
	wanted := p.minAvailable()
	if p.PlannedInstall != "" || p.plannedRemake != "" {
		wanted = max(wanted, p.guardsToCome()+1)
	}
	if !certain && p.Budget.Present.Holds() && wanted < p.Budget.MinAvailable {
		d.Budget, d.MinAvailable, d.Finding = KeepBudget, p.Budget.MinAvailable, doubt
		d.Holds = append([]reason.Finding{doubt}, p.holds(p.Budget.MinAvailable)...)
		return
	}
	d.Budget, d.MinAvailable = SetBudget, wanted
	if p.Budget.Present.Holds() && p.Budget.MinAvailable == wanted {
		d.Budget = KeepBudget
	}
	d.Holds = p.holds(wanted)
	switch {
	case !certain:
		d.Finding = doubt
	case len(d.Holds) > 0:
		d.Finding = d.Holds[0]
	default:
		d.Finding = reason.Finding{Rule: reason.R7_2, Reason: reason.OneDrainMayPass, Have: p.readyGuards(), Need: wanted}
	}
}

// minAvailable keeps invariant I10: of the guards that are counted as available, at least a quorum of votes stands
// behind those that the budget keeps.
func (p *pass) minAvailable() int {
	if p.Topology == snapshot.DualReplica && p.ExternalEtcd.Holds() {
		return max(p.controlPlaneNodes()-1, 0)
	}
	machines := max(p.currentMachines(), p.Voters)
	if p.Desired.Known() {
		machines = min(machines, max(p.Voters, p.Desired.Replicas+1))
	}
	needed := max(machines-1, snapshot.Quorum(p.Voters))
	if p.surplusIsLeaving() {
		needed = max(needed, p.Voters)
	}
	return needed + len(p.guardsWithoutVote())
}

// guardsToCome counts the guards that there are, and those that this same decision creates: an install that is under way
// lasts longer than a guard takes to become Ready, so a budget that is closed to the first alone would open (rule R8.2).
func (p *pass) guardsToCome() int {
	count := len(p.Guards)
	for i := range p.nodes {
		if p.nodes[i].comes() {
			count++
		}
	}
	return count
}

// currentMachines counts the control-plane Machines that have, or will have, a host: less those let go without a member,
// and less those that failed before they had a node (rule R7.2). While nobody knows whether the Machine API works, the
// larger of both counts is taken, since a larger one only refuses more.
func (p *pass) currentMachines() int {
	nodes := p.controlPlaneNodes()
	if p.MachineAPI.Fails() {
		return nodes
	}
	count := 0
	for _, machine := range p.SortedMachines {
		if p.isCurrent(machine) {
			count++
		}
	}
	if !p.MachineAPI.Holds() {
		return max(count, nodes)
	}
	return count
}

func (p *pass) isCurrent(machine *snapshot.Machine) bool {
	if machine.Phase == "Failed" && machine.NodeRef == "" {
		return false
	}
	if !machine.Deleting || machine.Hook != snapshot.HookMissing {
		return true
	}
	hosting, _ := p.Hosting(machine)
	return !hosting.Fails()
}

// controlPlaneNodes counts a Node that could not be read as well: a larger count only refuses more (invariant I4).
func (p *pass) controlPlaneNodes() int {
	count := 0
	for _, node := range p.SortedNodes {
		if node.Present == snapshot.Unknown || node.Present.Holds() && node.ControlPlane {
			count++
		}
	}
	return count
}

// surplusIsLeaving: more voters than desired, and the Machine of one is deleting: drains wait until it has left.
func (p *pass) surplusIsLeaving() bool {
	if p.Desired.Known() && p.Voters <= p.Desired.Replicas {
		return false
	}
	return p.leavingVoter() != nil
}

func (p *pass) leavingVoter() *snapshot.Machine {
	for i, m := range p.SortedMembers {
		if machine := p.Owners[i].Machine; !m.Learner && machine != nil && machine.Deleting {
			return machine
		}
	}
	return nil
}

// guardsWithoutVote are the nodes whose guard is, or may become, available although no healthy vote stands behind it:
// readiness is local (rule R7.2), so it can be there before the vote, and outlast it. The guard of a member that stays
// counts whether it is ready or not, and from before it is made: a drain that waits would pass between its becoming ready
// and a budget that counts it.
func (p *pass) guardsWithoutVote() []snapshot.NodeName {
	var nodes []snapshot.NodeName
	for i := range p.nodes {
		n := &p.nodes[i]
		if n.voter != nil && n.voter.IsHealthy() {
			continue
		}
		there := n.guard != nil && !n.guard.Deleting && (n.guard.Ready || !finished(n.guard) && n.wantsGuard())
		if there || n.comes() {
			nodes = append(nodes, n.name)
		}
	}
	// The budget counts whatever carries the label of guards, and a vote has one guard.
	for i, g := range p.SortedGuards {
		if i > 0 && p.SortedGuards[i-1].Node == g.Node && g.Ready && !g.Deleting {
			nodes = append(nodes, g.Node)
		}
	}
	return nodes
}

func (p *pass) readyGuards() int {
	count := 0
	for _, g := range p.SortedGuards {
		if g.Ready && !g.Deleting {
			count++
		}
	}
	return count
}

// holds says in words what drains wait for, each thing named; empty when one may pass (rule R7.7, L4).
func (p *pass) holds(minAvailable int) []reason.Finding {
	if p.readyGuards() > minAvailable {
		return nil
	}
	var holds []reason.Finding
	hold := func(f reason.Finding) {
		f.Rule = reason.R7_2
		holds = append(holds, f)
	}
	if p.PlannedInstall != "" {
		holds = append(holds, reason.Finding{Rule: reason.R8_2, Reason: reason.DrainsWaitForInstall, Subject: string(p.PlannedInstall)})
	}
	if p.plannedRemake != "" {
		holds = append(holds, reason.Finding{Rule: reason.R7_4, Reason: reason.GuardRemakeWaits, Subject: string(p.plannedRemake)})
	}
	for _, m := range p.SortedMembers {
		if !m.Learner && !m.IsHealthy() {
			hold(reason.Finding{Reason: reason.DrainsWaitForVoter, Subject: m.Label()})
		}
	}
	if machine := p.leavingVoter(); machine != nil && p.surplusIsLeaving() {
		hold(reason.Finding{Reason: reason.DrainsWaitForSurplusVoter, Subject: string(machine.Name)})
	}
	for _, machine := range p.machinesWithoutVoter() {
		hold(reason.Finding{Reason: reason.DrainsWaitForMachine, Subject: string(machine)})
	}
	for _, name := range p.guardsWithoutVote() {
		hold(reason.Finding{Reason: reason.DrainsWaitForGuardWithoutVote, Subject: string(name)})
	}
	for i := range p.nodes {
		if n := &p.nodes[i]; n.voter != nil && (n.guard == nil || !n.guard.Ready || n.guard.Deleting) {
			hold(p.missingGuard(n))
		}
	}
	if p.Voters-1 < snapshot.Quorum(p.Voters) {
		hold(reason.Finding{Reason: reason.DrainsWaitForMoreVoters, Have: p.Voters, Need: sparesOne})
	}
	if len(holds) == 0 {
		hold(reason.Finding{Reason: reason.DrainsWaitForBudget, Have: p.readyGuards(), Need: minAvailable})
	}
	return holds
}

func (p *pass) missingGuard(n *guardedNode) reason.Finding {
	if n.cordoned() {
		return reason.Finding{Reason: reason.DrainsWaitForCordonedNode, Subject: string(n.name)}
	}
	return reason.Finding{Reason: reason.DrainsWaitForGuard, Subject: string(n.name)}
}

// machinesWithoutVoter are the current Machines that raise the budget and host no voter.
func (p *pass) machinesWithoutVoter() []snapshot.MachineName {
	var names []snapshot.MachineName
	if !p.MachineAPI.Holds() || (p.Desired.Known() && p.Voters > p.Desired.Replicas) {
		return nil
	}
	for _, machine := range p.SortedMachines {
		if p.isCurrent(machine) && !p.hostsVoter(machine) {
			names = append(names, machine.Name)
		}
	}
	return names
}

func (p *pass) hostsVoter(machine *snapshot.Machine) bool {
	for i, m := range p.SortedMembers {
		if !m.Learner && p.Owners[i].Machine == machine {
			return true
		}
	}
	return false
}

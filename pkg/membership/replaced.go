package membership

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// apiServerEndpoints is how many of the voters that would remain each API server must know (rule R6.2).
const apiServerEndpoints = 2

// judgeReplaced: rules R6.2 and R6.3, a healthy voter whose Machine is deleting. It goes once the voters that remain are
// as many as desired and all healthy, and everybody who connects to them knows them; nothing else holds it (L1).
func (p *pass) judgeReplaced(i int) {
	t := p.targetOf(i)
	if no, ok := p.mayRemoveAtAll(t); !ok {
		p.refuse(RemoveMember, t, no)
		return
	}
	for _, ask := range []func(int, string) (reason.Finding, bool){
		p.stayingVotersHealthy,
		p.replacementVotes,
		p.remainingVotersHealthy,
		p.noInstallInFlight,
		p.endpointsAgree,
		p.apiServersKnowTheRest,
	} {
		if no, ok := ask(i, p.label(t)); !ok {
			p.refuse(RemoveMember, t, no)
			return
		}
	}
	p.allow(candidate{Action: RemoveMember, Target: t,
		Finding: reason.Finding{Rule: reason.R6_2, Reason: reason.RemovingReplacedMember, Subject: p.label(t), Other: string(t.Machine)},
		member:  p.SortedMembers[i], order: p.orderOf(i, false)})
}

// replacementVotes keeps rule R6.3: learners never count as replacements. Together with remainingVotersHealthy, at least
// the desired number of healthy voters remains (invariant I1).
func (p *pass) replacementVotes(_ int, label string) (reason.Finding, bool) {
	if p.Voters-1 < p.Desired.Replicas {
		return reason.Finding{Rule: reason.R6_3, Reason: reason.WaitingForReplacementVoter, Subject: label, Have: p.Voters - 1, Need: p.Desired.Replicas}, false
	}
	return reason.Finding{}, true
}

// stayingVotersHealthy is asked before a replacement is: while a voter that nobody asked to go is not healthy, nobody
// becomes a voter beside it (rules R5.1 and R5.2), and a person has to see to that one first.
func (p *pass) stayingVotersHealthy(_ int, label string) (reason.Finding, bool) {
	for i, m := range p.SortedMembers {
		machine := p.Owners[i].Machine
		if !m.Learner && !m.IsHealthy() && (machine == nil || !machine.Deleting) {
			return waitsForVoter(label, m), false
		}
	}
	return reason.Finding{}, true
}

// remainingVotersHealthy counts on the subject being healthy itself.
func (p *pass) remainingVotersHealthy(_ int, label string) (reason.Finding, bool) {
	if down := p.firstUnhealthyVoter(); down != nil {
		return waitsForVoter(label, down), false
	}
	return reason.Finding{}, true
}

func waitsForVoter(label string, down *snapshot.Member) reason.Finding {
	return reason.Finding{Rule: reason.R6_2, Reason: reason.WaitingForRemainingVoters, Subject: label, Other: down.Label()}
}

// noInstallInFlight: the latest revision is known, and no node that hosts a voter is on its way to another one. A node
// that is lost and about to go is not waited for (rule R6.8): a revision can never land there.
func (p *pass) noInstallInFlight(_ int, label string) (reason.Finding, bool) {
	if p.LatestRevision <= 0 {
		return reason.Finding{Rule: reason.R6_2, Reason: reason.RevisionUnknown, Subject: label}, false
	}
	for i, m := range p.SortedMembers {
		if m.Learner || p.isLostForGood(p.Owners[i]) {
			continue
		}
		if p.Owners[i].State == snapshot.OwnerNone && p.isOrphan(i) {
			continue
		}
		node := p.Owners[i].Node
		if node == nil || !node.Present.Holds() {
			return reason.Finding{Rule: reason.R6_2, Reason: reason.VoterNodeUnknown, Subject: label, Other: m.Label()}, false
		}
		if p.targetSet(node.Name) || !node.Etcd.Ready.Holds() {
			return reason.Finding{Rule: reason.R6_2, Reason: reason.WaitingForInstall, Subject: label, Other: string(node.Name)}, false
		}
	}
	return reason.Finding{}, true
}

// isLostForGood: rule R6.8, the node is NotReady or gone and its Machine is deleting.
func (p *pass) isLostForGood(owner snapshot.Owner) bool {
	if owner.Machine == nil || !owner.Machine.Deleting || owner.Node == nil {
		return false
	}
	return owner.NodeGone() || owner.Node.Ready.Fails()
}

func (p *pass) targetSet(node snapshot.NodeName) bool {
	return slices.ContainsFunc(p.NodeStatuses, func(s snapshot.NodeStatus) bool { return s.Node == node && s.Target != 0 })
}

// endpointsAgree: ConfigMap etcd-endpoints names the addresses of exactly the present voters.
func (p *pass) endpointsAgree(_ int, label string) (reason.Finding, bool) {
	agree := p.EndpointsKnown.Holds() && len(p.Endpoints) == p.Voters
	for _, m := range p.SortedMembers {
		if !m.Learner && (len(m.PeerAddresses) == 0 || !slices.Contains(p.Endpoints, m.PeerAddresses[0])) {
			agree = false
		}
	}
	if !agree {
		return reason.Finding{Rule: reason.R6_2, Reason: reason.WaitingForEndpoints, Subject: label, Have: len(p.Endpoints), Need: p.Voters}, false
	}
	return reason.Finding{}, true
}

// apiServersKnowTheRest: every API server that is not itself about to go connects to enough voters that would remain.
func (p *pass) apiServersKnowTheRest(subject int, label string) (reason.Finding, bool) {
	if p.APIServers.Fails() {
		return reason.Finding{}, true
	}
	if !p.APIServers.Holds() {
		return reason.Finding{Rule: reason.R6_2, Reason: reason.APIServersUnknown, Subject: label}, false
	}
	for _, server := range p.sortedAPIServers() {
		if p.apiServerIsGoing(server.Node) {
			continue
		}
		need := min(apiServerEndpoints, p.Voters-1)
		if known := p.remainingVotersIn(server.EtcdServers, subject); !server.EtcdServersKnown.Holds() || known < need {
			return reason.Finding{Rule: reason.R6_2, Reason: reason.WaitingForAPIServer, Subject: label, Other: string(server.Node), Have: known, Need: need}, false
		}
	}
	return reason.Finding{}, true
}

func (p *pass) sortedAPIServers() []snapshot.APIServerNode {
	servers := slices.Clone(p.APIServerNodes)
	slices.SortFunc(servers, func(a, b snapshot.APIServerNode) int { return cmp.Compare(a.Node, b.Node) })
	return servers
}

// apiServerIsGoing: its node is known not to be Ready, or its Machine is deleting. Anything unknown counts as staying.
func (p *pass) apiServerIsGoing(name snapshot.NodeName) bool {
	node := p.Node(name)
	if node == nil {
		return false
	}
	if node.Present.Fails() || node.Ready.Fails() {
		return true
	}
	machine, _ := p.MachineOfNode(node)
	return machine != nil && machine.Deleting
}

func (p *pass) remainingVotersIn(servers []netip.Addr, subject int) int {
	known := 0
	for i, m := range p.SortedMembers {
		if i != subject && !m.Learner && snapshot.Share(servers, m.PeerAddresses) {
			known++
		}
	}
	return known
}

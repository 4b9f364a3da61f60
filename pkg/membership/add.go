package membership

import (
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// considerAdds judges every control-plane Node that hosts no member (rule R5.1). One that cannot be resolved does not
// stop the others (rule R5.4). A member is only ever added as a learner (invariant I3).
func (p *pass) considerAdds() {
	for _, node := range p.SortedNodes {
		if !node.ControlPlane || !node.Present.Holds() || p.addressIsMember(node) {
			continue
		}
		t := Target{Node: node.Name}
		machine, ambiguous := p.MachineOfNode(node)
		if machine != nil {
			t.Machine = machine.Name
		}
		if no, ok := p.judgeAdd(node, machine, ambiguous); !ok {
			p.refuse(AddLearner, t, no)
			continue // The other nodes are still judged: rule R5.4.
		}
		p.allow(candidate{Action: AddLearner, Target: t, peerURL: snapshot.PeerURL(node.PeerAddress),
			Finding: reason.Finding{Rule: reason.R5_1, Reason: reason.AddingLearner, Subject: string(node.Name)}})
	}
}

// addressIsMember: a peer URL of some member has one of the node's addresses, so the node already has its member.
func (p *pass) addressIsMember(node *snapshot.Node) bool {
	for _, m := range p.SortedMembers {
		if snapshot.Share(node.Addresses, m.PeerAddresses) {
			return true
		}
	}
	return false
}

func (p *pass) judgeAdd(node *snapshot.Node, machine *snapshot.Machine, ambiguous bool) (reason.Finding, bool) {
	name := string(node.Name)
	for i, m := range p.SortedMembers {
		switch {
		case len(m.PeerAddresses) == 0:
			return reason.Finding{Rule: reason.R10_5, Reason: reason.PeerURLUnreadable, Subject: m.Label()}, false
		case p.Owners[i].NodeName == node.Name || m.Name == name:
			return reason.Finding{Rule: reason.R5_5, Reason: reason.MemberAddressChanged, Subject: name, Other: m.Label()}, false
		}
	}
	if p.MachineAPI.Holds() {
		if ambiguous {
			return reason.Finding{Rule: reason.R3, Reason: reason.OwnerAmbiguous, Subject: name}, false
		}
		if no, ok := machineHolds(reason.R5_1, machine, name); !ok {
			return no, false
		}
	}
	if !node.PeerAddress.IsValid() {
		return reason.Finding{Rule: reason.R5_1, Reason: reason.NodeHasNoAddress, Subject: name}, false
	}
	if node.Deleting {
		return reason.Finding{Rule: reason.R5_1, Reason: reason.NodeDeleting, Subject: name}, false
	}
	if no, ok := nodeStays(reason.R5_1, node); !ok {
		return no, false
	}
	if no, ok := podWaitsToJoin(node); !ok {
		return no, false
	}
	return p.membersBearAdd(name)
}

// podWaitsToJoin: the etcd container runs and waits, not ready, until its peer URL is in the member list (rule R5.1).
func podWaitsToJoin(node *snapshot.Node) (reason.Finding, bool) {
	pod, name := node.Etcd, string(node.Name)
	switch {
	case !pod.Present.Holds():
		return reason.Finding{Rule: reason.R5_1, Reason: reason.WaitingForEtcdPod, Subject: name}, false
	case !pod.ContainerRunning.Holds():
		return reason.Finding{Rule: reason.R5_1, Reason: reason.EtcdContainerNotRunning, Subject: name}, false
	case !pod.ContainerReady.Fails():
		return reason.Finding{Rule: reason.R5_1, Reason: reason.EtcdReadyWithoutMember, Subject: name}, false
	}
	return reason.Finding{}, true
}

// membersBearAdd: one joining member at a time, and only while every voter is healthy.
func (p *pass) membersBearAdd(name string) (reason.Finding, bool) {
	for _, m := range p.SortedMembers {
		if m.Learner {
			return reason.Finding{Rule: reason.R5_1, Reason: reason.WaitingForOtherLearner, Subject: name, Other: m.Label()}, false
		}
		if !m.Started {
			return reason.Finding{Rule: reason.R5_1, Reason: reason.WaitingForUnstartedMember, Subject: name, Other: m.Label()}, false
		}
	}
	if down := p.firstUnhealthyVoter(); down != nil {
		return reason.Finding{Rule: reason.R5_1, Reason: reason.VoterNotHealthy, Subject: name, Other: down.Label()}, false
	}
	return reason.Finding{}, true
}

package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Part is something that facts are read from.
type Part string

// The parts. What is not an object is a file of etcdctl.
const (
	Members          Part = "member list"
	EndpointHealth   Part = "endpoint health"
	EndpointStatus   Part = "endpoint status"
	Alarms           Part = "alarm list"
	Nodes            Part = "Node"
	Machines         Part = "Machine"
	MachineSet       Part = "ControlPlaneMachineSet"
	ClusterVersion   Part = "ClusterVersion"
	Infrastructure   Part = "Infrastructure"
	Network          Part = "Network"
	ClusterOperator  Part = "ClusterOperator"
	Etcd             Part = "Etcd"
	KubeAPIServer    Part = "KubeAPIServer"
	APIServerConfigs Part = "ConfigMap config"
	Bootstrap        Part = "ConfigMap bootstrap"
	Endpoints        Part = "ConfigMap etcd-endpoints"
	Pods             Part = "Pod"
	GuardBudget      Part = "PodDisruptionBudget"
)

// doubt is what to say of a Reason that is found because something is unknown: its own sentence would state as a fact what
// nobody knows.
type doubt struct {
	reason reason.Reason
	// of are the parts that would tell, as far as they were not read.
	of []Part
	// unknown tells whether the finding comes from an unknown; nil for a Reason that always does.
	unknown func(*builder, reason.Finding) bool
	// message takes the place of the Reason's own, which tells well enough without one.
	message string
}

var doubts = []doubt{
	{reason.MemberListUnknown, []Part{Members}, nil, "the member list is not known"},
	{reason.MachineAPIUnknown, []Part{ClusterVersion, Machines}, nil, ""},
	{reason.MachinesUnknown, []Part{Machines}, nil, "the control-plane Machines are not known"},
	{reason.NodesUnknown, []Part{Nodes}, nil, "the control-plane Nodes are not known"},
	{reason.TopologyUnknown, []Part{Infrastructure}, nil, ""},
	{reason.ExternalEtcdUnknown, []Part{Etcd}, nil, ""},
	{reason.PeerURLUnreadable, []Part{Machines, Nodes}, nil, ""},
	{reason.MemberHealthUnknown, []Part{EndpointHealth, Alarms}, nil, "whether {subject} is alive is not known"},
	{reason.WaitingForBootstrap, []Part{Bootstrap}, func(b *builder, _ reason.Finding) bool { return b.view.BootstrapComplete == snapshot.Unknown },
		"whether bootstrap is complete is not known, and {subject} is not removed before"},
	{reason.DesiredReplicasUnknown, []Part{Etcd, MachineSet}, nil, ""},
	{reason.WaitingForRemainingVoters, []Part{EndpointHealth, Alarms}, healthOfOther, "{subject} stays while it is not known whether voter {other} is healthy"},
	{reason.RevisionUnknown, []Part{Etcd}, nil, ""},
	{reason.VoterNodeUnknown, []Part{Nodes, Machines}, nil, ""},
	{reason.WaitingForInstall, []Part{Pods}, func(b *builder, f reason.Finding) bool {
		node := b.node(f.Other)
		return node != nil && node.Etcd.Ready == snapshot.Unknown
	}, "{subject} stays while it is not known whether the etcd pod on node {other} is ready"},
	{reason.WaitingForEndpoints, []Part{Endpoints}, func(b *builder, _ reason.Finding) bool { return b.view.EndpointsKnown == snapshot.Unknown },
		"{subject} stays while it is not known what ConfigMap etcd-endpoints names"},
	{reason.APIServersUnknown, []Part{KubeAPIServer}, nil, ""},
	{reason.WaitingForAPIServer, []Part{APIServerConfigs}, func(b *builder, f reason.Finding) bool {
		return slices.ContainsFunc(b.view.APIServerNodes, func(s snapshot.APIServerNode) bool {
			return string(s.Node) == f.Other && s.EtcdServersKnown == snapshot.Unknown
		})
	}, "{subject} stays while it is not known which etcd endpoints the API server on {other} uses"},
	{reason.NoHealthyQuorum, []Part{EndpointHealth, Alarms}, healthOfAVoter, "{subject} stays while {have} voters are known to be healthy and quorum is {need}"},
	{reason.WaitingForSecondWitness, []Part{Nodes, Pods}, func(b *builder, f reason.Finding) bool {
		node := b.node(f.Other)
		return node == nil || node.Ready == snapshot.Unknown || node.Etcd.Ready == snapshot.Unknown
	}, "{subject} does not answer, and whether anything else says that it is down is not known"},
	{reason.MachineNotDeleting, []Part{EndpointHealth, Alarms}, healthOfSubject, "whether {subject} is healthy is not known, and its Machine {other} is not deleting"},
	{reason.NodeOfLostMemberRemains, []Part{EndpointHealth, Alarms}, healthOfSubject, "whether {subject} is healthy is not known; it has no Machine, and its Node {other} exists"},
	{reason.AbsenceNotConfirmed, []Part{Nodes, Machines}, nil, ""},
	{reason.LearnerStalled, nil, func(*builder, reason.Finding) bool { return true },
		"learner {subject} is not ready to vote, and is stalled if it has made no progress for 5 minutes, which one look cannot tell"},
	{reason.LearnerNotHealthy, []Part{EndpointHealth, Alarms}, healthOfSubject, "whether learner {subject} is healthy is not known"},
	{reason.LearnerHasAlarm, []Part{Alarms}, func(b *builder, f reason.Finding) bool {
		m := b.labelled(f.Subject)
		return m != nil && m.NoSpace == snapshot.Unknown
	}, "whether learner {subject} has an alarm is not known"},
	{reason.VoterNotHealthy, []Part{EndpointHealth, Alarms}, healthOfOther, "{subject} waits while it is not known whether voter {other} is healthy"},
	{reason.NodeMissing, []Part{Nodes}, nil, ""},
	{reason.NodeNotReady, []Part{Nodes}, func(b *builder, f reason.Finding) bool {
		node := b.node(f.Subject)
		return node != nil && node.Ready == snapshot.Unknown
	}, "whether node {subject} is Ready is not known"},
	{reason.NodeHasNoAddress, []Part{Network}, func(b *builder, _ reason.Finding) bool { return b.Unread[Network] != "" },
		"the address family of the cluster is not known, and so is the InternalIP of node {subject} that etcd would use"},
	{reason.WaitingForGuard, []Part{Pods}, guardList, "whether the guard of learner {subject} is ready on node {other} is not known"},
	{reason.AppliedIndexUnknown, []Part{EndpointStatus}, nil, "learner {subject} waits: how far {other} is is not known"},
	{reason.WaitingForEtcdPod, []Part{Pods}, func(b *builder, f reason.Finding) bool {
		node := b.node(f.Subject)
		return node != nil && node.Etcd.Present == snapshot.Unknown
	}, "whether node {subject} has an etcd pod is not known"},
	{reason.EtcdContainerNotRunning, []Part{Pods}, func(b *builder, f reason.Finding) bool {
		node := b.node(f.Subject)
		return node != nil && node.Etcd.ContainerRunning == snapshot.Unknown
	}, "whether the etcd container on node {subject} runs is not known"},
	{reason.HostedMemberUnknown, []Part{Members, Machines, Nodes}, nil, ""},
	{reason.GuardsUnknown, []Part{Pods, Members}, nil, ""},
	{reason.BudgetUnknown, []Part{GuardBudget}, nil, ""},
	{reason.WaitingForUpgrade, []Part{ClusterOperator, ClusterVersion}, func(b *builder, _ reason.Finding) bool { return b.view.VersionCurrent == snapshot.Unknown },
		"whether ClusterOperator etcd reports this operator's version is not known, so no guard is deleted and the budget is not lowered"},
	{reason.DrainsWaitForVoter, []Part{EndpointHealth, Alarms}, healthOfSubject, "drains wait: whether voter {subject} is healthy is not known"},
	{reason.DrainsWaitForGuardWithoutVote, []Part{EndpointHealth, Alarms, Nodes, Machines, ClusterVersion}, func(b *builder, f reason.Finding) bool {
		for i, m := range b.view.SortedMembers {
			if string(b.view.Owners[i].NodeName) == f.Subject && !m.Learner && healthUnknown(m) {
				return true
			}
		}
		return homeless(b, f)
	}, "drains wait: whether a healthy vote stands behind the guard on node {subject} is not known"},
	{reason.DrainsWaitForMachine, []Part{Nodes, Machines}, homeless, "drains wait: whether Machine {subject} hosts a voter is not known"},
	{reason.DrainsWaitForSurplusVoter, []Part{Etcd, MachineSet}, func(b *builder, _ reason.Finding) bool { return !b.view.Desired.Known() },
		"drains wait until the voter of deleting Machine {subject} is removed, since the desired number of replicas is not known"},
	{reason.DrainsWaitForGuard, []Part{Pods}, guardList, "drains wait: whether there is a ready guard on node {subject} is not known"},
	{reason.DrainsWaitForBudget, []Part{Pods}, guardList, "drains wait: {have} guards are known to be ready and {need} must stay"},
	{reason.WaitingForSpareVoter, []Part{EndpointHealth, Alarms}, healthOfAVoter, "no revision is created while {have} voters are known to be healthy: it takes {need} to spare one"},
	{reason.WaitingForAllVoters, []Part{EndpointHealth, Alarms}, healthOfAVoter, "{have} of {need} voters are known to be healthy and this topology can spare none"},
	{reason.WaitingForOtherVoters, []Part{EndpointHealth, Alarms, Pods}, func(b *builder, f reason.Finding) bool {
		return healthOfAVoter(b, f) || slices.ContainsFunc(b.view.SortedNodes, func(n *snapshot.Node) bool { return n.Etcd.Ready == snapshot.Unknown })
	}, "node {subject} waits: {have} voters on other nodes that are known to be healthy would stay, and quorum is {need}"},
	{reason.HostedVoterUnknown, []Part{Members, Nodes, Machines, ClusterVersion}, nil, ""},
}

var doubtOf = func() map[reason.Reason]doubt {
	byReason := map[reason.Reason]doubt{}
	for _, d := range doubts {
		byReason[d.reason] = d
	}
	return byReason
}()

func healthUnknown(m *snapshot.Member) bool {
	return !m.IsHealthy() && m.Health != snapshot.Unhealthy && !m.Corrupt.Holds()
}

func healthOfSubject(b *builder, f reason.Finding) bool {
	m := b.labelled(f.Subject)
	return m != nil && healthUnknown(m)
}

func healthOfOther(b *builder, f reason.Finding) bool {
	m := b.labelled(f.Other)
	return m != nil && healthUnknown(m)
}

func healthOfAVoter(b *builder, _ reason.Finding) bool {
	return slices.ContainsFunc(b.view.SortedMembers, func(m *snapshot.Member) bool { return !m.Learner && healthUnknown(m) })
}

// homeless: it is not known where some voter lives.
func homeless(b *builder, _ reason.Finding) bool {
	for i, m := range b.view.SortedMembers {
		if !m.Learner && b.view.Owners[i].NodeName == "" {
			return true
		}
	}
	return false
}

func guardList(b *builder, _ reason.Finding) bool { return !b.view.GuardList.Holds() }

func (b *builder) labelled(label string) *snapshot.Member {
	for _, m := range b.view.SortedMembers {
		if m.Label() == label {
			return m
		}
	}
	return nil
}

func (b *builder) node(name string) *snapshot.Node { return b.view.Node(snapshot.NodeName(name)) }

// doubted returns what to say of a finding that comes from an unknown, and which parts that were not read would tell. ok is
// false for one that does not, and for one whose own sentence is all that can be said.
func (b *builder) doubted(f reason.Finding) (message string, unread []string, ok bool) {
	d, known := doubtOf[f.Reason]
	if !known || d.unknown != nil && !d.unknown(b, f) {
		return "", nil, false
	}
	unread = b.unreadOf(d.of, f)
	if d.unknown == nil && len(unread) == 0 {
		return "", nil, false
	}
	message = f.Message()
	if d.message != "" {
		message = f.Fill(d.message)
	}
	if why := b.UnknownEtcdServers[snapshot.NodeName(f.Other)]; f.Reason == reason.WaitingForAPIServer && why != "" {
		message += " (" + why + ")"
	}
	if len(unread) > 0 {
		message += ": " + strings.Join(unread, ", and ")
	}
	return message, unread, true
}

// budgetRestsOn are the parts that the wanted budget is counted from (rule R7.2).
var budgetRestsOn = []Part{Members, EndpointHealth, Alarms, Machines, Nodes, Pods, MachineSet, ClusterVersion, Infrastructure, ClusterOperator, GuardBudget}

// unreadOf says of parts that were not read why, once each, less Machines where they would tell nothing (rule R2.3); of the
// health also which of the members that a finding is about nobody asked.
func (b *builder) unreadOf(parts []Part, about reason.Finding) []string {
	unread := []string{}
	for _, part := range parts {
		if part == Machines && b.view.MachineAPI.Fails() {
			continue
		}
		if why := b.Unread[part]; why != "" && !slices.Contains(unread, why) {
			unread = append(unread, why)
		}
		if part == EndpointHealth {
			unread = append(unread, b.notAsked(about)...)
		}
	}
	return unread
}

// notAsked says which members nobody asked for their health: those that a finding names, or all voters where it counts them.
func (b *builder) notAsked(f reason.Finding) []string {
	var named, voters []string
	for i, m := range b.view.SortedMembers {
		why := b.NotAsked[m.ID]
		if why == "" || !healthUnknown(m) {
			continue
		}
		if label, node := m.Label(), string(b.view.Owners[i].NodeName); slices.Contains([]string{f.Subject, f.Other}, label) || node != "" && node == f.Subject {
			named = append(named, why)
		}
		if !m.Learner {
			voters = append(voters, why)
		}
	}
	if named == nil && b.labelled(f.Subject) == nil {
		return voters
	}
	return named
}

const (
	addMissing = "add what is missing to the directory"
	askAgain   = "explain it with the right or the access that is missing (see warnings); the operator may know, and do otherwise"
)

// unstarted: the finding is about a voter that has not started, so that there is nobody to bring back.
func (b *builder) unstarted(f reason.Finding) bool {
	m := b.labelled(f.Subject)
	return m != nil && !m.Started && !m.Learner && (f.Reason == reason.MemberHealthUnknown || f.Reason == reason.MachineNotDeleting)
}

// lasting are the Reasons to act that rest on how long something has been so.
var lasting = []reason.Reason{reason.RemovingDeadMember, reason.RemovingOrphanVoter, reason.RemovingOrphanLearner, reason.GuardOfLostVote}

// finding puts a finding into words.
func (b *builder) finding(f reason.Finding) Finding {
	message, _, ok := b.doubted(f)
	if !ok {
		message = f.Message()
	}
	if joins := b.joining(f); joins != "" {
		message += "; " + joins
	}
	if runs := b.APIServers[snapshot.NodeName(f.Other)]; runs != nil && f.Reason == reason.WaitingForAPIServer && !ok {
		message += "; it " + runs.String()
	}
	if m := b.corrupt(f); m != nil && f.Reason == reason.MemberHealthUnknown {
		message = m.Label() + " answers, but has alarm CORRUPT: it counts neither as healthy nor as dead"
	}
	if b.unstarted(f) {
		message = f.Subject + " has not started: it counts neither as healthy nor as dead"
	}
	if slices.Contains(lasting, f.Reason) {
		message += "; that must have lasted as long as the rule asks, which one look cannot tell"
	}
	return Finding{Rule: string(f.Rule), Reason: string(f.Reason), Message: message}
}

// unblock says what would change what a finding says.
func (b *builder) unblock(f reason.Finding) string {
	if joins, ok := decision.Joining(&b.members); ok && f.Reason == reason.WaitingForReplacementVoter {
		return b.unblock(joins)
	}
	about := f
	if m := b.corrupt(f); m != nil {
		about = reason.Finding{Reason: reason.MemberCorrupt, Subject: m.Label()}
	}
	what := b.careful(about, about.Unblock())
	if guard := b.ofGuard(f); guard != "" {
		what = guard
	}
	if m := b.withoutNode(); m != nil && slices.Contains(waitsForHost, f.Reason) {
		what = "see why Machine " + string(m.Name) + " gets no node; its member must become a voter first"
		if m.Phase == "Failed" {
			what = "see why Machine " + string(m.Name) + " failed, and delete it, so that another can take its place; the member of that one must become a voter first"
		}
	}
	if f.Reason == reason.WaitingForReplacementVoter && b.view.Voters == 1 {
		what += "; make a backup of etcd first, and take no hook away: with the Machine goes the only copy of the data"
	}
	if b.unstarted(f) {
		what = "see the etcd pod of its node; if it is not to start, remove it with etcdctl member remove once every other voter is healthy"
	}
	if f.Reason == reason.HookStrippedFromDeletingMachine {
		switch q := b.quorum(); {
		case q.Held == snapshot.False:
			what = q.first
		case b.view.Voters == 1:
			what = "make a backup of etcd now: nothing holds the drain, and with the host goes the only copy of the data"
		}
	}
	if _, unread, _ := b.doubted(f); len(unread) > 0 {
		if b.Source == SourceLive {
			return askAgain
		}
		if strings.HasPrefix(what, nothingToDo) {
			return addMissing
		}
		return addMissing + "; if it is not in the cluster either: " + what
	}
	return what
}

// ofGuard is the remedy where a finding is about a guard that is not there, or stands for a learner; empty for others.
func (b *builder) ofGuard(f reason.Finding) string {
	node := f.Subject
	switch f.Reason {
	case reason.DrainsWaitForGuardWithoutVote:
		for i, m := range b.view.SortedMembers {
			if m.Learner && string(b.view.Owners[i].NodeName) == node {
				return "see what learner " + m.Label() + " waits for; the budget opens when it votes"
			}
		}
		return ""
	case reason.WaitingForGuard:
		node = f.Other
	case reason.DrainsWaitForGuard:
	default:
		return ""
	}
	if !b.view.GuardList.Holds() || b.guardOn(snapshot.NodeName(node)) != nil {
		return ""
	}
	i := slices.IndexFunc(b.guard.Pods, func(p quorumguard.Pod) bool { return string(p.Node) == node })
	switch {
	case i < 0:
		return ""
	case b.guard.Pods[i].Action == quorumguard.PodCreate:
		return nothingToDo + ": the operator creates the guard next"
	case b.guard.Pods[i].Refused == quorumguard.PodCreate:
		return b.unblock(b.guard.Pods[i].Finding)
	}
	return ""
}

// waitsForHost are the Reasons for which a Machine that is there and has no node is the one to look at.
var waitsForHost = []reason.Reason{reason.WaitingForReplacementVoter, reason.WaitingForNode}

// joining says what keeps a replacement that is there from voting; nothing of any other finding, and where there is none.
func (b *builder) joining(f reason.Finding) string {
	if !slices.Contains(waitsForHost, f.Reason) {
		return ""
	}
	if joins, ok := decision.Joining(&b.members); ok && f.Reason == reason.WaitingForReplacementVoter {
		told := b.finding(joins)
		return told.Message + " [" + told.Rule + " " + told.Reason + "]"
	}
	if m := b.withoutNode(); m != nil {
		return "Machine " + string(m.Name) + " is " + cmp.Or(m.Phase, "of unknown phase") + " and has no node yet" + strings.Join(append([]string{""}, b.MachineTroubles[m.Name]...), "; ")
	}
	return ""
}

// withoutNode is a Machine that could host a replacement and has no node; nil when there is none.
func (b *builder) withoutNode() *snapshot.Machine {
	for _, m := range b.view.SortedMachines {
		if hosts, _ := b.view.Hosting(m); !m.Deleting && m.NodeRef == "" && !hosts.Holds() {
			return m
		}
	}
	return nil
}

// mayComeFirst says which changes that would come before the chosen one are refused only because something was not read.
func (b *builder) mayComeFirst() []string {
	order := map[string]int{"RemoveMember": 0, "PromoteLearner": 1, "AddLearner": 2}
	first := []string{}
	chosen, changes := order[string(b.members.Action)]
	for _, r := range b.members.Refused {
		if message, unread, _ := b.doubted(r.Finding); changes && len(unread) > 0 && order[string(r.Action)] < chosen {
			first = append(first, string(r.Action)+" "+b.label(r.Member, string(r.Node))+" may come first: "+message+" ["+string(r.Rule)+" "+string(r.Reason)+"]")
		}
	}
	return first
}

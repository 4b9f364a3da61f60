package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// What Quorum says.
const (
	quorumHeld    = "QuorumHeld"
	quorumLost    = "QuorumLost"
	quorumUnknown = "QuorumUnknown"
)

const (
	keepAll       = "delete no Machine, Node or member before"
	keepAllUnsure = "find out first whether etcd has quorum, and " + keepAll
)

// deletes matches remedies that have a person delete what a member lives on, or the member.
var deletes = regexp.MustCompile(`\bdelete (its|a|the|the node's)? ?(Machine|Node)\b|\bdelete it\b|\bmember remove\b|\bremove its Node\b`)

// quorum says whether enough voters are known to be healthy for etcd to work. A voter that was not asked, or whose alarms
// were not read, may be one.
func (b *builder) quorum() Quorum {
	v := b.view
	if !v.MemberList.Holds() || v.Voters == 0 {
		return Quorum{Held: snapshot.Unknown, Unblock: keepAllUnsure, Finding: Finding{Rule: string(reason.R10_1), Reason: quorumUnknown,
			Message: b.because("whether etcd has quorum is not known, since the member list is not", reason.MemberListUnknown)}}
	}
	healthy, need, unasked := v.HealthyVoters, snapshot.Quorum(v.Voters), 0
	first, worked := "", 0
	for i, m := range v.SortedMembers {
		if m.Learner || m.IsHealthy() {
			continue
		}
		if healthUnknown(m) && !b.Unserved[m.ID] {
			unasked++
		}
		if why := b.underWork(v.Owners[i].NodeName); why != "" {
			first += why + "; "
			worked++
		}
	}
	message := fmt.Sprintf("%d of %d voters are known to be healthy, and quorum is %d", healthy, v.Voters, need)
	q := Quorum{Held: snapshot.True, Finding: Finding{Rule: string(reason.R10_1), Reason: quorumHeld, Message: message}, Unblock: nothingToDo}
	switch {
	case healthy >= need:
	case healthy+unasked >= need:
		q.Held, q.Reason, q.Message, q.Unblock = snapshot.Unknown, quorumUnknown, b.because("whether etcd has quorum is not known: "+message, reason.NoHealthyQuorum), keepAllUnsure
	default:
		q.Held, q.Reason = snapshot.False, quorumLost
		q.first = fmt.Sprintf("%sbring hosts back until %d of %d voters answer, and %s", first, need, v.Voters, keepAll)
		q.Unblock = q.first + "; if so many hosts are lost for ever, restore the cluster from a backup of etcd"
		q.passes = healthy+unasked+worked >= need
	}
	return q
}

// because adds what was not read of what a Reason rests on.
func (b *builder) because(message string, of reason.Reason) string {
	if _, unread, _ := b.doubted(reason.Finding{Reason: of}); len(unread) > 0 {
		message += ": " + strings.Join(unread, ", and ")
	}
	return message
}

// careful is a remedy in the order in which a person should try it: nothing of a member is deleted without quorum, nor
// while its node is being worked on, since a restart is not a death (rules R6.1 and R8.2).
func (b *builder) careful(f reason.Finding, remedy string) string {
	if !deletes.MatchString(f.Unblock()) {
		return remedy
	}
	switch q := b.quorum(); {
	case q.Held == snapshot.False:
		return q.first
	case q.Held == snapshot.Unknown && b.view.MemberList.Holds():
		return keepAllUnsure
	}
	owner := b.ownerOfAbsent(f)
	if owner == nil {
		return remedy
	}
	if f.Reason == reason.MemberCorrupt && (owner.Machine == nil || owner.Machine.Deleting) {
		remedy, _, _ = strings.Cut(remedy, ", then delete")
	}
	remedy = ofLostHost(*owner, remedy)
	if first := b.underWork(owner.NodeName); first != "" {
		return first + "; if it stays away after that: " + remedy
	}
	return remedy
}

// ownerOfAbsent is whom the member belongs to that a finding is about and that is not healthy; nil for no such member.
func (b *builder) ownerOfAbsent(f reason.Finding) *snapshot.Owner {
	for _, label := range []string{f.Other, f.Subject} {
		for i, m := range b.view.SortedMembers {
			if m.Label() == label && !m.IsHealthy() {
				return &b.view.Owners[i]
			}
		}
	}
	return nil
}

// absent are the Reasons that a member which is not healthy keeps true.
var absent = []reason.Reason{reason.MemberHealthUnknown, reason.MachineNotDeleting, reason.NodeOfLostMemberRemains, reason.LearnerNotHealthy, reason.VoterNotHealthy, reason.WaitingForRemainingVoters, reason.DrainsWaitForVoter}

// corrupt is the member with alarm CORRUPT that keeps a finding true: bringing its host back changes nothing; nil for none.
func (b *builder) corrupt(f reason.Finding) *snapshot.Member {
	if !slices.Contains(absent, f.Reason) {
		return nil
	}
	for _, label := range []string{f.Other, f.Subject} {
		if m := b.labelled(label); m != nil && !m.IsHealthy() {
			if m.Corrupt.Holds() {
				return m
			}
			return nil
		}
	}
	return nil
}

// lostHost is how remedies end that are about a host that may be lost for ever.
const lostHost = "; if its host is lost, delete its Machine, or its Node if it has none"

// ofLostHost names what is to be deleted, and nothing that is being deleted already or is not there.
func ofLostHost(owner snapshot.Owner, remedy string) string {
	first, is := strings.CutSuffix(remedy, lostHost)
	switch {
	case !is || owner.State == snapshot.OwnerUnknown || owner.State == snapshot.OwnerAmbiguous:
		return remedy
	case owner.Machine != nil && owner.Machine.Deleting:
		return first + "; its Machine " + string(owner.Machine.Name) + " is deleting already"
	case owner.Machine != nil:
		return first + "; if its host is lost, delete Machine " + string(owner.Machine.Name)
	case owner.NodePresent():
		return first + "; if its host is lost, delete Node " + string(owner.NodeName)
	}
	return first
}

// underWork says what is done on a node that restarts its member, and to wait for it; nothing when nothing is.
func (b *builder) underWork(name snapshot.NodeName) string {
	for _, s := range b.view.NodeStatuses {
		if failed, ok := b.Failed[name]; ok && s.Node == name && s.Target == failed.Revision {
			return fmt.Sprintf("revision %d fails to be installed on node %s (see rollout): mend that first", s.Target, name)
		}
		if s.Node == name && s.Target > 0 {
			return fmt.Sprintf("revision %d is being installed on node %s, which restarts its member: wait for that first", s.Target, name)
		}
	}
	for _, t := range b.PodTroubles {
		if !t.Guard && string(t.Node) == string(name) {
			return fmt.Sprintf("pod %s does not run (see members): mend that first", t.Pod)
		}
	}
	if node := b.view.Node(name); node != nil && node.Present.Holds() && node.Cordoned {
		return fmt.Sprintf("node %s is cordoned, so somebody works on it: wait for that first, and uncordon it", name)
	}
	return ""
}

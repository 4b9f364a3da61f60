package members

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Types and reasons of conditions, which others look for.
const (
	available   = "EtcdMembersAvailable"
	degraded    = "EtcdMembersDegraded"
	progressing = "EtcdMembersProgressing"

	quorate    = "EtcdQuorate"
	noQuorum   = "NoQuorum"
	unhealthy  = "UnhealthyMembers"
	notStarted = "MembersNotStarted"
)

var listIsUnknown = reason.Finding{Rule: reason.R10_1, Reason: reason.MemberListUnknown}

// unknown returns what the pass could not tell: the list, or of which members it is not known whether they are healthy.
func unknown(s *snapshot.Snapshot) []reason.Finding {
	if !s.MemberList.Holds() {
		return []reason.Finding{listIsUnknown}
	}
	var found []reason.Finding
	for _, m := range snapshot.NewView(s).SortedMembers {
		if m.Started && stateOf(m) == stateUnknown {
			found = append(found, reason.Finding{Rule: reason.R10_1, Reason: reason.MemberHealthUnknown, Subject: m.Label()})
		}
	}
	return found
}

// withoutNode are the members whose Node is known not to exist although nobody asked for their Machine to go. No guard can
// stand for such a vote (rule R7.1), and whoever deleted the Node does not learn otherwise that it is still there.
func withoutNode(s *snapshot.Snapshot) []reason.Finding {
	var found []reason.Finding
	view := snapshot.NewView(s)
	for i, m := range view.SortedMembers {
		owner := view.Owners[i]
		if owner.NodeGone() && (owner.Machine == nil || !owner.Machine.Deleting) {
			found = append(found, reason.Finding{Rule: reason.R7_1, Reason: reason.NodeMissing, Subject: m.Label()})
		}
	}
	return found
}

// memberConditions speak about the members. due are the findings that have lasted too long: it is not known whether a member
// is healthy, or its Node is gone.
func memberConditions(s *snapshot.Snapshot, due []reason.Finding) []operatorv1.OperatorCondition {
	view := snapshot.NewView(s)
	var sick, moving []report.Line
	for _, m := range view.SortedMembers {
		switch stateOf(m) {
		case stateUnhealthy:
			sick = append(sick, report.Line{Reason: unhealthy, Text: phrase(m)})
		case stateUnstarted:
			moving = append(moving, report.Line{Reason: notStarted, Text: phrase(m)})
		}
	}
	for _, f := range due {
		line := report.Line{Reason: unhealthy, Text: report.Sentence(f)}
		if f.Reason == reason.NodeMissing {
			line = report.LineOf(f)
		}
		sick = append(sick, line)
	}
	for _, f := range withoutNode(s) {
		if !slices.Contains(due, f) {
			moving = append(moving, report.LineOf(f))
		}
	}
	return []operatorv1.OperatorCondition{availability(view), report.True(degraded, sick), report.True(progressing, moving)}
}

// blindConditions are those of a pass without a member list. What was last known stays, since one list that failed tells
// nothing about etcd (rule R10.1), until it has lasted too long. An endpoint that says itself that it cannot serve does
// tell something: it may be cut off from the others, and without quorum a quorum of endpoints says so.
func blindConditions(p *pass.Pass, known []operatorv1.OperatorCondition, tooLong bool) []operatorv1.OperatorCondition {
	message := report.Sentence(listIsUnknown)
	conditions := slices.Clone(known)
	if len(conditions) == 0 || tooLong {
		conditions = nil
		for _, name := range []string{available, degraded, progressing} {
			conditions = append(conditions, operatorv1.OperatorCondition{
				Type: name, Status: operatorv1.ConditionUnknown, Reason: string(reason.MemberListUnknown), Message: message,
			})
		}
	}
	switch said := etcdclient.CannotServe(errors.Join(p.Faults...)); {
	case said >= snapshot.Quorum(len(p.Endpoints)):
		conditions[0] = operatorv1.OperatorCondition{Type: available, Status: operatorv1.ConditionFalse, Reason: noQuorum, Message: message}
	case said > 0:
		conditions[0] = operatorv1.OperatorCondition{
			Type: available, Status: operatorv1.ConditionUnknown, Reason: string(reason.MemberListUnknown), Message: message,
		}
	}
	return conditions
}

// availability: names and shape of the message are documented. A member that answers is available although its alarms could
// not be read: that keeps decisions back, and is no loss of quorum.
func availability(view *snapshot.View) operatorv1.OperatorCondition {
	answering, voters := 0, 0
	var others []string
	for _, m := range view.SortedMembers {
		if !m.Started || m.Health != snapshot.Healthy || m.Corrupt.Holds() {
			others = append(others, phrase(m))
			continue
		}
		answering++
		if !m.Learner {
			voters++
		}
	}
	c := operatorv1.OperatorCondition{Type: available, Status: operatorv1.ConditionFalse, Reason: noQuorum}
	if voters >= snapshot.Quorum(view.Voters) {
		c.Status, c.Reason = operatorv1.ConditionTrue, quorate
	}
	c.Message = fmt.Sprintf("%d members are available", answering)
	if len(others) > 0 {
		slices.Sort(others)
		c.Message = fmt.Sprintf("%d of %d members are available, %s", answering, len(view.SortedMembers), strings.Join(others, ", "))
	}
	return c
}

// state is what a report says about a member.
type state string

const (
	stateHealthy   state = "healthy"
	stateUnhealthy state = "unhealthy"
	stateUnstarted state = "unstarted"
	stateUnknown   state = "unknown"
)

// stateOf: a member with a CORRUPT alarm is not healthy, and one whose alarms are not known may not be (rule R10.1).
func stateOf(m *snapshot.Member) state {
	switch {
	case !m.Started:
		return stateUnstarted
	case m.Health == snapshot.Unhealthy || m.Corrupt.Holds():
		return stateUnhealthy
	case m.IsHealthy():
		return stateHealthy
	default:
		return stateUnknown
	}
}

func phrase(m *snapshot.Member) string {
	switch stateOf(m) {
	case stateUnstarted:
		return m.Label() + " has not started"
	case stateUnhealthy:
		return m.Label() + " is unhealthy"
	default:
		return m.Label() + " has unknown health"
	}
}

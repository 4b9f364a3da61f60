package quorumguard

import (
	"slices"

	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// The reasons of events, of which others look for eventRemoved.
const (
	eventCreated = "QuorumGuardCreated"
	eventRemoved = "QuorumGuardRemoved"
	eventBudget  = "QuorumGuardBudgetChanged"
)

// judge returns the controller's conditions after a pass: Degraded with what was refused or lasts too long, Progressing
// with what is done and what drains wait for (rule R7.7).
func (c *controller) judge(p *pass.Pass, o *outcome) []operatorv1.OperatorCondition {
	d := &p.Guard
	findings := slices.Concat(o.refused, c.standoff.findings(c.Clock.Now()), c.Guards.findings(), []reason.Finding{d.Finding}, d.Holds)
	for _, pod := range d.Pods {
		findings = append(findings, pod.Finding)
	}
	s := &p.Snapshot
	blind := !s.MemberList.Holds() || !s.GuardList.Holds() || s.Budget.Present == snapshot.Unknown
	due := c.deadlines.Judge(findings, blind)
	return []operatorv1.OperatorCondition{
		report.True(Name+"Degraded", append(report.Errors(o.errs...), report.LinesOf(due)...)),
		report.True(Name+"Progressing", progress(d, due)),
	}
}

func progress(d *quorumguard.Decision, due []reason.Finding) []report.Line {
	var lines []report.Line
	for _, pod := range d.Pods {
		if pod.Action == quorumguard.PodCreate || pod.Action == quorumguard.PodDelete {
			lines = append(lines, report.LineOf(pod.Finding))
		}
	}
	for _, hold := range d.Holds {
		if !slices.Contains(due, hold) {
			lines = append(lines, report.LineOf(hold))
		}
	}
	return lines
}

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
// with what is done and what drains wait for (rule R7.7). A pass that could not judge those does not tell that what was
// found before has come to an end.
func (c *controller) judge(p *pass.Pass, o *outcome) []operatorv1.OperatorCondition {
	d := &p.Guard
	findings := slices.Concat(o.refused, c.standoff.findings(c.Clock.Now()), c.Guards.findings(), []reason.Finding{d.Finding}, d.Holds)
	for _, pod := range d.Pods {
		findings = append(findings, pod.Finding)
	}
	blind := isBlind(p)
	due := c.deadlines.Judge(findings, blind)
	c.underWay = report.Lasting(underWay(d), c.underWay, blind)
	return []operatorv1.OperatorCondition{
		report.True(Name+"Degraded", append(report.Errors(o.errs...), report.LinesOf(due)...)),
		report.True(Name+"Progressing", report.Pending(c.underWay, due)),
	}
}

// isBlind: a fact is not known that guards or budget rest on.
func isBlind(p *pass.Pass) bool {
	s := &p.Snapshot
	return !s.MemberList.Holds() || !s.GuardList.Holds() || !s.NodeList.Holds() || s.Budget.Present == snapshot.Unknown ||
		s.MachineAPI == snapshot.Unknown || s.MachineAPI.Holds() && !s.MachineList.Holds() || p.Guard.Reason == reason.FactsContradict
}

func underWay(d *quorumguard.Decision) []reason.Finding {
	var all []reason.Finding
	for _, pod := range d.Pods {
		if pod.Action == quorumguard.PodCreate || pod.Action == quorumguard.PodDelete {
			all = append(all, pod.Finding)
		}
	}
	return append(all, d.Holds...)
}

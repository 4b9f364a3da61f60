package machinedeletionhook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	event = "MachineDeletionHook"
	// olderOperator is the manager as which older versions of this operator updated Machines.
	olderOperator = "cluster-etcd-operator"
	// maxCandidates is how many managers are named: the newest are the likeliest, and a message stays readable.
	maxCandidates = 5
)

func compareNames(a, b snapshot.MachineName) int { return cmp.Compare(a, b) }

// judge returns the controller's conditions after a pass. A pass that could not judge Machines does not tell that what was
// found before has come to an end.
func (c *controller) judge(p *pass.Pass, errs []error) []operatorv1.OperatorCondition {
	var findings []reason.Finding
	for _, v := range slices.Concat(p.Hooks.Warnings, p.Hooks.Machines) {
		if v.Reason != reason.HookStripped {
			findings = append(findings, v.Finding)
		}
	}
	blind := isBlind(&p.Snapshot)
	due := c.deadlines.Judge(findings, blind)
	c.underWay = report.Lasting(underWay(p), c.underWay, blind)
	degraded := slices.Concat(report.Errors(errs...), c.fightLines(), report.LinesOf(due))
	return []operatorv1.OperatorCondition{
		report.True(Name+"Degraded", degraded),
		report.True(Name+"Progressing", report.Pending(c.underWay, due)),
	}
}

func isBlind(s *snapshot.Snapshot) bool {
	return !s.MemberList.Holds() || s.MachineAPI == snapshot.Unknown || s.MachineAPI.Holds() && !s.MachineList.Holds()
}

// inProgress are the reasons for which a deleting Machine is still there and which no other controller tells: what its
// member waits for is told with the members.
var inProgress = []reason.Reason{reason.RemovingHook, reason.HostedMemberUnknown, reason.MachineHeldByAnotherHook, reason.MachineHeldByCordonedNode}

func underWay(p *pass.Pass) []reason.Finding {
	var all []reason.Finding
	view := snapshot.NewView(&p.Snapshot)
	for _, v := range p.Hooks.Machines {
		if f := decision.OfMachine(view, v); slices.Contains(inProgress, f.Reason) {
			all = append(all, f)
		}
	}
	return all
}

// fightLines name those who may be stripping the hook (rule R4.6).
func (c *controller) fightLines() []report.Line {
	var lines []report.Line
	for _, f := range c.Record.fights() {
		finding := reason.Finding{Rule: reason.R4_6, Reason: reason.HookStripped, Subject: string(f.machine)}
		lines = append(lines, report.Line{Reason: string(finding.Reason), Text: report.Sentence(finding) + suspicion(f.candidates)})
	}
	return lines
}

func suspicion(candidates []string) string {
	if len(candidates) == 0 {
		return "; who does it is unknown"
	}
	// managedFields tell who last set something, never who took something away, so that no one can be left out.
	return "; who takes it away is not recorded; those who have written to the Machine, the latest first: " + strings.Join(candidates, ", ")
}

// candidates are the managers other than ours that have written to a Machine outside of its status, newest first.
func candidates(machine *machinev1beta1.Machine) []string {
	entries := slices.DeleteFunc(slices.Clone(machine.ManagedFields), func(e metav1.ManagedFieldsEntry) bool {
		return e.Subresource == "status" || e.Manager == Name || e.Manager == olderOperator || e.Manager == ""
	})
	slices.SortStableFunc(entries, func(a, b metav1.ManagedFieldsEntry) int {
		if newest := written(b).Compare(written(a).Time); newest != 0 {
			return newest
		}
		return cmp.Compare(a.Manager, b.Manager)
	})
	var names []string
	for _, e := range entries {
		if !slices.Contains(names, e.Manager) && len(names) < maxCandidates {
			names = append(names, e.Manager)
		}
	}
	return names
}

func written(e metav1.ManagedFieldsEntry) metav1.Time {
	if e.Time == nil {
		return metav1.Time{}
	}
	return *e.Time
}

func (c *controller) tellWritten(v machinehook.Verdict) {
	machine := snapshot.Machine{Name: v.Machine, UID: v.UID}
	c.events.About(&machine).Event(event, v.Message())
}

// tellStripped writes the one event of a fight.
func (c *controller) tellStripped(machine *snapshot.Machine, candidates []string) {
	f := reason.Finding{Rule: reason.R4_6, Reason: reason.HookStripped, Subject: string(machine.Name)}
	c.events.About(machine).Warning(event, fmt.Sprint(report.Sentence(f), suspicion(candidates)))
}

package clustermember

import (
	"fmt"
	"slices"

	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// The reasons of events, which others look for.
const (
	eventAdd          = "MemberAddAsLearner"
	eventAlreadyAdded = "MemberAlreadyAdded"
	eventPromote      = "MemberPromote"
	eventRemove       = "MemberRemove"
	eventWhyNot       = "ScaleDown"
)

// judge returns the controller's conditions after a pass. A pass that could judge nothing does not tell that what was under
// way has come to an end.
func (c *controller) judge(p *pass.Pass, o *outcome) []operatorv1.OperatorCondition {
	blind := isBlind(p.Membership.Reason)
	due := c.deadlines.Judge(findings(p, o), blind)
	if !blind {
		c.underWay = progress(p, o, due)
	}
	return []operatorv1.OperatorCondition{
		report.True(Name+"Degraded", append(report.Errors(o.err), linesOf(p, due)...)),
		report.True(Name+"Progressing", c.underWay),
	}
}

// findings are all that the pass found, the headline first: each is Degraded when its deadline is over (rule R9.2).
func findings(p *pass.Pass, o *outcome) []reason.Finding {
	var all []reason.Finding
	if o.wait != nil {
		all = append(all, *o.wait)
	}
	all = append(all, p.Membership.Finding)
	for _, r := range p.Membership.Refused {
		all = append(all, r.Finding)
	}
	for _, w := range p.Membership.Warnings {
		all = append(all, w.Finding)
	}
	return all
}

// isBlind: the decision is to wait since a fact is not known that every judgement rests on.
func isBlind(headline reason.Reason) bool {
	return slices.Contains([]reason.Reason{
		reason.MemberListUnknown, reason.FactsContradict, reason.MachineAPIUnknown, reason.MachinesUnknown,
		reason.NodesUnknown, reason.TopologyUnknown, reason.ExternalEtcdUnknown,
	}, headline)
}

// progress says what is under way: the replacement of each Machine that is deleting and hosts a member, for as long as it
// takes, and what else is done or waited for until it is Degraded (rule R9.2).
func progress(p *pass.Pass, o *outcome, due []reason.Finding) []report.Line {
	d := &p.Membership
	doing := d.Finding
	if o.wait != nil {
		doing = *o.wait
	}
	var lines []report.Line
	replaced := map[snapshot.MachineName]bool{}
	view := snapshot.NewView(&p.Snapshot)
	for _, machine := range view.SortedMachines {
		if !machine.Deleting || !ownsMember(view, machine) {
			continue
		}
		replaced[machine.Name] = true
		finding := doing
		if i := slices.IndexFunc(d.Refused, func(r membership.Refusal) bool { return isRemovalFrom(r, machine.Name) }); i >= 0 && d.Machine != machine.Name {
			finding = d.Refused[i].Finding
		}
		line := lineOf(p, finding)
		line.Text = fmt.Sprintf("Machine %s is being replaced: %s", machine.Name, line.Text)
		lines = append(lines, line)
	}
	if d.Action != membership.Wait && !replaced[d.Machine] {
		lines = append([]report.Line{report.LineOf(doing)}, lines...)
	}
	waits := []reason.Finding{}
	if d.Reason == reason.WaitingForNode {
		waits = append(waits, d.Finding)
	}
	for _, r := range d.Refused {
		if isLost(p, r) || r.Action != membership.RemoveMember && !decision.Rests(r.Reason) {
			waits = append(waits, r.Finding)
		}
	}
	return append(lines, report.Pending(waits, due)...)
}

// isLost: a member that should go belongs to no Machine, so no replacement tells of it. Where no Machine has a member, a
// host that reboots is nothing under way.
func isLost(p *pass.Pass, r membership.Refusal) bool {
	return r.Action == membership.RemoveMember && r.Machine == "" && p.Snapshot.MachineAPI.Holds()
}

func ownsMember(view *snapshot.View, machine *snapshot.Machine) bool {
	return slices.ContainsFunc(view.Owners, func(o snapshot.Owner) bool { return o.Machine == machine })
}

func isRemovalFrom(r membership.Refusal, machine snapshot.MachineName) bool {
	return r.Action == membership.RemoveMember && r.Machine == machine
}

// tellWhyNot writes, for each Machine that is deleting, why its member is not removed: when the Reason changes, and at most
// every 5 minutes.
func (c *controller) tellWhyNot(p *pass.Pass) {
	current, sentences := map[string]string{}, map[string]string{}
	for _, r := range p.Membership.Refused {
		machine := machineOf(p, r.Machine)
		if r.Action != membership.RemoveMember || machine == nil || !machine.Deleting || r.Reason == reason.WaitingForAnotherChange {
			continue
		}
		line := lineOf(p, r.Finding)
		current[string(r.Machine)], sentences[string(r.Machine)] = line.Reason, line.Text
	}
	fresh := c.whyNot.New(current)
	for _, r := range p.Membership.Refused {
		if name := string(r.Machine); fresh[name] {
			delete(fresh, name)
			c.tellAbout(machineOf(p, r.Machine), eventWhyNot, sentences[name])
		}
	}
}

// tellDone writes that the change of a pass was made.
func (c *controller) tellDone(p *pass.Pass) {
	c.tell(p, eventOf(p.Membership.Action), p.Membership.Message())
}

// tellUnknown writes that the change of a pass was tried.
func (c *controller) tellUnknown(p *pass.Pass) {
	c.tell(p, eventOf(p.Membership.Action), p.Membership.Message()+"; whether etcd did so is not known")
}

func eventOf(a membership.Action) string {
	switch a {
	case membership.AddLearner:
		return eventAdd
	case membership.PromoteLearner:
		return eventPromote
	default:
		return eventRemove
	}
}

// tell writes an event about the change of a pass.
func (c *controller) tell(p *pass.Pass, eventReason, message string) {
	c.tellAbout(machineOf(p, p.Membership.Machine), eventReason, message)
}

// tellAbout writes an event on the operator, where procedures look for it, and on the Machine that it is about, where
// whoever replaces it looks (rule R9.5).
func (c *controller) tellAbout(machine *snapshot.Machine, eventReason, message string) {
	c.Recorder.Event(eventReason, message)
	if machine != nil {
		c.events.About(machine).Event(eventReason, message)
	}
}

func machineOf(p *pass.Pass, name snapshot.MachineName) *snapshot.Machine {
	for i := range p.Snapshot.Machines {
		if machine := &p.Snapshot.Machines[i]; name != "" && machine.Name == name {
			return machine
		}
	}
	return nil
}

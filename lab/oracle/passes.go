package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
)

// maxLag is how many entries a learner may be behind when it is promoted (R5.2).
const maxLag = 5000

// passes: what the operator's own record says, each pass by what it saw itself,
// and what it saw by what was there.
func (j *judge) passes() {
	const (
		unknown  = "passes act on nothing that they call unknown"
		removals = "passes remove no voter that is needed"
		joins    = "passes promote only who may vote"
		hooks    = "passes take no hook from a Machine that hosts a member"
		guards   = "passes delete no guard of a healthy vote"
		same     = "the same facts give the same decision"
		there    = "passes saw what was there"
		reasons  = "no pass waits without a Reason"
		// Of each operator.
		tornLines = 2
	)
	if j.Start.ByHand {
		return
	}
	if len(j.Passes) == 0 {
		j.unproven(unknown, "I4 R10.1", "the operator's passes were not recorded")
		return
	}
	faults := map[string][]fault{}
	for i := range j.Passes {
		p := &passJudge{Pass: &j.Passes[i]}
		for text, ask := range map[string]func() string{
			unknown: p.actsOnUnknown, removals: p.removesNeeded, joins: p.promotesUnfit, hooks: p.takesHookTooEarly,
			guards: p.deletesNeededGuard, reasons: p.waitsSilently, there: func() string { return j.sawOtherwise(*p.Pass) },
		} {
			if why := ask(); why != "" {
				faults[text] = append(faults[text], faultAt(times(p.At), "the one of %s: %s", seconds(p.At), why))
			}
		}
	}
	processes := map[int]bool{}
	for _, p := range j.Passes {
		processes[p.Process] = true
	}
	count := fmt.Sprintf("%d passes of %d processes", len(j.Passes), len(processes))
	if j.TornPasses > tornLines*len(j.operators()) {
		j.unproven(unknown, "I4 R10.1", fmt.Sprintf("%d lines of the operator's record are not whole", j.TornPasses))
	} else {
		j.claim(unknown, "I4 R10.1", faults[unknown], count)
	}
	j.claim(there, "I4 R10.1", faults[there], "")
	j.claim(removals, "I1 I5 I12 R6", faults[removals], "")
	j.claim(joins, "I3 I9 R5.2", faults[joins], "")
	j.claim(hooks, "I8 R4.4", faults[hooks], "")
	j.claim(guards, "I10 R7.4", faults[guards], "")
	j.claim(reasons, "L4 R9.1", faults[reasons], "")
	different, pairs := contradictions(j.Passes)
	j.claim(same, "I7", different, fmt.Sprintf("%d pairs of passes saw the same", pairs))
	if pairs == 0 {
		j.assume("that the same facts give the same decision (I7): no two passes saw the same")
	}
}

// passJudge judges one pass by what it says itself.
type passJudge struct {
	*history.Pass
}

func (p *passJudge) member(id history.MemberID) (history.PassMember, bool) {
	i := slices.IndexFunc(p.Snapshot.Members, func(m history.PassMember) bool { return m.ID == id })
	if i < 0 {
		return history.PassMember{}, false
	}
	return p.Snapshot.Members[i], true
}

// well: it answered, and is known to have no CORRUPT alarm.
func well(m history.PassMember) bool {
	return m.Started && m.Health == history.HealthGood && history.False(m.Corrupt)
}

// votes counts voters other than one, and those of them that are well.
func (p *passJudge) votes(except history.MemberID) (voters, healthy int) {
	for _, m := range p.Snapshot.Members {
		if m.Learner || m.ID == except {
			continue
		}
		voters++
		if well(m) {
			healthy++
		}
	}
	return voters, healthy
}

func (p *passJudge) node(name string) history.PassNode {
	i := slices.IndexFunc(p.Snapshot.Nodes, func(n history.PassNode) bool { return n.Name == name })
	if i < 0 {
		return history.PassNode{}
	}
	return p.Snapshot.Nodes[i]
}

func (p *passJudge) machine(name string) history.PassMachine {
	i := slices.IndexFunc(p.Snapshot.Machines, func(m history.PassMachine) bool { return m.Name == name })
	if i < 0 {
		return history.PassMachine{}
	}
	return p.Snapshot.Machines[i]
}

// on returns the members that have an address of the Machine, or of its Node.
func (p *passJudge) on(machine history.PassMachine) []history.PassMember {
	addresses := slices.Clone(machine.Addresses)
	if node := p.node(machine.NodeRef); machine.NodeRef != "" && history.True(node.Present) {
		addresses = append(addresses, node.Addresses...)
	}
	var on []history.PassMember
	for _, m := range p.Snapshot.Members {
		if slices.ContainsFunc(m.PeerAddresses, func(a string) bool { return slices.Contains(addresses, a) }) {
			on = append(on, m)
		}
	}
	return on
}

func known(f history.Fact) bool { return f != nil }

// blind says what of all that every decision rests on is not known.
func (p *passJudge) blind() string {
	s := p.Snapshot
	switch {
	case !history.True(s.MemberList):
		return "the member list"
	case !known(s.MachineAPI):
		return "whether the Machine API works"
	case history.True(s.MachineAPI) && !history.True(s.MachineList):
		return "the Machines"
	case !history.True(s.NodeList):
		return "the Nodes"
	case s.Topology == "":
		return "the topology"
	case s.Topology == "DualReplica" && !known(s.ExternalEtcd):
		return "whether etcd is outside the cluster"
	}
	return ""
}

// actsOnUnknown: invariant I4.
func (p *passJudge) actsOnUnknown() string {
	for _, ask := range []func() string{p.changesMembersBlindly, p.writesHooksBlindly, p.guardsBlindly} {
		if what := ask(); what != "" {
			return what
		}
	}
	return ""
}

func (p *passJudge) changesMembersBlindly() string {
	d := p.Membership
	if d.Action == history.Wait {
		return ""
	}
	missing := p.blind()
	if missing == "" && d.Action != history.AddLearner {
		missing = p.subjectUnknown()
	}
	if missing == "" {
		missing = p.restUnknown()
	}
	if missing == "" {
		return ""
	}
	return fmt.Sprintf("%s %s, though it did not know %s", d.Action, d.Target, missing)
}

func (p *passJudge) subjectUnknown() string {
	d := p.Membership
	subject, found := p.member(d.Member)
	switch {
	case !found:
		return "the member"
	case d.Action == history.PromoteLearner && (!well(subject) || !history.False(subject.NoSpace)):
		return "that the learner is well"
	case d.Action == history.RemoveMember && !subject.Learner && subject.Health == history.HealthUnknown:
		return "how the member is"
	case d.Action == history.RemoveMember && !history.True(p.Snapshot.BootstrapComplete):
		return "that the cluster's bootstrap is complete"
	case p.Snapshot.Desired.Replicas <= 0:
		return "how many members are desired"
	}
	return ""
}

// restUnknown: to add, promote and replace, all other voters must be known to be
// well.
func (p *passJudge) restUnknown() string {
	d := p.Membership
	subject, _ := p.member(d.Member)
	if d.Action == history.RemoveMember && !well(subject) || subject.Learner && d.Action == history.RemoveMember {
		return ""
	}
	for _, m := range p.Snapshot.Members {
		if m.ID != d.Member && !m.Learner && !well(m) {
			return "that voter " + m.Name + " is well"
		}
	}
	switch {
	case d.Action == history.AddLearner && !(history.True(p.node(d.Node).Ready) && history.True(p.node(d.Node).Etcd.ContainerRunning) && history.False(p.node(d.Node).Etcd.ContainerReady)):
		return "that the etcd of node " + d.Node + " waits to join"
	case d.Action == history.PromoteLearner && !history.True(p.Snapshot.GuardList):
		return "the guards"
	case d.Action == history.RemoveMember && (!history.True(p.Snapshot.EndpointsKnown) || !known(p.Snapshot.APIServers) || p.Snapshot.LatestRevision <= 0):
		return "the endpoints, or who uses them, or the revision"
	}
	return ""
}

func (p *passJudge) writesHooksBlindly() string {
	for _, v := range p.Hooks.Machines {
		switch {
		case v.Action == history.NoAction:
		case !history.True(p.Snapshot.MachineAPI):
			return fmt.Sprintf("%s on Machine %s, though it did not know that the Machine API works", v.Action, v.Machine)
		case v.Action == history.RemoveHook && !history.True(p.Snapshot.MemberList):
			return fmt.Sprintf("%s on Machine %s, though it did not know the members", v.Action, v.Machine)
		}
	}
	return ""
}

func (p *passJudge) guardsBlindly() string {
	s := p.Snapshot
	missing := p.blind()
	switch {
	case missing != "" && s.Topology == "SingleReplica":
		missing = ""
	case missing == "" && !history.True(s.GuardList):
		missing = "the guards"
	case missing == "" && !history.True(s.VersionCurrent):
		missing = "that no upgrade is under way"
	}
	if missing == "" {
		return ""
	}
	for _, v := range p.Guard.Pods {
		if v.Action == history.DeletePod {
			return fmt.Sprintf("the guard on %s is deleted, though it did not know %s", v.Node, missing)
		}
	}
	if p.Guard.Budget == history.SetBudget && history.True(s.Budget.Present) && p.Guard.MinAvailable < s.Budget.MinAvailable {
		return fmt.Sprintf("the budget is lowered to %d, though it did not know %s", p.Guard.MinAvailable, missing)
	}
	return ""
}

// removesNeeded: invariants I1 and I5, as the pass itself sees it.
func (p *passJudge) removesNeeded() string {
	d := p.Membership
	subject, _ := p.member(d.Member)
	if d.Action != history.RemoveMember || subject.Learner {
		return ""
	}
	voters, healthy := p.votes(d.Member)
	switch {
	case healthy < facts.Quorum(voters):
		return fmt.Sprintf("%s is removed, which leaves %d healthy of %d voters", d.Target, healthy, voters)
	case well(subject) && healthy < p.Snapshot.Desired.Replicas:
		return fmt.Sprintf("%s is removed, which leaves %d healthy voters of %d desired", d.Target, healthy, p.Snapshot.Desired.Replicas)
	}
	return ""
}

// promotesUnfit: invariants I3 and I9, and R5.1 of adding.
func (p *passJudge) promotesUnfit() string {
	d := p.Membership
	if d.Action == history.AddLearner {
		for _, m := range p.Snapshot.Members {
			if m.Learner || !m.Started {
				return fmt.Sprintf("%s is added beside %s, which has no vote yet", d.Target, m.Name)
			}
		}
	}
	if d.Action != history.PromoteLearner {
		return ""
	}
	subject, _ := p.member(d.Member)
	voters, _ := p.votes("")
	if voters+1 > p.Snapshot.Desired.Replicas+1 {
		return fmt.Sprintf("%s is promoted, which makes %d voters of %d desired", d.Target, voters+1, p.Snapshot.Desired.Replicas)
	}
	for _, m := range p.Snapshot.Members {
		if !m.Learner && subject.AppliedIndex+maxLag < m.AppliedIndex {
			return fmt.Sprintf("%s is promoted, %d entries behind %s", d.Target, m.AppliedIndex-subject.AppliedIndex, m.Name)
		}
	}
	if !history.True(p.Snapshot.MachineAPI) {
		return ""
	}
	switch machine := p.machine(d.Machine); {
	case machine.Name == "":
		return fmt.Sprintf("%s is promoted and has no Machine", d.Target)
	case machine.Deleting:
		return fmt.Sprintf("%s is promoted, and Machine %s is deleting", d.Target, machine.Name)
	case machine.Hook != history.HookPresent:
		return fmt.Sprintf("%s is promoted, and Machine %s has no hook", d.Target, machine.Name)
	}
	return ""
}

// takesHookTooEarly: invariant I8.
func (p *passJudge) takesHookTooEarly() string {
	for _, v := range p.Hooks.Machines {
		machine := p.machine(v.Machine)
		if on := p.on(machine); v.Action == history.RemoveHook && len(on) > 0 {
			return fmt.Sprintf("Machine %s loses the hook, and hosts %s", v.Machine, on[0].Name)
		}
		if (v.Action == history.AddHook || v.Action == history.RepairHook) && machine.Deleting {
			return fmt.Sprintf("Machine %s gains the hook, and is deleting", v.Machine)
		}
	}
	return ""
}

// deletesNeededGuard: the guard of a healthy vote is deleted only to be made anew.
func (p *passJudge) deletesNeededGuard() string {
	if p.Snapshot.Topology == "SingleReplica" {
		return ""
	}
	for _, v := range p.Guard.Pods {
		node := p.node(v.Node)
		voter := slices.IndexFunc(p.Snapshot.Members, func(m history.PassMember) bool {
			return !m.Learner && well(m) && slices.ContainsFunc(m.PeerAddresses, func(a string) bool { return slices.Contains(node.Addresses, a) })
		})
		guard := slices.IndexFunc(p.Snapshot.Guards, func(g history.PassGuard) bool { return g.Node == v.Node })
		if v.Action != history.DeletePod || voter < 0 || guard < 0 {
			continue
		}
		if g := p.Snapshot.Guards[guard]; (g.Phase == "Running" || g.Phase == "Pending") && !g.Outdated {
			return fmt.Sprintf("the guard on %s is deleted, and stands for %s", v.Node, p.Snapshot.Members[voter].Name)
		}
	}
	return ""
}

// waitsSilently: every decision has a Reason, and a pass that sees a deleting
// Machine with a member does not find that all is as expected.
func (p *passJudge) waitsSilently() string {
	for _, d := range p.Decisions() {
		if d.Reason == "" || d.Rule == "" {
			return fmt.Sprintf("%s %s %s has no Reason or no rule", d.Core, d.Action, d.Object)
		}
	}
	if p.blind() != "" || p.Membership.Action != history.Wait || p.Membership.Reason != "MembershipAsExpected" {
		return ""
	}
	for _, m := range p.Snapshot.Machines {
		if on := p.on(m); m.Deleting && len(on) > 0 && history.True(p.Snapshot.MachineAPI) {
			return fmt.Sprintf("all is as expected, though Machine %s is deleting and hosts %s", m.Name, on[0].Name)
		}
	}
	return ""
}

// Around a pass, this long before and after it began, members must have been at
// some time as it saw them.
const (
	seenBefore = time.Second
	seenAfter  = 8 * time.Second
)

// sawOtherwise compares what a pass saw with what was recorded around it.
func (j *judge) sawOtherwise(pass history.Pass) string {
	if !history.True(pass.Snapshot.MemberList) {
		return ""
	}
	var around []facts.Facts
	until := j.observedBy(pass)
	for _, f := range j.fresh(false) {
		if f.MembersAt >= pass.At-seenBefore && f.At <= until {
			around = append(around, f)
		}
	}
	if len(around) == 0 || around[0].At > pass.At || around[len(around)-1].MembersAt < pass.At+seenAfter/2 || !j.Complete && j.closing() < until {
		// Not all of it was recorded.
		return ""
	}
	roles := func(list []string) string { slices.Sort(list); return strings.Join(list, " ") }
	var saw []string
	for _, m := range pass.Snapshot.Members {
		saw = append(saw, role(string(m.ID), m.Learner))
	}
	alike := slices.ContainsFunc(around, func(f facts.Facts) bool {
		var list []string
		for _, m := range f.Members {
			list = append(list, role(m.ID, m.Learner))
		}
		return roles(list) == roles(saw)
	})
	if !alike {
		return "it saw the members " + roles(saw) + ", which were never these then"
	}
	for _, m := range pass.Snapshot.Members {
		if !well(m) || !j.cutOff(m.Name, pass.At-seenBefore, until) {
			continue
		}
		if !slices.ContainsFunc(around, func(f facts.Facts) bool { return f.Member(m.Name).Healthy }) {
			return "it found " + m.Name + " healthy, which was cut off"
		}
	}
	return ""
}

// observedBy is when the pass had seen all that it saw: one that is stopped while it
// looks sees the rest when it goes on.
func (j *judge) observedBy(pass history.Pass) time.Duration {
	until := pass.At + seenAfter
	for _, i := range j.Intervals {
		if pass.Operator != "" || i.What != history.OperatorDown || i.From < pass.At || i.From > until {
			continue
		}
		if i.To == 0 {
			return j.closing()
		}
		until = max(until, i.To+seenAfter)
	}
	return until
}

func role(id string, learner bool) string {
	if learner {
		return id + " (learner)"
	}
	return id
}

// cutOff reports whether the scenario had taken the host away for all of that
// time. One that is slow answers at times.
func (j *judge) cutOff(host string, from, to time.Duration) bool {
	slow := slices.ContainsFunc(j.Steps, func(s history.Step) bool {
		return strings.HasPrefix(s.Name, "slow ") && strings.Contains(s.Name, host)
	})
	return !slow && slices.ContainsFunc(j.Intervals, func(i history.Interval) bool {
		return i.What == history.HostDown && i.Subject == host && i.From <= from && (i.To == 0 || i.To >= to)
	})
}

// contradictions finds passes that saw the same and decided otherwise; pairs counts
// those that saw the same.
func contradictions(passes []history.Pass) (different []fault, pairs int) {
	type decided struct {
		at   time.Duration
		what string
	}
	first := map[string]decided{}
	for _, pass := range passes {
		facts, readable := canonical(pass.Seen)
		what, err := json.Marshal([]any{pass.Membership, pass.Hooks, pass.Guard, pass.Rollout})
		if !readable || err != nil {
			continue
		}
		before, known := first[facts]
		if !known {
			first[facts] = decided{pass.At, string(what)}
			continue
		}
		pairs++
		if before.what != string(what) {
			different = append(different, faultAt(times(before.at, pass.At), "those of %s and %s saw the same and decided otherwise", seconds(before.at), seconds(pass.At)))
		}
	}
	return different, pairs
}

// idle are facts that no decision rests on.
var idle = []string{"ObservedAt", "Version", "DatabaseBytes"}

// canonical is what a pass saw without order, and without what no decision rests
// on. Of applied indexes only the lag counts.
func canonical(seen json.RawMessage) (text string, readable bool) {
	decoder := json.NewDecoder(bytes.NewReader(seen))
	// Ids have more digits than a float.
	decoder.UseNumber()
	var all map[string]any
	if decoder.Decode(&all) != nil {
		return "", false
	}
	highest := int64(0)
	members, _ := all["Members"].([]any)
	for _, m := range members {
		highest = max(highest, applied(m))
	}
	for _, m := range members {
		if fields, is := m.(map[string]any); is {
			index := applied(m)
			fields["AppliedIndex"] = map[bool]int{true: 1}[index > 0] + map[bool]int{true: 2}[index+maxLag < highest]
		}
	}
	data, err := json.Marshal(unordered(all))
	return string(data), err == nil
}

func applied(member any) int64 {
	fields, _ := member.(map[string]any)
	number, _ := fields["AppliedIndex"].(json.Number)
	index, _ := number.Int64()
	return index
}

// unordered sorts every list by its text and drops what is idle.
func unordered(value any) any {
	switch value := value.(type) {
	case map[string]any:
		fields := maps.Clone(value)
		for name, field := range fields {
			fields[name] = unordered(field)
		}
		for _, name := range idle {
			delete(fields, name)
		}
		return fields
	case []any:
		var texts []string
		for _, element := range value {
			// What was read from JSON can be written.
			text, _ := json.Marshal(unordered(element))
			texts = append(texts, string(text))
		}
		slices.Sort(texts)
		return texts
	}
	return value
}

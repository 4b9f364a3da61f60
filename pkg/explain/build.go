package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Input is what an Explanation is made from.
type Input struct {
	Snapshot snapshot.Snapshot
	// Source is SourceLive or SourceDirectory.
	Source  string
	Assumed []string
	// Errors are what probes of members ended in.
	Errors map[snapshot.MemberID]string
	// Unserved are the members that were asked and did not serve.
	Unserved map[snapshot.MemberID]bool
	// ManagementState is spec.managementState of the etcd resource; empty when it is not known. WritesNothing: it is one in
	// which the operator writes nothing (rule R9.5), or is not known.
	ManagementState string
	WritesNothing   bool
	// BudgetMisshapen: the guards' budget differs from the wanted one in more than the number that it keeps, so that the
	// operator writes it anew whatever the number.
	BudgetMisshapen bool
	// Unread says of each part that was not read, or not to the end, why: a clause such as "there is no FILE". A source
	// that does not know leaves it out.
	Unread map[Part]string
	// NotAsked says of members whose health was not asked for, where EndpointHealth tells of others, why it is not known: a
	// clause as in Unread.
	NotAsked map[snapshot.MemberID]string
	// BlockingBudgets are disruption budgets of others that allow no disruption now, as namespace/name.
	BlockingBudgets []string
	// GuardBudgets are, by the node of a guard, the budgets beside the guards' own that select it, as namespace/name. The
	// eviction API refuses a pod that several budgets select.
	GuardBudgets map[snapshot.NodeName][]string
	// HookOwners are the owners that Machines' hooks of the operator's name have, where it is not the operator.
	HookOwners map[snapshot.MachineName]string
	// UnknownEtcdServers says, by the node of an API server whose etcd endpoints are not known, why not: a clause.
	UnknownEtcdServers map[snapshot.NodeName]string
	// APIServers are the revisions of the API servers, by node.
	APIServers map[snapshot.NodeName]*NodeRevision
	// MachineTroubles are what Machines say of why they get no host, or are not drained.
	MachineTroubles map[snapshot.MachineName][]string
	// PodTroubles are what etcd pods and guards say of why they do not run.
	PodTroubles []PodTrouble
	// Failed are the installations of revisions that failed, by node.
	Failed map[snapshot.NodeName]FailedRevision
	// Blind says why hardly anything is known, NotRunning why nobody carries out what is decided; empty where neither is so.
	Blind, NotRunning string
	// Conditions are those of the etcd resource that are worth a look.
	Conditions []Condition
	// Warnings are those of whoever read the facts; the decisions' own are added.
	Warnings []Warning
}

// New asks the cores and returns their decisions as one document.
func New(in Input) Explanation {
	d := decision.About(in.Snapshot)
	s := d.Snapshot
	b := builder{Input: in, members: d.Membership, hooks: d.Hooks, guard: d.Guard, rollout: d.Rollout, view: snapshot.NewView(&s)}
	return Explanation{
		APIVersion: APIVersion, Kind: Kind, Source: in.Source,
		ObservedAt: timeOrNull(s.ObservedAt), ClusterID: b.clusterID(), Assumed: orEmpty(in.Assumed),
		Facts:       b.facts(),
		Quorum:      b.quorum(),
		Membership:  b.membership(),
		Machines:    b.machines(),
		Guard:       b.guards(),
		Rollout:     b.rollouts(),
		PodTroubles: orEmpty(in.PodTroubles),
		Members:     b.memberRows(),
		Refused:     b.refused(),
		Warnings:    b.warnings(),
		Conditions:  orEmpty(in.Conditions),
		urgent:      b.urgent(),
		blind:       in.Blind,
		notRunning:  in.NotRunning,
	}
}

type builder struct {
	Input
	view    *snapshot.View
	members membership.Decision
	hooks   machinehook.Decision
	guard   quorumguard.Decision
	rollout rollout.Decision
}

func (b *builder) clusterID() Text {
	if b.view.ClusterID == 0 {
		return ""
	}
	return Text(strconv.FormatUint(b.view.ClusterID, 16))
}

func (b *builder) facts() Facts {
	v := b.view
	f := Facts{
		DesiredFrom: string(v.Desired.Source), Topology: Text(v.Topology), MachineAPI: machineAPI(v.MachineAPI),
		BootstrapComplete: v.BootstrapComplete, RolloutStable: b.rollout.Stable, EndpointsMatch: endpointsMatch(v),
		MembersKnown: v.MemberList.Holds(), Voters: v.Voters, HealthyVoters: v.HealthyVoters, ManagementState: Text(b.ManagementState), writesNothing: b.WritesNothing,
	}
	if v.MemberList.Holds() {
		f.Quorum = snapshot.Quorum(v.Voters)
	}
	if f.DesiredFrom == "" {
		f.DesiredFrom = string(snapshot.DesiredFromNone)
	}
	if v.Desired.Known() {
		f.DesiredReplicas = &v.Desired.Replicas
	}
	if i := v.IndexOf(v.Leader); v.Leader != 0 && i >= 0 {
		f.Leader = Text(v.SortedMembers[i].Name)
	}
	return f
}

func machineAPI(works snapshot.Fact) string {
	switch works {
	case snapshot.True:
		return "Functional"
	case snapshot.False:
		return "NotFunctional"
	default:
		return "Unknown"
	}
}

// endpointsMatch reports a fact, not a judgement: ConfigMap etcd-endpoints and the member list name the same voters.
func endpointsMatch(v *snapshot.View) snapshot.Fact {
	if v.EndpointsKnown == snapshot.Unknown || !v.MemberList.Holds() {
		return snapshot.Unknown
	}
	match := v.EndpointsKnown.Holds() && len(v.Endpoints) == v.Voters
	for _, m := range v.SortedMembers {
		if !m.Learner && (len(m.PeerAddresses) == 0 || !slices.Contains(v.Endpoints, m.PeerAddresses[0])) {
			match = false
		}
	}
	return snapshot.Known(match)
}

func (b *builder) membership() Membership {
	d := b.members
	member, id := b.memberOf(d.Member)
	m := Membership{
		Action: string(d.Action), Member: member, MemberID: id, Node: Text(d.Node), Machine: Text(d.Machine), PeerURL: Text(d.PeerURL),
		Finding: b.finding(d.Finding), Unblock: b.unblock(d.Finding), label: b.label(d.Member, string(d.Node)),
		DependsOn: b.mayComeFirst(),
	}
	if d.Action == membership.PromoteLearner && b.view.Leader == 0 {
		m.DependsOn = append(m.DependsOn, reason.Finding{Rule: reason.R5_2, Reason: reason.LeaderUnknown, Subject: d.Subject}.Message())
	}
	if b.etcdUnread() && d.Action != membership.Wait {
		m.DependsOn = append(m.DependsOn, b.etcdResource().Message)
	}
	if i := b.view.IndexOf(d.MoveLeaderTo); d.MoveLeaderTo != 0 && i >= 0 {
		m.MoveLeaderTo = Text(b.view.SortedMembers[i].Name)
	}
	return m
}

// memberOf returns name and id for the document; nothing for no member.
func (b *builder) memberOf(id snapshot.MemberID) (*string, Text) {
	i := b.view.IndexOf(id)
	if id == 0 || i < 0 {
		return nil, ""
	}
	return &b.view.SortedMembers[i].Name, Text(id.String())
}

// label names a member for a reader, or whatever else a line is about.
func (b *builder) label(id snapshot.MemberID, otherwise string) string {
	if i := b.view.IndexOf(id); id != 0 && i >= 0 {
		return b.view.SortedMembers[i].Label()
	}
	return otherwise
}

func (b *builder) machines() []Machine {
	machines := []Machine{}
	for i, m := range b.view.SortedMachines {
		verdict := b.hooks.Machines[i]
		member, id := b.memberOf(verdict.Member)
		told := decision.OfMachine(b.view, verdict)
		row := Machine{
			Name: string(m.Name), Phase: Text(m.Phase), Deleting: m.Deleting, DeletionTimestamp: timeOrNull(m.DeletionTimestamp),
			Hook: hook(m.Hook), OtherHooks: []OtherHook{}, Action: string(verdict.Action), Node: Text(m.NodeRef),
			Member: member, MemberID: id, HeldBy: b.heldBy(m), Finding: b.finding(told), Unblock: b.unblock(told),
			HookOwner: Text(b.HookOwners[m.Name]), Troubles: orEmpty(b.MachineTroubles[m.Name]), nodeGone: b.gone(m.NodeRef),
		}
		for _, h := range m.OtherHooks {
			row.OtherHooks = append(row.OtherHooks, OtherHook(h))
		}
		machines = append(machines, row)
	}
	return machines
}

// gone: it is known that there is no such Node, whatever names it.
func (b *builder) gone(name snapshot.NodeName) bool {
	node := b.view.Node(name)
	return name != "" && (node == nil && b.view.NodeList.Holds() || node != nil && node.Present.Fails())
}

func hook(h snapshot.Hook) string {
	switch h {
	case snapshot.HookPresent:
		return "Present"
	case snapshot.HookWrongOwner:
		return "WrongOwner"
	default:
		return "Missing"
	}
}

// heldBy lists what stands in the way of a deleting Machine, in the order in which the Machine API comes to it: pre-drain
// hooks, then budgets, then pre-terminate hooks.
func (b *builder) heldBy(m *snapshot.Machine) []string {
	held := []string{}
	if !m.Deleting {
		return held
	}
	switch m.Hook {
	case snapshot.HookPresent:
		// Rule R4.7: the Machine API asks no hook of such a Machine.
		if !m.ExcludedFromDrain {
			held = append(held, "preDrain hook EtcdQuorumOperator of etcd")
		}
	case snapshot.HookWrongOwner:
		held = append(held, "preDrain hook EtcdQuorumOperator, whose owner is "+cmp.Or(b.HookOwners[m.Name], "somebody else")+" and not etcd")
	}
	byHooks := func(point string) {
		for _, h := range m.OtherHooks {
			if h.Point == point {
				held = append(held, h.Point+" hook "+h.Name+" of "+h.Owner)
			}
		}
	}
	byHooks("preDrain")
	if cordoned := b.view.CordonedBeside(m); cordoned != "" {
		held = append(held, "the Machine API, which drains no second control-plane node while node "+string(cordoned)+" is cordoned")
	}
	if b.view.Budget.Present.Holds() && b.view.Budget.DisruptionsAllowed <= 0 && !b.BudgetMisshapen && b.guardReady(m.NodeRef).Holds() {
		held = append(held, "PodDisruptionBudget openshift-etcd/etcd-guard-pdb (see drains)")
	}
	for _, budget := range b.GuardBudgets[m.NodeRef] {
		held = append(held, "PodDisruptionBudget "+budget+", which selects its guard as well (see warnings)")
	}
	for _, budget := range b.BlockingBudgets {
		held = append(held, "PodDisruptionBudget "+budget+", if it protects a pod there")
	}
	byHooks("preTerminate")
	return held
}

// guardReady is unknown for a node without a guard.
func (b *builder) guardReady(node snapshot.NodeName) snapshot.Fact {
	if g := b.guardOn(node); g != nil {
		return snapshot.Known(g.Ready && !g.Deleting)
	}
	return snapshot.Unknown
}

func (b *builder) guardOn(node snapshot.NodeName) *snapshot.Guard {
	for _, g := range b.view.SortedGuards {
		if g.Node == node {
			return g
		}
	}
	return nil
}

func (b *builder) guards() Guard {
	d := b.guard
	g := Guard{Budget: Text(d.Budget), Finding: b.finding(d.Finding), Holds: []Hold{}, Pods: []GuardPod{}}
	if b.BudgetMisshapen && d.Budget == quorumguard.KeepBudget {
		g.Budget = Text(quorumguard.SetBudget)
	}
	g.Misshapen = b.BudgetMisshapen
	if d.Budget == quorumguard.SetBudget || d.Budget == quorumguard.KeepBudget && b.view.Budget.Present.Holds() {
		g.MinAvailable = &d.MinAvailable
	}
	if b.view.Budget.Present.Holds() {
		g.Current, g.DisruptionsAllowed = &b.view.Budget.MinAvailable, &b.view.Budget.DisruptionsAllowed
	}
	for _, h := range d.Holds {
		g.Holds = append(g.Holds, Hold{b.finding(h), b.unblock(h)})
	}
	for _, p := range d.Pods {
		missing := b.view.GuardList.Holds() && b.guardOn(p.Node) == nil
		g.Pods = append(g.Pods, GuardPod{missing: missing, Node: string(p.Node), Ready: b.guardReady(p.Node), OtherBudgets: orEmpty(b.GuardBudgets[p.Node]),
			Action: string(p.Action), Finding: b.finding(p.Finding)})
	}
	g.Absent = b.view.Budget.Present == snapshot.False
	others := b.heldByOthers(g.Pods)
	if len(others) > 0 && len(g.Holds) == 0 && d.Reason == reason.OneDrainMayPass {
		g.Finding = others[0].Finding
	}
	g.Holds = append(g.Holds, others...)
	g.Passing = b.passing(&g)
	g.DependsOn = b.unreadOf(budgetRestsOn, reason.Finding{})
	if b.etcdUnread() && d.Reason != reason.SingleReplicaNeedsNoGuard {
		g.MinAvailable, g.Budget, g.Finding = nil, "", b.etcdResource()
		g.Holds = append(g.Holds, Hold{b.etcdResource(), etcdResourceRemedy})
	}
	return g
}

// passing is what the API server lets through now although the operator's rules hold it back: evictions ask the budget as
// it stands, and not the one that the operator wants.
func (b *builder) passing(g *Guard) Text {
	var lets, until string
	stopped := b.WritesNothing && !b.etcdUnread()
	switch {
	case b.guard.Reason == reason.SingleReplicaNeedsNoGuard:
		return ""
	case g.Absent:
		g.danger = true
		lets, until = "there is no budget: ", "until it is made, "
		if stopped {
			until = "and the operator makes none, so "
		}
		lets += until + "nothing holds any number of drains back"
	case len(b.guard.Holds) > 0 && b.view.Budget.Present.Holds() && b.view.Budget.DisruptionsAllowed > 0 && !b.BudgetMisshapen && slices.ContainsFunc(g.Pods, GuardPod.mayGo):
		until = "until its status is counted anew"
		if g.Budget == Text(quorumguard.SetBudget) {
			until = "until the operator has written it anew"
		}
		if stopped {
			until = "and the operator does not write it"
		}
		lets = fmt.Sprintf("drains that should wait pass all the same: as it stands the budget allows %d, %s", b.view.Budget.DisruptionsAllowed, until)
	default:
		return ""
	}
	g.danger = g.danger || stopped
	if left := b.view.HealthyVoters - 1; b.view.MemberList.Holds() && left >= 0 && left < snapshot.Quorum(b.view.Voters) {
		g.danger = true
		lets += fmt.Sprintf("; a drain of the node of a healthy voter would leave %d of %d, and quorum is %d", left, b.view.Voters, snapshot.Quorum(b.view.Voters))
	}
	return Text(lets)
}

const (
	guardHasTwoBudgets  = "GuardHasTwoBudgets"
	otherBudgetsUnknown = "OtherBudgetsUnknown"
	otherBudgetsRemedy  = "make all poddisruptionbudgets of openshift-etcd readable, or add them to the directory"
	twoBudgetsRemedy    = "delete that budget, or make its selector leave out pods with label app=guard"
)

// twoBudgets says which budgets of others select guards.
func (b *builder) twoBudgets() []Warning {
	nodes := map[string][]string{}
	for _, node := range slices.Sorted(maps.Keys(b.GuardBudgets)) {
		for _, budget := range b.GuardBudgets[node] {
			nodes[budget] = append(nodes[budget], string(node))
		}
	}
	var two []Warning
	for _, budget := range slices.Sorted(maps.Keys(nodes)) {
		two = append(two, Warning{Reason: guardHasTwoBudgets, Message: "PodDisruptionBudget " + budget + " selects the guards on " + strings.Join(nodes[budget], ", ") +
			" besides etcd-guard-pdb, and the eviction API refuses a pod with more than one PodDisruptionBudget: no drain gets past them"})
	}
	return two
}

// heldByOthers is what keeps every drain from passing whatever the guards' own budget allows.
func (b *builder) heldByOthers(guards []GuardPod) []Hold {
	var holds []Hold
	if why := b.Unread[GuardBudget]; why != "" && b.view.Budget.Present != snapshot.Unknown {
		message := "whether another PodDisruptionBudget in openshift-etcd selects the guards is not known: " + why
		holds = append(holds, Hold{Finding{Rule: string(reason.R10_1), Reason: otherBudgetsUnknown, Message: message}, otherBudgetsRemedy})
	}
	if two := b.twoBudgets(); len(two) > 0 && !slices.ContainsFunc(guards, GuardPod.mayGo) {
		for _, w := range two {
			holds = append(holds, Hold{Finding{Rule: string(reason.R7_2), Reason: w.Reason, Message: w.Message}, twoBudgetsRemedy})
		}
	}
	return holds
}

// What is said while the etcd resource was not read: whether the operator writes anything, and what is being installed, is
// not known then.
const (
	etcdResourceUnknown = "EtcdResourceUnknown"
	etcdResourceRemedy  = "make etcds.operator.openshift.io/cluster readable"
)

func (b *builder) etcdUnread() bool { return b.WritesNothing && b.ManagementState == "" }

func (b *builder) etcdResource() Finding {
	message := "the etcd resource was not read, or is not there: without it neither spec.managementState nor what is being installed is known"
	if why := b.Unread[Etcd]; why != "" {
		message += ": " + why
	}
	return Finding{Rule: string(reason.R10_1), Reason: etcdResourceUnknown, Message: message}
}

func (b *builder) rollouts() Rollout {
	d := b.rollout
	r := Rollout{
		Create:  Permission{snapshot.Known(d.Create.Allowed), b.finding(d.Create.Finding), b.unblock(d.Create.Finding)},
		Install: []NodePermission{}, Nodes: b.revisions(), Step: string(d.Step), Next: Text(d.Next), Finding: b.finding(d.Finding),
	}
	for _, n := range d.Install {
		r.Install = append(r.Install, NodePermission{string(n.Node), n.Allowed, b.finding(n.Finding), b.unblock(n.Finding)})
	}
	if b.etcdUnread() {
		r.Create, r.Finding = Permission{snapshot.Unknown, b.etcdResource(), etcdResourceRemedy}, b.etcdResource()
	}
	return r
}

// revisions are those of the nodes, by name.
func (b *builder) revisions() []NodeRevision {
	rows := []NodeRevision{}
	for _, s := range b.view.NodeStatuses {
		row := NodeRevision{Node: string(s.Node), Current: s.Current, behind: s.Current != b.view.LatestRevision}
		if s.Target != 0 {
			row.Target = &s.Target
		}
		if failed, ok := b.Failed[s.Node]; ok {
			row.Failed = &failed
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(x, y NodeRevision) int { return strings.Compare(x.Node, y.Node) })
	return rows
}

func (b *builder) memberRows() []Member {
	rows := []Member{}
	for i, m := range b.view.SortedMembers {
		owner := b.view.Owners[i]
		row := Member{
			Name: m.Name, MemberID: m.ID.String(), Voting: !m.Learner, Started: m.Started, Leader: m.ID == b.view.Leader,
			Health: health(m), Error: Text(b.Errors[m.ID]), Alarms: []string{}, Version: Text(m.Version),
			Node: Text(owner.NodeName), PeerURLs: orEmpty(m.PeerURLs), label: m.Label(), nodeGone: b.gone(owner.NodeName),
		}
		if owner.Machine != nil {
			row.Machine = Text(owner.Machine.Name)
		}
		if m.DatabaseBytes > 0 {
			row.DBSizeBytes = &m.DatabaseBytes
		}
		if m.Corrupt.Holds() {
			row.Alarms = append(row.Alarms, "CORRUPT")
		}
		if m.NoSpace.Holds() {
			row.Alarms = append(row.Alarms, "NOSPACE")
		}
		if row.Error == "" && m.Health == snapshot.Healthy && m.Corrupt == snapshot.Unknown {
			row.Error = "it answers, but whether it has an alarm is not known"
		}
		rows = append(rows, row)
	}
	return rows
}

// health is what decisions count: an answer alone is not enough.
func health(m *snapshot.Member) string {
	switch {
	case m.IsHealthy():
		return "Healthy"
	case m.Health == snapshot.Unhealthy:
		return "Unhealthy"
	default:
		return "Unknown"
	}
}

func (b *builder) refused() []Refusal {
	refused := []Refusal{}
	for _, r := range b.members.Refused {
		member, id := b.memberOf(r.Member)
		refused = append(refused, Refusal{
			Action: string(r.Action), Member: member, MemberID: id, Node: Text(r.Node), Machine: Text(r.Machine),
			Finding: b.finding(r.Finding), label: b.label(r.Member, string(r.Node)),
		})
	}
	for _, m := range b.hooks.Machines {
		if m.Refused != machinehook.None {
			member, id := b.memberOf(m.Member)
			refused = append(refused, Refusal{Action: string(m.Refused), Member: member, MemberID: id, Machine: Text(m.Machine),
				Finding: b.finding(m.Finding), label: string(m.Machine)})
		}
	}
	for _, p := range b.guard.Pods {
		if p.Refused == quorumguard.PodCreate || p.Refused == quorumguard.PodDelete {
			refused = append(refused, Refusal{Action: string(p.Refused) + "Guard", Node: Text(p.Node), Finding: b.finding(p.Finding), label: string(p.Node)})
		}
	}
	if !b.rollout.Create.Allowed && !b.etcdUnread() {
		refused = append(refused, Refusal{Action: "CreateRevision", Finding: b.finding(b.rollout.Create.Finding)})
	}
	for _, n := range b.rollout.Install {
		if !n.Allowed {
			refused = append(refused, Refusal{Action: "InstallRevision", Node: Text(n.Node), Finding: b.finding(n.Finding), label: string(n.Node)})
		}
	}
	return refused
}

// Reasons of what a live look found out about the cluster itself.
const (
	apiServerSilent    = "APIServerSilent"
	operatorNotRunning = "OperatorNotRunning"
)

func (b *builder) warnings() []Warning {
	warnings := slices.Clone(b.Warnings)
	if b.Blind != "" {
		warnings = append(warnings, Warning{apiServerSilent, b.Blind})
	}
	if b.NotRunning != "" {
		warnings = append(warnings, Warning{operatorNotRunning, b.NotRunning})
	}
	for _, w := range b.twoBudgets() {
		warnings = append(warnings, Warning{w.Reason, w.Message + "; " + remedy(twoBudgetsRemedy)})
	}
	for _, w := range b.members.Warnings {
		warnings = append(warnings, b.warning(w.Finding))
	}
	for _, w := range b.hooks.Warnings {
		warnings = append(warnings, b.warning(w.Finding))
	}
	return orEmpty(warnings)
}

// urgent are the findings that no step of the operator mends (rule R9.2: Degraded at once), less the one that membership
// waits for, which is told already.
func (b *builder) urgent() []Hold {
	findings := slices.Clone(b.members.Warnings)
	for _, r := range b.members.Refused {
		findings = append(findings, membership.Warning{Finding: r.Finding})
	}
	for _, w := range b.hooks.Warnings {
		findings = append(findings, membership.Warning{Finding: w.Finding})
	}
	var urgent []Hold
	for _, w := range findings {
		if b.goes(w.Finding) {
			continue
		}
		entry, _ := reason.Lookup(w.Reason)
		hold := Hold{b.finding(w.Finding), b.unblock(w.Finding)}
		if entry.DegradedAfter == reason.AtOnce && w.Finding != b.members.Finding && !slices.Contains(urgent, hold) {
			urgent = append(urgent, hold)
		}
	}
	return urgent
}

// goes: the finding is about a member that is removed next, or is replaced anyhow since its Machine is deleting.
func (b *builder) goes(f reason.Finding) bool {
	if b.members.Action == membership.RemoveMember && f.Subject == b.members.Subject {
		return true
	}
	for i, m := range b.view.SortedMembers {
		if machine := b.view.Owners[i].Machine; m.Label() == f.Other && f.Reason == reason.MemberAddressChanged && machine != nil && machine.Deleting {
			return true
		}
	}
	return false
}

func (b *builder) warning(f reason.Finding) Warning {
	message := b.finding(f).Message
	if what := remedy(b.unblock(f)); what != "" {
		message += "; " + what
	}
	return Warning{Reason: string(f.Reason), Message: message}
}

func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// orEmpty makes an empty list of a missing one, since null would say that it is unknown.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

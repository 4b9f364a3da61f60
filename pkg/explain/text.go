package explain

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Columns is how wide the text is at most.
const Columns = 100

// Style is how parts of the text are set off.
type Style bool

// Plain has no escape sequences; Coloured is for terminals.
const (
	Plain    Style = false
	Coloured Style = true
)

type colour string

const (
	green  colour = "\x1b[32m"
	yellow colour = "\x1b[33m"
	red    colour = "\x1b[31m"
	bold   colour = "\x1b[1m"
	reset  colour = "\x1b[0m"
)

// WriteText writes the document for people, at most Columns wide. Whatever a terminal would obey in names and messages is
// shown as an escape sequence instead. The error is that of the writer.
func (e Explanation) WriteText(w io.Writer, style Style) error {
	p := printer{style: style}
	p.heading(&e)
	p.headline(&e)
	p.facts(&e)
	p.members(&e)
	p.machines(&e)
	p.drains(&e)
	p.rollout(&e)
	p.refused(&e)
	p.conditions(&e)
	p.warnings(&e)
	p.assumed(&e)
	_, err := io.WriteString(w, p.text.String())
	return err
}

type printer struct {
	text  strings.Builder
	style Style
}

// Printable makes a string fit for a terminal: one line, and nothing in it that is obeyed instead of shown.
func Printable(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || !strconv.IsPrint(r) {
			quoted := strconv.Quote(s[i : i+size])
			out.WriteString(quoted[1 : len(quoted)-1])
		} else {
			out.WriteRune(r)
		}
		i += size
	}
	return out.String()
}

func (p *printer) paint(c colour, s string) string {
	if p.style == Plain {
		return s
	}
	return string(c) + s + string(reset)
}

// say writes text behind a first prefix, its further lines behind spaces of the same width.
func (p *printer) say(first, text string) { p.sayPainted(first, "", text) }

func (p *printer) sayPainted(first string, c colour, text string) {
	if columns(first) > Columns/2 {
		// Names in front of the text left no room for it.
		const deeper = "      "
		for i, line := range wrap(first, Columns-len(deeper)) {
			if i == 0 {
				p.text.WriteString("  " + line + "\n")
			} else {
				p.text.WriteString("    " + line + "\n")
			}
		}
		first = deeper
	}
	indent := strings.Repeat(" ", columns(first))
	shown := first
	if c != "" {
		shown = p.paint(c, first)
	}
	for _, line := range wrap(Printable(text), Columns-len(indent)) {
		p.text.WriteString(strings.TrimRight(shown+line, " "))
		p.text.WriteByte('\n')
		shown = indent
	}
}

// wrap breaks text between words, and a word only when it is wider than a line: behind a slash if it has one.
func wrap(text string, width int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(text) {
		length := columns(word)
		if used > 0 && used+1+length > width {
			lines, line, used = append(lines, line), "", 0
		}
		for length > width {
			cut := fitting(word, width)
			lines, length, word = append(lines, word[:cut]), length-columns(word[:cut]), word[cut:]
		}
		if used > 0 {
			line += " "
			used++
		}
		line += word
		used += length
	}
	return append(lines, line)
}

func (p *printer) section(title string) {
	p.text.WriteString("\n" + p.paint(bold, title) + "\n")
}

func (p *printer) heading(e *Explanation) {
	cluster, at := "unknown", "at an unknown time"
	if e.ClusterID != "" {
		cluster = string(e.ClusterID)
	}
	if e.ObservedAt != nil {
		at = "at " + e.ObservedAt.Format(time.RFC3339)
	}
	p.say("", "etcd cluster "+cluster+", read from "+map[string]string{SourceLive: "the live cluster", SourceDirectory: "a directory"}[e.Source]+", as it was "+at)
}

// released are the Reasons of a deleting Machine that etcd no longer holds.
var released = []string{string(reason.MachineReleased), string(reason.MachineHeldByAnotherHook), string(reason.MachineHeldByCordonedNode)}

// headline says what happens next, and what is waited for.
func (p *printer) headline(e *Explanation) {
	p.text.WriteByte('\n')
	next, label := false, "NEXT     "
	if e.notRunning != "" {
		label = "WOULD    "
		p.sayPainted("STOPPED  ", red, e.notRunning)
	}
	switch {
	case e.blind != "":
		label = "WOULD    "
		p.sayPainted("UNKNOWN  ", red, e.blind)
	case e.unread():
		label = "WOULD    "
		p.sayPainted("UNKNOWN  ", red, "the etcd resource was not read, or is not there: without it the operator writes nothing, since it knows neither spec.managementState "+
			"nor what is being installed; the rest says what it would do if it is Managed and nothing is [R9.5 R10.1]")
	case e.Facts.writesNothing:
		label = "WOULD    "
		p.sayPainted("STOPPED  ", red, "spec.managementState of the etcd resource is "+string(e.Facts.ManagementState)+": the operator writes nothing; "+
			"the rest says what it would do otherwise [R9.5]")
		p.say("         ", "to unblock: set spec.managementState of etcds.operator.openshift.io/cluster to Managed")
	}
	if q := e.Quorum; q.Held != snapshot.True && (e.Facts.MembersKnown || e.Source == SourceLive) {
		c := red
		if q.Held == snapshot.Unknown || q.passes {
			c = yellow
		}
		p.sayPainted("QUORUM   ", c, q.Message+" ["+q.Rule+" "+q.Reason+"]")
		p.say("         ", remedy(q.Unblock))
	}
	do := func(text string, f Finding) {
		p.sayPainted(label, green, text+" ["+f.Rule+" "+f.Reason+"]")
		next = true
	}
	doubt := func(text string, f Finding, unless string, unread []string) {
		if len(unread) == 0 || e.unread() {
			do(text, f)
			return
		}
		p.sayPainted("DEPENDS  ", yellow, text+" ["+f.Rule+" "+f.Reason+"], "+unless+":")
		for _, first := range unread {
			p.say("         ", first)
		}
		next = true
	}
	m := e.Membership
	if m.Action != "Wait" {
		text := m.Message
		if m.PeerURL != "" {
			text += ", peer URL " + string(m.PeerURL)
		}
		if m.MoveLeaderTo != "" {
			text += ", after leadership has moved to " + string(m.MoveLeaderTo)
		}
		doubt(text, m.Finding, "if nothing that is not known puts another change in its place", m.DependsOn)
	}
	for _, machine := range e.Machines {
		if machine.Action != "None" {
			do(machine.Message, machine.Finding)
		}
	}
	for _, machine := range e.Machines {
		if slices.Contains(released, machine.Reason) && len(machine.HeldBy) > 0 {
			p.sayPainted("HELD     ", yellow, "Machine "+machine.Name+" is deleting and etcd no longer holds it; it is held by: "+strings.Join(machine.HeldBy, "; "))
			next = true
		}
	}
	for _, machine := range e.Machines {
		if machine.Reason == string(reason.HookStrippedFromDeletingMachine) {
			p.sayPainted("UNHELD   ", red, "Machine "+machine.Name+" is deleting without the hook and hosts a member: once its node is drained its host ends, "+
				"with the member still in etcd; it is held by: "+machine.held()+" ["+machine.Rule+" "+machine.Reason+"]")
			next = true
		}
	}
	for _, pod := range e.Guard.Pods {
		if pod.Action == "Create" || pod.Action == "Delete" {
			do(pod.Message, pod.Finding)
		}
	}
	if g := e.Guard; g.Budget == "Set" && g.MinAvailable != nil {
		text := fmt.Sprintf("minAvailable of the guards' budget becomes %d", *g.MinAvailable)
		if g.Current != nil && *g.Current == *g.MinAvailable {
			text = fmt.Sprintf("the guards' budget is written anew, with minAvailable %d as it is", *g.MinAvailable)
		}
		if g.Absent {
			text = fmt.Sprintf("the guards' budget is made, with minAvailable %d", *g.MinAvailable)
		}
		doubt(text, g.Finding, "if nothing that is not known makes it another number", g.DependsOn)
	}
	if e.Rollout.Step != "None" {
		do(e.Rollout.Message, e.Rollout.Finding)
	}
	switch {
	case m.Action == "Wait" && m.Reason != "MembershipAsExpected":
		p.sayPainted("WAITING  ", yellow, m.Message+" ["+m.Rule+" "+m.Reason+"]")
		if what := remedy(m.Unblock); what != "" {
			p.say("         ", what)
		}
	case m.Action == "Wait" && !next:
		p.sayPainted("NOTHING  ", green, m.Message+" ["+m.Rule+" "+m.Reason+"]")
	case m.Action == "Wait":
		p.say("MEMBERS  ", m.Message+" ["+m.Rule+" "+m.Reason+"]")
	}
	switch g := e.Guard; {
	case g.danger:
		p.sayPainted("DRAINS   ", red, string(g.Passing))
	case len(g.Holds) > 0 && !e.unread():
		more := ""
		if n := len(g.Holds) - 1; n > 0 {
			more = fmt.Sprintf(", and for %d more (see drains)", n)
		}
		first, tellsThatTheyWait := strings.CutPrefix(g.Holds[0].Message, "drains ")
		if !tellsThatTheyWait {
			first = "wait: " + first
		}
		p.say("DRAINS   ", first+" ["+g.Holds[0].Rule+" "+g.Holds[0].Reason+"]"+more)
	}
	for _, u := range e.urgent {
		p.sayPainted("ALSO     ", yellow, u.Message+" ["+u.Rule+" "+u.Reason+"]")
		p.say("         ", remedy(u.Unblock))
	}
}

// held lists what keeps the Machine from going.
func (m *Machine) held() string {
	if len(m.HeldBy) == 0 {
		return "nothing that is known here"
	}
	return strings.Join(m.HeldBy, "; ")
}

// nothingToDo is what a Reason's entry says when the operator goes on by itself; a colon and more may follow.
const nothingToDo = "nothing"

// remedy says what a person can do; nothing when there is nothing to be said.
func remedy(unblock string) string {
	if unblock == nothingToDo {
		return ""
	}
	if why, ok := strings.CutPrefix(unblock, nothingToDo+": "); ok {
		return "no need to act: " + why
	}
	return "to unblock: " + unblock
}

// sentence is a finding with what can be done about it.
func sentence(f Finding, unblock string) string {
	s := f.Message + " [" + f.Rule + " " + f.Reason + "]"
	if what := remedy(unblock); what != "" {
		s += "; " + what
	}
	return s
}

func (p *printer) facts(e *Explanation) {
	f := e.Facts
	p.section("FACTS")
	desired := "unknown"
	if f.DesiredReplicas != nil {
		desired = fmt.Sprintf("%d, from %s", *f.DesiredReplicas, f.DesiredFrom)
	}
	p.say("  replicas wanted   ", desired)
	p.say("  topology          ", orUnknown(string(f.Topology)))
	p.say("  Machine API       ", f.MachineAPI)
	p.say("  voters            ", e.voters())
	p.say("  bootstrap         ", word(f.BootstrapComplete.String(), "complete", "not complete"))
	latest := "every node runs the latest"
	if slices.ContainsFunc(e.Rollout.Nodes, func(n NodeRevision) bool { return n.behind || n.Target != nil }) {
		latest = "every node that stays runs the latest"
	}
	p.say("  revisions         ", word(f.RolloutStable.String(), latest, "being rolled out"))
	p.say("  etcd-endpoints    ", word(f.EndpointsMatch.String(), "names the voters", "does not name the voters"))
}

// voters counts the voters, as far as they are known.
func (e *Explanation) voters() string {
	f := e.Facts
	if !f.MembersKnown {
		return "unknown"
	}
	unknown := 0
	for _, m := range e.Members {
		if m.Voting && m.Health == "Unknown" {
			unknown++
		}
	}
	text := fmt.Sprintf("%d, of which healthy %d", f.Voters, f.HealthyVoters)
	if unknown > 0 {
		text += fmt.Sprintf(" and of unknown health %d", unknown)
	}
	return text + fmt.Sprintf("; quorum %d; leader %s", f.Quorum, orUnknown(string(f.Leader)))
}

func word(fact, yes, no string) string {
	switch fact {
	case "true":
		return yes
	case "false":
		return no
	default:
		return "unknown"
	}
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// table writes rows with a head if they fit, else each row as a list of what it has.
func (p *printer) table(head []string, rows [][]string) {
	widths := make([]int, len(head))
	total := 2
	for i := range head {
		widths[i] = columns(head[i])
		for _, row := range rows {
			widths[i] = max(widths[i], columns(Printable(row[i])))
		}
		total += widths[i] + 2
	}
	if total-2 > Columns {
		for _, row := range rows {
			p.say("  ", row[0])
			var parts []string
			for i := 1; i < len(row); i++ {
				parts = append(parts, strings.ToLower(head[i])+" "+row[i])
			}
			p.say("      ", strings.Join(parts, ", "))
		}
		return
	}
	for _, row := range append([][]string{head}, rows...) {
		line := " "
		for i, cell := range row {
			cell = Printable(cell)
			line += " " + cell + strings.Repeat(" ", widths[i]-columns(cell)+1)
		}
		p.text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func (p *printer) members(e *Explanation) {
	p.section("MEMBERS")
	if len(e.Members) == 0 {
		p.say("  ", "the member list is not known")
		p.podTroubles(e, false)
		return
	}
	machines := map[string]Machine{}
	for _, m := range e.Machines {
		machines[m.Name] = m
	}
	var rows [][]string
	for _, m := range e.Members {
		hook, deleting := "-", "-"
		if machine, ok := machines[string(m.Machine)]; ok {
			hook, deleting = machine.hook(), yesNo(machine.Deleting)
		}
		size := "-"
		if m.DBSizeBytes != nil {
			size = fmt.Sprintf("%.1f MiB", float64(*m.DBSizeBytes)/(1<<20))
		}
		node := orDash(string(m.Node))
		if m.nodeGone {
			node = "-"
		}
		health := strings.ToLower(m.Health)
		if len(m.Alarms) > 0 {
			health += " " + strings.Join(m.Alarms, " ")
		}
		rows = append(rows, []string{m.label, role(m), health, orDash(string(m.Version)), size, node, orDash(string(m.Machine)), hook, deleting})
	}
	p.table([]string{"NAME", "ROLE", "HEALTH", "VERSION", "DB SIZE", "NODE", "MACHINE", "HOOK", "DELETING"}, rows)
	for _, m := range e.Members {
		if m.Error != "" {
			p.sayPainted("  "+Printable(m.label)+": ", red, string(m.Error))
		}
	}
	p.podTroubles(e, false)
}

// podTroubles are those of guards, or of etcd pods.
func (p *printer) podTroubles(e *Explanation, guards bool) {
	for _, t := range e.PodTroubles {
		if t.Guard != guards {
			continue
		}
		p.sayPainted("  pod "+Printable(t.Pod)+": ", yellow, t.Message)
	}
}

func role(m Member) string {
	switch {
	case !m.Started && !m.Voting:
		return "unstarted learner"
	case !m.Started:
		return "unstarted voter"
	case !m.Voting:
		return "learner"
	case m.Leader:
		return "leader"
	default:
		return "voter"
	}
}

// hook is how the hook of a Machine is, in words.
func (m Machine) hook() string {
	if m.Hook == "WrongOwner" {
		return "wrong owner"
	}
	return strings.ToLower(m.Hook)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func (p *printer) machines(e *Explanation) {
	switch {
	case len(e.Machines) > 0:
		p.section("MACHINES")
	case e.Facts.MachineAPI == machineAPI(snapshot.Unknown):
		p.section("MACHINES")
		p.say("  ", "the Machines of the control plane are not known")
		return
	default:
		return
	}
	var rows [][]string
	for _, m := range e.Machines {
		node := orDash(string(m.Node))
		if m.nodeGone {
			node += " (gone)"
		}
		rows = append(rows, []string{m.Name, orDash(string(m.Phase)), yesNo(m.Deleting), strings.TrimRight(m.hook()+" "+string(m.HookOwner), " "), node, m.Reason})
	}
	p.table([]string{"NAME", "PHASE", "DELETING", "HOOK", "NODE", "HOOK DECISION"}, rows)
	for _, m := range e.Machines {
		for _, t := range m.Troubles {
			p.sayPainted("  "+Printable(m.Name)+" says: ", yellow, t)
		}
	}
	for _, m := range e.Machines {
		if !m.Deleting {
			continue
		}
		p.say("  "+Printable(m.Name)+" is held by: ", m.held())
		p.say("      ", sentence(m.Finding, m.Unblock))
	}
}

func (p *printer) drains(e *Explanation) {
	g := e.Guard
	p.section("DRAINS")
	if g.Reason == "SingleReplicaNeedsNoGuard" {
		p.say("  ", g.Message)
		return
	}
	set, allowed := number(g.Current), number(g.DisruptionsAllowed)
	if g.Absent {
		set, allowed = "none", "any number"
	}
	p.say("  budget  ", fmt.Sprintf("minAvailable wanted %s, set %s; disruptions allowed now %s", number(g.MinAvailable), set, allowed))
	if g.Passing != "" {
		p.sayPainted("          ", red, string(g.Passing))
	}
	if g.Misshapen {
		p.sayPainted("          ", yellow, "its spec is not the operator's: until it is written anew it may protect other pods than the guards, and hold no drain back")
	}
	var rows [][]string
	for _, pod := range g.Pods {
		ready := word(pod.Ready.String(), "ready", "not ready")
		if pod.missing {
			ready = "missing"
		}
		rows = append(rows, []string{pod.Node, ready, strings.ToLower(pod.Action), pod.Reason})
	}
	if len(rows) > 0 {
		p.table([]string{"GUARD ON NODE", "READINESS", "ACTION", "WHY"}, rows)
	}
	p.podTroubles(e, true)
	if len(g.Holds) == 1 && e.unread() {
		p.say("  ", "whether a drain may pass is unknown: it must not beside an install, and the etcd resource, which tells of installs, was not read [R8.2]")
		return
	}
	if len(g.Holds) == 0 && g.DisruptionsAllowed != nil && *g.DisruptionsAllowed <= 0 {
		p.say("  ", "no node with a guard may be drained now: the budget's status allows no disruption yet; by the operator's rules one could pass: "+
			g.Message+" ["+g.Rule+" "+g.Reason+"]")
		return
	}
	if len(g.Holds) == 0 {
		text, nodes := g.Message, strings.Join(e.drainable(), ", ")
		if g.Reason != "OneDrainMayPass" {
			text, nodes = "a drain may pass", nodes+"; "+g.Message
		}
		p.say("  ", text+": "+nodes+" ["+g.Rule+" "+g.Reason+"]")
		return
	}
	if g.Passing != "" {
		p.say("  ", "no node with a guard should be drained now:")
	} else {
		p.say("  ", "no node with a guard may be drained now:")
	}
	for _, h := range g.Holds {
		p.sayPainted("  - ", yellow, sentence(h.Finding, h.Unblock))
	}
}

// unread reports whether the etcd resource was not read.
func (e *Explanation) unread() bool { return e.Facts.writesNothing && e.Facts.ManagementState == "" }

// drainable are the nodes of which one may be drained when the budget lets a drain pass.
func (e *Explanation) drainable() []string {
	var nodes []string
	for _, pod := range e.Guard.Pods {
		if pod.mayGo() {
			nodes = append(nodes, pod.Node)
		}
	}
	return nodes
}

func number(n *int) string {
	if n == nil {
		return "unknown"
	}
	return strconv.Itoa(*n)
}

func (p *printer) rollout(e *Explanation) {
	r := e.Rollout
	p.section("ROLLOUT")
	say := func(what string, allowed snapshot.Fact, f Finding, unblock string) {
		verdict := "refused"
		switch allowed {
		case snapshot.True:
			verdict, unblock = "allowed", nothingToDo
		case snapshot.Unknown:
			verdict = "unknown"
		}
		p.say("  "+what+" "+verdict+": ", sentence(f, unblock))
	}
	say("new revision", r.Create.Allowed, r.Create.Finding, r.Create.Unblock)
	for _, n := range r.Install {
		say("install on "+Printable(n.Node), snapshot.Known(n.Allowed), n.Finding, n.Unblock)
	}
	for _, n := range r.Nodes {
		if n.Target == nil && n.Failed == nil {
			continue
		}
		p.say("  "+Printable(n.Node)+" ", n.String())
	}
	switch {
	case len(r.Install) > 0:
	case e.Facts.RolloutStable == snapshot.Unknown:
		p.say("  ", "which revision the nodes run, and whether one is to be installed, is not known")
	default:
		p.say("  nothing to install: ", r.Message+" ["+r.Rule+" "+r.Reason+"]")
	}
}

// String says which revisions there are.
func (n *NodeRevision) String() string {
	text := fmt.Sprintf("runs revision %d", n.Current)
	if n.Target != nil {
		text += fmt.Sprintf("; revision %d is being installed", *n.Target)
	}
	if n.Failed != nil {
		text += "; " + n.Failed.String()
	}
	return text
}

// String says what failed, and the first error; the others are in the document.
func (f *FailedRevision) String() string {
	text := fmt.Sprintf("revision %d failed", f.Revision)
	if f.Times > 1 {
		text += fmt.Sprintf(" %d times", f.Times)
	}
	if f.At != nil {
		text += ", last at " + f.At.Format(time.RFC3339)
	}
	if f.Reason != "" {
		text += ": " + string(f.Reason)
	}
	if len(f.Errors) > 0 {
		text += ": " + f.Errors[0]
	}
	return text
}

func (p *printer) refused(e *Explanation) {
	if len(e.Refused) == 0 {
		return
	}
	p.section("REFUSED")
	for _, r := range e.Refused {
		p.say("  ", strings.TrimSpace(r.Action+" "+r.label)+" ["+r.Rule+" "+r.Reason+"]")
		p.say("      ", r.Message)
	}
}

// conditions are shown where members are not known: the operator may see more than whoever asks.
func (p *printer) conditions(e *Explanation) {
	unknown := len(e.Members) == 0
	for _, m := range e.Members {
		unknown = unknown || m.Health == "Unknown"
	}
	if !unknown || len(e.Conditions) == 0 {
		return
	}
	p.section("CONDITIONS (what the operator itself reports)")
	for _, c := range e.Conditions {
		// The operator writes one finding a line.
		p.say("  - ", c.Type+" is "+c.Status+": "+strings.ReplaceAll(c.Message, "\n", "; ")+" ["+c.Reason+"]")
	}
}

func (p *printer) warnings(e *Explanation) {
	if len(e.Warnings) == 0 {
		return
	}
	p.section("WARNINGS")
	for _, w := range e.Warnings {
		p.sayPainted("  - ", yellow, w.Message+" ["+w.Reason+"]")
	}
}

func (p *printer) assumed(e *Explanation) {
	if len(e.Assumed) == 0 {
		return
	}
	p.section("ASSUMED")
	for _, a := range e.Assumed {
		p.say("  - ", a)
	}
}

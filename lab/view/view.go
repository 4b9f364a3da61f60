package view

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/openshift/cluster-etcd-operator/lab/plane"
)

// View shows statuses. Its methods may be called from several goroutines.
type View struct {
	out      io.Writer
	terminal bool

	mu    sync.Mutex
	lines int
	table string
	below string
	last  string
}

// New returns a View on out.
func New(out io.Writer, terminal bool) *View {
	return &View{out: out, terminal: terminal}
}

// Show shows status: the table in place of the last one, or, where out is no
// terminal, a line if something has changed.
func (v *View) Show(status plane.Status) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.terminal {
		if line := Line(status); line != v.last {
			fmt.Fprintf(v.out, "%6.1fs %s\n", status.ElapsedSeconds, line)
			v.last = line
		}
		return
	}
	v.draw(Table(status))
}

func (v *View) draw(table string) {
	table += v.below
	v.clear()
	fmt.Fprint(v.out, table)
	v.table, v.lines = table, strings.Count(table, "\n")
}

func (v *View) clear() {
	if v.lines > 0 {
		// Up to the first line of the last table, and clear from there.
		fmt.Fprintf(v.out, "\x1b[%dA\x1b[J", v.lines)
	}
	v.lines = 0
}

// Below sets what a terminal shows below the table from the next Show on: whole
// lines, or nothing.
func (v *View) Below(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.below = text
}

// Say prints a line that stays, above the table.
func (v *View) Say(line string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.terminal {
		fmt.Fprintln(v.out, line)
		return
	}
	table := v.table
	v.clear()
	fmt.Fprintln(v.out, line)
	fmt.Fprint(v.out, table)
	v.lines = strings.Count(table, "\n")
}

// End leaves the table where it is: what comes next goes below it.
func (v *View) End() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.table, v.below, v.lines = "", "", 0
}

// Line sums status up without times, so that equal lines mean that nothing has
// changed.
func Line(status plane.Status) string {
	parts := []string{string(status.Phase)}
	hosts := map[string]int{}
	for _, host := range status.Hosts {
		state := string(host.State)
		if host.Partitioned {
			state = "partitioned"
		}
		hosts[state]++
		if host.Node == "NotReady" {
			hosts["NotReady"]++
		}
	}
	for _, state := range []string{"running", "paused", "slow", "partitioned", "off", "NotReady"} {
		if hosts[state] > 0 {
			parts = append(parts, fmt.Sprintf("%d hosts %s", hosts[state], state))
		}
	}
	for _, m := range status.Members {
		parts = append(parts, memberName(m.Name, m.Address)+" "+Role(m.Leader, m.Learner, m.Started)+health(m.Healthy))
	}
	for _, machine := range status.Machines {
		if word := phaseWord(machine); word != "Running" {
			parts = append(parts, "machine "+machine.Name+" "+word)
		}
	}
	if status.MembersProblem != "" && len(status.Hosts) > 0 {
		parts = append(parts, "members unknown")
	}
	if status.APIProblem != "" {
		parts = append(parts, "no API")
	}
	return strings.Join(parts, ", ")
}

func health(healthy bool) string {
	if healthy {
		return ""
	}
	return " unhealthy"
}

// Role says what a member is in one word.
func Role(leader, learner, started bool) string {
	switch {
	case !started:
		return "unstarted"
	case learner:
		return "learner"
	case leader:
		return "leader"
	default:
		return "voter"
	}
}

func memberName(name, address string) string {
	if name == "" {
		return address
	}
	return name
}

// Table is status in full.
func Table(status plane.Status) string {
	var text strings.Builder
	fmt.Fprintf(&text, "etcdlab: %s, %.0f s", status.Phase, status.ElapsedSeconds)
	if status.ReadySeconds > 0 {
		fmt.Fprintf(&text, " (up in %.1f s)", status.ReadySeconds)
	}
	fmt.Fprintf(&text, "    work folder %s\n", status.Work)
	columns := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "HOST\tROLE\tADDRESS\tSTATE\tNODE\tMEMBER\tHEALTH\tDB")
	shown := map[string]bool{}
	for _, host := range status.Hosts {
		state := string(host.State)
		if host.Partitioned {
			state += ", partitioned"
		}
		node := host.Node
		if host.Cordoned {
			node += ", cordoned"
		}
		member, condition, size := "-", "-", "-"
		for _, m := range status.Members {
			if m.Address != host.Address {
				continue
			}
			shown[m.ID] = true
			member, condition, size = Role(m.Leader, m.Learner, m.Started), healthWord(m.Healthy, m.Problem), fmt.Sprintf("%.1f MB", float64(m.DatabaseBytes)/1e6)
		}
		fmt.Fprintln(columns, strings.Join([]string{host.Name, string(host.Role), host.Address, state, node, member, condition, size}, "\t"))
	}
	for _, m := range status.Members {
		if !shown[m.ID] {
			fmt.Fprintln(columns, strings.Join([]string{"(" + memberName(m.Name, m.Address) + ")", "-", m.Address, "no host", "-", Role(m.Leader, m.Learner, m.Started), healthWord(m.Healthy, m.Problem), "-"}, "\t"))
		}
	}
	columns.Flush()
	writeMachines(&text, status.Machines)
	if status.MembersProblem != "" && len(status.Hosts) > 0 {
		fmt.Fprintf(&text, "members: %s\n", firstLine(status.MembersProblem))
	}
	if status.APIProblem != "" {
		fmt.Fprintf(&text, "API server: %s\n", firstLine(status.APIProblem))
	} else if status.PrivateEtcd {
		fmt.Fprintln(&text, "API server: answers, from an etcd of its own")
	} else if len(status.GatewayTargets) > 0 {
		fmt.Fprintf(&text, "API server: answers, through %s\n", strings.Join(status.GatewayTargets, " "))
	}
	return text.String()
}

func writeMachines(text *strings.Builder, machines []plane.MachineStatus) {
	columns := tabwriter.NewWriter(text, 0, 0, 2, ' ', 0)
	if len(machines) > 0 {
		fmt.Fprintln(columns, "MACHINE\tROLE\tPHASE\tHOOKS")
	}
	for _, machine := range machines {
		fmt.Fprintln(columns, strings.Join([]string{machine.Name, machine.Role, phaseWord(machine), hookWord(machine.Hooks)}, "\t"))
	}
	columns.Flush()
}

func phaseWord(machine plane.MachineStatus) string {
	switch {
	case machine.Deleting:
		return "Deleting"
	case machine.Phase == "":
		return "-"
	default:
		return machine.Phase
	}
}

func hookWord(hooks []string) string {
	if len(hooks) == 0 {
		return "-"
	}
	return strings.Join(hooks, " ")
}

func healthWord(healthy bool, problem string) string {
	if healthy {
		return "healthy"
	}
	return firstLine(problem)
}

// firstLine keeps a table a table.
func firstLine(text string) string {
	const most = 70
	line, _, _ := strings.Cut(text, "\n")
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return line
}

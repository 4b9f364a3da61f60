package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// What Slow does unless it says otherwise: a quarter of the time, and longer
// waits than heartbeats of etcd, which come every 100 ms.
const (
	defaultStop  = 150 * time.Millisecond
	defaultEvery = 200 * time.Millisecond
)

// problem says what a step lacks, or is empty.
func (s *Step) problem() string {
	switch action := s.Action.(type) {
	case *Create:
		return oneOf(map[string]bool{"machine": action.Machine != "", "host": action.Host != "", "object": len(action.Object) > 0})
	case *Delete:
		if problem := oneOf(map[string]bool{"machine": action.Machine != "", "object": action.Object != Reference{}}); problem != "" || action.Machine != "" {
			return problem
		}
		return action.Object.problem()
	case *ForceDelete:
		return needs("machine", action.Machine)
	case *Host:
		if s.Kind == "kill" && action.Process == "" {
			return "process is missing; to pull the plug of a host, terminate it"
		}
		if action.Process != "" && !slices.Contains([]string{"pause", "resume", "kill"}, s.Kind) {
			return "process can only be given to pause, resume and kill"
		}
		return first(processProblem(action.Process), s.fromProblem(action.From), needs("host", action.Host))
	case *Slow:
		return first(needs("host", action.Host), processProblem(action.Process), action.cycleProblem())
	case *Node:
		return needs("node", action.Node)
	case *Drain:
		if action.Background && action.Expect != "" {
			return "nothing can be expected of a drain in the background"
		}
		return first(needs("node", action.Node), expectation(action.Expect))
	case *Evict:
		return first(oneOf(map[string]bool{"guard": action.Guard != "", "pod": action.Pod != ""}), expectation(action.Expect))
	case *Reboot:
		return needs("node", action.Node)
	case *Strip:
		return needs("machine", action.Machine)
	case *Fight:
		return needs("machine", action.Machine)
	case *Edit:
		return first(
			oneOf(map[string]bool{"install-config": action.InstallConfig != nil, "merge": action.Merge != nil, "json": action.JSON != nil}),
			action.objectProblem(), expectation(action.Expect))
	case *Operator:
		if !slices.Contains([]string{"kill", "restart", "pause", "resume", "stop", "start", "partition", "heal"}, action.Do) {
			return "do must be kill, restart, pause, resume, stop, start, partition or heal"
		}
	case *Wait:
		return given("until", action.Until)
	case *Hold:
		if action.For == 0 {
			return "for is missing"
		}
		return given("that", action.That)
	case *Expect:
		return first(oneOf(map[string]bool{
			"that": action.That.Given(), "event": action.Event != WantEvent{}, "condition": action.Condition != WantCondition{},
		}), action.conditionProblem())
	case *Release:
		return needs("name", action.Name)
	case *Sleep:
		if (action.For > 0) == (action.To > 0) || action.To < action.From {
			return "give for, or from and to"
		}
	case *Run:
		if len(action.Command) == 0 {
			return "command is missing"
		}
	}
	return ""
}

func (s *Step) fromProblem(from string) string {
	switch {
	case from == "":
		return ""
	case s.Kind != "partition" && s.Kind != "heal":
		return "from can only be given to partition and heal"
	case from != Peers:
		return "from must be peers; without it a host is cut off from everybody"
	}
	return ""
}

func processProblem(process string) string {
	if process != "" && process != "etcd" {
		return "the only process that can be named is etcd; see stop-kubelet for the kubelet"
	}
	return ""
}

// Cycle is how long Slow stops, of how much time.
func (s *Slow) Cycle() (stop, every time.Duration) {
	return s.Stop.Or(defaultStop), s.Every.Or(defaultEvery)
}

func (s *Slow) cycleProblem() string {
	if stop, every := s.Cycle(); stop >= every {
		return fmt.Sprintf("stop (%s) must be shorter than every (%s)", stop, every)
	}
	return ""
}

func (e *Edit) objectProblem() string {
	if e.InstallConfig != nil {
		if e.Object != (Reference{}) {
			return "install-config needs no object"
		}
		return ""
	}
	return e.Object.problem()
}

func (e *Expect) conditionProblem() string {
	if e.Condition == (WantCondition{}) {
		return ""
	}
	if e.Condition.On != "" && e.Condition.On != "etcd" && e.Condition.On != "clusteroperator" {
		return "condition: on must be etcd or clusteroperator"
	}
	return needs("type", e.Condition.Type)
}

func (r Reference) problem() string {
	return first(needs("apiVersion", r.APIVersion), needs("kind", r.Kind), needs("name", r.Name))
}

func expectation(value string) string {
	if value != "" && value != Done && value != Refused {
		return "expect must be done or refused"
	}
	return ""
}

func needs(field, value string) string {
	if value == "" {
		return field + " is missing"
	}
	return ""
}

func given(field string, e Expression) string {
	if !e.Given() {
		return field + " is missing"
	}
	return ""
}

func first(problems ...string) string {
	for _, problem := range problems {
		if problem != "" {
			return problem
		}
	}
	return ""
}

func oneOf(set map[string]bool) string {
	var names []string
	count := 0
	for name, isSet := range set {
		names = append(names, name)
		if isSet {
			count++
		}
	}
	if count == 1 {
		return ""
	}
	slices.Sort(names)
	return "give exactly one of " + strings.Join(names, ", ")
}

// String says in a line what the step does.
func (s Step) String() string {
	switch action := s.Action.(type) {
	case *Create:
		if action.Machine != "" {
			return "create machine " + action.Machine
		}
		if action.Host != "" {
			return "create host " + action.Host
		}
		return fmt.Sprintf("create %v", action.Object["kind"])
	case *Delete:
		if action.Machine != "" {
			return "delete machine " + action.Machine
		}
		return "delete " + action.Object.Kind + " " + action.Object.Name
	case *ForceDelete:
		return "force-delete machine " + action.Machine
	case *Host:
		if action.Process != "" {
			return s.Kind + " " + action.Process + " on " + action.Host
		}
		if action.From != "" {
			return s.Kind + " " + action.Host + ": " + action.From
		}
		return s.Kind + " " + action.Host
	case *Slow:
		stop, every := action.Cycle()
		return fmt.Sprintf("slow %s: stopped for %s of every %s", strings.TrimSpace(action.Process+" "+action.Host), stop, every)
	case *Node:
		return s.Kind + " " + action.Node
	case *Drain:
		if action.Background {
			return "drain " + action.Node + " meanwhile"
		}
		return expected("drain "+action.Node, action.Expect)
	case *Evict:
		if action.Guard != "" {
			return expected("evict the guard of "+action.Guard, action.Expect)
		}
		return expected("evict pod "+action.Pod, action.Expect)
	case *Reboot:
		return "reboot " + action.Node
	case *Strip:
		return "strip the hook of " + action.Machine
	case *Fight:
		return "fight over the hook of " + action.Machine
	case *Edit:
		if action.InstallConfig != nil {
			return expected("edit install-config", action.Expect)
		}
		return expected("edit "+action.Object.Kind+" "+action.Object.Name, action.Expect)
	case *Operator:
		return action.Do + " the operator"
	case *Wait:
		return "wait until " + action.Until.Text
	case *Hold:
		return fmt.Sprintf("for %s: %s", time.Duration(action.For), action.That.Text)
	case *Expect:
		switch {
		case action.That.Given():
			return "expect " + action.That.Text
		case action.Condition != WantCondition{}:
			return "expect condition " + action.Condition.Type
		}
		return "expect event " + action.Event.Reason
	case *Assert:
		return "from here on: " + action.Name
	case *Release:
		return "no longer: " + action.Name
	case *Sleep:
		return "let time pass"
	case *Run:
		return "run " + strings.Join(action.Command, " ")
	}
	return s.Kind
}

func expected(what, expect string) string {
	if expect == Refused {
		return what + ", to be refused"
	}
	return what
}

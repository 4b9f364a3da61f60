package facts

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"time"
)

// Hook is the preDrain hook that keeps a Machine with a member from being
// drained.
const Hook = "EtcdQuorumOperator"

// Facts are one look at everything. Kubernetes' objects were read before it
// began and the members are asked in it: what the members say is the newer.
type Facts struct {
	// At is when the look began; MembersAt when the members had answered. Both
	// count from the start of the recording.
	At        time.Duration `json:"at" expr:"-"`
	MembersAt time.Duration `json:"membersAt" expr:"-"`
	// ObjectsAt is when the reading of the objects began; ObjectsProblem says why
	// there is no newer one.
	ObjectsAt      time.Duration `json:"objectsAt" expr:"-"`
	ObjectsProblem string        `json:"objectsProblem,omitempty" expr:"objectsProblem"`
	// MembersProblem says that no member answered at all.
	MembersProblem string `json:"membersProblem,omitempty" expr:"membersProblem"`

	// Desired is the number of members that install-config and an active
	// ControlPlaneMachineSet ask for.
	Desired  int       `json:"desired" expr:"desired"`
	Members  []Member  `json:"members" expr:"members"`
	Lists    []List    `json:"lists,omitempty" expr:"-"`
	Machines []Machine `json:"machines" expr:"machines"`
	Nodes    []Node    `json:"nodes" expr:"nodes"`
	Guards   []Guard   `json:"guards" expr:"guards"`
	Budget   Budget    `json:"budget" expr:"budget"`
	// Endpoints are the addresses in ConfigMap etcd-endpoints.
	Endpoints []string `json:"endpoints" expr:"endpoints"`
	// EtcdConditions are those of the etcd resource, OperatorConditions those of
	// ClusterOperator etcd.
	EtcdConditions     []Condition `json:"etcdConditions" expr:"etcdConditions"`
	OperatorConditions []Condition `json:"operatorConditions" expr:"operatorConditions"`
	// Revisions are those of the etcd pods, from the etcd resource.
	Revisions []Revision `json:"revisions,omitempty" expr:"-"`
	// Processes are the running processes of etcd; they are looked for every second.
	Processes []Process `json:"processes,omitempty" expr:"-"`
}

// Revision is that of a Node's etcd pod; a Target other than 0 is being installed.
type Revision struct {
	Node    string `json:"node"`
	Current int    `json:"current"`
	Target  int    `json:"target,omitempty"`
}

// Process is a running etcd.
type Process struct {
	// Member is the name that it was started with.
	Member string `json:"member"`
	PID    int    `json:"pid"`
	// Began is when it was started, in ticks of the kernel since the machine was.
	Began uint64 `json:"began"`
}

// Member is an entry of the newest member list that was seen.
type Member struct {
	ID      string `json:"id" expr:"id"`
	Name    string `json:"name" expr:"name"`
	Address string `json:"address" expr:"address"`
	Started bool   `json:"started" expr:"started"`
	Learner bool   `json:"learner" expr:"learner"`
	Voter   bool   `json:"voter" expr:"voter"`
	Leader  bool   `json:"leader" expr:"leader"`
	// Healthy says that it answered: a linearizable read as a voter, one of its
	// own data as a learner.
	Healthy bool   `json:"healthy" expr:"healthy"`
	Problem string `json:"problem,omitempty" expr:"problem"`
	// Machine is the name of the Machine that has its address, or empty.
	Machine string `json:"machine,omitempty" expr:"machine"`
	// Applied is the index that it has applied.
	Applied uint64 `json:"applied,omitempty" expr:"applied"`
}

// List is the member list as one member knows it. It may be behind, but it was
// the list once.
type List struct {
	From     string   `json:"from"`
	Voters   []string `json:"voters"`
	Learners []string `json:"learners,omitempty"`
	Applied  uint64   `json:"applied"`
}

// Machine is an object of the Machine API.
type Machine struct {
	Name      string   `json:"name" expr:"name"`
	Role      string   `json:"role" expr:"role"`
	Phase     string   `json:"phase" expr:"phase"`
	Deleting  bool     `json:"deleting" expr:"deleting"`
	Hooked    bool     `json:"hooked" expr:"hooked"`
	Hooks     []string `json:"hooks,omitempty" expr:"hooks"`
	Node      string   `json:"node,omitempty" expr:"node"`
	Addresses []string `json:"addresses,omitempty" expr:"addresses"`
	UID       string   `json:"uid" expr:"uid"`
	Exists    bool     `json:"-" expr:"exists"`
}

// ControlPlane reports whether the Machine may host a member.
func (m Machine) ControlPlane() bool { return m.Role == "master" || m.Role == "arbiter" }

// Node is a Node.
type Node struct {
	Name         string   `json:"name" expr:"name"`
	Ready        bool     `json:"ready" expr:"ready"`
	Cordoned     bool     `json:"cordoned" expr:"cordoned"`
	ControlPlane bool     `json:"controlPlane" expr:"controlPlane"`
	Addresses    []string `json:"addresses,omitempty" expr:"addresses"`
	Exists       bool     `json:"-" expr:"exists"`
}

// Guard is a quorum guard's pod.
type Guard struct {
	Name     string `json:"name" expr:"name"`
	Node     string `json:"node" expr:"node"`
	Phase    string `json:"phase" expr:"phase"`
	Ready    bool   `json:"ready" expr:"ready"`
	Deleting bool   `json:"deleting" expr:"deleting"`
}

// Budget is the guards' PodDisruptionBudget.
type Budget struct {
	Exists             bool `json:"exists" expr:"exists"`
	MinAvailable       int  `json:"minAvailable" expr:"minAvailable"`
	DisruptionsAllowed int  `json:"disruptionsAllowed" expr:"disruptionsAllowed"`
	// Current says that its status was computed from its present spec.
	Current bool `json:"current" expr:"current"`
}

// Condition is one of an object.
type Condition struct {
	Type    string `json:"type" expr:"type"`
	Status  string `json:"status" expr:"status"`
	Reason  string `json:"reason,omitempty" expr:"reason"`
	Message string `json:"message,omitempty" expr:"message"`
}

// Event is a Kubernetes event.
type Event struct {
	// At is when the recording saw it.
	At        time.Duration `json:"at"`
	Reason    string        `json:"reason"`
	Type      string        `json:"type"`
	Message   string        `json:"message"`
	Namespace string        `json:"namespace"`
	// Object is the kind and name of what it is about, as in Machine/master-0.
	Object string `json:"object"`
	Count  int    `json:"count"`
	// Source is the component that reported it.
	Source string `json:"source,omitempty"`
}

// Voters counts the members that vote, and those of them that are healthy.
func (f Facts) Voters() (voters, healthy int) {
	for _, m := range f.Members {
		if !m.Voter {
			continue
		}
		voters++
		if m.Healthy {
			healthy++
		}
	}
	return voters, healthy
}

// Member returns the member with that name; one without an ID if there is none.
func (f Facts) Member(name string) Member {
	i := slices.IndexFunc(f.Members, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return Member{}
	}
	return f.Members[i]
}

// MachineNamed returns the Machine with that name, which may not exist.
func (f Facts) MachineNamed(name string) Machine {
	i := slices.IndexFunc(f.Machines, func(m Machine) bool { return m.Name == name })
	if i < 0 {
		return Machine{Name: name}
	}
	found := f.Machines[i]
	found.Exists = true
	return found
}

// NodeNamed returns the Node with that name, which may not exist.
func (f Facts) NodeNamed(name string) Node {
	i := slices.IndexFunc(f.Nodes, func(n Node) bool { return n.Name == name })
	if i < 0 {
		return Node{Name: name}
	}
	found := f.Nodes[i]
	found.Exists = true
	return found
}

// MembersOn returns the members that a Machine hosts by its addresses, or by
// its Node's name and addresses.
func (f Facts) MembersOn(machine Machine) []Member {
	addresses := slices.Clone(machine.Addresses)
	if machine.Node != "" {
		addresses = append(addresses, f.NodeNamed(machine.Node).Addresses...)
	}
	var on []Member
	for _, m := range f.Members {
		if slices.Contains(addresses, m.Address) {
			on = append(on, m)
		}
	}
	return on
}

// Process returns the etcd that runs for the member with that name; its PID is 0 if
// none does.
func (f Facts) Process(member string) Process {
	i := slices.IndexFunc(f.Processes, func(p Process) bool { return p.Member == member })
	if i < 0 {
		return Process{Member: member}
	}
	return f.Processes[i]
}

// MachineOf returns the control-plane Machine that hosts a member by its
// addresses; it does not exist if there is none.
func (f Facts) MachineOf(member Member) Machine {
	for _, m := range f.Machines {
		if m.ControlPlane() && slices.ContainsFunc(f.MembersOn(m), func(on Member) bool { return on.Address == member.Address }) {
			m.Exists = true
			return m
		}
	}
	return Machine{}
}

// MachinesAtWork reports whether Machines have anything to do with hosts: one of the
// control plane runs, or has its Node (R2.1). Otherwise they are leftovers of people
// who provide the hosts themselves.
func (f Facts) MachinesAtWork() bool {
	return slices.ContainsFunc(f.Machines, func(m Machine) bool {
		return m.ControlPlane() && (m.Phase == "Running" || m.Node != "")
	})
}

// ConditionOf returns the condition with that type; its Status is empty if
// there is none.
func ConditionOf(conditions []Condition, kind string) Condition {
	i := slices.IndexFunc(conditions, func(c Condition) bool { return c.Type == kind })
	if i < 0 {
		return Condition{Type: kind}
	}
	return conditions[i]
}

// Quorum is how many of voters decide.
func Quorum(voters int) int { return voters/2 + 1 }

// Missing says what the cluster lacks to be whole: as many healthy voters as
// desired and nobody else, each on a Ready, uncordoned Node of a Machine that is not
// being deleted (of any Machine, where those are not at work), with a Ready guard
// where guards are asked for, and named in etcd-endpoints.
func (f Facts) Missing(guards bool) []string {
	var missing []string
	say := func(format string, arguments ...any) { missing = append(missing, fmt.Sprintf(format, arguments...)) }
	if f.MembersProblem != "" || f.ObjectsProblem != "" {
		say("it was not seen: %s%s", f.MembersProblem, f.ObjectsProblem)
	}
	if voters, _ := f.Voters(); voters != f.Desired {
		say("there are %d voters, %d are desired", voters, f.Desired)
	}
	var addresses []string
	atWork := f.MachinesAtWork()
	for _, m := range f.Members {
		addresses = append(addresses, m.Address)
		machine := f.MachineNamed(m.Machine)
		node := f.NodeNamed(machine.Node)
		if !atWork {
			node = f.NodeNamed(m.Name)
		}
		switch {
		case !m.Voter:
			say("%s%s is a learner", m.Name, m.Address)
		case !m.Healthy:
			say("%s is not healthy: %s", m.Name, m.Problem)
		case atWork && !machine.Exists:
			say("%s has no Machine", m.Name)
		case machine.Deleting:
			say("the Machine of %s is being deleted", m.Name)
		case !node.Ready || node.Cordoned:
			say("the Node of %s is not Ready, or cordoned", m.Name)
		case guards && !slices.ContainsFunc(f.Guards, func(g Guard) bool { return g.Node == node.Name && g.Ready && !g.Deleting }):
			say("the guard of %s is not Ready", m.Name)
		}
	}
	slices.Sort(addresses)
	if endpoints := slices.Sorted(slices.Values(f.Endpoints)); !slices.Equal(endpoints, addresses) {
		say("etcd-endpoints names %v, members have %v", endpoints, addresses)
	}
	return missing
}

// HostOf returns the host of a URL, an IP address in canonical form; empty for what is
// no URL.
func HostOf(raw string) string {
	parsed, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if address, err := netip.ParseAddr(parsed.Hostname()); err == nil {
		return address.String()
	}
	return parsed.Hostname()
}

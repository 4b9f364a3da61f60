package scenario

import (
	"time"

	"go.yaml.in/yaml/v3"
)

// Scenario is a file that was read.
type Scenario struct {
	// Name is short and without spaces; About says in a sentence what is played.
	Name  string `yaml:"name"`
	About string `yaml:"about"`
	// ControlPlanes and Workers are the hosts to begin with.
	ControlPlanes int `yaml:"control-planes"`
	Workers       int `yaml:"workers"`
	// Arbiters is how many of the ControlPlanes are arbiters, named arbiter-0 and so
	// on; victims are never among them.
	Arbiters int `yaml:"arbiters"`
	// UserProvisioned says that nobody works on Machines: those that there are have
	// never become anything. Hosts are created without one.
	UserProvisioned bool `yaml:"user-provisioned"`
	// IPFamilies are those of all addresses, ipv4 or ipv6 or both, the one that
	// members use first; none is ipv4 alone.
	IPFamilies []string `yaml:"ip-families"`
	// PrivateEtcd keeps the API server's data out of the managed cluster.
	PrivateEtcd bool `yaml:"private-etcd"`
	// MachineSet runs the operator of ControlPlaneMachineSets.
	MachineSet bool `yaml:"machine-set"`
	// ByHand runs no operator: the steps do its part.
	ByHand bool `yaml:"by-hand"`
	// Victims are names for control-plane hosts that the seed chooses, all
	// different; $NAME stands for the host (and its Node and Machine) everywhere.
	Victims []string `yaml:"victims"`
	Load    Load     `yaml:"load"`
	// MaxWriteGap is the longest time that may pass between two acknowledged
	// writes; 0 is any.
	MaxWriteGap Duration `yaml:"max-write-gap"`
	// MinVoters is the lowest number of voters allowed, where that is not the
	// desired number because the scenario kills some.
	MinVoters int `yaml:"min-voters"`
	// Gone are Machines that must not exist at the end.
	Gone []string `yaml:"gone"`
	// Unfinished says that the scenario does not end with as many healthy voters as
	// desired, each on a Machine that stays; otherwise that is waited for.
	Unfinished bool `yaml:"unfinished"`
	// Deadline bounds all steps together.
	Deadline Duration `yaml:"deadline"`
	// Always must hold from the first step to the last.
	Always []Assertion `yaml:"always"`
	Steps  []Step      `yaml:"steps"`
	// Finally must hold after the last step, within a minute.
	Finally []Expression `yaml:"finally"`

	// Source is the text, Chosen the host that each victim's name stands for.
	Source string            `yaml:"-"`
	Chosen map[string]string `yaml:"-"`
}

// Load is what clients do to etcd meanwhile.
type Load struct {
	// Clients is how many there are, each speaking to another member as far as
	// there are enough; 0 is no load.
	Clients int `yaml:"clients"`
	// Writes is how many writes per second all of them try together.
	Writes int `yaml:"writes"`
}

// Assertion is an Expression that must hold all along.
type Assertion struct {
	Name string     `yaml:"name"`
	That Expression `yaml:"that"`
	// Grace is how long it may not hold before that counts.
	Grace Duration `yaml:"grace"`
	Line  int      `yaml:"-"`
}

// Step is one step.
type Step struct {
	Kind string
	Line int
	// Action is a pointer to the kind's type below.
	Action any
}

// The actions. Deadlines that are not given have defaults, see docs/lab.md.
type (
	// Create makes a Machine (Like copies another one's role and zone), a host
	// without a Machine, or any object.
	Create struct {
		Machine string         `yaml:"machine"`
		Host    string         `yaml:"host"`
		Like    string         `yaml:"like"`
		Object  map[string]any `yaml:"object"`
	}
	// Delete asks for the deletion of a Machine or any object, and does not wait.
	Delete struct {
		Machine string    `yaml:"machine"`
		Object  Reference `yaml:"object"`
	}
	// ForceDelete removes a Machine's finalizers and the Machine; its host stays.
	ForceDelete struct {
		Machine string `yaml:"machine"`
	}
	// Host is done to a host, or to a process of it. From peers, partition cuts only
	// what its member and others say to each other.
	Host struct {
		Host    string `yaml:"host"`
		Process string `yaml:"process"`
		From    string `yaml:"from"`
	}
	// Slow stops a host, or a process of it, for Stop of Every and lets it run for
	// the rest, until it is resumed.
	Slow struct {
		Host    string   `yaml:"host"`
		Process string   `yaml:"process"`
		Stop    Duration `yaml:"stop"`
		Every   Duration `yaml:"every"`
	}
	// Node is done to a Node, which hold-rollout does not need to exist yet.
	Node struct {
		Node string `yaml:"node"`
	}
	// Drain cordons a Node and evicts its pods through the API, asking again every
	// Every. Expect is done (default) or refused. In the background the next steps
	// are taken meanwhile, and it is tried for Within, until the Node is uncordoned,
	// and no longer.
	Drain struct {
		Node       string   `yaml:"node"`
		Expect     string   `yaml:"expect"`
		Within     Duration `yaml:"within"`
		Every      Duration `yaml:"every"`
		Background bool     `yaml:"background"`
	}
	// Evict asks once for the eviction of a pod, or of a Node's guard. Expect is
	// done (default) or refused.
	Evict struct {
		Guard     string   `yaml:"guard"`
		Pod       string   `yaml:"pod"`
		Namespace string   `yaml:"namespace"`
		Expect    string   `yaml:"expect"`
		Within    Duration `yaml:"within"`
	}
	// Reboot does what the machine config operator does: cordon, drain, reboot,
	// uncordon.
	Reboot struct {
		Node   string   `yaml:"node"`
		Within Duration `yaml:"within"`
	}
	// Strip removes the operator's hook from a Machine, as the field manager As.
	Strip struct {
		Machine string `yaml:"machine"`
		As      string `yaml:"as"`
	}
	// Fight strips the hook again and again, in the background.
	Fight struct {
		Machine string   `yaml:"machine"`
		As      string   `yaml:"as"`
		Every   Duration `yaml:"every"`
		For     Duration `yaml:"for"`
	}
	// Edit changes install-config (a merge patch of the document inside) or any
	// object (a merge patch, or a JSON patch), as the field manager As. Expect is
	// done (default) or refused.
	Edit struct {
		InstallConfig map[string]any `yaml:"install-config"`
		Object        Reference      `yaml:"object"`
		Merge         map[string]any `yaml:"merge"`
		JSON          []any          `yaml:"json"`
		Subresource   string         `yaml:"subresource"`
		As            string         `yaml:"as"`
		Expect        string         `yaml:"expect"`
	}
	// Operator does to the operator: kill, restart (SIGTERM), pause, resume. The
	// lab starts one again that has ended, unless the step was stop; start undoes
	// that. Partition cuts its way to the API server until heal, the one to etcd
	// stays.
	Operator struct {
		Do string `yaml:"do"`
	}
	// Wait returns when Until holds, and fails after Within.
	Wait struct {
		Until  Expression `yaml:"until"`
		Within Duration   `yaml:"within"`
	}
	// Hold fails unless That holds in every look for For.
	Hold struct {
		That Expression `yaml:"that"`
		For  Duration   `yaml:"for"`
	}
	// Expect fails unless exactly one of That, Event, Condition is so, Within that
	// time.
	Expect struct {
		That      Expression    `yaml:"that"`
		Event     WantEvent     `yaml:"event"`
		Condition WantCondition `yaml:"condition"`
		Within    Duration      `yaml:"within"`
	}
	// Assert begins an assertion in the middle; Release ends the one of that name.
	Assert struct {
		Assertion `yaml:",inline"`
	}
	// Release ends an assertion.
	Release struct {
		Name string `yaml:"name"`
	}
	// Sleep lets time pass; with From and To the seed chooses how much.
	Sleep struct {
		For  Duration `yaml:"for"`
		From Duration `yaml:"from"`
		To   Duration `yaml:"to"`
	}
	// Run runs a command in the lab, as `etcdlab exec` does, again until it
	// succeeds or Within has passed.
	Run struct {
		Command []string `yaml:"command"`
		Within  Duration `yaml:"within"`
	}
)

// Reference names an object.
type Reference struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Namespace  string `yaml:"namespace"`
	Name       string `yaml:"name"`
}

// WantEvent describes an event; what is empty is not asked.
type WantEvent struct {
	Reason string `yaml:"reason"`
	// Object is KIND/NAME.
	Object   string `yaml:"object"`
	Contains string `yaml:"contains"`
}

// WantCondition describes a condition; what is empty is not asked.
type WantCondition struct {
	// On is etcd (the resource, default) or clusteroperator.
	On       string `yaml:"on"`
	Type     string `yaml:"type"`
	Status   string `yaml:"status"`
	Reason   string `yaml:"reason"`
	Contains string `yaml:"contains"`
}

// Duration is a time span, written as in 90s or 2m.
type Duration time.Duration

// UnmarshalYAML reads it.
func (d *Duration) UnmarshalYAML(node *yaml.Node) error {
	parsed, err := time.ParseDuration(node.Value)
	if err != nil || parsed <= 0 {
		return &Error{Line: node.Line, Text: "want a time span such as 30s or 2m, not " + quote(node.Value)}
	}
	*d = Duration(parsed)
	return nil
}

// Or returns the duration, or other if none was given.
func (d Duration) Or(other time.Duration) time.Duration {
	if d == 0 {
		return other
	}
	return time.Duration(d)
}

// Peers are whom a member alone can be cut off from.
const Peers = "peers"

// Expectations of Drain, Evict and Edit.
const (
	Done    = "done"
	Refused = "refused"
)

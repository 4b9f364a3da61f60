package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

// Where operators record their passes, from the recording's folder: the lab's work
// folder is below it.
var (
	// PassesFile is the record of the one that the lab keeps running.
	PassesFile = filepath.Join("lab", "passes.jsonl")
	// furtherPasses are records of those that a scenario starts besides: what stands
	// for the star is the operator's name.
	furtherPasses = filepath.Join("lab", "passes-of-*.jsonl")
)

// Pass is what the operator itself says about one of its rounds: what it saw and
// what it decided. It is one line of its record, read with types of our own, so
// that a judge believes no sentence of the operator's code. Fields have the names
// of that record.
type Pass struct {
	// At is when the pass began, from the start of the recording; before it, it is
	// negative.
	At time.Duration `json:"-"`
	// Operator is who made it: empty for the one that the lab keeps running, otherwise
	// a name that the scenario gave.
	Operator string `json:"-"`
	// Process counts the operators' processes from 1: a restart begins a new one. Those
	// that the lab keeps running come first, then one for each other operator. Number
	// counts the passes of a process from 1.
	Process, Number int `json:"-"`

	Snapshot   PassSnapshot
	Membership MembershipDecision
	Hooks      HookDecisions
	Guard      GuardDecision
	Rollout    RolloutDecision

	// Seen is all of Snapshot as it was written, in the order in which it was read.
	Seen json.RawMessage `json:"-"`
}

// MemberID is a member's id as facts.Member has it, in hexadecimal; empty for
// none.
type MemberID string

// UnmarshalJSON reads the number that the operator writes.
func (id *MemberID) UnmarshalJSON(data []byte) error {
	number, err := strconv.ParseUint(string(data), 10, 64)
	if err != nil {
		return fmt.Errorf("read a member's id: %w", err)
	}
	*id = ""
	if number != 0 {
		*id = MemberID(strconv.FormatUint(number, 16))
	}
	return nil
}

// Fact is what the operator knows of a statement; nil is nothing.
type Fact *bool

// True and False report whether the statement is known to hold, or not to.
func True(f Fact) bool { return f != nil && *f }

// False reports whether the statement is known not to hold.
func False(f Fact) bool { return f != nil && !*f }

// Health is what the operator's probe of a member told.
type Health int

// The values of Health.
const (
	HealthUnknown Health = iota
	HealthGood
	HealthBad
)

// Hook is the operator's hook on a Machine as the operator saw it.
type Hook int

// The values of Hook.
const (
	HookMissing Hook = iota
	HookPresent
	HookWrongOwner
)

// PassSnapshot is what a pass saw.
type PassSnapshot struct {
	ObservedAt time.Time
	MemberList Fact
	Members    []PassMember
	Leader     MemberID

	MachineAPI, MachineList, NodeList Fact

	Machines []PassMachine
	Nodes    []PassNode
	Desired  struct {
		Replicas int
		Source   string
	}
	Topology                                        string
	ExternalEtcd, BootstrapComplete, VersionCurrent Fact

	EndpointsKnown Fact
	Endpoints      []string
	LatestRevision int
	NodeStatuses   []PassNodeStatus
	APIServers     Fact
	GuardList      Fact
	Guards         []PassGuard
	Budget         PassBudget
	PlannedInstall string
}

// PassMember is a member as a pass saw it.
type PassMember struct {
	ID               MemberID
	Name             string
	PeerURLs         []string
	PeerAddresses    []string
	Started, Learner bool
	Health           Health
	UnhealthyFor     time.Duration
	CannotServe      Fact
	Corrupt, NoSpace Fact
	AppliedIndex     uint64
	StalledFor       time.Duration
	AddressClaimed   Fact
	UnclaimedFor     time.Duration
}

// PassMachine is a control-plane Machine as a pass saw it.
type PassMachine struct {
	Name, UID, Phase  string
	Deleting          bool
	NodeRef           string
	Addresses         []string
	Hook              Hook
	ExcludedFromDrain bool
	HookBackOff       bool
}

// PassNode is a Node, and the etcd pod on it, as a pass saw it.
type PassNode struct {
	Name               string
	Present            Fact
	ControlPlane       bool
	Ready              Fact
	Cordoned, Deleting bool
	Addresses          []string
	Etcd               struct {
		Present, ContainerRunning, ContainerReady, Ready Fact
	}
}

// PassNodeStatus is the revision of a node's etcd pod; a Target other than 0 is
// being installed.
type PassNodeStatus struct {
	Node            string
	Current, Target int
}

// PassGuard is a guard pod as a pass saw it.
type PassGuard struct {
	Node, Phase               string
	Ready, Deleting, Outdated bool
}

// PassBudget is the disruption budget as a pass saw it.
type PassBudget struct {
	Present            Fact
	MinAvailable       int
	Observed           bool
	DisruptionsAllowed int
}

// Finding is the rule and the Reason of something decided, and what it is about.
// The record has no sentences; Recording.Told finds the one that was published.
type Finding struct {
	Rule, Reason, Subject, Other string
	// Have and Need are counts or seconds.
	Have, Need int
}

// Membership actions.
const (
	Wait           = "Wait"
	AddLearner     = "AddLearner"
	PromoteLearner = "PromoteLearner"
	RemoveMember   = "RemoveMember"
)

// Target is what an action on the member list is about.
type Target struct {
	Member              MemberID
	Name, Node, Machine string
}

// MembershipDecision is the change of the member list that a pass decided on, or
// the wait.
type MembershipDecision struct {
	Action string
	Target
	PeerURL      string
	MoveLeaderTo MemberID
	Finding
	// Refused are the changes that were refused, and why.
	Refused  []MembershipRefusal
	Warnings []struct {
		Target
		Finding
	}
	ClusterID, MemberDigest uint64
}

// MembershipRefusal is a change of the member list that a pass refused.
type MembershipRefusal struct {
	Action string
	Target
	Finding
}

// Hook actions; NoAction is also the one that nothing refuses.
const (
	NoAction   = "None"
	AddHook    = "AddHook"
	RepairHook = "RepairHook"
	RemoveHook = "RemoveHook"
)

// HookDecisions hold a verdict for each Machine.
type HookDecisions struct {
	Machines []HookVerdict
	Warnings []HookVerdict
}

// HookVerdict is what a pass decided about the hook of a Machine; for NoAction,
// Refused is the action that the Finding refuses.
type HookVerdict struct {
	Machine, UID, Action string
	Member               MemberID
	Refused              string
	Finding
}

// Actions on the budget and on guard pods.
const (
	KeepBudget = "Keep"
	SetBudget  = "Set"
	KeepPod    = "Keep"
	CreatePod  = "Create"
	DeletePod  = "Delete"
)

// GuardDecision is what a pass decided about the budget and the guards.
type GuardDecision struct {
	Budget       string
	MinAvailable int
	Finding
	Pods  []GuardVerdict
	Holds []Finding
}

// GuardVerdict is what a pass decided about the guard on a node.
type GuardVerdict struct {
	Node, Action, Refused string
	Finding
}

// RolloutDecision is what a pass decided about revisions.
type RolloutDecision struct {
	Create struct {
		Allowed bool
		Finding
	}
	Install []struct {
		Node    string
		Allowed bool
		Finding
	}
	Next, Step, Hold string
	Stable           Fact
	Finding
}

// Decided is one thing that a pass decided, whichever core did.
type Decided struct {
	// Core is "membership", "hook", "budget", "guard" or "rollout".
	Core string
	// Action is the core's word for it; Refused says that it was not to be done.
	Action  string
	Refused bool
	// Object is what it is about: a member's name or id, a Machine, a Node; empty for
	// the budget.
	Object string
	Finding
}

// Acts reports whether the operator was to change something because of it.
func (d Decided) Acts() bool {
	return !d.Refused && !slices.Contains([]string{"", Wait, NoAction, KeepPod}, d.Action)
}

// Decisions are all that a pass decided and refused, membership first.
func (p Pass) Decisions() []Decided {
	all := []Decided{{Core: "membership", Action: p.Membership.Action, Object: p.Membership.Target.String(), Finding: p.Membership.Finding}}
	for _, r := range p.Membership.Refused {
		all = append(all, Decided{Core: "membership", Action: r.Action, Refused: true, Object: r.Target.String(), Finding: r.Finding})
	}
	refusable := func(core, action, refused, object string, finding Finding) {
		d := Decided{Core: core, Action: action, Object: object, Finding: finding}
		if refused != "" && refused != NoAction {
			d.Action, d.Refused = refused, true
		}
		all = append(all, d)
	}
	for _, v := range p.Hooks.Machines {
		refusable("hook", v.Action, v.Refused, v.Machine, v.Finding)
	}
	all = append(all, Decided{Core: "budget", Action: p.Guard.Budget, Finding: p.Guard.Finding})
	for _, v := range p.Guard.Pods {
		refusable("guard", v.Action, v.Refused, v.Node, v.Finding)
	}
	return append(all, Decided{Core: "rollout", Action: p.Rollout.Step, Object: p.Rollout.Next, Finding: p.Rollout.Finding})
}

// String names the target as people do.
func (t Target) String() string {
	for _, name := range []string{t.Name, t.Node, t.Machine, string(t.Member)} {
		if name != "" {
			return name
		}
	}
	return ""
}

// Told returns the message of the condition that had that Reason first after that
// time, within a minute: the sentence that people saw. It is empty if there was
// none.
func (r Recording) Told(reason string, at time.Duration) string {
	for _, f := range r.Facts {
		if f.ObjectsAt < at || f.ObjectsProblem != "" || reason == "" {
			continue
		}
		if f.ObjectsAt > at+time.Minute {
			break
		}
		i := slices.IndexFunc(f.EtcdConditions, func(c facts.Condition) bool { return c.Reason == reason })
		if i >= 0 {
			return f.EtcdConditions[i].Message
		}
	}
	return ""
}

// readPasses adds the operators' own records, as far as the folder has them.
func (r *Recording) readPasses(folder string) error {
	// The pattern makes sense, and nothing else is an error.
	further, _ := filepath.Glob(filepath.Join(folder, furtherPasses))
	slices.Sort(further)
	before, after, _ := strings.Cut(filepath.Base(furtherPasses), "*")
	for _, path := range append([]string{filepath.Join(folder, PassesFile)}, further...) {
		operator := ""
		if name, found := strings.CutPrefix(filepath.Base(path), before); found {
			operator = strings.TrimSuffix(name, after)
		}
		file, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read the passes of an operator: %w", err)
		}
		r.HasPasses = true
		err = r.parsePasses(file, operator)
		file.Close()
		if err != nil {
			return err
		}
	}
	r.numberPasses()
	return nil
}

// parsePasses reads one pass of that operator a line. A line that a killed process
// left unfinished is counted; the next process goes on in the same line.
func (r *Recording) parsePasses(from io.Reader, operator string) error {
	reader := bufio.NewReader(from)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the passes of an operator: %w", err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r.takePass(line, operator)
		}
		if err != nil {
			return nil
		}
	}
}

// passBegins is how each line begins.
var passBegins = []byte(`{"Snapshot":`)

func (r *Recording) takePass(line []byte, operator string) {
	pass, err := parsePass(line)
	if err != nil {
		r.TornPasses++
		if again := bytes.LastIndex(line, passBegins); again > 0 {
			pass, err = parsePass(line[again:])
		}
	}
	if err != nil {
		return
	}
	pass.At, pass.Operator = pass.Snapshot.ObservedAt.Sub(r.Start.Began), operator
	r.Passes = append(r.Passes, pass)
}

var errNoPass = errors.New("it is no pass")

func parsePass(line []byte) (Pass, error) {
	var pass Pass
	var seen struct{ Snapshot json.RawMessage }
	if err := errors.Join(json.Unmarshal(line, &pass), json.Unmarshal(line, &seen)); err != nil {
		return Pass{}, err
	}
	if pass.Snapshot.ObservedAt.IsZero() || pass.Membership.Action == "" {
		return Pass{}, errNoPass
	}
	pass.Seen = seen.Snapshot
	return pass, nil
}

// numberPasses says which process made which pass.
func (r *Recording) numberPasses() {
	slices.SortStableFunc(r.Passes, func(a, b Pass) int { return int(a.At - b.At) })
	began := r.operatorsBegan()
	processes, number := map[string]int{}, map[int]int{}
	for i := range r.Passes {
		pass := &r.Passes[i]
		switch known := processes[pass.Operator]; {
		case pass.Operator == "":
			pass.Process = 1
			for _, at := range began {
				if pass.At >= at {
					pass.Process++
				}
			}
		case known != 0:
			pass.Process = known
		default:
			pass.Process = 1 + len(began) + len(processes) + 1
			processes[pass.Operator] = pass.Process
		}
		number[pass.Process]++
		pass.Number = number[pass.Process]
	}
}

// operatorsBegan returns from when on a process other than the one before can
// have made passes. That another one runs was noticed within a second or so; if
// the scenario ended the one before, it cannot have made any after that.
func (r *Recording) operatorsBegan() []time.Duration {
	var began []time.Duration
	known, last := map[int]bool{}, time.Duration(0)
	for _, u := range r.Usages {
		if len(known) > 0 && !known[u.PID] {
			from := u.At
			for _, i := range r.Intervals {
				if i.What == OperatorDown && i.From >= last && i.From <= u.At {
					from = i.From
				}
			}
			began = append(began, from)
		}
		known[u.PID], last = true, u.At
	}
	return began
}

// Brief is the finding in a few words, for where there is no sentence.
func (f Finding) Brief() string {
	words := []string{f.Reason}
	if f.Subject != "" {
		words = append(words, f.Subject)
	}
	if f.Other != "" {
		words = append(words, f.Other)
	}
	if f.Have != 0 || f.Need != 0 {
		words = append(words, fmt.Sprintf("%d of %d", f.Have, f.Need))
	}
	return strings.Join(words, " ") + " [" + f.Rule + "]"
}

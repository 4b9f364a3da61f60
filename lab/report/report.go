package report

import (
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/oracle"
)

// Format is the version of the JSON file; it changes when a field changes its
// meaning or goes away.
const Format = 1

// Report is everything that is told about a run.
type Report struct {
	Format   int    `json:"format"`
	Scenario string `json:"scenario"`
	// About says in a sentence what is played; Source is the scenario's file.
	About  string `json:"about"`
	Source string `json:"source"`
	Seed   int64  `json:"seed"`
	// Began is when time 0 was; Length when the recording ended.
	Began    time.Time `json:"began"`
	Length   Seconds   `json:"length"`
	Setting  Setting   `json:"setting"`
	Complete bool      `json:"complete"`
	// Defect says what the recording lacks, Stopped why the scenario was not played
	// to its end.
	Defect  string `json:"defect,omitempty"`
	Stopped string `json:"stopped,omitempty"`

	Verdict Verdict `json:"verdict"`
	// Steps are the scenario's, Faults the spans in which it kept something from
	// working.
	Steps  []Step  `json:"steps"`
	Faults []Fault `json:"faults"`
	// Hosts are in the order of their names; a member, Machine or guard belongs to
	// the host that it was seen on.
	Hosts []Host `json:"hosts"`
	// Voters and Budget are of the cluster as a whole.
	Voters []VoterSpan  `json:"voters"`
	Budget []BudgetSpan `json:"budget"`
	// Evictions are all that the API server wrote down; where it did not, those
	// granted to the scenario. AllEvictions tells which.
	Evictions    []Eviction `json:"evictions"`
	AllEvictions bool       `json:"allEvictions"`
	// Restarts are of processes of etcd.
	Restarts []Restart `json:"restarts"`
	Operator Operator  `json:"operator"`
	Writes   Writes    `json:"writes"`
	// Course is what happened, in order, whoever did it.
	Course []Moment `json:"course"`
}

// Setting is what the run was made with.
type Setting struct {
	ControlPlanes int               `json:"controlPlanes"`
	ByHand        bool              `json:"byHand,omitempty"`
	PrivateEtcd   bool              `json:"privateEtcd,omitempty"`
	EtcdVersion   string            `json:"etcdVersion,omitempty"`
	Victims       map[string]string `json:"victims,omitempty"`
	Gone          []string          `json:"gone,omitempty"`
	MinVoters     int               `json:"minVoters,omitempty"`
	LoadClients   int               `json:"loadClients"`
	LoadWrites    int               `json:"loadWrites"`
	MaxWriteGap   Seconds           `json:"maxWriteGap,omitempty"`
}

// Verdict is the oracle's.
type Verdict struct {
	// Result is that of the worst claim.
	Result oracle.Result `json:"result"`
	Claims []Claim       `json:"claims"`
	// Assumed are things that it rests on and that nobody saw, Notes facts about the
	// run.
	Assumed []string `json:"assumed,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// Claim is one thing that must be so.
type Claim struct {
	// Number counts from 1 in the verdict's order.
	Number   int           `json:"number"`
	Text     string        `json:"text"`
	Rules    []string      `json:"rules,omitempty"`
	Result   oracle.Result `json:"result"`
	Evidence string        `json:"evidence,omitempty"`
	// At are the times that the evidence of a claim that does not hold speaks of.
	At []Seconds `json:"at,omitempty"`
}

// The kinds of a Step.
const (
	StepFault = "fault"
	StepUndo  = "undo"
	StepUser  = "user"
	StepWait  = "wait"
)

// Step is a step of the scenario.
type Step struct {
	// Number counts from 1; Line is that of the scenario's file, 0 for the wait for
	// the end.
	Number int `json:"number"`
	Line   int `json:"line,omitempty"`
	// Kind is "fault" for what harms, "undo" for what ends that, "user" for what
	// people and other controllers do, "wait" for what only looks.
	Kind   string  `json:"kind"`
	Text   string  `json:"text"`
	From   Seconds `json:"from"`
	To     Seconds `json:"to"`
	Failed string  `json:"failed,omitempty"`
}

// Fault is a span in which the scenario did what would otherwise be held against
// the operator.
type Fault struct {
	From Seconds `json:"from"`
	To   Seconds `json:"to"`
	What string  `json:"what"`
	// Subject is a host or a Machine; empty for the operator.
	Subject string `json:"subject,omitempty"`
	// Step is the number of the step that began it; 0 if none was found.
	Step int `json:"step,omitempty"`
}

// Eviction is one that somebody asked for, and the same asked for again.
type Eviction struct {
	At Seconds `json:"at"`
	// Until is when it was asked for the last time, and Times how often.
	Until     Seconds `json:"until"`
	Times     int     `json:"times"`
	Namespace string  `json:"namespace"`
	Pod       string  `json:"pod"`
	// By is who asked.
	By      string `json:"by"`
	Granted bool   `json:"granted"`
}

// Restart is an etcd that was started anew.
type Restart struct {
	At   Seconds `json:"at"`
	Host string  `json:"host"`
}

// The kinds of a Moment: who did it.
const (
	ByScenario = "scenario"
	ByOperator = "operator"
	InCluster  = "cluster"
	ByOracle   = "verdict"
)

// Moment is something that happened.
type Moment struct {
	At   Seconds `json:"at"`
	By   string  `json:"by"`
	What string  `json:"what"`
	// Step, Decision and Claim are numbers of what it belongs to; 0 if to none.
	Step     int `json:"step,omitempty"`
	Decision int `json:"decision,omitempty"`
	Claim    int `json:"claim,omitempty"`
	// Fault says that it did harm.
	Fault bool `json:"fault,omitempty"`
}

// Build makes the report of a recording and its verdict.
func Build(recording history.Recording, verdict oracle.Verdict) Report {
	b := builder{recording: recording, end: lastSeen(recording)}
	start := recording.Start
	r := Report{
		Format: Format, Scenario: start.Scenario, About: about(start.Source), Source: start.Source, Seed: start.Seed,
		Began: start.Began, Length: secondsOf(b.end), Complete: recording.Complete, Defect: recording.Defect, Stopped: recording.End.Stopped,
		Setting: Setting{
			ControlPlanes: start.ControlPlanes, ByHand: start.ByHand, PrivateEtcd: start.PrivateEtcd, EtcdVersion: start.EtcdVersion,
			Victims: start.Victims, Gone: start.Gone, MinVoters: start.MinVoters,
			LoadClients: start.LoadClients, LoadWrites: start.LoadWrites, MaxWriteGap: secondsOf(start.MaxWriteGap),
		},
	}
	r.Steps = b.steps()
	r.Faults = b.faults(r.Steps)
	r.Verdict = judged(verdict)
	r.Hosts = b.hosts()
	r.Voters, r.Budget = b.voters(), b.budget()
	r.Evictions, r.AllEvictions = b.evictions(), recording.EvictionsWritten
	r.Restarts = b.restarts()
	r.Operator = b.operator(r.Faults)
	r.Writes = b.writes()
	r.Course = course(r)
	r.fill()
	return r
}

// fill makes empty lists of those that are nil: a program that reads the JSON file
// wants a list.
func (r *Report) fill() {
	full(&r.Verdict.Claims)
	full(&r.Steps)
	full(&r.Faults)
	full(&r.Hosts)
	full(&r.Voters)
	full(&r.Budget)
	full(&r.Evictions)
	full(&r.Restarts)
	full(&r.Operator.Processes)
	full(&r.Operator.Passes)
	full(&r.Operator.Cores)
	full(&r.Operator.Decisions)
	full(&r.Writes.Latencies)
	full(&r.Writes.Gaps)
	full(&r.Course)
}

func full[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}

// builder holds what is read while a Report is made.
type builder struct {
	recording history.Recording
	// end is when the recording ended, or the last that was seen of it.
	end time.Duration
}

// lastSeen is the time of the End, or that of the last thing recorded if there is
// none.
func lastSeen(r history.Recording) time.Duration {
	last := r.End.At
	if last > 0 {
		return last
	}
	for _, f := range r.Facts {
		last = max(last, f.At, f.MembersAt)
	}
	for _, o := range r.Operations {
		last = max(last, o.Return)
	}
	for _, s := range r.Steps {
		last = max(last, s.To)
	}
	return last
}

// about is the sentence in a scenario's file; what is no such file has none.
func about(source string) string {
	var file struct {
		About string `yaml:"about"`
	}
	if yaml.Unmarshal([]byte(source), &file) != nil {
		return ""
	}
	return file.About
}

// stepKinds tells a step by the first word of what it is called; all others are
// what people do.
var stepKinds = map[string]string{
	"terminate": StepFault, "destroy": StepFault, "partition": StepFault, "pause": StepFault, "kill": StepFault, "slow": StepFault,
	"stop": StepFault, "stop-kubelet": StepFault, "hold-rollout": StepFault, "strip": StepFault, "fight": StepFault, "force-delete": StepFault, "restart": StepFault,
	"start": StepUndo, "heal": StepUndo, "resume": StepUndo, "start-kubelet": StepUndo, "let-rollout": StepUndo, "uncordon": StepUndo,
	"wait": StepWait, "for": StepWait, "expect": StepWait, "from": StepWait, "no": StepWait, "let": StepWait, "the": StepWait,
}

func (b *builder) steps() []Step {
	var steps []Step
	for i, s := range b.recording.Steps {
		first, _, _ := strings.Cut(s.Name, " ")
		kind := stepKinds[first]
		if kind == "" {
			kind = StepUser
		}
		steps = append(steps, Step{Number: i + 1, Line: s.Line, Kind: kind, Text: s.Name, From: secondsOf(s.From), To: secondsOf(s.To), Failed: s.Failed})
	}
	return steps
}

func (b *builder) faults(steps []Step) []Fault {
	var faults []Fault
	for _, i := range b.recording.Intervals {
		to := i.To
		if to == 0 {
			to = b.end
		}
		fault := Fault{From: secondsOf(i.From), To: secondsOf(to), What: i.What, Subject: i.Subject}
		kind := ""
		for _, s := range steps {
			if s.Kind == StepWait || s.From > fault.From || fault.From > s.To || !strings.Contains(s.Text, i.Subject) {
				continue
			}
			// One that does harm says more than one that began at the same time.
			if kind != StepFault || s.Kind == StepFault {
				fault.Step, kind = s.Number, s.Kind
			}
		}
		faults = append(faults, fault)
	}
	return faults
}

func judged(v oracle.Verdict) Verdict {
	verdict := Verdict{Result: v.Result(), Assumed: v.Assumed, Notes: v.Notes}
	for i, c := range v.Claims {
		claim := Claim{Number: i + 1, Text: c.Text, Rules: strings.Fields(c.Rules), Result: c.Result, Evidence: c.Evidence}
		for _, at := range c.At {
			claim.At = append(claim.At, secondsOf(at))
		}
		verdict.Claims = append(verdict.Claims, claim)
	}
	return verdict
}

// evictions are those of the API server's log, one for all of the same that
// followed one another.
func (b *builder) evictions() []Eviction {
	var all []Eviction
	if !b.recording.EvictionsWritten {
		for _, e := range b.recording.Evictions {
			all = append(all, Eviction{At: secondsOf(e.At), Until: secondsOf(e.At), Times: 1, Namespace: e.Namespace, Pod: e.Pod, By: "scenario", Granted: true})
		}
		return all
	}
	last := map[[2]string]int{}
	for _, r := range b.recording.Requests {
		if !r.Eviction() || r.At < 0 || r.At > b.end {
			continue
		}
		// The last part of a service account's name tells who it is.
		e := Eviction{At: secondsOf(r.At), Until: secondsOf(r.At), Times: 1, Namespace: r.Namespace, Pod: r.Name, By: r.User[strings.LastIndexByte(r.User, ':')+1:], Granted: r.Granted()}
		of := [2]string{r.Namespace, r.Name}
		if n, known := last[of]; known && all[n].Granted == e.Granted && all[n].By == e.By {
			all[n].Until, all[n].Times = e.Until, all[n].Times+1
			continue
		}
		last[of] = len(all)
		all = append(all, e)
	}
	return all
}

// restarts are changes of the process that runs a member's etcd.
func (b *builder) restarts() []Restart {
	var all []Restart
	running := map[string]facts.Process{}
	for _, f := range b.recording.Facts {
		for _, one := range f.Processes {
			p := f.Process(one.Member)
			if before, known := running[p.Member]; known && before != p {
				all = append(all, Restart{At: secondsOf(f.At), Host: p.Member})
			}
			running[p.Member] = p
		}
	}
	return all
}

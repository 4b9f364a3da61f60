package history

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

// File is the recording's name in its folder.
const File = "recording.jsonl"

// Kind is what an Operation does.
type Kind string

// The kinds: a write of a new value, a linearizable read.
const (
	Put Kind = "put"
	Get Kind = "get"
)

// Outcome is what a client knows about its operation.
type Outcome string

// The outcomes. A write that failed may have been done all the same, now or
// later, whatever the error said: its outcome is unknown. A read that failed
// says nothing.
const (
	Acknowledged Outcome = "ok"
	Unknown      Outcome = "unknown"
)

// Operation is one request of the load. Times count from the start of the
// recording.
type Operation struct {
	Client int    `json:"client"`
	Member string `json:"member"`
	Kind   Kind   `json:"kind"`
	Key    string `json:"key"`
	// Value is what was written or read; empty if nothing was read.
	Value   string        `json:"value,omitempty"`
	Call    time.Duration `json:"call"`
	Return  time.Duration `json:"return"`
	Outcome Outcome       `json:"outcome"`
	// Revision is the store's when the answer was given; for an acknowledged write
	// it is the revision of the write.
	Revision int64  `json:"revision,omitempty"`
	Error    string `json:"error,omitempty"`
}

// Final is what a key holds after the load has ended.
type Final struct {
	Key      string        `json:"key"`
	Value    string        `json:"value"`
	Revision int64         `json:"revision"`
	Call     time.Duration `json:"call"`
	Return   time.Duration `json:"return"`
}

// Hash is a member's digest of its data after the load has ended.
type Hash struct {
	Member   string `json:"member"`
	Revision int64  `json:"revision"`
	Compact  int64  `json:"compact"`
	Hash     uint32 `json:"hash"`
	Error    string `json:"error,omitempty"`
}

// Step is a step of the scenario that has ended.
type Step struct {
	Line   int           `json:"line"`
	Name   string        `json:"name"`
	From   time.Duration `json:"from"`
	To     time.Duration `json:"to"`
	Failed string        `json:"failed,omitempty"`
}

// Eviction is one that the scenario asked for and that was granted.
type Eviction struct {
	// At is when it was asked for.
	At        time.Duration `json:"at"`
	Namespace string        `json:"namespace"`
	Pod       string        `json:"pod"`
}

// Failure is an assertion that did not hold when it had to.
type Failure struct {
	At   time.Duration `json:"at"`
	Line int           `json:"line"`
	Name string        `json:"name"`
	Text string        `json:"text"`
}

// Interval is a span during which the scenario itself does what would otherwise
// be the operator's fault. It is written twice: with From when it begins, with To
// alone when it ends.
type Interval struct {
	From time.Duration `json:"from,omitempty"`
	// To is 0 for one that lasts to the end.
	To time.Duration `json:"to,omitempty"`
	// What was done, to which object or host.
	What    string `json:"what"`
	Subject string `json:"subject,omitempty"`
}

// What an Interval may say.
const (
	// HookStripped: the scenario removes the hook of the Machine Subject.
	HookStripped = "hook stripped"
	// MachineForced: the scenario removes the finalizers of the Machine Subject.
	MachineForced = "machine force-deleted"
	// OperatorDown: the operator was killed, stopped or paused.
	OperatorDown = "operator down"
	// HostDown: the host Subject was powered off, cut off, paused, or its etcd was.
	HostDown = "host down"
)

// Start says what is recorded.
type Start struct {
	Scenario    string    `json:"scenario"`
	Source      string    `json:"source"`
	Seed        int64     `json:"seed"`
	Began       time.Time `json:"began"`
	PrivateEtcd bool      `json:"privateEtcd"`
	// EtcdVersion is another version than that of the parts.
	EtcdVersion   string            `json:"etcdVersion,omitempty"`
	ByHand        bool              `json:"byHand,omitempty"`
	ControlPlanes int               `json:"controlPlanes"`
	Victims       map[string]string `json:"victims,omitempty"`
	// LoadClients and LoadWrites (per second) are what was asked for; 0 is no load.
	LoadClients int `json:"loadClients"`
	LoadWrites  int `json:"loadWrites"`
	// MaxWriteGap is the longest time without an acknowledged write that the
	// scenario allows; 0 is any.
	MaxWriteGap time.Duration `json:"maxWriteGap"`
	// MinVoters is the lowest number of voters that the scenario allows.
	MinVoters int `json:"minVoters"`
	// Gone are Machines that must not exist at the end.
	Gone []string `json:"gone,omitempty"`
	// Unfinished says that the scenario does not end with a whole cluster.
	Unfinished bool `json:"unfinished,omitempty"`
	// Assertions are the names of all that was to be checked all along.
	Assertions []string `json:"assertions,omitempty"`
}

// Usage is what a process of the operator has used by then.
type Usage struct {
	At  time.Duration `json:"at"`
	PID int           `json:"pid"`
	// CPU is the time on processors since it was started.
	CPU time.Duration `json:"cpu"`
	// Peak is the most memory that it ever had resident, in bytes.
	Peak int64 `json:"peak"`
}

// LoadSpan is when the load ran.
type LoadSpan struct {
	From time.Duration `json:"from"`
	To   time.Duration `json:"to"`
}

// End closes a recording.
type End struct {
	// Lines is the number of lines before this one.
	Lines uint64        `json:"lines"`
	At    time.Duration `json:"at"`
	// Stopped says why the scenario was not played to its end.
	Stopped string `json:"stopped,omitempty"`
}

// line is one line of the file; exactly one of the pointers is set.
type line struct {
	Number uint64 `json:"n"`

	Start     *Start       `json:"start,omitempty"`
	Facts     *facts.Facts `json:"facts,omitempty"`
	Event     *facts.Event `json:"event,omitempty"`
	Operation *Operation   `json:"operation,omitempty"`
	Final     *Final       `json:"final,omitempty"`
	Hash      *Hash        `json:"hash,omitempty"`
	Step      *Step        `json:"step,omitempty"`
	Failure   *Failure     `json:"failure,omitempty"`
	Interval  *Interval    `json:"interval,omitempty"`
	Eviction  *Eviction    `json:"eviction,omitempty"`
	Usage     *Usage       `json:"usage,omitempty"`
	Load      *LoadSpan    `json:"load,omitempty"`
	End       *End         `json:"end,omitempty"`
}

// Recording is all of it.
type Recording struct {
	Start      Start
	Facts      []facts.Facts
	Events     []facts.Event
	Operations []Operation
	Finals     []Final
	Hashes     []Hash
	Steps      []Step
	Failures   []Failure
	Intervals  []Interval
	Evictions  []Eviction
	Usages     []Usage
	Load       LoadSpan
	End        End
	// Passes are what operators themselves recorded; HasPasses says that one did, as
	// none does where none is run. TornPasses counts lines that were not whole.
	Passes     []Pass
	HasPasses  bool
	TornPasses int
	// Requests are what the API server wrote down. EvictionsWritten says that all
	// evictions are among them, whoever asked for them.
	Requests         []Request
	EvictionsWritten bool
	// Complete says that every line was there, up to the End.
	Complete bool
	// Defect says what is missing if it is not.
	Defect string
}

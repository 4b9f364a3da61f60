package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

// longestGap is how long the last look may stand for what comes after it.
const longestGap = 2 * time.Second

// The kinds of a Lane.
const (
	HostLane    = "host"
	MachineLane = "machine"
	MemberLane  = "member"
	GuardLane   = "guard"
	// RevisionLane is of the etcd pod on a Node.
	RevisionLane = "revision"
)

// laneKinds are all, in the order of their rows.
var laneKinds = []string{HostLane, MachineLane, MemberLane, RevisionLane, GuardLane}

// States of lanes. A host, Machine, member or guard is gone where its lane has no
// span.
const (
	// Unseen: nobody answered, or nobody looked.
	Unseen = "unseen"

	// Of a host: its Node.
	NodeReady       = "ready"
	NodeNotReady    = "not ready"
	NodeCordoned    = "cordoned"
	NodeAndCordoned = "not ready, cordoned"

	// Of a Machine: its phase, but Deleting as soon as its deletion is asked for.
	MachineRunning  = "running"
	MachineComing   = "coming"
	MachineDeleting = "deleting"
	MachineFailed   = "failed"

	// Of a member.
	MemberUnstarted       = "unstarted"
	MemberLearner         = "learner"
	MemberVoter           = "voter"
	MemberLeader          = "leader"
	MemberUnhealthy       = "unhealthy"
	MemberLearnerNotThere = "unhealthy learner"

	// Of a guard.
	GuardReady    = "ready"
	GuardNotReady = "not ready"
	GuardLeaving  = "terminating"

	// Of a revision.
	RevisionRuns       = "current"
	RevisionInstalling = "installing"
)

// Host is a host and all that was seen on it.
type Host struct {
	Name  string `json:"name"`
	Lanes []Lane `json:"lanes"`
}

// Lane is one thing, from the first to the last time that it was seen.
type Lane struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	// ID tells a member or a Machine from another one of that name.
	ID    string `json:"id,omitempty"`
	Spans []Span `json:"spans"`
}

// Span is a time in which a thing was the same.
type Span struct {
	From  Seconds `json:"from"`
	To    Seconds `json:"to"`
	State string  `json:"state"`
	// Text says more than State does: a phase, a problem.
	Text string `json:"text,omitempty"`
	// Hooks are a Machine's preDrain hooks; Hooked says that the operator's is among
	// them.
	Hooked bool     `json:"hooked,omitempty"`
	Hooks  []string `json:"hooks,omitempty"`
}

func (s Span) same(other Span) bool {
	return s.State == other.State && s.Text == other.Text && s.Hooked == other.Hooked && slices.Equal(s.Hooks, other.Hooks)
}

// key is what a lane is known by.
type key struct{ kind, host, name, id string }

// tracker makes spans of looks.
type tracker struct {
	spans map[key][]Span
	open  map[key]bool
	order []key
	last  time.Duration
	begun bool
}

func newTracker() *tracker { return &tracker{spans: map[key][]Span{}, open: map[key]bool{}} }

// look notes what was seen at a time; what is not in seen is gone. Where the look
// before is too long ago, nothing is known of the time between.
func (t *tracker) look(at time.Duration, seen map[key]Span) {
	if t.begun && at-t.last > longestGap {
		t.blind(t.last+longestGap, at)
	}
	t.begun, t.last = true, at
	for _, k := range t.order {
		if _, there := seen[k]; !there && t.open[k] {
			t.close(k, at)
		}
	}
	for _, k := range slices.SortedFunc(mapKeys(seen), compareKeys) {
		span := seen[k]
		span.From = secondsOf(at)
		spans := t.spans[k]
		if t.open[k] {
			if spans[len(spans)-1].same(span) {
				continue
			}
			t.close(k, at)
		}
		if spans == nil {
			t.order = append(t.order, k)
		}
		t.spans[k], t.open[k] = append(t.spans[k], span), true
	}
}

// blind ends all that is open at from and leaves it unseen until to.
func (t *tracker) blind(from, to time.Duration) {
	for _, k := range t.order {
		if t.open[k] {
			t.close(k, from)
			t.spans[k] = append(t.spans[k], Span{From: secondsOf(from), State: Unseen})
			t.open[k] = true
		}
	}
	t.last = to
}

func (t *tracker) close(k key, at time.Duration) {
	spans := t.spans[k]
	spans[len(spans)-1].To = secondsOf(at)
	t.open[k] = false
}

// end closes what is open.
func (t *tracker) end(at time.Duration) {
	if t.begun && at-t.last > longestGap {
		t.blind(t.last+longestGap, at)
	}
	for _, k := range t.order {
		if t.open[k] {
			t.close(k, at)
		}
	}
}

func mapKeys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func compareKeys(a, b key) int {
	return cmp.Or(natural(a.host, b.host), cmp.Compare(a.kind, b.kind), natural(a.name, b.name), cmp.Compare(a.id, b.id))
}

// natural compares names so that the number after the last dash counts as one.
func natural(a, b string) int {
	split := func(name string) (string, int) {
		i := strings.LastIndexByte(name, '-')
		if number, err := strconv.Atoi(name[i+1:]); err == nil && i >= 0 {
			return name[:i], number
		}
		return name, -1
	}
	stemA, numberA := split(a)
	stemB, numberB := split(b)
	return cmp.Or(cmp.Compare(stemA, stemB), cmp.Compare(numberA, numberB), cmp.Compare(a, b))
}

// hosts makes the lanes of all hosts.
func (b *builder) hosts() []Host {
	hostOf := b.hostsByAddress()
	objects, members := newTracker(), newTracker()
	read := time.Duration(-1)
	for _, f := range b.recording.Facts {
		if f.ObjectsProblem == "" && f.ObjectsAt > read {
			read = f.ObjectsAt
			objects.look(f.ObjectsAt, seenObjects(f))
		}
		if f.MembersProblem == "" {
			members.look(f.MembersAt, seenMembers(f, hostOf))
		}
	}
	objects.end(b.end)
	members.end(b.end)
	byHost := map[string][]Lane{}
	for _, t := range []*tracker{objects, members} {
		for _, k := range t.order {
			byHost[k.host] = append(byHost[k.host], Lane{Kind: k.kind, Name: k.name, ID: k.id, Spans: t.spans[k]})
		}
	}
	var hosts []Host
	for _, name := range slices.SortedFunc(mapKeys(byHost), natural) {
		lanes := byHost[name]
		slices.SortStableFunc(lanes, func(a, b Lane) int {
			return cmp.Or(cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(a.Spans[0].From, b.Spans[0].From))
		})
		hosts = append(hosts, Host{Name: name, Lanes: lanes})
	}
	return hosts
}

func rank(kind string) int {
	return slices.Index(laneKinds, kind)
}

// hostsByAddress tells which host has an address: the one whose member, Node or
// Machine was ever seen with it. A lab gives no address twice.
func (b *builder) hostsByAddress() map[string]string {
	hostOf := map[string]string{}
	note := func(address, host string) {
		if host != "" && hostOf[address] == "" {
			hostOf[address] = host
		}
	}
	for _, f := range b.recording.Facts {
		for _, n := range f.Nodes {
			for _, address := range n.Addresses {
				note(address, n.Name)
			}
		}
		for _, m := range f.Members {
			note(m.Address, m.Name)
		}
	}
	for _, f := range b.recording.Facts {
		for _, m := range f.Members {
			note(m.Address, m.Machine)
		}
	}
	return hostOf
}

func seenObjects(f facts.Facts) map[key]Span {
	seen := map[key]Span{}
	for _, n := range f.Nodes {
		if !n.ControlPlane {
			continue
		}
		span := Span{State: NodeReady}
		switch {
		case !n.Ready && n.Cordoned:
			span.State = NodeAndCordoned
		case !n.Ready:
			span.State = NodeNotReady
		case n.Cordoned:
			span.State = NodeCordoned
		}
		seen[key{kind: HostLane, host: n.Name, name: n.Name}] = span
	}
	for _, m := range f.Machines {
		if !m.ControlPlane() {
			continue
		}
		host := m.Node
		if host == "" {
			host = m.Name
		}
		span := Span{State: MachineComing, Text: m.Phase, Hooked: m.Hooked, Hooks: m.Hooks}
		switch {
		case m.Deleting:
			span.State = MachineDeleting
		case m.Phase == "Running":
			span.State = MachineRunning
		case m.Phase == "Failed":
			span.State = MachineFailed
		}
		seen[key{kind: MachineLane, host: host, name: m.Name, id: m.UID}] = span
	}
	for _, r := range f.Revisions {
		span := Span{State: RevisionRuns, Text: strconv.Itoa(r.Current)}
		if r.Target != 0 {
			span.State, span.Text = RevisionInstalling, fmt.Sprintf("%d to %d", r.Current, r.Target)
		}
		seen[key{kind: RevisionLane, host: r.Node, name: r.Node}] = span
	}
	for _, g := range f.Guards {
		span := Span{State: GuardNotReady}
		switch {
		case g.Deleting:
			span.State = GuardLeaving
		case g.Ready:
			span.State = GuardReady
		}
		seen[key{kind: GuardLane, host: g.Node, name: g.Name}] = span
	}
	return seen
}

func seenMembers(f facts.Facts, hostOf map[string]string) map[key]Span {
	seen := map[key]Span{}
	for _, m := range f.Members {
		host := hostOf[m.Address]
		if host == "" {
			host = m.Address
		}
		span := Span{State: MemberVoter}
		switch {
		case !m.Started:
			span.State = MemberUnstarted
		case m.Learner && !m.Healthy:
			span.State, span.Text = MemberLearnerNotThere, m.Problem
		case m.Learner:
			span.State = MemberLearner
		case !m.Healthy:
			span.State, span.Text = MemberUnhealthy, m.Problem
		case m.Leader:
			span.State = MemberLeader
		}
		seen[key{kind: MemberLane, host: host, name: host, id: m.ID}] = span
	}
	return seen
}

// rolls reports whether any etcd pod came to another revision, or was to.
func (r *Report) rolls() bool {
	for _, h := range r.Hosts {
		for _, l := range h.Lanes {
			if l.Kind == RevisionLane && slices.ContainsFunc(l.Spans, func(s Span) bool { return s.Text != "0" && s.Text != l.Spans[len(l.Spans)-1].Text && s.State != Unseen }) {
				return true
			}
		}
	}
	return false
}

// VoterSpan is a time in which the voters were the same number.
type VoterSpan struct {
	From    Seconds `json:"from"`
	To      Seconds `json:"to"`
	Voters  int     `json:"voters"`
	Healthy int     `json:"healthy"`
	// Quorum is how many voters decide; Desired 0 while it was not read.
	Quorum   int `json:"quorum"`
	Learners int `json:"learners,omitempty"`
	Desired  int `json:"desired,omitempty"`
}

func (b *builder) voters() []VoterSpan {
	var spans []VoterSpan
	last, begun := time.Duration(0), false
	for _, f := range b.recording.Facts {
		if f.MembersProblem != "" {
			continue
		}
		voters, healthy := f.Voters()
		span := VoterSpan{Voters: voters, Healthy: healthy, Quorum: facts.Quorum(voters), Desired: f.Desired}
		for _, m := range f.Members {
			if m.Learner {
				span.Learners++
			}
		}
		spans = follow(spans, span, f.MembersAt, last, begun, func(s *VoterSpan) (*Seconds, *Seconds) { return &s.From, &s.To })
		last, begun = f.MembersAt, true
	}
	return finish(spans, b.end, last, func(s *VoterSpan) *Seconds { return &s.To })
}

// BudgetSpan is a time in which the guards' disruption budget was the same.
type BudgetSpan struct {
	From Seconds `json:"from"`
	To   Seconds `json:"to"`
	// Exists says that there is one.
	Exists             bool `json:"exists"`
	MinAvailable       int  `json:"minAvailable"`
	DisruptionsAllowed int  `json:"disruptionsAllowed"`
	// Current says that its status was computed from its present spec.
	Current bool `json:"current"`
}

func (b *builder) budget() []BudgetSpan {
	var spans []BudgetSpan
	last, begun, read := time.Duration(0), false, time.Duration(-1)
	for _, f := range b.recording.Facts {
		if f.ObjectsProblem != "" || f.ObjectsAt <= read {
			continue
		}
		read = f.ObjectsAt
		span := BudgetSpan{Exists: f.Budget.Exists, MinAvailable: f.Budget.MinAvailable, DisruptionsAllowed: f.Budget.DisruptionsAllowed, Current: f.Budget.Current}
		spans = follow(spans, span, f.ObjectsAt, last, begun, func(s *BudgetSpan) (*Seconds, *Seconds) { return &s.From, &s.To })
		last, begun = f.ObjectsAt, true
	}
	return finish(spans, b.end, last, func(s *BudgetSpan) *Seconds { return &s.To })
}

// follow adds what was seen at a time to spans: it prolongs the last one if that
// is the same but for its times. A gap between looks stays empty.
func follow[S comparable](spans []S, seen S, at, last time.Duration, begun bool, times func(*S) (from, to *Seconds)) []S {
	if begun {
		open := &spans[len(spans)-1]
		_, to := times(open)
		if at-last > longestGap {
			*to = secondsOf(last + longestGap)
		} else {
			*to = secondsOf(at)
			from, to := times(&seen)
			openFrom, openTo := times(open)
			*from, *to = *openFrom, *openTo
			if *open == seen {
				return spans
			}
		}
	}
	from, to := times(&seen)
	*from, *to = secondsOf(at), secondsOf(at)
	return append(spans, seen)
}

// finish prolongs the last span to the end, if that is near enough.
func finish[S any](spans []S, end, last time.Duration, to func(*S) *Seconds) []S {
	if len(spans) > 0 {
		*to(&spans[len(spans)-1]) = secondsOf(min(end, last+longestGap))
	}
	return spans
}

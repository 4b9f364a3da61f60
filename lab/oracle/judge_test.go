package oracle

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
)

const second = time.Second

// world makes the recording of a replacement that went as it should, look by
// look; tests bend it.
type world struct {
	history.Recording
}

// names of the machines; the address of name is its last character.
func member(name string, voter, healthy bool) facts.Member {
	return facts.Member{ID: "id-" + name, Name: name, Address: "10." + name[len(name)-1:], Started: true, Voter: voter, Learner: !voter, Healthy: healthy, Machine: name}
}

func machine(name string, hooked, deleting bool) facts.Machine {
	return facts.Machine{Name: name, Role: "master", Phase: "Running", Hooked: hooked, Deleting: deleting, Node: name, Addresses: []string{"10." + name[len(name)-1:]}, UID: "u-" + name}
}

// stage is one state that lasts.
type stage struct {
	lasts time.Duration
	// members: lower case is healthy, upper case is not; a minus before it is a
	// learner.
	members string
	// machines: a minus before it is deleting, a dot after it has no hook.
	machines string
	// least is minAvailable; allowed follows from the healthy voters.
	least int
}

func parseNames(text string) []string { return strings.Fields(text) }

func (s stage) facts() facts.Facts {
	f := facts.Facts{Desired: 3, Budget: facts.Budget{Exists: true, Current: true, MinAvailable: s.least}}
	for _, word := range parseNames(s.members) {
		name := strings.TrimPrefix(word, "-")
		m := member("m"+strings.ToLower(name), name == word, strings.ToLower(name) == name)
		f.Members = append(f.Members, m)
		if m.Voter {
			f.Endpoints = append(f.Endpoints, m.Address)
			f.Guards = append(f.Guards, facts.Guard{Name: "etcd-guard-" + m.Name, Node: m.Name, Ready: true})
		}
	}
	list := facts.List{From: "10.a"}
	for _, m := range f.Members {
		if m.Voter {
			list.Voters = append(list.Voters, m.ID)
		} else {
			list.Learners = append(list.Learners, m.ID)
		}
	}
	f.Lists = []facts.List{list}
	for _, word := range parseNames(s.machines) {
		name := strings.Trim(word, "-.")
		f.Machines = append(f.Machines, machine("m"+name, !strings.HasSuffix(word, "."), strings.HasPrefix(word, "-")))
		f.Nodes = append(f.Nodes, facts.Node{Name: "m" + name, Ready: true, ControlPlane: true, Addresses: []string{"10." + name}})
		f.Revisions = append(f.Revisions, facts.Revision{Node: "m" + name, Current: 1})
		f.Processes = append(f.Processes, facts.Process{Member: "m" + name, PID: int(name[0]), Began: 1})
		if strings.HasPrefix(word, "-") {
			f.EtcdConditions = append(f.EtcdConditions, facts.Condition{Type: "CProgressing", Status: "True", Reason: "Replacing", Message: "Machine m" + name + " is being replaced"})
		}
	}
	_, healthy := f.Voters()
	f.Budget.DisruptionsAllowed = max(0, healthy-s.least)
	return f
}

// stages is a replacement of a by d.
func stages() []stage {
	return []stage{
		{5 * second, "a b c", "a b c", 2},
		{5 * second, "a b c", "-a b c", 2},
		{5 * second, "a b c", "-a b c d", 3},
		{5 * second, "a b c -d", "-a b c d", 3},
		{5 * second, "a b c d", "-a b c d", 4},
		{2 * second, "b c d", "-a b c d", 3},
		{5 * second, "b c d", "-a. b c d", 2},
		{5 * second, "b c d", "b c d", 2},
	}
}

func play(all []stage) *world {
	w := &world{}
	at := time.Duration(0)
	for _, s := range all {
		for end := at + s.lasts; at < end; at += 250 * time.Millisecond {
			f := s.facts()
			f.At, f.MembersAt, f.ObjectsAt = at, at+10*time.Millisecond, at
			w.Facts = append(w.Facts, f)
		}
	}
	w.Start = history.Start{Scenario: "test", ControlPlanes: 3, Gone: []string{"ma"}, LoadClients: 4, LoadWrites: 200, MaxWriteGap: 5 * second, Assertions: []string{"an assertion"}}
	w.End, w.Complete = history.End{At: at}, true
	w.Load = history.LoadSpan{From: 0, To: at}
	w.Steps = make([]history.Step, 3)
	w.operations(at)
	w.decide()
	w.EvictionsWritten = true
	for _, name := range []string{"mb", "mc", "md"} {
		w.Hashes = append(w.Hashes, history.Hash{Member: name, Revision: 100, Hash: 7})
	}
	return w
}

// decide makes a pass every second, as an operator's that decided what happened
// next.
func (w *world) decide() {
	for i, f := range w.Facts {
		if f.At%second == 0 {
			pass := passOf(f)
			pass.Process, pass.Number = 1, len(w.Passes)+1
			for _, next := range w.Facts[i+1 : min(i+5, len(w.Facts))] {
				decideNext(&pass, f, next)
			}
			w.Passes = append(w.Passes, pass)
		}
	}
	w.HasPasses = true
}

func fact(holds bool) history.Fact { return &holds }

// passOf is the pass that sees the look.
func passOf(f facts.Facts) history.Pass {
	p := history.Pass{At: f.At}
	s := &p.Snapshot
	s.MemberList, s.MachineAPI, s.MachineList, s.NodeList, s.GuardList = fact(true), fact(true), fact(true), fact(true), fact(true)
	s.BootstrapComplete, s.VersionCurrent, s.EndpointsKnown, s.APIServers, s.Topology, s.LatestRevision = fact(true), fact(true), fact(true), fact(false), "HighlyAvailable", 1
	s.Desired.Replicas = f.Desired
	s.Budget = history.PassBudget{Present: fact(true), MinAvailable: f.Budget.MinAvailable, Observed: true}
	for _, m := range f.Members {
		health := history.HealthBad
		if m.Healthy {
			health = history.HealthGood
		}
		s.Members = append(s.Members, history.PassMember{
			ID: history.MemberID(m.ID), Name: m.Name, PeerAddresses: []string{m.Address}, Started: true, Learner: m.Learner, Health: health,
			Corrupt: fact(false), NoSpace: fact(false), AppliedIndex: 10_000,
		})
	}
	for _, m := range f.Machines {
		hook := history.HookMissing
		if m.Hooked {
			hook = history.HookPresent
		}
		s.Machines = append(s.Machines, history.PassMachine{Name: m.Name, UID: m.UID, Deleting: m.Deleting, NodeRef: m.Node, Addresses: m.Addresses, Hook: hook})
		p.Hooks.Machines = append(p.Hooks.Machines, history.HookVerdict{Machine: m.Name, Action: history.NoAction, Refused: history.NoAction, Finding: why})
	}
	for _, n := range f.Nodes {
		node := history.PassNode{Name: n.Name, Present: fact(true), Ready: fact(true), Addresses: n.Addresses}
		node.Etcd.ContainerRunning, node.Etcd.ContainerReady = fact(true), fact(f.Member(n.Name).ID != "")
		s.Nodes = append(s.Nodes, node)
	}
	for _, g := range f.Guards {
		s.Guards = append(s.Guards, history.PassGuard{Node: g.Node, Phase: "Running", Ready: g.Ready})
		p.Guard.Pods = append(p.Guard.Pods, history.GuardVerdict{Node: g.Node, Action: history.KeepPod, Finding: why})
	}
	p.Membership = history.MembershipDecision{Action: history.Wait, Finding: why}
	p.Guard.Budget, p.Guard.MinAvailable, p.Guard.Finding = history.KeepBudget, f.Budget.MinAvailable, why
	p.Rollout.Step, p.Rollout.Finding = history.NoAction, why
	p.Seen = json.RawMessage(fmt.Sprintf(`{"ObservedAt":%d,"Members":[{"ID":1,"AppliedIndex":%d}],"Nth":%d}`, f.At, f.At, f.At/second))
	return p
}

// why is a finding that any decision can have.
var why = history.Finding{Rule: "R5", Reason: "Because"}

// decideNext has the pass that saw now decide what next shows.
func decideNext(pass *history.Pass, now, next facts.Facts) {
	decide := func(action string, m facts.Member) {
		if pass.Membership.Action == history.Wait {
			pass.Membership = history.MembershipDecision{Action: action, Finding: why}
			pass.Membership.Member, pass.Membership.Name, pass.Membership.Machine, pass.Membership.Node = history.MemberID(m.ID), m.Name, m.Machine, m.Machine
			if action == history.AddLearner {
				pass.Membership.Member, pass.Membership.PeerURL = "", "https://"+m.Address+":2380"
			}
		}
	}
	for _, m := range next.Members {
		switch was := now.Member(m.Name); {
		case was.ID == "":
			decide(history.AddLearner, m)
		case was.Learner && m.Voter:
			decide(history.PromoteLearner, was)
		}
	}
	for _, m := range now.Members {
		if next.Member(m.Name).ID == "" {
			decide(history.RemoveMember, m)
		}
	}
	for i, v := range pass.Hooks.Machines {
		if later := next.MachineNamed(v.Machine); later.Exists && now.MachineNamed(v.Machine).Hooked && !later.Hooked {
			pass.Hooks.Machines[i].Action = history.RemoveHook
		}
	}
}

// evict has the API server answer somebody.
func (w *world) evict(at time.Duration, pod string, code int) {
	w.Requests = append(w.Requests, history.Request{At: at, User: "drainer", Verb: "create", Resource: "pods/eviction", Namespace: "openshift-etcd", Name: pod, Code: code})
}

// pass returns the first one after that time.
func (w *world) pass(at time.Duration) *history.Pass {
	i := slices.IndexFunc(w.Passes, func(p history.Pass) bool { return p.At >= at })
	return &w.Passes[i]
}

// second adds passes of another operator, as the lab's own would make them, from then
// to then.
func (w *world) second(from, to time.Duration) {
	for _, p := range slices.Clone(w.Passes) {
		if p.At >= from && p.At < to {
			p.At += 10 * time.Millisecond
			p.Operator, p.Process, p.Number = "second", 2, p.Number+100
			w.Passes = append(w.Passes, p)
		}
	}
	w.order()
}

// pause has the lab's operator make no pass between two times, as the scenario stops
// it, and none after it has woken up for a while.
func (w *world) pause(from, to, awake time.Duration) {
	w.Intervals = append(w.Intervals, history.Interval{From: from, To: to, What: history.OperatorDown})
	w.Passes = slices.DeleteFunc(w.Passes, func(p history.Pass) bool {
		return p.Operator == "" && p.At >= from && (p.At < to || p.At >= to+awake)
	})
}

func (w *world) order() {
	slices.SortStableFunc(w.Passes, func(a, b history.Pass) int { return int(a.At - b.At) })
}

// operations makes 200 writes per second and some reads, on keys of 50 writes.
func (w *world) operations(until time.Duration) {
	last := map[string]history.Operation{}
	var keys []string
	for n := 0; time.Duration(n)*5*time.Millisecond < until; n++ {
		at := time.Duration(n) * 5 * time.Millisecond
		key := fmt.Sprintf("key-%05d", n/50)
		o := history.Operation{Client: n % 4, Member: fmt.Sprint("member", n%3), Kind: history.Put, Key: key, Value: fmt.Sprint(n), Call: at, Return: at + 3*time.Millisecond, Outcome: history.Acknowledged, Revision: int64(n + 1)}
		w.Operations = append(w.Operations, o)
		if n%10 == 0 {
			w.Operations = append(w.Operations, history.Operation{Client: 9, Member: "member0", Kind: history.Get, Key: key, Value: fmt.Sprint(n), Call: at + 3500*time.Microsecond, Return: at + 4*time.Millisecond, Outcome: history.Acknowledged, Revision: int64(n + 1)})
		}
		if last[key].Key == "" {
			keys = append(keys, key)
		}
		last[key] = o
	}
	for _, key := range keys {
		w.Finals = append(w.Finals, history.Final{Key: key, Value: last[key].Value, Revision: last[key].Revision, Call: until, Return: until + second})
	}
}

// change bends the looks between two times.
func (w *world) change(from, to time.Duration, bend func(*facts.Facts)) {
	for i := range w.Facts {
		if f := &w.Facts[i]; f.At >= from && f.At < to {
			f.Members, f.Machines = slices.Clone(f.Members), slices.Clone(f.Machines)
			bend(f)
		}
	}
}

// putAt returns the first write after that time.
func (w *world) putAt(at time.Duration) *history.Operation {
	for i := range w.Operations {
		if o := &w.Operations[i]; o.Kind == history.Put && o.Call >= at {
			return o
		}
	}
	return nil
}

func (w *world) getAt(at time.Duration) *history.Operation {
	for i := range w.Operations {
		if o := &w.Operations[i]; o.Kind == history.Get && o.Call >= at {
			return o
		}
	}
	return nil
}

func TestAReplacementThatGoesAsItShouldHolds(t *testing.T) {
	verdict := Judge(play(stages()).Recording)
	if !verdict.Holds() {
		t.Errorf("%s", verdict)
	}
	if len(verdict.Claims) < 18 {
		t.Errorf("only %d claims:\n%s", len(verdict.Claims), verdict)
	}
	if text := verdict.String(); !strings.Contains(text, "md promoted") || !strings.Contains(text, "ma removed") || !strings.Contains(text, "verdict of test: holds") {
		t.Errorf("the verdict does not tell what happened:\n%s", text)
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	const (
		recorded   = "everything was recorded"
		steps      = "every step was taken and what it expects came"
		linear     = "reads and writes are linearizable"
		lost       = "no acknowledged write is lost"
		same       = "all members hold the same data"
		goOn       = "writes go on"
		strong     = "the load was as strong as asked"
		exceed     = "voters never exceed desired + 1"
		drop       = "voters never drop below what is wanted"
		needed     = "no healthy voter is removed that desired needs"
		quorum     = "after each removal healthy voters are a quorum"
		promotion  = "a member's first vote comes by promotion"
		oneLearner = "there is one learner at a time"
		fit        = "nobody is promoted on a Machine that is deleting or has no hook"
		keeps      = "a deleting Machine keeps the hook while it hosts a member"
		regain     = "a deleting Machine never gains the hook"
		carries    = "every live control-plane Machine carries the hook"
		protects   = "the budget never allows an eviction that quorum cannot bear"
		counts     = "the budget counts Machines and voters as it must"
		evictions  = "no eviction is granted that the budget must refuse"
		gone       = "Machine ma is gone"
		whole      = "the cluster is whole at the end"
		fatal      = "no eviction leaves fewer healthy voters than a quorum"
		decided    = "every change of the member list was decided by a pass"
		one        = "no change is made before the last one was seen"
		replaced   = "no healthy voter is removed whose Machine stays"
		install    = "no healthy voter is removed while an install is in flight"
		dead       = "no voter is removed as dead soon after it answered"
		restarted  = "no voter is restarted but by the scenario"
		tells      = "a condition tells of every deleting Machine, with a Reason"
		unknown    = "passes act on nothing that they call unknown"
		there      = "passes saw what was there"
		removals   = "passes remove no voter that is needed"
		joins      = "passes promote only who may vote"
		takes      = "passes take no hook from a Machine that hosts a member"
		guards     = "passes delete no guard of a healthy vote"
		alike      = "the same facts give the same decision"
		silent     = "no pass waits without a Reason"
		turns      = "one operator acts at a time"
	)
	for name, test := range map[string]struct {
		stages []stage
		bend   func(*world)
		claim  string
		result Result
		// evidence is part of it.
		evidence string
	}{
		"a recording without its end": {nil, func(w *world) { w.Complete, w.Defect = false, "it was not closed" }, recorded, NotProven, "it was not closed"},
		"a gap of three seconds in what was seen": {nil, func(w *world) {
			w.Facts = slices.DeleteFunc(w.Facts, func(f facts.Facts) bool { return f.At > 11*second && f.At < 14*second })
		}, recorded, NotProven, "were not seen for"},
		"three seconds in which no member answered": {nil, func(w *world) {
			w.change(11*second, 14*second, func(f *facts.Facts) { f.MembersProblem = "no" })
		}, recorded, NotProven, "the members were not seen"},
		"three seconds in which the API server did not answer": {nil, func(w *world) {
			w.change(11*second, 14*second, func(f *facts.Facts) { f.ObjectsProblem = "no" })
		}, recorded, NotProven, "the objects were not seen"},
		"a recording whose looks end long before it": {nil, func(w *world) { w.End.At += 10 * second }, recorded, NotProven, "were not seen for 8.2 s"},
		"a step that failed":                         {nil, func(w *world) { w.End.Stopped = "line 3: no" }, steps, Broken, "line 3: no"},
		"an assertion that did not hold": {nil, func(w *world) {
			w.Failures = []history.Failure{{At: 3 * second, Name: "an assertion", Text: "because"}}
		}, "an assertion", Broken, "not at 3.0 s: because"},
		"a read of the value before the last": {nil, func(w *world) {
			get := w.getAt(3 * second)
			get.Value = fmt.Sprint(atoi(t, get.Value) - 1)
		}, linear, Broken, "key-000"},
		"a read of a value that nobody wrote":       {nil, func(w *world) { w.getAt(3 * second).Value = "nonsense" }, linear, Broken, "key-000"},
		"a read of nothing after a write":           {nil, func(w *world) { w.getAt(3 * second).Value = "" }, linear, Broken, "key-000"},
		"a final value that is not the last":        {nil, func(w *world) { w.Finals[3].Value = fmt.Sprint(atoi(t, w.Finals[3].Value) - 1) }, linear, Broken, "key-00003"},
		"a key that is gone in the end":             {nil, func(w *world) { w.Finals = slices.Delete(w.Finals, 3, 4) }, lost, Broken, "key-00003 is not there"},
		"a final revision before the last write's":  {nil, func(w *world) { w.Finals[3].Revision-- }, lost, Broken, "key-00003 is of revision 199"},
		"a final value other than the last write's": {nil, func(w *world) { w.Finals[3].Value = "nonsense" }, lost, Broken, `key-00003 holds "nonsense"`},
		"a later final value that was acknowledged earlier": {nil, func(w *world) {
			w.Finals[3].Revision, w.Finals[3].Value = 9999, "170"
		}, lost, Broken, "which nobody wrote after"},
		"nothing read back":       {nil, func(w *world) { w.Finals = nil }, lost, NotProven, "nothing was read back"},
		"no operations":           {nil, func(w *world) { w.Operations = nil }, linear, NotProven, "no operation"},
		"members that differ":     {nil, func(w *world) { w.Hashes[1].Hash = 8 }, same, Broken, "mb and mc differ"},
		"a member without digest": {nil, func(w *world) { w.Hashes[1].Error = "timeout" }, same, NotProven, "mc gave no digest"},
		"digests of other data":   {nil, func(w *world) { w.Hashes[1].Compact, w.Hashes[2].Compact = 1, 2 }, same, NotProven, "no two digests"},
		"no acknowledged write for six seconds": {nil, func(w *world) {
			w.Operations = slices.DeleteFunc(w.Operations, func(o history.Operation) bool { return o.Call > 10*second && o.Call < 16*second })
		}, goOn, Broken, "6.00 s, from 10.0 s on"},
		"writes that end before the load does": {nil, func(w *world) { w.Load.To += 6 * second }, goOn, Broken, "longest time"},
		"half the load": {nil, func(w *world) {
			w.Operations = slices.DeleteFunc(w.Operations, func(o history.Operation) bool { return o.Call/(5*time.Millisecond)%2 == 0 })
		}, strong, NotProven, "100 acknowledged writes per second"},
		"a client less": {nil, func(w *world) { w.Start.LoadClients = 6 }, strong, NotProven, "from 5 clients"},
		"five voters, as one member knows": {nil, func(w *world) {
			w.change(12*second, 12500*time.Millisecond, func(f *facts.Facts) {
				f.Lists = append(f.Lists, facts.List{From: "10.b", Voters: []string{"1", "2", "3", "4", "5"}})
			})
		}, exceed, Broken, "5 at 12.0 s in the list of 10.b"},
		"a healthy voter removed before its replacement votes": {
			[]stage{{5 * second, "a b c", "a b c", 2}, {5 * second, "a b c", "-a b c", 2}, {5 * second, "b c", "-a b c", 2}, {5 * second, "b c d", "b c d", 2}},
			nil, needed, Broken, "ma at 10.0 s, with 2 left of 3"},
		"two voters where three are wanted": {
			[]stage{{5 * second, "a b c", "a b c", 2}, {5 * second, "A b c", "-a b c", 2}, {5 * second, "b c", "-a b c", 2}, {5 * second, "b c d", "b c d", 2}},
			nil, drop, Broken, "2 at 10.0 s, at least 3 are wanted"},
		"a removal that leaves too few healthy": {
			[]stage{{5 * second, "a b c", "a b c", 2}, {30 * second, "A B c", "-a b c", 2}, {5 * second, "B c", "-a b c", 2}, {5 * second, "b c d", "b c d", 2}},
			nil, quorum, Broken, "leaves 1 healthy of 2 voters"},
		"a member that votes from the start": {
			[]stage{{5 * second, "a b c", "a b c", 2}, {5 * second, "a b c d", "-a b c d", 4}, {5 * second, "b c d", "b c d", 2}},
			nil, promotion, Broken, "md was a voter when it was first seen"},
		"two learners": {
			[]stage{{5 * second, "a b c", "a b c", 2}, {5 * second, "a b c -d -e", "-a b c d e", 3}, {5 * second, "a b c d", "-a b c d", 4}, {5 * second, "b c d", "b c d", 2}},
			nil, oneLearner, Broken, "2 at 5.0 s"},
		"a promotion on a Machine without the hook": {nil, func(w *world) {
			w.change(15*second, 25*second, func(f *facts.Facts) { f.Machines[3].Hooked = false })
		}, fit, Broken, "Machine md has no hook"},
		"a promotion on a Machine that is deleting": {nil, func(w *world) {
			w.change(15*second, 25*second, func(f *facts.Facts) { f.Machines[3].Deleting = true })
		}, fit, Broken, "Machine md is deleting"},
		"a hook taken away from a member": {nil, func(w *world) {
			w.change(8*second, 25*second, func(f *facts.Facts) { f.Machines[0].Hooked = false })
		}, keeps, Broken, "ma at 8.0 s, when ma was still a member"},
		"a hook given to a deleting Machine": {nil, func(w *world) {
			w.change(29*second, 30*second, func(f *facts.Facts) { f.Machines[0].Hooked = true })
		}, regain, Broken, "ma at 29.0 s"},
		"a live Machine without the hook for too long": {
			append([]stage{{35 * second, "a b c", "a b. c", 2}}, stages()...), nil, carries, Broken, "mb had none for 30s at 30.0 s"},
		"a budget that lets quorum go": {
			append(stages(), stage{50 * second, "b c D", "b c d", 1}, stage{5 * second, "b c d", "b c d", 2}), nil, protects, Broken, "it has allowed 1 for 40s, with 2 healthy of 3 voters"},
		"a budget that forgets a Machine": {
			append([]stage{{25 * second, "a b c", "a b c d", 2}}, stages()...), nil, counts, Broken, "minAvailable has been 2 for 20s, must be at least 3"},
		"a budget that forgets a Machine that still has its hook": {
			append(stages()[:6], stage{25 * second, "b c d", "-a b c d", 2}, stage{5 * second, "b c d", "b c d", 2}), nil, counts, Broken, "minAvailable has been 2 for 20s, must be at least 3"},
		"a guard that is evicted while a Machine waits for its member": {nil, func(w *world) {
			w.evict(14800*time.Millisecond, "etcd-guard-mb", 201)
		}, evictions, Broken, "etcd-guard-mb at 14.8 s, of drainer, with 3 guards Ready and 3 needed"},
		"a budget that lets a drain go before the surplus voter": {
			[]stage{{5 * second, "a b c", "a b c", 2}, {5 * second, "a b c -d", "-a b c d", 3}, {25 * second, "a b c d", "-a b c d", 3}, {5 * second, "b c d", "b c d", 2}}, nil, counts, Broken, "minAvailable has been 3 for 20s, must be at least 4"},
		"a budget that two voters cannot bear": {
			append(stages(), stage{25 * second, "b c", "b c", 1}, stage{5 * second, "b c d", "b c d", 2}), nil, counts, Broken, "minAvailable has been 1 for 20s, must be at least 2"},
		"no budget": {nil, func(w *world) {
			w.change(0, time.Hour, func(f *facts.Facts) { f.Budget = facts.Budget{} })
		}, protects, NotProven, "there was never a budget"},
		"an eviction that costs a vote of two": {
			append(stages(), stage{50 * second, "b c D", "b c d", 2}, stage{5 * second, "b c d", "b c d", 2}), func(w *world) { w.evict(85*second, "etcd-guard-mb", 201) },
			fatal, Broken, "etcd-guard-mb at 85.0 s, of drainer, with 2 healthy of 3 voters"},
		"a removal that no pass decided": {nil, func(w *world) { w.pass(24 * second).Membership.Action = history.Wait }, decided, Broken, "ma was removed at 25.0 s, and no pass decided that"},
		"a removal that was decided long before": {append(stages()[:5], stage{70 * second, "a b c d", "-a b c d", 4}, stage{2 * second, "b c d", "-a b c d", 3}, stage{5 * second, "b c d", "b c d", 2}), func(w *world) {
			w.pass(25*second).Membership, w.pass(94*second).Membership = w.pass(94*second).Membership, w.pass(25*second).Membership
		}, decided, Broken, "ma was removed at 95.0 s, and no pass decided that"},
		"a promotion that was decided of another member":     {nil, func(w *world) { w.pass(19 * second).Membership.Member = "id-mb" }, decided, Broken, "md was promoted at 20.0 s"},
		"a member added with another address than decided":   {nil, func(w *world) { w.pass(14 * second).Membership.PeerURL = "https://10.e:2380" }, decided, Broken, "md was added at 15.0 s"},
		"passes that were not recorded":                      {nil, func(w *world) { w.Passes, w.HasPasses = nil, false }, decided, NotProven, "not recorded"},
		"passes that were not recorded prove nothing else":   {nil, func(w *world) { w.Passes, w.HasPasses = nil, false }, unknown, NotProven, "not recorded"},
		"a removal by a pass that did not see the promotion": {nil, func(w *world) { w.pass(24 * second).Snapshot.Members[3].Learner = true }, one, Broken, "ma was removed at 25.0 s by a pass of 24.0 s that did not see that md was promoted"},
		"a promotion by a pass that did not see the learner": {nil, func(w *world) {
			pass := w.pass(19 * second)
			pass.Snapshot.Members = pass.Snapshot.Members[:3]
		}, one, Broken, "md was promoted at 20.0 s by a pass"},
		"a removal of a healthy voter whose Machine stays": {
			append(stages()[:1], stage{5 * second, "a b c -d", "a b c d", 3}, stage{5 * second, "a b c d", "a b c d", 3}, stage{10 * second, "b c d", "a b c d", 3}, stage{5 * second, "b c d", "b c d", 2}),
			nil, replaced, Broken, "ma was removed at 15.0 s: Machine ma stays"},
		"a removal of a healthy voter without a Machine": {
			append(stages()[:1], stage{35 * second, "a b c d", "b c d", 3}, stage{10 * second, "b c d", "b c d", 3}), nil, replaced, Broken, "ma was removed at 40.0 s: it has no Machine"},
		"a removal during an install": {nil, func(w *world) {
			w.change(20*second, 30*second, func(f *facts.Facts) {
				f.Revisions = []facts.Revision{{Node: "mc", Current: 1, Target: 2}}
			})
		}, install, Broken, "ma was removed at 25.0 s, while a revision was being installed on mc"},
		"a voter that is removed as dead four seconds after it answered": {
			append(stages()[:2], stage{4 * second, "A b c", "-a b c", 2}, stage{5 * second, "b c", "-a. b c", 2}, stage{5 * second, "b c d", "b c d", 2}),
			func(w *world) { w.Start.MinVoters = 2 }, dead, Broken, "ma was removed at 14.0 s, 4.0 s after it answered"},
		"a healthy voter that is removed as dead": {nil, func(w *world) { w.pass(24 * second).Snapshot.Members[0].Health = history.HealthBad }, dead, Broken, "ma was removed at 25.0 s, 0.0 s after it answered"},
		"a voter that is started again": {nil, func(w *world) {
			w.change(12*second, time.Hour, func(f *facts.Facts) {
				f.Processes = slices.Clone(f.Processes)
				f.Processes[slices.IndexFunc(f.Processes, func(p facts.Process) bool { return p.Member == "mb" })].Began = 2
			})
		}, restarted, Broken, "mb at 12.0 s, with 3 healthy of 3 voters"},
		"a voter that is gone for a while and has another process": {nil, func(w *world) {
			w.change(12*second, time.Hour, func(f *facts.Facts) {
				f.Processes = slices.DeleteFunc(slices.Clone(f.Processes), func(p facts.Process) bool { return p.Member == "mb" })
				if f.At > 14*second {
					f.Processes = append(f.Processes, facts.Process{Member: "mb", PID: 4711, Began: 1})
				}
			})
		}, restarted, Broken, "mb at 14.2 s"},
		"processes that nobody saw": {nil, func(w *world) {
			w.change(0, time.Hour, func(f *facts.Facts) { f.Processes = nil })
		}, restarted, NotProven, "no process of etcd was seen"},
		"a deleting Machine of which nobody tells": {nil, func(w *world) {
			w.change(8*second, 21*second, func(f *facts.Facts) { f.EtcdConditions = nil })
		}, tells, Broken, "none told of Machine ma for 12s at 20.0 s"},
		"a condition without a Reason": {nil, func(w *world) {
			w.change(8*second, 21*second, func(f *facts.Facts) {
				f.EtcdConditions = slices.Clone(f.EtcdConditions)
				f.EtcdConditions[0].Reason = ""
			})
		}, tells, Broken, "none told of Machine ma"},
		"a condition that names another Machine": {nil, func(w *world) {
			w.change(8*second, 21*second, func(f *facts.Facts) {
				f.EtcdConditions = slices.Clone(f.EtcdConditions)
				f.EtcdConditions[0].Message = "Machine ma-2 is being replaced"
			})
		}, tells, Broken, "none told of Machine ma"},
		"a condition that is not so": {nil, func(w *world) {
			w.change(8*second, 21*second, func(f *facts.Facts) {
				f.EtcdConditions = slices.Clone(f.EtcdConditions)
				f.EtcdConditions[0].Status = "False"
			})
		}, tells, Broken, "none told of Machine ma"},
		"a removal though the member list is not known":      {nil, func(w *world) { w.pass(24 * second).Snapshot.MemberList = nil }, unknown, Broken, "the one of 24.0 s: RemoveMember ma, though it did not know the member list"},
		"a removal though Nodes are not known":               {nil, func(w *world) { w.pass(24 * second).Snapshot.NodeList = nil }, unknown, Broken, "the Nodes"},
		"a removal though the Machine API may not work":      {nil, func(w *world) { w.pass(24 * second).Snapshot.MachineAPI = nil }, unknown, Broken, "whether the Machine API works"},
		"a removal though Machines are not known":            {nil, func(w *world) { w.pass(24 * second).Snapshot.MachineList = nil }, unknown, Broken, "the Machines"},
		"a removal in a topology that is not known":          {nil, func(w *world) { w.pass(24 * second).Snapshot.Topology = "" }, unknown, Broken, "the topology"},
		"a removal before the bootstrap is known to be done": {nil, func(w *world) { w.pass(24 * second).Snapshot.BootstrapComplete = nil }, unknown, Broken, "bootstrap"},
		"a removal without a desired number":                 {nil, func(w *world) { w.pass(24 * second).Snapshot.Desired.Replicas = 0 }, unknown, Broken, "how many members are desired"},
		"a removal of a member of which nothing is known":    {nil, func(w *world) { w.pass(24 * second).Snapshot.Members[0].Health = history.HealthUnknown }, unknown, Broken, "how the member is"},
		"a removal beside a voter of which nothing is known": {nil, func(w *world) { w.pass(24 * second).Snapshot.Members[1].Health = history.HealthUnknown }, unknown, Broken, "that voter mb is well"},
		"a removal though endpoints are not known":           {nil, func(w *world) { w.pass(24 * second).Snapshot.EndpointsKnown = nil }, unknown, Broken, "the endpoints"},
		"a promotion of a learner with an alarm":             {nil, func(w *world) { w.pass(19 * second).Snapshot.Members[3].NoSpace = nil }, unknown, Broken, "that the learner is well"},
		"a promotion beside a voter that may be corrupt":     {nil, func(w *world) { w.pass(19 * second).Snapshot.Members[2].Corrupt = nil }, unknown, Broken, "that voter mc is well"},
		"a promotion though the guards are not known":        {nil, func(w *world) { w.pass(19 * second).Snapshot.GuardList = nil }, unknown, Broken, "the guards"},
		"a member added whose pod may not wait":              {nil, func(w *world) { w.pass(14 * second).Snapshot.Nodes[3].Etcd.ContainerReady = nil }, unknown, Broken, "that the etcd of node md waits to join"},
		"a hook taken though members are not known":          {nil, func(w *world) { w.pass(26 * second).Snapshot.MemberList = nil }, unknown, Broken, "RemoveHook on Machine ma, though it did not know the members"},
		"a hook given though the Machine API may not work": {nil, func(w *world) {
			w.pass(8*second).Snapshot.MachineAPI, w.pass(8 * second).Hooks.Machines[1].Action = nil, history.AddHook
		}, unknown, Broken, "AddHook on Machine mb, though it did not know that the Machine API works"},
		"a guard deleted though an upgrade may be under way": {nil, func(w *world) {
			w.pass(8*second).Snapshot.VersionCurrent, w.pass(8 * second).Guard.Pods[1].Action = nil, history.DeletePod
		}, unknown, Broken, "the guard on mb is deleted, though it did not know that no upgrade"},
		"a budget lowered though guards are not known": {nil, func(w *world) {
			pass := w.pass(8 * second)
			pass.Snapshot.GuardList, pass.Guard.Budget, pass.Guard.MinAvailable = nil, history.SetBudget, 1
		}, unknown, Broken, "the budget is lowered to 1, though it did not know the guards"},
		"a record with many lines that are not whole": {nil, func(w *world) { w.TornPasses = 3 }, unknown, NotProven, "3 lines"},
		"a pass that saw a member that was never there": {nil, func(w *world) {
			pass := w.pass(8 * second)
			pass.Snapshot.Members = append(pass.Snapshot.Members, history.PassMember{ID: "id-mz", Learner: true})
		}, there, Broken, "it saw the members id-ma id-mb id-mc id-mz (learner), which were never these then"},
		"a pass that found a learner where a voter was": {nil, func(w *world) { w.pass(8 * second).Snapshot.Members[0].Learner = true }, there, Broken, "the one of 8.0 s"},
		"a pass that found a member healthy that was cut off": {nil, func(w *world) {
			w.Intervals = []history.Interval{{From: second, To: 30 * second, What: history.HostDown, Subject: "mb"}}
			w.change(5*second, 20*second, func(f *facts.Facts) { f.Members[1].Healthy = false })
		}, there, Broken, "it found mb healthy, which was cut off"},
		"two operators that decide at the same time": {nil, func(w *world) { w.second(7*second, time.Hour) }, turns, Broken, "the lab's operator made a pass at 8.0 s, after another one had led"},
		"an operator that decides long after it has woken up": {nil, func(w *world) {
			w.second(7*second, time.Hour)
			w.pause(6*second, 11*second, 17*second)
		}, turns, Broken, "the lab's operator made a pass at 27.0 s"},
		"an operator that wakes up and does what the one that leads did not decide": {nil, func(w *world) {
			w.second(18*second, 24*second)
			w.pause(17*second, 24*second, second)
		}, turns, Broken, "ma was removed at 25.0 s, which only the lab's operator had decided, at 24.0 s"},
		"an operator that does what it decided before it was stopped, when another leads": {nil, func(w *world) {
			w.second(24*second, time.Hour)
			w.pass(23 * second).Membership = w.pass(24 * second).Membership
			w.pass(24*second + 1).Membership = history.MembershipDecision{Action: history.Wait, Finding: why}
			w.pause(23500*time.Millisecond, 24500*time.Millisecond, 0)
		}, turns, Broken, "ma was removed at 25.0 s, which only the lab's operator had decided, at 23.0 s"},
		"a budget that stays too low although another operator leads": {
			append([]stage{{25 * second, "a b c", "a b c d", 2}}, stages()...), func(w *world) {
				w.second(2*second, time.Hour)
				w.pause(second, 10*second, 0)
			}, counts, Broken, "at 22.2 s"},
		"a pass that removes a voter that desired needs": {nil, func(w *world) { w.pass(24 * second).Snapshot.Desired.Replicas = 4 }, removals, Broken, "ma is removed, which leaves 3 healthy voters of 4 desired"},
		"a pass that removes a voter though few are healthy": {nil, func(w *world) {
			for i := range 3 {
				w.pass(24 * second).Snapshot.Members[i].Health = history.HealthBad
			}
		}, removals, Broken, "ma is removed, which leaves 1 healthy of 3 voters"},
		"a pass that makes too many voters":               {nil, func(w *world) { w.pass(19 * second).Snapshot.Desired.Replicas = 2 }, joins, Broken, "which makes 4 voters of 2 desired"},
		"a pass that promotes a learner that is behind":   {nil, func(w *world) { w.pass(19 * second).Snapshot.Members[3].AppliedIndex = 4999 }, joins, Broken, "5001 entries behind ma"},
		"a pass that promotes on a Machine without hook":  {nil, func(w *world) { w.pass(19 * second).Snapshot.Machines[3].Hook = history.HookWrongOwner }, joins, Broken, "Machine md has no hook"},
		"a pass that promotes on a deleting Machine":      {nil, func(w *world) { w.pass(19 * second).Snapshot.Machines[3].Deleting = true }, joins, Broken, "Machine md is deleting"},
		"a pass that promotes somebody without a Machine": {nil, func(w *world) { w.pass(19 * second).Membership.Machine = "" }, joins, Broken, "has no Machine"},
		"a pass that adds a member beside a learner":      {nil, func(w *world) { w.pass(14 * second).Snapshot.Members[2].Learner = true }, joins, Broken, "md is added beside mc"},
		"a pass that takes a hook from a member":          {nil, func(w *world) { w.pass(8 * second).Hooks.Machines[0].Action = history.RemoveHook }, takes, Broken, "Machine ma loses the hook, and hosts ma"},
		"a pass that takes a hook from a member that only its Node knows": {nil, func(w *world) {
			w.pass(8 * second).Hooks.Machines[0].Action, w.pass(8 * second).Snapshot.Machines[0].Addresses = history.RemoveHook, nil
		}, takes, Broken, "Machine ma loses the hook, and hosts ma"},
		"a pass that gives a hook to a deleting Machine": {nil, func(w *world) { w.pass(8 * second).Hooks.Machines[0].Action = history.AddHook }, takes, Broken, "Machine ma gains the hook, and is deleting"},
		"a pass that deletes the guard of a vote":        {nil, func(w *world) { w.pass(8 * second).Guard.Pods[1].Action = history.DeletePod }, guards, Broken, "the guard on mb is deleted, and stands for mb"},
		"two passes that saw the same and differ": {nil, func(w *world) {
			w.pass(7 * second).Seen = json.RawMessage(`{"ObservedAt":1,"Members":[{"ID":1,"AppliedIndex":7},{"ID":2,"AppliedIndex":9}],"Nth":7}`)
			w.pass(8 * second).Seen = json.RawMessage(`{"Nth":7,"Members":[{"ID":2,"AppliedIndex":5},{"ID":1,"AppliedIndex":6}],"ObservedAt":2}`)
			w.pass(8 * second).Guard.MinAvailable = 1
		}, alike, Broken, "those of 7.0 s and 8.0 s saw the same and decided otherwise"},
		"a decision without a Reason":                     {nil, func(w *world) { w.pass(8 * second).Guard.Pods[0].Reason = "" }, silent, Broken, "guard Keep ma has no Reason or no rule"},
		"a decision without a rule":                       {nil, func(w *world) { w.pass(8 * second).Rollout.Rule = "" }, silent, Broken, "rollout None"},
		"a pass that finds nothing where a Machine waits": {nil, func(w *world) { w.pass(8 * second).Membership.Reason = "MembershipAsExpected" }, silent, Broken, "all is as expected, though Machine ma is deleting and hosts ma"},
		"a Machine that stays":                            {stages()[:7], nil, gone, Broken, "it is still there"},
		"a member that is ill in the end": {
			append(stages(), stage{second, "b c D", "b c d", 2}), nil, whole, Broken, "md is not healthy"},
		"a guard that is missing in the end": {nil, func(w *world) { w.Facts[len(w.Facts)-1].Guards = nil }, whole, Broken, "the guard of mb is not Ready"},
		"endpoints that lag in the end":      {nil, func(w *world) { w.Facts[len(w.Facts)-1].Endpoints = []string{"10.a"} }, whole, Broken, "etcd-endpoints names"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.stages == nil {
				test.stages = stages()
			}
			w := play(test.stages)
			if test.bend != nil {
				test.bend(w)
			}
			verdict := Judge(w.Recording)
			got := verdict.Claim(test.claim)
			if got.Result != test.result || !strings.Contains(got.Evidence, test.evidence) {
				t.Errorf("%q is %q (%s), want %q with %q\n%s", test.claim, got.Result, got.Evidence, test.result, test.evidence, verdict)
			}
			if verdict.Holds() {
				t.Error("the verdict holds all the same")
			}
			if failures := strings.Join(verdict.Failures(), "\n"); !strings.Contains(failures, fmt.Sprintf("%s: %s: %s", verdict.Scenario, test.result, test.claim)) || strings.Contains(failures, fmt.Sprintf("%s: %s: ", verdict.Scenario, Holds)) {
				t.Errorf("the failures are:\n%s", failures)
			}
			if want := test.result == NotProven && (test.claim == strong || test.claim == recorded && w.Complete); verdict.Strained() != want {
				t.Errorf("strained is %v, want %v: another run must not stand in for what was seen\n%s", !want, want, verdict)
			}
			requireTimes(t, verdict)
		})
	}
}

// tellsTime finds the times in an evidence.
var tellsTime = regexp.MustCompile(`\b(?:at|from|of|and) (-?\d+\.\d+) s\b`)

// requireTimes: each claim that does not hold has the times that its evidence tells,
// and what must be so at the end that of the end.
func requireTimes(t *testing.T, verdict Verdict) {
	t.Helper()
	for _, c := range verdict.Claims {
		var told, has []string
		for _, found := range tellsTime.FindAllStringSubmatch(c.Evidence, -1) {
			told = append(told, found[1])
		}
		for _, at := range c.At {
			has = append(has, fmt.Sprintf("%.1f", at.Seconds()))
		}
		slices.Sort(told)
		slices.Sort(has)
		switch {
		case c.Result == Holds && len(c.At) > 0:
			t.Errorf("it holds, and has times: %s, %v", c, c.At)
		case c.Result == Broken && strings.HasPrefix(c.Rules, "L1"):
			if len(c.At) != 1 {
				t.Errorf("what must be so at the end is not at one time: %s, %v", c, c.At)
			}
		case c.Result != Holds && !slices.Equal(slices.Compact(told), has):
			t.Errorf("%s has the times %v", c, has)
		}
		if !slices.IsSorted(c.At) {
			t.Errorf("times are out of order: %s, %v", c, c.At)
		}
	}
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	var n int
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestWhatIsAllowedHolds(t *testing.T) {
	dead := []stage{
		{5 * second, "a b c", "a b c", 2},
		{35 * second, "A b c", "-a b c", 2},
		{5 * second, "b c", "-a b c", 2},
		{5 * second, "b c", "b c d", 2},
		{5 * second, "b c -d", "b c d", 2},
		{5 * second, "b c d", "b c d", 2},
	}
	for name, test := range map[string]struct {
		stages []stage
		bend   func(*world)
	}{
		"a dead voter goes, where the scenario kills one": {dead, func(w *world) { w.Start.MinVoters = 2 }},
		"a write whose outcome is unknown was done": {nil, func(w *world) {
			w.putAt(3 * second).Outcome = history.Unknown
		}},
		"a write whose outcome is unknown was never done": {nil, func(w *world) {
			w.Operations = append(w.Operations, history.Operation{Client: 3, Member: "member1", Kind: history.Put, Key: "key-00003", Value: "never", Call: 800 * time.Millisecond, Return: 3 * second, Outcome: history.Unknown})
		}},
		"a write whose outcome is unknown was done after it was given up": {nil, func(w *world) {
			w.Operations = append(w.Operations, history.Operation{Client: 3, Member: "member1", Kind: history.Put, Key: "key-00003", Value: "late", Call: 800 * time.Millisecond, Return: 820 * time.Millisecond, Outcome: history.Unknown})
			w.Finals[3].Value, w.Finals[3].Revision = "late", 9999
		}},
		"a read that failed says nothing": {nil, func(w *world) {
			get := w.getAt(3 * second)
			get.Outcome, get.Value = history.Unknown, ""
		}},
		"a hook that the scenario strips": {nil, func(w *world) {
			w.Intervals = []history.Interval{{From: 7 * second, What: history.HookStripped, Subject: "ma"}}
			w.change(8*second, 27*second, func(f *facts.Facts) { f.Machines[0].Hooked = false })
		}},
		"a Machine that never had the hook and is deleted": {nil, func(w *world) {
			w.change(0, time.Hour, func(f *facts.Facts) {
				if f.Machines[0].Name == "ma" {
					f.Machines[0].Hooked = false
				}
			})
		}},
		"another operator takes over from one that is stopped, which wakes up and decides": {nil, func(w *world) {
			w.second(17*second, time.Hour)
			w.pause(16*second, 23*second, 3*second)
			// Both decide the removal, the one that leads first.
			w.pass(24 * second).At += 50 * time.Millisecond
			w.order()
		}},
		"a pass that was stopped while it looked saw the rest when it went on": {nil, func(w *world) {
			w.second(10*second, time.Hour)
			w.pass(8 * second).Snapshot.Members = w.pass(24 * second).Snapshot.Members
			w.pause(9*second, 24*second, 0)
		}},
		"no budget for a Machine while the operator is down": {
			append([]stage{{25 * second, "a b c", "a b c d", 2}}, stages()...),
			func(w *world) {
				w.Intervals = []history.Interval{{From: second, To: 10 * second, What: history.OperatorDown}}
			}},
		"a guard is evicted beside a new Machine, which nobody could count while the operator was down": {nil, func(w *world) {
			w.Intervals = []history.Interval{{From: 9 * second, To: 30 * second, What: history.OperatorDown}}
			w.evict(14800*time.Millisecond, "etcd-guard-mb", 201)
		}},
		"a guard that can be spared is evicted": {nil, func(w *world) {
			w.evict(8*second, "etcd-guard-mb", 201)
		}},
		"a guard is evicted between two looks, when another one has become Ready": {nil, func(w *world) {
			w.change(0, 8*second, func(f *facts.Facts) { f.Guards[2].Ready = false })
			w.evict(7900*time.Millisecond, "etcd-guard-mb", 201)
		}},
		"a guard is evicted right after it could be spared": {nil, func(w *world) {
			w.evict(11*second, "etcd-guard-mb", 201)
		}},
		"the eviction of a guard that cannot be spared is refused": {nil, func(w *world) {
			w.evict(14800*time.Millisecond, "etcd-guard-mb", 429)
		}},
		"a guard that is not Ready is evicted": {nil, func(w *world) {
			w.change(0, time.Hour, func(f *facts.Facts) {
				f.Guards = append(slices.Clone(f.Guards), facts.Guard{Name: "etcd-guard-mz", Node: "mz"})
			})
			w.evict(14800*time.Millisecond, "etcd-guard-mz", 201)
		}},
		"a pod that is no guard is evicted": {nil, func(w *world) {
			w.evict(14*second, "other", 201)
		}},
		"a Machine that is leaving needs no budget": {append(stages()[:6], stage{25 * second, "b c d", "-a. b c d", 2}, stage{5 * second, "b c d", "b c d", 2}), nil},
		"a Machine that failed without a node needs no budget": {append([]stage{{25 * second, "a b c", "a b c d", 2}}, stages()...), func(w *world) {
			w.change(0, 25*second, func(f *facts.Facts) { f.Machines[3].Phase, f.Machines[3].Node = "Failed", "" })
		}},
		"a budget that lags a little": {append([]stage{{10 * second, "a b c", "a b c d", 2}}, stages()...), nil},
		"a member that the scenario removes by hand": {nil, func(w *world) {
			w.pass(24 * second).Membership.Action = history.Wait
			w.Steps = append(w.Steps, history.Step{Name: "run sh -c etcdctl member remove 1", From: 24 * second, To: 25 * second})
		}},
		"a voter that the scenario kills starts again": {nil, func(w *world) {
			w.Steps = append(w.Steps, history.Step{Name: "kill etcd on mb", From: 11 * second, To: 11 * second})
			w.change(12*second, time.Hour, func(f *facts.Facts) {
				f.Processes = slices.Clone(f.Processes)
				f.Processes[slices.IndexFunc(f.Processes, func(p facts.Process) bool { return p.Member == "mb" })].Began = 2
			})
		}},
		"a voter does not answer in the moment in which it is removed": {nil, func(w *world) {
			w.change(24750*time.Millisecond, 25*second, func(f *facts.Facts) { f.Members[0].Healthy = false })
		}},
		"a learner starts again": {nil, func(w *world) {
			w.change(17*second, time.Hour, func(f *facts.Facts) {
				f.Processes = slices.Clone(f.Processes)
				if i := slices.IndexFunc(f.Processes, func(p facts.Process) bool { return p.Member == "md" }); i >= 0 {
					f.Processes[i].Began = 2
				}
			})
		}},
		"nobody tells of a Machine while the operator is down": {nil, func(w *world) {
			w.Intervals = []history.Interval{{From: 8 * second, To: 9 * second, What: history.OperatorDown}}
			w.change(8*second, 18*second, func(f *facts.Facts) { f.EtcdConditions = nil })
		}},
		"nobody tells of a Machine that only waits for its drain": {append(stages()[:6], stage{20 * second, "b c d", "-a. b c d", 2}, stage{5 * second, "b c d", "b c d", 2}), func(w *world) {
			w.change(27*second, time.Hour, func(f *facts.Facts) { f.EtcdConditions = nil })
		}},
		"a pass that knows little and waits": {nil, func(w *world) {
			s := &w.pass(8 * second).Snapshot
			s.MemberList, s.MachineAPI, s.GuardList, s.Members = nil, nil, nil, nil
		}},
		"a budget that is raised though little is known": {nil, func(w *world) {
			pass := w.pass(8 * second)
			pass.Snapshot.GuardList, pass.Guard.Budget, pass.Guard.MinAvailable = nil, history.SetBudget, 3
		}},
		"a guard that is made anew": {nil, func(w *world) {
			w.pass(8 * second).Guard.Pods[1].Action, w.pass(8 * second).Snapshot.Guards[1].Outdated = history.DeletePod, true
		}},
		"two passes that saw the same and agree": {nil, func(w *world) {
			w.pass(7*second).Seen, w.pass(8*second).Seen = json.RawMessage(`{"Nth":7,"Version":1}`), json.RawMessage(`{"Version":2,"Nth":7}`)
		}},
		"two passes that saw ids which differ in the last digit": {nil, func(w *world) {
			w.pass(7*second).Seen, w.pass(8*second).Seen = json.RawMessage(`{"ClusterID":9067496891261714039}`), json.RawMessage(`{"ClusterID":9067496891261714038}`)
			w.pass(8 * second).Guard.MinAvailable = 1
		}},
		"a learner that is behind is another fact": {nil, func(w *world) {
			w.pass(7 * second).Seen = json.RawMessage(`{"Members":[{"ID":1,"AppliedIndex":1},{"ID":2,"AppliedIndex":9000}]}`)
			w.pass(8 * second).Seen = json.RawMessage(`{"Members":[{"ID":1,"AppliedIndex":8000},{"ID":2,"AppliedIndex":9000}]}`)
			w.pass(8 * second).Guard.MinAvailable = 1
		}},
		"a look of members that are behind": {nil, func(w *world) {
			w.change(0, time.Hour, func(f *facts.Facts) { f.Lists[0].Applied = 9 })
			w.change(22*second, 22500*time.Millisecond, func(f *facts.Facts) {
				f.Lists, f.Members[3] = []facts.List{{From: "10.b", Applied: 8}}, facts.Member{ID: "id-md", Name: "md", Address: "10.d", Learner: true, Started: true}
			})
		}},
		"an install on a node that is lost with its Machine": {nil, func(w *world) {
			w.change(20*second, 30*second, func(f *facts.Facts) {
				f.Revisions, f.Nodes = []facts.Revision{{Node: "ma", Current: 1, Target: 2}}, slices.Clone(f.Nodes)
				f.Nodes[0].Ready = false
			})
		}},
		"no load was asked for": {nil, func(w *world) {
			w.Start.LoadClients, w.Start.LoadWrites, w.Operations, w.Finals = 0, 0, nil, nil
		}},
		"voters that did not answer at the moment of a removal": {nil, func(w *world) {
			w.change(25*second, 25250*time.Millisecond, func(f *facts.Facts) { f.Members[0].Healthy, f.Members[1].Healthy = false, false })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if test.stages == nil {
				test.stages = stages()
			}
			w := play(test.stages)
			if test.bend != nil {
				test.bend(w)
			}
			if verdict := Judge(w.Recording); !verdict.Holds() {
				t.Errorf("%s", verdict)
			}
		})
	}
}

func TestTheVerdictTellsWhatHappenedAndWhatTheOperatorUsed(t *testing.T) {
	var w world
	at := second
	for _, s := range stages() {
		f := s.facts()
		f.At, f.MembersAt, f.ObjectsAt = at, at, at
		w.Facts = append(w.Facts, f)
		at += s.lasts
	}
	late := w.Facts[len(w.Facts)-1]
	late.At, late.MembersAt, late.ObjectsAt = at, at, at-second
	late.Members = append(slices.Clone(late.Members), member("mz", false, true))
	late.Machines = append(slices.Clone(late.Machines), machine("mz", true, false))
	w.Facts = append(w.Facts, late)
	w.Start.EtcdVersion = "v3.5.35"
	w.Usages = []history.Usage{
		{At: 1 * second, PID: 7, CPU: 3 * second, Peak: 40 << 20},
		{At: 11 * second, PID: 7, CPU: 4 * second, Peak: 60 << 20},
		{At: 21 * second, PID: 9, CPU: 2 * second, Peak: 50 << 20},
	}
	notes := strings.Join(Judge(w.Recording).Notes, "\n")
	for _, want := range []string{
		"what happened: 6.0 s Machine ma deleting; 11.0 s Machine md made; ", " s md added; ", " s md promoted; ", " s ma removed; ", " s Machine ma without hook; ", " s Machine ma gone", " s Machine mz made; 38.0 s mz added",
		"the members were of etcd v3.5.35",
		"the operator used 3.0 s of processor time in 20.0 s (15.0 % of one), and 60 MiB of memory at most",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q:\n%s", want, notes)
		}
	}
}

func TestWhatIsTakenOnTrustIsSaid(t *testing.T) {
	for name, test := range map[string]struct {
		bend func(*world)
		want string
		said bool
	}{
		"nothing happened between looks":              {nil, "between two looks", true},
		"a bootstrap that was complete":               {nil, "(I12)", true},
		"a bootstrap that was not complete":           {func(w *world) { w.pass(8 * second).Snapshot.BootstrapComplete = fact(false) }, "(I12)", false},
		"no two passes that saw the same":             {nil, "(I7)", true},
		"two passes that saw the same":                {func(w *world) { w.pass(8 * second).Seen = w.pass(9 * second).Seen }, "(I7)", false},
		"evictions that were written down":            {nil, "evicted a guard", false},
		"evictions of the scenario alone":             {func(w *world) { w.EvictionsWritten = false }, "evicted a guard", true},
		"looks that could not read objects":           {func(w *world) { w.change(8*second, 9*second, func(f *facts.Facts) { f.ObjectsProblem = "busy" }) }, "in 4 looks", true},
		"looks that could all read objects":           {nil, "could not read them", false},
		"who wrote, where two operators ran":          {func(w *world) { w.second(9*second, time.Hour); w.pause(8*second, 90*second, 0) }, "tell them apart", true},
		"who wrote, where one did":                    {nil, "tell them apart", false},
		"the operator's word, where there is none":    {func(w *world) { w.Start.ByHand = true }, "(I6)", false},
		"the operator's word, where there is one":     {nil, "(I6)", true},
		"evictions, where nobody is there to protect": {func(w *world) { w.Start.ByHand = true }, "evicted a guard", false},
	} {
		w := play(stages())
		if test.bend != nil {
			test.bend(w)
		}
		verdict := Judge(w.Recording)
		if said := strings.Contains(strings.Join(verdict.Assumed, "\n"), test.want); said != test.said {
			t.Errorf("%s: it is said to be assumed: %t\n%s", name, said, strings.Join(verdict.Assumed, "\n"))
		}
		if text := verdict.String(); test.said && !strings.Contains(text, "   assumed    ") {
			t.Errorf("%s: the verdict does not say it:\n%s", name, text)
		}
	}
}

func TestTheVerdictCountsWhatTheOperatorWrote(t *testing.T) {
	w := play(stages())
	const operator = "system:serviceaccount:openshift-etcd-operator:etcd-operator"
	w.Requests = []history.Request{
		{At: second, User: operator, Resource: "pods"}, {At: second, User: operator, Resource: "pods"}, {At: second, User: operator, Resource: "machines"},
		{At: second, User: operator, Resource: "leases"}, {At: -second, User: operator, Resource: "pods"}, {At: second, User: "other", Resource: "pods"},
	}
	if notes := strings.Join(Judge(w.Recording).Notes, "\n"); !strings.Contains(notes, "the operator wrote 3 times to the API server: 1 machines, 2 pods") {
		t.Errorf("the notes do not say it:\n%s", notes)
	}
}

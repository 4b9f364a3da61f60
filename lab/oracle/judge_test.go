package oracle

import (
	"fmt"
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
	for _, name := range []string{"mb", "mc", "md"} {
		w.Hashes = append(w.Hashes, history.Hash{Member: name, Revision: 100, Hash: 7})
	}
	return w
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
			w.Evictions = []history.Eviction{{At: 14800 * time.Millisecond, Namespace: "openshift-etcd", Pod: "etcd-guard-mb"}}
		}, evictions, Broken, "etcd-guard-mb at 14.8 s, with 3 guards Ready and 3 needed"},
		"a budget that lets a drain go before the surplus voter": {
			[]stage{{5 * second, "a b c", "a b c", 2}, {5 * second, "a b c -d", "-a b c d", 3}, {25 * second, "a b c d", "-a b c d", 3}, {5 * second, "b c d", "b c d", 2}}, nil, counts, Broken, "minAvailable has been 3 for 20s, must be at least 4"},
		"a budget that two voters cannot bear": {
			append(stages(), stage{25 * second, "b c", "b c", 1}, stage{5 * second, "b c d", "b c d", 2}), nil, counts, Broken, "minAvailable has been 1 for 20s, must be at least 2"},
		"no budget": {nil, func(w *world) {
			w.change(0, time.Hour, func(f *facts.Facts) { f.Budget = facts.Budget{} })
		}, protects, NotProven, "there was never a budget"},
		"a Machine that stays": {stages()[:7], nil, gone, Broken, "it is still there"},
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
		})
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
		"no budget for a Machine while the operator is down": {
			append([]stage{{25 * second, "a b c", "a b c d", 2}}, stages()...),
			func(w *world) {
				w.Intervals = []history.Interval{{From: second, To: 10 * second, What: history.OperatorDown}}
			}},
		"a guard that can be spared is evicted": {nil, func(w *world) {
			w.Evictions = []history.Eviction{{At: 8 * second, Namespace: "openshift-etcd", Pod: "etcd-guard-mb"}}
		}},
		"a guard is evicted right after it could be spared": {nil, func(w *world) {
			w.Evictions = []history.Eviction{{At: 11 * second, Namespace: "openshift-etcd", Pod: "etcd-guard-mb"}}
		}},
		"a pod that is no guard is evicted": {nil, func(w *world) {
			w.Evictions = []history.Eviction{{At: 14 * second, Namespace: "default", Pod: "other"}}
		}},
		"a Machine that is leaving needs no budget": {append(stages()[:6], stage{25 * second, "b c d", "-a. b c d", 2}, stage{5 * second, "b c d", "b c d", 2}), nil},
		"a Machine that failed without a node needs no budget": {append([]stage{{25 * second, "a b c", "a b c d", 2}}, stages()...), func(w *world) {
			w.change(0, 25*second, func(f *facts.Facts) { f.Machines[3].Phase, f.Machines[3].Node = "Failed", "" })
		}},
		"a budget that lags a little": {append([]stage{{10 * second, "a b c", "a b c d", 2}}, stages()...), nil},
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

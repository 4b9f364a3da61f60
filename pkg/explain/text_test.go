package explain

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// hostile is text that a terminal would obey, or that would break the layout.
const hostile = "\x1b]0;owned\x07\x1b[2J\r\n\u009b31m\u202egnp\xff"

func explained(edits ...snapshottest.Edit) Explanation {
	return New(Input{Snapshot: snapshottest.New(edits...), Source: SourceDirectory, Assumed: []string{"something"}})
}

func text(t *testing.T, e Explanation, style Style) string {
	t.Helper()
	var out bytes.Buffer
	if err := e.WriteText(&out, style); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// hostileWorld has hostile text wherever text of others is shown.
func hostileWorld() Explanation {
	s := snapshottest.New(
		snapshottest.Voter(snapshottest.D), snapshottest.Deleting(snapshottest.A), snapshottest.Unhealthy(snapshottest.B, time.Hour),
		snapshottest.Machine(snapshottest.A, func(m *snapshot.Machine) {
			m.Name, m.Phase, m.Hook = "machine"+hostile, hostile, snapshot.HookWrongOwner
			m.OtherHooks = []snapshot.OtherHook{{Point: "preDrain", Name: hostile, Owner: hostile}}
		}),
		snapshottest.Member(snapshottest.C, func(m *snapshot.Member) { m.Name, m.Version, m.PeerURLs = hostile, hostile, []string{hostile} }),
		snapshottest.Facts(func(s *snapshot.Snapshot) { s.Topology = snapshot.Topology(hostile); s.NodeStatuses[0].Target = 9 }),
	)
	return New(Input{
		Snapshot: s, Source: SourceDirectory, Assumed: []string{hostile}, Errors: map[snapshot.MemberID]string{snapshottest.B.ID(): hostile},
		HookOwners: map[snapshot.MachineName]string{"machine" + hostile: hostile}, PodTroubles: []PodTrouble{{Pod: hostile, Node: hostile, Message: hostile}},
		Failed:          map[snapshot.NodeName]FailedRevision{s.NodeStatuses[0].Node: {Revision: 9, Reason: hostile, Errors: []string{hostile}}},
		BlockingBudgets: []string{hostile}, Warnings: []Warning{{Reason: hostile, Message: hostile}},
	})
}

func TestNothingATerminalObeysIsWritten(t *testing.T) {
	e := hostileWorld()
	asJSON, err := e.JSON()
	if err != nil {
		t.Fatal(err)
	}
	asYAML, err := e.YAML()
	if err != nil {
		t.Fatal(err)
	}
	for format, out := range map[string]string{"text": text(t, e, Plain), "json": string(asJSON), "yaml": string(asYAML)} {
		for i, r := range out {
			if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0) {
				t.Errorf("%s: control character %U at byte %d: %q", format, r, i, out[max(0, i-30):min(len(out), i+10)])
				break
			}
		}
		if !utf8.ValidString(out) {
			t.Errorf("%s is not UTF-8", format)
		}
	}
	if plain := text(t, e, Plain); strings.ContainsRune(plain, '\u202e') || strings.Contains(string(asJSON), "\u202e") {
		t.Error("a character that reverses text was written")
	} else if !strings.Contains(plain, `\x1b]0;owned\a`) {
		t.Errorf("what was neutralised is not shown:\n%s", plain)
	}
}

func TestJSONKeepsHostileTextAsItIs(t *testing.T) {
	out, err := hostileWorld().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var back struct{ Assumed []string }
	if err := json.Unmarshal(out, &back); err != nil {
		t.Fatal(err)
	}
	if want := strings.ToValidUTF8(hostile, "\ufffd"); back.Assumed[0] != want {
		t.Errorf("got %q, want %q", back.Assumed[0], want)
	}
}

func TestNoLineIsWiderThanTheColumns(t *testing.T) {
	long := strings.Repeat("a-very-long-name.", 15)
	worlds := map[string]Explanation{"hostile": hostileWorld(), "long names": explained(
		snapshottest.Deleting(snapshottest.A),
		snapshottest.Member(snapshottest.A, func(m *snapshot.Member) { m.Name = long }),
		snapshottest.Machine(snapshottest.A, func(m *snapshot.Machine) { m.Name = snapshot.MachineName(long) }),
		snapshottest.Facts(func(s *snapshot.Snapshot) {
			s.NodeStatuses[0].Node = snapshot.NodeName(long)
			s.NodeStatuses[0].Current, s.Guards[0].Node = 0, snapshot.NodeName(long)
		}),
	)}
	for name, e := range worlds {
		for _, line := range strings.Split(text(t, e, Plain), "\n") {
			if n := utf8.RuneCountInString(line); n > Columns {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
			if strings.TrimRight(line, " ") != line {
				t.Errorf("%s: spaces at the end of %q", name, line)
			}
		}
	}
}

func TestColourAddsNothingButColour(t *testing.T) {
	e := explained(snapshottest.Deleting(snapshottest.A), snapshottest.Unhealthy(snapshottest.B, time.Hour))
	coloured := text(t, e, Coloured)
	stripped := coloured
	for _, c := range []colour{green, yellow, red, bold, reset} {
		stripped = strings.ReplaceAll(stripped, string(c), "")
	}
	if diff := cmp.Diff(text(t, e, Plain), stripped); diff != "" {
		t.Errorf("without its colours the text differs (-plain +stripped):\n%s", diff)
	}
	if !strings.Contains(coloured, string(yellow)+"WAITING") {
		t.Errorf("no colour:\n%s", coloured)
	}
}

func TestTheHeadlineSaysWhatComesNextAndWhatIsWaitedFor(t *testing.T) {
	for name, test := range map[string]struct {
		e    Explanation
		want []string
		not  string
	}{
		"nothing to do": {explained(), []string{"NOTHING  3 of 3 voters are healthy"}, "NEXT"},
		"a wait with its remedy": {explained(snapshottest.Deleting(snapshottest.A)),
			[]string{"WAITING  without node-a, 2 voters would remain", "to unblock: create a replacement control-plane Machine"}, "NOTHING"},
		"a removal with the new leader": {explained(snapshottest.Voter(snapshottest.D), snapshottest.Deleting(snapshottest.A)),
			[]string{"NEXT     node-a is removed", "after leadership has moved to node-b"}, "WAITING"},
		"an add with its peer URL": {explained(snapshottest.Waiting(snapshottest.D)),
			[]string{"NEXT     node node-d is added as a learner, peer URL https://192.0.2.13:2380"}, "WAITING"},
		"a replacement that is there": {explained(snapshottest.Deleting(snapshottest.A), snapshottest.Learner(snapshottest.D), snapshottest.Cordoned(snapshottest.D)),
			[]string{"WAITING  without node-a, 2 voters would remain and 3 are desired; node node-d is cordoned [R5.2 NodeCordoned]", "to unblock: uncordon node node-d"}, "create a replacement"},
		"a replacement that catches up": {explained(snapshottest.Deleting(snapshottest.A), snapshottest.Learner(snapshottest.D), snapshottest.Member(snapshottest.D, func(m *snapshot.Member) { m.Health = snapshot.Unhealthy })),
			[]string{"3 are desired; learner node-d is not healthy [R5.2 LearnerNotHealthy]", "to unblock: bring it back"}, "create a replacement"},
		"a Machine without a node": {explained(snapshottest.Deleting(snapshottest.A), snapshottest.NewMachine(snapshottest.D), snapshottest.Machine(snapshottest.D, func(m *snapshot.Machine) { m.Phase = "Provisioning" })),
			[]string{"3 are desired; Machine machine-d is Provisioning and has no node yet [R6.3", "to unblock: see why Machine machine-d gets no node"}, "create a replacement"},
		"a Machine that only others hold": {New(Input{Snapshot: snapshottest.New(snapshottest.Voter(snapshottest.D), snapshottest.Released(snapshottest.A), snapshottest.MemberGone(snapshottest.A), snapshottest.GuardGone(snapshottest.A)), Source: SourceDirectory, BlockingBudgets: []string{"app/x"}}),
			[]string{"HELD     Machine machine-a is deleting and etcd no longer holds it; it is held by: PodDisruptionBudget app/x"}, "NOTHING"},
		"a hook and nothing else to do": {explained(snapshottest.Machine(snapshottest.A, func(m *snapshot.Machine) { m.Hook = snapshot.HookMissing })),
			[]string{"NEXT     Machine machine-a gets the hook", "MEMBERS  3 of 3 voters are healthy"}, "NOTHING"},
	} {
		t.Run(name, func(t *testing.T) {
			head, _, _ := strings.Cut(text(t, test.e, Plain), "\nFACTS")
			for _, want := range test.want {
				if !strings.Contains(strings.Join(strings.Fields(head), " "), strings.Join(strings.Fields(want), " ")) {
					t.Errorf("no %q in:\n%s", want, head)
				}
			}
			if strings.Contains(head, test.not) {
				t.Errorf("%q in:\n%s", test.not, head)
			}
		})
	}
}

func TestABudgetThatAllowsNothingYetIsNotCalledOpen(t *testing.T) {
	s := snapshottest.New()
	s.Budget.DisruptionsAllowed = 0
	got := text(t, New(Input{Snapshot: s, Source: SourceDirectory}), Plain)
	if !strings.Contains(got, "no node with a guard may be drained now: the budget's status allows no disruption yet") {
		t.Errorf("a drain may pass:\n%s", got)
	}
}

// Evictions ask the budget that is there, whatever the operator would have it say.
func TestDrainsThatPassAgainstTheRules(t *testing.T) {
	lost := []snapshottest.Edit{snapshottest.Unhealthy(snapshottest.B, time.Hour)}
	with := func(edit func(*snapshot.Snapshot)) snapshot.Snapshot {
		return snapshottest.New(append(lost, snapshottest.Facts(edit))...)
	}
	open := with(func(*snapshot.Snapshot) {})
	absent := with(func(s *snapshot.Snapshot) { s.Budget = snapshot.Budget{Present: snapshot.False} })
	closed := with(func(s *snapshot.Snapshot) { s.Budget.DisruptionsAllowed = 0 })
	late := with(func(s *snapshot.Snapshot) { s.Budget.MinAvailable = 3 })
	all := map[snapshot.NodeName][]string{"node-a": {"openshift-etcd/mine"}, "node-b": {"openshift-etcd/mine"}, "node-c": {"openshift-etcd/mine"}}
	const left = "; a drain of the node of a healthy voter would leave 1 of 3, and quorum is 2"
	for name, test := range map[string]struct {
		in   Input
		want string
	}{
		"the budget is not written yet": {Input{Snapshot: open}, "drains that should wait pass all the same: as it stands the budget allows 1, until the operator has written it anew" + left},
		"its status is late":            {Input{Snapshot: late}, "drains that should wait pass all the same: as it stands the budget allows 1, until its status is counted anew" + left},
		"the operator writes nothing":   {Input{Snapshot: open, ManagementState: "Unmanaged", WritesNothing: true}, "drains that should wait pass all the same: as it stands the budget allows 1, and the operator does not write it" + left},
		"there is no budget":            {Input{Snapshot: absent}, "there is no budget: until it is made, nothing holds any number of drains back" + left},
		"nor will there be one":         {Input{Snapshot: absent, ManagementState: "Removed", WritesNothing: true}, "there is no budget: and the operator makes none, so nothing holds any number of drains back" + left},
		"the budget allows nothing":     {Input{Snapshot: closed}, ""},
		"a second budget selects all":   {Input{Snapshot: open, GuardBudgets: all}, ""},
		"it may protect other pods":     {Input{Snapshot: open, BudgetMisshapen: true}, ""},
		"a drain may pass":              {Input{Snapshot: snapshottest.New()}, ""},
		"voters to spare": {Input{Snapshot: snapshottest.New(snapshottest.Voter(snapshottest.D, snapshottest.E), snapshottest.Desired(5), lost[0])},
			"drains that should wait pass all the same: as it stands the budget allows 1, until the operator has written it anew"},
	} {
		t.Run(name, func(t *testing.T) {
			test.in.Source = SourceDirectory
			e := New(test.in)
			if got := string(e.Guard.Passing); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			shown := strings.Join(strings.Fields(text(t, e, Plain)), " ")
			if strings.Contains(shown, "no node with a guard should be drained now:") != (test.want != "") || !strings.Contains(shown, test.want) {
				t.Error(shown)
			}
		})
	}
}

// An upgrade under way only keeps the budget from being lowered.
func TestADrainMayPassDuringAnUpgrade(t *testing.T) {
	got := strings.Join(strings.Fields(text(t, explained(snapshottest.Facts(func(s *snapshot.Snapshot) { s.VersionCurrent, s.Budget.MinAvailable = snapshot.False, 3 }), snapshottest.Voter(snapshottest.D)), Plain)), " ")
	if want := "a drain may pass: node-a, node-b, node-c, node-d; ClusterOperator etcd reports another version"; !strings.Contains(got, want) {
		t.Error(got)
	}
}

func TestThePlannedInstallClosesTheBudget(t *testing.T) {
	e := explained(snapshottest.Facts(func(s *snapshot.Snapshot) { s.LatestRevision = 2 }))
	if e.Rollout.Step != "CloseBudget" || e.Rollout.Next != "node-a" {
		t.Fatalf("rollout: %+v", e.Rollout)
	}
	if e.Guard.MinAvailable == nil || *e.Guard.MinAvailable != 4 || e.Guard.Reason != "DrainsWaitForInstall" {
		t.Errorf("the guard does not know of it: %+v", e.Guard)
	}
}

// TestNullMeansUnknown: of a cluster of which nothing is known, everything that can be null is.
func TestNullMeansUnknown(t *testing.T) {
	out, err := New(Input{Source: SourceLive}).JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	facts := got["facts"].(map[string]any)
	for _, field := range []string{"desiredReplicas", "topology", "bootstrapComplete", "rolloutStable", "endpointsMatch", "leader"} {
		if value, there := facts[field]; !there || value != nil {
			t.Errorf("facts.%s is %v (there: %v)", field, value, there)
		}
	}
	for _, field := range []string{"observedAt", "clusterID"} {
		if value, there := got[field]; !there || value != nil {
			t.Errorf("%s is %v (there: %v)", field, value, there)
		}
	}
	for _, field := range []string{"assumed", "machines", "members", "warnings"} {
		if list, ok := got[field].([]any); !ok || len(list) != 0 {
			t.Errorf("%s is %v, not an empty list", field, got[field])
		}
	}
	if facts["machineAPI"] != "Unknown" || facts["desiredFrom"] != "None" {
		t.Errorf("facts: %v", facts)
	}
	guard := got["guard"].(map[string]any)
	for _, field := range []string{"minAvailable", "current", "disruptionsAllowed"} {
		if value, there := guard[field]; !there || value != nil {
			t.Errorf("guard.%s is %v (there: %v)", field, value, there)
		}
	}
}

func TestYAMLSaysWhatJSONSays(t *testing.T) {
	e := explained(snapshottest.Learner(snapshottest.D), snapshottest.Deleting(snapshottest.A))
	asJSON, err := e.JSON()
	if err != nil {
		t.Fatal(err)
	}
	asYAML, err := e.YAML()
	if err != nil {
		t.Fatal(err)
	}
	var fromJSON, fromYAML any
	if err := json.Unmarshal(asJSON, &fromJSON); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(asYAML, &fromYAML); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fromJSON, fromYAML); diff != "" {
		t.Errorf("they differ (-JSON +YAML):\n%s", diff)
	}
}

func TestHealthIsWhatDecisionsCount(t *testing.T) {
	e := explained(
		snapshottest.Member(snapshottest.A, func(m *snapshot.Member) { m.Corrupt = snapshot.True }),
		snapshottest.Member(snapshottest.B, func(m *snapshot.Member) { m.Corrupt, m.NoSpace = snapshot.Unknown, snapshot.Unknown }),
		snapshottest.Unhealthy(snapshottest.C, time.Hour))
	var got []string
	for _, m := range e.Members {
		got = append(got, m.Health+" "+strings.Join(m.Alarms, "+")+" "+string(m.Error))
	}
	want := []string{"Unknown CORRUPT ", "Unknown  it answers, but whether it has an alarm is not known", "Unhealthy  "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unexpected health (-want +got):\n%s", diff)
	}
	if e.Facts.HealthyVoters != 0 {
		t.Errorf("%d healthy voters", e.Facts.HealthyVoters)
	}
}

func TestWhatHoldsADeletingMachine(t *testing.T) {
	hooks := snapshottest.Machine(snapshottest.A, func(m *snapshot.Machine) {
		m.OtherHooks = []snapshot.OtherHook{{Point: "preTerminate", Name: "Late", Owner: "x"}, {Point: "preDrain", Name: "Early", Owner: "y"}}
	})
	closed := snapshottest.Facts(func(s *snapshot.Snapshot) { s.Budget.DisruptionsAllowed = 0 })
	absent := snapshottest.Facts(func(s *snapshot.Snapshot) { s.Budget = snapshot.Budget{Present: snapshot.False} })
	held := func(budgets []string, edits ...snapshottest.Edit) string {
		e := New(Input{Snapshot: snapshottest.New(edits...), BlockingBudgets: budgets})
		return strings.Join(e.Machines[0].HeldBy, "; ")
	}
	for name, test := range map[string]struct{ got, want string }{
		"nothing, while it is not deleting": {held([]string{"app/x"}, hooks), ""},
		"our hook, theirs, our budget, and what comes after the drain": {held([]string{"app/x"}, snapshottest.Voter(snapshottest.D), snapshottest.Deleting(snapshottest.A), hooks, closed),
			"preDrain hook EtcdQuorumOperator of etcd; preDrain hook Early of y; PodDisruptionBudget openshift-etcd/etcd-guard-pdb (see drains); PodDisruptionBudget app/x, if it protects a pod there; preTerminate hook Late of x"},
		"our budget holds nothing while it allows a drain": {held(nil, snapshottest.Voter(snapshottest.D), snapshottest.Deleting(snapshottest.A)),
			"preDrain hook EtcdQuorumOperator of etcd"},
		"a hook of our name and another owner": {held(nil, snapshottest.Deleting(snapshottest.A), snapshottest.Machine(snapshottest.A, func(m *snapshot.Machine) { m.Hook = snapshot.HookWrongOwner })),
			"preDrain hook EtcdQuorumOperator, whose owner is somebody else and not etcd"},
		"no budget holds nothing": {held(nil, snapshottest.Voter(snapshottest.D), snapshottest.Deleting(snapshottest.A), absent),
			"preDrain hook EtcdQuorumOperator of etcd"},
		"budgets of others, once etcd has let it go": {held([]string{"app/x"}, snapshottest.Voter(snapshottest.D), snapshottest.Released(snapshottest.A), snapshottest.MemberGone(snapshottest.A), snapshottest.GuardGone(snapshottest.A)),
			"PodDisruptionBudget app/x, if it protects a pod there"},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %q, want %q", name, test.got, test.want)
		}
	}
}

// TestTheOrderOfFactsNeverMatters: invariant I7, up to the last byte.
func TestTheOrderOfFactsNeverMatters(t *testing.T) {
	s := snapshottest.New(snapshottest.Voter(snapshottest.D), snapshottest.Learner(snapshottest.E), snapshottest.Deleting(snapshottest.A, snapshottest.B))
	want := text(t, New(Input{Snapshot: s, Source: SourceLive}), Plain)
	for _, variant := range snapshottest.Reordered(s) {
		if diff := cmp.Diff(want, text(t, New(Input{Snapshot: variant.Snapshot, Source: SourceLive}), Plain)); diff != "" {
			t.Fatalf("another order, another text:\n%s", diff)
		}
	}
}

type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestAWriterThatFailsIsReported(t *testing.T) {
	if err := explained().WriteText(broken{}, Plain); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

// Whoever asks without a way to etcd is told what the operator sees; with one that would only be said twice.
func TestConditionsAreShownWhereMembersAreNotKnown(t *testing.T) {
	conditions := []Condition{{Type: "EtcdMembersDegraded", Status: "True", Reason: "UnhealthyMembers", Message: "a is unhealthy\nb has not started"}}
	shown := func(edits ...snapshottest.Edit) bool {
		e := New(Input{Snapshot: snapshottest.New(edits...), Source: SourceLive, Conditions: conditions})
		return strings.Contains(text(t, e, Plain), "EtcdMembersDegraded is True: a is unhealthy; b has not started [UnhealthyMembers]")
	}
	if shown() {
		t.Error("they are shown although every member is known")
	}
	if !shown(snapshottest.Facts(func(s *snapshot.Snapshot) { s.MemberList, s.Members = snapshot.Unknown, nil })) {
		t.Error("they are not shown without a member list")
	}
	if !shown(snapshottest.Member(snapshottest.B, func(m *snapshot.Member) { m.Health = snapshot.HealthUnknown })) {
		t.Error("they are not shown where a member's health is unknown")
	}
}

// Whoever can write a Machine's status could otherwise keep the command busy for ever.
func TestAWordOfMegabytesIsWrapped(t *testing.T) {
	const letters = 4 << 20
	got := text(t, explained(snapshottest.Machine(snapshottest.A, func(m *snapshot.Machine) { m.Phase = strings.Repeat("x", letters) })), Plain)
	if n := strings.Count(got, "x"); n < letters {
		t.Errorf("%d of %d letters are shown", n, letters)
	}
	for _, line := range strings.Split(got, "\n") {
		if utf8.RuneCountInString(line) > Columns {
			t.Fatalf("a line has %d columns", utf8.RuneCountInString(line))
		}
	}
}

// TestWhatIsNotKnownIsNotZero: nothing was read at all.
func TestWhatIsNotKnownIsNotZero(t *testing.T) {
	e := New(Input{Source: SourceDirectory})
	shown := text(t, e, Plain)
	for _, line := range []string{
		"voters            unknown\n", "replicas wanted   unknown\n", "topology          unknown\n", "Machine API       Unknown\n", "revisions         unknown\n",
		"  the member list is not known\n", "  the Machines of the control plane are not known\n",
		"minAvailable wanted unknown, set unknown; disruptions allowed now unknown\n",
		"  which revision the nodes run, and whether one is to be installed, is not known\n",
	} {
		if !strings.Contains(shown, line) {
			t.Errorf("there is no %q", line)
		}
	}
	for _, number := range []string{" 0,", " 0;", " 0\n", "revision 0"} {
		if strings.Contains(shown, number) {
			t.Errorf("it counts what is not known: %q in:\n%s", number, shown)
		}
	}
	asJSON, err := e.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var document struct{ Facts map[string]any }
	if err := json.Unmarshal(asJSON, &document); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"desiredReplicas": nil, "desiredFrom": "None", "topology": nil, "machineAPI": "Unknown", "bootstrapComplete": nil, "rolloutStable": nil, "endpointsMatch": nil,
		"membersKnown": false, "voters": 0.0, "healthyVoters": 0.0, "quorum": 0.0, "leader": nil, "managementState": nil,
	}
	if diff := cmp.Diff(want, document.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestVotersOfUnknownHealthAreCounted(t *testing.T) {
	e := explained(snapshottest.Member(snapshottest.A, func(m *snapshot.Member) { m.Health = snapshot.HealthUnknown }),
		snapshottest.Unhealthy(snapshottest.B, time.Hour))
	if shown := text(t, e, Plain); !strings.Contains(shown, "voters            3, of which healthy 1 and of unknown health 1; quorum 2; leader node-c\n") {
		t.Error(shown)
	}
}

func TestABudgetOfOthersThatSelectsGuardsKeepsEveryDrainOut(t *testing.T) {
	s := snapshottest.New()
	all := map[snapshot.NodeName][]string{"node-a": {"openshift-etcd/mine"}, "node-b": {"openshift-etcd/mine"}, "node-c": {"openshift-etcd/mine"}}
	e := New(Input{Snapshot: s, Source: SourceDirectory, GuardBudgets: all})
	got := strings.Join(strings.Fields(text(t, e, Plain)), " ")
	if len(e.Guard.Holds) != 1 || e.Guard.Holds[0].Reason != "GuardHasTwoBudgets" || len(e.Warnings) != 1 || len(e.Guard.Pods[0].OtherBudgets) != 1 ||
		!strings.Contains(got, "no node with a guard may be drained now: - PodDisruptionBudget openshift-etcd/mine selects the guards on node-a, node-b, node-c") ||
		!strings.Contains(got, "DRAINS wait: PodDisruptionBudget openshift-etcd/mine selects") {
		t.Errorf("%+v\n%s", e.Guard, got)
	}
	delete(all, "node-c")
	e = New(Input{Snapshot: s, Source: SourceDirectory, GuardBudgets: all})
	if got := text(t, e, Plain); len(e.Guard.Holds) != 0 || !strings.Contains(got, "a drain may pass: node-c [") || len(e.Warnings) != 1 {
		t.Errorf("one guard is not selected:\n%s", got)
	}
	e = New(Input{Snapshot: snapshottest.New(snapshottest.Deleting(snapshottest.A)), Source: SourceDirectory, GuardBudgets: all})
	if held := strings.Join(e.Machines[0].HeldBy, "; "); !strings.Contains(held, "PodDisruptionBudget openshift-etcd/mine, which selects its guard as well") {
		t.Errorf("held by %s", held)
	}
}

func TestLinesAreMeasuredInColumns(t *testing.T) {
	for word, want := range map[string]int{
		"a": 1, "節": 2, "가": 2, "あ": 2, "ｗ": 2, "\U0001f468": 2, "e\u0301": 1, "é": 1, "Ж": 1, "\u200d": 0,
	} {
		if got := columns(word); got != want {
			t.Errorf("%q takes %d columns, not %d", word, got, want)
		}
	}
	for text, want := range map[string][]string{
		strings.Repeat("節", 7):           {"節節節節節", "節節"},
		strings.Repeat("e\u0301", 12):    {strings.Repeat("e\u0301", 10), strings.Repeat("e\u0301", 2)},
		"see cluster/core/nodes.yaml: x": {"see", "cluster/", "core/", "nodes.yaml", ": x"},
		"/abcdefghijklm":                 {"/abcdefghi", "jklm"},
		"one two/three":                  {"one", "two/three"},
		"節節節節 節":                         {"節節節節", "節"},
	} {
		if diff := cmp.Diff(want, wrap(text, 10)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestTheDocumentSaysWhatTheTextSaysOfDrains(t *testing.T) {
	s := snapshottest.New()
	other := map[snapshot.NodeName][]string{"node-a": {"openshift-etcd/mine"}, "node-b": {"openshift-etcd/mine"}, "node-c": {"openshift-etcd/mine"}}
	for name, test := range map[string]struct {
		in         Input
		want, text string
	}{
		"a drain may pass":                   {Input{Snapshot: s}, "OneDrainMayPass", "a drain may pass"},
		"a second budget selects all guards": {Input{Snapshot: s, GuardBudgets: other}, "GuardHasTwoBudgets", "no node with a guard may be drained now"},
		"a second budget could not be read": {Input{Snapshot: s, Unread: map[Part]string{GuardBudget: "it is garbage"}}, "OtherBudgetsUnknown",
			"whether another PodDisruptionBudget in openshift-etcd selects the guards is not known: it is garbage"},
		"there is no budget at all": {Input{Snapshot: snapshottest.New(snapshottest.Facts(func(s *snapshot.Snapshot) { s.Budget = snapshot.Budget{Present: snapshot.False} }))},
			"OneDrainMayPass", "there is no budget: until it is made, nothing holds any number of drains back"},
	} {
		t.Run(name, func(t *testing.T) {
			test.in.Source = SourceDirectory
			e := New(test.in)
			shown := strings.Join(strings.Fields(text(t, e, Plain)), " ")
			if e.Guard.Reason != test.want || !strings.Contains(shown, test.text) || e.Guard.Absent != strings.Contains(shown, "there is no budget: ") {
				t.Errorf("guard %+v\n%s", e.Guard, shown)
			}
			if strings.Contains(shown, "so a drain may pass") != (e.Guard.Reason == "OneDrainMayPass") {
				t.Errorf("the document says %s, and the text\n%s", e.Guard.Reason, shown)
			}
		})
	}
}

// TestAMemberThatNobodyAskedIsNotToldAsBroken: the member beside it whose answer says nothing has its own sentence.
func TestAMemberThatNobodyAskedIsNotToldAsBroken(t *testing.T) {
	a, b := snapshottest.A, snapshottest.B
	unknown := func(h snapshottest.Host) snapshottest.Edit {
		return snapshottest.Member(h, func(m *snapshot.Member) { m.Health = snapshot.HealthUnknown })
	}
	const noRow = "health.json has no row of node-a"
	s := snapshottest.New(unknown(a), unknown(b), snapshottest.Deleting(a), snapshottest.Deleting(b))
	e := New(Input{Snapshot: s, Source: SourceDirectory, NotAsked: map[snapshot.MemberID]string{a.ID(): noRow}})
	told := map[string]string{}
	for _, r := range e.Refused {
		told[r.Action+" "+r.label] = r.Message
	}
	for what, want := range map[string]string{
		"RemoveMember node-a": "whether node-a is alive is not known: " + noRow,
		"RemoveMember node-b": "node-b counts neither as healthy nor as dead: it gave no answer that tells, or has alarm CORRUPT, or its alarms are not known",
		"CreateRevision ":     "no revision is created while 1 voters are known to be healthy: it takes 3 to spare one: " + noRow,
	} {
		if told[what] != want {
			t.Errorf("%s: %q, want %q", what, told[what], want)
		}
	}
	if got := e.Membership; got.label != "node-a" || !strings.HasPrefix(got.Unblock, addMissing) {
		t.Errorf("%+v", got)
	}
}

func TestAPromotionDependsOnALeader(t *testing.T) {
	without := explained(snapshottest.Deleting(snapshottest.A), snapshottest.Learner(snapshottest.D), snapshottest.Facts(func(s *snapshot.Snapshot) { s.Leader = 0 }))
	with := explained(snapshottest.Deleting(snapshottest.A), snapshottest.Learner(snapshottest.D))
	if with.Membership.Action != "PromoteLearner" || len(with.Membership.DependsOn) > 0 {
		t.Errorf("with a leader: %+v", with.Membership)
	}
	if on := without.Membership.DependsOn; without.Membership.Action != "PromoteLearner" || len(on) != 1 || !strings.Contains(on[0], "the voters do not agree who leads") {
		t.Errorf("without a leader: %+v", without.Membership)
	}
	if shown := text(t, without, Plain); !strings.Contains(shown, "DEPENDS") || strings.Contains(shown, "NEXT     learner") {
		t.Error(shown)
	}
}

package scenario

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

const head = "name: s\nabout: text\n"

func TestMistakesAreFoundWithFileAndLine(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		line int
		want string
	}{
		"an empty file":                                 {"", 1, "the file is empty"},
		"a list":                                        {"- a\n", 1, "want the fields of a scenario"},
		"text that is no YAML":                          {"name: s\nsteps: [\n", 2, ""},
		"an unknown field":                              {head + "stepps: []\n", 3, `the scenario has no field "stepps"`},
		"an unknown field of the load":                  {head + "load:\n  clients: 4\n  write: 200\nsteps: [{cordon: {node: a}}]\n", 5, `load has no field "write"; it has: clients, writes`},
		"an unknown step":                               {head + "steps:\n- cordon: {node: a}\n- explode: {host: a}\n", 5, `unknown step "explode"; steps are: assert, cordon`},
		"slow without a host":                           {head + "steps:\n- slow: {process: etcd}\n", 4, "host is missing"},
		"slow that never runs":                          {head + "steps:\n- slow: {host: a, stop: 200ms}\n", 4, "stop (200ms) must be shorter than every (200ms)"},
		"slow of a process that cannot be named":        {head + "steps:\n- slow: {host: a, process: sshd}\n", 4, "the only process that can be named is etcd"},
		"slow with an unknown field":                    {head + "steps:\n- slow:\n    host: a\n    delay: 1s\n", 6, `step slow has no field "delay"; it has: host, process, stop, every`},
		"a rollout of no node":                          {head + "steps:\n- hold-rollout: {host: a}\n", 4, `step hold-rollout has no field "host"; it has: node`},
		"an unknown field of a step":                    {head + "steps:\n- terminate:\n    hosst: a\n", 5, `step terminate has no field "hosst"; it has: host, process`},
		"an unknown field below a field":                {head + "steps:\n- expect:\n    event:\n      reasons: X\n", 6, `event has no field "reasons"; it has: reason, object, contains`},
		"a step with two kinds":                         {head + "steps:\n- cordon: {node: a}\n  uncordon: {node: b}\n", 4, "a step is its kind and its fields"},
		"a step that is a word":                         {head + "steps:\n- cordon\n", 4, "a step is its kind and its fields"},
		"a step whose fields are a word":                {head + "steps:\n- cordon: a\n", 4, "step cordon has fields, such as {node: ...}"},
		"a step without what it needs":                  {head + "steps:\n- cordon: {}\n", 4, "node is missing"},
		"no steps":                                      {head, 1, "there are no steps"},
		"no name":                                       {"steps:\n- cordon: {node: a}\n", 1, "name is missing"},
		"a number of hosts that is no cluster":          {head + "control-planes: 2\nsteps: [{cordon: {node: a}}]\n", 3, "must be 1, 3 or 5, not 2"},
		"a number that is none":                         {head + "control-planes: many\nsteps: [{cordon: {node: a}}]\n", 3, "cannot unmarshal"},
		"half a load":                                   {head + "load: {clients: 4}\nsteps: [{cordon: {node: a}}]\n", 3, "load needs clients and writes"},
		"more victims than hosts":                       {head + "control-planes: 1\nvictims: [a, b]\nsteps: [{cordon: {node: a}}]\n", 4, "there are 2 victims and only 1"},
		"two victims of one name":                       {head + "victims: [a, a]\nsteps: [{cordon: {node: a}}]\n", 3, "two victims are called a"},
		"a victim's name with a blank":                  {head + "victims: [\"a b\"]\nsteps: [{cordon: {node: a}}]\n", 3, "small letters"},
		"a victim that is not there":                    {head + "victims: [a]\nsteps:\n- cordon: {node: $b}\n", 5, "$b is no victim; victims are: a"},
		"a duration that is none":                       {head + "steps:\n- sleep: {for: soon}\n", 4, `want a time span such as 30s or 2m, not "soon"`},
		"a duration that is negative":                   {head + "steps:\n- sleep: {for: -1s}\n", 4, "want a time span"},
		"sleep with two lengths":                        {head + "steps:\n- sleep: {for: 1s, to: 2s}\n", 4, "give for, or from and to"},
		"an expression with an unknown name":            {head + "steps:\n- wait:\n    until: votes == 3\n", 5, "unknown name votes"},
		"an expression with an unknown field":           {head + "steps:\n- wait:\n    until: all(members, .helthy)\n", 5, "has no field helthy"},
		"an expression that is no question":             {head + "steps:\n- wait:\n    until: voters + 1\n", 5, "expected bool, but got int"},
		"an expression that is broken":                  {head + "steps:\n- wait:\n    until: voters ==\n", 5, "unexpected token"},
		"an expression that compares wrong types":       {head + "steps:\n- wait:\n    until: voters == \"3\"\n", 5, "mismatched types int and string"},
		"an expression in the assertions":               {head + "always:\n- name: x\n  that: votes == 3\nsteps: [{cordon: {node: a}}]\n", 5, "unknown name votes"},
		"an assertion without a name":                   {head + "always:\n- that: voters == 3\nsteps: [{cordon: {node: a}}]\n", 4, "an assertion needs a name and that"},
		"two assertions of one name":                    {head + "always:\n- {name: x, that: voters == 3}\n- {name: x, that: voters == 4}\nsteps: [{cordon: {node: a}}]\n", 5, `two assertions are called "x"`},
		"a release of nothing":                          {head + "steps:\n- release: {name: x}\n", 4, `there is no assertion "x"`},
		"create without an object":                      {head + "steps:\n- create: {}\n", 4, "give exactly one of host, machine, object"},
		"an edit of nothing":                            {head + "steps:\n- edit: {merge: {a: b}}\n", 4, "apiVersion is missing"},
		"an edit in two ways":                           {head + "steps:\n- edit: {object: {apiVersion: v1, kind: Node, name: a}, merge: {a: b}, json: [{op: x}]}\n", 4, "give exactly one of"},
		"an expectation that is none":                   {head + "steps:\n- drain: {node: a, expect: maybe}\n", 4, "expect must be done or refused"},
		"expect with two questions":                     {head + "steps:\n- expect:\n    that: voters == 3\n    event: {reason: X}\n", 4, "give exactly one of condition, event, that"},
		"a condition of something else":                 {head + "steps:\n- expect: {condition: {on: node, type: Ready}}\n", 4, "on must be etcd or clusteroperator"},
		"an operator that is told nonsense":             {head + "steps:\n- operator: {do: sing}\n", 4, "do must be kill, restart, pause, resume, stop, start, partition or heal"},
		"a drain in the background with an expectation": {head + "steps:\n- drain: {node: a, background: true, expect: refused}\n", 4, "nothing can be expected of a drain in the background"},
		"two arbiters":                                  {head + "arbiters: 2\nsteps: [{cordon: {node: a}}]\n", 3, "one arbiter among three control planes"},
		"an arbiter of one control plane":               {head + "control-planes: 1\narbiters: 1\nsteps: [{cordon: {node: a}}]\n", 4, "one arbiter among three control planes"},
		"a victim that could be the arbiter":            {head + "arbiters: 1\nvictims: [a, b, c]\nsteps: [{cordon: {node: a}}]\n", 4, "there are 3 victims and only 2"},
		"a family of addresses that is none":            {head + "ip-families: [ipv5]\nsteps: [{cordon: {node: a}}]\n", 3, "ip-families are ipv4, ipv6 or both"},
		"a family of addresses twice":                   {head + "ip-families: [ipv6, ipv6]\nsteps: [{cordon: {node: a}}]\n", 3, "ip-families are ipv4, ipv6 or both"},
		"kill without a process":                        {head + "steps:\n- kill: {host: a}\n", 4, "process is missing"},
		"a process that cannot be named":                {head + "steps:\n- pause: {host: a, process: sshd}\n", 4, "the only process that can be named is etcd"},
		"a process where there is none":                 {head + "steps:\n- heal: {host: a, process: etcd}\n", 4, "process can only be given to"},
		"a host that is kept from the API server alone": {head + "steps:\n- partition: {host: a, from: api}\n", 4, "from must be peers"},
		"a pause from something":                        {head + "steps:\n- pause: {host: a, from: peers}\n", 4, "from can only be given to partition and heal"},
		"a run without a command":                       {head + "steps:\n- run: {within: 3s}\n", 4, "command is missing"},
		"hold without a time":                           {head + "steps:\n- hold: {that: voters == 3}\n", 4, "for is missing"},
		"finally that is a mapping":                     {head + "steps: [{cordon: {node: a}}]\nfinally:\n- {that: x}\n", 5, "want an expression"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(test.text), 1)
			var mistake *Error
			if !errors.As(err, &mistake) {
				t.Fatalf("error is %v", err)
			}
			if mistake.File != "f.yaml" || mistake.Line != test.line || !strings.Contains(mistake.Text, test.want) {
				t.Errorf("error is %q, want line %d and %q", err, test.line, test.want)
			}
			if !strings.HasPrefix(err.Error(), "f.yaml:") {
				t.Errorf("the text of the error begins without the file: %q", err)
			}
		})
	}
}

func TestEveryStepIsReadAndSaysWhatItDoes(t *testing.T) {
	steps := map[string]string{
		"create: {machine: master-3, like: $a}":                    "create machine master-3",
		"create: {object: {apiVersion: v1, kind: ConfigMap}}":      "create ConfigMap",
		"delete: {machine: $a}":                                    "delete machine HOST",
		"delete: {object: {apiVersion: v1, kind: Node, name: $a}}": "delete Node HOST",
		"force-delete: {machine: $a}":                              "force-delete machine HOST",
		"start: {host: $a}":                                        "start HOST",
		"terminate: {host: $a}":                                    "terminate HOST",
		"destroy: {host: $a}":                                      "destroy HOST",
		"partition: {host: $a}":                                    "partition HOST",
		"heal: {host: '${a}'}":                                     "heal HOST",
		"partition: {host: $a, from: peers}":                       "partition HOST: peers",
		"pause: {host: $a}":                                        "pause HOST",
		"resume: {host: $a, process: etcd}":                        "resume etcd on HOST",
		"kill: {host: $a, process: etcd}":                          "kill etcd on HOST",
		"slow: {host: $a}":                                         "slow HOST: stopped for 150ms of every 200ms",
		"slow: {host: $a, process: etcd, stop: 1s, every: 2s}":     "slow etcd HOST: stopped for 1s of every 2s",
		"create: {host: $a}":                                       "create host HOST",
		"drain: {node: $a, background: true, every: 1s}":           "drain HOST meanwhile",
		"hold-boot: {host: $a}":                                    "hold-boot HOST",
		"hold-rollout: {node: $a}":                                 "hold-rollout HOST",
		"let-rollout: {node: $a}":                                  "let-rollout HOST",
		"stop-kubelet: {host: $a}":                                 "stop-kubelet HOST",
		"start-kubelet: {host: $a}":                                "start-kubelet HOST",
		"cordon: {node: $a}":                                       "cordon HOST",
		"uncordon: {node: $a}":                                     "uncordon HOST",
		"drain: {node: $a, expect: refused, within: 3s}":           "drain HOST, to be refused",
		"evict: {guard: $a}":                                       "evict the guard of HOST",
		"evict: {pod: p, namespace: n, expect: refused}":           "evict pod p, to be refused",
		"reboot: {node: $a}":                                       "reboot HOST",
		"strip: {machine: $a, as: argo}":                           "strip the hook of HOST",
		"fight: {machine: $a, every: 3s, for: 1m}":                 "fight over the hook of HOST",
		"edit: {install-config: {controlPlane: {replicas: 5}}}":    "edit install-config",
		"edit: {object: {apiVersion: v1, kind: Node, name: $a}, json: [{op: remove, path: /x}]}":     "edit Node HOST",
		"edit: {object: {apiVersion: v1, kind: Node, name: $a}, merge: {a: 1}, subresource: status}": "edit Node HOST",
		"operator: {do: kill}":                                                    "kill the operator",
		"wait: {until: voters == 3, within: 1m}":                                  "wait until voters == 3",
		"hold: {that: voters == 3, for: 5s}":                                      "for 5s: voters == 3",
		"expect: {that: voters == 3}":                                             "expect voters == 3",
		"expect: {event: {reason: MemberRemove, object: Machine/x, contains: y}}": "expect event MemberRemove",
		"expect: {condition: {on: clusteroperator, type: Degraded, status: 'False', reason: R, contains: }}": "expect condition Degraded",
		"assert: {name: x, that: voters == 3, grace: 2s}":                                                    "from here on: x",
		"sleep: {from: 1s, to: 2s}":       "let time pass",
		"run: {command: [echo, $$a, $a]}": "run echo $a HOST",
	}
	seen := map[string]bool{}
	for text, want := range steps {
		s, err := Parse("f", []byte("name: s\nvictims: [a]\nsteps:\n- "+text+"\n"), 1)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		seen[s.Steps[0].Kind] = true
		if got := s.Steps[0].String(); got != strings.ReplaceAll(want, "HOST", s.Chosen["a"]) {
			t.Errorf("%s says %q, want %q", text, got, want)
		}
		if s.Steps[0].Line != 4 {
			t.Errorf("%s is on line %d", text, s.Steps[0].Line)
		}
	}
	s, err := Parse("f", []byte("name: s\nsteps:\n- assert: {name: x, that: voters == 3}\n- release: {name: x}\n"), 1)
	if err != nil || s.Steps[1].String() != "no longer: x" {
		t.Errorf("%v, %v", s, err)
	}
	seen["release"] = true
	for kind := range kinds {
		if !seen[kind] {
			t.Errorf("no example of step %s", kind)
		}
	}
}

func TestTheSeedDecidesWhoIsHit(t *testing.T) {
	text := []byte("name: s\nvictims: [a, b]\ncontrol-planes: 5\nsteps:\n- cordon: {node: $a}\n- cordon: {node: $b}\n")
	choices := map[string]bool{}
	for seed := range int64(40) {
		first, err := Parse("f", text, seed)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse("f", text, seed)
		if err != nil {
			t.Fatal(err)
		}
		if first.Chosen["a"] != again.Chosen["a"] || first.Chosen["b"] != again.Chosen["b"] {
			t.Errorf("seed %d chooses %v, then %v", seed, first.Chosen, again.Chosen)
		}
		if first.Chosen["a"] == first.Chosen["b"] {
			t.Errorf("seed %d chooses one host twice", seed)
		}
		if got := first.Steps[1].Action.(*Node).Node; got != first.Chosen["b"] {
			t.Errorf("the step says %s, chosen is %s", got, first.Chosen["b"])
		}
		choices[first.Chosen["a"]] = true
	}
	if len(choices) != 5 {
		t.Errorf("40 seeds choose only %v", choices)
	}
}

func TestDefaultsAndHeader(t *testing.T) {
	s, err := Parse("f", []byte("name: s\nload: {clients: 4, writes: 200}\nmax-write-gap: 10s\nmin-voters: 2\ngone: [x]\nsteps: [{cordon: {node: a}}]\n"), 1)
	if err != nil {
		t.Fatal(err)
	}
	if s.ControlPlanes != 3 || time.Duration(s.Deadline) != defaultDeadline || s.Load != (Load{4, 200}) || s.MinVoters != 2 || time.Duration(s.MaxWriteGap) != 10*time.Second || !slices.Equal(s.Gone, []string{"x"}) {
		t.Errorf("read %+v", s)
	}
}

// replaces reports whether the scenario has the operator let a Machine go.
func replaces(s *Scenario) bool {
	return !s.UserProvisioned && slices.ContainsFunc(s.Steps, func(step Step) bool {
		deletes, is := step.Action.(*Delete)
		return is && deletes.Machine != "" || s.MachineSet
	})
}

func TestBuiltinScenariosAreGood(t *testing.T) {
	if want := []string{
		"api-down-restart", "arbiter", "cut-off-from-peers-no-drain", "dead-host", "drain-before-the-new-member", "drain-during-replacement",
		"dual-stack", "escape-hatch", "extra-machines", "foreign-hook", "gitops-fights-hook", "health-check-deletes-machine",
		"hook-of-an-older-operator", "ipv6", "kubelet-stopped", "leader-is-replaced", "leader-partitioned-during-promotion", "learner-host-dies",
		"learner-is-no-vote-for-the-guard", "learner-partitioned", "machine-deleted-at-the-moment-of-promotion",
		"new-member-paused-right-after-promotion", "operator-killed", "replace-created-first", "replace-one", "replace-three-at-once",
		"rollout-held-back", "set-on-delete", "set-rolling-update", "slow-member", "stale-guard-after-removal", "two-addresses",
		"two-dead-of-five", "two-drains-no-deadlock", "two-operators", "two-voters-left-no-drain", "user-provisioned",
	}; !slices.Equal(Builtin(), want) {
		t.Errorf("built in are %v, want %v", Builtin(), want)
	}
	for _, name := range Builtin() {
		data, err := BuiltinSource(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Parse(name, data, 1)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if s.Name != name || s.About == "" || s.Load.Clients < 4 || s.Load.Writes < 200 || len(s.Gone) == 0 && replaces(s) {
			t.Errorf("%s: name %s, about %q, load %+v, gone %v", name, s.Name, s.About, s.Load, s.Gone)
		}
		// A budget that is not counted yet allows nothing, like one that is closed:
		// what waits for the second would believe the first.
		if first, is := s.Steps[0].Action.(*Wait); !is || !strings.Contains(first.Until.Text, "budget.disruptionsAllowed == 1") {
			t.Errorf("%s does not begin by waiting for a budget that is counted", name)
		}
	}
	if _, err := BuiltinSource("nonsense"); err == nil || !strings.Contains(err.Error(), "replace-one") {
		t.Errorf("error is %v", err)
	}
}

func TestExpressions(t *testing.T) {
	f := facts.Facts{
		Desired: 3,
		Members: []facts.Member{
			{ID: "1", Name: "a", Voter: true, Healthy: true, Leader: true, Machine: "a"},
			{ID: "2", Name: "b", Voter: true},
			{ID: "3", Name: "c", Learner: true, Machine: "m-c"},
		},
		Machines:           []facts.Machine{{Name: "a", Hooked: true}, {Name: "b", Deleting: true}},
		Nodes:              []facts.Node{{Name: "a", Ready: true}},
		Guards:             []facts.Guard{{Name: "etcd-guard-a", Node: "a", Ready: true}},
		Budget:             facts.Budget{Exists: true, MinAvailable: 2, DisruptionsAllowed: 1},
		Endpoints:          []string{"x", "y"},
		EtcdConditions:     []facts.Condition{{Type: "T", Status: "True", Reason: "R", Message: "m"}},
		OperatorConditions: []facts.Condition{{Type: "Degraded", Status: "False"}},
	}
	for text, want := range map[string]bool{
		`voters == 2 and healthyVoters == 1 and learners == 1 and desired == 3`:  true,
		`member("a").leader and member("a").healthy and not member("b").healthy`: true,
		`member("nobody").voter`: false,
		`machine("a").exists and machine("a").hooked and not machine("nobody").exists`: true,
		`machine("b").deleting and not machine("b").hooked`:                            true,
		`node("a").ready and not node("nobody").exists`:                                true,
		`hostsMember("a") and hostsMember("m-c") and not hostsMember("d")`:             true,
		`count(guards, .ready) == 1 and guard("a").ready and not guard("b").ready`:     true,
		`budget.minAvailable == 2 and budget.disruptionsAllowed == 1`:                  true,
		`len(endpoints) == 2 and "x" in endpoints`:                                     true,
		`condition("T").status == "True" and condition("T").message contains "m"`:      true,
		`condition("nothing").status == ""`:                                            true,
		`operator("Degraded").status != "True"`:                                        true,
		`any(members, .learner and .name == "c")`:                                      true,
		`all(machines, .hooked)`:                                                       false,
	} {
		program, err := compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := Expression{Text: text, program: program}.Holds(f)
		if err != nil || got != want {
			t.Errorf("%s is %t, %v; want %t", text, got, err, want)
		}
	}
}

func TestAnExpressionThatCannotBeAnsweredIsAnErrorAndNoAnswer(t *testing.T) {
	program, err := compile(`members[5].voter`)
	if err != nil {
		t.Fatal(err)
	}
	holds, err := Expression{Text: "x", program: program}.Holds(facts.Facts{})
	if err == nil || holds {
		t.Errorf("holds is %t, error %v", holds, err)
	}
}

package selftest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/lab/oracle"
	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

const repository = "../.."

func entries(t *testing.T) []Entry {
	t.Helper()
	all, err := Table()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEachEntryBreaksThePresentSourcesAndCompiles(t *testing.T) {
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries(t) {
		t.Run(e.Scenario+" without "+e.Rule, func(t *testing.T) {
			if err := e.Compile(t.Context(), root); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestEachScenarioHasARuleWithoutWhichItFails(t *testing.T) {
	has := map[string]bool{}
	for _, e := range entries(t) {
		has[e.Scenario] = true
	}
	for _, name := range scenario.Builtin() {
		if !has[name] {
			t.Errorf("no broken rule is known that %s notices", name)
		}
	}
}

func TestTheDocumentNamesTheRulesOfEachScenario(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "docs", "lab.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries(t) {
		row := regexp.MustCompile("(?m)^\\| `" + e.Scenario + "` \\|.*\\|([^|]*)\\|$").FindStringSubmatch(string(text))
		if row == nil || !regexp.MustCompile(`(^|[ ,])`+regexp.QuoteMeta(e.Rule)+`([ ,]|$)`).MatchString(row[1]) {
			t.Errorf("the row of %s does not say that it fails without %s: %q", e.Scenario, e.Rule, row)
		}
	}
}

const right = `
- scenario: replace-one
  rule: R6.3
  about: a
  changes: [{file: pkg/membership/decide.go, text: package membership, by: package membership // broken}]
  breaks: b
`

func TestATableThatMakesNoSenseIsRefused(t *testing.T) {
	if all, err := parse([]byte(right)); err != nil || len(all) != 1 {
		t.Fatalf("%d entries, %v", len(all), err)
	}
	for name, change := range map[string][2]string{
		"an unknown scenario":      {"replace-one", "replace-none"},
		"no rule":                  {"R6.3", "six"},
		"no sentence":              {"about: a", "about: ''"},
		"nothing that it breaks":   {"breaks: b", "breaks: ''"},
		"an unknown field":         {"breaks: b", "breaks: b\n  more: c"},
		"no change":                {"[{file: pkg/membership/decide.go, text: package membership, by: package membership // broken}]", "[]"},
		"a change of nothing":      {", by: package membership // broken", ", by: package membership"},
		"a file that is no source": {"pkg/membership/decide.go", "manifests/a.yaml"},
		"a test":                   {"pkg/membership/decide.go", "pkg/membership/table_test.go"},
		"a file elsewhere":         {"pkg/membership/decide.go", "pkg/../lab/main.go"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(right, change[0], change[1], 1)
			if text == right {
				t.Fatal("the test changes nothing")
			}
			if _, err := parse([]byte(text)); !errors.Is(err, ErrTable) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

// tree is a repository with one package.
func tree(t *testing.T, source string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n", "pkg/p/p.go": source, "cmd/" + program + "/main.go": "package main\n\nimport \"m/pkg/p\"\n\nfunc main() { print(p.Value()) }\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const source = "package p\n\n// Value is a number.\nfunc Value() int { return 1 }\n"

func entry(text, by string) Entry {
	return Entry{Scenario: "s", Rule: "R1", Changes: []Change{{File: "pkg/p/p.go", Text: text, By: by}}}
}

func TestATextThatDoesNotOccurOnceIsAnError(t *testing.T) {
	root := tree(t, source+"// return 1\n")
	for _, text := range []string{"return 1", "return 2"} {
		if err := entry(text, "return 3").Compile(t.Context(), root); !errors.Is(err, ErrTable) {
			t.Errorf("%q: error is %v", text, err)
		}
	}
	two := entry("Value() int", "Value() (n int)")
	two.Changes = append(two.Changes, Change{File: "pkg/p/p.go", Text: "(n int)", By: "(m int)"})
	if err := two.Compile(t.Context(), root); err != nil {
		t.Errorf("a change of what another one wrote: %v", err)
	}
}

func TestABrokenOperatorIsBuiltOnceAndLeavesTheSourcesAlone(t *testing.T) {
	root := tree(t, source)
	var said strings.Builder
	build := func(e Entry) string {
		t.Helper()
		said.Reset()
		binary, err := e.Build(t.Context(), root, &said)
		if err != nil {
			t.Fatal(err)
		}
		return binary
	}
	run := func(binary string) string {
		t.Helper()
		output, err := exec.Command(binary).CombinedOutput()
		if err != nil {
			t.Fatal(err)
		}
		return string(output)
	}
	two, three := entry("return 1", "return 2"), entry("return 1", "return 3")
	if got := run(build(two)) + run(build(three)); got != "23" {
		t.Errorf("the broken programs say %q", got)
	}
	if text, err := os.ReadFile(filepath.Join(root, "pkg", "p", "p.go")); err != nil || string(text) != source {
		t.Errorf("the source is now %q, %v", text, err)
	}
	first := build(two)
	if said.Len() > 0 {
		t.Errorf("it is built again: %s", said.String())
	}
	if err := os.WriteFile(filepath.Join(root, "pkg", "p", "more.go"), []byte("package p\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if second := build(two); second == first || said.Len() == 0 {
		t.Error("it is not built again from other sources")
	}
	if err := Forget(root, []Entry{two}); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(Folder(root))
	if err != nil || len(left) != 1 {
		t.Errorf("%d programs are left, %v", len(left), err)
	}
	if err := entry("return 1", "return").Compile(t.Context(), root); err == nil {
		t.Error("what does not compile compiles")
	}
}

func TestTheVerdictMustNameWhatIsBroken(t *testing.T) {
	e := Entry{Breaks: "a healthy voter is removed [I1]"}
	claim := func(result oracle.Result) oracle.Verdict {
		return oracle.Verdict{Claims: []oracle.Claim{
			{Text: "other", Result: oracle.Broken}, {Text: "not a healthy voter is removed", Rules: "I1", Evidence: "at 3 s", Result: result},
		}}
	}
	if got := e.Noticed(claim(oracle.Broken)); got != "not a healthy voter is removed [I1]: at 3 s" {
		t.Errorf("noticed is %q", got)
	}
	for _, result := range []oracle.Result{oracle.Holds, oracle.NotProven} {
		if got := e.Noticed(claim(result)); got != "" {
			t.Errorf("noticed is %q though the claim is %s", got, result)
		}
	}
}

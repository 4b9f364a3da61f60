package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// example is a module with one mutated package, whose own tests notice only a part of what is wrong with it.
var example = map[string]string{
	"go.mod": "module example.org/m\n\ngo 1.26\n",
	"pkg/core/core.go": `// Package core keeps rule R6.1.
package core

// May keeps rule R6.1.
func May(healthy, voters int) bool { return healthy > 0 && healthy >= voters/2+1 }

// First keeps rule R6.6.
func First(names []string) string { return names[0] }
`,
	"pkg/core/core_test.go": `package core

import "testing"

func TestMay(t *testing.T) {
	if !May(2, 3) {
		t.Error("two of three may not")
	}
	if May(1, 3) {
		t.Error("one of three may")
	}
}

func TestFirst(t *testing.T) {
	if First([]string{"a"}) != "a" {
		t.Error("not the first")
	}
}
`,
	"pkg/user/user.go": "package user\n\nimport \"example.org/m/pkg/core\"\n\nfunc Use() bool { return core.May(3, 4) }\n",
	"pkg/user/user_test.go": `package user

import (
	"testing"

	"example.org/m/pkg/core"
)

func TestUse(t *testing.T) {
	if !Use() || core.May(2, 4) {
		t.Error("three of four may not, or two may")
	}
}
`,
	"test/exhaustive/all_test.go": `package exhaustive

import (
	"testing"

	"example.org/m/pkg/core"
)

func TestAll(t *testing.T) {
	for n := range 9 {
		if core.May(0, n) || !core.May(n+1, n) {
			t.Error("none may, or all may not")
		}
	}
}
`,
	"pkg/other/other_test.go": "package other\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) {}\n",
}

func writeExample(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range example {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// judgeExample shows the mutants of the example to its tests and returns the results and what was printed.
func judgeExample(t *testing.T, root, cacheFile string) (*judge, map[string]result, string) {
	t.Helper()
	// As the command does: from the root of the module.
	t.Chdir(root)
	root = "."
	program, err := derive(root, []target{{path: "pkg/core"}})
	if err != nil {
		t.Fatal(err)
	}
	tests, err := listTests(root, testPatterns(root)...)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := openCache(cacheFile)
	if err != nil {
		t.Fatal(err)
	}
	j, err := newJudge(root, t.TempDir(), program, tests, kept)
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	j.progress = &printed
	results, err := j.all(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return j, results, printed.String()
}

func TestEachMutantIsShownToTheCheapestTestsFirst(t *testing.T) {
	root, kept := writeExample(t), filepath.Join(t.TempDir(), "cache")
	j, results, printed := judgeExample(t, root, kept)
	got := map[string]string{}
	for _, m := range j.mutants {
		r := results[m.id]
		what := string(r.outcome)
		if r.outcome != survived {
			what += " at " + j.levels[r.level].title + " by " + r.by
		}
		got[m.id+" "+m.text] = what
	}
	const may, first = "core/core.go:May:R6.1:", "core/core.go:First:R6.6:"
	want := map[string]string{
		may + "never:1 `healthy > 0 && healthy >= voters/2+1` is never true":                            "failed at own tests by TestMay",
		may + "always:1 `healthy > 0 && healthy >= voters/2+1` is always true":                          "failed at own tests by TestMay",
		may + "operand:1 `healthy > 0` is left out of `healthy > 0 && healthy >= voters/2+1`":           "survived",
		may + "operand:2 `healthy >= voters/2+1` is left out of `healthy > 0 && healthy >= voters/2+1`": "failed at own tests by TestMay",
		may + "comparison:1 `healthy > 0` is `healthy >= 0`":                                            "survived",
		may + "number:1 `0` is one more":                                                                "failed at small worlds by TestAll",
		may + "comparison:2 `healthy >= voters/2+1` is `healthy > voters/2+1`":                          "failed at own tests by TestMay",
		may + "term:1 `voters/2` is left out of `voters/2+1`":                                           "failed at own tests by TestMay",
		may + "number:2 `2` is one more":                                                                "failed at tests of users by TestUse",
		may + "number:3 `2` is one less":                                                                "failed at own tests by TestMay",
		may + "number:4 `1` is one more":                                                                "failed at own tests by TestMay",
		may + "number:5 `1` is one less":                                                                "failed at own tests by TestMay",
		first + "number:1 `0` is one more":                                                              "panicked at own tests by TestFirst",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s\n%s", diff, printed)
	}
	if strings.Contains(printed, "pkg/other") {
		t.Errorf("tests that do not use the mutated package were asked:\n%s", printed)
	}

	again, results2, printed := judgeExample(t, root, kept)
	if diff := cmp.Diff(results, results2, cmp.AllowUnexported(result{})); diff != "" {
		t.Errorf("the second run differs (-first +second)\n%s", diff)
	}
	if len(again.builder.built) != 0 || !strings.Contains(printed, "asked 0 times") {
		t.Errorf("the second run asked what was known:\n%s", printed)
	}

	extended := strings.Replace(example["pkg/user/user_test.go"], "core.May(2, 4)", "core.May(2, 4) || core.May(0, -2)", 1)
	if err := os.WriteFile(filepath.Join(root, "pkg/user/user_test.go"), []byte(extended), 0o644); err != nil {
		t.Fatal(err)
	}
	after, results3, printed := judgeExample(t, root, kept)
	for _, m := range after.mutants {
		if r := results3[m.id]; r.outcome == survived {
			t.Errorf("survives although a test was added: %s", m)
		}
	}
	if len(after.builder.built) != 1 || strings.Contains(printed, "own tests: pkg/core") {
		t.Errorf("more was asked than the test that changed:\n%s", printed)
	}
}

func TestAnEquivalentMutantCostsNoLongTest(t *testing.T) {
	root := writeExample(t)
	program, err := derive(root, []target{{path: "pkg/core"}})
	if err != nil {
		t.Fatal(err)
	}
	tests, err := listTests(root, testPatterns(root)...)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := openCache(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	j, err := newJudge(root, t.TempDir(), program, tests, kept)
	if err != nil {
		t.Fatal(err)
	}
	const noticedByLongTests, noticedBefore = "core/core.go:May:R6.1:number:1", "core/core.go:May:R6.1:never:1"
	j.equivalent = map[string]string{noticedByLongTests: "a reason", noticedBefore: "a wrong reason"}
	results, err := j.all(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := results[noticedByLongTests].outcome; got != survived {
		t.Errorf("a long test was asked: %s", got)
	}
	if got := results[noticedBefore].outcome; got != failed {
		t.Errorf("the package's own tests were not asked: %s", got)
	}
}

func TestTestsThatFailWithoutAMutantStopTheRun(t *testing.T) {
	root := writeExample(t)
	broken := strings.Replace(example["pkg/core/core_test.go"], "!May(2, 3)", "May(2, 3)", 1)
	if err := os.WriteFile(filepath.Join(root, "pkg/core/core_test.go"), []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	program, err := derive(root, []target{{path: "pkg/core"}})
	if err != nil {
		t.Fatal(err)
	}
	tests, err := listTests(root, "./pkg/...")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := openCache(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	j, err := newJudge(root, t.TempDir(), program, tests, kept)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.all(t.Context()); err == nil || !strings.Contains(err.Error(), "fail without any mutant") {
		t.Errorf("got error %v", err)
	}
}

func TestClassify(t *testing.T) {
	broken := errors.New("exit status 1")
	for name, test := range map[string]struct {
		output   string
		err      error
		overtime bool
		want     result
		says     bool
	}{
		"all tests pass": {output: "PASS\n", want: result{outcome: survived}, says: true},
		"a comparison fails": {
			output: "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\n        a_test.go:1: got panic: no\nFAIL\n", err: broken,
			want: result{outcome: failed, by: "TestA/one"}, says: true,
		},
		"the code panics": {
			output: "--- FAIL: TestA (0.00s)\npanic: index out of range [recovered]\n", err: broken,
			want: result{outcome: panicked, by: "TestA"}, says: true,
		},
		"the code panics before any test": {output: "panic: index out of range\n", err: broken, want: result{outcome: panicked}, says: true},
		"the stack is full":               {output: "runtime: goroutine stack exceeds\nfatal error: stack overflow\n", err: broken, want: result{outcome: panicked}, says: true},
		"the test reaches its limit": {
			output: "panic: test timed out after 20s\n\trunning tests:\n", err: broken, want: result{outcome: timedOut}, says: true,
		},
		"the test is killed after its limit":   {err: broken, overtime: true, want: result{outcome: timedOut}, says: true},
		"the binary cannot be started":         {err: broken},
		"a flag is unknown to the test binary": {output: "flag provided but not defined: -x\n", err: broken},
	} {
		t.Run(name, func(t *testing.T) {
			got, says := classify(test.output, test.err, test.overtime)
			if says != test.says {
				t.Fatalf("it says something: got %v, want %v", says, test.says)
			}
			if says && got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestOurLevelsAreAskedAboutWhatTheyAreNamedFor(t *testing.T) {
	all := []string{"pkg/membership", "pkg/rollout", "pkg/rolloutx", "test/exhaustive", "test/model", "test/model/world", "test/modelx"}
	var got [][]string
	for _, l := range levels {
		got = append(got, l.packages(all, "pkg/rollout"))
	}
	want := [][]string{{"pkg/rollout"}, {"pkg/membership", "pkg/rolloutx"}, {"test/exhaustive"}, {"test/model", "test/model/world"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestOutputBeyondTheLimitIsSwallowed(t *testing.T) {
	var kept strings.Builder
	w := &limitedWriter{w: &kept, left: 5}
	for _, s := range []string{"abc", "def", "ghi"} {
		if n, err := w.Write([]byte(s)); n != 3 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
	}
	if kept.String() != "abcde" {
		t.Errorf("kept %q", kept.String())
	}
}

func TestABrokenCacheIsStartedAnew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "folder", "cache")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := openCache(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.get("k"); ok {
		t.Error("it holds something")
	}
	c.put("k", cached{Outcome: failed, By: "TestA"})
	c.put("unused", cached{Outcome: survived})
	if err := c.save(false); err != nil {
		t.Fatal(err)
	}
	c, err = openCache(file)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := c.get("k"); !ok || got != (cached{Outcome: failed, By: "TestA"}) {
		t.Errorf("got %+v, %v", got, ok)
	}
	// What a whole run did not ask for is about a mutant or a test that is gone.
	if err := c.save(false); err != nil {
		t.Fatal(err)
	}
	c, err = openCache(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.get("unused"); ok || !slices.Equal([]string{"k"}, keys(c.old)) {
		t.Errorf("it still holds %v", keys(c.old))
	}
}

func keys(m map[string]cached) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	return all
}

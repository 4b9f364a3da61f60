package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/hack/rulebook"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

func TestProblems(t *testing.T) {
	entry := reason.Entry{Reason: "A", Group: "G", Message: "m", Unblock: "u"}
	cited := Citation{Rule: "R1.3", Reason: "A", Position: token.Position{Filename: "x.go", Line: 3, Column: 1}}
	for name, test := range map[string]struct {
		entries   []reason.Entry
		constants []string
		citations []Citation
		want      []string
	}{
		"each Reason is listed once and cited": {
			entries: []reason.Entry{entry}, constants: []string{"A"}, citations: []Citation{cited, cited},
		},
		"a Reason that no core uses": {
			entries: []reason.Entry{entry}, constants: []string{"A"},
			want: []string{"Reason A is used by no core, so no rule cites it"},
		},
		"a use without an entry": {
			constants: []string{"A"}, citations: []Citation{cited},
			want: []string{"Reason A has no entry in reason.Entries", "x.go:3:1: Reason A has no entry in reason.Entries"},
		},
		"two entries": {
			entries: []reason.Entry{entry, entry}, constants: []string{"A"}, citations: []Citation{cited},
			want: []string{"Reason A has two entries in reason.Entries"},
		},
		"an entry without a remedy": {
			entries: []reason.Entry{{Reason: "A", Group: "G", Message: "m"}}, constants: []string{"A"}, citations: []Citation{cited},
			want: []string{"Reason A lacks its group, its meaning or its remedy"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, problems(test.entries, test.constants, test.citations)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestRenderListsEachReasonInItsGroupWithItsRulesInOrder(t *testing.T) {
	got := render([]reason.Entry{
		{Reason: "A", Group: "One", Message: "{subject} waits for {other}", Unblock: "bring back {need} of {have}", DegradedAfter: reason.AtOnce},
		{Reason: "B", Group: "Two", Message: "a|b", Unblock: "nothing", DegradedAfter: 90 * time.Minute},
	}, []Citation{{Rule: "R10.1", Reason: "A"}, {Rule: "R7.4", Reason: "A"}, {Rule: "R7.4", Reason: "A"}, {Rule: "R3", Reason: "B"}})
	want := `
## One

| Reason | rules | meaning | remedy | Degraded |
| --- | --- | --- | --- | --- |
| ` + "`A`" + ` | [R7.4](rules.md#r7-4), [R10.1](rules.md#r10-1) | *subject* waits for *other* | bring back *need* of *have* | at once |

## Two

| Reason | rules | meaning | remedy | Degraded |
| --- | --- | --- | --- | --- |
| ` + "`B`" + ` | [R3](rules.md#r3) | a\|b | nothing | after 90 minutes |
`
	if diff := cmp.Diff(reasonsHead+want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFirstDifference(t *testing.T) {
	for name, test := range map[string]struct{ got, want, difference string }{
		"the same":           {"a\nb", "a\nb", ""},
		"a line that is not": {"a\nb", "a\nc", "line 2\n- b\n+ c"},
		"a line too few":     {"a", "a\nc", "line 2 is missing\n+ c"},
		"a line too many":    {"a\nb", "a", "line 2 is too much\n- b"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := firstDifference(test.got, test.want); got != test.difference {
				t.Errorf("got %q, want %q", got, test.difference)
			}
		})
	}
}

func TestACheckFailsOnAStaleDocumentAndWritesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "d.md")
	if err := writeOrCompare(file, "new\n", true); err == nil || !strings.Contains(err.Error(), "make update") {
		t.Errorf("a document that is not there: got error %v", err)
	}
	if err := writeOrCompare(file, "old\n", false); err != nil {
		t.Fatal(err)
	}
	if err := writeOrCompare(file, "new\n", true); err == nil {
		t.Error("a stale document passes")
	}
	if err := writeOrCompare(file, "old\n", true); err != nil {
		t.Errorf("a current document fails: %v", err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "old\n" {
		t.Errorf("a check wrote %q (%v)", text, err)
	}
}

// invariants is a table with a sound row for each id but I1, and after them the given rows.
func invariants(rows ...string) string {
	var b strings.Builder
	for _, id := range invariantIDs()[1:] {
		b.WriteString("| " + id + " | s | not in this revision | not in this revision |\n")
	}
	return b.String() + strings.Join(rows, "\n")
}

func TestInvariantFaults(t *testing.T) {
	known := &tree{functions: map[string]string{}, tests: map[string]bool{}, sentences: map[string]map[string]bool{}, comments: map[string]string{}}
	for path, text := range map[string]string{
		"pkg/core/core.go": `
			package core
			// keeps: invariant I1.
			func keeps() {}
			func keepsInside() {
				// I1: because.
				_ = 0
			}
			// other: invariants I10 and I12.
			func other() {}`,
		"test/small/small_test.go": `
			package small
			func TestAll(t *testing.T) { _ = map[string]int{"a voter stays": 1} }
			func helper() {}`,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		known.add(path, file)
	}
	for name, test := range map[string]struct {
		rows []string
		want []string
	}{
		"functions that cite it and tests that exist": {
			rows: []string{"| I1 | s | `core.keeps`, `core.keepsInside` | `small.TestAll` \"a voter stays\" |"},
		},
		"nothing to name yet": {
			rows: []string{"| I1 | s | not in this revision | not in this revision |"},
		},
		"a missing row": {
			want: []string{"docs/invariants.md: I1 has no row"},
		},
		"a row that is there twice": {
			rows: []string{"| I1 | s | `core.keeps` | `small.TestAll` |", "| I1 | s | `core.keeps` | `small.TestAll` |"},
			want: []string{"docs/invariants.md:17: I1: is there twice"},
		},
		"a row with a cell too few": {
			rows: []string{"| I1 | s | `core.keeps` |"},
			want: []string{"docs/invariants.md:16: I1: the row has 3 cells, want id, statement, functions, tests", "docs/invariants.md: I1 has no row"},
		},
		"a function that does not exist": {
			rows: []string{"| I1 | s | `core.gone` | `small.TestAll` |"},
			want: []string{"docs/invariants.md:16: I1: function core.gone does not exist"},
		},
		"a function that does not cite it": {
			rows: []string{"| I1 | s | `core.other` | `small.TestAll` |"},
			want: []string{"docs/invariants.md:16: I1: no comment on or in core.other cites it"},
		},
		"a test that does not exist, or is only a helper": {
			rows: []string{"| I1 | s | `core.keeps` | `small.TestSome`, `small.helper` |"},
			want: []string{"docs/invariants.md:16: I1: test small.TestSome does not exist", "docs/invariants.md:16: I1: test small.helper does not exist"},
		},
		"a case that does not exist": {
			rows: []string{"| I1 | s | `core.keeps` | `small.TestAll` \"a voter goes\" |"},
			want: []string{"docs/invariants.md:16: I1: no test of small is named \"a voter goes\""},
		},
		"words instead of functions and tests": {
			rows: []string{"| I1 | s | somebody | all of them |"},
			want: []string{"docs/invariants.md:16: I1: names no function", "docs/invariants.md:16: I1: names no test"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, invariantFaults(invariants(test.rows...), known)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestACommentThatCitesWhatIsNotWrittenDownIsReported(t *testing.T) {
	known := &tree{comments: map[string]string{"pkg/a.go": "rule R6.1, invariant I5", "pkg/b.go": "rule R6.11 and invariant I13"}}
	want := []string{
		"pkg/b.go: a comment cites R6.11, which is neither in docs/rules.md nor an invariant",
		"pkg/b.go: a comment cites I13, which is neither in docs/rules.md nor an invariant",
	}
	if diff := cmp.Diff(want, citationFaults([]rulebook.Rule{{ID: "R6.1"}}, known)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestARecordThatTheIndexDoesNotListIsReported(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"README.md": "| [0001](0001-a.md) | A |\n", "0001-a.md": "# 1. A\n", "0002-b.md": "# 2. B\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := recordFaults(folder)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"docs/adr/README.md does not list 0002-b.md"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

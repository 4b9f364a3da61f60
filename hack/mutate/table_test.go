package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// three are mutants of two rules.
func three() []*mutant {
	return []*mutant{
		{id: "a", rule: "R10.1", text: "x"}, {id: "b", rule: "R6.1", text: "y"}, {id: "c", rule: "R6.1", text: "z"},
	}
}

const twoLevels = 2

func TestTheTableCountsWhoNoticedWhat(t *testing.T) {
	rows, panics, timeouts := tabulate(three(), map[string]result{
		"a": {outcome: timedOut, level: 1}, "b": {outcome: panicked}, "c": {outcome: survived},
	}, map[string]string{"c": "why"}, levels[:twoLevels])
	got := markdown(three(), rows, panics, timeouts, levels[:twoLevels])
	want := "Written by `make mutate` from list `" + fingerprint(three()) + "`.\n" + `
| rule | mutants | own tests | tests of users | equivalent | survivors |
| --- | --- | --- | --- | --- | --- |
| [R6.1](rules.md#r6-1) | 2 | 1 | 0 | 1 | 0 |
| [R10.1](rules.md#r10-1) | 1 | 0 | 1 | 0 | 0 |
| all | 3 | 1 | 1 | 1 | 0 |

Of those that were noticed, 1 made a test panic and 1 did not end; all others made a comparison fail.
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// document is one with a table in which the given mutants have the given fate.
func document(t *testing.T, mutants []*mutant, fate outcome) string {
	t.Helper()
	results := map[string]result{}
	for _, m := range mutants {
		results[m.id] = result{outcome: fate}
	}
	rows, panics, timeouts := tabulate(mutants, results, nil, levels)
	text, err := splice("before\n"+tableBegin+"\nold\n"+tableEnd+"\nafter\n", markdown(mutants, rows, panics, timeouts, levels))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, "before\n") || !strings.HasSuffix(text, "\nafter\n") || strings.Contains(text, "old") {
		t.Errorf("the text around the table changed:\n%s", text)
	}
	return text
}

func TestStale(t *testing.T) {
	for name, test := range map[string]struct {
		document string
		mutants  []*mutant
		want     []string
	}{
		"a table about these mutants": {document: document(t, three(), failed), mutants: three()},
		"a rule has another number of mutants": {
			document: document(t, three(), failed), mutants: three()[:2],
			want: []string{"the table has 2 mutants of R6.1, the code gives 1", "the table has 3 mutants of all, the code gives 2"},
		},
		"a rule is new": {
			document: document(t, three(), failed), mutants: append(three(), &mutant{id: "d", rule: "I4"}),
			want: []string{"the table has 3 mutants of all, the code gives 4", "the table has no row for I4"},
		},
		"a rule is gone": {
			document: document(t, three(), failed), mutants: three()[1:],
			want: []string{"the table has 1 mutants of R10.1, the code gives 0", "the table has 3 mutants of all, the code gives 2"},
		},
		"as many, but others": {
			document: document(t, three(), failed), mutants: append(three()[:2], &mutant{id: "d", rule: "R6.1"}),
			want: []string{"the table is about another list of mutants"},
		},
		"some survive": {document: document(t, three(), survived), mutants: three(), want: []string{"3 mutants survive"}},
		"no table":     {document: "nothing", mutants: three(), want: []string{"docs/testing.md has no table of mutants"}},
		"an empty table": {
			document: tableBegin + "\n" + tableEnd, mutants: three()[:1],
			want: []string{"the table has no row for all", "the table has no row for R10.1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, stale(test.document, test.mutants)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestADocumentWithoutMarkersIsLeftAlone(t *testing.T) {
	for _, text := range []string{"", tableBegin, tableEnd + tableBegin} {
		if _, err := splice(text, "table"); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestReadEquivalent(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want map[string]string
		err  string
	}{
		"a reason for a mutant": {
			text: "# head\n\na\n\tis:  x\n\twhy: because: of b\n\nb\n\tis: y\n\twhy: z\n",
			want: map[string]string{"a": "because: of b", "b": "z"},
		},
		"an entry without a reason":             {text: "a\n\tis: x\n\twhy: \n", err: "equivalent.txt:3: want an id, then what it is, then why"},
		"an entry that does not say what it is": {text: "a\n\twhy: z\n", err: "equivalent.txt:2: want an id, then what it is, then why"},
		"an entry that is cut off":              {text: "a\n\tis: x\nb\n", err: "equivalent.txt:3: a is not whole"},
		"a last entry that is cut off":          {text: "a\n\tis: x\n", err: "a is not whole"},
		"an entry for no mutant":                {text: "z\n\tis: x\n\twhy: w\n", err: "equivalent.txt:2: z is no mutant"},
		"an id that means another mutant now":   {text: "a\n\tis: y\n\twhy: w\n", err: "equivalent.txt:2: a is another mutant: x"},
		"an entry twice":                        {text: "a\n\tis: x\n\twhy: w\na\n\tis: x\n\twhy: w\n", err: "equivalent.txt:4: a is there twice"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readEquivalent(test.text, three())
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("got error %v, want one with %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAPatternNamesARuleOrTheBeginningOfAnId(t *testing.T) {
	mutants := []*mutant{{id: "rollout/decide.go:f:R6.1:never:1", rule: "R6.1"}, {id: "rollout/decide.go:g:R6.10:never:1", rule: "R6.10"}, {id: "membership/add.go:f:R6.1:never:1", rule: "R6.1"}}
	for pattern, want := range map[string]int{"": 3, "R6.1": 2, "R6": 0, "rollout": 2, "membership/add.go:f:R6.1:never:1": 1, "add.go": 0} {
		if got := len(matching(mutants, pattern)); got != want {
			t.Errorf("%q names %d mutants, want %d", pattern, got, want)
		}
	}
}

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/hack/rulebook"
	"github.com/openshift/cluster-etcd-operator/hack/source"
)

var root = filepath.Join("..", "..")

// loaded holds what the cores import.
var loaded = sync.OnceValues(func() (*source.Set, error) { return source.Load(root, "./pkg/rollout", "os", "strconv") })

// check type-checks code as the package of that path.
func check(t *testing.T, path string, texts map[string]string) *source.Set {
	t.Helper()
	all, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := all.Check(path, texts)
	if err != nil {
		t.Fatal(err)
	}
	set := *all
	set.Packages = []*source.Package{pkg}
	return &set
}

const head = `// Package x keeps rule R9.
package x

import (
	"cmp"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

var (
	_ = cmp.Or[int]
	_ time.Duration
	_ reason.Rule
	_ snapshot.Fact
)

type list []int

`

// TestEachDecisionHasItsMutants also compiles the woven variant of each piece.
func TestEachDecisionHasItsMutants(t *testing.T) {
	for name, test := range map[string]struct {
		code string
		want []string
	}{
		"a guard is never and always taken, its operands left out, its boundary moved, its number changed": {
			code: `func f(a bool, n int) int { if a && n > 5 { return n }; return n }`,
			want: []string{
				"never `a && n > 5` is never true", "always `a && n > 5` is always true",
				"operand `a` is left out of `a && n > 5`", "operand `n > 5` is left out of `a && n > 5`",
				"comparison `n > 5` is `n >= 5`", "number `5` is one more", "number `5` is one less",
			},
		},
		"a chain has as many operands as are written": {
			code: `func f(a, b, c bool) { _ = a || b || c }`,
			want: []string{
				"statement `_ = a || b || c` is left out",
				"never `a || b || c` is never true", "always `a || b || c` is always true",
				"operand `c` is left out of `a || b || c`", "operand `a` is left out of `a || b`", "operand `b` is left out of `a || b`",
			},
		},
		"a case of a switch without a tag is a guard": {
			code: `func f(a bool) int { switch { case a: return 7; default: return 0 } }`,
			want: []string{"never `a` is never true", "always `a` is always true", "number `7` is one more", "number `7` is one less", "number `0` is one more"},
		},
		"so is a case of a switch with one": {
			code: `func f(l list) int { switch len(l) { case 1: return len(l); default: panic(0) } }`,
			want: []string{"never `case 1:` is never true", "always `case 1:` is always true", "number `1` is one more", "number `1` is one less", "number `0` is one more"},
		},
		"a tag that calls something is asked once": {
			code: `func g() int; func f() int { switch g() { case 1: return g(); default: return g() } }`,
			want: []string{"number `1` is one more", "number `1` is one less"},
		},
		"a guard of a loop is never taken, but not always": {
			code: `func f(n int) { for n < 3 { n++ } }`,
			want: []string{"never `n < 3` is never true", "comparison `n < 3` is `n <= 3`", "number `3` is one more", "number `3` is one less", "statement `n++` is left out"},
		},
		"a loop looks at nothing, or at the first; it ends where it should go on": {
			code: `func f(l list) { for _, n := range l { if n == 0 { continue } } }`,
			want: []string{
				"loop the loop over `l` looks at none", "loop the loop over `l` looks at the first only",
				"never `n == 0` is never true", "always `n == 0` is always true", "comparison `n == 0` is `n != 0`",
				"stop `continue` ends the loop instead", "statement `continue` is left out",
			},
		},
		"a continue inside a switch is only left out, since a break would end the switch": {
			code: `func f(l list) { for range l { switch { case true: continue } } }`,
			want: []string{
				"loop the loop over `l` looks at none", "loop the loop over `l` looks at the first only",
				"never `true` is never true", "statement `continue` is left out",
			},
		},
		"a loop over a string counts, one over a map or a number does not": {
			code: `func f(s string, m map[int]int) { for range s {}; for range m {}; for range len(m) {} }`,
			want: []string{"loop the loop over `s` looks at none", "loop the loop over `s` looks at the first only"},
		},
		"an unknown fact counts as known": {
			code: `func f(a snapshot.Fact) (bool, bool) { return a.Holds(), !a.Fails() }`,
			want: []string{
				"never `a.Holds()` is never true", "always `a.Holds()` is always true", "unknown `a.Holds()` is `!a.Fails()`: unknown counts as known",
				"never `!a.Fails()` is never true", "always `!a.Fails()` is always true", "unknown `a.Fails()` is `!a.Holds()`: unknown counts as known",
			},
		},
		"a formula loses its terms, bounds and numbers": {
			code: `func f(a, b int) int { return max(a-1, b/2) + b }`,
			want: []string{
				"term `max(a-1, b/2)` is left out of `max(a-1, b/2) + b`", "term `b` is left out of `max(a-1, b/2) + b`",
				"term `a-1` is left out of `max(a-1, b/2)`", "term `b/2` is left out of `max(a-1, b/2)`",
				"number `1` is one more", "number `1` is one less", "number `2` is one more", "number `2` is one less",
			},
		},
		"an order loses its keys": {
			code: `func f(a, b int) int { return cmp.Or(cmp.Compare(a, b), b) }`,
			want: []string{"term `cmp.Compare(a, b)` is left out of the order", "term `b` is left out of the order"},
		},
		"a duration changes by a second, at each place that uses the constant": {
			code: `
				const after = 2 * time.Minute
				func f(d time.Duration) bool { return d >= after }`,
			want: []string{
				"never `d >= after` is never true", "always `d >= after` is always true", "comparison `d >= after` is `d > after`",
				"number `after` is one more", "number `after` is one less",
			},
		},
		"a number without a type takes the one that is wanted": {
			code: `
				const lag = 5000
				func f(a, b uint64) bool { return a+lag < b }
				func g() time.Duration { return 0 }`,
			want: []string{
				"never `a+lag < b` is never true", "always `a+lag < b` is always true", "comparison `a+lag < b` is `a+lag <= b`",
				"term `a` is left out of `a+lag`", "number `lag` is one more", "number `lag` is one less", "number `0` is one more",
			},
		},
		"words, names of states, lengths of arrays and text that is put together have no mutants": {
			code: `
				type state int
				const (one state = iota; two)
				const size = 4
				func f(s string) (string, state, [size]int) { return s + "x", two, [size]int{} }`,
		},
		"what is decided is kept: boolean fields, variables and results": {
			code: `
				type order struct { alive, last bool }
				func f(dead bool, o order) order { last := !dead; o.last = last; return order{alive: !dead, last: true} }`,
			want: []string{
				"never `!dead` is never true", "always `!dead` is always true",
				"statement `o.last = last` is left out", "never `last` is never true", "always `last` is always true",
				"never `!dead` is never true", "always `!dead` is always true", "never `true` is never true",
			},
		},
		"what has an effect is left out; a result with its refusal is not turned into a yes": {
			code: `
				func refuse(reason.Finding) {}
				func f(ok bool) (reason.Finding, bool) {
					refuse(reason.Finding{})
					if !ok { return reason.Finding{}, false }
					return reason.Finding{}, true
				}
				func g() { return }`,
			want: []string{
				"statement `refuse(reason.Finding{})` is left out", "never `!ok` is never true", "always `!ok` is always true",
				"statement `return` is left out",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := deriveFrom(check(t, "pkg/x", map[string]string{"pkg/x/x.go": head + test.code}), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range p.mutants {
				got = append(got, fmt.Sprintf("%s %s", m.kind, m.text))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestEachMutantStandsUnderTheRuleNearestToIt(t *testing.T) {
	code := head + `
// find keeps rule R3 for a list.
func find(l list) int {
	if len(l) > 0 { // Asked by rule R5.4.
		cited()
	}
	return helper(l)
}

func helper(l list) int { return len(l) + 1 }

func cited() (reason.Finding, reason.Finding) {
	a, b := true, false
	if a {
		return reason.Finding{Rule: reason.R6_1}, reason.Finding{}
	}
	switch {
	case b:
		judged()
	case a:
		b = false
		return reason.Finding{}, reason.Finding{Rule: reason.R6_9}
	}
	// Rule R7.4.
	b = true
	return reason.Finding{}, reason.Finding{}
}

// judged decides, rules R8.1 and R8.2, invariant I11.
func judged() {}

// kept is invariant I5.
func kept(a bool) bool { return a }

// order is what rule R6.6 compares.
type order struct{}

func (order) compare(a int) int { return a + 1 }

func alone(a int) int { return a + 1 }
`
	p, err := deriveFrom(check(t, "pkg/x", map[string]string{"pkg/x/x.go": code}), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range p.mutants {
		if m.kind != always && m.kind != comparison && !strings.Contains(m.text, "one less") {
			got = append(got, fmt.Sprintf("%s %s: %s", m.function, m.rule, m.text))
		}
	}
	want := []string{
		"find R6.1: `len(l) > 0` is never true", // What the guard leads to cites it.
		"find R6.1: `0` is one more",
		"find R6.1: `cited()` is left out",
		"helper R3: `len(l)` is left out of `len(l) + 1`", // Its caller's rule.
		"helper R3: `1` is one more",
		"cited R6.1: `true` is never true",
		"cited R6.1: `a` is never true",
		"cited R8.1: `b` is never true", // What the function says that the guard leads to.
		"cited R8.1: `judged()` is left out",
		"cited R6.9: `a` is never true",
		"cited R6.9: `b = false` is left out",
		"cited R7.4: `b = true` is left out", // The comment above it.
		"cited R7.4: `true` is never true",
		"kept I5: `a` is never true",
		"compare R6.6: `a` is left out of `a + 1`", // The comment on its type.
		"compare R6.6: `1` is one more",
		"alone R9: `a` is left out of `a + 1`", // The comment on the package.
		"alone R9: `1` is one more",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAMutantUnderNoRuleIsAnError(t *testing.T) {
	set := check(t, "pkg/x", map[string]string{"pkg/x/x.go": "package x\n\nfunc f(a bool) bool { return a }\n"})
	if _, err := deriveFrom(set, nil); err == nil || !strings.Contains(err.Error(), "pkg/x/x.go:3: f stands under no rule") {
		t.Errorf("got error %v", err)
	}
}

func TestIdsDoNotDependOnLinesOrOnOtherFunctions(t *testing.T) {
	ids := func(code string) []string {
		p, err := deriveFrom(check(t, "pkg/x", map[string]string{"pkg/x/x.go": head + code}), nil)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, m := range p.mutants {
			if m.function == "f" {
				all = append(all, m.id)
			}
		}
		return all
	}
	const f = "func f(a, b bool) bool { if a { return b }; return !b }\n"
	want := []string{"x/x.go:f:R9:never:1", "x/x.go:f:R9:always:1", "x/x.go:f:R9:never:2", "x/x.go:f:R9:always:2", "x/x.go:f:R9:never:3", "x/x.go:f:R9:always:3"}
	if diff := cmp.Diff(want, ids(f)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want, ids("func e(a bool) bool { return a }\n\n\n"+f)); diff != "" {
		t.Errorf("with another function before it: (-want +got)\n%s", diff)
	}
}

func TestOnlyTheNamedFilesAreMutated(t *testing.T) {
	set := check(t, "pkg/x", map[string]string{
		"pkg/x/a.go": "// Package x keeps rule R9.\npackage x\n\nfunc a(x bool) bool { return x }\n",
		"pkg/x/b.go": "package x\n\nfunc b(x bool) bool { return x }\n",
	})
	p, err := deriveFrom(set, map[string][]string{"pkg/x": {"b.go"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.mutants {
		if m.file != "pkg/x/b.go" {
			t.Errorf("%s is mutated", m.file)
		}
	}
	if len(p.mutants) != 2 {
		t.Errorf("got %d mutants, want 2", len(p.mutants))
	}
}

func TestARuleWithoutAMutantIsReported(t *testing.T) {
	mutants := []*mutant{{rule: "R6.1"}, {rule: "R3"}}
	book := []rulebook.Rule{
		{ID: "R2.3", KeptBy: []string{"pkg/core"}},
		{ID: "R3", KeptBy: []string{"pkg/core"}},
		{ID: "R6.1", KeptBy: []string{"pkg/core"}},
		{ID: "R6.10", KeptBy: []string{"pkg/other", "pkg/core"}},
		{ID: "R7.3", KeptBy: []string{"pkg/other"}},
		{ID: "R9.5", KeptBy: []string{"pkg/core"}},
	}
	got := uncovered(mutants, []string{"R3", "R6.4", "R10.1"}, book, []target{{path: "pkg/core"}})
	if diff := cmp.Diff([]string{"R6.4", "R6.10"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWeaveKeepsWhatLiesBetweenSites(t *testing.T) {
	wrap := func(tag string) func(string) string {
		return func(inner string) string { return "<" + tag + inner + ">" }
	}
	got := weave("if a && b { c }", []site{
		{from: 8, to: 9, layer: 2, weave: wrap("B")},
		{from: 3, to: 9, layer: 3, weave: wrap("inner")},
		{from: 3, to: 4, layer: 2, weave: wrap("A")},
		{from: 3, to: 9, layer: 1, weave: wrap("outer")},
		{from: 12, to: 13, layer: 0, weave: wrap("C")},
	})
	if want := "if <outer<inner<Aa> && <Bb>>> { <Cc> }"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOurListIsWholeAndCompiles(t *testing.T) {
	p, err := derive(root, targets)
	if err != nil {
		t.Fatal(err)
	}
	perPackage, seen := map[string]int{}, map[string]bool{}
	for _, m := range p.mutants {
		perPackage[m.pkg]++
		if seen[m.id] {
			t.Errorf("two mutants are called %s", m.id)
		}
		seen[m.id] = true
	}
	for _, target := range targets {
		if perPackage[target.path] < 100 {
			t.Errorf("%s has only %d mutants", target.path, perPackage[target.path])
		}
	}
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openshift/cluster-etcd-operator/hack/rulebook"
)

// kind says in which way a mutant is wrong.
type kind string

const (
	never      kind = "never"      // a condition is never true
	always     kind = "always"     // a condition is always true
	operand    kind = "operand"    // an operand of && or || is left out
	comparison kind = "comparison" // a comparison takes the boundary to the other side, or is turned around
	unknown    kind = "unknown"    // an unknown fact counts as a known one
	number     kind = "number"     // a number is one more or one less
	term       kind = "term"       // a term of a sum, a bound of min or max, or a key of an order is left out
	loop       kind = "loop"       // a loop looks at nothing, or only at the first
	statement  kind = "statement"  // a statement is left out
	stop       kind = "stop"       // a loop ends where it should go on
)

// mutant is one way in which the code is wrong.
type mutant struct {
	// id is file:function:rule:kind:ordinal; it does not depend on line numbers.
	id   string
	rule string
	kind kind
	// file is relative to the module, pkg the folder of its package.
	file, pkg string
	function  string
	// line and offset say where it is in file.
	line, offset int
	// text says in one line what is wrong.
	text string
	// number picks the mutant in a woven variant; from 1, in the order of the source.
	number int
}

func (m *mutant) String() string {
	return fmt.Sprintf("%s\n    line %d: %s", m.id, m.line, m.text)
}

// name gives each mutant its number and its id.
func name(mutants []*mutant) {
	count := map[string]int{}
	for i, m := range mutants {
		m.number = i + 1
		prefix := fmt.Sprintf("%s:%s:%s:%s", strings.TrimPrefix(m.file, "pkg/"), m.function, m.rule, m.kind)
		count[prefix]++
		m.id = fmt.Sprintf("%s:%d", prefix, count[prefix])
	}
}

// matching returns the mutants that a pattern names: a rule, or the beginning of an id.
func matching(mutants []*mutant, pattern string) []*mutant {
	return slices.DeleteFunc(slices.Clone(mutants), func(m *mutant) bool {
		return pattern != "" && m.rule != pattern && !strings.HasPrefix(m.id, pattern)
	})
}

// uncovered returns the rules R3 to R8 that a core cites, or that the book says a target keeps, and that no mutant breaks.
func uncovered(mutants []*mutant, cited []string, book []rulebook.Rule, targets []target) []string {
	want := map[string]bool{}
	for _, id := range cited {
		want[id] = true
	}
	for _, r := range book {
		if slices.ContainsFunc(r.KeptBy, func(folder string) bool {
			return slices.ContainsFunc(targets, func(t target) bool { return t.path == folder })
		}) {
			want[r.ID] = true
		}
	}
	for _, m := range mutants {
		delete(want, m.rule)
	}
	var missing []string
	for id := range want {
		if rulebook.Compare("R3", id) <= 0 && rulebook.Compare(id, "R9") < 0 {
			missing = append(missing, id)
		}
	}
	slices.SortFunc(missing, rulebook.Compare)
	return missing
}

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/openshift/cluster-etcd-operator/hack/rulebook"
)

const (
	tableFile  = "docs/testing.md"
	tableBegin = "<!-- mutants:begin -->"
	tableEnd   = "<!-- mutants:end -->"
)

// row is what the table says about one rule.
type row struct {
	rule    string
	mutants int
	// killedBy counts by level, in the order of levels.
	killedBy              []int
	equivalent, survivors int
}

// tabulate counts results by rule, and the mutants that made a test panic or never end instead of comparing.
func tabulate(mutants []*mutant, results map[string]result, equivalent map[string]string, levels []level) (rows []row, panics, timeouts int) {
	byRule := map[string]*row{}
	for _, m := range mutants {
		r := byRule[m.rule]
		if r == nil {
			r = &row{rule: m.rule, killedBy: make([]int, len(levels))}
			byRule[m.rule] = r
		}
		r.mutants++
		got := results[m.id]
		switch {
		case got.outcome == survived && equivalent[m.id] != "":
			r.equivalent++
		case got.outcome == survived:
			r.survivors++
		default:
			r.killedBy[got.level]++
		}
		switch got.outcome {
		case panicked:
			panics++
		case timedOut:
			timeouts++
		}
	}
	for _, r := range byRule {
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(a, b row) int { return rulebook.Compare(a.rule, b.rule) })
	return rows, panics, timeouts
}

// markdown renders rows as the text between the markers.
func markdown(mutants []*mutant, rows []row, panics, timeouts int, levels []level) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Written by `make mutate` from list `%s`.\n\n| rule | mutants |", fingerprint(mutants))
	for _, l := range levels {
		fmt.Fprintf(&b, " %s |", l.title)
	}
	b.WriteString(" equivalent | survivors |\n| --- | --- |" + strings.Repeat(" --- |", len(levels)+2) + "\n")
	sum := row{rule: "all", killedBy: make([]int, len(levels))}
	for _, r := range rows {
		r.write(&b)
		sum.mutants += r.mutants
		sum.equivalent += r.equivalent
		sum.survivors += r.survivors
		for i, n := range r.killedBy {
			sum.killedBy[i] += n
		}
	}
	sum.write(&b)
	fmt.Fprintf(&b, "\nOf those that were noticed, %d made a test panic and %d did not end; all others made a comparison fail.\n", panics, timeouts)
	return b.String()
}

func (r row) write(b *strings.Builder) {
	name := r.rule
	if strings.HasPrefix(name, "R") {
		name = fmt.Sprintf("[%s](rules.md#%s)", name, rulebook.Anchor(name))
	}
	fmt.Fprintf(b, "| %s | %d |", name, r.mutants)
	for _, n := range r.killedBy {
		fmt.Fprintf(b, " %d |", n)
	}
	fmt.Fprintf(b, " %d | %d |\n", r.equivalent, r.survivors)
}

// fingerprint identifies a list of mutants.
func fingerprint(mutants []*mutant) string {
	h := sha256.New()
	for _, m := range mutants {
		fmt.Fprintf(h, "%s %s\n", m.id, m.text)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// splice puts a table between the markers of a document.
func splice(document, table string) (string, error) {
	before, rest, ok := strings.Cut(document, tableBegin)
	if !ok {
		return "", fmt.Errorf("%s has no line %s", tableFile, tableBegin)
	}
	_, after, ok := strings.Cut(rest, tableEnd)
	if !ok {
		return "", fmt.Errorf("%s has no line %s", tableFile, tableEnd)
	}
	return before + tableBegin + "\n" + table + tableEnd + after, nil
}

var tableRow = regexp.MustCompile(`^\| (?:\[)?([RI][0-9.]+|all)(?:\]\([^)]*\))? \| (.*) \|$`)

// stale returns what the table in a document no longer says truly about a list of mutants, one sentence each, and
// how many of them nobody noticed.
func stale(document string, mutants []*mutant) []string {
	_, rest, _ := strings.Cut(document, tableBegin)
	table, _, ok := strings.Cut(rest, tableEnd)
	if !ok {
		return []string{tableFile + " has no table of mutants"}
	}
	want := map[string]int{"all": len(mutants)}
	for _, m := range mutants {
		want[m.rule]++
	}
	var faults []string
	for _, line := range strings.Split(table, "\n") {
		match := tableRow.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		cells := strings.Split(match[2], " | ")
		if left := cells[len(cells)-1]; match[1] == "all" && left != "0" {
			faults = append(faults, left+" mutants survive")
		}
		if got, _ := strconv.Atoi(cells[0]); got != want[match[1]] {
			faults = append(faults, fmt.Sprintf("the table has %d mutants of %s, the code gives %d", got, match[1], want[match[1]]))
		}
		delete(want, match[1])
	}
	for _, rule := range slices.SortedFunc(maps.Keys(want), rulebook.Compare) {
		faults = append(faults, fmt.Sprintf("the table has no row for %s", rule))
	}
	if len(faults) == 0 && !strings.Contains(table, "`"+fingerprint(mutants)+"`") {
		faults = append(faults, "the table is about another list of mutants")
	}
	return faults
}

package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/openshift/cluster-etcd-operator/hack/rulebook"
)

const invariantsFile = "docs/invariants.md"

var (
	row  = regexp.MustCompile(`^\| ([IL][0-9]+) \|`)
	code = regexp.MustCompile("`([a-z]+\\.[A-Za-z_][A-Za-z0-9_]*)`")
	// caseOf matches the sentence that names a case of a table test, after the test.
	caseOf = regexp.MustCompile("`([a-z]+)\\.Test[A-Za-z0-9_]*` \"([^\"]*)\"")
	cited  = regexp.MustCompile(`\b[IL][0-9]+\b`)
)

// missing in a cell says that there is nothing yet to name.
const missing = "not in this revision"

// invariantFaults checks a table with one row for each invariant: id, statement, the functions that keep it, the tests
// that prove it.
func invariantFaults(text string, t *tree) []string {
	var faults []string
	seen := map[string]bool{}
	for i, line := range strings.Split(text, "\n") {
		match := row.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		id := match[1]
		fault := func(format string, args ...any) {
			faults = append(faults, fmt.Sprintf("%s:%d: %s: ", invariantsFile, i+1, id)+fmt.Sprintf(format, args...))
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 4 {
			fault("the row has %d cells, want id, statement, functions, tests", len(cells))
			continue
		}
		if seen[id] {
			fault("is there twice")
		}
		seen[id] = true
		checkFunctions(id, cells[2], t, fault)
		checkTests(cells[3], t, fault)
	}
	for _, id := range invariantIDs() {
		if !seen[id] {
			faults = append(faults, fmt.Sprintf("%s: %s has no row", invariantsFile, id))
		}
	}
	return faults
}

func checkFunctions(id, cell string, t *tree, fault func(string, ...any)) {
	named := code.FindAllStringSubmatch(cell, -1)
	if len(named) == 0 && !strings.Contains(cell, missing) {
		fault("names no function")
	}
	for _, match := range named {
		comments, ok := t.functions[match[1]]
		switch {
		case !ok:
			fault("function %s does not exist", match[1])
		case !slices.Contains(cited.FindAllString(comments, -1), id):
			fault("no comment on or in %s cites it", match[1])
		}
	}
}

func checkTests(cell string, t *tree, fault func(string, ...any)) {
	named := code.FindAllStringSubmatch(cell, -1)
	if len(named) == 0 && !strings.Contains(cell, missing) {
		fault("names no test")
	}
	for _, match := range named {
		if !t.tests[match[1]] {
			fault("test %s does not exist", match[1])
		}
	}
	for _, match := range caseOf.FindAllStringSubmatch(cell, -1) {
		if !t.sentences[match[1]][match[2]] {
			fault("no test of %s is named %q", match[1], match[2])
		}
	}
}

// citationFaults checks that each rule and invariant that a comment cites is written down.
func citationFaults(book []rulebook.Rule, t *tree) []string {
	known := invariantIDs()
	for _, r := range book {
		known = append(known, r.ID)
	}
	var faults []string
	for _, file := range slices.Sorted(maps.Keys(t.comments)) {
		for _, id := range rulebook.IDs(t.comments[file]) {
			if !slices.Contains(known, id) {
				faults = append(faults, fmt.Sprintf("%s: a comment cites %s, which is neither in %s nor an invariant", file, id, rulebook.File))
			}
		}
	}
	return faults
}

// invariantIDs returns I1 to I12 and L1 to L4.
func invariantIDs() []string {
	var ids []string
	for i := 1; i <= 12; i++ {
		ids = append(ids, "I"+strconv.Itoa(i))
	}
	for i := 1; i <= 4; i++ {
		ids = append(ids, "L"+strconv.Itoa(i))
	}
	return ids
}

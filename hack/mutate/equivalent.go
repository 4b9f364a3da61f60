package main

import (
	"fmt"
	"slices"
	"strings"
)

const equivalentFile = "hack/mutate/equivalent.txt"

// readEquivalent returns the reasons in the text of equivalentFile, by id of the mutant. An entry without a reason, one that is
// there twice, or one that is about no mutant is an error.
func readEquivalent(text string, mutants []*mutant) (map[string]string, error) {
	reasons := map[string]string{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, why, _ := strings.Cut(line, " ")
		switch {
		case strings.TrimSpace(why) == "":
			return nil, fmt.Errorf("%s:%d: %s has no reason", equivalentFile, i+1, id)
		case reasons[id] != "":
			return nil, fmt.Errorf("%s:%d: %s is there twice", equivalentFile, i+1, id)
		case !slices.ContainsFunc(mutants, func(m *mutant) bool { return m.id == id }):
			return nil, fmt.Errorf("%s:%d: %s is no mutant", equivalentFile, i+1, id)
		}
		reasons[id] = strings.TrimSpace(why)
	}
	return reasons, nil
}

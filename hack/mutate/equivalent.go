package main

import (
	"fmt"
	"slices"
	"strings"
)

const equivalentFile = "hack/mutate/equivalent.txt"

// readEquivalent returns the reasons in the text of equivalentFile, by id of the mutant. An entry is three lines:
//
//	id
//		is:  what the mutant does, as the list prints it
//		why: the reason
//
// An id alone could come to mean another mutant when the code changes; therefore the second line has to match. An entry
// that matches no mutant, is there twice, or is not whole is an error.
func readEquivalent(text string, mutants []*mutant) (map[string]string, error) {
	reasons := map[string]string{}
	var id, is string
	fault := func(line int, format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s", equivalentFile, line+1, fmt.Sprintf(format, args...))
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		key, value, _ := strings.Cut(trimmed, ":")
		value = strings.TrimSpace(value)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case trimmed == line:
			if id != "" {
				return nil, fault(i, "%s is not whole", id)
			}
			if reasons[line] != "" {
				return nil, fault(i, "%s is there twice", line)
			}
			id = line
		case key == "is" && id != "" && is == "":
			is = value
			at := slices.IndexFunc(mutants, func(m *mutant) bool { return m.id == id })
			if at < 0 {
				return nil, fault(i, "%s is no mutant", id)
			}
			if mutants[at].text != is {
				return nil, fault(i, "%s is another mutant: %s", id, mutants[at].text)
			}
		case key == "why" && is != "" && value != "":
			reasons[id] = value
			id, is = "", ""
		default:
			return nil, fault(i, "want an id, then what it is, then why")
		}
	}
	if id != "" {
		return nil, fault(len(lines)-1, "%s is not whole", id)
	}
	return reasons, nil
}

package rulebook

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// File is where the rules are, relative to the module.
const File = "docs/rules.md"

// Rule is one rule of the book.
type Rule struct {
	// ID is "R6.3", or "R6" for what a heading says.
	ID string
	// KeptBy are the packages that keep it, relative to the module; empty for a rule that nothing keeps yet.
	KeptBy []string
}

var (
	start  = regexp.MustCompile(`^(?:## )?<a id="([^"]*)"></a>(?:\*\*)?(R[0-9]+(?:\.[0-9]+)?)\b`)
	keeps  = regexp.MustCompile(`\*Kept by ([^*]*)\*$`)
	quoted = regexp.MustCompile("`([^`]*)`")
	ids    = regexp.MustCompile(`\b[RI][0-9]+(?:\.[0-9]+)?\b`)
)

const notKept = "*Not in this revision"

// Parse reads the text of File. It fails when a rule occurs twice, has another anchor than Anchor gives, or does not say
// who keeps it.
func Parse(text string) ([]Rule, error) {
	var rules []Rule
	said := map[string]bool{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if match := start.FindStringSubmatch(line); match != nil {
			id := match[2]
			if match[1] != Anchor(id) {
				return nil, fmt.Errorf("%s:%d: rule %s has anchor %q, want %q", File, i+1, id, match[1], Anchor(id))
			}
			if slices.ContainsFunc(rules, func(r Rule) bool { return r.ID == id }) {
				return nil, fmt.Errorf("%s:%d: rule %s is there twice", File, i+1, id)
			}
			rules = append(rules, Rule{ID: id})
		}
		if len(rules) == 0 {
			continue
		}
		last := &rules[len(rules)-1]
		if match := keeps.FindStringSubmatch(line); match != nil {
			said[last.ID] = true
			for _, q := range quoted.FindAllStringSubmatch(match[1], -1) {
				last.KeptBy = append(last.KeptBy, path.Clean(q[1]))
			}
		}
		if strings.Contains(line, notKept) {
			said[last.ID] = true
		}
	}
	for i, r := range rules {
		hasParts := i+1 < len(rules) && strings.HasPrefix(rules[i+1].ID, r.ID+".")
		if !said[r.ID] && !hasParts {
			return nil, fmt.Errorf("%s: rule %s does not say who keeps it", File, r.ID)
		}
	}
	return rules, nil
}

// Anchor returns the anchor of a rule in File: "r6-3" for "R6.3".
func Anchor(id string) string { return strings.ToLower(strings.ReplaceAll(id, ".", "-")) }

// IDs returns the ids of rules (R6.3) and invariants (I1) in a text, each once, in the order of the text.
func IDs(text string) []string {
	var found []string
	for _, id := range ids.FindAllString(text, -1) {
		if !slices.Contains(found, id) {
			found = append(found, id)
		}
	}
	return found
}

// Compare orders ids by their numbers, rules before invariants.
func Compare(a, b string) int {
	la, na, sa := split(a)
	lb, nb, sb := split(b)
	return cmp.Or(cmp.Compare(lb, la), cmp.Compare(na, nb), cmp.Compare(sa, sb))
}

// split takes an id apart; a missing or unreadable number is 0.
func split(id string) (letter string, number, part int) {
	if id == "" {
		return "", 0, 0
	}
	first, second, _ := strings.Cut(id[1:], ".")
	number, _ = strconv.Atoi(first)
	part, _ = strconv.Atoi(second)
	return id[:1], number, part
}

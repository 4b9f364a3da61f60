package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/hack/rulebook"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

const reasonsFile = "docs/reasons.md"

const reasonsHead = `# Reasons

<!-- Written by hack/gendocs from pkg/reason and the cores; make update. -->

A Reason is a stable word for what the operator does or waits for. Conditions, events, metrics and explanations show it with the sentences below. A finding that lasts longer than its deadline turns Degraded; one that says "at once" is Degraded as soon as it is found.

In the sentences, *subject* is the member, node or Machine that the finding is about, *other* the one that it depends on; *have* and *need* are numbers.
`

// problems returns what is wrong between the table of Reasons and the citations, one sentence each.
func problems(entries []reason.Entry, constants []string, citations []Citation) []string {
	var found []string
	used := map[string]bool{}
	for _, c := range citations {
		used[c.Reason] = true
		if !slices.ContainsFunc(entries, func(e reason.Entry) bool { return string(e.Reason) == c.Reason }) {
			found = append(found, fmt.Sprintf("%s: Reason %s has no entry in reason.Entries", c.Position, c.Reason))
		}
	}
	listed := map[reason.Reason]bool{}
	for _, e := range entries {
		if listed[e.Reason] {
			found = append(found, fmt.Sprintf("Reason %s has two entries in reason.Entries", e.Reason))
		}
		listed[e.Reason] = true
		if !used[string(e.Reason)] {
			found = append(found, fmt.Sprintf("Reason %s is used by no core, so no rule cites it", e.Reason))
		}
		if e.Group == "" || e.Message == "" || e.Unblock == "" {
			found = append(found, fmt.Sprintf("Reason %s lacks its group, its meaning or its remedy", e.Reason))
		}
	}
	for _, c := range constants {
		if !listed[reason.Reason(c)] {
			found = append(found, fmt.Sprintf("Reason %s has no entry in reason.Entries", c))
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// render returns the text of reasonsFile.
func render(entries []reason.Entry, citations []Citation) string {
	var b strings.Builder
	b.WriteString(reasonsHead)
	group := ""
	for _, e := range entries {
		if e.Group != group {
			group = e.Group
			fmt.Fprintf(&b, "\n## %s\n\n| Reason | rules | meaning | remedy | Degraded |\n| --- | --- | --- | --- | --- |\n", group)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", e.Reason, links(e.Reason, citations), readable(e.Message), readable(e.Unblock), deadline(e.DegradedAfter))
	}
	return b.String()
}

func links(r reason.Reason, citations []Citation) string {
	var ids []string
	for _, c := range citations {
		if c.Reason == string(r) && !slices.Contains(ids, c.Rule) {
			ids = append(ids, c.Rule)
		}
	}
	slices.SortFunc(ids, rulebook.Compare)
	for i, id := range ids {
		ids[i] = fmt.Sprintf("[%s](rules.md#%s)", id, rulebook.Anchor(id))
	}
	return strings.Join(ids, ", ")
}

var placeholders = strings.NewReplacer("{subject}", "*subject*", "{other}", "*other*", "{have}", "*have*", "{need}", "*need*", "|", `\|`)

func readable(template string) string { return placeholders.Replace(template) }

// deadline puts Entry.DegradedAfter into words.
func deadline(d time.Duration) string {
	switch d {
	case 0:
		return "never"
	case reason.AtOnce:
		return "at once"
	default:
		return fmt.Sprintf("after %d minutes", int(d/time.Minute))
	}
}

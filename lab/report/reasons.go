package report

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/openshift/cluster-etcd-operator/lab/history"
)

// reasonsDocument is docs/reasons.md, from which the sentences come that the
// operator's record leaves out.
//
//go:generate cp ../../docs/reasons.md reasons.txt
//go:embed reasons.txt
var reasonsDocument string

// reason is what people are told about a Reason, with {subject}, {other}, {have}
// and {need} for what differs.
type reason struct{ meaning, remedy string }

var reasons = parseReasons(reasonsDocument)

// parseReasons reads the rows of the document's tables.
func parseReasons(document string) map[string]reason {
	named := strings.NewReplacer("*subject*", "{subject}", "*other*", "{other}", "*have*", "{have}", "*need*", "{need}")
	found := map[string]reason{}
	for line := range strings.Lines(document) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) < 4 {
			continue
		}
		word, isReason := strings.CutPrefix(strings.TrimSpace(cells[0]), "`")
		if word, closed := strings.CutSuffix(word, "`"); isReason && closed {
			found[word] = reason{meaning: named.Replace(cells[2]), remedy: named.Replace(cells[3])}
		}
	}
	return found
}

// sentence says what a finding says, and what unblocks it unless nothing needs to;
// a Reason without a row is told as it is.
func sentence(f history.Finding) (meaning, remedy string) {
	entry, known := reasons[f.Reason]
	if !known {
		return f.Brief(), ""
	}
	fill := strings.NewReplacer("{subject}", f.Subject, "{other}", f.Other, "{have}", strconv.Itoa(f.Have), "{need}", strconv.Itoa(f.Need))
	if goesOn(f.Reason) {
		return fill.Replace(entry.meaning), ""
	}
	return fill.Replace(entry.meaning), fill.Replace(entry.remedy)
}

// goesOn reports whether nothing is needed for the operator to go on, in the
// words of its own document.
func goesOn(word string) bool { return reasons[word].remedy == "nothing" }

package report

import (
	"slices"
	"strings"

	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

// The reasons of conditions that are not in the table of Reasons: the words that other operators use as well.
const (
	// AsExpected: nothing to tell.
	AsExpected = "AsExpected"
	// SyncError: something could not be read or written; the message is the error.
	SyncError = "SyncError"
)

// Sentence says what is so, then what would unblock it (rule R9.1).
func Sentence(f reason.Finding) string {
	unblock := f.Unblock()
	if unblock == "nothing" {
		return f.Message()
	}
	return f.Message() + " (to unblock: " + unblock + ")"
}

// Line is one line of a condition's message, and the reason that the condition gets when the line is its first.
type Line struct {
	Reason, Text string
}

// LineOf puts a finding into words.
func LineOf(f reason.Finding) Line { return Line{Reason: string(f.Reason), Text: Sentence(f)} }

// LinesOf puts findings into words.
func LinesOf(findings []reason.Finding) []Line {
	lines := make([]Line, len(findings))
	for i, f := range findings {
		lines[i] = LineOf(f)
	}
	return lines
}

// Errors returns a line for each error that is not nil.
func Errors(errs ...error) []Line {
	var lines []Line
	for _, err := range errs {
		if err != nil {
			lines = append(lines, Line{Reason: SyncError, Text: err.Error()})
		}
	}
	return lines
}

// True returns a condition that says the lines, sorted and each once; its reason is that of the first one given, which is
// the most telling. Without lines the condition is False, AsExpected and without a message, as fits conditions of type
// Degraded and Progressing.
func True(conditionType string, lines []Line) operatorv1.OperatorCondition {
	if len(lines) == 0 {
		return operatorv1.OperatorCondition{Type: conditionType, Status: operatorv1.ConditionFalse, Reason: AsExpected}
	}
	return operatorv1.OperatorCondition{
		Type: conditionType, Status: operatorv1.ConditionTrue, Reason: lines[0].Reason, Message: messageOf(lines),
	}
}

func messageOf(lines []Line) string {
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.Text
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "\n")
}

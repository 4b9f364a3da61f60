package reason

import (
	"strconv"
	"strings"
)

// Finding is one sentence of a decision before it is put into words: the rule, the Reason, and what the sentence is
// about. It holds no text of its own, so that deciding costs little and every report says the same.
type Finding struct {
	Rule   Rule
	Reason Reason
	// Subject is the object that the sentence is about, Other the one that it depends on; empty when there is none.
	Subject, Other string
	// Have and Need are counts or seconds, as the Reason's sentence says.
	Have, Need int
}

var byReason = func() map[Reason]Entry {
	m := make(map[Reason]Entry, len(Entries))
	for _, e := range Entries {
		m[e.Reason] = e
	}
	return m
}()

// Lookup returns the entry of a Reason; ok is false for a word that is not a Reason.
func Lookup(r Reason) (entry Entry, ok bool) {
	entry, ok = byReason[r]
	return entry, ok
}

// Message says what is so. It has no relative times, so it changes only when the finding does (rule R9.1).
func (f Finding) Message() string { return f.Fill(byReason[f.Reason].Message) }

// Unblock says what would change it: "nothing" when the operator goes on by itself.
func (f Finding) Unblock() string { return f.Fill(byReason[f.Reason].Unblock) }

// Fill puts the fields of f into a sentence as a Message has it, with {subject}, {other}, {have} and {need}.
func (f Finding) Fill(template string) string {
	return strings.NewReplacer(
		"{subject}", f.Subject, "{other}", f.Other, "{have}", strconv.Itoa(f.Have), "{need}", strconv.Itoa(f.Need),
	).Replace(template)
}

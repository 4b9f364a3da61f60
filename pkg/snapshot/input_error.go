package snapshot

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// InputError says that something written outside the operator could not be turned into a fact, and what a person can do
// about it (rules R1.3 and R10.5). Its fields hold the words as they are; only Error makes them fit to be shown.
type InputError struct {
	// Object holds the text: "ConfigMap cluster-config-v1 in kube-system".
	Object string
	// Field is where in Object it stands: "status.serviceNetwork[0]".
	Field string
	// Value is the text that was found there; empty when nothing was. It may be as hostile and as long as its author
	// liked. A secret must not be put here.
	Value string
	// Problem is what is wrong with Value, as the rest of a sentence that begins with it: "is not a number".
	Problem string
	// Remedy is an instruction: "write a whole number from 1 to 9".
	Remedy string
}

// The longest that each part may be in the text of an InputError, in bytes; together they stay below 1 KiB, so that a
// condition or an event never has to cut the remedy off.
const (
	maxName    = 160
	maxValue   = 96
	maxProblem = 200
	maxRemedy  = 256
)

// Error returns one line of less than 1 KiB, without control characters or anything else that a terminal obeys:
// "read <Field> of <Object>: "<Value>" <Problem>; <Remedy>".
func (e *InputError) Error() string {
	value := "it"
	if e.Value != "" {
		value = `"` + printable(e.Value, maxValue, `"\`) + `"`
	}
	return "read " + printable(e.Field, maxName, "") + " of " + printable(e.Object, maxName, "") + ": " +
		value + " " + printable(e.Problem, maxProblem, "") + "; " + printable(e.Remedy, maxRemedy, "")
}

const cutMark = "..."

// printable returns s with every rune that is not printable, and every one in escape, as a Go escape sequence, cut so
// that it is no longer than limit bytes. What reverses or hides text on a screen is not printable.
func printable(s string, limit int, escape string) string {
	var out []byte
	whole := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1, !strconv.IsPrint(r), strings.ContainsRune(escape, r):
			quoted := strconv.Quote(s[i : i+size])
			out = append(out, quoted[1:len(quoted)-1]...)
		default:
			out = append(out, s[i:i+size]...)
		}
		if len(out) > limit {
			return string(out[:whole]) + cutMark
		}
		if len(out) <= limit-len(cutMark) {
			whole = len(out)
		}
		i += size
	}
	return string(out)
}

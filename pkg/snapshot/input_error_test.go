package snapshot

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestInputErrorText(t *testing.T) {
	for name, test := range map[string]struct {
		err  InputError
		want string
	}{
		"object, field, value, problem and remedy make one sentence": {
			err:  InputError{Object: "ConfigMap c in n", Field: "replicas", Value: "three", Problem: "is not a number", Remedy: "write a number"},
			want: `read replicas of ConfigMap c in n: "three" is not a number; write a number`,
		},
		"a value that is not there is called it": {
			err:  InputError{Object: "ConfigMap c in n", Field: "replicas", Problem: "is missing", Remedy: "write a number"},
			want: `read replicas of ConfigMap c in n: it is missing; write a number`,
		},
		"a value cannot end its own quotes": {
			err:  InputError{Object: "o", Field: "f", Value: `3"; all is well; "\`, Problem: "is odd", Remedy: "r"},
			want: `read f of o: "3\"; all is well; \"\\" is odd; r`,
		},
		"a terminal does not obey a value": {
			err:  InputError{Object: "o", Field: "f", Value: "\x1b[2J\x07\x9b1m", Problem: "is odd", Remedy: "r"},
			want: `read f of o: "\x1b[2J\a\x9b1m" is odd; r`,
		},
		"a terminal does not obey the name of an object either, nor any other part": {
			err:  InputError{Object: "member \x1b]0;x\x07", Field: "a\nb", Value: "v", Problem: "is\rodd", Remedy: "r\x00"},
			want: `read a\nb of member \x1b]0;x\a: "v" is\rodd; r\x00`,
		},
		"what reverses, hides or breaks a line on a screen is spelled out": {
			err:  InputError{Object: "o", Field: "f", Value: "a\u202eb\u200bc\u2028d\u0085e\U000e0041", Problem: "is odd", Remedy: "r"},
			want: `read f of o: "a\u202eb\u200bc\u2028d\u0085e\U000e0041" is odd; r`,
		},
		"letters of any language stay": {
			err:  InputError{Object: "o", Field: "f", Value: "drei 三 três", Problem: "is not a number", Remedy: "r"},
			want: `read f of o: "drei 三 três" is not a number; r`,
		},
		"a value that just fits is whole": {
			err:  InputError{Object: "o", Field: "f", Value: strings.Repeat("x", maxValue), Problem: "is long", Remedy: "r"},
			want: `read f of o: "` + strings.Repeat("x", maxValue) + `" is long; r`,
		},
		"a longer value is cut, and the cut is shown": {
			err:  InputError{Object: "o", Field: "f", Value: strings.Repeat("x", maxValue+1), Problem: "is long", Remedy: "r"},
			want: `read f of o: "` + strings.Repeat("x", maxValue-3) + `..." is long; r`,
		},
		"a cut does not halve an escape sequence": {
			err:  InputError{Object: "o", Field: "f", Value: strings.Repeat("\x1b", 30), Problem: "is long", Remedy: "r"},
			want: `read f of o: "` + strings.Repeat(`\x1b`, 23) + `..." is long; r`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.err.Error(); got != test.want {
				t.Errorf("got\n  %s\nwant\n  %s", got, test.want)
			}
		})
	}
}

func TestInputErrorStaysBelowOneKiBWhateverItHolds(t *testing.T) {
	for _, unit := range []string{"x", "\x00", "\x1b", "\xff", "\u202e", "\U000e0041", "\U0001f600", `"`} {
		long := strings.Repeat(unit, 10_000)
		checkText(t, &InputError{Object: long, Field: long, Value: long, Problem: long, Remedy: long})
	}
}

func TestInputErrorIsFoundInAWrappedError(t *testing.T) {
	err := fmt.Errorf("observe control plane: %w", &InputError{Field: "replicas"})
	var input *InputError
	if !errors.As(err, &input) || input.Field != "replicas" {
		t.Errorf("errors.As did not find the InputError in %v", err)
	}
}

// checkText holds what every text of an error about outside input must be.
func checkText(t *testing.T, err error) {
	t.Helper()
	text := err.Error()
	if len(text) >= 1024 {
		t.Errorf("the text has %d bytes: %s", len(text), text)
	}
	if !utf8.ValidString(text) {
		t.Errorf("the text is not UTF-8: %q", text)
	}
	for _, r := range text {
		if !strconv.IsPrint(r) {
			t.Errorf("the text holds %U: %q", r, text)
			return
		}
	}
	if !strings.HasPrefix(text, "read ") {
		t.Errorf("the text does not begin with what was tried: %s", text)
	}
}

// checkInputError holds what every error about outside input must be. mayBeEmpty: the input was empty, so there is no
// value to name.
func checkInputError(t *testing.T, err error, mayBeEmpty bool) *InputError {
	t.Helper()
	var input *InputError
	if !errors.As(err, &input) {
		t.Fatalf("%T is not an InputError: %v", err, err)
	}
	if input.Object == "" || input.Field == "" || input.Problem == "" || input.Remedy == "" {
		t.Errorf("a part is missing: %#v", input)
	}
	if input.Value == "" && !mayBeEmpty {
		t.Errorf("the value is missing: %#v", input)
	}
	checkText(t, err)
	return input
}

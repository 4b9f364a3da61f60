package snapshot

import (
	"fmt"
	"strconv"
)

// Fact is what is known of a statement: true, false, or nothing (rule R10.1). The zero value is Unknown.
type Fact uint8

// The three values of a Fact.
const (
	Unknown Fact = iota
	False
	True
)

// Known turns a statement that was seen to hold or not into a Fact.
func Known(holds bool) Fact {
	if holds {
		return True
	}
	return False
}

// Holds reports whether the statement is known to be true.
func (f Fact) Holds() bool { return f == True }

// Fails reports whether the statement is known to be false.
func (f Fact) Fails() bool { return f == False }

// String returns the Fact as it reads in a sentence: "true", "false" or "unknown".
func (f Fact) String() string {
	switch f {
	case True:
		return "true"
	case False:
		return "false"
	default:
		return "unknown"
	}
}

// MarshalJSON writes true, false, or null for unknown, so that a recorded Snapshot can be read by anything.
func (f Fact) MarshalJSON() ([]byte, error) {
	switch f {
	case True:
		return []byte("true"), nil
	case False:
		return []byte("false"), nil
	default:
		return []byte("null"), nil
	}
}

// UnmarshalJSON reads what MarshalJSON writes; anything else is an error that quotes it.
func (f *Fact) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "true":
		*f = True
	case "false":
		*f = False
	case "null":
		*f = Unknown
	default:
		return fmt.Errorf("read fact: want true, false or null, got %s", strconv.Quote(string(data)))
	}
	return nil
}

package replicas

import (
	"encoding/json"
	"math"
	"strconv"
)

// Max is the largest number of control-plane replicas that is not absurd (rule R1.3).
const Max = 9

// sane reports whether n can be a number of control-plane replicas.
func sane(n int) bool { return n >= 1 && n <= Max }

const (
	writeNumber = "write a whole number from 1 to 9, without quotes"
	moreThanMax = "is more than 9, which no control plane has"
)

// count returns the number of replicas that value is, or what keeps it from being one, as an InputError's Problem. A
// number in quotes and a number with a fraction or an exponent are refused even where they equal a whole number, as the
// API server refuses them in an integer field.
func count(value any) (n int, problem string) {
	switch value := value.(type) {
	case int:
		return inRange(float64(value))
	case int64:
		return inRange(float64(value))
	case uint64:
		return inRange(float64(value))
	case float64:
		return notWhole(value)
	case json.Number:
		if whole, err := strconv.ParseInt(value.String(), 10, 64); err == nil {
			return inRange(float64(whole))
		}
		// Out of range, the error leaves an infinity of the right sign: that is all that is asked of it.
		float, _ := value.Float64()
		return notWhole(float)
	default:
		return 0, "is " + shape(value) + ", not a number"
	}
}

// inRange judges a whole number. Those that a float64 does not hold exactly are far out of range.
func inRange(n float64) (int, string) {
	switch {
	case n < 0:
		return 0, "is negative"
	case n == 0:
		return 0, "is zero"
	case n > Max:
		return 0, moreThanMax
	default:
		return int(n), ""
	}
}

// notWhole says what is wrong with a number that is not written as a whole one, what is worst first.
func notWhole(f float64) (int, string) {
	if math.IsNaN(f) {
		return 0, "is not a number"
	}
	if _, problem := inRange(f); problem != "" {
		return 0, problem
	}
	return 0, "is not written as a whole number"
}

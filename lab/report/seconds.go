package report

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Seconds is a time since the start of the recording, or a length of time, in
// seconds; what the operator did before the start is negative.
type Seconds float64

// secondsOf rounds to a tenth of a millisecond: latencies are that short.
func secondsOf(d time.Duration) Seconds { return rounded(d.Seconds()) }

func rounded(s float64) Seconds { return Seconds(math.Round(s*10000) / 10000) }

// MarshalJSON writes no more digits than are needed.
func (s Seconds) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(rounded(float64(s))), 'f', -1, 64), nil
}

// String is the time with one decimal, and with minutes if there are any.
func (s Seconds) String() string {
	tenths := int64(math.Round(math.Abs(float64(s)) * 10))
	sign := ""
	if s < 0 && tenths > 0 {
		sign = "−"
	}
	if tenths < 600 {
		return fmt.Sprintf("%s%d.%d s", sign, tenths/10, tenths%10)
	}
	return fmt.Sprintf("%s%d:%02d.%d", sign, tenths/600, tenths/10%60, tenths%10)
}

// words is a length of time as people say it.
func (s Seconds) words() string {
	if s < 60 {
		return s.String()
	}
	whole := int64(math.Round(float64(s)))
	return fmt.Sprintf("%d min %d s", whole/60, whole%60)
}

// clock is a time on the axis: minutes and seconds, without decimals if it has
// none.
func (s Seconds) clock(minutes bool) string {
	tenths := int64(math.Round(float64(s) * 10))
	switch {
	case minutes:
		return fmt.Sprintf("%d:%02d", tenths/600, tenths/10%60)
	case tenths%10 != 0:
		return fmt.Sprintf("%d.%d s", tenths/10, tenths%10)
	}
	return fmt.Sprintf("%d s", tenths/10)
}

// milliseconds is a latency.
func (s Seconds) milliseconds() string {
	switch ms := float64(s) * 1000; {
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.2f s", float64(s))
}

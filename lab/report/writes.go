package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/history"
)

const (
	// mostBuckets bounds how finely latencies are told.
	mostBuckets = 1200
	// leastBucket is the shortest time that is told by itself.
	leastBucket = 250 * time.Millisecond
	// leastGap is the shortest time without a write that is told, and gapWrites how
	// many writes it must have been asked for.
	leastGap  = 250 * time.Millisecond
	gapWrites = 10
	// mostGaps bounds how many are told: the longest ones.
	mostGaps = 60
)

// Writes is how clients fared.
type Writes struct {
	// From and To are when the load ran; both are 0 without one.
	From Seconds `json:"from"`
	To   Seconds `json:"to"`
	// Acknowledged, Unknown and Reads count operations. The outcome of a write that
	// failed is not known.
	Acknowledged int `json:"acknowledged"`
	Unknown      int `json:"unknown"`
	Reads        int `json:"reads"`
	// Median and Slowest are latencies of acknowledged writes.
	Median  Seconds `json:"median"`
	Slowest Seconds `json:"slowest"`
	// Bucket is how long each of Latencies lasts.
	Bucket    Seconds   `json:"bucket"`
	Latencies []Latency `json:"latencies"`
	// Longest is the longest time without an acknowledged write; Gaps are those long
	// enough to be told.
	Longest Gap   `json:"longest"`
	Gaps    []Gap `json:"gaps"`
	// GapsOver is how long a gap must be to be told.
	GapsOver Seconds `json:"gapsOver"`
}

// Latency is that of the writes whose answers came in one bucket.
type Latency struct {
	From   Seconds `json:"from"`
	Writes int     `json:"writes"`
	// Median and Slowest are those of the acknowledged ones.
	Median  Seconds `json:"median"`
	Slowest Seconds `json:"slowest"`
	Unknown int     `json:"unknown,omitempty"`
}

// Gap is a time without an acknowledged write.
type Gap struct {
	From Seconds `json:"from"`
	To   Seconds `json:"to"`
}

// Length is how long it lasted.
func (g Gap) Length() Seconds { return g.To - g.From }

func (b *builder) writes() Writes {
	span := b.recording.Load
	w := Writes{From: secondsOf(span.From), To: secondsOf(span.To)}
	if b.recording.Start.LoadClients == 0 {
		return w
	}
	if span.To == 0 {
		span.To = b.end
		w.To = secondsOf(span.To)
	}
	bucket := leastBucket
	for (span.To-span.From)/bucket > mostBuckets {
		bucket *= 2
	}
	w.Bucket = secondsOf(bucket)
	var all []time.Duration
	var answered []time.Duration
	latencies, unknown := map[int64][]time.Duration{}, map[int64]int{}
	for _, o := range b.recording.Operations {
		n := int64((o.Return - span.From) / bucket)
		switch {
		case o.Kind == history.Get:
			w.Reads++
		case o.Outcome != history.Acknowledged:
			w.Unknown++
			unknown[n]++
		default:
			w.Acknowledged++
			answered = append(answered, o.Return)
			latencies[n] = append(latencies[n], o.Return-o.Call)
			all = append(all, o.Return-o.Call)
		}
	}
	for n := range int64((span.To-span.From)/bucket) + 1 {
		latency := Latency{From: secondsOf(span.From + time.Duration(n)*bucket), Writes: len(latencies[n]), Unknown: unknown[n]}
		if latency.Writes > 0 {
			latency.Median, latency.Slowest = middleAndMost(latencies[n])
		}
		w.Latencies = append(w.Latencies, latency)
	}
	if len(all) > 0 {
		w.Median, w.Slowest = middleAndMost(all)
	}
	w.gaps(answered, span, b.recording.Start.LoadWrites)
	return w
}

func middleAndMost(latencies []time.Duration) (middle, most Seconds) {
	slices.Sort(latencies)
	return secondsOf(latencies[len(latencies)/2]), secondsOf(latencies[len(latencies)-1])
}

// gaps finds the times without an answer.
func (w *Writes) gaps(answered []time.Duration, span history.LoadSpan, perSecond int) {
	over := leastGap
	if perSecond > 0 {
		over = max(over, gapWrites*time.Second/time.Duration(perSecond))
	}
	w.GapsOver = secondsOf(over)
	slices.Sort(answered)
	last := span.From
	for _, at := range append(answered, span.To) {
		gap := Gap{From: secondsOf(last), To: secondsOf(at)}
		if gap.Length() > w.Longest.Length() {
			w.Longest = gap
		}
		if at-last >= over {
			w.Gaps = append(w.Gaps, gap)
		}
		last = max(last, at)
	}
	if len(w.Gaps) > mostGaps {
		slices.SortStableFunc(w.Gaps, func(a, b Gap) int { return cmp.Compare(b.Length(), a.Length()) })
		w.Gaps = w.Gaps[:mostGaps]
		slices.SortFunc(w.Gaps, func(a, b Gap) int { return cmp.Compare(a.From, b.From) })
	}
}

package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/oracle"
	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

const (
	// triesPerPrefix is how often a beginning of a walk is played before it counts as
	// one that does not fail: two plays of one walk are alike, not equal.
	triesPerPrefix = 2
	// mostReplays bounds the plays that one failure costs.
	mostReplays = 10
	// mostBreakdowns is how many labs in a row may break down.
	mostBreakdowns = 3
)

// Play plays the scenario in a file with that seed, on a new lab, and leaves its
// recording in folder.
type Play func(ctx context.Context, file string, seed int64, folder string) (oracle.Verdict, error)

// Settings of a campaign.
type Settings struct {
	// Seed decides all walks.
	Seed int64
	// For is how long new walks are begun; Walks is how many at most, 0 for any
	// number. First is the number of the first, 0 and 1 alike.
	For          time.Duration
	Walks, First int
	// Folder takes a folder for each walk; it exists.
	Folder string
	Play   Play
	// Now is the time of day.
	Now func() time.Time
	Out io.Writer
}

// Violation is a walk whose verdict has broken claims.
type Violation struct {
	Walk string `json:"walk"`
	Seed int64  `json:"seed"`
	// Broken are the claims, each in a line.
	Broken []string `json:"broken"`
	// Moves is the length of the shortest beginning that broke one of them when it was
	// played again, and Folder where that is. Replays is how many were played.
	Moves   int    `json:"moves"`
	Folder  string `json:"folder"`
	Replays int    `json:"replays"`
}

// Figures are the result of a campaign.
type Figures struct {
	Seed    int64   `json:"seed"`
	Seconds float64 `json:"seconds"`
	Walks   int     `json:"walks"`
	// Moves is the number of steps taken, by kind, that do something to the cluster.
	Moves map[string]int `json:"moves"`
	// Faults is the sum of Moves.
	Faults       int   `json:"faults"`
	Acknowledged int64 `json:"acknowledgedWrites"`
	// LongestGap is the longest time without an acknowledged write, in seconds.
	LongestGap float64 `json:"longestWriteGapSeconds"`
	// Unproven are walks whose verdict has claims that were not proven, and none that is
	// broken, with these claims.
	Unproven   map[string][]string `json:"unproven,omitempty"`
	Violations []Violation         `json:"violations,omitempty"`
}

// ErrViolations says that claims were broken.
var ErrViolations = errors.New("claims were broken")

// Run plays walks until the time is over. It returns ErrViolations, and the figures,
// if any claim was broken.
func Run(ctx context.Context, s Settings) (Figures, error) {
	c := &campaign{Settings: s, figures: Figures{Seed: s.Seed, Moves: map[string]int{}, Unproven: map[string][]string{}}}
	began := s.Now()
	breakdowns := 0
	first := max(1, s.First)
	for n := first; ctx.Err() == nil && s.Now().Sub(began) < s.For && (s.Walks == 0 || n < first+s.Walks); n++ {
		err := c.walk(ctx, n)
		switch {
		case err == nil:
			breakdowns = 0
		case ctx.Err() != nil:
		default:
			fmt.Fprintf(s.Out, "walk %d could not be played: %v\n", n, err)
			if breakdowns++; breakdowns == mostBreakdowns {
				return c.figures, err
			}
		}
		c.figures.Seconds = s.Now().Sub(began).Seconds()
		if err := c.keep(); err != nil {
			return c.figures, err
		}
	}
	if len(c.figures.Violations) > 0 {
		return c.figures, ErrViolations
	}
	return c.figures, nil
}

type campaign struct {
	Settings
	figures Figures
}

// seedOf is the seed of the nth walk.
func seedOf(seed int64, n int) int64 {
	return scenario.Random(seed, fmt.Sprintf("walk %d", n)).Int64N(1_000_000_000)
}

// Name of the nth walk.
func walkName(n int) string { return fmt.Sprintf("walk-%03d", n) }

func (c *campaign) walk(ctx context.Context, n int) error {
	w := NewWalk(walkName(n), seedOf(c.Seed, n), All)
	folder := filepath.Join(c.Folder, w.Name)
	verdict, err := c.play(ctx, w, folder)
	if err != nil || ctx.Err() != nil {
		return err
	}
	recording, err := history.Read(folder)
	if err != nil {
		return err
	}
	c.count(w, recording)
	broken, unproven := claims(verdict, oracle.Broken), claims(verdict, oracle.NotProven)
	switch {
	case len(broken) > 0:
		return c.shorten(ctx, w, folder, broken)
	case len(unproven) > 0:
		c.figures.Unproven[w.Name] = unproven
	}
	// What holds is told by its verdict; the scenario can be played again.
	return errors.Join(os.Remove(filepath.Join(folder, history.File)), os.RemoveAll(filepath.Join(folder, "lab")))
}

// play writes the walk's file and plays it.
func (c *campaign) play(ctx context.Context, w Walk, folder string) (oracle.Verdict, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return oracle.Verdict{}, fmt.Errorf("make the folder of a walk: %w", err)
	}
	file := filepath.Join(folder, w.Name+".yaml")
	if err := os.WriteFile(file, []byte(w.Text), 0o644); err != nil {
		return oracle.Verdict{}, fmt.Errorf("write a walk: %w", err)
	}
	return c.Play(ctx, file, w.Seed, folder)
}

func claims(verdict oracle.Verdict, result oracle.Result) []string {
	var lines []string
	for _, claim := range verdict.Claims {
		if claim.Result == result {
			lines = append(lines, claim.String())
		}
	}
	return lines
}

// count adds what a walk did to the figures.
func (c *campaign) count(w Walk, recording history.Recording) {
	c.figures.Walks++
	parsed, err := scenario.Parse(w.Name, []byte(w.Text), w.Seed)
	if err == nil {
		for _, step := range parsed.Steps[:min(len(parsed.Steps), len(recording.Steps))] {
			if kind := kindOf(step); kind != "" {
				c.figures.Moves[kind]++
				c.figures.Faults++
			}
		}
	}
	last := recording.Load.From
	for _, o := range recording.Operations {
		if o.Kind == history.Put && o.Outcome == history.Acknowledged {
			c.figures.Acknowledged++
		}
	}
	for _, at := range acknowledged(recording) {
		c.figures.LongestGap = max(c.figures.LongestGap, (at - last).Seconds())
		last = max(last, at)
	}
}

func acknowledged(recording history.Recording) []time.Duration {
	var times []time.Duration
	for _, o := range recording.Operations {
		if o.Kind == history.Put && o.Outcome == history.Acknowledged {
			times = append(times, o.Return)
		}
	}
	slices.Sort(times)
	return append(times, recording.Load.To)
}

// passive are steps that do nothing to the cluster, or undo what another one did.
var passive = []string{"wait", "hold", "expect", "assert", "release", "sleep", "run", "start", "heal", "resume", "start-kubelet", "uncordon", "let-rollout"}

// kindOf is a step's name among the figures, or empty.
func kindOf(step scenario.Step) string {
	switch action := step.Action.(type) {
	case *scenario.Operator:
		if slices.Contains(passive, action.Do) {
			return ""
		}
		return action.Do + " the operator"
	case *scenario.Host:
		if action.Process != "" && !slices.Contains(passive, step.Kind) {
			return step.Kind + " " + action.Process
		}
	case *scenario.Run:
		if slices.Contains(action.Command, "delete") {
			return "delete guard"
		}
	case *scenario.Delete:
		if action.Machine == "" {
			return "delete " + strings.ToLower(action.Object.Kind)
		}
		return "delete machine"
	case *scenario.Create:
		return "create machine"
	}
	if slices.Contains(passive, step.Kind) {
		return ""
	}
	return step.Kind
}

// shorten plays beginnings of a walk that failed and keeps the shortest that breaks
// one of the same claims. That a longer beginning fails where a shorter one does is
// likely, not certain.
func (c *campaign) shorten(ctx context.Context, w Walk, folder string, broken []string) error {
	v := Violation{Walk: w.Name, Seed: w.Seed, Broken: broken, Moves: w.Moves, Folder: folder}
	fmt.Fprintf(c.Out, "\n%s (seed %d) breaks:\n   %s\n", w.Name, w.Seed, strings.Join(broken, "\n   "))
	low, high := 0, w.Moves
	for low < high && ctx.Err() == nil && v.Replays < mostReplays {
		middle := (low + high) / 2
		again, fails, err := c.failsAgain(ctx, w, middle, broken, &v.Replays)
		if err != nil {
			fmt.Fprintf(c.Out, "its first %d moves could not be played: %v\n", middle, err)
			break
		}
		if fails {
			high, v.Moves, v.Folder = middle, middle, again
		} else {
			low = middle + 1
		}
	}
	fmt.Fprintf(c.Out, "\nthe shortest beginning of %s that failed has %d of its %d moves: %s\n", w.Name, v.Moves, w.Moves, v.Folder)
	c.figures.Violations = append(c.figures.Violations, v)
	return nil
}

// failsAgain plays the first moves of a walk until one of the claims is broken, and
// returns the folder of that play.
func (c *campaign) failsAgain(ctx context.Context, w Walk, moves int, broken []string, replays *int) (folder string, fails bool, err error) {
	beginning := NewWalk(w.Name, w.Seed, moves)
	for try := 1; try <= triesPerPrefix && *replays < mostReplays && ctx.Err() == nil; try++ {
		*replays++
		folder = filepath.Join(c.Folder, fmt.Sprintf("%s-first-%d-try-%d", w.Name, moves, try))
		verdict, err := c.play(ctx, beginning, folder)
		if err != nil {
			return "", false, err
		}
		if slices.ContainsFunc(claims(verdict, oracle.Broken), func(line string) bool { return sameClaim(line, broken) }) {
			return folder, true, nil
		}
	}
	return "", false, ctx.Err()
}

// sameClaim compares claims without their evidence.
func sameClaim(line string, broken []string) bool {
	text, _, _ := strings.Cut(line, ": ")
	return slices.ContainsFunc(broken, func(other string) bool {
		otherText, _, _ := strings.Cut(other, ": ")
		return text == otherText
	})
}

// keep writes the figures so far.
func (c *campaign) keep() error {
	data, err := json.MarshalIndent(c.figures, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(c.Folder, "campaign.json"), append(data, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("keep the figures of the campaign: %w", err)
	}
	return nil
}

// String is the figures in lines.
func (f Figures) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "campaign of seed %d: %d walks in %.0f min, %d faults and actions of users, %d writes acknowledged, at most %.1f s without one\n",
		f.Seed, f.Walks, f.Seconds/60, f.Faults, f.Acknowledged, f.LongestGap)
	for _, kind := range slices.Sorted(maps.Keys(f.Moves)) {
		fmt.Fprintf(&text, "   %4d %s\n", f.Moves[kind], kind)
	}
	for _, walk := range slices.Sorted(maps.Keys(f.Unproven)) {
		fmt.Fprintf(&text, "   not proven in %s: %s\n", walk, strings.Join(f.Unproven[walk], "; "))
	}
	fmt.Fprintf(&text, "   %d violations\n", len(f.Violations))
	for _, v := range f.Violations {
		fmt.Fprintf(&text, "   %s, seed %d, first %d moves (%s):\n      %s\n", v.Walk, v.Seed, v.Moves, v.Folder, strings.Join(v.Broken, "\n      "))
	}
	return text.String()
}

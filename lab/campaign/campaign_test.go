package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/oracle"
)

// lab stands in for real ones: it plays a walk by writing a recording.
type lab struct {
	t   *testing.T
	now time.Time
	// judge says what the verdict of a walk with so many moves is.
	judge func(play, moves int) (oracle.Verdict, error)
	plays []int
	files []string
}

var movesIn = regexp.MustCompile(`A random walk of (\d+) moves`)

func (l *lab) play(_ context.Context, file string, _ int64, folder string) (oracle.Verdict, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		l.t.Fatal(err)
	}
	moves, err := strconv.Atoi(movesIn.FindStringSubmatch(string(text))[1])
	if err != nil {
		l.t.Fatal(err)
	}
	l.now = l.now.Add(time.Minute)
	l.plays, l.files = append(l.plays, moves), append(l.files, file)
	w, err := history.Create(folder, history.Start{})
	if err != nil {
		l.t.Fatal(err)
	}
	w.Operation(history.Operation{Kind: history.Put, Outcome: history.Acknowledged, Return: 2 * time.Second})
	w.Operation(history.Operation{Kind: history.Put, Outcome: history.Unknown, Return: 3 * time.Second})
	w.Operation(history.Operation{Kind: history.Get, Outcome: history.Acknowledged, Return: 4 * time.Second})
	w.Load(history.LoadSpan{From: time.Second, To: 9 * time.Second})
	// All steps of the walk are more than this; those after it were not taken.
	for range 4 {
		w.Step(history.Step{})
	}
	if err := w.Close(""); err != nil {
		l.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(folder, "lab"), 0o700); err != nil {
		l.t.Fatal(err)
	}
	return l.judge(len(l.plays), moves)
}

func verdict(result oracle.Result, text, evidence string) oracle.Verdict {
	return oracle.Verdict{Claims: []oracle.Claim{{Text: "fine", Result: oracle.Holds}, {Text: text, Result: result, Evidence: evidence}}}
}

func run(t *testing.T, l *lab, settings Settings) (Figures, string, error) {
	t.Helper()
	var out strings.Builder
	l.t, l.now = t, time.Unix(0, 0)
	settings.Folder, settings.Play, settings.Out = t.TempDir(), l.play, &out
	settings.Now = func() time.Time { return l.now }
	if settings.For == 0 {
		settings.For = time.Hour
	}
	figures, err := Run(t.Context(), settings)
	kept, readErr := os.ReadFile(filepath.Join(settings.Folder, "campaign.json"))
	var again Figures
	if readErr == nil {
		readErr = json.Unmarshal(kept, &again)
	}
	if len(l.plays) > 0 && err == nil && (readErr != nil || again.String() != figures.String()) {
		t.Errorf("campaign.json holds %s, %v", kept, readErr)
	}
	return figures, settings.Folder, err
}

func TestWalksArePlayedUntilTheTimeIsOver(t *testing.T) {
	l := &lab{judge: func(int, int) (oracle.Verdict, error) { return verdict(oracle.Holds, "all", ""), nil }}
	figures, folder, err := run(t, l, Settings{Seed: 3, For: 5 * time.Minute})
	if err != nil || figures.Walks != 5 || figures.Seconds != 300 {
		t.Errorf("%d walks in %.0f s, %v", figures.Walks, figures.Seconds, err)
	}
	if figures.Acknowledged != 5 || figures.LongestGap != 7 {
		t.Errorf("%d writes, longest gap %.1f s", figures.Acknowledged, figures.LongestGap)
	}
	sum := 0
	for _, n := range figures.Moves {
		sum += n
	}
	if figures.Faults == 0 || sum != figures.Faults || figures.Faults > 5*3 {
		t.Errorf("%d faults, by kind %v", figures.Faults, figures.Moves)
	}
	for _, name := range []string{"recording.jsonl", "lab"} {
		if _, err := os.Stat(filepath.Join(folder, "walk-001", name)); err == nil {
			t.Errorf("%s of a walk that holds is kept", name)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "walk-005", "walk-005.yaml")); err != nil {
		t.Error(err)
	}
}

func TestAWalkIsTheSameWhereverACampaignBegins(t *testing.T) {
	holds := func(int, int) (oracle.Verdict, error) { return verdict(oracle.Holds, "all", ""), nil }
	all, one := &lab{judge: holds}, &lab{judge: holds}
	_, folder, _ := run(t, all, Settings{Seed: 3, Walks: 4})
	_, other, _ := run(t, one, Settings{Seed: 3, First: 3, Walks: 1})
	if len(all.plays) != 4 || len(one.plays) != 1 {
		t.Fatalf("%d and %d walks", len(all.plays), len(one.plays))
	}
	name := filepath.Join("walk-003", "walk-003.yaml")
	a, errA := os.ReadFile(filepath.Join(folder, name))
	b, errB := os.ReadFile(filepath.Join(other, name))
	if errA != nil || errB != nil || string(a) != string(b) {
		t.Errorf("the third walk differs: %v, %v", errA, errB)
	}
}

func TestWhatFailsIsCutToItsShortestBeginning(t *testing.T) {
	for fatal := 1; fatal <= 6; fatal++ {
		l := &lab{judge: func(_, moves int) (oracle.Verdict, error) {
			if moves >= fatal {
				return verdict(oracle.Broken, "a claim", fmt.Sprint("with ", moves)), nil
			}
			return verdict(oracle.Broken, "another claim", ""), nil
		}}
		figures, folder, err := run(t, l, Settings{Seed: 5, Walks: 1})
		if !errors.Is(err, ErrViolations) || len(figures.Violations) != 1 {
			t.Fatalf("%d violations, %v", len(figures.Violations), err)
		}
		v := figures.Violations[0]
		if v.Moves != fatal || v.Replays != len(l.plays)-1 || v.Replays > mostReplays || v.Seed != seedOf(5, 1) {
			t.Errorf("the shortest beginning has %d moves, want %d; %d replays of %d; seed %d", v.Moves, fatal, v.Replays, len(l.plays)-1, v.Seed)
		}
		if v.Moves < l.plays[0] && (!strings.HasPrefix(filepath.Base(v.Folder), fmt.Sprintf("walk-001-first-%d-", fatal)) || filepath.Dir(v.Folder) != folder) {
			t.Errorf("it is in %s", v.Folder)
		}
		for _, kept := range []string{filepath.Join(folder, "walk-001", "recording.jsonl"), filepath.Join(v.Folder, "recording.jsonl"), filepath.Join(v.Folder, "walk-001.yaml")} {
			if _, err := os.Stat(kept); err != nil {
				t.Errorf("not kept: %v", err)
			}
		}
		if text := figures.String(); !strings.Contains(text, "1 violations") || !strings.Contains(text, fmt.Sprintf("first %d moves", fatal)) || !strings.Contains(text, "a claim: with") {
			t.Errorf("the figures say\n%s", text)
		}
	}
}

func TestAFailureThatDoesNotComeBackIsKeptAsItWas(t *testing.T) {
	l := &lab{judge: func(play, _ int) (oracle.Verdict, error) {
		if play == 1 {
			return verdict(oracle.Broken, "a claim", ""), nil
		}
		return verdict(oracle.Holds, "a claim", ""), nil
	}}
	figures, folder, err := run(t, l, Settings{Seed: 5, Walks: 1})
	if !errors.Is(err, ErrViolations) || len(figures.Violations) != 1 {
		t.Fatalf("%d violations, %v", len(figures.Violations), err)
	}
	if v := figures.Violations[0]; v.Moves != l.plays[0] || v.Folder != filepath.Join(folder, "walk-001") || v.Replays == 0 || v.Replays > mostReplays {
		t.Errorf("the violation is %+v", v)
	}
}

func TestWhatIsNotProvenIsTold(t *testing.T) {
	l := &lab{judge: func(int, int) (oracle.Verdict, error) { return verdict(oracle.NotProven, "a claim", "a gap"), nil }}
	figures, _, err := run(t, l, Settings{Walks: 2})
	if err != nil || len(figures.Violations) > 0 || !strings.Contains(figures.String(), "not proven in walk-002: a claim: a gap") || len(l.plays) != 2 {
		t.Errorf("%d plays, %v\n%s", len(l.plays), err, figures)
	}
}

func TestLabsThatBreakDownEndTheCampaignAtTheThirdInARow(t *testing.T) {
	down := errors.New("no bridge")
	l := &lab{judge: func(play, _ int) (oracle.Verdict, error) {
		if play == 3 {
			return verdict(oracle.Holds, "all", ""), nil
		}
		return oracle.Verdict{}, down
	}}
	figures, _, err := run(t, l, Settings{})
	if !errors.Is(err, down) || len(l.plays) != 6 || figures.Walks != 1 {
		t.Errorf("%d plays, %d walks, %v", len(l.plays), figures.Walks, err)
	}
}

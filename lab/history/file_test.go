package history

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

// written is a recording with one of everything, as it is on disk.
func written(t *testing.T) []byte {
	t.Helper()
	folder := t.TempDir()
	w, err := Create(folder, Start{Scenario: "s", Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	w.Facts(facts.Facts{At: 1, MembersAt: 2, ObjectsAt: 1, Members: []facts.Member{{ID: "a", Voter: true}}})
	w.Event(facts.Event{Reason: "R"})
	w.Operation(Operation{Client: 1, Kind: Put, Key: "k", Value: "v", Call: 3, Return: 4, Outcome: Acknowledged, Revision: 9})
	w.Interval(Interval{From: 5, What: HostDown, Subject: "h"})
	w.Interval(Interval{To: 8, What: HostDown, Subject: "h"})
	w.Step(Step{Line: 3, Name: "n", From: 1, To: 2})
	w.Failure(Failure{At: 4, Name: "a", Text: "t"})
	w.Eviction(Eviction{At: 6, Namespace: "n", Pod: "p"})
	w.Load(LoadSpan{From: 1, To: 9})
	w.Final(Final{Key: "k", Value: "v", Revision: 9})
	w.Hash(Hash{Member: "m", Revision: 9, Hash: 5})
	if err := w.Close(""); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(folder, File))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	r, err := Parse(bytes.NewReader(written(t)))
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete || r.Defect != "" {
		t.Errorf("complete is %t, defect %q", r.Complete, r.Defect)
	}
	began, at := r.Start.Began, r.End.At
	if began.IsZero() || at == 0 {
		t.Errorf("began %s, ended %s", began, at)
	}
	want := Recording{
		Start:      Start{Scenario: "s", Seed: 7, Began: began},
		Facts:      []facts.Facts{{At: 1, MembersAt: 2, ObjectsAt: 1, Members: []facts.Member{{ID: "a", Voter: true}}}},
		Events:     []facts.Event{{Reason: "R"}},
		Operations: []Operation{{Client: 1, Kind: Put, Key: "k", Value: "v", Call: 3, Return: 4, Outcome: Acknowledged, Revision: 9}},
		Finals:     []Final{{Key: "k", Value: "v", Revision: 9}},
		Hashes:     []Hash{{Member: "m", Revision: 9, Hash: 5}},
		Steps:      []Step{{Line: 3, Name: "n", From: 1, To: 2}},
		Failures:   []Failure{{At: 4, Name: "a", Text: "t"}},
		Intervals:  []Interval{{From: 5, To: 8, What: HostDown, Subject: "h"}},
		Evictions:  []Eviction{{At: 6, Namespace: "n", Pod: "p"}},
		Load:       LoadSpan{From: 1, To: 9},
		End:        End{Lines: 12, At: at},
		Complete:   true,
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

func TestAnEndIsThatOfWhatBeganBefore(t *testing.T) {
	folder := t.TempDir()
	w, err := Create(folder, Start{})
	if err != nil {
		t.Fatal(err)
	}
	w.Interval(Interval{From: 5, What: HostDown, Subject: "h"})
	w.Interval(Interval{From: 9, What: HostDown, Subject: "h"})
	w.Interval(Interval{To: 8, What: HostDown, Subject: "h"})
	if err := w.Close(""); err != nil {
		t.Fatal(err)
	}
	r, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	want := []Interval{{From: 5, To: 8, What: HostDown, Subject: "h"}, {From: 9, What: HostDown, Subject: "h"}}
	if diff := cmp.Diff(want, r.Intervals); diff != "" {
		t.Errorf("intervals (-want +got):\n%s", diff)
	}
}

func TestWhatIsMissingIsNoticed(t *testing.T) {
	whole := strings.SplitAfter(strings.TrimSuffix(string(written(t)), "\n"), "\n")
	last := len(whole) - 1
	for name, test := range map[string]struct {
		lines []string
		want  string
	}{
		"a line in the middle":                {append(append([]string{}, whole[:3]...), whole[4:]...), "line 3 is followed by line 5"},
		"the end":                             {whole[:last], "it was not closed"},
		"half a line":                         {append(append([]string{}, whole[:last-1]...), whole[last-1][:20]), "cannot be read"},
		"nothing, but something was added":    {append(append([]string{}, whole...), "\n"+whole[1]), "lines follow the end"},
		"a line, with the numbers made right": {append(append([]string{}, whole[:last-1]...), strings.Replace(whole[last], `{"n":13`, `{"n":12`, 1)), "12 lines were written, 11 are there"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Parse(strings.NewReader(strings.Join(test.lines, "")))
			if err != nil {
				t.Fatal(err)
			}
			if r.Complete || !strings.Contains(r.Defect, test.want) {
				t.Errorf("complete is %t, defect %q, want %q", r.Complete, r.Defect, test.want)
			}
		})
	}
	for name, text := range map[string]string{"nothing at all": "", "another beginning": `{"n":1,"load":{"from":1,"to":2}}` + "\n"} {
		if _, err := Parse(strings.NewReader(text)); err == nil {
			t.Errorf("%s is read without an error", name)
		}
	}
}

type fullDisk struct{ *bytes.Buffer }

func (fullDisk) Write([]byte) (int, error) { return 0, os.ErrClosed }
func (fullDisk) Close() error              { return nil }

func TestARecordingThatCannotBeWrittenIsAnError(t *testing.T) {
	w := newWriter(fullDisk{}, Start{})
	for range 10_000 {
		w.Operation(Operation{Key: "k"})
	}
	if err := w.Close(""); err == nil {
		t.Error("closed without an error")
	}
}

func TestGapsOfWhatWasSeen(t *testing.T) {
	look := func(at int, members, objects string) facts.Facts {
		d := time.Duration(at) * time.Second
		return facts.Facts{At: d, MembersAt: d, ObjectsAt: d, MembersProblem: members, ObjectsProblem: objects}
	}
	s := time.Second
	for name, test := range map[string]struct {
		looks []facts.Facts
		want  []Gap
	}{
		"none":                               {[]facts.Facts{look(0, "", ""), look(2, "", ""), look(4, "", ""), look(5, "", "")}, nil},
		"nobody looked":                      {[]facts.Facts{look(0, "", ""), look(4, "", ""), look(5, "", "")}, []Gap{{0, 4 * s, "members"}, {0, 4 * s, "objects"}}},
		"members did not answer":             {[]facts.Facts{look(1, "", ""), look(2, "gone", ""), look(3, "gone", ""), look(4, "", ""), look(5, "", "")}, []Gap{{1 * s, 4 * s, "members"}}},
		"the API server did not answer":      {[]facts.Facts{look(1, "", ""), look(2, "", "gone"), look(3, "", "gone"), look(4, "", ""), look(5, "", "")}, []Gap{{1 * s, 4 * s, "objects"}}},
		"at the end":                         {[]facts.Facts{look(0, "", ""), look(2, "", "")}, []Gap{{2 * s, 5 * s, "members"}, {2 * s, 5 * s, "objects"}}},
		"nothing was seen from the start on": {nil, []Gap{{0, 5 * s, "members"}, {0, 5 * s, "objects"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := Recording{Facts: test.looks}.Gaps(0, 5*s, 2*s)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("gaps (-want +got):\n%s", diff)
			}
		})
	}
}

func TestARecordingThatIsLeftHasAllThatWasWrittenAndNoEnd(t *testing.T) {
	folder := t.TempDir()
	w, err := Create(folder, Start{Scenario: "s"})
	if err != nil {
		t.Fatal(err)
	}
	w.Step(Step{Name: "one"})
	if err := w.Leave(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(""); err != nil {
		t.Fatal(err)
	}
	r, err := Read(folder)
	if err != nil || len(r.Steps) != 1 || r.Complete || r.Defect == "" {
		t.Errorf("it reads %+v, %v", r, err)
	}
}

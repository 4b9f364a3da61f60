package operand

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNodeStatuses(t *testing.T) {
	type entry = map[string]any
	for name, test := range map[string]struct {
		nodes    []string
		previous map[string]int64
		latest   int64
		arrived  []string
		want     []any
	}{
		"a node that is new has an entry that says nothing": {
			[]string{"a"}, nil, 1, []string{"a"}, []any{entry{"nodeName": "a"}},
		},
		"one whose pod is ready has the latest revision": {
			[]string{"a"}, map[string]int64{"a": 0}, 1, []string{"a"}, []any{entry{"nodeName": "a", "currentRevision": int64(1)}},
		},
		"one whose pod restarts keeps it": {
			[]string{"a"}, map[string]int64{"a": 1}, 1, nil, []any{entry{"nodeName": "a", "currentRevision": int64(1)}},
		},
		"of two that wait one has a target": {
			[]string{"a", "b"}, map[string]int64{"a": 0, "b": 0}, 1, nil,
			[]any{entry{"nodeName": "a", "targetRevision": int64(1)}, entry{"nodeName": "b"}},
		},
		"one that is held back keeps its revision and has a target, the others have the latest": {
			[]string{"a", "b", "c"}, map[string]int64{"a": 1, "b": 1, "c": 2}, 2, []string{"a", "c"},
			[]any{entry{"nodeName": "a", "currentRevision": int64(2)}, entry{"nodeName": "b", "currentRevision": int64(1), "targetRevision": int64(2)}, entry{"nodeName": "c", "currentRevision": int64(2)}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := nodeStatuses(test.nodes, test.previous, test.latest, func(node string) bool { return slices.Contains(test.arrived, node) })
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("statuses (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheOptionForLearnersIsGivenToVersionsThatHaveIt(t *testing.T) {
	for minor, want := range map[int][]any{0: {"--max-learners=8"}, 5: nil, 6: {"--max-learners=8"}, 10: {"--max-learners=8"}} {
		if diff := cmp.Diff(want, (PodOptions{EtcdMinor: minor}).learnersOption()); diff != "" {
			t.Errorf("minor version %d (-want +got):\n%s", minor, diff)
		}
	}
}

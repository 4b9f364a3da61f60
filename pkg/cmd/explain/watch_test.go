package explain

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/explain"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// watched is a cluster whose explanation is set by the test.
type watched struct {
	cluster atomic.Value
	looks   atomic.Int64
	notices chan struct{}
}

func (w *watched) explain(context.Context) explain.Explanation {
	size, at := w.looks.Add(1), time.Now()
	cluster, _ := w.cluster.Load().(string)
	return explain.Explanation{ClusterID: explain.Text(cluster), ObservedAt: &at, Members: []explain.Member{{Name: "a", DBSizeBytes: &size}}}
}

func (w *watched) changed() <-chan struct{} { return w.notices }

func TestWhatIsWatchedIsShownAgainWhenItSaysSomethingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := &watched{notices: make(chan struct{}, 1)}
		w.cluster.Store("1")
		var shown []string
		ended := make(chan error, 1)
		go func() {
			ended <- watch(ctx, w, func(e *explain.Explanation) error {
				shown = append(shown, string(e.ClusterID))
				return nil
			})
		}()
		expect := func(when string, want ...string) {
			t.Helper()
			synctest.Wait()
			if !slices.Equal(shown, want) {
				t.Fatalf("%s: shown %v, want %v", when, shown, want)
			}
		}
		expect("at first", "1")
		time.Sleep(3 * period)
		expect("while nothing but the time and a size change", "1")
		if looks := w.looks.Load(); looks < 3 {
			t.Errorf("looked %d times in %s", looks, 3*period)
		}
		w.cluster.Store("2")
		time.Sleep(period)
		expect("when members tell something else", "1", "2")
		w.cluster.Store("3")
		w.notices <- struct{}{}
		time.Sleep(pause)
		expect("soon after an object has changed", "1", "2", "3")
		cancel()
		synctest.Wait()
		if err := <-ended; err != nil {
			t.Errorf("an interruption is an error: %v", err)
		}
	})
}

func TestWatchingEndsWhenNobodyTakesWhatIsShown(t *testing.T) {
	gone := errors.New("gone")
	if err := watch(t.Context(), &watched{}, func(*explain.Explanation) error { return gone }); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
}

func TestSeveralDocumentsCanBeToldApart(t *testing.T) {
	document := explain.New(explain.Input{Snapshot: snapshottest.New(), Source: explain.SourceLive})
	for name, test := range map[string]struct {
		format string
		style  explain.Style
		starts []string
	}{
		"text":               {formatText, explain.Plain, []string{"etcd cluster", "\n====="}},
		"text on a terminal": {formatText, explain.Coloured, []string{"\x1b[H\x1b[2J", "\x1b[H\x1b[2J"}},
		"YAML":               {formatYAML, explain.Plain, []string{"apiVersion", "---\n"}},
		"JSON":               {formatJSON, explain.Plain, []string{"{", "{"}},
	} {
		t.Run(name, func(t *testing.T) {
			var out, notes bytes.Buffer
			p := printer{format: test.format, stdout: &out, stderr: &notes, style: test.style}
			for i, start := range test.starts {
				out.Reset()
				if err := p.printAgain(&document); err != nil {
					t.Fatal(err)
				}
				if !strings.HasPrefix(out.String(), start) {
					t.Errorf("document %d starts with %q", i, out.String()[:20])
				}
			}
			if notes.Len() > 0 {
				t.Errorf("standard error: %s", notes.String())
			}
		})
	}
}

func TestConditionsThatAreWorthALook(t *testing.T) {
	condition := func(name string, status operatorv1.ConditionStatus) operatorv1.OperatorCondition {
		return operatorv1.OperatorCondition{Type: name, Status: status, Reason: "R", Message: "m"}
	}
	got := worthALook([]operatorv1.OperatorCondition{
		condition("StaticPodsAvailable", operatorv1.ConditionFalse),
		condition("MachineDeletionHooksControllerDegraded", operatorv1.ConditionTrue),
		condition("ClusterMemberControllerDegraded", operatorv1.ConditionFalse),
		condition("EtcdMembersDegraded", operatorv1.ConditionUnknown),
		condition("EtcdMembersAvailable", operatorv1.ConditionTrue),
	})
	var types []string
	for _, c := range got {
		types = append(types, c.Type)
	}
	if want := []string{"EtcdMembersAvailable", "EtcdMembersDegraded", "MachineDeletionHooksControllerDegraded"}; !slices.Equal(types, want) {
		t.Errorf("got %v, want %v", types, want)
	}
}

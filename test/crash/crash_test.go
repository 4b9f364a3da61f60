package crash

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// pace is the time between two passes, and passes how many a replacement may take.
const (
	pace   = 5 * time.Second
	passes = 200
)

// A scenario is what happens to host A, whose Machine is deleting while host D waits to join.
var scenarios = []struct {
	name    string
	prepare func(*world)
	// changes are how often the member set changes on the way.
	changes int
	writes  []string
}{
	{"a healthy voter is replaced", func(*world) {}, 3, []string{"add", "promote", "remove", "move leader"}},
	{"a dead voter is replaced", func(w *world) { w.kill(snapshottest.A) }, 3, []string{"add", "promote", "remove"}},
}

func TestAReplacementGoesOnAfterTheOperatorEndsBesideAnyWrite(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			var writes []string
			synctest.Test(t, func(t *testing.T) { writes = replace(t, s.prepare, s.changes, moment{}) })
			for _, want := range s.writes {
				if !slices.Contains(writes, want) {
					t.Errorf("nothing was interrupted beside %q: %q", want, writes)
				}
			}
			t.Logf("%d writes: %q", len(writes), writes)
			ended, moments := 0, 0
			for n := range writes {
				for _, after := range []bool{false, true} {
					t.Run(fmt.Sprintf("write %d, after it %t", n+1, after), func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) {
							moments++
							if len(replace(t, s.prepare, s.changes, moment{n + 1, after})) == n+1 {
								ended++
							}
						})
					})
				}
			}
			// The controllers run side by side, and what one reports in two writes or one depends on the others.
			if ended < moments-8 {
				t.Errorf("of %d runs, the first process ended in %d only", moments, ended)
			}
		})
	}
}

// replace lets the world go on until the replacement is complete, with one process that ends at a moment and another after
// it. It returns what the first one wrote.
func replace(t *testing.T, prepare func(*world), changes int, at moment) []string {
	w := newWorld(t)
	prepare(w)
	first := w.start(t, at)
	current := first
	defer func() { current.stop() }()
	for range passes {
		w.surroundings()
		current.source.Publish(w.observe())
		<-time.After(pace)
		if current.hasEnded() {
			current.stop()
			current = w.start(t, moment{})
		}
		if w.unfinished() == nil {
			break
		}
	}
	if err := w.unfinished(); err != nil {
		t.Errorf("the replacement is not complete: %v", err)
	}
	w.observe()
	if w.changes != changes {
		t.Errorf("the member set changed %d times, want %d", w.changes, changes)
	}
	return first.writes
}

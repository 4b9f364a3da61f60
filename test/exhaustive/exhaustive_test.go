package exhaustive

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// wantWorlds is how many worlds must have been decided; fewer means that a family lost its worlds without anybody noticing.
const wantWorlds = 4_000_000

// family is one way of making worlds.
type family struct {
	name string
	// ordered is how many worlds there would be with all orders of their hosts told apart; 0 means as many as there are.
	ordered func() uint64
	// each calls visit with every world of the family, in the same order each time. The world may be changed and used again
	// after visit returns.
	each func(visit func(w *world) bool)
	// unknownEvery: in every how manieth world each single fact is made unknown (invariant I4).
	unknownEvery uint64
	// shortEvery: every how manieth world is decided under -short. It shares no factor with the sizes of the dimensions that
	// a family crosses, or some of their values would be left out.
	shortEvery uint64
}

// chunk is how many worlds a worker takes at a time.
const chunk = 512

// run decides all worlds of a family on all processors, and returns what was done.
func (f *family) run(checkers []*checker, found *violations, short bool) numbers {
	var next atomic.Uint64
	var wg sync.WaitGroup
	for _, c := range checkers {
		wg.Go(func() { f.work(c, &next, found, short) })
	}
	wg.Wait()
	var sum numbers
	for _, c := range checkers {
		sum.add(c.numbers)
		c.numbers = numbers{}
	}
	return sum
}

// work enumerates the whole family and decides the chunks that no other worker took.
func (f *family) work(c *checker, next *atomic.Uint64, found *violations, short bool) {
	mine := next.Add(1) - 1
	stride := uint64(1)
	if short {
		stride = max(f.shortEvery, 1)
	}
	var number uint64
	f.each(func(w *world) bool {
		n := number
		number++
		if n/chunk < mine {
			return true
		}
		if n/chunk > mine {
			if found.full.Load() {
				return false
			}
			mine = next.Add(1) - 1
			if n/chunk < mine {
				return true
			}
		}
		if n%stride != 0 {
			return true
		}
		c.check(w, n)
		if f.unknownEvery > 0 && n/stride%f.unknownEvery == 0 {
			c.checkUnknown(w)
		}
		return true
	})
}

func TestSmallWorlds(t *testing.T) {
	// Decisions leave garbage and keep nothing, so collecting it rarely costs little memory and saves time.
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	short := testing.Short()
	if short {
		t.Log("this is the subset that -short asks for: a part of the worlds of each family; the count is not judged")
	}
	found := &violations{}
	checkers := make([]*checker, runtime.GOMAXPROCS(0))
	for i := range checkers {
		checkers[i] = newChecker(found)
	}
	var total numbers
	ran := 0
	for _, f := range families() {
		t.Run(f.name, func(t *testing.T) {
			ran++
			start := time.Now()
			n := f.run(checkers, found, short)
			total.add(n)
			ordered := n.worlds
			if f.ordered != nil && !short {
				ordered = f.ordered()
			}
			elapsed := time.Since(start)
			t.Logf("%d worlds (standing for %d ordered ones), %d decisions, %d membership changes, %d facts forgotten; %.1f s, %.0f worlds/s",
				n.worlds, ordered, n.decisions, n.acts, n.unknowns, elapsed.Seconds(), float64(n.worlds)/elapsed.Seconds())
			for _, text := range found.texts {
				t.Error(text)
			}
			found.texts = nil
			if n.worlds == 0 {
				t.Error("the family has no world")
			}
		})
		if found.full.Load() {
			t.Fatal("stopped after the first violations")
		}
	}
	t.Logf("%d worlds in all, %d decisions, %d membership changes, %d facts forgotten", total.worlds, total.decisions, total.acts, total.unknowns)
	if ran < len(families()) {
		t.Log("not all families ran, so neither the count of worlds nor the rules that were cited are judged")
		return
	}
	if !short && total.worlds < wantWorlds {
		t.Errorf("%d worlds, want at least %d", total.worlds, wantWorlds)
	}
	checkCitations(t, checkers)
}

package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// rereadTimeout bounds Reread: what it reads takes a healthy API server a fraction of a second, and a pass is of use for
// 15 s.
const rereadTimeout = 10 * time.Second

// reading is what the API server said about the objects of one cache.
type reading struct {
	// items are a slice of the cache's objects.
	items    any
	complete snapshot.Fact
	err      error
}

// Reread returns the facts of a pass once more, with every object that they rest on read from the API server itself and
// none from a cache: a watch that is slow, or that says nothing any more, is not noticed by those who trust it (rule
// R10.2). What etcd said is taken over from the pass, whose list is compared right before a change is made, and so is how
// long something lasted. The error tells what could not be read, and is unknown. It may be called while Observe runs.
func (o *Observer) Reread(ctx context.Context, etcd observe.Etcd, judged *snapshot.Snapshot) (snapshot.Snapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, rereadTimeout)
	defer cancel()
	l := look{Observer: o, began: judged.ObservedAt, reread: o.askAll(ctx)}
	l.Etcd = etcd
	l.readCaches()
	l.readBeyondCaches(ctx)
	facts, _ := observe.Snapshot(l.pass(), observe.ElapsedMemory())
	recall(&facts, judged)
	return facts, errors.Join(l.Faults...)
}

// askAll asks for the objects of all caches at the same time.
func (o *Observer) askAll(ctx context.Context) map[any]reading {
	var (
		all     sync.WaitGroup
		mu      sync.Mutex
		reading = map[any]reading{}
	)
	for _, ask := range o.ask {
		all.Go(func() {
			of, now := ask(ctx)
			mu.Lock()
			defer mu.Unlock()
			reading[of] = now
		})
	}
	all.Wait()
	return reading
}

// recall takes from a pass what a single look cannot tell: durations, and the desired size as it was last readable (rule
// R1.3).
func recall(facts, judged *snapshot.Snapshot) {
	lasted := map[snapshot.MemberID]*snapshot.Member{}
	for i := range judged.Members {
		lasted[judged.Members[i].ID] = &judged.Members[i]
	}
	for i := range facts.Members {
		m := &facts.Members[i]
		before := lasted[m.ID]
		if before == nil {
			before = &snapshot.Member{}
		}
		m.UnhealthyFor, m.StalledFor, m.UnclaimedFor = before.UnhealthyFor, before.StalledFor, before.UnclaimedFor
	}
	if !facts.Desired.Known() {
		facts.Desired = judged.Desired
	}
}

// contents are the objects of a cache, or what the API server said about them if it was asked.
func contents[T any](l *look, c *cached[T]) ([]T, snapshot.Fact, error) {
	if l.reread == nil {
		return c.read()
	}
	now := l.reread[c]
	items, _ := now.items.([]T)
	return items, now.complete, now.err
}

// reread lists the objects live. A kind that is not served is answered with "not found".
func (c *cached[T]) reread(ctx context.Context) (any, reading) {
	list, err := c.list(ctx, c.selecting(metav1.ListOptions{}))
	switch {
	case apierrors.IsNotFound(err) && !c.builtIn():
		return c, reading{complete: snapshot.False}
	case err != nil:
		return c, reading{err: fmt.Errorf("list %s: %w", c.what, err)}
	}
	objects, err := meta.ExtractList(list)
	if err != nil {
		return c, reading{err: fmt.Errorf("list %s: %w", c.what, err)}
	}
	items := make([]T, 0, len(objects))
	for _, object := range objects {
		if item, ok := object.(any).(*T); ok {
			items = append(items, *item)
		}
	}
	return c, reading{items: items, complete: snapshot.True}
}

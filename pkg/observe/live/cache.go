package live

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	// askAgain is how long a kind that is not served stays unasked.
	askAgain = 30 * time.Second
	// retry is how long it takes to ask again when it is not known whether a kind is served.
	retry = 5 * time.Second
	// patience is how long a cache may take to sync before that is a fault.
	patience = 30 * time.Second
)

// source says where the objects of a cache come from.
type source[T any] struct {
	// what names them in errors: "Machines of the control plane".
	what string
	kind schema.GroupVersionResource
	// selection is what the API server filters by; its other fields are not set.
	selection metav1.ListOptions
	list      func(context.Context, metav1.ListOptions) (runtime.Object, error)
	watch     func(context.Context, metav1.ListOptions) (watch.Interface, error)
	// client is what list and watch ask; it may say that it does not know how to stream a list.
	client any
	// facts returns what an object tells the operator. A change that leaves it alone wakes nobody.
	facts func(*T) any
	// trim drops what nobody reads; nil for nothing.
	trim func(*T)
}

// builtIn kinds are served by every API server.
func (s *source[T]) builtIn() bool {
	switch s.kind.Group {
	case "", "policy":
		return true
	}
	return false
}

// cached holds the objects of one source.
type cached[T any] struct {
	source[T]
	discovery discovery.ServerResourcesInterface
	clock     clock.Clock
	changed   func()

	mu sync.Mutex
	// begun is when the cache was started.
	begun time.Time
	// served is False while discovery does not know the kind.
	served snapshot.Fact
	// informer is nil unless the kind is served.
	informer cache.SharedIndexInformer
	// failure is why the last list or watch, or question whether the kind is served, failed; nil since one succeeded.
	failure error
}

// read returns the objects and whether they are all. Objects come even from a cache that does not know whether they are
// still there. The error says why that is unknown.
func (c *cached[T]) read() ([]T, snapshot.Fact, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.served.Fails() {
		return nil, snapshot.False, nil
	}
	if c.informer == nil || !c.informer.HasSynced() {
		return nil, snapshot.Unknown, c.notSynced()
	}
	var items []T
	for _, item := range c.informer.GetStore().List() {
		if object, ok := item.(*T); ok {
			items = append(items, *object)
		}
	}
	if c.failure != nil {
		return items, snapshot.Unknown, fmt.Errorf("watch %s: %w", c.what, c.failure)
	}
	return items, snapshot.True, nil
}

// known reports whether the cache was filled, or its kind is known not to be served.
func (c *cached[T]) known() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.served.Fails() || c.informer != nil && c.informer.HasSynced()
}

// notSynced is called with the lock held. A cache that was started a moment ago is no fault.
func (c *cached[T]) notSynced() error {
	switch {
	case c.failure != nil:
		return fmt.Errorf("list %s: %w", c.what, c.failure)
	case c.begun.IsZero() || c.clock.Since(c.begun) < patience:
		return nil
	}
	return fmt.Errorf("list %s: the list has not come within %s", c.what, patience)
}

// run keeps the cache until ctx ends.
func (c *cached[T]) run(ctx context.Context) {
	c.mu.Lock()
	c.begun = c.clock.Now()
	c.mu.Unlock()
	for ctx.Err() == nil {
		pause := retry
		switch c.discover() {
		case snapshot.True:
			c.follow(ctx)
		case snapshot.False:
			pause = askAgain
		}
		timer := c.clock.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-timer.C():
		}
		timer.Stop()
	}
}

// discover asks whether the kind is served. An answer that fails says nothing.
func (c *cached[T]) discover() snapshot.Fact {
	served, err := snapshot.True, error(nil)
	if !c.builtIn() {
		served, err = c.ask()
	}
	c.mu.Lock()
	before := c.served
	c.served, c.failure = served, err
	c.mu.Unlock()
	if before != served {
		c.changed()
	}
	return served
}

func (c *cached[T]) ask() (snapshot.Fact, error) {
	known, err := c.discovery.ServerResourcesForGroupVersion(c.kind.GroupVersion().String())
	if apierrors.IsNotFound(err) {
		return snapshot.False, nil
	}
	if err != nil {
		return snapshot.Unknown, fmt.Errorf("ask whether %s is served: %w", c.kind.GroupResource(), err)
	}
	for _, resource := range known.APIResources {
		if resource.Name == c.kind.Resource {
			return snapshot.True, nil
		}
	}
	return snapshot.False, nil
}

// follow lists and watches until ctx ends or the kind turns out not to be served any more.
func (c *cached[T]) follow(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	informer := c.newInformer(cancel)
	c.mu.Lock()
	c.informer = informer
	c.mu.Unlock()
	go func() {
		select {
		case <-ctx.Done():
		case <-informer.HasSyncedChecker().Done():
			c.changed()
		}
	}()
	informer.RunWithContext(ctx)
	c.mu.Lock()
	c.informer, c.served = nil, snapshot.Unknown
	c.mu.Unlock()
	c.changed()
}

func (c *cached[T]) newInformer(notServed func()) cache.SharedIndexInformer {
	note := func(ctx context.Context, err error) {
		if ctx.Err() != nil {
			return
		}
		c.mu.Lock()
		recovered := c.failure != nil && err == nil
		failed := c.failure == nil && err != nil
		c.failure = err
		c.mu.Unlock()
		if recovered || failed {
			c.changed()
		}
		if apierrors.IsNotFound(err) && !c.builtIn() {
			notServed()
		}
	}
	lw := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			list, err := c.list(ctx, c.selecting(options))
			note(ctx, err)
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			w, err := c.watch(ctx, c.selecting(options))
			note(ctx, err)
			return w, err
		},
	}
	object, _ := any(new(T)).(runtime.Object)
	informer := cache.NewSharedIndexInformer(cache.ToListWatcherWithWatchListSemantics(lw, c.client), object, 0, cache.Indexers{})
	// These fail only for an informer that runs already, or has stopped.
	_ = informer.SetTransform(c.transform)
	_ = informer.SetWatchErrorHandlerWithContext(c.log)
	_, _ = informer.AddEventHandler(c)
	return informer
}

// log leaves it at a line for those who look for it: an error is a fault of each observation as long as it lasts.
func (c *cached[T]) log(ctx context.Context, _ *cache.Reflector, err error) {
	klog.FromContext(ctx).V(2).Info("Could not list or watch", "what", c.what, "err", err)
}

func (c *cached[T]) selecting(options metav1.ListOptions) metav1.ListOptions {
	options.LabelSelector, options.FieldSelector = c.selection.LabelSelector, c.selection.FieldSelector
	return options
}

// transform drops what nobody reads before it is kept.
func (c *cached[T]) transform(item any) (any, error) {
	if accessor, err := meta.Accessor(item); err == nil {
		accessor.SetManagedFields(nil)
	}
	if object, ok := item.(*T); ok && c.trim != nil {
		c.trim(object)
	}
	return item, nil
}

// OnAdd implements cache.ResourceEventHandler.
func (c *cached[T]) OnAdd(any, bool) { c.changed() }

// OnUpdate implements cache.ResourceEventHandler.
func (c *cached[T]) OnUpdate(before, after any) {
	old, okOld := before.(*T)
	now, okNow := after.(*T)
	if !okOld || !okNow || !reflect.DeepEqual(c.identity(old), c.identity(now)) || !reflect.DeepEqual(c.facts(old), c.facts(now)) {
		c.changed()
	}
}

// OnDelete implements cache.ResourceEventHandler.
func (c *cached[T]) OnDelete(any) { c.changed() }

// identity tells an object from another of its name, and from itself once it is being deleted.
func (c *cached[T]) identity(object *T) any {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil
	}
	return [...]any{accessor.GetUID(), accessor.GetDeletionTimestamp() != nil}
}

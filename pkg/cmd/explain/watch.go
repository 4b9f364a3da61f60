package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/explain"
)

const (
	// period is how often members are asked, whose health no object tells.
	period = 10 * time.Second
	// pause is how long more changes are waited for, since they come in bursts.
	pause = 500 * time.Millisecond
)

// source is what is watched.
type source interface {
	explain(context.Context) explain.Explanation
	// changed receives when something may be different.
	changed() <-chan struct{}
}

func (c *cluster) changed() <-chan struct{} { return c.changes }

// watch shows the explanation, and again whenever it says something else. It ends without an error when ctx does, and with
// that of show.
func watch(ctx context.Context, from source, show func(*explain.Explanation) error) error {
	var last []byte
	for {
		document := from.explain(ctx)
		if ctx.Err() != nil {
			return nil
		}
		said, err := gist(document)
		if err != nil {
			return err
		}
		if !bytes.Equal(said, last) {
			if err := show(&document); err != nil {
				return err
			}
			last = said
		}
		regular := time.NewTimer(period)
		select {
		case <-regular.C:
		case <-from.changed():
			regular.Stop()
			more := time.NewTimer(pause)
			select {
			case <-more.C:
			case <-ctx.Done():
				more.Stop()
			}
		case <-ctx.Done():
			regular.Stop()
		}
	}
}

// gist leaves out what changes with each look and tells nothing new.
func gist(e explain.Explanation) ([]byte, error) {
	e.ObservedAt = nil
	members := make([]explain.Member, len(e.Members))
	for i, m := range e.Members {
		m.DBSizeBytes = nil
		members[i] = m
	}
	e.Members = members
	return json.Marshal(e)
}

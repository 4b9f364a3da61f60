package pass

import (
	"context"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
)

// NewController returns a controller that syncs after each pass of source, and whenever the etcd resource changes. It is to
// be run with one worker, which every library-go controller of this operator is.
func NewController(name string, source Source, etcd v1helpers.OperatorClient, recorder events.Recorder, sync factory.SyncFunc) factory.Controller {
	return factory.New().
		WithSync(sync).
		WithBareInformers(etcd.Informer()).
		WithPostStartHooks(func(_ context.Context, syncContext factory.SyncContext) error {
			source.Subscribe(func() { syncContext.Queue().Add(factory.DefaultQueueKey) })
			return nil
		}).
		ToController(name, recorder)
}

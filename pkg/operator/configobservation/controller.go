package configobservation

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/configobserver"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/resourcesynccontroller"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

const (
	// name is that of the operator among config observers.
	name = "etcd"

	namespace = "kube-system"
	configMap = "cluster-config-v1"
)

// Config is what the controller is made from. Every field is needed.
type Config struct {
	Kubernetes     kubernetes.Interface
	OperatorClient v1helpers.OperatorClient
	Recorder       events.Recorder
}

// New returns the controller. Its condition is ConfigObservationDegraded. It watches the one ConfigMap by itself, while it
// runs.
func New(config Config) factory.Controller {
	watched := informers.NewSharedInformerFactoryWithOptions(config.Kubernetes, 0,
		informers.WithNamespace(namespace),
		informers.WithTweakListOptions(func(options *metav1.ListOptions) {
			options.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, configMap).String()
		}))
	configMaps := watched.Core().V1().ConfigMaps()
	informer := configMaps.Informer()
	var refusal atomic.Pointer[error]
	// This fails only for an informer that runs already.
	_ = informer.SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector, err error) { refusal.Store(&err) })
	client := managedClient{config.OperatorClient}
	l := listers{
		configMaps: configMaps.Lister().ConfigMaps(namespace),
		listed:     informer.HasSynced,
		refusal:    func() error { return *cmp.Or(refusal.Load(), &errNoAnswer) },
		managed:    client.managed,
		synced:     []cache.InformerSynced{config.OperatorClient.Informer().HasSynced},
	}
	return controller{
		Controller: configobserver.NewConfigObserver(name, client, config.Recorder, l,
			[]factory.Informer{unhurried{informer}, config.OperatorClient.Informer()}, observeReplicas),
		watched: watched,
		listed:  informer.HasSynced,
	}
}

// errNoAnswer stands for the error of a list that has not come back.
var errNoAnswer = errors.New("the API server has not answered")

// unhurried is an informer that nobody waits for: library-go ends the process when a cache is not filled within ten minutes,
// while the value in force does not need this one (rule R1.3).
type unhurried struct{ factory.Informer }

// HasSynced implements factory.Informer.
func (unhurried) HasSynced() bool { return true }

// patience is how long the first reading of the ConfigMap may take before its absence is told.
const patience = 30 * time.Second

// controller is library-go's with an informer of its own.
type controller struct {
	factory.Controller
	watched informers.SharedInformerFactory
	listed  cache.InformerSynced
}

// Run implements factory.Controller.
func (c controller) Run(ctx context.Context, workers int) {
	c.watched.Start(ctx.Done())
	first, enough := context.WithTimeout(ctx, patience)
	cache.WaitForCacheSync(first.Done(), c.listed)
	enough()
	c.Controller.Run(ctx, workers)
	c.watched.Shutdown()
}

// listers is what an observer reads.
type listers struct {
	configMaps corelisters.ConfigMapNamespaceLister
	// listed tells whether configMaps holds what there is; until then refusal tells why not.
	listed  func() bool
	refusal func() error
	managed func() bool
	synced  []cache.InformerSynced
}

// ResourceSyncer implements configobserver.Listers; nothing is copied between namespaces here.
func (listers) ResourceSyncer() resourcesynccontroller.ResourceSyncer { return nil }

// PreRunHasSynced implements configobserver.Listers.
func (l listers) PreRunHasSynced() []cache.InformerSynced { return l.synced }

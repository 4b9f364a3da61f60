package operator

import (
	"context"
	"regexp"
	"sync"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	configinformers "github.com/openshift/client-go/config/informers/externalversions"
	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/loglevel"
	"github.com/openshift/library-go/pkg/operator/staleconditions"
	"github.com/openshift/library-go/pkg/operator/status"
	"github.com/openshift/library-go/pkg/operator/unsupportedconfigoverridescontroller"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
)

// name is that of the ClusterOperator, and of this operator among the managers of fields.
const name = "etcd"

const (
	// Degraded shows on the ClusterOperator after this long, and everything else that is not as it should be after the
	// other (rule R9.2).
	degradedInertia = 10 * time.Minute
	otherInertia    = 2 * time.Minute
	// resync is how often informers that only library-go's controllers use hand out what they hold.
	resync = 10 * time.Minute
	// worker is how many syncs of one controller run at a time.
	worker = 1
)

// staleConditions are those of controllers that older operators had.
var staleConditions = []string{"ClusterMemberRemovalControllerDegraded"}

// related is what must-gather collects (rule R9.5).
var related = []configv1.ObjectReference{
	{Group: "operator.openshift.io", Resource: "etcds", Name: "cluster"},
	{Resource: "namespaces", Name: "openshift-config"},
	{Resource: "namespaces", Name: "openshift-config-managed"},
	{Resource: "namespaces", Name: "openshift-etcd-operator"},
	{Resource: "namespaces", Name: "openshift-etcd"},
	// Without a name it means all of the namespace: the names of control-plane Machines change with each replacement.
	{Group: "machine.openshift.io", Resource: "machines", Namespace: "openshift-machine-api"},
	{Group: "machine.openshift.io", Resource: "controlplanemachinesets", Namespace: "openshift-machine-api", Name: "cluster"},
}

// Run runs the operator until ctx ends, and returns when all of its parts have ended. The caller holds the lease. Errors:
// what cannot be started, such as a missing setting.
func Run(ctx context.Context, cc *controllercmd.ControllerContext, settings Settings) error {
	if err := settings.check(); err != nil {
		return err
	}
	c, err := newClients(cc)
	if err != nil {
		return err
	}
	etcd := etcdclient.New(etcdclient.Config{TLS: etcdFiles})
	defer etcd.Close()

	versions := status.NewVersionGetter()
	versions.SetVersion("operator", settings.OperatorVersion)
	versions.SetVersion("raw-internal", settings.OperatorVersion)
	versions.SetVersion("etcd", settings.OperandVersion)

	// Only its own: a cluster has dozens of ClusterOperators, and all of them change often.
	clusterOperators := configinformers.NewSharedInformerFactoryWithOptions(c.config, resync,
		configinformers.WithTweakListOptions(func(options *metav1.ListOptions) {
			options.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, name).String()
		}))
	statusController := status.NewClusterOperatorStatusController(
		name, related, c.config.ConfigV1(), clusterOperators.Config().V1().ClusterOperators(), c.etcd, versions, cc.EventRecorder, cc.Clock,
	).WithDegradedInertia(inertia().Inertia)

	controllers := []factory.Controller{
		statusController,
		loglevel.NewClusterOperatorLoggingController(c.etcd, cc.EventRecorder),
		staleconditions.NewRemoveStaleConditionsController(name, staleConditions, c.etcd, cc.EventRecorder),
		unsupportedconfigoverridescontroller.NewUnsupportedConfigOverridesController(name, c.etcd, cc.EventRecorder),
	}

	// Informers are started after all controllers have asked for theirs.
	c.etcdInformers.Start(ctx.Done())
	clusterOperators.Start(ctx.Done())
	var parts sync.WaitGroup
	for _, controller := range controllers {
		parts.Go(func() { controller.Run(ctx, worker) })
	}
	parts.Wait()
	return nil
}

// inertia says how long a condition must hold before it shows on the ClusterOperator as Degraded; its text shows at once
// (rule R9.2).
func inertia() *status.InertiaConfig {
	return status.MustNewInertia(otherInertia, status.InertiaCondition{
		ConditionTypeMatcher: regexp.MustCompile("Degraded$"), Duration: degradedInertia,
	})
}

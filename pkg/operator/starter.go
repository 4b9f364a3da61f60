package operator

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	configinformers "github.com/openshift/client-go/config/informers/externalversions"
	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/loglevel"
	"github.com/openshift/library-go/pkg/operator/management"
	"github.com/openshift/library-go/pkg/operator/managementstatecontroller"
	"github.com/openshift/library-go/pkg/operator/staleconditions"
	"github.com/openshift/library-go/pkg/operator/status"
	"github.com/openshift/library-go/pkg/operator/unsupportedconfigoverridescontroller"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/component-base/metrics/legacyregistry"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/lease"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/observe/live"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/clustermember"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/configobservation"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/endpoints"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/machinedeletionhook"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/members"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/report/metrics"
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
	// startLimit is how long the first pass waits for the caches.
	startLimit = 10 * time.Second
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
	{Group: "machine.openshift.io", Resource: "controlplanemachinesets", Namespace: "openshift-machine-api", Name: "cluster"},
}

// Run runs the operator until ctx ends, and returns when all of its parts have ended. The caller holds the lease. Errors:
// what cannot be started, such as a missing setting.
func Run(ctx context.Context, cc *controllercmd.ControllerContext, settings Settings) error {
	if err := settings.check(); err != nil {
		return err
	}
	// "Removed" means nothing for etcd; it is reported, and nothing is written (rule R9.5).
	management.SetOperatorNotRemovable()
	c, err := newClients(cc)
	if err != nil {
		return err
	}
	etcd := etcdclient.New(etcdclient.Config{TLS: etcdFiles})
	defer etcd.Close()
	record, err := openRecord(settings.Record)
	if err != nil {
		return err
	}
	defer record.Close()

	events := report.NewEventQueue(c.kube.CoreV1())
	guards, hooks := quorumguard.NewGuards(settings.OperatorImage), machinedeletionhook.NewRecord(cc.Clock)
	observer := live.New(live.Config{
		Kubernetes: c.kube, OpenShiftConfig: c.config, OpenShiftOperator: c.operator, OpenShiftMachine: c.machine,
		Etcd: etcd, Clock: cc.Clock, OperatorVersion: settings.OperatorVersion, GuardOutdated: guards.Outdated,
	})
	loop := pass.NewLoop(pass.LoopConfig{Observer: observer, Clock: cc.Clock, Record: record.writer(), HookBackOff: hooks.HookBackOff})
	clusterOperators := clusterOperatorInformers(c)
	controllers := []factory.Controller{
		clusterOperatorStatus(cc, c, clusterOperators, loop, settings.Environment),
		loglevel.NewClusterOperatorLoggingController(c.etcd, cc.EventRecorder),
		managementstatecontroller.NewOperatorManagementStateController(name, c.etcd, cc.EventRecorder),
		staleconditions.NewRemoveStaleConditionsController(name, staleConditions, managedPatches{c.etcd}, cc.EventRecorder),
		unsupportedconfigoverridescontroller.NewUnsupportedConfigOverridesController(name, c.etcd, cc.EventRecorder),
		configobservation.New(configobservation.Config{Kubernetes: c.kube, OperatorClient: c.etcd, Recorder: cc.EventRecorder}),
		machinedeletionhook.New(machinedeletionhook.Config{
			Source: loop, Etcd: etcd, Machines: c.machine.MachineV1beta1(), OperatorClient: c.etcd, Events: events,
			Recorder: cc.EventRecorder, Clock: cc.Clock, Record: hooks,
		}),
		quorumguard.New(quorumguard.Config{
			Source: loop, Etcd: etcd, Kubernetes: c.kube, Machines: c.machine.MachineV1beta1(), OperatorClient: c.etcd,
			Recorder: cc.EventRecorder, Clock: cc.Clock, Guards: guards,
		}),
		clustermember.New(clustermember.Config{
			Source: loop, Etcd: etcd, OperatorClient: c.etcd, Events: events, Recorder: cc.EventRecorder, Clock: cc.Clock,
			Lease: leaseReader(cc, c, settings).Fresh,
			Confirm: func(ctx context.Context, p *pass.Pass) (membership.Decision, error) {
				facts, err := observer.Reread(ctx, p.Etcd, &p.Snapshot)
				return membership.Decide(facts), err
			},
		}),
		endpoints.New(endpoints.Config{
			Source: loop, Etcd: etcd, OperatorClient: c.etcd, ConfigMaps: c.kube.CoreV1(), Recorder: cc.EventRecorder, Clock: cc.Clock,
		}),
		members.New(members.Config{
			Source: loop, OperatorClient: c.etcd, ConfigMaps: c.kube.CoreV1(), Recorder: cc.EventRecorder, Clock: cc.Clock,
		}),
	}

	legacyregistry.CustomMustRegister(metrics.New(loop))

	// Informers are started after all controllers have asked for theirs.
	c.etcdInformers.Start(ctx.Done())
	clusterOperators.Start(ctx.Done())
	observer.Start(ctx)
	settings.Health.Watch(loop)
	var parts sync.WaitGroup
	parts.Go(func() {
		limited, cancel := context.WithTimeout(ctx, startLimit)
		defer cancel()
		observer.WaitForCaches(limited)
		loop.Run(ctx)
	})
	for _, controller := range controllers {
		parts.Go(func() { controller.Run(ctx, worker) })
	}
	// What the controllers tell last is still written.
	untilAllEnded, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	var writer sync.WaitGroup
	writer.Go(func() { events.Run(untilAllEnded) })
	parts.Wait()
	end()
	writer.Wait()
	return nil
}

// clusterOperatorInformers hold ClusterOperator etcd alone: a cluster has dozens of others, and they change often.
func clusterOperatorInformers(c clients) configinformers.SharedInformerFactory {
	return configinformers.NewSharedInformerFactoryWithOptions(c.config, resync,
		configinformers.WithTweakListOptions(func(options *metav1.ListOptions) {
			options.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, name).String()
		}))
}

func clusterOperatorStatus(cc *controllercmd.ControllerContext, c clients, informers configinformers.SharedInformerFactory,
	source pass.Source, environment Environment) factory.Controller {
	versions := status.NewVersionGetter()
	versions.SetVersion("operator", environment.OperatorVersion)
	versions.SetVersion("raw-internal", environment.OperatorVersion)
	versions.SetVersion("etcd", environment.OperandVersion)
	controller := status.NewClusterOperatorStatusController(
		name, related, handedOver{c.config.ConfigV1()}, informers.Config().V1().ClusterOperators(), c.etcd, versions, cc.EventRecorder, cc.Clock,
	).WithDegradedInertia(inertia().Inertia)
	controller.WithRelatedObjectsFunc(func() (bool, []configv1.ObjectReference) { return relatedMachines(source.Latest()) })
	return controller
}

// relatedMachines refers to every control-plane Machine, so that must-gather collects those and no worker's; known is
// false while they are not all known.
func relatedMachines(p *pass.Pass) (known bool, references []configv1.ObjectReference) {
	if p == nil || !p.Snapshot.MachineList.Holds() {
		return false, nil
	}
	for _, m := range p.Snapshot.Machines {
		references = append(references, configv1.ObjectReference{
			Group: "machine.openshift.io", Resource: "machines", Namespace: "openshift-machine-api", Name: string(m.Name),
		})
	}
	slices.SortFunc(references, func(a, b configv1.ObjectReference) int { return strings.Compare(a.Name, b.Name) })
	return true, references
}

func leaseReader(cc *controllercmd.ControllerContext, c clients, settings Settings) lease.Reader {
	namespace := cmp.Or(settings.LeaseNamespace, cc.OperatorNamespace)
	return lease.Reader{
		Client: c.kube.CoordinationV1().Leases(namespace), Name: settings.LeaseName, Identity: settings.Identity, Clock: cc.Clock,
	}
}

// inertia says how long a condition must hold before it shows on the ClusterOperator as Degraded; its text shows at once
// (rule R9.2).
func inertia() *status.InertiaConfig {
	return status.MustNewInertia(otherInertia, status.InertiaCondition{
		ConditionTypeMatcher: regexp.MustCompile("Degraded$"), Duration: degradedInertia,
	})
}

package operator

import (
	"context"
	"errors"
	"fmt"
	"os"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/server"
	"k8s.io/component-base/logs"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	buildversion "github.com/openshift/cluster-etcd-operator/pkg/cmd/version"
	"github.com/openshift/cluster-etcd-operator/pkg/health"
	"github.com/openshift/cluster-etcd-operator/pkg/lease"
	"github.com/openshift/cluster-etcd-operator/pkg/operator"
)

const (
	// component names the operator in events.
	component = "openshift-cluster-etcd-operator"
)

type options struct {
	record string
}

// NewCommand returns the subcommand `operator`. It returns when it is told to stop (SIGTERM, SIGINT), when it loses the
// lease, or when a file that it was started from changes; whoever runs it starts it again.
func NewCommand() *cobra.Command {
	var o options
	// The command of this configuration would ignore the lease's times in the configuration file; it is here for what it
	// does with files and certificates, and is run below.
	base := controllercmd.NewControllerCommandConfig(component, version.Info{GitVersion: buildversion.Get()}, nil, clock.RealClock{})
	c := base.NewCommandWithContext(context.Background())
	c.Use = "operator"
	c.Short = "Run the operator"
	c.Long = `Watches control-plane Machines, Nodes and etcd, and carries out what the decisions allow, while it holds the lease.
Serves /healthz and /metrics with and without the lease.`
	c.Args = cobra.NoArgs
	c.Run = nil
	c.RunE = func(c *cobra.Command, _ []string) error {
		return run(c, base, o)
	}
	c.Flags().StringVar(&o.record, "record", "", "append what each pass saw and decided to this file, one JSON object a line")
	return c
}

// run is library-go's StartController, with the lease's times taken from the configuration file and an identity that
// the membership controller can compare the lease with.
func run(c *cobra.Command, base *controllercmd.ControllerCommandConfig, o options) error {
	logs.InitLogs()
	defer logs.FlushLogs()

	text := func(name string) string { return c.Flags().Lookup(name).Value.String() }
	unstructured, config, content, err := base.Config()
	if err != nil {
		return fmt.Errorf("read configuration: %w", err)
	}
	if config.LeaderElection.Disable {
		return errors.New("read configuration: leaderElection.disable: without the lease two operators could change the member list at the same time")
	}
	rotated, watched, err := base.AddDefaultRotationToConfig(config, content)
	if err != nil {
		return fmt.Errorf("provide serving certificate: %w", err)
	}
	if address := text("listen"); address != "" {
		config.ServingInfo.BindAddress = address
	}
	files, err := c.Flags().GetStringArray("terminate-on-files")
	if err != nil {
		return err
	}
	identity, err := newIdentity()
	if err != nil {
		return err
	}
	namespace := text("namespace")
	stuck := health.New(health.Config{Clock: clock.RealClock{}})
	settings := operator.Settings{
		Identity: identity, LeaseName: leaseName(config.LeaderElection), LeaseNamespace: config.LeaderElection.Namespace,
		Record: o.record, Health: stuck, Environment: operator.EnvironmentFrom(os.Getenv),
	}
	// Either may be what a new certificate, configuration or token ends the process by.
	changed := make(chan struct{})
	ctx, cancel := stopContext(changed)
	defer cancel()
	builder := controllercmd.NewController(component, func(ctx context.Context, cc *controllercmd.ControllerContext) error {
		return operator.Run(ctx, cc, settings)
	}, clock.RealClock{}).
		WithKubeConfigFile(text("kubeconfig"), nil).
		WithComponentNamespace(namespace).
		WithLeaderElection(config.LeaderElection, namespace, lease.DefaultName).
		WithInstanceIdentity(identity).
		WithVersion(version.Info{GitVersion: buildversion.Get()}).
		WithHealthChecks(stuck).
		WithEventRecorderOptions(events.RecommendedClusterSingletonCorrelatorOptions()).
		WithRestartOnChange(changed, rotated, append(watched, files...)...).
		WithServer(config.ServingInfo, config.Authentication, config.Authorization)
	return builder.Run(ctx, unstructured)
}

// stopContext ends when the process is told to stop, or changed is closed.
func stopContext(changed <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := server.SetupSignalHandler()
	go func() {
		defer cancel()
		select {
		case <-signals:
			klog.InfoS("Told to stop")
		case <-changed:
			klog.InfoS("A file that this process was started from has changed")
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// newIdentity names this process among all that want the lease. Two processes on one host have different ones.
func newIdentity() (string, error) {
	host, err := os.Hostname()
	if err != nil {
		return "", fmt.Errorf("make an identity for the lease: %w", err)
	}
	return host + "_" + string(uuid.NewUUID()), nil
}

func leaseName(l configv1.LeaderElection) string {
	if l.Name != "" {
		return l.Name
	}
	return lease.DefaultName
}

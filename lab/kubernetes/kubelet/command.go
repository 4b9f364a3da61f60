package kubelet

import (
	"fmt"

	"github.com/spf13/cobra"
	genericapiserver "k8s.io/apiserver/pkg/server"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/logs"
	logsapi "k8s.io/component-base/logs/api/v1"
	kubeletapp "k8s.io/kubernetes/cmd/kubelet/app"
	"k8s.io/kubernetes/cmd/kubelet/app/options"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	kubeletvalidation "k8s.io/kubernetes/pkg/kubelet/apis/config/validation"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/kubeletconfig/configfiles"
	"k8s.io/kubernetes/pkg/util/filesystem"
	"k8s.io/kubernetes/pkg/util/oom"
)

// NewCommand returns the kubelet's command. It takes the kubelet's flags except
// those that its configuration file replaces; --config is required.
func NewCommand() *cobra.Command {
	flags := options.NewKubeletFlags()
	command := &cobra.Command{
		Use:          "kubelet",
		Short:        "The kubelet of a lab host",
		Args:         cobra.NoArgs,
		SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error {
			return run(flags)
		},
	}
	flags.AddFlags(command.Flags())
	return command
}

func run(flags *options.KubeletFlags) error {
	if err := options.ValidateKubeletFlags(flags); err != nil {
		return fmt.Errorf("check flags: %w", err)
	}
	ctx := genericapiserver.SetupSignalContext()
	loader, err := configfiles.NewFsLoader(&filesystem.DefaultFs{}, flags.KubeletConfigFile)
	if err != nil {
		return fmt.Errorf("open configuration %s: %w", flags.KubeletConfigFile, err)
	}
	config, err := loader.Load(ctx)
	if err != nil {
		return fmt.Errorf("load configuration %s: %w", flags.KubeletConfigFile, err)
	}
	if err := configure(config); err != nil {
		return err
	}

	server := &options.KubeletServer{KubeletFlags: *flags, KubeletConfiguration: *config}
	dependencies, err := kubeletapp.UnsecuredDependencies(ctx, server, utilfeature.DefaultFeatureGate)
	if err != nil {
		return fmt.Errorf("set up dependencies: %w", err)
	}
	machine, err := readMachine(flags.RootDirectory)
	if err != nil {
		return err
	}
	dependencies.CAdvisorInterface = machine
	dependencies.ContainerManager = cm.NewStubContainerManager()
	dependencies.OOMAdjuster = oom.NewFakeOOMAdjuster()
	return kubeletapp.Run(ctx, server, dependencies, utilfeature.DefaultFeatureGate)
}

// configure applies what concerns the whole process, in the order the kubelet
// itself does: gates first, since validation and logging depend on them.
func configure(config *kubeletconfig.KubeletConfiguration) error {
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(config.FeatureGates); err != nil {
		return fmt.Errorf("set feature gates: %w", err)
	}
	logs.InitLogs()
	if err := logsapi.ValidateAndApply(&config.Logging, utilfeature.DefaultFeatureGate); err != nil {
		return fmt.Errorf("set up logging: %w", err)
	}
	if err := kubeletvalidation.ValidateKubeletConfiguration(config, utilfeature.DefaultFeatureGate); err != nil {
		return fmt.Errorf("check configuration: %w", err)
	}
	return nil
}

package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/api/features"
	machinev1 "github.com/openshift/api/machine/v1beta1"
	librarygates "github.com/openshift/library-go/pkg/features"
	"github.com/openshift/machine-api-operator/pkg/controller/machine"
	"github.com/openshift/machine-api-operator/pkg/controller/machinehealthcheck"
	"github.com/openshift/machine-api-operator/pkg/controller/machineset"
	"github.com/openshift/machine-api-operator/pkg/controller/nodelink"
	"k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/openshift/cluster-etcd-operator/lab/machines/provider"
)

// majorVersion is that of the release that the lab pretends to be.
const majorVersion = 5

// namespace is where Machines live.
const namespace = "openshift-machine-api"

func main() {
	// controller-runtime has a flag --kubeconfig of its own.
	klog.InitFlags(nil)
	flag.Parse()
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		fmt.Fprintln(os.Stderr, "labmachines:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	ctrl.SetLogger(klog.Background())
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("load kubeconfig: %w", err)
	}
	config.UserAgent = "labmachines"
	options := manager.Options{
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
	}
	mgr, err := manager.New(config, options)
	if err != nil {
		return fmt.Errorf("set up manager: %w", err)
	}
	if err := configv1.Install(mgr.GetScheme()); err != nil {
		return fmt.Errorf("register types: %w", err)
	}
	if err := machinev1.Install(mgr.GetScheme()); err != nil {
		return fmt.Errorf("register types: %w", err)
	}
	// Registered and left off: Machines are reconciled here and nowhere else.
	gates := feature.DefaultMutableFeatureGate
	if _, err := librarygates.NewFeatureGateOptions(gates, majorVersion, features.SelfManaged, features.FeatureGateMachineAPIMigration); err != nil {
		return fmt.Errorf("register feature gates: %w", err)
	}
	if err := machine.AddWithActuator(mgr, provider.New(mgr.GetClient()), gates); err != nil {
		return fmt.Errorf("add machine controller: %w", err)
	}
	if err := nodelink.Add(mgr, options); err != nil {
		return fmt.Errorf("add nodelink controller: %w", err)
	}
	if err := machineset.Add(mgr, options, gates); err != nil {
		return fmt.Errorf("add machine set controller: %w", err)
	}
	if err := machinehealthcheck.Add(mgr, options); err != nil {
		return fmt.Errorf("add machine health check controller: %w", err)
	}
	if err := mgr.Start(ctx); err != nil {
		return fmt.Errorf("run controllers: %w", err)
	}
	return nil
}

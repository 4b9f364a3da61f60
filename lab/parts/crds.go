package parts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// crds are the resources that a cluster with an etcd operator and the Machine
// API has, by folder of the module github.com/openshift/api.
var crds = map[string][]string{
	"config/v1":         {"clusteroperators", "clusterversions", "infrastructures", "networks", "featuregates"},
	"config/v1alpha1":   {"backups"},
	"operator/v1":       {"etcds", "kubeapiservers"},
	"operator/v1alpha1": {"etcdbackups"},
	"machine/v1":        {"controlplanemachinesets"},
	"machine/v1beta1":   {"machines", "machinesets", "machinehealthchecks"},
}

// variants of a CRD file that a self-managed cluster with default features
// gets, the best first.
var variants = []string{"-Default", "-SelfManagedHA", ""}

func collectCRDs(ctx context.Context, repository, target string) error {
	module, err := findAPI(ctx, repository)
	if err != nil {
		return err
	}
	var files []string
	for folder, resources := range crds {
		for _, resource := range resources {
			file, err := findCRD(filepath.Join(module, folder, "zz_generated.crd-manifests"), resource)
			if err != nil {
				return err
			}
			files = append(files, file)
		}
	}
	return copyAll(files, target)
}

func findAPI(ctx context.Context, repository string) (string, error) {
	command := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/openshift/api")
	command.Dir = filepath.Join(repository, "lab", "machines")
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("find the module github.com/openshift/api: %w", err)
	}
	return strings.TrimSpace(string(output)), nil
}

func collectFeatureGates(ctx context.Context, repository, target string) error {
	module, err := findAPI(ctx, repository)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(module, "payload-manifests", "featuregates", "*-SelfManagedHA-Default.yaml"))
	if err != nil {
		return fmt.Errorf("look for the feature gates: %w", err)
	}
	if len(files) != 1 {
		return fmt.Errorf("want one file of default feature gates, found %d", len(files))
	}
	return copyAll(files, target)
}

func findCRD(folder, resource string) (string, error) {
	for _, variant := range variants {
		matches, err := filepath.Glob(filepath.Join(folder, "*_"+resource+variant+".crd.yaml"))
		if err != nil {
			return "", fmt.Errorf("look for the CRD of %s: %w", resource, err)
		}
		if len(matches) == 1 {
			return matches[0], nil
		}
	}
	return "", fmt.Errorf("no CRD of %s in %s", resource, folder)
}

func collectManifests(_ context.Context, repository, target string) error {
	files, err := filepath.Glob(filepath.Join(repository, "manifests", "*.yaml"))
	if err != nil {
		return fmt.Errorf("list the operator's manifests: %w", err)
	}
	if len(files) == 0 {
		return errors.New("the repository has no manifests/*.yaml")
	}
	return copyAll(files, target)
}

// copyAll makes target a folder with copies of files and nothing else.
func copyAll(files []string, target string) error {
	if err := os.RemoveAll(target); err != nil {
		return fmt.Errorf("remove old files: %w", err)
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("copy %s: %w", filepath.Base(file), err)
		}
		if err := os.WriteFile(filepath.Join(target, filepath.Base(file)), data, 0o644); err != nil {
			return fmt.Errorf("copy %s: %w", filepath.Base(file), err)
		}
	}
	return nil
}

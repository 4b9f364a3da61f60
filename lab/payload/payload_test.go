package payload

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestObjectsSayWhatTheClusterIs(t *testing.T) {
	parts := t.TempDir()
	writeFile(t, filepath.Join(parts, "manifests", "etcd.yaml"), "apiVersion: v1\nkind: Namespace\nmetadata: {name: openshift-etcd}\n")
	writeFile(t, filepath.Join(parts, "featuregates", "gates.yaml"),
		`{"apiVersion": "config.openshift.io/v1", "kind": "FeatureGate", "metadata": {"name": "cluster"}, "status": {"featureGates": [{"version": "", "enabled": [{"name": "Own"}]}]}}`)
	installer := &Installer{parts: parts}
	objects, err := installer.instances(Cluster{Version: "5.0.0", Topology: "HighlyAvailable", ControlPlanes: 5, Arbiters: 1, Workers: 2, ServiceNetworks: []string{"fd02::/112", "172.30.0.0/16"}, MachineNetworks: []string{"fd00:199::/64", "10.199.0.0/24"}})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*unstructured.Unstructured{}
	for _, object := range objects {
		found[object.GetKind()+"/"+object.GetName()] = object
	}
	text := func(object string, path ...string) string {
		t.Helper()
		if found[object] == nil {
			t.Fatalf("no object %s", object)
		}
		value, _, err := unstructured.NestedString(found[object].Object, path...)
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	var config struct {
		ControlPlane struct{ Replicas int }
		Arbiter      struct{ Replicas int }
		Compute      []struct{ Replicas int }
		Networking   struct {
			MachineNetwork []struct{ CIDR string }
			ServiceNetwork []string
		}
	}
	if err := yaml.Unmarshal([]byte(text("ConfigMap/cluster-config-v1", "data", "install-config")), &config); err != nil {
		t.Fatal(err)
	}
	if config.ControlPlane.Replicas != 5 || config.Arbiter.Replicas != 1 || config.Compute[0].Replicas != 2 {
		t.Errorf("install-config says %+v", config)
	}
	networks := config.Networking
	if len(networks.MachineNetwork) != 2 || networks.MachineNetwork[1].CIDR != "10.199.0.0/24" || !slices.Equal(networks.ServiceNetwork, []string{"fd02::/112", "172.30.0.0/16"}) {
		t.Errorf("install-config has networks %+v", networks)
	}
	if got, _, err := unstructured.NestedStringSlice(found["Network/cluster"].Object, "status", "serviceNetwork"); err != nil || !slices.Equal(got, networks.ServiceNetwork) {
		t.Errorf("service networks are %v, %v", got, err)
	}
	if got := text("Infrastructure/cluster", "status", "controlPlaneTopology"); got != "HighlyAvailable" {
		t.Errorf("topology is %q", got)
	}
	if got := text("ConfigMap/bootstrap", "data", "status"); got != "complete" {
		t.Errorf("bootstrap is %q", got)
	}
	gates, _, err := unstructured.NestedSlice(found["FeatureGate/cluster"].Object, "status", "featureGates")
	if err != nil {
		t.Fatal(err)
	}
	if version := gates[0].(map[string]any)["version"]; version != "5.0.0" {
		t.Errorf("feature gates are of version %v", version)
	}
	if enabled := fmt.Sprint(gates[0].(map[string]any)["enabled"]); !strings.Contains(enabled, "CPMSMachineNamePrefix") || !strings.Contains(enabled, "Own") {
		t.Errorf("enabled feature gates are %s", enabled)
	}
	if found["Namespace/openshift-etcd"] == nil {
		t.Error("the operator's manifests are missing")
	}
}

func TestAFolderWithoutFilesIsAnError(t *testing.T) {
	if _, err := (&Installer{parts: t.TempDir()}).instances(Cluster{}); err == nil {
		t.Error("no error although there are no manifests")
	}
}

package payload

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/template"
	"time"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

//go:embed objects.yaml
var objects string

// Version is the release that the lab pretends to be.
const Version = "5.0.0"

// Cluster is what the objects say about the cluster.
type Cluster struct {
	ID              string
	Name            string
	Version         string
	Topology        string
	APIServer       string
	MachineNetworks []string
	ServiceNetworks []string
	// ControlPlanes are those without the Arbiters.
	ControlPlanes int
	Arbiters      int
	Workers       int
	// Installed is a time in RFC 3339.
	Installed string
}

// Installer creates objects.
type Installer struct {
	client dynamic.Interface
	// parts holds the folders crds, featuregates and manifests.
	parts string
}

// NewInstaller returns an Installer for the API server of config, which should
// not limit the rate of requests.
func NewInstaller(config *rest.Config, parts string) (*Installer, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	return &Installer{client: client, parts: parts}, nil
}

// Install creates everything, and returns when the CRDs are served.
func (i *Installer) Install(ctx context.Context, cluster Cluster) error {
	definitions, err := readFolder(filepath.Join(i.parts, "crds"))
	if err != nil {
		return err
	}
	for _, definition := range definitions {
		unstructured.RemoveNestedField(definition.Object, "status")
	}
	// All at once: the API server takes a second over each to serve it.
	group, groupCtx := errgroup.WithContext(ctx)
	for _, definition := range definitions {
		group.Go(func() error {
			if err := i.Create(groupCtx, definition); err != nil {
				return err
			}
			return i.waitServed(groupCtx, definition)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	rest, err := i.instances(cluster)
	if err != nil {
		return err
	}
	for _, object := range rest {
		if err := i.Create(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

// InstallNamespaces creates those of the manifests and no more: kubelets give up
// for a while on pods whose namespace is missing.
func (i *Installer) InstallNamespaces(ctx context.Context) error {
	manifests, err := readFolder(filepath.Join(i.parts, "manifests"))
	if err != nil {
		return err
	}
	for _, object := range manifests {
		if object.GetKind() != "Namespace" {
			continue
		}
		if err := i.Create(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

func (i *Installer) instances(cluster Cluster) ([]*unstructured.Unstructured, error) {
	manifests, err := readFolder(filepath.Join(i.parts, "manifests"))
	if err != nil {
		return nil, err
	}
	gates, err := readFolder(filepath.Join(i.parts, "featuregates"))
	if err != nil {
		return nil, err
	}
	for _, gate := range gates {
		if err := completeGates(gate, cluster.Version); err != nil {
			return nil, err
		}
	}
	parsed, err := template.New("objects").Option("missingkey=error").Parse(objects)
	if err != nil {
		return nil, fmt.Errorf("parse objects: %w", err)
	}
	var text bytes.Buffer
	if err := parsed.Execute(&text, cluster); err != nil {
		return nil, fmt.Errorf("fill in objects: %w", err)
	}
	filled, err := decode(&text)
	if err != nil {
		return nil, err
	}
	return inOrder(slices.Concat(manifests, gates, filled)), nil
}

// notHere are kinds among the manifests that the lab has no use for: it runs the
// operator as a process of its own, and has no monitoring.
var notHere = []string{"Deployment", "ServiceMonitor"}

// inOrder puts namespaces before what may be in them. A release has dozens of
// components whose manifests refer to each other's namespaces; it tries again.
func inOrder(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	objects = slices.DeleteFunc(objects, func(o *unstructured.Unstructured) bool { return slices.Contains(notHere, o.GetKind()) })
	slices.SortStableFunc(objects, func(a, b *unstructured.Unstructured) int { return rank(a) - rank(b) })
	for _, object := range objects {
		if object.GetKind() == "ClusterOperator" {
			// What a version operator waits for, and leaves to the operator to write.
			unstructured.RemoveNestedField(object.Object, "status", "versions")
		}
	}
	return objects
}

func rank(object *unstructured.Unstructured) int {
	if object.GetKind() == "Namespace" {
		return 0
	}
	return 1
}

// grownUp are gates that this release no longer lists, since what they guarded is
// always there, and that the ControlPlaneMachineSet operator still asks for.
var grownUp = []any{map[string]any{"name": "CPMSMachineNamePrefix"}}

// completeGates fills in the version, which the release image leaves open, and
// the gates that are grownUp.
func completeGates(gate *unstructured.Unstructured, version string) error {
	entries, found, err := unstructured.NestedSlice(gate.Object, "status", "featureGates")
	if err != nil || !found {
		return fmt.Errorf("read feature gates: found %t: %w", found, err)
	}
	for _, entry := range entries {
		fields, ok := entry.(map[string]any)
		if !ok {
			return errors.New("read feature gates: an entry is no object")
		}
		fields["version"] = version
		enabled, _ := fields["enabled"].([]any)
		fields["enabled"] = append(enabled, grownUp...)
	}
	return unstructured.SetNestedSlice(gate.Object, entries, "status", "featureGates")
}

// Create creates object and then its status, if it has one. An object that
// exists is left as it is.
func (i *Installer) Create(ctx context.Context, object *unstructured.Unstructured) error {
	resource, _ := meta.UnsafeGuessKindToResource(object.GroupVersionKind())
	client := i.client.Resource(resource).Namespace(object.GetNamespace())
	name := object.GetKind() + " " + object.GetName()
	status, hasStatus := object.Object["status"]
	created, err := client.Create(ctx, object, metav1.CreateOptions{FieldManager: "lab"})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create %s: %w", name, err)
	}
	if _, kept := created.Object["status"]; !hasStatus || kept {
		// Kept by kinds whose status is not a resource of its own.
		return nil
	}
	created.Object["status"] = status
	if _, err := client.UpdateStatus(ctx, created, metav1.UpdateOptions{FieldManager: "lab"}); err != nil {
		return fmt.Errorf("set status of %s: %w", name, err)
	}
	return nil
}

var definitionResource = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// waitServed returns when instances can be created.
func (i *Installer) waitServed(ctx context.Context, definition *unstructured.Unstructured) error {
	err := wait.PollUntilContextCancel(ctx, 100*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		current, err := i.client.Resource(definitionResource).Get(ctx, definition.GetName(), metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		value, _, err := unstructured.NestedFieldNoCopy(current.Object, "status", "conditions")
		if err != nil {
			return false, err
		}
		// Null at first.
		conditions, _ := value.([]any)
		return slices.ContainsFunc(conditions, func(condition any) bool {
			fields, _ := condition.(map[string]any)
			return fields["type"] == "Established" && fields["status"] == "True"
		}), nil
	})
	if err != nil {
		return fmt.Errorf("wait for %s to be served: %w", definition.GetName(), err)
	}
	return nil
}

func readFolder(folder string) ([]*unstructured.Unstructured, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", folder, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no files in %s", folder)
	}
	slices.Sort(files)
	var all []*unstructured.Unstructured
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		objects, err := decode(file)
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		all = append(all, objects...)
	}
	return all, nil
}

func decode(reader io.Reader) ([]*unstructured.Unstructured, error) {
	decoder := yaml.NewYAMLOrJSONDecoder(reader, 4096)
	var all []*unstructured.Unstructured
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("decode object: %w", err)
		}
		if len(object.Object) > 0 {
			all = append(all, object)
		}
	}
}

package manifests

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

type manifest struct {
	File       string `json:"-"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name        string            `json:"name"`
		Namespace   string            `json:"namespace"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec map[string]any `json:"spec"`
}

// imageReferences names the images that a release puts in place of those in the manifests.
const imageReferences = "image-references"

// separator is a line between two YAML documents of one file.
var separator = regexp.MustCompile(`(?m)^---\s*$`)

// comment is a line that holds nothing else.
var comment = regexp.MustCompile(`(?m)^\s*#.*$`)

// read returns every document of every file in manifests/.
func read(t *testing.T) []manifest {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "manifests", "*"))
	// Read by whoever assembles a release, and not applied.
	files = slices.DeleteFunc(files, func(file string) bool { return filepath.Base(file) == imageReferences })
	if err != nil {
		t.Fatal(err)
	}
	var all []manifest
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range separator.Split(string(content), -1) {
			if len(bytes.TrimSpace(comment.ReplaceAll([]byte(document), nil))) == 0 {
				continue
			}
			// Strict, so that a key written twice is found; the second decoding
			// then takes only what the tests look at.
			var whole map[string]any
			if err := yaml.UnmarshalStrict([]byte(document), &whole); err != nil {
				t.Fatalf("parse %s: %v", file, err)
			}
			m := manifest{File: filepath.Base(file)}
			if err := yaml.Unmarshal([]byte(document), &m); err != nil {
				t.Fatalf("parse %s: %v", file, err)
			}
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		t.Fatal("found no manifest")
	}
	return all
}

// fileName is what the version operator sorts by: run level, component, order.
var fileName = regexp.MustCompile(`^0000_\d\d_etcd-operator_\d\d_[a-z0-9-]+\.yaml$`)

func TestEachManifestCanBeApplied(t *testing.T) {
	for _, m := range read(t) {
		t.Run(m.File, func(t *testing.T) {
			if !fileName.MatchString(m.File) {
				t.Error("the version operator would apply it at an unexpected time: its name says no run level")
			}
			if m.APIVersion == "" || m.Kind == "" || m.Metadata.Name == "" {
				t.Errorf("apiVersion, kind or name is missing: %+v", m)
			}
			// Without one of these the version operator ignores the file.
			for _, profile := range []string{"self-managed-high-availability", "single-node-developer"} {
				if m.Metadata.Annotations["include.release.openshift.io/"+profile] != "true" {
					t.Errorf("it is not part of cluster profile %s", profile)
				}
			}
		})
	}
}

func TestNoObjectIsDefinedTwice(t *testing.T) {
	var seen []string
	for _, m := range read(t) {
		id := m.APIVersion + " " + m.Kind + " " + m.Metadata.Namespace + "/" + m.Metadata.Name
		if slices.Contains(seen, id) {
			t.Errorf("%s defines %s again", m.File, id)
		}
		seen = append(seen, id)
	}
}

func TestTheEtcdResourceIsCreatedOnceAndManaged(t *testing.T) {
	for _, m := range read(t) {
		if m.Kind != "Etcd" {
			continue
		}
		if diff := cmp.Diff(map[string]any{"managementState": "Managed"}, m.Spec); diff != "" {
			t.Errorf("unexpected spec (-want +got):\n%s", diff)
		}
		if m.APIVersion != "operator.openshift.io/v1" || m.Metadata.Name != "cluster" {
			t.Errorf("other components look for etcds.operator.openshift.io/cluster, not %s %s", m.APIVersion, m.Metadata.Name)
		}
		if m.Metadata.Annotations["release.openshift.io/create-only"] != "true" {
			t.Error("the version operator would undo what the owner of the cluster sets in it")
		}
		return
	}
	t.Error("there is no default etcd resource")
}

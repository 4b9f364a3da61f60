package parts

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAPartIsBuiltAgainWhenItsOwnSourcesOrVersionsChange(t *testing.T) {
	root := t.TempDir()
	part := Part{Name: "x", Module: "module", Package: ".", uses: []string{"used"}}
	write(t, root, "used/used.go", "package used\n")
	write(t, root, "module/go.mod", "module x\n")
	write(t, root, "module/go.sum", "one\n")
	write(t, root, "module/main.go", "package main\n")
	key := func() string {
		t.Helper()
		key, err := part.key(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	last := key()
	if key() != last {
		t.Error("the key is not stable")
	}
	for _, change := range []struct {
		what, file string
		rebuilds   bool
	}{
		{"a source", "module/main.go", true},
		{"a version", "module/go.sum", true},
		{"a new source", "module/pkg/new.go", true},
		{"a test", "module/main_test.go", false},
		{"a module below", "module/below/go.mod", false},
		{"a source of a module below", "module/below/main.go", false},
		{"a source of a folder that it uses", "used/used.go", true},
		{"a source beside", "main.go", false},
	} {
		write(t, root, change.file, "changed\n")
		now := key()
		if (now != last) != change.rebuilds {
			t.Errorf("after a change of %s: rebuild is %t, want %t", change.what, now != last, change.rebuilds)
		}
		last = now
	}
}

func TestEveryPartNamesWhatItUsesOfOtherModules(t *testing.T) {
	repository, err := FindRepository(".")
	if err != nil {
		t.Fatal(err)
	}
	const own = "github.com/openshift/cluster-etcd-operator/"
	for _, part := range all {
		if part.Package != "." {
			// The others are built from their own module or from none of ours.
			continue
		}
		command := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{.ImportPath}}", ".")
		command.Dir = filepath.Join(repository, part.Module)
		output, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		for path := range strings.FieldsSeq(string(output)) {
			folder, ours := strings.CutPrefix(path, own)
			if !ours || folder == part.Module || strings.HasPrefix(folder, part.Module+"/") || slices.Contains(part.uses, folder) {
				continue
			}
			t.Errorf("%s is built from %s and would not be built again when that changes", part.Name, folder)
		}
	}
}

func TestTheRepositoryIsFoundFromBelow(t *testing.T) {
	root := t.TempDir()
	write(t, root, "lab/kubernetes/go.mod", "")
	write(t, root, "lab/view/x.go", "")
	if got, err := FindRepository(filepath.Join(root, "lab", "view")); err != nil || got != root {
		t.Errorf("found %q, %v", got, err)
	}
	if got, err := FindRepository(t.TempDir()); err == nil {
		t.Errorf("found %q where there is none", got)
	}
}

func TestTheVariantOfACRDThatASelfManagedClusterGets(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"0_machines-CustomNoUpgrade", "0_machines-Default", "0_backups", "0_pools-Hypershift", "0_pools-SelfManagedHA"} {
		write(t, folder, name+".crd.yaml", "")
	}
	for resource, want := range map[string]string{"machines": "0_machines-Default", "backups": "0_backups", "pools": "0_pools-SelfManagedHA"} {
		if got, err := findCRD(folder, resource); err != nil || filepath.Base(got) != want+".crd.yaml" {
			t.Errorf("%s: %q, %v", resource, got, err)
		}
	}
	if got, err := findCRD(folder, "nothing"); err == nil {
		t.Errorf("found %q for a resource without a CRD", got)
	}
}

func TestWhatSaysThatAVersionDoesNotExist(t *testing.T) {
	for output, want := range map[string]bool{
		"go: m@v3.99.0: invalid version: unknown revision v3.99.0":                             true,
		"go: m@v3.99.0: reading https://proxy.invalid/m/@v/v3.99.0.info: 404 Not Found":        true,
		"go: m@v3.99.0: reading https://proxy.invalid/m/@v/v3.99.0.info: 403 Forbidden":        true,
		"go: m@v3.6.4: reading https://proxy.invalid/m/@v/v3.6.4.info: 502 Bad Gateway":        false,
		"go: m@v3.6.4: Get \"https://proxy.invalid/m/@v/v3.6.4.info\": dial tcp: no such host": false,
	} {
		if got := refusedByProxy.MatchString(output); got != want {
			t.Errorf("%q: %t", output, got)
		}
	}
}

func TestTheFormOfAVersionOfEtcd(t *testing.T) {
	for version, want := range map[string]int{
		"v3.5.0": 5, "v3.6.4": 6, "v3.10.12": 10, "v3.7.0-alpha.0": 7,
		"": 0, "latest": 0, "3.6.4": 0, "v3.6": 0, "v3.6.04": 0, "v3.4.30": 0, "v4.0.0": 0, "v3.6.4 ": 0, "v3.6.4/../x": 0, "v3.99999999999999999999.0": 0,
	} {
		minor, err := EtcdMinor(version)
		if minor != want || (err == nil) != (want > 0) || err != nil && !errors.Is(err, ErrEtcdVersion) {
			t.Errorf("%q: %d, %v; want %d", version, minor, err, want)
		}
	}
}

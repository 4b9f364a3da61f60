package parts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Part is one program, or a folder of files.
type Part struct {
	// Name is the file's or folder's name in the folder of parts.
	Name string
	// Module is the folder of its Go module, relative to the repository.
	Module string
	// Package is what is built, as the go command takes it.
	Package string
	// FirstBuild is about how long it takes with nothing cached, on 2 cores.
	FirstBuild time.Duration

	// uses are folders of other modules that the part is built from, relative to
	// the repository.
	uses    []string
	ldflags string
	collect func(ctx context.Context, repository, target string) error
}

const kubernetesVersion = "v1.36.3"

var all = []Part{
	{Name: "labhost", Module: "lab", Package: "./cmd/labhost", FirstBuild: time.Minute},
	{Name: "etcd", Module: "lab/etcd", Package: "go.etcd.io/etcd/server/v3", FirstBuild: 4 * time.Minute},
	{Name: "etcdctl", Module: "lab/etcd", Package: "go.etcd.io/etcd/etcdctl/v3", FirstBuild: 20 * time.Second},
	{Name: "etcdutl", Module: "lab/etcd", Package: "go.etcd.io/etcd/etcdutl/v3", FirstBuild: 20 * time.Second},
	{
		Name: "kubernetes", Module: "lab/kubernetes", Package: ".", FirstBuild: 9 * time.Minute,
		// The kubelet parses its own version and refuses the default.
		ldflags: "-X k8s.io/component-base/version.gitVersion=" + kubernetesVersion +
			" -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36",
	},
	{Name: "labmachines", Module: "lab/machines", Package: ".", FirstBuild: 3 * time.Minute, uses: []string{"lab/control"}},
	{
		Name: "machineset", Module: "lab/machineset", FirstBuild: 2 * time.Minute,
		Package: "github.com/openshift/cluster-control-plane-machine-set-operator/cmd/control-plane-machine-set-operator",
	},
	{Name: "crds", Module: "lab/machines", collect: collectCRDs},
	{Name: "featuregates", Module: "lab/machines", collect: collectFeatureGates},
	{Name: "manifests", Module: ".", collect: collectManifests},
}

// Folder is where the parts of the repository are kept.
func Folder(repository string) string { return filepath.Join(repository, "bin", "lab") }

// ErrNoRepository is returned where there is nothing to build from.
var ErrNoRepository = errors.New("not inside a checkout of cluster-etcd-operator")

// FindRepository looks for the checkout that start, a folder, is in.
func FindRepository(start string) (string, error) {
	dir, err := filepath.Abs(start)
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "lab", "kubernetes", "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("%w: %s", ErrNoRepository, start)
		}
		dir = parent
	}
}

// Build brings all parts up to date and returns their folder. It says on
// progress what it builds and about how long that takes the first time.
func Build(ctx context.Context, repository string, progress io.Writer) (string, error) {
	folder := Folder(repository)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("make folder of parts: %w", err)
	}
	for _, part := range all {
		if err := part.bring(ctx, repository, folder, progress); err != nil {
			return "", err
		}
	}
	return folder, nil
}

func (p Part) bring(ctx context.Context, repository, folder string, progress io.Writer) error {
	key, err := p.key(ctx, repository)
	if err != nil {
		return err
	}
	target := filepath.Join(folder, p.Name)
	keyFile := filepath.Join(folder, "."+p.Name+".key")
	if old, err := os.ReadFile(keyFile); err == nil && string(old) == key {
		if _, err := os.Stat(target); err == nil {
			return nil
		}
	}
	began := time.Now()
	if p.collect != nil {
		err = p.collect(ctx, repository, target)
	} else {
		fmt.Fprintf(progress, "building %s (the first time about %s)\n", p.Name, p.FirstBuild)
		err = p.build(ctx, repository, target)
	}
	if err != nil {
		return err
	}
	if err := os.WriteFile(keyFile, []byte(key), 0o644); err != nil {
		return fmt.Errorf("note what %s was built from: %w", p.Name, err)
	}
	if p.collect == nil {
		fmt.Fprintf(progress, "built %s in %s\n", p.Name, time.Since(began).Round(time.Second))
	}
	return nil
}

func (p Part) build(ctx context.Context, repository, target string) error {
	// To a new file: the old one may be running.
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", strings.TrimSpace("-s -w "+p.ldflags), "-o", target+".new", p.Package)
	command.Dir = filepath.Join(repository, p.Module)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", p.Name, err, output)
	}
	if err := os.Rename(target+".new", target); err != nil {
		return fmt.Errorf("build %s: %w", p.Name, err)
	}
	return nil
}

// key changes whenever the part must be built again: with the Go version, the
// go.mod and go.sum of its module, and the module's own sources.
func (p Part) key(ctx context.Context, repository string) (string, error) {
	hash := sha256.New()
	version, err := exec.CommandContext(ctx, "go", "env", "GOVERSION").Output()
	if err != nil {
		return "", fmt.Errorf("ask go for its version (is Go installed?): %w", err)
	}
	fmt.Fprintln(hash, string(version), runtime.GOARCH, p.Name, p.Package, p.ldflags)
	for _, folder := range append([]string{p.Module}, p.uses...) {
		if err := addSources(hash, filepath.Join(repository, folder)); err != nil {
			return "", fmt.Errorf("read the sources of %s: %w", p.Name, err)
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// HashSources feeds hash with all that programs of a module are built from, but for
// the version of Go.
func HashSources(hash io.Writer, module string) error {
	if err := addSources(hash, module); err != nil {
		return fmt.Errorf("read the sources: %w", err)
	}
	return nil
}

// addSources feeds hash with the names and texts of a folder's sources.
func addSources(hash io.Writer, module string) error {
	return filepath.WalkDir(module, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipFolder(module, path, entry)
		}
		if !isSource(entry.Name()) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(hash, "%s %d\n", strings.TrimPrefix(path, module), len(data))
		_, err = hash.Write(data)
		return err
	})
}

func skipFolder(module, path string, entry fs.DirEntry) error {
	if path == module {
		return nil
	}
	// go.sum or vendor/modules.txt stand for what is vendored.
	if slices.Contains([]string{"vendor", "bin", ".git", "testdata", "docs", "test"}, entry.Name()) {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

func isSource(name string) bool {
	switch filepath.Ext(name) {
	case ".go":
		return !strings.HasSuffix(name, "_test.go")
	case ".mod", ".sum", ".yaml":
		return true
	}
	return false
}

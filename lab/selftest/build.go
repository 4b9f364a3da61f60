package selftest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/parts"
)

// Folder is where broken operators of the repository are kept.
func Folder(repository string) string { return filepath.Join(repository, "bin", "selftest") }

const program = "cluster-etcd-operator"

// Build builds the operator that the entry breaks, unless that was done before
// from the same sources, and returns its program. It says on progress what it
// builds.
func (e Entry) Build(ctx context.Context, repository string, progress io.Writer) (string, error) {
	broken, err := e.sources(repository)
	if err != nil {
		return "", err
	}
	key, err := key(repository, broken)
	if err != nil {
		return "", err
	}
	target := filepath.Join(Folder(repository), key)
	binary := filepath.Join(target, program)
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	began := time.Now()
	fmt.Fprintf(progress, "building an operator that breaks %s\n", e.Rule)
	fresh := filepath.Join(target, program+".new")
	err = withOverlay(repository, broken, func(overlay string) error {
		return goRun(ctx, repository, "build", "-trimpath", "-ldflags", "-s -w", "-overlay", overlay, "-o", fresh, "./cmd/"+program)
	})
	if err != nil {
		return "", fmt.Errorf("build an operator that breaks %s: %w", e.Rule, err)
	}
	if err := os.Rename(fresh, binary); err != nil {
		return "", fmt.Errorf("build an operator that breaks %s: %w", e.Rule, err)
	}
	fmt.Fprintf(progress, "built in %s\n", time.Since(began).Round(time.Second))
	return binary, nil
}

// Compile compiles what the entry changes, and no more.
func (e Entry) Compile(ctx context.Context, repository string) error {
	broken, err := e.sources(repository)
	if err != nil {
		return err
	}
	packages := map[string]bool{}
	for file := range broken {
		packages["./"+filepath.Dir(file)] = true
	}
	return withOverlay(repository, broken, func(overlay string) error {
		return goRun(ctx, repository, append([]string{"build", "-trimpath", "-overlay", overlay}, slices.Sorted(maps.Keys(packages))...)...)
	})
}

// Forget removes operators that were built from other sources than those of the
// entries.
func Forget(repository string, entries []Entry) error {
	keep := map[string]bool{}
	for _, e := range entries {
		broken, err := e.sources(repository)
		if err != nil {
			return err
		}
		name, err := key(repository, broken)
		if err != nil {
			return err
		}
		keep[name] = true
	}
	built, err := filepath.Glob(filepath.Join(Folder(repository), "*"))
	if err != nil {
		return fmt.Errorf("list broken operators: %w", err)
	}
	for _, folder := range built {
		if keep[filepath.Base(folder)] {
			continue
		}
		if err := os.RemoveAll(folder); err != nil {
			return fmt.Errorf("remove an old broken operator: %w", err)
		}
	}
	return nil
}

// key is another one for other sources.
func key(repository string, broken map[string]string) (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version())
	if err := parts.HashSources(hash, repository); err != nil {
		return "", err
	}
	for _, file := range slices.Sorted(maps.Keys(broken)) {
		fmt.Fprintf(hash, "%s %d\n%s", file, len(broken[file]), broken[file])
	}
	return hex.EncodeToString(hash.Sum(nil))[:20], nil
}

// withOverlay calls do with a file that tells the go command to read broken texts
// in the place of those in the repository.
func withOverlay(repository string, broken map[string]string, do func(overlay string) error) error {
	scratch, err := os.MkdirTemp("", "etcdlab-selftest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	replace := map[string]string{}
	for i, file := range slices.Sorted(maps.Keys(broken)) {
		path := filepath.Join(scratch, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(path, []byte(broken[file]), 0o600); err != nil {
			return err
		}
		replace[filepath.Join(repository, filepath.FromSlash(file))] = path
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	overlay := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(overlay, data, 0o600); err != nil {
		return err
	}
	return do(overlay)
}

func goRun(ctx context.Context, dir string, arguments ...string) error {
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = dir
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}

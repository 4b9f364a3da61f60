package parts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// EtcdPrograms are what BuildEtcd builds.
var EtcdPrograms = []string{"etcd", "etcdctl", "etcdutl"}

// etcdPackages are the packages of EtcdPrograms, each of a module of its own with
// the same version.
var etcdPackages = map[string]string{
	"etcd":    "go.etcd.io/etcd/server/v3",
	"etcdctl": "go.etcd.io/etcd/etcdctl/v3",
	"etcdutl": "go.etcd.io/etcd/etcdutl/v3",
}

// ErrEtcdVersion says that there is no such version of etcd, or none that a lab
// can run.
var ErrEtcdVersion = errors.New("no such version of etcd")

var etcdVersionForm = regexp.MustCompile(`^v3\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(alpha|beta|rc)\.\d+)?$`)

// refusedByProxy finds, in what the go command says, that the proxy was asked and
// has no such version.
var refusedByProxy = regexp.MustCompile(`unknown revision|\.info: (403|404|410) `)

// firstMinor is the first minor version whose parts are modules of their own.
const firstMinor = 5

// EtcdMinor checks the form of a version, such as v3.6.4, and returns the 6.
func EtcdMinor(version string) (int, error) {
	match := etcdVersionForm.FindStringSubmatch(version)
	if match == nil {
		return 0, fmt.Errorf("%w: %q is not of the form v3.6.4", ErrEtcdVersion, version)
	}
	minor, err := strconv.Atoi(match[1])
	if err != nil || minor < firstMinor {
		return 0, fmt.Errorf("%w for a lab: %s is older than v3.%d", ErrEtcdVersion, version, firstMinor)
	}
	return minor, nil
}

// BuildEtcd builds etcd and its tools in a version of the Go module proxy, unless
// they are there from an earlier time, and returns their folder, which is below
// the folder of parts.
func BuildEtcd(ctx context.Context, folder, version string, progress io.Writer) (string, error) {
	if _, err := EtcdMinor(version); err != nil {
		return "", err
	}
	target := filepath.Join(folder, "etcd-"+version)
	if built(target) {
		return target, nil
	}
	fmt.Fprintf(progress, "building etcd %s (about 3m with an empty cache)\n", version)
	scratch, err := os.MkdirTemp("", "etcdlab-build-")
	if err != nil {
		return "", fmt.Errorf("build etcd %s: %w", version, err)
	}
	defer os.RemoveAll(scratch)
	if err := os.WriteFile(filepath.Join(scratch, "go.mod"), []byte("module lab\n"), 0o644); err != nil {
		return "", fmt.Errorf("build etcd %s: %w", version, err)
	}
	get := []string{"get"}
	for _, name := range EtcdPrograms {
		get = append(get, etcdPackages[name]+"@"+version)
	}
	if output, err := inModule(ctx, scratch, get...); err != nil {
		if refusedByProxy.MatchString(output) {
			return "", fmt.Errorf("%w: the Go module proxy does not have %s", ErrEtcdVersion, version)
		}
		return "", fmt.Errorf("get etcd %s: %w\n%s", version, err, output)
	}
	for _, name := range EtcdPrograms {
		if output, err := inModule(ctx, scratch, "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(scratch, "bin", name), etcdPackages[name]); err != nil {
			return "", fmt.Errorf("build %s %s: %w\n%s", name, version, err, output)
		}
	}
	return target, install(filepath.Join(scratch, "bin"), target)
}

func built(folder string) bool {
	for _, name := range EtcdPrograms {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			return false
		}
	}
	return true
}

func inModule(ctx context.Context, dir string, arguments ...string) (output string, err error) {
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	text, err := command.CombinedOutput()
	return string(text), err
}

// install copies the programs, which may be on another file system.
func install(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return fmt.Errorf("install etcd: %w", err)
	}
	for _, name := range EtcdPrograms {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return fmt.Errorf("install etcd: %w", err)
		}
		fresh := filepath.Join(to, name+".new")
		if err := os.WriteFile(fresh, data, 0o755); err != nil {
			return fmt.Errorf("install etcd: %w", err)
		}
		if err := os.Rename(fresh, filepath.Join(to, name)); err != nil {
			return fmt.Errorf("install etcd: %w", err)
		}
	}
	return nil
}

package container

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// Spec describes a container's process.
type Spec struct {
	// Root is an existing folder for the container alone.
	Root string
	// Hostname is what the container calls itself.
	Hostname string
	// SharesProcesses leaves the container in the host's process namespace.
	SharesProcesses bool
	Mounts          []Mount
	// Command is the program, searched in Path, and its arguments.
	Command     []string
	Environment []string
	WorkingDir  string
}

// Mount is a file or folder of the host that the container sees.
type Mount struct {
	Source   string
	Target   string
	ReadOnly bool
}

// Subcommand is the argument with which the program at launcher (see Start)
// must call Exec.
const Subcommand = "container"

// Descriptors of the process between Start and Exec.
const (
	specDescriptor   = 3
	statusDescriptor = 4
)

// Start starts the container through launcher, a program whose Subcommand calls
// Exec, and returns when the container's own command runs, or with the reason
// why it could not. stdin may be nil.
func Start(reaper *process.Reaper, launcher string, spec Spec, stdin, stdout, stderr *os.File) (*process.Process, error) {
	specRead, specWrite, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	defer specRead.Close()
	statusRead, statusWrite, err := os.Pipe()
	if err != nil {
		specWrite.Close()
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	defer statusRead.Close()

	flags := uintptr(unix.CLONE_NEWNS | unix.CLONE_NEWUTS)
	if !spec.SharesProcesses {
		flags |= unix.CLONE_NEWPID
	}
	command := exec.Command(launcher, Subcommand)
	command.Env = []string{"GOMAXPROCS=1"}
	command.ExtraFiles = []*os.File{specRead, statusWrite}
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags, Setsid: true}
	if stdin != nil {
		command.Stdin = stdin
	}
	command.Stdout, command.Stderr = stdout, stderr
	child, err := reaper.Start(command)
	statusWrite.Close()
	if err != nil {
		specWrite.Close()
		return nil, err
	}
	err = json.NewEncoder(specWrite).Encode(spec)
	specWrite.Close()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("hand over the container's description: %w", err), child.Signal(unix.SIGKILL))
	}
	// The other end closes when the command has been executed.
	failure, err := io.ReadAll(statusRead)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("wait for the container's command: %w", err), child.Signal(unix.SIGKILL))
	}
	if len(failure) > 0 {
		child.ExitCode()
		return nil, errors.New(string(failure))
	}
	return child, nil
}

// Exec turns this process, which Start made, into the container's command. It
// returns only with an error, which Start reports.
func Exec() error {
	status := os.NewFile(statusDescriptor, "status")
	unix.CloseOnExec(statusDescriptor)
	err := execute()
	fmt.Fprint(status, err)
	return err
}

func execute() error {
	file := os.NewFile(specDescriptor, "spec")
	var spec Spec
	if err := json.NewDecoder(file).Decode(&spec); err != nil {
		return fmt.Errorf("read the container's description: %w", err)
	}
	file.Close()
	if len(spec.Command) == 0 {
		return errors.New("the container names no command, and the lab has no images to take one from")
	}
	if err := prepare(spec); err != nil {
		return err
	}
	environment := withDefault(spec.Environment, "PATH", Path)
	os.Setenv("PATH", valueOf(environment, "PATH"))
	program, err := exec.LookPath(spec.Command[0])
	if err != nil {
		return fmt.Errorf("find the container's command: %w", err)
	}
	return fmt.Errorf("execute %s: %w", program, unix.Exec(program, spec.Command, environment))
}

func prepare(spec Spec) error {
	if err := unix.Sethostname([]byte(spec.Hostname)); err != nil {
		return fmt.Errorf("set host name: %w", err)
	}
	if err := PrepareRoot(spec.Root, Programs); err != nil {
		return err
	}
	for _, file := range []string{"passwd", "group", "hosts", "resolv.conf"} {
		if err := copyFile(filepath.Join("/etc", file), filepath.Join(spec.Root, "etc", file)); err != nil {
			return err
		}
	}
	for _, mount := range spec.Mounts {
		if err := Bind(mount.Source, filepath.Join(spec.Root, mount.Target), mount.ReadOnly); err != nil {
			return err
		}
	}
	if err := EnterRoot(spec.Root); err != nil {
		return err
	}
	if spec.WorkingDir != "" {
		if err := os.MkdirAll(spec.WorkingDir, 0o755); err != nil {
			return fmt.Errorf("make working folder: %w", err)
		}
		if err := os.Chdir(spec.WorkingDir); err != nil {
			return fmt.Errorf("enter working folder: %w", err)
		}
	}
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	if err := os.WriteFile(to, data, 0o644); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return nil
}

func withDefault(environment []string, name, value string) []string {
	if valueOf(environment, name) != "" {
		return environment
	}
	return append(environment, name+"="+value)
}

func valueOf(environment []string, name string) string {
	for _, entry := range environment {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value
		}
	}
	return ""
}

package container

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// Enter starts command in the namespaces and the root folder of the container
// whose first process is pid. The command's program is searched there.
func Enter(reaper *process.Reaper, pid int, command *exec.Cmd) (*process.Process, error) {
	type result struct {
		process *process.Process
		err     error
	}
	results := make(chan result)
	go func() {
		// Never unlocked: the thread has changed its root folder and ends with
		// this goroutine.
		runtime.LockOSThread()
		child, err := enter(reaper, pid, command)
		results <- result{child, err}
	}()
	r := <-results
	return r.process, r.err
}

func enter(reaper *process.Reaper, pid int, command *exec.Cmd) (*process.Process, error) {
	var namespaces []*os.File
	for _, kind := range []string{"uts", "pid", "mnt"} {
		file, err := os.Open(fmt.Sprintf("/proc/%d/ns/%s", pid, kind))
		if err != nil {
			return nil, fmt.Errorf("open namespace of the container: %w", err)
		}
		defer file.Close()
		namespaces = append(namespaces, file)
	}
	// Threads of one process share their root folder until one leaves.
	if err := unix.Unshare(unix.CLONE_FS); err != nil {
		return nil, fmt.Errorf("leave the shared root folder: %w", err)
	}
	for _, file := range namespaces {
		if err := unix.Setns(int(file.Fd()), 0); err != nil {
			return nil, fmt.Errorf("enter namespace of the container: %w", err)
		}
	}
	if err := unix.Chdir("/"); err != nil {
		return nil, fmt.Errorf("enter root of the container: %w", err)
	}
	path, err := exec.LookPath(command.Args[0])
	if err != nil {
		return nil, fmt.Errorf("find command: %w", err)
	}
	command.Path, command.Err = path, nil
	return reaper.Start(command)
}

package process

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Reaper collects the children of this process, those it started and those it
// inherited. There must be one per program.
type Reaper struct {
	mu       sync.Mutex
	children map[int]*Process
}

// NewReaper starts collecting. It never stops: a pid 1 ends with its namespace.
func NewReaper() *Reaper {
	r := &Reaper{children: map[int]*Process{}}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, unix.SIGCHLD)
	go func() {
		for range ended {
			r.reap()
		}
	}()
	return r
}

// Process is a child that was started through a Reaper.
type Process struct {
	// PID is the id in the namespace of the parent.
	PID int

	done   chan struct{}
	status unix.WaitStatus
}

// Start starts command and returns at once. The command's standard streams must
// be files: nothing copies from or to other readers and writers.
//
// The caller may hold its OS thread: the child inherits that thread's
// namespaces and root folder.
func (r *Reaper) Start(command *exec.Cmd) (*Process, error) {
	// Held while starting, so that a child that ends at once is known by the
	// time it is collected.
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", command.Path, err)
	}
	p := &Process{PID: command.Process.Pid, done: make(chan struct{})}
	r.children[p.PID] = p
	if err := command.Process.Release(); err != nil {
		return nil, fmt.Errorf("release handle of %s: %w", command.Path, err)
	}
	return p, nil
}

func (r *Reaper) reap() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, unix.WNOHANG, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil || pid <= 0 {
			return
		}
		if p, ours := r.children[pid]; ours {
			delete(r.children, pid)
			p.status = status
			close(p.done)
		}
	}
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// ExitCode waits for the end and returns the exit status, or 128 plus the
// number of the signal that ended the process.
func (p *Process) ExitCode() int {
	<-p.done
	if p.status.Signaled() {
		return 128 + int(p.status.Signal())
	}
	return p.status.ExitStatus()
}

// Signal sends sig; a process that has ended is left alone without an error.
func (p *Process) Signal(sig syscall.Signal) error {
	select {
	case <-p.done:
		return nil
	default:
	}
	if err := unix.Kill(p.PID, sig); err != nil && err != unix.ESRCH {
		return fmt.Errorf("send %v to process %d: %w", sig, p.PID, err)
	}
	return nil
}

// SignalGroup sends sig to the process group that the process leads.
func (p *Process) SignalGroup(sig syscall.Signal) error {
	if err := unix.Kill(-p.PID, sig); err != nil && err != unix.ESRCH {
		return fmt.Errorf("send %v to process group %d: %w", sig, p.PID, err)
	}
	return nil
}

package etcd

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is one etcd. It dies with this process, however that ends.
type process struct {
	command *exec.Cmd
	ended   chan struct{}

	mu     sync.Mutex
	paused bool
}

// starter starts processes from one thread that never ends: the signal at the parent's death is sent when the *thread*
// that started the child is gone.
var starter = sync.OnceValue(func() chan<- func() {
	starts := make(chan func())
	go func() {
		runtime.LockOSThread()
		for start := range starts {
			start()
		}
	}()
	return starts
})

func startProcess(log, path string, arguments ...string) (*process, error) {
	output, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer output.Close()
	p := &process{command: exec.Command(path, arguments...), ended: make(chan struct{})}
	p.command.Stdout, p.command.Stderr = output, output
	// etcd reads flags from ETCD_*, and a proxy has no business here.
	p.command.Env = []string{}
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	starter() <- func() { started <- p.command.Start() }
	if err := <-started; err != nil {
		return nil, err
	}
	go func() {
		_ = p.command.Wait()
		close(p.ended)
	}()
	return p, nil
}

// kill ends the process and returns when it is gone. It may have ended before.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.ended
}

// pause stops the process and returns when each of its threads has stopped: until then it may still answer.
func (p *process) pause(t testing.TB) {
	t.Helper()
	p.signal(t, syscall.SIGSTOP, true)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for !p.stopped(t) {
		select {
		case <-ctx.Done():
			t.Fatalf("process %d has not stopped after %s", p.command.Process.Pid, patience)
		case <-again.C:
		}
	}
}

// stopped reports whether all threads are in state T (proc_pid_stat(5)).
func (p *process) stopped(t testing.TB) bool {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.command.Process.Pid))
	if err != nil || len(threads) == 0 {
		t.Fatalf("process %d is gone: %v", p.command.Process.Pid, err)
	}
	for _, thread := range threads {
		data, err := os.ReadFile(thread)
		if err != nil {
			// A thread that ended answers nothing.
			continue
		}
		// The name, in parentheses, may hold anything.
		if after := data[bytes.LastIndexByte(data, ')')+1:]; !bytes.HasPrefix(after, []byte(" T")) {
			return false
		}
	}
	return true
}

func (p *process) resume(t testing.TB) { p.signal(t, syscall.SIGCONT, false) }

func (p *process) signal(t testing.TB, signal os.Signal, paused bool) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.command.Process.Signal(signal); err != nil {
		t.Fatalf("%s: %v", signal, err)
	}
	p.paused = paused
}

// runs reports whether the process is there and not paused.
func (p *process) runs() bool {
	select {
	case <-p.ended:
		return false
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.paused
}

// tail returns the end of a log.
func tail(log string) string {
	const lines = 15
	content, err := os.ReadFile(log)
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimSpace(string(content)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

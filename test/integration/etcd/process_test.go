package etcd

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/test/integration/process"
)

// member is the process of one etcd.
type member struct {
	*process.Process

	mu     sync.Mutex
	paused bool
}

// pause stops the process and returns when each of its threads has stopped: until then it may still answer.
func (p *member) pause(t testing.TB) {
	t.Helper()
	p.signal(t, syscall.SIGSTOP, true)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for !p.stopped(t) {
		select {
		case <-ctx.Done():
			t.Fatalf("process %d has not stopped after %s", p.PID(), patience)
		case <-again.C:
		}
	}
}

// stopped reports whether all threads are in state T (proc_pid_stat(5)).
func (p *member) stopped(t testing.TB) bool {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.PID()))
	if err != nil || len(threads) == 0 {
		t.Fatalf("process %d is gone: %v", p.PID(), err)
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

func (p *member) resume(t testing.TB) { p.signal(t, syscall.SIGCONT, false) }

func (p *member) signal(t testing.TB, signal syscall.Signal, paused bool) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := syscall.Kill(p.PID(), signal); err != nil {
		t.Fatalf("%s: %v", signal, err)
	}
	p.paused = paused
}

// runs reports whether the process is there and not paused.
func (p *member) runs() bool {
	if !p.Runs() {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.paused
}

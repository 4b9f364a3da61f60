package hosts

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// stopped reports whether the kernel has stopped the process.
//
// It tells nobody when that changes, so whoever waits for it asks again after a pause.
func stopped(t *testing.T, pid int) bool {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	return stat[bytes.LastIndexByte(stat, ')')+2] == 'T'
}

func TestWhatIsSlowStopsAndRunsUntilThatIsUndone(t *testing.T) {
	reaper := process.NewReaper()
	root, err := reaper.Start(exec.Command("sleep", "600"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Signal(unix.SIGKILL) })
	h := &Host{Spec: Spec{Name: "h"}, state: Running, process: root, slow: map[string]*slowness{}}
	requireCycles := func() {
		t.Helper()
		for _, want := range []bool{true, false, true, false} {
			for stopped(t, root.PID) != want {
				time.Sleep(100 * time.Microsecond)
			}
		}
	}
	for name, test := range map[string]struct {
		program string
		undo    func() error
		after   bool
		state   State
	}{
		"a host, undone by resume":  {"", h.Resume, false, Slow},
		"a host, undone by pause":   {"", h.Pause, true, Slow},
		"a program, by a signal":    {"sleep", func() error { return h.Signal("sleep", unix.SIGCONT) }, false, Running},
		"a program, by another one": {"sleep", func() error { return h.Signal("sleep", unix.SIGSTOP) }, true, Running},
	} {
		if err := h.Resume(); err != nil {
			t.Fatal(err)
		}
		if err := h.Slow(test.program, 2*time.Millisecond, 4*time.Millisecond); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if h.state != test.state {
			t.Errorf("%s: the host is %s", name, h.state)
		}
		requireCycles()
		slowed := h.slow[test.program]
		if err := test.undo(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if slowed.signal(root, test.program, unix.SIGCONT) {
			t.Errorf("%s: it is still being slowed down", name)
		}
		if len(h.slow) > 0 {
			t.Errorf("%s: it still has %v", name, h.slow)
		}
		for stopped(t, root.PID) != test.after {
			time.Sleep(100 * time.Microsecond)
		}
	}
	if err := h.Slow("", 4*time.Millisecond, 4*time.Millisecond); err == nil {
		t.Error("a host can be slowed down to a standstill")
	}
	if err := h.Slow("nothing", time.Millisecond, 4*time.Millisecond); err == nil {
		t.Error("a program that does not run can be slowed down")
	}
}

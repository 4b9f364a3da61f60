package hosts

import (
	"fmt"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// slowness is something that is being slowed down.
type slowness struct {
	mu    sync.Mutex
	ended bool
}

// signal sends sig, and reports whether there is anything to slow down still.
// That no process runs the program at the moment is no end: it is started again.
func (s *slowness) signal(root *process.Process, program string, sig syscall.Signal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-root.Done():
		return false
	default:
	}
	if !s.ended {
		_ = signalAll(root.PID, program, sig)
	}
	return !s.ended
}

// Slow stops every process of the host, or those that run a program, for stop of
// every, and lets them run for the rest, until Resume or Signal ends that. Time
// and the kernel's part of the network go on meanwhile.
func (h *Host) Slow(program string, stop, every time.Duration) error {
	if stop <= 0 || stop >= every {
		return fmt.Errorf("slow %s: it cannot be stopped for %s of every %s", h.Name, stop, every)
	}
	return h.whileOn("slow", func() error {
		h.endSlow(program)
		// What cannot be signalled at all is an error now.
		if err := signalAll(h.process.PID, program, unix.SIGSTOP); err != nil {
			return err
		}
		s := &slowness{}
		h.slow[program] = s
		if program == "" {
			h.state = Slow
		}
		go s.keep(h.process, program, stop, every)
		return nil
	})
}

// keep goes on from a stop.
func (s *slowness) keep(root *process.Process, program string, stop, every time.Duration) {
	for {
		time.Sleep(stop)
		if !s.signal(root, program, unix.SIGCONT) {
			return
		}
		time.Sleep(every - stop)
		if !s.signal(root, program, unix.SIGSTOP) {
			return
		}
	}
}

// endSlow leaves the processes as they are, perhaps stopped; the caller holds
// h.mu.
func (h *Host) endSlow(program string) {
	s := h.slow[program]
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	delete(h.slow, program)
	if program == "" && h.state == Slow {
		h.state = Running
	}
}

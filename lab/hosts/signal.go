package hosts

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// signalAll sends sig to process root and all below it; program, if not empty,
// limits that to processes that run a program with that name. It looks again
// until it finds nobody new, since processes fork while it looks.
func signalAll(root int, program string, sig syscall.Signal) error {
	done := map[int]bool{}
	for {
		below, err := descendants(root)
		if err != nil {
			return err
		}
		found := false
		for _, pid := range below {
			if done[pid] || program != "" && !runs(pid, program) {
				continue
			}
			done[pid], found = true, true
			if err := unix.Kill(pid, sig); err != nil && !errors.Is(err, unix.ESRCH) {
				return fmt.Errorf("send %v to process %d: %w", sig, pid, err)
			}
		}
		if !found {
			break
		}
	}
	if program != "" && len(done) == 0 {
		return fmt.Errorf("no process runs %s", program)
	}
	return nil
}

// runs reports whether the process' first argument is that program: threads and
// programs may call themselves anything, and hosts see other paths.
func runs(pid int, program string) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return false
	}
	for _, argument := range bytes.SplitN(line, []byte{0}, 3)[:min(2, bytes.Count(line, []byte{0}))] {
		if filepath.Base(string(argument)) == program {
			return true
		}
	}
	return false
}

func descendants(root int) ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	children := map[int][]int{}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "stat"))
		if err != nil {
			// It ended meanwhile.
			continue
		}
		// The name in parentheses may hold anything; the parent is the second
		// field after it.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			continue
		}
		parent, err := strconv.Atoi(string(fields[1]))
		if err != nil {
			continue
		}
		children[parent] = append(children[parent], pid)
	}
	all := []int{root}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all, nil
}

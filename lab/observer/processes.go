package observer

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

// processesInterval is between two searches: two processes that follow each other
// faster differ all the same in when they were started.
const processesInterval = time.Second

// findProcesses looks for etcd's processes again and again.
func (o *Observer) findProcesses(ctx context.Context) {
	ticker := time.NewTicker(processesInterval)
	defer ticker.Stop()
	for ctx.Err() == nil {
		found := processes("/proc")
		o.mu.Lock()
		o.processes = found
		o.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

// processes finds every etcd below a folder like /proc, by member and process id.
func processes(proc string) []facts.Process {
	// A pattern without a mistake gives no error.
	lines, _ := filepath.Glob(filepath.Join(proc, "[0-9]*", "cmdline"))
	var found []facts.Process
	for _, path := range lines {
		// A process that has ended has no line.
		line, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		name, isEtcd := bytes.CutPrefix(line, []byte("etcd\x00--name="))
		if !isEtcd {
			continue
		}
		name, _, _ = bytes.Cut(name, []byte{0})
		folder := filepath.Dir(path)
		pid, err := strconv.Atoi(filepath.Base(folder))
		began, running := startOf(filepath.Join(folder, "stat"))
		if err == nil && running {
			found = append(found, facts.Process{Member: string(name), PID: pid, Began: began})
		}
	}
	slices.SortFunc(found, func(a, b facts.Process) int {
		if order := strings.Compare(a.Member, b.Member); order != 0 {
			return order
		}
		return a.PID - b.PID
	})
	return found
}

// startOf reads when a process was started.
func startOf(stat string) (began uint64, running bool) {
	text, err := os.ReadFile(stat)
	if err != nil {
		return 0, false
	}
	// The name in parentheses may hold anything; the start is the 20th field after
	// it.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 20 {
		return 0, false
	}
	began, err = strconv.ParseUint(string(fields[19]), 10, 64)
	return began, err == nil
}

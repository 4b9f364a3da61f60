package player

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/history"
)

const usageInterval = time.Second

// clockTick is the unit of processor times in /proc, the same on all platforms.
const clockTick = 10 * time.Millisecond

// recordUsage records what the operator's process uses, until ctx ends.
func (p *Player) recordUsage(ctx context.Context) {
	pid := 0
	for ctx.Err() == nil {
		usage, err := readUsage(pid)
		if err != nil {
			// The next one, if there is one: looking for it reads all of /proc.
			if pid, err = p.findOperator(0); err == nil {
				usage, err = readUsage(pid)
			}
		}
		if err == nil {
			usage.At = p.writer.Now()
			p.writer.Usage(usage)
		}
		p.pass(ctx, usageInterval)
	}
}

var errNoUsage = errors.New("the kernel tells no usage of the process")

// readUsage asks the kernel about a process; 0 is none.
func readUsage(pid int) (history.Usage, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return history.Usage{}, err
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return history.Usage{}, err
	}
	return parseUsage(pid, stat, status)
}

func parseUsage(pid int, stat, status []byte) (history.Usage, error) {
	// The name in parentheses may hold anything; the times in the processes' own
	// code and in the kernel are the 12th and 13th field after it.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return history.Usage{}, errNoUsage
	}
	usage := history.Usage{PID: pid}
	for _, field := range fields[11:13] {
		ticks, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return history.Usage{}, errNoUsage
		}
		usage.CPU += time.Duration(ticks) * clockTick
	}
	for line := range bytes.Lines(status) {
		if value, found := bytes.CutPrefix(line, []byte("VmHWM:")); found {
			kilobytes, err := strconv.ParseInt(string(bytes.TrimSuffix(bytes.TrimSpace(value), []byte(" kB"))), 10, 64)
			if err != nil {
				return history.Usage{}, errNoUsage
			}
			usage.Peak = kilobytes << 10
		}
	}
	if usage.Peak == 0 {
		// A process that has ended and was not collected yet.
		return history.Usage{}, errNoUsage
	}
	return usage, nil
}

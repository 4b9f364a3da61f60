package player

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/history"
)

var errNoOperator = errors.New("no operator is running")

// operatorDeadline is how long an operator may take to end or to be started.
const operatorDeadline = 30 * time.Second

// operator does something to the operator's process. That it is down is
// recorded until another one runs.
func (p *Player) operator(ctx, background context.Context, what string) error {
	switch what {
	case "start":
		return p.startOperator(ctx)
	case "partition", "heal":
		return p.cutOperator(what == "partition")
	}
	signal := map[string]syscall.Signal{"kill": unix.SIGKILL, "restart": unix.SIGTERM, "stop": unix.SIGTERM, "pause": unix.SIGSTOP, "resume": unix.SIGCONT}[what]
	pid, err := p.findOperator(0)
	if err != nil {
		return err
	}
	if what == "stop" {
		if err := askLab(control.Request{Operation: control.Operator, Action: what}); err != nil {
			return err
		}
	}
	if what != "resume" {
		p.writer.Interval(history.Interval{From: p.writer.Now(), What: history.OperatorDown})
	}
	if err := unix.Kill(pid, signal); err != nil {
		return fmt.Errorf("send %v to the operator: %w", signal, err)
	}
	switch what {
	case "resume":
		p.writer.Interval(history.Interval{To: p.writer.Now(), What: history.OperatorDown})
	case "stop":
		return p.awaitOperator(ctx, "did not end", func() bool { _, err := p.findOperator(0); return err != nil })
	case "kill", "restart":
		p.background.Go(func() {
			for background.Err() == nil {
				if _, err := p.findOperator(pid); err == nil {
					p.writer.Interval(history.Interval{To: p.writer.Now(), What: history.OperatorDown})
					p.say("the operator runs again")
					return
				}
				p.pass(background, 100*time.Millisecond)
			}
		})
	}
	return nil
}

func (p *Player) startOperator(ctx context.Context) error {
	if err := askLab(control.Request{Operation: control.Operator, Action: "start"}); err != nil {
		return err
	}
	if err := p.awaitOperator(ctx, "was not started", func() bool { _, err := p.findOperator(0); return err == nil }); err != nil {
		return err
	}
	p.writer.Interval(history.Interval{To: p.writer.Now(), What: history.OperatorDown})
	return nil
}

// cutOperator cuts or heals the operator's way to the API server. One that is cut
// off can keep no lease, and counts as down.
func (p *Player) cutOperator(cut bool) error {
	what, interval := "heal", history.Interval{To: p.writer.Now(), What: history.OperatorDown}
	if cut {
		what, interval = "partition", history.Interval{From: p.writer.Now(), What: history.OperatorDown}
	}
	p.writer.Interval(interval)
	return askLab(control.Request{Operation: control.Operator, Action: what})
}

// awaitOperator returns when done does; failure says in the error what it has
// not done.
func (p *Player) awaitOperator(ctx context.Context, failure string, done func() bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, operatorDeadline, fmt.Errorf("the operator %s within %s", failure, operatorDeadline))
	defer cancel()
	for !done() {
		p.pass(ctx, 100*time.Millisecond)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// findOperator returns the process id of the operator, other than that one.
func (p *Player) findOperator(other int) (int, error) {
	if p.config.Operator == "" {
		return 0, errNoOperator
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return 0, fmt.Errorf("list processes: %w", err)
	}
	want := []byte(p.config.Operator + "\x00operator\x00")
	for _, path := range lines {
		// A process that has ended has no line.
		line, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(line, want) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && pid != other {
			return pid, nil
		}
	}
	return 0, errNoOperator
}

package cri

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"

	"golang.org/x/sys/unix"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// runOnTerminal runs args in the container with a terminal of its own.
func (s *Server) runOnTerminal(ctx context.Context, in *container, args []string, stdin io.Reader, stdout io.Writer, resize <-chan remotecommand.TerminalSize) error {
	terminal, child, err := openTerminal()
	if err != nil {
		return err
	}
	defer terminal.Close()
	command := exec.Command(args[0], args[1:]...)
	in.prepare(command)
	command.Env = append(command.Env, "TERM=xterm")
	command.Stdin, command.Stdout, command.Stderr = child, child, child
	command.SysProcAttr.Setctty = true
	started, err := in.enter(s.reaper, command)
	child.Close()
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = started.SignalGroup(unix.SIGKILL) })()
	go func() {
		for size := range resize {
			_ = unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: size.Height, Col: size.Width})
		}
	}()
	if stdin != nil {
		go func() { _, _ = io.Copy(terminal, stdin) }()
	}
	// Reading ends with an error when the last process has closed its side.
	_, _ = io.Copy(stdout, terminal)
	return exitError(started.ExitCode())
}

func openTerminal() (terminal, child *os.File, err error) {
	terminal, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("open terminal: %w", err)
	}
	if err := unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		terminal.Close()
		return nil, nil, fmt.Errorf("unlock terminal: %w", err)
	}
	number, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPTN)
	if err != nil {
		terminal.Close()
		return nil, nil, fmt.Errorf("name terminal: %w", err)
	}
	child, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		terminal.Close()
		return nil, nil, fmt.Errorf("open terminal: %w", err)
	}
	return terminal, child, nil
}

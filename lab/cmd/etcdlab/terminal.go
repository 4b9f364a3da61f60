package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/control"
)

// executeOnTerminal runs the command on a terminal of its own, which mirrors
// this program's: a terminal can lead only one session, and the command's is
// another one.
func executeOnTerminal(request control.Request) error {
	terminal, child, err := openTerminal()
	if err != nil {
		return err
	}
	defer terminal.Close()
	defer child.Close()

	resize(terminal)
	resized := make(chan os.Signal, 1)
	signal.Notify(resized, unix.SIGWINCH)
	defer signal.Stop(resized)
	go func() {
		for range resized {
			resize(terminal)
		}
	}()
	restore, err := makeRaw(os.Stdin)
	if err != nil {
		return err
	}
	defer restore()

	request.Terminal = true
	connection, err := control.Call(request, child, child, child)
	if err != nil {
		return err
	}
	defer connection.Close()
	child.Close()
	shown := make(chan struct{})
	go func() {
		// Ends with an error when the last process has let go of the terminal.
		_, _ = io.Copy(os.Stdout, terminal)
		close(shown)
	}()
	go func() { _, _ = io.Copy(terminal, os.Stdin) }()
	reply, err := connection.Next()
	if err == nil {
		<-shown
	}
	return exitWith(reply, err)
}

func openTerminal() (terminal, child *os.File, err error) {
	terminal, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, errors.Join(errNoTerminal, err)
	}
	number, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		child, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		terminal.Close()
		return nil, nil, errors.Join(errNoTerminal, err)
	}
	return terminal, child, nil
}

func resize(terminal *os.File) {
	// A terminal without a size is drawn as one with 80 columns.
	if size, err := unix.IoctlGetWinsize(int(os.Stdin.Fd()), unix.TIOCGWINSZ); err == nil {
		_ = unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, size)
	}
}

// makeRaw passes every key on as it is; the other terminal does the rest.
func makeRaw(file *os.File) (restore func(), err error) {
	descriptor := int(file.Fd())
	old, err := unix.IoctlGetTermios(descriptor, unix.TCGETS)
	if err != nil {
		return nil, fmt.Errorf("read terminal settings: %w", err)
	}
	raw := *old
	raw.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	raw.Oflag &^= unix.OPOST
	raw.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	raw.Cflag = raw.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	raw.Cc[unix.VMIN], raw.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(descriptor, unix.TCSETS, &raw); err != nil {
		return nil, fmt.Errorf("set up terminal: %w", err)
	}
	return func() { _ = unix.IoctlSetTermios(descriptor, unix.TCSETS, old) }, nil
}

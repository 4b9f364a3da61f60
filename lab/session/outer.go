package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/plane"
	"github.com/openshift/cluster-etcd-operator/lab/preflight"
	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// Options say what lab to start.
type Options struct {
	ControlPlanes int
	// Arbiters is how many of the ControlPlanes are arbiters.
	Arbiters int
	Workers  int
	// UserProvisioned says that nobody works on Machines.
	UserProvisioned bool
	// Families are those of all addresses; none is IPv4 alone.
	Families []plane.Family
	// Programs is the folder of package parts.
	Programs string
	// Etcd is the folder with another version of etcd and its tools, empty for that
	// of the parts; EtcdMinor is the second number of that version.
	Etcd      string
	EtcdMinor int
	// Keep is the work folder, which stays; empty for one that is removed.
	Keep string
	// Operator is the operator's program, an absolute path; empty for none.
	Operator string
	// PrivateEtcd keeps the API server's data out of the managed cluster.
	PrivateEtcd bool
	Fsync       bool
	MachineSet  bool
}

// Claim makes this process the only one that may start a lab, until it ends or
// the Session does.
func Claim() (*Claimed, error) {
	listener, err := control.Listen()
	if err != nil {
		return nil, err
	}
	return &Claimed{listener}, nil
}

// Claimed is the right to start a lab.
type Claimed struct{ listener *net.UnixListener }

// Release gives the right up.
func (c *Claimed) Release() error {
	if err := c.listener.Close(); err != nil {
		return fmt.Errorf("let others start a lab: %w", err)
	}
	return nil
}

// marker, in a work folder, tells it from a folder that is somebody else's.
const marker = ".etcdlab"

// Session is a running lab, seen from outside.
type Session struct {
	// Work is the work folder.
	Work string

	keep     bool
	listener *net.UnixListener
	command  *exec.Cmd
	ended    chan error
}

// Start starts a lab and returns at once. It must be called from a goroutine
// that is locked to the program's first thread: the kernel ties the lab's life
// to the thread that it is called on.
func (c *Claimed) Start(options Options) (*Session, error) {
	s := &Session{listener: c.listener, keep: options.Keep != "", ended: make(chan error, 1)}
	if err := s.start(options); err != nil {
		return nil, errors.Join(err, c.listener.Close(), s.removeWork())
	}
	return s, nil
}

func (s *Session) start(options Options) error {
	var err error
	if s.Work, err = prepareWork(options.Keep); err != nil {
		return err
	}
	if err := preflight.Check(options.ControlPlanes+options.Workers, s.Work); err != nil {
		return err
	}
	config, err := json.Marshal(Config{
		ControlPlanes:   options.ControlPlanes,
		Arbiters:        options.Arbiters,
		Workers:         options.Workers,
		UserProvisioned: options.UserProvisioned,
		Families:        options.Families,
		Work:            s.Work,
		Programs:        options.Programs,
		Etcd:            options.Etcd,
		EtcdMinor:       options.EtcdMinor,
		Operator:        options.Operator,
		PrivateEtcd:     options.PrivateEtcd,
		Fsync:           options.Fsync,
		MachineSet:      options.MachineSet,
		UserNamespace:   os.Geteuid() != 0,
	})
	if err != nil {
		return fmt.Errorf("encode configuration: %w", err)
	}
	socket, err := s.listener.File()
	if err != nil {
		return fmt.Errorf("hand over the control socket: %w", err)
	}
	defer socket.Close()
	log, err := os.Create(s.logPath())
	if err != nil {
		return fmt.Errorf("make log: %w", err)
	}
	defer log.Close()
	s.command = exec.Command("/proc/self/exe", InnerSubcommand, string(config))
	s.command.Stdout, s.command.Stderr = log, log
	s.command.ExtraFiles = []*os.File{socket}
	s.command.SysProcAttr = preflight.Namespaces()
	s.command.SysProcAttr.Pdeathsig = unix.SIGKILL
	s.command.SysProcAttr.Setpgid = true
	if err := s.command.Start(); err != nil {
		return fmt.Errorf("start the lab: %w", err)
	}
	go func() { s.ended <- s.command.Wait() }()
	return nil
}

func (s *Session) logPath() string { return filepath.Join(s.Work, "lab.log") }

// prepareWork makes the work folder, empty.
func prepareWork(keep string) (string, error) {
	work := keep
	if work == "" {
		// Nobody but this lab uses it: the control socket is held. What a killed
		// lab left there goes.
		work = filepath.Join(os.TempDir(), control.Name())
		if err := clearWork(work); err != nil {
			return "", err
		}
	}
	work, err := filepath.Abs(work)
	if err != nil {
		return "", fmt.Errorf("find the work folder: %w", err)
	}
	if entries, err := os.ReadDir(work); err == nil && len(entries) > 0 {
		return "", fmt.Errorf("folder %s is not empty", work)
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return "", fmt.Errorf("make the work folder: %w", err)
	}
	if err := os.WriteFile(filepath.Join(work, marker), nil, 0o644); err != nil {
		return "", fmt.Errorf("mark the work folder: %w", err)
	}
	return work, nil
}

func clearWork(work string) error {
	if _, err := os.Lstat(work); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if info, err := os.Lstat(filepath.Join(work, marker)); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("folder %s exists and is not a lab's; remove it", work)
	}
	if err := os.RemoveAll(work); err != nil {
		return fmt.Errorf("remove what an earlier lab left: %w", err)
	}
	return nil
}

// Run passes each status to show until ctx ends (then it returns nil) or the lab
// does (then it says why). It returns when nothing of the lab runs any more.
func (s *Session) Run(ctx context.Context, show func(plane.Status)) error {
	watching, stop := context.WithCancel(ctx)
	defer stop()
	statuses := make(chan plane.Status)
	go watch(watching, statuses)
	for {
		select {
		case status := <-statuses:
			show(status)
		case err := <-s.ended:
			return errors.Join(s.reason(err), s.listener.Close(), s.removeWork())
		case <-ctx.Done():
			// Pid 1 of the lab: the kernel kills all others with it.
			killed := s.command.Process.Kill()
			<-s.ended
			return errors.Join(killed, s.listener.Close(), s.removeWork())
		}
	}
}

// reason says why the lab ended by itself.
func (s *Session) reason(err error) error {
	if text, readErr := os.ReadFile(failureFile(s.Work)); readErr == nil {
		return errors.New(strings.TrimSpace(string(text)))
	}
	return fmt.Errorf("the lab ended (%w); the end of its log:\n%s", err, process.Tail(s.logPath(), 20))
}

func (s *Session) removeWork() error {
	if s.keep || s.Work == "" {
		return nil
	}
	if err := os.RemoveAll(s.Work); err != nil {
		return fmt.Errorf("remove the work folder: %w", err)
	}
	return nil
}

func watch(ctx context.Context, statuses chan<- plane.Status) {
	connection, err := control.Call(control.Request{Operation: control.Watch})
	if err != nil {
		// The lab's end is seen elsewhere.
		return
	}
	defer context.AfterFunc(ctx, func() { connection.Close() })()
	for {
		reply, err := connection.Next()
		if err != nil {
			return
		}
		var status plane.Status
		if err := json.Unmarshal(reply.Status, &status); err != nil {
			return
		}
		select {
		case statuses <- status:
		case <-ctx.Done():
			return
		}
	}
}

package session

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/plane"
	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// InnerSubcommand is the argument with which this program must call Inner.
const InnerSubcommand = "inner"

const listenerDescriptor = 3

// Config is what the inner process is told.
type Config struct {
	ControlPlanes   int
	Arbiters        int
	Workers         int
	UserProvisioned bool
	Families        []plane.Family
	Work            string
	Programs        string
	Etcd            string
	EtcdMinor       int
	Operator        string
	PrivateEtcd     bool
	Fsync           bool
	MachineSet      bool
	UserNamespace   bool
}

// failureFile, in the work folder, is where the inner process says why it ended.
func failureFile(work string) string { return filepath.Join(work, "failure.txt") }

// Inner is pid 1 of the lab. It returns only when the lab has failed.
func Inner(argument string) error {
	var config Config
	if err := json.Unmarshal([]byte(argument), &config); err != nil {
		return fmt.Errorf("read configuration: %w", err)
	}
	err := runInner(config)
	if writeErr := os.WriteFile(failureFile(config.Work), []byte(err.Error()+"\n"), 0o644); writeErr != nil {
		return fmt.Errorf("%w (and could not note it: %w)", err, writeErr)
	}
	return err
}

func runInner(config Config) error {
	// The outer process decides when the lab ends; what the terminal sends to all
	// must not.
	signal.Ignore(unix.SIGINT, unix.SIGHUP, unix.SIGTERM)
	unix.CloseOnExec(listenerDescriptor)
	file := os.NewFile(listenerDescriptor, "control")
	listener, err := net.FileListener(file)
	if err != nil {
		return fmt.Errorf("take the control socket: %w", err)
	}
	file.Close()
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	p := plane.New(plane.Options{
		Reaper:          process.NewReaper(),
		ControlPlanes:   config.ControlPlanes,
		Arbiters:        config.Arbiters,
		Workers:         config.Workers,
		UserProvisioned: config.UserProvisioned,
		Families:        config.Families,
		Work:            config.Work,
		Programs:        config.Programs,
		Etcd:            config.Etcd,
		EtcdMinor:       config.EtcdMinor,
		UserNamespace:   config.UserNamespace,
		Operator:        config.Operator,
		PrivateEtcd:     config.PrivateEtcd,
		Fsync:           config.Fsync,
		MachineSet:      config.MachineSet,
	})
	ctx := context.Background()
	served := make(chan error, 1)
	go func() { served <- control.Serve(ctx, listener.(*net.UnixListener), p.Answer) }()
	if err := p.Up(ctx); err != nil {
		return fmt.Errorf("bring up the lab: %w", err)
	}
	select {
	case err := <-p.Failed():
		return err
	case err := <-served:
		return err
	}
}

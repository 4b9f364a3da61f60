package hostinit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/container"
	"github.com/openshift/cluster-etcd-operator/lab/cri"
	"github.com/openshift/cluster-etcd-operator/lab/network"
	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// peerPort is where etcd's members listen for each other.
const peerPort = 2380

// restartDelay keeps a kubelet that fails at once from spinning.
const restartDelay = time.Second

// Run is the life of a host. It returns when the lab closes the socket or when
// the host cannot go on.
func Run() error {
	unix.CloseOnExec(ControlDescriptor)
	socket := os.NewFile(ControlDescriptor, "lab")
	messages := json.NewDecoder(socket)
	answers := json.NewEncoder(socket)

	var config Config
	if err := messages.Decode(&config); err != nil {
		return fmt.Errorf("read the host's description: %w", err)
	}
	if config.Protocol != Protocol() {
		return errors.Join(ErrProtocol, answers.Encode(answer(ErrProtocol)))
	}
	host, err := boot(config)
	if err := answers.Encode(answer(err)); err != nil {
		return fmt.Errorf("answer the lab: %w", err)
	}
	if err != nil {
		return err
	}
	for {
		var command Command
		err := messages.Decode(&command)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a message of the lab: %w", err)
		}
		if err := answers.Encode(answer(host.obey(command))); err != nil {
			return fmt.Errorf("answer the lab: %w", err)
		}
	}
}

func answer(err error) Answer {
	if err == nil {
		return Answer{Protocol: Protocol()}
	}
	return Answer{Protocol: Protocol(), Error: err.Error()}
}

func boot(config Config) (*host, error) {
	if err := unix.Sethostname([]byte(config.Name)); err != nil {
		return nil, fmt.Errorf("set host name: %w", err)
	}
	if err := container.PrepareRoot(config.Root, config.Programs); err != nil {
		return nil, err
	}
	if err := container.EnterRoot(config.Root); err != nil {
		return nil, err
	}
	if err := os.Setenv("PATH", container.Path); err != nil {
		return nil, fmt.Errorf("set search path: %w", err)
	}
	// Kubernetes makes pods' bind mounts visible in both directions.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SHARED, ""); err != nil {
		return nil, fmt.Errorf("make mounts shared: %w", err)
	}
	if err := network.SetUpGuest(config.Addresses, config.Gateways); err != nil {
		return nil, err
	}
	reaper := process.NewReaper()
	runtime := cri.New(reaper, filepath.Join(container.Programs, "labhost"), containersDir, config.Addresses[0].Addr().String())
	host := &host{reaper: reaper, config: config, wanted: true, wake: make(chan struct{}, 1)}
	go func() {
		// A host without a container runtime is of no use; the lab sees it end.
		fmt.Fprintln(os.Stderr, "container runtime:", runtime.Serve(RuntimeSocket))
		os.Exit(1)
	}()
	go host.keepKubelet()
	return host, nil
}

type host struct {
	reaper *process.Reaper
	config Config

	mu      sync.Mutex
	wanted  bool
	kubelet *process.Process
	wake    chan struct{}
}

func (h *host) obey(command Command) error {
	switch command {
	case StopKubelet:
		return h.wantKubelet(false)
	case StartKubelet:
		return h.wantKubelet(true)
	case CutPeers:
		return network.CutPort(h.config.Addresses, peerPort)
	case JoinPeers:
		return network.JoinPort(h.config.Addresses, peerPort)
	default:
		return fmt.Errorf("unknown command %q", command)
	}
}

func (h *host) wantKubelet(wanted bool) error {
	h.mu.Lock()
	h.wanted = wanted
	running := h.kubelet
	h.mu.Unlock()
	select {
	case h.wake <- struct{}{}:
	default:
	}
	if wanted || running == nil {
		return nil
	}
	if err := running.Signal(unix.SIGKILL); err != nil {
		return err
	}
	<-running.Done()
	return nil
}

func (h *host) keepKubelet() {
	for {
		h.mu.Lock()
		wanted := h.wanted
		h.mu.Unlock()
		if !wanted {
			<-h.wake
			continue
		}
		started, err := h.startKubelet()
		if err != nil {
			fmt.Fprintln(os.Stderr, "kubelet:", err)
		} else {
			fmt.Fprintln(os.Stderr, "kubelet ended with exit status", started.ExitCode())
		}
		h.mu.Lock()
		h.kubelet = nil
		h.mu.Unlock()
		select {
		case <-h.wake:
		case <-time.After(restartDelay):
		}
	}
}

func (h *host) startKubelet() (*process.Process, error) {
	log, err := os.OpenFile(KubeletLog, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	defer log.Close()
	var labels []string
	for _, name := range slices.Sorted(maps.Keys(h.config.Labels)) {
		labels = append(labels, name+"="+h.config.Labels[name])
	}
	var addresses []string
	for _, address := range h.config.Addresses {
		addresses = append(addresses, address.Addr().String())
	}
	command := exec.Command(filepath.Join(container.Programs, "kubernetes"), "kubelet",
		"--config="+KubeletConfig,
		"--kubeconfig="+Kubeconfig,
		"--root-dir="+kubeletDir,
		"--cert-dir="+kubeletDir+"/pki",
		"--hostname-override="+h.config.Name,
		"--node-ip="+strings.Join(addresses, ","),
		"--node-labels="+strings.Join(labels, ","),
	)
	command.Env = append(os.Environ(), "GOGC=50")
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	started, err := h.reaper.Start(command)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	h.kubelet = started
	wanted := h.wanted
	h.mu.Unlock()
	if !wanted {
		// It was stopped while it started.
		return started, started.Signal(unix.SIGKILL)
	}
	return started, nil
}

package hosts

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/hostinit"
	"github.com/openshift/cluster-etcd-operator/lab/network"
	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// State says whether a host runs.
type State string

// The states.
const (
	Off     State = "off"
	Running State = "running"
	Paused  State = "paused"
	Slow    State = "slow"
)

// Host is one host. Its methods may be called from several goroutines; they do
// one thing at a time.
type Host struct {
	Spec
	// Addresses are all that it has, one of each family; Address is the first, which
	// its member uses.
	Addresses []netip.Addr
	Address   netip.Addr

	settings Settings
	folder   string

	// disk is held while files are written; removed says that there is no disk.
	disk    sync.Mutex
	removed bool

	mu          sync.Mutex
	state       State
	partitioned bool
	process     *process.Process
	cable       *network.Cable
	socket      *os.File
	messages    *json.Encoder
	answers     *json.Decoder
	// slow holds what is being slowed down, by program; all of the host is "".
	slow map[string]*slowness
}

// cables numbers interfaces, whose names must not repeat: the kernel removes
// those of a host that ended a moment after it.
var cables atomic.Uint32

// Root is the host's root folder on the machine.
func (h *Host) Root() string { return filepath.Join(h.folder, "root") }

// ProviderID is the host's name for the Machine API.
func (h *Host) ProviderID() string { return "lab:///" + h.Name }

// LogPath is the log of the host's first process.
func (h *Host) LogPath() string { return filepath.Join(h.folder, "host.log") }

// Condition returns whether the host runs and whether its network is cut.
func (h *Host) Condition() (state State, partitioned bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.process != nil {
		select {
		case <-h.process.Done():
			return Off, h.partitioned
		default:
		}
	}
	return h.state, h.partitioned
}

// Start powers the host on; one that runs is left alone.
func (h *Host) Start() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.process != nil {
		select {
		case <-h.process.Done():
			h.release()
		default:
			return nil
		}
	}
	if err := h.start(); err != nil {
		return errors.Join(fmt.Errorf("start host %s: %w", h.Name, err), h.terminate())
	}
	return nil
}

func (h *Host) start() error {
	log, err := os.OpenFile(h.LogPath(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	defer log.Close()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("make control socket: %w", err)
	}
	theirs := os.NewFile(uintptr(pair[1]), "lab")
	defer theirs.Close()
	if err := h.speakThrough(pair[0]); err != nil {
		return err
	}

	command := exec.Command(filepath.Join(h.settings.Programs, "labhost"), hostinit.Subcommand)
	command.Stdout, command.Stderr = log, log
	command.ExtraFiles = []*os.File{theirs}
	command.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC,
		Setsid:     true,
	}
	if h.process, err = h.settings.Reaper.Start(command); err != nil {
		return err
	}
	h.state, h.partitioned = Running, false
	if h.cable, err = network.Connect(fmt.Sprintf("host%d", cables.Add(1)), h.process.PID, h.Address); err != nil {
		return err
	}
	var addresses []netip.Prefix
	var gateways []netip.Addr
	for i, network := range h.settings.Networks {
		addresses = append(addresses, netip.PrefixFrom(h.Addresses[i], network.Bits()))
		gateways = append(gateways, network.Addr())
	}
	return h.tell(hostinit.Config{
		Protocol:   hostinit.Protocol(),
		Name:       h.Name,
		Addresses:  addresses,
		Gateways:   gateways,
		Root:       h.Root(),
		Programs:   h.settings.Programs,
		ProviderID: h.ProviderID(),
		Labels:     map[string]string{"topology.kubernetes.io/zone": h.Zone},
	})
}

// speakThrough makes the socket the way to the host's first process.
func (h *Host) speakThrough(socket int) error {
	// Otherwise it has no deadlines.
	if err := unix.SetNonblock(socket, true); err != nil {
		return errors.Join(fmt.Errorf("make control socket: %w", err), unix.Close(socket))
	}
	h.socket = os.NewFile(uintptr(socket), "host")
	h.messages, h.answers = json.NewEncoder(h.socket), json.NewDecoder(h.socket)
	return nil
}

// answerDeadline is how long a host may take to do what it is told, on a machine that
// has much else to do.
const answerDeadline = time.Minute

// tell sends a message and waits for the answer; the caller holds h.mu.
func (h *Host) tell(message any) error { return h.tellWithin(answerDeadline, message) }

func (h *Host) tellWithin(deadline time.Duration, message any) error {
	if err := h.socket.SetDeadline(time.Now().Add(deadline)); err != nil {
		return fmt.Errorf("set a deadline for the host's first process: %w", err)
	}
	if err := h.messages.Encode(message); err != nil {
		return fmt.Errorf("send to the host's first process: %w: %s", err, process.Tail(h.LogPath(), 5))
	}
	var answer hostinit.Answer
	err := h.answers.Decode(&answer)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("the host's first process did not answer within %s; if it cannot: %w: %s", deadline, hostinit.ErrProtocol, process.Tail(h.LogPath(), 5))
	}
	if err != nil {
		return fmt.Errorf("hear from the host's first process: %w: %s", err, process.Tail(h.LogPath(), 5))
	}
	switch {
	case answer.Error != "":
		return errors.New(answer.Error)
	case answer.Protocol != hostinit.Protocol():
		return hostinit.ErrProtocol
	}
	return nil
}

// Terminate powers the host off as by pulling the plug; its disk stays. One that
// is off is left alone.
func (h *Host) Terminate() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.terminate()
}

func (h *Host) terminate() error {
	var failures []error
	if h.cable != nil {
		// First the network: a host without power sends no farewells.
		if state := h.state; state != Off {
			failures = append(failures, h.cable.Unplug())
		}
	}
	if h.process != nil {
		failures = append(failures, h.process.Signal(unix.SIGKILL))
		<-h.process.Done()
	}
	if h.cable != nil {
		failures = append(failures, h.cable.Remove())
	}
	h.release()
	if err := errors.Join(failures...); err != nil {
		return fmt.Errorf("terminate host %s: %w", h.Name, err)
	}
	return nil
}

// release forgets what the last run of the host had; the caller holds h.mu.
func (h *Host) release() {
	for program := range h.slow {
		h.endSlow(program)
	}
	if h.socket != nil {
		h.socket.Close()
	}
	h.process, h.cable, h.socket = nil, nil, nil
	h.state, h.partitioned = Off, false
}

// ErrOff is returned for what only a running host can do.
var ErrOff = errors.New("host is off")

func (h *Host) whileOn(what string, do func() error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state == Off {
		return fmt.Errorf("%s %s: %w", what, h.Name, ErrOff)
	}
	if err := do(); err != nil {
		return fmt.Errorf("%s %s: %w", what, h.Name, err)
	}
	return nil
}

// Partition cuts the host off from all others, and from the API server.
func (h *Host) Partition() error {
	return h.whileOn("partition", func() error {
		h.partitioned = true
		return h.cable.Unplug()
	})
}

// Heal undoes Partition.
func (h *Host) Heal() error {
	return h.whileOn("heal", func() error {
		h.partitioned = false
		return h.cable.Plug()
	})
}

// PartitionPeers cuts off the host's etcd from its peers; its clients, the kubelet and
// all else go on.
func (h *Host) PartitionPeers() error {
	return h.whileOn("cut off from its peers", func() error { return h.command(hostinit.CutPeers) })
}

// HealPeers undoes PartitionPeers.
func (h *Host) HealPeers() error {
	return h.whileOn("join to its peers", func() error { return h.command(hostinit.JoinPeers) })
}

// StopKubelet kills the kubelet and keeps it from starting; containers go on.
func (h *Host) StopKubelet() error {
	return h.whileOn("stop kubelet of", func() error { return h.command(hostinit.StopKubelet) })
}

// StartKubelet undoes StopKubelet.
func (h *Host) StartKubelet() error {
	return h.whileOn("start kubelet of", func() error { return h.command(hostinit.StartKubelet) })
}

func (h *Host) command(command hostinit.Command) error {
	if h.state == Paused {
		return errors.New("host is paused")
	}
	return h.tell(command)
}

// Pause stops every process of the host, as a hypervisor does.
func (h *Host) Pause() error {
	return h.whileOn("pause", func() error {
		h.endSlow("")
		h.state = Paused
		return signalAll(h.process.PID, "", unix.SIGSTOP)
	})
}

// Resume undoes Pause and Slow.
func (h *Host) Resume() error {
	return h.whileOn("resume", func() error {
		h.endSlow("")
		h.state = Running
		return signalAll(h.process.PID, "", unix.SIGCONT)
	})
}

// Signal sends sig to every process of the host that runs the program with
// that file name. One that stops or continues it ends its being slow.
func (h *Host) Signal(program string, sig syscall.Signal) error {
	return h.whileOn("signal "+program+" on", func() error {
		if sig == unix.SIGSTOP || sig == unix.SIGCONT {
			h.endSlow(program)
		}
		return signalAll(h.process.PID, program, sig)
	})
}

// WriteFile puts a file into the host; readers see the old one or the new one.
// path is one of the host.
func (h *Host) WriteFile(path string, data []byte, mode os.FileMode) error {
	h.disk.Lock()
	defer h.disk.Unlock()
	if h.removed {
		return fmt.Errorf("write %s on %s: %w", path, h.Name, ErrUnknownHost)
	}
	target := filepath.Join(h.Root(), path)
	// The kubelet skips names that begin with a dot.
	temporary := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".new")
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return fmt.Errorf("write %s on %s: %w", path, h.Name, err)
	}
	if err := os.WriteFile(temporary, data, mode); err != nil {
		return fmt.Errorf("write %s on %s: %w", path, h.Name, err)
	}
	if err := os.Rename(temporary, target); err != nil {
		return fmt.Errorf("write %s on %s: %w", path, h.Name, err)
	}
	return nil
}

// removeDisk removes all files of the host, and lets nobody write any more.
func (h *Host) removeDisk() error {
	h.disk.Lock()
	defer h.disk.Unlock()
	h.removed = true
	if err := os.RemoveAll(h.folder); err != nil {
		return fmt.Errorf("remove the disk of %s: %w", h.Name, err)
	}
	return nil
}

// RemoveFile removes a file of the host; a missing one is no error.
func (h *Host) RemoveFile(path string) error {
	if err := os.Remove(filepath.Join(h.Root(), path)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove %s on %s: %w", path, h.Name, err)
	}
	return nil
}

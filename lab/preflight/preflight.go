package preflight

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/network"
)

// ProbeSubcommand is the argument with which this program must call Probe.
const ProbeSubcommand = "probe"

// What a lab needs, measured with some reserve.
const (
	baseMemory     = 700 << 20
	memoryPerHost  = 300 << 20
	diskPerHost    = 300 << 20
	bytesPerMegaby = 1 << 20
)

// Namespaces are those that the lab lives in; without root there is a user
// namespace as well.
func Namespaces() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
	}
	if os.Geteuid() != 0 {
		attributes.Cloneflags |= unix.CLONE_NEWUSER
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	return attributes
}

// Check returns what speaks against starting a lab with that many hosts in the
// existing folder work.
func Check(hosts int, work string) error {
	if runtime.GOOS != "linux" {
		return errors.New("the lab needs Linux")
	}
	return errors.Join(checkMemory(hosts), checkDisk(hosts, work), checkKernel())
}

func checkMemory(hosts int) error {
	available, err := availableMemory()
	if err != nil {
		return err
	}
	if needed := uint64(baseMemory + hosts*memoryPerHost); available < needed {
		return fmt.Errorf("too little memory: %d hosts need about %d MiB, %d MiB are available", hosts, needed/bytesPerMegaby, available/bytesPerMegaby)
	}
	return nil
}

func availableMemory() (uint64, error) {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, fmt.Errorf("read memory: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 3 && fields[0] == "MemAvailable:" {
			kib, err := strconv.ParseUint(fields[1], 10, 64)
			if err != nil {
				return 0, fmt.Errorf("read memory: %w", err)
			}
			return kib << 10, nil
		}
	}
	return 0, errors.New("read memory: the kernel does not say how much is available")
}

func checkDisk(hosts int, work string) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(work, &fs); err != nil {
		return fmt.Errorf("read free space of %s: %w", work, err)
	}
	free := fs.Bavail * uint64(fs.Bsize)
	if needed := uint64(hosts * diskPerHost); free < needed {
		return fmt.Errorf("too little disk: %d hosts need about %d MiB, %s has %d MiB free", hosts, needed/bytesPerMegaby, work, free/bytesPerMegaby)
	}
	return nil
}

// checkKernel tries what the lab does, in namespaces that end right away.
func checkKernel() error {
	command := exec.Command("/proc/self/exe", ProbeSubcommand)
	command.SysProcAttr = Namespaces()
	output, err := command.CombinedOutput()
	if err == nil {
		return nil
	}
	if text := strings.TrimSpace(string(output)); text != "" {
		return errors.New(text)
	}
	if os.Geteuid() != 0 {
		return fmt.Errorf("the kernel does not let an ordinary user make namespaces (%w); allow it (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns) or run as root", err)
	}
	return fmt.Errorf("the kernel does not let this process make namespaces: %w", err)
}

// Probe runs in namespaces of its own and tries what the lab needs there.
func Probe() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("missing kernel feature: private mounts: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("missing kernel feature: a /proc of one's own (is this a container with parts of /proc hidden?): %w", err)
	}
	if err := network.SetUpBridge([]netip.Prefix{netip.MustParsePrefix("10.199.0.1/24")}); err != nil {
		return fmt.Errorf("missing kernel feature: network bridges (module bridge): %w", err)
	}
	cable, err := network.Connect("probe", os.Getpid(), netip.MustParseAddr("10.199.0.2"))
	if err != nil {
		return fmt.Errorf("missing kernel feature: pairs of virtual interfaces (module veth): %w", err)
	}
	return cable.Remove()
}

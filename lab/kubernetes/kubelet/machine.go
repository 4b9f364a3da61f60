package kubelet

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	cadvisorapi "github.com/google/cadvisor/info/v1"
	cadvisorapiv2 "github.com/google/cadvisor/info/v2"
	"golang.org/x/sys/unix"
	"k8s.io/kubernetes/pkg/kubelet/cadvisor"
)

// machine answers for cadvisor with the capacity of the machine that the lab
// runs on. Hosts share it; nothing is measured per container.
type machine struct {
	info cadvisorapi.MachineInfo
	root string
}

var _ cadvisor.Interface = (*machine)(nil)

// readMachine reads the capacity; root is a folder on the file system whose
// size counts as the host's.
func readMachine(root string) (*machine, error) {
	var system unix.Sysinfo_t
	if err := unix.Sysinfo(&system); err != nil {
		return nil, fmt.Errorf("read memory size: %w", err)
	}
	// The kubelet puts these into the Node and waits until they are there.
	bootID, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return nil, fmt.Errorf("read boot id: %w", err)
	}
	machineID, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		return nil, fmt.Errorf("read machine id: %w", err)
	}
	return &machine{
		root: root,
		info: cadvisorapi.MachineInfo{
			NumCores:         runtime.NumCPU(),
			NumPhysicalCores: runtime.NumCPU(),
			NumSockets:       1,
			MemoryCapacity:   system.Totalram * uint64(system.Unit),
			MachineID:        strings.TrimSpace(string(machineID)),
			SystemUUID:       strings.TrimSpace(string(machineID)),
			BootID:           strings.TrimSpace(string(bootID)),
		},
	}, nil
}

func (m *machine) Start() error { return nil }

func (m *machine) MachineInfo() (*cadvisorapi.MachineInfo, error) {
	info := m.info
	return &info, nil
}

func (m *machine) VersionInfo() (*cadvisorapi.VersionInfo, error) {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return nil, fmt.Errorf("read kernel version: %w", err)
	}
	return &cadvisorapi.VersionInfo{
		KernelVersion:      unix.ByteSliceToString(name.Release[:]),
		ContainerOsVersion: "lab host",
	}, nil
}

func (m *machine) ContainerInfoV2(string, cadvisorapiv2.RequestOptions) (map[string]cadvisorapiv2.ContainerInfo, error) {
	return map[string]cadvisorapiv2.ContainerInfo{}, nil
}

func (m *machine) GetRequestedContainersInfo(string, cadvisorapiv2.RequestOptions) (map[string]*cadvisorapi.ContainerInfo, error) {
	return map[string]*cadvisorapi.ContainerInfo{}, nil
}

func (m *machine) ImagesFsInfo(context.Context) (cadvisorapiv2.FsInfo, error) {
	return m.GetDirFsInfo(m.root)
}

func (m *machine) ContainerFsInfo(context.Context) (cadvisorapiv2.FsInfo, error) {
	return m.GetDirFsInfo(m.root)
}

func (m *machine) RootFsInfo() (cadvisorapiv2.FsInfo, error) {
	return m.GetDirFsInfo(m.root)
}

func (m *machine) GetDirFsInfo(path string) (cadvisorapiv2.FsInfo, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(path, &fs); err != nil {
		return cadvisorapiv2.FsInfo{}, fmt.Errorf("read size of the file system at %s: %w", path, err)
	}
	size := uint64(fs.Bsize)
	inodes, free := fs.Files, fs.Ffree
	return cadvisorapiv2.FsInfo{
		Mountpoint: path,
		Capacity:   fs.Blocks * size,
		Available:  fs.Bavail * size,
		Usage:      (fs.Blocks - fs.Bfree) * size,
		Inodes:     &inodes,
		InodesFree: &free,
	}, nil
}

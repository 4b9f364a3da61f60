package container

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Programs is the folder, in hosts and containers, with the lab's own programs.
const Programs = "/opt/lab"

// Path is the search path in hosts and containers.
const Path = Programs + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// devices of the machine that programs need; none gives access to hardware.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

// PrepareRoot makes root, an existing folder, ready to become the root of the
// calling process: the machine's programs, devices, /sys and a fresh /proc. It
// must run in a mount namespace of its own and in the process namespace whose
// /proc is wanted. programs is the folder that becomes Programs.
func PrepareRoot(root, programs string) error {
	// Nothing of what follows may spread to the namespace this one was made from.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := bind(root, root, false); err != nil {
		return err
	}
	for _, dir := range []string{"proc", "sys", "dev", "tmp", "run", "etc", "var/log", "usr"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			return fmt.Errorf("prepare root: %w", err)
		}
	}
	if err := bind("/usr", filepath.Join(root, "usr"), true); err != nil {
		return err
	}
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64"} {
		if err := mirror(dir, root); err != nil {
			return err
		}
	}
	if err := Bind(programs, filepath.Join(root, Programs), true); err != nil {
		return err
	}
	if err := unix.Mount("proc", filepath.Join(root, "proc"), "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	if err := unix.Mount("/sys", filepath.Join(root, "sys"), "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("bind /sys: %w", err)
	}
	return prepareDevices(filepath.Join(root, "dev"))
}

// mirror gives root what dir is on this machine: a link, a folder, or nothing.
func mirror(dir, root string) error {
	inside := filepath.Join(root, dir)
	info, err := os.Lstat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("prepare root: %w", err)
	}
	if info.Mode()&os.ModeSymlink == 0 {
		return Bind(dir, inside, true)
	}
	target, err := os.Readlink(dir)
	if err != nil {
		return fmt.Errorf("prepare root: %w", err)
	}
	if err := os.Symlink(target, inside); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("prepare root: %w", err)
	}
	return nil
}

// prepareDevices builds a /dev of its own: mount points for volumes are made
// below it, and must not appear on the machine.
func prepareDevices(dev string) error {
	if err := unix.Mount("dev", dev, "tmpfs", unix.MS_NOSUID, "mode=755,size=1m"); err != nil {
		return fmt.Errorf("mount /dev: %w", err)
	}
	for _, name := range devices {
		if err := Bind(filepath.Join("/dev", name), filepath.Join(dev, name), false); err != nil {
			return err
		}
	}
	// The kubelet reads the kernel's log where it may.
	if _, err := os.Stat("/dev/kmsg"); err == nil {
		if err := Bind("/dev/kmsg", filepath.Join(dev, "kmsg"), false); err != nil {
			return err
		}
	}
	for name, target := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx",
	} {
		if err := os.Symlink(target, filepath.Join(dev, name)); err != nil {
			return fmt.Errorf("prepare /dev: %w", err)
		}
	}
	for name, kind := range map[string]string{"pts": "devpts", "shm": "tmpfs"} {
		dir := filepath.Join(dev, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			return fmt.Errorf("prepare /dev: %w", err)
		}
		options := "mode=1777,size=16m"
		if kind == "devpts" {
			options = "newinstance,ptmxmode=0666,mode=0620"
		}
		if err := unix.Mount(name, dir, kind, unix.MS_NOSUID|unix.MS_NOEXEC, options); err != nil {
			return fmt.Errorf("mount /dev/%s: %w", name, err)
		}
	}
	return nil
}

// Bind makes source, a file or a folder, visible at target, which is created
// where it is missing.
func Bind(source, target string, readOnly bool) error {
	info, err := os.Stat(source)
	if err != nil {
		return fmt.Errorf("bind %s: %w", source, err)
	}
	if err := makeMountPoint(target, info.IsDir()); err != nil {
		return fmt.Errorf("bind %s: %w", source, err)
	}
	return bind(source, target, readOnly)
}

func makeMountPoint(target string, dir bool) error {
	if dir {
		return os.MkdirAll(target, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(target, os.O_CREATE|os.O_RDONLY, 0o644)
	if err != nil {
		return err
	}
	return file.Close()
}

func bind(source, target string, readOnly bool) error {
	if err := unix.Mount(source, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("bind %s to %s: %w", source, target, err)
	}
	if !readOnly {
		return nil
	}
	// In a user namespace the flags that the mount already has are locked and
	// must be repeated.
	var fs unix.Statfs_t
	if err := unix.Statfs(target, &fs); err != nil {
		return fmt.Errorf("read flags of %s: %w", target, err)
	}
	const kept = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_NOATIME | unix.MS_NODIRATIME | unix.MS_RELATIME
	flags := uintptr(fs.Flags)&kept | unix.MS_BIND | unix.MS_REMOUNT | unix.MS_RDONLY
	if err := unix.Mount("", target, "", flags, ""); err != nil {
		return fmt.Errorf("make %s read-only: %w", target, err)
	}
	return nil
}

// EnterRoot makes root the root folder of this process and its namespace and
// lets go of the old one.
func EnterRoot(root string) error {
	if err := os.Chdir(root); err != nil {
		return fmt.Errorf("enter root: %w", err)
	}
	// Stacks the old root on the new one, which needs no folder to put it in.
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("let go of the old root: %w", err)
	}
	if err := os.Chdir("/"); err != nil {
		return fmt.Errorf("enter root: %w", err)
	}
	return nil
}

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/session"
)

const (
	// outPattern is of the folders for recordings that nobody named.
	outPattern = "etcdlab-run-"
	// disposable, beside a recording, says that the hosts' disks of its lab are to go,
	// and holds the name of the lab: one that is killed cannot remove them itself.
	disposable = ".disks-go"
)

// checkFree fails if a lab runs, before anything is made for another one.
func checkFree() error {
	claimed, err := session.Claim()
	if err != nil {
		return err
	}
	return claimed.Release()
}

// dispose says that the lab beside a recording leaves no disks.
func dispose(folder string) error {
	if err := os.WriteFile(filepath.Join(folder, disposable), []byte(control.Name()), 0o644); err != nil {
		return fmt.Errorf("note that the hosts' disks go: %w", err)
	}
	return nil
}

// disposed removes what dispose spoke of.
func disposed(folder string) error {
	if err := removeDisks(filepath.Join(folder, "lab")); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(folder, disposable)); err != nil {
		return fmt.Errorf("remove the hosts' disks: %w", err)
	}
	return nil
}

// removeLeftovers removes the disks of labs that were killed, as far as their
// recordings are in folders of this user below temporary. The caller holds the right
// to start a lab, so that none of them runs any more.
func removeLeftovers(temporary string) error {
	runs, err := filepath.Glob(filepath.Join(temporary, outPattern+"*"))
	if err != nil {
		return fmt.Errorf("find what killed labs left: %w", err)
	}
	var failures []error
	for _, run := range runs {
		// Below a folder of somebody else's, names may lead anywhere.
		info, err := os.Lstat(run)
		if err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			continue
		}
		left, err := filepath.Glob(filepath.Join(run, "*", disposable))
		if err != nil {
			return fmt.Errorf("find what killed labs left: %w", err)
		}
		for _, note := range left {
			if name, err := os.ReadFile(note); err == nil && string(name) == control.Name() {
				failures = append(failures, disposed(filepath.Dir(note)))
			}
		}
	}
	return errors.Join(failures...)
}

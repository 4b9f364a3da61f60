package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/session"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestTheDisksOfAKilledLabGoWithTheNextOneAndItsLogsStay(t *testing.T) {
	for name, test := range map[string]struct {
		run  string
		note string
		gone bool
	}{
		"one that was killed":                 {"etcdlab-run-1", control.Name(), true},
		"one whose disks are kept on purpose": {"etcdlab-run-1", "", false},
		"one of another name, which may run":  {"etcdlab-run-1", "another", false},
		"a folder that is no run's":           {"run-1", control.Name(), false},
	} {
		t.Run(name, func(t *testing.T) {
			temporary := t.TempDir()
			folder := filepath.Join(temporary, test.run, "1-replace-one")
			disk, key, log := filepath.Join(folder, "lab/hosts/master-0/root/data"), filepath.Join(folder, "lab/tmp/tls.key"), filepath.Join(folder, "lab/log/operator.log")
			for _, path := range []string{disk, key, log} {
				put(t, path, "x")
			}
			if test.note != "" {
				put(t, filepath.Join(folder, disposable), test.note)
			}
			if err := removeLeftovers(temporary); err != nil {
				t.Fatal(err)
			}
			if there(disk) == test.gone || there(key) == test.gone {
				t.Errorf("the disk is there: %t, the key: %t", there(disk), there(key))
			}
			if !there(log) {
				t.Error("the log is gone")
			}
			if test.gone && there(filepath.Join(folder, disposable)) {
				t.Error("the note about it is still there")
			}
		})
	}
}

func TestAFolderThatLeadsElsewhereIsLeftAlone(t *testing.T) {
	temporary, elsewhere := t.TempDir(), t.TempDir()
	disk := filepath.Join(elsewhere, "1-x/lab/hosts/data")
	put(t, disk, "x")
	put(t, filepath.Join(elsewhere, "1-x", disposable), control.Name())
	if err := os.Symlink(elsewhere, filepath.Join(temporary, "etcdlab-run-1")); err != nil {
		t.Fatal(err)
	}
	if err := removeLeftovers(temporary); err != nil {
		t.Fatal(err)
	}
	if !there(disk) {
		t.Error("it was removed")
	}
}

func TestNothingIsMadeForARunThatIsRefused(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv(control.InstanceVariable, "refused-in-a-test")
	claimed, err := session.Claim()
	if err != nil {
		t.Fatal(err)
	}
	// Any program passes for an operator so far.
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// One that is not refused is to end all the same.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, []string{"replace-one"}, runOptions{operator: program}); !errors.Is(err, control.ErrRunning) {
		t.Errorf("a run ends with %v", err)
	}
	if err := runCampaign(ctx, campaignOptions{run: runOptions{operator: program}, hours: 1, first: 1}); !errors.Is(err, control.ErrRunning) {
		t.Errorf("a campaign ends with %v", err)
	}
	if made, err := os.ReadDir(temporary); err != nil || len(made) > 0 {
		t.Errorf("made all the same: %v, %v", made, err)
	}
	if err := claimed.Release(); err != nil {
		t.Fatal(err)
	}
	if err := checkFree(); err != nil {
		t.Errorf("a lab that has ended is in the way: %v", err)
	}
}

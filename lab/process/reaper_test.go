package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// The tests share one Reaper: there must be one per program.
var reaper = NewReaper()

func TestExitCodes(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		want   int
	}{
		"success is 0":                        {"true", 0},
		"failure is the command's own status": {"exit 7", 7},
		"a signal is 128 and its number":      {"kill -KILL $$", 137},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := reaper.Start(exec.Command("sh", "-c", test.script))
			if err != nil {
				t.Fatal(err)
			}
			if got := p.ExitCode(); got != test.want {
				t.Errorf("exit code is %d, want %d", got, test.want)
			}
			if err := p.Signal(unix.SIGKILL); err != nil {
				t.Errorf("signal to a process that has ended: %v", err)
			}
		})
	}
}

func TestManyChildrenThatEndAtOnceAreAllCollected(t *testing.T) {
	var all []*Process
	for range 50 {
		p, err := reaper.Start(exec.Command("true"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	for _, p := range all {
		if code := p.ExitCode(); code != 0 {
			t.Errorf("exit code is %d", code)
		}
	}
}

func TestTailOfALog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte("one\ntwo\nthree\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Tail(path, 2); got != "two\nthree" {
		t.Errorf("tail is %q", got)
	}
	if got := Tail(path, 9); got != "one\ntwo\nthree" {
		t.Errorf("tail is %q", got)
	}
}

package plane

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/process"
)

func TestWhatTheLabRunsLeavesNothingInTheMachinesTemporaryFolder(t *testing.T) {
	elsewhere := t.TempDir()
	t.Setenv("TMPDIR", elsewhere)
	p := New(Options{Work: t.TempDir(), Reaper: process.NewReaper()})
	if err := p.makeFolders(); err != nil {
		t.Fatal(err)
	}
	script := []string{"-c", `mktemp "${TMPDIR:-/tmp}/XXXXXX"`}

	ended := make(chan error, 1)
	if err := p.start(&child{name: "part", program: "/bin/sh", arguments: script}, func(err error) { ended <- err }); err != nil {
		t.Fatal(err)
	}
	if err := (<-ended).(*CrashError); err.ExitCode != 0 {
		t.Error(err)
	}
	made, err := os.ReadFile(p.logPath("part"))
	if err != nil {
		t.Fatal(err)
	}
	requireBelow(t, p.options.Work, string(made))

	nothing, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	output := filepath.Join(t.TempDir(), "output")
	written, err := os.Create(output)
	if err != nil {
		t.Fatal(err)
	}
	problems, err := os.Create(output + ".problems")
	if err != nil {
		t.Fatal(err)
	}
	request := control.Request{Operation: control.Exec, Arguments: append([]string{"/bin/sh"}, script...)}
	if err := p.exec(t.Context(), request, []*os.File{nothing, written, problems}, func(reply control.Reply) error {
		if reply.ExitCode != 0 {
			t.Errorf("the command's exit status is %d", reply.ExitCode)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if made, err = os.ReadFile(output); err != nil {
		t.Fatal(err)
	}
	requireBelow(t, p.options.Work, string(made))
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("left outside: %v, %v", left, err)
	}
}

func requireBelow(t *testing.T, folder, file string) {
	t.Helper()
	if !strings.HasPrefix(file, folder+"/") {
		t.Errorf("%q was made, want one below %s", strings.TrimSpace(file), folder)
	}
}

package livetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/lab/history"
)

func TestAScenarioIsPlayedRecordedAndJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("brings up control planes, which -short is there to avoid")
	}
	for _, test := range []struct {
		file     string
		exitCode int
		claims   []string
	}{
		{"by-hand.yaml", 0, []string{
			"verdict of by-hand: holds", "holds      reads and writes are linearizable", "holds      no acknowledged write is lost",
			"holds      all members hold the same data: 3 members", "holds      the cluster is whole at the end",
		}},
		{"slow-by-hand.yaml", 0, []string{"verdict of slow-by-hand: holds", "holds      writes go on"}},
		// What must be found, and what is right all the same.
		{"unsafe-by-hand.yaml", 1, []string{
			"verdict of unsafe-by-hand: BROKEN", "BROKEN     voters never drop below what is wanted [I1 R6.3]",
			"BROKEN     no healthy voter is removed that desired needs [I1 R6.3]", "BROKEN     a deleting Machine keeps the hook while it hosts a member [I8 R4.4]",
			"BROKEN     a deleting Machine never gains the hook [I8 R4.3]",
			"holds      reads and writes are linearizable", "holds      after each removal healthy voters are a quorum",
		}},
	} {
		t.Run(test.file, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			stdout, stderr, code := etcdlab("run", "--seed", "5", "--out", out, filepath.Join("testdata", test.file))
			if code != test.exitCode {
				t.Errorf("exit status is %d, want %d:\n%s\n%s", code, test.exitCode, stdout, stderr)
			}
			for _, claim := range append(test.claims, "seed 5") {
				if !strings.Contains(stdout, claim) {
					t.Errorf("the output does not say %q:\n%s\n%s", claim, stdout, stderr)
				}
			}
			folder := filepath.Join(out, "1-"+strings.TrimSuffix(test.file, ".yaml"))
			recording, err := history.Read(folder)
			if err != nil {
				t.Fatal(err)
			}
			if !recording.Complete || len(recording.Operations) < 500 || len(recording.Finals) == 0 || recording.Start.Seed != 5 {
				t.Errorf("recording: complete %t (%s), %d operations, %d keys read back, seed %d", recording.Complete, recording.Defect, len(recording.Operations), len(recording.Finals), recording.Start.Seed)
			}
			verdict, err := os.ReadFile(filepath.Join(folder, "verdict.txt"))
			if err != nil || !strings.Contains(stdout, string(verdict)) {
				t.Errorf("verdict.txt is %q, %v", verdict, err)
			}
			if again, _, code := etcdlab("judge", folder); code != test.exitCode || again != string(verdict) {
				t.Errorf("judged again: exit status %d\n%s", code, again)
			}
			if _, err := os.Stat(filepath.Join(folder, "lab", "log", "kube-apiserver.log")); err != nil {
				t.Errorf("the logs are not kept: %v", err)
			}
			if _, err := os.Stat(filepath.Join(folder, "lab", "hosts")); err == nil {
				t.Error("the hosts' disks are kept, though nobody asked for it")
			}
		})
	}
}

func TestScenariosThatMakeNoSenseEndWithStatus2BeforeAnythingStarts(t *testing.T) {
	folder := t.TempDir()
	wrong := filepath.Join(folder, "wrong.yaml")
	if err := os.WriteFile(wrong, []byte("name: wrong\nsteps:\n- cordon: {node: a}\n- explode: {host: a}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	right := filepath.Join("testdata", "by-hand.yaml")
	for _, test := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"run"}, "which scenario?"},
		{[]string{"run", "no-such-scenario"}, "no scenario \"no-such-scenario\" comes with the lab; there are: "},
		{[]string{"run", filepath.Join(folder, "missing.yaml")}, "missing.yaml"},
		{[]string{"run", right, wrong}, wrong + ":4: unknown step \"explode\""},
		{[]string{"run", "--seed", "many", right}, "invalid argument"},
		{[]string{"run", "--operator-binary", "/no/such/program", "replace-one"}, "/no/such/program"},
		{[]string{"run", "--out", folder, right}, "is not empty"},
		{[]string{"list", "everything"}, "unknown command"},
		{[]string{"selftest", "no-such-scenario"}, "no broken rule is known for no-such-scenario"},
		{[]string{"selftest", "--rule", "R99", "replace-one"}, "no broken rule is known for replace-one R99"},
		{[]string{"campaign", "--hours", "0"}, "--hours and --first must be above zero"},
		{[]string{"judge"}, "want the folder"},
	} {
		stdout, stderr, code := etcdlab(test.arguments...)
		if code != 2 || !strings.Contains(stderr, test.want) {
			t.Errorf("etcdlab %s: exit status %d, %q, want %q", strings.Join(test.arguments, " "), code, stderr, test.want)
		}
		if stdout != "" {
			t.Errorf("etcdlab %s prints %q", strings.Join(test.arguments, " "), stdout)
		}
	}
}

func TestListNamesTheScenarios(t *testing.T) {
	stdout, _, code := etcdlab("list")
	for _, name := range []string{"dead-host", "learner-host-dies", "operator-killed", "replace-created-first", "replace-one", "replace-three-at-once"} {
		if !strings.Contains(stdout, name+"\n    ") {
			t.Errorf("%s is not listed:\n%s", name, stdout)
		}
	}
	if code != 0 {
		t.Errorf("exit status is %d", code)
	}
}

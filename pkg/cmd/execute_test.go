package cmd

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func TestExecute(t *testing.T) {
	type result struct {
		Status         int
		Stdout, Stderr string
	}
	for name, test := range map[string]struct {
		args []string
		want result
	}{
		"a subcommand that succeeds exits 0 and says nothing on stderr": {
			args: []string{"greet"},
			want: result{Status: StatusOK, Stdout: "hello\n"},
		},
		"a subcommand that fails exits 1 and its error is printed once": {
			args: []string{"fail"},
			want: result{Status: StatusFailed, Stderr: "error: reach etcd: refused\n"},
		},
		"an unknown flag cannot paint the terminal": {
			args: []string{"--\x1b[31mred"},
			want: result{Status: StatusUsage, Stderr: "error: unknown flag: --\\x1b[31mred\nSee 'operator --help'.\n"},
		},
		"a subcommand of a subcommand that fails exits 1 too": {
			args: []string{"group", "fail"},
			want: result{Status: StatusFailed, Stderr: "error: reach etcd: refused\n"},
		},
		"no subcommand is a usage error": {
			want: result{Status: StatusUsage, Stderr: "error: a subcommand is required\nSee 'operator --help'.\n"},
		},
		"an unknown subcommand is a usage error": {
			args: []string{"nonsense"},
			want: result{Status: StatusUsage, Stderr: "error: unknown command \"nonsense\" for \"operator\"\nSee 'operator --help'.\n"},
		},
		"an unknown flag is a usage error": {
			args: []string{"greet", "--loud"},
			want: result{Status: StatusUsage, Stderr: "error: unknown flag: --loud\nSee 'operator greet --help'.\n"},
		},
		"an argument that nobody takes is a usage error": {
			args: []string{"greet", "bob"},
			want: result{Status: StatusUsage, Stderr: "error: unknown command \"bob\" for \"operator greet\"\nSee 'operator greet --help'.\n"},
		},
		"a missing required flag is a usage error": {
			args: []string{"read"},
			want: result{Status: StatusUsage, Stderr: "error: required flag(s) \"from\" not set\nSee 'operator read --help'.\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := Execute(sampleRoot(), test.args, &stdout, &stderr)
			got := result{Status: status, Stdout: stdout.String(), Stderr: stderr.String()}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("unexpected result (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAskingForHelpIsNotAnError(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help"}, {"greet", "--help"}} {
		var stdout, stderr bytes.Buffer
		if status := Execute(sampleRoot(), args, &stdout, &stderr); status != StatusOK {
			t.Errorf("%q: exit status %d, stderr %q", args, status, stderr.String())
		}
		if stdout.Len() == 0 || stderr.Len() != 0 {
			t.Errorf("%q: the help belongs on stdout; stdout %q, stderr %q", args, stdout.String(), stderr.String())
		}
	}
}

func TestShellsCanComplete(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var stdout, stderr bytes.Buffer
		if status := Execute(sampleRoot(), []string{"completion", shell}, &stdout, &stderr); status != StatusOK {
			t.Errorf("%s: exit status %d, stderr %q", shell, status, stderr.String())
		}
		if stdout.Len() == 0 || stderr.Len() != 0 {
			t.Errorf("%s: the script belongs on stdout; %d bytes there, stderr %q", shell, stdout.Len(), stderr.String())
		}
	}
}

// sampleRoot has one command for each way a command line can end.
func sampleRoot() *cobra.Command {
	fail := func(*cobra.Command, []string) error { return errors.New("reach etcd: refused") }
	root := &cobra.Command{Use: "operator"}
	group := &cobra.Command{Use: "group"}
	group.AddCommand(&cobra.Command{Use: "fail", Args: cobra.NoArgs, RunE: fail})
	read := &cobra.Command{Use: "read", Args: cobra.NoArgs, RunE: fail}
	read.Flags().String("from", "", "")
	if err := read.MarkFlagRequired("from"); err != nil {
		panic(err)
	}
	root.AddCommand(
		&cobra.Command{Use: "greet", Args: cobra.NoArgs, Run: func(c *cobra.Command, _ []string) { c.Println("hello") }},
		&cobra.Command{Use: "fail", Args: cobra.NoArgs, RunE: fail},
		read,
		group,
	)
	return root
}

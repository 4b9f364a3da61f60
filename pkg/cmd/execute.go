package cmd

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openshift/cluster-etcd-operator/pkg/explain"
)

// Exit statuses of the binary. Scripts tell "asked for the wrong thing" from
// "could not do it" by them.
const (
	StatusOK     = 0
	StatusFailed = 1
	StatusUsage  = 2
)

// failure marks an error that a subcommand returned while it ran. Every other
// error comes from cobra before the subcommand started, so it is about usage.
type failure struct{ err error }

func (f failure) Error() string { return f.err.Error() }
func (f failure) Unwrap() error { return f.err }

// Execute runs root with args (without the program's name) and returns the exit
// status: StatusOK, StatusUsage when the command line itself is wrong (unknown
// or missing subcommand, unknown flag, wrong arguments), StatusFailed when the
// subcommand started and returned an error. An error is printed once, on
// stderr; only a usage error is followed by a pointer to the help.
func Execute(root *cobra.Command, args []string, stdout, stderr io.Writer) int {
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	// cobra prints the whole help below each error, which hides the error.
	root.SilenceErrors = true
	root.SilenceUsage = true
	markFailures(root)
	if !root.Runnable() {
		// Without this a container that lost its arguments would print the
		// help and exit 0, and look as if it had done its work.
		root.Run = func(*cobra.Command, []string) {}
		root.PreRunE = func(*cobra.Command, []string) error {
			return errors.New("a subcommand is required")
		}
	}

	ran, err := root.ExecuteC()
	if err == nil {
		return StatusOK
	}
	fmt.Fprintf(stderr, "error: %s\n", printable(err.Error()))
	if errors.As(err, &failure{}) {
		return StatusFailed
	}
	fmt.Fprintf(stderr, "See '%s --help'.\n", ran.CommandPath())
	return StatusUsage
}

// printable keeps the lines of a message and shows whatever else a terminal would
// obey: messages carry paths, flags, and what servers answered.
func printable(message string) string {
	lines := strings.Split(message, "\n")
	for i, line := range lines {
		lines[i] = explain.Printable(line)
	}
	return strings.Join(lines, "\n")
}

// markFailures wraps the RunE of every command below c, so that Execute can
// tell where an error comes from.
func markFailures(c *cobra.Command) {
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			if err := run(c, args); err != nil {
				return failure{err}
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		markFailures(sub)
	}
}

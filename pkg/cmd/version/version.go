package version

import (
	"fmt"

	"github.com/spf13/cobra"
)

// version is set by the build (-ldflags "-X .../pkg/cmd/version.version=..."). A
// plain `go build` sets nothing and then says so instead of inventing a number.
var version = "unknown"

// Get returns the version of the build, as the subcommand prints it.
func Get() string { return version }

// NewCommand returns the subcommand `version`. It prints the version of the
// build as one line on standard output, and fails only if that cannot be
// written.
func NewCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this binary",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := fmt.Fprintln(c.OutOrStdout(), version); err != nil {
				return fmt.Errorf("print version: %w", err)
			}
			return nil
		},
	}
}

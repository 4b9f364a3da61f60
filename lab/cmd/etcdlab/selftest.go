package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/selftest"
	"github.com/openshift/cluster-etcd-operator/lab/session"
)

type selftestOptions struct {
	run   runOptions
	rule  string
	build bool
}

func newSelftest() *cobra.Command {
	var options selftestOptions
	command := &cobra.Command{
		Use:   "selftest [SCENARIO...]",
		Short: "Break the operator's rules, one at a time, and see that scenarios notice",
		Long: `Break the operator's rules, one at a time, and see that scenarios notice.

For each entry of lab/selftest/broken.yaml, or each about the scenarios named, an
operator is built whose sources are changed as the entry says (in an overlay; no
file changes), the scenario is played with it, and the verdict must find broken
what the entry expects. Operators are kept in bin/selftest until their sources
change.

The exit status is 0 only if every broken rule was noticed.`,
		RunE: func(command *cobra.Command, arguments []string) error {
			return runSelftest(command.Context(), arguments, options)
		},
	}
	flags := command.Flags()
	flags.Int64Var(&options.run.seed, "seed", 1, "number that decides victims, delays, keys and values")
	flags.StringVar(&options.rule, "rule", "", "only entries that break this rule, such as R6.3")
	flags.StringVar(&options.run.out, "out", "", "empty or new folder for recordings, logs and verdicts (default: a new one below the temporary folder)")
	flags.BoolVar(&options.build, "build-only", false, "build the broken operators and play nothing")
	return command
}

// chosen are the entries about one of the scenarios (all, if none is named) and the
// rule (any, if it is empty).
func chosen(entries []selftest.Entry, scenarios []string, rule string) ([]selftest.Entry, error) {
	left := slices.Clone(scenarios)
	var found []selftest.Entry
	for _, e := range entries {
		if (len(scenarios) == 0 || slices.Contains(scenarios, e.Scenario)) && (rule == "" || rule == e.Rule) {
			found = append(found, e)
			left = slices.DeleteFunc(left, func(name string) bool { return name == e.Scenario })
		}
	}
	if len(left) > 0 || len(found) == 0 {
		return nil, usageError{fmt.Errorf("no broken rule is known for %s; see lab/selftest/broken.yaml", strings.TrimSpace(strings.Join(left, ", ")+" "+rule))}
	}
	return found, nil
}

func runSelftest(ctx context.Context, arguments []string, options selftestOptions) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, unix.SIGTERM, unix.SIGHUP)
	defer stop()
	all, err := selftest.Table()
	if err != nil {
		return err
	}
	entries, err := chosen(all, arguments, options.rule)
	if err != nil {
		return err
	}
	repository, err := findRepository()
	if err != nil {
		return err
	}
	if err := selftest.Forget(repository, all); err != nil {
		return err
	}
	binaries := make([]string, len(entries))
	for i, e := range entries {
		if binaries[i], err = e.Build(ctx, repository, os.Stdout); err != nil {
			return err
		}
	}
	if options.build {
		return nil
	}
	if err := checkFree(); err != nil {
		return err
	}
	if err := options.run.makeOut(); err != nil {
		return err
	}
	var lab session.Options
	if lab.Programs, err = programs(ctx); err != nil {
		return err
	}
	fmt.Printf("seed %d; recordings, logs and verdicts are kept in %s\n", options.run.seed, options.run.out)
	var lines, missed []string
	for i, e := range entries {
		noticed, err := options.playBroken(ctx, e, binaries[i], filepath.Join(options.run.out, fmt.Sprintf("%d-%s-%s", i+1, e.Scenario, e.Rule)), lab)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		name := e.Scenario + " without " + e.Rule
		if noticed == "" {
			missed = append(missed, name)
			noticed = "NOT NOTICED, want a broken claim with: " + e.Breaks
		}
		lines = append(lines, fmt.Sprintf("%s (%s)\n      %s", name, e.About, noticed))
	}
	fmt.Printf("\nbroken on purpose, and noticed by:\n   %s\n", strings.Join(lines, "\n   "))
	if len(missed) > 0 {
		return errors.New("not noticed: " + strings.Join(missed, ", "))
	}
	return nil
}

// playBroken plays the entry's scenario with an operator that the entry broke, and
// returns the line of the verdict that notices it.
func (o selftestOptions) playBroken(ctx context.Context, e selftest.Entry, binary, folder string, lab session.Options) (string, error) {
	parsed, file, err := read(e.Scenario, o.run.seed)
	if err != nil {
		return "", err
	}
	fmt.Printf("\n== %s without %s: %s\n", e.Scenario, e.Rule, e.About)
	options := o.run
	options.operator = binary
	verdict, err := playOne(ctx, parsed, file, folder, lab, options)
	if err != nil {
		return "", err
	}
	return e.Noticed(verdict), nil
}

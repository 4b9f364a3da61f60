package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/parts"
	"github.com/openshift/cluster-etcd-operator/lab/session"
	"github.com/openshift/cluster-etcd-operator/lab/view"
)

func newUp() *cobra.Command {
	var options session.Options
	var etcd string
	command := &cobra.Command{
		Use:   "up",
		Short: "Start the lab and watch it until Ctrl-C",
		Long: `Start the lab and watch it. On a terminal a table is redrawn each second;
elsewhere a line is printed when something has changed. Ctrl-C ends the lab.

The first time, the parts are built: about 20 minutes on 2 cores with an empty
build cache. Later starts build only what has changed.`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := checkCounts(options); err != nil {
				return err
			}
			if options.Operator != "" {
				if err := findOperator(&options); err != nil {
					return err
				}
			}
			if err := checkEtcd(etcd); err != nil {
				return err
			}
			return up(command.Context(), options, etcd)
		},
	}
	flags := command.Flags()
	flags.IntVar(&options.ControlPlanes, "control-planes", 3, "number of control-plane hosts, each with an etcd member (1, 3 or 5)")
	flags.IntVar(&options.Workers, "workers", 0, "number of worker hosts")
	flags.StringVar(&options.Keep, "keep", "", "empty or new folder to work in; it is kept afterwards, with logs and data")
	flags.StringVar(&etcd, "etcd-version", "", etcdVersionHelp)
	flags.StringVar(&options.Operator, "operator-binary", "", "program to run as the operator, and to start again when it ends; its log is log/operator.log in the work folder")
	flags.BoolVar(&options.PrivateEtcd, "private-etcd", false, "give the API server an etcd of its own, to watch what happens without quorum")
	flags.BoolVar(&options.MachineSet, "machine-set", false, "run the operator of ControlPlaneMachineSets as well")
	flags.BoolVar(&options.Fsync, "fsync", false, "let etcd wait for the disk at each write, as in production; slower, and no fault of the lab can tell the difference")
	return command
}

const etcdVersionHelp = "version of etcd, such as v3.5.21, which is built from the Go module proxy and kept (default: that of the parts)"

// checkEtcd checks the form of a version, if one is given.
func checkEtcd(version string) error {
	if version == "" {
		return nil
	}
	if _, err := parts.EtcdMinor(version); err != nil {
		return usageError{fmt.Errorf("--etcd-version: %w", err)}
	}
	return nil
}

// provideEtcd builds that version of etcd, if one is given, below the folder of
// programs in options.
func provideEtcd(ctx context.Context, options *session.Options, version string) error {
	if version == "" {
		return nil
	}
	var err error
	if options.EtcdMinor, err = parts.EtcdMinor(version); err == nil {
		options.Etcd, err = parts.BuildEtcd(ctx, options.Programs, version, os.Stderr)
	}
	if errors.Is(err, parts.ErrEtcdVersion) {
		return usageError{fmt.Errorf("--etcd-version: %w", err)}
	}
	return err
}

func checkCounts(options session.Options) error {
	if n := options.ControlPlanes; n != 1 && n != 3 && n != 5 {
		return usageError{fmt.Errorf("--control-planes must be 1, 3 or 5, not %d", n)}
	}
	if n := options.Workers; n < 0 || n > 20 {
		return usageError{fmt.Errorf("--workers must be between 0 and 20, not %d", n)}
	}
	return nil
}

// findOperator makes the path absolute: the lab runs elsewhere.
func findOperator(options *session.Options) error {
	path, err := filepath.Abs(options.Operator)
	if err != nil {
		return fmt.Errorf("find the operator: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return usageError{fmt.Errorf("--operator-binary: %w", err)}
	}
	if info.IsDir() || info.Mode()&0o111 == 0 {
		return usageError{fmt.Errorf("--operator-binary: %s is no program", path)}
	}
	options.Operator = path
	return nil
}

func up(ctx context.Context, options session.Options, etcd string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, unix.SIGTERM, unix.SIGHUP)
	defer stop()
	claimed, err := session.Claim()
	if err != nil {
		return err
	}
	if err := removeLeftovers(os.TempDir()); err != nil {
		return err
	}
	if options.Programs, err = programs(ctx); err != nil {
		return err
	}
	if err := provideEtcd(ctx, &options, etcd); err != nil {
		return err
	}
	lab, err := claimed.Start(options)
	if err != nil {
		return err
	}
	screen := view.New(os.Stdout, isTerminal(os.Stdout))
	if err := lab.Run(ctx, screen.Show); err != nil {
		return err
	}
	if options.Keep != "" {
		fmt.Println("the lab has ended; its logs and data are in", lab.Work)
	}
	return nil
}

// programs brings the parts up to date, if there is a checkout to build from,
// and returns their folder: the checkout's, or the one beside this program.
func programs(ctx context.Context) (string, error) {
	repository, missing := findRepository()
	if missing == nil {
		return parts.Build(ctx, repository, os.Stderr)
	}
	executable, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	beside := filepath.Join(filepath.Dir(executable), "lab")
	if _, err := os.Stat(filepath.Join(beside, "kubernetes")); err == nil {
		return beside, nil
	}
	return "", fmt.Errorf("the lab's parts are neither built nor can they be: %w", missing)
}

// findRepository finds the checkout that this is called in, or that this program
// was built in.
func findRepository() (string, error) {
	executable, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	var failures []error
	for _, start := range []string{".", filepath.Dir(executable)} {
		repository, err := parts.FindRepository(start)
		if err == nil {
			return repository, nil
		}
		failures = append(failures, err)
	}
	return "", errors.Join(failures...)
}

func newBuild() *cobra.Command {
	return &cobra.Command{
		Use:   "build",
		Short: "Build the parts that `up` needs, where they are not up to date",
		Args:  noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(command.Context(), os.Interrupt, unix.SIGTERM)
			defer stop()
			folder, err := programs(ctx)
			if err != nil {
				return err
			}
			fmt.Println("all parts are in", folder)
			return nil
		},
	}
}

func isTerminal(file *os.File) bool {
	_, err := unix.IoctlGetTermios(int(file.Fd()), unix.TCGETS)
	return err == nil
}

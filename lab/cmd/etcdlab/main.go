// The command etcdlab runs a small OpenShift control plane on one machine: real
// etcd, API server, controllers and kubelets, on hosts that are namespaces.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/openshift/cluster-etcd-operator/lab/preflight"
	"github.com/openshift/cluster-etcd-operator/lab/session"
)

// Exit statuses.
const (
	exitFailed = 1
	exitUsage  = 2
)

func init() {
	// The lab's life hangs on the thread that starts it: the first one, which
	// lives as long as this process.
	runtime.LockOSThread()
}

func main() {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case session.InnerSubcommand:
			inside(session.Inner(argument(2)))
			return
		case playSubcommand:
			inside(play(argument(2)))
			return
		case preflight.ProbeSubcommand:
			inside(preflight.Probe())
			return
		}
	}
	if err := newCommand().Execute(); err != nil {
		var status exitStatus
		if errors.As(err, &status) {
			os.Exit(int(status))
		}
		fmt.Fprintln(os.Stderr, "etcdlab:", err)
		var usage usageError
		if errors.As(err, &usage) {
			os.Exit(exitUsage)
		}
		os.Exit(exitFailed)
	}
}

// inside ends a process that this program started for itself.
func inside(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitFailed)
	}
}

func argument(i int) string {
	if len(os.Args) > i {
		return os.Args[i]
	}
	return ""
}

// usageError is a command line that cannot be meant.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// exitStatus ends the program with that status, without a word.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

const description = `etcdlab runs a small OpenShift control plane on this machine, without a cloud:
real etcd, API server, controller manager and kubelets. Hosts are namespaces of
the kernel, with an address, a disk and a kubelet of their own; they can be
terminated, partitioned, paused and brought back.

Nothing leaves the lab's own network, nothing outside its work folder is
written, and everything ends with the command that started it.

  etcdlab up                       start it and watch; Ctrl-C ends it
  etcdlab run replace-one          play a scenario on a new one, and judge it
  etcdlab list                     name the scenarios

and meanwhile, from another terminal:

  etcdlab exec -- kubectl get nodes
  etcdlab exec -- etcdctl endpoint status --cluster -w table
  etcdlab exec                     a shell in the lab
  etcdlab host master-2 terminate
  etcdlab status

It exits with 2 if it was called in a way that makes no sense, with 1 if
something failed.`

func newCommand() *cobra.Command {
	command := &cobra.Command{
		Use:           "etcdlab",
		Short:         "A small OpenShift control plane on one machine",
		Long:          description,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArguments,
		RunE:          func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	command.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	command.CompletionOptions.DisableDefaultCmd = true
	command.AddCommand(newUp(), newRun(), newList(), newJudge(), newSelftest(), newCampaign(), newExec(), newStatus(), newHost(), newBuild())
	return command
}

// noArguments is cobra.NoArgs as a usage error.
func noArguments(command *cobra.Command, arguments []string) error {
	if err := cobra.NoArgs(command, arguments); err != nil {
		return usageError{err}
	}
	return nil
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/plane"
	"github.com/openshift/cluster-etcd-operator/lab/view"
)

func newStatus() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "status",
		Short: "Print how the running lab is",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			reply, err := call(control.Request{Operation: control.Status})
			if err != nil {
				return err
			}
			if asJSON {
				fmt.Println(string(reply.Status))
				return nil
			}
			var status plane.Status
			if err := json.Unmarshal(reply.Status, &status); err != nil {
				return fmt.Errorf("read status: %w", err)
			}
			fmt.Print(view.Table(status))
			return nil
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print everything as JSON")
	return command
}

func call(request control.Request, files ...*os.File) (control.Reply, error) {
	connection, err := control.Call(request, files...)
	if err != nil {
		return control.Reply{}, err
	}
	defer connection.Close()
	return connection.Next()
}

func newHost() *cobra.Command {
	var help strings.Builder
	help.WriteString("Do something to a host of the running lab. The actions:\n\n")
	for _, action := range plane.HostActions {
		fmt.Fprintf(&help, "  %-14s %s\n", action.Action, action.Help)
	}
	return &cobra.Command{
		Use:   "host NAME ACTION",
		Short: "Power off, partition, pause a host, and undo it",
		Long:  strings.TrimRight(help.String(), "\n"),
		Args: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) != 2 {
				return usageError{fmt.Errorf("want the host's name and an action, got %d arguments; see `etcdlab host --help`", len(arguments))}
			}
			for _, action := range plane.HostActions {
				if string(action.Action) == arguments[1] {
					return nil
				}
			}
			return usageError{fmt.Errorf("unknown action %q; see `etcdlab host --help`", arguments[1])}
		},
		RunE: func(_ *cobra.Command, arguments []string) error {
			_, err := call(control.Request{Operation: control.Host, Name: arguments[0], Action: arguments[1]})
			return err
		},
	}
}

func newExec() *cobra.Command {
	return &cobra.Command{
		Use:   "exec [-- COMMAND [ARGUMENT...]]",
		Short: "Run a command inside the running lab; without one, a shell",
		Long: `Run a command inside the lab's namespaces. kubectl, etcdctl and etcdutl are
there and set up; whatever else this machine has can be used too (oc, for
example). It exits with the command's own exit status.`,
		RunE: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) == 0 {
				arguments = []string{"sh"}
			}
			return execute(arguments)
		},
	}
}

// execute runs the command with this program's terminal, or, where it has none,
// with its standard streams.
func execute(arguments []string) error {
	request := control.Request{Operation: control.Exec, Arguments: arguments}
	for _, name := range []string{"TERM", "LANG", "LC_ALL"} {
		if value, set := os.LookupEnv(name); set {
			request.Environment = append(request.Environment, name+"="+value)
		}
	}
	if isTerminal(os.Stdin) && isTerminal(os.Stdout) {
		return executeOnTerminal(request)
	}
	reply, err := call(request, os.Stdin, os.Stdout, os.Stderr)
	return exitWith(reply, err)
}

func exitWith(reply control.Reply, err error) error {
	if err != nil {
		return err
	}
	if reply.ExitCode != 0 {
		return exitStatus(reply.ExitCode)
	}
	return nil
}

var errNoTerminal = errors.New("this machine gives no terminal")

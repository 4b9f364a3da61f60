// The binary labhost is every program of the lab that runs inside a host: the
// host's first process, the launcher of containers, the launcher of etcd and its
// readiness probe. It is small, because a container starts by starting it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/openshift/cluster-etcd-operator/lab/container"
	"github.com/openshift/cluster-etcd-operator/lab/hostinit"
	"github.com/openshift/cluster-etcd-operator/lab/member"
)

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	var err error
	switch os.Args[1] {
	case hostinit.Subcommand:
		err = hostinit.Run()
	case container.Subcommand:
		err = container.Exec()
	case "member":
		err = launchMember(os.Args[2:])
	case "readyz":
		if len(os.Args) != 3 {
			usage()
		}
		err = member.Readyz(os.Args[2])
	default:
		usage()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "labhost %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

func launchMember(arguments []string) error {
	var options member.Options
	flags := flag.NewFlagSet("member", flag.ExitOnError)
	flags.StringVar(&options.Name, "name", "", "name of the member")
	flags.StringVar(&options.Address, "address", "", "address of the host")
	// ExitOnError: Parse does not return with an error.
	_ = flags.Parse(arguments)
	options.ExtraArguments = flags.Args()
	return member.Launch(context.Background(), options)
}

func usage() {
	fmt.Fprintln(os.Stderr, `labhost is started by the lab, not by hand:
  labhost host         the first process of a host
  labhost container    prepares a container and becomes its command
  labhost member       waits until etcd may start and becomes it
  labhost readyz ADDR  serves /readyz for the etcd member at ADDR`)
	os.Exit(2)
}

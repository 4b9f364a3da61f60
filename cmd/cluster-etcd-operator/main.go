package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/openshift/cluster-etcd-operator/pkg/cmd"
	"github.com/openshift/cluster-etcd-operator/pkg/cmd/explain"
	"github.com/openshift/cluster-etcd-operator/pkg/cmd/operator"
	"github.com/openshift/cluster-etcd-operator/pkg/cmd/version"
)

func main() {
	root := &cobra.Command{
		Use:   "cluster-etcd-operator",
		Short: "Keeps etcd's quorum while control-plane machines are replaced",
	}
	root.AddCommand(
		explain.NewCommand(),
		operator.NewCommand(),
		version.NewCommand(),
	)
	os.Exit(cmd.Execute(root, os.Args[1:], os.Stdout, os.Stderr))
}

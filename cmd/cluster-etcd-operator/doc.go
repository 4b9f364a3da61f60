// The cluster-etcd-operator binary: one program whose subcommands are the
// operator itself and the tools that share its decisions. This package only
// assembles them; each subcommand lives in a package below pkg/cmd.
package main

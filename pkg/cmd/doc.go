// Package cmd runs the command line: it turns what a subcommand returns into
// one line on standard error and an exit status. Each subcommand is a package
// of its own below this one.
//
// It knows no subcommand and decides nothing about etcd. Only
// cmd/cluster-etcd-operator imports it.
package cmd

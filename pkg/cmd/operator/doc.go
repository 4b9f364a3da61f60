// Package operator is the subcommand that runs the operator: command line, configuration file, serving of /healthz and
// /metrics, and leader election, through library-go's controllercmd. What runs under the lease is package pkg/operator.
package operator

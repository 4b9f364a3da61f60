// Package explain is the subcommand `explain`: it reads a must-gather, asks the cores, and prints what the operator would
// do and what stops it. It connects pkg/mustgather, pkg/observe and pkg/explain and decides nothing.
//
// Standard output carries the document alone. Only cmd/cluster-etcd-operator imports it.
package explain

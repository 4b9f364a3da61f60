// Package apiserver knows how the lab runs kube-apiserver and
// kube-controller-manager: the real programs, as child processes, with the
// flags of a small cluster.
package apiserver

// Package workers measures what the observer costs in a cluster with thousands of workers, on a real kube-apiserver: what
// it holds, and what it is told, must not depend on them.
//
// Nothing imports this package.
package workers

// Package kube starts a real kube-apiserver, with the disruption controller, on an etcd of its own, for tests about what
// an API server enforces: server-side apply, preconditions, disruption budgets, evictions. No node and no kubelet runs; a
// test that needs one plays it.
//
// The programs and CRDs are the lab's, in bin/lab (`make -C lab build`). Only tests import it.
package kube

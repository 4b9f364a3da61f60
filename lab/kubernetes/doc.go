// The programs of Kubernetes that the lab runs, unchanged but for three
// dependencies of the kubelet (see package kubelet), in one file: processes
// started from the same file share its pages, and the file is linked once.
//
// The first argument, or the name the file is called by, says which program it
// is: kube-apiserver, kube-controller-manager, kubelet or kubectl. The rest is
// that program's own command line.
//
// It is a module of its own because k8s.io/kubernetes pins what it depends on.
package main

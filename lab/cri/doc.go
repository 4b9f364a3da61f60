// Package cri serves the Kubernetes container runtime interface on a Unix
// socket for the kubelet of the same host. Containers are processes (package
// container), a pod sandbox is a record, an image is a name that is always
// there. State lives in memory: the server is pid 1 of its host and ends with
// it, and so do its containers.
package cri

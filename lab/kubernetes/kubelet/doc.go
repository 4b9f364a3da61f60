// Package kubelet is the kubelet as the lab's hosts run it: volumes, probes,
// status, static and mirror pods and events are the real code. Three
// dependencies are replaced, because a host of the lab is a set of namespaces
// and owns no control groups:
//
//   - cadvisor: capacity is that of the real machine, usage is not measured,
//   - the container manager: Kubernetes' own stub, which places nothing,
//   - the OOM adjuster: Kubernetes' own fake, which adjusts nothing.
package kubelet

// Package member is what runs in the containers of a host's etcd pod: Launch
// waits until etcd may start and then becomes etcd, and Readyz answers the
// kubelet's probes.
//
// It is a stand-in for the pod that the operator renders, and keeps its
// contract: a member that is not in the member list is "running, not ready"; it
// joins with the member list as its initial cluster; readiness does not depend
// on quorum.
package member

// Package portforward makes connections to ports of pods through the API server and the kubelet, as `kubectl port-forward`
// does, so that whoever has a kubeconfig and no way into the cluster's network can ask the members of etcd.
//
// It speaks the WebSocket form of that protocol (v4.channel.k8s.io), one WebSocket for each connection. It decides nothing
// and writes nothing to the cluster. Subcommands may import it.
package portforward

package hostinit

import "net/netip"

// Subcommand is the argument with which the lab starts a host.
const Subcommand = "host"

// ControlDescriptor is the socket to the lab in a host's first process.
const ControlDescriptor = 3

// Paths in a host.
const (
	RuntimeSocket = "/run/cri.sock"
	KubeletConfig = "/etc/kubernetes/kubelet-config.yaml"
	Kubeconfig    = "/etc/kubernetes/kubeconfig"
	ManifestsDir  = "/etc/kubernetes/manifests"
	KubeletLog    = "/var/log/kubelet.log"
	containersDir = "/var/lib/containers"
	kubeletDir    = "/var/lib/kubelet"
)

// Config is the first message to a host. It is sent when the host's interface
// exists.
type Config struct {
	Name string
	// Addresses are the host's, one of each family, and Gateways the ways out.
	Addresses []netip.Prefix
	Gateways  []netip.Addr
	// Root is the host's root folder on the machine.
	Root string
	// Programs is the folder with the lab's programs on the machine.
	Programs string
	// ProviderID is put into the Node.
	ProviderID string
	// Labels are put into the Node; the kubelet may not set all that exist.
	Labels map[string]string
}

// Command is every later message to a host.
type Command string

// What a host can be told.
const (
	StopKubelet  Command = "stop-kubelet"
	StartKubelet Command = "start-kubelet"
	// CutPeers keeps the host's etcd from its peers, and only from these; JoinPeers
	// undoes it.
	CutPeers  Command = "cut-peers"
	JoinPeers Command = "join-peers"
)

// Answer is what a host replies to each message. An empty Error means done.
type Answer struct {
	Error string
}

package hostinit

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"net/netip"
)

//go:embed protocol.go
var source []byte

// Protocol is another one for other messages than those of this file.
func Protocol() string {
	sum := sha256.Sum256(source)
	return hex.EncodeToString(sum[:8])
}

// ErrProtocol says that the lab and a program of its hosts were not built from the
// same sources.
var ErrProtocol = errors.New("etcdlab and labhost are of different revisions; build both with `make -C lab build`")

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
	// Protocol is that of the lab.
	Protocol string
	Name     string
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
	// Protocol is that of the host.
	Protocol string
	Error    string
}

package quorumguard

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	maxHostName = 63
	maxPodName  = 253
	hashLength  = 10
	guardPrefix = "etcd-guard-"
)

// PodName returns the name of a node's guard pod: etcd-guard-<node>. A node name that would make it longer than an
// object name may be (253) is cut, and a hash of the whole keeps it unique.
func PodName(node snapshot.NodeName) string { return shorten(guardPrefix+string(node), maxPodName) }

// HostName returns a host name for a node's guard pod (rule R7.6): a DNS label of at most 63 characters, the pod's name
// with dots made dashes, cut where it is too long; whatever is changed is made unique by a hash of the node's name.
func HostName(node snapshot.NodeName) string {
	name := PodName(node)
	label := strings.ReplaceAll(name, ".", "-")
	if label == name && len(label) <= maxHostName {
		return label
	}
	return withHash(label, name, maxHostName)
}

func shorten(name string, limit int) string {
	if len(name) <= limit {
		return name
	}
	return withHash(name, name, limit)
}

// withHash cuts name and appends a hash of whole, at most limit characters in all. The cut leaves no dash or dot before
// the hash, which a DNS label could not have at its end anyway.
func withHash(name, whole string, limit int) string {
	sum := sha256.Sum256([]byte(whole))
	keep := min(len(name), limit-hashLength-1)
	return strings.TrimRight(name[:keep], "-.") + "-" + hex.EncodeToString(sum[:])[:hashLength]
}

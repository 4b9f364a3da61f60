package observe

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const apiServerConfigKey = "config.yaml"

// convertRevisions reads the node statuses of etcd and of the API servers.
func (c *conversion) convertRevisions() {
	if c.Objects.Etcd.Exists.Holds() {
		status := c.Objects.Etcd.Value.Status
		c.s.LatestRevision = int(status.LatestAvailableRevision)
		for _, n := range status.NodeStatuses {
			c.s.NodeStatuses = append(c.s.NodeStatuses, snapshot.NodeStatus{
				Node: snapshot.NodeName(n.NodeName), Current: int(n.CurrentRevision), Target: int(n.TargetRevision),
			})
		}
	}
	c.s.APIServers = c.Objects.KubeAPIServer.Exists
	if !c.s.APIServers.Holds() {
		return
	}
	statuses := c.Objects.KubeAPIServer.Value.Status.NodeStatuses
	if len(statuses) == 0 {
		// The resource is written before its status: which endpoints API servers use is not known yet (rule R6.2).
		c.s.APIServers = snapshot.Unknown
	}
	for _, n := range statuses {
		server := snapshot.APIServerNode{Node: snapshot.NodeName(n.NodeName)}
		server.EtcdServersKnown, server.EtcdServers = c.etcdServers(int(n.CurrentRevision))
		c.s.APIServerNodes = append(c.s.APIServerNodes, server)
	}
}

// UnknownEtcdServers says by node, of each API server whose etcd endpoints are not known, which revision it runs and which
// ConfigMap would tell (rule R6.2): a clause for people, that no decision rests on.
func UnknownEtcdServers(o Objects) map[snapshot.NodeName]string {
	unknown := map[snapshot.NodeName]string{}
	if !o.KubeAPIServer.Exists.Holds() {
		return unknown
	}
	c := conversion{Pass: Pass{Objects: o}}
	for _, n := range o.KubeAPIServer.Value.Status.NodeStatuses {
		revision := int(n.CurrentRevision)
		if known, _ := c.etcdServers(revision); known.Holds() {
			continue
		}
		name, found := o.apiServerConfig(revision)
		clause := fmt.Sprintf("it runs revision %d, and ConfigMap %s in openshift-kube-apiserver ", revision, name)
		switch {
		case revision == 0:
			clause = "it runs no revision yet"
		case found != nil:
			clause += "is not understood"
		case o.APIServerConfigs.Complete.Holds():
			clause += "is not there"
		default:
			clause += "was not read"
		}
		unknown[snapshot.NodeName(n.NodeName)] = clause
	}
	return unknown
}

// apiServerConfig returns the name of the ConfigMap of a revision, and the ConfigMap; nil when it was not found.
func (o *Objects) apiServerConfig(revision int) (string, *corev1.ConfigMap) {
	name := "config-" + strconv.Itoa(revision)
	configs := o.APIServerConfigs.Items
	i := slices.IndexFunc(configs, func(m corev1.ConfigMap) bool { return m.Name == name })
	if revision == 0 || i < 0 {
		return name, nil
	}
	return name, &configs[i]
}

// etcdServers returns what the API servers of a revision connect to; a ConfigMap that is missing or unreadable tells
// nothing (rule R6.2).
func (c *conversion) etcdServers(revision int) (snapshot.Fact, []netip.Addr) {
	name, found := c.Objects.apiServerConfig(revision)
	if found == nil {
		return snapshot.Unknown, nil
	}
	text := found.Data[apiServerConfigKey]
	var config struct {
		APIServerArguments struct {
			EtcdServers []string `json:"etcd-servers"`
		} `json:"apiServerArguments"`
	}
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		c.report(&snapshot.InputError{
			Object: "ConfigMap " + name + " in openshift-kube-apiserver", Field: "data[" + apiServerConfigKey + "]",
			Problem: "is not JSON with apiServerArguments.etcd-servers",
			Remedy:  "see what the kube-apiserver operator wrote there",
		})
		return snapshot.Unknown, nil
	}
	var servers []netip.Addr
	for _, raw := range config.APIServerArguments.EtcdServers {
		if addr, ok := addressOfServer(raw); ok {
			servers = append(servers, addr)
		}
	}
	return snapshot.True, servers
}

// addressOfServer reads a client URL; names, localhost first of all, are nobody's address.
func addressOfServer(raw string) (netip.Addr, bool) {
	u, err := url.Parse(raw)
	if err != nil {
		return netip.Addr{}, false
	}
	addr, err := netip.ParseAddr(u.Hostname())
	if err != nil || addr.IsLoopback() {
		return netip.Addr{}, false
	}
	return addr.WithZone("").Unmap(), true
}

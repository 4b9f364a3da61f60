package live

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	clientPort = "2379"
	// bootstrapAddress is the annotation of ConfigMap etcd-endpoints with the address of the bootstrap member, which its
	// data never has.
	bootstrapAddress = "alpha.installer.openshift.io/etcd-bootstrap"
)

// readEtcd lists the members and asks each. If nobody answers at the addresses of ConfigMap etcd-endpoints, those of the
// control-plane Nodes are asked.
func (l *look) readEtcd(ctx context.Context) {
	listed, err := l.listMembers(ctx)
	l.report(err)
	if err != nil {
		return
	}
	l.Etcd = observe.Etcd{MemberList: snapshot.True, ClusterID: listed.ClusterID}
	for _, m := range listed.Members {
		l.Etcd.Members = append(l.Etcd.Members, observe.Member{
			ID: m.ID, Name: m.Name, PeerURLs: m.PeerURLs, ClientURLs: m.ClientURLs, Learner: m.Learner,
		})
	}
	probes, err := l.Config.Etcd.Probe(ctx, listed)
	l.report(err)
	l.attendance.attend(listed, probes)
	for i := range probes {
		l.report(probes[i].AlarmsErr)
		l.Etcd.Probes = append(l.Etcd.Probes, convertProbe(&probes[i]))
	}
}

func (l *look) listMembers(ctx context.Context) (etcdclient.MemberList, error) {
	l.Endpoints = clientURLs(l.published())
	if len(l.Endpoints) > 0 {
		listed, err := l.Config.Etcd.MemberList(ctx, l.Endpoints)
		if err == nil || ctx.Err() != nil {
			return listed, err
		}
		more := without(clientURLs(l.nodeAddresses()), l.Endpoints)
		if len(more) == 0 {
			return listed, err
		}
		l.Endpoints = append(l.Endpoints, more...)
		listed, second := l.Config.Etcd.MemberList(ctx, more)
		if second != nil {
			return listed, errors.Join(err, second)
		}
		return listed, nil
	}
	l.Endpoints = clientURLs(l.nodeAddresses())
	return l.Config.Etcd.MemberList(ctx, l.Endpoints)
}

// published are the addresses that ConfigMap etcd-endpoints names. They are only asked, so that a cache which does not
// know whether they are still right is good enough.
func (l *look) published() []string {
	var addresses []string
	items, _, _ := l.endpoints.read()
	for i := range items {
		for _, value := range items[i].Data {
			addresses = append(addresses, value)
		}
		addresses = append(addresses, items[i].Annotations[bootstrapAddress])
	}
	return addresses
}

func (l *look) nodeAddresses() []string {
	var addresses []string
	for _, c := range l.nodes {
		items, _, _ := c.read()
		for i := range items {
			for _, a := range items[i].Status.Addresses {
				if a.Type == corev1.NodeInternalIP {
					addresses = append(addresses, a.Address)
				}
			}
		}
	}
	return addresses
}

// clientURLs returns the URLs at which members with these addresses serve clients, each once and in order. What is no
// address is left out; the conversion reports it.
func clientURLs(addresses []string) []string {
	var urls []string
	for _, text := range addresses {
		if addr, err := netip.ParseAddr(text); err == nil {
			urls = append(urls, "https://"+net.JoinHostPort(addr.Unmap().WithZone("").String(), clientPort))
		}
	}
	slices.Sort(urls)
	return slices.Compact(urls)
}

func without(urls, others []string) []string {
	return slices.DeleteFunc(urls, func(url string) bool { return slices.Contains(others, url) })
}

func convertProbe(p *etcdclient.Probe) observe.Probe {
	probe := observe.Probe{Member: p.Member, Served: snapshot.True, CannotServe: p.CannotServe, Corrupt: p.Corrupt, NoSpace: p.NoSpace}
	switch {
	case p.Err == nil:
	case errors.Is(p.Err, etcdclient.ErrUnstarted), errors.Is(p.Err, etcdclient.ErrClosed), errors.Is(p.Err, etcdclient.ErrNoWay):
		probe.Served, probe.Error = snapshot.Unknown, p.Err.Error()
	default:
		probe.Served, probe.Error = snapshot.False, p.Err.Error()
	}
	if p.StatusKnown {
		probe.Status = &observe.Status{
			Leader: p.Status.Leader, Version: p.Status.Version, DatabaseBytes: p.Status.DatabaseBytes, AppliedIndex: p.Status.AppliedIndex,
		}
	}
	return probe
}

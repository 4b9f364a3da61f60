package crash

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	operatorv1 "github.com/openshift/api/operator/v1"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// hosts are in the order of the fake's places: the first three host its voters, the last waits to join.
var hosts = []snapshottest.Host{snapshottest.A, snapshottest.B, snapshottest.C, snapshottest.D}

const (
	namespace = "openshift-etcd"
	replaced  = snapshottest.A
	joining   = snapshottest.D
)

// world is all that outlives a process of the operator. Machine A is deleting, and host D waits to join.
type world struct {
	t         *testing.T
	etcd      *etcdclienttest.Cluster
	eyes      *etcdclient.Client
	kube      kubernetes.Interface
	operator  v1helpers.OperatorClient
	downSince time.Time
	// last is the member set of the pass before; changes counts how often members came, went or were promoted.
	last    []etcdclient.Member
	changes int
}

func newWorld(t *testing.T) *world {
	w := &world{
		t: t, etcd: etcdclienttest.New(t, etcdclienttest.Options{}),
		operator: v1helpers.NewFakeOperatorClient(&operatorv1.OperatorSpec{ManagementState: operatorv1.Managed}, &operatorv1.OperatorStatus{}, nil),
	}
	w.eyes = w.etcd.Client(t)
	data := map[string]string{}
	for _, m := range w.list().Members {
		data[m.ID.String()] = w.addressOf(m.PeerURLs).String()
	}
	w.kube = fake.NewClientset(&corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "etcd-endpoints", Annotations: map[string]string{"alpha.installer.openshift.io/etcd-bootstrap-": "192.0.2.99"}},
		Data:       data,
	})
	if place := w.etcd.Place(t); w.addressOf([]string{place}) != address(joining) {
		t.Fatalf("the next place is %s", place)
	}
	return w
}

func address(h snapshottest.Host) netip.Addr {
	return netip.AddrFrom4([4]byte{192, 0, 2, byte(1 + slices.Index(hosts, h))})
}

func (w *world) addressOf(urls []string) netip.Addr {
	w.t.Helper()
	addresses, err := snapshot.PeerAddresses("of the test", urls)
	if err != nil {
		w.t.Fatal(err)
	}
	return addresses[0]
}

func hostAt(a netip.Addr) snapshottest.Host {
	for _, h := range hosts {
		if address(h) == a {
			return h
		}
	}
	return ""
}

// list waits out an election.
func (w *world) list() etcdclient.MemberList {
	w.t.Helper()
	for range 10 {
		list, err := w.eyes.MemberList(w.t.Context(), w.etcd.Endpoints())
		if err == nil {
			return list
		}
		<-time.After(time.Second)
	}
	w.t.Fatal("there is no member list")
	return etcdclient.MemberList{}
}

// kill lets a host go dark.
func (w *world) kill(h snapshottest.Host) {
	for _, m := range w.list().Members {
		if hostAt(w.addressOf(m.PeerURLs)) == h {
			w.etcd.Kill(w.t, m.ID)
			w.downSince = time.Now()
		}
	}
}

// surroundings does what others do meanwhile: the etcd pod of an added member starts.
func (w *world) surroundings() {
	for _, m := range w.list().Members {
		if !m.Started() {
			w.etcd.Start(w.t, m.ID)
		}
	}
}

func (w *world) configMap(name string) map[string]string {
	w.t.Helper()
	found, err := w.kube.CoreV1().ConfigMaps(namespace).Get(w.t.Context(), name, metav1.GetOptions{})
	if err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		w.t.Fatal(err)
	}
	return found.Data
}

// observe makes a pass. API servers learn the endpoints at once, and guards follow members.
func (w *world) observe() pass.Pass {
	w.t.Helper()
	at := time.Now()
	list := w.list()
	probes, err := w.eyes.Probe(w.t.Context(), list)
	if err != nil {
		w.t.Fatal(err)
	}
	live, err := w.kube.CoreV1().ConfigMaps(namespace).Get(w.t.Context(), "etcd-endpoints", metav1.GetOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	s := snapshottest.New(snapshottest.Waiting(joining), snapshottest.Deleting(replaced))
	s.ObservedAt, s.ClusterID, s.Members, s.Guards, s.Endpoints, s.Leader = at, list.ClusterID, nil, nil, nil, 0
	for _, value := range live.Data {
		s.Endpoints = append(s.Endpoints, netip.MustParseAddr(value))
	}
	for i := range s.APIServerNodes {
		s.APIServerNodes[i].EtcdServers = s.Endpoints
	}
	world := snapshottest.World{Snapshot: s}
	for _, h := range hosts {
		world.Machine(h).Addresses = []netip.Addr{address(h)}
		node := world.Node(h)
		node.Addresses, node.PeerAddress = []netip.Addr{address(h)}, address(h)
		node.Etcd.ContainerReady, node.Etcd.Ready = snapshot.False, snapshot.False
	}
	for i, m := range list.Members {
		host := hostAt(w.addressOf(m.PeerURLs))
		world.Members = append(world.Members, w.member(m, probes[i]))
		if probes[i].StatusKnown {
			world.Leader = cmp.Or(probes[i].Status.Leader, world.Leader)
		}
		node := world.Node(host)
		node.Etcd.ContainerReady, node.Etcd.Ready = snapshot.Known(m.Started()), snapshot.Known(probes[i].Err == nil)
		world.Guards = append(world.Guards, snapshot.Guard{Node: host.Node(), Phase: snapshot.PodRunning, Ready: probes[i].Err == nil})
		if probes[i].Err != nil && m.Started() {
			node.Ready = snapshot.False
		}
	}
	p := pass.Pass{Decisions: decision.About(world.Snapshot), Endpoints: w.etcd.Endpoints()}
	p.Objects.Endpoints = observe.Found(live)
	p.Etcd = observe.Etcd{MemberList: snapshot.True, ClusterID: list.ClusterID}
	for _, m := range list.Members {
		p.Etcd.Members = append(p.Etcd.Members, observe.Member{ID: m.ID, Name: m.Name, PeerURLs: m.PeerURLs, ClientURLs: m.ClientURLs, Learner: m.Learner})
	}
	w.check(list, live.Data)
	return p
}

func (w *world) member(m etcdclient.Member, probe etcdclient.Probe) snapshot.Member {
	out := snapshot.Member{
		ID: m.ID, Name: m.Name, PeerURLs: m.PeerURLs, PeerAddresses: []netip.Addr{w.addressOf(m.PeerURLs)},
		Started: m.Started(), Learner: m.Learner, Health: snapshot.Healthy, CannotServe: probe.CannotServe,
		Corrupt: snapshot.False, NoSpace: snapshot.False, AddressClaimed: snapshot.True,
		AppliedIndex: probe.Status.AppliedIndex, Version: probe.Status.Version, DatabaseBytes: probe.Status.DatabaseBytes,
	}
	if probe.Err != nil && m.Started() {
		out.Health = snapshot.Unhealthy
		out.UnhealthyFor = time.Since(w.downSince)
	}
	return out
}

// check looks at what must hold in every pass, whatever was interrupted.
func (w *world) check(list etcdclient.MemberList, endpoints map[string]string) {
	w.t.Helper()
	known := 0
	for _, m := range list.Members {
		if !m.Learner && endpoints[m.ID.String()] == w.addressOf(m.PeerURLs).String() {
			known++
		}
	}
	if known < 2 {
		w.t.Errorf("etcd-endpoints %v name %d of the voters %v", endpoints, known, list.Members)
	}
	difference := 0
	for _, m := range list.Members {
		if i := slices.IndexFunc(w.last, func(o etcdclient.Member) bool { return o.ID == m.ID && o.Learner == m.Learner }); w.last != nil && i < 0 {
			difference++
		}
	}
	for _, m := range w.last {
		if list.Find(m.ID) == nil {
			difference++
		}
	}
	if difference > 1 {
		w.t.Errorf("more than one change in a pass: from %v to %v", w.last, list.Members)
	}
	w.last, w.changes = list.Members, w.changes+difference
}

// unfinished says what is not as it must be in the end; nil when the replacement is complete.
func (w *world) unfinished() error {
	list := w.list()
	want := map[string]string{}
	for _, h := range hosts[1:] {
		i := slices.IndexFunc(list.Members, func(m etcdclient.Member) bool { return hostAt(w.addressOf(m.PeerURLs)) == h })
		if i < 0 || list.Members[i].Learner {
			return fmt.Errorf("no voter on host %s: %v", h, list.Members)
		}
		want[list.Members[i].ID.String()] = address(h).String()
	}
	if len(list.Members) != len(want) {
		return fmt.Errorf("got members %v", list.Members)
	}
	if got := w.configMap("etcd-endpoints"); fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("got etcd-endpoints %v, want %v", got, want)
	}
	if got := w.configMap("etcd-members"); len(got) != len(want) {
		return fmt.Errorf("got etcd-members %v", got)
	}
	_, status, _, err := w.operator.GetOperatorState()
	if err != nil {
		return err
	}
	var wrong []error
	for name, want := range map[string]operatorv1.ConditionStatus{
		"EtcdMembersAvailable": operatorv1.ConditionTrue, "EtcdMembersDegraded": operatorv1.ConditionFalse,
		"EtcdMembersControllerDegraded": operatorv1.ConditionFalse, "EtcdEndpointsDegraded": operatorv1.ConditionFalse,
		"EtcdMembersProgressing": operatorv1.ConditionFalse, "ClusterMemberControllerProgressing": operatorv1.ConditionFalse,
		"ClusterMemberControllerDegraded": operatorv1.ConditionFalse,
	} {
		if c := v1helpers.FindOperatorCondition(status.Conditions, name); c == nil || c.Status != want {
			wrong = append(wrong, fmt.Errorf("condition %s is %+v, want %s", name, c, want))
		}
	}
	return errors.Join(wrong...)
}

package clustermember

import (
	"context"
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	operatorv1 "github.com/openshift/api/operator/v1"
	applyoperatorv1 "github.com/openshift/client-go/operator/applyconfigurations/operator/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/pass/passtest"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

func TestMain(m *testing.M) {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	_ = flags.Set("logtostderr", "false")
	_ = flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// harness has the controller, the strict fake of etcd, and everything that the controller writes to. It lives in a bubble.
type harness struct {
	*testing.T
	etcd     *etcdclienttest.Cluster
	eyes     *etcdclient.Client
	source   passtest.Source
	operator *operatorClient
	recorder events.InMemoryRecorder
	kube     kubernetes.Interface
	context  factory.SyncContext
	c        *controller
	lease    error
	// confirm is what live reads make of a decision; nil for no news.
	confirm func(membership.Decision) (membership.Decision, error)
	ids     map[int]snapshot.MemberID

	mu   sync.Mutex
	sent []string
	// before runs before a change is sent.
	before func()
}

// operatorClient counts writes; what a live read says may differ from what the cache says.
type operatorClient struct {
	v1helpers.OperatorClient
	live   operatorv1.ManagementState
	writes int
	fails  error
}

func (c *operatorClient) GetOperatorStateWithQuorum(context.Context) (*operatorv1.OperatorSpec, *operatorv1.OperatorStatus, string, error) {
	return &operatorv1.OperatorSpec{ManagementState: c.live}, &operatorv1.OperatorStatus{}, "", nil
}

func (c *operatorClient) ApplyOperatorStatus(ctx context.Context, manager string, status *applyoperatorv1.OperatorStatusApplyConfiguration) error {
	if c.fails != nil {
		return c.fails
	}
	c.writes++
	return c.OperatorClient.ApplyOperatorStatus(ctx, manager, status)
}

func newHarness(t *testing.T, managed operatorv1.ManagementState) *harness {
	h := &harness{
		T: t, etcd: etcdclienttest.New(t, etcdclienttest.Options{MaxLearners: 1}), kube: fake.NewClientset(),
		ids: map[int]snapshot.MemberID{},
		operator: &operatorClient{live: operatorv1.Managed, OperatorClient: v1helpers.NewFakeOperatorClient(
			&operatorv1.OperatorSpec{ManagementState: managed}, &operatorv1.OperatorStatus{}, nil)},
		recorder: events.NewInMemoryRecorder("test", clock.RealClock{}),
	}
	h.eyes = h.etcd.Client(t)
	client := etcdclient.New(etcdclient.Config{TLS: h.etcd.TLS(), Dial: func(urls []string, credentials func() (*tls.Config, error)) (etcdclient.Conn, error) {
		c, err := h.etcd.Dial(urls, credentials)
		return conn{c, h, urls[0]}, err
	}})
	h.context = factory.NewSyncContext("test", h.recorder)
	t.Cleanup(func() {
		client.Close()
		h.context.Queue().ShutDown()
	})
	h.c = newController(Config{
		Source: &h.source, Etcd: client, OperatorClient: h.operator, Events: h.kube.CoreV1(), Recorder: h.recorder,
		Clock: clock.RealClock{}, Lease: func(context.Context) error { return h.lease },
		Confirm: func(_ context.Context, p *pass.Pass) (membership.Decision, error) {
			if h.confirm != nil {
				return h.confirm(p.Membership)
			}
			return p.Membership, nil
		},
	})
	return h
}

// conn records the changes that are sent, with whom they are sent to.
type conn struct {
	etcdclient.Conn
	h   *harness
	url string
}

func (c conn) record(format string, args ...any) {
	c.h.mu.Lock()
	c.h.sent = append(c.h.sent, fmt.Sprintf(format, args...)+" at "+strings.TrimPrefix(strings.TrimSuffix(c.url, ":2379"), "https://192.0.2."))
	before := c.h.before
	c.h.mu.Unlock()
	if before != nil {
		before()
	}
}

func (c conn) AddLearner(ctx context.Context, urls []string) (snapshot.MemberID, error) {
	c.record("add")
	return c.Conn.AddLearner(ctx, urls)
}

func (c conn) Promote(ctx context.Context, id snapshot.MemberID) error {
	c.record("promote")
	return c.Conn.Promote(ctx, id)
}

func (c conn) Remove(ctx context.Context, id snapshot.MemberID) error {
	c.record("remove %d", c.h.number(id))
	return c.Conn.Remove(ctx, id)
}

func (c conn) MoveLeader(ctx context.Context, to snapshot.MemberID) error {
	c.record("move leader to %d", c.h.number(to))
	return c.Conn.MoveLeader(ctx, to)
}

func (h *harness) number(id snapshot.MemberID) int {
	for i := range 4 {
		if h.id(i+1) == id {
			return i + 1
		}
	}
	return 0
}

// list is etcd's member list; member n has peer address 192.0.2.n, and member 1 leads at first.
func (h *harness) list() etcdclient.MemberList {
	h.Helper()
	for range 10 {
		list, err := h.eyes.MemberList(h.Context(), h.etcd.Endpoints())
		if err == nil {
			slices.SortFunc(list.Members, func(a, b etcdclient.Member) int { return strings.Compare(a.PeerURLs[0], b.PeerURLs[0]) })
			return list
		}
		<-time.After(time.Second)
	}
	h.Fatal("there is no member list")
	return etcdclient.MemberList{}
}

// id returns the id of member n as it was last listed, or 0; it may be asked while etcd does not answer.
func (h *harness) id(n int) snapshot.MemberID { return h.ids[n] }

func (h *harness) remember(list etcdclient.MemberList) {
	for _, m := range list.Members {
		var n int
		if _, err := fmt.Sscanf(m.PeerURLs[0], "https://192.0.2.%d:2380", &n); err != nil {
			h.Fatal(err)
		}
		h.ids[n] = m.ID
	}
}

// observe makes a pass about the members as they are; edit changes the decision.
func (h *harness) observe(edit func(*pass.Pass)) pass.Pass {
	h.Helper()
	at := time.Now()
	list := h.list()
	h.remember(list)
	s := snapshottest.New()
	s.ObservedAt, s.ClusterID, s.Members, s.Leader = at, list.ClusterID, nil, 0
	for i, m := range list.Members {
		addresses, err := snapshot.PeerAddresses("of the test", m.PeerURLs)
		if err != nil {
			h.Fatal(err)
		}
		s.Members = append(s.Members, snapshot.Member{
			ID: m.ID, Name: m.Name, PeerURLs: m.PeerURLs, PeerAddresses: addresses, Started: m.Started(), Learner: m.Learner,
			Health: snapshot.Healthy, CannotServe: snapshot.False, Corrupt: snapshot.False, NoSpace: snapshot.False,
			AppliedIndex: 1, AddressClaimed: snapshot.True,
		})
		if i < len(s.Machines) {
			s.Machines[i].Addresses, s.Nodes[i].Addresses, s.Nodes[i].PeerAddress = addresses, addresses, addresses[0]
		}
	}
	s.Endpoints = []netip.Addr{}
	probes, err := h.eyes.Probe(h.Context(), list)
	if err != nil {
		h.Fatal(err)
	}
	for _, p := range probes {
		if p.Status.Leader != 0 {
			s.Leader = p.Status.Leader
		}
	}
	p := pass.Pass{Decisions: decision.About(s), Endpoints: h.etcd.Endpoints()}
	p.Membership = membership.Decision{
		Action: membership.Wait, Finding: reason.Finding{Rule: reason.R5, Reason: reason.MembershipAsExpected, Have: 3, Need: 3},
		ClusterID: p.Membership.ClusterID, MemberDigest: p.Membership.MemberDigest,
	}
	if edit != nil {
		edit(&p)
	}
	return p
}

// sync publishes a pass and runs the controller on it.
func (h *harness) sync(p pass.Pass) {
	h.Helper()
	h.source.Publish(p)
	h.again()
}

// again runs the controller on the pass that it has seen.
func (h *harness) again() {
	h.Helper()
	if err := h.c.sync(h.Context(), h.context); err != nil {
		h.Errorf("sync: %v", err)
	}
}

// settle ends the doubt that a process starts with.
func (h *harness) settle() {
	h.Helper()
	h.sync(h.observe(nil))
	<-time.After(apart)
	h.sync(h.observe(nil))
}

func (h *harness) takeSent() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	sent := h.sent
	h.sent = nil
	return sent
}

// wantSent compares what was sent to etcd since it was asked last.
func (h *harness) wantSent(want ...string) {
	h.Helper()
	if got := h.takeSent(); !slices.Equal(got, want) {
		h.Errorf("sent %q, want %q", got, want)
	}
}

func (h *harness) condition(suffix string) operatorv1.OperatorCondition {
	_, status, _, _ := h.operator.GetOperatorState()
	if c := v1helpers.FindOperatorCondition(status.Conditions, Name+suffix); c != nil {
		return *c
	}
	return operatorv1.OperatorCondition{}
}

// wantCondition compares status and reason.
func (h *harness) wantCondition(suffix string, status operatorv1.ConditionStatus, why reason.Reason) {
	h.Helper()
	if c := h.condition(suffix); c.Status != status || c.Reason != string(why) {
		h.Errorf("condition %s is %+v, want %s %s", suffix, c, status, why)
	}
}

// wantEvents compares the reasons of events on the operator.
func (h *harness) wantEvents(want ...string) {
	h.Helper()
	var got []string
	for _, e := range h.recorder.Events() {
		got = append(got, e.Reason)
	}
	if !slices.Equal(got, want) {
		h.Errorf("events %q, want %q", got, want)
	}
}

// eventsOnMachines returns the events on Machines as "<machine>: <reason>".
func (h *harness) eventsOnMachines() []string {
	list, err := h.kube.CoreV1().Events("openshift-machine-api").List(h.Context(), metav1.ListOptions{})
	if err != nil {
		h.Fatal(err)
	}
	var all []string
	for _, e := range list.Items {
		all = append(all, e.InvolvedObject.Name+": "+e.Reason)
	}
	return all
}

// The decisions that tests carry out.

func add(peerURL string) func(*pass.Pass) {
	return func(p *pass.Pass) {
		p.Membership.Action, p.Membership.PeerURL = membership.AddLearner, peerURL
		p.Membership.Target = membership.Target{Node: "node-d", Machine: "machine-b"}
		p.Membership.Finding = reason.Finding{Rule: reason.R5_1, Reason: reason.AddingLearner, Subject: "node-d"}
	}
}

func promote(h *harness, n int) func(*pass.Pass) {
	return func(p *pass.Pass) {
		p.Membership.Action, p.Membership.Target = membership.PromoteLearner, membership.Target{Member: h.id(n), Name: "node-d"}
		p.Membership.Finding = reason.Finding{Rule: reason.R5_2, Reason: reason.PromotingLearner, Subject: "node-d", Have: 4}
	}
}

// remove removes member n; moveTo is the member that leadership moves to first, or 0.
func remove(h *harness, n, moveTo int) func(*pass.Pass) {
	return func(p *pass.Pass) {
		p.Membership.Action = membership.RemoveMember
		p.Membership.Target = membership.Target{Member: h.id(n), Name: "node-a", Node: "node-a", Machine: "machine-a"}
		p.Membership.MoveLeaderTo = h.id(moveTo)
		p.Membership.Finding = reason.Finding{Rule: reason.R6_2, Reason: reason.RemovingReplacedMember, Subject: "node-a", Other: "machine-a"}
	}
}

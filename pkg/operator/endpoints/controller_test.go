package endpoints

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	operatorv1 "github.com/openshift/api/operator/v1"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/pass/passtest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

func TestMain(m *testing.M) {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	_ = flags.Set("logtostderr", "false")
	_ = flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// harness has the controller, etcd, and the API that it writes to. It lives in a bubble.
type harness struct {
	*testing.T
	etcd     *etcdclienttest.Cluster
	eyes     *etcdclient.Client
	kube     *fake.Clientset
	source   passtest.Source
	operator *operatorClient
	c        *controller
	mu       sync.Mutex
	// reads are what was read live, in order.
	reads []string
}

func (h *harness) read(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reads = append(h.reads, what)
}

type operatorClient struct {
	v1helpers.OperatorClient
	live operatorv1.ManagementState
}

func (c *operatorClient) GetOperatorStateWithQuorum(context.Context) (*operatorv1.OperatorSpec, *operatorv1.OperatorStatus, string, error) {
	return &operatorv1.OperatorSpec{ManagementState: c.live}, &operatorv1.OperatorStatus{}, "", nil
}

// run calls test in a bubble with a cluster of three voters and a ConfigMap that names them.
func run(t *testing.T, state operatorv1.ManagementState, test func(h *harness)) {
	synctest.Test(t, func(t *testing.T) {
		h := &harness{T: t, etcd: etcdclienttest.New(t, etcdclienttest.Options{})}
		h.eyes = h.etcd.Client(t)
		h.kube = fake.NewClientset(&corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: configMap, ResourceVersion: "7", Annotations: map[string]string{"others": "annotation"}},
			Data:       h.voters(),
		})
		h.kube.PrependReactor("get", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
			h.read("ConfigMap")
			return false, nil, nil
		})
		h.operator = &operatorClient{live: operatorv1.Managed, OperatorClient: v1helpers.NewFakeOperatorClient(
			&operatorv1.OperatorSpec{ManagementState: state}, &operatorv1.OperatorStatus{}, nil)}
		client := etcdclient.New(etcdclient.Config{TLS: h.etcd.TLS(), Dial: func(urls []string, credentials func() (*tls.Config, error)) (etcdclient.Conn, error) {
			c, err := h.etcd.Dial(urls, credentials)
			return conn{c, h}, err
		}})
		t.Cleanup(client.Close)
		h.c = newController(Config{
			Source: &h.source, Etcd: client, OperatorClient: h.operator, ConfigMaps: h.kube.CoreV1(),
			Recorder: events.NewInMemoryRecorder("test", clock.RealClock{}), Clock: clock.RealClock{},
		})
		test(h)
	})
}

type conn struct {
	etcdclient.Conn
	h *harness
}

func (c conn) List(ctx context.Context) (etcdclient.MemberList, error) {
	list, err := c.Conn.List(ctx)
	if err == nil {
		c.h.read("members")
	}
	return list, err
}

func (h *harness) list() etcdclient.MemberList {
	h.Helper()
	list, err := h.eyes.MemberList(h.Context(), h.etcd.Endpoints())
	if err != nil {
		h.Fatal(err)
	}
	slices.SortFunc(list.Members, func(a, b etcdclient.Member) int { return strings.Compare(a.PeerURLs[0], b.PeerURLs[0]) })
	return list
}

// voters is what the ConfigMap is to say about the voters that etcd has.
func (h *harness) voters() map[string]string {
	data := map[string]string{}
	for _, m := range h.list().Members {
		if !m.Learner {
			data[fmt.Sprintf("%x", uint64(m.ID))] = strings.TrimSuffix(strings.TrimPrefix(m.PeerURLs[0], "https://"), ":2380")
		}
	}
	return data
}

func (h *harness) change() etcdclient.Change {
	list := h.list()
	return etcdclient.Change{Endpoints: h.etcd.Endpoints(), Judged: list.Judged(), Through: list.Members[0].ID}
}

// join adds a learner that starts, and promotes it if it is to vote.
func (h *harness) join(votes bool) snapshot.MemberID {
	h.Helper()
	id, err := h.eyes.AddLearner(h.Context(), h.change(), []string{h.etcd.Place(h)})
	if err != nil {
		h.Fatal(err)
	}
	h.etcd.Start(h, id)
	if votes {
		if err := h.eyes.Promote(h.Context(), h.change(), id); err != nil {
			h.Fatal(err)
		}
	}
	<-time.After(6 * time.Second)
	return id
}

func (h *harness) remove(id snapshot.MemberID) {
	h.Helper()
	if err := h.eyes.Remove(h.Context(), h.change(), id); err != nil {
		h.Fatal(err)
	}
}

// observe makes a pass from etcd and the ConfigMap as they are.
func (h *harness) observe() pass.Pass {
	h.Helper()
	var p pass.Pass
	p.Snapshot.MemberList, p.Endpoints = snapshot.True, h.etcd.Endpoints()
	p.Etcd.MemberList = snapshot.True
	for _, m := range h.list().Members {
		p.Etcd.Members = append(p.Etcd.Members, observe.Member{ID: m.ID, Name: m.Name, PeerURLs: m.PeerURLs, ClientURLs: m.ClientURLs, Learner: m.Learner})
	}
	if live := h.live(); live != nil {
		p.Objects.Endpoints = observe.Found(live)
	} else {
		p.Objects.Endpoints = observe.Absent[corev1.ConfigMap]()
	}
	h.reads = nil
	return p
}

// live is the ConfigMap, or nil.
func (h *harness) live() *corev1.ConfigMap {
	h.Helper()
	object, err := h.kube.Tracker().Get(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, namespace, configMap)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		h.Fatal(err)
	}
	return object.(*corev1.ConfigMap).DeepCopy()
}

func (h *harness) sync(p pass.Pass) error {
	h.source.Publish(p)
	return h.c.sync(h.Context(), nil)
}

func (h *harness) writes() int {
	n := 0
	for _, a := range h.kube.Actions() {
		if a.GetVerb() != "get" {
			n++
		}
	}
	return n
}

// want fails unless the ConfigMap says data after so many writes, and the condition is as given.
func (h *harness) want(data map[string]string, writes int, status operatorv1.ConditionStatus, why string) {
	h.Helper()
	got := map[string]string{}
	if live := h.live(); live != nil {
		got = live.Data
	}
	if diff := cmp.Diff(data, got); diff != "" {
		h.Errorf("unexpected data (-want +got):\n%s", diff)
	}
	if h.writes() != writes {
		h.Errorf("wrote %d times, want %d", h.writes(), writes)
	}
	_, state, _, _ := h.operator.GetOperatorState()
	if status == "" && len(state.Conditions) == 0 {
		return
	}
	if c := v1helpers.FindOperatorCondition(state.Conditions, condition); c == nil || c.Status != status || c.Reason != why {
		h.Errorf("condition is %+v, want %s %s", c, status, why)
	}
}

func (h *harness) wantNoError(err error) {
	h.Helper()
	if err != nil {
		h.Error(err)
	}
}

const (
	yes = operatorv1.ConditionTrue
	no  = operatorv1.ConditionFalse
)

func TestWhatIsRightIsNotTouchedNorReadAgain(t *testing.T) {
	run(t, operatorv1.Managed, func(h *harness) {
		for range 3 {
			h.wantNoError(h.sync(h.observe()))
			if len(h.reads) != 0 {
				t.Errorf("read %q", h.reads)
			}
		}
		h.want(h.voters(), 0, no, updated)
	})
}

func TestAVotersAddressComesWhenItVotesAndGoesWhenTheListLacksIt(t *testing.T) {
	run(t, operatorv1.Managed, func(h *harness) {
		before := h.voters()
		h.join(false)
		h.wantNoError(h.sync(h.observe()))
		h.want(before, 0, no, updated)

		if err := h.eyes.Promote(h.Context(), h.change(), h.list().Members[3].ID); err != nil {
			t.Fatal(err)
		}
		h.wantNoError(h.sync(h.observe()))
		if len(h.voters()) != 4 {
			t.Fatalf("got voters %v", h.voters())
		}
		h.want(h.voters(), 1, no, updated)
		if len(h.reads) < 2 || h.reads[0] != "ConfigMap" || slices.Contains(h.reads[1:], "ConfigMap") {
			t.Errorf("read %q; the ConfigMap must be read before the members that go into it", h.reads)
		}
		if h.source.Lookups() != 1 {
			t.Errorf("looked again %d times, want 1", h.source.Lookups())
		}

		<-time.After(6 * time.Second)
		h.remove(h.list().Members[1].ID)
		h.wantNoError(h.sync(h.observe()))
		if len(h.voters()) != 3 {
			t.Fatalf("got voters %v", h.voters())
		}
		h.want(h.voters(), 2, no, updated)
		if got := h.live().Annotations["others"]; got != "annotation" {
			t.Errorf("annotations are %v", h.live().Annotations)
		}
	})
}

func TestThePassIsOnlyTheOccasionAndTheLiveListDecides(t *testing.T) {
	run(t, operatorv1.Managed, func(h *harness) {
		p := h.observe()
		p.Etcd.Members = p.Etcd.Members[:2]
		h.wantNoError(h.sync(p))
		h.want(h.voters(), 0, no, updated)
		h.join(true)
		h.wantNoError(h.sync(p))
		h.want(h.voters(), 1, no, updated)
	})
}

func TestNothingIsWrittenFromWhatIsNotKnown(t *testing.T) {
	for name, test := range map[string]struct {
		change func(h *harness, p *pass.Pass)
		status operatorv1.ConditionStatus
		reason string
		fails  bool
	}{
		"the pass has no list": {change: func(_ *harness, p *pass.Pass) {
			p.Snapshot.MemberList, p.Etcd.Members = snapshot.Unknown, p.Etcd.Members[:2]
		}},
		"the list holds no voter but the bootstrap member": {change: func(_ *harness, p *pass.Pass) {
			p.Etcd.Members = p.Etcd.Members[:1]
			p.Etcd.Members[0].Name = snapshot.BootstrapMember
		}, status: no, reason: updated},
		"a peer URL cannot be read": {change: func(_ *harness, p *pass.Pass) {
			p.Etcd.Members[1].PeerURLs = []string{"https://somewhere:2380"}
		}, status: yes, reason: failed, fails: true},
		"the live list cannot be read": {change: func(h *harness, p *pass.Pass) {
			p.Etcd.Members = p.Etcd.Members[:2]
			for _, m := range h.list().Members[1:] {
				h.etcd.Kill(h, m.ID)
			}
			<-time.After(2 * time.Second)
		}, status: yes, reason: failed, fails: true},
		"a live read says Unmanaged": {change: func(h *harness, p *pass.Pass) {
			p.Etcd.Members = p.Etcd.Members[:2]
			h.operator.live = operatorv1.Unmanaged
		}},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, operatorv1.Managed, func(h *harness) {
				voters := h.voters()
				p := h.observe()
				test.change(h, &p)
				if err := h.sync(p); (err != nil) != test.fails {
					t.Errorf("got error %v, want one %t", err, test.fails)
				}
				h.want(voters, 0, test.status, test.reason)
				if !p.Snapshot.MemberList.Holds() && len(h.reads) != 0 {
					t.Errorf("read %q for a pass that gives no occasion", h.reads)
				}
			})
		})
	}
}

func TestAListThatIsUnknownForTooLongIsDegraded(t *testing.T) {
	run(t, operatorv1.Managed, func(h *harness) {
		h.wantNoError(h.sync(h.observe()))
		p := h.observe()
		p.Snapshot.MemberList = snapshot.Unknown
		for range 2 {
			h.wantNoError(h.sync(p))
			h.want(h.voters(), 0, no, updated)
			<-time.After(5 * time.Minute)
		}
		h.wantNoError(h.sync(p))
		h.want(h.voters(), 0, yes, failed)
		h.wantNoError(h.sync(h.observe()))
		h.want(h.voters(), 0, no, updated)
	})
}

func TestAConfigMapThatIsMissingIsMade(t *testing.T) {
	run(t, operatorv1.Managed, func(h *harness) {
		if err := h.kube.Tracker().Delete(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, namespace, configMap); err != nil {
			t.Fatal(err)
		}
		h.wantNoError(h.sync(h.observe()))
		h.want(h.voters(), 1, no, updated)
	})
}

func TestAConfigMapThatCouldNotBeReadInThePassIsReadLive(t *testing.T) {
	run(t, operatorv1.Managed, func(h *harness) {
		h.join(true)
		p := h.observe()
		p.Objects.Endpoints = observe.Object[corev1.ConfigMap]{}
		h.wantNoError(h.sync(p))
		h.want(h.voters(), 1, no, updated)
	})
}

func TestAWriteThatFailsIsReportedAndTriedAgain(t *testing.T) {
	run(t, operatorv1.Managed, func(h *harness) {
		before := h.voters()
		h.join(true)
		p := h.observe()
		fails := true
		h.kube.PrependReactor("update", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
			if !fails {
				return false, nil, nil
			}
			return true, nil, apierrors.NewConflict(schema.GroupResource{Resource: "configmaps"}, configMap, errors.New("somebody wrote"))
		})
		if err := h.sync(p); !apierrors.IsConflict(err) {
			t.Errorf("got %v, want a conflict", err)
		}
		h.want(before, 1, yes, failed)
		fails = false
		h.wantNoError(h.c.sync(h.Context(), nil))
		h.want(h.voters(), 2, no, updated)
		h.reads = nil
		h.wantNoError(h.c.sync(h.Context(), nil))
		if len(h.reads) != 0 {
			t.Errorf("read %q for a pass that was acted on", h.reads)
		}
	})
}

// The write carries the resourceVersion that was read, so that an API server refuses it when somebody else wrote meanwhile.
func TestTheWriteCarriesTheResourceVersionThatWasRead(t *testing.T) {
	run(t, operatorv1.Managed, func(h *harness) {
		h.join(true)
		read := h.live().ResourceVersion
		if read == "" {
			t.Fatal("the ConfigMap has no resourceVersion")
		}
		h.wantNoError(h.sync(h.observe()))
		for _, a := range h.kube.Actions() {
			if update, ok := a.(clienttesting.UpdateAction); ok {
				if got := update.GetObject().(*corev1.ConfigMap).ResourceVersion; got != read {
					t.Errorf("wrote with resourceVersion %q, read was %q", got, read)
				}
				return
			}
		}
		t.Error("nothing was written")
	})
}

func TestNothingIsWrittenWhileUnmanaged(t *testing.T) {
	for _, state := range []operatorv1.ManagementState{operatorv1.Unmanaged, operatorv1.Removed} {
		t.Run(string(state), func(t *testing.T) {
			run(t, state, func(h *harness) {
				before := h.voters()
				h.join(true)
				h.wantNoError(h.sync(h.observe()))
				h.want(before, 0, "", "")
			})
		})
	}
}

func TestAddresses(t *testing.T) {
	voter := func(change func(*etcdclient.Member)) etcdclient.Member {
		m := etcdclient.Member{ID: 0xAB, Name: "master-0", PeerURLs: []string{"https://192.0.2.1:2380"}, ClientURLs: []string{"https://192.0.2.1:2379"}}
		change(&m)
		return m
	}
	for name, test := range map[string]struct {
		member etcdclient.Member
		want   map[string]string
		fails  bool
	}{
		"a voter by its id in lower-case hexadecimal": {member: voter(func(*etcdclient.Member) {}), want: map[string]string{"ab": "192.0.2.1"}},
		"a voter that has not started":                {member: voter(func(m *etcdclient.Member) { m.Name, m.ClientURLs = "", nil }), want: map[string]string{"ab": "192.0.2.1"}},
		"the first of two peer URLs, without brackets": {member: voter(func(m *etcdclient.Member) {
			m.PeerURLs = []string{"https://[fd00::0:1]:2380", "https://192.0.2.1:2380"}
		}), want: map[string]string{"ab": "fd00::1"}},
		"a learner is not there":              {member: voter(func(m *etcdclient.Member) { m.Learner = true }), want: map[string]string{}},
		"the bootstrap member is not there":   {member: voter(func(m *etcdclient.Member) { m.Name = snapshot.BootstrapMember }), want: map[string]string{}},
		"a peer URL that is garbage":          {member: voter(func(m *etcdclient.Member) { m.PeerURLs = []string{"https://192.0.2.1:2380", "%"} }), fails: true},
		"no peer URL":                         {member: voter(func(m *etcdclient.Member) { m.PeerURLs = nil }), fails: true},
		"a learner whose peer URL is garbage": {member: voter(func(m *etcdclient.Member) { m.Learner, m.PeerURLs = true, nil }), want: map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := addresses([]etcdclient.Member{test.member})
			if (err != nil) != test.fails {
				t.Errorf("got error %v, want one %t", err, test.fails)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("unexpected data (-want +got):\n%s", diff)
			}
		})
	}
}

package members

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	operatorv1 "github.com/openshift/api/operator/v1"
	applyoperatorv1 "github.com/openshift/client-go/operator/applyconfigurations/operator/v1"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/pass/passtest"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const (
	yes      = operatorv1.ConditionTrue
	no       = operatorv1.ConditionFalse
	unsure   = operatorv1.ConditionUnknown
	expected = "AsExpected"
	a, b, c  = snapshottest.A, snapshottest.B, snapshottest.C
	d        = snapshottest.D
)

type harness struct {
	*testing.T
	kube     *fake.Clientset
	source   passtest.Source
	operator *operatorClient
	clock    *clocktesting.FakePassiveClock
	c        *controller
}

type operatorClient struct {
	v1helpers.OperatorClient
	live   operatorv1.ManagementState
	writes int
}

func (c *operatorClient) GetOperatorStateWithQuorum(context.Context) (*operatorv1.OperatorSpec, *operatorv1.OperatorStatus, string, error) {
	return &operatorv1.OperatorSpec{ManagementState: c.live}, &operatorv1.OperatorStatus{}, "", nil
}

func (c *operatorClient) ApplyOperatorStatus(ctx context.Context, manager string, status *applyoperatorv1.OperatorStatusApplyConfiguration) error {
	c.writes++
	return c.OperatorClient.ApplyOperatorStatus(ctx, manager, status)
}

func newHarness(t *testing.T, state operatorv1.ManagementState) *harness {
	h := &harness{
		T: t, kube: fake.NewClientset(), clock: clocktesting.NewFakePassiveClock(snapshottest.Epoch),
		operator: &operatorClient{live: state, OperatorClient: v1helpers.NewFakeOperatorClient(
			&operatorv1.OperatorSpec{ManagementState: state}, &operatorv1.OperatorStatus{}, nil)},
	}
	h.restart()
	return h
}

// restart starts a new process on the same world.
func (h *harness) restart() {
	h.c = newController(Config{
		Source: &h.source, OperatorClient: h.operator, ConfigMaps: h.kube.CoreV1(),
		Recorder: events.NewInMemoryRecorder("test", h.clock), Clock: h.clock,
	})
}

// see publishes a pass about a world of the test.
func (h *harness) see(edits ...snapshottest.Edit) error {
	h.Helper()
	var p pass.Pass
	p.Snapshot = snapshottest.New(edits...)
	return h.sync(p)
}

func (h *harness) mustSee(edits ...snapshottest.Edit) {
	h.Helper()
	if err := h.see(edits...); err != nil {
		h.Error(err)
	}
}

func (h *harness) sync(p pass.Pass) error {
	h.source.Publish(p)
	return h.c.sync(h.Context(), nil)
}

func (h *harness) condition(name string) operatorv1.OperatorCondition {
	_, status, _, _ := h.operator.GetOperatorState()
	if c := v1helpers.FindOperatorCondition(status.Conditions, name); c != nil {
		return *c
	}
	return operatorv1.OperatorCondition{}
}

func (h *harness) want(name string, status operatorv1.ConditionStatus, why, message string) {
	h.Helper()
	want := operatorv1.OperatorCondition{Type: name, Status: status, Reason: why, Message: message}
	if diff := cmp.Diff(want, h.condition(name)); diff != "" {
		h.Errorf("unexpected condition (-want +got):\n%s", diff)
	}
}

// table is the data of ConfigMap etcd-members; nil when it does not exist.
func (h *harness) table() map[string]string {
	h.Helper()
	found, err := h.kube.CoreV1().ConfigMaps(namespace).Get(h.Context(), configMap, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		h.Fatal(err)
	}
	return found.Data
}

// writes counts writes of ConfigMaps and of conditions.
func (h *harness) writes() int {
	n := h.operator.writes
	for _, a := range h.kube.Actions() {
		if a.GetVerb() != "get" {
			n++
		}
	}
	return n
}

func size(of snapshottest.Host, mib float64) snapshottest.Edit {
	return snapshottest.Member(of, func(m *snapshot.Member) { m.DatabaseBytes = int64(mib * mebibyte) })
}

func unstartedLearner(w *snapshottest.World) {
	snapshottest.Learner(d)(w)
	snapshottest.Member(d, func(m *snapshot.Member) {
		m.Name, m.Started, m.Version, m.DatabaseBytes, m.Health = "", false, "", 0, snapshot.Unhealthy
	})(w)
}

func silent(m *snapshot.Member) { m.Health = snapshot.HealthUnknown }

func alarmsUnread(m *snapshot.Member) { m.Corrupt, m.NoSpace = snapshot.Unknown, snapshot.Unknown }

func TestMemberConditions(t *testing.T) {
	type condition struct {
		status          operatorv1.ConditionStatus
		reason, message string
	}
	well := condition{no, expected, ""}
	for name, test := range map[string]struct {
		edits                            []snapshottest.Edit
		available, degraded, progressing condition
	}{
		"all members are healthy": {nil, condition{yes, quorate, "3 members are available"}, well, well},
		"a healthy learner counts as well": {
			[]snapshottest.Edit{snapshottest.Learner(d)}, condition{yes, quorate, "4 members are available"}, well, well,
		},
		"one is down": {
			[]snapshottest.Edit{snapshottest.HostDead(b, time.Minute)},
			condition{yes, quorate, "2 of 3 members are available, node-b is unhealthy"}, condition{yes, unhealthy, "node-b is unhealthy"}, well,
		},
		"two are down": {
			[]snapshottest.Edit{snapshottest.HostDead(b, time.Minute), snapshottest.HostDead(a, time.Minute)},
			condition{no, noQuorum, "1 of 3 members are available, node-a is unhealthy, node-b is unhealthy"},
			condition{yes, unhealthy, "node-a is unhealthy\nnode-b is unhealthy"}, well,
		},
		"one is down and one has not started": {
			[]snapshottest.Edit{snapshottest.HostDead(b, time.Minute), unstartedLearner},
			condition{yes, quorate, "2 of 4 members are available, NAME-PENDING-192.0.2.13 has not started, node-b is unhealthy"},
			condition{yes, unhealthy, "node-b is unhealthy"}, condition{yes, notStarted, "NAME-PENDING-192.0.2.13 has not started"},
		},
		"one is corrupt": {
			[]snapshottest.Edit{snapshottest.Member(c, func(m *snapshot.Member) { m.Corrupt = snapshot.True })},
			condition{yes, quorate, "2 of 3 members are available, node-c is unhealthy"}, condition{yes, unhealthy, "node-c is unhealthy"}, well,
		},
		"of one it is not known": {
			[]snapshottest.Edit{snapshottest.Member(c, silent)},
			condition{yes, quorate, "2 of 3 members are available, node-c has unknown health"}, well, well,
		},
		"the Node of one was deleted, and its member is still there": {
			[]snapshottest.Edit{snapshottest.NodeGone(b)}, condition{yes, quorate, "3 members are available"}, well,
			condition{yes, "NodeMissing", "the Node of node-b does not exist or could not be read (to unblock: bring its Node back)"},
		},
		"the Node of one is gone whose Machine is to go": {
			[]snapshottest.Edit{snapshottest.NodeGone(b), snapshottest.Deleting(b)}, condition{yes, quorate, "3 members are available"}, well, well,
		},
		"the alarms of one are not known": {
			[]snapshottest.Edit{snapshottest.Member(c, alarmsUnread)}, condition{yes, quorate, "3 members are available"}, well, well,
		},
		"the alarms of none are known, and all answer": {
			[]snapshottest.Edit{snapshottest.Member(a, alarmsUnread), snapshottest.Member(b, alarmsUnread), snapshottest.Member(c, alarmsUnread)},
			condition{yes, quorate, "3 members are available"}, well, well,
		},
		"the alarms of none are known, and one voter and a learner answer": {
			[]snapshottest.Edit{
				snapshottest.Member(a, alarmsUnread), snapshottest.Member(b, silent), snapshottest.Member(c, silent), snapshottest.Learner(d),
				snapshottest.Member(d, alarmsUnread),
			},
			condition{no, noQuorum, "2 of 4 members are available, node-b has unknown health, node-c has unknown health"}, well, well,
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, operatorv1.Managed)
			h.mustSee(test.edits...)
			for name, want := range map[string]condition{available: test.available, degraded: test.degraded, progressing: test.progressing} {
				h.want(name, want.status, want.reason, want.message)
			}
			h.want("EtcdMembersControllerDegraded", no, expected, "")
		})
	}
}

func TestAMemberWhoseHealthIsUnknownForTooLongIsDegraded(t *testing.T) {
	h := newHarness(t, operatorv1.Managed)
	h.mustSee(snapshottest.Member(c, silent))
	h.clock.SetTime(h.clock.Now().Add(30*time.Minute - time.Second))
	h.mustSee(snapshottest.Member(c, silent))
	h.want(degraded, no, expected, "")
	h.clock.SetTime(h.clock.Now().Add(time.Second))
	h.mustSee(snapshottest.Member(c, silent))
	h.want(degraded, yes, unhealthy, "node-c counts neither as healthy nor as dead: it gave no answer that tells, or has alarm CORRUPT, or its alarms are not known (to unblock: bring back its endpoint or etcd's quorum, or see to its alarm; a member is never removed on an unknown)")
	h.want("EtcdMembersControllerDegraded", no, expected, "")
}

func TestAMemberWithoutANodeForTooLongIsDegraded(t *testing.T) {
	h := newHarness(t, operatorv1.Managed)
	h.mustSee(snapshottest.NodeGone(b))
	h.clock.SetTime(h.clock.Now().Add(30 * time.Minute))
	h.mustSee(snapshottest.NodeGone(b))
	h.want(degraded, yes, "NodeMissing", "the Node of node-b does not exist or could not be read (to unblock: bring its Node back)")
	h.want(progressing, no, expected, "")
	h.mustSee()
	h.want(degraded, no, expected, "")
}

func blind(s *snapshot.Snapshot) { s.MemberList, s.Members = snapshot.Unknown, nil }

const unread = "etcd's member list could not be read linearizably in this pass (to unblock: bring back etcd's quorum, or the operator's way to it)"

func TestAListThatCannotBeReadLeavesWhatWasKnownUntilItLastsTooLong(t *testing.T) {
	h := newHarness(t, operatorv1.Managed)
	h.mustSee(snapshottest.HostDead(b, time.Minute))
	before, table := h.writes(), h.table()
	h.mustSee(snapshottest.Facts(blind))
	if h.writes() != before {
		t.Error("something was written")
	}
	h.clock.SetTime(h.clock.Now().Add(10 * time.Minute))
	h.mustSee(snapshottest.Facts(blind))
	for _, name := range []string{available, degraded, progressing} {
		h.want(name, unsure, string(reason.MemberListUnknown), unread)
	}
	h.want("EtcdMembersControllerDegraded", yes, string(reason.MemberListUnknown), unread)
	if diff := cmp.Diff(table, h.table()); diff != "" {
		t.Errorf("the table changed (-before +after):\n%s", diff)
	}
	h.mustSee()
	h.want(available, yes, quorate, "3 members are available")
	h.want("EtcdMembersControllerDegraded", no, expected, "")
}

func TestAProcessThatHasNeverSeenAListKnowsNothing(t *testing.T) {
	h := newHarness(t, operatorv1.Managed)
	h.mustSee(snapshottest.Facts(blind))
	h.want(available, unsure, string(reason.MemberListUnknown), unread)
	h.want(degraded, unsure, string(reason.MemberListUnknown), unread)
	h.want("EtcdMembersControllerDegraded", no, expected, "")
	if h.table() != nil {
		t.Error("a table was written")
	}
}

// One that has no leader may be cut off from others whom only the operator does not reach.
func TestAQuorumOfEndpointsThatSayTheyCannotServeTellsThatThereIsNoQuorum(t *testing.T) {
	for name, test := range map[string]struct {
		// cut are the members that know no leader; silent are those that the operator does not reach.
		cut, silent []int
		status      operatorv1.ConditionStatus
		reason      string
	}{
		"all say so":                       {cut: []int{0, 1, 2}, status: no, reason: noQuorum},
		"two say so":                       {cut: []int{0, 1, 2}, silent: []int{2}, status: no, reason: noQuorum},
		"one says so, nobody else answers": {cut: []int{2}, silent: []int{0, 1}, status: unsure, reason: string(reason.MemberListUnknown)},
		"nobody answers":                   {silent: []int{0, 1, 2}, status: yes, reason: quorate},
		"no fault was met":                 {status: yes, reason: quorate},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, operatorv1.Managed)
				h.mustSee()
				etcd := etcdclienttest.New(t, etcdclienttest.Options{})
				endpoints := etcd.Endpoints()
				list, err := etcd.Client(t).MemberList(t.Context(), endpoints)
				if err != nil {
					t.Fatal(err)
				}
				for _, i := range test.cut {
					etcd.CutOff(t, list.Members[i].ID)
				}
				// Until they have given up their leader.
				<-time.After(time.Minute)
				for _, i := range test.silent {
					etcd.Pause(t, list.Members[i].ID)
				}
				p := pass.Pass{Endpoints: endpoints}
				p.Snapshot = snapshottest.New(snapshottest.Facts(blind))
				if len(test.cut)+len(test.silent) > 0 {
					_, err := etcd.Client(t).MemberList(t.Context(), endpoints)
					p.Faults = []error{errors.New("of something else"), fmt.Errorf("observe: %w", err)}
				}
				if err := h.sync(p); err != nil {
					t.Error(err)
				}
				if got := h.condition(available); got.Status != test.status || got.Reason != test.reason {
					t.Errorf("got %+v", got)
				}
				if got := h.condition("EtcdMembersControllerDegraded"); (got.Status == yes) != (p.Faults != nil) {
					t.Errorf("got %+v", got)
				}
			})
		})
	}
}

func TestFaultsAreDegradedWithTheirWords(t *testing.T) {
	h := newHarness(t, operatorv1.Managed)
	p := pass.Pass{Faults: []error{errors.New("read y"), errors.New("read x"), errors.New("read y")}}
	p.Snapshot = snapshottest.New()
	if err := h.sync(p); err != nil {
		t.Error(err)
	}
	h.want("EtcdMembersControllerDegraded", yes, "SyncError", "read x\nread y")
}

func TestTheTableTellsRoleHealthVersionAndSize(t *testing.T) {
	h := newHarness(t, operatorv1.Managed)
	h.mustSee(unstartedLearner, snapshottest.Learner(snapshottest.E), snapshottest.HostDead(b, time.Minute), size(a, 120.2),
		snapshottest.Member(c, func(m *snapshot.Member) {
			m.Corrupt, m.NoSpace, m.Version, m.DatabaseBytes = snapshot.True, snapshot.True, "", 0
		}))
	want := map[string]string{
		"a": `{"name":"node-a","role":"leader","health":"healthy","version":"3.6.16","databaseMiB":121}`,
		"b": `{"name":"node-b","role":"voter","health":"unhealthy","version":"3.6.16","databaseMiB":1}`,
		"c": `{"name":"node-c","role":"voter","health":"unhealthy","alarms":["CORRUPT","NOSPACE"]}`,
		"d": `{"name":"NAME-PENDING-192.0.2.13","role":"unstarted","health":"unknown"}`,
		"e": `{"name":"node-e","role":"learner","health":"healthy","version":"3.6.16","databaseMiB":1}`,
	}
	if diff := cmp.Diff(want, h.table()); diff != "" {
		t.Errorf("unexpected table (-want +got):\n%s", diff)
	}
	h.mustSee()
	if got := h.table(); len(got) != 3 {
		t.Errorf("members that are gone are still there: %v", got)
	}
}

func TestADatabaseThatGrowsALittleIsNotWrittenAgain(t *testing.T) {
	for name, test := range map[string]struct {
		first, then float64
		written     string
	}{
		"as before":                          {100, 100, "100"},
		"16 MiB more":                        {100, 116, "100"},
		"more than 16 MiB and a tenth more":  {100, 116.1, "117"},
		"16 MiB less":                        {100, 84, "100"},
		"more than 16 MiB and a tenth less":  {100, 83, "83"},
		"a tenth of a large one":             {1000, 1100, "1000"},
		"more than a tenth of a large one":   {1000, 1101, "1101"},
		"a small one that doubles":           {2, 4, "2"},
		"the member does not tell this time": {1000, 0, "1000"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, operatorv1.Managed)
			h.mustSee(size(a, test.first))
			before := h.writes()
			// What was published counts, not what a process remembers.
			h.restart()
			h.mustSee(size(a, test.then))
			want := `{"name":"node-a","role":"leader","health":"healthy","version":"3.6.16","databaseMiB":` + test.written + `}`
			if got := h.table()["a"]; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if wrote := h.writes() != before; wrote != (test.written != fmt.Sprint(test.first)) {
				t.Errorf("wrote %t", wrote)
			}
		})
	}
}

func TestAClusterAtRestWritesNothing(t *testing.T) {
	h := newHarness(t, operatorv1.Managed)
	h.mustSee(size(a, 100))
	before := h.writes()
	for i := range 10 {
		h.clock.SetTime(h.clock.Now().Add(time.Minute))
		h.mustSee(size(a, 100+float64(i)/10), snapshottest.Member(b, func(m *snapshot.Member) { m.AppliedIndex += uint64(i) }))
	}
	if got := h.writes(); got != before {
		t.Errorf("wrote %d times", got-before)
	}
}

func TestATableThatSomebodyBrokeIsRepaired(t *testing.T) {
	h := newHarness(t, operatorv1.Managed)
	h.mustSee()
	good := h.table()
	broken, _ := h.kube.CoreV1().ConfigMaps(namespace).Get(t.Context(), configMap, metav1.GetOptions{})
	broken.Data = map[string]string{"a": "{", "zz": "garbage"}
	if _, err := h.kube.CoreV1().ConfigMaps(namespace).Update(t.Context(), broken, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	h.mustSee()
	if diff := cmp.Diff(good, h.table()); diff != "" {
		t.Errorf("unexpected table (-want +got):\n%s", diff)
	}
}

func TestATableThatCannotBeWrittenDoesNotKeepTheConditionsBack(t *testing.T) {
	h := newHarness(t, operatorv1.Managed)
	fails := true
	h.kube.PrependReactor("create", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
		return fails, nil, apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, configMap, errors.New("no"))
	})
	if err := h.see(); !apierrors.IsForbidden(err) {
		t.Errorf("got %v, want it to be tried again", err)
	}
	h.want(available, yes, quorate, "3 members are available")
	if got := h.condition("EtcdMembersControllerDegraded"); got.Status != yes {
		t.Errorf("got %+v", got)
	}
	fails = false
	if err := h.c.sync(t.Context(), nil); err != nil {
		t.Error(err)
	}
	h.want("EtcdMembersControllerDegraded", no, expected, "")
	if len(h.table()) != 3 {
		t.Errorf("got table %v", h.table())
	}
	before := len(h.kube.Actions())
	if err := h.c.sync(t.Context(), nil); err != nil || len(h.kube.Actions()) != before {
		t.Errorf("the same pass was reported again: %v", err)
	}
}

func TestNothingIsWrittenWhileUnmanaged(t *testing.T) {
	for _, state := range []operatorv1.ManagementState{operatorv1.Unmanaged, operatorv1.Removed} {
		t.Run(string(state), func(t *testing.T) {
			h := newHarness(t, state)
			h.mustSee()
			if h.writes() != 0 {
				t.Errorf("wrote %d times", h.writes())
			}
		})
	}
	t.Run("as only a live read tells", func(t *testing.T) {
		h := newHarness(t, operatorv1.Managed)
		h.operator.live = operatorv1.Unmanaged
		h.mustSee()
		if h.writes() != 0 {
			t.Errorf("wrote %d times", h.writes())
		}
	})
}

package machinedeletionhook

import (
	"context"
	"net/http"
	"testing"
	"time"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	machinefake "github.com/openshift/client-go/machine/clientset/versioned/fake"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	testclock "k8s.io/utils/clock/testing"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/pass/passtest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const a, b, c, d = world.A, world.B, world.C, world.D

// bench is a controller on a cluster that a test controls. What an API server enforces is not here: see
// test/integration/machines.
type bench struct {
	t        *testing.T
	source   passtest.Source
	clock    *testclock.FakePassiveClock
	machines *machinefake.Clientset
	kube     *kubefake.Clientset
	spec     *operatorv1.OperatorSpec
	operator v1helpers.OperatorClient
	members  membersFunc
	record   *Record
	*controller
	queue factory.SyncContext
}

type membersFunc func() (etcdclient.MemberList, error)

func (f *membersFunc) MemberList(context.Context, []string) (etcdclient.MemberList, error) {
	return (*f)()
}

func newBench(t *testing.T) *bench {
	t.Helper()
	x := &bench{
		t: t, clock: testclock.NewFakePassiveClock(world.Epoch.Add(time.Hour)), kube: kubefake.NewClientset(),
		spec: &operatorv1.OperatorSpec{ManagementState: operatorv1.Managed}, machines: machinefake.NewClientset(),
	}
	x.operator = v1helpers.NewFakeOperatorClient(x.spec, &operatorv1.OperatorStatus{}, nil)
	x.record = NewRecord(x.clock)
	recorder := events.NewInMemoryRecorder("test", x.clock)
	x.controller = newController(Config{
		Source: &x.source, Etcd: &x.members, Machines: x.machines.MachineV1beta1(), OperatorClient: x.operator,
		Events: x.kube.CoreV1(), Recorder: recorder, Clock: x.clock, Record: x.record,
	})
	x.queue = factory.NewSyncContext(Name, recorder)
	t.Cleanup(x.queue.Queue().ShutDown)
	return x
}

// live makes the API server have the Machines of a world, and etcd its members.
func (x *bench) live(edits ...world.Edit) {
	x.t.Helper()
	s := world.New(edits...)
	resource := machinev1beta1.GroupVersion.WithResource("machines")
	for i := range s.Machines {
		machine := machineOf(&s.Machines[i])
		if err := x.machines.Tracker().Update(resource, machine, machineNamespace); err == nil {
			continue
		}
		if err := x.machines.Tracker().Create(resource, machine, machineNamespace); err != nil {
			x.t.Fatal(err)
		}
	}
	x.members = func() (etcdclient.MemberList, error) { return listOf(&s), nil }
}

// pass publishes what the cores say about a world that is seen now, and lets the controller act on it.
func (x *bench) pass(edits ...world.Edit) {
	x.t.Helper()
	s := world.New(edits...)
	s.ObservedAt = x.clock.Now()
	for i := range s.Machines {
		s.Machines[i].HookBackOff = x.record.HookBackOff(s.Machines[i].Name, s.Machines[i].UID)
	}
	x.source.Publish(pass.Pass{Decisions: decision.About(s)})
	x.sync()
}

func (x *bench) sync() {
	x.t.Helper()
	if err := x.controller.sync(x.t.Context(), x.queue); err != nil {
		x.t.Fatal(err)
	}
}

func (x *bench) advance(d time.Duration) { x.clock.SetTime(x.clock.Now().Add(d)) }

// writes are the Machines that a write was tried on, and how, in order; they are forgotten.
func (x *bench) writes() []string {
	var writes []string
	for _, action := range x.machines.Actions() {
		if patch, ok := action.(clienttesting.PatchAction); ok {
			kind := map[types.PatchType]string{types.ApplyPatchType: "apply", types.JSONPatchType: "patch"}[patch.GetPatchType()]
			writes = append(writes, kind+" "+patch.GetName())
		}
	}
	x.machines.ClearActions()
	return writes
}

func (x *bench) condition(kind string) operatorv1.OperatorCondition {
	x.t.Helper()
	_, status, _, err := x.operator.GetOperatorState()
	if err != nil {
		x.t.Fatal(err)
	}
	found := v1helpers.FindOperatorCondition(status.Conditions, Name+kind)
	if found == nil {
		x.t.Fatalf("condition %s%s was not written", Name, kind)
	}
	return *found
}

// told are the events about Machines, as "type machine: message".
func (x *bench) told() []string {
	x.t.Helper()
	list, err := x.kube.CoreV1().Events(machineNamespace).List(x.t.Context(), metav1.ListOptions{})
	if err != nil {
		x.t.Fatal(err)
	}
	var told []string
	for i := range list.Items {
		e := &list.Items[i]
		if e.Reason != "MachineDeletionHook" || e.InvolvedObject.Kind != "Machine" || e.InvolvedObject.UID == "" {
			x.t.Errorf("unexpected event: %+v", e)
		}
		told = append(told, e.Type+" "+e.InvolvedObject.Name+": "+e.Message)
	}
	return told
}

// refuse has every write to a Machine answered with an error.
func (x *bench) refuse(name string, answer error) {
	x.machines.PrependReactor("patch", "machines", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if action.(clienttesting.PatchAction).GetName() != name {
			return false, nil, nil
		}
		return true, nil, answer
	})
}

var machineResource = schema.GroupResource{Group: "machine.openshift.io", Resource: "machines"}

func failedTest() error {
	return apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "patch", machineResource, "", "the test failed", 0, false)
}

func machineOf(m *snapshot.Machine) *machinev1beta1.Machine {
	machine := &machinev1beta1.Machine{
		TypeMeta: metav1.TypeMeta{APIVersion: "machine.openshift.io/v1beta1", Kind: "Machine"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: machineNamespace, Name: string(m.Name), UID: types.UID(m.UID), ResourceVersion: "7",
			Labels: map[string]string{"machine.openshift.io/cluster-api-machine-role": "master"},
		},
	}
	if m.Phase != "" {
		machine.Status.Phase = &m.Phase
	}
	if m.Deleting {
		machine.DeletionTimestamp = &metav1.Time{Time: m.DeletionTimestamp}
		machine.Finalizers = []string{"machine.machine.openshift.io"}
	}
	if m.NodeRef != "" {
		machine.Status.NodeRef = &corev1.ObjectReference{Name: string(m.NodeRef)}
	}
	for _, addr := range m.Addresses {
		machine.Status.Addresses = append(machine.Status.Addresses, corev1.NodeAddress{Type: corev1.NodeInternalIP, Address: addr.String()})
	}
	hooks := &machine.Spec.LifecycleHooks
	for _, other := range m.OtherHooks {
		hooks.PreDrain = append(hooks.PreDrain, machinev1beta1.LifecycleHook{Name: other.Name, Owner: other.Owner})
	}
	switch m.Hook {
	case snapshot.HookPresent:
		hooks.PreDrain = append(hooks.PreDrain, machinev1beta1.LifecycleHook{Name: observe.HookName, Owner: observe.HookOwner})
	case snapshot.HookWrongOwner:
		hooks.PreDrain = append(hooks.PreDrain, machinev1beta1.LifecycleHook{Name: observe.HookName, Owner: "somebody"})
	}
	return machine
}

func listOf(s *snapshot.Snapshot) etcdclient.MemberList {
	list := etcdclient.MemberList{ClusterID: s.ClusterID}
	for i := range s.Members {
		m := &s.Members[i]
		member := etcdclient.Member{ID: m.ID, Name: m.Name, PeerURLs: m.PeerURLs, Learner: m.Learner}
		if m.Started {
			member.ClientURLs = []string{"https://192.0.2.1:2379"}
		}
		list.Members = append(list.Members, member)
	}
	return list
}

func stripped(hosts ...world.Host) world.Edit {
	return func(w *world.World) {
		for _, h := range hosts {
			w.Machine(h).Hook = snapshot.HookMissing
		}
	}
}

type edit func() []world.Edit

func released() []world.Edit { return []world.Edit{world.Released(a)} }
func gone() []world.Edit     { return []world.Edit{world.MachineGone(a)} }

func snapshotName(name string) snapshot.MachineName { return snapshot.MachineName(name) }

// publish lets the controller act on a snapshot as it is.
func (x *bench) publish(s snapshot.Snapshot) {
	x.t.Helper()
	x.source.Publish(pass.Pass{Decisions: decision.About(s)})
	x.sync()
}

func (x *bench) patches() []clienttesting.PatchAction {
	var patches []clienttesting.PatchAction
	for _, action := range x.machines.Actions() {
		if patch, ok := action.(clienttesting.PatchAction); ok {
			patches = append(patches, patch)
		}
	}
	return patches
}

// liveSpec says another managementState when it is asked live than its cache does.
type liveSpec struct {
	v1helpers.OperatorClient
	state operatorv1.ManagementState
}

func (l liveSpec) GetOperatorStateWithQuorum(context.Context) (*operatorv1.OperatorSpec, *operatorv1.OperatorStatus, string, error) {
	return &operatorv1.OperatorSpec{ManagementState: l.state}, &operatorv1.OperatorStatus{}, "1", nil
}

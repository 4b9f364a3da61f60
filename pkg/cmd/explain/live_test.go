package explain

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-etcd-operator/pkg/explain"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

func forbidden(resource schema.GroupResource, where string) error {
	return apierrors.NewForbidden(resource, "", fmt.Errorf("User %q cannot list resource %q in API group %q %s", "system:serviceaccount:n:s", resource.Resource, resource.Group, where))
}

// TestAMissingRightIsNamedWithWhatIsUnknown: in the operator's pod it is always so for the budgets of others.
func TestAMissingRightIsNamedWithWhatIsUnknown(t *testing.T) {
	budgets := policyv1.Resource("poddisruptionbudgets")
	kube := fake.NewClientset()
	kube.PrependReactor("list", budgets.Resource, func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, forbidden(budgets, "at the cluster scope")
	})
	c := &cluster{kube: kube}
	s := snapshottest.New(snapshottest.Deleting(snapshottest.A))
	_, err := c.foreignBudgets(t.Context(), &s)
	if err == nil {
		t.Fatal("the API server's refusal is no error")
	}
	for name, test := range map[string]struct {
		err  error
		want explain.Warning
	}{
		"budgets of others": {err, explain.Warning{Reason: "RightMissing", Message: "PodDisruptionBudgets of others (they may hold up the drain of a deleting Machine) unknown: " +
			"the right to list poddisruptionbudgets.policy for the whole cluster is missing " +
			`(User "system:serviceaccount:n:s" cannot list resource "poddisruptionbudgets" in API group "policy" at the cluster scope)`}},
		"pods": {fmt.Errorf("watch pods of etcd and its guards: %w", forbidden(corev1.Resource("pods"), `in the namespace "openshift-etcd"`)), explain.Warning{Reason: "RightMissing",
			Message: "pods of etcd and its guards unknown: the right to list pods in namespace openshift-etcd is missing " +
				`(User "system:serviceaccount:n:s" cannot list resource "pods" in API group "" in the namespace "openshift-etcd")`}},
		"something else than a right": {errors.New("list pods: connection refused"), explain.Warning{Reason: "ReadFailed", Message: "list pods: connection refused"}},
		"another refusal": {fmt.Errorf("list pods: %w", apierrors.NewForbidden(corev1.Resource("pods"), "", errors.New("closed"))),
			explain.Warning{Reason: "ReadFailed", Message: "list pods: pods is forbidden: closed"}},
		"what cannot be understood": {&snapshot.InputError{Object: "o", Field: "f", Problem: "p", Remedy: "r"},
			explain.Warning{Reason: "InputUnreadable", Message: (&snapshot.InputError{Object: "o", Field: "f", Problem: "p", Remedy: "r"}).Error()}},
	} {
		t.Run(name, func(t *testing.T) {
			in := explain.Input{Source: explain.SourceLive}
			addFaults(&in, []error{test.err})
			if len(in.Warnings) != 1 || in.Warnings[0] != test.want {
				t.Errorf("warnings %+v\nwant %+v", in.Warnings, test.want)
			}
		})
	}
}

func TestBudgetsOfOthersAreNotAskedForInVain(t *testing.T) {
	kube := fake.NewClientset()
	s := snapshottest.New()
	if budgets, err := (&cluster{kube: kube}).foreignBudgets(t.Context(), &s); err != nil || budgets != nil || len(kube.Actions()) > 0 {
		t.Errorf("without a deleting Machine: %v, %v, asked %v", budgets, err, kube.Actions())
	}
}

func TestBudgetsThatMayNotBeListedAreNotAbsent(t *testing.T) {
	guard := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "etcd-guard-node-a", Labels: map[string]string{"app": "guard"}}}
	client := fake.NewClientset()
	client.PrependReactor("list", "poddisruptionbudgets", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewForbidden(policyv1.Resource("poddisruptionbudgets"), "", errors.New("no right"))
	})
	in := explain.Input{Unread: map[explain.Part]string{}}
	if err := (&cluster{kube: client}).addGuardBudgets(t.Context(), &in, []corev1.Pod{guard}); !apierrors.IsForbidden(err) {
		t.Errorf("error %v", err)
	}
	if why := in.Unread[explain.GuardBudget]; !strings.Contains(why, "no right") {
		t.Errorf("what was not read: %v", in.Unread)
	}
}

// Whoever asks why nothing happens finds a plan that nobody carries out.
func TestAnOperatorThatDoesNotRunIsTold(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	held := func(ago time.Duration) *coordinationv1.Lease {
		return &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: "openshift-etcd-operator", Name: "openshift-cluster-etcd-operator-lock"},
			Spec: coordinationv1.LeaseSpec{RenewTime: &metav1.MicroTime{Time: now.Add(-ago)}, LeaseDurationSeconds: ptr.To[int32](137)}}
	}
	for name, test := range map[string]struct {
		lease *coordinationv1.Lease
		want  string
	}{
		"it runs": {held(30 * time.Second), ""},
		"it may run, by a clock that is minutes ahead": {held(7 * time.Minute), ""},
		"it stopped":   {held(10 * time.Minute), "the operator does not run: Lease openshift-cluster-etcd-operator-lock in openshift-etcd-operator was last renewed at 2026-01-01T11:50:00Z"},
		"it never ran": {nil, "no operator of this kind runs here"},
	} {
		t.Run(name, func(t *testing.T) {
			var objects []runtime.Object
			if test.lease != nil {
				objects = append(objects, test.lease)
			}
			c := &cluster{kube: fake.NewClientset(objects...)}
			got, err := c.notRunning(t.Context(), now)
			if err != nil || !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// Without quorum the API server says who it is, and lists nothing.
func TestAnAPIServerThatListsNothingIsTold(t *testing.T) {
	none := observe.Objects{}
	if !silent(&none, []error{errors.New("list members: no endpoint answered: none is known")}) {
		t.Error("nothing was listed, and that is not told")
	}
	if silent(&none, []error{fmt.Errorf("list pods: %w", forbidden(corev1.Resource("pods"), ""))}) {
		t.Error("a right is missing, and the API server is blamed")
	}
	if silent(&observe.Objects{Nodes: observe.Listed[corev1.Node](nil)}, nil) {
		t.Error("Nodes were listed, and the API server is blamed")
	}
}

func TestARightThatIsMissingMakesItsPartUnread(t *testing.T) {
	got := unreadable([]error{
		fmt.Errorf("list Nodes: %w", forbidden(corev1.Resource("nodes"), "at the cluster scope")),
		fmt.Errorf("list ConfigMaps: %w", forbidden(corev1.Resource("configmaps"), `in the namespace "openshift-etcd"`)),
		errors.New("list pods: connection refused"),
	})
	want := map[explain.Part]string{explain.Nodes: "whoever asks here has no right to list nodes", explain.Endpoints: "whoever asks here has no right to list configmaps"}
	if !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

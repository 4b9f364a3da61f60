package explain

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/openshift/cluster-etcd-operator/pkg/explain"
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
	var in explain.Input
	if err := (&cluster{kube: client}).addGuardBudgets(t.Context(), &in, []corev1.Pod{guard}); !apierrors.IsForbidden(err) {
		t.Errorf("error %v", err)
	}
	if why := in.Unread[explain.GuardBudget]; !strings.Contains(why, "no right") {
		t.Errorf("what was not read: %v", in.Unread)
	}
}

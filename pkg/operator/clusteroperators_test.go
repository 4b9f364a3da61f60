package operator

import (
	"context"
	"errors"
	"testing"

	configv1 "github.com/openshift/api/config/v1"
	configv1client "github.com/openshift/client-go/config/clientset/versioned/typed/config/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// answering is a ClusterOperator API with one answer to writes of status.
type answering struct {
	configv1client.ClusterOperatorInterface
	err error
}

func (a answering) ClusterOperators() configv1client.ClusterOperatorInterface { return a }

func (a answering) UpdateStatus(_ context.Context, operator *configv1.ClusterOperator, _ metav1.UpdateOptions) (*configv1.ClusterOperator, error) {
	return operator, a.err
}

func TestAnOperatorThatWasOvertakenByAnotherRunsAgainAndSaysNothing(t *testing.T) {
	resource := schema.GroupResource{Group: "config.openshift.io", Resource: "clusteroperators"}
	forbidden := apierrors.NewForbidden(resource, "etcd", errors.New("no"))
	for name, test := range map[string]struct{ answer, want error }{
		"it was first":                    {nil, nil},
		"it was overtaken":                {apierrors.NewConflict(resource, "etcd", errors.New("changed")), factory.SyntheticRequeueError},
		"any other error is left to tell": {forbidden, forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			operators := handedOver{answering{err: test.answer}}.ClusterOperators()
			// library-go compares with ==.
			if _, err := operators.UpdateStatus(t.Context(), &configv1.ClusterOperator{}, metav1.UpdateOptions{}); err != test.want {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

package operator

import (
	"context"

	configv1 "github.com/openshift/api/config/v1"
	configv1client "github.com/openshift/client-go/config/clientset/versioned/typed/config/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// handedOver writes the status of ClusterOperators for a controller that judges all of it anew each time it runs. That
// somebody else wrote it meanwhile, as two operators do while one takes over from the other, is no error to tell anybody: the
// one who was late has written nothing, and runs again.
type handedOver struct {
	configv1client.ClusterOperatorsGetter
}

// ClusterOperators implements configv1client.ClusterOperatorsGetter.
func (h handedOver) ClusterOperators() configv1client.ClusterOperatorInterface {
	return quietly{h.ClusterOperatorsGetter.ClusterOperators()}
}

type quietly struct {
	configv1client.ClusterOperatorInterface
}

// UpdateStatus returns factory.SyntheticRequeueError for a conflict.
func (q quietly) UpdateStatus(ctx context.Context, operator *configv1.ClusterOperator, options metav1.UpdateOptions) (*configv1.ClusterOperator, error) {
	updated, err := q.ClusterOperatorInterface.UpdateStatus(ctx, operator, options)
	if apierrors.IsConflict(err) {
		return updated, factory.SyntheticRequeueError
	}
	return updated, err
}

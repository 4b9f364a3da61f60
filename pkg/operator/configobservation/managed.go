package configobservation

import (
	"context"

	operatorv1 "github.com/openshift/api/operator/v1"
	applyoperatorv1 "github.com/openshift/client-go/operator/applyconfigurations/operator/v1"
	"github.com/openshift/library-go/pkg/operator/v1helpers"

	"github.com/openshift/cluster-etcd-operator/pkg/report"
)

// managedClient writes nothing while spec.managementState says that nothing is to be written (rule R9.5), which library-go's
// config observer does not ask, and gives its condition a reason that says something.
type managedClient struct{ v1helpers.OperatorClient }

// managed is false as well while it cannot be read: the branch without a write.
func (c managedClient) managed() bool {
	managed, err := report.Managed(c.OperatorClient)
	return err == nil && managed
}

// UpdateOperatorSpec implements v1helpers.OperatorClient. It judges by the spec that is to be written, which is the one that
// resourceVersion names with one field changed.
func (c managedClient) UpdateOperatorSpec(ctx context.Context, resourceVersion string, spec *operatorv1.OperatorSpec) (*operatorv1.OperatorSpec, string, error) {
	if !report.IsManaged(spec) {
		return spec, resourceVersion, nil
	}
	return c.OperatorClient.UpdateOperatorSpec(ctx, resourceVersion, spec)
}

// notObserved is the reason of ConfigObservationDegraded, where library-go says "Error": the desired number of replicas
// could not be read, or not be written down.
const notObserved = "DesiredReplicasNotObserved"

// ApplyOperatorStatus implements v1helpers.OperatorClient.
func (c managedClient) ApplyOperatorStatus(ctx context.Context, manager string, status *applyoperatorv1.OperatorStatusApplyConfiguration) error {
	if !c.managed() {
		return nil
	}
	for i := range status.Conditions {
		if status.Conditions[i].Reason != nil {
			status.Conditions[i].WithReason(notObserved)
		}
	}
	return c.OperatorClient.ApplyOperatorStatus(ctx, manager, status)
}

package operator

import (
	"context"

	"github.com/openshift/library-go/pkg/apiserver/jsonpatch"
	"github.com/openshift/library-go/pkg/operator/v1helpers"

	"github.com/openshift/cluster-etcd-operator/pkg/report"
)

// managedPatches patches nothing while spec.managementState says that nothing is to be written (rule R9.5), which
// library-go's removal of stale conditions does not ask.
type managedPatches struct{ v1helpers.OperatorClient }

// PatchOperatorStatus implements v1helpers.OperatorClient.
func (c managedPatches) PatchOperatorStatus(ctx context.Context, patch *jsonpatch.PatchSet) error {
	managed, err := report.Managed(c.OperatorClient)
	if err != nil || !managed {
		return err
	}
	return c.OperatorClient.PatchOperatorStatus(ctx, patch)
}

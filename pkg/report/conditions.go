package report

import (
	"context"
	"fmt"
	"slices"

	operatorv1 "github.com/openshift/api/operator/v1"
	applyoperatorv1 "github.com/openshift/client-go/operator/applyconfigurations/operator/v1"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
)

// Conditions writes the conditions of one controller on the etcd resource. Not safe for use by several goroutines.
type Conditions struct {
	client  v1helpers.OperatorClient
	manager string
	written []operatorv1.OperatorCondition
}

// NewConditions returns Conditions that write as a field manager of their own: the name of the controller.
func NewConditions(client v1helpers.OperatorClient, manager string) *Conditions {
	return &Conditions{client: client, manager: manager}
}

// Write applies conditions server-side when the resource, or what was last written, says anything else; else it writes
// nothing. The list must be all that the controller ever reports, since an apply withdraws what it does not name. Types and
// statuses must not be empty. It returns whether it wrote.
func (c *Conditions) Write(ctx context.Context, conditions ...operatorv1.OperatorCondition) (wrote bool, err error) {
	_, status, _, err := c.client.GetOperatorState()
	if err != nil {
		return false, fmt.Errorf("read the conditions of the etcd resource: %w", err)
	}
	// The resource comes from a cache, which may be older than the last write.
	if shows(status.Conditions, conditions) && (c.written == nil || shows(c.written, conditions)) {
		return false, nil
	}
	apply := applyoperatorv1.OperatorStatus()
	for _, condition := range conditions {
		apply.WithConditions(applyoperatorv1.OperatorCondition().
			WithType(condition.Type).WithStatus(condition.Status).
			WithReason(condition.Reason).WithMessage(condition.Message))
	}
	if err := c.client.ApplyOperatorStatus(ctx, c.manager, apply); err != nil {
		return false, fmt.Errorf("apply the conditions of the etcd resource: %w", err)
	}
	c.written = slices.Clone(conditions)
	return true, nil
}

// shows reports whether each of wanted is in existing as it is.
func shows(existing, wanted []operatorv1.OperatorCondition) bool {
	for _, w := range wanted {
		if !slices.ContainsFunc(existing, func(e operatorv1.OperatorCondition) bool {
			return e.Type == w.Type && e.Status == w.Status && e.Reason == w.Reason && e.Message == w.Message
		}) {
			return false
		}
	}
	return true
}

// Managed reports whether the etcd resource lets the operator write at all (rule R9.5), as the client's cache has it.
func Managed(client v1helpers.OperatorClient) (bool, error) {
	spec, _, _, err := client.GetOperatorState()
	if err != nil {
		return false, fmt.Errorf("read spec.managementState of the etcd resource: %w", err)
	}
	return IsManaged(spec), nil
}

// ManagedNow is Managed as a live read tells, for right before a write.
func ManagedNow(ctx context.Context, client v1helpers.OperatorClient) (bool, error) {
	spec, _, _, err := client.GetOperatorStateWithQuorum(ctx)
	if err != nil {
		return false, fmt.Errorf("read spec.managementState of the etcd resource: %w", err)
	}
	return IsManaged(spec), nil
}

// IsManaged reports whether a spec lets the operator write at all (rule R9.5).
func IsManaged(spec *operatorv1.OperatorSpec) bool {
	return spec.ManagementState != operatorv1.Unmanaged && spec.ManagementState != operatorv1.Removed
}

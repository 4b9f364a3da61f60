package lease

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/utils/clock"
)

// Margin is what must be left of a lease: as long as a membership write may take (rule R10.2).
const Margin = 5 * time.Second

// DefaultName is that of the operator's Lease, where its configuration names no other. An operator of another version in the
// same cluster competes for the same one.
const DefaultName = "openshift-cluster-etcd-operator-lock"

// ErrNotFresh is returned when the lease was read and does not allow a write: another process holds it, or it has not
// been renewed for too long.
var ErrNotFresh = errors.New("the leader lease is not fresh")

// Reader reads one Lease.
type Reader struct {
	// Client reads Leases of the namespace in which the operator runs.
	Client coordinationv1.LeaseInterface
	Name   string
	// Identity is what this process writes as the holder.
	Identity string
	// Clock must be the one that leader election takes renewTime from.
	Clock clock.PassiveClock
}

// Fresh returns nil when this process holds the lease now and will hold it for at least another Margin. It reads the
// Lease from the API server, bounded by ctx. Errors: ErrNotFresh, or why the Lease could not be read.
func (r Reader) Fresh(ctx context.Context) error {
	lease, err := r.Client.Get(ctx, r.Name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("read leader lease: %w", err)
	}
	spec := lease.Spec
	if spec.HolderIdentity == nil || spec.RenewTime == nil || spec.LeaseDurationSeconds == nil {
		return fmt.Errorf("%w: it names no holder, no time or no duration", ErrNotFresh)
	}
	if *spec.HolderIdentity != r.Identity {
		return fmt.Errorf("%w: %s holds it", ErrNotFresh, *spec.HolderIdentity)
	}
	age := r.Clock.Since(spec.RenewTime.Time)
	if age < 0 || age+Margin > time.Duration(*spec.LeaseDurationSeconds)*time.Second {
		return fmt.Errorf("%w: it was renewed %s ago and holds for %d s", ErrNotFresh, age.Round(time.Second), *spec.LeaseDurationSeconds)
	}
	return nil
}

package machines

import (
	"context"
	"sync"

	operatorv1 "github.com/openshift/api/operator/v1"
	applyoperatorv1 "github.com/openshift/client-go/operator/applyconfigurations/operator/v1"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
)

// serial is a fake client of the etcd resource that several goroutines may use.
type serial struct {
	v1helpers.OperatorClient
	mu *sync.Mutex
}

func oneAtATime(client v1helpers.OperatorClient) v1helpers.OperatorClient {
	return serial{client, &sync.Mutex{}}
}

func (s serial) GetOperatorState() (*operatorv1.OperatorSpec, *operatorv1.OperatorStatus, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.OperatorClient.GetOperatorState()
}

func (s serial) GetOperatorStateWithQuorum(context.Context) (*operatorv1.OperatorSpec, *operatorv1.OperatorStatus, string, error) {
	return s.GetOperatorState()
}

func (s serial) ApplyOperatorStatus(ctx context.Context, manager string, status *applyoperatorv1.OperatorStatusApplyConfiguration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.OperatorClient.ApplyOperatorStatus(ctx, manager, status)
}

package report

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
)

// answers is an API server that gives one answer after the other, and the last one from then on.
type answers struct {
	corev1client.EventInterface
	errs  []error
	calls int
}

func (a *answers) Create(_ context.Context, event *corev1.Event, _ metav1.CreateOptions) (*corev1.Event, error) {
	a.calls++
	if err := a.errs[min(a.calls, len(a.errs))-1]; err != nil {
		return nil, err
	}
	return event, nil
}

func TestAnEventIsTriedAgainWhileTheAPIServerIsInTrouble(t *testing.T) {
	resource := schema.GroupResource{Resource: "events"}
	stopped := apierrors.NewInternalError(errors.New("raft: stopped"))
	refused := apierrors.NewForbidden(resource, "e", errors.New("no"))
	exists := apierrors.NewAlreadyExists(resource, "e")
	for name, test := range map[string]struct {
		errs  []error
		calls int
		want  error
	}{
		"it is made at once":                                         {errs: []error{nil}, calls: 1},
		"its member of etcd was just removed":                        {errs: []error{stopped, nil}, calls: 2},
		"it cannot be reached for a moment":                          {errs: []error{errors.New("connection refused"), nil}, calls: 2},
		"it asks to wait":                                            {errs: []error{apierrors.NewTooManyRequests("later", 1), nil}, calls: 2},
		"an attempt that failed had made it after all":               {errs: []error{stopped, exists}, calls: 2},
		"somebody else's event of that name is not taken for ours":   {errs: []error{exists}, calls: 1, want: exists},
		"what is refused is not asked again":                         {errs: []error{refused}, calls: 1, want: refused},
		"it does not come back: the event is given up after a while": {errs: []error{stopped}, calls: 5, want: stopped},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &answers{errs: slices.Clone(test.errs)}
				_, err := persistentEvents{server}.Create(t.Context(), &corev1.Event{}, metav1.CreateOptions{})
				if server.calls != test.calls || !errors.Is(err, test.want) {
					t.Errorf("got %v after %d calls, want %v after %d", err, server.calls, test.want, test.calls)
				}
			})
		})
	}
}

package report

import (
	"context"
	"errors"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/util/retry"
)

// persistence is how often an event is tried: at once and after 0.5, 1, 2 and 4 s.
var persistence = wait.Backoff{Steps: 5, Duration: 500 * time.Millisecond, Factor: 2}

// persistentEvents creates events again while the API server is in trouble. Events about a membership change need that: the
// API server's own connection to etcd may have been to the member that just went.
type persistentEvents struct{ corev1client.EventInterface }

// Create returns the last attempt's result. An event that exists after a failed attempt was made by it: names are unique.
func (p persistentEvents) Create(ctx context.Context, event *corev1.Event, options metav1.CreateOptions) (made *corev1.Event, err error) {
	tried := false
	err = retry.OnError(persistence, isPassing, func() (err error) {
		made, err = p.EventInterface.Create(ctx, event, options)
		if tried && apierrors.IsAlreadyExists(err) {
			return nil
		}
		tried = true
		return err
	})
	return made, err
}

// isPassing tells errors that the next attempt may not have: of the server, or on the way to it.
func isPassing(err error) bool {
	var status apierrors.APIStatus
	return !errors.As(err, &status) || status.Status().Code >= http.StatusInternalServerError || status.Status().Code == http.StatusTooManyRequests
}

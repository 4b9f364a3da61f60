package configobservation

import (
	"encoding/json"
	"fmt"

	"github.com/openshift/library-go/pkg/operator/configobserver"
	"github.com/openshift/library-go/pkg/operator/events"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openshift/cluster-etcd-operator/pkg/replicas"
)

// observeReplicas is a configobserver.ObserveConfigFunc. It returns controlPlane.replicas as the ConfigMap has it. When that
// cannot be read, the value observed before stays, and an error names object, field and remedy; without one before nothing
// is written, and never a default (rule R1.3).
func observeReplicas(from configobserver.Listers, _ events.Recorder, existing map[string]any) (map[string]any, []error) {
	l := from.(listers)
	if !l.managed() {
		return existing, nil
	}
	var errs []error
	parsed, err := readReplicas(l)
	if err != nil {
		errs = append(errs, err)
	}
	n := replicas.Keep(previous(existing), parsed, err)
	if n == 0 {
		return map[string]any{}, errs
	}
	// JSON has no other numbers: an int would differ from the same value read back, and be written again and again.
	return map[string]any{"controlPlane": map[string]any{"replicas": float64(n)}}, errs
}

func readReplicas(l listers) (int, error) {
	found, err := l.configMaps.Get(configMap)
	switch {
	case !l.listed():
		return 0, fmt.Errorf("list ConfigMap %s in %s: %w", configMap, namespace, l.refusal())
	case apierrors.IsNotFound(err):
		return replicas.FromConfigMap(false, nil)
	case err != nil:
		return 0, fmt.Errorf("read ConfigMap %s in %s: %w", configMap, namespace, err)
	default:
		return replicas.FromConfigMap(true, found.Data)
	}
}

// previous returns the value observed before, 0 when there is none that can be used.
func previous(existing map[string]any) int {
	raw, err := json.Marshal(existing)
	if err != nil {
		return 0
	}
	n, err := replicas.ParseObservedConfig(raw)
	if err != nil {
		return 0
	}
	return n
}

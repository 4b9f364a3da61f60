package configobservation

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	operatorv1 "github.com/openshift/api/operator/v1"
	applyoperatorv1 "github.com/openshift/client-go/operator/applyconfigurations/operator/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/utils/clock"
)

// counting counts the writes to the etcd resource.
type counting struct {
	v1helpers.OperatorClient
	specs, statuses int
}

func (c *counting) UpdateOperatorSpec(ctx context.Context, version string, spec *operatorv1.OperatorSpec) (*operatorv1.OperatorSpec, string, error) {
	c.specs++
	return c.OperatorClient.UpdateOperatorSpec(ctx, version, spec)
}

func (c *counting) ApplyOperatorStatus(ctx context.Context, manager string, status *applyoperatorv1.OperatorStatusApplyConfiguration) error {
	c.statuses++
	return c.OperatorClient.ApplyOperatorStatus(ctx, manager, status)
}

// locked can be read while a controller writes.
type locked struct {
	v1helpers.OperatorClient
	mutex sync.Mutex
}

func (l *locked) GetOperatorState() (*operatorv1.OperatorSpec, *operatorv1.OperatorStatus, string, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	spec, status, version, err := l.OperatorClient.GetOperatorState()
	return spec.DeepCopy(), status.DeepCopy(), version, err
}

func (l *locked) UpdateOperatorSpec(ctx context.Context, version string, spec *operatorv1.OperatorSpec) (*operatorv1.OperatorSpec, string, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.OperatorClient.UpdateOperatorSpec(ctx, version, spec)
}

func (l *locked) ApplyOperatorStatus(ctx context.Context, manager string, status *applyoperatorv1.OperatorStatusApplyConfiguration) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.OperatorClient.ApplyOperatorStatus(ctx, manager, status)
}

func installConfig(document string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "cluster-config-v1"},
		Data:       map[string]string{"install-config": document},
	}
}

func TestObservedReplicas(t *testing.T) {
	three := `{"controlPlane":{"replicas":3}}`
	for name, test := range map[string]struct {
		before  string
		config  *corev1.ConfigMap
		state   operatorv1.ManagementState
		want    string
		updates int
		// degraded are words of the condition, none when it must be False.
		degraded []string
	}{
		"the number is copied": {config: installConfig("controlPlane:\n  replicas: 3\n"), want: three, updates: 1},
		"arbiters count":       {config: installConfig("controlPlane: {replicas: 2}\narbiter: {replicas: 1}\n"), want: three, updates: 1},
		"a number that is there already is not written again": {
			before: three, config: installConfig("controlPlane: {replicas: 3}"), want: three,
		},
		"a changed number is copied": {before: three, config: installConfig("controlPlane: {replicas: 5}"), want: `{"controlPlane":{"replicas":5}}`, updates: 1},
		"S16 an absent ConfigMap keeps the last good number": {
			before: three, want: three, degraded: []string{"cluster-config-v1", "kube-system", "is missing", "restore the YAML document"},
		},
		"S16 a number in words keeps the last good one": {
			before: three, config: installConfig("controlPlane: {replicas: three}"), want: three,
			degraded: []string{"cluster-config-v1", "controlPlane.replicas", `"three"`, "write a whole number from 1 to 9"},
		},
		"S16 an absurd number keeps the last good one": {
			before: three, config: installConfig("controlPlane: {replicas: 1000}"), want: three, degraded: []string{"controlPlane.replicas", "1000"},
		},
		"S16 a bad number with none before is never replaced by a default": {
			config: installConfig("controlPlane: {replicas: 0}"), want: "", degraded: []string{"controlPlane.replicas", "is zero"},
		},
		"what was observed before and cannot be read is dropped rather than kept": {
			before: `{"controlPlane":{"replicas":"three"}}`, config: installConfig("controlPlane: {}"), want: "{}", updates: 1,
			degraded: []string{"controlPlane.replicas"},
		},
		"R9.5 an unmanaged operator writes nothing": {
			before: three, config: installConfig("controlPlane: {replicas: 5}"), state: operatorv1.Unmanaged, want: three,
		},
		"R9.5 a removed operator writes no condition either": {before: three, state: operatorv1.Removed, want: three},
	} {
		t.Run(name, func(t *testing.T) {
			if test.state == "" {
				test.state = operatorv1.Managed
			}
			spec := &operatorv1.OperatorSpec{ManagementState: test.state, ObservedConfig: runtime.RawExtension{Raw: []byte(test.before)}}
			client := &counting{OperatorClient: v1helpers.NewFakeOperatorClient(spec, &operatorv1.OperatorStatus{}, nil)}
			var objects []runtime.Object
			if test.config != nil {
				objects = append(objects, test.config)
			}
			recorder := events.NewInMemoryRecorder("test", clock.RealClock{})
			c := New(Config{Kubernetes: fake.NewClientset(objects...), OperatorClient: client, Recorder: recorder}).(controller)
			c.watched.Start(t.Context().Done())
			for kind, synced := range c.watched.WaitForCacheSync(t.Context().Done()) {
				if !synced {
					t.Fatalf("%v did not sync", kind)
				}
			}
			err := c.Sync(t.Context(), factory.NewSyncContext("test", recorder))
			if (err != nil) != (len(test.degraded) > 0) {
				t.Errorf("error %v", err)
			}
			if client.specs != test.updates {
				t.Errorf("the spec was written %d times, want %d", client.specs, test.updates)
			}
			if got := observedConfig(t, client); got != test.want {
				t.Errorf("observed config is %s, want %s", got, test.want)
			}
			_, status, _, _ := client.GetOperatorState()
			if test.state != operatorv1.Managed {
				if client.statuses > 0 || len(recorder.Events()) > 0 {
					t.Errorf("%d writes of conditions, %d events", client.statuses, len(recorder.Events()))
				}
				return
			}
			condition := v1helpers.FindOperatorCondition(status.Conditions, "ConfigObservationDegraded")
			if condition == nil || (condition.Status == operatorv1.ConditionTrue) != (len(test.degraded) > 0) {
				t.Fatalf("unexpected condition: %+v", condition)
			}
			if len(test.degraded) > 0 && condition.Reason != notObserved {
				t.Errorf("the condition's reason is %q", condition.Reason)
			}
			for _, word := range test.degraded {
				if !strings.Contains(condition.Message, word) {
					t.Errorf("the condition does not say %q: %s", word, condition.Message)
				}
			}
		})
	}
}

func observedConfig(t *testing.T, client v1helpers.OperatorClient) string {
	t.Helper()
	spec, _, _, err := client.GetOperatorState()
	if err != nil {
		t.Fatal(err)
	}
	if spec.ObservedConfig.Object == nil {
		return string(spec.ObservedConfig.Raw)
	}
	raw, err := json.Marshal(spec.ObservedConfig.Object)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Without the ConfigMap the value in force stays, the condition says why, and the process goes on.
func TestAConfigMapThatMayNotBeReadIsTold(t *testing.T) {
	// The second one waits until a millisecond after the last error, which was in another time than the test's.
	handlers := utilruntime.ErrorHandlers
	utilruntime.ErrorHandlers = handlers[:1]
	defer func() { utilruntime.ErrorHandlers = handlers }()
	synctest.Test(t, func(t *testing.T) {
		kube := fake.NewClientset(installConfig("controlPlane: {replicas: 5}"))
		var allowed atomic.Bool
		kube.PrependReactor("list", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
			return !allowed.Load(), nil, apierrors.NewForbidden(corev1.Resource("configmaps"), "", errors.New("no such right"))
		})
		three := &operatorv1.OperatorSpec{ManagementState: operatorv1.Managed, ObservedConfig: runtime.RawExtension{Raw: []byte(`{"controlPlane":{"replicas":3}}`)}}
		client := &locked{OperatorClient: v1helpers.NewFakeOperatorClient(three, &operatorv1.OperatorStatus{}, nil)}
		c := New(Config{Kubernetes: kube, OperatorClient: client, Recorder: events.NewInMemoryRecorder("test", clock.RealClock{})})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			c.Run(ctx, 1)
		}()
		requireTold := func(status operatorv1.ConditionStatus, word, config string) {
			t.Helper()
			_, conditions, _, _ := client.GetOperatorState()
			told := v1helpers.FindOperatorCondition(conditions.Conditions, "ConfigObservationDegraded")
			if told == nil || told.Status != status || !strings.Contains(told.Message, word) || observedConfig(t, client) != config {
				t.Errorf("after %s: %+v, and %s", status, told, observedConfig(t, client))
			}
		}
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		requireTold(operatorv1.ConditionTrue, "list ConfigMap cluster-config-v1 in kube-system: ", `{"controlPlane":{"replicas":3}}`)
		requireTold(operatorv1.ConditionTrue, "no such right", `{"controlPlane":{"replicas":3}}`)
		allowed.Store(true)
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		requireTold(operatorv1.ConditionFalse, "", `{"controlPlane":{"replicas":5}}`)
		stop()
		<-ended
	})
}

// The watch asks the API server for the one ConfigMap, not for all of kube-system.
func TestOneConfigMapIsWatched(t *testing.T) {
	kube := fake.NewClientset()
	client := v1helpers.NewFakeOperatorClient(&operatorv1.OperatorSpec{}, &operatorv1.OperatorStatus{}, nil)
	c := New(Config{Kubernetes: kube, OperatorClient: client, Recorder: events.NewInMemoryRecorder("test", clock.RealClock{})}).(controller)
	c.watched.Start(t.Context().Done())
	for kind := range c.watched.WaitForCacheSync(t.Context().Done()) {
		t.Logf("synced %v", kind)
	}
	for _, action := range kube.Actions() {
		list, ok := action.(interface{ GetListOptions() metav1.ListOptions })
		if !ok {
			continue
		}
		if got := list.GetListOptions().FieldSelector; got != "metadata.name=cluster-config-v1" || action.GetNamespace() != "kube-system" {
			t.Errorf("%s of %s in %q selects %q", action.GetVerb(), action.GetResource().Resource, action.GetNamespace(), got)
		}
	}
	if len(kube.Actions()) == 0 {
		t.Error("nothing was listed")
	}
}

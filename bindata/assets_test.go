package bindata

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// object is a decoded manifest; the types of Kubernetes would drop a field that
// they do not know, and an unknown field is what a test should see.
type object = map[string]any

func decode(t *testing.T, name string) object {
	t.Helper()
	content, err := Asset(name)
	if err != nil {
		t.Fatal(err)
	}
	var decoded object
	if err := yaml.UnmarshalStrict(content, &decoded); err != nil {
		t.Fatalf("parse %s: %v", name, err)
	}
	return decoded
}

func TestGuardPod(t *testing.T) {
	pod := decode(t, "etcd/guard-pod.yaml")
	containers := pod["spec"].(object)["containers"].([]any)
	if len(containers) != 1 {
		t.Fatalf("a guard has one container, found %d", len(containers))
	}
	for property, test := range map[string]struct {
		from object
		path []string
		want any
	}{
		"it is a pod of the core API":                    {pod, []string{"apiVersion"}, "v1"},
		"it is named after its node":                     {pod, []string{"metadata", "name"}, "GUARD_NAME"},
		"it lives beside the members":                    {pod, []string{"metadata", "namespace"}, "openshift-etcd"},
		"it has the label that the budget selects":       {pod, []string{"metadata", "labels"}, object{"app": "guard"}},
		"it may be put on reserved management CPUs":      {pod, []string{"metadata", "annotations", "target.workload.openshift.io/management"}, `{"effect": "PreferredDuringScheduling"}`},
		"no scheduler places it":                         {pod, []string{"spec", "nodeName"}, "NODE_NAME"},
		"its host name is set, so a long node name fits": {pod, []string{"spec", "hostname"}, "GUARD_HOSTNAME"},
		"it has a network of its own":                    {pod, []string{"spec", "hostNetwork"}, false},
		"it is not preempted":                            {pod, []string{"spec", "priorityClassName"}, "system-cluster-critical"},
		"it goes within seconds":                         {pod, []string{"spec", "terminationGracePeriodSeconds"}, 3.0},
		"it tolerates everything for ever":               {pod, []string{"spec", "tolerations"}, []any{object{"operator": "Exists"}}},
		"it cannot reach the API":                        {pod, []string{"spec", "automountServiceAccountToken"}, false},
		"it runs as an ordinary user": {pod, []string{"spec", "securityContext"}, object{
			"runAsNonRoot": true, "runAsUser": 65532.0, "runAsGroup": 65532.0, "seccompProfile": object{"type": "RuntimeDefault"},
		}},
		"it can change and gain nothing": {containers[0].(object), []string{"securityContext"}, object{
			"allowPrivilegeEscalation": false, "privileged": false, "readOnlyRootFilesystem": true,
			"capabilities": object{"drop": []any{"ALL"}},
		}},
		"it is Ready while etcd on its node answers": {containers[0].(object), []string{"readinessProbe"}, object{
			"httpGet":       object{"scheme": "HTTPS", "host": "NODE_ADDRESS", "port": 9980.0, "path": "/readyz"},
			"periodSeconds": 5.0, "timeoutSeconds": 5.0, "successThreshold": 1.0, "failureThreshold": 3.0,
		}},
		"its image is given": {containers[0].(object), []string{"image"}, "GUARD_IMAGE"},
	} {
		t.Run(property, func(t *testing.T) {
			if diff := cmp.Diff(test.want, at(test.from, test.path...)); diff != "" {
				t.Errorf("unexpected %v (-want +got):\n%s", test.path, diff)
			}
		})
	}
}

// TestGuardBudget compares the whole object: a field more, such as
// unhealthyPodEvictionPolicy, changes what a drain may do.
func TestGuardBudget(t *testing.T) {
	want := object{
		"apiVersion": "policy/v1",
		"kind":       "PodDisruptionBudget",
		"metadata":   object{"name": "etcd-guard-pdb", "namespace": "openshift-etcd"},
		"spec": object{
			"minAvailable": "MIN_AVAILABLE",
			"selector":     object{"matchLabels": object{"app": "guard"}},
		},
	}
	if diff := cmp.Diff(want, decode(t, "etcd/guard-pdb.yaml")); diff != "" {
		t.Errorf("unexpected budget (-want +got):\n%s", diff)
	}
}

func TestTheBudgetSelectsGuardsAndNoEtcdPod(t *testing.T) {
	selector := at(decode(t, "etcd/guard-pdb.yaml"), "spec", "selector", "matchLabels").(object)
	guard := at(decode(t, "etcd/guard-pod.yaml"), "metadata", "labels").(object)
	// The labels of the static pod's mirror, less those that vary.
	mirror := object{"app": "etcd", "k8s-app": "etcd", "etcd": "true"}

	if !selects(selector, guard) {
		t.Errorf("selector %v does not select the guards' labels %v", selector, guard)
	}
	if selects(selector, mirror) {
		t.Errorf("selector %v selects mirror pods, whose eviction the kubelet undoes: %v", selector, mirror)
	}
}

func TestAnUnknownAssetIsAnError(t *testing.T) {
	if _, err := Asset("etcd/none.yaml"); err == nil {
		t.Error("no error")
	}
}

func selects(selector, labels object) bool {
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return len(selector) > 0
}

// at follows path into o; it returns nil where the path ends early.
func at(o object, path ...string) any {
	var value any = o
	for _, key := range path {
		inner, ok := value.(object)
		if !ok {
			return nil
		}
		value = inner[key]
	}
	return value
}

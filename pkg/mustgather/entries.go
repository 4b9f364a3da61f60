package mustgather

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	configv1 "github.com/openshift/api/config/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
)

// etcdPodPrefix stands before the name of the node in that of its etcd pod.
const etcdPodPrefix = "etcd-"

// checkEntries refuses an object in which a list that the API server keeps as a mapping has two entries with one key, or
// one without: whichever of them were taken, the other tells something else.
func checkEntries(object any) error {
	switch o := object.(type) {
	case *configv1.ClusterOperator:
		return eachOnce("status.versions", "name", o.Status.Versions, func(v configv1.OperandVersion) string { return v.Name })
	case *operatorv1.Etcd:
		return checkStatus(&o.Status.StaticPodOperatorStatus)
	case *operatorv1.KubeAPIServer:
		return checkStatus(&o.Status.StaticPodOperatorStatus)
	case *corev1.Pod:
		return cmp.Or(
			eachOnce("status.containerStatuses", "name", o.Status.ContainerStatuses, func(s corev1.ContainerStatus) string { return s.Name }),
			eachOnce("status.conditions", "type", o.Status.Conditions, func(c corev1.PodCondition) string { return string(c.Type) }),
			checkPod(o),
		)
	case *corev1.Node:
		return eachOnce("status.conditions", "type", o.Status.Conditions, func(c corev1.NodeCondition) string { return string(c.Type) })
	case *machinev1beta1.Machine:
		hook := func(h machinev1beta1.LifecycleHook) string { return h.Name }
		return cmp.Or(
			eachOnce("spec.lifecycleHooks.preDrain", "name", o.Spec.LifecycleHooks.PreDrain, hook),
			eachOnce("spec.lifecycleHooks.preTerminate", "name", o.Spec.LifecycleHooks.PreTerminate, hook),
		)
	}
	return nil
}

// checkPod refuses a pod that contradicts itself, and one without what each pod has from its beginning on: its phase, and,
// as guards and static pods are made for a node, that.
func checkPod(p *corev1.Pod) error {
	if p.Status.Phase == "" {
		return errors.New("it has no status.phase")
	}
	if observe.IsGuard(p) && p.Spec.NodeName == "" {
		return errors.New("it is a guard and has no spec.nodeName")
	}
	for i := range p.Status.ContainerStatuses {
		if s := &p.Status.ContainerStatuses[i]; s.State.Running != nil && (s.State.Waiting != nil || s.State.Terminated != nil) {
			return fmt.Errorf("container %q is running, and is not", s.Name)
		}
	}
	if p.Spec.NodeName != "" && p.Labels["app"] == "etcd" && strings.HasPrefix(p.Name, etcdPodPrefix) && p.Name != etcdPodPrefix+p.Spec.NodeName {
		return fmt.Errorf("its name is not that of etcd's pod on spec.nodeName %q", p.Spec.NodeName)
	}
	return nil
}

// checkWritten refuses an object without a field that the API server writes whatever it holds: without it, nobody knows
// that it holds zero. The object is decoded from the value.
func checkWritten(value map[string]any, object any) error {
	switch o := object.(type) {
	case *corev1.Pod:
		statuses, _ := below(value, "status")["containerStatuses"].([]any)
		for i := range statuses {
			if status, _ := statuses[i].(map[string]any); status["ready"] == nil {
				return fmt.Errorf("status.containerStatuses[%d] has no ready", i)
			}
		}
	case *policyv1.PodDisruptionBudget:
		for _, field := range []string{"disruptionsAllowed", "expectedPods"} {
			if below(value, "status")[field] == nil {
				return fmt.Errorf("its status has no %s", field)
			}
		}
		if o.Name == guardBudget && o.Generation == 0 {
			return errors.New("it has no metadata.generation")
		}
	}
	return nil
}

func below(value map[string]any, key string) map[string]any {
	inner, _ := value[key].(map[string]any)
	return inner
}

func checkStatus(s *operatorv1.StaticPodOperatorStatus) error {
	return cmp.Or(
		eachOnce("status.nodeStatuses", "nodeName", s.NodeStatuses, func(n operatorv1.NodeStatus) string { return n.NodeName }),
		eachOnce("status.conditions", "type", s.Conditions, func(c operatorv1.OperatorCondition) string { return c.Type }),
	)
}

func eachOnce[T any](field, key string, list []T, keyOf func(T) string) error {
	seen := map[string]bool{}
	for i := range list {
		switch k := keyOf(list[i]); {
		case k == "":
			return fmt.Errorf("%s[%d] has no %s", field, i, key)
		case seen[k]:
			return fmt.Errorf("%s has %s %q twice", field, key, k)
		default:
			seen[k] = true
		}
	}
	return nil
}

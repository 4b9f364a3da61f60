package mustgather

import (
	"cmp"
	"fmt"

	configv1 "github.com/openshift/api/config/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
)

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
		return eachOnce("status.containerStatuses", "name", o.Status.ContainerStatuses, func(s corev1.ContainerStatus) string { return s.Name })
	case *machinev1beta1.Machine:
		hook := func(h machinev1beta1.LifecycleHook) string { return h.Name }
		return cmp.Or(
			eachOnce("spec.lifecycleHooks.preDrain", "name", o.Spec.LifecycleHooks.PreDrain, hook),
			eachOnce("spec.lifecycleHooks.preTerminate", "name", o.Spec.LifecycleHooks.PreTerminate, hook),
		)
	}
	return nil
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

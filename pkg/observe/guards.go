package observe

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// GuardNode returns where a guard pod is. One that is on no node, which no guard of ours ever is, gets a name that no Node
// can have: the disruption controller counts every pod that the budget selects, so it has to be counted (rule R7.2), and it
// stands for nobody's vote.
func GuardNode(pod *corev1.Pod) snapshot.NodeName {
	if pod.Spec.NodeName == "" {
		return snapshot.NodeName("(none; pod " + pod.Name + ")")
	}
	return snapshot.NodeName(pod.Spec.NodeName)
}

// IsGuard tells whether a pod of openshift-etcd is a guard (rule R7.1).
func IsGuard(pod *corev1.Pod) bool { return pod.Labels[appLabel] == appGuard }

// convertGuards reads the guard pods and their budget.
func (c *conversion) convertGuards() {
	c.s.GuardList = c.Objects.Pods.Complete
	for i := range c.Objects.Pods.Items {
		pod := &c.Objects.Pods.Items[i]
		if !IsGuard(pod) {
			continue
		}
		c.s.Guards = append(c.s.Guards, snapshot.Guard{
			Node:     GuardNode(pod),
			Phase:    snapshot.PodPhase(pod.Status.Phase),
			Ready:    podReady(pod).Holds(),
			Deleting: pod.DeletionTimestamp != nil,
			Outdated: c.GuardOutdated != nil && c.GuardOutdated(pod),
		})
	}
	c.s.Budget = snapshot.Budget{Present: c.Objects.Budget.Exists}
	if budget := c.Objects.Budget.Value; c.s.Budget.Present.Holds() {
		c.s.Budget.MinAvailable = minAvailable(budget)
		c.s.Budget.Observed = budget.Status.ObservedGeneration == budget.Generation && selectsGuards(budget.Spec.Selector)
		c.s.Budget.DisruptionsAllowed = int(budget.Status.DisruptionsAllowed)
	}
}

// selectsGuards reports whether a budget speaks of all guards and of nothing else. What the disruption controller makes of
// another selection tells nothing about the guards.
func selectsGuards(selector *metav1.LabelSelector) bool {
	return selector != nil && len(selector.MatchExpressions) == 0 && maps.Equal(selector.MatchLabels, map[string]string{appLabel: appGuard})
}

// minAvailable is in pods. An older operator may have written a percentage or maxUnavailable; then the number that the
// disruption controller made of it counts.
func minAvailable(budget *policyv1.PodDisruptionBudget) int {
	if m := budget.Spec.MinAvailable; m != nil && m.Type == intstr.Int {
		return m.IntValue()
	}
	return int(budget.Status.DesiredHealthy)
}

package quorumguard

import (
	policyv1 "k8s.io/api/policy/v1"
)

// Misshapen reports whether the operator would write a budget anew although it keeps the right number of guards: its
// selector or anything else in its spec differs. For whoever explains what the operator would do.
func Misshapen(budget *policyv1.PodDisruptionBudget) bool { return misshapen(budget) }

package quorumguard

import (
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// BudgetAction is what happens to the PodDisruptionBudget.
type BudgetAction string

// The actions on the budget.
const (
	KeepBudget   BudgetAction = "Keep"
	SetBudget    BudgetAction = "Set"
	DeleteBudget BudgetAction = "Delete"
)

// PodAction is what happens to one guard pod.
type PodAction string

// The actions on a guard pod, as explain prints them. PodNone: no guard is there, and none is made.
const (
	PodKeep   PodAction = "Keep"
	PodCreate PodAction = "Create"
	PodDelete PodAction = "Delete"
	PodNone   PodAction = "None"
)

// Decision is the budget and the guard pods that the cluster should have now.
type Decision struct {
	Budget BudgetAction
	// MinAvailable is the wanted spec.minAvailable, in pods; meaningful unless Budget is DeleteBudget. When nothing may be
	// judged it is the present one.
	MinAvailable int
	// Finding says what the budget rests on: why nothing changes, or the first of Holds, or that a drain may pass.
	reason.Finding
	// Pods holds one verdict per node that has or could have a guard, by node name.
	Pods []Pod
	// Holds are all the things that drains wait for, in words (rule R7.7); empty when a drain may pass.
	Holds []reason.Finding
}

// Pod is the verdict on the guard of one node.
type Pod struct {
	Node   snapshot.NodeName
	Action PodAction
	// Refused is the action that the Finding refuses, if any.
	Refused PodAction
	reason.Finding
}

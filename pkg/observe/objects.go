package observe

import (
	configv1 "github.com/openshift/api/config/v1"
	machinev1 "github.com/openshift/api/machine/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Object is one object by name. The zero value says that it was not read.
type Object[T any] struct {
	// Exists is True with a Value, False when the object is absent for certain (or its kind is not served), Unknown when
	// it was not read.
	Exists snapshot.Fact
	// Value is not nil when Exists holds.
	Value *T
}

// Found is an object that was read.
func Found[T any](value *T) Object[T] { return Object[T]{Exists: snapshot.True, Value: value} }

// Absent is an object that is known not to exist.
func Absent[T any]() Object[T] { return Object[T]{Exists: snapshot.False} }

// List is all objects of a kind that a field asks for. The zero value says that they were not read.
type List[T any] struct {
	// Complete is True when Items holds every object, False when the cluster does not serve the kind at all, Unknown when
	// the list was not read to the end. Items that were read exist whatever Complete says.
	Complete snapshot.Fact
	Items    []T
}

// Listed is a list that was read to the end.
func Listed[T any](items []T) List[T] { return List[T]{Complete: snapshot.True, Items: items} }

// Objects is what was read from the API server, or from files that hold what it said.
type Objects struct {
	// ClusterVersion is version, Infrastructure and Network are cluster, ClusterOperator is etcd.
	ClusterVersion  Object[configv1.ClusterVersion]
	Infrastructure  Object[configv1.Infrastructure]
	Network         Object[configv1.Network]
	ClusterOperator Object[configv1.ClusterOperator]
	// Etcd and KubeAPIServer are the operator resources named cluster.
	Etcd          Object[operatorv1.Etcd]
	KubeAPIServer Object[operatorv1.KubeAPIServer]
	// ControlPlaneMachineSet is cluster in openshift-machine-api.
	ControlPlaneMachineSet Object[machinev1.ControlPlaneMachineSet]

	// Machines are the Machines in openshift-machine-api whose role label is master or arbiter, OtherMachines all others
	// there, as far as something asks for them: they only tell whether an address is anybody's (rules R6.4, R6.5).
	Machines, OtherMachines List[machinev1beta1.Machine]
	// Nodes are the Nodes with a label of the control plane, OtherNodes all others, as far as something asks for them.
	Nodes, OtherNodes List[corev1.Node]
	// GoneNodes are names of Nodes that a live read by name did not find. With Nodes and OtherNodes complete they need
	// not be given.
	GoneNodes []snapshot.NodeName

	// Bootstrap is ConfigMap bootstrap in kube-system, Endpoints etcd-endpoints in openshift-etcd.
	Bootstrap, Endpoints Object[corev1.ConfigMap]
	// APIServerConfigs are the ConfigMaps config-<revision> in openshift-kube-apiserver, at least those of revisions that
	// run.
	APIServerConfigs List[corev1.ConfigMap]
	// Pods are the pods of openshift-etcd with label app=etcd or app=guard; any other is ignored.
	Pods List[corev1.Pod]
	// Budget is PodDisruptionBudget etcd-guard-pdb in openshift-etcd.
	Budget Object[policyv1.PodDisruptionBudget]
}

// Etcd is one reading of etcd.
type Etcd struct {
	// MemberList is True when Members is a complete linearizable member list.
	MemberList snapshot.Fact
	ClusterID  uint64
	Members    []Member
	// Probes holds at most one entry for each member; a member without one was not asked.
	Probes []Probe
}

// Member is one entry of etcd's member list. A member with client URLs has started.
type Member struct {
	ID                   snapshot.MemberID
	Name                 string
	PeerURLs, ClientURLs []string
	Learner              bool
}

// Probe is what one member told through its own endpoint.
type Probe struct {
	Member snapshot.MemberID
	// Served is True when the member served the read that its role asks for (linearizable for a voter, serializable for a
	// learner), False when that failed or timed out, Unknown when it was not tried.
	Served snapshot.Fact
	// Error says why Served is False; it is text for people.
	Error string
	// CannotServe is True when the member itself answered that it cannot serve (rule R6.1).
	CannotServe snapshot.Fact
	// Status is nil when the member did not tell it.
	Status *Status
	// Corrupt and NoSpace tell whether the member has that alarm.
	Corrupt, NoSpace snapshot.Fact
}

// Status is what a member said about itself.
type Status struct {
	// Leader is the member that it takes for the leader; 0 when it knows none.
	Leader        snapshot.MemberID
	Version       string
	DatabaseBytes int64
	AppliedIndex  uint64
}

package live

import (
	"context"
	"strings"

	configv1 "github.com/openshift/api/config/v1"
	machinev1 "github.com/openshift/api/machine/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
)

const (
	etcdNamespace      = "openshift-etcd"
	machineNamespace   = "openshift-machine-api"
	apiServerNamespace = "openshift-kube-apiserver"
	systemNamespace    = "kube-system"

	masterLabel = "node-role.kubernetes.io/master"
)

// nodeLabels are those of the control plane (rule R11). A label selector has no "or" between keys, so each has a cache.
var nodeLabels = []string{masterLabel, "node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/arbiter"}

// caches are everything that is cached.
type caches struct {
	clusterVersion         *cached[configv1.ClusterVersion]
	infrastructure         *cached[configv1.Infrastructure]
	network                *cached[configv1.Network]
	clusterOperator        *cached[configv1.ClusterOperator]
	etcd                   *cached[operatorv1.Etcd]
	kubeAPIServer          *cached[operatorv1.KubeAPIServer]
	controlPlaneMachineSet *cached[machinev1.ControlPlaneMachineSet]
	machines               *cached[machinev1beta1.Machine]
	nodes                  []*cached[corev1.Node]
	bootstrap, endpoints   *cached[corev1.ConfigMap]
	pods                   *cached[corev1.Pod]
	budget                 *cached[policyv1.PodDisruptionBudget]

	runs []func(context.Context)
	// known tell, one for each cache, whether it knows its objects, or that there are none.
	known []func() bool
	// ask have the API server list the objects of one cache each.
	ask []func(context.Context) (of any, now reading)
}

// newCaches names each source once, with the facts in it: by the conversion itself wherever one object alone is enough
// for it, so that what wakes cannot drift away from what is judged.
func (o *Observer) newCaches() caches {
	var (
		c        caches
		config   = o.OpenShiftConfig.ConfigV1()
		operator = o.OpenShiftOperator.OperatorV1()
		core     = o.Kubernetes.CoreV1()
	)
	c.clusterVersion = newCached(o, &c, "ClusterVersion version", configv1.GroupVersion.WithResource("clusterversions"), byName("version"),
		o.OpenShiftConfig, config.ClusterVersions(), func(v *configv1.ClusterVersion) any {
			return v.Status.Capabilities.EnabledCapabilities
		})
	c.infrastructure = newCached(o, &c, "Infrastructure cluster", configv1.GroupVersion.WithResource("infrastructures"), byName("cluster"),
		o.OpenShiftConfig, config.Infrastructures(), func(i *configv1.Infrastructure) any {
			return o.told(observe.Objects{Infrastructure: observe.Found(i)})
		})
	c.network = newCached(o, &c, "Network cluster", configv1.GroupVersion.WithResource("networks"), byName("cluster"),
		o.OpenShiftConfig, config.Networks(), func(n *configv1.Network) any { return n.Status.ServiceNetwork })
	c.clusterOperator = newCached(o, &c, "ClusterOperator etcd", configv1.GroupVersion.WithResource("clusteroperators"), byName("etcd"),
		o.OpenShiftConfig, config.ClusterOperators(), func(op *configv1.ClusterOperator) any {
			return o.told(observe.Objects{ClusterOperator: observe.Found(op)})
		})
	c.etcd = newCached(o, &c, "Etcd cluster", operatorv1.GroupVersion.WithResource("etcds"), byName("cluster"),
		o.OpenShiftOperator, operator.Etcds(), func(e *operatorv1.Etcd) any {
			// The generation counts changes of all that a person or an observer of configuration writes. The condition
			// about the external etcd is read for one topology only.
			dual := &configv1.Infrastructure{Status: configv1.InfrastructureStatus{ControlPlaneTopology: configv1.DualReplicaTopologyMode}}
			return [...]any{e.Generation, o.told(observe.Objects{Infrastructure: observe.Found(dual), Etcd: observe.Found(e)})}
		})
	c.kubeAPIServer = newCached(o, &c, "KubeAPIServer cluster", operatorv1.GroupVersion.WithResource("kubeapiservers"), byName("cluster"),
		o.OpenShiftOperator, operator.KubeAPIServers(), func(k *operatorv1.KubeAPIServer) any {
			revisions := map[string]int32{}
			for _, status := range k.Status.NodeStatuses {
				revisions[status.NodeName] = status.CurrentRevision
			}
			return revisions
		})
	c.controlPlaneMachineSet = newCached(o, &c, "ControlPlaneMachineSet cluster", machinev1.GroupVersion.WithResource("controlplanemachinesets"), byName("cluster"),
		o.OpenShiftMachine, o.OpenShiftMachine.MachineV1().ControlPlaneMachineSets(machineNamespace), func(s *machinev1.ControlPlaneMachineSet) any {
			return [...]any{s.Spec.State, s.Spec.Replicas}
		})
	c.machines = newCached(o, &c, "Machines of the control plane", machinev1beta1.GroupVersion.WithResource("machines"),
		byLabel("machine.openshift.io/cluster-api-machine-role in (master,arbiter)"),
		o.OpenShiftMachine, o.OpenShiftMachine.MachineV1beta1().Machines(machineNamespace), func(m *machinev1beta1.Machine) any {
			return o.told(observe.Objects{Machines: observe.Listed([]machinev1beta1.Machine{*m})})
		})
	for _, label := range nodeLabels {
		nodes := newCached(o, &c, "Nodes with label "+label, corev1.SchemeGroupVersion.WithResource("nodes"), byLabel(label),
			o.Kubernetes, core.Nodes(), func(n *corev1.Node) any {
				return o.told(observe.Objects{Nodes: observe.Listed([]corev1.Node{*n})})
			})
		nodes.trim = trimNode
		c.nodes = append(c.nodes, nodes)
	}
	c.bootstrap = newCached(o, &c, "ConfigMap bootstrap", corev1.SchemeGroupVersion.WithResource("configmaps"), byName("bootstrap"),
		o.Kubernetes, core.ConfigMaps(systemNamespace), func(m *corev1.ConfigMap) any {
			return o.told(observe.Objects{Bootstrap: observe.Found(m)})
		})
	c.endpoints = newCached(o, &c, "ConfigMap etcd-endpoints", corev1.SchemeGroupVersion.WithResource("configmaps"), byName("etcd-endpoints"),
		o.Kubernetes, core.ConfigMaps(etcdNamespace), func(m *corev1.ConfigMap) any { return [...]any{m.Data, m.Annotations[bootstrapAddress]} })
	c.pods = newCached(o, &c, "pods of etcd and its guards", corev1.SchemeGroupVersion.WithResource("pods"), byLabel("app in (etcd,guard)"),
		o.Kubernetes, core.Pods(etcdNamespace), func(p *corev1.Pod) any {
			// A pod of etcd is read together with its Node.
			node := corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: strings.TrimPrefix(p.Name, "etcd-"), Labels: map[string]string{masterLabel: ""}}}
			return o.told(observe.Objects{Nodes: observe.Listed([]corev1.Node{node}), Pods: observe.Listed([]corev1.Pod{*p})})
		})
	c.budget = newCached(o, &c, "PodDisruptionBudget etcd-guard-pdb", policyv1.SchemeGroupVersion.WithResource("poddisruptionbudgets"), byName("etcd-guard-pdb"),
		o.Kubernetes, o.Kubernetes.PolicyV1().PodDisruptionBudgets(etcdNamespace), func(b *policyv1.PodDisruptionBudget) any {
			return o.told(observe.Objects{Budget: observe.Found(b)})
		})
	return c
}

// told is what objects alone tell.
func (o *Observer) told(objects observe.Objects) any {
	facts, problems := observe.Snapshot(
		observe.Pass{Objects: objects, OperatorVersion: o.OperatorVersion, GuardOutdated: o.GuardOutdated}, observe.ElapsedMemory())
	texts := make([]string, len(problems))
	for i, problem := range problems {
		texts[i] = problem.Error()
	}
	return [...]any{facts, texts}
}

// trimNode drops the longest lists of a Node: nobody here reads which images it has.
func trimNode(n *corev1.Node) {
	n.Status.Images, n.Status.VolumesInUse, n.Status.VolumesAttached = nil, nil, nil
}

func byName(name string) metav1.ListOptions {
	return metav1.ListOptions{FieldSelector: "metadata.name=" + name}
}

func byLabel(selector string) metav1.ListOptions { return metav1.ListOptions{LabelSelector: selector} }

// lister is the part of a typed client that a cache needs.
type lister[L runtime.Object] interface {
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
}

func newCached[T any, L runtime.Object](o *Observer, into *caches, what string, kind schema.GroupVersionResource,
	selection metav1.ListOptions, client any, objects lister[L], facts func(*T) any) *cached[T] {
	c := &cached[T]{
		source: source[T]{
			what: what, kind: kind, selection: selection, client: client, watch: objects.Watch, facts: facts,
			list: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
				return objects.List(ctx, options)
			},
		},
		discovery: o.Kubernetes.Discovery(), clock: o.Clock, changed: o.changed,
	}
	into.runs, into.known, into.ask = append(into.runs, c.run), append(into.known, c.known), append(into.ask, c.reread)
	return c
}

package mustgather

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	configv1 "github.com/openshift/api/config/v1"
	machinev1 "github.com/openshift/api/machine/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
)

// The folders that a gathering consists of. The folder that holds clusterScoped is the one to read; a root may hold
// several, one for each image.
const (
	clusterScoped = "cluster-scoped-resources"
	namespaced    = "namespaces"
	etcdInfo      = "etcd_info"
	timestampFile = "timestamp"
)

// The files of etcd_info.
const (
	memberListFile     = etcdInfo + "/member_list.json"
	endpointHealthFile = etcdInfo + "/endpoint_health.json"
	endpointStatusFile = etcdInfo + "/endpoint_status.json"
	alarmListFile      = etcdInfo + "/alarm_list.json"
)

// resource is a kind of object in one place.
type resource struct {
	// folder is where the objects are, plural names their file or sub-folder.
	folder, plural, group, kind string
	keep                        keep
	// end is the last key that each object has: in a file of its own, one without it was cut off. Empty where metadata come
	// last.
	end string
	// seals are keys below end, of which a whole object has one, and which stand behind those that are read: in the file of
	// one object nothing else tells that it does not end in the middle of them.
	seals []string
	// whole tells of an object without end or seal, of which the text does not tell whether it ends in the middle, whether
	// other objects show that nothing is lost that is read. nil where nothing can.
	whole func(g *gathering, object any) bool
	// bystander tells that only the addresses of an object matter. looksLikeBystander tells it from the kept text, and may
	// overlook one: that of the thousands of workers is cut down once more before it is parsed, to what bystanderKeep
	// keeps. nil when all are alike.
	bystander          func(object map[string]any) bool
	looksLikeBystander func(text []byte) bool
	bystanderKeep      keep
	// wanted chooses objects by name; nil takes all.
	wanted func(name string) bool
	// add decodes an object into a gathering.
	add func(g *gathering, decode func(any) error) error
}

// String is where a person looks for the resource first.
func (r *resource) String() string { return r.folder + "/" + r.plural + ".yaml" }

func newResource[T any](folder, plural, group, kind string, k keep, wanted func(string) bool, into func(*gathering) *[]T) *resource {
	return &resource{folder: folder, plural: plural, group: group, kind: kind, keep: k, wanted: wanted,
		add: func(g *gathering, decode func(any) error) error {
			var object T
			if err := decode(&object); err != nil {
				return err
			}
			list := into(g)
			*list = append(*list, object)
			return nil
		}}
}

// withBystanders: of these the addresses are kept, and a seal.
func (r *resource) withBystanders(are func(labels map[string]string) bool, look func(text []byte) bool, seal keep) *resource {
	r.looksLikeBystander = look
	status := keep{"addresses": all}
	maps.Copy(status, seal)
	r.bystanderKeep = object(keep{"status": status})
	r.bystander = func(object map[string]any) bool { return are(labelsOf(object)) }
	return r
}

// endsWith names what each object has at its end, and the seals below that.
func (r *resource) endsWith(key string, seals ...string) *resource {
	r.end, r.seals = key, seals
	return r
}

// unless names what shows of an object without end or seal that nothing is lost.
func unless[T any](r *resource, whole func(g *gathering, object *T) bool) *resource {
	r.whole = func(g *gathering, object any) bool { return whole(g, object.(*T)) }
	return r
}

// etcdWhole: server-side apply need not write a seal. The list of nodes has all of them, and the last of them runs the
// latest revision, so that nothing behind its name tells of another.
func etcdWhole(g *gathering, o *operatorv1.Etcd) bool {
	s := &o.Status
	last := len(s.NodeStatuses) - 1
	return g.namesNodes(s.NodeStatuses) && (s.NodeStatuses[last].TargetRevision != 0 || s.NodeStatuses[last].CurrentRevision == s.LatestAvailableRevision)
}

// apiServerWhole: of the status of a node nothing is read that stands behind its name.
func apiServerWhole(g *gathering, o *operatorv1.KubeAPIServer) bool {
	return g.namesNodes(o.Status.NodeStatuses)
}

func (g *gathering) namesNodes(statuses []operatorv1.NodeStatus) bool {
	named := func(n corev1.Node) bool {
		return slices.ContainsFunc(statuses, func(s operatorv1.NodeStatus) bool { return s.NodeName == n.Name })
	}
	missing := func(n corev1.Node) bool { return observe.IsControlPlaneNode(n.Labels) && !named(n) }
	return len(statuses) > 0 && g.complete(nodes).Holds() && !slices.ContainsFunc(g.nodes, missing)
}

// machineWhole: nobody writes the status of a Machine where no Machine controller runs, and of a new one not yet. One that
// has a Node is named by it. One that is deleting may have had one that is gone. Hooks stand before the provider's part.
func machineWhole(g *gathering, m *machinev1beta1.Machine) bool {
	named := func(n corev1.Node) bool { return n.Annotations[machineAnnotation] == m.Namespace+"/"+m.Name }
	hooks := m.Spec.ProviderSpec.Value != nil || !observe.IsControlPlaneMachine(m.Labels)
	started := len(m.Status.Addresses) > 0 || m.Status.NodeRef != nil
	return hooks && !started && m.DeletionTimestamp == nil && g.complete(nodes).Holds() && !slices.ContainsFunc(g.nodes, named)
}

// sealed reports whether an object has one of the seals.
func (r *resource) sealed(value map[string]any) bool {
	end, _ := value[r.end].(map[string]any)
	for _, seal := range r.seals {
		if end[seal] != nil {
			return true
		}
	}
	return len(r.seals) == 0
}

func labelsOf(object map[string]any) map[string]string {
	metadata, _ := object["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	texts := map[string]string{}
	for key, value := range labels {
		texts[key], _ = value.(string)
	}
	return texts
}

// machineAnnotation is where the Machine API names the Machine of a Node.
const machineAnnotation = "machine.openshift.io/machine"

var (
	all      = keep{}
	identity = keep{"name": all, "namespace": all, "uid": all, "labels": {
		"app":                            all,
		"node-role.kubernetes.io/master": all, "node-role.kubernetes.io/control-plane": all, "node-role.kubernetes.io/arbiter": all,
		"machine.openshift.io/cluster-api-machine-role": all, "machine.openshift.io/zone": all,
	}, "annotations": {"machine.openshift.io/exclude-node-draining": all, machineAnnotation: all}, "generation": all, "deletionTimestamp": all}
	// staticPodStatus is what is read of the status of an operator resource.
	staticPodStatus = keep{"conditions": all, "latestAvailableRevision": all, "nodeStatuses": all, "observedGeneration": all, "readyReplicas": all, "version": all}
	// behindNodeStatuses are the seals of an operator resource.
	behindNodeStatuses = []string{"observedGeneration", "readyReplicas", "version"}
)

func object(more keep) keep {
	k := keep{"apiVersion": all, "kind": all, "metadata": identity}
	for key, below := range more {
		k[key] = below
	}
	return k
}

// withAllLabels is object for what selectors are compared with.
func withAllLabels(more keep) keep {
	k, metadata := object(more), maps.Clone(identity)
	metadata["labels"] = all
	k["metadata"] = metadata
	return k
}

// without is for text that has none of some words.
func without(words ...string) func([]byte) bool {
	return func(text []byte) bool {
		for _, w := range words {
			if bytes.Contains(text, []byte(w)) {
				return false
			}
		}
		return true
	}
}

func named(names ...string) func(string) bool {
	return func(name string) bool {
		for _, n := range names {
			if n == name {
				return true
			}
		}
		return false
	}
}

const (
	configFolder       = clusterScoped + "/config.openshift.io"
	operatorFolder     = clusterScoped + "/operator.openshift.io"
	machineFolder      = namespaced + "/openshift-machine-api/machine.openshift.io"
	etcdFolder         = namespaced + "/openshift-etcd"
	bootstrapFolder    = namespaced + "/kube-system/core"
	apiServerFolder    = namespaced + "/openshift-kube-apiserver/core"
	foreignFolder      = namespaced + "/*"
	apiServerConfigKey = "config.yaml"
)

// The resources that are read, one variable each so that missing ones can be named.
var (
	nodes = newResource(clusterScoped+"/core", "nodes", "", "Node",
		object(keep{"spec": {"unschedulable": all}, "status": {"addresses": all, "conditions": all, "nodeInfo": all}}), nil,
		func(g *gathering) *[]corev1.Node { return &g.nodes }).endsWith("status", "nodeInfo").
		withBystanders(func(labels map[string]string) bool { return !observe.IsControlPlaneNode(labels) }, noControlPlaneNode, keep{"nodeInfo": {"architecture": all}})
	clusterVersions = newResource(configFolder, "clusterversions", "config.openshift.io", "ClusterVersion",
		object(keep{"spec": {"clusterID": all}, "status": {"capabilities": all, "desired": {"version": all}}}), named("version"),
		func(g *gathering) *[]configv1.ClusterVersion { return &g.clusterVersions }).endsWith("status", "desired")
	infrastructures = newResource(configFolder, "infrastructures", "config.openshift.io", "Infrastructure",
		object(keep{"status": {"controlPlaneTopology": all}}), named("cluster"),
		func(g *gathering) *[]configv1.Infrastructure { return &g.infrastructures }).endsWith("status")
	networks = newResource(configFolder, "networks", "config.openshift.io", "Network",
		object(keep{"status": {"serviceNetwork": all}}), named("cluster"),
		func(g *gathering) *[]configv1.Network { return &g.networks }).endsWith("status")
	clusterOperators = newResource(configFolder, "clusteroperators", "config.openshift.io", "ClusterOperator",
		object(keep{"status": {"versions": all}}), named("etcd"),
		func(g *gathering) *[]configv1.ClusterOperator { return &g.clusterOperators }).endsWith("status")
	etcds = unless(newResource(operatorFolder, "etcds", "operator.openshift.io", "Etcd",
		object(keep{"spec": {"managementState": all, "observedConfig": all, "unsupportedConfigOverrides": all}, "status": staticPodStatus}), named("cluster"),
		func(g *gathering) *[]operatorv1.Etcd { return &g.etcds }).endsWith("status", behindNodeStatuses...), etcdWhole)
	kubeAPIServers = unless(newResource(operatorFolder, "kubeapiservers", "operator.openshift.io", "KubeAPIServer",
		object(keep{"status": staticPodStatus}), named("cluster"),
		func(g *gathering) *[]operatorv1.KubeAPIServer { return &g.kubeAPIServers }).endsWith("status", behindNodeStatuses...), apiServerWhole)
	machines = unless(newResource(machineFolder, "machines", "machine.openshift.io", "Machine",
		object(keep{"spec": {"lifecycleHooks": all, "providerSpec": {"value": {"kind": all}}}, "status": {"addresses": all, "nodeRef": all, "phase": all, "errorReason": all, "errorMessage": all, "conditions": all}}), nil,
		func(g *gathering) *[]machinev1beta1.Machine { return &g.machines }).endsWith("status", "phase").
		withBystanders(func(labels map[string]string) bool { return !observe.IsControlPlaneMachine(labels) }, noControlPlaneMachine, keep{"phase": all}), machineWhole)
	machineSets = newResource(machineFolder, "controlplanemachinesets", "machine.openshift.io", "ControlPlaneMachineSet",
		object(keep{"spec": {"replicas": all, "state": all}}), named("cluster"),
		func(g *gathering) *[]machinev1.ControlPlaneMachineSet { return &g.machineSets }).endsWith("spec")
	pods = newResource(etcdFolder+"/core", "pods", "", "Pod", podKeep, nil,
		func(g *gathering) *[]corev1.Pod { return &g.pods }).endsWith("status", "phase")
	// onePods are the files that oc adm inspect writes beside each pod's logs.
	onePods = newResource(etcdFolder+"/pods", "*", "", "Pod", podKeep, nil,
		func(g *gathering) *[]corev1.Pod { return &g.onePods }).endsWith("status", "phase")
	etcdConfigMaps = newResource(etcdFolder+"/core", "configmaps", "", "ConfigMap", object(keep{"data": all}), named("etcd-endpoints"),
		func(g *gathering) *[]corev1.ConfigMap { return &g.etcdConfigMaps })
	bootstrapConfigMaps = newResource(bootstrapFolder, "configmaps", "", "ConfigMap", object(keep{"data": {"status": all}}), named("bootstrap"),
		func(g *gathering) *[]corev1.ConfigMap { return &g.bootstrapConfigMaps })
	apiServerConfigMaps = newResource(apiServerFolder, "configmaps", "", "ConfigMap", object(keep{"data": {apiServerConfigKey: all}}),
		func(name string) bool {
			revision, ok := strings.CutPrefix(name, "config-")
			return ok && strings.Trim(revision, "0123456789") == ""
		},
		func(g *gathering) *[]corev1.ConfigMap { return &g.apiServerConfigMaps })
	// budgets are those beside the guards' own as well, which may select guards too.
	budgets = newResource(etcdFolder+"/policy", "poddisruptionbudgets", "policy", "PodDisruptionBudget", guardBudgetKeep, nil,
		func(g *gathering) *[]policyv1.PodDisruptionBudget { return &g.budgets }).endsWith("status", "expectedPods")
	// foreignBudgets can hold up the drain of a Machine that etcd no longer holds.
	foreignBudgets = newResource(foreignFolder+"/policy", "poddisruptionbudgets", "policy", "PodDisruptionBudget", budgetKeep, nil,
		func(g *gathering) *[]policyv1.PodDisruptionBudget { return &g.foreignBudgets }).endsWith("status", "expectedPods")

	budgetKeep = object(keep{
		"spec":   {"minAvailable": all, "maxUnavailable": all},
		"status": {"desiredHealthy": all, "disruptionsAllowed": all, "expectedPods": all, "observedGeneration": all},
	})
	// What the operator compares with the budget that it wants is the whole spec.
	guardBudgetKeep = object(keep{"spec": all, "status": budgetKeep["status"]})
	podKeep         = withAllLabels(keep{"spec": {"nodeName": all}, "status": {"phase": all, "reason": all, "message": all, "conditions": all, "initContainerStatuses": all, "containerStatuses": all}})

	noControlPlaneNode    = without("node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/arbiter")
	noControlPlaneMachine = without(`cluster-api-machine-role: master`, `cluster-api-machine-role: arbiter`,
		`cluster-api-machine-role: "`, `cluster-api-machine-role: '`)

	resources = []*resource{
		nodes, clusterVersions, infrastructures, networks, clusterOperators, etcds, kubeAPIServers, machines, machineSets,
		pods, onePods, etcdConfigMaps, bootstrapConfigMaps, apiServerConfigMaps, budgets, foreignBudgets,
	}
)

// patterns are the paths, below a base, that a resource is read from.
func (r *resource) patterns() []string {
	if r == onePods {
		return []string{r.folder + "/*/*.yaml", r.folder + "/*/*.json"}
	}
	file := r.folder + "/" + r.plural
	return []string{file + ".yaml", file + ".json", file + "/*.yaml", file + "/*.json"}
}

// places are where a file of the resource may be, whatever its extension.
func (r *resource) places() []string {
	if r == onePods {
		return []string{r.folder + "/*/*"}
	}
	return []string{r.folder + "/" + r.plural + ".*", r.folder + "/" + r.plural + "/*"}
}

// objectOf returns the name of the object that a file below a base is for; single is false for one that is for all.
func (r *resource) objectOf(below string) (name string, single bool) {
	plain, _ := plainName(below)
	folder, file := path.Split(plain)
	name = strings.TrimSuffix(strings.TrimSuffix(file, ".yaml"), ".json")
	return name, r == onePods || path.Base(folder) == r.plural
}

// namespaceOf returns the namespace whose objects a file below a base has; empty for those of none.
func namespaceOf(below string) string {
	if parts := strings.Split(below, "/"); len(parts) > 1 && parts[0] == namespaced {
		return parts[1]
	}
	return ""
}

// plainName returns a path below a base with the extension that patterns have, whatever way it is written in. behind is
// what stands behind the extension, such as that of a packed file. Both are empty for a file that is not of objects.
func plainName(name string) (plain, behind string) {
	if cut, tilde := strings.CutSuffix(name, "~"); tilde {
		name, behind = cut, "~"
	}
	for {
		extension := path.Ext(name)
		start := strings.TrimSuffix(name, extension)
		switch strings.ToLower(extension) {
		case ".yaml", ".yml":
			return start + ".yaml", behind
		case ".json":
			return start + ".json", behind
		}
		if extension == "" || behind != "" {
			return "", ""
		}
		name, behind = start, extension
	}
}

// resourceOf returns the resource that a path below a base belongs to, or nil.
func resourceOf(name string) *resource {
	name, _ = plainName(name)
	if name == "" {
		return nil
	}
	for _, r := range resources {
		for _, pattern := range r.patterns() {
			if match, _ := path.Match(pattern, name); match {
				return r
			}
		}
	}
	return nil
}

func isEtcdInfo(name string) bool {
	name, _ = plainName(name)
	return name == memberListFile || name == endpointHealthFile || name == endpointStatusFile || name == alarmListFile
}

// splitBase splits a path into the folder that holds a gathering and the path below it. ok is false for what belongs to
// no gathering.
func splitBase(name string) (base, below string, ok bool) {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if i > maxBaseDepth {
			break
		}
		if isGatheringFolder(part) {
			return path.Join(parts[:i]...), path.Join(parts[i:]...), true
		}
	}
	return "", "", false
}

func isGatheringFolder(name string) bool {
	return name == clusterScoped || name == namespaced || name == etcdInfo
}

// maxBaseDepth is how deep a gathering may lie below the folder that was given: a folder of must-gathers, a must-gather,
// an image.
const maxBaseDepth = 3

// byName returns the object of that name in a list.
func byName[T any](list []T, name string) *T {
	for i := range list {
		if any(&list[i]).(metav1.Object).GetName() == name {
			return &list[i]
		}
	}
	return nil
}

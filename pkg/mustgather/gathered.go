package mustgather

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	machinev1 "github.com/openshift/api/machine/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// maxApart is how far apart etcd's files and the objects may have been written without a warning.
const maxApart = 10 * time.Minute

// guardBudget is the name of the guards' own budget.
const guardBudget = "etcd-guard-pdb"

// Gathered is what was read.
type Gathered struct {
	Objects observe.Objects
	Etcd    observe.Etcd
	// At is the time of the gathering from its file timestamp; zero when there is none.
	At time.Time
	// OperatorVersion is the version that ClusterVersion wants the cluster to have; empty when it was not read.
	OperatorVersion string
	// ForeignBudgets are the disruption budgets of others that allow no disruption while they protect a pod, as
	// namespace/name in order.
	ForeignBudgets []string
	// GuardBudgets are, by the node of a guard pod, the budgets beside the guards' own that select it, as namespace/name.
	GuardBudgets map[snapshot.NodeName][]string
	// Unread says of each kind of object, of each ConfigMap and of each file of etcd_info that is not known, or not known to
	// the end, why: a clause that names the file. The keys are kinds, "ConfigMap NAME" and names of files.
	Unread map[string]string
	// NotAsked says of each member without a row in endpoint_health.json that it has none: a clause that names the file.
	NotAsked map[snapshot.MemberID]string
	// Warnings say what is missing, in order.
	Warnings []Warning
}

// merge makes one of all gatherings.
func merge(all *gatherings) *Gathered {
	g := newGathering("")
	for _, base := range slices.Sorted(maps.Keys(all.byBase)) {
		g.absorb(all.byBase[base])
	}
	g.dropContradictions()
	g.dropDoubtful()
	result := &Gathered{Etcd: g.etcd(), At: all.time(), ForeignBudgets: Blocking(g.foreignBudgets), GuardBudgets: Selecting(g.budgets, g.pods)}
	result.Objects = g.toObjects()
	result.Unread, result.NotAsked = g.unreadParts(&result.Objects), g.notAsked
	if version := byName(g.clusterVersions, "version"); version != nil {
		result.OperatorVersion = version.Status.Desired.Version
	}
	g.warnOfMissing(all.stamps)
	for _, folder := range slices.Sorted(maps.Keys(all.stamps)) {
		if timeIn(all.stamps[folder]).IsZero() {
			g.warn(FileUnreadable, fmt.Sprintf("read %s: there is no time in it", path.Join(folder, timestampFile)))
		}
	}
	g.warnOfTimes()
	slices.SortStableFunc(g.warnings, func(a, b Warning) int { return strings.Compare(a.Reason, b.Reason) })
	result.Warnings = slices.Compact(g.warnings)
	return result
}

func (g *gathering) absorb(other *gathering) {
	g.nodes = append(g.nodes, other.nodes...)
	g.clusterVersions = append(g.clusterVersions, other.clusterVersions...)
	g.infrastructures = append(g.infrastructures, other.infrastructures...)
	g.networks = append(g.networks, other.networks...)
	g.clusterOperators = append(g.clusterOperators, other.clusterOperators...)
	g.etcds = append(g.etcds, other.etcds...)
	g.kubeAPIServers = append(g.kubeAPIServers, other.kubeAPIServers...)
	g.machines = append(g.machines, other.machines...)
	g.machineSets = append(g.machineSets, other.machineSets...)
	g.pods = slices.Concat(g.pods, other.pods, other.onePods)
	g.etcdConfigMaps = append(g.etcdConfigMaps, other.etcdConfigMaps...)
	g.bootstrapConfigMaps = append(g.bootstrapConfigMaps, other.bootstrapConfigMaps...)
	g.apiServerConfigMaps = append(g.apiServerConfigMaps, other.apiServerConfigMaps...)
	g.budgets = append(g.budgets, other.budgets...)
	g.foreignBudgets = append(g.foreignBudgets, other.foreignBudgets...)
	for r, state := range other.read {
		g.read[r].files += state.files
		g.read[r].list = g.read[r].list || state.list
		g.read[r].broken = g.read[r].broken || state.broken
	}
	g.doubtful = append(g.doubtful, other.doubtful...)
	for key, places := range other.places {
		g.places[key] = append(g.places[key], places...)
	}
	for file, texts := range other.info {
		g.info[file] = append(g.info[file], texts...)
	}
	g.infoTime = latest(g.infoTime, other.infoTime)
	g.objectTime = latest(g.objectTime, other.objectTime)
	for _, w := range other.warnings {
		g.warn(w.Reason, w.Message)
	}
}

func (g *gathering) toObjects() observe.Objects {
	o := observe.Objects{
		ClusterVersion:         objectOf(g, clusterVersions, g.clusterVersions, "version"),
		Infrastructure:         objectOf(g, infrastructures, g.infrastructures, "cluster"),
		Network:                objectOf(g, networks, g.networks, "cluster"),
		ClusterOperator:        objectOf(g, clusterOperators, g.clusterOperators, "etcd"),
		Etcd:                   objectOf(g, etcds, g.etcds, "cluster"),
		KubeAPIServer:          objectOf(g, kubeAPIServers, g.kubeAPIServers, "cluster"),
		ControlPlaneMachineSet: g.machineSet(),
		Bootstrap:              objectOf(g, bootstrapConfigMaps, g.bootstrapConfigMaps, "bootstrap"),
		Endpoints:              objectOf(g, etcdConfigMaps, g.etcdConfigMaps, "etcd-endpoints"),
		Budget:                 objectOf(g, budgets, g.budgets, guardBudget),
		APIServerConfigs:       observe.List[corev1.ConfigMap]{Complete: g.complete(apiServerConfigMaps), Items: g.apiServerConfigMaps},
		Pods:                   observe.List[corev1.Pod]{Complete: g.complete(pods, onePods), Items: g.pods},
	}
	o.Nodes.Complete = g.complete(nodes)
	o.OtherNodes.Complete = o.Nodes.Complete
	for _, n := range g.nodes {
		if observe.IsControlPlaneNode(n.Labels) {
			o.Nodes.Items = append(o.Nodes.Items, n)
		} else {
			o.OtherNodes.Items = append(o.OtherNodes.Items, n)
		}
	}
	// Without a folder of Machines the capability alone tells whether there is a Machine API (rule R2).
	o.Machines.Complete = g.complete(machines)
	if g.isMissing(machines) {
		o.Machines.Complete = snapshot.False
	}
	o.OtherMachines.Complete = o.Machines.Complete
	for _, m := range g.machines {
		if observe.IsControlPlaneMachine(m.Labels) {
			o.Machines.Items = append(o.Machines.Items, m)
		} else {
			o.OtherMachines.Items = append(o.OtherMachines.Items, m)
		}
	}
	return o
}

// complete tells whether resources that stand for one list were read to the end.
func (g *gathering) complete(any ...*resource) snapshot.Fact {
	files := 0
	for _, r := range any {
		if g.read[r].broken {
			return snapshot.Unknown
		}
		files += g.read[r].files
	}
	if files == 0 {
		return snapshot.Unknown
	}
	return snapshot.True
}

// objectOf is absent for certain only when a file that lists all of its kind was read and does not have it.
func objectOf[T any](g *gathering, r *resource, list []T, name string) observe.Object[T] {
	if found := byName(list, name); found != nil {
		return observe.Found(found)
	}
	if g.read[r].list && !g.read[r].broken {
		return observe.Absent[T]()
	}
	return observe.Object[T]{}
}

// isMissing tells whether there is nothing of resources that stand for one list, not even something unreadable.
func (g *gathering) isMissing(any ...*resource) bool {
	return !slices.ContainsFunc(any, func(r *resource) bool { return g.read[r].files > 0 || g.read[r].broken })
}

// machineSet: a cluster need not have one, and then its folder is not there although the Machines were collected, or
// although there is no Machine API to have a set for.
func (g *gathering) machineSet() observe.Object[machinev1.ControlPlaneMachineSet] {
	found := objectOf(g, machineSets, g.machineSets, "cluster")
	if found.Exists == snapshot.Unknown && !g.read[machineSets].broken && (g.read[machines].files > 0 || g.capabilityOff()) {
		return observe.Absent[machinev1.ControlPlaneMachineSet]()
	}
	return found
}

func (g *gathering) capabilityOff() bool {
	version := byName(g.clusterVersions, "version")
	return version != nil && !slices.Contains(version.Status.Capabilities.EnabledCapabilities, configv1.ClusterVersionCapabilityMachineAPI)
}

// unreadParts says what is unknown, and for want of which file.
func (g *gathering) unreadParts(o *observe.Objects) map[string]string {
	unread := map[string]string{}
	for _, part := range []struct {
		key   string
		known snapshot.Fact
		of    []*resource
	}{
		{"Node", o.Nodes.Complete, []*resource{nodes}},
		{"Machine", o.Machines.Complete, []*resource{machines}},
		{"ControlPlaneMachineSet", o.ControlPlaneMachineSet.Exists, []*resource{machineSets}},
		{"ClusterVersion", o.ClusterVersion.Exists, []*resource{clusterVersions}},
		{"Infrastructure", o.Infrastructure.Exists, []*resource{infrastructures}},
		{"Network", o.Network.Exists, []*resource{networks}},
		{"ClusterOperator", o.ClusterOperator.Exists, []*resource{clusterOperators}},
		{"Etcd", o.Etcd.Exists, []*resource{etcds}},
		{"KubeAPIServer", o.KubeAPIServer.Exists, []*resource{kubeAPIServers}},
		{"ConfigMap config", o.APIServerConfigs.Complete, []*resource{apiServerConfigMaps}},
		{"ConfigMap bootstrap", o.Bootstrap.Exists, []*resource{bootstrapConfigMaps}},
		{"ConfigMap etcd-endpoints", o.Endpoints.Exists, []*resource{etcdConfigMaps}},
		{"Pod", o.Pods.Complete, []*resource{pods, onePods}},
		{"PodDisruptionBudget", o.Budget.Exists, []*resource{budgets}},
	} {
		switch file := part.of[0].String(); {
		case g.isMissing(part.of...) && part.known != snapshot.True && (part.key != "ControlPlaneMachineSet" || part.known == snapshot.Unknown):
			unread[part.key] = "there is no " + file
		// Others than the guards' own matter as well.
		case part.known == snapshot.Unknown, part.of[0] == budgets && g.read[budgets].broken:
			unread[part.key] = "what " + strings.TrimSuffix(file, ".yaml") + " holds was not read to the letter"
		}
	}
	for _, file := range []string{memberListFile, endpointHealthFile, endpointStatusFile, alarmListFile} {
		switch _, have := g.info[file]; {
		case !have:
			unread[path.Base(file)] = "there is no " + file
		case !g.infoRead[file]:
			unread[path.Base(file)] = file + " was not read to the letter"
		}
		if file == memberListFile && unread[path.Base(file)] != "" {
			unread[path.Base(file)] += g.probeError
		}
	}
	return unread
}

// Blocking returns the budgets that allow no disruption while they protect a pod, as namespace/name in order.
func Blocking(budgets []policyv1.PodDisruptionBudget) []string {
	var blocking []string
	for i := range budgets {
		if b := &budgets[i]; b.Status.DisruptionsAllowed == 0 && b.Status.ExpectedPods > 0 {
			blocking = append(blocking, b.Namespace+"/"+b.Name)
		}
	}
	slices.Sort(blocking)
	return blocking
}

// Selecting returns, by the node of each guard pod, the budgets beside the guards' own that select it, as namespace/name in
// order. One whose selector cannot be understood counts as selecting all.
func Selecting(budgets []policyv1.PodDisruptionBudget, pods []corev1.Pod) map[snapshot.NodeName][]string {
	selecting := map[snapshot.NodeName][]string{}
	for i := range budgets {
		b := &budgets[i]
		if b.Name == guardBudget {
			continue
		}
		selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
		for j := range pods {
			if observe.IsGuard(&pods[j]) && (err != nil || selector.Matches(labels.Set(pods[j].Labels))) {
				node := observe.GuardNode(&pods[j])
				selecting[node] = append(selecting[node], b.Namespace+"/"+b.Name)
			}
		}
	}
	for node := range selecting {
		slices.Sort(selecting[node])
		selecting[node] = slices.Compact(selecting[node])
	}
	return selecting
}

// warnOfMissing names the files that were looked for and not found.
func (g *gathering) warnOfMissing(stamps map[string]string) {
	missing := func(what, where string) {
		g.warn(FileMissing, fmt.Sprintf("%s unknown: there is no %s", what, where))
	}
	for _, needed := range []struct {
		what string
		r    *resource
	}{
		{"Nodes", nodes}, {"whether the Machine API is enabled", clusterVersions}, {"the topology", infrastructures},
		{"the address family of peer URLs", networks}, {"the version of the operator", clusterOperators},
		{"revisions and the desired number of replicas", etcds}, {"kube-apiserver revisions", kubeAPIServers},
		{"whether bootstrap is complete", bootstrapConfigMaps}, {"the data of ConfigMap etcd-endpoints", etcdConfigMaps},
		{"the disruption budget", budgets},
	} {
		if g.isMissing(needed.r) {
			missing(needed.what, needed.r.String())
		}
	}
	if g.isMissing(pods, onePods) {
		missing("etcd pods and guard pods", pods.String())
	}
	if g.isMissing(machines) {
		g.warn(FileMissing, fmt.Sprintf("there are no Machines in %s; whether the Machine API works is judged by ClusterVersion alone", path.Join(machines.folder, machines.plural)))
	}
	switch {
	case !g.isMissing(machineSets):
	case g.machineSet().Exists == snapshot.Unknown:
		missing("whether there is a ControlPlaneMachineSet", machineSets.String())
	case !g.capabilityOff():
		g.warn(FileMissing, fmt.Sprintf("there is no %s, so that no ControlPlaneMachineSet is taken to exist", machineSets))
	}
	if byName(g.kubeAPIServers, "cluster") != nil && g.isMissing(apiServerConfigMaps) {
		missing("what the API servers connect to", apiServerConfigMaps.String())
	}
	for _, file := range []struct{ what, name string }{
		{"members", memberListFile}, {"the health of members", endpointHealthFile},
		{"leader, versions and database sizes", endpointStatusFile}, {"alarms", alarmListFile},
	} {
		if _, have := g.info[file.name]; !have {
			missing(file.what, file.name)
		}
	}
	if len(stamps) == 0 {
		missing("the time of the gathering", timestampFile)
	}
}

// warnOfTimes: a member list that is older than the objects may not have the member that an object tells of.
func (g *gathering) warnOfTimes() {
	if g.infoTime.IsZero() || g.objectTime.IsZero() {
		return
	}
	if apart := g.infoTime.Sub(g.objectTime).Abs(); apart > maxApart {
		g.warn(TimesApart, fmt.Sprintf("the files of %s were written at %s, those of the objects at %s: what they tell may not fit together",
			etcdInfo, g.infoTime.UTC().Format(time.RFC3339), g.objectTime.UTC().Format(time.RFC3339)))
	}
}

// time is the newest of all stamps.
func (all *gatherings) time() time.Time {
	var newest time.Time
	for _, text := range all.stamps {
		newest = latest(newest, timeIn(text))
	}
	return newest
}

// timeIn is the newest time in a file.
func timeIn(text string) time.Time {
	var newest time.Time
	for line := range strings.Lines(text) {
		newest = latest(newest, parseStamp(line))
	}
	return newest
}

// parseStamp reads a line as Go prints a time, with or without its monotonic clock; zero when it is something else.
func parseStamp(line string) time.Time {
	line, _, _ = strings.Cut(strings.TrimSpace(line), " m=")
	for _, layout := range []string{"2006-01-02 15:04:05.999999999 -0700 MST", "2006-01-02 15:04:05.999999999 -0700 -0700", time.RFC3339Nano} {
		if at, err := time.Parse(layout, line); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}

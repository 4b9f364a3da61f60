package mustgathertest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Image is the sub-folder that holds the gathering, as `oc adm must-gather` makes one for each image.
const Image = "registry-example-must-gather-sha256-1"

// Version is the version that every cluster has, unless its facts say that an upgrade is under way.
const Version = "4.22.0"

// Files returns the content of each file of a must-gather by its path below the root. A fact of s that is unknown has no
// file. Durations of s have no place in a must-gather and are lost.
func Files(s *snapshot.Snapshot) map[string]string {
	w := writer{s: s, files: map[string]string{}}
	w.files["timestamp"] = s.ObservedAt.Add(-time.Minute).String() + "\n" + s.ObservedAt.String() + "\n"
	w.cluster()
	w.nodes()
	w.machines()
	w.etcdNamespace()
	w.apiServers()
	w.etcdInfo()
	return w.files
}

// Write writes files below root.
func Write(root string, files map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(files[name]), 0o644); err != nil {
			return err
		}
	}
	return nil
}

type object = map[string]any

type writer struct {
	s     *snapshot.Snapshot
	files map[string]string
}

func meta(name, namespace string, labels object) object {
	m := object{"name": name}
	if namespace != "" {
		m["namespace"] = namespace
	}
	if len(labels) > 0 {
		m["labels"] = labels
	}
	return m
}

// one writes an object into a file of its own, list all of a kind into one.
func (w *writer) one(folder, plural string, o object) {
	name := o["metadata"].(object)["name"].(string)
	w.files[path.Join(Image, folder, plural, name+".yaml")] = "---\n" + toYAML(o)
}

func (w *writer) list(folder, plural string, items []object) {
	kind := "List"
	if len(items) > 0 {
		kind = items[0]["kind"].(string) + "List"
	}
	list := object{"apiVersion": "v1", "items": items, "kind": kind}
	if items == nil {
		list["items"] = []object{}
	}
	w.files[path.Join(Image, folder, plural+".yaml")] = "---\n" + toYAML(list)
}

func toYAML(v any) string {
	text, err := yaml.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (w *writer) cluster() {
	const config, operator = "cluster-scoped-resources/config.openshift.io", "cluster-scoped-resources/operator.openshift.io"
	const configVersion, operatorVersion = "config.openshift.io/v1", "operator.openshift.io/v1"
	if w.s.MachineAPI != snapshot.Unknown {
		enabled := []string{"Build", "Console"}
		if w.s.MachineAPI.Holds() {
			enabled = append(enabled, "MachineAPI")
		}
		w.one(config, "clusterversions", object{"apiVersion": configVersion, "kind": "ClusterVersion", "metadata": meta("version", "", nil),
			"status": object{"capabilities": object{"enabledCapabilities": enabled}, "desired": object{"version": Version}}})
	}
	if w.s.Topology != snapshot.TopologyUnknown {
		w.one(config, "infrastructures", object{"apiVersion": configVersion, "kind": "Infrastructure", "metadata": meta("cluster", "", nil),
			"status": object{"controlPlaneTopology": string(w.s.Topology)}})
	}
	w.one(config, "networks", object{"apiVersion": configVersion, "kind": "Network", "metadata": meta("cluster", "", nil),
		"status": object{"serviceNetwork": w.serviceNetworks()}})
	if w.s.VersionCurrent != snapshot.Unknown {
		version := Version
		if !w.s.VersionCurrent.Holds() {
			version = "4.21.9"
		}
		w.one(config, "clusteroperators", object{"apiVersion": configVersion, "kind": "ClusterOperator", "metadata": meta("etcd", "", nil),
			"status": object{"versions": []object{{"name": "raw-internal", "version": version}, {"name": "operator", "version": version}}}})
	}
	w.one(operator, "etcds", object{"apiVersion": operatorVersion, "kind": "Etcd", "metadata": meta("cluster", "", nil),
		"spec": w.etcdSpec(), "status": w.etcdStatus()})
	bootstrap := []object{}
	if w.s.BootstrapComplete.Holds() {
		bootstrap = append(bootstrap, configMap("bootstrap", "kube-system", object{"status": "complete"}))
	}
	if w.s.BootstrapComplete != snapshot.Unknown {
		w.list("namespaces/kube-system/core", "configmaps", bootstrap)
	}
}

// serviceNetworks has the family of the peer addresses first.
func (w *writer) serviceNetworks() []string {
	for _, n := range w.s.Nodes {
		if n.PeerAddress.Is6() {
			return []string{"fd02::/112"}
		}
	}
	return []string{"172.30.0.0/16"}
}

func (w *writer) etcdSpec() object {
	spec := object{"managementState": "Managed"}
	if w.s.Desired.Known() {
		spec["observedConfig"] = object{"controlPlane": object{"replicas": w.s.Desired.Replicas}}
	}
	if w.s.UnsafeNonHA {
		spec["unsupportedConfigOverrides"] = object{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd": true}
	}
	return spec
}

func (w *writer) etcdStatus() object {
	status := object{"latestAvailableRevision": w.s.LatestRevision, "readyReplicas": 0}
	conditions := []object{{"type": "StaticPodsAvailable", "status": "True"}}
	if w.s.ExternalEtcd != snapshot.Unknown {
		conditions = append(conditions, object{"type": "ExternalEtcdHasCompletedTransition", "status": title(w.s.ExternalEtcd)})
	}
	status["conditions"] = conditions
	nodes := []object{}
	for _, n := range w.s.NodeStatuses {
		nodes = append(nodes, nodeStatus(n.Node, n.Current, n.Target))
	}
	status["nodeStatuses"] = nodes
	return status
}

func nodeStatus(node snapshot.NodeName, current, target int) object {
	o := object{"nodeName": string(node), "currentRevision": current}
	if target != 0 {
		o["targetRevision"] = target
	}
	return o
}

func title(f snapshot.Fact) string {
	switch f {
	case snapshot.True:
		return "True"
	case snapshot.False:
		return "False"
	default:
		return "Unknown"
	}
}

func configMap(name, namespace string, data object) object {
	return object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta(name, namespace, nil), "data": data}
}

func condition(kind string, f snapshot.Fact) object { return object{"type": kind, "status": title(f)} }

func (w *writer) nodes() {
	if !w.s.NodeList.Holds() {
		return
	}
	for _, n := range w.s.Nodes {
		if !n.Present.Holds() {
			continue
		}
		labels := object{"kubernetes.io/hostname": string(n.Name)}
		if n.ControlPlane {
			labels["node-role.kubernetes.io/master"], labels["node-role.kubernetes.io/control-plane"] = "", ""
		}
		m := meta(string(n.Name), "", labels)
		if n.Deleting {
			m["deletionTimestamp"] = stamp(w.s.ObservedAt)
		}
		for _, machine := range w.s.Machines {
			if machine.NodeRef == n.Name {
				m["annotations"] = object{"machine.openshift.io/machine": "openshift-machine-api/" + string(machine.Name)}
			}
		}
		spec := object{}
		if n.Cordoned {
			spec["unschedulable"] = true
		}
		addresses := []object{{"type": "Hostname", "address": string(n.Name)}}
		for _, a := range n.Addresses {
			addresses = append(addresses, object{"type": "InternalIP", "address": a.String()})
		}
		w.one("cluster-scoped-resources/core", "nodes", object{"apiVersion": "v1", "kind": "Node", "metadata": m, "spec": spec,
			"status": object{"addresses": addresses, "nodeInfo": object{"architecture": "amd64"}, "conditions": []object{condition("MemoryPressure", snapshot.False), condition("Ready", n.Ready)},
				"images": []object{{"names": []string{"registry.example/an-image"}, "sizeBytes": 1}}}})
	}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (w *writer) machines() {
	if w.s.MachineAPI == snapshot.False && len(w.s.Machines) == 0 || !w.s.MachineList.Holds() {
		return
	}
	const folder = "namespaces/openshift-machine-api/machine.openshift.io"
	for _, m := range w.s.Machines {
		w.one(folder, "machines", machine(&m))
	}
	w.list(folder, "controlplanemachinesets", nil)
}

func machine(m *snapshot.Machine) object {
	labels := object{"machine.openshift.io/cluster-api-machine-role": "master"}
	if m.Zone != "" {
		labels["machine.openshift.io/zone"] = m.Zone
	}
	md := meta(string(m.Name), "openshift-machine-api", labels)
	md["uid"] = m.UID
	if m.Deleting {
		md["deletionTimestamp"] = stamp(m.DeletionTimestamp)
	}
	if m.ExcludedFromDrain {
		md["annotations"] = object{"machine.openshift.io/exclude-node-draining": ""}
	}
	hooks := map[string][]object{}
	switch m.Hook {
	case snapshot.HookPresent:
		hooks["preDrain"] = append(hooks["preDrain"], object{"name": "EtcdQuorumOperator", "owner": "clusteroperator/etcd"})
	case snapshot.HookWrongOwner:
		hooks["preDrain"] = append(hooks["preDrain"], object{"name": "EtcdQuorumOperator", "owner": "someone"})
	}
	for _, h := range m.OtherHooks {
		hooks[h.Point] = append(hooks[h.Point], object{"name": h.Name, "owner": h.Owner})
	}
	spec := object{"providerSpec": object{"value": object{"apiVersion": "machine.openshift.io/v1beta1", "kind": "AWSMachineProviderConfig"}}}
	if len(hooks) > 0 {
		spec["lifecycleHooks"] = hooks
	}
	status := object{"phase": m.Phase}
	addresses := []object{}
	for _, a := range m.Addresses {
		addresses = append(addresses, object{"type": "InternalIP", "address": a.String()})
	}
	status["addresses"] = addresses
	if m.NodeRef != "" {
		status["nodeRef"] = object{"kind": "Node", "name": string(m.NodeRef)}
	}
	return object{"apiVersion": "machine.openshift.io/v1beta1", "kind": "Machine", "metadata": md, "spec": spec, "status": status}
}

func (w *writer) etcdNamespace() {
	const namespace, folder = "openshift-etcd", "namespaces/openshift-etcd"
	if w.s.GuardList.Holds() {
		var items []object
		for _, n := range w.s.Nodes {
			if n.Present.Holds() && n.Etcd.Present.Holds() {
				items = append(items, etcdPod(&n))
			}
		}
		for _, g := range w.s.Guards {
			md := meta("etcd-guard-"+string(g.Node), namespace, object{"app": "guard"})
			if g.Deleting {
				md["deletionTimestamp"] = stamp(w.s.ObservedAt)
			}
			items = append(items, object{"apiVersion": "v1", "kind": "Pod", "metadata": md, "spec": object{"nodeName": string(g.Node)},
				"status": object{"phase": string(g.Phase), "conditions": []object{condition("Ready", snapshot.Known(g.Ready))}}})
		}
		w.list(folder+"/core", "pods", items)
	}
	maps := []object{configMap("etcd-scripts", namespace, object{"etcd.env": "export A=1\n\nitems:\n- no list\n"})}
	if w.s.EndpointsKnown.Holds() {
		data := object{}
		for i, a := range w.s.Endpoints {
			data[strconv.FormatUint(uint64(0xa+i), 16)] = a.String()
		}
		maps = append(maps, configMap("etcd-endpoints", namespace, data))
	}
	if w.s.EndpointsKnown != snapshot.Unknown {
		w.list(folder+"/core", "configmaps", maps)
	}
	if b := w.s.Budget; b.Present != snapshot.Unknown {
		var items []object
		if b.Present.Holds() {
			md := meta("etcd-guard-pdb", namespace, nil)
			md["generation"] = 2
			observed := 1
			if b.Observed {
				observed = 2
			}
			items = append(items, object{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": md,
				"spec":   object{"minAvailable": b.MinAvailable, "selector": object{"matchLabels": object{"app": "guard"}}},
				"status": object{"disruptionsAllowed": b.DisruptionsAllowed, "expectedPods": len(w.s.Guards), "observedGeneration": observed}})
		}
		w.list(folder+"/policy", "poddisruptionbudgets", items)
	}
}

func etcdPod(n *snapshot.Node) object {
	status := object{"phase": "Running"}
	if n.Etcd.Ready != snapshot.Unknown {
		status["conditions"] = []object{condition("Ready", n.Etcd.Ready)}
	}
	sidecar := object{"name": "etcdctl", "ready": true, "state": object{"running": object{}}}
	containers := []object{sidecar}
	if n.Etcd.ContainerRunning != snapshot.Unknown {
		state := object{"waiting": object{"reason": "CrashLoopBackOff"}}
		if n.Etcd.ContainerRunning.Holds() {
			state = object{"running": object{}}
		}
		containers = append(containers, object{"name": "etcd", "ready": n.Etcd.ContainerReady.Holds(), "state": state})
	}
	status["containerStatuses"] = containers
	return object{"apiVersion": "v1", "kind": "Pod",
		"metadata": meta("etcd-"+string(n.Name), "openshift-etcd", object{"app": "etcd", "etcd": "true", "k8s-app": "etcd"}),
		"spec":     object{"nodeName": string(n.Name)}, "status": status}
}

// apiServers gives each API server a revision of its own, since each may know other endpoints.
func (w *writer) apiServers() {
	const folder = "cluster-scoped-resources/operator.openshift.io"
	if w.s.APIServers.Fails() {
		w.list(folder, "kubeapiservers", nil)
	}
	if !w.s.APIServers.Holds() {
		return
	}
	var statuses, configs []object
	for i, server := range w.s.APIServerNodes {
		revision := i + 1
		statuses = append(statuses, nodeStatus(server.Node, revision, 0))
		if !server.EtcdServersKnown.Holds() {
			continue
		}
		urls := []string{"https://localhost:2379"}
		for _, a := range server.EtcdServers {
			urls = append(urls, clientURL(a.String()))
		}
		config, err := json.Marshal(object{"apiServerArguments": object{"etcd-servers": urls}})
		if err != nil {
			panic(err)
		}
		configs = append(configs, configMap(fmt.Sprintf("config-%d", revision), "openshift-kube-apiserver", object{"config.yaml": string(config)}))
	}
	w.one(folder, "kubeapiservers", object{"apiVersion": "operator.openshift.io/v1", "kind": "KubeAPIServer", "metadata": meta("cluster", "", nil),
		"status": object{"latestAvailableRevision": 1, "nodeStatuses": statuses, "readyReplicas": 0}})
	w.list("namespaces/openshift-kube-apiserver/core", "configmaps", configs)
}

func clientURL(host string) string {
	for _, c := range host {
		if c == ':' {
			return "https://[" + host + "]:2379"
		}
	}
	return "https://" + host + ":2379"
}

func (w *writer) etcdInfo() {
	if !w.s.MemberList.Holds() {
		return
	}
	header := func(id snapshot.MemberID) object {
		return object{"cluster_id": w.s.ClusterID, "member_id": uint64(id), "raft_term": 7}
	}
	var members, health, status, alarms []object
	alarmsKnown, anyAlarm := true, false
	for _, m := range w.s.Members {
		anyAlarm = anyAlarm || m.Corrupt.Holds() || m.NoSpace.Holds()
	}
	for _, m := range w.s.Members {
		entry := object{"ID": uint64(m.ID), "name": m.Name, "peerURLs": m.PeerURLs}
		if m.Learner {
			entry["isLearner"] = true
		}
		endpoint := ""
		if m.Started && len(m.PeerAddresses) > 0 {
			endpoint = clientURL(m.PeerAddresses[0].String())
			entry["clientURLs"] = []string{endpoint}
		}
		members = append(members, entry)
		alarmsKnown = alarmsKnown && m.Corrupt != snapshot.Unknown
		for kind, has := range map[int]snapshot.Fact{1: m.NoSpace, 2: m.Corrupt} {
			if has.Holds() {
				alarms = append(alarms, object{"memberID": uint64(m.ID), "alarm": kind})
			}
		}
		if endpoint != "" && m.Health != snapshot.HealthUnknown {
			health = append(health, healthRow(&m, endpoint, anyAlarm))
		}
		if m.AppliedIndex > 0 || m.CannotServe.Holds() {
			says := object{"header": header(m.ID), "version": m.Version,
				"dbSize": m.DatabaseBytes, "leader": uint64(w.s.Leader), "raftAppliedIndex": m.AppliedIndex}
			if m.Learner {
				says["isLearner"] = true
			}
			status = append(status, object{"Endpoint": endpoint, "Status": says})
		}
	}
	w.info("member_list", object{"header": header(w.s.Leader), "members": members})
	w.info("endpoint_health", health)
	w.info("endpoint_status", status)
	if alarmsKnown {
		slices.SortFunc(alarms, func(a, b object) int { return cmp.Compare(a["alarm"].(int), b["alarm"].(int)) })
		w.info("alarm_list", object{"header": header(w.s.Leader), "alarms": alarms})
	}
}

// healthRow says what etcdctl makes of an endpoint: of a learner and of any alarm, that it is not healthy.
func healthRow(m *snapshot.Member, endpoint string, anyAlarm bool) object {
	row := object{"endpoint": endpoint, "health": true, "took": "9.1ms"}
	fails := func(why string) object {
		row["health"], row["error"] = false, why
		return row
	}
	switch {
	case m.CannotServe.Holds():
		return fails("etcdserver: no leader")
	case m.Health == snapshot.Unhealthy:
		return fails("context deadline exceeded")
	case m.Learner:
		return fails("etcdserver: rpc not supported for learner")
	case anyAlarm:
		return fails("Active Alarm(s): NOSPACE ")
	}
	return row
}

func (w *writer) info(name string, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	w.files[path.Join(Image, "etcd_info", name+".json")] = string(text) + "\n"
}

package observe

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	configv1 "github.com/openshift/api/config/v1"
	machinev1 "github.com/openshift/api/machine/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

func convert(p Pass) snapshot.Snapshot {
	s, _ := Snapshot(p, ElapsedMemory())
	return s
}

func meta(name string, labels ...string) metav1.ObjectMeta {
	m := metav1.ObjectMeta{Name: name, Labels: map[string]string{}}
	for _, l := range labels {
		key, value, _ := strings.Cut(l, "=")
		m.Labels[key] = value
	}
	return m
}

func clusterVersion(capabilities ...configv1.ClusterVersionCapability) Object[configv1.ClusterVersion] {
	v := &configv1.ClusterVersion{ObjectMeta: meta("version")}
	v.Status.Capabilities.EnabledCapabilities = capabilities
	return Found(v)
}

func machine(name, phase, nodeRef string) machinev1beta1.Machine {
	m := machinev1beta1.Machine{ObjectMeta: meta(name, roleLabel+"=master")}
	m.Status.Phase = &phase
	if nodeRef != "" {
		m.Status.NodeRef = &corev1.ObjectReference{Name: nodeRef}
	}
	return m
}

func TestWhetherTheMachineAPIWorks(t *testing.T) {
	type machines = List[machinev1beta1.Machine]
	const on = configv1.ClusterVersionCapabilityMachineAPI
	deleting := machine("m", "Deleting", "node")
	deleting.DeletionTimestamp = &metav1.Time{}
	worker := machine("w", "Running", "worker")
	worker.Labels[roleLabel] = "worker"
	for name, test := range map[string]struct {
		version  Object[configv1.ClusterVersion]
		machines machines
		want     snapshot.Fact
	}{
		"nothing read: unknown":                                               {},
		"a machine that runs, with the capability: yes":                       {clusterVersion(on), Listed([]machinev1beta1.Machine{machine("m", "Running", "")}), snapshot.True},
		"a machine with a node, without the capability: yes":                  {clusterVersion(), Listed([]machinev1beta1.Machine{machine("m", "Provisioned", "node")}), snapshot.True},
		"no ClusterVersion at all, but a machine that runs: yes":              {Absent[configv1.ClusterVersion](), Listed([]machinev1beta1.Machine{machine("m", "Running", "")}), snapshot.True},
		"all machines deleting: yes":                                          {clusterVersion(on), Listed([]machinev1beta1.Machine{deleting}), snapshot.True},
		"machines that never left Provisioning: no":                           {clusterVersion(on), Listed([]machinev1beta1.Machine{machine("m", "Provisioning", "")}), snapshot.False},
		"only workers' machines: no":                                          {clusterVersion(on), Listed([]machinev1beta1.Machine{worker}), snapshot.False},
		"no machines, capability on: no":                                      {clusterVersion(on), Listed[machinev1beta1.Machine](nil), snapshot.False},
		"machines not served, capability off: no":                             {clusterVersion(), machines{Complete: snapshot.False}, snapshot.False},
		"machines not served, capability on: unknown":                         {clusterVersion(on), machines{Complete: snapshot.False}, snapshot.Unknown},
		"machines not listed, capability off: unknown":                        {clusterVersion(), machines{}, snapshot.Unknown},
		"machines not listed to the end, though one runs: unknown":            {clusterVersion(on), machines{Items: []machinev1beta1.Machine{machine("m", "Running", "")}}, snapshot.Unknown},
		"ClusterVersion not read: unknown, though a machine runs (rule R2.2)": {machines: Listed([]machinev1beta1.Machine{machine("m", "Running", "")}), want: snapshot.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			got := convert(Pass{Objects: Objects{ClusterVersion: test.version, Machines: test.machines}}).MachineAPI
			if got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// three is a member list of a, b, c and so on: one member for each probe, with addresses from 192.0.2.10 on.
func three(served ...snapshot.Fact) Etcd {
	e := Etcd{MemberList: snapshot.True, ClusterID: 1}
	for i, s := range served {
		id := snapshot.MemberID(i + 1)
		name := string(rune('a' + i))
		e.Members = append(e.Members, Member{ID: id, Name: name, PeerURLs: []string{fmt.Sprintf("https://192.0.2.1%d:2380", i)}, ClientURLs: []string{"x"}})
		e.Probes = append(e.Probes, Probe{Member: id, Served: s})
	}
	return e
}

func TestHealthIsKnownOnlyWhileAQuorumAnswers(t *testing.T) {
	const yes, no, unknown = snapshot.True, snapshot.False, snapshot.Unknown
	for name, test := range map[string]struct {
		served  []snapshot.Fact
		learner int
		want    []snapshot.Health
	}{
		"who answers is healthy": {served: []snapshot.Fact{yes, yes, yes}, learner: -1, want: []snapshot.Health{snapshot.Healthy, snapshot.Healthy, snapshot.Healthy}},
		"who fails while a quorum answers is unhealthy": {served: []snapshot.Fact{no, yes, yes}, learner: -1,
			want: []snapshot.Health{snapshot.Unhealthy, snapshot.Healthy, snapshot.Healthy}},
		"who fails while no quorum answers is unknown": {served: []snapshot.Fact{no, no, yes}, learner: -1,
			want: []snapshot.Health{snapshot.HealthUnknown, snapshot.HealthUnknown, snapshot.Healthy}},
		"who was not asked is unknown": {served: []snapshot.Fact{unknown, yes, yes}, learner: -1,
			want: []snapshot.Health{snapshot.HealthUnknown, snapshot.Healthy, snapshot.Healthy}},
		"a learner that answers is no part of the quorum": {served: []snapshot.Fact{no, yes, yes}, learner: 2,
			want: []snapshot.Health{snapshot.HealthUnknown, snapshot.Healthy, snapshot.Healthy}},
	} {
		t.Run(name, func(t *testing.T) {
			etcd := three(test.served...)
			if test.learner >= 0 {
				etcd.Members[test.learner].Learner = true
			}
			var got []snapshot.Health
			for _, m := range convert(Pass{Etcd: etcd}).Members {
				got = append(got, m.Health)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("unexpected health (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheLeaderIsWhomAQuorumOfVotersNames(t *testing.T) {
	named := func(leaders ...snapshot.MemberID) snapshot.MemberID {
		etcd := three(make([]snapshot.Fact, len(leaders))...)
		for i, l := range leaders {
			etcd.Probes[i].Status = &Status{Leader: l}
		}
		return convert(Pass{Etcd: etcd}).Leader
	}
	for name, test := range map[string]struct{ got, want snapshot.MemberID }{
		"all agree":                  {named(2, 2, 2), 2},
		"two of three agree":         {named(1, 3, 3), 3},
		"nobody has a quorum":        {named(1, 2, 3), 0},
		"they know none":             {named(0, 0, 0), 0},
		"they name no listed member": {named(9, 9, 9), 0},
	} {
		if test.got != test.want {
			t.Errorf("%s: got leader %v, want %v", name, test.got, test.want)
		}
	}
}

func node(name, ip string, labels ...string) corev1.Node {
	n := corev1.Node{ObjectMeta: meta(name, labels...)}
	n.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeHostName, Address: name}, {Type: corev1.NodeInternalIP, Address: ip}}
	return n
}

func TestAnAddressIsNobodysOnlyIfAllListsSaySo(t *testing.T) {
	const on = configv1.ClusterVersionCapabilityMachineAPI
	running := Listed([]machinev1beta1.Machine{machine("m", "Running", "elsewhere")})
	claiming := machine("other", "Running", "")
	claiming.Labels[roleLabel] = "worker"
	claiming.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "192.0.2.10"}}
	complete := Objects{
		ClusterVersion: clusterVersion(on), Machines: running, OtherMachines: Listed[machinev1beta1.Machine](nil),
		Nodes: Listed[corev1.Node](nil), OtherNodes: Listed[corev1.Node](nil),
	}
	for name, test := range map[string]struct {
		change func(*Objects)
		want   snapshot.Fact
	}{
		"nobody has it": {func(*Objects) {}, snapshot.False},
		"a worker node has it": {func(o *Objects) {
			o.OtherNodes = Listed([]corev1.Node{node("w", "192.0.2.10")})
		}, snapshot.True},
		"a control-plane node has it, written as IPv6": {func(o *Objects) {
			o.Nodes = Listed([]corev1.Node{node("n", "::ffff:192.0.2.10", "node-role.kubernetes.io/arbiter=")})
		}, snapshot.True},
		"a machine of another role has it": {func(o *Objects) { o.OtherMachines = Listed([]machinev1beta1.Machine{claiming}) }, snapshot.True},
		"a machine has it, but there is no Machine API": {func(o *Objects) {
			o.OtherMachines = Listed([]machinev1beta1.Machine{claiming})
			o.ClusterVersion, o.Machines = clusterVersion(), Listed[machinev1beta1.Machine](nil)
		}, snapshot.False},
		"an address of a node of the control plane cannot be read": {func(o *Objects) {
			o.Nodes = Listed([]corev1.Node{node("n", "192.0.2.010", "node-role.kubernetes.io/master=")})
		}, snapshot.Unknown},
		"an address of another node cannot be read": {func(o *Objects) { o.OtherNodes = Listed([]corev1.Node{node("w", "?"), node("v", "192.0.2.9")}) }, snapshot.Unknown},
		"an address of another machine cannot be read": {func(o *Objects) {
			unreadable := claiming.DeepCopy()
			unreadable.Status.Addresses[0].Address = "?"
			o.OtherMachines = Listed([]machinev1beta1.Machine{*unreadable, machine("z", "Running", "")})
		}, snapshot.Unknown},
		"nodes of the control plane were not read":          {func(o *Objects) { o.Nodes = List[corev1.Node]{} }, snapshot.Unknown},
		"other nodes were not read":                         {func(o *Objects) { o.OtherNodes = List[corev1.Node]{} }, snapshot.Unknown},
		"other machines were not read":                      {func(o *Objects) { o.OtherMachines = List[machinev1beta1.Machine]{} }, snapshot.Unknown},
		"whether there is a Machine API is not known":       {func(o *Objects) { o.ClusterVersion = Object[configv1.ClusterVersion]{} }, snapshot.Unknown},
		"a node of a list that was not read to its end has": {func(o *Objects) { o.Nodes = List[corev1.Node]{Items: []corev1.Node{node("n", "192.0.2.10")}} }, snapshot.True},
	} {
		t.Run(name, func(t *testing.T) {
			objects := complete
			test.change(&objects)
			s := convert(Pass{Objects: objects, Etcd: three(snapshot.True)})
			if got := s.Members[0].AddressClaimed; got != test.want {
				t.Errorf("claimed: got %v, want %v", got, test.want)
			}
			if lasted := s.Members[0].UnclaimedFor > 0; lasted != test.want.Fails() {
				t.Errorf("unclaimed for %v", s.Members[0].UnclaimedFor)
			}
		})
	}
}

func TestANodeIsGoneOnlyIfThatIsKnown(t *testing.T) {
	etcd := three(snapshot.True)
	find := func(o Objects) (snapshot.Fact, bool) {
		s := convert(Pass{Objects: o, Etcd: etcd})
		i := slices.IndexFunc(s.Nodes, func(n snapshot.Node) bool { return n.Name == "a" })
		if i < 0 {
			return snapshot.Unknown, false
		}
		return s.Nodes[i].Present, true
	}
	for name, test := range map[string]struct {
		objects Objects
		want    snapshot.Fact
		listed  bool
	}{
		"control-plane nodes alone do not tell":            {objects: Objects{Nodes: Listed[corev1.Node](nil)}},
		"all nodes were listed without it":                 {Objects{Nodes: Listed[corev1.Node](nil), OtherNodes: Listed[corev1.Node](nil)}, snapshot.False, true},
		"a live read by name did not find it":              {Objects{Nodes: Listed[corev1.Node](nil), GoneNodes: []snapshot.NodeName{"a"}}, snapshot.False, true},
		"it is there without a label of the control plane": {Objects{Nodes: Listed[corev1.Node](nil), OtherNodes: Listed([]corev1.Node{node("a", "192.0.2.9")})}, snapshot.True, true},
	} {
		if got, listed := find(test.objects); got != test.want || listed != test.listed {
			t.Errorf("%s: present %v (listed %v), want %v (%v)", name, got, listed, test.want, test.listed)
		}
	}
}

func TestAPodSaysOnlyWhatItsKubeletTold(t *testing.T) {
	pod := corev1.Pod{ObjectMeta: meta("etcd-n", "app=etcd")}
	pods := func(change func(*corev1.Pod)) List[corev1.Pod] {
		p := pod.DeepCopy()
		change(p)
		return Listed([]corev1.Pod{*p})
	}
	status := func(name string, running, ready bool) corev1.ContainerStatus {
		s := corev1.ContainerStatus{Name: name, Ready: ready}
		if running {
			s.State.Running = &corev1.ContainerStateRunning{}
		} else {
			s.State.Waiting = &corev1.ContainerStateWaiting{}
		}
		return s
	}
	const yes, no, unknown = snapshot.True, snapshot.False, snapshot.Unknown
	for name, test := range map[string]struct {
		pods List[corev1.Pod]
		want snapshot.EtcdPod
	}{
		"pods not read":                         {want: snapshot.EtcdPod{}},
		"no pod":                                {Listed[corev1.Pod](nil), snapshot.EtcdPod{Present: no, ContainerRunning: no, ContainerReady: no, Ready: no}},
		"a pod of that name that is not etcd's": {pods(func(p *corev1.Pod) { p.Labels["app"] = "guard" }), snapshot.EtcdPod{Present: no, ContainerRunning: no, ContainerReady: no, Ready: no}},
		"a pod without a status":                {pods(func(*corev1.Pod) {}), snapshot.EtcdPod{Present: yes}},
		"a sidecar runs, etcd does not": {pods(func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{status("etcdctl", true, true), status("etcd", false, false)}
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse}}
		}), snapshot.EtcdPod{Present: yes, ContainerRunning: no, ContainerReady: no, Ready: no}},
		"a container without a state, and conditions that contradict each other": {pods(func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "etcd"}}
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}, {Type: corev1.PodReady, Status: corev1.ConditionFalse}}
		}), snapshot.EtcdPod{Present: yes, ContainerRunning: unknown, ContainerReady: no, Ready: unknown}},
		"etcd runs and waits": {pods(func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{status("etcd", true, false)}
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionUnknown}}
		}), snapshot.EtcdPod{Present: yes, ContainerRunning: yes, ContainerReady: no, Ready: unknown}},
		"etcd runs and is ready": {pods(func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{status("etcd", true, true)}
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		}), snapshot.EtcdPod{Present: yes, ContainerRunning: yes, ContainerReady: yes, Ready: yes}},
	} {
		t.Run(name, func(t *testing.T) {
			nodes := Listed([]corev1.Node{node("n", "192.0.2.1", "node-role.kubernetes.io/master=")})
			got := convert(Pass{Objects: Objects{Nodes: nodes, Pods: test.pods}}).Nodes[0].Etcd
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("unexpected pod (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadyOfANode(t *testing.T) {
	for name, test := range map[string]struct {
		told []corev1.ConditionStatus
		want snapshot.Fact
	}{
		"it says yes":            {[]corev1.ConditionStatus{corev1.ConditionTrue}, snapshot.True},
		"it says no":             {[]corev1.ConditionStatus{corev1.ConditionFalse}, snapshot.False},
		"its kubelet is silent":  {[]corev1.ConditionStatus{corev1.ConditionUnknown}, snapshot.False},
		"there is no condition":  {nil, snapshot.Unknown},
		"it says nothing":        {[]corev1.ConditionStatus{""}, snapshot.Unknown},
		"it is in another case":  {[]corev1.ConditionStatus{"true"}, snapshot.Unknown},
		"it says yes and no":     {[]corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionFalse}, snapshot.Unknown},
		"it says the same twice": {[]corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionTrue}, snapshot.True},
	} {
		n := node("n", "192.0.2.1", "node-role.kubernetes.io/control-plane=")
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionTrue}}
		for _, status := range test.told {
			n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: corev1.NodeReady, Status: status})
		}
		if got := convert(Pass{Objects: Objects{Nodes: Listed([]corev1.Node{n})}}).Nodes[0].Ready; got != test.want {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

func TestObjectsByNameAreKnownUnknownOrAbsent(t *testing.T) {
	etcd := func(conditions ...operatorv1.OperatorCondition) Object[operatorv1.Etcd] {
		e := &operatorv1.Etcd{}
		e.Status.Conditions = conditions
		return Found(e)
	}
	dual := func(e Object[operatorv1.Etcd]) Objects {
		i := &configv1.Infrastructure{}
		i.Status.ControlPlaneTopology = configv1.DualReplicaTopologyMode
		return Objects{Infrastructure: Found(i), Etcd: e}
	}
	takenOver := func(s operatorv1.ConditionStatus) operatorv1.OperatorCondition {
		return operatorv1.OperatorCondition{Type: externalEtcdCondition, Status: s}
	}
	operator := func(version string) Object[configv1.ClusterOperator] {
		c := &configv1.ClusterOperator{}
		c.Status.Versions = []configv1.OperandVersion{{Name: "etcd", Version: "1"}, {Name: "operator", Version: version}}
		return Found(c)
	}
	running := Found(&operatorv1.KubeAPIServer{})
	running.Value.Status.NodeStatuses = []operatorv1.NodeStatus{{NodeName: "master-0"}}
	configMap := func(data map[string]string) Object[corev1.ConfigMap] { return Found(&corev1.ConfigMap{Data: data}) }
	for name, test := range map[string]struct {
		objects Objects
		fact    func(snapshot.Snapshot) snapshot.Fact
		want    snapshot.Fact
	}{
		"external etcd: not read":                       {dual(Object[operatorv1.Etcd]{}), externalEtcd, snapshot.Unknown},
		"external etcd: a status that nobody wrote":     {dual(etcd()), externalEtcd, snapshot.Unknown},
		"external etcd: a status without the condition": {dual(etcd(operatorv1.OperatorCondition{Type: "StaticPodsAvailable"})), externalEtcd, snapshot.False},
		"external etcd: has taken over":                 {dual(etcd(takenOver("True"))), externalEtcd, snapshot.True},
		"external etcd: has not":                        {dual(etcd(takenOver("False"))), externalEtcd, snapshot.False},
		"external etcd: does not know":                  {dual(etcd(takenOver("Unknown"))), externalEtcd, snapshot.Unknown},
		"external etcd: not asked in another topology":  {Objects{Etcd: etcd(takenOver("True"))}, externalEtcd, snapshot.Unknown},
		"bootstrap: not read":                           {Objects{}, bootstrap, snapshot.Unknown},
		"bootstrap: no ConfigMap":                       {Objects{Bootstrap: Absent[corev1.ConfigMap]()}, bootstrap, snapshot.False},
		"bootstrap: another status":                     {Objects{Bootstrap: configMap(map[string]string{"status": "progressing"})}, bootstrap, snapshot.False},
		"bootstrap: complete":                           {Objects{Bootstrap: configMap(map[string]string{"status": "complete"})}, bootstrap, snapshot.True},
		"version: not read":                             {Objects{}, version, snapshot.Unknown},
		"version: no ClusterOperator":                   {Objects{ClusterOperator: Absent[configv1.ClusterOperator]()}, version, snapshot.False},
		"version: ours":                                 {Objects{ClusterOperator: operator("4.22.0")}, version, snapshot.True},
		"version: another":                              {Objects{ClusterOperator: operator("4.21.0")}, version, snapshot.False},
		"endpoints: not read":                           {Objects{}, endpoints, snapshot.Unknown},
		"endpoints: no ConfigMap":                       {Objects{Endpoints: Absent[corev1.ConfigMap]()}, endpoints, snapshot.False},
		"endpoints: a value that is no address":         {Objects{Endpoints: configMap(map[string]string{"a": "192.0.2.1", "b": "host"})}, endpoints, snapshot.False},
		"endpoints: addresses":                          {Objects{Endpoints: configMap(map[string]string{"a": "192.0.2.1"})}, endpoints, snapshot.True},
		"API servers: not read":                         {Objects{}, apiServers, snapshot.Unknown},
		"API servers: no such resource":                 {Objects{KubeAPIServer: Absent[operatorv1.KubeAPIServer]()}, apiServers, snapshot.False},
		"API servers: there, with no status yet":        {Objects{KubeAPIServer: Found(&operatorv1.KubeAPIServer{})}, apiServers, snapshot.Unknown},
		"API servers: there":                            {Objects{KubeAPIServer: running}, apiServers, snapshot.True},
		"guards: not read":                              {Objects{}, guardList, snapshot.Unknown},
		"guards: listed":                                {Objects{Pods: Listed[corev1.Pod](nil)}, guardList, snapshot.True},
		"budget: not read":                              {Objects{}, budget, snapshot.Unknown},
		"budget: absent":                                {Objects{Budget: Absent[policyv1.PodDisruptionBudget]()}, budget, snapshot.False},
		"machines: not served":                          {Objects{Machines: List[machinev1beta1.Machine]{Complete: snapshot.False}}, machineList, snapshot.False},
		"machines: not read":                            {Objects{}, machineList, snapshot.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.fact(convert(Pass{Objects: test.objects, OperatorVersion: "4.22.0"})); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func externalEtcd(s snapshot.Snapshot) snapshot.Fact { return s.ExternalEtcd }
func bootstrap(s snapshot.Snapshot) snapshot.Fact    { return s.BootstrapComplete }
func version(s snapshot.Snapshot) snapshot.Fact      { return s.VersionCurrent }
func endpoints(s snapshot.Snapshot) snapshot.Fact    { return s.EndpointsKnown }
func apiServers(s snapshot.Snapshot) snapshot.Fact   { return s.APIServers }
func guardList(s snapshot.Snapshot) snapshot.Fact    { return s.GuardList }
func budget(s snapshot.Snapshot) snapshot.Fact       { return s.Budget.Present }
func machineList(s snapshot.Snapshot) snapshot.Fact  { return s.MachineList }

func TestOurOwnVersionMustBeKnown(t *testing.T) {
	c := &configv1.ClusterOperator{}
	c.Status.Versions = []configv1.OperandVersion{{Name: "operator"}}
	if got := convert(Pass{Objects: Objects{ClusterOperator: Found(c)}}).VersionCurrent; got != snapshot.Unknown {
		t.Errorf("without a version of our own: got %v", got)
	}
}

func TestAnUnknownTopologyIsReported(t *testing.T) {
	i := &configv1.Infrastructure{}
	i.Status.ControlPlaneTopology = configv1.ExternalTopologyMode
	s, problems := Snapshot(Pass{Objects: Objects{Infrastructure: Found(i)}}, ElapsedMemory())
	if s.Topology != snapshot.TopologyUnknown || !mention(problems, "status.controlPlaneTopology") {
		t.Errorf("topology %q, problems %v", s.Topology, problems)
	}
}

func mention(problems []error, text string) bool {
	return slices.ContainsFunc(problems, func(err error) bool { return strings.Contains(err.Error(), text) })
}

func raw(text string) runtime.RawExtension { return runtime.RawExtension{Raw: []byte(text)} }

func etcdSpec(observed, overrides string) Object[operatorv1.Etcd] {
	e := &operatorv1.Etcd{}
	e.Spec.ObservedConfig, e.Spec.UnsupportedConfigOverrides = raw(observed), raw(overrides)
	return Found(e)
}

func machineSet(state machinev1.ControlPlaneMachineSetState, replicas int32) Object[machinev1.ControlPlaneMachineSet] {
	return Found(&machinev1.ControlPlaneMachineSet{Spec: machinev1.ControlPlaneMachineSetSpec{State: state, Replicas: &replicas}})
}

func TestDesiredComesFromWhereRuleR1Says(t *testing.T) {
	const three, five = `{"controlPlane":{"replicas":3}}`, `{"controlPlane":{"replicas":5}}`
	none := Absent[machinev1.ControlPlaneMachineSet]()
	for name, test := range map[string]struct {
		etcd     Object[operatorv1.Etcd]
		set      Object[machinev1.ControlPlaneMachineSet]
		want     snapshot.Desired
		unsafe   bool
		problems string
	}{
		"observed":                       {etcd: etcdSpec(three, ""), set: none, want: snapshot.Desired{Replicas: 3, Source: snapshot.DesiredFromObserved}},
		"an active set wants more":       {etcd: etcdSpec(three, ""), set: machineSet("Active", 5), want: snapshot.Desired{Replicas: 5, Source: snapshot.DesiredFromSet}},
		"an inactive set":                {etcd: etcdSpec(three, ""), set: machineSet("Inactive", 5), want: snapshot.Desired{Replicas: 3, Source: snapshot.DesiredFromObserved}},
		"an override":                    {etcd: etcdSpec(three, five), set: machineSet("Active", 3), want: snapshot.Desired{Replicas: 5, Source: snapshot.DesiredFromOverrides}},
		"the unsafe override":            {etcd: etcdSpec(three, `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":"true"}`), set: none, unsafe: true, want: snapshot.Desired{Replicas: 3, Source: snapshot.DesiredFromObserved}},
		"nothing observed":               {etcd: etcdSpec("", ""), set: none, want: snapshot.Desired{Source: snapshot.DesiredFromNone}, problems: "observedConfig"},
		"observed is no number":          {etcd: etcdSpec(`{"controlPlane":{"replicas":"three"}}`, ""), set: none, want: snapshot.Desired{Source: snapshot.DesiredFromNone}, problems: "replicas"},
		"the etcd resource was not read": {set: none, want: snapshot.Desired{Source: snapshot.DesiredFromNone}},
		"whether there is a set is unknown, which one pass alone cannot blame on anybody": {etcd: etcdSpec(three, ""), want: snapshot.Desired{Source: snapshot.DesiredFromNone}},
	} {
		t.Run(name, func(t *testing.T) {
			s, problems := Snapshot(Pass{Objects: Objects{Etcd: test.etcd, ControlPlaneMachineSet: test.set}}, ElapsedMemory())
			if s.Desired != test.want || s.UnsafeNonHA != test.unsafe {
				t.Errorf("got %+v unsafe %v, want %+v unsafe %v", s.Desired, s.UnsafeNonHA, test.want, test.unsafe)
			}
			if (test.problems == "") != (len(problems) == 0) || test.problems != "" && !mention(problems, test.problems) {
				t.Errorf("problems %v, want %q", problems, test.problems)
			}
		})
	}
}

func TestASourceThatWasNeverReadableIsNamed(t *testing.T) {
	memory := NewMemory(func() time.Time { return time.Time{} })
	s, problems := Snapshot(Pass{Objects: Objects{Etcd: etcdSpec(`{"controlPlane":{"replicas":3}}`, "")}}, memory)
	if s.Desired.Known() || !mention(problems, "controlplanemachinesets") {
		t.Errorf("desired %+v, problems %v", s.Desired, problems)
	}
}

func TestADesiredNumberThatCanNoLongerBeReadStaysInForce(t *testing.T) {
	memory := NewMemory(func() time.Time { return time.Time{} })
	none := Absent[machinev1.ControlPlaneMachineSet]()
	Snapshot(Pass{Objects: Objects{Etcd: etcdSpec(`{"controlPlane":{"replicas":5}}`, ""), ControlPlaneMachineSet: none}}, memory)
	s, problems := Snapshot(Pass{Objects: Objects{Etcd: etcdSpec(`{"controlPlane":{"replicas":-1}}`, "")}}, memory)
	if s.Desired.Replicas != 5 || len(problems) != 1 {
		t.Errorf("desired %+v, problems %v", s.Desired, problems)
	}
}

func TestWhatCannotBeParsedIsUnknownAndNamed(t *testing.T) {
	bad := machine("m", "Running", "n")
	bad.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "not-an-ip"}, {Type: corev1.NodeInternalIP, Address: "192.0.2.1"}, {Type: corev1.NodeExternalIP, Address: "x"}}
	badNode := node("n", "fe80::1%eth0", "node-role.kubernetes.io/master=")
	network := &configv1.Network{}
	network.Status.ServiceNetwork = []string{"nonsense"}
	etcd := three(snapshot.True, snapshot.True)
	etcd.Members[0].PeerURLs = []string{"https://192.0.2.10:2380", "https://a-name:2380"}
	apiServer := &operatorv1.KubeAPIServer{}
	apiServer.Status.NodeStatuses = []operatorv1.NodeStatus{{NodeName: "n", CurrentRevision: 4}, {NodeName: "other", CurrentRevision: 5}, {NodeName: "new"}}
	config := func(name, text string) corev1.ConfigMap {
		return corev1.ConfigMap{ObjectMeta: meta(name), Data: map[string]string{"config.yaml": text}}
	}
	s, problems := Snapshot(Pass{Etcd: etcd, Objects: Objects{
		Machines: Listed([]machinev1beta1.Machine{bad}), Nodes: Listed([]corev1.Node{badNode}), Network: Found(network), KubeAPIServer: Found(apiServer),
		APIServerConfigs: Listed([]corev1.ConfigMap{config("config-4", "{"),
			config("config-5", `{"apiServerArguments":{"etcd-servers":["https://localhost:2379","https://[::1]:2379","https://[fd00::7]:2379","https://192.0.2.7:2379","%%"]}}`)}),
	}}, ElapsedMemory())
	for _, want := range []string{"Machine m", "Node n", "status.serviceNetwork[0]", "member a", "config-4"} {
		if !mention(problems, want) {
			t.Errorf("no problem mentions %q: %v", want, problems)
		}
	}
	if len(s.Members[0].PeerAddresses) != 0 || len(s.Nodes[0].Addresses) != 0 || s.Nodes[0].PeerAddress.IsValid() {
		t.Errorf("an unreadable address became one: %+v, %+v", s.Members[0], s.Nodes[0])
	}
	want := []snapshot.APIServerNode{
		{Node: "n"},
		{Node: "other", EtcdServersKnown: snapshot.True, EtcdServers: []netip.Addr{netip.MustParseAddr("fd00::7"), netip.MustParseAddr("192.0.2.7")}},
		{Node: "new"},
	}
	if diff := cmp.Diff(want, s.APIServerNodes, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
		t.Errorf("unexpected API servers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]netip.Addr{netip.MustParseAddr("192.0.2.1")}, s.Machines[0].Addresses, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
		t.Errorf("the address beside an unreadable one is lost (-want +got):\n%s", diff)
	}
}

func TestTheBudgetCountsInPods(t *testing.T) {
	percent, number := intstr.FromString("66%"), intstr.FromInt32(4)
	for name, test := range map[string]struct {
		spec policyv1.PodDisruptionBudgetSpec
		want int
	}{
		"a number":                           {policyv1.PodDisruptionBudgetSpec{MinAvailable: &number}, 4},
		"a percentage, as it was computed":   {policyv1.PodDisruptionBudgetSpec{MinAvailable: &percent}, 2},
		"maxUnavailable, as it was computed": {policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &number}, 2},
	} {
		test.spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "guard"}}
		b := &policyv1.PodDisruptionBudget{Spec: test.spec, Status: policyv1.PodDisruptionBudgetStatus{DesiredHealthy: 2, ObservedGeneration: 3, DisruptionsAllowed: 1}}
		b.Generation = 3
		got := convert(Pass{Objects: Objects{Budget: Found(b)}}).Budget
		if want := (snapshot.Budget{Present: snapshot.True, MinAvailable: test.want, Observed: true, DisruptionsAllowed: 1}); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

// What was computed for other pods, or for some of the guards, would let an install begin while drains still pass (R8.2).
func TestABudgetOfOtherPodsTellsNothingOfGuards(t *testing.T) {
	for name, test := range map[string]struct {
		selector *metav1.LabelSelector
		observed bool
	}{
		"guards":             {&metav1.LabelSelector{MatchLabels: map[string]string{"app": "guard"}}, true},
		"nothing":            {nil, false},
		"everything":         {&metav1.LabelSelector{}, false},
		"other pods":         {&metav1.LabelSelector{MatchLabels: map[string]string{"app": "etcd"}}, false},
		"guards with a name": {&metav1.LabelSelector{MatchLabels: map[string]string{"app": "guard", "node": "a"}}, false},
		"guards that fulfil something": {&metav1.LabelSelector{
			MatchLabels:      map[string]string{"app": "guard"},
			MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "node", Operator: metav1.LabelSelectorOpExists}},
		}, false},
	} {
		b := &policyv1.PodDisruptionBudget{Spec: policyv1.PodDisruptionBudgetSpec{Selector: test.selector}}
		if got := convert(Pass{Objects: Objects{Budget: Found(b)}}).Budget.Observed; got != test.observed {
			t.Errorf("a budget of %s: observed %t, want %t", name, got, test.observed)
		}
	}
}

func TestAGuardIsOutdatedIfTheOneWhoKnowsSaysSo(t *testing.T) {
	guard := corev1.Pod{ObjectMeta: meta("etcd-guard-n", "app=guard"), Spec: corev1.PodSpec{NodeName: "n"}}
	s := convert(Pass{Objects: Objects{Pods: Listed([]corev1.Pod{guard})}, GuardOutdated: func(p *corev1.Pod) bool { return p.Name == "etcd-guard-n" }})
	if diff := cmp.Diff([]snapshot.Guard{{Node: "n", Outdated: true}}, s.Guards); diff != "" {
		t.Errorf("unexpected guards (-want +got):\n%s", diff)
	}
}

// The disruption controller asks for the label and the Ready condition, and for nothing else.
func TestEveryPodThatTheBudgetSelectsIsCounted(t *testing.T) {
	pod := func(name, node, app string, ready corev1.ConditionStatus) corev1.Pod {
		return corev1.Pod{
			ObjectMeta: meta(name, "app="+app), Spec: corev1.PodSpec{NodeName: node},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}},
		}
	}
	s := convert(Pass{Objects: Objects{Pods: Listed([]corev1.Pod{
		pod("etcd-guard-n", "n", "guard", corev1.ConditionTrue),
		pod("stray", "", "guard", corev1.ConditionTrue), pod("waits", "", "guard", corev1.ConditionFalse),
		pod("installer-4-n", "n", "installer", corev1.ConditionTrue),
	})}})
	want := []snapshot.Guard{
		{Node: "n", Phase: snapshot.PodRunning, Ready: true},
		{Node: "(none; pod stray)", Phase: snapshot.PodRunning, Ready: true},
		{Node: "(none; pod waits)", Phase: snapshot.PodRunning},
	}
	if diff := cmp.Diff(want, s.Guards); diff != "" {
		t.Errorf("unexpected guards (-want +got):\n%s", diff)
	}
}

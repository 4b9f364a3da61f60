package live_test

import (
	"testing"
	"testing/synctest"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	machinev1 "github.com/openshift/api/machine/v1"
	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// edited is an object of a cluster at rest with a change.
func edited[T runtime.Object](object T, edit func(T)) runtime.Object {
	edit(object)
	return object
}

func master0(edit func(*corev1.Node)) runtime.Object {
	return edited(node("master-0", "192.0.2.1", "node-role.kubernetes.io/master=", "node-role.kubernetes.io/control-plane="), edit)
}

func machine0(edit func(*machinev1beta1.Machine)) runtime.Object {
	return edited(machine("master-0", "master-0", "192.0.2.1", "master"), edit)
}

func etcd0(edit func(*corev1.Pod)) runtime.Object {
	return edited(pod("etcd-master-0", "etcd", "master-0"), edit)
}

func guard0(edit func(*corev1.Pod)) runtime.Object {
	return edited(pod("etcd-guard-master-0", "guard", "master-0"), edit)
}

func deleting(object metav1.Object) {
	now := metav1.NewTime(time.Unix(1e9, 0))
	object.SetDeletionTimestamp(&now)
}

func TestOnlyAChangeThatCarriesAFactWakes(t *testing.T) {
	later := metav1.NewTime(time.Unix(2e9, 0))
	for name, test := range map[string]struct {
		object runtime.Object
		quiet  bool
	}{
		"node: heartbeat": {master0(func(n *corev1.Node) { n.Status.Conditions[0].LastHeartbeatTime = later }), true},
		"node: another condition": {master0(func(n *corev1.Node) {
			n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: corev1.NodeDiskPressure})
		}), true},
		"node: images":                  {master0(func(n *corev1.Node) { n.Status.Images = nil }), true},
		"node: annotation":              {master0(func(n *corev1.Node) { n.Annotations = map[string]string{"a": "b"} }), true},
		"node: managed fields":          {master0(func(n *corev1.Node) { n.ManagedFields = nil }), true},
		"node: nothing but its version": {master0(func(*corev1.Node) {}), true},
		"node: cordoned":                {master0(func(n *corev1.Node) { n.Spec.Unschedulable = true }), false},
		"node: not ready":               {master0(func(n *corev1.Node) { n.Status.Conditions[0].Status = corev1.ConditionFalse }), false},
		"node: silent":                  {master0(func(n *corev1.Node) { n.Status.Conditions[0].Status = corev1.ConditionUnknown }), false},
		"node: deleting":                {master0(func(n *corev1.Node) { deleting(n) }), false},
		"node: another address":         {master0(func(n *corev1.Node) { n.Status.Addresses = internal("192.0.2.77") }), false},
		"node: made anew":               {master0(func(n *corev1.Node) { n.UID = "another" }), false},

		"machine: annotation":            {machine0(func(m *machinev1beta1.Machine) { m.Annotations = map[string]string{"a": "b"} }), true},
		"machine: last updated":          {machine0(func(m *machinev1beta1.Machine) { m.Status.LastUpdated = &later }), true},
		"machine: conditions":            {machine0(func(m *machinev1beta1.Machine) { m.Status.Conditions = []machinev1beta1.Condition{{Type: "Drained"}} }), true},
		"machine: deleting":              {machine0(func(m *machinev1beta1.Machine) { deleting(m) }), false},
		"machine: hook gone":             {machine0(func(m *machinev1beta1.Machine) { m.Spec.LifecycleHooks.PreDrain = nil }), false},
		"machine: hook of another owner": {machine0(func(m *machinev1beta1.Machine) { m.Spec.LifecycleHooks.PreDrain[0].Owner = "somebody" }), false},
		"machine: another's hook": {machine0(func(m *machinev1beta1.Machine) {
			m.Spec.LifecycleHooks.PreTerminate = []machinev1beta1.LifecycleHook{{Name: "n", Owner: "o"}}
		}), false},
		"machine: phase": {machine0(func(m *machinev1beta1.Machine) {
			failed := "Failed"
			m.Status.Phase = &failed
		}), false},
		"machine: no node yet": {machine0(func(m *machinev1beta1.Machine) { m.Status.NodeRef = nil }), false},
		"machine: addresses":   {machine0(func(m *machinev1beta1.Machine) { m.Status.Addresses = nil }), false},
		"machine: excluded from draining": {machine0(func(m *machinev1beta1.Machine) {
			m.Annotations = map[string]string{"machine.openshift.io/exclude-node-draining": ""}
		}), false},
		"machine: no longer of the control plane": {machine0(func(m *machinev1beta1.Machine) { m.Labels[roleLabel] = "worker" }), false},

		"etcd pod: annotation": {etcd0(func(p *corev1.Pod) { p.Annotations = map[string]string{"a": "b"} }), true},
		"etcd pod: another container": {etcd0(func(p *corev1.Pod) {
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: "etcd-metrics", RestartCount: 3})
		}), true},
		"etcd pod: when it became ready": {etcd0(func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime = later }), true},
		"etcd pod: not ready":            {etcd0(func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse }), false},
		"etcd pod: etcd not running":     {etcd0(func(p *corev1.Pod) { p.Status.ContainerStatuses[0].State = corev1.ContainerState{} }), false},
		"etcd pod: etcd not ready":       {etcd0(func(p *corev1.Pod) { p.Status.ContainerStatuses[0].Ready = false }), false},
		"guard: not ready":               {guard0(func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse }), false},
		"guard: failed":                  {guard0(func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }), false},
		"guard: deleting":                {guard0(func(p *corev1.Pod) { deleting(p) }), false},
		"guard: outdated":                {guard0(func(p *corev1.Pod) { p.Annotations = map[string]string{"outdated": "yes"} }), false},
		"another pod":                    {edited(pod("installer-4-master-0", "installer", "master-0"), func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }), true},
		"a worker":                       {edited(node("worker-0", "192.0.2.100", "node-role.kubernetes.io/worker="), func(n *corev1.Node) { n.Spec.Unschedulable = true }), true},
		"a worker's machine":             {edited(machine("worker-0", "worker-0", "192.0.2.100", "worker"), func(m *machinev1beta1.Machine) { deleting(m) }), true},

		"budget: healthy pods":  {edited(budget(), func(b *policyv1.PodDisruptionBudget) { b.Status.CurrentHealthy = 3 }), true},
		"budget: disruptions":   {edited(budget(), func(b *policyv1.PodDisruptionBudget) { b.Status.DisruptionsAllowed = 0 }), false},
		"budget: min available": {edited(budget(), func(b *policyv1.PodDisruptionBudget) { three := intstr.FromInt32(3); b.Spec.MinAvailable = &three }), false},
		"budget: not yet seen":  {edited(budget(), func(b *policyv1.PodDisruptionBudget) { b.Generation = 2 }), false},

		"endpoints: annotation": {edited(endpointsMap("192.0.2.1", "192.0.2.2", "192.0.2.3"), func(m *corev1.ConfigMap) { m.Annotations = map[string]string{"a": "b"} }), true},
		"endpoints: data":       {endpointsMap("192.0.2.1", "192.0.2.2"), false},
		"endpoints: bootstrap address": {edited(endpointsMap("192.0.2.1", "192.0.2.2", "192.0.2.3"), func(m *corev1.ConfigMap) {
			m.Annotations = map[string]string{"alpha.installer.openshift.io/etcd-bootstrap": "192.0.2.50"}
		}), false},
		"bootstrap: another key": {configMap("kube-system", "bootstrap", map[string]string{"status": "complete", "a": "b"}), true},
		"bootstrap: status":      {configMap("kube-system", "bootstrap", map[string]string{"status": "under way"}), false},
		"another ConfigMap":      {configMap("kube-system", "another", map[string]string{"a": "b"}), true},

		"etcd: conditions that the operator writes itself": {edited(etcdResource(), func(e *operatorv1.Etcd) {
			e.Status.Conditions = []operatorv1.OperatorCondition{{Type: "EtcdMembersAvailable", Status: operatorv1.ConditionTrue}}
		}), true},
		"etcd: external etcd has taken over": {edited(etcdResource(), func(e *operatorv1.Etcd) {
			e.Status.Conditions = []operatorv1.OperatorCondition{{Type: "ExternalEtcdHasCompletedTransition", Status: operatorv1.ConditionTrue}}
		}), false},
		"etcd: revision":        {edited(etcdResource(), func(e *operatorv1.Etcd) { e.Status.LatestAvailableRevision = 5 }), false},
		"etcd: target":          {edited(etcdResource(), func(e *operatorv1.Etcd) { e.Status.NodeStatuses[1].TargetRevision = 4 }), false},
		"etcd: spec":            {edited(etcdResource(), func(e *operatorv1.Etcd) { e.Generation = 2; e.Spec.ManagementState = operatorv1.Unmanaged }), false},
		"API servers: status":   {edited(apiServers(7, 7, 7), func(k *operatorv1.KubeAPIServer) { k.Status.ReadyReplicas = 3 }), true},
		"API servers: revision": {apiServers(7, 8, 7), false},
		"set: status":           {edited(machineSet(3), func(s *machinev1.ControlPlaneMachineSet) { s.Status.ReadyReplicas = 3 }), true},
		"set: replicas":         {machineSet(5), false},
		"set: inactive": {edited(machineSet(3), func(s *machinev1.ControlPlaneMachineSet) {
			s.Spec.State = machinev1.ControlPlaneMachineSetStateInactive
		}), false},

		"ClusterOperator: conditions": {edited(clusterOperator(version), func(o *configv1.ClusterOperator) {
			o.Status.Conditions = []configv1.ClusterOperatorStatusCondition{{Type: configv1.OperatorProgressing, Status: configv1.ConditionTrue}}
		}), true},
		"ClusterOperator: version":        {clusterOperator("4.23.0"), false},
		"another ClusterOperator":         {edited(otherClusterOperator(), func(o *configv1.ClusterOperator) { o.Status.Versions = nil }), true},
		"ClusterVersion: history":         {edited(clusterVersion(configv1.ClusterVersionCapabilityMachineAPI), func(v *configv1.ClusterVersion) { v.Status.History = []configv1.UpdateHistory{{}} }), true},
		"ClusterVersion: capability":      {clusterVersion(), false},
		"Infrastructure: another field":   {edited(infrastructure(configv1.HighlyAvailableTopologyMode), func(i *configv1.Infrastructure) { i.Status.InfrastructureName = "n" }), true},
		"Infrastructure: topology":        {infrastructure(configv1.SingleReplicaTopologyMode), false},
		"Network: another field":          {edited(network("172.30.0.0/16"), func(n *configv1.Network) { n.Status.ClusterNetworkMTU = 1400 }), true},
		"Network: family of the services": {network("fd00::/112"), false},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.start()
				before := w.changes.Load()
				w.put(test.object)
				synctest.Wait()
				if woken := w.changes.Load() > before; woken == test.quiet {
					t.Errorf("woken %t, want %t", woken, !test.quiet)
				}
			})
		})
	}
}

func TestWhatComesAndGoesWakes(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		for _, object := range []runtime.Object{
			node("master-3", "192.0.2.4", "node-role.kubernetes.io/arbiter="), machine("master-3", "", "", "arbiter"), pod("etcd-guard-master-3", "guard", "master-3"),
		} {
			before := w.changes.Load()
			w.put(object)
			synctest.Wait()
			if w.changes.Load() == before {
				t.Errorf("%T that came wakes nobody", object)
			}
			before = w.changes.Load()
			w.remove(object)
			synctest.Wait()
			if w.changes.Load() == before {
				t.Errorf("%T that went wakes nobody", object)
			}
		}
	})
}

// A cache that knows no object tells that by no event.
func TestACacheThatBeginsToKnowWakes(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.remove(budget())
		w.fail("poddisruptionbudgets", 403)
		w.start()
		w.observe()
		before := w.changes.Load()
		w.fail("poddisruptionbudgets", 0)
		w.pass(recovery)
		if w.changes.Load() == before {
			t.Error("nobody is woken")
		}
	})
}

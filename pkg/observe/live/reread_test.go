package live_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	configv1 "github.com/openshift/api/config/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// alike compares what objects tell: the order of lists is nobody's, and etcd's members go on meanwhile.
var alike = cmp.Options{
	cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
	cmpopts.IgnoreFields(snapshot.Snapshot{}, "ObservedAt"),
	cmpopts.IgnoreFields(snapshot.Member{}, "AppliedIndex", "DatabaseBytes"),
	cmpopts.SortSlices(func(a, b snapshot.Machine) bool { return a.Name < b.Name }),
	cmpopts.SortSlices(func(a, b snapshot.Node) bool { return a.Name < b.Name }),
	cmpopts.SortSlices(func(a, b snapshot.Guard) bool { return a.Node < b.Node }),
}

// A watch can be open and say nothing: its cache then holds what was, without any error, for as long as that lasts. What
// is read anew is what the caches tell once they do.
func TestWhatIsReadAnewIsTheClusterAndNotWhatCachesRemember(t *testing.T) {
	for name, change := range map[string]func(*world){
		"nothing has changed": func(*world) {},
		"a Machine without its hook is deleting": func(w *world) {
			m := machine("master-2", "master-2", "192.0.2.3", "master")
			m.DeletionTimestamp, m.Spec.LifecycleHooks.PreDrain = &metav1.Time{Time: time.Now()}, nil
			w.put(m)
		},
		"a Machine is gone":             func(w *world) { w.remove(machine("master-2", "", "", "master")) },
		"Machines are no longer served": func(w *world) { w.serve("machines", false) },
		"a Node is cordoned": func(w *world) {
			n := node("master-2", "192.0.2.3", "node-role.kubernetes.io/master=")
			n.Spec.Unschedulable = true
			w.put(n)
		},
		"a Node is gone":                        func(w *world) { w.remove(node("master-2", "")) },
		"a pod of etcd is gone":                 func(w *world) { w.remove(pod("etcd-master-2", "etcd", "master-2")) },
		"a guard is gone":                       func(w *world) { w.remove(pod("etcd-guard-master-2", "guard", "master-2")) },
		"the budget is gone":                    func(w *world) { w.remove(budget()) },
		"etcd-endpoints names another voter":    func(w *world) { w.put(endpointsMap("192.0.2.1", "192.0.2.2", "192.0.2.9")) },
		"the installation is not complete":      func(w *world) { w.remove(configMap("kube-system", "bootstrap", nil)) },
		"the topology is another":               func(w *world) { w.put(infrastructure(configv1.SingleReplicaTopologyMode)) },
		"the cluster's addresses are of IPv6":   func(w *world) { w.put(network("fd00::/112")) },
		"etcd is of another version":            func(w *world) { w.put(clusterOperator("4.21.0")) },
		"more control-plane Machines are asked": func(w *world) { w.put(machineSet(5)) },
		"the etcd resource is gone":             func(w *world) { w.remove(etcdResource()) },
		"an API server is gone":                 func(w *world) { w.put(apiServers(7, 7)) },
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.start()
				before := w.observe()
				w.silence(true)
				change(w)
				stale := w.observe()
				got, err := w.observer.Reread(t.Context(), before.Etcd, &before.Snapshot)
				if err != nil {
					t.Errorf("error %v", err)
				}
				w.silence(false)
				w.pass(time.Minute)
				want := w.observe().Snapshot
				if diff := cmp.Diff(want, got, alike); diff != "" {
					t.Errorf("what caches tell in the end (-) is not what was read (+):\n%s", diff)
				}
				if unseen := cmp.Equal(want, stale.Snapshot, alike); unseen != (name == "nothing has changed") {
					t.Errorf("the caches saw the change: %v; this test proves nothing then", unseen)
				}
			})
		})
	}
}

func TestWhatCannotBeReadAnewIsUnknownAndSaidSo(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		seen := w.observe()
		w.fail("list machines", 500)
		w.fail("list nodes", hang)
		got, err := w.observer.Reread(t.Context(), seen.Etcd, &seen.Snapshot)
		if err == nil || !strings.Contains(err.Error(), "list Machines of the control plane") || !strings.Contains(err.Error(), "list Nodes") {
			t.Errorf("error is %v", err)
		}
		if got.MachineList.Holds() || got.NodeList.Holds() || len(got.Members) != 3 {
			t.Errorf("Machines known: %v, Nodes known: %v, %d members", got.MachineList, got.NodeList, len(got.Members))
		}
	})
}

func TestDurationsAndTheLastSizeThatWasReadableAreThoseOfThePass(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		seen := w.observe()
		for i := range seen.Snapshot.Members {
			m := &seen.Snapshot.Members[i]
			m.UnhealthyFor, m.StalledFor, m.UnclaimedFor = time.Duration(i+1)*time.Minute, time.Duration(i+1)*time.Second, time.Duration(i+1)*time.Hour
		}
		w.fail("list etcds", 500)
		w.fail("list controlplanemachinesets", 500)
		etcd := seen.Etcd
		etcd.Members = append([]observe.Member{{ID: 77, PeerURLs: []string{"https://192.0.2.77:2380"}}}, etcd.Members...)
		got, _ := w.observer.Reread(t.Context(), etcd, &seen.Snapshot)
		lasted := map[snapshot.MemberID]snapshot.Member{}
		for _, m := range seen.Snapshot.Members {
			lasted[m.ID] = m
		}
		for _, m := range got.Members {
			if want := lasted[m.ID]; m.UnhealthyFor != want.UnhealthyFor || m.StalledFor != want.StalledFor || m.UnclaimedFor != want.UnclaimedFor {
				t.Errorf("member %s: %s, %s and %s, want %s, %s and %s", m.ID, m.UnhealthyFor, m.StalledFor, m.UnclaimedFor, want.UnhealthyFor, want.StalledFor, want.UnclaimedFor)
			}
		}
		if got.Desired != seen.Snapshot.Desired || !got.Desired.Known() {
			t.Errorf("desired is %+v, want %+v", got.Desired, seen.Snapshot.Desired)
		}
	})
}

package live_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

func TestAClusterAtRestIsSeenWholeAndNoWorker(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		began := time.Now()
		seen := w.observe()
		w.wantNoFault(seen)
		s := seen.Snapshot
		if !s.ObservedAt.Equal(began) {
			t.Errorf("observed at %s, want %s", s.ObservedAt, began)
		}
		type counts struct{ members, machines, nodes, guards, apiServers, healthy int }
		got := counts{len(s.Members), len(s.Machines), len(s.Nodes), len(s.Guards), len(s.APIServerNodes), snapshot.NewView(&s).HealthyVoters}
		if want := (counts{3, 3, 3, 3, 3, 3}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		d := decision.About(s)
		if d.Membership.Action != membership.Wait || d.Membership.Reason != reason.MembershipAsExpected {
			t.Errorf("membership %s: %s", d.Membership.Action, d.Membership.Message())
		}
		if diff := cmp.Diff([]string{"https://192.0.2.1:2379", "https://192.0.2.2:2379", "https://192.0.2.3:2379"}, seen.Endpoints); diff != "" {
			t.Errorf("unexpected endpoints (-want +got):\n%s", diff)
		}
		if n, m, p := len(seen.Objects.Nodes.Items), len(seen.Objects.Machines.Items), len(seen.Objects.Pods.Items); n != 3 || m != 3 || p != 6 {
			t.Errorf("%d nodes, %d machines and %d pods are held, want 3, 3 and 6", n, m, p)
		}
		for _, n := range seen.Objects.Nodes.Items {
			if n.ManagedFields != nil || n.Status.Images != nil {
				t.Errorf("node %s is held with what nobody reads", n.Name)
			}
		}
		for _, list := range []string{"page nodes", "page machines"} {
			if got := w.count(list); got != 0 {
				t.Errorf("%s: %d times, though every member has a Node and a Machine", list, got)
			}
		}
		if len(w.writes) > 0 {
			t.Errorf("an observer wrote: %q", w.writes)
		}
	})
}

func TestAnObserverThatHasNotStartedKnowsNothing(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		s := w.observe().Snapshot
		for name, fact := range map[string]snapshot.Fact{
			"member list": s.MemberList, "Machine API": s.MachineAPI, "machines": s.MachineList, "nodes": s.NodeList, "guards": s.GuardList,
			"budget": s.Budget.Present, "endpoints": s.EndpointsKnown, "bootstrap": s.BootstrapComplete, "version": s.VersionCurrent, "API servers": s.APIServers,
		} {
			if fact != snapshot.Unknown {
				t.Errorf("%s: got %v, want unknown", name, fact)
			}
		}
		if got := w.calls.Load(); got != 0 {
			t.Errorf("etcd was asked %d times at addresses that nobody told", got)
		}
	})
}

// resources are all that is cached, each with the fact that must become unknown with it.
var resources = map[string]func(snapshot.Snapshot) bool{
	"nodes": func(s snapshot.Snapshot) bool { return s.NodeList == snapshot.Unknown },
	"machines": func(s snapshot.Snapshot) bool {
		return s.MachineList == snapshot.Unknown && s.MachineAPI == snapshot.Unknown
	},
	"pods": func(s snapshot.Snapshot) bool {
		return s.GuardList == snapshot.Unknown && s.Nodes[0].Etcd.Present == snapshot.Unknown
	},
	"configmaps": func(s snapshot.Snapshot) bool {
		return s.EndpointsKnown == snapshot.Unknown && s.BootstrapComplete == snapshot.Unknown
	},
	"poddisruptionbudgets":    func(s snapshot.Snapshot) bool { return s.Budget.Present == snapshot.Unknown },
	"clusterversions":         func(s snapshot.Snapshot) bool { return s.MachineAPI == snapshot.Unknown },
	"infrastructures":         func(s snapshot.Snapshot) bool { return s.Topology == snapshot.TopologyUnknown },
	"networks":                func(s snapshot.Snapshot) bool { return !s.Nodes[0].PeerAddress.IsValid() },
	"clusteroperators":        func(s snapshot.Snapshot) bool { return s.VersionCurrent == snapshot.Unknown },
	"etcds":                   func(s snapshot.Snapshot) bool { return s.LatestRevision == 0 },
	"kubeapiservers":          func(s snapshot.Snapshot) bool { return s.APIServers == snapshot.Unknown },
	"controlplanemachinesets": nil,
}

// recovery is longer than the longest pause of an informer between two attempts.
const recovery = 2 * time.Minute

func TestWhatIsForbiddenIsUnknownUntilItIsAllowed(t *testing.T) {
	for resource, unknown := range resources {
		t.Run(resource, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.fail(resource, 403)
				w.start()
				seen := w.observe()
				w.wantFault(seen, resourceName(resource))
				if unknown != nil && !unknown(seen.Snapshot) {
					t.Errorf("it is taken for known: %+v", seen.Snapshot)
				}
				w.fail(resource, 0)
				w.pass(recovery)
				w.wantNoFault(w.observe())
			})
		})
	}
}

// A cache keeps what it has when its watch breaks. That may be long gone.
func TestWhatCanNoLongerBeWatchedIsUnknown(t *testing.T) {
	for resource, unknown := range resources {
		t.Run(resource, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.start()
				w.wantNoFault(w.observe())
				w.fail(resource, 500)
				w.pass(recovery)
				seen := w.observe()
				w.wantFault(seen, resourceName(resource))
				if unknown != nil && !unknown(seen.Snapshot) {
					t.Errorf("it is taken for known: %+v", seen.Snapshot)
				}
				changes := w.changes.Load()
				w.fail(resource, 0)
				w.pass(recovery)
				w.wantNoFault(w.observe())
				if w.changes.Load() == changes {
					t.Error("nobody is woken when it is known again")
				}
			})
		})
	}
}

// resourceName is how faults name the objects of a resource.
func resourceName(resource string) string {
	return map[string]string{
		"nodes": "Nodes with label", "machines": "Machines of the control plane", "pods": "pods of etcd", "configmaps": "ConfigMap etcd-endpoints",
		"poddisruptionbudgets": "PodDisruptionBudget etcd-guard-pdb", "clusterversions": "ClusterVersion version", "infrastructures": "Infrastructure cluster",
		"networks": "Network cluster", "clusteroperators": "ClusterOperator etcd", "etcds": "Etcd cluster", "kubeapiservers": "KubeAPIServer cluster",
		"controlplanemachinesets": "ControlPlaneMachineSet cluster",
	}[resource]
}

func TestAListThatDoesNotComeIsAFaultOnlyAfterAWhile(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.fail("pods", hang)
		w.start()
		seen := w.observe()
		w.wantNoFault(seen)
		if seen.Snapshot.GuardList != snapshot.Unknown {
			t.Errorf("guards: got %v, want unknown", seen.Snapshot.GuardList)
		}
		w.pass(30 * time.Second)
		w.wantFault(w.observe(), "list pods of etcd and its guards")
	})
}

func TestAKindThatIsNotServedIsAbsentUntilItIs(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.put(clusterVersion())
		for _, resource := range []string{"machines", "controlplanemachinesets", "kubeapiservers"} {
			w.serve(resource, false)
		}
		w.start()
		seen := w.observe()
		w.wantNoFault(seen)
		s := seen.Snapshot
		if s.MachineList != snapshot.False || s.MachineAPI != snapshot.False || s.APIServers != snapshot.False || s.Desired.Source != snapshot.DesiredFromObserved {
			t.Errorf("machines %v, Machine API %v, API servers %v, desired %+v", s.MachineList, s.MachineAPI, s.APIServers, s.Desired)
		}
		if got := w.count("list machines") + w.count("watch machines"); got != 0 {
			t.Errorf("machines were asked for %d times", got)
		}

		changes := w.changes.Load()
		for _, resource := range []string{"machines", "controlplanemachinesets", "kubeapiservers"} {
			w.serve(resource, true)
		}
		w.pass(31 * time.Second)
		if w.changes.Load() == changes {
			t.Error("nobody is woken when kinds appear")
		}
		seen = w.observe()
		w.wantNoFault(seen)
		s = seen.Snapshot
		if s.MachineList != snapshot.True || s.MachineAPI != snapshot.True || s.APIServers != snapshot.True || len(s.Machines) != 3 {
			t.Errorf("after they appeared: machines %v (%d), Machine API %v, API servers %v", s.MachineList, len(s.Machines), s.MachineAPI, s.APIServers)
		}

		w.serve("kubeapiservers", false)
		w.pass(recovery)
		seen = w.observe()
		w.wantNoFault(seen)
		if seen.Snapshot.APIServers != snapshot.False {
			t.Errorf("after its kind went: API servers %v, want false", seen.Snapshot.APIServers)
		}
	})
}

func TestWhetherAKindIsServedIsUnknownWhileDiscoveryFails(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.fail("discover machine.openshift.io/v1beta1", 503)
		w.start()
		seen := w.observe()
		w.wantFault(seen, "whether machines.machine.openshift.io is served")
		if s := seen.Snapshot; s.MachineList != snapshot.Unknown || s.MachineAPI != snapshot.Unknown {
			t.Errorf("machines %v, Machine API %v, want unknown", s.MachineList, s.MachineAPI)
		}
		w.fail("discover machine.openshift.io/v1beta1", 0)
		w.pass(10 * time.Second)
		w.wantNoFault(w.observe())
	})
}

// nodeOf returns what the Snapshot says of a Node.
func nodeOf(s snapshot.Snapshot, name snapshot.NodeName) *snapshot.Node {
	return snapshot.NewView(&s).Node(name)
}

func TestANodeThatNoCacheHoldsIsReadByName(t *testing.T) {
	gone := node("master-2", "192.0.2.3")
	for name, test := range map[string]struct {
		change func(*world)
		want   *snapshot.Node
		fault  string
	}{
		"it is gone": {change: func(w *world) { w.remove(gone) }, want: &snapshot.Node{Name: "master-2", Present: snapshot.False}},
		"it lost its label": {
			change: func(w *world) { w.put(node("master-2", "192.0.2.3", "node-role.kubernetes.io/worker=")) },
			want:   &snapshot.Node{Name: "master-2", Present: snapshot.True},
		},
		"it cannot be read": {change: func(w *world) {
			w.remove(gone)
			w.fail("get nodes", 500)
		}, fault: "read Node master-2"},
		"the answer does not come": {change: func(w *world) {
			w.remove(gone)
			w.fail("get nodes", hang)
		}, fault: "read Node master-2"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.start()
				test.change(w)
				seen := w.observe()
				if test.fault != "" {
					w.wantFault(seen, test.fault)
				} else {
					w.wantNoFault(seen)
				}
				got := nodeOf(seen.Snapshot, "master-2")
				if (got == nil) != (test.want == nil) {
					t.Fatalf("got %+v, want %+v", got, test.want)
				}
				if got != nil && (got.Present != test.want.Present || got.ControlPlane) {
					t.Errorf("got %+v, want %+v", got, test.want)
				}
				if got := w.count("get nodes/master-0"); got != 0 {
					t.Errorf("a Node that is cached was read %d times by name", got)
				}
			})
		})
	}
}

func TestOfTwoCachesOfANodeTheNewerCounts(t *testing.T) {
	for _, slow := range []string{"node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane"} {
		t.Run(slow+" is slow", func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.start()
				w.hold(slow, true)
				n := node("master-1", "192.0.2.2", "node-role.kubernetes.io/master=", "node-role.kubernetes.io/control-plane=")
				n.Spec.Unschedulable = true
				w.put(n)
				seen := w.observe()
				if got := nodeOf(seen.Snapshot, "master-1"); !got.Cordoned || len(seen.Snapshot.Nodes) != 3 {
					t.Errorf("got %+v of %d nodes", got, len(seen.Snapshot.Nodes))
				}
			})
		})
	}
}

func TestAMemberIsAnOrphanOnlyWhenNobodyAtAllHasItsAddress(t *testing.T) {
	// more than a page of others.
	const workers = 300
	for name, test := range map[string]struct {
		change func(*world)
		want   snapshot.Fact
		fault  string
	}{
		"its Machine has another role":  {change: func(w *world) { w.put(machine("elsewhere", "", "192.0.2.3", "worker")) }, want: snapshot.True},
		"a worker has its address":      {change: func(w *world) { w.put(node("zzz", "192.0.2.3", "node-role.kubernetes.io/worker=")) }, want: snapshot.True},
		"nobody has it":                 {change: func(*world) {}, want: snapshot.False},
		"the Nodes cannot be listed":    {change: func(w *world) { w.fail("page nodes", 500) }, want: snapshot.Unknown, fault: "list all Nodes"},
		"the Machines cannot be listed": {change: func(w *world) { w.fail("page machines", 403) }, want: snapshot.Unknown, fault: "list all Machines"},
		"there is no Machine API, so Nodes alone tell": {change: func(w *world) {
			w.put(clusterVersion())
			w.serve("machines", false)
		}, want: snapshot.False},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.remove(node("master-2", ""))
				w.remove(machine("master-2", "", "", "master"))
				w.put(apiServers(7, 7))
				for i := range workers {
					w.put(node(workerName(i), "198.51.100.1", "node-role.kubernetes.io/worker="))
				}
				test.change(w)
				w.start()
				seen := w.observe()
				if test.fault != "" {
					w.wantFault(seen, test.fault)
				} else {
					w.wantNoFault(seen)
				}
				of := func(s snapshot.Snapshot) snapshot.Member {
					for _, m := range s.Members {
						if m.Name == "master-2" {
							return m
						}
					}
					t.Fatal("member master-2 is not listed")
					return snapshot.Member{}
				}
				if got := of(seen.Snapshot); got.AddressClaimed != test.want || got.UnclaimedFor != 0 {
					t.Errorf("claimed %v for %s, want %v for 0s", got.AddressClaimed, got.UnclaimedFor, test.want)
				}
				if held := len(seen.Objects.OtherNodes.Items) + len(seen.Objects.OtherMachines.Items); held > 1 {
					t.Errorf("%d others are kept, though at most one has the address", held)
				}
				if got := w.count("page nodes"); test.fault == "" && got != 2 {
					t.Errorf("%d Nodes came in %d pages, want 2", workers, got)
				}
				w.pass(15 * time.Second)
				if got := of(w.observe().Snapshot).UnclaimedFor; (got == 15*time.Second) != (test.want == snapshot.False) {
					t.Errorf("15 s later unclaimed for %s", got)
				}
			})
		})
	}
}

func TestWhatAPIServersRunIsReadOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		for range 3 {
			w.wantNoFault(w.observe())
		}
		w.put(apiServerConfig(8))
		w.put(apiServers(8, 7, 0))
		seen := w.observe()
		w.wantNoFault(seen)
		w.put(apiServers(9, 8, 8))
		w.wantFault(w.observe(), "config-9")
		w.fail("get configmaps", 500)
		if got := w.observe().Snapshot.APIServerNodes; got[0].EtcdServersKnown != snapshot.Unknown || got[1].EtcdServersKnown != snapshot.True {
			t.Errorf("what was read is forgotten, or what was not is known: %+v", got)
		}
		want := map[string]int{"7": 1, "8": 1, "9": 2}
		for revision, times := range want {
			if got := w.count("get configmaps/config-" + revision); got != times {
				t.Errorf("config-%s was read %d times, want %d", revision, got, times)
			}
		}
	})
}

func TestWhereEtcdIsAsked(t *testing.T) {
	nodes := []string{"https://192.0.2.1:2379", "https://192.0.2.2:2379", "https://192.0.2.3:2379"}
	withBootstrap := func(addresses ...string) *corev1.ConfigMap {
		m := endpointsMap(addresses...)
		m.Annotations = map[string]string{"alpha.installer.openshift.io/etcd-bootstrap": "192.0.2.2"}
		return m
	}
	for name, test := range map[string]struct {
		endpoints *corev1.ConfigMap
		want      []string
		fault     string
	}{
		"the ConfigMap names members":             {endpoints: endpointsMap("192.0.2.3", "192.0.2.1"), want: []string{nodes[0], nodes[2]}},
		"there is no ConfigMap, so Nodes":         {want: nodes},
		"it is empty, so Nodes":                   {endpoints: endpointsMap(), want: nodes},
		"it holds no address, so Nodes":           {endpoints: endpointsMap("localhost"), want: nodes, fault: "etcd-endpoints"},
		"the bootstrap member":                    {endpoints: withBootstrap(), want: nodes[1:2]},
		"nobody answers there, so Nodes as well":  {endpoints: endpointsMap("2001:db8::1", "::ffff:192.0.2.9"), want: append([]string{"https://192.0.2.9:2379", "https://[2001:db8::1]:2379"}, nodes...)},
		"an address that is written in two forms": {endpoints: endpointsMap("192.0.2.3", "::ffff:192.0.2.3"), want: nodes[2:]},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.remove(endpointsMap())
				if test.endpoints != nil {
					w.put(test.endpoints)
				}
				w.start()
				seen := w.observe()
				if diff := cmp.Diff(test.want, seen.Endpoints); diff != "" {
					t.Errorf("unexpected endpoints (-want +got):\n%s", diff)
				}
				if !seen.Snapshot.MemberList.Holds() || len(seen.Snapshot.Members) != 3 {
					t.Errorf("member list %v with %d members; faults %v", seen.Snapshot.MemberList, len(seen.Snapshot.Members), seen.Faults)
				}
				if test.fault != "" {
					w.wantFault(seen, test.fault)
				}
			})
		})
	}
}

func TestAMemberThatDiesIsUnhealthyForAsLongAsThatWasSeen(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		list := w.observe().Snapshot.Members
		w.etcd.Kill(t, list[2].ID)
		w.observe()
		w.pass(15 * time.Second)
		seen := w.observe()
		got := seen.Snapshot.Members[2]
		if got.Health != snapshot.Unhealthy || got.UnhealthyFor < 15*time.Second || got.CannotServe == snapshot.True {
			t.Errorf("got %+v", got)
		}
		w.etcd.Kill(t, list[1].ID)
		w.pass(15 * time.Second)
		seen = w.observe()
		w.wantFault(seen, "list members")
		if s := seen.Snapshot; s.MemberList != snapshot.Unknown || len(s.Members) != 0 {
			t.Errorf("without quorum: member list %v, members %+v", s.MemberList, s.Members)
		}
	})
}

func TestALearnerIsSeenWithItsProgress(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		s := w.observe().Snapshot
		client := w.etcd.Client(t)
		id, err := client.AddLearner(t.Context(), change(w, s), []string{w.etcd.Place(t)})
		if err != nil {
			t.Fatal(err)
		}
		learner := func() snapshot.Member {
			for _, m := range w.observe().Snapshot.Members {
				if m.ID == id {
					return m
				}
			}
			t.Fatal("the learner is not listed")
			return snapshot.Member{}
		}
		if got := learner(); got.Started || !got.Learner || got.Health != snapshot.HealthUnknown {
			t.Errorf("unstarted: %+v", got)
		}
		w.etcd.Start(t, id)
		if got := learner(); !got.Started || !got.IsHealthy() || got.AppliedIndex == 0 || got.StalledFor != 0 {
			t.Errorf("started: %+v", got)
		}
		w.etcd.Lag(t, id, true)
		learner()
		w.pass(20 * time.Second)
		if got := learner(); got.StalledFor != 20*time.Second {
			t.Errorf("stalled for %s, want 20s", got.StalledFor)
		}
	})
}

// An observation that is broken off must not make members look dead.
func TestAnObservationThatIsBrokenOffTellsNothingOfHealth(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start()
		s := w.observe().Snapshot
		w.etcd.Pause(t, s.Members[2].ID)
		ctx, cancel := withTimeout(t, 2*time.Second)
		defer cancel()
		seen := w.observer.Observe(ctx)
		for _, m := range seen.Snapshot.Members {
			if m.Health != snapshot.HealthUnknown {
				t.Errorf("member %s: %v", m.Name, m.Health)
			}
		}
	})
}

func TestWaitingForCaches(t *testing.T) {
	const limit = 10 * time.Second
	for name, test := range map[string]struct {
		change func(*world)
		want   time.Duration
	}{
		"all are filled": {change: func(*world) {}, want: 0},
		"a kind that is not served is not waited for":           {change: func(w *world) { w.serve("machines", false) }, want: 0},
		"a list that does not come is waited for until the end": {change: func(w *world) { w.fail("pods", hang) }, want: limit},
		"so is one that is forbidden":                           {change: func(w *world) { w.fail("nodes", 403) }, want: limit},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				test.change(w)
				w.start()
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				began := time.Now()
				w.observer.WaitForCaches(ctx)
				if took := time.Since(began); took != test.want {
					t.Errorf("took %s, want %s", took, test.want)
				}
			})
		})
	}
}

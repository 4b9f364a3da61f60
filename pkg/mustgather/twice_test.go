package mustgather_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/mustgather"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const (
	statusFile = "etcd_info/endpoint_status.json"
	etcdFile   = "cluster-scoped-resources/operator.openshift.io/etcds/cluster.yaml"
)

// Whoever opens a named pipe waits until somebody writes to it, so none of these may be opened.
func TestAPipeOrSocketIsNotWaitedFor(t *testing.T) {
	pipe := func(t *testing.T, name string) {
		t.Helper()
		if err := syscall.Mkfifo(name, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	socket := func(t *testing.T, name string) {
		t.Helper()
		// A socket's path is short; the folder of a test is not.
		t.Chdir(filepath.Dir(name))
		listener, err := net.Listen("unix", filepath.Base(name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
	}
	complete := func(g *mustgather.Gathered) []snapshot.Fact {
		return []snapshot.Fact{g.Objects.Nodes.Complete, g.Objects.Machines.Complete, g.Objects.Pods.Complete, g.Objects.Infrastructure.Exists, g.Etcd.MemberList}
	}
	const nodes, machines, pods, infrastructure, list = 0, 1, 2, 3, 4
	for name, test := range map[string]struct {
		make func(*testing.T, string)
		path string
		// unknown is an index into what complete returns.
		unknown int
	}{
		"a pipe among the nodes":                 {pipe, "cluster-scoped-resources/core/nodes/x.yaml", nodes},
		"a socket among the nodes":               {socket, "cluster-scoped-resources/core/nodes/x.yaml", nodes},
		"a pipe instead of the folder of nodes":  {pipe, "cluster-scoped-resources/core/nodes", nodes},
		"a pipe instead of all that is core":     {pipe, "cluster-scoped-resources/core", nodes},
		"a pipe instead of a folder of Machines": {pipe, "namespaces/openshift-machine-api/machine.openshift.io/machines", machines},
		"a pipe instead of the list of pods":     {pipe, podsFile, pods},
		"a pipe instead of an object":            {pipe, "cluster-scoped-resources/config.openshift.io/infrastructures/cluster.yaml", infrastructure},
		"a pipe instead of the member list":      {pipe, members, list},
		"a pipe beside the pods' folders":        {pipe, "namespaces/openshift-etcd/pods/x", -1},
		"a pipe beside the namespaces":           {pipe, "namespaces/x", -1},
		"a pipe instead of the timestamp":        {pipe, "timestamp", -1},
	} {
		t.Run(name, func(t *testing.T) {
			s := snapshottest.New()
			root := t.TempDir()
			if err := mustgathertest.Write(root, mustgathertest.Files(&s)); err != nil {
				t.Fatal(err)
			}
			at := filepath.Join(root, mustgathertest.Image, test.path)
			if err := os.RemoveAll(at); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			test.make(t, at)
			g, err := mustgather.Read(root)
			if err != nil {
				t.Fatal(err)
			}
			for i, fact := range complete(g) {
				if (i == test.unknown) != (fact == snapshot.Unknown) {
					t.Errorf("fact %d is %v", i, fact)
				}
			}
			if test.unknown >= 0 && !warned(g, mustgather.FileUnreadable, test.path, "it is not a f") {
				t.Errorf("no warning names it: %v", g.Warnings)
			}
		})
	}
}

// What an archive has as a link or a pipe is there, and is not read.
func TestALinkInAnArchiveIsUnknown(t *testing.T) {
	for name, kind := range map[string]byte{"a symbolic link": tar.TypeSymlink, "a hard link": tar.TypeLink, "a pipe": tar.TypeFifo} {
		t.Run(name, func(t *testing.T) {
			s := snapshottest.New()
			var out bytes.Buffer
			out.Write(archive(t, mustgathertest.Files(&s), false))
			// An archive ends with two empty blocks; what is appended goes before them.
			out.Truncate(out.Len() - 1024)
			w := tar.NewWriter(&out)
			if err := w.WriteHeader(&tar.Header{Name: mustgathertest.Image + "/" + nodeA + ".yaml", Linkname: nodeA, Typeflag: kind}); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "a.tar")
			if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			g, err := mustgather.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			if g.Objects.Nodes.Complete != snapshot.Unknown || !warned(g, mustgather.FileUnreadable, nodeA+".yaml", "it is not a file") {
				t.Errorf("nodes %v, warnings %v", g.Objects.Nodes.Complete, g.Warnings)
			}
		})
	}
}

func TestWhatIsListedTwiceCountsOnceOrNotAtAll(t *testing.T) {
	edited := func(from, old, to string) func(files map[string]string) string {
		return func(files map[string]string) string {
			if !strings.Contains(files[from], old) {
				t.Fatalf("%s has no %q", from, old)
			}
			return strings.Replace(files[from], old, to, 1)
		}
	}
	node := func(g *mustgather.Gathered) snapshot.Fact {
		for _, n := range g.Objects.Nodes.Items {
			if n.Name == "node-a" {
				return g.Objects.Nodes.Complete
			}
		}
		return snapshot.Unknown
	}
	machine := func(g *mustgather.Gathered) snapshot.Fact {
		for _, m := range g.Objects.Machines.Items {
			if m.Name == "machine-a" {
				return g.Objects.Machines.Complete
			}
		}
		return snapshot.Unknown
	}
	for name, test := range map[string]struct {
		// second is a further file, and what it holds.
		second string
		text   func(files map[string]string) string
		fact   func(*mustgather.Gathered) snapshot.Fact
		known  bool
		// object is what a warning names when it is not known.
		object string
	}{
		"the same Node": {"cluster-scoped-resources/core/nodes.yaml", edited(nodeA, "kind: Node", "kind: Node"), node, true, ""},
		"the same Node at another heartbeat": {"cluster-scoped-resources/core/nodes.yaml",
			edited(nodeA, "type: Ready", "type: Ready\n    lastHeartbeatTime: \"2026-01-01T00:00:00Z\""), node, true, ""},
		"a Node that is cordoned in one file": {"cluster-scoped-resources/core/nodes.yaml", edited(nodeA, "spec: {}", "spec: {unschedulable: true}"), node, false, "Node node-a"},
		"the file before the first one":       {"cluster-scoped-resources/core/nodes/a.yaml", edited(nodeA, "spec: {}", "spec: {unschedulable: true}"), node, false, "Node node-a"},
		"a Machine without its hook in one file": {"namespaces/openshift-machine-api/machine.openshift.io/machines.yaml",
			edited(machineA, "EtcdQuorumOperator", "other"), machine, false, "Machine openshift-machine-api/machine-a"},
		"a Machine whose drain has failed since": {"namespaces/openshift-machine-api/machine.openshift.io/machines.yaml",
			edited(machineA, "  phase: Running", "  conditions: [{type: Drained, status: \"False\", reason: DrainError}]\n  errorMessage: no host\n  phase: Running"), machine, true, ""},
		"an operator resource with another revision": {"cluster-scoped-resources/operator.openshift.io/etcds.yaml",
			edited(etcdFile, "latestAvailableRevision: 1", "latestAvailableRevision: 2"), func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Etcd.Exists }, false, "Etcd cluster"},
		"an operator resource with another text of a condition": {"cluster-scoped-resources/operator.openshift.io/etcds.yaml",
			edited(etcdFile, "type: StaticPodsAvailable", "type: StaticPodsAvailable\n    message: 3 nodes are active"), func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Etcd.Exists }, true, ""},
		"a pod beside its logs that is not ready any more": {"namespaces/openshift-etcd/pods/etcd-node-a/etcd-node-a.yaml",
			func(map[string]string) string {
				return "kind: Pod\nmetadata:\n  labels:\n    app: etcd\n  name: etcd-node-a\n  namespace: openshift-etcd\nstatus:\n  phase: Failed\n"
			},
			func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Pods.Complete }, false, "Pod openshift-etcd/etcd-node-a"},
		"a pod beside its logs whose init container has ended since": {"namespaces/openshift-etcd/pods/etcd-x/etcd-x.yaml",
			func(files map[string]string) string {
				const pod = "---\nkind: Pod\nmetadata:\n  labels:\n    app: etcd\n  name: etcd-x\n  namespace: openshift-etcd\nstatus:\n  initContainerStatuses:\n  - name: setup\n    state: {%s: {}}\n  phase: Pending\n"
				files["namespaces/openshift-etcd/core/pods/etcd-x.yaml"] = fmt.Sprintf(pod, "running")
				return fmt.Sprintf(pod, "terminated")
			},
			func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Pods.Complete }, true, "Pod openshift-etcd/etcd-x"},
	} {
		t.Run(name, func(t *testing.T) {
			var files []string
			g := gather(t, func(all map[string]string) {
				all[test.second] = test.text(all)
				for name := range all {
					files = append(files, name)
				}
			})
			want := snapshot.Unknown
			if test.known {
				want = snapshot.True
			}
			if got := test.fact(g); got != want {
				t.Errorf("it is %v, want %v (files %v)", got, want, files)
			}
			if warned(g, mustgather.FilesContradict, test.object, test.second) == test.known {
				t.Errorf("warnings: %v", g.Warnings)
			}
		})
	}
}

// The order in which rows stand must not matter (invariant I7).
func TestRowsThatContradictEachOtherCountForNothing(t *testing.T) {
	health200 := `{"endpoint":"https://192.0.2.10:2379","health":true}`
	health500 := `{"endpoint":"https://192.0.2.10:2379","health":false,"error":"context deadline exceeded"}`
	status := func(leader int) string {
		return fmt.Sprintf(`{"Endpoint":"https://192.0.2.10:2379","Status":{"header":{"cluster_id":193,"member_id":10},"version":"3.6.0","leader":%d}}`, leader)
	}
	for name, test := range map[string]struct {
		file  string
		rows  []string
		known bool
		fact  func(*mustgather.Gathered) bool
	}{
		"a healthy and an unhealthy row":     {health, []string{health200, health500}, false, func(g *mustgather.Gathered) bool { return g.Etcd.Probes[0].Served != snapshot.Unknown }},
		"two healthy rows":                   {health, []string{health200, health200}, true, func(g *mustgather.Gathered) bool { return g.Etcd.Probes[0].Served.Holds() }},
		"two statuses with different leader": {statusFile, []string{status(10), status(11)}, false, func(g *mustgather.Gathered) bool { return g.Etcd.Probes[0].Status != nil }},
		"two statuses that are the same":     {statusFile, []string{status(10), status(10)}, true, func(g *mustgather.Gathered) bool { return g.Etcd.Probes[0].Status != nil }},
	} {
		for _, order := range []string{"in one order", "in the other"} {
			t.Run(name+" "+order, func(t *testing.T) {
				g := gather(t, func(files map[string]string) { files[test.file] = "[" + strings.Join(test.rows, ",") + "]" })
				if test.fact(g) != test.known {
					t.Errorf("probe %+v", g.Etcd.Probes[0])
				}
				if warned(g, mustgather.FilesContradict, test.file, "member a") == test.known {
					t.Errorf("warnings: %v", g.Warnings)
				}
			})
			slices.Reverse(test.rows)
		}
	}
}

func TestAnEndpointThatTwoMembersPublishIsNobodys(t *testing.T) {
	g := gather(t, func(files map[string]string) {
		files[members] = strings.Replace(files[members], `"https://192.0.2.11:2379"`, `"https://192.0.2.10:2379"`, 1)
		files[statusFile] = "[]"
	})
	for i, want := range []snapshot.Fact{snapshot.Unknown, snapshot.Unknown, snapshot.True} {
		if got := g.Etcd.Probes[i].Served; got != want {
			t.Errorf("member %d: served %v, want %v", i, got, want)
		}
	}
}

func TestFilesOfEtcdInTwoGatherings(t *testing.T) {
	s := snapshottest.New()
	one := map[string]string{}
	for name, text := range mustgathertest.Files(&s) {
		one[strings.TrimPrefix(name, mustgathertest.Image+"/")] = text
	}
	for name, test := range map[string]struct {
		change func(second map[string]string)
		list   snapshot.Fact
		served snapshot.Fact
		file   string
	}{
		"which tell the same":         {func(map[string]string) {}, snapshot.True, snapshot.True, ""},
		"of which one answered later": {func(second map[string]string) { second[health] = strings.ReplaceAll(second[health], "9.1ms", "8ms") }, snapshot.True, snapshot.True, ""},
		"of which one has a member less": {func(second map[string]string) {
			second[members] = strings.Replace(second[members], `"ID":10`, `"ID":99`, 1)
		}, snapshot.Unknown, snapshot.Unknown, members},
		"of which one has an unhealthy endpoint": {func(second map[string]string) { second[health] = strings.Replace(second[health], "true", "false", 1) }, snapshot.True, snapshot.Unknown, health},
	} {
		t.Run(name, func(t *testing.T) {
			second := map[string]string{}
			for name, text := range one {
				second[name] = text
			}
			test.change(second)
			both := map[string]string{}
			for name, text := range one {
				both["a/"+name], both["b/"+name] = text, second[name]
			}
			root := t.TempDir()
			if err := mustgathertest.Write(root, both); err != nil {
				t.Fatal(err)
			}
			g, err := mustgather.Read(root)
			if err != nil {
				t.Fatal(err)
			}
			if g.Etcd.MemberList != test.list {
				t.Errorf("list %v, want %v", g.Etcd.MemberList, test.list)
			}
			if test.list.Holds() && g.Etcd.Probes[0].Served != test.served {
				t.Errorf("served %v, want %v", g.Etcd.Probes[0].Served, test.served)
			}
			if test.file != "" && !warned(g, mustgather.FilesContradict, "a/"+test.file, "b/"+test.file) || test.file == "" && len(g.Warnings) > 0 {
				t.Errorf("warnings %v", g.Warnings)
			}
		})
	}
}

func TestAMissingControlPlaneMachineSetIsNamed(t *testing.T) {
	remove := func(files map[string]string) {
		delete(files, "namespaces/openshift-machine-api/machine.openshift.io/controlplanemachinesets.yaml")
	}
	if g := gather(t, remove); !g.Objects.ControlPlaneMachineSet.Exists.Fails() || !warned(g, mustgather.FileMissing, "controlplanemachinesets.yaml") {
		t.Errorf("the set is %v, warnings %v", g.Objects.ControlPlaneMachineSet.Exists, g.Warnings)
	}
	if g := gather(t, func(map[string]string) {}); !g.Objects.ControlPlaneMachineSet.Exists.Fails() || len(g.Warnings) > 0 {
		t.Errorf("an empty list says that there is none: %v, warnings %v", g.Objects.ControlPlaneMachineSet.Exists, g.Warnings)
	}
}

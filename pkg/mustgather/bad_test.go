package mustgather_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/pkg/mustgather"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const (
	nodeA     = "cluster-scoped-resources/core/nodes/node-a.yaml"
	machineA  = "namespaces/openshift-machine-api/machine.openshift.io/machines/machine-a.yaml"
	podsFile  = "namespaces/openshift-etcd/core/pods.yaml"
	members   = "etcd_info/member_list.json"
	health    = "etcd_info/endpoint_health.json"
	alarms    = "etcd_info/alarm_list.json"
	clusterID = 0xc1
)

// gather reads the must-gather of a healthy cluster after a change of its files.
func gather(t *testing.T, change func(files map[string]string)) *mustgather.Gathered {
	t.Helper()
	s := snapshottest.New()
	files := map[string]string{}
	for name, text := range mustgathertest.Files(&s) {
		files[strings.TrimPrefix(name, mustgathertest.Image+"/")] = text
	}
	change(files)
	root := t.TempDir()
	if err := mustgathertest.Write(root, files); err != nil {
		t.Fatal(err)
	}
	gathered, err := mustgather.Read(root)
	if err != nil {
		t.Fatal(err)
	}
	return gathered
}

func warned(g *mustgather.Gathered, reason string, words ...string) bool {
	return slices.ContainsFunc(g.Warnings, func(w mustgather.Warning) bool {
		for _, word := range words {
			if !strings.Contains(w.Message, word) {
				return false
			}
		}
		return w.Reason == reason
	})
}

func TestAWholeGatheringHasNoWarnings(t *testing.T) {
	if g := gather(t, func(map[string]string) {}); len(g.Warnings) > 0 {
		t.Errorf("warnings: %v", g.Warnings)
	}
}

func TestWhatIsMissingIsUnknownAndNamed(t *testing.T) {
	for name, test := range map[string]struct {
		// remove is the start of the paths to take away.
		remove  string
		unknown func(*mustgather.Gathered) snapshot.Fact
	}{
		"nodes":                          {"cluster-scoped-resources/core/nodes", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Nodes.Complete }},
		"clusterversions":                {"cluster-scoped-resources/config.openshift.io/clusterversions", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.ClusterVersion.Exists }},
		"infrastructures":                {"cluster-scoped-resources/config.openshift.io/infrastructures", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Infrastructure.Exists }},
		"networks":                       {"cluster-scoped-resources/config.openshift.io/networks", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Network.Exists }},
		"clusteroperators":               {"cluster-scoped-resources/config.openshift.io/clusteroperators", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.ClusterOperator.Exists }},
		"etcds":                          {"cluster-scoped-resources/operator.openshift.io/etcds", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Etcd.Exists }},
		"kubeapiservers":                 {"cluster-scoped-resources/operator.openshift.io/kubeapiservers", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.KubeAPIServer.Exists }},
		"kube-system":                    {"namespaces/kube-system", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Bootstrap.Exists }},
		"openshift-kube-apiserver":       {"namespaces/openshift-kube-apiserver", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.APIServerConfigs.Complete }},
		"openshift-etcd/core/pods":       {"namespaces/openshift-etcd/core/pods", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Pods.Complete }},
		"openshift-etcd/core/configmaps": {"namespaces/openshift-etcd/core/configmaps", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Endpoints.Exists }},
		"openshift-etcd/policy":          {"namespaces/openshift-etcd/policy", func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Budget.Exists }},
		"member_list.json":               {members, func(g *mustgather.Gathered) snapshot.Fact { return g.Etcd.MemberList }},
		"endpoint_health.json":           {health, func(g *mustgather.Gathered) snapshot.Fact { return g.Etcd.Probes[0].Served }},
		"alarm_list.json":                {alarms, func(g *mustgather.Gathered) snapshot.Fact { return g.Etcd.Probes[0].Corrupt }},
		"endpoint_status.json":           {"etcd_info/endpoint_status.json", func(g *mustgather.Gathered) snapshot.Fact { return snapshot.Known(g.Etcd.Probes[0].Status != nil) - 1 }},
		"timestamp":                      {"timestamp", func(g *mustgather.Gathered) snapshot.Fact { return snapshot.Known(!g.At.IsZero()) - 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) { removeAll(t, files, test.remove) })
			if got := test.unknown(g); got != snapshot.Unknown {
				t.Errorf("it is %v", got)
			}
			if !warned(g, mustgather.FileMissing, name) {
				t.Errorf("no warning names it: %v", g.Warnings)
			}
		})
	}
}

func removeAll(t *testing.T, files map[string]string, start string) {
	t.Helper()
	before := len(files)
	for file := range maps.Keys(maps.Clone(files)) {
		if strings.HasPrefix(file, start) {
			delete(files, file)
		}
	}
	if len(files) == before {
		t.Fatalf("nothing starts with %s", start)
	}
}

// TestWithoutMachinesTheCapabilityDecides: no folder of Machines is "not served", and what that means rule R2 says.
func TestWithoutMachinesTheCapabilityDecides(t *testing.T) {
	g := gather(t, func(files map[string]string) { removeAll(t, files, "namespaces/openshift-machine-api") })
	if got := g.Objects.Machines.Complete; got != snapshot.False {
		t.Errorf("the list of machines is %v", got)
	}
	if got := g.Objects.ControlPlaneMachineSet.Exists; got != snapshot.Unknown {
		t.Errorf("where the capability is on, the set is %v", got)
	}
	if !warned(g, mustgather.FileMissing, "machine.openshift.io/machines") {
		t.Errorf("warnings: %v", g.Warnings)
	}
}

func TestWhatCannotBeReadIsUnknownAndNamed(t *testing.T) {
	cut := func(text string) string { return text[:len(text)*2/3] }
	nodes := func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Nodes.Complete }
	machines := func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Machines.Complete }
	pods := func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Pods.Complete }
	list := func(g *mustgather.Gathered) snapshot.Fact { return g.Etcd.MemberList }
	for name, test := range map[string]struct {
		file    string
		change  func(text string) string
		words   string
		unknown func(*mustgather.Gathered) snapshot.Fact
	}{
		"YAML that ends in the middle of a line":   {nodeA, cut, "it ends in the middle", nodes},
		"YAML that ends behind a key":              {machineA, func(s string) string { return s[:strings.Index(s, "  addresses:\n")+len("  addresses:\n")] }, "it ends in the middle", machines},
		"a list that ends before its end":          {podsFile, func(s string) string { return s[:strings.Index(s, "kind: PodList")] }, "it ends in the middle", pods},
		"a list that ends in the middle of a line": {podsFile, cut, "it ends in the middle", pods},
		"an empty file":                            {nodeA, func(string) string { return "" }, "it is empty", nodes},
		"a file of blanks":                         {nodeA, func(string) string { return "\n \n" }, "it is empty", nodes},
		"text that is no YAML":                     {nodeA, func(string) string { return "metadata:\n  name: \"x\n" }, "yaml", nodes},
		"an empty YAML document":                   {nodeA, func(string) string { return "---\n" }, "there is no object in it", nodes},
		"several empty YAML documents":             {podsFile, func(string) string { return "---\n---\n\n" }, "there is no object in it", pods},
		"a list of another kind":                   {podsFile, func(string) string { return "items: []\nkind: NodeList\n" }, "it is a NodeList, not a list of Pod objects", pods},
		"a JSON list of another kind":              {podsFile, func(string) string { return `{"items": [], "kind": "NodeList"}` }, "it is a NodeList, not a list of Pod objects", pods},
		"items in flow style":                      {podsFile, func(string) string { return "items: [{metadata: {name: x}}]\nkind: PodList\n" }, "it has no status", pods},
		"binary":                                   {nodeA, func(string) string { return "\x00\x01\x02metadata: {}\n" }, "control characters are not allowed", nodes},
		"a field of another type":                  {machineA, func(s string) string { return strings.Replace(s, "phase: Running", "phase: [1]", 1) }, "machine-a", machines},
		"an object of another kind":                {machineA, func(string) string { return "kind: Secret\nmetadata:\n  name: x\n" }, "it is a Secret, not a Machine", machines},
		"an object without a name":                 {machineA, func(string) string { return "kind: Machine\n" }, "it has no metadata.name", machines},
		"JSON that ends in the middle":             {nodeA, func(string) string { return `{"kind": "Node", "metadata": {"name"` }, "it ends in the middle", nodes},
		"a JSON list that ends in the middle":      {podsFile, func(string) string { return `{"items": [{"metadata": {"name": "x"}}` }, "it ends in the middle", pods},
		"JSON items that are no list":              {podsFile, func(string) string { return `{"items": 7}` }, "items are not a list", pods},
		"aliases that multiply":                    {nodeA, func(string) string { return bomb() }, "excessive aliasing", nodes},
		"a member list with hexadecimal ids":       {members, func(string) string { return `{"header":{"cluster_id":"c1"},"members":[{"ID":"a","name":"x"}]}` }, "--hex", list},
		"a member list of etcd's second API": {members, func(string) string {
			return `{"members":[{"id":"272e204152","name":"infra1","peerURLs":["http://10.0.0.10:2380"]}]}`
		}, "another API version", list},
		"a member list without members":         {members, func(string) string { return `{"header":{"cluster_id":1}}` }, "not a member list", list},
		"a member without an id":                {members, func(string) string { return `{"header":{"cluster_id":1},"members":[{"name":"x"}]}` }, "no id", list},
		"a negative id":                         {members, func(string) string { return `{"header":{"cluster_id":1},"members":[{"ID":-5}]}` }, "member_list.json", list},
		"an id of more than 64 bits":            {members, func(string) string { return `{"header":{"cluster_id":1},"members":[{"ID":18446744073709551616}]}` }, "18446744073709551616", list},
		"a member list that ends in the middle": {members, cut, "it ends in the middle", list},
		"an empty member list file":             {members, func(string) string { return "" }, "it is empty", list},
		"a table instead of JSON":               {members, func(string) string { return "8e9e05c52164694d, started, master-0" }, "not what etcdctl writes", list},
		"an alarm list of another cluster":      {alarms, func(s string) string { return strings.ReplaceAll(s, fmt.Sprint(clusterID), "7") }, "not the alarm list of this etcd cluster", func(g *mustgather.Gathered) snapshot.Fact { return g.Etcd.Probes[0].Corrupt }},
		"health that is no list":                {health, func(string) string { return `{"health": true}` }, "endpoint_health.json", func(g *mustgather.Gathered) snapshot.Fact { return g.Etcd.Probes[0].Served }},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) { files[test.file] = test.change(files[test.file]) })
			if got := test.unknown(g); got != snapshot.Unknown {
				t.Errorf("it is %v", got)
			}
			if !warned(g, mustgather.FileUnreadable, path.Base(test.file), test.words) {
				t.Errorf("no warning names file and fault: %v", g.Warnings)
			}
		})
	}
}

// bomb is YAML whose aliases stand for 10^9 strings.
func bomb() string {
	var b strings.Builder
	b.WriteString("metadata:\n  name: x\nstatus:\n  addresses:\n    a: &a [x,x,x,x,x,x,x,x,x,x]\n")
	for c := 'b'; c < 'j'; c++ {
		fmt.Fprintf(&b, "    %c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 9), c-1)
	}
	return b.String()
}

// TestWhatEtcdctlMakesOfLearnersAndAlarmsIsUndone: see docs; etcdctl reports both as not healthy.
func TestWhatEtcdctlMakesOfLearnersAndAlarmsIsUndone(t *testing.T) {
	row := func(healthy bool, text string) string {
		return fmt.Sprintf(`[{"endpoint":"https://192.0.2.10:2379","health":%v,"error":%q}]`, healthy, text)
	}
	const yes, no, unknown = snapshot.True, snapshot.False, snapshot.Unknown
	for name, test := range map[string]struct {
		learner             bool
		health              string
		served, cannotServe snapshot.Fact
	}{
		"healthy":                            {health: row(true, ""), served: yes, cannotServe: no},
		"a learner that refuses":             {learner: true, health: row(false, "etcdserver: rpc not supported for learner"), served: yes, cannotServe: no},
		"a voter that says it is a learner":  {health: row(false, "etcdserver: rpc not supported for learner"), served: unknown, cannotServe: unknown},
		"a learner that does not answer":     {learner: true, health: row(false, "context deadline exceeded"), served: no, cannotServe: unknown},
		"an alarm somewhere":                 {health: row(false, "Active Alarm(s): NOSPACE "), served: yes, cannotServe: no},
		"the alarms could not be read":       {health: row(false, "Unable to fetch the alarm list"), served: yes, cannotServe: no},
		"no answer":                          {health: row(false, "context deadline exceeded"), served: no, cannotServe: unknown},
		"it answers that it knows no leader": {health: row(false, "etcdserver: no leader"), served: no, cannotServe: yes},
		"no row":                             {health: `[]`, served: unknown, cannotServe: unknown},
		"a row of another endpoint":          {health: `[{"endpoint":"https://192.0.2.99:2379","health":true}]`, served: unknown, cannotServe: unknown},
		"a row by name":                      {health: `[{"endpoint":"https://localhost:2379","health":true}]`, served: unknown, cannotServe: unknown},
		"a row that does not say":            {health: `[{"endpoint":"https://192.0.2.10:2379"}]`, served: unknown, cannotServe: unknown},
		"a log line before it":               {health: `{"level":"warn","ts":"2026-01-01","msg":"retrying"}` + "\n" + row(true, ""), served: yes, cannotServe: no},
		"its address is written another way": {health: strings.Replace(row(true, ""), "192.0.2.10", "[::ffff:192.0.2.10]", 1), served: yes, cannotServe: no},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) {
				files[health] = test.health
				if test.learner {
					files[members] = strings.Replace(files[members], `"ID":10,`, `"ID":10,"isLearner":true,`, 1)
					files[status] = strings.Replace(files[status], `"leader":10,`, `"leader":10,"isLearner":true,`, 1)
				}
			})
			p := g.Etcd.Probes[0]
			if g.Etcd.Members[0].Learner != test.learner || p.Served != test.served || p.CannotServe != test.cannotServe {
				t.Errorf("learner %v, served %v, cannot serve %v (%s); want %v, %v", g.Etcd.Members[0].Learner, p.Served, p.CannotServe, p.Error, test.served, test.cannotServe)
			}
		})
	}
}

// etcd names member 0 when it cannot tell whose data are right.
func TestACorruptionThatNamesNoMemberIsEverybodys(t *testing.T) {
	g := gather(t, func(files map[string]string) {
		files[alarms] = fmt.Sprintf(`{"header":{"cluster_id":%d},"alarms":[{"alarm":2}]}`, clusterID)
	})
	for _, p := range g.Etcd.Probes {
		if p.Corrupt != snapshot.True || p.NoSpace != snapshot.False {
			t.Errorf("member %s: corrupt %v, no space %v", p.Member, p.Corrupt, p.NoSpace)
		}
	}
}

func TestAlarmsThatOneFileTellsOfAndTheOtherHasNoneOfAreUnknown(t *testing.T) {
	g := gather(t, func(files map[string]string) {
		files[health] = `[{"endpoint":"https://192.0.2.10:2379","health":false,"error":"Active Alarm(s)"}]`
		files[alarms] = fmt.Sprintf(`{"header":{"cluster_id":%d},"alarms":null}`, clusterID)
	})
	for _, p := range g.Etcd.Probes {
		if p.Corrupt != snapshot.Unknown || p.NoSpace != snapshot.Unknown {
			t.Errorf("member %s: corrupt %v, no space %v", p.Member, p.Corrupt, p.NoSpace)
		}
	}
	if !warned(g, mustgather.FilesContradict, "endpoint_health.json", "alarm_list.json") {
		t.Errorf("warnings: %v", g.Warnings)
	}
}

func TestAnEndpointThatSaysItCannotServeMustProveWhoItIs(t *testing.T) {
	g := gather(t, func(files map[string]string) {
		files[health] = `[{"endpoint":"https://192.0.2.10:2379","health":false,"error":"etcdserver: no leader"}]`
		files["etcd_info/endpoint_status.json"] = `[]`
	})
	if got := g.Etcd.Probes[0].CannotServe; got != snapshot.Unknown {
		t.Errorf("without its status it is %v", got)
	}
}

func TestAStatusOfAnotherClusterIsNotTaken(t *testing.T) {
	g := gather(t, func(files map[string]string) {
		const file = "etcd_info/endpoint_status.json"
		files[file] = strings.Replace(files[file], `"cluster_id":193`, `"cluster_id":194`, 1)
	})
	if g.Etcd.Probes[0].Status != nil || g.Etcd.Probes[1].Status == nil {
		t.Errorf("statuses: %+v, %+v", g.Etcd.Probes[0].Status, g.Etcd.Probes[1].Status)
	}
	if g.Etcd.Probes[0].Served != snapshot.Unknown || !g.Etcd.Probes[1].Served.Holds() {
		t.Errorf("where another cluster answers, the member is healthy: %+v", g.Etcd.Probes[0])
	}
	if !warned(g, mustgather.FilesContradict, "endpoint_status.json", "https://192.0.2.10:2379", "of cluster c2") {
		t.Errorf("warnings: %v", g.Warnings)
	}
}

func TestLayoutsThatAreAllRead(t *testing.T) {
	s := snapshottest.New(snapshottest.Deleting(snapshottest.A))
	files := mustgathertest.Files(&s)
	below := func(prefix string) map[string]string {
		moved := map[string]string{}
		for name, text := range files {
			moved[path.Join(prefix, strings.TrimPrefix(name, mustgathertest.Image+"/"))] = text
		}
		return moved
	}
	with := func(m map[string]string, more map[string]string) map[string]string {
		m = maps.Clone(m)
		maps.Copy(m, more)
		return m
	}
	// asList puts the per-name files of a folder into one List, as some versions of oc do, in YAML or JSON.
	asList := func(folder, ending string) map[string]string {
		m := below("")
		var items []string
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if path.Dir(name) == folder {
				items = append(items, "- "+strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(m[name], "---\n"), "\n"), "\n", "\n  "))
				delete(m, name)
			}
		}
		m[folder+ending] = "---\napiVersion: v1\nitems:\n" + strings.Join(items, "\n") + "\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"
		return m
	}
	// asJSON is what `oc get -o json` writes: one list for the files of a folder, or JSON in each.
	asJSON := func(folder string, list bool) map[string]string {
		m := below("")
		var items []string
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if path.Dir(name) != folder {
				continue
			}
			object, err := yaml.YAMLToJSON([]byte(m[name]))
			if err != nil {
				t.Fatal(err)
			}
			delete(m, name)
			items = append(items, string(object))
			if !list {
				m[strings.TrimSuffix(name, ".yaml")+".json"] = "\n" + string(object)
			}
		}
		if list {
			m[folder+".json"] = `{"apiVersion":"v1","items":[` + strings.Join(items, ",") + `],"kind":"List","metadata":{"resourceVersion":""}}`
		}
		return m
	}
	image := func(name string) string { return path.Join(name, mustgathertest.Image) }
	for name, files := range map[string]map[string]string{
		"a must-gather":                       below(image("")),
		"a folder of a must-gather":           below(image("must-gather.local.1")),
		"the output of oc adm inspect":        below(""),
		"nodes in one list":                   asList("cluster-scoped-resources/core/nodes", ".yaml"),
		"machines in one list":                asList("namespaces/openshift-machine-api/machine.openshift.io/machines", ".yaml"),
		"cluster versions in one list":        asList("cluster-scoped-resources/config.openshift.io/clusterversions", ".yaml"),
		"etcds in one list":                   asList("cluster-scoped-resources/operator.openshift.io/etcds", ".yaml"),
		"nodes in one JSON list":              asJSON("cluster-scoped-resources/core/nodes", true),
		"machines in JSON each":               asJSON("namespaces/openshift-machine-api/machine.openshift.io/machines", false),
		"an image beside it that has nothing": with(below(image("")), map[string]string{"other/version": "1", "other/namespaces/openshift-etcd/core/pods.yaml": "garbage"}),
		"an image beside it that has an object of the same content": with(below("a/x"), map[string]string{
			"b/cluster-scoped-resources/core/nodes/node-a.yaml": below("")["cluster-scoped-resources/core/nodes/node-a.yaml"]}),
	} {
		t.Run(name, func(t *testing.T) {
			want := s
			root := t.TempDir()
			if err := mustgathertest.Write(root, files); err != nil {
				t.Fatal(err)
			}
			expectSnapshot(t, want, root)
			file := filepath.Join(t.TempDir(), "a.tar")
			if err := os.WriteFile(file, archive(t, files, false), 0o644); err != nil {
				t.Fatal(err)
			}
			if strings.Count(name, "folder of") == 0 {
				expectSnapshot(t, want, file)
			}
		})
	}
}

// TestFilesOfSinglePods: oc adm inspect writes each pod beside its logs as well.
func TestFilesOfSinglePods(t *testing.T) {
	g := gather(t, func(files map[string]string) {
		delete(files, podsFile)
		files["namespaces/openshift-etcd/pods/etcd-guard-x/etcd-guard-x.yaml"] = "---\nkind: Pod\nmetadata:\n  labels:\n    app: guard\n  name: etcd-guard-x\n  namespace: openshift-etcd\nspec:\n  nodeName: x\nstatus:\n  phase: Running\n"
		files["namespaces/openshift-etcd/pods/etcd-guard-x/guard/guard/logs/current.log"] = "a log"
	})
	if len(g.Objects.Pods.Items) != 1 || g.Objects.Pods.Items[0].Spec.NodeName != "x" || !g.Objects.Pods.Complete.Holds() {
		t.Errorf("pods: %+v", g.Objects.Pods)
	}
}

func TestForeignBudgetsThatAllowNothing(t *testing.T) {
	budget := func(name string, allowed, pods int) string {
		return fmt.Sprintf("- apiVersion: policy/v1\n  kind: PodDisruptionBudget\n  metadata:\n    name: %s\n    namespace: app\n  status:\n    disruptionsAllowed: %d\n    expectedPods: %d\n", name, allowed, pods)
	}
	g := gather(t, func(files map[string]string) {
		files["namespaces/app/policy/poddisruptionbudgets.yaml"] = "---\napiVersion: policy/v1\nitems:\n" +
			budget("z", 0, 3) + budget("open", 1, 3) + budget("idle", 0, 0) + budget("a", 0, 1) + "kind: PodDisruptionBudgetList\n"
	})
	if want := []string{"app/a", "app/z"}; !slices.Equal(g.ForeignBudgets, want) {
		t.Errorf("got %v, want %v", g.ForeignBudgets, want)
	}
}

func TestWhatIsNoGatheringIsRefused(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "file"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty.tar")
	if err := os.WriteFile(empty, archive(t, map[string]string{"a": "b"}, false), 0o644); err != nil {
		t.Fatal(err)
	}
	s := snapshottest.New()
	whole := archive(t, mustgathertest.Files(&s), true)
	half := filepath.Join(t.TempDir(), "half.tar.gz")
	if err := os.WriteFile(half, whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		path, words string
		is          error
	}{
		"a folder of something else":         {path: folder, is: mustgather.ErrNotGathering, words: "neither a must-gather nor"},
		"an archive of something else":       {path: empty, is: mustgather.ErrNotGathering, words: "neither a must-gather nor"},
		"a file that is no archive":          {path: filepath.Join(folder, "file"), words: "neither a folder nor a tar or tar.gz archive"},
		"an archive that ends in the middle": {path: half, words: "the archive is damaged: it ends in the middle"},
		"a path that is not there":           {path: filepath.Join(folder, "none"), is: fs.ErrNotExist, words: "none: no such file"},
		"a device":                           {path: os.DevNull, words: "neither a folder nor a file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mustgather.Read(test.path)
			if err == nil || !strings.Contains(err.Error(), test.words) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestAnArchiveWhosePathsClimbOutIsRefused(t *testing.T) {
	for _, name := range []string{"../cluster-scoped-resources/core/nodes.yaml", "/cluster-scoped-resources/core/nodes.yaml", "a/../../b", ".."} {
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "a.tar")
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := mustgather.Read(file); err == nil || !strings.Contains(err.Error(), "climbs out") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestALinkThatLeavesTheFolderIsNotFollowed(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(outside, []byte("kind: Node\nmetadata:\n  name: from-outside\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := snapshottest.New()
	root := t.TempDir()
	if err := mustgathertest.Write(root, mustgathertest.Files(&s)); err != nil {
		t.Fatal(err)
	}
	nodes := filepath.Join(root, mustgathertest.Image, "cluster-scoped-resources", "core", "nodes")
	if err := os.Symlink(outside, filepath.Join(nodes, "out.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("node-a.yaml", filepath.Join(nodes, "inside.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(nodes, "folder.yaml"), 0o755); err != nil {
		t.Fatal(err)
	}
	g, err := mustgather.Read(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range g.Objects.OtherNodes.Items {
		t.Errorf("it was followed: %s", n.Name)
	}
	if got := g.Objects.Nodes.Complete; got != snapshot.Unknown || !warned(g, mustgather.FileUnreadable, "out.yaml") || !warned(g, mustgather.FileUnreadable, "folder.yaml") {
		t.Errorf("list %v, warnings %v", got, g.Warnings)
	}
}

func TestFilesWrittenFarApartAreNamed(t *testing.T) {
	s := snapshottest.New()
	root := t.TempDir()
	if err := mustgathertest.Write(root, mustgathertest.Files(&s)); err != nil {
		t.Fatal(err)
	}
	info := filepath.Join(root, mustgathertest.Image, "etcd_info")
	entries, err := os.ReadDir(info)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		old := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(info, e.Name()), old, old); err != nil {
			t.Fatal(err)
		}
	}
	g, err := mustgather.Read(root)
	if err != nil {
		t.Fatal(err)
	}
	if !warned(g, mustgather.TimesApart, "2026-01-01T00:00:00Z") {
		t.Errorf("warnings: %v", g.Warnings)
	}
}

func TestTheTimeOfAGathering(t *testing.T) {
	for text, want := range map[string]string{
		"2026-05-05 12:34:56.789012345 +0000 UTC m=+0.123\n2026-05-05 12:40:01.5 +0000 UTC m=+304.9\n": "2026-05-05T12:40:01.5Z",
		"2026-05-05 12:34:56 +0200 CEST\n": "2026-05-05T10:34:56Z",
		"2026-05-05 12:34:56 +0300 +0300":  "2026-05-05T09:34:56Z",
		"2026-05-05T12:34:56Z":             "2026-05-05T12:34:56Z",
		"yesterday":                        "",
		"":                                 "",
	} {
		g := gather(t, func(files map[string]string) { files["timestamp"] = text })
		got := ""
		if !g.At.IsZero() {
			got = g.At.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestThousandsOfObjects reads as many workers as a large cluster has, in one list.
func TestThousandsOfObjects(t *testing.T) {
	const workers = 3000
	var list strings.Builder
	list.WriteString("---\napiVersion: v1\nitems:\n")
	for i := range workers {
		fmt.Fprintf(&list, "- kind: Node\n  metadata:\n    name: worker-%d\n  spec: {}\n  status:\n    addresses:\n    - address: 10.%d.%d.1\n      type: InternalIP\n", i, i/250, i%250)
	}
	list.WriteString("kind: NodeList\n")
	g := gather(t, func(files map[string]string) { files["cluster-scoped-resources/core/nodes.yaml"] = list.String() })
	if len(g.Objects.OtherNodes.Items) != workers || len(g.Objects.Nodes.Items) != 3 || !g.Objects.Nodes.Complete.Holds() {
		t.Errorf("%d workers, %d others, %v", len(g.Objects.OtherNodes.Items), len(g.Objects.Nodes.Items), g.Objects.Nodes.Complete)
	}
}

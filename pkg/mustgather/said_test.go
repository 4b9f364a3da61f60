package mustgather_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/mustgather"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const (
	serversFile  = "cluster-scoped-resources/operator.openshift.io/kubeapiservers/cluster.yaml"
	operatorFile = "cluster-scoped-resources/config.openshift.io/clusteroperators/etcd.yaml"
	status       = "etcd_info/endpoint_status.json"
)

// replaced changes a text that must be there.
func replaced(t *testing.T, files map[string]string, file, before, after string) {
	t.Helper()
	if !strings.Contains(files[file], before) {
		t.Fatalf("%s has no %q:\n%s", file, before, files[file])
	}
	files[file] = strings.Replace(files[file], before, after, 1)
}

func TestAListWhoseEntriesCannotBeToldApartIsUnknownAndNamed(t *testing.T) {
	etcd := func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Etcd.Exists }
	servers := func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.KubeAPIServer.Exists }
	operator := func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.ClusterOperator.Exists }
	pods := func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Pods.Complete }
	budget := func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Budget.Exists }
	const budgetsFile = "namespaces/openshift-etcd/policy/poddisruptionbudgets.yaml"
	const entry = "  - currentRevision: 1\n    nodeName: node-b\n"
	for name, test := range map[string]struct {
		file, before, after, field string
		unknown                    func(*mustgather.Gathered) snapshot.Fact
	}{
		"the operator's version is listed twice": {operatorFile, "  versions:\n", "  versions:\n  - name: operator\n    version: 4.0.0\n", `status.versions has name "operator" twice`, operator},
		"a version has no name":                  {operatorFile, "  versions:\n", "  versions:\n  - version: 4.0.0\n", "status.versions[0] has no name", operator},
		"a version is null":                      {operatorFile, "  versions:\n", "  versions:\n  - null\n", "there is a null among its rows", operator},
		"two node statuses have one name":        {etcdFile, entry, entry + "  - currentRevision: 1\n    nodeName: node-b\n    targetRevision: 2\n", `status.nodeStatuses has nodeName "node-b" twice`, etcd},
		"a node status has no name":              {etcdFile, entry, "  - currentRevision: 1\n" + entry, "status.nodeStatuses[1] has no nodeName", etcd},
		"a node status is null":                  {etcdFile, entry, "  - null\n" + entry, "there is a null among its rows", etcd},
		"two statuses of API servers":            {serversFile, "  nodeStatuses:\n", "  nodeStatuses:\n  - currentRevision: 77\n    nodeName: node-c\n", `status.nodeStatuses has nodeName "node-c" twice`, servers},
		"two hooks of one name": {machineA, "    - name: EtcdQuorumOperator\n", "    - name: EtcdQuorumOperator\n      owner: x\n    - name: EtcdQuorumOperator\n",
			`spec.lifecycleHooks.preDrain has name "EtcdQuorumOperator" twice`, func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Machines.Complete }},
		"two containers of one name": {podsFile, "    - name: etcd\n", "    - name: etcd\n    - name: etcd\n",
			`status.containerStatuses has name "etcd" twice`, func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Pods.Complete }},
		"a Node has two conditions of one type": {nodeA, "  conditions:\n", "  conditions:\n  - status: \"False\"\n    type: Ready\n",
			`status.conditions has type "Ready" twice`, func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Nodes.Complete }},
		"a pod has two conditions of one type":          {podsFile, "    conditions:\n", "    conditions:\n    - status: \"False\"\n      type: Ready\n", `status.conditions has type "Ready" twice`, pods},
		"a pod in a list has no phase":                  {podsFile, "    phase: Running\n", "", "has no status.phase", pods},
		"a guard has no node":                           {podsFile, "    name: etcd-guard-node-a\n    namespace: openshift-etcd\n  spec:\n    nodeName: node-a\n", "    name: etcd-guard-node-a\n    namespace: openshift-etcd\n  spec: {}\n", "is a guard and has no spec.nodeName", pods},
		"etcd's pod of a node is on another":            {podsFile, "    nodeName: node-a\n", "    nodeName: node-b\n", `on spec.nodeName "node-b"`, pods},
		"a container runs and waits":                    {podsFile, "    - name: etcd\n      ready: true\n      state:\n", "    - name: etcd\n      ready: true\n      state:\n        waiting: {}\n", `container "etcd" is running, and is not`, pods},
		"a container does not tell whether it is ready": {podsFile, "    - name: etcd\n      ready: true\n", "    - name: etcd\n", "status.containerStatuses[1] has no ready", pods},
		"a budget does not tell what it allows":         {budgetsFile, "    disruptionsAllowed: 1\n", "", "has no disruptionsAllowed", budget},
		"a budget does not tell of its pods":            {budgetsFile, "    expectedPods: 3\n", "", "has no expectedPods", budget},
		"the guards' budget has no generation":          {budgetsFile, "    generation: 2\n", "", "has no metadata.generation", budget},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) { replaced(t, files, test.file, test.before, test.after) })
			if got := test.unknown(g); got != snapshot.Unknown {
				t.Errorf("it is %v", got)
			}
			if !warned(g, mustgather.FileUnreadable, test.file, test.field) {
				t.Errorf("no warning names it: %v", g.Warnings)
			}
		})
	}
}

var statusesOfNodes = regexp.MustCompile(`(?m)^  - currentRevision.*\n    nodeName.*\n`)

func TestNodeStatusesThatAreNullAreNotNone(t *testing.T) {
	g := gather(t, func(files map[string]string) {
		replaced(t, files, etcdFile, "  nodeStatuses:\n", "  nodeStatuses: null\n")
		files[etcdFile] = statusesOfNodes.ReplaceAllString(files[etcdFile], "")
	})
	if g.Objects.Etcd.Exists != snapshot.Unknown || !warned(g, mustgather.FileUnreadable, etcdFile, "nodeStatuses is null") {
		t.Errorf("%v, warnings: %v", g.Objects.Etcd.Exists, g.Warnings)
	}
}

func TestARowThatTellsOfNoMemberIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		file, before, after, words string
	}{
		"health":                  {health, `192.0.2.10`, `192.0.2.99`, "https://192.0.2.99:2379"},
		"health that is not told": {health, `"health":true,`, ``, "does not tell its health"},
		"status":                  {status, `"Endpoint":"https://192.0.2.10:2379"`, `"Endpoint":"https://192.0.2.99:2379"`, ""},
		"status of nobody":        {status, `[`, `[{"Endpoint":"https://192.0.2.99:2379","Status":{"header":{"cluster_id":193,"member_id":99}}},`, "https://192.0.2.99:2379"},
		"alarm":                   {alarms, `"alarms":null`, `"alarms":[{"memberID":153,"alarm":1}]`, "member 99"},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) {
				files[test.file] = strings.Join(strings.Fields(files[test.file]), "")
				replaced(t, files, test.file, test.before, test.after)
			})
			// A status says itself whose it is.
			if want := test.words != ""; want != (len(g.Warnings) > 0) || want && !slices.ContainsFunc(g.Warnings, func(w mustgather.Warning) bool {
				return strings.Contains(w.Message, test.file) && strings.Contains(w.Message, test.words)
			}) {
				t.Errorf("warnings: %v", g.Warnings)
			}
		})
	}
}

func TestWhateverAFileIsCalledItIsReadOrNamed(t *testing.T) {
	rename := func(from, to string) func(t *testing.T, root string) {
		return func(t *testing.T, root string) {
			if err := os.Rename(filepath.Join(root, from), filepath.Join(root, to)); err != nil {
				t.Fatal(err)
			}
		}
	}
	link := func(name string) func(t *testing.T, root string) {
		return func(t *testing.T, root string) {
			if err := os.RemoveAll(filepath.Join(root, name)); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("nowhere", filepath.Join(root, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	cut := strings.NewReplacer(".yaml", "", ".json", "")
	for name, test := range map[string]struct {
		change func(t *testing.T, root string)
		// named is the file that a warning must name; read is so without one.
		named string
	}{
		"yml":                        {rename(nodeA, cut.Replace(nodeA)+".yml"), ""},
		"YAML":                       {rename(nodeA, cut.Replace(nodeA)+".YAML"), ""},
		"Json":                       {rename(members, cut.Replace(members)+".Json"), ""},
		"a list of another spelling": {rename(podsFile, cut.Replace(podsFile)+".Yml"), ""},
		"a packed object":            {rename(nodeA, nodeA+".gz"), nodeA + ".gz"},
		"a packed list":              {rename(podsFile, podsFile+".xz"), podsFile + ".xz"},
		"a packed member list":       {rename(members, members+".gz"), members + ".gz"},
		"what an editor left":        {rename(machineA, machineA+"~"), machineA + "~"},
		"an object that is a link":   {link(nodeA), nodeA},
		"a list that is a link":      {link(podsFile), podsFile},
		"a folder that is a link":    {link("cluster-scoped-resources/core"), "cluster-scoped-resources/core"},
		"a member list that is one":  {link(members), members},
	} {
		t.Run(name, func(t *testing.T) {
			s := snapshottest.New()
			files := map[string]string{}
			for name, text := range mustgathertest.Files(&s) {
				files[strings.TrimPrefix(name, mustgathertest.Image+"/")] = text
			}
			root := t.TempDir()
			if err := mustgathertest.Write(root, files); err != nil {
				t.Fatal(err)
			}
			test.change(t, root)
			g, err := mustgather.Read(root)
			if err != nil {
				t.Fatal(err)
			}
			known := g.Objects.Nodes.Complete.Holds() && len(g.Objects.Nodes.Items) == 3 && g.Objects.Machines.Complete.Holds() &&
				g.Objects.Pods.Complete.Holds() && g.Etcd.MemberList.Holds()
			if test.named == "" && (!known || len(g.Warnings) > 0) {
				t.Errorf("it was not read: %v", g.Warnings)
			}
			if test.named != "" && (known || !warned(g, mustgather.FileUnreadable, test.named)) {
				t.Errorf("known: %v; warnings: %v", known, g.Warnings)
			}
		})
	}
}

func TestYAMLInFlowStyleIsReadAndJSONThatIsCutIsNot(t *testing.T) {
	const infrastructure = "cluster-scoped-resources/config.openshift.io/infrastructures/cluster.yaml"
	for text, want := range map[string]snapshot.Fact{
		"{apiVersion: config.openshift.io/v1, kind: Infrastructure, metadata: {name: cluster}, status: {controlPlaneTopology: HighlyAvailable}}\n":          snapshot.True,
		"{apiVersion: config.openshift.io/v1, kind: Infrastructure,\n metadata: {name: cluster},\n status: {controlPlaneTopology: HighlyAvailable}}":        snapshot.True,
		"{apiVersion: config.openshift.io/v1, kind: Infrastructure, metadata: {name: cluster}, status: {controlPlaneTopology: HighlyAvailable}\n":           snapshot.Unknown,
		"{kind: Infrastructure, metadata: {name: cluster}, status: {controlPlaneTopology: HighlyAvailable}, status: {}}\n":                                  snapshot.Unknown,
		`{"kind":"Infrastructure","metadata":{"name":"cluster"},"status":{"controlPlaneTopology":"HighlyAvailable"}`:                                        snapshot.Unknown,
		`{"kind":"Infrastructure","metadata":{"name":"cluster"},"status":{"controlPlaneTopology":"HighlyAvailable"}}}`:                                      snapshot.Unknown,
		`{"kind":"Infrastructure","metadata":{"name":"cluster"},"status":{"controlPlaneTopology":"HighlyAvailable"},"status":{"x":1}}`:                      snapshot.Unknown,
		"{apiVersion: v1, kind: InfrastructureList, items: [{metadata: {name: cluster}, status: {controlPlaneTopology: HighlyAvailable}}], metadata: {}}\n": snapshot.True,
	} {
		g := gather(t, func(files map[string]string) { files[infrastructure] = text })
		if got := g.Objects.Infrastructure.Exists; got != want || (want == snapshot.Unknown) != warned(g, mustgather.FileUnreadable, infrastructure) {
			t.Errorf("%v, not %v; warnings %v, of:\n%s", got, want, g.Warnings, text)
		}
	}
}

func TestATimestampWithoutATimeIsNamed(t *testing.T) {
	for _, text := range []string{"", "\n", "9999-99-99\n"} {
		g := gather(t, func(files map[string]string) { files["timestamp"] = text })
		if !g.At.IsZero() || !warned(g, mustgather.FileUnreadable, "timestamp") {
			t.Errorf("%q: %v, warnings %v", text, g.At, g.Warnings)
		}
	}
}

func TestABudgetBesidesTheirOwnThatSelectsGuards(t *testing.T) {
	const file = "namespaces/openshift-etcd/policy/poddisruptionbudgets.yaml"
	other := func(selector string) string {
		return "items:\n- apiVersion: policy/v1\n  kind: PodDisruptionBudget\n  metadata:\n    name: mine\n    namespace: openshift-etcd\n  spec:\n    minAvailable: 1\n" + selector +
			"  status:\n    disruptionsAllowed: 1\n    expectedPods: 3\n"
	}
	for selector, want := range map[string]bool{
		"    selector:\n      matchLabels:\n        app: guard\n": true,
		"    selector: {}\n": true,
		"":                   false,
		"    selector:\n      matchExpressions:\n      - key: app\n        operator: Exists\n":  true,
		"    selector:\n      matchExpressions:\n      - key: app\n        operator: Unheard\n": true,
		"    selector:\n      matchLabels:\n        app: etcd\n":                                false,
		"    selector:\n      matchLabels:\n        app: guard\n        other: label\n":         false,
	} {
		g := gather(t, func(files map[string]string) { replaced(t, files, file, "items:\n", other(selector)) })
		if got := len(g.GuardBudgets["node-a"]) == 1 && len(g.GuardBudgets) == 3; got != want || !g.Objects.Budget.Exists.Holds() || len(g.Warnings) > 0 {
			t.Errorf("%v of\n%s warnings %v", g.GuardBudgets, selector, g.Warnings)
		}
	}
}

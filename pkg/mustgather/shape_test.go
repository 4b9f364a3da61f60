package mustgather_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/mustgather"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

const (
	configMapsFile = "namespaces/openshift-etcd/core/configmaps.yaml"
	budgetsFile    = "namespaces/openshift-etcd/policy/poddisruptionbudgets.yaml"
	versionFile    = "cluster-scoped-resources/config.openshift.io/clusterversions/version.yaml"
)

// swap replaces text that is there.
func swap(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("there is no %q in:\n%s", pairs[i], text)
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// TestHoweverYAMLIsWrittenItTellsTheSame: text of another shape than that of clients is parsed whole.
func TestHoweverYAMLIsWrittenItTellsTheSame(t *testing.T) {
	for name, test := range map[string]struct {
		file  string
		pairs []string
	}{
		"spaces before a value":         {machineA, []string{"machine-role: master", "machine-role:   master"}},
		"a tag":                         {machineA, []string{"machine-role: master", "machine-role: !!str master"}},
		"a comment behind a value":      {machineA, []string{"machine-role: master", "machine-role: master # x"}},
		"a comment behind a key":        {machineA, []string{"metadata:", "metadata: # x", "status:", "status:   "}},
		"comments between keys":         {machineA, []string{"metadata:", "# status:\nmetadata:\n# x", "spec:", "      # deeper\nspec:"}},
		"keys in quotes":                {machineA, []string{"metadata:", "\"metadata\":", "name: m", "'name': m", "status:", "\"status\":", "phase:", "'phase':"}},
		"a key with an escape":          {machineA, []string{"metadata:", "\"meta\\x64ata\":"}},
		"values in quotes":              {machineA, []string{"machine-role: master", "machine-role: 'master'", "phase: Running", "phase: \"Runn\\x69ng\""}},
		"a value on the next line":      {machineA, []string{"machine-role: master", "machine-role:\n      master"}},
		"a value in a block":            {machineA, []string{"machine-role: master", "machine-role: >-\n      master"}},
		"an anchor":                     {machineA, []string{"name: machine-a", "name: &n machine-a"}},
		"an anchor and its alias":       {machineA, []string{"kind: Machine", "x: &m Machine\nkind: *m"}},
		"a merge":                       {machineA, []string{"kind: Machine", "x: &m\n  kind: Machine\n<<: *m"}},
		"a flow mapping":                {machineA, []string{"  labels:\n    machine.openshift.io/cluster-api-machine-role: master\n", "  labels: {machine.openshift.io/cluster-api-machine-role: master}\n"}},
		"a flow mapping over lines":     {machineA, []string{"spec:", "x: {a: 1,\nstatus: {}, metadata: {}}\nspec:"}},
		"a quoted value over lines":     {machineA, []string{"spec:", "x: \"a\nstatus:\nb\"\nspec:"}},
		"a block that looks like keys":  {machineA, []string{"spec:", "x: |\n metadata:\n   name: y\n status: {}\nspec:"}},
		"a block at the depth of items": {podsFile, []string{"kind: PodList", "x: |2\n  - kind: Pod\n    metadata:\n      name: y\nkind: PodList"}},
		"deeper mappings":               {machineA, []string{"\n  ", "\n      ", "\n          ", "\n          "}},
		"deeper sequences":              {machineA, []string{"  - ", "      - ", "    owner:", "        owner:", "    type:", "        type:"}},
		"ends of lines as on Windows":   {machineA, []string{"\n", "\r\n"}},
		"an empty line":                 {machineA, []string{"spec:", "\nspec:", "status:", "\n\n  \nstatus:"}},
		"a mark of byte order":          {machineA, []string{"---\n", "\ufeff---\n"}},
		"a directive":                   {machineA, []string{"---\n", "%YAML 1.1\n---\n"}},
		"the end of a document":         {machineA, []string{"  phase: Running\n", "  phase: Running\n...\n"}},
		"empty documents around it":     {machineA, []string{"---\n", "---\n---\n", "  phase: Running\n", "  phase: Running\n---\n"}},
		"a key with a mark":             {machineA, []string{"kind: Machine", "? kind\n: Machine"}},
		"a list in flow style":          {budgetsFile, []string{"items:\n- ", "items: [{", "\n  ", ", ", "apiVersion: policy/v1,", "apiVersion: policy/v1,"}},
		"a list with deeper items":      {podsFile, []string{"\n- ", "\n  - ", "\n  ", "\n    ", "\n    - apiVersion", "\n  - apiVersion"}},
		"a list whose kind comes first": {podsFile, []string{"kind: PodList\n", "", "apiVersion: v1\nitems:", "kind: PodList\nitems:"}},
		"a dash alone":                  {podsFile, []string{"- apiVersion: v1\n", "-\n  apiVersion: v1\n"}},
		"keys of data in quotes":        {configMapsFile, []string{"    a: 192.0.2.10", "    'a': 192.0.2.10"}},
		"a comment in a ConfigMap":      {configMapsFile, []string{"  data:", "  data: # x"}},
		"a comment behind a version":    {versionFile, []string{"name: version", "name: version # x", "version: 4.22.0", "version: 4.22.0 # x"}},
	} {
		t.Run(name, func(t *testing.T) {
			want := gather(t, func(map[string]string) {})
			got := gather(t, func(files map[string]string) {
				if name == "a list in flow style" {
					files[test.file] = flow
					return
				}
				files[test.file] = swap(t, files[test.file], test.pairs...)
			})
			if diff := cmp.Diff(want.Objects, got.Objects); diff != "" {
				t.Errorf("(-as clients write it +otherwise):\n%s", diff)
			}
			for _, w := range got.Warnings {
				if name != "a list whose kind comes first" || !strings.Contains(w.Message, "last thing") {
					t.Errorf("warning: %v", w)
				}
			}
		})
	}
}

const flow = `---
{apiVersion: v1, items: [{apiVersion: policy/v1, kind: PodDisruptionBudget,
metadata: {name: etcd-guard-pdb, namespace: openshift-etcd, generation: 2}, spec: {minAvailable: 2,
selector: {matchLabels: {app: guard}}}, status: {disruptionsAllowed: 1, expectedPods: 3, observedGeneration: 2}}], kind: PodDisruptionBudgetList}
`

// TestWhatIsWrittenTwiceOrOtherwiseIsUnknown: a parser would take one of the two, or drop what it does not know.
func TestWhatIsWrittenTwiceOrOtherwiseIsUnknown(t *testing.T) {
	for name, test := range map[string]struct {
		file  string
		pairs []string
		words string
	}{
		"metadata twice":                   {machineA, []string{"spec:", "metadata:\n  name: other\nspec:"}, `"metadata" already set`},
		"status twice":                     {machineA, []string{"spec:", "status:\n  phase: Failed\nspec:"}, `"status" already set`},
		"a label twice":                    {machineA, []string{"machine-role: master", "machine-role: master\n    machine.openshift.io/cluster-api-machine-role: worker"}, "already set"},
		"status twice in an item":          {podsFile, []string{"  spec:", "  status: {}\n  spec:"}, `"status" already set`},
		"items twice":                      {podsFile, []string{"kind: PodList", "items: []\nkind: PodList"}, `"items" already set`},
		"status in another case":           {machineA, []string{"status:", "Status:"}, `"Status" should be "status"`},
		"a field of status in another":     {machineA, []string{"phase:", "Phase:"}, `"Phase" should be "phase"`},
		"a field of an address in another": {machineA, []string{"address:", "Address:"}, `"Address" should be "address"`},
		"items in another case":            {podsFile, []string{"items:", "Items:"}, `"Items" should be "items"`},
		"a number for a name":              {machineA, []string{"name: machine-a", "name: 7"}, "cannot unmarshal number"},
		"an alias of nothing":              {machineA, []string{"kind: Machine", "kind: *x"}, "unknown anchor"},
		"a fault in what nobody reads":     {machineA, []string{"spec:", "x: [\nspec:"}, "yaml"},
		"an object of another API group":   {machineA, []string{"apiVersion: machine.openshift.io/v1beta1\nkind", "apiVersion: cluster.x-k8s.io/v1beta1\nkind"}, `of API group "cluster.x-k8s.io"`},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) { files[test.file] = swap(t, files[test.file], test.pairs...) })
			if !warned(g, mustgather.FileUnreadable, path.Base(test.file), test.words) {
				t.Errorf("no warning names file and fault: %v", g.Warnings)
			}
			complete := g.Objects.Machines.Complete
			if test.file == podsFile {
				complete = g.Objects.Pods.Complete
			}
			if complete != snapshot.Unknown {
				t.Errorf("it is %v", complete)
			}
		})
	}
}

func TestObjectsOfSomebodyElseAreIgnored(t *testing.T) {
	const machineFolder = "namespaces/openshift-machine-api/machine.openshift.io/machines/"
	inList := func(from string, pairs ...string) func(*testing.T, map[string]string) {
		return func(t *testing.T, files map[string]string) {
			text := files[from]
			start, end := strings.Index(text, "items:\n")+len("items:\n"), strings.LastIndex(text, "kind: ")
			files[from] = text[:end] + swap(t, text[start:end], pairs...) + text[end:]
		}
	}
	copied := func(from, to string, pairs ...string) func(*testing.T, map[string]string) {
		return func(t *testing.T, files map[string]string) { files[to] = swap(t, files[from], pairs...) }
	}
	for name, test := range map[string]struct {
		change func(*testing.T, map[string]string)
		words  []string
		// unknown: what its file should hold is not known then.
		unknown bool
	}{
		"a Machine of another namespace": {copied(machineA, machineFolder+"other.yaml", "name: machine-a", "name: other", "namespace: openshift-machine-api", "namespace: elsewhere"),
			[]string{"Machine elsewhere/other", "machines/other.yaml", "namespace openshift-machine-api", "ignored"}, false},
		"a Machine of another namespace in JSON": {func(t *testing.T, files map[string]string) {
			files[machineFolder+"other.json"] = `{"apiVersion":"machine.openshift.io/v1beta1","kind":"Machine","metadata":{"name":"other","namespace":"elsewhere","labels":{"machine.openshift.io/cluster-api-machine-role":"master"}},"status":{"phase":"Running"}}`
		}, []string{"Machine elsewhere/other", "machines/other.json", "ignored"}, false},
		"pods of another namespace":          {inList(podsFile, "namespace: openshift-etcd", "namespace: elsewhere", "name: etcd-", "name: x-"), []string{"Pod elsewhere/x-", "pods.yaml", "ignored"}, false},
		"ConfigMaps of another namespace":    {inList(configMapsFile, "namespace: openshift-etcd", "namespace: elsewhere", "192.0.2.10", "192.0.2.99"), []string{"ConfigMap elsewhere/etcd-endpoints", "configmaps.yaml", "ignored"}, false},
		"budgets of another namespace":       {inList(budgetsFile, "namespace: openshift-etcd", "namespace: elsewhere", "minAvailable: 2", "minAvailable: 1"), []string{"PodDisruptionBudget elsewhere/etcd-guard-pdb", "ignored"}, false},
		"bootstrap of another namespace":     {inList("namespaces/kube-system/core/configmaps.yaml", "namespace: kube-system", "namespace: elsewhere", "status: complete", "status: never"), []string{"ConfigMap elsewhere/bootstrap", "ignored"}, false},
		"API servers' of another namespace":  {inList("namespaces/openshift-kube-apiserver/core/configmaps.yaml", "namespace: openshift-kube-apiserver", "namespace: elsewhere", "192.0.2.10", "192.0.2.99"), []string{"ConfigMap elsewhere/config-1", "ignored"}, false},
		"a Node with a namespace":            {copied(nodeA, "cluster-scoped-resources/core/nodes/other.yaml", "\n  name: node-a\n", "\n  name: other\n  namespace: elsewhere\n"), []string{"Node elsewhere/other", "no namespace", "ignored"}, false},
		"a budget of the namespace beside":   {copied(budgetsFile, "namespaces/app/policy/poddisruptionbudgets.yaml", "disruptionsAllowed: 1", "disruptionsAllowed: 0"), []string{"PodDisruptionBudget openshift-etcd/etcd-guard-pdb", "namespaces/app/policy", "namespace app", "ignored"}, false},
		"a Machine in the file of another":   {copied(machineA, machineFolder+"machine-d.yaml", "name: machine-a", "name: machine-e"), []string{"Machine openshift-machine-api/machine-e", "the file of machine-d", "ignored"}, true},
		"a Node in the file of another":      {copied(nodeA, "cluster-scoped-resources/core/nodes/node-d.yaml", "name: node-a", "name: node-e"), []string{"Node node-e", "the file of node-d", "ignored"}, true},
		"the operator's resource in another": {copied("cluster-scoped-resources/operator.openshift.io/etcds/cluster.yaml", "cluster-scoped-resources/operator.openshift.io/etcds/other.yaml", "managementState: Managed", "managementState: Removed"), []string{"Etcd cluster", "the file of other", "ignored"}, false},
		"a pod in the file of another": {func(_ *testing.T, files map[string]string) {
			files["namespaces/openshift-etcd/pods/x/x.yaml"] = "---\nkind: Pod\nmetadata:\n  labels:\n    app: guard\n  name: w\n  namespace: openshift-etcd\nspec:\n  nodeName: w\nstatus:\n  phase: Running\n"
		}, []string{"Pod openshift-etcd/w", "the file of x", "ignored"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			want := gather(t, func(map[string]string) {})
			g := gather(t, func(files map[string]string) {
				test.change(t, files)
			})
			if !warned(g, mustgather.FilesContradict, test.words...) {
				t.Errorf("warnings: %v", g.Warnings)
			}
			if len(g.ForeignBudgets) > 0 {
				t.Errorf("budgets of others: %v", g.ForeignBudgets)
			}
			diff := cmp.Diff(want.Objects, g.Objects)
			if !test.unknown && diff != "" {
				t.Errorf("(-without +with):\n%s", diff)
			}
			if test.unknown && (diff == "" || strings.Contains(diff, "node-e") || strings.Contains(diff, "machine-e") || strings.Contains(diff, `"w"`)) {
				t.Errorf("it counts, or its file does: %s", diff)
			}
		})
	}
}

// TestJSONIsReadToTheLetter: a decoder forgives what is there twice, in another case, or behind the end.
func TestJSONIsReadToTheLetter(t *testing.T) {
	const nodeList = "cluster-scoped-resources/core/nodes.json"
	node := `{"kind":"Node","metadata":{"name":"x"},"status":{"addresses":[]}}`
	for name, test := range map[string]struct {
		file  string
		text  string
		pairs []string
		words string
	}{
		"a member list with something behind it":      {members, "", []string{"\n", "garbage\n"}, "something behind its end"},
		"a member list with a second one":             {members, "", []string{"\n", "\n{\"header\":{\"cluster_id\":1},\"members\":[]}\n"}, "something behind its end"},
		"a member list with a bracket too many":       {members, "", []string{"\n", "}\n"}, "something behind its end"},
		"members twice":                               {members, "", []string{`{"header"`, `{"members":[],"header"`}, `"members" is there twice`},
		"an id twice":                                 {members, "", []string{`"ID":10,`, `"ID":10,"ID":11,`}, `"ID" is there twice`},
		"two members of one id":                       {members, "", []string{`"ID":10,`, `"ID":11,`}, "two members have id b"},
		"an id in another case":                       {members, "", []string{`"ID":10,`, `"id":10,`}, `"id" should be "ID"`},
		"an id in two cases":                          {members, "", []string{`"ID":10,`, `"ID":10,"Id":11,`}, `"Id" should be "ID"`},
		"members in another case":                     {members, "", []string{`"members"`, `"Members"`}, `"Members" should be "members"`},
		"a role in another case":                      {members, "", []string{`"ID":10,`, `"ID":10,"IsLearner":true,`}, `"IsLearner" should be "isLearner"`},
		"a role that is null":                         {members, "", []string{`"ID":10,`, `"ID":10,"isLearner":null,`}, "isLearner is null"},
		"a member that is null":                       {members, "", []string{`"members":[`, `"members":[null,`}, "null among its rows"},
		"health with something behind it":             {health, "", []string{"\n", " x\n"}, "something behind its end"},
		"health twice":                                {health, "", []string{`"health":true`, `"health":true,"health":false`}, `"health" is there twice`},
		"health in another case":                      {health, "", []string{`"health":true`, `"Health":true`}, `"Health" should be "health"`},
		"an endpoint in another case":                 {health, "", []string{`"endpoint"`, `"Endpoint"`}, `"Endpoint" should be "endpoint"`},
		"status with something behind it":             {statusFile, "", []string{"\n", "[]\n"}, "something behind its end"},
		"a leader twice":                              {statusFile, "", []string{`"leader":10`, `"leader":10,"leader":11`}, `"leader" is there twice`},
		"status in another case":                      {statusFile, "", []string{`"Status"`, `"status"`}, `"status" should be "Status"`},
		"alarms with something behind them":           {alarms, "", []string{"\n", "\n---\n"}, "something behind its end"},
		"alarms twice":                                {alarms, "", []string{`{"alarms"`, `{"alarms":[],"alarms"`}, `"alarms" is there twice`},
		"alarms in another case":                      {alarms, "", []string{`"alarms"`, `"Alarms"`}, `"Alarms" should be "alarms"`},
		"an object with something behind it":          {nodeList, node + "garbage", nil, "something behind its end"},
		"an object with a second one":                 {nodeList, node + node, nil, "something behind its end"},
		"a list with something behind it":             {nodeList, `{"kind":"NodeList","items":[` + node + `]}]`, nil, "something behind its end"},
		"a status of an object twice":                 {nodeList, strings.Replace(node, `"status"`, `"status":{},"status"`, 1), nil, `"status" is there twice`},
		"a name of an object twice":                   {nodeList, strings.Replace(node, `"name":"x"`, `"name":"x","name":"y"`, 1), nil, `"name" is there twice`},
		"a name of an item twice":                     {nodeList, `{"kind":"NodeList","items":[` + strings.Replace(node, `"name":"x"`, `"name":"x","name":"y"`, 1) + `]}`, nil, `"name" is there twice`},
		"items twice in JSON":                         {nodeList, `{"kind":"NodeList","items":[],"items":[]}`, nil, `"items" is there twice`},
		"items of JSON in another case":               {nodeList, `{"kind":"NodeList","Items":[]}`, nil, `"Items" should be "items"`},
		"a status of an object in another case":       {nodeList, strings.Replace(node, `"status"`, `"Status"`, 1), nil, `"Status" should be "status"`},
		"addresses of an object in another":           {nodeList, strings.Replace(node, `"addresses"`, `"Addresses"`, 1), nil, `"Addresses" should be "addresses"`},
		"an object without a status":                  {nodeList, `{"kind":"Node","metadata":{"name":"x"}}`, nil, "it has no status"},
		"an object in JSON that is deeper than deep":  {nodeList, `{"kind":` + strings.Repeat("[", 20000), nil, "exceeded max depth"},
		"a member list that is deeper than any depth": {members, strings.Repeat("[", 20000), nil, "exceeded max depth"},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) {
				text := test.text
				if text == "" {
					text = files[test.file]
				}
				files[test.file] = swap(t, text, test.pairs...)
			})
			if !warned(g, mustgather.FileUnreadable, test.file, test.words) {
				t.Errorf("no warning names file and fault: %v", g.Warnings)
			}
			unknown := map[string]bool{
				members: g.Etcd.MemberList == snapshot.Unknown, nodeList: g.Objects.Nodes.Complete == snapshot.Unknown,
				health: len(g.Etcd.Probes) > 0 && g.Etcd.Probes[0].Served == snapshot.Unknown, alarms: len(g.Etcd.Probes) > 0 && g.Etcd.Probes[0].Corrupt == snapshot.Unknown,
				statusFile: len(g.Etcd.Probes) > 0 && g.Etcd.Probes[0].Status == nil,
			}
			if !unknown[test.file] {
				t.Errorf("it is read all the same: %+v", g.Etcd)
			}
		})
	}
}

// What etcdctl and oc say on standard error while an endpoint does not answer may have come into the file.
func TestWhatIsSaidBesidesHealthIsSkipped(t *testing.T) {
	g := gather(t, func(files map[string]string) {
		files[health] = `{"level":"warn","msg":"x"}` + "\n" + files[health] + `{"level":"warn","msg":"y"}` + "\nError: unhealthy cluster\ncommand terminated with exit code 1\n"
	})
	if len(g.Warnings) > 0 || !g.Etcd.Probes[0].Served.Holds() {
		t.Errorf("warnings %v, probes %+v", g.Warnings, g.Etcd.Probes)
	}
}

func TestADamagedArchiveIsSaidToBeDamaged(t *testing.T) {
	s := snapshottest.New()
	files := mustgathertest.Files(&s)
	plain, packed := archive(t, files, false), archive(t, files, true)
	repack := func(text []byte) []byte {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	changed := func(text []byte, at int) []byte {
		text = slices.Clone(text)
		text[at] ^= 0x10
		return text
	}
	padded := func(text []byte, more string) []byte { return append(slices.Clone(text), more...) }
	block := strings.Repeat("\x00", 512)
	for name, test := range map[string]struct {
		archive []byte
		words   string
	}{
		"a checksum that does not fit":        {changed(packed, len(packed)-6), "checksum"},
		"a length that does not fit":          {changed(packed, len(packed)-2), "checksum"},
		"junk behind it":                      {padded(packed, "junk"), "damaged"},
		"zeros behind it":                     {padded(packed, block), "damaged"},
		"a second one behind it":              {padded(packed, string(packed)), "something behind its end"},
		"no checksum":                         {packed[:len(packed)-8], "ends in the middle"},
		"half of a checksum":                  {packed[:len(packed)-5], "ends in the middle"},
		"a change in the middle":              {changed(packed, len(packed)/2), "damaged"},
		"junk behind the archive in it":       {repack(padded(plain, "junk")), "something behind its end"},
		"junk behind a plain one":             {padded(plain, "junk"), "something behind its end"},
		"junk far behind a plain one":         {padded(plain, strings.Repeat(block, 200)+"junk"), "something behind its end"},
		"a plain one without its end":         {plain[:len(plain)-1024], "ends in the middle"},
		"a plain one with half of its end":    {plain[:len(plain)-512], "ends in the middle"},
		"a plain one cut in a file":           {plain[:len(plain)/2/512*512+100], "ends in the middle"},
		"a packed one whose archive has none": {repack(plain[:len(plain)-1024]), "ends in the middle"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.tar.gz")
			if err := os.WriteFile(file, test.archive, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := mustgather.Read(file); err == nil || !strings.Contains(err.Error(), test.words) {
				t.Errorf("error %v, want one with %q", err, test.words)
			}
		})
	}
	t.Run("one that is padded as tar does is whole", func(t *testing.T) {
		for _, text := range [][]byte{padded(plain, strings.Repeat(block, 17)), repack(padded(plain, strings.Repeat(block, 17)))} {
			file := filepath.Join(t.TempDir(), "a.tar")
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := mustgather.Read(file); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("one cut at the end of any file is not whole", func(t *testing.T) {
		var ends []int
		counting := bytes.NewReader(plain)
		for in := tar.NewReader(counting); ; {
			if _, err := in.Next(); err != nil {
				break
			}
			ends = append(ends, len(plain)-counting.Len()-512)
		}
		if len(ends) != len(files) {
			t.Fatalf("%d ends of %d files", len(ends), len(files))
		}
		for _, end := range ends[1:] {
			file := filepath.Join(t.TempDir(), "a.tar")
			if err := os.WriteFile(file, plain[:end], 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := mustgather.Read(file); err == nil || !strings.Contains(err.Error(), "ends in the middle") {
				t.Errorf("cut to %d of %d bytes: error %v", end, len(plain), err)
			}
		}
	})
}

// TestALargeFileOfAnotherShapeIsNamed: what is too large to be parsed whole is not read at all.
func TestALargeFileOfAnotherShapeIsNamed(t *testing.T) {
	var list strings.Builder
	list.WriteString("---\napiVersion: v1\nitems:\n")
	for list.Len() < 17<<20 {
		list.WriteString("- kind: ConfigMap\n  data:\n    x: " + strings.Repeat("y", 1<<20) + "\n  metadata:\n    name: x\n    namespace: openshift-etcd\n")
	}
	for name, test := range map[string]struct {
		end   string
		words string
		is    snapshot.Fact
	}{
		"as clients write it":   {"kind: ConfigMapList\n", "", snapshot.False},
		"with a comment":        {"# x\nkind: ConfigMapList\n", "too large to be read in another way", snapshot.Unknown},
		"which ends too early":  {"", "ends in the middle", snapshot.Unknown},
		"which ends in a line":  {"kind: Conf", "ends in the middle", snapshot.Unknown},
		"with a list of others": {"kind: SecretList\n", "it is a SecretList", snapshot.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) { files[configMapsFile] = list.String() + test.end })
			if g.Objects.Endpoints.Exists != test.is || test.words != "" && !warned(g, mustgather.FileUnreadable, "configmaps.yaml", test.words) || test.words == "" && len(g.Warnings) > 0 {
				t.Errorf("it is %v, warnings %v", g.Objects.Endpoints.Exists, g.Warnings)
			}
		})
	}
}

package mustgather

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// canonical are texts as clients write them, with all the ways in which they write values.
var canonical = []string{
	`---
apiVersion: v1
kind: Node
metadata:
  annotations:
    csi.volume.kubernetes.io/nodeid: '{"ebs.csi.aws.com":"i-0","it''s":"x"}'
    machine.openshift.io/machine: openshift-machine-api/m
    note: "tab\tand \"quotes\" é ☃"
  labels:
    app: x
    node-role.kubernetes.io/control-plane: ""
    node-role.kubernetes.io/master: ""
  managedFields:
  - apiVersion: v1
    fieldsType: FieldsV1
    fieldsV1:
      f:metadata:
        f:annotations:
          .: {}
          k:{"type":"Ready"}:
            .: {}
  name: x
  uid: 4f1c2f2e-0000-4000-8000-000000000000
spec:
  taints:
  - effect: NoSchedule
    key: node-role.kubernetes.io/master
  unschedulable: true
status:
  addresses:
  - address: 192.0.2.1
    type: InternalIP
  conditions:
  - lastHeartbeatTime: "2026-01-01T00:00:00Z"
    message: kubelet is posting ready status and tells more than fits on a
      line of a page
    status: "True"
    type: Ready
  images:
  - names:
    - registry.example/x@sha256:0
    sizeBytes: 1000
`,
	`---
apiVersion: machine.openshift.io/v1beta1
kind: Machine
metadata:
  creationTimestamp: "2026-01-01T00:00:00Z"
  deletionTimestamp: "2026-01-01T00:00:00Z"
  labels:
    machine.openshift.io/cluster-api-machine-role: master
    machine.openshift.io/zone: us-east-2a
  name: x
  namespace: openshift-machine-api
spec:
  lifecycleHooks:
    preDrain:
    - name: EtcdQuorumOperator
      owner: clusteroperator/etcd
  providerSpec:
    value:
      userData: |-
        metadata:
          name: y

        status:
      tags: []
status:
  addresses:
  - address: 192.0.2.1
    type: InternalIP
  nodeRef:
    kind: Node
    name: x
  phase: Running
`,
	`apiVersion: v1
items:
- apiVersion: v1
  data:
    etcd.env: |
      export A=1

      items:
      - no list
    other: |2+

        deeper

    status: complete
  kind: ConfigMap
  metadata:
    name: etcd-endpoints
    namespace: openshift-etcd
- apiVersion: v1
  data:
    8e9e05c52164694d: 192.0.2.1
    config.yaml: '{"apiServerArguments":{"etcd-servers":["https://192.0.2.1:2379"]}}'
    status: "complete: yes"
  kind: ConfigMap
  metadata:
    name: config-1
- kind: ConfigMap
  metadata:
    name: bootstrap
  status:
    phase: Running
kind: ConfigMapList
metadata:
  resourceVersion: ""
`,
	`---
apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata:
    labels:
      app: guard
    name: etcd-guard-x
    namespace: openshift-etcd
  spec:
    containers:
    - args:
      - |
        # text
        if true; then
          echo
        fi
      - - nested
        - "yes"
      command: null
      name: guard
    nodeName: x
  status:
    conditions:
    - status: "True"
      type: Ready
    containerStatuses:
    - name: etcd
      ready: true
      state:
        running: {}
    phase: Running
kind: PodList
`,
	"---\nitems: []\nkind: List\n---\nkind: Etcd\nmetadata:\n  name: cluster\nspec:\n  observedConfig:\n    controlPlane:\n      replicas: 3\nstatus:\n  nodeStatuses:\n  - currentRevision: 1\n    nodeName: x\n",
}

// whole is a text read in full, which is what reading a part of it is to give as well.
func whole(r *resource, file string, text []byte) (*gathering, bool, error) {
	g := newGathering(".")
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return g, false, errTruncated
	}
	list, err := g.decodeAnyYAML(r, file, text)
	return g, list, err
}

// head is shared, since it is large.
var head []byte

// agree reads a text in both ways. What is read without a warning is to be the same.
func agree(text []byte) (fault string) {
	if start := bytes.TrimSpace(text); len(start) > 0 && start[0] == '{' || endsInKey(text) {
		// That is taken for JSON, or for something that was cut off.
		return ""
	}
	for _, r := range resources {
		file := strings.ReplaceAll(r.patterns()[0], "*", "x")
		g := newGathering(".")
		g.head = &head
		list, err := g.decode(r, file, bytes.NewReader(text))
		if err != nil || len(g.warnings) > 0 {
			continue
		}
		want, wantList, err := whole(r, file, text)
		want.warnings = slices.DeleteFunc(want.warnings, func(w Warning) bool { return strings.Contains(w.Message, "last thing") })
		if err != nil || len(want.warnings) > 0 || list != wantList {
			return fmt.Sprintf("%s: list %v, want %v; parsed whole: error %v, warnings %v", path.Base(r.String()), list, wantList, err, want.warnings)
		}
		if diff := cmp.Diff(want.toObjects(), g.toObjects()); diff != "" {
			return fmt.Sprintf("%s (-whole +filtered): %s", path.Base(r.String()), diff)
		}
		if diff := cmp.Diff(want.foreignBudgets, g.foreignBudgets); diff != "" {
			return diff
		}
	}
	return ""
}

func TestWhatClientsWriteIsReadWithoutBeingParsedWhole(t *testing.T) {
	for i, text := range canonical {
		if fault := agree([]byte(text)); fault != "" {
			t.Errorf("text %d: %s", i, fault)
		}
		for _, r := range []*resource{nodes, machines, pods, etcdConfigMaps} {
			_, err := filterYAML(strings.NewReader(text), r.keep, func(string) error { return nil }, func(item) error { return nil })
			if err != nil {
				t.Errorf("text %d for %s: %v", i, r, err)
			}
		}
	}
}

// pieces are what makes YAML of another kind of a line.
var pieces = []string{
	" ", "  ", "\t", "\n", "\r", "#", " #", " # x", ":", ": ", "- ", "-", "'", "\"", "\\", "{", "}", "[", "]", ",", "&a ", "*a", "!!str ", "!!binary ", "<<: ", "? ",
	"|", "|-", ">", "|2", "%", "@", "`", "---", "--- ", "...", "~", "null", "0x1", "1e3", ".inf", "items:", "kind:", "metadata:", "  name: y", "status:", "Status:", "é", "\u2028", "\u0085",
	"\ufeff", "\x00", "\x7f", "\xff",
}

// mutated is a canonical text after some changes: of characters, of lines, of indentation, of the end.
func mutated(t *rapid.T) string {
	text := rapid.SampledFrom(canonical).Draw(t, "text")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	at := func(name string) int { return rapid.IntRange(0, len(lines)-1).Draw(t, name) }
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		i := at("line")
		line := lines[i]
		column := rapid.IntRange(0, len(line)).Draw(t, "column")
		switch rapid.IntRange(0, 8).Draw(t, "change") {
		case 0:
			lines[i] = line[:column] + rapid.SampledFrom(pieces).Draw(t, "piece") + line[column:]
		case 1:
			end := rapid.IntRange(column, len(line)).Draw(t, "end")
			lines[i] = line[:column] + line[end:]
		case 2:
			lines = slices.Insert(lines, i, lines[at("copied")])
		case 3:
			if lines = slices.Delete(lines, i, i+1); len(lines) == 0 {
				return ""
			}
		case 4:
			from := at("other")
			lines[i], lines[from] = lines[from], lines[i]
		case 5:
			lines[i] = strings.Repeat(" ", rapid.IntRange(0, 8).Draw(t, "indentation")) + strings.TrimLeft(line, " ")
		case 6:
			key, value, found := strings.Cut(line, ": ")
			if found {
				before, after := rapid.SampledFrom(pieces).Draw(t, "before"), rapid.SampledFrom(pieces).Draw(t, "after")
				lines[i] = key + ": " + before + value + after
			}
		case 7:
			lines = lines[:i+1]
		default:
			upper := strings.ToUpper(line[:column])
			lines[i] = upper + line[column:]
		}
	}
	return strings.Join(lines, "\n") + rapid.SampledFrom([]string{"\n", "\n", "\n", "", "\n\n", " \n"}).Draw(t, "end of text")
}

// TestAPartIsReadAsTheWholeIs: whatever a text has become, filtering it before it is parsed changes nothing.
func TestAPartIsReadAsTheWholeIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := mutated(t)
		if fault := agree([]byte(text)); fault != "" {
			t.Fatalf("%s\nin:\n%s", fault, text)
		}
	})
}

// FuzzFilter feeds any text to both ways of reading.
func FuzzFilter(f *testing.F) {
	for _, text := range canonical {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if fault := agree(text); fault != "" {
			t.Fatalf("%s\nin:\n%s", fault, text)
		}
	})
}

// FuzzMutatedFilter feeds texts near to what clients write.
func FuzzMutatedFilter(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		text := mutated(t)
		if fault := agree([]byte(text)); fault != "" {
			t.Fatalf("%s\nin:\n%s", fault, text)
		}
	}))
}

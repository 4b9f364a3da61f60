package mustgather

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// behind is the last line of an object that its file may end before without being taken for whole: the first one behind
// what is read of its status.
var behind = regexp.MustCompile(`(?m)^  (nodeInfo|desired|readyReplicas|phase|expectedPods):`)

// workers are objects of which only the addresses are read.
var workers = map[string]string{
	"cluster-scoped-resources/core/nodes/worker-0.yaml": "---\napiVersion: v1\nkind: Node\nmetadata:\n  annotations:\n    machine.openshift.io/machine: openshift-machine-api/worker-0\n  labels:\n    node-role.kubernetes.io/worker: \"\"\n  name: worker-0\nspec: {}\n" +
		"status:\n  addresses:\n  - address: 192.0.2.90\n    type: InternalIP\n  - address: 192.0.2.91\n    type: InternalIP\n  nodeInfo:\n    architecture: amd64\n",
	"namespaces/openshift-machine-api/machine.openshift.io/machines/worker-0.yaml": "---\napiVersion: machine.openshift.io/v1beta1\nkind: Machine\nmetadata:\n  labels:\n    machine.openshift.io/cluster-api-machine-role: worker\n" +
		"  name: worker-0\n  namespace: openshift-machine-api\nspec: {}\nstatus:\n  addresses:\n  - address: 192.0.2.90\n    type: InternalIP\n  phase: Running\n",
}

// TestAnObjectThatIsCutOffIsNeverThereInPart cuts each file at each end of line up to behind what is read of its status,
// and lists anywhere: a warning names the file then, and what it is for is not known, unless nothing that is read was lost.
func TestAnObjectThatIsCutOffIsNeverThereInPart(t *testing.T) {
	s := snapshottest.New(snapshottest.Deleting(snapshottest.A))
	files := fstest.MapFS{}
	for name, text := range mustgathertest.Files(&s) {
		files[strings.TrimPrefix(name, mustgathertest.Image+"/")] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range workers {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	read := func() *Gathered {
		found, err := readFolder(files)
		if err != nil {
			t.Fatal(err)
		}
		return merge(found)
	}
	want, cuts := read(), 0
	for name, file := range files {
		text := string(file.Data)
		end := len(text) - 1
		if status := strings.Index(text, "\nstatus:\n"); status >= 0 {
			end = status + len("\nstatus:\n")
			if found := behind.FindStringIndex(text[end:]); found != nil {
				end += found[0]
			}
		}
		if path.Ext(name) != ".yaml" {
			continue
		}
		for at := 1; at < end; at++ {
			if text[at] != '\n' {
				continue
			}
			for _, cut := range []string{text[:at], text[:at] + "\n"} {
				cuts++
				files[name] = &fstest.MapFile{Data: []byte(cut), Mode: fs.ModePerm}
				got := read()
				warned := slices.ContainsFunc(got.Warnings, func(w Warning) bool {
					return w.Reason == FileUnreadable && strings.Contains(w.Message, name)
				})
				if warned == cmp.Equal(want.Objects, got.Objects) {
					t.Errorf("%s, cut to these %d bytes: warned %v, although something is lost or nothing is:\n%s", name, len(cut), warned, cut)
				}
			}
		}
		files[name] = file
	}
	if cuts < 700 {
		t.Errorf("only %d cuts", cuts)
	}
}

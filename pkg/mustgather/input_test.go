package mustgather_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/mustgather"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// below writes the must-gather of a healthy cluster into a folder of root.
func below(t *testing.T, root, folder string) {
	t.Helper()
	s := snapshottest.New()
	if err := mustgathertest.Write(filepath.Join(root, folder), mustgathertest.Files(&s)); err != nil {
		t.Fatal(err)
	}
}

func refused(t *testing.T, name string, is error, words ...string) {
	t.Helper()
	_, err := mustgather.Read(name)
	if err == nil || is != nil && !errors.Is(err, is) {
		t.Fatalf("%s: %v", name, err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in: %v", word, err)
		}
	}
}

func TestTwoMustGathersAreNotMadeOne(t *testing.T) {
	root := t.TempDir()
	below(t, root, "must-gather.local.1")
	below(t, root, "must-gather.local.2")
	refused(t, root, nil, "must-gather.local.1 and must-gather.local.2", "choose one")
	for _, one := range []string{"must-gather.local.1", "must-gather.local.2"} {
		if _, err := mustgather.Read(filepath.Join(root, one)); err != nil {
			t.Errorf("the chosen one: %v", err)
		}
	}
}

func TestAnArchiveInWhatWasGivenIsNamed(t *testing.T) {
	const inner = "case/must-gather.tar.gz"
	root := t.TempDir()
	if err := mustgathertest.Write(root, map[string]string{inner: "packed"}); err != nil {
		t.Fatal(err)
	}
	refused(t, root, mustgather.ErrNotGathering, "the archive "+inner, "unpack it")

	var plain bytes.Buffer
	archive := tar.NewWriter(&plain)
	if err := archive.WriteHeader(&tar.Header{Name: inner, Mode: 0o600, Typeflag: tar.TypeReg}); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	outer := filepath.Join(t.TempDir(), "outer.tar")
	if err := os.WriteFile(outer, plain.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, outer, mustgather.ErrNotGathering, "the archive "+inner, "unpack it")
}

func TestAFolderInsideOfAGatheringNamesTheOneToGive(t *testing.T) {
	root := t.TempDir()
	below(t, root, "")
	give := filepath.Join(root, mustgathertest.Image)
	for _, folder := range []string{"namespaces", "namespaces/openshift-etcd/core", "cluster-scoped-resources", "etcd_info"} {
		refused(t, filepath.Join(give, folder), mustgather.ErrNotGathering, "give "+give)
	}
}

// TestAWholeObjectWithoutItsUsualEndIsBelieved: the text of an object in a file of its own does not tell whether it ends in
// the middle. Where something else shows that nothing is lost that is read, it is believed, otherwise unknown.
func TestAWholeObjectWithoutItsUsualEndIsBelieved(t *testing.T) {
	etcd := func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Etcd.Exists }
	servers := func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.KubeAPIServer.Exists }
	machines := func(g *mustgather.Gathered) snapshot.Fact { return g.Objects.Machines.Complete }
	const (
		lastNode = "  - currentRevision: 1\n    nodeName: node-c\n"
		seal     = "  readyReplicas: 0\n"
		newborn  = "namespaces/openshift-machine-api/machine.openshift.io/machines/machine-new.yaml"
		start    = "---\napiVersion: machine.openshift.io/v1beta1\nkind: Machine\nmetadata:\n  labels:\n    machine.openshift.io/cluster-api-machine-role: master\n  name: machine-new\n"
		hooks    = "spec:\n  lifecycleHooks:\n    preDrain:\n    - name: EtcdQuorumOperator\n      owner: clusteroperator/etcd\n"
		provider = "  providerSpec:\n    value:\n      kind: AWSMachineProviderConfig\n"
	)
	for name, test := range map[string]struct {
		edits   []edit
		machine string
		of      func(*mustgather.Gathered) snapshot.Fact
		want    snapshot.Fact
	}{
		"etcd whose every node is named":                 {[]edit{{etcdFile, seal, ""}}, "", etcd, snapshot.True},
		"etcd without its last node":                     {[]edit{{etcdFile, lastNode + seal, ""}}, "", etcd, snapshot.Unknown},
		"etcd whose last node may have a target":         {[]edit{{etcdFile, seal, ""}, {etcdFile, "latestAvailableRevision: 1", "latestAvailableRevision: 2"}}, "", etcd, snapshot.Unknown},
		"etcd where the Nodes are not known":             {[]edit{{etcdFile, seal, ""}, {nodeA, "kind: Node", "kind: Nod"}}, "", etcd, snapshot.Unknown},
		"API servers whose every node is named":          {[]edit{{serversFile, seal, ""}}, "", servers, snapshot.True},
		"API servers without the last node":              {[]edit{{serversFile, "  - currentRevision: 3\n    nodeName: node-c\n" + seal, ""}}, "", servers, snapshot.Unknown},
		"a Machine that nobody has looked at yet":        {nil, start + hooks + provider, machines, snapshot.True},
		"a Machine without hooks that nobody looked at":  {nil, start + "spec:\n  lifecycleHooks: {}\n" + provider, machines, snapshot.True},
		"a new Machine of a worker":                      {nil, strings.ReplaceAll(start, "master", "worker") + "spec: {}\n", machines, snapshot.True},
		"a Machine that may end in its hooks":            {nil, start + hooks, machines, snapshot.Unknown},
		"a Machine that a Node names, and has a status":  {[]edit{{nodeA, "openshift-machine-api/machine-a", "openshift-machine-api/machine-new"}}, start + hooks + provider, machines, snapshot.Unknown},
		"a deleting Machine, which may have lost a Node": {nil, strings.Replace(start, "metadata:\n", "metadata:\n  deletionTimestamp: \"2026-01-01T00:00:00Z\"\n", 1) + hooks + provider, machines, snapshot.Unknown},
		"a Machine that ends in its status":              {nil, start + hooks + provider + "status:\n  addresses:\n  - address: 192.0.2.77\n    type: InternalIP\n", machines, snapshot.Unknown},
		"a Machine where the Nodes are not known":        {[]edit{{nodeA, "kind: Node", "kind: Nod"}}, start + hooks + provider, machines, snapshot.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) {
				for _, e := range test.edits {
					replaced(t, files, e.file, e.before, e.after)
				}
				if test.machine != "" {
					files[newborn] = test.machine
				}
			})
			if got := test.of(g); got != test.want {
				t.Errorf("it is %v; warnings: %v", got, g.Warnings)
			}
			if ends := warned(g, mustgather.FileUnreadable, "ends in the middle"); ends != (test.want == snapshot.Unknown) {
				t.Errorf("warnings: %v", g.Warnings)
			}
		})
	}
}

// TestAListOrJSONShowsThatItsMachinesAreWhole: something stands behind them.
func TestAListOrJSONShowsThatItsMachinesAreWhole(t *testing.T) {
	const (
		folder = "namespaces/openshift-machine-api/machine.openshift.io/machines"
		item   = "apiVersion: v1\nitems:\n- apiVersion: machine.openshift.io/v1beta1\n  kind: Machine\n  metadata:\n    labels:\n      machine.openshift.io/cluster-api-machine-role: master\n    name: machine-new\n  spec: {}\n"
	)
	for name, test := range map[string]struct {
		file, text string
		want       snapshot.Fact
	}{
		"a list":                    {".yaml", item + "kind: List\n", snapshot.True},
		"a list that ends in items": {".yaml", "kind: List\n" + item, snapshot.Unknown},
		"JSON":                      {"/machine-new.json", `{"kind":"Machine","metadata":{"labels":{"machine.openshift.io/cluster-api-machine-role":"master"},"name":"machine-new"},"spec":{}}`, snapshot.True},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) { files[folder+test.file] = test.text })
			if got := g.Objects.Machines.Complete; got != test.want {
				t.Errorf("it is %v; warnings: %v", got, g.Warnings)
			}
		})
	}
}

package mustgather

import (
	"archive/tar"
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// FuzzObjects feeds a file of each resource. Nothing may panic, and a list that could not be read to its end is not
// complete.
func FuzzObjects(f *testing.F) {
	for _, text := range []string{
		"---\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n    labels:\n      x: \"y\"\n  status:\n    addresses:\n    - address: 192.0.2.1\n      type: InternalIP\nkind: NodeList\n",
		"kind: Machine\nmetadata:\n  name: m\nspec:\n  lifecycleHooks:\n    preDrain:\n    - name: n\n      owner: o\nstatus:\n  phase: >-\n    Run\n\n    ning\n",
		"-\n-\n  -\nitems:\n-\n  metadata:\n  - x\n", "items:\n  - a\n - b\n", "\"metadata\": {name: x}\n",
		`{"kind":"List","items":[{"kind":"Pod","metadata":{"name":"p"}},null,7]}`, `{"items":null}`, "---\n---\nitems: []\nkind: List\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, r := range resources {
			g := newGathering(".")
			file := strings.ReplaceAll(r.patterns()[0], "*", "x")
			if err := g.take(file, time.Time{}, bytes.NewReader(text)); err != nil {
				t.Fatalf("an error of a reader that has none: %v", err)
			}
			if len(g.warnings) > 0 && g.complete(r) != snapshot.Unknown {
				t.Fatalf("%s: complete with warnings %v", file, g.warnings)
			}
			// What was read must be fit for what comes after.
			observe.Snapshot(observe.Pass{Objects: g.toObjects()}, observe.ElapsedMemory())
		}
	})
}

// FuzzEtcdInfo feeds the files of etcd_info. Nothing may panic, and a member list is known with members or not at all.
func FuzzEtcdInfo(f *testing.F) {
	f.Add([]byte(`{"header":{"cluster_id":1,"member_id":18446744073709551615},"members":[{"ID":18446744073709551615,"name":"a","peerURLs":["https://192.0.2.1:2380"],"clientURLs":["https://192.0.2.1:2379"],"isLearner":true}]}`),
		[]byte(`[{"endpoint":"https://192.0.2.1:2379","health":false,"error":"etcdserver: rpc not supported for learner"}]`),
		[]byte(`[{"Endpoint":"x","Status":{"header":{"cluster_id":1,"member_id":18446744073709551615},"version":"3.6.0","dbSize":-1,"leader":2}}]`),
		[]byte(`{"header":{"cluster_id":1},"alarms":[{"memberID":18446744073709551615,"alarm":2}]}`))
	f.Add([]byte(`{"level":"warn","msg":"x"}{"header":{},"members":null}`), []byte(`null`), []byte(`[null]`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, list, health, status, alarms []byte) {
		g := newGathering(".")
		for file, text := range map[string][]byte{memberListFile: list, endpointHealthFile: health, endpointStatusFile: status, alarmListFile: alarms} {
			if err := g.take(file, time.Time{}, bytes.NewReader(text)); err != nil {
				t.Fatal(err)
			}
		}
		etcd := g.etcd()
		if etcd.MemberList.Holds() != (len(etcd.Members) > 0) || len(etcd.Probes) != len(etcd.Members) {
			t.Fatalf("list %v with %d members and %d probes", etcd.MemberList, len(etcd.Members), len(etcd.Probes))
		}
		if !etcd.MemberList.Holds() && len(g.warnings) == 0 {
			t.Fatal("a member list that is not known has no warning")
		}
		s, _ := observe.Snapshot(observe.Pass{Etcd: etcd}, observe.ElapsedMemory())
		snapshot.NewView(&s)
	})
}

// FuzzArchive feeds archives. Nothing may panic, and no name that climbs out may come through.
func FuzzArchive(f *testing.F) {
	var seed bytes.Buffer
	w := tar.NewWriter(&seed)
	text := []byte("kind: Node\nmetadata:\n  name: a\n")
	_ = w.WriteHeader(&tar.Header{Name: "x/cluster-scoped-resources/core/nodes/a.yaml", Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg})
	_, _ = w.Write(text)
	_ = w.Close()
	f.Add(seed.Bytes())
	f.Add([]byte{0x1f, 0x8b, 8, 0})
	f.Fuzz(func(t *testing.T, archive []byte) {
		found, err := readArchive(bytes.NewReader(archive))
		if err != nil {
			return
		}
		for base := range found.byBase {
			if strings.HasPrefix(base, "..") || strings.HasPrefix(base, "/") {
				t.Fatalf("a base that climbs out: %q", base)
			}
		}
		merge(found)
	})
}

// FuzzTimestamp feeds the file timestamp.
func FuzzTimestamp(f *testing.F) {
	f.Add("2026-05-05 12:34:56.789012345 +0000 UTC m=+0.123\n")
	f.Fuzz(func(_ *testing.T, text string) {
		all := newGatherings()
		all.stamps["."] = text
		all.time()
	})
}

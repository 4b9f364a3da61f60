package mustgather_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openshift/cluster-etcd-operator/pkg/mustgather"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// worlds are states of which a must-gather tells everything but durations.
func worlds() map[string]snapshot.Snapshot {
	const a, b, d = snapshottest.A, snapshottest.B, snapshottest.D
	return map[string]snapshot.Snapshot{
		"a healthy cluster":                      snapshottest.New(),
		"a machine being replaced":               snapshottest.New(snapshottest.Learner(d), snapshottest.Deleting(a)),
		"a dead host whose node is gone":         snapshottest.New(snapshottest.Unhealthy(a, 0), snapshottest.NodeGone(a), snapshottest.Deleting(a)),
		"an orphan":                              snapshottest.New(snapshottest.Voter(d), snapshottest.Orphaned(d, 0)),
		"a cluster without a Machine API":        snapshottest.New(snapshottest.Waiting(d), snapshottest.NoMachineAPI(), snapshottest.Facts(func(s *snapshot.Snapshot) { s.MachineList = snapshot.False })),
		"a stripped hook and a cordoned node":    snapshottest.New(snapshottest.Released(a), snapshottest.Cordoned(b)),
		"a node that waits and a new machine":    snapshottest.New(snapshottest.Waiting(d), snapshottest.NewMachine(snapshottest.E)),
		"no desired number":                      snapshottest.New(snapshottest.Desired(0)),
		"a two-node cluster before the handover": snapshottest.New(snapshottest.Facts(func(s *snapshot.Snapshot) { s.Topology, s.ExternalEtcd = snapshot.DualReplica, snapshot.False })),
		"a two-node cluster after the handover":  snapshottest.New(snapshottest.Facts(func(s *snapshot.Snapshot) { s.Topology, s.ExternalEtcd = snapshot.DualReplica, snapshot.True })),
		"hooks of others and one with a wrong owner": snapshottest.New(snapshottest.Machine(a, func(m *snapshot.Machine) {
			m.Hook, m.ExcludedFromDrain, m.Zone = snapshot.HookWrongOwner, true, "zone-1"
			m.OtherHooks = []snapshot.OtherHook{{Point: "preDrain", Name: "One", Owner: "somebody"}, {Point: "preTerminate", Name: "Two", Owner: "else"}}
		})),
		"alarms": snapshottest.New(
			snapshottest.Member(a, func(m *snapshot.Member) { m.Corrupt = snapshot.True }),
			snapshottest.Member(b, func(m *snapshot.Member) { m.NoSpace = snapshot.True })),
		"a member that answers that it cannot serve": snapshottest.New(snapshottest.Unhealthy(a, 0),
			snapshottest.Member(a, func(m *snapshot.Member) { m.CannotServe = snapshot.True })),
		"an upgrade, a rollout and a deleted guard": snapshottest.New(
			snapshottest.Facts(func(s *snapshot.Snapshot) {
				s.VersionCurrent, s.LatestRevision, s.UnsafeNonHA = snapshot.False, 7, true
				s.Budget = snapshot.Budget{Present: snapshot.True, MinAvailable: 4}
			}),
			snapshottest.Status(a, func(n *snapshot.NodeStatus) { n.Target = 7 }),
			snapshottest.Guard(b, func(g *snapshot.Guard) { g.Deleting, g.Ready, g.Phase = true, false, "Failed" }),
			snapshottest.Node(b, func(n *snapshot.Node) { n.Deleting, n.Etcd.ContainerRunning = true, snapshot.False })),
		"ids beyond what a float holds": snapshottest.New(snapshottest.Facts(func(s *snapshot.Snapshot) {
			s.ClusterID = 0xfedcba9876543211
			s.Members[0].ID, s.Leader = 0xffffffffffffffff, 0xffffffffffffffff
			s.Members[1].ID = 1<<53 + 1
		})),
		"unknown facts": snapshottest.New(snapshottest.Facts(func(s *snapshot.Snapshot) {
			s.APIServers, s.APIServerNodes = snapshot.False, nil
			s.BootstrapComplete, s.Topology, s.VersionCurrent = snapshot.Unknown, snapshot.TopologyUnknown, snapshot.Unknown
			s.EndpointsKnown, s.Endpoints = snapshot.Unknown, nil
			s.Budget = snapshot.Budget{}
		})),
	}
}

// TestWhatIsWrittenIsRead: writer and reader were made apart from each other's code, so what both agree on is the layout.
func TestWhatIsWrittenIsRead(t *testing.T) {
	for name, want := range worlds() {
		files := mustgathertest.Files(&want)
		t.Run(name+", as a folder", func(t *testing.T) {
			root := t.TempDir()
			if err := mustgathertest.Write(root, files); err != nil {
				t.Fatal(err)
			}
			expectSnapshot(t, want, root)
		})
		t.Run(name+", as an archive", func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "must-gather.tar.gz")
			if err := os.WriteFile(file, archive(t, files, true), 0o644); err != nil {
				t.Fatal(err)
			}
			expectSnapshot(t, want, file)
		})
	}
}

func expectSnapshot(t *testing.T, want snapshot.Snapshot, path string) {
	t.Helper()
	gathered, err := mustgather.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := observe.Snapshot(observe.Pass{
		At: gathered.At, Objects: gathered.Objects, Etcd: gathered.Etcd, OperatorVersion: gathered.OperatorVersion,
	}, observe.ElapsedMemory())
	if diff := cmp.Diff(comparable(want), comparable(got), cmpopts.EquateEmpty(), cmpopts.EquateComparable(netip.Addr{})); diff != "" {
		t.Errorf("the facts differ (-want +got):\n%s", diff)
	}
}

// comparable sorts, and takes out what no must-gather can tell: durations, and of a member that did not answer, its status
// and whether it would have said that it cannot serve.
func comparable(s snapshot.Snapshot) snapshot.Snapshot {
	s.Members = slices.Clone(s.Members)
	for i := range s.Members {
		m := &s.Members[i]
		m.UnhealthyFor, m.UnclaimedFor, m.StalledFor = 0, 0, 0
		if m.Health == snapshot.Unhealthy && m.CannotServe.Fails() {
			m.CannotServe, m.Version, m.DatabaseBytes = snapshot.Unknown, "", 0
		}
	}
	s.ObservedAt = s.ObservedAt.Truncate(time.Second)
	s.Nodes = sortedBy(s.Nodes, func(n snapshot.Node) string { return string(n.Name) })
	s.Machines = sortedBy(s.Machines, func(m snapshot.Machine) string { return string(m.Name) })
	s.Guards = sortedBy(s.Guards, func(g snapshot.Guard) string { return string(g.Node) })
	return s
}

func sortedBy[T any](list []T, key func(T) string) []T {
	return slices.SortedFunc(slices.Values(list), func(a, b T) int { return bytes.Compare([]byte(key(a)), []byte(key(b))) })
}

func archive(t *testing.T, files map[string]string, zipped bool) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		header := tar.Header{Name: "must-gather.local.1/" + name, Mode: 0o644, Size: int64(len(files[name])), Typeflag: tar.TypeReg}
		if err := w.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if !zipped {
		return out.Bytes()
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(out.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

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

package plane

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAProgramThatIsNotThereIsNamedWithTheWayToGetIt(t *testing.T) {
	root := t.TempDir()
	work := filepath.Join(root, "work")
	p := New(Options{Work: work, Programs: filepath.Join(root, "bin", "lab")})
	if err := p.linkPrograms(); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(work, "bin")
	if _, err := find("cluster-etcd-operator", bin); err == nil || !strings.Contains(err.Error(), "run `make build`") {
		t.Errorf("of an operator that is not built it says: %v", err)
	}
	if _, err := find("nonsense", bin); err == nil || strings.Contains(err.Error(), "make build") {
		t.Errorf("of a program that nobody builds it says: %v", err)
	}
	built := filepath.Join(root, "bin", "cluster-etcd-operator")
	if err := os.MkdirAll(filepath.Dir(built), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(built, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if found, err := find("cluster-etcd-operator", bin); err != nil || found != filepath.Join(bin, "cluster-etcd-operator") {
		t.Errorf("an operator that was built meanwhile is %q, %v", found, err)
	}
}

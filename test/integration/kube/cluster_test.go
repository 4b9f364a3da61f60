package kube

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAMissingProgramIsNamedWithTheCommandThatBuildsIt(t *testing.T) {
	repository := t.TempDir()
	programs := filepath.Join(repository, "bin", "lab")
	for _, part := range []string{"etcd", "kubernetes", "crds"} {
		if got, err := programsOf(repository); err == nil || !strings.Contains(err.Error(), "bin/lab/"+part+" is missing") || !strings.Contains(err.Error(), "make -C lab build") {
			t.Errorf("without %s: %q, %v", part, got, err)
		}
		if err := os.MkdirAll(filepath.Join(programs, part), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := programsOf(repository); got != programs || err != nil {
		t.Errorf("with all of them: %q, %v", got, err)
	}
}

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/test/explain"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run ./test/explain/write CASE FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func write(name, folder string) error {
	text, err := os.ReadFile(filepath.Join("test", "testdata", "explain", name, "world.txt"))
	if err != nil {
		return err
	}
	world, err := explain.Parse(string(text))
	if err != nil {
		return err
	}
	return mustgathertest.Write(folder, world.Files)
}

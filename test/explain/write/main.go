package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/test/explain"
)

var errUsage = errors.New("usage: go run ./test/explain/write CASE FOLDER [WORKERS MIB]")

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) != 2 && len(arguments) != 4 {
		return errUsage
	}
	name, folder := arguments[0], arguments[1]
	text, err := os.ReadFile(filepath.Join("test", "testdata", "explain", name, "world.txt"))
	if err != nil {
		return err
	}
	world, err := explain.Parse(string(text))
	if err != nil {
		return err
	}
	if err := mustgathertest.Write(folder, world.Files); err != nil || len(arguments) == 2 {
		return err
	}
	workers, err := strconv.Atoi(arguments[2])
	if err != nil {
		return errUsage
	}
	mib, err := strconv.Atoi(arguments[3])
	if err != nil {
		return errUsage
	}
	return mustgathertest.WriteLarge(folder, workers, int64(mib)<<20)
}

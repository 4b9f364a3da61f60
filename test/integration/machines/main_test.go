package machines

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/openshift/cluster-etcd-operator/test/integration/kube"
)

// cluster is shared by all tests, which run one after the other and leave nothing behind.
var cluster *kube.Cluster

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	started, err := kube.Start(context.Background())
	if started != nil {
		defer started.Stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	cluster = started
	return m.Run()
}

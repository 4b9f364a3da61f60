package etcd

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
)

// etcdBinary is where `make tools` puts etcd.
var etcdBinary = filepath.Join("..", "..", "..", "bin", "tools", "etcd")

func TestMain(m *testing.M) {
	path, err := filepath.Abs(etcdBinary)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "there is no etcd to test against: run `make tools` first: %v\n", err)
		os.Exit(1)
	}
	etcdBinary = path
	os.Exit(m.Run())
}

func TestEtcdKeepsTheContract(t *testing.T) {
	etcdclienttest.RunContract(t, etcdclienttest.Implementation{
		New: func(t *testing.T, spec etcdclienttest.Spec) etcdclienttest.Subject { return start(t, spec) },
		Run: func(t *testing.T, body func(t *testing.T)) {
			// Most of a case is waiting until etcd takes its members for connected.
			t.Parallel()
			body(t)
		},
	})
}

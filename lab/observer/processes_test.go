package observer

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

func TestEachEtcdIsFoundWithItsMemberAndItsStart(t *testing.T) {
	proc := t.TempDir()
	const rest = " S 1 1 1 0 -1 4194560 1 0 0 0 5 6 0 0 20 0 9 0 "
	for pid, texts := range map[string][2]string{
		"17":   {"etcd\x00--name=b\x00--data-dir=/x\x00", "17 (etcd)" + rest + "4711 1 2"},
		"9":    {"etcd\x00--name=a\x00", "9 (a ) b)" + rest + "12 1 2"},
		"11":   {"/bin/etcd-wait\x00--name=c\x00", "11 (etcd)" + rest + "1 1 2"},
		"12":   {"etcd\x00--name=d\x00", "12 (etcd) S 1"},
		"13":   {"", "13 (kworker)" + rest + "1 1 2"},
		"self": {"etcd\x00--name=e\x00", "14 (etcd)" + rest + "1 1 2"},
	} {
		folder := filepath.Join(proc, pid)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"cmdline": texts[0], "stat": texts[1]} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []facts.Process{{Member: "a", PID: 9, Began: 12}, {Member: "b", PID: 17, Began: 4711}}
	if diff := cmp.Diff(want, processes(proc)); diff != "" {
		t.Errorf("processes (-want +got):\n%s", diff)
	}
}

package hosts

import (
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/certs"
)

func TestAHostHasAnAddressOfEachFamilyThatNobodyHadBefore(t *testing.T) {
	settings := Settings{Folder: t.TempDir(), Networks: []netip.Prefix{netip.MustParsePrefix("fd00:199::1/64"), netip.MustParsePrefix("10.199.0.1/24")}}
	var err error
	if settings.KubeAuthority, err = certs.NewAuthority("kube", time.Now()); err != nil {
		t.Fatal(err)
	}
	if settings.EtcdAuthority, err = certs.NewAuthority("etcd", time.Now()); err != nil {
		t.Fatal(err)
	}
	m := NewManager(settings)
	seen := map[netip.Addr]bool{}
	for _, name := range []string{"a", "b", "a"} {
		h, err := m.Create(Spec{Name: name, Role: Arbiter})
		if err != nil {
			t.Fatal(err)
		}
		if len(h.Addresses) != 2 || !h.Addresses[0].Is6() || !h.Addresses[1].Is4() || h.Address != h.Addresses[0] {
			t.Errorf("%s has %v, its member %s", name, h.Addresses, h.Address)
		}
		for _, address := range h.Addresses {
			if seen[address] {
				t.Errorf("%s has %s, which another host had", name, address)
			}
			seen[address] = true
		}
		if name == "a" {
			if err := m.Delete(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	h, err := m.Host("b")
	if err != nil {
		t.Fatal(err)
	}
	names, err := os.ReadFile(h.Root() + "/etc/hosts")
	if err != nil || !strings.Contains(string(names), "fd00:199::") {
		t.Errorf("the host's names are %q, %v", names, err)
	}
}

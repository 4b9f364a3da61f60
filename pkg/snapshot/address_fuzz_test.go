package snapshot

import (
	"net/netip"
	"testing"
)

// hostile are texts that went through some parser of addresses somewhere: they seed every target here.
var hostile = []string{
	"", " ", "\x00", "\x1b[2J", "\xff\xfe", "192.0.2.10", "::ffff:192.0.2.10", "::", "0.0.0.0", "ff02::1", "fe80::1%eth0", "1.2.3.4.5", "010.0.0.1",
	"0x7f.1", "[::1]", "::1:2380", "2001:db8::10", "https://", "https://[", "https://[::1]:0", "https://[::1%25]:1", "https://a@[::1]:1", "https://192.0.2.10:2380",
	"HTTP://[2001:DB8::10]:2380", "https://192.0.2.10:2380/", "https://192.0.2.10:2380#", "https://%31:1", "//192.0.2.10:2380", "unix:a", "172.30.0.0/16", "fd02::/112",
	"::ffff:172.30.0.0/112", "0.0.0.0/0", "::/0", "/16", "1.2.3.4/-1", "fe80::%1/64",
}

// checkHostAddress holds what every address must be that text was turned into: that of one host, in the one form in
// which addresses are compared.
func checkHostAddress(t *testing.T, addr netip.Addr) {
	t.Helper()
	if !addr.IsValid() || addr.Is4In6() || addr.Zone() != "" || addr.IsUnspecified() || addr.IsMulticast() {
		t.Errorf("%s is not the canonical address of one host", addr)
	}
	again, err := ParseAddress("Node a", "status.addresses[0]", addr.String())
	if err != nil || again != addr {
		t.Errorf("%s is read again as %s, %v", addr, again, err)
	}
	again, err = ParsePeerURL("member a", PeerURL(addr))
	if err != nil || again != addr {
		t.Errorf("%s is read again as %s, %v", PeerURL(addr), again, err)
	}
}

func FuzzParsePeerURL(f *testing.F) {
	for _, seed := range hostile {
		f.Add("member a", seed)
	}
	f.Add("member \x1b]0;a\x07", "junk")
	f.Fuzz(func(t *testing.T, object, raw string) {
		addr, err := ParsePeerURL(object, raw)
		if err != nil {
			if addr.IsValid() {
				t.Errorf("%s beside %v", addr, err)
			}
			checkText(t, err)
			if object != "" {
				checkInputError(t, err, raw == "")
			}
			return
		}
		checkHostAddress(t, addr)
		all, err := PeerAddresses("a", []string{raw, PeerURL(addr)})
		if err != nil || len(all) != 2 || all[0] != addr || all[1] != addr {
			t.Errorf("%s twice became %s, %v", raw, all, err)
		}
	})
}

func FuzzParseAddress(f *testing.F) {
	for _, seed := range hostile {
		f.Add("Node a", "status.addresses[0]", seed)
	}
	f.Fuzz(func(t *testing.T, object, field, raw string) {
		addr, err := ParseAddress(object, field, raw)
		if err == nil {
			checkHostAddress(t, addr)
			return
		}
		if addr.IsValid() {
			t.Errorf("%s beside %v", addr, err)
		}
		checkText(t, err)
		if object != "" && field != "" {
			checkInputError(t, err, raw == "")
		}
	})
}

func FuzzPeerAddressOfFamily(f *testing.F) {
	for _, seed := range hostile {
		f.Add("192.0.2.10", "fd00::10", seed, "172.30.0.0/16")
		f.Add(seed, seed, "fd02::/112", seed)
	}
	f.Fuzz(func(t *testing.T, first, second, network, otherNetwork string) {
		var addresses []netip.Addr
		for _, raw := range []string{first, second} {
			if addr, err := ParseAddress("Node a", "status.addresses[0]", raw); err == nil {
				addresses = append(addresses, addr)
			}
		}
		addr, err := PeerAddressOfFamily(addresses, []string{network, otherNetwork})
		alone, aloneErr := PeerAddressOfFamily(addresses, []string{network})
		if addr != alone || (err == nil) != (aloneErr == nil) {
			t.Errorf("with a second network: %s, %v; without: %s, %v", addr, err, alone, aloneErr)
		}
		if err != nil {
			if addr.IsValid() {
				t.Errorf("%s beside %v", addr, err)
			}
			checkInputError(t, err, network == "")
			return
		}
		wantIPv4 := netip.MustParsePrefix(network).Addr().Is4()
		var want netip.Addr
		for _, a := range addresses {
			if a.Is4() == wantIPv4 {
				want = a
				break
			}
		}
		if addr != want {
			t.Errorf("got %s, want %s of %s for %s", addr, want, addresses, network)
		}
	})
}

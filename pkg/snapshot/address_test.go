package snapshot

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParsePeerURLReadsWhatEtcdListsAsTheAddressOfOneHost(t *testing.T) {
	for name, test := range map[string]struct{ raw, want string }{
		"https and IPv4":                       {"https://192.0.2.10:2380", "192.0.2.10"},
		"http, as a member of a test has":      {"http://192.0.2.10:2380", "192.0.2.10"},
		"another port":                         {"https://192.0.2.10:12380", "192.0.2.10"},
		"the scheme in capitals":               {"HTTPS://192.0.2.10:2380", "192.0.2.10"},
		"IPv6 in brackets":                     {"https://[2001:db8::10]:2380", "2001:db8::10"},
		"IPv6 written long and in capitals":    {"https://[2001:0DB8:0:0:0:0:0:10]:2380", "2001:db8::10"},
		"IPv4 written as IPv6 is IPv4":         {"https://[::ffff:192.0.2.10]:2380", "192.0.2.10"},
		"IPv4 written as hexadecimal IPv6 too": {"https://[::ffff:c000:20a]:2380", "192.0.2.10"},
		"a private address":                    {"https://[fd00::10]:2380", "fd00::10"},
		"the host itself, in a lone cluster":   {"https://127.0.0.1:2380", "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParsePeerURL("member a", test.raw)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestParsePeerURLRefusesWhatIsNotTheAddressOfOneHost(t *testing.T) {
	for name, test := range map[string]struct{ raw, problem string }{
		"nothing":                         {"", "is empty"},
		"a blank":                         {" ", "is neither an https nor an http URL"},
		"a bare address":                  {"192.0.2.10", "is neither an https nor an http URL"},
		"an address and a port":           {"192.0.2.10:2380", notPeerURL},
		"no host":                         {"https://:2380", "names no host"},
		"no port":                         {"https://192.0.2.10", "has no port"},
		"an empty port":                   {"https://192.0.2.10:", "has no port"},
		"port 0":                          {"https://192.0.2.10:0", "has port 0"},
		"a port that does not exist":      {"https://192.0.2.10:65536", notPeerURL},
		"a port that is a word":           {"https://192.0.2.10:etcd", notPeerURL},
		"a host name":                     {"https://etcd-0.example.com:2380", notPeerURL},
		"localhost":                       {"https://localhost:2380", notPeerURL},
		"IPv6 without brackets":           {"https://2001:db8::10:2380", notPeerURL},
		"IPv4 in brackets":                {"https://[192.0.2.10]:2380", notPeerURL},
		"IPv4 with a leading zero":        {"https://192.0.2.010:2380", notPeerURL},
		"IPv4 as one number":              {"https://3221225994:2380", notPeerURL},
		"a zone":                          {"https://[fe80::1%25eth0]:2380", "has a zone, which means something on one host only"},
		"a zone on IPv4 written as IPv6":  {"https://[::ffff:192.0.2.10%25eth0]:2380", "has a zone, which means something on one host only"},
		"every IPv4 address":              {"https://0.0.0.0:2380", "names the unspecified address, which no host has"},
		"every IPv6 address":              {"https://[::]:2380", "names the unspecified address, which no host has"},
		"every IPv4 address, as IPv6":     {"https://[::ffff:0.0.0.0]:2380", "names the unspecified address, which no host has"},
		"an IPv4 multicast group":         {"https://224.0.0.1:2380", "names a multicast group, not a host"},
		"an IPv6 multicast group":         {"https://[ff02::1]:2380", "names a multicast group, not a host"},
		"an IPv4 multicast group as IPv6": {"https://[::ffff:224.0.0.1]:2380", "names a multicast group, not a host"},
		"a socket":                        {"unix:///run/etcd.sock", "is neither an https nor an http URL"},
		"a path":                          {"https://192.0.2.10:2380/", "holds more than a scheme, an address and a port"},
		"a query":                         {"https://192.0.2.10:2380?a=b", "holds more than a scheme, an address and a port"},
		"a fragment":                      {"https://192.0.2.10:2380#", "holds more than a scheme, an address and a port"},
		"a user":                          {"https://root@192.0.2.10:2380", "holds more than a scheme, an address and a port"},
		"a blank behind it":               {"https://192.0.2.10:2380 ", notPeerURL},
		"two URLs in one":                 {"https://192.0.2.10:2380,https://192.0.2.11:2380", notPeerURL},
		"a terminal escape":               {"https://\x1b[2J192.0.2.10:2380", notPeerURL},
		"a megabyte of junk":              {"https://[" + strings.Repeat(":", 1<<20), notPeerURL},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParsePeerURL("member a", test.raw)
			if err == nil || got.IsValid() {
				t.Fatalf("got %s and %v, want an error alone", got, err)
			}
			input := checkInputError(t, err, test.raw == "")
			if input.Object != "member a" || input.Field != "peerURLs" || input.Problem != test.problem {
				t.Errorf("got %#v, want problem %q of peerURLs of member a", input, test.problem)
			}
		})
	}
}

func TestAPasswordInAPeerURLIsNotShown(t *testing.T) {
	for _, raw := range []string{"https://root:hunter2@192.0.2.10:2380", "https://root:hunter2@[::1", "hunter2@"} {
		_, err := ParsePeerURL("member a", raw)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: got %v", raw, err)
		}
	}
}

func TestParseAddress(t *testing.T) {
	for name, test := range map[string]struct{ raw, want, problem string }{
		"IPv4":                          {raw: "192.0.2.10", want: "192.0.2.10"},
		"IPv6":                          {raw: "2001:db8::10", want: "2001:db8::10"},
		"IPv6 written long":             {raw: "2001:0DB8:0000:0000:0000:0000:0000:0010", want: "2001:db8::10"},
		"IPv4 written as IPv6 is IPv4":  {raw: "::ffff:192.0.2.10", want: "192.0.2.10"},
		"a link-local address":          {raw: "fe80::1", want: "fe80::1"},
		"nothing":                       {raw: "", problem: "is empty"},
		"a blank behind it":             {raw: "192.0.2.10 ", problem: "is not an IP address"},
		"brackets":                      {raw: "[2001:db8::10]", problem: "is not an IP address"},
		"a port":                        {raw: "192.0.2.10:2380", problem: "is not an IP address"},
		"a network":                     {raw: "192.0.2.10/24", problem: "is not an IP address"},
		"a host name":                   {raw: "master-0", problem: "is not an IP address"},
		"a leading zero":                {raw: "192.0.2.010", problem: "is not an IP address"},
		"three numbers":                 {raw: "192.0.2", problem: "is not an IP address"},
		"a zone":                        {raw: "fe80::1%eth0", problem: "has a zone, which means something on one host only"},
		"a zone on IPv4 as IPv6":        {raw: "::ffff:192.0.2.10%eth0", problem: "has a zone, which means something on one host only"},
		"every IPv4 address":            {raw: "0.0.0.0", problem: "names the unspecified address, which no host has"},
		"every IPv6 address":            {raw: "::", problem: "names the unspecified address, which no host has"},
		"a multicast group":             {raw: "ff02::1", problem: "names a multicast group, not a host"},
		"a multicast group as IPv6":     {raw: "::ffff:224.0.0.1", problem: "names a multicast group, not a host"},
		"a megabyte of junk":            {raw: strings.Repeat("\x1b", 1<<20), problem: "is not an IP address"},
		"IPv6 with too many colons":     {raw: "2001::db8::10", problem: "is not an IP address"},
		"digits that only look like it": {raw: "１９２.0.2.10", problem: "is not an IP address"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseAddress("Node a", "status.addresses[1]", test.raw)
			if test.problem == "" {
				if err != nil || got.String() != test.want {
					t.Errorf("got %s and %v, want %s", got, err, test.want)
				}
				return
			}
			if err == nil || got.IsValid() {
				t.Fatalf("got %s and %v, want an error alone", got, err)
			}
			input := checkInputError(t, err, test.raw == "")
			if input.Object != "Node a" || input.Field != "status.addresses[1]" || input.Problem != test.problem {
				t.Errorf("got %#v, want problem %q of status.addresses[1] of Node a", input, test.problem)
			}
		})
	}
}

func TestPeerAddresses(t *testing.T) {
	for name, test := range map[string]struct {
		urls []string
		want []string
		err  bool
	}{
		"one URL":                                 {urls: []string{"https://192.0.2.10:2380"}, want: []string{"192.0.2.10"}},
		"both families, in their order":           {urls: []string{"https://[fd00::10]:2380", "https://192.0.2.10:2380"}, want: []string{"fd00::10", "192.0.2.10"}},
		"the first cannot be read":                {urls: []string{"https://a:2380", "https://192.0.2.10:2380"}, err: true},
		"the last cannot be read":                 {urls: []string{"https://192.0.2.10:2380", "https://a:2380"}, err: true},
		"a member without any peer URL":           {urls: []string{}, err: true},
		"a member whose peer URLs were left out":  {err: true},
		"a member whose only peer URL is nothing": {urls: []string{""}, err: true},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := PeerAddresses("a", test.urls)
			if (err != nil) != test.err {
				t.Fatalf("got error %v, want one: %t", err, test.err)
			}
			if test.err {
				checkInputError(t, err, true)
				if !strings.Contains(err.Error(), "peerURLs of member a:") {
					t.Errorf("the error does not name the member: %v", err)
				}
			}
			var texts []string
			for _, a := range got {
				texts = append(texts, a.String())
			}
			if diff := cmp.Diff(test.want, texts); diff != "" {
				t.Errorf("unexpected addresses (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPeerURL(t *testing.T) {
	for name, test := range map[string]struct {
		addr netip.Addr
		want string
	}{
		"IPv4 has no brackets":         {netip.MustParseAddr("192.0.2.10"), "https://192.0.2.10:2380"},
		"IPv6 has brackets":            {netip.MustParseAddr("fd00::10"), "https://[fd00::10]:2380"},
		"IPv4 written as IPv6 is IPv4": {netip.MustParseAddr("::ffff:192.0.2.10"), "https://192.0.2.10:2380"},
		"a zone is left out":           {netip.MustParseAddr("fe80::1%eth0"), "https://[fe80::1]:2380"},
		"no address gives no URL":      {netip.Addr{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := PeerURL(test.addr); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestPeerAddressOfFamily(t *testing.T) {
	both := []netip.Addr{netip.MustParseAddr("192.0.2.10"), netip.MustParseAddr("fd00::10"), netip.MustParseAddr("192.0.2.11"), netip.MustParseAddr("fd00::11")}
	mapped := []netip.Addr{netip.MustParseAddr("::ffff:192.0.2.10")}
	onlyV4, onlyV6 := both[:1], both[1:2]
	for name, test := range map[string]struct {
		addresses []netip.Addr
		networks  []string
		// want is empty when the Node has no address to use.
		want string
		// field and problem of the error; none when field is empty.
		field, problem string
	}{
		"IPv4 alone":                            {addresses: onlyV4, networks: []string{"172.30.0.0/16"}, want: "192.0.2.10"},
		"IPv6 alone":                            {addresses: onlyV6, networks: []string{"fd02::/112"}, want: "fd00::10"},
		"dual stack with IPv4 first":            {addresses: both, networks: []string{"172.30.0.0/16", "fd02::/112"}, want: "192.0.2.10"},
		"dual stack with IPv6 first (V5)":       {addresses: both, networks: []string{"fd02::/112", "172.30.0.0/16"}, want: "fd00::10"},
		"another family stands first":           {addresses: []netip.Addr{both[3], both[0]}, networks: []string{"172.30.0.0/16"}, want: "192.0.2.10"},
		"a network with host bits set":          {addresses: both, networks: []string{"fd02::1/112"}, want: "fd00::10"},
		"an address of IPv4 as IPv6 is IPv4":    {addresses: mapped, networks: []string{"172.30.0.0/16"}, want: "192.0.2.10"},
		"and is no IPv6 address":                {addresses: mapped, networks: []string{"fd02::/112"}},
		"no address of the family":              {addresses: onlyV4, networks: []string{"fd02::/112"}},
		"no address":                            {networks: []string{"172.30.0.0/16"}},
		"an address that was not filled in":     {addresses: []netip.Addr{{}, both[1]}, networks: []string{"fd02::/112"}, want: "fd00::10"},
		"only the first network is asked":       {addresses: both, networks: []string{"172.30.0.0/16", "junk"}, want: "192.0.2.10"},
		"no network":                            {addresses: both, field: "status.serviceNetwork", problem: "is empty"},
		"an empty network":                      {addresses: both, networks: []string{"", "172.30.0.0/16"}, field: "status.serviceNetwork[0]", problem: "is empty"},
		"an address instead of a network":       {addresses: both, networks: []string{"172.30.0.0"}, field: "status.serviceNetwork[0]", problem: "is not a network in CIDR notation"},
		"a network with an impossible length":   {addresses: both, networks: []string{"172.30.0.0/33"}, field: "status.serviceNetwork[0]", problem: "is not a network in CIDR notation"},
		"junk with a terminal escape":           {addresses: both, networks: []string{"\x1b[31m/16"}, field: "status.serviceNetwork[0]", problem: "is not a network in CIDR notation"},
		"an IPv4 network written as IPv6":       {addresses: both, networks: []string{"::ffff:172.30.0.0/112"}, field: "status.serviceNetwork[0]", problem: "is an IPv4 network written as IPv6, so its family is in doubt"},
		"a malformed network of a Node without": {networks: []string{"junk"}, field: "status.serviceNetwork[0]", problem: "is not a network in CIDR notation"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := PeerAddressOfFamily(test.addresses, test.networks)
			if test.field != "" {
				if err == nil || got.IsValid() {
					t.Fatalf("got %s and %v, want an error alone", got, err)
				}
				input := checkInputError(t, err, true)
				if input.Object != "Network cluster" || input.Field != test.field || input.Problem != test.problem {
					t.Errorf("got %#v, want problem %q of %s of Network cluster", input, test.problem, test.field)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := netip.Addr{}
			if test.want != "" {
				want = netip.MustParseAddr(test.want)
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

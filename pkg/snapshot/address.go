package snapshot

import (
	"net/netip"
	"net/url"
	"strings"
)

// PeerPort is etcd's peer port on every control-plane node.
const PeerPort = 2380

// PeerURL returns the peer URL of the etcd member at addr: https, PeerPort, brackets for IPv6 only (rule R11). For an
// invalid address it is empty. A zone is left out: it would mean another interface on each host.
func PeerURL(addr netip.Addr) string {
	if !addr.IsValid() {
		return ""
	}
	return "https://" + netip.AddrPortFrom(addr.WithZone("").Unmap(), PeerPort).String()
}

// ParsePeerURL returns the address in a peer URL of etcd's member list, in canonical form: IPv4-mapped IPv6 is IPv4
// (rule R3). It takes what etcd itself takes as a peer URL (http or https, a port, nothing behind it), and of those the
// ones that name their host by the IP address of one host. Anything else is an *InputError about object, a phrase such
// as "member master-0".
func ParsePeerURL(object, raw string) (netip.Addr, error) {
	addr, problem := addressOfPeerURL(raw)
	if problem == "" {
		return addr, nil
	}
	value := raw
	if i := strings.LastIndexByte(raw, '@'); i >= 0 {
		// What stands before it may be a password.
		value = "..." + raw[i:]
	}
	return netip.Addr{}, &InputError{Object: object, Field: "peerURLs", Value: value, Problem: problem,
		Remedy: "replace the member; a peer URL that can be read is like https://192.0.2.10:2380 or https://[2001:db8::10]:2380"}
}

const notPeerURL = "is not a URL of an IP address (IPv6 in brackets, IPv4 without) and a port"

func addressOfPeerURL(raw string) (netip.Addr, string) {
	if raw == "" {
		return netip.Addr{}, "is empty"
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return netip.Addr{}, notPeerURL
	case u.Scheme != "https" && u.Scheme != "http":
		return netip.Addr{}, "is neither an https nor an http URL"
	case u.Hostname() == "":
		return netip.Addr{}, "names no host"
	case u.Port() == "":
		return netip.Addr{}, "has no port"
	}
	host, err := netip.ParseAddrPort(u.Host)
	switch {
	case err != nil:
		return netip.Addr{}, notPeerURL
	case host.Port() == 0:
		return netip.Addr{}, "has port 0"
	}
	addr, problem := canonical(host.Addr())
	if problem == "" && !strings.EqualFold(raw, u.Scheme+"://"+u.Host) {
		return netip.Addr{}, "holds more than a scheme, an address and a port"
	}
	return addr, problem
}

// canonical returns the form in which addresses are compared, or what keeps addr from being the address of one host.
func canonical(addr netip.Addr) (netip.Addr, string) {
	if addr.Zone() != "" {
		return netip.Addr{}, "has a zone, which means something on one host only"
	}
	addr = addr.Unmap()
	switch {
	case addr.IsUnspecified():
		return netip.Addr{}, "names the unspecified address, which no host has"
	case addr.IsMulticast():
		return netip.Addr{}, "names a multicast group, not a host"
	}
	return addr, ""
}

// ParseAddress returns the address that an InternalIP of a Node or a Machine holds, in canonical form: IPv4-mapped IPv6
// is IPv4 (rule R3). Anything but the bare IP address of one host is an *InputError about field of object, phrases such
// as "Node master-0" and "status.addresses[1]".
func ParseAddress(object, field, raw string) (netip.Addr, error) {
	addr, problem := addressOf(raw)
	if problem != "" {
		return netip.Addr{}, &InputError{Object: object, Field: field, Value: raw, Problem: problem,
			Remedy: "have whatever reports it write one bare IP address, such as 192.0.2.10 or 2001:db8::10"}
	}
	return addr, nil
}

func addressOf(raw string) (netip.Addr, string) {
	if raw == "" {
		return netip.Addr{}, "is empty"
	}
	addr, err := netip.ParseAddr(raw)
	if err != nil {
		return netip.Addr{}, "is not an IP address"
	}
	return canonical(addr)
}

// PeerAddresses returns the addresses of a member's peer URLs, in their order and in canonical form, as
// Member.PeerAddresses wants them: none, and an *InputError that names the member by label, when any of them cannot be
// read or there is none. Half of a member's addresses could make it look like somebody else's (invariant I4).
func PeerAddresses(label string, urls []string) ([]netip.Addr, error) {
	object := "member " + label
	if len(urls) == 0 {
		return nil, &InputError{Object: object, Field: "peerURLs", Problem: "is empty", Remedy: "replace the member"}
	}
	addresses := make([]netip.Addr, 0, len(urls))
	for _, raw := range urls {
		addr, err := ParsePeerURL(object, raw)
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, addr)
	}
	return addresses, nil
}

// PeerAddressOfFamily returns the one of a Node's addresses that an etcd member on it uses: the first of the family of
// serviceNetworks[0], where serviceNetworks is status.serviceNetwork of Network cluster in CIDR notation (rule R11). It
// is invalid, without an error, when the Node has no address of that family. A family that cannot be told is an
// *InputError: an address of the wrong family would be in a peer URL for good (rule R5.5).
func PeerAddressOfFamily(addresses []netip.Addr, serviceNetworks []string) (netip.Addr, error) {
	want, err := isIPv4Network(serviceNetworks)
	if err != nil {
		return netip.Addr{}, err
	}
	for _, addr := range addresses {
		if addr = addr.Unmap(); addr.IsValid() && addr.Is4() == want {
			return addr, nil
		}
	}
	return netip.Addr{}, nil
}

func isIPv4Network(serviceNetworks []string) (bool, error) {
	unreadable := func(field, value, problem string) error {
		return &InputError{Object: "Network cluster", Field: field, Value: value, Problem: problem,
			Remedy: "list the service networks in CIDR notation, such as 172.30.0.0/16 or fd02::/112; the first decides the family of etcd's peer addresses"}
	}
	if len(serviceNetworks) == 0 {
		return false, unreadable("status.serviceNetwork", "", "is empty")
	}
	const first = "status.serviceNetwork[0]"
	raw := serviceNetworks[0]
	network, err := netip.ParsePrefix(raw)
	switch {
	case raw == "":
		return false, unreadable(first, raw, "is empty")
	case err != nil:
		return false, unreadable(first, raw, "is not a network in CIDR notation")
	case network.Addr().Is4In6():
		return false, unreadable(first, raw, "is an IPv4 network written as IPv6, so its family is in doubt")
	}
	return network.Addr().Is4(), nil
}

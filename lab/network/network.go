package network

import (
	"errors"
	"fmt"
	"net"
	"net/netip"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// GuestInterface is the name of a host's only interface, besides loopback.
const GuestInterface = "eth0"

const bridgeName = "lab0"

// SetUpBridge creates the bridge in the network namespace of the caller, gives
// it the addresses, and brings it and loopback up.
func SetUpBridge(addresses []netip.Prefix) error {
	if err := bringUp("lo"); err != nil {
		return err
	}
	bridge := &netlink.Bridge{LinkAttrs: netlink.NewLinkAttrs()}
	bridge.Name = bridgeName
	if err := netlink.LinkAdd(bridge); err != nil {
		return fmt.Errorf("create bridge: %w", err)
	}
	for _, address := range addresses {
		if err := netlink.AddrAdd(bridge, addressOf(address)); err != nil {
			return fmt.Errorf("give address %s to the bridge: %w", address, err)
		}
	}
	return bringUp(bridgeName)
}

// Cable is the lab's end of a host's connection.
type Cable struct {
	name string
}

// Connect puts a new interface into the network namespace of process pid and
// attaches its other end to the bridge. name is that end's name, at most 15
// characters and unused.
//
// The interface's hardware address follows from the host's address, so that a
// host that is powered on again is reached at once and not after its
// neighbours' caches have expired.
func Connect(name string, pid int, address netip.Addr) (*Cable, error) {
	bridge, err := netlink.LinkByName(bridgeName)
	if err != nil {
		return nil, fmt.Errorf("find bridge: %w", err)
	}
	octets := address.AsSlice()
	octets = octets[len(octets)-4:]
	attrs := netlink.NewLinkAttrs()
	attrs.Name = name
	attrs.MasterIndex = bridge.Attrs().Index
	veth := &netlink.Veth{
		LinkAttrs:        attrs,
		PeerName:         GuestInterface,
		PeerHardwareAddr: net.HardwareAddr{2, 0, octets[0], octets[1], octets[2], octets[3]},
		PeerNamespace:    netlink.NsPid(pid),
	}
	if err := netlink.LinkAdd(veth); err != nil {
		return nil, fmt.Errorf("create interface %s: %w", name, err)
	}
	cable := &Cable{name: name}
	return cable, cable.Plug()
}

// Plug lets traffic pass.
func (c *Cable) Plug() error { return bringUp(c.name) }

// Unplug cuts all traffic; the host keeps its interface and address. A connection that
// went with its host is cut already.
func (c *Cable) Unplug() error {
	link, err := netlink.LinkByName(c.name)
	if errors.As(err, &netlink.LinkNotFoundError{}) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find interface %s: %w", c.name, err)
	}
	if err := netlink.LinkSetDown(link); err != nil {
		return fmt.Errorf("take interface %s down: %w", c.name, err)
	}
	return nil
}

// Remove deletes the connection; one that went with its host is no error.
func (c *Cable) Remove() error {
	link, err := netlink.LinkByName(c.name)
	if errors.As(err, &netlink.LinkNotFoundError{}) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find interface %s: %w", c.name, err)
	}
	if err := netlink.LinkDel(link); err != nil && !errors.Is(err, unix.ENODEV) {
		return fmt.Errorf("delete interface %s: %w", c.name, err)
	}
	return nil
}

// SetUpGuest runs in a host: it gives the addresses to the interface that Connect
// made and makes the gateways, one for each, the way to everything else.
func SetUpGuest(addresses []netip.Prefix, gateways []netip.Addr) error {
	if err := bringUp("lo"); err != nil {
		return err
	}
	link, err := netlink.LinkByName(GuestInterface)
	if err != nil {
		return fmt.Errorf("find interface %s: %w", GuestInterface, err)
	}
	for _, address := range addresses {
		if err := netlink.AddrAdd(link, addressOf(address)); err != nil {
			return fmt.Errorf("give address %s to %s: %w", address, GuestInterface, err)
		}
	}
	if err := netlink.LinkSetUp(link); err != nil {
		return fmt.Errorf("bring %s up: %w", GuestInterface, err)
	}
	// The kubelet looks for a default route to find its own address.
	for _, gateway := range gateways {
		route := &netlink.Route{LinkIndex: link.Attrs().Index, Gw: gateway.AsSlice()}
		if err := netlink.RouteAdd(route); err != nil {
			return fmt.Errorf("add default route through %s: %w", gateway, err)
		}
	}
	return nil
}

// rulePriority comes after the rule for a host's own addresses, so that what it says
// to itself passes.
const rulePriority = 100

// CutPort runs in a host that has those addresses: it drops all that leaves for others
// from or to that TCP port, so that no connection of it gets an answer. All else
// passes.
func CutPort(addresses []netip.Prefix, port uint16) error {
	return eachRule(addresses, port, func(rule *netlink.Rule) error {
		if err := netlink.RuleAdd(rule); err != nil && !errors.Is(err, unix.EEXIST) {
			return fmt.Errorf("cut port %d: %w", port, err)
		}
		return nil
	})
}

// JoinPort undoes CutPort.
func JoinPort(addresses []netip.Prefix, port uint16) error {
	return eachRule(addresses, port, func(rule *netlink.Rule) error {
		if err := netlink.RuleDel(rule); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("join port %d: %w", port, err)
		}
		return nil
	})
}

// eachRule does something about the rules, two for each family of the addresses.
// Rules about routes need no part of the kernel that could be missing, as a packet
// filter might.
func eachRule(addresses []netip.Prefix, port uint16, do func(*netlink.Rule) error) error {
	for _, address := range addresses {
		for _, own := range []bool{true, false} {
			rule := netlink.NewRule()
			rule.Priority, rule.Type, rule.IPProto, rule.Family = rulePriority, unix.RTN_BLACKHOLE, unix.IPPROTO_TCP, unix.AF_INET
			if address.Addr().Is6() {
				rule.Family = unix.AF_INET6
			}
			ports := netlink.NewRulePortRange(port, port)
			if own {
				rule.Sport = ports
			} else {
				rule.Dport = ports
			}
			if err := do(rule); err != nil {
				return err
			}
		}
	}
	return nil
}

func bringUp(name string) error {
	link, err := netlink.LinkByName(name)
	if err != nil {
		return fmt.Errorf("find interface %s: %w", name, err)
	}
	if err := netlink.LinkSetUp(link); err != nil {
		return fmt.Errorf("bring %s up: %w", name, err)
	}
	return nil
}

func addressOf(prefix netip.Prefix) *netlink.Addr {
	address := &netlink.Addr{IPNet: &net.IPNet{
		IP:   prefix.Addr().AsSlice(),
		Mask: net.CIDRMask(prefix.Bits(), prefix.Addr().BitLen()),
	}}
	if prefix.Addr().Is6() {
		// Nobody else can have it, and it must be good at once.
		address.Flags = unix.IFA_F_NODAD
	}
	return address
}

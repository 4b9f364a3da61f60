package etcd

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// gates stand before the peer ports of all members of a cluster and pass on what comes, unless the member on either
// side is cut off.
type gates struct {
	mu        sync.Mutex
	closed    bool
	listeners []net.Listener
	passages  map[*passage]bool
	cutOff    map[*host]bool
	hosts     []*host
}

// passage is one connection from a member to another.
type passage struct {
	to         *host
	from, back net.Conn
}

func (p *passage) close() {
	p.from.Close()
	if p.back != nil {
		p.back.Close()
	}
}

func newGates(t testing.TB) *gates {
	g := &gates{passages: map[*passage]bool{}, cutOff: map[*host]bool{}}
	t.Cleanup(g.close)
	return g
}

func (g *gates) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for _, l := range g.listeners {
		l.Close()
	}
	for p := range g.passages {
		p.close()
	}
}

// open lets connections pass to a host.
func (g *gates) open(t testing.TB, h *host) {
	t.Helper()
	listener, err := net.Listen("tcp", netip.AddrPortFrom(h.address, peerPort).String())
	if err != nil {
		t.Fatal(err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.listeners = append(g.listeners, listener)
	g.hosts = append(g.hosts, h)
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			go g.pass(&passage{to: h, from: from})
		}
	}()
}

func (g *gates) pass(p *passage) {
	defer p.close()
	back, err := net.Dial("tcp", netip.AddrPortFrom(p.to.address, behindPort).String())
	if err != nil {
		return
	}
	p.back = back
	if !g.admit(p) {
		return
	}
	defer g.forget(p)
	go func() {
		defer p.close()
		_, _ = io.Copy(p.from, p.back)
	}()
	_, _ = io.Copy(p.back, p.from)
}

// admit registers a connection before it carries anything, so that no cut misses it.
func (g *gates) admit(p *passage) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed || g.forbidden(p) {
		return false
	}
	g.passages[p] = true
	return true
}

func (g *gates) forget(p *passage) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.passages, p)
}

// cut separates a host from all others, or ends that.
func (g *gates) cut(h *host, off bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !off {
		delete(g.cutOff, h)
		return
	}
	g.cutOff[h] = true
	for p := range g.passages {
		if g.forbidden(p) {
			p.close()
		}
	}
}

// forbidden is called with the lock held.
func (g *gates) forbidden(p *passage) bool {
	if len(g.cutOff) == 0 {
		return false
	}
	// Members do not say who they are before TLS does; the kernel knows whose socket it is. One whose owner is gone
	// carries nothing.
	from := g.owner(p.from.RemoteAddr(), p.from.LocalAddr())
	return from == nil || g.cutOff[from] || g.cutOff[p.to]
}

// owner returns the host whose process has the socket between two addresses.
func (g *gates) owner(local, remote net.Addr) *host {
	inode := ""
	_ = eachSocket(func(s socket) {
		if s.local.String() == local.String() && s.remote.String() == remote.String() {
			inode = s.inode
		}
	})
	for _, h := range g.hosts {
		if inode != "" && h.process != nil && socketsOf(strconv.Itoa(h.process.PID()))[inode] {
			return h
		}
	}
	return nil
}

// connectionsTo counts the established connections that this process has to an address.
func connectionsTo(t testing.TB, to netip.AddrPort) int {
	t.Helper()
	own := socketsOf("self")
	count := 0
	err := eachSocket(func(s socket) {
		if s.established && s.remote == to && own[s.inode] {
			count++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

type socket struct {
	local, remote netip.AddrPort
	established   bool
	inode         string
}

// eachSocket reads the kernel's list of IPv4 sockets.
func eachSocket(see func(socket)) error {
	list, err := os.Open("/proc/net/tcp")
	if err != nil {
		return err
	}
	defer list.Close()
	lines := bufio.NewScanner(list)
	lines.Scan() // The first line has the names of the columns.
	for lines.Scan() {
		columns := strings.Fields(lines.Text())
		if len(columns) < 10 {
			return fmt.Errorf("read sockets: %q", lines.Text())
		}
		local, err := parseSocketAddress(columns[1])
		if err != nil {
			return err
		}
		remote, err := parseSocketAddress(columns[2])
		if err != nil {
			return err
		}
		see(socket{local: local, remote: remote, established: columns[3] == "01", inode: columns[9]})
	}
	return lines.Err()
}

// parseSocketAddress reads "0100007F:0947": the address as a number of this machine's byte order, then the port.
func parseSocketAddress(s string) (netip.AddrPort, error) {
	address, port, _ := strings.Cut(s, ":")
	bytes, err := hex.DecodeString(address)
	if err != nil || len(bytes) != 4 {
		return netip.AddrPort{}, fmt.Errorf("read socket address %q: %v", s, err)
	}
	number, err := strconv.ParseUint(port, 16, 16)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("read socket address %q: %w", s, err)
	}
	var inOrder [4]byte
	binary.NativeEndian.PutUint32(inOrder[:], binary.BigEndian.Uint32(bytes))
	return netip.AddrPortFrom(netip.AddrFrom4(inOrder), uint16(number)), nil
}

// socketsOf returns the inodes of a process's sockets. A process that is gone has none.
func socketsOf(pid string) map[string]bool {
	folder := "/proc/" + pid + "/fd"
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	inodes := map[string]bool{}
	for _, entry := range entries {
		target, err := os.Readlink(folder + "/" + entry.Name())
		if inode, ok := strings.CutPrefix(target, "socket:["); err == nil && ok {
			inodes[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return inodes
}

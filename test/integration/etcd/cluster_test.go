package etcd

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/test/integration/process"
)

const (
	clientPort = 2379
	// peerPort is what members advertise and where the gate listens; the member itself listens behind it.
	peerPort   = 2380
	behindPort = 2381

	patience = 90 * time.Second
	pollsAt  = 100 * time.Millisecond

	// smallQuota leaves room for an empty database and a few large values.
	smallQuota = 1 << 20
	largeValue = 64 << 10
)

// cluster is a cluster of real processes.
type cluster struct {
	folder string
	spec   etcdclienttest.Spec
	files  etcdclient.TLSFiles
	// network is the first three bytes of the members' loopback addresses.
	network [3]byte
	gates   *gates

	mu        sync.Mutex
	authority *etcdclienttest.Authority
	hosts     []*host
	ids       map[snapshot.MemberID]*host
}

// host is a loopback address with the files of one member.
type host struct {
	name, folder string
	address      netip.Addr
	// joins: it was not there when the cluster began.
	joins, smallQuota bool
	process           *member
}

func (h *host) url(port int) string {
	return "https://" + net.JoinHostPort(h.address.String(), strconv.Itoa(port))
}

// start starts a cluster and waits until all its members serve.
func start(t testing.TB, spec etcdclienttest.Spec) *cluster {
	t.Helper()
	c := &cluster{
		folder: t.TempDir(), spec: spec, gates: newGates(t), network: freeNetwork(t),
		authority: etcdclienttest.NewAuthority(t), ids: map[snapshot.MemberID]*host{},
	}
	t.Cleanup(func() { c.stop(t) })
	c.files = etcdclienttest.WriteFiles(t, c.folder, c.authority.Issue(t, "operator"), c.authority)
	for range spec.Voters {
		c.addHost(t)
	}
	for _, h := range c.hosts {
		c.run(t, h)
	}
	c.eventually(t, "all members serve", func(client *etcdclient.Client) error {
		list, err := client.MemberList(t.Context(), c.Endpoints())
		if err != nil {
			return err
		}
		if len(list.Members) != spec.Voters {
			return fmt.Errorf("%d members", len(list.Members))
		}
		c.learnIDs(list)
		probes, err := client.Probe(t.Context(), list)
		if err != nil {
			return err
		}
		for _, p := range probes {
			if p.Err != nil {
				return p.Err
			}
		}
		return nil
	})
	return c
}

// freeNetwork returns a part of the loopback network that nobody listens on. All of 127.0.0.0/8 is this host, so that
// each member has an address of its own and ports need not be searched for.
func freeNetwork(t testing.TB) [3]byte {
	t.Helper()
	for range 100 {
		network := [3]byte{127}
		if _, err := rand.Read(network[1:]); err != nil {
			t.Fatal(err)
		}
		probe, err := net.Listen("tcp", netip.AddrPortFrom(addressIn(network, 1), clientPort).String())
		if err != nil || network[1] == 0 {
			continue
		}
		if err := probe.Close(); err != nil {
			t.Fatal(err)
		}
		return network
	}
	t.Fatal("no free loopback network")
	panic("unreachable")
}

func addressIn(network [3]byte, number int) netip.Addr {
	return netip.AddrFrom4([4]byte{network[0], network[1], network[2], byte(number)})
}

func (c *cluster) addHost(t testing.TB) *host {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	number := len(c.hosts) + 1
	h := &host{name: fmt.Sprintf("master-%d", number-1), address: addressIn(c.network, number)}
	h.folder = filepath.Join(c.folder, h.name)
	if err := os.MkdirAll(h.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	c.certify(t, h)
	c.gates.open(t, h)
	c.hosts = append(c.hosts, h)
	return h
}

// certify writes the files that a member starts with. etcd wants the address that a peer's connection comes from in
// the peer's certificate, and here it comes from the gate.
func (c *cluster) certify(t testing.TB, h *host) {
	t.Helper()
	etcdclienttest.WriteFiles(t, h.folder, c.authority.Issue(t, h.name, h.address.AsSlice(), net.IPv4(127, 0, 0, 1)), c.authority)
}

// run starts the process of a host.
func (c *cluster) run(t testing.TB, h *host) {
	t.Helper()
	var peers []string
	for _, other := range c.hosts {
		if other == h || c.isMember(other) || !h.joins {
			peers = append(peers, other.name+"="+other.url(peerPort))
		}
	}
	state := "new"
	if h.joins {
		state = "existing"
	}
	certificate, key, authorities := filepath.Join(h.folder, "tls.crt"), filepath.Join(h.folder, "tls.key"), filepath.Join(h.folder, "ca-bundle.crt")
	arguments := []string{
		"--name=" + h.name, "--data-dir=" + filepath.Join(h.folder, "data"),
		"--listen-client-urls=" + h.url(clientPort), "--advertise-client-urls=" + h.url(clientPort),
		"--listen-peer-urls=" + h.url(behindPort), "--initial-advertise-peer-urls=" + h.url(peerPort),
		"--initial-cluster=" + strings.Join(peers, ","), "--initial-cluster-state=" + state,
		"--client-cert-auth", "--cert-file=" + certificate, "--key-file=" + key, "--trusted-ca-file=" + authorities,
		"--peer-client-cert-auth", "--peer-cert-file=" + certificate, "--peer-key-file=" + key, "--peer-trusted-ca-file=" + authorities,
		"--max-learners=" + strconv.Itoa(c.maxLearners()), "--unsafe-no-fsync", "--enable-grpc-gateway=false", "--log-level=warn",
	}
	if h.smallQuota {
		arguments = append(arguments, "--quota-backend-bytes="+strconv.Itoa(smallQuota))
	}
	started, err := process.Start(h.name, filepath.Join(h.folder, "log"), etcdBinary, arguments...)
	if err != nil {
		t.Fatalf("start %s: %v", h.name, err)
	}
	h.process = &member{Process: started}
}

func (c *cluster) maxLearners() int {
	if c.spec.MaxLearners == 0 {
		return 8 // rule R5.6
	}
	return c.spec.MaxLearners
}

// isMember reports whether a host has ever been seen in a member list.
func (c *cluster) isMember(h *host) bool {
	for _, member := range c.ids {
		if member == h {
			return true
		}
	}
	return false
}

func (c *cluster) learnIDs(list etcdclient.MemberList) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range list.Members {
		for _, h := range c.hosts {
			if slices.Contains(m.PeerURLs, h.url(peerPort)) {
				c.ids[m.ID] = h
			}
		}
	}
}

// host returns the host of a member, which may be gone by now.
func (c *cluster) host(t testing.TB, id snapshot.MemberID) *host {
	t.Helper()
	known := func() *host {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.ids[id]
	}
	if h := known(); h != nil {
		return h
	}
	c.eventually(t, "the member is listed", func(client *etcdclient.Client) error {
		list, err := client.MemberList(t.Context(), c.Endpoints())
		if err != nil {
			return err
		}
		c.learnIDs(list)
		if known() == nil {
			return fmt.Errorf("there is no member %s in %+v", id, list)
		}
		return nil
	})
	return known()
}

// eventually waits until attempt has no error. It leaves no connection behind: the contract counts them.
func (c *cluster) eventually(t testing.TB, what string, attempt func(client *etcdclient.Client) error) {
	t.Helper()
	client := etcdclient.New(etcdclient.Config{TLS: c.TLS()})
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ticker := time.NewTicker(pollsAt)
	defer ticker.Stop()
	for {
		err := attempt(client)
		if err == nil {
			return
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			t.Fatalf("%s: not after %s: %v", what, patience, err)
		}
	}
}

func (c *cluster) stop(t testing.TB) {
	for _, h := range c.hosts {
		if h.process == nil {
			continue
		}
		h.process.Kill()
		if t.Failed() {
			t.Logf("%s said last:\n%s", h.name, h.process.Tail())
		}
	}
}

func (c *cluster) TLS() etcdclient.TLSFiles { return c.files }

func (c *cluster) Dial(clientURLs []string, credentials func() (*tls.Config, error)) (etcdclient.Conn, error) {
	return etcdclient.DialEtcd(clientURLs, credentials)
}

func (c *cluster) Endpoints() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var urls []string
	for _, h := range c.hosts {
		if h.process != nil {
			urls = append(urls, h.url(clientPort))
		}
	}
	return urls
}

func (c *cluster) Place(t testing.TB) string {
	h := c.addHost(t)
	h.joins = true
	return h.url(peerPort)
}

func (c *cluster) Start(t testing.TB, id snapshot.MemberID) { c.run(t, c.host(t, id)) }

func (c *cluster) Kill(t testing.TB, id snapshot.MemberID) { c.host(t, id).process.Kill() }

func (c *cluster) Restart(t testing.TB, id snapshot.MemberID) { c.run(t, c.host(t, id)) }

func (c *cluster) Pause(t testing.TB, id snapshot.MemberID) { c.host(t, id).process.pause(t) }

func (c *cluster) Resume(t testing.TB, id snapshot.MemberID) { c.host(t, id).process.resume(t) }

func (c *cluster) CutOff(t testing.TB, id snapshot.MemberID) { c.gates.cut(c.host(t, id), true) }

func (c *cluster) Reconnect(t testing.TB, id snapshot.MemberID) { c.gates.cut(c.host(t, id), false) }

func (c *cluster) Connections(t testing.TB, id snapshot.MemberID) int {
	h := c.host(t, id)
	return connectionsTo(t, netip.AddrPortFrom(h.address, clientPort))
}

func (c *cluster) RotateCertificates(t testing.TB) {
	c.authority = etcdclienttest.NewAuthority(t)
	etcdclienttest.WriteFiles(t, c.folder, c.authority.Issue(t, "operator"), c.authority)
	for _, h := range c.hosts {
		h.process.Kill()
		c.certify(t, h)
	}
	for _, h := range c.hosts {
		c.run(t, h)
	}
}

// at runs calls that the operator never makes, on a connection of their own.
func (c *cluster) at(t testing.TB, h *host, calls func(conn *grpc.ClientConn) error) error {
	t.Helper()
	config, err := c.files.Load()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient(netip.AddrPortFrom(h.address, clientPort).String(), grpc.WithTransportCredentials(credentials.NewTLS(config)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return calls(conn)
}

// anyHost returns a host whose process runs.
func (c *cluster) anyHost(t testing.TB) *host {
	t.Helper()
	for _, h := range c.hosts {
		if h.process != nil && h.process.runs() {
			return h
		}
	}
	t.Fatal("no member runs")
	panic("unreachable")
}

func (c *cluster) Write(t testing.TB, entries int) {
	t.Helper()
	err := c.at(t, c.anyHost(t), func(conn *grpc.ClientConn) error {
		kv := pb.NewKVClient(conn)
		for range entries {
			if _, err := kv.Put(t.Context(), &pb.PutRequest{Key: []byte("contract"), Value: []byte("entry")}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("write %d entries: %v", entries, err)
	}
}

// Exhaust restarts the member with a quota of its own: with the same for all, each of them may be the first to reach it.
func (c *cluster) Exhaust(t testing.TB, id snapshot.MemberID) {
	t.Helper()
	h := c.host(t, id)
	h.process.Kill()
	h.smallQuota = true
	c.run(t, h)
	c.eventually(t, "the restarted member serves", func(client *etcdclient.Client) error {
		_, err := client.MemberList(t.Context(), []string{h.url(clientPort)})
		return err
	})
	err := c.at(t, h, func(conn *grpc.ClientConn) error {
		kv := pb.NewKVClient(conn)
		// etcd compares the quota with the size of the file, which grows only at the backend's next commit, every 100 ms:
		// how many bytes pass until then depends on how fast they are written.
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		for {
			_, err := kv.Put(ctx, &pb.PutRequest{Key: []byte("large"), Value: make([]byte, largeValue)})
			if errors.Is(rpctypes.Error(err), rpctypes.ErrNoSpace) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
	if err != nil {
		t.Fatalf("fill the database: %v", err)
	}
}

func (c *cluster) MarkCorrupt(t testing.TB, id snapshot.MemberID) {
	t.Helper()
	err := c.at(t, c.anyHost(t), func(conn *grpc.ClientConn) error {
		_, err := pb.NewMaintenanceClient(conn).Alarm(t.Context(), &pb.AlarmRequest{
			Action: pb.AlarmRequest_ACTIVATE, MemberID: uint64(id), Alarm: pb.AlarmType_CORRUPT,
		})
		return err
	})
	if err != nil {
		t.Fatalf("raise an alarm: %v", err)
	}
}

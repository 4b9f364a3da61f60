package etcdclient_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
)

// member is a gRPC server that answers changes with an error.
type member struct {
	pb.UnimplementedClusterServer
	answer error
	asked  atomic.Int32
}

func (m *member) MemberRemove(context.Context, *pb.MemberRemoveRequest) (*pb.MemberRemoveResponse, error) {
	m.asked.Add(1)
	return nil, m.answer
}

func (m *member) MemberList(context.Context, *pb.MemberListRequest) (*pb.MemberListResponse, error) {
	return &pb.MemberListResponse{Header: &pb.ResponseHeader{ClusterId: 7, MemberId: 1}, Members: []*pb.Member{{ID: 1}}}, nil
}

var loopback = net.IPv4(127, 0, 0, 1)

// serve starts a server whose certificate comes from one authority and which wants its clients' from the same.
func serve(t *testing.T, m *member, authority *etcdclienttest.Authority) (url string) {
	t.Helper()
	pair := authority.Issue(t, "member", loopback)
	certificate, err := tls.X509KeyPair(pair.Certificate, pair.Key)
	if err != nil {
		t.Fatal(err)
	}
	clients := x509.NewCertPool()
	clients.AppendCertsFromPEM(authority.PEM())
	server := grpc.NewServer(grpc.Creds(credentials.NewTLS(&tls.Config{
		Certificates: []tls.Certificate{certificate}, ClientCAs: clients, ClientAuth: tls.RequireAndVerifyClientCert,
	})))
	pb.RegisterClusterServer(server, m)
	listener, err := net.Listen("tcp", net.JoinHostPort(loopback.String(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return "https://" + listener.Addr().String()
}

func dial(t *testing.T, url string, files etcdclient.TLSFiles) etcdclient.Conn {
	t.Helper()
	conn, err := etcdclient.DialEtcd([]string{url}, files.Load)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// etcd's client repeats a change when the member says "cancelled", as one does that is shutting down.
func TestAChangeIsSentOnce(t *testing.T) {
	for _, code := range []codes.Code{codes.Canceled, codes.DeadlineExceeded, codes.Unavailable, codes.Unknown, codes.FailedPrecondition} {
		t.Run(code.String(), func(t *testing.T) {
			authority := etcdclienttest.NewAuthority(t)
			m := &member{answer: status.Error(code, "whatever it says")}
			conn := dial(t, serve(t, m, authority), etcdclienttest.WriteFiles(t, t.TempDir(), authority.Issue(t, "operator"), authority))
			if err := conn.Remove(t.Context(), 1); err == nil {
				t.Error("the change succeeded")
			}
			if got := m.asked.Load(); got != 1 {
				t.Errorf("the change was sent %d times", got)
			}
		})
	}
}

func TestAnEndpointThatNobodyListensAtFailsTheCallWithoutADeadline(t *testing.T) {
	listener, err := net.Listen("tcp", net.JoinHostPort(loopback.String(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	authority := etcdclienttest.NewAuthority(t)
	conn := dial(t, "https://"+listener.Addr().String(), etcdclienttest.WriteFiles(t, t.TempDir(), authority.Issue(t, "operator"), authority))
	if _, err := conn.List(t.Context()); status.Code(err) != codes.Unavailable {
		t.Errorf("got error %v, want one of code %s", err, codes.Unavailable)
	}
}

// Else the message of a condition would be another one in each pass.
func TestAConnectionThatIsResetEndsInTheSameWordsEachTime(t *testing.T) {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: loopback})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.AcceptTCP()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 1))
			// Without lingering, what was not read has the kernel reset the connection.
			_ = conn.SetLinger(0)
			_ = conn.Close()
		}
	}()
	client := etcdclient.New(etcdclient.Config{TLS: etcdclienttest.New(t, etcdclienttest.Options{}).TLS()})
	defer client.Close()
	const times = 5
	texts := map[string]int{}
	for range times {
		_, err := client.MemberList(t.Context(), []string{"https://" + listener.Addr().String()})
		texts[fmt.Sprint(err)]++
	}
	for text := range texts {
		if !strings.Contains(text, "tcp "+listener.Addr().String()+": read: connection reset by peer") {
			t.Errorf("%q does not name the address that was asked and the reason", text)
		}
	}
	if len(texts) != 1 {
		t.Errorf("got %d texts of one failure: %v", len(texts), texts)
	}
}

func TestOnlyTheRightAuthorityIsTrusted(t *testing.T) {
	ours, theirs := etcdclienttest.NewAuthority(t), etcdclienttest.NewAuthority(t)
	for name, test := range map[string]struct {
		server, client, trusted *etcdclienttest.Authority
		want                    bool
	}{
		"all from one authority":                {ours, ours, ours, true},
		"a server from another authority":       {theirs, theirs, ours, false},
		"a client that the server trusts not":   {ours, theirs, ours, false},
		"a server with the rights of a client":  {theirs, ours, ours, false},
		"a bundle that lacks the server's":      {ours, ours, theirs, false},
		"another authority, the same for both ": {theirs, theirs, theirs, true},
	} {
		t.Run(name, func(t *testing.T) {
			files := etcdclienttest.WriteFiles(t, t.TempDir(), test.client.Issue(t, "operator"), test.trusted)
			conn := dial(t, serve(t, &member{}, test.server), files)
			if _, err := conn.List(t.Context()); (err == nil) != test.want {
				t.Errorf("got error %v, want success %t", err, test.want)
			}
		})
	}
}

func TestLoadSaysWhichFileIsBad(t *testing.T) {
	authority := etcdclienttest.NewAuthority(t)
	good := func(t *testing.T) etcdclient.TLSFiles {
		return etcdclienttest.WriteFiles(t, t.TempDir(), authority.Issue(t, "operator"), authority)
	}
	if _, err := good(t).Load(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(t *testing.T, files *etcdclient.TLSFiles){
		"no authorities":     func(t *testing.T, f *etcdclient.TLSFiles) { f.Authorities += ".none" },
		"no certificate":     func(t *testing.T, f *etcdclient.TLSFiles) { f.Certificate += ".none" },
		"no key":             func(t *testing.T, f *etcdclient.TLSFiles) { f.Key += ".none" },
		"an empty bundle":    func(t *testing.T, f *etcdclient.TLSFiles) { write(t, f.Authorities, nil) },
		"the key of another": func(t *testing.T, f *etcdclient.TLSFiles) { write(t, f.Key, authority.Issue(t, "other").Key) },
		"a certificate cut short": func(t *testing.T, f *etcdclient.TLSFiles) {
			write(t, f.Certificate, authority.Issue(t, "other").Certificate[:80])
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := good(t)
			spoil(t, &files)
			if config, err := files.Load(); err == nil || config != nil {
				t.Errorf("got %v and error %v, want an error alone", config, err)
			}
			// It is the cause of what a call ends in, and the connection works once the file is good.
			authority, m := etcdclienttest.NewAuthority(t), &member{}
			url := serve(t, m, authority)
			load := files.Load
			client := etcdclient.New(etcdclient.Config{TLS: files, Dial: func(urls []string, _ func() (*tls.Config, error)) (etcdclient.Conn, error) {
				return etcdclient.DialEtcd(urls, func() (*tls.Config, error) { return load() })
			}})
			defer client.Close()
			if _, err := client.MemberList(t.Context(), []string{url}); !errors.Is(err, etcdclient.ErrNoEndpoint) {
				t.Errorf("got error %v, want %v", err, etcdclient.ErrNoEndpoint)
			}
			load = etcdclienttest.WriteFiles(t, t.TempDir(), authority.Issue(t, "operator"), authority).Load
			if _, err := client.MemberList(t.Context(), []string{url}); err != nil {
				t.Errorf("with good files: %v", err)
			}
		})
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// tcpUserTimeout is Linux' TCP_USER_TIMEOUT, in milliseconds.
const tcpUserTimeout = 0x12

// A host that is gone does not hang up, and its process does not run to answer a ping: the kernel asks. Only a lab can cut a
// cable; that the kernel is told to ask can be read from the socket.
func TestTheKernelAsksWhetherAHostIsStillThere(t *testing.T) {
	listener, err := net.Listen("tcp", net.JoinHostPort(loopback.String(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	authority := etcdclienttest.NewAuthority(t)
	conn := dial(t, "https://"+listener.Addr().String(), etcdclienttest.WriteFiles(t, t.TempDir(), authority.Issue(t, "operator"), authority))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var attending sync.WaitGroup
	attending.Go(func() { _ = conn.Attend(ctx, func(etcdclient.Header) { t.Error("nobody has agreed") }) })
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	// With the first byte of the handshake all options are set.
	if _, err := io.ReadFull(accepted, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	socket := socketTo(t, listener.Addr().(*net.TCPAddr))
	for name, test := range map[string]struct{ level, option, want int }{
		"asks at all":                     {syscall.SOL_SOCKET, syscall.SO_KEEPALIVE, 1},
		"after, in seconds":               {syscall.IPPROTO_TCP, syscall.TCP_KEEPIDLE, 1},
		"every, in seconds":               {syscall.IPPROTO_TCP, syscall.TCP_KEEPINTVL, 1},
		"gives up after so many":          {syscall.IPPROTO_TCP, syscall.TCP_KEEPCNT, 2},
		"and for no reason of gRPC's own": {syscall.IPPROTO_TCP, tcpUserTimeout, 0},
	} {
		if got, err := syscall.GetsockoptInt(socket, test.level, test.option); err != nil || got != test.want {
			t.Errorf("%s: got %d, error %v; want %d", name, got, err, test.want)
		}
	}
	cancel()
	attending.Wait()
}

// socketTo finds the socket of this process that is connected to an address.
func socketTo(t *testing.T, to *net.TCPAddr) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range open {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		// What is no socket has no peer.
		if peer, err := syscall.Getpeername(fd); err == nil {
			if peer, ok := peer.(*syscall.SockaddrInet4); ok && peer.Port == to.Port && net.IP(peer.Addr[:]).Equal(to.IP) {
				return fd
			}
		}
	}
	t.Fatalf("no socket is connected to %s", to)
	return 0
}

package gateway

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/member"
)

// patience bounds waits for what other goroutines do.
const patience = 20 * time.Second

// fakeMember is a host with an etcd that says its own address to everybody who
// connects, and a /readyz that can be switched.
type fakeMember struct {
	address string
	ready   atomic.Bool
}

func newFakeMember(t *testing.T, address string) *fakeMember {
	t.Helper()
	m := &fakeMember{address: address}
	m.ready.Store(true)
	readyz := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !m.ready.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	readyz.Listener.Close()
	readyz.Listener = listen(t, net.JoinHostPort(address, member.ReadyzPort))
	readyz.StartTLS()
	t.Cleanup(readyz.Close)
	etcd := listen(t, net.JoinHostPort(address, member.ClientPort))
	t.Cleanup(func() { etcd.Close() })
	go func() {
		for {
			connection, err := etcd.Accept()
			if err != nil {
				return
			}
			fmt.Fprintln(connection, address)
		}
	}()
	return m
}

func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// reach returns what address the gateway connects to, and the connection.
func reach(front string) (string, net.Conn) {
	connection, err := net.Dial("tcp", front)
	if err != nil {
		return "", nil
	}
	line, err := bufio.NewReader(connection).ReadString('\n')
	if err != nil {
		connection.Close()
		return "", nil
	}
	return line[:len(line)-1], connection
}

func eventually(t *testing.T, what string, ask func() bool) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for !ask() {
		select {
		case <-deadline.C:
			t.Fatalf("not in %s: %s", patience, what)
		case <-ticker.C:
		}
	}
}

func TestGatewayFollowsMembersAndTheirReadiness(t *testing.T) {
	a, b := newFakeMember(t, "127.0.99.1"), newFakeMember(t, "127.0.99.2")
	path := filepath.Join(t.TempDir(), "members")
	insecure := &tls.Config{InsecureSkipVerify: true}
	g := New(path, insecure)
	front := listen(t, "127.0.99.9:0")
	go func() { _ = g.Serve(t.Context(), front) }()

	if err := g.Set(t.Context(), nil); err == nil {
		t.Error("an empty list of members was accepted")
	}
	if err := g.Set(t.Context(), []string{a.address, b.address}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both members are ready", func() bool { return len(g.Ready()) == 2 })
	seen := map[string]bool{}
	var toA net.Conn
	eventually(t, "connections go to both members", func() bool {
		address, connection := reach(front.Addr().String())
		if address == a.address && toA == nil {
			toA = connection
		}
		seen[address] = true
		return seen[a.address] && seen[b.address]
	})

	a.ready.Store(false)
	ended := make(chan error, 1)
	go func() {
		_, err := toA.Read(make([]byte, 1))
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("the member that is not ready was heard of again")
		}
	case <-time.After(patience):
		t.Fatal("the connection to a member that is not ready was not cut")
	}
	if ready := g.Ready(); !slices.Equal(ready, []string{b.address}) {
		t.Errorf("ready members are %v", ready)
	}
	for range 5 {
		if address, _ := reach(front.Addr().String()); address != b.address {
			t.Errorf("a connection went to %q", address)
		}
	}

	a.ready.Store(true)
	eventually(t, "the member that is ready again is used", func() bool {
		address, _ := reach(front.Addr().String())
		return address == a.address
	})
	if err := g.Set(t.Context(), []string{a.address}); err != nil {
		t.Fatal(err)
	}
	if ready := g.Ready(); !slices.Equal(ready, []string{a.address}) {
		t.Errorf("ready members are %v after one was taken from the list", ready)
	}

	// A gateway that starts anew knows the last members without being told.
	again := New(path, insecure)
	if err := again.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the kept member is ready", func() bool { return slices.Equal(again.Ready(), []string{a.address}) })
}

func TestGatewayWithoutReadyMembersRefuses(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	g := New(filepath.Join(t.TempDir(), "members"), &tls.Config{InsecureSkipVerify: true})
	front := listen(t, "127.0.99.9:0")
	go func() { _ = g.Serve(ctx, front) }()
	if address, _ := reach(front.Addr().String()); address != "" {
		t.Errorf("connected to %q although nobody is ready", address)
	}
}

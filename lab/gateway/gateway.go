package gateway

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/member"
)

const (
	checkInterval = time.Second
	checkTimeout  = time.Second
	dialTimeout   = time.Second
	// failuresToTakeOut keeps one slow answer from cutting every connection.
	failuresToTakeOut = 2
)

// Gateway forwards connections to etcd's members.
type Gateway struct {
	path   string
	client *http.Client

	mu       sync.Mutex
	backends map[string]*backend
	next     int
}

type backend struct {
	address string
	// failures counts checks that failed in a row; a new backend starts as taken
	// out, until its first check.
	failures    int
	connections map[net.Conn]struct{}
	cancel      context.CancelFunc
}

func (b *backend) ready() bool { return b.failures < failuresToTakeOut }

// New returns a gateway that keeps its members in the file at path. The client
// certificate is only used to ask members for /readyz.
func New(path string, config *tls.Config) *Gateway {
	return &Gateway{
		path:     path,
		client:   &http.Client{Transport: &http.Transport{TLSClientConfig: config}, Timeout: checkTimeout},
		backends: map[string]*backend{},
	}
}

// Load takes the members that were kept on disk.
func (g *Gateway) Load(ctx context.Context) error {
	data, err := os.ReadFile(g.path)
	if err != nil {
		return fmt.Errorf("read the last known members: %w", err)
	}
	var addresses []string
	if err := json.Unmarshal(data, &addresses); err != nil {
		return fmt.Errorf("parse the last known members: %w", err)
	}
	g.apply(ctx, addresses)
	return nil
}

// Set makes addresses the members to forward to, and keeps them on disk. An
// empty list is refused: it would cut off the API server for good.
func (g *Gateway) Set(ctx context.Context, addresses []string) error {
	if len(addresses) == 0 {
		return errors.New("refusing an empty list of members")
	}
	data, err := json.Marshal(addresses)
	if err != nil {
		return fmt.Errorf("encode members: %w", err)
	}
	if err := os.WriteFile(g.path+".new", data, 0o644); err != nil {
		return fmt.Errorf("keep members: %w", err)
	}
	if err := os.Rename(g.path+".new", g.path); err != nil {
		return fmt.Errorf("keep members: %w", err)
	}
	g.apply(ctx, addresses)
	return nil
}

func (g *Gateway) apply(ctx context.Context, addresses []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for address, b := range g.backends {
		if !slices.Contains(addresses, address) {
			b.cancel()
			b.cut()
			delete(g.backends, address)
		}
	}
	for _, address := range addresses {
		if g.backends[address] != nil {
			continue
		}
		watch, cancel := context.WithCancel(ctx)
		b := &backend{address: address, failures: failuresToTakeOut, connections: map[net.Conn]struct{}{}, cancel: cancel}
		g.backends[address] = b
		go g.watch(watch, b)
	}
}

// Ready lists the members that connections go to now.
func (g *Gateway) Ready() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ready()
}

func (g *Gateway) ready() []string {
	var ready []string
	for address, b := range g.backends {
		if b.ready() {
			ready = append(ready, address)
		}
	}
	slices.Sort(ready)
	return ready
}

func (g *Gateway) watch(ctx context.Context, b *backend) {
	ticker := time.NewTicker(checkInterval)
	defer ticker.Stop()
	for {
		err := g.check(ctx, b.address)
		if ctx.Err() != nil {
			return
		}
		g.mu.Lock()
		if err == nil {
			b.failures = 0
		} else if b.failures++; !b.ready() {
			b.cut()
		}
		g.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (g *Gateway) check(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+net.JoinHostPort(address, member.ReadyzPort)+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("check %s: %w", address, err)
	}
	response, err := g.client.Do(request)
	if err != nil {
		return fmt.Errorf("check %s: %w", address, err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16)); err != nil {
		return fmt.Errorf("check %s: %w", address, err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("check %s: %s", address, response.Status)
	}
	return nil
}

// cut closes all connections to the member; the caller holds the gateway's lock.
func (b *backend) cut() {
	for connection := range b.connections {
		// Reset, so that neither side waits for the other to finish.
		if tcp, ok := connection.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		connection.Close()
	}
	clear(b.connections)
}

// Serve forwards what listener accepts until ctx ends or listener fails.
func (g *Gateway) Serve(ctx context.Context, listener net.Listener) error {
	defer context.AfterFunc(ctx, func() { listener.Close() })()
	for {
		connection, err := listener.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("accept a connection for etcd: %w", err)
		}
		go g.forward(ctx, connection)
	}
}

func (g *Gateway) forward(ctx context.Context, client net.Conn) {
	defer client.Close()
	b := g.pick()
	if b == nil {
		return
	}
	dialer := net.Dialer{Timeout: dialTimeout}
	server, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(b.address, member.ClientPort))
	if err != nil {
		return
	}
	defer server.Close()
	if !g.register(b, client, server) {
		return
	}
	defer g.unregister(b, client, server)
	ended := make(chan struct{}, 2)
	pass := func(to, from net.Conn) {
		// Errors mean that one side went away, which ends both.
		_, _ = io.Copy(to, from)
		ended <- struct{}{}
	}
	go pass(server, client)
	go pass(client, server)
	<-ended
}

func (g *Gateway) pick() *backend {
	g.mu.Lock()
	defer g.mu.Unlock()
	ready := g.ready()
	if len(ready) == 0 {
		return nil
	}
	g.next++
	return g.backends[ready[g.next%len(ready)]]
}

func (g *Gateway) register(b *backend, connections ...net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	// It may have been taken out while it was dialled.
	if g.backends[b.address] != b || !b.ready() {
		return false
	}
	for _, connection := range connections {
		b.connections[connection] = struct{}{}
	}
	return true
}

func (g *Gateway) unregister(b *backend, connections ...net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, connection := range connections {
		delete(b.connections, connection)
	}
}

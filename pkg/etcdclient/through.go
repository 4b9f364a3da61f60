package etcdclient

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"

	"google.golang.org/grpc"
)

// Connector makes a connection to host:port of a client URL.
type Connector = func(ctx context.Context, address string) (net.Conn, error)

// DialThrough returns a Dialer like DialEtcd whose connections connect makes, through something of its own on the way.
// That connect failed, or has not come back yet, says nothing about the member: calls then end in ErrNoWay.
func DialThrough(connect Connector) Dialer {
	return func(clientURLs []string, credentials func() (*tls.Config, error)) (Conn, error) {
		w := &way{connector: connect}
		return dialEtcd(clientURLs, credentials, w.connect, w.explain, failFast)
	}
}

// way is what lies before a member's endpoint.
type way struct {
	connector Connector

	mu   sync.Mutex
	open bool
	// why is what the last connection that was not made failed with.
	why error
}

func (w *way) connect(ctx context.Context, address string) (net.Conn, error) {
	w.note(false, nil)
	conn, err := w.connector(ctx, address)
	w.note(err == nil, err)
	return conn, err
}

func (w *way) note(open bool, why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = open
	// While the next attempt runs, the failure of the last one is still the best explanation.
	if open || why != nil {
		w.why = why
	}
}

// explain tells a member that does not answer from a way that is closed.
func (w *way) explain(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	err := invoke(ctx, method, req, reply, cc, opts...)
	if err == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.open:
		return err
	case w.why != nil:
		return explained{ErrNoWay, w.why}
	default:
		// etcd's client would look for a gRPC status below and put the deadline in place of the rest.
		return explained{ErrNoWay, errors.New(err.Error())}
	}
}

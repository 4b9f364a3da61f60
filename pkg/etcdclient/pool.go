package etcdclient

import (
	"crypto/tls"
	"slices"
	"strings"
	"sync"
)

// pool holds at most one connection per member endpoint. A connection never changes its endpoint. One that is retired
// takes no new call, and is closed when the calls that run on it have ended.
type pool struct {
	dial        Dialer
	credentials func() (*tls.Config, error)

	mu     sync.Mutex
	open   map[string]*link
	closed bool
}

type link struct {
	Conn
	key   string
	calls int
	// retired: no longer in the pool. gone is closed then, for calls that have no end of their own.
	retired bool
	gone    chan struct{}
}

func keyOf(urls []string) string {
	sorted := slices.Sorted(slices.Values(urls))
	return strings.Join(slices.Compact(sorted), ",")
}

// acquire returns the connection to a member with these client URLs; the caller releases it. A connection that is known
// to have failed is replaced instead of waiting until it tries again by itself, so that each call judges the endpoint
// as it is now.
func (p *pool) acquire(urls []string) (*link, error) {
	key := keyOf(urls)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	if l := p.open[key]; l != nil {
		if !l.Broken() {
			l.calls++
			return l, nil
		}
		p.retire(l)
	}
	conn, err := p.dial(urls, p.credentials)
	if err != nil {
		return nil, err
	}
	l := &link{Conn: conn, key: key, calls: 1, gone: make(chan struct{})}
	p.open[key] = l
	return l, nil
}

// release ends the use of a connection. failed retires it: the next call gets a new one.
func (p *pool) release(l *link, failed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.calls--
	if failed && !l.retired {
		p.retire(l)
		return
	}
	l.closeIfUnused()
}

// keep retires every connection whose key is not wanted.
func (p *pool) keep(wanted map[string]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, l := range p.open {
		if !wanted[key] {
			p.retire(l)
		}
	}
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, l := range p.open {
		p.retire(l)
	}
}

// retire is called with the lock held.
func (p *pool) retire(l *link) {
	delete(p.open, l.key)
	l.retired = true
	close(l.gone)
	l.closeIfUnused()
}

// closeIfUnused drops the error of Close: there is nobody left whom it concerns.
func (l *link) closeIfUnused() {
	if l.retired && l.calls == 0 {
		_ = l.Close()
	}
}

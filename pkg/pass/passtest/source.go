package passtest

import (
	"sync"

	"github.com/openshift/cluster-etcd-operator/pkg/pass"
)

// Source is a pass.Source whose passes a test publishes. The zero value has none yet.
type Source struct {
	mu      sync.Mutex
	latest  *pass.Pass
	notify  []func()
	lookups int
}

var _ pass.Source = (*Source)(nil)

// Publish makes p the latest pass, numbers it, and notifies the subscribers.
func (s *Source) Publish(p pass.Pass) {
	s.mu.Lock()
	p.Number = 1
	if s.latest != nil {
		p.Number = s.latest.Number + 1
	}
	s.latest = &p
	notify := s.notify
	s.mu.Unlock()
	for _, f := range notify {
		f()
	}
}

// Latest implements pass.Source.
func (s *Source) Latest() *pass.Pass {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest
}

// Subscribe implements pass.Source.
func (s *Source) Subscribe(notify func()) {
	s.mu.Lock()
	s.notify = append(s.notify, notify)
	known := s.latest != nil
	s.mu.Unlock()
	if known {
		notify()
	}
}

// LookAgain implements pass.Source.
func (s *Source) LookAgain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lookups++
}

// Lookups returns how often LookAgain was called.
func (s *Source) Lookups() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lookups
}

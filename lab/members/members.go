package members

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/member"
)

const (
	dialTimeout = 2 * time.Second
	// askTimeout bounds each question to each member.
	askTimeout = 2 * time.Second
)

// Member is an entry of the member list and what its member said.
type Member struct {
	ID      string
	Name    string
	Address string
	// Started is false for an entry whose member never came up.
	Started bool
	Learner bool
	Leader  bool
	// Healthy says that the member answered a read: a linearizable one from a
	// voter, one of its own data from a learner.
	Healthy bool
	// Problem says why Healthy is false.
	Problem string
	Version string
	// DatabaseBytes is the size of the database file.
	DatabaseBytes int64
}

// Observer asks etcd's members.
type Observer struct {
	tls *tls.Config

	mu      sync.Mutex
	clients map[string]*clientv3.Client
}

// NewObserver returns an Observer that shows the certificate of config.
func NewObserver(config *tls.Config) *Observer {
	return &Observer{tls: config, clients: map[string]*clientv3.Client{}}
}

// Close closes all connections.
func (o *Observer) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var failures []error
	for _, client := range o.clients {
		failures = append(failures, client.Close())
	}
	clear(o.clients)
	return errors.Join(failures...)
}

// Client returns a client that speaks to the member at address and no other.
func (o *Observer) Client(address string) (*clientv3.Client, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if client := o.clients[address]; client != nil {
		return client, nil
	}
	client, err := clientv3.New(clientv3.Config{
		Endpoints:            []string{member.ClientURL(address)},
		TLS:                  o.tls,
		DialTimeout:          dialTimeout,
		DialKeepAliveTime:    5 * time.Second,
		DialKeepAliveTimeout: 2 * time.Second,
		Logger:               zap.NewNop(),
	})
	if err != nil {
		return nil, fmt.Errorf("make client of %s: %w", address, err)
	}
	o.clients[address] = client
	return client, nil
}

// List returns the member list, read linearizably through the first of the
// addresses that answers.
func (o *Observer) List(ctx context.Context, addresses []string) ([]Member, error) {
	failures := []error{errors.New("no member answered")}
	for _, address := range addresses {
		list, err := o.list(ctx, address)
		if err == nil {
			return list, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

func (o *Observer) list(ctx context.Context, address string) ([]Member, error) {
	client, err := o.Client(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	response, err := client.MemberList(ctx)
	if err != nil {
		return nil, fmt.Errorf("list members through %s: %w", address, err)
	}
	var list []Member
	for _, entry := range response.Members {
		m := Member{
			ID:      fmt.Sprintf("%x", entry.ID),
			Name:    entry.Name,
			Learner: entry.IsLearner,
			Started: entry.Name != "",
		}
		if len(entry.PeerURLs) > 0 {
			m.Address = facts.HostOf(entry.PeerURLs[0])
		}
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b Member) int { return strings.Compare(a.Name+a.Address, b.Name+b.Address) })
	return list, nil
}

// Observe returns the member list with the health of each member; all members
// are asked at the same time.
func (o *Observer) Observe(ctx context.Context, addresses []string) ([]Member, error) {
	list, err := o.List(ctx, addresses)
	if err != nil {
		return nil, err
	}
	var asked sync.WaitGroup
	for i := range list {
		if list[i].Started {
			asked.Go(func() { o.ask(ctx, &list[i]) })
		} else {
			list[i].Problem = "not started"
		}
	}
	asked.Wait()
	return list, nil
}

func (o *Observer) ask(ctx context.Context, m *Member) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	client, err := o.Client(m.Address)
	if err != nil {
		m.Problem = err.Error()
		return
	}
	status, err := client.Status(ctx, member.ClientURL(m.Address))
	if err != nil {
		m.Problem = err.Error()
		return
	}
	m.Version, m.DatabaseBytes = status.Version, status.DbSize
	m.Leader = status.Leader == status.Header.MemberId
	options := []clientv3.OpOption{}
	if m.Learner {
		options = append(options, clientv3.WithSerializable())
	}
	if _, err := client.Get(ctx, "health", options...); err != nil {
		m.Problem = err.Error()
		return
	}
	m.Healthy = true
}

// Voters counts the members that vote, and those of them that are healthy.
func Voters(list []Member) (voters, healthy int) {
	for _, m := range list {
		if m.Learner {
			continue
		}
		voters++
		if m.Healthy {
			healthy++
		}
	}
	return voters, healthy
}

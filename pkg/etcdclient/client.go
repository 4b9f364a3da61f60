package etcdclient

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Limits in time, all from rule R10.
const (
	// ProbeTimeout bounds the probe of one member (rule R10.3), and a member list.
	ProbeTimeout = 5 * time.Second
	// WriteTimeout bounds listing again, comparing and writing, together (rule R10.2).
	WriteTimeout = 5 * time.Second
)

// askAll is the time within which all members are asked when none of them answers a read that any of them could serve.
const askAll = time.Second

// maxMembers bounds how many members one Client talks to at the same time. A cluster of the largest size with all its
// learners needs a third of it; more is somebody's garbage, which then has to queue.
const maxMembers = 64

// Config is what a Client is made from.
type Config struct {
	// TLS are the files for every connection; each handshake reads them anew.
	TLS TLSFiles
	// Dial makes connections; nil means DialEtcd.
	Dial Dialer
}

// Client talks to the members of one etcd cluster. It may be used by any number of goroutines. What one caller does has
// no effect on the endpoints of another.
type Client struct {
	pool  pool
	slots chan struct{}
}

// New returns a Client. It opens no connection yet.
func New(config Config) *Client {
	dial := config.Dial
	if dial == nil {
		dial = DialEtcd
	}
	return &Client{
		pool:  pool{dial: dial, credentials: config.TLS.Load, open: map[string]*link{}},
		slots: make(chan struct{}, maxMembers),
	}
}

// Close closes all connections, each when the calls on it have ended. Calls made later return ErrClosed.
func (c *Client) Close() { c.pool.close() }

// MemberList returns a linearizable member list from the first of endpoints that gives one. The next is asked as soon as
// one fails or keeps silent for a share of askAll, so one that hangs costs little and one that answers is the only one
// asked. It takes at most ProbeTimeout, and closes connections to endpoints that are neither given nor listed.
//
// endpoints are client URLs such as "https://192.0.2.1:2379"; the caller knows them from ConfigMap etcd-endpoints or from
// the addresses of control-plane Nodes.
//
// A list that lacks the member that gave it is no answer. Errors: ErrCannotServe when at least one endpoint answered that it cannot, as all do without quorum;
// ErrLearnerCannotServe when those that answered are learners; ErrClosed; else ErrNoEndpoint.
func (c *Client) MemberList(ctx context.Context, endpoints []string) (MemberList, error) {
	ctx, cancel := context.WithTimeout(ctx, ProbeTimeout)
	defer cancel()
	list, err := c.listAny(ctx, endpoints)
	if err != nil {
		return MemberList{}, fmt.Errorf("list members: %w", err)
	}
	wanted := make(map[string]bool, len(endpoints)+len(list.Members))
	for _, endpoint := range endpoints {
		wanted[keyOf([]string{endpoint})] = true
	}
	for _, m := range list.Members {
		wanted[keyOf(m.ClientURLs)] = true
	}
	c.pool.keep(wanted)
	return list, nil
}

func (c *Client) listAny(ctx context.Context, endpoints []string) (MemberList, error) {
	single := make([][]string, len(endpoints))
	for i, endpoint := range endpoints {
		single[i] = []string{endpoint}
	}
	return firstAnswer(ctx, c, single, listThrough)
}

// listThrough refuses a list without the member that gave it, an empty one above all: a member that is not listed counts as
// gone, and what protects it goes with it (rules R4.4, R7.4).
func listThrough(ctx context.Context, conn Conn) (MemberList, error) {
	list, err := conn.List(ctx)
	if err == nil && list.Find(list.AnsweredBy) == nil {
		err = fmt.Errorf("%w: the member list lacks member %s, which gave it", ErrNoAnswer, list.AnsweredBy)
	}
	return list, err
}

// firstAnswer makes a read at one member after the other, each as soon as the one before has failed or has been silent for
// its share of askAll, and returns the first result. members are the client URLs of one member each. It returns when the
// calls that lost have ended as well.
func firstAnswer[T any](ctx context.Context, c *Client, members [][]string, read func(context.Context, Conn) (T, error)) (T, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		none, first T
		found       sync.Once
		succeeded   bool
		failed      = make(failures, len(members))
		turns       = make([]chan struct{}, len(members)+1)
		calls       sync.WaitGroup
	)
	for i := range turns {
		turns[i] = make(chan struct{})
	}
	close(turns[0])
	for i, urls := range members {
		calls.Go(func() {
			<-turns[i]
			silence, broken := context.WithTimeout(ctx, askAll/time.Duration(len(members)))
			defer broken()
			calls.Go(func() {
				<-silence.Done()
				close(turns[i+1])
			})
			err := ctx.Err()
			if err == nil {
				err = c.enter(ctx)
			}
			if err == nil {
				defer c.leave()
				err = c.call(ctx, urls, func(ctx context.Context, conn Conn) error {
					result, err := read(ctx, conn)
					if err != nil {
						return err
					}
					found.Do(func() {
						first, succeeded = result, true
						cancel()
					})
					return nil
				})
			}
			if err != nil {
				failed[i] = fmt.Errorf("%s: %w", strings.Join(urls, ","), explainRead(err))
			}
		})
	}
	calls.Wait()
	if succeeded {
		return first, nil
	}
	return none, failed.summary()
}

// summary gives the failures of several endpoints the most telling of their meanings.
func (f failures) summary() error {
	if len(f) == 0 {
		return fmt.Errorf("%w: none is known", ErrNoEndpoint)
	}
	for _, meaning := range []error{ErrClosed, ErrCannotServe, ErrLearnerCannotServe} {
		if errors.Is(f, meaning) {
			return explained{meaning, f}
		}
	}
	return explained{ErrNoEndpoint, f}
}

// enter waits for the right to talk to one more member.
func (c *Client) enter(ctx context.Context) error {
	select {
	case c.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Client) leave() { <-c.slots }

// call runs one call on the connection to a member with these client URLs. Its errors are etcd's, or this package's.
func (c *Client) call(ctx context.Context, urls []string, run func(context.Context, Conn) error) error {
	if err := checkURLs(urls); err != nil {
		return explained{ErrNoAnswer, err}
	}
	l, err := c.pool.acquire(urls)
	if err != nil {
		return err
	}
	err = run(ctx, l)
	c.pool.release(l, err != nil && isSilence(err))
	return err
}

// checkURLs refuses what is not a TLS endpoint on the network. Client URLs are what a member published, and etcd's
// client would follow them to a socket of this host, or send requests unencrypted.
func checkURLs(urls []string) error {
	if len(urls) == 0 {
		return errNoURL
	}
	for _, s := range urls {
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.Port() == "" || u.Path != "" {
			return fmt.Errorf("%q is not https://host:port", s)
		}
	}
	return nil
}

var errNoURL = errors.New("no URL")

package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/openshift/cluster-etcd-operator/lab/history"
)

// Prefix is where the load's keys are.
const Prefix = "/etcdlab/load/"

const (
	// timeout bounds an operation; one that takes longer has an unknown outcome.
	timeout = 2 * time.Second
	// keysAtOnce are in use at the same time, so that clients meet on them.
	keysAtOnce = 12
	// writesPerKey is after how many writes a key is put away for a new one: the
	// history of each key stays short enough to be judged, also with writes in it
	// whose outcome nobody knows.
	writesPerKey = 60
	// readsPerWrite is the share of reads.
	readsPerWrite = 0.25
	// patience is how long a client stays with a member that does not answer.
	patience = 3 * time.Second
)

// Settings say what load to make.
type Settings struct {
	Clients int
	// Writes per second of all clients together.
	Writes int
	// Random decides the part of one client.
	Random func(part string) *rand.Rand
	// Client connects to one member; the connections belong to the load.
	Client func(address string) (*clientv3.Client, error)
	// Members returns the addresses of all voters at the moment, Healthy those
	// that answer; a client stays with a member as long as it is one, and moves to
	// one that answers.
	Members func() []string
	Healthy func() []string
	Now     func() time.Duration
	Record  func(history.Operation)
}

// Load is a load that runs.
type Load struct {
	settings     Settings
	keys         keys
	acknowledged atomic.Int64
	failed       atomic.Int64

	mu     sync.Mutex
	pinned map[int]string
}

// New returns a load that does nothing yet.
func New(settings Settings) *Load {
	return &Load{settings: settings, pinned: map[int]string{}, keys: keys{random: settings.Random("keys")}}
}

// Counts returns how many writes were acknowledged, and how many operations were
// not answered as they should.
func (l *Load) Counts() (acknowledged, failed int64) {
	return l.acknowledged.Load(), l.failed.Load()
}

// Run makes load until ctx ends; operations that have begun are waited for.
func (l *Load) Run(ctx context.Context) {
	var clients sync.WaitGroup
	for number := range l.settings.Clients {
		clients.Go(func() { l.client(ctx, number) })
	}
	clients.Wait()
}

// client is one client's life: one operation after the other, at its own pace.
func (l *Load) client(ctx context.Context, number int) {
	c := &client{load: l, number: number, random: l.settings.Random(fmt.Sprintf("client %d", number))}
	defer c.disconnect()
	perSecond := float64(l.settings.Writes) / float64(l.settings.Clients) * (1 + readsPerWrite)
	period := time.Duration(float64(time.Second) / perSecond)
	due := l.settings.Now()
	for {
		// What was missed while waiting for an answer is made up for, up to a second.
		now := l.settings.Now()
		due = max(due, now-time.Second)
		select {
		case <-ctx.Done():
			return
		case <-time.After(due - now):
		}
		c.operate(ctx)
		due += period
	}
}

type client struct {
	load   *Load
	number int
	random *rand.Rand
	writes int

	address string
	etcd    *clientv3.Client
	// good is when the member last answered.
	good time.Duration
}

func (c *client) operate(ctx context.Context) {
	if !c.connect() {
		return
	}
	key := c.load.keys.pick()
	operation := history.Operation{Client: c.number, Member: c.address, Kind: history.Put, Key: key}
	if c.random.Float64() < readsPerWrite/(1+readsPerWrite) {
		operation.Kind = history.Get
	} else {
		c.writes++
		operation.Value = fmt.Sprintf("%d-%d", c.number, c.writes)
		c.load.keys.wrote(key)
	}
	// Not ctx: an operation that has begun ends with an answer if there is one.
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	operation.Call = c.load.settings.Now()
	err := c.do(limited, &operation)
	operation.Return = c.load.settings.Now()
	cancel()
	if err != nil {
		c.load.failed.Add(1)
		operation.Outcome, operation.Error = history.Unknown, err.Error()
		if operation.Return-c.good > patience {
			c.disconnect()
		}
	} else {
		c.good = operation.Return
		operation.Outcome = history.Acknowledged
		if operation.Kind == history.Put {
			c.load.acknowledged.Add(1)
		}
	}
	c.load.settings.Record(operation)
}

func (c *client) do(ctx context.Context, operation *history.Operation) error {
	if operation.Kind == history.Put {
		response, err := c.etcd.Put(ctx, operation.Key, operation.Value)
		if err != nil {
			return err
		}
		operation.Revision = response.Header.Revision
		return nil
	}
	response, err := c.etcd.Get(ctx, operation.Key)
	if err != nil {
		return err
	}
	operation.Revision = response.Header.Revision
	if len(response.Kvs) > 0 {
		operation.Value = string(response.Kvs[0].Value)
	}
	return nil
}

// connect keeps to the member as long as it is one, and takes the one with the
// fewest clients otherwise.
func (c *client) connect() bool {
	l := c.load
	if c.etcd != nil && slices.Contains(l.settings.Members(), c.address) {
		return true
	}
	last := c.address
	c.disconnect()
	address := l.choose(c.number, l.settings.Healthy(), last)
	if address == "" {
		return false
	}
	etcd, err := l.settings.Client(address)
	if err != nil {
		l.failed.Add(1)
		return false
	}
	c.etcd, c.address, c.good = etcd, address, l.settings.Now()
	return true
}

// choose takes the member that the fewest clients speak to; avoided only if
// there is no other.
func (l *Load) choose(number int, members []string, avoided string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.pinned, number)
	used := map[string]int{}
	for _, address := range l.pinned {
		used[address]++
	}
	best := ""
	for _, address := range slices.Sorted(slices.Values(members)) {
		if address == avoided && len(members) > 1 {
			continue
		}
		if best == "" || used[address] < used[best] {
			best = address
		}
	}
	if best != "" {
		l.pinned[number] = best
	}
	return best
}

func (c *client) disconnect() {
	if c.etcd == nil {
		return
	}
	// Nothing is lost with the connection: every answer was waited for.
	_ = c.etcd.Close()
	c.etcd = nil
}

// keys hands out the keys that are in use.
type keys struct {
	mu     sync.Mutex
	random *rand.Rand
	made   int
	active []string
	writes map[string]int
}

func (k *keys) pick() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(k.active) < keysAtOnce {
		k.made++
		k.active = append(k.active, fmt.Sprintf("%s%06d", Prefix, k.made))
	}
	return k.active[k.random.IntN(len(k.active))]
}

func (k *keys) wrote(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.writes == nil {
		k.writes = map[string]int{}
	}
	if k.writes[key]++; k.writes[key] >= writesPerKey {
		delete(k.writes, key)
		k.active = slices.DeleteFunc(k.active, func(active string) bool { return active == key })
	}
}

// ErrIncomplete says that the end state could not be read whole.
var ErrIncomplete = errors.New("the load's keys could not be read to the end")

// pageSize keeps an answer below what a client accepts.
const pageSize = 500

// ReadBack reads all keys of the load, linearizably, and hands each to record.
// Nothing may be writing them.
func ReadBack(ctx context.Context, etcd *clientv3.Client, now func() time.Duration, record func(history.Final)) error {
	from, end := Prefix, clientv3.GetPrefixRangeEnd(Prefix)
	for {
		call := now()
		response, err := etcd.Get(ctx, from, clientv3.WithRange(end), clientv3.WithLimit(pageSize))
		if err != nil {
			return errors.Join(ErrIncomplete, err)
		}
		for _, kv := range response.Kvs {
			record(history.Final{Key: string(kv.Key), Value: string(kv.Value), Revision: kv.ModRevision, Call: call, Return: now()})
		}
		if !response.More || len(response.Kvs) == 0 {
			return nil
		}
		from = string(response.Kvs[len(response.Kvs)-1].Key) + "\x00"
	}
}

package player

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/load"
	"github.com/openshift/cluster-etcd-operator/lab/member"
	"github.com/openshift/cluster-etcd-operator/lab/members"
	"github.com/openshift/cluster-etcd-operator/lab/observer"
	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

const (
	// finallyDeadline is how long the end state may take to be reached.
	finallyDeadline = time.Minute
	// aftermath is how long a run is watched after a step has failed: what went
	// wrong may only show then.
	aftermath = 5 * time.Second
	// readBackDeadline bounds reading everything back.
	readBackDeadline = 30 * time.Second
)

// Config says what to play.
type Config struct {
	// File and Source are the scenario's name for messages, and its text.
	File, Source string
	Seed         int64
	// Folder is where the recording goes; it exists.
	Folder string
	// Operator is the operator's program, an absolute path; empty for none.
	Operator    string
	PrivateEtcd bool
	// EtcdVersion is another version than that of the parts, or empty.
	EtcdVersion string
}

// ErrStopped says that the scenario was not played to its end; the recording
// says why.
var ErrStopped = errors.New("the scenario was not played to its end")

// Player is a scenario that is being played.
type Player struct {
	config   Config
	scenario *scenario.Scenario
	client   kubernetes.Interface
	dynamic  dynamic.Interface
	etcd     *members.Observer
	tls      *tls.Config
	writer   *history.Writer
	teller   *teller
	random   *rand.Rand
	load     *load.Load
	// places are the roles and zones of the Machines that the lab began with.
	places map[string]place

	mu         sync.Mutex
	latest     facts.Facts
	looks      int
	looked     chan struct{}
	events     []facts.Event
	assertions []*assertion
	// drains end those that go on in the background, by node.
	drains     map[string]func()
	background sync.WaitGroup
}

// Play plays a scenario in the lab that the environment points to, as it does
// for the commands of `etcdlab exec`, and tells on out how it goes.
func Play(ctx context.Context, config Config, out io.Writer) error {
	parsed, err := scenario.Parse(config.File, []byte(config.Source), config.Seed)
	if err != nil {
		return err
	}
	p := &Player{config: config, scenario: parsed, teller: newTeller(out), looked: make(chan struct{}), drains: map[string]func(){}, random: scenario.Random(config.Seed, "steps")}
	if err := p.connect(); err != nil {
		return err
	}
	defer p.etcd.Close()
	if err := p.learnPlaces(ctx); err != nil {
		return err
	}
	if p.writer, err = history.Create(config.Folder, p.start()); err != nil {
		return err
	}
	stopped := p.play(ctx)
	if ctx.Err() != nil {
		// Somebody ended it: what is recorded is no failure of the scenario.
		return errors.Join(context.Cause(ctx), p.writer.Leave())
	}
	text := ""
	if stopped != nil {
		text = stopped.Error()
	}
	if err := p.writer.Close(text); err != nil {
		return err
	}
	if stopped != nil {
		return fmt.Errorf("%w: %w", ErrStopped, stopped)
	}
	return nil
}

func (p *Player) start() history.Start {
	s := p.scenario
	return history.Start{
		Scenario: s.Name, Source: s.Source, Seed: p.config.Seed, PrivateEtcd: p.config.PrivateEtcd, EtcdVersion: p.config.EtcdVersion, ByHand: s.ByHand,
		ControlPlanes: s.ControlPlanes, Victims: s.Chosen, LoadClients: s.Load.Clients, LoadWrites: s.Load.Writes,
		MaxWriteGap: time.Duration(s.MaxWriteGap), MinVoters: s.MinVoters, Gone: s.Gone,
		Unfinished: s.Unfinished, Assertions: s.Assertions(),
	}
}

func (p *Player) connect() error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return fmt.Errorf("find the API server: %w", err)
	}
	config.QPS = -1
	// Looking must cost the API server little.
	config.DisableCompression = true
	typed := rest.CopyConfig(config)
	typed.ContentType, typed.AcceptContentTypes = "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf"
	if p.client, err = kubernetes.NewForConfig(typed); err != nil {
		return fmt.Errorf("make client: %w", err)
	}
	if p.dynamic, err = dynamic.NewForConfig(config); err != nil {
		return fmt.Errorf("make client: %w", err)
	}
	if p.tls, err = etcdTLS(); err != nil {
		return err
	}
	p.etcd = members.NewObserver(p.tls)
	return nil
}

func etcdTLS() (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(os.Getenv("ETCDCTL_CERT"), os.Getenv("ETCDCTL_KEY"))
	if err != nil {
		return nil, fmt.Errorf("load etcd's client certificate: %w", err)
	}
	authority, err := os.ReadFile(os.Getenv("ETCDCTL_CACERT"))
	if err != nil {
		return nil, fmt.Errorf("load etcd's authority: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authority) {
		return nil, errors.New("load etcd's authority: no certificate in the file")
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: pool, MinVersion: tls.VersionTLS12}, nil
}

// endpointsOf returns the addresses in etcdctl's variable.
func endpointsOf(variable string) []string {
	var addresses []string
	for _, endpoint := range strings.Split(variable, ",") {
		if parsed, err := url.Parse(endpoint); err == nil && parsed.Hostname() != "" {
			addresses = append(addresses, parsed.Hostname())
		}
	}
	return addresses
}

// play returns nil if every step was taken and everything that was expected
// came.
func (p *Player) play(ctx context.Context) error {
	watching, stopWatching := context.WithCancel(ctx)
	var around sync.WaitGroup
	watcher := observer.New(observer.Settings{
		Client: p.client, Dynamic: p.dynamic, Etcd: p.etcd, Addresses: endpointsOf(os.Getenv("ETCDCTL_ENDPOINTS")),
		Now: p.writer.Now, Look: p.look, Event: p.event,
	})
	around.Go(func() { watcher.Run(watching) })
	around.Go(func() { p.tellRegularly(watching) })
	if p.config.Operator != "" {
		around.Go(func() { p.recordUsage(watching) })
	}
	defer around.Wait()
	defer stopWatching()

	if err := p.await(ctx, "the first look", time.Minute, func(f facts.Facts) (bool, error) {
		return f.MembersProblem == "" && f.ObjectsProblem == "" && len(f.Members) > 0, nil
	}); err != nil {
		return err
	}
	loading, stopLoading := context.WithCancel(ctx)
	var loaded sync.WaitGroup
	p.startLoad(loading, &loaded)

	err := p.takeSteps(ctx)
	if err != nil && ctx.Err() == nil {
		p.say("failed: %v", err)
		p.pass(ctx, aftermath)
	}
	stopLoading()
	loaded.Wait()
	if p.scenario.Load.Clients > 0 {
		readErr := p.readBack(ctx)
		if err == nil {
			err = readErr
		}
	}
	return err
}

func (p *Player) takeSteps(ctx context.Context) error {
	whole, cancel := context.WithTimeoutCause(ctx, time.Duration(p.scenario.Deadline), fmt.Errorf("the scenario's deadline of %s has passed", time.Duration(p.scenario.Deadline)))
	defer cancel()
	background, stopBackground := context.WithCancel(whole)
	defer p.background.Wait()
	defer stopBackground()
	for _, a := range p.scenario.Always {
		p.begin(a)
	}
	for i, step := range p.scenario.Steps {
		if err := p.take(whole, background, i, step); err != nil {
			return err
		}
	}
	for _, expression := range p.scenario.Finally {
		began := p.writer.Now()
		p.doing(len(p.scenario.Steps), "finally "+expression.Text)
		err := p.await(whole, expression.Text, finallyDeadline, expression.Holds)
		p.record(expression.Line, "finally "+expression.Text, began, err)
		if err != nil {
			return fmt.Errorf("%s:%d: finally: %w", p.config.File, expression.Line, err)
		}
	}
	if !p.scenario.Unfinished {
		began := p.writer.Now()
		p.doing(len(p.scenario.Steps), "the cluster is whole again")
		err := p.awaitWhole(whole)
		p.record(0, "the cluster is whole again", began, err)
		if err != nil {
			return err
		}
	}
	return p.brokenAssertion()
}

// awaitWhole waits until every member is where it belongs.
func (p *Player) awaitWhole(ctx context.Context) error {
	var missing []string
	err := p.await(ctx, "the cluster is whole again", finallyDeadline, func(f facts.Facts) (bool, error) {
		missing = f.Missing(!p.scenario.ByHand)
		return len(missing) == 0, nil
	})
	if err != nil {
		return fmt.Errorf("%w: %s", err, strings.Join(missing, "; "))
	}
	return nil
}

func (p *Player) take(whole, background context.Context, i int, step scenario.Step) error {
	text := step.String()
	began := p.writer.Now()
	p.doing(i+1, text)
	p.say("%s", text)
	err := p.do(whole, background, step)
	p.record(step.Line, text, began, err)
	if err != nil {
		return fmt.Errorf("%s:%d: %s: %w", p.config.File, step.Line, text, err)
	}
	return nil
}

func (p *Player) record(line int, name string, began time.Duration, err error) {
	step := history.Step{Line: line, Name: name, From: began, To: p.writer.Now()}
	if err != nil {
		step.Failed = err.Error()
	}
	p.writer.Step(step)
}

func (p *Player) doing(step int, text string) {
	p.teller.tell(func(t *Progress) {
		t.Step, t.Steps, t.Doing, t.Elapsed = step, len(p.scenario.Steps), text, p.writer.Now()
	})
}

func (p *Player) say(format string, arguments ...any) {
	p.teller.tell(func(t *Progress) { t.Line, t.Elapsed = fmt.Sprintf(format, arguments...), p.writer.Now() })
}

// look takes one look of the observer.
func (p *Player) look(f facts.Facts) {
	p.writer.Facts(f)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest = f
	p.looks++
	close(p.looked)
	p.looked = make(chan struct{})
	for _, a := range p.assertions {
		a.check(f, func(text string) {
			p.writer.Failure(history.Failure{At: f.At, Line: a.Line, Name: a.Name, Text: text})
			go p.say("no longer so: %s (%s)", a.Name, text)
		})
	}
}

func (p *Player) event(e facts.Event) {
	p.writer.Event(e)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events = append(p.events, e)
}

// now returns the latest look, its number, and a channel that is closed by the
// next one.
func (p *Player) now() (facts.Facts, int, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.latest, p.looks, p.looked
}

// await returns when ask says yes about a look; what names it in the error.
func (p *Player) await(ctx context.Context, what string, within time.Duration, ask func(facts.Facts) (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("not so within %s: %s", within, what))
	defer cancel()
	var last error
	for {
		f, number, next := p.now()
		if number > 0 {
			done, err := ask(f)
			if done && err == nil {
				return nil
			}
			last = err
		}
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), last)
		case <-next:
		}
	}
}

// pass lets time pass, or ctx end.
func (p *Player) pass(ctx context.Context, span time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(span):
	}
}

// startLoad starts the load, if there is to be one.
func (p *Player) startLoad(ctx context.Context, running *sync.WaitGroup) {
	if p.scenario.Load.Clients == 0 {
		return
	}
	addresses := func(wanted func(facts.Member) bool) func() []string {
		return func() []string {
			f, _, _ := p.now()
			var addresses []string
			for _, m := range f.Members {
				if wanted(m) {
					addresses = append(addresses, m.Address)
				}
			}
			return addresses
		}
	}
	p.load = load.New(load.Settings{
		Clients: p.scenario.Load.Clients, Writes: p.scenario.Load.Writes,
		Random:  func(part string) *rand.Rand { return scenario.Random(p.config.Seed, "load "+part) },
		Client:  p.connectTo,
		Members: addresses(func(m facts.Member) bool { return m.Voter && m.Started }),
		Healthy: addresses(func(m facts.Member) bool { return m.Voter && m.Healthy }),
		Now:     p.writer.Now, Record: p.writer.Operation,
	})
	running.Go(func() {
		from := p.writer.Now()
		p.load.Run(ctx)
		p.writer.Load(history.LoadSpan{From: from, To: p.writer.Now()})
	})
}

func (p *Player) connectTo(address string) (*clientv3.Client, error) {
	client, err := clientv3.New(clientv3.Config{
		Endpoints: []string{member.ClientURL(address)}, TLS: p.tls, DialTimeout: 2 * time.Second,
		DialKeepAliveTime: 5 * time.Second, DialKeepAliveTimeout: 2 * time.Second, Logger: zap.NewNop(),
	})
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", address, err)
	}
	return client, nil
}

// readBack records what is there in the end: every key, and every member's
// digest of all its data.
func (p *Player) readBack(ctx context.Context) error {
	p.say("reading everything back")
	ctx, cancel := context.WithTimeoutCause(ctx, readBackDeadline, errors.New("reading back took too long"))
	defer cancel()
	var healthy []facts.Member
	if err := p.await(ctx, "a member that answers", readBackDeadline, func(f facts.Facts) (bool, error) {
		healthy = slices.DeleteFunc(slices.Clone(f.Members), func(m facts.Member) bool { return !m.Voter || !m.Healthy })
		return len(healthy) > 0, nil
	}); err != nil {
		return err
	}
	client, err := p.connectTo(healthy[0].Address)
	if err != nil {
		return err
	}
	defer client.Close()
	if err := load.ReadBack(ctx, client, p.writer.Now, p.writer.Final); err != nil {
		return err
	}
	// The digest is of one revision that everybody has, or will have soon.
	response, err := client.Get(ctx, load.Prefix, clientv3.WithCountOnly())
	if err != nil {
		return fmt.Errorf("read the store's revision: %w", err)
	}
	for _, m := range healthy {
		p.writer.Hash(p.hash(ctx, m, response.Header.Revision))
	}
	return nil
}

func (p *Player) hash(ctx context.Context, m facts.Member, revision int64) history.Hash {
	hash := history.Hash{Member: m.Name, Revision: revision}
	client, err := p.etcd.Client(m.Address)
	if err == nil {
		for {
			var response *clientv3.HashKVResponse
			response, err = client.HashKV(ctx, member.ClientURL(m.Address), revision)
			if err == nil {
				hash.Hash, hash.Compact = response.Hash, response.CompactRevision
				return hash
			}
			if ctx.Err() != nil {
				break
			}
			// A follower that has not got there yet.
			p.pass(ctx, 200*time.Millisecond)
		}
	}
	hash.Error = err.Error()
	return hash
}

func (p *Player) tellRegularly(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	var before int64
	at := p.writer.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		var acknowledged, failed int64
		if p.load != nil {
			acknowledged, failed = p.load.Counts()
		}
		now := p.writer.Now()
		rate := float64(acknowledged-before) / (now - at).Seconds()
		before, at = acknowledged, now
		f, _, _ := p.now()
		p.teller.tell(func(t *Progress) {
			t.Elapsed, t.Acknowledged, t.Failed, t.PerSecond, t.Waits = now, acknowledged, failed, rate, waits(f)
		})
	}
}

// waits takes from conditions what the operator says it waits for.
func waits(f facts.Facts) []string {
	var found []string
	for _, condition := range f.EtcdConditions {
		progressing := strings.HasSuffix(condition.Type, "Progressing") || strings.HasSuffix(condition.Type, "Degraded")
		if progressing && condition.Status == "True" && condition.Message != "" {
			found = append(found, condition.Message)
		}
	}
	return found
}

package crash

import (
	"context"
	"crypto/tls"
	"errors"
	"sync"
	"testing"

	operatorv1 "github.com/openshift/api/operator/v1"
	applyoperatorv1 "github.com/openshift/client-go/operator/applyconfigurations/operator/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/clustermember"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/endpoints"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/members"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/pass/passtest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// moment is when a process ends: at its write of this number, from 1, before the write is made or after. 0 is never.
type moment struct {
	write int
	after bool
}

// errEnded is what every call of a process returns once it has ended; nobody is left to act on it.
var errEnded = errors.New("the process has ended")

// process is one run of the operator's controllers. Its writes are counted, whatever they go to.
type process struct {
	source passtest.Source
	cancel context.CancelFunc
	parts  sync.WaitGroup

	// turn lets one caller in at a time; a mutex would hold up the time of the bubble while a write waits.
	turn   chan struct{}
	at     moment
	writes []string
	ended  bool
}

func (w *world) start(t *testing.T, at moment) *process {
	ctx, cancel := context.WithCancel(t.Context())
	p := &process{at: at, cancel: cancel, turn: make(chan struct{}, 1)}
	etcd := etcdclient.New(etcdclient.Config{TLS: w.etcd.TLS(), Dial: func(urls []string, credentials func() (*tls.Config, error)) (etcdclient.Conn, error) {
		c, err := w.etcd.Dial(urls, credentials)
		return conn{c, p}, err
	}})
	operator := operatorClient{w.operator, p}
	kube := configMaps{w.kube.CoreV1(), p}
	recorder := events.NewInMemoryRecorder("test", clock.RealClock{})
	for _, c := range []factory.Controller{
		clustermember.New(clustermember.Config{
			Source: &p.source, Etcd: etcd, OperatorClient: operator, Events: w.kube.CoreV1(), Recorder: recorder,
			Clock: clock.RealClock{}, Lease: func(context.Context) error { return nil },
			Confirm: func(_ context.Context, p *pass.Pass) (membership.Decision, error) { return p.Membership, nil },
		}),
		endpoints.New(endpoints.Config{
			Source: &p.source, Etcd: etcd, OperatorClient: operator, ConfigMaps: kube, Recorder: recorder, Clock: clock.RealClock{},
		}),
		members.New(members.Config{
			Source: &p.source, OperatorClient: operator, ConfigMaps: kube, Recorder: recorder, Clock: clock.RealClock{},
		}),
	} {
		p.parts.Go(func() { c.Run(ctx, 1) })
	}
	p.parts.Go(func() {
		<-ctx.Done()
		etcd.Close()
	})
	return p
}

// stop ends the process and waits for what it is made of.
func (p *process) stop() {
	p.cancel()
	p.parts.Wait()
}

func (p *process) hasEnded() bool {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	return p.ended
}

// write makes one write unless the process has ended, or ends before or after it.
func (p *process) write(what string, do func() error) error {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	if p.ended {
		return errEnded
	}
	p.writes = append(p.writes, what)
	last := p.at.write == len(p.writes)
	if last && !p.at.after {
		p.ended = true
		return errEnded
	}
	err := do()
	if last {
		p.ended = true
		return errEnded
	}
	return err
}

// conn counts the changes that are sent to etcd.
type conn struct {
	etcdclient.Conn
	process *process
}

func (c conn) AddLearner(ctx context.Context, urls []string) (id snapshot.MemberID, err error) {
	err = c.process.write("add", func() (err error) {
		id, err = c.Conn.AddLearner(ctx, urls)
		return err
	})
	return id, err
}

func (c conn) Promote(ctx context.Context, id snapshot.MemberID) error {
	return c.process.write("promote", func() error { return c.Conn.Promote(ctx, id) })
}

func (c conn) Remove(ctx context.Context, id snapshot.MemberID) error {
	return c.process.write("remove", func() error { return c.Conn.Remove(ctx, id) })
}

func (c conn) MoveLeader(ctx context.Context, to snapshot.MemberID) error {
	return c.process.write("move leader", func() error { return c.Conn.MoveLeader(ctx, to) })
}

// operatorClient counts writes of conditions; the fake behind it knows no concurrency.
type operatorClient struct {
	v1helpers.OperatorClient
	process *process
}

func (c operatorClient) ApplyOperatorStatus(ctx context.Context, manager string, status *applyoperatorv1.OperatorStatusApplyConfiguration) error {
	return c.process.write("conditions of "+manager, func() error { return c.OperatorClient.ApplyOperatorStatus(ctx, manager, status) })
}

func (c operatorClient) GetOperatorState() (*operatorv1.OperatorSpec, *operatorv1.OperatorStatus, string, error) {
	c.process.turn <- struct{}{}
	defer func() { <-c.process.turn }()
	return c.OperatorClient.GetOperatorState()
}

func (c operatorClient) GetOperatorStateWithQuorum(context.Context) (*operatorv1.OperatorSpec, *operatorv1.OperatorStatus, string, error) {
	return c.GetOperatorState()
}

// configMaps counts writes of ConfigMaps.
type configMaps struct {
	corev1client.ConfigMapsGetter
	process *process
}

func (c configMaps) ConfigMaps(namespace string) corev1client.ConfigMapInterface {
	return configMapsOf{c.ConfigMapsGetter.ConfigMaps(namespace), c.process}
}

type configMapsOf struct {
	corev1client.ConfigMapInterface
	process *process
}

func (c configMapsOf) Create(ctx context.Context, object *corev1.ConfigMap, options metav1.CreateOptions) (made *corev1.ConfigMap, err error) {
	err = c.process.write("create "+object.Name, func() (err error) {
		made, err = c.ConfigMapInterface.Create(ctx, object, options)
		return err
	})
	return made, err
}

func (c configMapsOf) Update(ctx context.Context, object *corev1.ConfigMap, options metav1.UpdateOptions) (made *corev1.ConfigMap, err error) {
	err = c.process.write("update "+object.Name, func() (err error) {
		made, err = c.ConfigMapInterface.Update(ctx, object, options)
		return err
	})
	return made, err
}

package machinedeletionhook

import (
	"context"
	"time"

	operatorv1 "github.com/openshift/api/operator/v1"
	machineclient "github.com/openshift/client-go/machine/clientset/versioned/typed/machine/v1beta1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
)

const (
	// Name is the controller's name, the prefix of its conditions and its name among the managers of a Machine's fields.
	Name = "MachineDeletionHooksController"

	machineNamespace = "openshift-machine-api"

	// maxAge is how old a pass may be when a hook is taken away (rule R10.2). Giving one protects, and waits for nothing.
	maxAge = 15 * time.Second
)

// Etcd gives linearizable member lists: *etcdclient.Client.
type Etcd interface {
	MemberList(ctx context.Context, endpoints []string) (etcdclient.MemberList, error)
}

// Config is what the controller is made from. Every field is needed.
type Config struct {
	Source         pass.Source
	Etcd           Etcd
	Machines       machineclient.MachinesGetter
	OperatorClient v1helpers.OperatorClient
	// Events writes events on Machines.
	Events corev1client.EventsGetter
	// Recorder records events on the operator.
	Recorder events.Recorder
	Clock    clock.PassiveClock
	// Record is the one whose HookBackOff the pass loop asks.
	Record *Record
}

// New returns the controller.
func New(config Config) factory.Controller {
	return pass.NewController(Name, config.Source, config.OperatorClient, config.Recorder, newController(config).sync)
}

type controller struct {
	Config
	conditions *report.Conditions
	deadlines  *report.Deadlines
	events     *report.Events
	// underWay is what the last pass that could judge found to be under way.
	underWay []reason.Finding
	// done is the number of the last pass that was acted on, wanted what it left to be reported.
	done   uint64
	wanted []operatorv1.OperatorCondition
	// woken is the last end of a pause for which another pass was asked for.
	woken time.Time
}

func newController(config Config) *controller {
	return &controller{
		Config:     config,
		conditions: report.NewConditions(config.OperatorClient, Name),
		deadlines:  report.NewDeadlines(config.Clock),
		events:     report.NewEvents(config.Recorder, config.Events, config.Clock),
	}
}

// sync acts at most once for each pass; a pass that it has acted on is reported again when that failed. Its error is that
// of reporting: what could not be written to a Machine is decided anew in the next pass.
func (c *controller) sync(ctx context.Context, syncContext factory.SyncContext) error {
	p := c.Source.Latest()
	if p == nil {
		return nil
	}
	managed, err := report.Managed(c.OperatorClient)
	if err != nil || !managed {
		return err
	}
	ctx = klog.NewContext(ctx, klog.FromContext(ctx).WithValues("controller", Name, "pass", p.Number))
	if p.Number != c.done {
		o := c.act(ctx, p)
		c.done, c.wanted = p.Number, nil
		if o.lookAgain {
			c.Source.LookAgain()
		}
		if !o.unmanaged {
			c.wanted = c.judge(p, o.errs)
		}
	}
	c.awaitPause(syncContext)
	if len(c.wanted) == 0 {
		return nil
	}
	_, err = c.conditions.Write(ctx, c.wanted...)
	return err
}

// awaitPause asks for a pass when the time has come to write a stripped hook again (rule R4.6), once for each pause.
func (c *controller) awaitPause(syncContext factory.SyncContext) {
	at, paused := c.Record.nextWrite(c.woken)
	if !paused {
		return
	}
	if wait := at.Sub(c.Clock.Now()); wait > 0 {
		syncContext.Queue().AddAfter(factory.DefaultQueueKey, wait)
		return
	}
	c.woken = at
	c.Source.LookAgain()
}

package clustermember

import (
	"context"
	"time"

	operatorv1 "github.com/openshift/api/operator/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
)

// Name is the controller's name and the prefix of its conditions.
const Name = "ClusterMemberController"

const (
	// maxAge is how old a pass may be when a change is sent (rule R10.2).
	maxAge = 15 * time.Second
	// apart is how far apart two member lists must be that settle what became of a change (rule R10.2).
	apart = 10 * time.Second
	// whyNotPause is how often at most an event says why a member is not removed, or that one exists already.
	whyNotPause = 5 * time.Minute
)

// Config is what the controller is made from. Every field is needed.
type Config struct {
	Source         pass.Source
	Etcd           *etcdclient.Client
	OperatorClient v1helpers.OperatorClient
	// Events writes events on Machines.
	Events corev1client.EventsGetter
	// Recorder records events on the operator.
	Recorder events.Recorder
	Clock    clock.PassiveClock
	// Lease returns nil when this process holds the leader lease, as a live read tells; it is asked right before each
	// change.
	Lease func(context.Context) error
	// Confirm returns what the cores say of a pass once its objects have been read live; it is asked before each change
	// (rule R10.2). The error tells what could not be read, and was judged as unknown.
	Confirm func(context.Context, *pass.Pass) (membership.Decision, error)
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
	whyNot     *report.Changes
	// existing are the peer URLs that could not be added because a member has them.
	existing *report.Changes
	doubt    doubt
	// changedAt is when the last change was answered: a pass that began before shows the member list from before.
	changedAt time.Time
	// underWay is what the last pass that could judge found to be under way.
	underWay []report.Line
	// current is what became of the latest pass.
	current outcome
}

// outcome is what became of one pass.
type outcome struct {
	pass uint64
	// done: the change that was decided was made.
	done bool
	// wait is why the change that was decided is not made now; nil when it was made, or nothing was decided.
	wait *reason.Finding
	// err is what could not be read or done.
	err error
	// unmanaged: a live read says that nothing is to be written.
	unmanaged bool
	// lookAgain: another pass is wanted soon.
	lookAgain  bool
	conditions []operatorv1.OperatorCondition
}

func newController(config Config) *controller {
	return &controller{
		Config:     config,
		conditions: report.NewConditions(config.OperatorClient, Name),
		deadlines:  report.NewDeadlines(config.Clock),
		events:     report.NewEvents(config.Recorder, config.Events, config.Clock),
		whyNot:     report.NewChanges(config.Clock, whyNotPause),
		existing:   report.NewChanges(config.Clock, whyNotPause),
	}
}

// sync acts at most once for each pass; a pass that it has acted on is reported again when that failed. Its error is that
// of reporting: what could not be done to the members is decided anew in the next pass, never repeated from this one.
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
	if p.Number != c.current.pass {
		c.current = c.act(ctx, p)
		c.current.pass = p.Number
		if c.current.lookAgain {
			c.Source.LookAgain()
		}
		if !c.current.unmanaged {
			c.current.conditions = c.judge(p, &c.current)
			c.tellWhyNot(p)
		}
	}
	if p.Membership.Action != membership.Wait {
		c.awaitSecondList(p, syncContext)
	}
	if c.current.unmanaged {
		return nil
	}
	_, err = c.conditions.Write(ctx, c.current.conditions...)
	return err
}

// awaitSecondList asks for the pass that can end the doubt, when the time for it has come.
func (c *controller) awaitSecondList(p *pass.Pass, syncContext factory.SyncContext) {
	switch due, awaited := c.doubt.secondListAt(); {
	case !awaited:
	case c.Clock.Now().Before(due):
		syncContext.Queue().AddAfter(factory.DefaultQueueKey, due.Sub(c.Clock.Now()))
	case p.Snapshot.ObservedAt.Before(due):
		c.Source.LookAgain()
	}
}

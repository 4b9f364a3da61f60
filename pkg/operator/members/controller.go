package members

import (
	"context"
	"errors"
	"slices"

	operatorv1 "github.com/openshift/api/operator/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
)

// Name is the controller's name.
const Name = "EtcdMembersController"

// Config is what the controller is made from. Every field is needed.
type Config struct {
	Source         pass.Source
	OperatorClient v1helpers.OperatorClient
	ConfigMaps     corev1client.ConfigMapsGetter
	Recorder       events.Recorder
	Clock          clock.PassiveClock
}

// New returns the controller.
func New(config Config) factory.Controller {
	return pass.NewController(Name, config.Source, config.OperatorClient, config.Recorder, newController(config).sync)
}

type controller struct {
	Config
	conditions *report.Conditions
	deadlines  *report.Deadlines
	// known are the conditions about the members from the last pass that knew the member list.
	known []operatorv1.OperatorCondition
	// done is the number of the last pass that was reported.
	done uint64
}

func newController(config Config) *controller {
	return &controller{
		Config:     config,
		conditions: report.NewConditions(config.OperatorClient, Name),
		deadlines:  report.NewDeadlines(config.Clock),
	}
}

// sync reports each pass once, and again when that failed. A table that could not be written does not keep the conditions
// from being written.
func (c *controller) sync(ctx context.Context, _ factory.SyncContext) error {
	p := c.Source.Latest()
	if p == nil || p.Number == c.done {
		return nil
	}
	managed, err := report.Managed(c.OperatorClient)
	if err != nil || !managed {
		return err
	}
	ctx = klog.NewContext(ctx, klog.FromContext(ctx).WithValues("controller", Name, "pass", p.Number))
	failed := c.publish(ctx, &p.Snapshot)
	if errors.Is(failed, errUnmanaged) {
		return nil
	}
	_, err = c.conditions.Write(ctx, c.judge(p, failed)...)
	if err := errors.Join(failed, err); err != nil {
		return err
	}
	c.done = p.Number
	return nil
}

// judge returns all conditions of the controller. failed is why the table was not written.
func (c *controller) judge(p *pass.Pass, failed error) []operatorv1.OperatorCondition {
	blind := !p.Snapshot.MemberList.Holds()
	due := c.deadlines.Judge(append(unknown(&p.Snapshot), withoutNode(&p.Snapshot)...), blind)
	lines := report.Errors(append([]error{failed}, p.Faults...)...)
	if blind {
		tooLong := slices.Contains(due, listIsUnknown)
		if tooLong {
			lines = append(lines, report.LineOf(listIsUnknown))
		}
		return append(blindConditions(p, c.known, tooLong), report.True(Name+"Degraded", lines))
	}
	c.known = memberConditions(&p.Snapshot, due)
	return append(slices.Clone(c.known), report.True(Name+"Degraded", lines))
}

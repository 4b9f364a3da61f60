package endpoints

import (
	"context"
	"errors"
	"fmt"
	"maps"

	operatorv1 "github.com/openshift/api/operator/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	// Name is the controller's name.
	Name = "EtcdEndpointsController"

	condition = "EtcdEndpointsDegraded"
	failed    = "ErrorUpdatingEtcdEndpoints"
	updated   = "EtcdEndpointsUpdated"

	namespace = "openshift-etcd"
	configMap = "etcd-endpoints"
)

// Config is what the controller is made from. Every field is needed.
type Config struct {
	Source         pass.Source
	Etcd           *etcdclient.Client
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
	// done is the number of the last pass that was acted on and reported.
	done uint64
}

func newController(config Config) *controller {
	return &controller{
		Config:     config,
		conditions: report.NewConditions(config.OperatorClient, Name),
		deadlines:  report.NewDeadlines(config.Clock),
	}
}

// sync acts once for each pass, and again only when that failed: a write rests on what is read live, so that a pass that
// is old does no harm.
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
	wrote, err := c.ensure(ctx, p)
	if wrote {
		c.Source.LookAgain()
	}
	unread := reason.Finding{Rule: reason.R10_1, Reason: reason.MemberListUnknown}
	var found []reason.Finding
	if !p.Snapshot.MemberList.Holds() {
		found = append(found, unread)
	}
	due := c.deadlines.Judge(found, false)
	var reported error
	switch {
	case errors.Is(err, errUnmanaged):
		return nil
	case err != nil:
		reported = c.write(ctx, operatorv1.ConditionTrue, failed, err.Error())
	case len(due) > 0:
		reported = c.write(ctx, operatorv1.ConditionTrue, failed, report.Sentence(unread))
	case len(found) == 0:
		reported = c.write(ctx, operatorv1.ConditionFalse, updated, "")
	}
	if err := errors.Join(err, reported); err != nil {
		return err
	}
	c.done = p.Number
	return nil
}

func (c *controller) write(ctx context.Context, status operatorv1.ConditionStatus, why, message string) error {
	_, err := c.conditions.Write(ctx, operatorv1.OperatorCondition{Type: condition, Status: status, Reason: why, Message: message})
	return err
}

// errUnmanaged: a live read says that nothing is to be written.
var errUnmanaged = errors.New("the operator is not managed")

// ensure makes the ConfigMap what it should be if the pass shows that it is not. It returns whether it wrote.
func (c *controller) ensure(ctx context.Context, p *pass.Pass) (wrote bool, err error) {
	if !p.Snapshot.MemberList.Holds() {
		return false, nil
	}
	members := make([]etcdclient.Member, len(p.Etcd.Members))
	for i, m := range p.Etcd.Members {
		members[i] = etcdclient.Member{ID: m.ID, Name: m.Name, PeerURLs: m.PeerURLs, ClientURLs: m.ClientURLs, Learner: m.Learner}
	}
	wanted, err := addresses(members)
	if err != nil {
		return false, err
	}
	seen := p.Objects.Endpoints
	if len(wanted) == 0 || seen.Exists.Holds() && maps.Equal(seen.Value.Data, wanted) {
		return false, nil
	}
	return c.replace(ctx, p.Endpoints)
}

// replace reads live, in an order that keeps whatever is newer: first the ConfigMap, whose resourceVersion the write
// carries, then the member list. Whoever else wrote meanwhile makes the write fail.
func (c *controller) replace(ctx context.Context, endpoints []string) (wrote bool, err error) {
	managed, err := report.ManagedNow(ctx, c.OperatorClient)
	if err != nil {
		return false, err
	}
	if !managed {
		return false, errUnmanaged
	}
	live, err := c.ConfigMaps.ConfigMaps(namespace).Get(ctx, configMap, metav1.GetOptions{})
	missing := apierrors.IsNotFound(err)
	if err != nil && !missing {
		return false, fmt.Errorf("read ConfigMap %s: %w", configMap, err)
	}
	list, err := c.Etcd.MemberList(ctx, endpoints)
	if err != nil {
		return false, fmt.Errorf("read the voters for ConfigMap %s: %w", configMap, err)
	}
	wanted, err := addresses(list.Members)
	if err != nil {
		return false, err
	}
	switch {
	case len(wanted) == 0:
		return false, nil
	case missing:
		created := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: configMap}, Data: wanted}
		_, err = c.ConfigMaps.ConfigMaps(namespace).Create(ctx, created, metav1.CreateOptions{FieldManager: Name})
	case maps.Equal(live.Data, wanted):
		return false, nil
	default:
		live.Data = wanted
		_, err = c.ConfigMaps.ConfigMaps(namespace).Update(ctx, live, metav1.UpdateOptions{FieldManager: Name})
	}
	if err != nil {
		return false, fmt.Errorf("write ConfigMap %s: %w", configMap, err)
	}
	klog.FromContext(ctx).Info("endpoints written", "voters", wanted)
	return true, nil
}

// addresses returns the data of the ConfigMap for a member list: each voter, started or not, but never the bootstrap
// member, whose host goes away. One voter whose address cannot be read makes the whole list unusable: without it, the
// ConfigMap would say that this voter is gone.
func addresses(members []etcdclient.Member) (map[string]string, error) {
	data := map[string]string{}
	for _, m := range members {
		if m.Learner || m.Name == snapshot.BootstrapMember {
			continue
		}
		label := m.Name
		if label == "" {
			label = m.ID.String()
		}
		parsed, err := snapshot.PeerAddresses(label, m.PeerURLs)
		if err != nil {
			return nil, err
		}
		data[m.ID.String()] = parsed[0].String()
	}
	return data, nil
}

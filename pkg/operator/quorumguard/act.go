package quorumguard

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// outcome is what became of one pass.
type outcome struct {
	// refused are writes that the API server does not let through.
	refused []reason.Finding
	// errs are what else could not be read or written.
	errs []error
	// unmanaged: a live read says that nothing is to be written.
	unmanaged bool
	// lookAgain: something was written, or is not as it was judged.
	lookAgain bool
}

func (o *outcome) fail(err error) { o.errs = append(o.errs, err) }

// act carries out the decision of a pass, in the order that keeps invariant I10: the budget is raised first, and only once
// it stands guards are made and deleted, and only then it is lowered.
func (c *controller) act(ctx context.Context, p *pass.Pass) outcome {
	var o outcome
	raises, more := c.plan(p)
	if !raises && !more {
		return o
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	managed, err := report.ManagedNow(ctx, c.OperatorClient)
	if err != nil || !managed {
		if err != nil {
			o.fail(err)
		}
		o.unmanaged = err == nil
		return o
	}
	live, err := c.readBudget(ctx)
	if err != nil {
		o.fail(err)
		return o
	}
	if p.Guard.Budget != quorumguard.DeleteBudget {
		var standing bool
		if live, standing = c.raise(ctx, live, &p.Guard, &o); !standing {
			return o
		}
	}
	if !more {
		return o
	}
	if c.Clock.Since(p.Snapshot.ObservedAt) > maxAge {
		klog.FromContext(ctx).V(2).Info("pass is too old to change guards or to lower the budget", "observedAt", p.Snapshot.ObservedAt)
		o.lookAgain = true
		return o
	}
	now, err := c.judgeAgain(ctx, p, live)
	switch {
	case err != nil:
		o.fail(err)
		return o
	case now == nil:
		o.lookAgain = true
		return o
	}
	if p.Guard.Budget != quorumguard.DeleteBudget && now.Budget != quorumguard.DeleteBudget {
		var standing bool
		if live, standing = c.raise(ctx, live, &now.Decision, &o); !standing {
			return o
		}
	}
	for _, pod := range p.Guard.Pods {
		c.changeGuard(ctx, pod, now, &o)
	}
	c.lower(ctx, live, &p.Guard, &now.Decision, &o)
	return o
}

// plan tells what a pass asks for, as far as the pass itself saw: raising the budget or giving it its shape, and anything
// that needs a second judgement.
func (c *controller) plan(p *pass.Pass) (raises, more bool) {
	d := &p.Guard
	seen := p.Objects.Budget
	raises = d.Budget == quorumguard.SetBudget || d.Budget == quorumguard.KeepBudget && seen.Exists.Holds() && Misshapen(seen.Value)
	more = d.Budget == quorumguard.DeleteBudget ||
		d.Budget == quorumguard.SetBudget && p.Snapshot.Budget.Present.Holds() && d.MinAvailable < p.Snapshot.Budget.MinAvailable ||
		slices.ContainsFunc(d.Pods, func(pod quorumguard.Pod) bool {
			return pod.Action == quorumguard.PodCreate || pod.Action == quorumguard.PodDelete
		})
	return raises, more
}

// readBudget returns the budget, nil when there is none.
func (c *controller) readBudget(ctx context.Context) (*policyv1.PodDisruptionBudget, error) {
	live, err := c.Kubernetes.PolicyV1().PodDisruptionBudgets(namespace).Get(ctx, budgetName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read PodDisruptionBudget %s: %w", budgetName, err)
	}
	return live, nil
}

// raise makes sure that a budget stands which keeps at least what a decision wants. It never lowers one. standing is false
// when it could not, and when the budget that a decision keeps is gone.
func (c *controller) raise(ctx context.Context, live *policyv1.PodDisruptionBudget, d *quorumguard.Decision, o *outcome) (after *policyv1.PodDisruptionBudget, standing bool) {
	switch {
	case live == nil && d.Budget != quorumguard.SetBudget:
		o.lookAgain = true
		return nil, false
	case live == nil:
		return c.writeBudget(ctx, nil, d.MinAvailable, o)
	}
	least := keeps(live)
	if d.Budget == quorumguard.SetBudget {
		least = max(least, d.MinAvailable)
	}
	if least == keeps(live) && !Misshapen(live) {
		return live, true
	}
	return c.writeBudget(ctx, live, least, o)
}

// lower is the last step: what both judgements let go, and no more.
func (c *controller) lower(ctx context.Context, live *policyv1.PodDisruptionBudget, passed, now *quorumguard.Decision, o *outcome) {
	switch {
	case live == nil:
	case passed.Budget == quorumguard.DeleteBudget && now.Budget == quorumguard.DeleteBudget:
		c.deleteBudget(ctx, live, o)
	case passed.Budget == quorumguard.SetBudget && now.Budget == quorumguard.SetBudget:
		if least := max(passed.MinAvailable, now.MinAvailable); least < keeps(live) {
			c.writeBudget(ctx, live, least, o)
		}
	}
}

// changeGuard makes or deletes the guard of one node, if the second judgement says so as well.
func (c *controller) changeGuard(ctx context.Context, pod quorumguard.Pod, now *judgement, o *outcome) {
	verdict, known := now.about(pod.Node)
	if !known || verdict.Action != pod.Action {
		o.lookAgain = o.lookAgain || pod.Action == quorumguard.PodCreate || pod.Action == quorumguard.PodDelete
		return
	}
	switch pod.Action {
	case quorumguard.PodCreate:
		c.createGuard(ctx, verdict, now, o)
	case quorumguard.PodDelete:
		for i := range now.pods {
			if guard := &now.pods[i]; c.isSubject(guard, verdict) {
				c.deleteGuard(ctx, guard, verdict, o)
			}
		}
	}
}

// isSubject: the guard is one that a verdict to delete is about; a node may have several pods that count as its guard.
func (c *controller) isSubject(guard *corev1.Pod, verdict quorumguard.Pod) bool {
	if guard.Labels["app"] != "guard" || observe.GuardNode(guard) != verdict.Node || guard.DeletionTimestamp != nil {
		return false
	}
	switch verdict.Reason {
	case reason.GuardFinished:
		return guard.Status.Phase != corev1.PodPending && guard.Status.Phase != corev1.PodRunning
	case reason.GuardOutdated:
		return c.Guards.Outdated(guard)
	default:
		return true
	}
}

func (c *controller) createGuard(ctx context.Context, verdict quorumguard.Pod, now *judgement, o *outcome) {
	name := quorumguard.PodName(verdict.Node)
	address, err := now.addressOf(verdict.Node)
	if err != nil {
		o.fail(err)
		return
	}
	wanted, err := c.Guards.pod(verdict.Node, address)
	if err != nil {
		o.fail(err)
		return
	}
	created, err := c.Kubernetes.CoreV1().Pods(namespace).Create(ctx, wanted, metav1.CreateOptions{FieldManager: Name})
	switch {
	case apierrors.IsAlreadyExists(err):
		o.fail(fmt.Errorf("create pod %s: a pod of that name exists that is no guard on node %s, by its label app or its node; delete it", name, verdict.Node))
	case err != nil:
		o.refuse("pod "+name, err)
	default:
		c.Guards.made(wanted, created)
		klog.FromContext(ctx).Info("guard created", "pod", name, "node", verdict.Node, "reason", verdict.Reason)
		c.Recorder.Event(eventCreated, fmt.Sprintf("pod %s: %s", name, verdict.Message()))
		o.lookAgain = true
	}
}

// deleteGuard deletes the pod that was judged, in the version that was judged.
func (c *controller) deleteGuard(ctx context.Context, guard *corev1.Pod, verdict quorumguard.Pod, o *outcome) {
	err := c.Kubernetes.CoreV1().Pods(namespace).Delete(ctx, guard.Name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &guard.UID, ResourceVersion: &guard.ResourceVersion},
	})
	switch {
	case apierrors.IsNotFound(err), apierrors.IsConflict(err):
		o.lookAgain = true
	case err != nil:
		o.refuse("the deletion of pod "+guard.Name, err)
	default:
		klog.FromContext(ctx).Info("guard deleted", "pod", guard.Name, "uid", guard.UID, "node", verdict.Node, "reason", verdict.Reason)
		c.Recorder.Event(eventRemoved, fmt.Sprintf("pod %s: %s", guard.Name, verdict.Message()))
		o.lookAgain = true
	}
}

// writeBudget creates or replaces the budget; live is the one that was read, nil for none. standing is false when the
// budget is not known to keep as many guards as wanted.
func (c *controller) writeBudget(ctx context.Context, live *policyv1.PodDisruptionBudget, minAvailable int, o *outcome) (after *policyv1.PodDisruptionBudget, standing bool) {
	wanted, err := budget(minAvailable)
	if err != nil {
		o.fail(err)
		return live, false
	}
	now := c.Clock.Now()
	enough := live != nil && stands(live, wanted)
	paused := c.standoff.paused(&wanted.Spec, enough, now)
	budgets := c.Kubernetes.PolicyV1().PodDisruptionBudgets(namespace)
	before := "none"
	var replaced *policyv1.PodDisruptionBudgetSpec
	switch {
	case live == nil:
		after, err = budgets.Create(ctx, wanted, metav1.CreateOptions{FieldManager: Name})
	case paused && (enough || c.standoff.unheeded):
		return live, enough
	default:
		before, replaced = fmt.Sprint(keeps(live)), &live.Spec
		changed := live.DeepCopy()
		changed.Spec = wanted.Spec
		after, err = budgets.Update(ctx, changed, metav1.UpdateOptions{FieldManager: Name})
	}
	switch {
	case apierrors.IsConflict(err), apierrors.IsAlreadyExists(err), apierrors.IsNotFound(err) && live != nil:
		o.lookAgain = true
		return live, false
	case err != nil:
		o.refuse("PodDisruptionBudget "+budgetName, err)
		return live, false
	}
	c.standoff.wrote(&wanted.Spec, replaced, &after.Spec, now)
	o.lookAgain = true
	if c.standoff.unheeded {
		klog.FromContext(ctx).Info("budget is not stored as it was written", "minAvailable", minAvailable, "fields", c.standoff.fields)
		c.Recorder.Warning(eventBudget, notKept("PodDisruptionBudget "+budgetName, c.standoff.fields).Message())
		return after, stands(after, wanted)
	}
	klog.FromContext(ctx).Info("budget written", "minAvailable", minAvailable, "before", before)
	if paused {
		// Whoever lowers it again and again is named by a condition.
		return after, true
	}
	c.Recorder.Event(eventBudget, fmt.Sprintf("PodDisruptionBudget %s: minAvailable is %d, was %s", budgetName, minAvailable, before))
	return after, true
}

// stands reports whether a budget keeps as many of the same guards as the wanted one, whatever else it says: what rests on
// the number of guards that may go (invariant I10) asks no more.
func stands(live, wanted *policyv1.PodDisruptionBudget) bool {
	return keeps(live) >= keeps(wanted) && equality.Semantic.DeepEqual(live.Spec.Selector, wanted.Spec.Selector)
}

func (c *controller) deleteBudget(ctx context.Context, live *policyv1.PodDisruptionBudget, o *outcome) {
	err := c.Kubernetes.PolicyV1().PodDisruptionBudgets(namespace).Delete(ctx, budgetName, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &live.UID, ResourceVersion: &live.ResourceVersion},
	})
	switch {
	case apierrors.IsNotFound(err), apierrors.IsConflict(err):
		o.lookAgain = true
	case err != nil:
		o.refuse("the deletion of PodDisruptionBudget "+budgetName, err)
	default:
		klog.FromContext(ctx).Info("budget deleted")
		c.Recorder.Event(eventRemoved, "PodDisruptionBudget "+budgetName+": a single replica has no guard and no budget")
		o.lookAgain = true
	}
}

// refuse notes that a write did not take. What the API server forbids or finds invalid is a matter of policies that
// somebody else set, and is told as one.
func (o *outcome) refuse(what string, err error) {
	if apierrors.IsForbidden(err) || apierrors.IsInvalid(err) {
		o.refused = append(o.refused, reason.Finding{Rule: reason.R7_1, Reason: reason.RefusedByAPIServer, Subject: what, Other: err.Error()})
		return
	}
	o.fail(fmt.Errorf("write %s: %w", what, err))
}

// keeps is how many guards a budget keeps; one that is not written as a number counts with what the disruption controller
// made of it, as the observer counts it.
func keeps(b *policyv1.PodDisruptionBudget) int { return observedBudget(b).MinAvailable }

// Misshapen reports whether the operator would write a budget anew although it keeps the right number of guards: its
// selector or anything else in its spec differs. Whoever explains what the operator would do asks as well.
func Misshapen(b *policyv1.PodDisruptionBudget) bool {
	wanted, err := budget(keeps(b))
	return err == nil && !sameSpec(&wanted.Spec, &b.Spec)
}

func nodeOf(s *snapshot.Snapshot, name snapshot.NodeName) *snapshot.Node {
	i := slices.IndexFunc(s.Nodes, func(n snapshot.Node) bool { return n.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Nodes[i]
}

package clustermember

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/klog/v2"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// act makes the change that a pass decided, unless something that it rests on does not hold any more. It keeps invariant
// I2: one change a pass, and none from a pass that began before the last change was answered.
func (c *controller) act(ctx context.Context, p *pass.Pass) outcome {
	c.doubt.look(&p.Snapshot, c.Clock.Now())
	d := &p.Membership
	switch {
	case d.Action == membership.Wait:
		return outcome{}
	case p.Snapshot.ObservedAt.Before(c.changedAt):
		return outcome{lookAgain: true}
	case c.isOld(p):
		return c.decideAnew(d, "looking at the cluster took longer than "+maxAge.String())
	case !c.doubt.settled:
		return waits(reason.Finding{Rule: reason.R10_2, Reason: reason.ChangeOutcomeUnknown, Subject: d.Subject})
	}
	view := snapshot.NewView(&p.Snapshot)
	through := voterToAsk(view, d)
	if through == 0 && d.Action == membership.PromoteLearner {
		return waits(reason.Finding{Rule: reason.R5_2, Reason: reason.LeaderUnknown, Subject: d.Subject})
	}
	if now, err := c.Confirm(ctx, p); now.Action != d.Action || now.Target != d.Target || now.PeerURL != d.PeerURL || now.MoveLeaderTo != d.MoveLeaderTo {
		klog.FromContext(ctx).Info("live reads tell otherwise than the pass; nothing is changed",
			"decided", d.Action, "member", d.Member, "now", now.Action, "reason", now.Reason, "unread", err)
		o := c.decideAnew(d, "what the API server says now does not allow it")
		o.err = err
		return o
	}
	change := etcdclient.Change{
		Endpoints: p.Endpoints, Through: through,
		Judged: etcdclient.Judged{ClusterID: d.ClusterID, Digest: d.MemberDigest},
	}
	if d.Action == membership.RemoveMember && d.MoveLeaderTo != 0 {
		if o, may := c.mayWrite(ctx, d); !may {
			return o
		}
		c.moveLeader(ctx, change, d)
		if c.isOld(p) {
			return outcome{lookAgain: true}
		}
	}
	return c.change(ctx, change, p)
}

func (c *controller) isOld(p *pass.Pass) bool { return c.Clock.Since(p.Snapshot.ObservedAt) > maxAge }

func waits(f reason.Finding) outcome { return outcome{wait: &f} }

// decideAnew leaves a change to the next pass: one soon, but passes at their own pace if that does not help.
func (c *controller) decideAnew(d *membership.Decision, why string) outcome {
	o := waits(reason.Finding{Rule: reason.R10_2, Reason: reason.DecidedAnew, Subject: d.Subject, Other: why})
	o.lookAgain = c.current.wait == nil || c.current.wait.Reason != reason.DecidedAnew
	return o
}

// mayWrite reads live whether the operator is managed (rule R9.5) and whether its lease is fresh (rule R10.2).
func (c *controller) mayWrite(ctx context.Context, d *membership.Decision) (outcome, bool) {
	ctx, cancel := context.WithTimeout(ctx, etcdclient.WriteTimeout)
	defer cancel()
	managed, err := report.ManagedNow(ctx, c.OperatorClient)
	if err != nil || !managed {
		return outcome{err: err, unmanaged: err == nil}, false
	}
	if err := c.Lease(ctx); err != nil {
		klog.FromContext(ctx).Error(err, "leader lease is not confirmed; no change is sent")
		return waits(reason.Finding{Rule: reason.R10_2, Reason: reason.LeaseNotFresh, Subject: d.Subject}), false
	}
	return outcome{}, true
}

// moveLeader asks the subject of a removal to hand over leadership: best effort, since etcd elects another leader by
// itself (rule R6.7). The client bounds it to 5 s.
func (c *controller) moveLeader(ctx context.Context, change etcdclient.Change, d *membership.Decision) {
	change.Through = d.Member
	if err := c.Etcd.MoveLeader(ctx, change, d.MoveLeaderTo); err != nil {
		klog.FromContext(ctx).Error(err, "leadership was not moved; the removal goes on", "to", d.MoveLeaderTo)
		return
	}
	klog.FromContext(ctx).Info("leadership moved", "from", d.Member, "to", d.MoveLeaderTo)
}

// change checks, lists, compares and writes under one deadline (rule R10.2).
func (c *controller) change(ctx context.Context, change etcdclient.Change, p *pass.Pass) outcome {
	d := &p.Membership
	ctx, cancel := context.WithTimeout(ctx, etcdclient.WriteTimeout)
	defer cancel()
	if o, may := c.mayWrite(ctx, d); !may {
		return o
	}
	var err error
	switch d.Action {
	case membership.AddLearner:
		_, err = c.Etcd.AddLearner(ctx, change, []string{d.PeerURL})
	case membership.PromoteLearner:
		err = c.Etcd.Promote(ctx, change, d.Member)
	case membership.RemoveMember:
		err = c.Etcd.Remove(ctx, change, d.Member)
	default:
		return outcome{err: fmt.Errorf("carry out decision: %q is no action that is known", d.Action)}
	}
	return c.conclude(ctx, p, err)
}

// refusals are etcd's answers that a wait answers: nothing was changed, and asking again later is all there is to do.
var refusals = []error{etcdclient.ErrNotInSync, etcdclient.ErrQuorumAtRisk, etcdclient.ErrTooManyLearners}

// conclude says what the answer to a change means.
func (c *controller) conclude(ctx context.Context, p *pass.Pass, err error) outcome {
	d := &p.Membership
	log := klog.FromContext(ctx).WithValues("action", d.Action, "member", d.Member, "name", d.Name, "node", d.Node, "machine", d.Machine, "peerURL", d.PeerURL)
	switch {
	case err == nil:
		log.Info("member list changed")
		c.changedAt = c.Clock.Now()
		c.tellDone(p)
		return outcome{done: true, lookAgain: true}
	case errors.Is(err, etcdclient.ErrOutcomeUnknown):
		log.Error(err, "whether the member list was changed is not known")
		c.changedAt = c.Clock.Now()
		c.doubt.raise(c.changedAt)
		c.tellUnknown(p)
		o := waits(reason.Finding{Rule: reason.R10_2, Reason: reason.ChangeOutcomeUnknown, Subject: d.Subject})
		o.lookAgain = true
		return o
	case errors.Is(err, etcdclient.ErrAlreadyExists):
		log.Info("a member with this peer URL exists")
		if c.existing.New(map[string]string{d.PeerURL: eventAlreadyAdded})[d.PeerURL] {
			c.tell(p, eventAlreadyAdded, fmt.Sprintf("a member with peer URL %s exists", d.PeerURL))
		}
		return c.decideAnew(d, "a member with peer URL "+d.PeerURL+" exists")
	case errors.Is(err, etcdclient.ErrSetChanged), errors.Is(err, etcdclient.ErrMemberNotFound), errors.Is(err, etcdclient.ErrNotLearner):
		log.V(2).Info("somebody else changed the member list", "reason", err.Error())
		return c.decideAnew(d, "etcd's member list is not the one that was judged")
	}
	for _, refusal := range refusals {
		if errors.Is(err, refusal) {
			log.V(2).Info("etcd refuses the change", "reason", err.Error())
			return waits(reason.Finding{Rule: reason.R10_2, Reason: reason.RefusedByEtcd, Subject: d.Subject, Other: refusal.Error()})
		}
	}
	log.Error(err, "member list was not changed")
	return outcome{err: err}
}

// voterToAsk returns the member that a change is asked of: a healthy voter that is not its subject (rule R6), the leader if
// it is one. A promotion is asked of nobody else, since only the leader knows how far a learner is. 0 when there is none.
func voterToAsk(view *snapshot.View, d *membership.Decision) snapshot.MemberID {
	var best snapshot.MemberID
	bestRank := 0
	for i, m := range view.SortedMembers {
		if m.Learner || !m.IsHealthy() || m.ID == d.Member {
			continue
		}
		rank := 1
		switch machine := view.Owners[i].Machine; {
		case m.ID == d.MoveLeaderTo:
			rank = 4
		case m.ID == view.Leader:
			rank = 3
		case machine == nil || !machine.Deleting:
			rank = 2
		}
		if rank > bestRank {
			best, bestRank = m.ID, rank
		}
	}
	if d.Action == membership.PromoteLearner && best != view.Leader {
		return 0
	}
	return best
}

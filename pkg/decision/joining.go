package decision

import (
	"slices"

	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

// Rests reports whether nothing is under way behind a Reason for not adding or promoting: a spare learner may stay one for
// ever, and a node that is about to go gets no member.
func Rests(r reason.Reason) bool {
	return r == reason.EnoughVoters || r == reason.MachineDeleting || r == reason.NodeDeleting
}

// Joining is what is done, or waited for, with the member that could become a voter next; ok is false where there is none.
// That a replacement is missing (rule R6.3) is one of several things to a person: nobody made one, or one is there and
// something keeps it from voting.
func Joining(d *membership.Decision) (joins reason.Finding, ok bool) {
	if d.Action == membership.AddLearner || d.Action == membership.PromoteLearner {
		return d.Finding, true
	}
	i := slices.IndexFunc(d.Refused, func(r membership.Refusal) bool {
		// What waits for another change is no answer to what that change waits for.
		return r.Action != membership.RemoveMember && !Rests(r.Reason) && r.Reason != reason.WaitingForAnotherChange
	})
	if i < 0 {
		return reason.Finding{}, false
	}
	return d.Refused[i].Finding, true
}

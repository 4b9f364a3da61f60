package decision

import (
	"slices"

	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

// noneJoins are the reasons for not adding or promoting behind which nothing is under way.
var noneJoins = []reason.Reason{reason.WaitingForAnotherChange, reason.EnoughVoters, reason.MachineDeleting, reason.NodeDeleting}

// Joining is what is done, or waited for, with the member that could become a voter next; ok is false where there is none.
// That a replacement is missing (rule R6.3) is one of several things to a person: nobody made one, or one is there and
// something keeps it from voting.
func Joining(d *membership.Decision) (joins reason.Finding, ok bool) {
	if d.Action == membership.AddLearner || d.Action == membership.PromoteLearner {
		return d.Finding, true
	}
	i := slices.IndexFunc(d.Refused, func(r membership.Refusal) bool {
		return r.Action != membership.RemoveMember && !slices.Contains(noneJoins, r.Reason)
	})
	if i < 0 {
		return reason.Finding{}, false
	}
	return d.Refused[i].Finding, true
}

package decision_test

import (
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

func TestWhoJoinsNext(t *testing.T) {
	for name, test := range map[string]struct {
		edits []snapshottest.Edit
		want  reason.Reason
	}{
		"nobody":                    {nil, ""},
		"a node that gets a member": {[]snapshottest.Edit{snapshottest.Waiting(snapshottest.D)}, reason.AddingLearner},
		"a learner on a cordoned node": {[]snapshottest.Edit{snapshottest.Learner(snapshottest.D), snapshottest.Cordoned(snapshottest.D), snapshottest.Deleting(snapshottest.A)},
			reason.NodeCordoned},
		"a node that waits for a voter": {[]snapshottest.Edit{snapshottest.Waiting(snapshottest.D), snapshottest.Unhealthy(snapshottest.B, 0)}, reason.VoterNotHealthy},
		"a node of a Machine that goes is none": {[]snapshottest.Edit{snapshottest.Voter(snapshottest.D), snapshottest.Released(snapshottest.A), snapshottest.MemberGone(snapshottest.A)},
			""},
		"a Machine without a node is none": {[]snapshottest.Edit{snapshottest.NewMachine(snapshottest.D), snapshottest.Deleting(snapshottest.A)}, ""},
	} {
		d := decision.About(snapshottest.New(test.edits...)).Membership
		joins, ok := decision.Joining(&d)
		if joins.Reason != test.want || ok != (test.want != "") {
			t.Errorf("%s: %v %+v", name, ok, joins)
		}
	}
}

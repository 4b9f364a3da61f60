package clustermember

import (
	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
)

// lineOf puts a finding of a pass into words. That a replacement is missing is one of several things to a person: nobody
// made one, or one is there and something keeps it from voting; then it is that which has to be told. Steps of its joining
// leave the Reason as it is.
func lineOf(p *pass.Pass, f reason.Finding) report.Line {
	if f.Reason != reason.WaitingForReplacementVoter {
		return report.LineOf(f)
	}
	if joins, found := decision.Joining(&p.Membership); found {
		why := f.Reason
		if joins.Reason == reason.VoterNotHealthy {
			why = joins.Reason
		}
		return report.Line{Reason: string(why), Text: f.Message() + "; " + report.Sentence(joins)}
	}
	return report.LineOf(f)
}

func linesOf(p *pass.Pass, findings []reason.Finding) []report.Line {
	lines := make([]report.Line, len(findings))
	for i, f := range findings {
		lines[i] = lineOf(p, f)
	}
	return lines
}

package reasontest

import (
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

// Complete reports an error to t for every way in which a Finding says less than its Reason's sentences want to: no rule,
// a Reason without an entry, or a placeholder of Message or Unblock that has nothing to stand for. A count of zero can be
// a fact ("0 voters are healthy"), a need of zero cannot.
func Complete(t *testing.T, f reason.Finding) {
	t.Helper()
	entry, ok := reason.Lookup(f.Reason)
	if !ok {
		t.Errorf("Reason %q of %+v is not in the table", f.Reason, f)
		return
	}
	if f.Rule == "" {
		t.Errorf("%s cites no rule: %+v", f.Reason, f)
	}
	for placeholder, filled := range map[string]bool{
		"{subject}": f.Subject != "", "{other}": f.Other != "", "{need}": f.Need > 0,
	} {
		if strings.Contains(entry.Message+entry.Unblock, placeholder) && !filled {
			t.Errorf("%s says %s and has nothing to fill it with: %+v", f.Reason, placeholder, f)
		}
	}
	if strings.ContainsAny(f.Message()+f.Unblock(), "{}") {
		t.Errorf("%s leaves a placeholder in %q, %q", f.Reason, f.Message(), f.Unblock())
	}
	if f.Message() == "" || f.Unblock() == "" {
		t.Errorf("%s says nothing: %+v", f.Reason, f)
	}
}

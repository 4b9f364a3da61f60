package quorumguard

import (
	"strings"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

const (
	// unheededPause bounds how long a budget is not written again that the API server does not store as it is written:
	// writing has no effect then.
	unheededPause = 5 * time.Minute
	// undonePause is that for one that was stored and changed by somebody since, and for one that keeps too few guards.
	// What was stored and keeps too few by now is written at once, however often: each write protects (invariant I10).
	undonePause = 15 * time.Second
	// calm is how long a budget must have stayed as written until it is no longer said that it does not. It is longer than
	// the longest pause.
	calm = 10 * time.Minute
)

// standoff remembers how often in a row the same budget was written: more than once, when an admission webhook or somebody
// else makes another of it. In memory only: a restart begins with the shortest pause again.
type standoff struct {
	wanted *policyv1.PodDisruptionBudgetSpec
	times  int
	at     time.Time
	// unheeded: what the API server answered was not what was written.
	unheeded bool
	// fields are those that did not stay.
	fields string
}

func (s *standoff) isAbout(wanted *policyv1.PodDisruptionBudgetSpec, now time.Time) bool {
	return s.wanted != nil && now.Sub(s.at) < calm && sameSpec(s.wanted, wanted)
}

// paused reports whether the same was written a moment ago; enough tells whether the budget keeps as many guards all the
// same. What was undone once may have been a slip, and is written at once.
func (s *standoff) paused(wanted *policyv1.PodDisruptionBudgetSpec, enough bool, now time.Time) bool {
	longest := undonePause
	switch {
	case s.unheeded && enough:
		longest = unheededPause
	case !s.unheeded && s.times == 1:
		return false
	}
	return s.isAbout(wanted, now) && now.Sub(s.at) < min(time.Second<<min(s.times-1, 10), longest)
}

// wrote notes what was written in place of what, nil for no budget, and what the API server answered.
func (s *standoff) wrote(wanted, before, after *policyv1.PodDisruptionBudgetSpec, now time.Time) {
	times, fields := 1, ""
	if s.isAbout(wanted, now) {
		times = s.times + 1
		if before != nil {
			fields = differing(wanted, before)
		}
	}
	unheeded := !sameSpec(wanted, after)
	if unheeded {
		fields = differing(wanted, after)
	}
	*s = standoff{wanted: wanted, times: times, at: now, unheeded: unheeded, fields: fields}
}

// findings name the budget and what of it does not stay as the operator writes it.
func (s *standoff) findings(now time.Time) []reason.Finding {
	if s.fields == "" || now.Sub(s.at) >= calm {
		return nil
	}
	return []reason.Finding{notKept("PodDisruptionBudget "+budgetName, s.fields)}
}

// notKept is about an object of which the API server stores something else, or somebody makes something else, than what is
// written.
func notKept(object, fields string) reason.Finding {
	return reason.Finding{
		Rule: reason.R7_1, Reason: reason.RefusedByAPIServer, Subject: object, Other: fields + " does not stay as it is written",
	}
}

// differing names the fields in which two specs differ.
func differing(a, b *policyv1.PodDisruptionBudgetSpec) string {
	var fields []string
	for _, field := range []struct {
		name string
		a, b any
	}{
		{"spec.minAvailable", a.MinAvailable, b.MinAvailable},
		{"spec.maxUnavailable", a.MaxUnavailable, b.MaxUnavailable},
		{"spec.selector", a.Selector, b.Selector},
		{"spec.unhealthyPodEvictionPolicy", a.UnhealthyPodEvictionPolicy, b.UnhealthyPodEvictionPolicy},
	} {
		if !equality.Semantic.DeepEqual(field.a, field.b) {
			fields = append(fields, field.name)
		}
	}
	return strings.Join(fields, ", ")
}

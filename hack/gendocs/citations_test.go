package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/hack/source"
)

var root = filepath.Join("..", "..")

func TestCitations(t *testing.T) {
	set, err := source.Load(root, "./"+vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		code string
		want []string
		err  string
	}{
		"a Finding written as a literal": {
			code: `func f() reason.Finding { return reason.Finding{Rule: reason.R5_1, Reason: reason.AddingLearner} }`,
			want: []string{"R5.1 AddingLearner"},
		},
		"the zero Finding cites nothing": {
			code: `func f() reason.Finding { return reason.Finding{} }`,
		},
		"a rule and a Reason that a caller passes stay together": {
			code: `
				func made(r reason.Rule, why reason.Reason) reason.Finding { return reason.Finding{Rule: r, Reason: why} }
				func f() { made(reason.R4_1, reason.AddingHook); made(reason.R4_2, reason.RepairingHook) }`,
			want: []string{"R4.1 AddingHook", "R4.2 RepairingHook"},
		},
		"only the Reason is passed": {
			code: `
				type pass struct{}
				func (pass) allow(i int, why reason.Reason) reason.Finding { return reason.Finding{Rule: reason.R6_5, Reason: why} }
				func (p pass) f() { p.allow(1, reason.RemovingOrphanLearner) }`,
			want: []string{"R6.5 RemovingOrphanLearner"},
		},
		"a function literal is called with the Reason, and its function with the rule": {
			code: `
				func holds(rule reason.Rule, x bool) reason.Finding {
					why := func(r reason.Reason) reason.Finding { return reason.Finding{Rule: rule, Reason: r} }
					if x { return why(reason.NodeCordoned) }
					return why(reason.NodeNotReady)
				}
				func f() { holds(reason.R5_1, true); holds(reason.R5_2, true) }`,
			want: []string{"R5.1 NodeCordoned", "R5.1 NodeNotReady", "R5.2 NodeCordoned", "R5.2 NodeNotReady"},
		},
		"a variable may be either of what is assigned to it": {
			code: `
				func f(x bool) reason.Finding {
					why := reason.VoterMachineHasNoNode
					if x { why = reason.VoterMachineExcludedFromDrain }
					return reason.Finding{Rule: reason.R4_7, Reason: why}
				}`,
			want: []string{"R4.7 VoterMachineExcludedFromDrain", "R4.7 VoterMachineHasNoNode"},
		},
		"a Finding gets its rule from the function that it is passed to, also as the result of another": {
			code: `
				func missing() reason.Finding { return reason.Finding{Reason: reason.DrainsWaitForGuard} }
				func f() {
					hold := func(f reason.Finding) { f.Rule = reason.R7_2 }
					hold(reason.Finding{Reason: reason.DrainsWaitForVoter})
					hold(missing())
				}`,
			want: []string{"R7.2 DrainsWaitForGuard", "R7.2 DrainsWaitForVoter"},
		},
		"a comparison with a Reason is no citation": {
			code: `func f(r reason.Reason) bool { return r == reason.GuardOutdated }`,
		},
		"a Finding that gets no rule is an error": {
			code: `func f() reason.Finding { return reason.Finding{Reason: reason.DrainsWaitForGuard} }`,
			err:  "x.go:3:34: it cannot be told",
		},
		"a Finding without a Reason is an error": {
			code: `func f() reason.Finding { return reason.Finding{Rule: reason.R5} }`,
			err:  "x.go:3:34: a Finding without a Reason",
		},
		"a Reason that cannot be told is an error": {
			code: `func f(m map[int]reason.Reason) reason.Finding { return reason.Finding{Rule: reason.R5, Reason: m[0]} }`,
			err:  "it cannot be told",
		},
		"a function that takes a Reason and is never called is an error": {
			code: `func f(r reason.Reason) reason.Finding { return reason.Finding{Rule: reason.R5, Reason: r} }`,
			err:  "nothing calls f",
		},
		"a function that passes its Reason to itself is an error": {
			code: `func f(r reason.Reason) reason.Finding { f(r); return reason.Finding{Rule: reason.R5, Reason: r} }`,
			err:  "f passes a rule or a Reason to itself",
		},
	} {
		t.Run(name, func(t *testing.T) {
			pkg, err := set.Check("x", map[string]string{"x.go": "package x\nimport \"github.com/openshift/cluster-etcd-operator/pkg/reason\"\n" + test.code + "\nvar _ reason.Rule\n"})
			if err != nil {
				t.Fatal(err)
			}
			citations, err := Citations(set, pkg)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("got error %v, want one with %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range citations {
				got = append(got, fmt.Sprintf("%s %s", c.Rule, c.Reason))
			}
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

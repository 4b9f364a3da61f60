package main

import (
	"errors"
	"slices"
	"testing"

	"github.com/openshift/cluster-etcd-operator/lab/oracle"
)

func TestOnlyAMachineThatDidNotKeepUpIsPlayedAgain(t *testing.T) {
	holds := oracle.Claim{Result: oracle.Holds}
	strained := oracle.Claim{Result: oracle.NotProven, Strained: true}
	unproven := oracle.Claim{Result: oracle.NotProven}
	broken := oracle.Claim{Result: oracle.Broken}
	for name, test := range map[string]struct {
		first []oracle.Claim
		err   error
		again bool
	}{
		"all holds":                          {[]oracle.Claim{holds}, nil, false},
		"the machine did not keep up":        {[]oracle.Claim{holds, strained}, nil, true},
		"and something is broken":            {[]oracle.Claim{strained, broken}, nil, false},
		"and something else is not proven":   {[]oracle.Claim{strained, unproven}, nil, false},
		"something is not proven by itself":  {[]oracle.Claim{holds, unproven}, nil, false},
		"nothing was judged":                 {nil, nil, false},
		"the lab could not be brought up":    {nil, errors.New("no"), false},
		"the machine did not keep up, twice": {[]oracle.Claim{strained}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			var folders []string
			verdict, err := untilSeen("1-one", func(folder string) (oracle.Verdict, error) {
				folders = append(folders, folder)
				return oracle.Verdict{Claims: test.first}, test.err
			})
			want := []string{"1-one"}
			if test.again {
				want = append(want, "1-one-again")
			}
			if !slices.Equal(folders, want) {
				t.Errorf("played in %v, want %v", folders, want)
			}
			if !errors.Is(err, test.err) || len(verdict.Claims) != len(test.first) {
				t.Errorf("got %v and %v, not what the last run gave", verdict, err)
			}
		})
	}
}

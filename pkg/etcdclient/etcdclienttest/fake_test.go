package etcdclienttest

import (
	"testing"
	"testing/synctest"
)

func TestFakeKeepsTheContract(t *testing.T) {
	RunContract(t, Implementation{
		New: func(t *testing.T, spec Spec) Subject {
			return New(t, Options(spec))
		},
		Run: synctest.Test,
	})
}

package replicas

import (
	"errors"
	"strconv"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// inputError returns err as an InputError, and holds what every one of ours must be.
func inputError(t *testing.T, err error) *snapshot.InputError {
	t.Helper()
	var input *snapshot.InputError
	if !errors.As(err, &input) {
		t.Fatalf("%T is not an InputError: %v", err, err)
	}
	if input.Object == "" || input.Field == "" || input.Problem == "" || input.Remedy == "" {
		t.Errorf("a part is missing: %#v", input)
	}
	text := err.Error()
	if len(text) >= 1024 {
		t.Errorf("the text has %d bytes: %s", len(text), text)
	}
	for _, r := range text {
		if !strconv.IsPrint(r) {
			t.Errorf("the text holds %U: %q", r, text)
			break
		}
	}
	return input
}

// fault is what a table expects of an InputError; empty when it expects none.
type fault struct{ field, value, problem string }

func (want fault) check(t *testing.T, object string, err error) {
	t.Helper()
	if want == (fault{}) {
		if err != nil {
			t.Errorf("unexpected error: %v", err)
		}
		return
	}
	if err == nil {
		t.Fatalf("no error, want %+v", want)
	}
	got := inputError(t, err)
	if got.Object != object || got.Field != want.field || got.Value != want.value || got.Problem != want.problem {
		t.Errorf("got  %#v\nwant %+v of %s", got, want, object)
	}
}

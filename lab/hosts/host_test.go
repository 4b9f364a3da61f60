package hosts

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/hostinit"
)

func TestAHostThatDoesNotUnderstandIsNoticed(t *testing.T) {
	own := hostinit.Protocol()
	for name, test := range map[string]struct {
		answer   any
		deadline time.Duration
		want     string
	}{
		"it does what it is told":              {hostinit.Answer{Protocol: own}, time.Minute, ""},
		"it says what is wrong":                {hostinit.Answer{Protocol: own, Error: "no such device"}, time.Minute, "no such device"},
		"it is of another revision":            {hostinit.Answer{Protocol: "other"}, time.Minute, "of different revisions"},
		"it is of a revision that had no name": {struct{ Error string }{}, time.Minute, "of different revisions"},
		"it says that the lab is":              {hostinit.Answer{Protocol: "other", Error: hostinit.ErrProtocol.Error()}, time.Minute, "of different revisions"},
		"it says something else":               {"what?", time.Minute, "hear from the host's first process"},
		"it does not answer":                   {nil, time.Millisecond, "did not answer within 1ms; if it cannot: etcdlab and labhost are of different revisions"},
	} {
		t.Run(name, func(t *testing.T) {
			pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			h := &Host{folder: t.TempDir()}
			if err := h.speakThrough(pair[0]); err != nil {
				t.Fatal(err)
			}
			defer h.socket.Close()
			theirs := os.NewFile(uintptr(pair[1]), "lab")
			defer theirs.Close()
			if test.answer != nil {
				if err := json.NewEncoder(theirs).Encode(test.answer); err != nil {
					t.Fatal(err)
				}
			}
			err = h.tellWithin(test.deadline, hostinit.StopKubelet)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %q", err, test.want)
			}
			var heard hostinit.Command
			if err := json.NewDecoder(theirs).Decode(&heard); err != nil && !errors.Is(err, io.EOF) || heard != hostinit.StopKubelet {
				t.Errorf("it heard %q, %v", heard, err)
			}
		})
	}
}

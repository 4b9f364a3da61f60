package clustermember

import (
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

func TestDoubt(t *testing.T) {
	// look is a pass that began at a second and whose list was in hand at another, since the call ended.
	type look struct {
		began, inHand time.Duration
		known         snapshot.Fact
		another       bool
	}
	const s = time.Second
	for name, test := range map[string]struct {
		looks   []look
		settled bool
	}{
		"no list":                                  {nil, false},
		"one list":                                 {[]look{{1 * s, 2 * s, snapshot.True, false}}, false},
		"two lists less than 10 s apart":           {[]look{{0, 2 * s, snapshot.True, false}, {11*s + 999*time.Millisecond, 13 * s, snapshot.True, false}}, false},
		"two lists 10 s apart":                     {[]look{{0, 2 * s, snapshot.True, false}, {12 * s, 13 * s, snapshot.True, false}}, true},
		"the first was read before the call":       {[]look{{-1 * s, 0, snapshot.True, false}, {10 * s, 10 * s, snapshot.True, false}}, false},
		"the first is not known":                   {[]look{{0, 0, snapshot.Unknown, false}, {10 * s, 10 * s, snapshot.True, false}}, false},
		"the second is not known":                  {[]look{{0, 0, snapshot.True, false}, {10 * s, 10 * s, snapshot.Unknown, false}}, false},
		"one between the two is not known":         {[]look{{0, 0, snapshot.True, false}, {5 * s, 5 * s, snapshot.Unknown, false}, {10 * s, 10 * s, snapshot.True, false}}, true},
		"they do not agree":                        {[]look{{0, 0, snapshot.True, false}, {10 * s, 10 * s, snapshot.True, true}}, false},
		"one between them agrees with neither":     {[]look{{0, 0, snapshot.True, false}, {5 * s, 5 * s, snapshot.True, true}, {10 * s, 10 * s, snapshot.True, false}}, false},
		"the last two agree":                       {[]look{{0, 0, snapshot.True, false}, {5 * s, 5 * s, snapshot.True, true}, {15 * s, 15 * s, snapshot.True, true}}, true},
		"a third, of a pass that was quick to see": {[]look{{0, 0, snapshot.True, false}, {5 * s, 5 * s, snapshot.True, false}, {10 * s, 10 * s, snapshot.True, false}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			ended := snapshottest.Epoch
			d := doubt{settled: true}
			d.raise(ended)
			for _, l := range test.looks {
				world := snapshottest.New()
				if l.another {
					world = snapshottest.New(snapshottest.Learner(snapshottest.D))
				}
				world.ObservedAt, world.MemberList = ended.Add(l.began), l.known
				d.look(&world, ended.Add(l.inHand))
			}
			if d.settled != test.settled {
				t.Errorf("settled is %t, want %t", d.settled, test.settled)
			}
		})
	}
}

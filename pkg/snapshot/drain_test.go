package snapshot_test

import (
	"slices"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

func TestTheMachineAPIDrainsOneControlPlaneNodeAtATime(t *testing.T) {
	a, b := world.A, world.B
	node := func(h world.Host, edit func(*snapshot.Node)) world.Edit { return world.Node(h, edit) }
	for name, test := range map[string]struct {
		edits []world.Edit
		want  snapshot.NodeName
	}{
		"nobody is cordoned":               {nil, ""},
		"another is cordoned":              {[]world.Edit{world.Cordoned(b)}, "node-b"},
		"its own node is cordoned as well": {[]world.Edit{world.Cordoned(a, b)}, ""},
		"its own node alone is cordoned":   {[]world.Edit{world.Cordoned(a)}, ""},
		"its own node is gone":             {[]world.Edit{world.Cordoned(b), node(a, func(n *snapshot.Node) { n.Present = snapshot.False })}, ""},
		"its own node is not among those that are known": {[]world.Edit{world.Cordoned(b), world.Facts(func(s *snapshot.Snapshot) {
			s.Nodes = slices.DeleteFunc(s.Nodes, func(n snapshot.Node) bool { return n.Name == "node-a" })
		})}, ""},
		"the other is gone":                            {[]world.Edit{world.Cordoned(b), node(b, func(n *snapshot.Node) { n.Present = snapshot.False })}, ""},
		"the other is a worker":                        {[]world.Edit{world.Cordoned(b), node(b, func(n *snapshot.Node) { n.ControlPlane = false })}, ""},
		"its Machine has no Node":                      {[]world.Edit{world.Cordoned(b), world.Machine(a, func(m *snapshot.Machine) { m.NodeRef = "" })}, ""},
		"its Machine is excluded from draining":        {[]world.Edit{world.Cordoned(b), world.Machine(a, func(m *snapshot.Machine) { m.ExcludedFromDrain = true })}, ""},
		"the Machine API does not manage its Machines": {[]world.Edit{world.Cordoned(b), world.Facts(func(s *snapshot.Snapshot) { s.MachineAPI = snapshot.False })}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := world.New(append([]world.Edit{world.Deleting(a)}, test.edits...)...)
			view := snapshot.NewView(&s)
			if got := view.CordonedBeside(view.SortedMachines[0]); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

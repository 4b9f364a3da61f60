package metrics

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/component-base/metrics"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/pass/passtest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	w "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

var start = time.Unix(1_700_000_000, 0)

// scene publishes snapshots and reads the metrics about them.
type scene struct {
	t        *testing.T
	source   *passtest.Source
	registry metrics.KubeRegistry
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t, &passtest.Source{}, metrics.NewKubeRegistry()}
	if err := s.registry.CustomRegister(New(s.source)); err != nil {
		t.Fatal(err)
	}
	return s
}

// saw publishes what was observed some seconds after the start.
func (s *scene) saw(after int, edits ...w.Edit) {
	facts := w.New(append(edits, w.Facts(func(s *snapshot.Snapshot) {
		s.ObservedAt = start.Add(time.Duration(after) * time.Second)
		for i := range s.Machines {
			s.Machines[i].UID = "uid-" + string(s.Machines[i].Name)
			if s.Machines[i].Deleting {
				s.Machines[i].DeletionTimestamp = start
			}
		}
	}))...)
	s.source.Publish(pass.Pass{Decisions: decision.About(facts)})
}

// series returns those of one metric that are not 0, without the common prefix, in order.
func (s *scene) series(name string) []string {
	s.t.Helper()
	families, err := s.registry.Gather()
	if err != nil {
		s.t.Fatal(err)
	}
	var found []string
	for _, family := range families {
		if family.GetName() != prefix+name {
			continue
		}
		for _, m := range family.GetMetric() {
			value := m.GetGauge().GetValue() + m.GetCounter().GetValue()
			if value == 0 {
				continue
			}
			var labels []string
			for _, label := range m.GetLabel() {
				labels = append(labels, label.GetName()+"="+label.GetValue())
			}
			found = append(found, strings.TrimSpace(fmt.Sprintf("%s %v", strings.Join(labels, " "), value)))
		}
	}
	slices.Sort(found)
	return found
}

func (s *scene) expect(name string, want ...string) {
	s.t.Helper()
	if diff := cmp.Diff(want, s.series(name)); diff != "" {
		s.t.Errorf("unexpected %s (-want +got):\n%s", name, diff)
	}
}

func TestNothingIsToldBeforeTheFirstPass(t *testing.T) {
	s := newScene(t)
	families, err := s.registry.Gather()
	if err != nil || len(families) != 0 {
		t.Errorf("%d metrics, error %v", len(families), err)
	}
}

func TestMembersAreCountedByRoleAndHealth(t *testing.T) {
	s := newScene(t)
	s.saw(0, w.NewMachine(w.D, w.E), w.NewNode(w.D, w.E), w.Learner(w.D), w.Unhealthy(w.B, time.Minute),
		w.Member(w.C, func(m *snapshot.Member) { m.Corrupt = snapshot.True }))
	s.expect("members", "health=healthy role=leader 1", "health=healthy role=learner 1", "health=unhealthy role=voter 2")
	s.expect("member",
		"health=healthy id=a member=node-a role=leader 1",
		"health=healthy id=d member=node-d role=learner 1",
		"health=unhealthy id=b member=node-b role=voter 1",
		"health=unhealthy id=c member=node-c role=voter 1")
}

func TestASeriesVanishesWithItsMember(t *testing.T) {
	s := newScene(t)
	s.saw(0)
	if n := len(s.series("member")); n != 3 {
		t.Fatalf("%d members", n)
	}
	s.saw(1, w.MemberGone(w.C))
	s.expect("member", "health=healthy id=a member=node-a role=leader 1", "health=healthy id=b member=node-b role=voter 1")
	s.expect("members", "health=healthy role=leader 1", "health=healthy role=voter 1")
}

// A series that is collected twice is an error of the whole registry.
func TestAMemberThatIsListedTwiceIsToldOnce(t *testing.T) {
	s := newScene(t)
	s.saw(0, func(world *w.World) {
		again := world.Members[2]
		renamed := world.Members[1]
		renamed.Name = "another"
		world.Members = append(world.Members, again, renamed)
	})
	s.expect("member",
		"health=healthy id=a member=node-a role=leader 1", "health=healthy id=b member=node-b role=voter 1", "health=healthy id=c member=node-c role=voter 1")
	s.expect("members", "health=healthy role=leader 1", "health=healthy role=voter 2")
}

func TestMembersAreAbsentWhileTheListIsUnknown(t *testing.T) {
	s := newScene(t)
	s.saw(0, w.Facts(func(s *snapshot.Snapshot) { s.MemberList, s.Members = snapshot.Unknown, nil }))
	s.expect("members")
	s.expect("action", "action=Wait reason=MemberListUnknown 1")
}

func TestTheCurrentActionIsTheOnlyOne(t *testing.T) {
	s := newScene(t)
	s.saw(0)
	s.expect("action", "action=Wait reason=MembershipAsExpected 1")
	s.saw(1, w.Deleting(w.A))
	s.expect("action", "action=Wait reason=WaitingForReplacementVoter 1")
	s.expect("last_pass_timestamp_seconds", fmt.Sprint(float64(start.Unix()+1)))
}

func TestRefusalsAreCountedByRule(t *testing.T) {
	s := newScene(t)
	s.saw(0, w.Deleting(w.A, w.B))
	s.expect("refused_actions",
		"about=hook action=RemoveHook rule=R4.4 2",
		"about=membership action=RemoveMember rule=R6.3 2")
}

func TestPhasesOfAReplacementAreTimed(t *testing.T) {
	s := newScene(t)
	at := func(after int) string { return fmt.Sprint(float64(start.Unix() + int64(after))) }
	s.saw(5, w.Deleting(w.A))
	s.expect("replacement_phase_timestamp_seconds", "machine=machine-a phase=deleting "+at(0))
	s.saw(20, w.Deleting(w.A), w.NewMachine(w.D), w.NewNode(w.D), w.Voter(w.D))
	s.saw(25, w.Deleting(w.A), w.NewMachine(w.D), w.NewNode(w.D), w.Voter(w.D))
	s.expect("replacement_phase_timestamp_seconds", "machine=machine-a phase=deleting "+at(0), "machine=machine-a phase=joined "+at(20))
	replaced := []w.Edit{w.Deleting(w.A), w.NewMachine(w.D), w.NewNode(w.D), w.Voter(w.D), w.MemberGone(w.A)}
	s.saw(30, replaced...)
	s.saw(31, append(replaced, w.Released(w.A))...)
	s.expect("replacement_phase_timestamp_seconds",
		"machine=machine-a phase=deleting "+at(0), "machine=machine-a phase=joined "+at(20),
		"machine=machine-a phase=released "+at(31), "machine=machine-a phase=removed "+at(30))
	s.expect("replacements_total")
	s.saw(90, append(replaced, w.MachineGone(w.A))...)
	s.expect("replacement_phase_timestamp_seconds")
	s.expect("replacements_total", "1")
	s.expect("last_replacement_timestamp_seconds", at(90))
	s.expect("last_replacement_phase_duration_seconds", "phase=gone 59", "phase=joined 20", "phase=released 1", "phase=removed 10")
}

func TestNoPhaseIsReachedByWhatIsNotKnown(t *testing.T) {
	s := newScene(t)
	s.saw(5, w.Deleting(w.A))
	for name, blind := range map[string]func(*snapshot.Snapshot){
		"the member list":   func(s *snapshot.Snapshot) { s.MemberList, s.Members = snapshot.Unknown, nil },
		"the list of nodes": func(s *snapshot.Snapshot) { s.NodeList, s.Nodes = snapshot.Unknown, nil },
		"the machines":      func(s *snapshot.Snapshot) { s.MachineList, s.Machines = snapshot.Unknown, nil },
	} {
		s.saw(10, w.Deleting(w.A), w.Facts(blind))
		if got := s.series("replacement_phase_timestamp_seconds"); len(got) != 1 {
			t.Errorf("without %s: %v", name, got)
		}
		s.expect("replacements_total")
	}
}

func TestAMachineWithoutAMemberIsNoReplacement(t *testing.T) {
	s := newScene(t)
	s.saw(5, w.NewMachine(w.D), w.Deleting(w.D))
	s.saw(6)
	s.expect("replacements_total")
}

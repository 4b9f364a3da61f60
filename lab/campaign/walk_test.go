package campaign

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

const seeds = 400

func parsed(t *testing.T, w Walk) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse(w.Name, []byte(w.Text), w.Seed)
	if err != nil {
		t.Fatalf("%v\n%s", err, w.Text)
	}
	return s
}

// state is what a walk has done so far, followed step by step.
type state struct {
	size int
	// live and deleted are Machines; lost are hosts without a living member: by what.
	live, deleted map[string]bool
	lost          map[string]string
	operator      string
	// runs is the host whose etcd was waited for in the step before.
	runs    string
	undone  map[string]bool
	fragile bool
}

// follow takes a step, and says what is wrong with it.
func (s *state) follow(step scenario.Step) string {
	needs := func(host string) string {
		if !s.live[host] {
			return "there is no host " + host + " that stays"
		}
		return ""
	}
	runs := s.runs
	s.runs = ""
	switch action := step.Action.(type) {
	case *scenario.Run:
		if _, name, found := strings.Cut(strings.Join(action.Command, " "), "-name="); found {
			s.runs, _, _ = strings.Cut(name, `"`)
		}
	case *scenario.Create:
		s.live[action.Machine] = true
		if !strings.HasPrefix(action.Like, "master-") {
			return "it is like nobody"
		}
	case *scenario.Delete:
		if action.Machine == "" {
			return ""
		}
		why := needs(action.Machine)
		delete(s.live, action.Machine)
		s.deleted[action.Machine] = true
		if s.lost[action.Machine] != "" && s.lost[action.Machine] != "destroy" {
			return "a Machine is deleted whose host is away"
		}
		return why
	case *scenario.Host:
		key := step.Kind + action.Process
		undo := map[string]string{"start": "terminate", "heal": "partition", "resume": "pause", "resumeetcd": "pauseetcd", "start-kubelet": "stop-kubelet"}[key]
		switch {
		case undo != "" && s.lost[action.Host] != undo && !(key == "resumeetcd" && s.lost[action.Host] == "slow"):
			return "nothing is there to be undone on " + action.Host
		case undo != "":
			delete(s.lost, action.Host)
			return ""
		case s.lost[action.Host] != "":
			return action.Host + " is away already"
		case action.Process != "" && runs != action.Host:
			return "nobody knows whether etcd runs on " + action.Host
		}
		s.lost[action.Host] = key
		s.fragile = s.fragile || key == "destroy"
		return needs(action.Host)
	case *scenario.Slow:
		s.lost[action.Host] = "slow"
		return needs(action.Host)
	case *scenario.Operator:
		was := s.operator
		switch action.Do {
		case "pause", "stop", "partition":
			s.operator = action.Do
		case "resume", "start", "heal":
			s.operator = ""
		}
		if want := map[string]string{"resume": "pause", "start": "stop", "heal": "partition"}[action.Do]; was != want {
			return "the operator is not as " + action.Do + " needs it"
		}
	case *scenario.Node:
		if step.Kind == "hold-rollout" || step.Kind == "cordon" {
			s.undone[step.Kind+action.Node] = true
		}
		delete(s.undone, map[string]string{"let-rollout": "hold-rollout", "uncordon": "cordon"}[step.Kind]+action.Node)
	case *scenario.Drain:
		s.undone["cordon"+action.Node] = true
		return needs(action.Node)
	case *scenario.Strip:
		return needs(action.Machine)
	case *scenario.Fight:
		return needs(action.Machine)
	case *scenario.Reboot:
		if len(s.lost) > 0 || s.operator != "" {
			return "a reboot cannot be done now"
		}
		return needs(action.Node)
	case *scenario.Wait:
		text := action.Until.Text
		if strings.Contains(text, "healthyVoters ==") {
			if len(s.live) != s.size || s.operator != "" || len(s.undone) > 0 {
				return fmt.Sprintf("all cannot become whole: %d Machines, operator %q, %v", len(s.live), s.operator, s.undone)
			}
			for host, how := range s.lost {
				if s.live[host] && how != "killetcd" {
					return host + " is away for ever"
				}
			}
			s.lost, s.fragile = map[string]string{}, false
		}
		for host, how := range s.lost {
			if how == "killetcd" && strings.Contains(text, fmt.Sprintf("member(%q).healthy", host)) {
				delete(s.lost, host)
			}
		}
		if strings.Contains(text, ".hooked") && s.operator != "" {
			return "a hook is waited for without an operator"
		}
	}
	return ""
}

func (s *state) away() int { return len(s.lost) }

func TestWalksCanBePlayedAndKeepAMajorityAlive(t *testing.T) {
	kinds := map[string]int{}
	for seed := range int64(seeds) {
		w := NewWalk("walk", seed, All)
		played := parsed(t, w)
		s := &state{size: played.ControlPlanes, live: map[string]bool{}, deleted: map[string]bool{}, lost: map[string]string{}, undone: map[string]bool{}}
		for i := range played.ControlPlanes {
			s.live[fmt.Sprintf("master-%d", i)] = true
		}
		for _, step := range played.Steps {
			if why := s.follow(step); why != "" {
				t.Fatalf("seed %d, line %d, %s: %s\n%s", seed, step.Line, step, why, w.Text)
			}
			if most := (s.size - 1) / 2; s.away() > most {
				t.Fatalf("seed %d, line %d, %s: %v are away, at most %d may be\n%s", seed, step.Line, step, s.lost, most, w.Text)
			}
			if s.fragile && s.away() > 1 {
				t.Fatalf("seed %d, line %d, %s: %v are away beside one that is lost", seed, step.Line, step, s.lost)
			}
			kinds[kindOf(step)]++
		}
		if last := played.Steps[len(played.Steps)-1].String(); s.away() > 0 || s.operator != "" || len(s.undone) > 0 || !strings.Contains(last, "healthyVoters") {
			t.Fatalf("seed %d: not all is undone at the end, %s: %v, operator %q, %v", seed, last, s.lost, s.operator, s.undone)
		}
		if len(played.Gone) != len(s.deleted) {
			t.Fatalf("seed %d: %v must be gone, %v were deleted", seed, played.Gone, s.deleted)
		}
	}
	for _, kind := range []string{
		"create machine", "delete machine", "delete node", "destroy", "terminate", "partition", "pause", "pause etcd", "slow", "stop-kubelet", "kill etcd",
		"kill the operator", "restart the operator", "pause the operator", "stop the operator", "partition the operator", "strip", "fight", "drain", "cordon", "reboot", "delete guard", "hold-rollout",
	} {
		if kinds[kind] < 5 {
			t.Errorf("%q occurs %d times in %d walks", kind, kinds[kind], seeds)
		}
	}
}

func TestASeedAlwaysMakesTheSameWalkAndOthersAnother(t *testing.T) {
	a, b, c := NewWalk("walk", 7, All), NewWalk("walk", 7, All), NewWalk("walk", 8, All)
	if a != b {
		t.Error("one seed makes two walks")
	}
	if a.Text == c.Text {
		t.Error("two seeds make one walk")
	}
}

func TestTheBeginningOfAWalkHasItsFirstSteps(t *testing.T) {
	for seed := range int64(50) {
		whole := NewWalk("walk", seed, All)
		all := parsed(t, whole).Steps
		for moves := range whole.Moves {
			beginning := NewWalk("walk", seed, moves)
			steps := parsed(t, beginning).Steps
			if beginning.Moves != moves {
				t.Fatalf("seed %d: %d moves of %d wanted", seed, beginning.Moves, moves)
			}
			same := 0
			for same < len(steps) && same < len(all) && steps[same].String() == all[same].String() {
				same++
			}
			// Each move is a step and a sleep at least; what comes after undoes.
			if same < 1+moves {
				t.Errorf("seed %d: the first %d moves have %d steps of the walk:\n%s", seed, moves, same, beginning.Text)
			}
		}
		if longer := NewWalk("walk", seed, whole.Moves+5); longer != whole {
			t.Errorf("seed %d: more moves than there are make another walk", seed)
		}
	}
}

func TestStepsThatUndoAreNotCountedAsFaults(t *testing.T) {
	for text, want := range map[string]string{
		"partition: {host: a}": "partition", "heal: {host: a}": "", "pause: {host: a, process: etcd}": "pause etcd", "resume: {host: a, process: etcd}": "",
		"operator: {do: stop}": "stop the operator", "operator: {do: start}": "", "drain: {node: a, background: true}": "drain", "operator: {do: heal}": "", "run: {command: [kubectl, delete, pod, a]}": "delete guard", "run: {command: [true]}": "",
		"delete: {object: {apiVersion: v1, kind: Node, name: a}}": "delete node", "sleep: {for: 1s}": "", "slow: {host: a}": "slow", "uncordon: {node: a}": "", "create: {machine: a}": "create machine",
	} {
		s, err := scenario.Parse("x", []byte("name: x\ncontrol-planes: 3\nsteps:\n- "+text+"\n"), 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := kindOf(s.Steps[0]); got != want {
			t.Errorf("%s is counted as %q, want %q", text, got, want)
		}
	}
}

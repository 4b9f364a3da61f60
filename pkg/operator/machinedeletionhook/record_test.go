package machinedeletionhook

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	operatorv1 "github.com/openshift/api/operator/v1"
)

// strip lets a tool take the hook away from machine-a as soon as it is there.
func (x *bench) strip() {
	x.t.Helper()
	machines := x.machines.MachineV1beta1().Machines(machineNamespace)
	machine, err := machines.Get(x.t.Context(), "machine-a", metav1.GetOptions{})
	if err != nil {
		x.t.Fatal(err)
	}
	machine.Spec.LifecycleHooks.PreDrain = nil
	// Whoever only takes away leaves no trace among the managers.
	machine.Annotations = map[string]string{"gitops/synced": "true"}
	if _, err := machines.Update(x.t.Context(), machine, metav1.UpdateOptions{FieldManager: "gitops"}); err != nil {
		x.t.Fatal(err)
	}
	x.machines.ClearActions()
}

// H7: a tool strips the hook as soon as it is written. Passes come every 500 ms; the hook is written after 1, 2, 4, ...
// seconds, there is one event, and the condition names the tool.
func TestH7AToolThatKeepsStrippingTheHookIsMetWithGrowingPauses(t *testing.T) {
	x := newBench(t)
	x.live(stripped(a))
	x.pass(stripped(a))
	if diff := cmp.Diff([]string{"apply machine-a"}, x.writes()); diff != "" {
		t.Fatalf("unexpected first writes (-want +got):\n%s", diff)
	}
	var pauses []time.Duration
	for last := x.clock.Now(); len(pauses) < 11; {
		x.strip()
		for len(x.writes()) == 0 {
			x.advance(500 * time.Millisecond)
			x.pass(stripped(a))
		}
		pauses = append(pauses, x.clock.Now().Sub(last))
		last = x.clock.Now()
	}
	// A strip is seen 500 ms after it happened.
	const s, seen = time.Second, 500 * time.Millisecond
	want := []time.Duration{1 * s, 2 * s, 4 * s, 8 * s, 16 * s, 32 * s, 64 * s, 128 * s, 256 * s, 300 * s, 300 * s}
	for i := range want {
		want[i] += seen
	}
	if diff := cmp.Diff(want, pauses); diff != "" {
		t.Errorf("unexpected pauses (-want +got):\n%s", diff)
	}
	warnings := 0
	for _, told := range x.told() {
		if strings.HasPrefix(told, "Warning ") {
			warnings++
			if !strings.Contains(told, "gitops") {
				t.Errorf("the event does not name the tool: %s", told)
			}
		}
	}
	if warnings != 1 {
		t.Errorf("%d events about the tool, want 1", warnings)
	}
	got := x.condition("Degraded")
	if got.Status != operatorv1.ConditionTrue || got.Reason != "HookStripped" || !strings.Contains(got.Message, "machine-a") || !strings.Contains(got.Message, "gitops") {
		t.Errorf("Degraded does not name Machine and tool: %+v", got)
	}
}

func TestAFightIsOverWhenTheHookHasStayedInPlace(t *testing.T) {
	x := newBench(t)
	x.live(stripped(a))
	x.pass(stripped(a))
	for range 2 {
		x.strip()
		x.pass(stripped(a))
		x.advance(2 * time.Second)
		x.pass(stripped(a))
	}
	if got := x.condition("Degraded"); got.Status != operatorv1.ConditionTrue {
		t.Fatalf("not Degraded during the fight: %+v", got)
	}
	x.advance(calm - time.Second)
	x.pass()
	if got := x.condition("Degraded"); got.Status != operatorv1.ConditionTrue {
		t.Errorf("the fight is forgotten too early: %+v", got)
	}
	x.advance(time.Second)
	x.pass()
	if got := x.condition("Degraded"); got.Status != operatorv1.ConditionFalse {
		t.Errorf("the fight is never forgotten: %+v", got)
	}
}

func TestOneStripIsAnsweredAfterASecondAndNobodyIsAccused(t *testing.T) {
	x := newBench(t)
	x.live(stripped(a))
	x.pass(stripped(a))
	x.strip()
	x.pass(stripped(a))
	if x.writes() != nil || !x.record.HookBackOff("machine-a", "uid-a") {
		t.Error("the hook is written without a pause")
	}
	if got := x.condition("Degraded"); got.Status != operatorv1.ConditionFalse {
		t.Errorf("one strip is Degraded: %+v", got)
	}
	x.advance(time.Second)
	if x.record.HookBackOff("machine-a", "uid-a") {
		t.Error("the pause lasts longer than a second")
	}
}

func TestTheEndOfAPauseAsksForOnePass(t *testing.T) {
	x := newBench(t)
	x.live(stripped(a))
	x.pass(stripped(a))
	x.strip()
	x.pass(stripped(a))
	before := x.source.Lookups()
	x.sync()
	if x.source.Lookups() != before {
		t.Error("a pass was asked for during the pause")
	}
	x.advance(time.Second)
	x.sync()
	x.sync()
	if got := x.source.Lookups() - before; got != 1 {
		t.Errorf("%d passes asked for when the pause ended, want 1", got)
	}
}

func TestThePauseIsThatOfOneMachine(t *testing.T) {
	x := newBench(t)
	x.live(stripped(a))
	x.pass(stripped(a))
	x.strip()
	x.pass(stripped(a))
	for _, other := range []struct{ name, uid string }{{"machine-a", "another"}, {"machine-b", "uid-b"}} {
		if x.record.HookBackOff(snapshotName(other.name), other.uid) {
			t.Errorf("%v waits as well", other)
		}
	}
}

func TestMachinesThatAreGoneOrDeletingAreForgotten(t *testing.T) {
	for name, edit := range map[string]edit{"deleting": released, "gone": gone} {
		t.Run(name, func(t *testing.T) {
			x := newBench(t)
			x.live(stripped(a))
			x.pass(stripped(a))
			if len(x.record.by) != 1 {
				t.Fatal("a write was not noted")
			}
			x.pass(edit()...)
			if len(x.record.by) != 0 {
				t.Errorf("still known: %v", x.record.by)
			}
		})
	}
}

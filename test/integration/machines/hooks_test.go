package machines

import (
	"strings"
	"sync"
	"testing"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	applymachinev1beta1 "github.com/openshift/client-go/machine/applyconfigurations/machine/v1beta1"
	"github.com/openshift/library-go/pkg/controller/factory"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
)

const ours = observe.HookName + "=" + observe.HookOwner

// act looks once and lets the hook controller act.
func (s *scene) act() {
	s.t.Helper()
	s.look()
	s.sync(s.hookController())
}

func (s *scene) wantHooks(want string) {
	s.t.Helper()
	if got := s.preDrain(a); got != want {
		s.t.Errorf("machine-a has the hooks %q, want %q", got, want)
	}
}

func (s *scene) wantNotDegraded() {
	s.t.Helper()
	if got := s.condition("MachineDeletionHooksControllerDegraded"); got != "" {
		s.t.Errorf("Degraded: %s", got)
	}
}

func TestANewMachineGetsTheHook(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.unlinked(a)
	s.act()
	s.wantHooks(ours)
	s.wantNotDegraded()
}

func TestH3AHookWithAWrongOwnerIsRepairedBetweenForeignOnes(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.machine(a, hook("first", "somebody"), hook(observe.HookName, "somebody"), hook("last", "somebody"))
	s.act()
	s.wantHooks("first=somebody " + ours + " last=somebody")
	s.wantNotDegraded()
}

func TestH8AnotherControllerAppliesItsOwnHookAndAnnotationBesideOurs(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.machine(a)
	theirs := func(value string) {
		t.Helper()
		config := applymachinev1beta1.Machine("machine-a", machineNamespace).WithAnnotations(map[string]string{"example/theirs": value}).
			WithSpec(applymachinev1beta1.MachineSpec().WithLifecycleHooks(applymachinev1beta1.LifecycleHooks().
				WithPreDrain(applymachinev1beta1.LifecycleHook().WithName("theirs").WithOwner("them")).
				WithPreTerminate(applymachinev1beta1.LifecycleHook().WithName("theirs").WithOwner("them"))))
		// Without force: a conflict with us would be an error.
		must(s.machines.MachineV1beta1().Machines(machineNamespace).Apply(t.Context(), config, metav1.ApplyOptions{FieldManager: "them"}))(t)
	}
	theirs("before")
	s.act()
	theirs("after")
	s.act()
	machine := s.get(a)
	if got := machine.Annotations["example/theirs"]; got != "after" {
		t.Errorf("their annotation is %q", got)
	}
	if hooks := machine.Spec.LifecycleHooks.PreTerminate; len(hooks) != 1 || hooks[0] != hook("theirs", "them") {
		t.Errorf("their preTerminate hooks are %v", hooks)
	}
	s.wantHooks("theirs=them " + ours)

	// And when ours goes, theirs stays.
	s.node(a)
	s.delete(a)
	s.act()
	s.wantHooks("theirs=them")
	theirs("at last")
	s.wantNotDegraded()
}

func TestH9AHookOfAnOlderOperatorsUpdateIsGoneFromTheMachine(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.node(a)
	s.machine(a, hook("first", "somebody"))
	s.update(a, "cluster-etcd-operator", func(m *machinev1beta1.Machine) {
		m.Spec.LifecycleHooks.PreDrain = append(m.Spec.LifecycleHooks.PreDrain, hook(observe.HookName, observe.HookOwner))
	})
	s.delete(a)
	s.act()
	s.wantHooks("first=somebody")
	s.wantNotDegraded()
}

func TestAHookThatWeAppliedBesideAnOlderOperatorsIsGoneFromTheMachine(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.node(a)
	s.machine(a)
	s.act()
	s.update(a, "cluster-etcd-operator", func(m *machinev1beta1.Machine) {
		stripHook(m)
		m.Spec.LifecycleHooks.PreDrain = append(m.Spec.LifecycleHooks.PreDrain, hook(observe.HookName, "an older name"))
	})
	s.delete(a)
	s.act()
	s.wantHooks("")
}

func TestS1AHookStaysWhileItsMemberIsListed(t *testing.T) {
	s := newScene(t)
	s.hosts(a, b, c)
	s.delete(a)
	s.act()
	s.wantHooks(ours)
	s.leave(a)
	s.act()
	s.wantHooks("")
}

func TestH11AHookIsNotWrittenToAMachineThatWasDeletedAndStrippedMeanwhile(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.machine(a, hook(observe.HookName, "somebody"))
	s.overtake(func() {
		s.update(a, "a-person", stripHook)
		s.delete(a)
	})
	s.act()
	s.wantHooks("")
	s.wantNotDegraded()
}

func TestH11AMachineThatVanishesMeanwhileIsNotCreated(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.machine(a)
	s.overtake(func() {
		if err := s.vanish("machine-a"); err != nil {
			t.Error(err)
		}
	})
	s.act()
	if got, err := s.machines.MachineV1beta1().Machines(machineNamespace).Get(t.Context(), "machine-a", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("machine-a is there: %+v, %v", got, err)
	}
	s.wantNotDegraded()
}

func TestH11AnotherMachineOfTheSameNameIsJudgedBeforeItIsWrittenTo(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.machine(a, hook(observe.HookName, observe.HookOwner))
	s.node(a)
	s.delete(a)
	s.overtake(func() {
		if err := s.vanish("machine-a"); err != nil {
			t.Error(err)
		}
		s.machine(a, hook(observe.HookName, observe.HookOwner))
	})
	s.act()
	s.wantHooks(ours)
	s.wantNotDegraded()
}

// The entry is found where it is by the time of the write, not where it was.
func TestARemovalThatIsOvertakenByAnotherHookTakesAwayOursAlone(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.node(a)
	s.machine(a, hook(observe.HookName, observe.HookOwner))
	s.delete(a)
	s.overtake(func() {
		s.update(a, "somebody", func(m *machinev1beta1.Machine) {
			m.Spec.LifecycleHooks.PreDrain = []machinev1beta1.LifecycleHook{hook("theirs", "them"), hook(observe.HookName, observe.HookOwner)}
		})
	})
	s.act()
	s.wantHooks("theirs=them")
	s.wantNotDegraded()
}

func TestTwoOperatorsAtOnceDoNoHarm(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.node(a)
	s.machine(a, hook("first", "somebody"))
	together := func() {
		t.Helper()
		s.look()
		var both sync.WaitGroup
		for range 2 {
			controller := s.hookController()
			both.Go(func() {
				// Their conditions go to one fake client, which is not made for two: only the Machine is looked at.
				_ = controller.Sync(t.Context(), factory.NewSyncContext("one of two", s.events))
			})
		}
		both.Wait()
	}
	s.operator = oneAtATime(s.operator)
	together()
	s.wantHooks("first=somebody " + ours)
	s.delete(a)
	together()
	s.wantHooks("first=somebody")
	s.wantNotDegraded()
}

func TestH7TheManagerThatStripsTheHookIsNamed(t *testing.T) {
	s := newScene(t)
	s.hosts(b, c)
	s.machine(a)
	controller := s.hookController()
	s.look()
	s.sync(controller)
	for range 2 {
		s.update(a, "gitops", func(m *machinev1beta1.Machine) {
			stripHook(m)
			// Whoever only takes away leaves no trace among the managers.
			m.Annotations = map[string]string{"gitops/revision": m.ResourceVersion}
		})
		for range 2 {
			s.look()
			s.sync(controller)
			s.clock.SetTime(s.clock.Now().Add(machinehook.BackOff(1)))
		}
	}
	got := s.condition("MachineDeletionHooksControllerDegraded")
	for _, want := range []string{"HookStripped", "machine-a", "gitops", "machineset", "who takes it away is not recorded"} {
		if !strings.Contains(got, want) {
			t.Errorf("Degraded does not say %q: %s", want, got)
		}
	}
	for _, never := range []string{"nodelink", "MachineDeletionHooksController,"} {
		if strings.Contains(got, never) {
			t.Errorf("Degraded names %q: %s", never, got)
		}
	}
}

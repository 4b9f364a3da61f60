package machinedeletionhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	applymachinev1beta1 "github.com/openshift/client-go/machine/applyconfigurations/machine/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// timeout bounds reading, judging and writing one Machine, all attempts together, so that none holds up the others, and so
// that what was read is still so when it is written (rule R10.2).
const timeout = 5 * time.Second

// attempts is how often a Machine that others keep changing is read and judged (rule R4.5): at once and after 0.1 and 0.4 s.
// One that was just made is written to by several controllers within a second.
var attempts = wait.Backoff{Steps: 3, Duration: 100 * time.Millisecond, Factor: 4, Jitter: 0.1}

// outcome is what became of one pass.
type outcome struct {
	// errs are what could not be read or written, one for each Machine at most.
	errs []error
	// unmanaged: a live read says that nothing is to be written.
	unmanaged bool
	// lookAgain: something was written, or is not as it was judged.
	lookAgain bool
}

func (o *outcome) fail(err error) {
	if err != nil {
		o.errs = append(o.errs, err)
	}
}

// act carries out the verdicts of a pass, each Machine on its own (rule R4.5).
func (c *controller) act(ctx context.Context, p *pass.Pass) outcome {
	c.Record.look(&p.Snapshot)
	var o outcome
	todo := slices.DeleteFunc(slices.Clone(p.Hooks.Machines), func(v machinehook.Verdict) bool { return v.Action == machinehook.None })
	if len(todo) == 0 {
		return o
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	managed, err := report.ManagedNow(limited, c.OperatorClient)
	if err != nil || !managed {
		o.fail(err)
		o.unmanaged = err == nil
		return o
	}
	mayRemove := true
	for _, verdict := range todo {
		if verdict.Action == machinehook.RemoveHook && !mayRemove {
			continue
		}
		mayRemove = c.handle(ctx, p, verdict, &o) && mayRemove
	}
	return o
}

// handle carries out one verdict under one deadline, and reports whether hooks may still be taken away in this pass: a
// member list that hangs or changed for one Machine does so for all.
func (c *controller) handle(ctx context.Context, p *pass.Pass, verdict machinehook.Verdict, o *outcome) (mayRemove bool) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if verdict.Action == machinehook.RemoveHook && !c.membersAsJudged(ctx, p, o) {
		return false
	}
	o.fail(c.carryOut(ctx, p, verdict, o))
	return true
}

// membersAsJudged reads the member list again before a hook is taken away, and reports whether the pass that decided it is
// fresh and its list still the live one (rules R4.4 and R10.2). ctx must be that of the write, so that no hook goes by a
// list which is older than its deadline.
func (c *controller) membersAsJudged(ctx context.Context, p *pass.Pass, o *outcome) bool {
	if c.Clock.Since(p.Snapshot.ObservedAt) > maxAge {
		klog.FromContext(ctx).V(2).Info("pass is too old to take hooks away", "observedAt", p.Snapshot.ObservedAt)
		o.lookAgain = true
		return false
	}
	list, err := c.Etcd.MemberList(ctx, p.Endpoints)
	if err != nil {
		o.fail(fmt.Errorf("read the members before hooks are taken away: %w", err))
		return false
	}
	if list.Judged() != etcdclient.JudgedFrom(&p.Snapshot) {
		o.lookAgain = true
		return false
	}
	return true
}

// carryOut reads a Machine live, lets it be judged again, and writes only what both judgements say.
func (c *controller) carryOut(ctx context.Context, p *pass.Pass, decided machinehook.Verdict, o *outcome) error {
	log := klog.FromContext(ctx).WithValues("machine", decided.Machine, "action", decided.Action)
	return retry.OnError(attempts, outdated, func() error {
		machine, err := c.Machines.Machines(machineNamespace).Get(ctx, string(decided.Machine), metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			o.lookAgain = true
			return nil
		case err != nil:
			return fmt.Errorf("read Machine %s: %w", decided.Machine, err)
		case string(machine.UID) != decided.UID, c.judgeAgain(p, machine) != decided.Action:
			o.lookAgain = true
			return nil
		}
		if err := c.write(ctx, machine, decided.Action); err != nil {
			log.V(2).Info("Machine not written", "reason", err.Error())
			return err
		}
		log.Info("hook written", "uid", decided.UID)
		o.lookAgain = true
		c.conclude(decided)
		return nil
	})
}

// outdated tells whether the API server refused a write because the Machine is not the one that was read: 404, 409, and
// 422 for a test that failed.
func outdated(err error) bool {
	return apierrors.IsConflict(err) || apierrors.IsNotFound(err) || apierrors.IsInvalid(err)
}

// judgeAgain returns what the cores say about the Machine as it is now, beside all else that the pass saw. A hook that is
// gone after it was written is noted first, so that the pause counts.
func (c *controller) judgeAgain(p *pass.Pass, live *machinev1beta1.Machine) machinehook.Action {
	objects := observe.Objects{Machines: observe.Listed([]machinev1beta1.Machine{*live})}
	seen, _ := observe.Snapshot(observe.Pass{Objects: objects}, observe.ElapsedMemory())
	if len(seen.Machines) == 0 {
		// Its labels no longer make it one of the control plane.
		return machinehook.None
	}
	machine := seen.Machines[0]
	if !machine.Deleting && machine.Hook != snapshot.HookPresent && c.Record.missing(machine.UID, candidates(live)) {
		c.tellStripped(&machine, candidates(live))
	}
	machine.HookBackOff = c.Record.HookBackOff(machine.Name, machine.UID)
	s := p.Snapshot
	s.Machines = slices.Clone(s.Machines)
	for i := range s.Machines {
		if s.Machines[i].Name == machine.Name {
			s.Machines[i] = machine
		}
	}
	verdicts := decision.About(s).Hooks.Machines
	i := slices.IndexFunc(verdicts, func(v machinehook.Verdict) bool { return v.Machine == machine.Name })
	if i < 0 {
		return machinehook.None
	}
	return verdicts[i].Action
}

func (c *controller) write(ctx context.Context, machine *machinev1beta1.Machine, action machinehook.Action) error {
	switch action {
	case machinehook.AddHook, machinehook.RepairHook:
		return c.apply(ctx, machine)
	case machinehook.RemoveHook:
		return c.remove(ctx, machine)
	default:
		return fmt.Errorf("change the hook of Machine %s: %q is no action that is known", machine.Name, action)
	}
}

// apply writes our entry and nothing else. The UID keeps a Machine that is gone from being created, the resourceVersion
// keeps a hook from coming back that was stripped after the Machine was read (rule R4.5).
func (c *controller) apply(ctx context.Context, machine *machinev1beta1.Machine) error {
	wanted := applymachinev1beta1.Machine(machine.Name, machineNamespace).
		WithUID(machine.UID).
		WithResourceVersion(machine.ResourceVersion).
		WithSpec(applymachinev1beta1.MachineSpec().WithLifecycleHooks(
			applymachinev1beta1.LifecycleHooks().WithPreDrain(
				applymachinev1beta1.LifecycleHook().WithName(observe.HookName).WithOwner(observe.HookOwner))))
	_, err := c.Machines.Machines(machineNamespace).Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: Name, Force: true})
	if err != nil {
		return fmt.Errorf("write the hook of Machine %s: %w", machine.Name, err)
	}
	return nil
}

var errNoHook = errors.New("it has no such hook")

// operation is one of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// remove takes our entry away, whoever owns it: an apply without it would leave one that an older operator wrote as
// another manager (rule R4.5).
func (c *controller) remove(ctx context.Context, machine *machinev1beta1.Machine) error {
	hooks := machine.Spec.LifecycleHooks.PreDrain
	i := slices.IndexFunc(hooks, func(h machinev1beta1.LifecycleHook) bool { return h.Name == observe.HookName })
	if i < 0 {
		return fmt.Errorf("remove the hook of Machine %s: %w", machine.Name, errNoHook)
	}
	entry := fmt.Sprintf("/spec/lifecycleHooks/preDrain/%d", i)
	patch, err := json.Marshal([]operation{
		{"test", "/metadata/uid", machine.UID},
		{"test", entry, hooks[i]},
		{"remove", entry, nil},
	})
	if err == nil {
		_, err = c.Machines.Machines(machineNamespace).Patch(ctx, machine.Name, types.JSONPatchType, patch, metav1.PatchOptions{FieldManager: Name})
	}
	if err != nil {
		return fmt.Errorf("remove the hook of Machine %s: %w", machine.Name, err)
	}
	return nil
}

// conclude notes and tells what was written.
func (c *controller) conclude(v machinehook.Verdict) {
	if v.Action != machinehook.RemoveHook {
		c.Record.wrote(v.Machine, v.UID)
	}
	c.tellWritten(v)
}

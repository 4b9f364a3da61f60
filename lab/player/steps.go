package player

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/member"
	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

// Deadlines of steps that give none.
const (
	waitDeadline   = 2 * time.Minute
	expectDeadline = 30 * time.Second
	refusedSpan    = 10 * time.Second
	drainDeadline  = 2 * time.Minute
	rebootDeadline = 5 * time.Minute
	runDeadline    = 30 * time.Second
	fightInterval  = 3 * time.Second
	// offSpan is how long a host is off while it reboots.
	offSpan = 3 * time.Second
)

// do takes a step; what goes on after it is done under background.
func (p *Player) do(ctx, background context.Context, step scenario.Step) error {
	switch action := step.Action.(type) {
	case *scenario.Create:
		return p.create(ctx, action)
	case *scenario.Delete:
		return p.delete(ctx, action)
	case *scenario.ForceDelete:
		return p.forceDelete(ctx, action.Machine)
	case *scenario.Host:
		return p.host(background, step.Kind, action)
	case *scenario.Slow:
		return p.slow(action)
	case *scenario.Node:
		if rollout[step.Kind] {
			return askLab(control.Request{Name: action.Node, Action: step.Kind})
		}
		if step.Kind == "uncordon" {
			p.endDrain(action.Node)
		}
		return p.cordon(ctx, action.Node, step.Kind == "cordon")
	case *scenario.Drain:
		if action.Background {
			return p.drainMeanwhile(ctx, background, action)
		}
		return p.drain(ctx, action)
	case *scenario.Evict:
		return p.evict(ctx, action)
	case *scenario.Reboot:
		return p.reboot(ctx, background, action)
	case *scenario.Strip:
		return p.strip(ctx, action.Machine, action.As)
	case *scenario.Fight:
		p.fight(background, action)
		return nil
	case *scenario.Edit:
		return p.edit(ctx, action)
	case *scenario.Operator:
		return p.operator(ctx, background, action.Do)
	case *scenario.Wait:
		return p.await(ctx, action.Until.Text, action.Within.Or(waitDeadline), action.Until.Holds)
	case *scenario.Hold:
		return p.hold(ctx, action)
	case *scenario.Expect:
		return p.expect(ctx, action)
	case *scenario.Assert:
		p.begin(action.Assertion)
		return nil
	case *scenario.Release:
		p.release(action.Name)
		return nil
	case *scenario.Sleep:
		p.sleep(ctx, action)
		return context.Cause(ctx)
	case *scenario.Run:
		return p.run(ctx, action)
	default:
		return fmt.Errorf("step %s cannot be taken", step.Kind)
	}
}

// processActions are the lab's words for the steps of a process.
var processActions = map[string]string{"pause": "pause-etcd", "resume": "resume-etcd", "kill": "kill-etcd"}

// rollout are steps on a Node that the stand-in for the operand takes.
var rollout = map[string]bool{"hold-rollout": true, "let-rollout": true}

// down says which steps take a host's member away, and undone which bring it
// back.
var (
	down   = map[string]bool{"terminate": true, "destroy": true, "partition": true, "pause": true, "kill": true}
	undone = map[string]bool{"start": true, "heal": true, "resume": true}
)

func (p *Player) host(background context.Context, kind string, action *scenario.Host) error {
	what := kind
	switch {
	case action.Process != "":
		what = processActions[kind]
	case action.From != "":
		what = kind + "-" + action.From
	}
	before, _, _ := p.now()
	if down[kind] {
		p.writer.Interval(history.Interval{From: p.writer.Now(), What: history.HostDown, Subject: action.Host})
	}
	if err := askLab(control.Request{Name: action.Host, Action: what}); err != nil {
		return err
	}
	if kind == "kill" {
		p.background.Go(func() { p.untilStartedAgain(background, before, action.Host) })
	}
	if undone[kind] {
		p.writer.Interval(history.Interval{To: p.writer.Now(), What: history.HostDown, Subject: action.Host})
	}
	return nil
}

// untilStartedAgain returns when another etcd than the one of that look runs on the
// host and answers, and writes down that the host is not down any more.
func (p *Player) untilStartedAgain(ctx context.Context, before facts.Facts, host string) {
	for {
		f, _, next := p.now()
		if f.At > before.At && startedAgain(before, f, host) {
			p.writer.Interval(history.Interval{To: f.MembersAt, What: history.HostDown, Subject: host})
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-next:
		}
	}
}

func startedAgain(before, now facts.Facts, host string) bool {
	process := now.Process(host)
	return now.MembersProblem == "" && process.PID != 0 && process != before.Process(host) && now.Member(host).Healthy
}

func (p *Player) slow(action *scenario.Slow) error {
	what := "slow"
	if action.Process != "" {
		what = "slow-" + action.Process
	}
	p.writer.Interval(history.Interval{From: p.writer.Now(), What: history.HostDown, Subject: action.Host})
	stop, every := action.Cycle()
	return askLab(control.Request{Name: action.Host, Action: what, Stop: stop, Every: every})
}

// askLab does an action to a host, unless the request is another one.
func askLab(request control.Request) error {
	if request.Operation == "" {
		request.Operation = control.Host
	}
	connection, err := control.Call(request)
	if err != nil {
		return err
	}
	defer connection.Close()
	_, err = connection.Next()
	return err
}

func (p *Player) hold(ctx context.Context, action *scenario.Hold) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(action.For))
	defer cancel()
	for {
		f, _, next := p.now()
		// A look that saw no member at all, as on a busy machine, tells nothing.
		if f.MembersProblem == "" {
			holds, err := action.That.Holds(f)
			if err != nil {
				return err
			}
			if !holds {
				return fmt.Errorf("did not hold all the time: %s", action.That.Text)
			}
		}
		select {
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				return nil
			}
			return context.Cause(ctx)
		case <-next:
		}
	}
}

func (p *Player) expect(ctx context.Context, action *scenario.Expect) error {
	within := action.Within.Or(expectDeadline)
	switch {
	case action.That.Given():
		if action.Within == 0 {
			f, _, _ := p.now()
			holds, err := action.That.Holds(f)
			if err == nil && !holds {
				err = fmt.Errorf("not so: %s", action.That.Text)
			}
			return err
		}
		return p.await(ctx, action.That.Text, within, action.That.Holds)
	case action.Condition != scenario.WantCondition{}:
		return p.expectCondition(ctx, action.Condition, within)
	default:
		return p.await(ctx, fmt.Sprintf("an event %+v", action.Event), within, func(facts.Facts) (bool, error) {
			return p.sawEvent(action.Event), nil
		})
	}
}

func (p *Player) sawEvent(want scenario.WantEvent) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.events {
		if (want.Reason == "" || e.Reason == want.Reason) && (want.Object == "" || e.Object == want.Object) && strings.Contains(e.Message, want.Contains) {
			return true
		}
	}
	return false
}

func (p *Player) expectCondition(ctx context.Context, want scenario.WantCondition, within time.Duration) error {
	var seen facts.Condition
	err := p.await(ctx, fmt.Sprintf("condition %+v", want), within, func(f facts.Facts) (bool, error) {
		conditions := f.EtcdConditions
		if want.On == "clusteroperator" {
			conditions = f.OperatorConditions
		}
		seen = facts.ConditionOf(conditions, want.Type)
		return seen.Status != "" && (want.Status == "" || seen.Status == want.Status) &&
			(want.Reason == "" || seen.Reason == want.Reason) && strings.Contains(seen.Message, want.Contains), nil
	})
	if err != nil {
		return fmt.Errorf("%w; it was %q %q %q", err, seen.Status, seen.Reason, seen.Message)
	}
	return nil
}

func (p *Player) sleep(ctx context.Context, action *scenario.Sleep) {
	span := time.Duration(action.For)
	if span == 0 {
		from, to := time.Duration(action.From), time.Duration(action.To)
		span = from + time.Duration(p.random.Int64N(int64(to-from)+1))
	}
	p.pass(ctx, span)
}

// run runs a command until it succeeds.
func (p *Player) run(ctx context.Context, action *scenario.Run) error {
	within := action.Within.Or(runDeadline)
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("did not succeed within %s", within))
	defer cancel()
	for {
		command := exec.CommandContext(ctx, action.Command[0], action.Command[1:]...)
		command.Env = append(os.Environ(), "ETCDCTL_ENDPOINTS="+p.endpoints())
		output, err := command.CombinedOutput()
		if err == nil {
			return nil
		}
		if ctx.Err() == nil {
			p.pass(ctx, 500*time.Millisecond)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %w: %s", context.Cause(ctx), err, strings.TrimSpace(string(output)))
		}
	}
}

// endpoints are the members that etcdctl can ask at the moment.
func (p *Player) endpoints() string {
	f, _, _ := p.now()
	var urls []string
	for _, m := range f.Members {
		if m.Voter && m.Healthy {
			urls = append(urls, member.ClientURL(m.Address))
		}
	}
	return strings.Join(urls, ",")
}

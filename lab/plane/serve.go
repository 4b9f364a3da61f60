package plane

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/hosts"
	"github.com/openshift/cluster-etcd-operator/lab/member"
	"github.com/openshift/cluster-etcd-operator/lab/parts"
)

const watchInterval = time.Second

var errNoHosts = errors.New("the lab has no hosts yet")

// Answer serves the requests of package control.
func (p *Plane) Answer(ctx context.Context, request control.Request, files []*os.File, reply func(control.Reply) error) error {
	defer func() {
		for _, file := range files {
			file.Close()
		}
	}()
	if request.IsCloud() {
		if p.manager() == nil {
			return errNoHosts
		}
		return control.AnswerCloud(p, request, reply)
	}
	switch request.Operation {
	case control.Status:
		return p.sendStatus(ctx, reply)
	case control.Watch:
		return p.watch(ctx, reply)
	case control.Exec:
		return p.exec(ctx, request, files, reply)
	case control.Host:
		if err := p.harm(request); err != nil {
			return err
		}
		return reply(control.Reply{})
	case control.Operator:
		if err := p.wantOperator(request.Action); err != nil {
			return err
		}
		return reply(control.Reply{})
	default:
		return fmt.Errorf("unknown operation %q", request.Operation)
	}
}

func (p *Plane) sendStatus(ctx context.Context, reply func(control.Reply) error) error {
	data, err := json.Marshal(p.Status(ctx))
	if err != nil {
		return fmt.Errorf("encode status: %w", err)
	}
	return reply(control.Reply{Status: data})
}

func (p *Plane) watch(ctx context.Context, reply func(control.Reply) error) error {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		if err := p.sendStatus(ctx, reply); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

// exec runs a command in the lab's namespaces. It ends with its client.
func (p *Plane) exec(ctx context.Context, request control.Request, files []*os.File, reply func(control.Reply) error) error {
	if len(files) != 3 || len(request.Arguments) == 0 {
		return errors.New("exec needs a command and three files")
	}
	bin := filepath.Join(p.options.Work, "bin")
	environment := append(os.Environ(), request.Environment...)
	environment = append(environment, p.environment(bin, pathOf(environment))...)
	program, err := find(request.Arguments[0], pathOf(environment))
	if err != nil {
		return err
	}
	command := exec.Command(program, request.Arguments[1:]...)
	command.Args[0] = request.Arguments[0]
	command.Env = environment
	command.Dir = p.options.Work
	command.Stdin, command.Stdout, command.Stderr = files[0], files[1], files[2]
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: request.Terminal}
	started, err := p.options.Reaper.Start(command)
	if err != nil {
		return err
	}
	// Kept open, a copy of the terminal would keep its reader from seeing the end.
	for _, file := range files {
		file.Close()
	}
	defer context.AfterFunc(ctx, func() { _ = started.SignalGroup(unix.SIGKILL) })()
	return reply(control.Reply{ExitCode: started.ExitCode()})
}

// environment points kubectl, oc and etcdctl to the lab, and temporary files as well.
func (p *Plane) environment(bin, path string) []string {
	var endpoints []string
	if p.manager() != nil {
		// Not those of all hosts: one whose etcd waits does not answer.
		for _, address := range p.gateway.Ready() {
			endpoints = append(endpoints, member.ClientURL(address))
		}
	}
	return []string{
		"PATH=" + bin + ":" + path,
		"KUBECONFIG=" + p.kubeconfig(),
		"TMPDIR=" + p.temporary(),
		"ETCDCTL_ENDPOINTS=" + strings.Join(endpoints, ","),
		"ETCDCTL_CACERT=" + p.files.EtcdAuthority(),
		"ETCDCTL_CERT=" + p.files.EtcdClient() + ".crt",
		"ETCDCTL_KEY=" + p.files.EtcdClient() + ".key",
	}
}

func pathOf(environment []string) string {
	for _, entry := range slices.Backward(environment) {
		if value, found := strings.CutPrefix(entry, "PATH="); found {
			return value
		}
	}
	return ""
}

// find searches path for a program as a shell does.
func find(program, path string) (string, error) {
	if strings.Contains(program, "/") {
		return program, nil
	}
	for dir := range strings.SplitSeq(path, ":") {
		candidate := filepath.Join(dir, program)
		if info, err := os.Stat(candidate); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return candidate, nil
		}
	}
	if program == operatorProgram {
		return "", fmt.Errorf("%s: not built: run `make build`", program)
	}
	return "", fmt.Errorf("%s: not found in the lab or on this machine", program)
}

// coverEtcd puts another version of etcd over that of the parts, as the lab and
// its hosts see it.
func (p *Plane) coverEtcd() error {
	if p.options.Etcd == "" {
		return nil
	}
	for _, name := range parts.EtcdPrograms {
		if err := unix.Mount(filepath.Join(p.options.Etcd, name), filepath.Join(p.options.Programs, name), "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("put another version of %s in its place: %w", name, err)
		}
	}
	return nil
}

// operatorProgram is the operator's name, in the lab and where it is built.
const operatorProgram = "cluster-etcd-operator"

// linkPrograms makes the folder with the names under which people know them.
func (p *Plane) linkPrograms() error {
	bin := filepath.Join(p.options.Work, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return fmt.Errorf("make folder of programs: %w", err)
	}
	programs := p.options.Programs
	for name, program := range map[string]string{
		"kubectl": filepath.Join(programs, "kubernetes"), "etcdctl": filepath.Join(programs, "etcdctl"), "etcdutl": filepath.Join(programs, "etcdutl"),
		// The one that runs, or the one that would: whoever does the operator's part by hand may want it explained.
		operatorProgram: cmp.Or(p.options.Operator, filepath.Join(programs, "..", operatorProgram)),
	} {
		if err := os.Symlink(program, filepath.Join(bin, name)); err != nil {
			return fmt.Errorf("link %s: %w", name, err)
		}
	}
	return nil
}

// HostAction is something that can be done to a host.
type HostAction string

// HostActions are all of them, with what they do.
var HostActions = []struct {
	Action HostAction
	Help   string
}{
	{"start", "power on"},
	{"terminate", "pull the plug; the disk stays"},
	{"partition", "cut the network"},
	{"heal", "undo partition"},
	{"partition-peers", "cut etcd off from its peers; clients and all else of the host go on"},
	{"heal-peers", "undo partition-peers"},
	{"destroy", "pull the plug and remove the host with its disk"},
	{"pause", "stop all processes (SIGSTOP)"},
	{"resume", "undo pause, or slow"},
	{"slow", "stop all processes for 150 ms of every 200 ms"},
	{"stop-kubelet", "kill the kubelet and keep it from starting"},
	{"start-kubelet", "undo stop-kubelet"},
	{"pause-etcd", "stop etcd alone (SIGSTOP)"},
	{"resume-etcd", "undo pause-etcd, or slow-etcd"},
	{"slow-etcd", "stop etcd alone for 150 ms of every 200 ms"},
	{"kill-etcd", "kill etcd (SIGKILL); the kubelet starts it again"},
	{"hold-boot", "let the cloud not power on the host that it makes for a Machine to come, until start"},
	{"hold-rollout", "let the rollout of etcd's pod not get to the host, which need not exist yet"},
	{"let-rollout", "undo hold-rollout"},
}

// What slow does unless the request says otherwise.
const (
	slowStop  = 150 * time.Millisecond
	slowEvery = 200 * time.Millisecond
)

func (p *Plane) harm(request control.Request) error {
	name, action := request.Name, HostAction(request.Action)
	manager := p.manager()
	if manager == nil {
		return errNoHosts
	}
	if action == "hold-rollout" || action == "let-rollout" {
		return p.holdRollout(name, action == "hold-rollout")
	}
	if action == "hold-boot" {
		p.holdBoot(name, true)
		return nil
	}
	host, err := manager.Host(name)
	if err != nil {
		return err
	}
	slow := func(program string) func() error {
		stop, every := request.Stop, request.Every
		if every == 0 {
			stop, every = slowStop, slowEvery
		}
		return func() error { return host.Slow(program, stop, every) }
	}
	do := map[HostAction]func() error{
		"start": func() error {
			p.holdBoot(name, false)
			return host.Start()
		},
		"terminate":       host.Terminate,
		"destroy":         func() error { return manager.Delete(name) },
		"partition":       host.Partition,
		"heal":            host.Heal,
		"partition-peers": host.PartitionPeers,
		"heal-peers":      host.HealPeers,
		"pause":           host.Pause,
		"resume":          host.Resume,
		"slow":            slow(""),
		"slow-etcd":       slow("etcd"),
		"stop-kubelet":    host.StopKubelet,
		"start-kubelet":   host.StartKubelet,
		"pause-etcd":      signalEtcd(host, unix.SIGSTOP),
		"resume-etcd":     signalEtcd(host, unix.SIGCONT),
		"kill-etcd":       signalEtcd(host, unix.SIGKILL),
	}[action]
	if do == nil {
		return fmt.Errorf("unknown action %q", action)
	}
	return do()
}

func signalEtcd(host *hosts.Host, sig syscall.Signal) func() error {
	return func() error { return host.Signal("etcd", sig) }
}

package livetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/members"
	"github.com/openshift/cluster-etcd-operator/lab/parts"
	"github.com/openshift/cluster-etcd-operator/lab/plane"
	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// patience bounds every wait; a wait ends as soon as what it waits for is so.
const patience = 6 * time.Minute

var program string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	// Somebody may be working with a lab of their own.
	if err := os.Setenv(control.InstanceVariable, fmt.Sprintf("test-%d", os.Getpid())); err != nil {
		panic(err)
	}
	folder, err := os.MkdirTemp("", "etcdlab-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	repository, err := parts.FindRepository(".")
	if err != nil {
		panic(err)
	}
	if !testing.Short() {
		if _, err := parts.Build(context.Background(), repository, os.Stderr); err != nil {
			panic(err)
		}
	}
	program = filepath.Join(folder, "etcdlab")
	build := exec.Command("go", "build", "-o", program, "../cmd/etcdlab")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	return m.Run()
}

// etcdlab runs the command to its end.
func etcdlab(arguments ...string) (stdout, stderr string, exitCode int) {
	command := exec.Command(program, arguments...)
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return out.String(), err.Error(), -1
	}
	return out.String(), errs.String(), command.ProcessState.ExitCode()
}

// lab is a lab that a test has brought up.
type lab struct {
	command *exec.Cmd
	log     string
	ended   chan struct{}
	work    string
}

func up(t *testing.T, arguments ...string) *lab {
	t.Helper()
	folder := t.TempDir()
	l := &lab{log: filepath.Join(folder, "output"), ended: make(chan struct{}), work: filepath.Join(folder, "work")}
	output, err := os.Create(l.log)
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	l.command = exec.Command(program, append([]string{"up", "--keep", l.work}, arguments...)...)
	l.command.Stdout, l.command.Stderr = output, output
	if err := l.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		// How it ended is seen in its exit status.
		_ = l.command.Wait()
		close(l.ended)
	}()
	t.Cleanup(func() {
		_ = l.command.Process.Kill()
		<-l.ended
	})
	eventually(t, "the lab is ready", func() (bool, string) {
		select {
		case <-l.ended:
			t.Fatalf("the lab ended:\n%s%s", l.output(t), l.tails())
		default:
		}
		status, text := currentStatus()
		return status.Phase == plane.Ready, text
	})
	return l
}

// tails returns the ends of all logs outside hosts, for a lab that did not come up.
func (l *lab) tails() string {
	logs, err := filepath.Glob(filepath.Join(l.work, "log", "*.log"))
	if err != nil {
		return err.Error()
	}
	var text strings.Builder
	for _, log := range logs {
		fmt.Fprintf(&text, "== end of %s\n%s\n", filepath.Base(log), process.Tail(log, 10))
	}
	return text.String()
}

func (l *lab) output(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(l.log)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func currentStatus() (plane.Status, string) {
	stdout, stderr, code := etcdlab("status", "--json")
	var status plane.Status
	if code != 0 {
		return status, stderr
	}
	if err := json.Unmarshal([]byte(stdout), &status); err != nil {
		return status, err.Error()
	}
	return status, stdout
}

// eventually asks until the answer is yes.
func eventually(t *testing.T, what string, ask func() (bool, string)) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	ticker := time.NewTicker(250 * time.Millisecond)
	defer ticker.Stop()
	for {
		done, state := ask()
		if done {
			return
		}
		select {
		case <-deadline.C:
			t.Fatalf("not in %s: %s; last seen: %s", patience, what, state)
		case <-ticker.C:
		}
	}
}

func inside(t *testing.T, arguments ...string) string {
	t.Helper()
	stdout, stderr, code := etcdlab(append([]string{"exec", "--"}, arguments...)...)
	if code != 0 {
		t.Fatalf("%s: exit status %d: %s", strings.Join(arguments, " "), code, stderr)
	}
	return stdout
}

func requireHealthy(t *testing.T, want int) {
	t.Helper()
	eventually(t, strconv.Itoa(want)+" healthy voters", func() (bool, string) {
		status, text := currentStatus()
		voters, healthy := members.Voters(status.Members)
		return voters == want && healthy == want, text
	})
}

func TestThreeControlPlanes(t *testing.T) {
	if testing.Short() {
		t.Skip("brings up a whole control plane, which -short is there to avoid")
	}
	interfaces := interfaceNames(t)
	l := up(t)
	requireHealthy(t, 3)
	t.Logf("output of up:\n%s", l.output(t))

	t.Run("every node is Ready and every etcd pod runs", func(t *testing.T) {
		nodes := strings.Fields(inside(t, "kubectl", "get", "nodes", "-o", `jsonpath={range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="Ready")].status} {end}`))
		if want := []string{"master-0=True", "master-1=True", "master-2=True"}; !slices.Equal(nodes, want) {
			t.Errorf("nodes are %v, want %v", nodes, want)
		}
		pods := strings.Fields(inside(t, "kubectl", "-n", "openshift-etcd", "get", "pods", "-l", "app=etcd", "-o", `jsonpath={range .items[*]}{.metadata.name}={.status.containerStatuses[?(@.name=="etcd")].ready} {end}`))
		if want := []string{"etcd-master-0=true", "etcd-master-1=true", "etcd-master-2=true"}; !slices.Equal(pods, want) {
			t.Errorf("etcd pods are %v, want %v", pods, want)
		}
	})
	t.Run("the API server's data are in the cluster that it shows", func(t *testing.T) {
		inside(t, "kubectl", "create", "configmap", "proof", "--from-literal=a=b")
		key := inside(t, "etcdctl", "get", "--keys-only", "/registry/configmaps/default/proof")
		if strings.TrimSpace(key) != "/registry/configmaps/default/proof" {
			t.Errorf("etcd has %q", key)
		}
	})
	t.Run("every host has a Machine that is Running", func(t *testing.T) {
		phases := strings.Fields(inside(t, "kubectl", "-n", "openshift-machine-api", "get", "machines", "-o", `jsonpath={range .items[*]}{.metadata.name}={.status.phase},{.status.nodeRef.name} {end}`))
		if want := []string{"master-0=Running,master-0", "master-1=Running,master-1", "master-2=Running,master-2"}; !slices.Equal(phases, want) {
			t.Errorf("machines are %v, want %v", phases, want)
		}
	})
	t.Run("the exit status of a command is that of exec", func(t *testing.T) {
		if _, _, code := etcdlab("exec", "--", "sh", "-c", "exit 7"); code != 7 {
			t.Errorf("exit status is %d, want 7", code)
		}
	})
	t.Run("a second lab is refused", func(t *testing.T) {
		_, stderr, code := etcdlab("up")
		if code != 1 || !strings.Contains(stderr, "running already") {
			t.Errorf("exit status %d, %q", code, stderr)
		}
	})
	t.Run("a host that is cut off is NotReady and its member does not answer, until it is healed", func(t *testing.T) {
		do(t, "master-1", "partition")
		requireHost(t, "master-1", "NotReady", false)
		do(t, "master-1", "heal")
		requireHost(t, "master-1", "Ready", true)
	})
	t.Run("a host without power comes back with its member", func(t *testing.T) {
		do(t, "master-2", "terminate")
		requireHost(t, "master-2", "NotReady", false)
		do(t, "master-2", "start")
		requireHost(t, "master-2", "Ready", true)
		requireHealthy(t, 3)
	})
	t.Run("a new Machine becomes a host whose etcd waits, joins when it is added, and takes the place of another", replace)
	t.Run("kill -9 leaves no process, mount, interface or socket", func(t *testing.T) {
		family := descendants(t, l.command.Process.Pid)
		if len(family) < 15 {
			t.Fatalf("the lab has only %d processes; the test looks in the wrong place", len(family))
		}
		if err := l.command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-l.ended
		eventually(t, "all processes of the lab are gone", func() (bool, string) {
			left := slices.DeleteFunc(slices.Clone(family), func(p processID) bool { return !p.lives() })
			return len(left) == 0, describe(left)
		})
		mounts, err := os.ReadFile("/proc/self/mountinfo")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(mounts), l.work) {
			t.Errorf("mounts are left:\n%s", mounts)
		}
		if now := interfaceNames(t); !slices.Equal(now, interfaces) {
			t.Errorf("interfaces are %v, were %v", now, interfaces)
		}
		if _, stderr, code := etcdlab("status"); code != 1 || !strings.Contains(stderr, "no lab is running") {
			t.Errorf("status after the end: exit status %d, %q", code, stderr)
		}
	})
}

const newMachine = `
apiVersion: machine.openshift.io/v1beta1
kind: Machine
metadata:
  name: master-3
  namespace: openshift-machine-api
  labels:
    machine.openshift.io/cluster-api-cluster: lab
    machine.openshift.io/cluster-api-machine-role: master
    machine.openshift.io/cluster-api-machine-type: master
    machine.openshift.io/zone: zone-0
spec:
  providerSpec: {value: {apiVersion: lab/v1, kind: HostSpec}}
`

// replace does by hand what the operator is for.
func replace(t *testing.T) {
	command := exec.Command(program, "exec", "--", "kubectl", "create", "-f", "-")
	command.Stdin = strings.NewReader(newMachine)
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("create a machine: %v: %s", err, output)
	}
	const container = `jsonpath={.status.containerStatuses[?(@.name=="etcd")].ready},{.status.containerStatuses[?(@.name=="etcd")].state.running.startedAt}`
	eventually(t, "etcd on the new host runs and is not ready", func() (bool, string) {
		stdout, stderr, _ := etcdlab("exec", "--", "kubectl", "-n", "openshift-etcd", "get", "pod", "etcd-master-3", "-o", container)
		return strings.HasPrefix(stdout, "false,2"), stdout + stderr
	})
	address := strings.TrimSpace(inside(t, "kubectl", "get", "node", "master-3", "-o", `jsonpath={.status.addresses[?(@.type=="InternalIP")].address}`))
	eventually(t, "the new member is added", func() (bool, string) {
		// etcd refuses until every member has been connected for some seconds, and
		// another one was just powered on.
		_, stderr, code := etcdlab("exec", "--", "etcdctl", "member", "add", "master-3", "--learner", "--peer-urls=https://"+address+":2380")
		return code == 0 || strings.Contains(stderr, "Peer URLs already exists"), stderr
	})
	var id string
	eventually(t, "the new member is a healthy learner", func() (bool, string) {
		status, text := currentStatus()
		for _, m := range status.Members {
			if m.Name == "master-3" && m.Learner && m.Healthy {
				id = m.ID
			}
		}
		return id != "", text
	})
	eventually(t, "the learner is promoted", func() (bool, string) {
		// Refused until it is in sync.
		_, stderr, code := etcdlab("exec", "--", "etcdctl", "member", "promote", id)
		return code == 0, stderr
	})
	requireHealthy(t, 4)

	hook := `[{"op":"add","path":"/spec/lifecycleHooks","value":{"preDrain":[{"name":"EtcdQuorumOperator","owner":"clusteroperator/etcd"}]}}]`
	inside(t, "kubectl", "-n", "openshift-machine-api", "patch", "machine", "master-0", "--type=json", "-p", hook)
	inside(t, "kubectl", "-n", "openshift-machine-api", "delete", "machine", "master-0", "--wait=false")
	eventually(t, "the hook holds the drain back", func() (bool, string) {
		stdout, stderr, _ := etcdlab("exec", "--", "kubectl", "-n", "openshift-machine-api", "get", "machine", "master-0", "-o", `jsonpath={.status.conditions[?(@.type=="Drainable")].reason}`)
		return stdout == "HookPresent", stdout + stderr
	})
	status, _ := currentStatus()
	for _, m := range status.Members {
		if m.Name == "master-0" {
			eventually(t, "the old member is removed", func() (bool, string) {
				_, stderr, code := etcdlab("exec", "--", "etcdctl", "member", "remove", m.ID)
				return code == 0 || strings.Contains(stderr, "member not found"), stderr
			})
		}
	}
	inside(t, "kubectl", "-n", "openshift-machine-api", "patch", "machine", "master-0", "--type=json", "-p", `[{"op":"remove","path":"/spec/lifecycleHooks/preDrain"}]`)
	eventually(t, "machine, node and host are gone", func() (bool, string) {
		status, text := currentStatus()
		for _, host := range status.Hosts {
			if host.Name == "master-0" {
				return false, text
			}
		}
		for _, machine := range status.Machines {
			if machine.Name == "master-0" {
				return false, text
			}
		}
		return status.APIProblem == "" && len(status.Hosts) == 3, text
	})
	requireHealthy(t, 3)
	eventually(t, "etcd-endpoints names the three that are left", func() (bool, string) {
		stdout, stderr, _ := etcdlab("exec", "--", "kubectl", "-n", "openshift-etcd", "get", "configmap", "etcd-endpoints", "-o", "jsonpath={.data}")
		return strings.Contains(stdout, address) && strings.Count(stdout, "10.199.0.") == 3, stdout + stderr
	})
}

func TestAPartThatCrashesEndsTheLabAndIsNamed(t *testing.T) {
	if testing.Short() {
		t.Skip("brings up a control plane, which -short is there to avoid")
	}
	// An operator that ends is no crash: it is started again.
	operator := filepath.Join(t.TempDir(), "operator")
	script := "#!/bin/sh\necho run with $@\ntest -s /var/run/secrets/etcd-client/tls.key && test -s /var/run/configmaps/etcd-ca/ca-bundle.crt && echo can reach etcd\nexit 3\n"
	if err := os.WriteFile(operator, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	l := up(t, "--control-planes", "1", "--operator-binary", operator)
	requireHealthy(t, 1)
	eventually(t, "the operator has run twice", func() (bool, string) {
		log, err := os.ReadFile(filepath.Join(l.work, "log", "operator.log"))
		return err == nil && strings.Count(string(log), "run with operator --config=") >= 2 && strings.Count(string(log), "can reach etcd") >= 2, string(log)
	})
	inside(t, "sh", "-c", `for f in /proc/[0-9]*/cmdline; do if tr '\0' ' ' < $f | grep -q '^[^ ]*kubernetes kube-controller-manager '; then p=${f%/cmdline}; kill -9 ${p#/proc/}; fi; done`)
	eventually(t, "the lab has ended", func() (bool, string) {
		select {
		case <-l.ended:
			return true, ""
		default:
			return false, l.output(t)
		}
	})
	output := l.output(t)
	if code := l.command.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit status is %d, want 1", code)
	}
	for _, want := range []string{"kube-controller-manager ended by itself with exit status 137", "the end of its log", "controller"} {
		if !strings.Contains(output, want) {
			t.Errorf("the output does not say %q:\n%s", want, output)
		}
	}
}

// nobody is a user that owns nothing.
const nobody = 65534

func TestAnOrdinaryUserCanRunALab(t *testing.T) {
	if testing.Short() {
		t.Skip("brings up a control plane, which -short is there to avoid")
	}
	if os.Geteuid() != 0 {
		t.Skip("not root: the other tests run as an ordinary user already")
	}
	// A folder of programs beside the command, since nobody has no Go to build with.
	folder, err := os.MkdirTemp("", "etcdlab-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	repository, err := parts.FindRepository(".")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(folder, "lab"), os.DirFS(parts.Folder(repository))); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(folder, "etcdlab")
	if output, err := exec.Command("cp", program, copied).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	as := func(arguments ...string) *exec.Cmd {
		command := exec.Command(copied, arguments...)
		command.Dir = "/"
		command.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + folder, control.InstanceVariable + "=" + os.Getenv(control.InstanceVariable)}
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		return command
	}
	log := filepath.Join(folder, "output")
	output, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	command := as("up", "--control-planes", "1")
	command.Stdout, command.Stderr = output, output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	l := &lab{command: command, log: log, ended: make(chan struct{})}
	go func() {
		_ = command.Wait()
		close(l.ended)
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-l.ended
	})
	eventually(t, "the API server lists a node that is Ready", func() (bool, string) {
		select {
		case <-l.ended:
			t.Fatalf("the lab ended:\n%s", l.output(t))
		default:
		}
		text, _ := as("exec", "--", "kubectl", "get", "nodes").CombinedOutput()
		return strings.Contains(string(text), "master-0   Ready"), string(text)
	})
	if _, stderr, code := etcdlab("status"); code != 1 || !strings.Contains(stderr, "no lab is running") {
		t.Errorf("another user sees: exit status %d, %q", code, stderr)
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-l.ended
	if code := command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("Ctrl-C ended the lab with exit status %d:\n%s", code, l.output(t))
	}
	if left, err := filepath.Glob(filepath.Join(folder, "etcdlab-*")); err != nil || len(left) > 0 {
		t.Errorf("the work folder is left: %v, %v", left, err)
	}
}

func TestWithoutQuorumTheAPIGoesUnlessItsDataAreElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("brings up control planes, which -short is there to avoid")
	}
	for _, test := range []struct {
		name      string
		arguments []string
		answers   bool
	}{
		{"data in the managed cluster", nil, false},
		{"data in a private etcd", []string{"--private-etcd"}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := up(t, test.arguments...)
			requireHealthy(t, 3)
			do(t, "master-0", "terminate")
			do(t, "master-1", "terminate")
			eventually(t, "the member that is left has no quorum", func() (bool, string) {
				status, text := currentStatus()
				for _, m := range status.Members {
					if m.Healthy {
						return false, text
					}
				}
				return true, text
			})
			_, stderr, code := etcdlab("exec", "--", "kubectl", "get", "--request-timeout=5s", "configmaps", "-A")
			if answers := code == 0; answers != test.answers {
				t.Errorf("the API answers: %t, want %t: %s", answers, test.answers, stderr)
			}
			do(t, "master-0", "start")
			do(t, "master-1", "start")
			requireHealthy(t, 3)
			requireHost(t, "master-0", "Ready", true)
			if err := l.command.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			<-l.ended
			if code := l.command.ProcessState.ExitCode(); code != 0 {
				t.Errorf("Ctrl-C ended the lab with exit status %d:\n%s", code, l.output(t))
			}
		})
	}
}

func TestCommandLinesThatMakeNoSenseEndWithStatus2(t *testing.T) {
	for _, arguments := range [][]string{
		{"up", "--control-planes", "2"},
		{"up", "--control-planes", "many"},
		{"up", "--workers", "-1"},
		{"up", "--operator-binary", "/no/such/program"},
		{"up", "--etcd-version", "latest"},
		{"up", "--etcd-version", "v3.4.30"},
		{"run", "--etcd-version", "3.6", "replace-one"},
		{"up", "--no-such-flag"},
		{"up", "argument"},
		{"host", "master-0"},
		{"host", "master-0", "explode"},
		{"no-such-command"},
	} {
		_, stderr, code := etcdlab(arguments...)
		if code != 2 || !strings.HasPrefix(stderr, "etcdlab: ") {
			t.Errorf("etcdlab %s: exit status %d, %q", strings.Join(arguments, " "), code, stderr)
		}
	}
}

func TestWithoutALabCommandsSaySo(t *testing.T) {
	for _, arguments := range [][]string{{"status"}, {"exec", "--", "true"}, {"host", "master-0", "start"}} {
		_, stderr, code := etcdlab(arguments...)
		if code != 1 || !strings.Contains(stderr, "no lab is running") {
			t.Errorf("etcdlab %s: exit status %d, %q", strings.Join(arguments, " "), code, stderr)
		}
	}
}

func TestAFolderThatIsNotEmptyIsNotWorkedIn(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the lab's parts, which -short does not build")
	}
	folder := t.TempDir()
	precious := filepath.Join(folder, "precious")
	if err := os.WriteFile(precious, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := etcdlab("up", "--keep", folder)
	if code != 1 || !strings.Contains(stderr, "not empty") {
		t.Errorf("exit status %d, %q", code, stderr)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

func do(t *testing.T, host, action string) {
	t.Helper()
	if _, stderr, code := etcdlab("host", host, action); code != 0 {
		t.Fatalf("%s %s: exit status %d: %s", action, host, code, stderr)
	}
}

// requireHost waits until the host's node and its member are in that state.
func requireHost(t *testing.T, name, node string, healthy bool) {
	t.Helper()
	eventually(t, name+" is "+node, func() (bool, string) {
		status, text := currentStatus()
		nodeSeen, memberSeen := false, false
		for _, host := range status.Hosts {
			nodeSeen = nodeSeen || host.Name == name && host.Node == node
		}
		for _, m := range status.Members {
			memberSeen = memberSeen || m.Name == name && m.Healthy == healthy
		}
		return nodeSeen && memberSeen, text
	})
}

func interfaceNames(t *testing.T) []string {
	t.Helper()
	interfaces, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range interfaces {
		names = append(names, i.Name)
	}
	slices.Sort(names)
	return names
}

// processID tells a process from a later one with the same number.
type processID struct {
	pid   int
	start string
	name  string
}

func read(pid int) (p processID, parent int, ok bool) {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return processID{}, 0, false
	}
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	fields := strings.Fields(string(stat[end+1:]))
	parent, err = strconv.Atoi(fields[1])
	return processID{pid: pid, start: fields[19], name: string(stat[open+1 : end])}, parent, err == nil
}

func (p processID) lives() bool {
	now, _, ok := read(p.pid)
	return ok && now.start == p.start
}

func describe(list []processID) string {
	var words []string
	for _, p := range list {
		words = append(words, p.name+"("+strconv.Itoa(p.pid)+")")
	}
	return strings.Join(words, " ")
}

// descendants lists all processes below root, and root.
func descendants(t *testing.T, root int) []processID {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	children := map[int][]processID{}
	var all []processID
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if p, parent, ok := read(pid); ok {
			children[parent] = append(children[parent], p)
			if pid == root {
				all = append(all, p)
			}
		}
	}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i].pid]...)
	}
	return all
}

package workers

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	configclient "github.com/openshift/client-go/config/clientset/versioned"
	machineclient "github.com/openshift/client-go/machine/clientset/versioned"
	operatorclient "github.com/openshift/client-go/operator/clientset/versioned"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/observe/live"
	"github.com/openshift/cluster-etcd-operator/test/integration/kube"
)

const (
	workers          = 2000
	atOnce           = 16
	machineNamespace = "openshift-machine-api"
	allowedHeap      = 1 << 20
	// patience is generous: a busy machine is no fault.
	patience = 3 * time.Minute
)

// cluster is a real API server with three control-plane hosts, and an etcd that is not real.
type cluster struct {
	t        *testing.T
	config   *rest.Config
	nodes    kubernetes.Interface
	machines machineclient.Interface
	etcd     *etcdclient.Client
}

func TestWorkersCostTheObserverNothing(t *testing.T) {
	started, err := kube.Start(t.Context())
	if started != nil {
		t.Cleanup(started.Stop)
	}
	if err != nil {
		t.Fatal(err)
	}
	config := started.Config
	c := &cluster{
		t: t, config: config, nodes: kubernetes.NewForConfigOrDie(config), machines: machineclient.NewForConfigOrDie(config),
		etcd: etcdclienttest.New(t, etcdclienttest.Options{}).Client(t),
	}
	for i := range 3 {
		c.host(fmt.Sprintf("master-%d", i), fmt.Sprintf("192.0.2.%d", i+1), "node-role.kubernetes.io/master", "master")
	}

	// The first observer of a process fills what all others share.
	c.measure("the first", func(*told) {})
	before := c.measure("without workers", func(*told) {})

	began := time.Now()
	c.each(func(i int) {
		c.host(workerName(i), fmt.Sprintf("198.51.100.%d", i%250+1), "node-role.kubernetes.io/worker", "worker")
	})
	t.Logf("%d Nodes and as many Machines made in %s", workers, time.Since(began).Round(time.Second))

	with := c.measure("with workers", func(told *told) {
		told.reset()
		c.each(c.heartbeat)
		// An event of a control-plane Node that comes after them shows that whatever there was to tell has been told.
		c.cordon("master-0")
		c.wait("the cordon is seen", told.sees("master-0"))
		told.report(t, "while the status of all workers changes")
	})
	if grown := with - before; grown > allowedHeap {
		t.Errorf("%d workers cost %d bytes of heap, want at most %d", workers, grown, allowedHeap)
	}
}

// measure returns how much more heap is in use once an observer knows everything; then it runs more.
func (c *cluster) measure(when string, more func(*told)) int64 {
	c.t.Helper()
	ctx, cancel := context.WithCancel(c.t.Context())
	defer cancel()
	told := &told{}
	config := rest.CopyConfig(c.config)
	config.Wrap(told.wrap)
	// Lines of text are what told can read.
	config.ContentType, config.AcceptContentTypes = "application/json", "application/json"
	idle := inUse()
	observer := live.New(live.Config{
		Kubernetes: kubernetes.NewForConfigOrDie(config), OpenShiftConfig: configclient.NewForConfigOrDie(config),
		OpenShiftOperator: operatorclient.NewForConfigOrDie(config), OpenShiftMachine: machineclient.NewForConfigOrDie(config),
		Etcd: c.etcd, Clock: clock.RealClock{},
	})
	observer.Start(ctx)
	var seen observe.Observation
	c.wait("all is known", func() error {
		seen = observer.Observe(ctx)
		s := seen.Snapshot
		if !s.MachineList.Holds() || !s.NodeList.Holds() || !s.MemberList.Holds() || !s.APIServers.Fails() {
			return fmt.Errorf("machines %v, nodes %v, members %v, API servers %v, faults %v", s.MachineList, s.NodeList, s.MemberList, s.APIServers, seen.Faults)
		}
		return nil
	})
	if n, m := len(seen.Objects.Nodes.Items), len(seen.Objects.Machines.Items); n != 3 || m != 3 {
		c.t.Errorf("%s: %d Nodes and %d Machines are held, want 3 and 3", when, n, m)
	}
	if others := len(seen.Objects.OtherNodes.Items) + len(seen.Objects.OtherMachines.Items); others > 0 {
		c.t.Errorf("%s: %d others are held", when, others)
	}
	seen = observe.Observation{}
	held := inUse() - idle
	began := time.Now()
	const looks = 20
	for range looks {
		observer.Observe(ctx)
	}
	c.t.Logf("%s: %d KiB of heap, one observation takes %s", when, held>>10, (time.Since(began) / looks).Round(time.Microsecond))
	more(told)
	runtime.KeepAlive(observer)
	return held
}

// inUse returns the bytes of the heap that are in use after garbage is gone, finalizers' included.
func inUse() int64 {
	var stats runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func workerName(i int) string { return fmt.Sprintf("worker-%04d", i) }

// host makes a Node and its Machine.
func (c *cluster) host(name, address, label, role string) {
	addresses := []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: address}}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{label: ""}}}
	node, err := c.nodes.CoreV1().Nodes().Create(c.t.Context(), node, metav1.CreateOptions{})
	if err == nil {
		node.Status.Addresses = addresses
		node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		for i := range 50 {
			node.Status.Images = append(node.Status.Images, corev1.ContainerImage{Names: []string{fmt.Sprintf("images.example/of-some-length/number-%d@sha256:%064d", i, i)}})
		}
		_, err = c.nodes.CoreV1().Nodes().UpdateStatus(c.t.Context(), node, metav1.UpdateOptions{})
	}
	if err != nil {
		c.t.Errorf("make Node %s: %v", name, err)
		return
	}
	machine := &machinev1beta1.Machine{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"machine.openshift.io/cluster-api-machine-role": role}}}
	of := c.machines.MachineV1beta1().Machines(machineNamespace)
	machine, err = of.Create(c.t.Context(), machine, metav1.CreateOptions{})
	if err == nil {
		machine.Status.NodeRef, machine.Status.Addresses = &corev1.ObjectReference{Name: name}, addresses
		_, err = of.UpdateStatus(c.t.Context(), machine, metav1.UpdateOptions{})
	}
	if err != nil {
		c.t.Errorf("make Machine %s: %v", name, err)
	}
}

// heartbeat changes the status of a worker's Node and Machine.
func (c *cluster) heartbeat(i int) {
	now := time.Now().UTC().Format(time.RFC3339)
	node := fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":%q,"reason":"Beat%d"}]}}`, now, i)
	if _, err := c.nodes.CoreV1().Nodes().PatchStatus(c.t.Context(), workerName(i), []byte(node)); err != nil {
		c.t.Errorf("beat of Node %s: %v", workerName(i), err)
	}
	machine := fmt.Sprintf(`{"status":{"lastUpdated":%q}}`, now)
	if _, err := c.machines.MachineV1beta1().Machines(machineNamespace).Patch(c.t.Context(), workerName(i), types.MergePatchType, []byte(machine), metav1.PatchOptions{}, "status"); err != nil {
		c.t.Errorf("beat of Machine %s: %v", workerName(i), err)
	}
}

func (c *cluster) cordon(name string) {
	c.t.Helper()
	if _, err := c.nodes.CoreV1().Nodes().Patch(c.t.Context(), name, types.MergePatchType, []byte(`{"spec":{"unschedulable":true}}`), metav1.PatchOptions{}); err != nil {
		c.t.Fatal(err)
	}
}

// each does something for every worker, several at a time.
func (c *cluster) each(do func(int)) {
	var tasks sync.WaitGroup
	next := atomic.Int64{}
	for range atOnce {
		tasks.Go(func() {
			for i := next.Add(1) - 1; i < workers && !c.t.Failed(); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	tasks.Wait()
	if c.t.Failed() {
		c.t.FailNow()
	}
}

func (c *cluster) wait(what string, try func() error) {
	c.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		err := try()
		if err == nil {
			return
		}
		select {
		case <-again.C:
		case <-deadline.C:
			c.t.Fatalf("it did not come to this: %s: %v", what, err)
		}
	}
}

// told is what watches said, but for bookmarks, which come as time passes.
type told struct {
	mu     sync.Mutex
	bytes  int
	events []string
}

func (t *told) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes, t.events = 0, nil
}

// sees succeeds once an event mentions a name.
func (t *told) sees(name string) func() error {
	return func() error {
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, e := range t.events {
			if strings.Contains(e, `"name":"`+name+`"`) {
				return nil
			}
		}
		return fmt.Errorf("%d events", len(t.events))
	}
}

// report fails the test for every event that is about a worker.
func (t *told) report(test *testing.T, when string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	test.Logf("%s: watches told %d events in %d bytes", when, len(t.events), t.bytes)
	others := 0
	for _, e := range t.events {
		if !strings.Contains(e, `"name":"master-0"`) {
			others++
		}
	}
	if others > 0 || len(t.events) != 1 {
		test.Errorf("%s watches told %d events, %d of them about others than the Node that was cordoned", when, len(t.events), others)
	}
}

func (t *told) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		answer, err := next.RoundTrip(r)
		if err != nil || r.URL.Query().Get("watch") == "" {
			return answer, err
		}
		reader, writer := io.Pipe()
		body := answer.Body
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(body, writer), body}
		go func() {
			lines := bufio.NewReader(reader)
			for {
				line, err := lines.ReadBytes('\n')
				t.note(line)
				if err != nil {
					return
				}
			}
		}()
		context.AfterFunc(r.Context(), func() { _ = writer.Close() })
		return answer, nil
	})
}

func (t *told) note(line []byte) {
	if len(bytes.TrimSpace(line)) == 0 || bytes.Contains(line, []byte(`"type":"BOOKMARK"`)) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes += len(line)
	t.events = append(t.events, string(line))
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

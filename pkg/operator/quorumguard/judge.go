package quorumguard

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	machineNamespace = "openshift-machine-api"
	machineSelector  = "machine.openshift.io/cluster-api-machine-role in (master,arbiter)"
	podSelector      = "app in (etcd,guard)"
)

// judgement is what the cores say once more, and the live objects that they judged.
type judgement struct {
	quorumguard.Decision
	snapshot snapshot.Snapshot
	pods     []corev1.Pod
}

func (j *judgement) about(node snapshot.NodeName) (quorumguard.Pod, bool) {
	i := slices.IndexFunc(j.Pods, func(p quorumguard.Pod) bool { return p.Node == node })
	if i < 0 {
		return quorumguard.Pod{}, false
	}
	return j.Pods[i], true
}

var errNoAddress = errors.New("status.addresses has no InternalIP that can be read, so its guard could not be probed; let the kubelet or the cloud controller report one")

// addressOf returns where etcd on a node answers its guard's probe.
func (j *judgement) addressOf(name snapshot.NodeName) (string, error) {
	node := nodeOf(&j.snapshot, name)
	switch {
	case node == nil:
	case node.PeerAddress.IsValid():
		return node.PeerAddress.String(), nil
	case len(node.Addresses) > 0:
		return node.Addresses[0].String(), nil
	}
	return "", fmt.Errorf("create the guard of Node %s: %w", name, errNoAddress)
}

// judgeAgain reads live what guards and budget rest on, and asks the cores about the pass with that in its place; nil when
// the member list is not the judged one any more (rule R10.2).
func (c *controller) judgeAgain(ctx context.Context, p *pass.Pass, live *policyv1.PodDisruptionBudget) (*judgement, error) {
	if p.Snapshot.MemberList.Holds() {
		list, err := c.Etcd.MemberList(ctx, p.Endpoints)
		if err != nil {
			return nil, fmt.Errorf("read the members before guards or budget are changed: %w", err)
		}
		if list.Judged() != etcdclient.JudgedFrom(&p.Snapshot) {
			return nil, nil
		}
	}
	pods, err := c.Kubernetes.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: podSelector})
	if err != nil {
		return nil, fmt.Errorf("list the guards: %w", err)
	}
	objects := observe.Objects{Pods: observe.Listed(pods.Items), Budget: observe.Absent[policyv1.PodDisruptionBudget](), Network: p.Objects.Network}
	if live != nil {
		objects.Budget = observe.Found(live)
	}
	gone, err := c.readNodes(ctx, p, &objects)
	if err != nil {
		return nil, err
	}
	if p.Snapshot.MachineList.Holds() {
		machines, err := c.Machines.Machines(machineNamespace).List(ctx, metav1.ListOptions{LabelSelector: machineSelector})
		if err != nil {
			return nil, fmt.Errorf("list the control-plane Machines: %w", err)
		}
		objects.Machines = observe.Listed(machines.Items)
	}
	j := &judgement{snapshot: c.overlay(p, objects, gone), pods: pods.Items}
	j.Decision = decision.About(j.snapshot).Guard
	return j, nil
}

// readNodes reads the Nodes on which a guard is to be made or deleted, and returns those that are gone.
func (c *controller) readNodes(ctx context.Context, p *pass.Pass, into *observe.Objects) (gone []snapshot.NodeName, err error) {
	for _, pod := range p.Guard.Pods {
		if pod.Action != quorumguard.PodCreate && pod.Action != quorumguard.PodDelete {
			continue
		}
		node, err := c.Kubernetes.CoreV1().Nodes().Get(ctx, string(pod.Node), metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			gone = append(gone, pod.Node)
		case err != nil:
			return nil, fmt.Errorf("read Node %s: %w", pod.Node, err)
		default:
			into.Nodes.Items = append(into.Nodes.Items, *node)
		}
	}
	return gone, nil
}

// overlay returns the Snapshot of a pass with what was read live in its place.
func (c *controller) overlay(p *pass.Pass, objects observe.Objects, gone []snapshot.NodeName) snapshot.Snapshot {
	seen, _ := observe.Snapshot(observe.Pass{Objects: objects, GuardOutdated: c.Guards.Outdated}, observe.ElapsedMemory())
	s := p.Snapshot
	s.Guards, s.GuardList, s.Budget = seen.Guards, seen.GuardList, seen.Budget
	if objects.Machines.Complete.Holds() {
		s.Machines = seen.Machines
	}
	s.Nodes = slices.Clone(s.Nodes)
	replace := func(node snapshot.Node) {
		if known := nodeOf(&s, node.Name); known != nil {
			*known = node
		} else {
			s.Nodes = append(s.Nodes, node)
		}
	}
	for _, node := range seen.Nodes {
		replace(node)
	}
	for _, name := range gone {
		replace(snapshot.Node{Name: name, Present: snapshot.False})
	}
	return s
}

// observedBudget reads a budget as the observer does.
func observedBudget(b *policyv1.PodDisruptionBudget) snapshot.Budget {
	seen, _ := observe.Snapshot(observe.Pass{Objects: observe.Objects{Budget: observe.Found(b)}}, observe.ElapsedMemory())
	return seen.Budget
}

func sameSpec(a, b *policyv1.PodDisruptionBudgetSpec) bool { return equality.Semantic.DeepEqual(a, b) }

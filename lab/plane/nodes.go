package plane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/openshift/cluster-etcd-operator/lab/hosts"
	"github.com/openshift/cluster-etcd-operator/lab/member"
	"github.com/openshift/cluster-etcd-operator/lab/operand"
)

// keepInterval is the time between two passes of the stand-ins.
const keepInterval = time.Second

// waitNodes returns when all nodes are Ready and all etcd pods too, and leaves
// the stand-ins running.
func (p *Plane) waitNodes(ctx context.Context) error {
	keeper := operand.NewKeeper(operand.Settings{
		Client:   p.client,
		Dynamic:  p.dynamic,
		Hosts:    p.hosts,
		Observer: p.observer,
		Gateway:  p.gateway,
		Pod:      p.podOptions(),

		EndpointsKept: p.options.Operator != "",
	})
	p.mu.Lock()
	p.keeper = keeper
	p.mu.Unlock()
	go p.keep(ctx, keeper)

	limited, cancel := context.WithTimeoutCause(ctx, nodeDeadline, errors.New("nodes and etcd pods did not become Ready in time"))
	defer cancel()
	if err := p.wait(limited, p.nodesReady); err != nil {
		return err
	}
	// From here on a host without data has to be in the member list first.
	for _, host := range p.hosts.List() {
		if err := host.RemoveFile(filepath.Join(member.ResourcesDir, member.BootstrapFile)); err != nil {
			return err
		}
	}
	return nil
}

func (p *Plane) nodesReady(ctx context.Context) (bool, string) {
	nodes, err := p.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return false, err.Error()
	}
	pods, err := p.client.CoreV1().Pods(operand.Namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=etcd"})
	if err != nil {
		return false, err.Error()
	}
	readyNodes, readyPods := 0, 0
	for _, node := range nodes.Items {
		_, labelled := node.Labels[roleLabel(hosts.Worker)]
		_, master := node.Labels[roleLabel(hosts.Master)]
		_, arbiter := node.Labels[roleLabel(hosts.Arbiter)]
		if isReady(node) && (labelled || master || arbiter) {
			readyNodes++
		}
	}
	for _, pod := range pods.Items {
		if slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		}) {
			readyPods++
		}
	}
	return readyNodes == p.options.ControlPlanes+p.options.Workers && readyPods == p.options.ControlPlanes,
		fmt.Sprintf("%d of %d nodes and %d of %d etcd pods are Ready", readyNodes, p.options.ControlPlanes+p.options.Workers, readyPods, p.options.ControlPlanes)
}

func isReady(node corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

var errNoRollout = errors.New("the lab rolls nothing out yet")

func (p *Plane) holdRollout(host string, held bool) error {
	p.mu.Lock()
	keeper := p.keeper
	p.mu.Unlock()
	if keeper == nil {
		return errNoRollout
	}
	keeper.Hold(host, held)
	return nil
}

// keep runs the stand-ins until ctx ends. The API server may be away for as long
// as etcd has no quorum: that is not the lab's failure, so it is logged once per
// change.
func (p *Plane) keep(ctx context.Context, keeper *operand.Keeper) {
	ticker := time.NewTicker(keepInterval)
	defer ticker.Stop()
	last := ""
	for {
		state := ""
		if err := errors.Join(p.labelNodes(ctx), keeper.Pass(ctx)); err != nil {
			state = err.Error()
		}
		if ctx.Err() != nil {
			return
		}
		if state != last {
			fmt.Fprintf(os.Stdout, "%s stand-ins: %s\n", time.Now().UTC().Format(time.RFC3339), state)
			last = state
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func roleLabel(role hosts.Role) string { return "node-role.kubernetes.io/" + string(role) }

// labelNodes gives Nodes their roles, which kubelets may not do themselves.
func (p *Plane) labelNodes(ctx context.Context) error {
	nodes, err := p.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list nodes: %w", err)
	}
	var failures []error
	for _, node := range nodes.Items {
		host, err := p.hosts.Host(node.Name)
		if err != nil {
			// A Node outlives its host for a while.
			continue
		}
		if _, labelled := node.Labels[roleLabel(host.Role)]; labelled {
			continue
		}
		labels := map[string]string{roleLabel(host.Role): ""}
		if host.Role == hosts.Master {
			labels["node-role.kubernetes.io/control-plane"] = ""
		}
		patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": labels}})
		if err != nil {
			return fmt.Errorf("encode labels: %w", err)
		}
		if _, err := p.client.CoreV1().Nodes().Patch(ctx, node.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			failures = append(failures, fmt.Errorf("label node %s: %w", node.Name, err))
		}
	}
	return errors.Join(failures...)
}

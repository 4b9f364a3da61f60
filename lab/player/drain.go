package player

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

// evictionPause is between two tries, as kubectl drain makes it but shorter.
const evictionPause = 2 * time.Second

func (p *Player) cordon(ctx context.Context, node string, cordoned bool) error {
	patch := fmt.Sprintf(`{"spec":{"unschedulable":%t}}`, cordoned)
	return p.api(ctx, func(ctx context.Context) error {
		_, err := p.client.CoreV1().Nodes().Patch(ctx, node, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: fieldManager})
		return err
	})
}

// drain stands in for whoever drains a node for maintenance: cordon, then an
// eviction for every pod that is not the kubelet's own or bound to the node.
func (p *Player) drain(ctx context.Context, action *scenario.Drain) error {
	if err := p.cordon(ctx, action.Node, true); err != nil {
		return err
	}
	pods, err := p.podsOn(ctx, action.Node)
	if err != nil {
		return err
	}
	if action.Expect == scenario.Refused {
		if len(pods) == 0 {
			return errors.New("there is no pod to evict, so nothing can be refused")
		}
		return p.refusedFor(ctx, pods, action.Within.Or(refusedSpan), action.Every.Or(evictionPause))
	}
	return p.evictAll(ctx, action.Node, action.Within.Or(drainDeadline), action.Every.Or(evictionPause))
}

// drainMeanwhile cordons, and evicts in the background for as long as the step
// says, or until the node is uncordoned; that it does not come to an end is no failure.
func (p *Player) drainMeanwhile(ctx, background context.Context, action *scenario.Drain) error {
	if err := p.cordon(ctx, action.Node, true); err != nil {
		return err
	}
	p.endDrain(action.Node)
	draining, stop := context.WithCancel(background)
	ended := make(chan struct{})
	p.mu.Lock()
	p.drains[action.Node] = func() { stop(); <-ended }
	p.mu.Unlock()
	p.background.Go(func() {
		defer close(ended)
		defer stop()
		if err := p.evictAll(draining, action.Node, action.Within.Or(drainDeadline), action.Every.Or(evictionPause)); err != nil && draining.Err() == nil {
			p.say("drain %s: %v", action.Node, err)
		}
	})
	return nil
}

// endDrain returns when nobody drains the node in the background any more.
func (p *Player) endDrain(node string) {
	p.mu.Lock()
	end := p.drains[node]
	delete(p.drains, node)
	p.mu.Unlock()
	if end != nil {
		end()
	}
}

func (p *Player) podsOn(ctx context.Context, node string) ([]corev1.Pod, error) {
	var evictable []corev1.Pod
	err := p.api(ctx, func(ctx context.Context) error {
		list, err := p.client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName=" + node})
		if err != nil {
			return err
		}
		evictable = nil
		for _, pod := range list.Items {
			owner := metav1.GetControllerOf(&pod)
			if mirror(pod) || owner != nil && owner.Kind == "DaemonSet" || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
				continue
			}
			evictable = append(evictable, pod)
		}
		return nil
	})
	return evictable, err
}

// tryEviction asks once; refused is true if a budget does not allow it.
func (p *Player) tryEviction(ctx context.Context, namespace, name string) (refused bool, err error) {
	err = p.api(ctx, func(ctx context.Context) error {
		asked := p.writer.Now()
		// Not the client's own method: it would try again by itself for minutes.
		err := p.client.CoreV1().RESTClient().Post().MaxRetries(0).Namespace(namespace).Resource("pods").Name(name).SubResource("eviction").
			Body(&policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}).Do(ctx).Error()
		switch {
		case apierrors.IsTooManyRequests(err):
			refused, err = true, nil
		case apierrors.IsNotFound(err):
			refused, err = false, nil
		case err == nil:
			refused = false
			p.writer.Eviction(history.Eviction{At: asked, Namespace: namespace, Pod: name})
		}
		return err
	})
	return refused, err
}

func (p *Player) evictAll(ctx context.Context, node string, within, pause time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("the drain was not done within %s", within))
	defer cancel()
	for {
		pods, err := p.podsOn(ctx, node)
		if err != nil {
			return err
		}
		if len(pods) == 0 {
			return nil
		}
		for _, pod := range pods {
			if pod.DeletionTimestamp != nil {
				continue
			}
			if _, err := p.tryEviction(ctx, pod.Namespace, pod.Name); err != nil {
				return err
			}
		}
		p.pass(ctx, pause)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// refusedFor fails if any of the pods can be evicted within that span.
func (p *Player) refusedFor(ctx context.Context, pods []corev1.Pod, span, pause time.Duration) error {
	limited, cancel := context.WithTimeout(ctx, span)
	defer cancel()
	for {
		for _, pod := range pods {
			refused, err := p.tryEviction(ctx, pod.Namespace, pod.Name)
			if err != nil {
				return err
			}
			if !refused {
				return fmt.Errorf("the eviction of %s was not refused", pod.Name)
			}
		}
		p.pass(limited, pause)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if limited.Err() != nil {
			return nil
		}
	}
}

func (p *Player) evict(ctx context.Context, action *scenario.Evict) error {
	namespace, name := action.Namespace, action.Pod
	if action.Guard != "" {
		namespace, name = "openshift-etcd", "etcd-guard-"+action.Guard
	}
	if namespace == "" {
		namespace = "default"
	}
	pod, err := p.client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("find pod %s: %w", name, err)
	}
	if action.Expect == scenario.Refused {
		return p.refusedFor(ctx, []corev1.Pod{*pod}, action.Within.Or(time.Second), evictionPause)
	}
	deadline := action.Within.Or(expectDeadline)
	ctx, cancel := context.WithTimeoutCause(ctx, deadline, fmt.Errorf("the eviction was refused for %s", deadline))
	defer cancel()
	for {
		refused, err := p.tryEviction(ctx, namespace, name)
		if err != nil || !refused {
			return err
		}
		p.pass(ctx, evictionPause)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// reboot stands in for the machine config operator.
func (p *Player) reboot(ctx, background context.Context, action *scenario.Reboot) error {
	within := action.Within.Or(rebootDeadline)
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("the reboot was not done within %s", within))
	defer cancel()
	if err := p.cordon(ctx, action.Node, true); err != nil {
		return err
	}
	if err := p.evictAll(ctx, action.Node, within, evictionPause); err != nil {
		return err
	}
	host := &scenario.Host{Host: action.Node}
	if err := p.host(background, "terminate", host); err != nil {
		return err
	}
	p.pass(ctx, offSpan)
	if err := p.host(background, "start", host); err != nil {
		return err
	}
	// A Node stays Ready for a while after its kubelet has gone; its member does
	// not.
	if err := p.await(ctx, "the member and the node are back", within, func(f facts.Facts) (bool, error) {
		m := f.Member(action.Node)
		return f.NodeNamed(action.Node).Ready && (m.ID == "" || m.Healthy), nil
	}); err != nil {
		return err
	}
	return p.cordon(ctx, action.Node, false)
}

package observer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

const (
	machineNamespace = "openshift-machine-api"
	etcdNamespace    = "openshift-etcd"
	budgetName       = "etcd-guard-pdb"
	roleLabel        = "machine.openshift.io/cluster-api-machine-role"
)

// Resources that are looked at.
var (
	Machines    = schema.GroupVersionResource{Group: "machine.openshift.io", Version: "v1beta1", Resource: "machines"}
	machineSets = schema.GroupVersionResource{Group: "machine.openshift.io", Version: "v1", Resource: "controlplanemachinesets"}
	etcds       = schema.GroupVersionResource{Group: "operator.openshift.io", Version: "v1", Resource: "etcds"}
	operators   = schema.GroupVersionResource{Group: "config.openshift.io", Version: "v1", Resource: "clusteroperators"}
)

// fromCache has the API server answer from its memory: looking often must not
// become a load of its own, and needs no quorum.
var fromCache = metav1.ListOptions{ResourceVersion: "0"}

// askObjects reads all objects; f is only good if there is no error.
func (o *Observer) askObjects(ctx context.Context, f *facts.Facts) error {
	client, dynamic := o.settings.Client, o.settings.Dynamic
	var machines, sets, etcd, operator *unstructured.UnstructuredList
	var nodes *corev1.NodeList
	var guards *corev1.PodList
	var budgets *policyv1.PodDisruptionBudgetList
	var endpoints, config *corev1.ConfigMapList
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		machines, err = dynamic.Resource(Machines).Namespace(machineNamespace).List(ctx, fromCache)
		return err
	})
	group.Go(func() (err error) {
		sets, err = dynamic.Resource(machineSets).Namespace(machineNamespace).List(ctx, fromCache)
		if apierrors.IsNotFound(err) {
			sets, err = &unstructured.UnstructuredList{}, nil
		}
		return err
	})
	group.Go(func() (err error) {
		etcd, err = dynamic.Resource(etcds).List(ctx, fromCache)
		return err
	})
	group.Go(func() (err error) {
		operator, err = dynamic.Resource(operators).List(ctx, fromCache)
		return err
	})
	group.Go(func() (err error) {
		nodes, err = client.CoreV1().Nodes().List(ctx, fromCache)
		return err
	})
	group.Go(func() (err error) {
		guards, err = client.CoreV1().Pods(etcdNamespace).List(ctx, metav1.ListOptions{ResourceVersion: "0", LabelSelector: "app=guard"})
		return err
	})
	group.Go(func() (err error) {
		budgets, err = client.PolicyV1().PodDisruptionBudgets(etcdNamespace).List(ctx, fromCache)
		return err
	})
	group.Go(func() (err error) {
		endpoints, err = client.CoreV1().ConfigMaps(etcdNamespace).List(ctx, metav1.ListOptions{ResourceVersion: "0", FieldSelector: "metadata.name=etcd-endpoints"})
		return err
	})
	group.Go(func() (err error) {
		config, err = client.CoreV1().ConfigMaps("kube-system").List(ctx, metav1.ListOptions{ResourceVersion: "0", FieldSelector: "metadata.name=cluster-config-v1"})
		return err
	})
	if err := group.Wait(); err != nil {
		return fmt.Errorf("look at objects: %w", err)
	}
	for _, item := range machines.Items {
		f.Machines = append(f.Machines, machineOf(item))
	}
	for _, node := range nodes.Items {
		f.Nodes = append(f.Nodes, nodeOf(node))
	}
	for _, pod := range guards.Items {
		f.Guards = append(f.Guards, guardOf(pod))
	}
	f.Budget = budgetOf(budgets.Items)
	for _, config := range endpoints.Items {
		f.Endpoints = slices.Sorted(maps.Values(config.Data))
	}
	f.EtcdConditions, f.OperatorConditions = conditionsOf(etcd.Items, "cluster"), conditionsOf(operator.Items, "etcd")
	f.Revisions = revisionsOf(etcd.Items)
	f.Desired = desired(config.Items, sets.Items)
	return nil
}

func machineOf(item unstructured.Unstructured) facts.Machine {
	// A field of another type reads as empty, as it does for the operator.
	phase, _, _ := unstructured.NestedString(item.Object, "status", "phase")
	node, _, _ := unstructured.NestedString(item.Object, "status", "nodeRef", "name")
	hooks, _, _ := unstructured.NestedSlice(item.Object, "spec", "lifecycleHooks", "preDrain")
	addresses, _, _ := unstructured.NestedSlice(item.Object, "status", "addresses")
	m := facts.Machine{
		Name: item.GetName(), Role: item.GetLabels()[roleLabel], Phase: phase, Node: node,
		Deleting: item.GetDeletionTimestamp() != nil, UID: string(item.GetUID()),
	}
	for _, hook := range hooks {
		fields, _ := hook.(map[string]any)
		name, _ := fields["name"].(string)
		m.Hooks = append(m.Hooks, name)
		m.Hooked = m.Hooked || name == facts.Hook
	}
	for _, address := range addresses {
		fields, _ := address.(map[string]any)
		if fields["type"] == string(corev1.NodeInternalIP) {
			text, _ := fields["address"].(string)
			m.Addresses = append(m.Addresses, text)
		}
	}
	return m
}

func nodeOf(node corev1.Node) facts.Node {
	n := facts.Node{Name: node.Name, Cordoned: node.Spec.Unschedulable}
	for _, role := range []string{"master", "arbiter", "control-plane"} {
		if _, has := node.Labels["node-role.kubernetes.io/"+role]; has {
			n.ControlPlane = true
		}
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			n.Ready = condition.Status == corev1.ConditionTrue
		}
	}
	for _, address := range node.Status.Addresses {
		if address.Type == corev1.NodeInternalIP {
			n.Addresses = append(n.Addresses, address.Address)
		}
	}
	return n
}

func guardOf(pod corev1.Pod) facts.Guard {
	g := facts.Guard{Name: pod.Name, Node: pod.Spec.NodeName, Phase: string(pod.Status.Phase), Deleting: pod.DeletionTimestamp != nil}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			g.Ready = condition.Status == corev1.ConditionTrue
		}
	}
	return g
}

func budgetOf(budgets []policyv1.PodDisruptionBudget) facts.Budget {
	for _, budget := range budgets {
		if budget.Name != budgetName {
			continue
		}
		b := facts.Budget{
			Exists: true, DisruptionsAllowed: int(budget.Status.DisruptionsAllowed),
			Current: budget.Status.ObservedGeneration == budget.Generation,
		}
		if least := budget.Spec.MinAvailable; least != nil {
			b.MinAvailable = least.IntValue()
		}
		return b
	}
	return facts.Budget{}
}

func conditionsOf(items []unstructured.Unstructured, name string) []facts.Condition {
	for _, item := range items {
		if item.GetName() != name {
			continue
		}
		var status struct {
			Conditions []facts.Condition `json:"conditions"`
		}
		raw, found, _ := unstructured.NestedMap(item.Object, "status")
		if !found || runtime.DefaultUnstructuredConverter.FromUnstructured(raw, &status) != nil {
			return nil
		}
		return status.Conditions
	}
	return nil
}

func revisionsOf(items []unstructured.Unstructured) []facts.Revision {
	var revisions []facts.Revision
	for _, item := range items {
		statuses, _, _ := unstructured.NestedSlice(item.Object, "status", "nodeStatuses")
		for _, status := range statuses {
			fields, _ := status.(map[string]any)
			node, _ := fields["nodeName"].(string)
			current, _ := fields["currentRevision"].(int64)
			target, _ := fields["targetRevision"].(int64)
			if item.GetName() == "cluster" && node != "" {
				revisions = append(revisions, facts.Revision{Node: node, Current: int(current), Target: int(target)})
			}
		}
	}
	return revisions
}

// desired reads how many members are wanted, from what people edit and not from
// what the operator made of it. 0 is unknown.
func desired(configs []corev1.ConfigMap, sets []unstructured.Unstructured) int {
	wanted := 0
	for _, config := range configs {
		var install struct {
			ControlPlane struct{ Replicas json.RawMessage }
			Arbiter      struct{ Replicas json.RawMessage }
		}
		if err := yaml.Unmarshal([]byte(config.Data["install-config"]), &install); err != nil {
			// A scenario may break it; the operator keeps the last good value, and so
			// does whoever judges it.
			continue
		}
		wanted = number(install.ControlPlane.Replicas) + number(install.Arbiter.Replicas)
	}
	for _, set := range sets {
		state, _, _ := unstructured.NestedString(set.Object, "spec", "state")
		replicas, _, _ := unstructured.NestedInt64(set.Object, "spec", "replicas")
		if set.GetName() == "cluster" && state == "Active" {
			wanted = max(wanted, int(replicas))
		}
	}
	return wanted
}

func number(raw json.RawMessage) int {
	var n int
	if json.Unmarshal(raw, &n) != nil || n < 0 || n > 9 {
		return 0
	}
	return n
}

// watchEvents hands on every event, and begins again whenever the watch ends.
func (o *Observer) watchEvents(ctx context.Context) {
	version := ""
	for ctx.Err() == nil {
		err := o.followEvents(ctx, &version)
		if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
			version = ""
		}
		o.rest(ctx)
	}
}

func (o *Observer) followEvents(ctx context.Context, version *string) error {
	client := o.settings.Client.CoreV1().Events(metav1.NamespaceAll)
	if *version == "" {
		list, err := client.List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, event := range list.Items {
			o.tellEvent(event)
		}
		*version = list.ResourceVersion
	}
	stream, err := client.Watch(ctx, metav1.ListOptions{ResourceVersion: *version})
	if err != nil {
		return err
	}
	defer stream.Stop()
	for update := range stream.ResultChan() {
		event, ok := update.Object.(*corev1.Event)
		if !ok {
			return errors.Join(errors.New("the watch has ended"), apierrors.FromObject(update.Object))
		}
		*version = event.ResourceVersion
		o.tellEvent(*event)
	}
	return nil
}

func (o *Observer) tellEvent(event corev1.Event) {
	key := string(event.UID) + event.ResourceVersion
	o.mu.Lock()
	known := o.told[key]
	o.told[key] = true
	o.mu.Unlock()
	if known {
		return
	}
	source := event.Source.Component
	if source == "" {
		source = event.ReportingController
	}
	o.settings.Event(facts.Event{
		At: o.settings.Now(), Reason: event.Reason, Type: event.Type, Message: strings.TrimSpace(event.Message),
		Namespace: event.Namespace, Object: event.InvolvedObject.Kind + "/" + event.InvolvedObject.Name,
		Count: int(event.Count), Source: source,
	})
}

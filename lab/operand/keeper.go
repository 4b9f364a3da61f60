package operand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/openshift/cluster-etcd-operator/lab/gateway"
	"github.com/openshift/cluster-etcd-operator/lab/hosts"
	"github.com/openshift/cluster-etcd-operator/lab/member"
	"github.com/openshift/cluster-etcd-operator/lab/members"
)

// EndpointsName is the ConfigMap that holds the voters' addresses.
const EndpointsName = "etcd-endpoints"

const fieldManager = "lab-operand"

var etcdResource = schema.GroupVersionResource{Group: "operator.openshift.io", Version: "v1", Resource: "etcds"}

// Settings are what a Keeper works with.
type Settings struct {
	Client   kubernetes.Interface
	Dynamic  dynamic.Interface
	Hosts    *hosts.Manager
	Observer *members.Observer
	Gateway  *gateway.Gateway
	Pod      PodOptions
	// EndpointsKept says that the operator keeps etcd-endpoints: the stand-in makes
	// it where it is missing, as the bootstrap does, and never changes it.
	EndpointsKept bool
}

// Keeper does what the operator's static pod controllers would.
type Keeper struct {
	settings Settings
	// endpoints is what hosts and the gateway were told last.
	endpoints map[string]string
	told      map[string]bool

	mu   sync.Mutex
	held map[string]bool
	// latest is the newest revision that the status tells of.
	latest int64
}

// NewKeeper returns a Keeper that has done nothing yet.
func NewKeeper(settings Settings) *Keeper {
	return &Keeper{settings: settings, told: map[string]bool{}, held: map[string]bool{}, latest: Revision}
}

// Hold plays a rollout that does not get to a host: its node's status shows a
// target revision that does not arrive. A host without an etcd pod gets none. For
// one that has its pod a new revision is told of, which all others have at once;
// their pods stay as they are.
func (k *Keeper) Hold(host string, held bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if held && !k.held[host] && k.hasPod(host) {
		k.latest++
	}
	k.held[host] = held
}

func (k *Keeper) hasPod(name string) bool {
	host, err := k.settings.Hosts.Host(name)
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join(host.Root(), ManifestPath))
	return err == nil
}

func (k *Keeper) latestRevision() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.latest
}

// Pass looks once and does what is to be done. One failure does not stop the
// rest: a cluster without quorum still has hosts to tell.
func (k *Keeper) Pass(ctx context.Context) error {
	failures := []error{k.keepEndpoints(ctx), k.tellHosts(ctx)}
	nodes, err := k.settings.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return errors.Join(append(failures, fmt.Errorf("list nodes: %w", err))...)
	}
	return errors.Join(append(failures, k.placePods(nodes.Items), k.keepStatus(ctx, nodes.Items))...)
}

// keepEndpoints makes the ConfigMap equal to the voters, unless the operator does.
// It never writes an empty one.
func (k *Keeper) keepEndpoints(ctx context.Context) error {
	client := k.settings.Client.CoreV1().ConfigMaps(Namespace)
	if k.settings.EndpointsKept {
		_, err := client.Get(ctx, EndpointsName, metav1.GetOptions{})
		if err == nil {
			return nil
		}
		if !apierrors.IsNotFound(err) {
			return fmt.Errorf("read %s: %w", EndpointsName, err)
		}
	}
	var addresses []string
	for _, host := range k.settings.Hosts.List() {
		if host.Role.HostsEtcd() {
			addresses = append(addresses, host.Address.String())
		}
	}
	list, err := k.settings.Observer.List(ctx, addresses)
	if err != nil {
		return err
	}
	wanted := map[string]string{}
	for _, m := range list {
		if !m.Learner && m.Address != "" {
			wanted[m.ID] = m.Address
		}
	}
	if len(wanted) == 0 {
		return errors.New("the member list has no voter")
	}
	current, err := client.Get(ctx, EndpointsName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		_, err = client.Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: EndpointsName, Namespace: Namespace},
			Data:       wanted,
		}, metav1.CreateOptions{FieldManager: fieldManager})
		if err != nil {
			return fmt.Errorf("create %s: %w", EndpointsName, err)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", EndpointsName, err)
	}
	if maps.Equal(current.Data, wanted) {
		return nil
	}
	current.Data = wanted
	if _, err := client.Update(ctx, current, metav1.UpdateOptions{FieldManager: fieldManager}); err != nil {
		return fmt.Errorf("update %s: %w", EndpointsName, err)
	}
	return nil
}

// tellHosts gives gateway and hosts the ConfigMap's data, whoever wrote it.
func (k *Keeper) tellHosts(ctx context.Context) error {
	current, err := k.settings.Client.CoreV1().ConfigMaps(Namespace).Get(ctx, EndpointsName, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("read %s: %w", EndpointsName, err)
	}
	if !maps.Equal(current.Data, k.endpoints) {
		if err := k.settings.Gateway.Set(ctx, slices.Sorted(maps.Values(current.Data))); err != nil {
			return err
		}
		k.endpoints = current.Data
		clear(k.told)
	}
	data, err := json.Marshal(k.endpoints)
	if err != nil {
		return fmt.Errorf("encode endpoints: %w", err)
	}
	for _, host := range k.settings.Hosts.List() {
		if !host.Role.HostsEtcd() || k.told[host.Name] {
			continue
		}
		if err := host.WriteFile(filepath.Join(member.ResourcesDir, member.EndpointsFile), data, 0o644); err != nil {
			return err
		}
		k.told[host.Name] = true
	}
	return nil
}

// placePods installs the pod on hosts whose Node has come.
func (k *Keeper) placePods(nodes []corev1.Node) error {
	var failures []error
	for _, node := range nodes {
		host, err := k.settings.Hosts.Host(node.Name)
		if err != nil || !host.Role.HostsEtcd() || k.isHeld(host.Name) || !k.told[host.Name] {
			// A Node whose host is gone gets no pod.
			continue
		}
		if k.hasPod(host.Name) {
			continue
		}
		manifest, err := Manifest(host, k.settings.Pod)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		failures = append(failures, host.WriteFile(ManifestPath, manifest, 0o600))
	}
	return errors.Join(failures...)
}

func (k *Keeper) isHeld(host string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.held[host]
}

// keepStatus keeps the revision fields of the etcd resource. Node statuses are
// those of the control-plane Nodes that exist; one reaches the revision when its
// etcd pod is Ready.
func (k *Keeper) keepStatus(ctx context.Context, nodes []corev1.Node) error {
	pods, err := k.settings.Client.CoreV1().Pods(Namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=etcd"})
	if err != nil {
		return fmt.Errorf("list etcd pods: %w", err)
	}
	ready := map[string]bool{}
	for _, pod := range pods.Items {
		ready[pod.Spec.NodeName] = slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		})
	}
	resource, err := k.settings.Dynamic.Resource(etcdResource).Get(ctx, "cluster", metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("read the etcd resource: %w", err)
	}
	previous, err := currentRevisions(resource)
	if err != nil {
		return err
	}
	latest := k.latestRevision()
	var control []string
	for _, node := range nodes {
		if !isControlPlane(node) {
			continue
		}
		control = append(control, node.Name)
	}
	arrived := func(node string) bool { return ready[node] && !k.isHeld(node) }
	return k.patchStatus(ctx, resource, latest, nodeStatuses(control, previous, latest, arrived))
}

// nodeStatuses are the entries of nodes whose current revisions were previous,
// 0 for none; arrived says who has the latest now.
func nodeStatuses(nodes []string, previous map[string]int64, latest int64, arrived func(node string) bool) []any {
	statuses, rolling := []any{}, false
	for _, node := range nodes {
		// The API wants an entry to be made before it says anything, and one target
		// at a time.
		status := map[string]any{"nodeName": node}
		current, known := previous[node]
		if known && arrived(node) {
			current = latest
		}
		if current > 0 {
			status["currentRevision"] = current
		}
		if known && current != latest && !rolling {
			status["targetRevision"] = latest
			rolling = true
		}
		statuses = append(statuses, status)
	}
	return statuses
}

func isControlPlane(node corev1.Node) bool {
	_, master := node.Labels["node-role.kubernetes.io/master"]
	_, arbiter := node.Labels["node-role.kubernetes.io/arbiter"]
	return master || arbiter
}

// currentRevisions reads the nodes that have an entry: one stays at its revision
// while its pod restarts.
func currentRevisions(resource *unstructured.Unstructured) (map[string]int64, error) {
	statuses, _, err := unstructured.NestedSlice(resource.Object, "status", "nodeStatuses")
	if err != nil {
		return nil, fmt.Errorf("read node statuses: %w", err)
	}
	revisions := map[string]int64{}
	for _, entry := range statuses {
		fields, _ := entry.(map[string]any)
		name, _ := fields["nodeName"].(string)
		revision, _ := fields["currentRevision"].(int64)
		revisions[name] = revision
	}
	return revisions, nil
}

func (k *Keeper) patchStatus(ctx context.Context, resource *unstructured.Unstructured, latest int64, statuses []any) error {
	wanted := map[string]any{"latestAvailableRevision": latest, "nodeStatuses": statuses}
	current, _, err := unstructured.NestedMap(resource.Object, "status")
	if err != nil {
		return fmt.Errorf("read status of the etcd resource: %w", err)
	}
	before, err := json.Marshal(map[string]any{"latestAvailableRevision": current["latestAvailableRevision"], "nodeStatuses": current["nodeStatuses"]})
	if err != nil {
		return fmt.Errorf("encode status: %w", err)
	}
	after, err := json.Marshal(wanted)
	if err != nil {
		return fmt.Errorf("encode status: %w", err)
	}
	if string(before) == string(after) {
		return nil
	}
	patch, err := json.Marshal(map[string]any{"status": wanted})
	if err != nil {
		return fmt.Errorf("encode status: %w", err)
	}
	if _, err := k.settings.Dynamic.Resource(etcdResource).Patch(ctx, "cluster", types.MergePatchType, patch, metav1.PatchOptions{FieldManager: fieldManager}, "status"); err != nil {
		return fmt.Errorf("write status of the etcd resource: %w", err)
	}
	return nil
}

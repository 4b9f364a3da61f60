package quorumguard

import (
	"fmt"
	"net/netip"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/bindata"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	namespace  = "openshift-etcd"
	budgetName = "etcd-guard-pdb"

	// defaultServiceAccount is what the API server writes where a pod names none.
	defaultServiceAccount = "default"
)

// Guards knows what a guard pod looks like. It may be used by several goroutines: the observer asks it while the
// controller makes guards.
type Guards struct {
	image string

	mu sync.Mutex
	// rewritten are images that the API server stored for the wanted one.
	rewritten map[string]bool
}

// NewGuards returns Guards whose pods run an image: any that holds bash and sleep.
func NewGuards(image string) *Guards {
	return &Guards{image: image, rewritten: map[string]bool{}}
}

// Outdated reports whether image, probe, host name or service account of a guard pod are not the wanted ones (rule R7.4).
func (g *Guards) Outdated(pod *corev1.Pod) bool {
	if len(pod.Spec.Containers) != 1 || pod.Spec.Containers[0].ReadinessProbe == nil {
		return true
	}
	container := &pod.Spec.Containers[0]
	host := ""
	if get := container.ReadinessProbe.HTTPGet; get != nil {
		host = get.Host
	}
	wanted, err := g.pod(snapshot.NodeName(pod.Spec.NodeName), host)
	if err != nil {
		return false
	}
	return !g.isImage(container.Image) ||
		!equality.Semantic.DeepEqual(wanted.Spec.Containers[0].ReadinessProbe, container.ReadinessProbe) || movedAway(pod, host) ||
		pod.Spec.Hostname != wanted.Spec.Hostname ||
		pod.Spec.ServiceAccountName != "" && pod.Spec.ServiceAccountName != defaultServiceAccount
}

// movedAway: the kubelet says that the node has addresses, and the probe asks none of them.
func movedAway(pod *corev1.Pod, host string) bool {
	probed, err := netip.ParseAddr(host)
	if err != nil {
		return true
	}
	return len(pod.Status.HostIPs) > 0 && !slices.ContainsFunc(pod.Status.HostIPs, func(ip corev1.HostIP) bool {
		addr, err := netip.ParseAddr(ip.IP)
		return err == nil && addr.Unmap() == probed.Unmap()
	})
}

func (g *Guards) isImage(image string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return image == g.image || g.rewritten[image]
}

// made notes what the API server made of a new guard: an admission webhook that rewrites images would otherwise have each
// guard made anew for ever.
func (g *Guards) made(pod *corev1.Pod) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range pod.Spec.Containers {
		if image := pod.Spec.Containers[i].Image; image != g.image {
			g.rewritten[image] = true
		}
	}
}

// pod returns the guard of a node, which is probed at an address.
func (g *Guards) pod(node snapshot.NodeName, address string) (*corev1.Pod, error) {
	pod := &corev1.Pod{}
	if err := decode("etcd/guard-pod.yaml", pod); err != nil {
		return nil, err
	}
	pod.Name = quorumguard.PodName(node)
	pod.Spec.NodeName = string(node)
	pod.Spec.Hostname = quorumguard.HostName(node)
	container := &pod.Spec.Containers[0]
	container.Image = g.image
	container.ReadinessProbe.HTTPGet.Host = address
	return pod, nil
}

// budget returns the disruption budget that keeps a number of guards.
func budget(minAvailable int) (*policyv1.PodDisruptionBudget, error) {
	b := &policyv1.PodDisruptionBudget{}
	if err := decode("etcd/guard-pdb.yaml", b); err != nil {
		return nil, err
	}
	keep := intstr.FromInt32(int32(minAvailable))
	b.Spec.MinAvailable = &keep
	return b, nil
}

func decode(asset string, into any) error {
	content, err := bindata.Asset(asset)
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalStrict(content, into); err != nil {
		return fmt.Errorf("read embedded manifest %s: %w", asset, err)
	}
	return nil
}

package quorumguard

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/bindata"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	namespace  = "openshift-etcd"
	budgetName = "etcd-guard-pdb"

	// containerName is that of a guard's container.
	containerName = "guard"
	// defaultServiceAccount is what the API server writes where a pod names none.
	defaultServiceAccount = "default"
)

// Guards knows what a guard pod looks like. It may be used by several goroutines: the observer asks it while the
// controller makes guards.
type Guards struct {
	image string

	mu sync.Mutex
	// rewritten are traits that the API server stored in place of wanted ones, with the pod in which it did so last.
	rewritten map[trait]string
}

// trait is the value that a guard has for a field in which guards are compared.
type trait struct{ field, value string }

const (
	fieldImage = "image"
	fieldHost  = "readinessProbe.httpGet.host"
)

// NewGuards returns Guards whose pods run an image: any that holds bash and sleep.
func NewGuards(image string) *Guards {
	return &Guards{image: image, rewritten: map[trait]string{}}
}

// Outdated reports whether image, probe, host name or service account of a guard pod are not the wanted ones (rule R7.4),
// nor what the API server makes of them.
func (g *Guards) Outdated(pod *corev1.Pod) bool {
	has := traitsOf(pod)
	host := has[fieldHost]
	wanted, err := g.pod(snapshot.NodeName(pod.Spec.NodeName), host)
	if err != nil {
		return false
	}
	for field, value := range traitsOf(wanted) {
		if has[field] != value && !g.accepts(trait{field, has[field]}) {
			return true
		}
	}
	return movedAway(pod, host) && !g.accepts(trait{fieldHost, host})
}

// traitsOf returns what guards are compared in, by field.
func traitsOf(pod *corev1.Pod) map[string]string {
	traits := map[string]string{
		"hostname": pod.Spec.Hostname, "serviceAccountName": cmp.Or(pod.Spec.ServiceAccountName, defaultServiceAccount),
		"containers": "", fieldImage: "", "readinessProbe": "", fieldHost: "",
	}
	for i := range pod.Spec.Containers {
		container := &pod.Spec.Containers[i]
		traits["containers"] += container.Name + " "
		if container.Name != containerName {
			continue
		}
		traits[fieldImage] = container.Image
		probe := container.ReadinessProbe.DeepCopy()
		if probe != nil && probe.HTTPGet != nil {
			traits[fieldHost], probe.HTTPGet.Host = probe.HTTPGet.Host, ""
		}
		traits["readinessProbe"] = probe.String()
	}
	return traits
}

func (g *Guards) accepts(t trait) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, accepted := g.rewritten[t]
	return accepted
}

// made notes what the API server made of a new guard: an admission webhook that rewrites guards would otherwise have each
// made anew for ever. A field that it stores as wanted by now is no longer accepted otherwise.
func (g *Guards) made(wanted, created *corev1.Pod) {
	g.mu.Lock()
	defer g.mu.Unlock()
	has := traitsOf(created)
	for field, value := range traitsOf(wanted) {
		if has[field] != value {
			g.rewritten[trait{field, has[field]}] = created.Name
			continue
		}
		maps.DeleteFunc(g.rewritten, func(t trait, _ string) bool { return t.field == field })
	}
}

// findings name the guards that the API server stores otherwise than they are written. Other images are no matter: a
// cluster with a mirror has them.
func (g *Guards) findings() []reason.Finding {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []reason.Finding
	for t, pod := range g.rewritten {
		if t.field != fieldImage {
			all = append(all, notKept("pod "+pod, t.field))
		}
	}
	slices.SortFunc(all, func(a, b reason.Finding) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Other, b.Other))
	})
	return all
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

package quorumguard

import (
	"net/netip"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	world "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

func guard(t *testing.T, g *Guards, node snapshot.NodeName, address string) *corev1.Pod {
	t.Helper()
	pod, err := g.pod(node, address)
	if err != nil {
		t.Fatal(err)
	}
	return pod
}

func TestOutdated(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(*corev1.Pod)
		want bool
	}{
		"as it was made":       {func(*corev1.Pod) {}, false},
		"as the server has it": {func(p *corev1.Pod) { p.Spec.ServiceAccountName, p.Spec.DNSPolicy = "default", corev1.DNSClusterFirst }, false},
		"its node has the probed address and another one": {func(p *corev1.Pod) {
			p.Status.HostIPs = []corev1.HostIP{{IP: "fd00::10"}, {IP: "192.0.2.10"}}
		}, false},
		"its node has another address": {func(p *corev1.Pod) { p.Status.HostIPs = []corev1.HostIP{{IP: "192.0.2.11"}} }, true},
		"another image":                {func(p *corev1.Pod) { p.Spec.Containers[0].Image = "example/operator:v0" }, true},
		"another host name":            {func(p *corev1.Pod) { p.Spec.Hostname = "guard" }, true},
		"another service account":      {func(p *corev1.Pod) { p.Spec.ServiceAccountName = "etcd" }, true},
		"another path":                 {func(p *corev1.Pod) { p.Spec.Containers[0].ReadinessProbe.HTTPGet.Path = "/healthz" }, true},
		"another pace":                 {func(p *corev1.Pod) { p.Spec.Containers[0].ReadinessProbe.PeriodSeconds = 10 }, true},
		"a probe of another kind": {func(p *corev1.Pod) {
			p.Spec.Containers[0].ReadinessProbe.ProbeHandler = corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"true"}}}
		}, true},
		"no probe":             {func(p *corev1.Pod) { p.Spec.Containers[0].ReadinessProbe = nil }, true},
		"no container":         {func(p *corev1.Pod) { p.Spec.Containers = nil }, true},
		"a further container":  {func(p *corev1.Pod) { p.Spec.Containers = append(p.Spec.Containers, corev1.Container{}) }, true},
		"a probe without host": {func(p *corev1.Pod) { p.Spec.Containers[0].ReadinessProbe.HTTPGet.Host = "" }, true},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewGuards(image)
			pod := guard(t, g, "node-a", "192.0.2.10")
			test.edit(pod)
			if got := g.Outdated(pod); got != test.want {
				t.Errorf("outdated is %t, want %t", got, test.want)
			}
		})
	}
}

// A webhook that rewrites guards would have each made anew, and drains held back, for ever.
func TestWhatTheServerPutsInPlaceOfOursIsAcceptedForAsLongAsItDoes(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(*corev1.Pod)
		// told is the field that a condition names.
		told string
	}{
		"an image of a mirror": {func(p *corev1.Pod) { p.Spec.Containers[0].Image = "mirror.example/operator:v1" }, ""},
		"another pace":         {func(p *corev1.Pod) { p.Spec.Containers[0].ReadinessProbe.TimeoutSeconds = 7 }, "readinessProbe"},
		"no probe":             {func(p *corev1.Pod) { p.Spec.Containers[0].ReadinessProbe = nil }, "readinessProbe"},
		"a host name":          {func(p *corev1.Pod) { p.Spec.Hostname = "other" }, "hostname"},
		"a service account":    {func(p *corev1.Pod) { p.Spec.ServiceAccountName = "other" }, "serviceAccountName"},
		"a sidecar": {func(p *corev1.Pod) {
			p.Spec.Containers = append([]corev1.Container{{Name: "sidecar", Image: "example/sidecar"}}, p.Spec.Containers...)
		}, "containers"},
		"an address that the node does not have": {func(p *corev1.Pod) {
			p.Spec.Containers[0].ReadinessProbe.HTTPGet.Host, p.Status.HostIPs = "127.0.0.1", []corev1.HostIP{{IP: "192.0.2.10"}}
		}, "readinessProbe.httpGet.host"},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewGuards(image)
			wanted, pod := guard(t, g, "node-a", "192.0.2.10"), guard(t, g, "node-a", "192.0.2.10")
			test.edit(pod)
			if !g.Outdated(pod) {
				t.Fatal("accepted before it was made")
			}
			g.made(wanted, pod)
			if g.Outdated(pod) {
				t.Error("not accepted")
			}
			found := g.findings()
			if (len(found) > 0) != (test.told != "") {
				t.Fatalf("found %v, want one about %q", found, test.told)
			}
			if test.told == "" {
				return
			}
			if want := "pod etcd-guard-node-a: " + test.told + " does not stay as it is written"; !strings.Contains(found[0].Message(), want) {
				t.Errorf("told %q, want %q", found[0].Message(), want)
			}
			g.made(wanted, wanted)
			if !g.Outdated(pod) || len(g.findings()) > 0 {
				t.Errorf("outdated %t, found %v, although the server takes guards as they are by now", g.Outdated(pod), g.findings())
			}
		})
	}
}

func TestR7_6AGuardOfALongNodeNameHasAValidHostName(t *testing.T) {
	for _, node := range []snapshot.NodeName{
		"node-a", snapshot.NodeName(strings.Repeat("a", 63)), snapshot.NodeName(strings.Repeat("a.", 120) + "example"), "ip-10-0-0-1.us-east-2.compute.internal",
	} {
		pod := guard(t, NewGuards(image), node, "192.0.2.10")
		if wrong := validation.IsDNS1123Label(pod.Spec.Hostname); len(wrong) > 0 {
			t.Errorf("host name %q of node %s: %v", pod.Spec.Hostname, node, wrong)
		}
		if wrong := validation.IsDNS1123Subdomain(pod.Name); len(wrong) > 0 {
			t.Errorf("name %q of node %s: %v", pod.Name, node, wrong)
		}
		if pod.Spec.NodeName != string(node) {
			t.Errorf("the guard of %s is on %s", node, pod.Spec.NodeName)
		}
	}
}

func TestTheProbeAsksThePeerAddress(t *testing.T) {
	for name, test := range map[string]struct {
		node snapshot.Node
		want string
	}{
		"the family of the peer address":              {snapshot.Node{Name: "n", Addresses: []netip.Addr{a.Address(), ipv6(a)}, PeerAddress: ipv6(a)}, "fd00::10"},
		"the first when there is no peer address yet": {snapshot.Node{Name: "n", Addresses: []netip.Addr{b.Address(), ipv6(b)}}, "192.0.2.11"},
		"none": {snapshot.Node{Name: "n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			j := judgement{snapshot: snapshot.Snapshot{Nodes: []snapshot.Node{test.node}}}
			got, err := j.addressOf("n")
			if got != test.want || (err != nil) != (test.want == "") {
				t.Errorf("%q, %v; want %q", got, err, test.want)
			}
		})
	}
	if got, err := (&judgement{snapshot: world.New()}).addressOf("another"); err == nil {
		t.Errorf("%q for a node that is not known", got)
	}
}

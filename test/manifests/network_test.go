package manifests

import (
	"net"
	"slices"
	"strconv"
	"testing"

	operatorv1alpha1 "github.com/openshift/api/operator/v1alpha1"
	"github.com/openshift/library-go/pkg/config/configdefaults"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"
)

const (
	operatorNamespace = "openshift-etcd-operator"
	monitoring        = "openshift-monitoring"
	dns               = "openshift-dns"
	// anywhere is no namespace of a pod: hosts, and what is outside of the cluster.
	anywhere = ""

	etcdClients = 2379
	// apiServer is where API servers listen on their hosts, apiService where the Service does.
	apiServer, apiService = 6443, 443
	// dnsPods is where the DNS pods listen behind port 53 of their Service: a policy sees the pod's port.
	dnsPods = 5353
)

// listens returns the port that the operator serves on: from its configuration, with the defaults of library-go, which the
// binary serves with.
func listens(t *testing.T) int32 {
	t.Helper()
	for _, m := range decoded[corev1.ConfigMap](t, "ConfigMap") {
		if m.Name != "etcd-operator-config" {
			continue
		}
		var config operatorv1alpha1.GenericOperatorConfig
		if err := yaml.UnmarshalStrict([]byte(m.Data["config.yaml"]), &config); err != nil {
			t.Fatal(err)
		}
		configdefaults.SetRecommendedHTTPServingInfoDefaults(&config.ServingInfo)
		_, port, err := net.SplitHostPort(config.ServingInfo.BindAddress)
		if err != nil {
			t.Fatal(err)
		}
		number, err := strconv.ParseInt(port, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		return int32(number)
	}
	t.Fatal("there is no configuration of the operator")
	return 0
}

func operatorPod(t *testing.T) corev1.PodTemplateSpec {
	t.Helper()
	deployments := decoded[appsv1.Deployment](t, "Deployment")
	if len(deployments) != 1 || deployments[0].Namespace != operatorNamespace {
		t.Fatalf("got %d deployments, the first in %s", len(deployments), deployments[0].Namespace)
	}
	return deployments[0].Spec.Template
}

// reach is one connection of the operator's pod.
type reach struct {
	protocol corev1.Protocol
	port     int32
	// peer is the namespace of the pod at the other end, or anywhere.
	peer string
}

// passes evaluates the policies of the operator's namespace as the API describes them: a pod that none selects for a
// direction is open in it, else any rule of any of them is enough.
func passes(t *testing.T, direction networkingv1.PolicyType, r reach) bool {
	t.Helper()
	pod := operatorPod(t)
	selected := false
	for _, policy := range decoded[networkingv1.NetworkPolicy](t, "NetworkPolicy") {
		if policy.Namespace != operatorNamespace || !slices.Contains(policy.Spec.PolicyTypes, direction) || !selects(t, &policy.Spec.PodSelector, pod.Labels) {
			continue
		}
		selected = true
		if direction == networkingv1.PolicyTypeIngress {
			for _, rule := range policy.Spec.Ingress {
				if through(t, rule.Ports, rule.From, r) {
					return true
				}
			}
			continue
		}
		for _, rule := range policy.Spec.Egress {
			if through(t, rule.Ports, rule.To, r) {
				return true
			}
		}
	}
	return !selected
}

func through(t *testing.T, ports []networkingv1.NetworkPolicyPort, peers []networkingv1.NetworkPolicyPeer, r reach) bool {
	t.Helper()
	port := len(ports) == 0 || slices.ContainsFunc(ports, func(p networkingv1.NetworkPolicyPort) bool {
		return *p.Protocol == r.protocol && p.EndPort == nil && *p.Port == intstr.FromInt32(r.port)
	})
	peer := len(peers) == 0 || r.peer != anywhere && slices.ContainsFunc(peers, func(p networkingv1.NetworkPolicyPeer) bool {
		return p.IPBlock == nil && p.PodSelector == nil && selects(t, p.NamespaceSelector, map[string]string{corev1.LabelMetadataName: r.peer})
	})
	return port && peer
}

func selects(t *testing.T, selector *metav1.LabelSelector, of map[string]string) bool {
	t.Helper()
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	return s.Matches(labels.Set(of))
}

func TestNetworkPoliciesLetThroughWhatTheOperatorNeedsAndNoMore(t *testing.T) {
	const in, out = networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress
	const tcp, udp = corev1.ProtocolTCP, corev1.ProtocolUDP
	serves := listens(t)
	for name, test := range map[string]struct {
		direction networkingv1.PolicyType
		reach     reach
		want      bool
	}{
		"a kubelet probes /healthz, from its host":   {in, reach{tcp, serves, anywhere}, true},
		"Prometheus reads /metrics":                  {in, reach{tcp, serves, monitoring}, true},
		"nothing else is served":                     {in, reach{tcp, serves + 1, monitoring}, false},
		"etcd serves clients, on its host":           {out, reach{tcp, etcdClients, anywhere}, true},
		"etcd's peers are nobody's business":         {out, reach{tcp, etcdClients + 1, anywhere}, false},
		"the API servers, on their hosts":            {out, reach{tcp, apiServer, anywhere}, true},
		"the Service of the API servers":             {out, reach{tcp, apiService, anywhere}, true},
		"names are resolved":                         {out, reach{udp, dnsPods, dns}, true},
		"names are resolved whose answers are large": {out, reach{tcp, dnsPods, dns}, true},
		"no other resolver":                          {out, reach{udp, dnsPods, anywhere}, false},
		"nothing else is asked":                      {out, reach{tcp, 80, anywhere}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := passes(t, test.direction, test.reach); got != test.want {
				t.Errorf("%s of %+v passes: %t, want %t", test.direction, test.reach, got, test.want)
			}
		})
	}
}

// serviceMonitor is what is looked at; its API is no module of ours.
type serviceMonitor struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		NamespaceSelector struct {
			MatchNames []string `json:"matchNames"`
		} `json:"namespaceSelector"`
		Selector  metav1.LabelSelector `json:"selector"`
		Endpoints []struct {
			Port            string `json:"port"`
			Scheme          string `json:"scheme"`
			Path            string `json:"path"`
			Interval        string `json:"interval"`
			BearerTokenFile string `json:"bearerTokenFile"`
			TLSConfig       struct {
				CAFile     string `json:"caFile"`
				ServerName string `json:"serverName"`
			} `json:"tlsConfig"`
		} `json:"endpoints"`
	} `json:"spec"`
}

func TestPrometheusFindsWhatTheOperatorServes(t *testing.T) {
	pod, serves := operatorPod(t), listens(t)
	services := decoded[corev1.Service](t, "Service")
	monitors := decoded[serviceMonitor](t, "ServiceMonitor")
	if len(services) != 1 || len(monitors) != 1 || len(monitors[0].Spec.Endpoints) != 1 || len(services[0].Spec.Ports) != 1 {
		t.Fatalf("got %d services, %d monitors", len(services), len(monitors))
	}
	service, monitor := services[0], monitors[0]
	endpoint, port := monitor.Spec.Endpoints[0], service.Spec.Ports[0]
	if !labels.SelectorFromSet(service.Spec.Selector).Matches(labels.Set(pod.Labels)) || service.Namespace != operatorNamespace {
		t.Error("the Service does not select the operator's pod")
	}
	if port.TargetPort != intstr.FromInt32(serves) || port.Protocol != corev1.ProtocolTCP {
		t.Errorf("the Service sends to %s %s, the operator listens on %d", port.Protocol, port.TargetPort.String(), serves)
	}
	if !selects(t, &monitor.Spec.Selector, service.Labels) || !slices.Contains(monitor.Spec.NamespaceSelector.MatchNames, service.Namespace) {
		t.Error("the ServiceMonitor does not select the Service")
	}
	if endpoint.Port != port.Name || endpoint.Scheme != "https" || endpoint.Path != "" {
		t.Errorf("the ServiceMonitor asks %s at port %q, path %q; the Service calls it %q", endpoint.Scheme, endpoint.Port, endpoint.Path, port.Name)
	}
	if want := service.Name + "." + service.Namespace + ".svc"; endpoint.TLSConfig.ServerName != want {
		t.Errorf("the ServiceMonitor expects a certificate for %s; the Service's is for %s", endpoint.TLSConfig.ServerName, want)
	}
	secret := service.Annotations["service.beta.openshift.io/serving-cert-secret-name"]
	if !slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Secret != nil && v.Secret.SecretName == secret }) {
		t.Errorf("the pod does not mount the Service's certificate %q", secret)
	}
}

func TestProbesAndPortsOfThePodAreThoseThatAreServed(t *testing.T) {
	serves := listens(t)
	for _, container := range operatorPod(t).Spec.Containers {
		for _, port := range container.Ports {
			if port.ContainerPort != serves {
				t.Errorf("port %s is %d, the operator listens on %d", port.Name, port.ContainerPort, serves)
			}
		}
		for name, probe := range map[string]*corev1.Probe{"liveness": container.LivenessProbe, "readiness": container.ReadinessProbe} {
			if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Port != intstr.FromInt32(serves) || probe.HTTPGet.Scheme != corev1.URISchemeHTTPS {
				t.Errorf("the %s probe asks %+v, the operator listens on %d", name, probe, serves)
			}
		}
	}
}

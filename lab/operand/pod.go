package operand

import (
	"fmt"
	"path/filepath"
	"strconv"

	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/lab/hostinit"
	"github.com/openshift/cluster-etcd-operator/lab/hosts"
	"github.com/openshift/cluster-etcd-operator/lab/member"
)

// Namespace is where etcd runs.
const Namespace = "openshift-etcd"

// Revision is the only revision that the stand-in renders.
const Revision = 1

// ManifestPath is where a host's kubelet finds the pod.
var ManifestPath = filepath.Join(hostinit.ManifestsDir, "etcd-pod.yaml")

// maxLearners is the same on every member (R5.6).
const maxLearners = 8

// PodOptions configure etcd.
type PodOptions struct {
	// NoFsync leaves writing to disk to the kernel: faster, and safe against all
	// that the lab does to hosts, since their disk is the machine's.
	NoFsync bool
	// EtcdMinor is the second number of etcd's version, 0 for that of the parts.
	EtcdMinor int
}

// lastWithOneLearner is the last minor version of etcd that lets one learner in
// and has no option for more.
const lastWithOneLearner = 5

func (o PodOptions) learnersOption() []any {
	if o.EtcdMinor > 0 && o.EtcdMinor <= lastWithOneLearner {
		return nil
	}
	return []any{"--max-learners=" + strconv.Itoa(maxLearners)}
}

// Manifest renders the static pod of a host.
func Manifest(host *hosts.Host, options PodOptions) ([]byte, error) {
	arguments := []any{
		"labhost", "member", "-name=" + host.Name, "-address=" + host.Address.String(), "--",
		"--heartbeat-interval=100", "--election-timeout=1000",
	}
	arguments = append(arguments, options.learnersOption()...)
	if options.NoFsync {
		arguments = append(arguments, "--unsafe-no-fsync")
	}
	port, err := strconv.Atoi(member.ReadyzPort)
	if err != nil {
		return nil, fmt.Errorf("read port: %w", err)
	}
	readyz := map[string]any{"path": "/readyz", "port": port, "scheme": "HTTPS"}
	mounts := []any{
		map[string]any{"name": "certs", "mountPath": member.CertsDir, "readOnly": true},
		map[string]any{"name": "resources", "mountPath": member.ResourcesDir, "readOnly": true},
	}
	pod := map[string]any{
		"apiVersion": "v1",
		"kind":       "Pod",
		"metadata": map[string]any{
			"name":      "etcd",
			"namespace": Namespace,
			"labels":    map[string]any{"app": "etcd", "k8s-app": "etcd", "etcd": "true", "revision": strconv.Itoa(Revision)},
		},
		"spec": map[string]any{
			"hostNetwork":                   true,
			"priorityClassName":             "system-node-critical",
			"terminationGracePeriodSeconds": 10,
			"tolerations":                   []any{map[string]any{"operator": "Exists"}},
			"containers": []any{
				map[string]any{
					"name":    "etcd",
					"image":   "lab",
					"command": arguments,
					"volumeMounts": append([]any{
						map[string]any{"name": "data", "mountPath": member.DataDir},
					}, mounts...),
					"readinessProbe": map[string]any{
						"httpGet": readyz, "periodSeconds": 2, "timeoutSeconds": 3, "failureThreshold": 3,
					},
				},
				map[string]any{
					"name":         "etcd-readyz",
					"image":        "lab",
					"command":      []any{"labhost", "readyz", host.Address.String()},
					"volumeMounts": mounts,
				},
			},
			"volumes": []any{
				hostPath("data", member.DataDir),
				hostPath("certs", hosts.EtcdCertsDir),
				hostPath("resources", member.ResourcesDir),
			},
		},
	}
	manifest, err := yaml.Marshal(pod)
	if err != nil {
		return nil, fmt.Errorf("render the etcd pod of %s: %w", host.Name, err)
	}
	return manifest, nil
}

func hostPath(name, path string) map[string]any {
	return map[string]any{"name": name, "hostPath": map[string]any{"path": path, "type": "Directory"}}
}

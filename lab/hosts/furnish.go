package hosts

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/lab/certs"
	"github.com/openshift/cluster-etcd-operator/lab/hostinit"
	"github.com/openshift/cluster-etcd-operator/lab/member"
)

// EtcdCertsDir is where a host keeps etcd's certificates.
const EtcdCertsDir = member.ResourcesDir + "/etcd-certs"

const pkiDir = "/etc/kubernetes/pki"

// furnish fills the host's root folder with what an installed machine has.
func (h *Host) furnish(now time.Time) error {
	if _, err := os.Stat(h.folder); err == nil {
		return fmt.Errorf("folder %s exists already", h.folder)
	} else if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("look for the host's folder: %w", err)
	}
	machineID := make([]byte, 16)
	// Since Go 1.24 this does not fail.
	_, _ = rand.Read(machineID)
	files := map[string]string{
		"/etc/passwd":      "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n",
		"/etc/group":       "root:x:0:\nnobody:x:65534:\n",
		"/etc/hosts":       "127.0.0.1 localhost\n" + h.Address.String() + " " + h.Name + "\n",
		"/etc/resolv.conf": "",
		"/etc/machine-id":  hex.EncodeToString(machineID) + "\n",
	}
	for path, text := range files {
		if err := h.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, dir := range []string{hostinit.ManifestsDir, pkiDir, member.DataDir, EtcdCertsDir, "/var/log", "/run", "/root", "/tmp"} {
		if err := os.MkdirAll(filepath.Join(h.Root(), dir), 0o755); err != nil {
			return fmt.Errorf("make folder: %w", err)
		}
	}
	if err := h.furnishKubelet(now); err != nil {
		return err
	}
	if h.Role.HostsEtcd() {
		return h.furnishEtcd(now)
	}
	return nil
}

func (h *Host) ips() []net.IP {
	var ips []net.IP
	for _, address := range h.Addresses {
		ips = append(ips, address.AsSlice())
	}
	return ips
}

func (h *Host) furnishKubelet(now time.Time) error {
	// One certificate for both directions: the kubelet serves with the one it
	// connects with.
	pair, err := h.settings.KubeAuthority.Issue(certs.Subject{
		CommonName:    "system:node:" + h.Name,
		Organizations: []string{"system:nodes"},
		DNSNames:      []string{h.Name},
		Addresses:     h.ips(),
	}, now)
	if err != nil {
		return err
	}
	pki := filepath.Join(h.Root(), pkiDir)
	if err := pair.Write(filepath.Join(pki, "kubelet")); err != nil {
		return err
	}
	if err := h.WriteFile(pkiDir+"/ca.crt", h.settings.KubeAuthority.PEM, 0o644); err != nil {
		return err
	}
	// Relative references: the file is read under another root than it was
	// written under.
	kubeconfig, err := certs.Kubeconfig(h.settings.APIServer, "pki/ca.crt", "pki/kubelet.crt", "pki/kubelet.key")
	if err != nil {
		return err
	}
	if err := h.WriteFile(hostinit.Kubeconfig, kubeconfig, 0o600); err != nil {
		return err
	}
	config, err := yaml.Marshal(h.kubeletConfig())
	if err != nil {
		return fmt.Errorf("encode kubelet configuration: %w", err)
	}
	return h.WriteFile(hostinit.KubeletConfig, config, 0o644)
}

func (h *Host) kubeletConfig() map[string]any {
	gates := map[string]any{}
	if h.settings.UserNamespace {
		gates["KubeletInUserNamespace"] = true
	}
	socket := "unix://" + hostinit.RuntimeSocket
	return map[string]any{
		"apiVersion":     "kubelet.config.k8s.io/v1beta1",
		"kind":           "KubeletConfiguration",
		"authentication": map[string]any{"x509": map[string]any{"clientCAFile": pkiDir + "/ca.crt"}, "anonymous": map[string]any{"enabled": false}},
		"authorization":  map[string]any{"mode": "Webhook"},
		// Nothing below /sys/fs/cgroup belongs to a host of the lab.
		"failCgroupV1":           false,
		"cgroupsPerQOS":          false,
		"enforceNodeAllocatable": []any{},
		"failSwapOn":             false,
		// Space on the machine's disk is not the host's own.
		"evictionHard":                    map[string]any{},
		"localStorageCapacityIsolation":   false,
		"volumeStatsAggPeriod":            "-1s",
		"makeIPTablesUtilChains":          false,
		"syncFrequency":                   "10s",
		"fileCheckFrequency":              "2s",
		"staticPodPath":                   hostinit.ManifestsDir,
		"containerRuntimeEndpoint":        socket,
		"imageServiceEndpoint":            socket,
		"resolvConf":                      "",
		"providerID":                      h.ProviderID(),
		"tlsCertFile":                     pkiDir + "/kubelet.crt",
		"tlsPrivateKeyFile":               pkiDir + "/kubelet.key",
		"featureGates":                    gates,
		"nodeStatusUpdateFrequency":       "4s",
		"nodeLeaseDurationSeconds":        16,
		"shutdownGracePeriod":             "0s",
		"shutdownGracePeriodCriticalPods": "0s",
	}
}

func (h *Host) furnishEtcd(now time.Time) error {
	pair, err := h.settings.EtcdAuthority.Issue(certs.Subject{
		CommonName:    "system:etcd-peer:" + h.Name,
		Organizations: []string{"system:etcd-peers"},
		DNSNames:      []string{"localhost", h.Name, "etcd.kube-system.svc", "etcd.openshift-etcd.svc"},
		Addresses:     append(h.ips(), net.IPv4(127, 0, 0, 1), net.IPv6loopback),
	}, now)
	if err != nil {
		return err
	}
	if err := pair.Write(filepath.Join(h.Root(), EtcdCertsDir, "member")); err != nil {
		return err
	}
	return h.WriteFile(EtcdCertsDir+"/ca.crt", h.settings.EtcdAuthority.PEM, 0o644)
}

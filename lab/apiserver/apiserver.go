package apiserver

import (
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
)

// Port is where the API server listens.
const Port = 6443

// Service networks of both families; the first address of each is the API server's
// own.
const (
	ServiceNetwork  = "172.30.0.0/16"
	ServiceNetwork6 = "fd02::/112"
)

// Files are paths of certificates and keys, all in one folder.
type Files struct{ folder string }

// NewFiles returns the paths below folder.
func NewFiles(folder string) Files { return Files{folder} }

func (f Files) path(name string) string { return filepath.Join(f.folder, name) }

// What the certificates folder holds: the authorities' certificates, pairs
// without their endings .crt and .key, and the token signing key.
func (f Files) KubeAuthority() string     { return f.path("kube-ca.crt") }
func (f Files) EtcdAuthority() string     { return f.path("etcd-ca.crt") }
func (f Files) Serving() string           { return f.path("apiserver") }
func (f Files) KubeletClient() string     { return f.path("apiserver-kubelet-client") }
func (f Files) EtcdClient() string        { return f.path("etcd-client") }
func (f Files) Admin() string             { return f.path("admin") }
func (f Files) ControllerManager() string { return f.path("controller-manager") }
func (f Files) TokenKey() string          { return f.path("service-account.key") }
func (f Files) TokenPublicKey() string    { return f.path("service-account.pub") }

// Arguments returns kube-apiserver's. etcd is the URL of the etcd gateway,
// address the one that clients use, folder a place for files of its own.
func Arguments(files Files, address netip.Addr, services []string, etcd, folder string) []string {
	everywhere := netip.IPv4Unspecified()
	if address.Is6() {
		// It means those of the other family too.
		everywhere = netip.IPv6Unspecified()
	}
	return append([]string{
		"kube-apiserver",
		"--etcd-servers=" + etcd,
		"--etcd-cafile=" + files.EtcdAuthority(),
		"--etcd-certfile=" + files.EtcdClient() + ".crt",
		"--etcd-keyfile=" + files.EtcdClient() + ".key",
		"--bind-address=" + everywhere.String(),
		"--secure-port=" + strconv.Itoa(Port),
		"--advertise-address=" + address.String(),
		"--cert-dir=" + folder,
		"--tls-cert-file=" + files.Serving() + ".crt",
		"--tls-private-key-file=" + files.Serving() + ".key",
		"--client-ca-file=" + files.KubeAuthority(),
		// Servers that delegate authentication look for it, the operator's too.
		"--requestheader-client-ca-file=" + files.KubeAuthority(),
		"--requestheader-allowed-names=front-proxy-client",
		"--requestheader-username-headers=X-Remote-User",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--kubelet-client-certificate=" + files.KubeletClient() + ".crt",
		"--kubelet-client-key=" + files.KubeletClient() + ".key",
		"--kubelet-certificate-authority=" + files.KubeAuthority(),
		"--kubelet-preferred-address-types=InternalIP",
		"--authorization-mode=Node,RBAC",
		"--enable-admission-plugins=NodeRestriction",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + files.TokenPublicKey(),
		"--service-account-signing-key-file=" + files.TokenKey(),
		"--service-cluster-ip-range=" + strings.Join(services, ","),
		"--allow-privileged=true",
	}, NewAudit(folder).arguments()...)
}

// controllers that the lab needs; no scheduler runs, since all pods here name
// their node.
var controllers = []string{
	"namespace-controller",
	"garbage-collector-controller",
	"pod-garbage-collector-controller",
	"disruption-controller",
	"node-lifecycle-controller",
	"taint-eviction-controller",
	"serviceaccount-controller",
	"root-ca-certificate-publisher-controller",
	"clusterrole-aggregation-controller",
}

// ControllerManagerArguments returns kube-controller-manager's.
func ControllerManagerArguments(files Files, kubeconfig, folder string) []string {
	return []string{
		"kube-controller-manager",
		"--kubeconfig=" + kubeconfig,
		"--controllers=" + strings.Join(controllers, ","),
		"--leader-elect=false",
		"--use-service-account-credentials",
		"--service-account-private-key-file=" + files.TokenKey(),
		"--root-ca-file=" + files.KubeAuthority(),
		"--bind-address=127.0.0.1",
		"--cert-dir=" + folder,
		// A dead host shows within seconds, so that runs are short.
		"--node-monitor-grace-period=16s",
		"--node-monitor-period=2s",
	}
}

package plane

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/apiserver"
	"github.com/openshift/cluster-etcd-operator/lab/certs"
)

// makeCertificates fills the certificates folder.
func (p *Plane) makeCertificates(now time.Time) error {
	folder := filepath.Join(p.options.Work, "certs")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make certificates folder: %w", err)
	}
	p.files = apiserver.NewFiles(folder)
	var err error
	if p.kubeAuthority, err = certs.NewAuthority("lab-kube", now); err != nil {
		return err
	}
	if p.etcdAuthority, err = certs.NewAuthority("lab-etcd", now); err != nil {
		return err
	}
	private, public, err := certs.NewSigningKey()
	if err != nil {
		return err
	}
	for path, data := range map[string][]byte{
		p.files.KubeAuthority():  p.kubeAuthority.PEM,
		p.files.EtcdAuthority():  p.etcdAuthority.PEM,
		p.files.TokenKey():       private,
		p.files.TokenPublicKey(): public,
	} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return fmt.Errorf("write certificate: %w", err)
		}
	}
	masters := []string{"system:masters"}
	for _, wanted := range []struct {
		path      string
		authority *certs.Authority
		subject   certs.Subject
	}{
		{p.files.Serving(), p.kubeAuthority, certs.Subject{
			CommonName: "kube-apiserver",
			DNSNames:   []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
			Addresses:  p.apiAddresses(),
		}},
		{p.files.KubeletClient(), p.kubeAuthority, certs.Subject{CommonName: "kube-apiserver-kubelet-client", Organizations: masters}},
		{p.files.Admin(), p.kubeAuthority, certs.Subject{CommonName: "system:admin", Organizations: masters}},
		{p.files.ControllerManager(), p.kubeAuthority, certs.Subject{CommonName: "system:kube-controller-manager"}},
		{p.files.EtcdClient(), p.etcdAuthority, certs.Subject{CommonName: "etcd-client"}},
	} {
		pair, err := wanted.authority.Issue(wanted.subject, now)
		if err != nil {
			return err
		}
		if err := pair.Write(wanted.path); err != nil {
			return err
		}
	}
	return p.writeKubeconfigs()
}

// apiAddresses are all by which the API server is reached.
func (p *Plane) apiAddresses() []net.IP {
	addresses := []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(172, 30, 0, 1), net.ParseIP("fd02::1")}
	for _, network := range p.networks() {
		addresses = append(addresses, network.Addr().AsSlice())
	}
	return addresses
}

func (p *Plane) writeKubeconfigs() error {
	for path, pair := range map[string]string{
		p.kubeconfig():                  p.files.Admin(),
		p.controllerManagerKubeconfig(): p.files.ControllerManager(),
	} {
		config, err := certs.Kubeconfig(p.apiURL(), p.files.KubeAuthority(), pair+".crt", pair+".key")
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, config, 0o600); err != nil {
			return fmt.Errorf("write kubeconfig: %w", err)
		}
	}
	return nil
}

func (p *Plane) kubeconfig() string { return filepath.Join(p.options.Work, "kubeconfig") }

func (p *Plane) controllerManagerKubeconfig() string {
	return filepath.Join(p.options.Work, "certs", "controller-manager.kubeconfig")
}

// etcdTLS is for clients of etcd and of the hosts' /readyz.
func (p *Plane) etcdTLS() (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(p.files.EtcdClient()+".crt", p.files.EtcdClient()+".key")
	if err != nil {
		return nil, fmt.Errorf("load etcd client certificate: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(p.etcdAuthority.PEM) {
		return nil, errors.New("load etcd's authority: no certificate in it")
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: pool, MinVersion: tls.VersionTLS12}, nil
}

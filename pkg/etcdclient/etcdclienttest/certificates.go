package etcdclienttest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
)

const validity = 24 * time.Hour

// Authority issues certificates for one test.
type Authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// Pair is a certificate and its key, in PEM.
type Pair struct {
	Certificate, Key []byte
}

// NewAuthority makes an authority that signs itself.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: serial(t), Subject: pkix.Name{CommonName: "etcd-signer"},
		NotBefore: now.Add(-time.Minute), NotAfter: now.Add(validity),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	key := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatalf("make authority: %v", err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatalf("read authority: %v", err)
	}
	return &Authority{certificate: certificate, key: key}
}

// PEM returns the authority's certificate.
func (a *Authority) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})
}

// Issue makes a certificate that a client and a server on the given addresses can use.
func (a *Authority) Issue(t testing.TB, name string, addresses ...net.IP) Pair {
	t.Helper()
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: serial(t), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Minute), NotAfter: now.Add(validity),
		KeyUsage: x509.KeyUsageDigitalSignature, IPAddresses: addresses,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
	}
	key := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		t.Fatalf("issue certificate of %s: %v", name, err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatalf("encode key of %s: %v", name, err)
	}
	return Pair{
		Certificate: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		Key:         pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}),
	}
}

// WriteFiles writes a pair and the authority to trust into a folder, each file in one step, and returns their paths.
func WriteFiles(t testing.TB, folder string, pair Pair, authority *Authority) etcdclient.TLSFiles {
	t.Helper()
	files := etcdclient.TLSFiles{
		Certificate: filepath.Join(folder, "tls.crt"),
		Key:         filepath.Join(folder, "tls.key"),
		Authorities: filepath.Join(folder, "ca-bundle.crt"),
	}
	for path, content := range map[string][]byte{
		files.Certificate: pair.Certificate, files.Key: pair.Key, files.Authorities: authority.PEM(),
	} {
		if err := os.WriteFile(path+".new", content, 0o600); err != nil {
			t.Fatalf("write certificates: %v", err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatalf("write certificates: %v", err)
		}
	}
	return files
}

// serverConfig is what a member of the fake accepts connections with.
func (a *Authority) serverConfig(t testing.TB, name string, address net.IP) *tls.Config {
	t.Helper()
	pair := a.Issue(t, name, address)
	certificate, err := tls.X509KeyPair(pair.Certificate, pair.Key)
	if err != nil {
		t.Fatalf("read certificate of %s: %v", name, err)
	}
	clients := x509.NewCertPool()
	clients.AddCert(a.certificate)
	return &tls.Config{
		Certificates: []tls.Certificate{certificate}, ClientCAs: clients, ClientAuth: tls.RequireAndVerifyClientCert,
		MinVersion: tls.VersionTLS12,
		// They would be sent into a pipe that nobody reads.
		SessionTicketsDisabled: true,
	}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatalf("make key: %v", err)
	}
	return key
}

func serial(t testing.TB) *big.Int {
	t.Helper()
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		t.Fatalf("choose serial number: %v", err)
	}
	return n
}

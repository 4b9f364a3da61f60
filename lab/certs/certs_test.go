package certs

import (
	"crypto/x509"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestCertificatesAreGoodForServersAndClientsOfTheirAuthorityAlone(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	ours, err := NewAuthority("ours", now)
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewAuthority("other", now)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := ours.Issue(Subject{CommonName: "master-0", DNSNames: []string{"localhost"}, Addresses: []net.IP{net.IPv4(10, 199, 0, 10)}}, now)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "pair")
	if err := pair.Write(path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + ".key"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key's file is %v, %v", info, err)
	}
	block, _ := pem.Decode(pair.Certificate)
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	verify := func(authority *Authority, name string, usage x509.ExtKeyUsage) error {
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(authority.PEM)
		_, err := certificate.Verify(x509.VerifyOptions{Roots: pool, DNSName: name, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{usage}})
		return err
	}
	for _, name := range []string{"localhost", "10.199.0.10"} {
		for _, usage := range []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth} {
			if err := verify(ours, name, usage); err != nil {
				t.Errorf("%s, usage %v: %v", name, usage, err)
			}
		}
	}
	if verify(ours, "10.199.0.11", x509.ExtKeyUsageServerAuth) == nil {
		t.Error("the certificate is good for another address")
	}
	if verify(other, "localhost", x509.ExtKeyUsageServerAuth) == nil {
		t.Error("another authority vouches for the certificate")
	}
}

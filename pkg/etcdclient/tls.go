package etcdclient

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// TLSFiles are the paths of the PEM files that a connection to etcd is made with: the client's certificate and key, and
// the certificates of the authorities that a member's certificate may be issued by.
type TLSFiles struct {
	Certificate, Key, Authorities string
}

// readsOfAPair is how often the pair is read before it is given up. The files are replaced one after the other, or the
// folder behind both between two reads, so a certificate and a key that do not belong together are seen for a moment.
const readsOfAPair = 3

// Load reads the files. It is called for every handshake, so that a rotated certificate or authority is in force from
// the next one on.
func (f TLSFiles) Load() (*tls.Config, error) {
	bundle, err := os.ReadFile(f.Authorities)
	if err != nil {
		return nil, fmt.Errorf("read authorities: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(bundle) {
		return nil, fmt.Errorf("read authorities: no certificate in %s", f.Authorities)
	}
	for range readsOfAPair {
		var pair tls.Certificate
		if pair, err = tls.LoadX509KeyPair(f.Certificate, f.Key); err == nil {
			return &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: roots, MinVersion: tls.VersionTLS12}, nil
		}
	}
	return nil, fmt.Errorf("read client certificate: %w", err)
}

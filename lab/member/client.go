package member

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// listTimeout bounds one request for the member list.
const listTimeout = 3 * time.Second

// Member is an entry of the member list.
type Member struct {
	ID         string   `json:"ID"`
	Name       string   `json:"name"`
	PeerURLs   []string `json:"peerURLs"`
	ClientURLs []string `json:"clientURLs"`
	IsLearner  bool     `json:"isLearner"`
}

// client speaks to etcd's JSON gateway: the full client would make every host
// larger for two questions.
type client struct {
	http *http.Client
}

func newClient() (*client, error) {
	pair, err := tls.LoadX509KeyPair(filepath.Join(CertsDir, "member.crt"), filepath.Join(CertsDir, "member.key"))
	if err != nil {
		return nil, fmt.Errorf("load the member's certificate: %w", err)
	}
	authority, err := os.ReadFile(filepath.Join(CertsDir, "ca.crt"))
	if err != nil {
		return nil, fmt.Errorf("load etcd's authority: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authority) {
		return nil, errors.New("load etcd's authority: no certificate in the file")
	}
	return &client{http: &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: pool, MinVersion: tls.VersionTLS12},
	}}}, nil
}

// members reads the member list, linearizably, from the first known endpoint
// other than own that answers.
func (c *client) members(ctx context.Context, own string) ([]Member, error) {
	endpoints, err := readEndpoints()
	if err != nil {
		return nil, err
	}
	var failures []error
	for _, endpoint := range endpoints {
		if endpoint == own {
			continue
		}
		members, err := c.membersFrom(ctx, endpoint)
		if err == nil {
			return members, nil
		}
		failures = append(failures, err)
	}
	if len(failures) == 0 {
		return nil, errors.New("no endpoint of another member is known")
	}
	return nil, errors.Join(failures...)
}

func (c *client) membersFrom(ctx context.Context, endpoint string) ([]Member, error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, ClientURL(endpoint)+"/v3/cluster/member/list", bytes.NewBufferString(`{"linearizable":true}`))
	if err != nil {
		return nil, fmt.Errorf("ask %s for the member list: %w", endpoint, err)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask %s for the member list: %w", endpoint, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return nil, fmt.Errorf("read the member list of %s: %w", endpoint, err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask %s for the member list: %s: %s", endpoint, response.Status, bytes.TrimSpace(body))
	}
	var list struct{ Members []Member }
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("parse the member list of %s: %w", endpoint, err)
	}
	return list.Members, nil
}

// alive asks the member at address for a read that it answers from its own
// data, without the others.
func (c *client) alive(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, ClientURL(address)+"/livez", nil)
	if err != nil {
		return fmt.Errorf("ask etcd: %w", err)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("ask etcd: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("ask etcd: %s", response.Status)
	}
	return nil
}

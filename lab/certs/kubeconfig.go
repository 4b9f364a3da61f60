package certs

import (
	"encoding/base64"
	"fmt"

	"sigs.k8s.io/yaml"
)

// Kubeconfig returns a kubeconfig for the API server at that URL. The paths are
// taken as they are; relative ones count from the kubeconfig's folder.
func Kubeconfig(server, authority, certificate, key string) ([]byte, error) {
	return encode(
		map[string]any{"server": server, "certificate-authority": authority},
		map[string]any{"client-certificate": certificate, "client-key": key},
	)
}

// TokenKubeconfig returns a kubeconfig that refers to no file: authority is PEM,
// token a bearer token.
func TokenKubeconfig(server string, authority []byte, token string) ([]byte, error) {
	return encode(
		map[string]any{"server": server, "certificate-authority-data": base64.StdEncoding.EncodeToString(authority)},
		map[string]any{"token": token},
	)
}

func encode(cluster, user map[string]any) ([]byte, error) {
	const name = "lab"
	config, err := yaml.Marshal(map[string]any{
		"apiVersion": "v1",
		"kind":       "Config",
		"clusters":   []any{map[string]any{"name": name, "cluster": cluster}},
		"users":      []any{map[string]any{"name": name, "user": user}},
		"contexts":   []any{map[string]any{"name": name, "context": map[string]any{"cluster": name, "user": name}}},

		"current-context": name,
	})
	if err != nil {
		return nil, fmt.Errorf("encode kubeconfig: %w", err)
	}
	return config, nil
}

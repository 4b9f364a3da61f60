package certs

import (
	"fmt"

	"sigs.k8s.io/yaml"
)

// Kubeconfig returns a kubeconfig for the API server at that URL. The paths are
// taken as they are; relative ones count from the kubeconfig's folder.
func Kubeconfig(server, authority, certificate, key string) ([]byte, error) {
	const name = "lab"
	config, err := yaml.Marshal(map[string]any{
		"apiVersion": "v1",
		"kind":       "Config",
		"clusters":   []any{map[string]any{"name": name, "cluster": map[string]any{"server": server, "certificate-authority": authority}}},
		"users":      []any{map[string]any{"name": name, "user": map[string]any{"client-certificate": certificate, "client-key": key}}},
		"contexts":   []any{map[string]any{"name": name, "context": map[string]any{"cluster": name, "user": name}}},

		"current-context": name,
	})
	if err != nil {
		return nil, fmt.Errorf("encode kubeconfig: %w", err)
	}
	return config, nil
}

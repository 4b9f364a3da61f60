package bindata

import (
	"embed"
	"fmt"
)

//go:embed etcd
var assets embed.FS

// Asset returns the manifest with the given name, for example
// "etcd/guard-pod.yaml", as YAML with its placeholders unfilled. The caller may
// change what is returned. It fails only for a name that does not exist.
func Asset(name string) ([]byte, error) {
	content, err := assets.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read embedded manifest: %w", err)
	}
	return content, nil
}

package scenario

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed builtin/*.yaml
var builtin embed.FS

// Builtin returns the names of the scenarios that come with the lab.
func Builtin() []string {
	entries, err := builtin.ReadDir("builtin")
	if err != nil {
		// They are part of the program.
		panic(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), ".yaml"))
	}
	return names
}

// BuiltinSource returns the text of a scenario that comes with the lab.
func BuiltinSource(name string) ([]byte, error) {
	data, err := builtin.ReadFile(path.Join("builtin", name+".yaml"))
	if err != nil {
		return nil, fmt.Errorf("no scenario %s comes with the lab; there are: %s", quote(name), strings.Join(Builtin(), ", "))
	}
	return data, nil
}

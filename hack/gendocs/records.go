package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	recordsFolder = "docs/adr"
	recordsIndex  = "README.md"
)

// recordFaults checks that the index of a folder of records links each of them.
func recordFaults(folder string) ([]string, error) {
	index, err := os.ReadFile(filepath.Join(folder, recordsIndex))
	if err != nil {
		return nil, fmt.Errorf("read index of records: %w", err)
	}
	records, err := filepath.Glob(filepath.Join(folder, "[0-9]*.md"))
	if err != nil {
		return nil, fmt.Errorf("list records: %w", err)
	}
	var faults []string
	for _, r := range records {
		if name := filepath.Base(r); !strings.Contains(string(index), "]("+name+")") {
			faults = append(faults, fmt.Sprintf("%s/%s does not list %s", recordsFolder, recordsIndex, name))
		}
	}
	return faults, nil
}

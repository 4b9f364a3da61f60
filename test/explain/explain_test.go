package explain

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/pkg/cmd/explain"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
)

var update = flag.Bool("update", false, "rewrite golden.txt of each case; expect.yaml is written by hand")

// TestCases runs the subcommand on the must-gather of each case.
func TestCases(t *testing.T) {
	folders, err := filepath.Glob("../testdata/explain/*")
	if err != nil || len(folders) < 50 {
		t.Fatalf("the cases are not there: %d folders, %v", len(folders), err)
	}
	for _, folder := range folders {
		var want struct {
			Situation string         `json:"situation"`
			Expect    map[string]any `json:"expect"`
		}
		if err := yaml.UnmarshalStrict(read(t, folder, "expect.yaml"), &want); err != nil {
			t.Fatal(folder, err)
		}
		if want.Situation == "" || want.Expect["membership"] == nil {
			t.Fatalf("%s expects nothing of the membership", folder)
		}
		t.Run(filepath.Base(folder)+" "+want.Situation, func(t *testing.T) {
			world, err := Parse(string(read(t, folder, "world.txt")))
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			if err := mustgathertest.Write(root, world.Files); err != nil {
				t.Fatal(err)
			}

			var got map[string]any
			if err := json.Unmarshal(run(t, root, "json"), &got); err != nil {
				t.Fatal(err)
			}
			for _, missing := range lacking("", want.Expect, got) {
				t.Error(missing)
			}

			text := run(t, root, "text")
			for i, line := range strings.Split(string(text), "\n") {
				if len([]rune(line)) > 100 {
					t.Errorf("line %d is wider than 100 columns: %s", i+1, line)
				}
			}
			golden := filepath.Join(folder, "golden.txt")
			if *update {
				if err := os.WriteFile(golden, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(read(t, folder, "golden.txt")), string(text)); diff != "" {
				t.Errorf("the text changed (-golden +now); with -update if it should:\n%s", diff)
			}
		})
	}
}

func read(t *testing.T, folder, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func run(t *testing.T, root, format string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := explain.NewCommand()
	c.SetArgs([]string{"--from-dir", root, "-o", format})
	c.SetOut(&stdout)
	c.SetErr(&stderr)
	if err := c.Execute(); err != nil {
		t.Fatalf("explain -o %s: %v\n%s", format, err, stderr.String())
	}
	return stdout.Bytes()
}

// lacking says where got is not what want asks for: every key of want must be there with its value, every element of a
// list of want must be matched by some element.
func lacking(at string, want, got any) []string {
	switch want := want.(type) {
	case map[string]any:
		have, ok := got.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: want %v, got %v", at, want, got)}
		}
		var all []string
		for key, value := range want {
			if _, ok := have[key]; !ok {
				all = append(all, fmt.Sprintf("%s.%s: there is no such field", at, key))
				continue
			}
			all = append(all, lacking(at+"."+key, value, have[key])...)
		}
		return all
	case []any:
		have, ok := got.([]any)
		if !ok || len(want) == 0 && len(have) > 0 {
			return []string{fmt.Sprintf("%s: want %v, got %v", at, want, got)}
		}
		var all []string
		for _, element := range want {
			if !matchesAny(element, have) {
				all = append(all, fmt.Sprintf("%s: nothing there is %v; there are %v", at, element, got))
			}
		}
		return all
	}
	if !reflect.DeepEqual(want, got) {
		return []string{fmt.Sprintf("%s: want %v, got %v", at, want, got)}
	}
	return nil
}

func matchesAny(want any, have []any) bool {
	for _, h := range have {
		if len(lacking("", want, h)) == 0 {
			return true
		}
	}
	return false
}

// TestEachSituationHasACase: numbers of the situations that an operator must handle. Those in noState are none (see doc.go).
func TestEachSituationHasACase(t *testing.T) {
	noState := []string{"S7", "H11", "V1", "V2", "V3"}
	for letter, last := range map[string]int{"S": 21, "H": 11, "A": 13, "G": 15, "V": 5} {
		for i := range last {
			name := fmt.Sprintf("%s%d", letter, i+1)
			cases, err := filepath.Glob("../testdata/explain/" + name)
			if err != nil {
				t.Fatal(err)
			}
			if len(cases) == 0 != slices.Contains(noState, name) {
				t.Errorf("%s: %d cases", name, len(cases))
			}
		}
	}
}

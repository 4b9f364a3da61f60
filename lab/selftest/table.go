package selftest

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openshift/cluster-etcd-operator/lab/oracle"
	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

//go:embed broken.yaml
var table []byte

// Entry is one way to break the operator that one scenario must notice.
type Entry struct {
	// Scenario is the name of one that comes with the lab.
	Scenario string `yaml:"scenario"`
	// Rule is the id of the rule that does not hold any more; About says in a sentence
	// what the broken operator does.
	Rule  string `yaml:"rule"`
	About string `yaml:"about"`
	// Changes make the operator break it.
	Changes []Change `yaml:"changes"`
	// Breaks is part of a line of the verdict about a claim that is broken then.
	Breaks string `yaml:"breaks"`
}

// Change replaces Text, which occurs once in File (relative to the repository), by
// By.
type Change struct {
	File string `yaml:"file"`
	Text string `yaml:"text"`
	By   string `yaml:"by"`
}

// Table returns all entries, in the order in which they are written.
func Table() ([]Entry, error) { return parse(table) }

// ErrTable says that the table makes no sense.
var ErrTable = errors.New("the table of broken rules")

var ruleForm = regexp.MustCompile(`^R\d+(\.\d+)?$`)

func parse(data []byte) ([]Entry, error) {
	decoder := yaml.NewDecoder(strings.NewReader(string(data)))
	decoder.KnownFields(true)
	var entries []Entry
	if err := decoder.Decode(&entries); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTable, err)
	}
	known := scenario.Builtin()
	for i, e := range entries {
		wrong := func(text string) ([]Entry, error) {
			return nil, fmt.Errorf("%w: entry %d (%s without %s): %s", ErrTable, i+1, e.Scenario, e.Rule, text)
		}
		switch {
		case !slices.Contains(known, e.Scenario):
			return wrong("no such scenario comes with the lab")
		case !ruleForm.MatchString(e.Rule):
			return wrong("the rule's id is of the form R6.3")
		case e.About == "" || e.Breaks == "" || len(e.Changes) == 0:
			return wrong("it needs about, changes and breaks")
		}
		for _, c := range e.Changes {
			switch {
			case !strings.HasPrefix(c.File, "pkg/") || path.Ext(c.File) != ".go" || path.Clean(c.File) != c.File || strings.HasSuffix(c.File, "_test.go"):
				return wrong("only Go files below pkg/ are built into the operator, not " + c.File)
			case c.Text == "" || c.Text == c.By:
				return wrong("a change of " + c.File + " changes nothing")
			}
		}
	}
	return entries, nil
}

// sources returns the broken text of each file that the entry changes, by its name
// relative to the repository.
func (e Entry) sources(repository string) (map[string]string, error) {
	broken := map[string]string{}
	for _, c := range e.Changes {
		text, changed := broken[c.File]
		if !changed {
			data, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(c.File)))
			if err != nil {
				return nil, fmt.Errorf("break %s for %s: %w", e.Rule, e.Scenario, err)
			}
			text = string(data)
		}
		if count := strings.Count(text, c.Text); count != 1 {
			return nil, fmt.Errorf("break %s for %s: %w: in %s this text must occur once, not %d times:\n%s", e.Rule, e.Scenario, ErrTable, c.File, count, c.Text)
		}
		broken[c.File] = strings.Replace(text, c.Text, c.By, 1)
	}
	return broken, nil
}

// Noticed returns the line of the verdict that says what the entry expects; it is
// empty if the verdict does not say it.
func (e Entry) Noticed(verdict oracle.Verdict) string {
	for _, claim := range verdict.Claims {
		if line := claim.String(); claim.Result == oracle.Broken && strings.Contains(line, e.Breaks) {
			return line
		}
	}
	return ""
}

package main

import (
	"errors"
	"flag"
	"fmt"
	"go/constant"
	"go/types"
	"os"
	"path/filepath"
	"slices"

	"github.com/openshift/cluster-etcd-operator/hack/rulebook"
	"github.com/openshift/cluster-etcd-operator/hack/source"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

// citing are the packages that cite a rule together with a Reason.
var citing = []string{"./pkg/membership", "./pkg/machinehook", "./pkg/quorumguard", "./pkg/rollout", "./pkg/decision", "./pkg/operator/clustermember", "./pkg/operator/quorumguard"}

const vocabulary = "pkg/reason"

func main() {
	check := flag.Bool("check", false, "write nothing; fail when a document is stale or wrong")
	flag.Parse()
	if err := run(".", *check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes or checks the documents of the module at root.
func run(root string, check bool) error {
	set, err := source.Load(root, append(slices.Clone(citing), "./"+vocabulary)...)
	if err != nil {
		return err
	}
	var citations []Citation
	var rules, reasons []string
	for _, p := range set.Packages {
		if p.Path == vocabulary {
			rules, reasons = constants(p.Types, "Rule"), constants(p.Types, "Reason")
			continue
		}
		found, err := Citations(set, p)
		if err != nil {
			return err
		}
		citations = append(citations, found...)
	}
	wrong := problems(reason.Entries, reasons, citations)
	faults, err := documentFaults(root, rules)
	if err != nil {
		return err
	}
	if wrong = append(wrong, faults...); len(wrong) > 0 {
		return lines(wrong)
	}
	return writeOrCompare(filepath.Join(root, reasonsFile), render(reason.Entries, citations), check)
}

// documentFaults checks what people wrote against the code.
func documentFaults(root string, rules []string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(root, rulebook.File))
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	book, err := rulebook.Parse(string(text))
	if err != nil {
		return nil, err
	}
	var faults []string
	for _, id := range rules {
		if !slices.ContainsFunc(book, func(r rulebook.Rule) bool { return r.ID == id }) {
			faults = append(faults, fmt.Sprintf("rule %s is a constant of package reason and is not in %s", id, rulebook.File))
		}
	}
	tree, err := readTree(root)
	if err != nil {
		return nil, err
	}
	text, err = os.ReadFile(filepath.Join(root, invariantsFile))
	if err != nil {
		return nil, fmt.Errorf("read invariants: %w", err)
	}
	faults = append(faults, invariantFaults(string(text), tree)...)
	faults = append(faults, citationFaults(book, tree)...)
	records, err := recordFaults(filepath.Join(root, recordsFolder))
	if err != nil {
		return nil, err
	}
	return append(faults, records...), nil
}

// constants returns the values of the constants of a named type, in the order of their names.
func constants(p *types.Package, typeName string) []string {
	var values []string
	for _, name := range p.Scope().Names() {
		c, ok := p.Scope().Lookup(name).(*types.Const)
		if ok && isFromReason(c.Type(), typeName) {
			values = append(values, constant.StringVal(c.Val()))
		}
	}
	return values
}

func writeOrCompare(file, want string, check bool) error {
	if !check {
		return os.WriteFile(file, []byte(want), 0o644)
	}
	got, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read generated document: %w", err)
	}
	if difference := firstDifference(string(got), want); difference != "" {
		return fmt.Errorf("%s is not what the code gives (make update):\n%s", file, difference)
	}
	return nil
}

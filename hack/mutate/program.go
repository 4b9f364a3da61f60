package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/openshift/cluster-etcd-operator/hack/source"
)

// program is all mutants, and the variant of the code in which they are woven.
type program struct {
	mutants []*mutant
	// woven holds the text of each file that differs, by its path relative to the module.
	woven map[string]string
	// cited are the rules that the mutated packages cite.
	cited []string
}

// derive reads the targets of the module at root and returns their mutants. It fails when the woven variant does not compile,
// or when a mutant stands under no rule.
func derive(root string, targets []target) (*program, error) {
	patterns := []string{"os", "strconv"} // What the woven variant imports besides.
	for _, t := range targets {
		patterns = append(patterns, "./"+t.path)
	}
	set, err := source.Load(root, patterns...)
	if err != nil {
		return nil, err
	}
	files := map[string][]string{}
	for _, t := range targets {
		files[t.path] = t.files
	}
	return deriveFrom(set, files)
}

func deriveFrom(set *source.Set, files map[string][]string) (*program, error) {
	p := &program{woven: map[string]string{}}
	at := newAttributor(set)
	slices.SortFunc(set.Packages, func(a, b *source.Package) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	sites := map[string]map[string][]site{}
	for _, pkg := range set.Packages {
		mutants, found := generate(set, pkg, at, files[pkg.Path])
		p.mutants = append(p.mutants, mutants...)
		sites[pkg.Path] = found
		for _, f := range pkg.Files {
			p.cited = append(p.cited, cites(pkg, f.Syntax)...)
		}
	}
	name(p.mutants)
	for _, m := range p.mutants {
		if m.rule == "" {
			return nil, fmt.Errorf("%s:%d: %s stands under no rule: cite one in its comment", m.file, m.line, m.function)
		}
	}
	for _, pkg := range set.Packages {
		texts := map[string]string{}
		for _, f := range pkg.Files {
			texts[f.Path] = f.Text
			if s := sites[pkg.Path][f.Path]; len(s) > 0 {
				texts[f.Path] = weave(f.Text, s)
			}
		}
		texts[pkg.Path+"/"+switchFile] = switchText(pkg.Types.Name())
		if _, err := set.Check(pkg.ImportPath, texts); err != nil {
			return nil, fmt.Errorf("a mutant does not compile: %w", err)
		}
		maps.Copy(p.woven, texts)
	}
	return p, nil
}

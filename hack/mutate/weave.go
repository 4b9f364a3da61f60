package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// environment is the variable that picks the active mutant of a woven variant, by number; 0 or nothing is the original.
const environment = "ACTIVE_MUTANT"

// switchFile is added to each woven package.
const switchFile = "active_mutant.go"

// switchText is the text of switchFile for a package of the given name.
func switchText(pkg string) string {
	return fmt.Sprintf(`package %s

import (
	"os"
	"strconv"
)

var activeMutant = func() int { n, _ := strconv.Atoi(os.Getenv(%q)); return n }()

func chooseMutant[T any](n int, altered, original T) T {
	if activeMutant == n {
		return altered
	}
	return original
}
`, pkg, environment)
}

// weave returns text with every site replaced. Sites lie beside or inside one another, as the syntax they stand for does.
func weave(text string, sites []site) string {
	sites = slices.Clone(sites)
	slices.SortStableFunc(sites, func(a, b site) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), cmp.Compare(a.layer, b.layer))
	})
	woven, _ := weaveRange(text, 0, len(text), sites)
	return woven
}

// weaveRange weaves text[from:to] with the first of the sites, as many as lie in it, and returns the rest.
func weaveRange(text string, from, to int, sites []site) (string, []site) {
	var b strings.Builder
	for len(sites) > 0 && sites[0].to <= to {
		s := sites[0]
		b.WriteString(text[from:s.from])
		inner, rest := weaveRange(text, s.from, s.to, sites[1:])
		b.WriteString(s.weave(inner))
		from, sites = s.to, rest
	}
	b.WriteString(text[from:to])
	return b.String(), sites
}

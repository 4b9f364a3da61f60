package architecture

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Rule forbids something to the packages it applies to.
type Rule struct {
	Name string
	// Why is printed with each violation: whoever breaks a rule should learn
	// what it protects without looking for this file.
	Why string
	// Applies takes a path relative to the module.
	Applies func(path string) bool
	// Faults returns what p does against the rule, one phrase each.
	Faults func(p Package) []string
}

var (
	// cores decide; vocabulary is what they decide about and in which words.
	cores      = []string{"pkg/membership", "pkg/machinehook", "pkg/quorumguard", "pkg/rollout"}
	vocabulary = []string{"pkg/snapshot", "pkg/reason"}
	pure       = slices.Concat(cores, vocabulary)

	// observers turn what is outside into a Snapshot. deciders ask the cores: those that act on a decision, and those that
	// put it into words.
	observers = []string{"pkg/observe", "pkg/mustgather", "pkg/replicas"}
	deciders  = []string{"pkg/decision", "pkg/pass", "pkg/operator", "pkg/report", "pkg/explain"}

	// outsideWorld are standard packages through which a pure function would
	// see time, chance or another goroutine, or act. Packages below count too.
	outsideWorld = []string{"C", "context", "log", "math/rand", "net/http", "os", "sync", "syscall", "crypto/rand"}

	// forTests are packages that only tests have a use for.
	forTests = []string{"testing", "net/http/httptest", "pgregory.net/rapid", "github.com/google/go-cmp", module + "/test"}
)

var rules = []Rule{
	{
		Name:    "vocabulary imports only the standard library",
		Why:     "facts and reasons are shared by all cores; whatever they import, every core imports",
		Applies: production(within(vocabulary...)),
		Faults:  imports(func(_, to string) bool { return !isStandard(to) }),
	},
	{
		Name:    "cores import only the standard library, pkg/snapshot and pkg/reason",
		Why:     "a decision is a function of the snapshot; only then can small worlds be enumerated to the end",
		Applies: production(within(cores...)),
		Faults: imports(func(_, to string) bool {
			return !isStandard(to) && !slices.Contains(vocabulary, ours(to))
		}),
	},
	{
		Name:    "cores and vocabulary do not touch the outside world",
		Why:     "the same facts must give the same decision: no clock, no chance, no context, no logging, no concurrency",
		Applies: production(within(pure...)),
		Faults:  imports(func(_, to string) bool { return under(to, outsideWorld...) }),
	},
	{
		Name:    "cores and vocabulary do not read the wall clock",
		Why:     "the time of a decision is a fact in the snapshot, so that a pass can be repeated from a must-gather",
		Applies: production(within(pure...)),
		Faults:  func(p Package) []string { return prefixed("uses ", p.ClockUses) },
	},
	{
		Name:    "cores and vocabulary hide no file behind a build constraint",
		Why:     "a file that is not built here is not checked here, and a decision must not depend on the platform",
		Applies: production(within(pure...)),
		Faults:  func(p Package) []string { return prefixed("hides ", p.Hidden) },
	},
	{
		Name:    "only pkg/etcdclient imports etcd's client",
		Why:     "deadlines, typed errors and the check of the member set before a write live in one place",
		Applies: func(p string) bool { return !under(p, "pkg/etcdclient") },
		Faults:  allImports(func(_, to string) bool { return under(to, "go.etcd.io/etcd/client/v3") }),
	},
	{
		Name:    "whoever observes knows the vocabulary and no decision",
		Why:     "facts that were chosen to suit a decision would be a second implementation of it",
		Applies: production(within(observers...)),
		Faults:  imports(func(_, to string) bool { return under(ours(to), cores...) }),
	},
	{
		Name:    "cores are asked together, through pkg/decision",
		Why:     "each further place that asks is one that may ask differently: another order, another snapshot",
		Applies: production(func(p string) bool { return p == "pkg/explain" || p == "pkg/pass" }),
		Faults:  missing("pkg/decision"),
	},
	{
		Name:    "explain observes as the operator does",
		Why:     "facts that were read in another way would make what explain says another opinion than the operator's",
		Applies: func(p string) bool { return p == "pkg/cmd/explain" },
		Faults:  missing("pkg/observe", "pkg/observe/live", "pkg/explain"),
	},
	{
		Name:    "only what carries out or explains decisions knows the cores",
		Why:     "each further place that asks is one that may ask differently: another order, another snapshot",
		Applies: production(func(p string) bool { return under(p, "pkg", "cmd") && !under(p, deciders...) && !under(p, pure...) }),
		Faults:  imports(func(_, to string) bool { return under(ours(to), cores...) }),
	},
	{
		Name:    "controllers are known only to the starter",
		Why:     "controllers that call each other decide together, and nobody sees where; what they share belongs below them",
		Applies: func(p string) bool { return under(p, "pkg") && p != "pkg/operator" && !under(p, "pkg/cmd") },
		Faults: allImports(func(from, to string) bool {
			return controller(ours(to)) != "" && controller(ours(to)) != controller(from)
		}),
	},
	{
		Name:    "nothing imports the lab",
		Why:     "the lab is a module of its own with the whole of Kubernetes in it; it uses us, never the reverse",
		Applies: func(string) bool { return true },
		Faults:  allImports(func(_, to string) bool { return under(ours(to), "lab") }),
	},
	{
		Name:    "code that ships imports nothing made for tests",
		Why:     "fakes, generators and package testing (its flags) do not belong into the operator",
		Applies: production(func(p string) bool { return !under(p, "test") }),
		Faults: imports(func(_, to string) bool {
			return under(to, forTests...) || ours(to) != "" && isForTests(ours(to))
		}),
	},
	{
		Name:    "model and enumeration know the cores and nothing else of ours",
		Why:     "they judge decisions; with anything else in reach they would test how decisions are carried out",
		Applies: within("test/model", "test/exhaustive"),
		Faults: allImports(func(from, to string) bool {
			to = ours(to)
			return to != "" && !slices.Contains(pure, to) && !under(to, firstTwo(from))
		}),
	},
	{
		Name:    "each package has a doc.go with a package comment",
		Why:     "what a package decides, what it never does and who may import it is the first thing a reader needs",
		Applies: within("pkg", "cmd", "hack", "test", "bindata"),
		Faults: func(p Package) []string {
			if p.HasDoc {
				return nil
			}
			return []string{"has no package comment in doc.go"}
		},
	},
}

// Violations returns what packages do against rules, as one sentence each, in
// an order that does not depend on the order of packages.
func Violations(rules []Rule, packages []Package) []string {
	var found []string
	for _, rule := range rules {
		for _, p := range packages {
			if !rule.Applies(p.Path) {
				continue
			}
			for _, fault := range rule.Faults(p) {
				found = append(found, fmt.Sprintf("%s %s: %s (%s)", p.Path, fault, rule.Name, rule.Why))
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// imports looks at non-test files only; forbidden takes a path relative to the
// module and a full import path.
func imports(forbidden func(from, to string) bool) func(Package) []string {
	return func(p Package) []string { return edges(p.Path, p.Imports, forbidden) }
}

// allImports is imports with test files included.
func allImports(forbidden func(from, to string) bool) func(Package) []string {
	return func(p Package) []string {
		return edges(p.Path, slices.Concat(p.Imports, p.TestImports), forbidden)
	}
}

func edges(from string, to []string, forbidden func(from, to string) bool) []string {
	var faults []string
	for _, t := range to {
		if forbidden(from, t) {
			faults = append(faults, "imports "+t)
		}
	}
	return faults
}

// missing demands that a package imports each of roots.
func missing(roots ...string) func(Package) []string {
	return func(p Package) []string {
		var faults []string
		for _, root := range roots {
			if !slices.ContainsFunc(p.Imports, func(to string) bool { return ours(to) == root }) {
				faults = append(faults, "does not import "+module+"/"+root)
			}
		}
		return faults
	}
}

func within(roots ...string) func(string) bool {
	return func(p string) bool { return under(p, roots...) }
}

// production leaves out packages made for tests, such as pkg/etcdclient/etcdclienttest.
func production(applies func(string) bool) func(string) bool {
	return func(p string) bool { return applies(p) && !isForTests(p) }
}

func isForTests(p string) bool { return strings.HasSuffix(path.Base(p), "test") }

// under tells whether p is one of roots or below one.
func under(p string, roots ...string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return p == root || strings.HasPrefix(p, root+"/")
	})
}

// ours returns an import path relative to our module, or "" if it belongs to
// another one.
func ours(imported string) string {
	rel, ok := strings.CutPrefix(imported, module+"/")
	if !ok {
		return ""
	}
	return rel
}

// controller returns the folder of the controller that the package at p
// belongs to, or "" for any other package.
func controller(p string) string {
	rest, ok := strings.CutPrefix(p, "pkg/operator/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

func firstTwo(p string) string {
	parts := strings.SplitN(p, "/", 3)
	return path.Join(parts[:min(len(parts), 2)]...)
}

// isStandard uses what the go command guarantees: the first element of a path
// outside the standard library has a dot, those inside have none.
func isStandard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

func prefixed(prefix string, all []string) []string {
	var out []string
	for _, s := range all {
		out = append(out, prefix+s)
	}
	return out
}

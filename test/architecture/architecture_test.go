package architecture

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestOurPackagesKeepTheRules(t *testing.T) {
	packages, err := load(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	// A list that misses us would pass every rule.
	if !has(packages, "test/architecture") || !has(packages, "cmd/cluster-etcd-operator") {
		t.Fatalf("the list of packages is incomplete: %v", packages)
	}
	for _, violation := range Violations(rules, packages) {
		t.Error(violation)
	}
}

// TestEachPackageThatARuleNamesExists keeps a renamed package from leaving its rules behind.
func TestEachPackageThatARuleNamesExists(t *testing.T) {
	for _, p := range pure {
		if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(p), "doc.go")); err != nil {
			t.Errorf("a rule names %s: %v", p, err)
		}
	}
}

// ourPath is an import of one of our packages, in full.
func ourPath(rel string) string { return module + "/" + rel }

func TestViolations(t *testing.T) {
	for name, test := range map[string]struct {
		p Package
		// want is the start of each sentence; none means that all is well.
		want []string
	}{
		"a core may import the standard library and the vocabulary": {
			p: Package{Path: "pkg/membership", Imports: []string{"slices", "time", "net/netip", ourPath("pkg/snapshot"), ourPath("pkg/reason")}},
		},
		"a core may not import another core": {
			p:    Package{Path: "pkg/membership", Imports: []string{ourPath("pkg/rollout")}},
			want: []string{"pkg/membership imports " + ourPath("pkg/rollout") + ": cores import only"},
		},
		"a core may not import a package below the vocabulary": {
			p:    Package{Path: "pkg/rollout", Imports: []string{ourPath("pkg/snapshot/load")}},
			want: []string{"pkg/rollout imports " + ourPath("pkg/snapshot/load") + ": cores import only"},
		},
		"a core may not import another module": {
			p:    Package{Path: "pkg/quorumguard", Imports: []string{"k8s.io/api/core/v1"}},
			want: []string{"pkg/quorumguard imports k8s.io/api/core/v1: cores import only"},
		},
		"what lies below a core is held to the same": {
			p:    Package{Path: "pkg/machinehook/order", Imports: []string{"golang.org/x/exp/maps"}},
			want: []string{"pkg/machinehook/order imports golang.org/x/exp/maps: cores import only"},
		},
		"a package whose name only starts like a core's is free": {
			p: Package{Path: "pkg/membershipview", Imports: []string{"context", "k8s.io/klog/v2"}},
		},
		"the tests of a core may use modules made for tests": {
			p: Package{Path: "pkg/membership", TestImports: []string{"testing", "pgregory.net/rapid", "os"}},
		},
		"facts may not import a core": {
			p:    Package{Path: "pkg/snapshot", Imports: []string{ourPath("pkg/membership")}},
			want: []string{"pkg/snapshot imports " + ourPath("pkg/membership") + ": vocabulary imports only"},
		},
		"facts and reasons may not import each other": {
			p:    Package{Path: "pkg/reason", Imports: []string{ourPath("pkg/snapshot")}},
			want: []string{"pkg/reason imports " + ourPath("pkg/snapshot") + ": vocabulary imports only"},
		},
		"a core may not see contexts, logs, chance, the system or locks": {
			p: Package{Path: "pkg/membership", Imports: []string{"context", "log", "log/slog", "math/rand", "math/rand/v2", "net/http", "os", "os/exec", "sync", "sync/atomic"}},
			want: []string{
				"pkg/membership imports context: cores and vocabulary do not touch",
				"pkg/membership imports log/slog: cores and vocabulary do not touch",
				"pkg/membership imports log: cores and vocabulary do not touch",
				"pkg/membership imports math/rand/v2: cores and vocabulary do not touch",
				"pkg/membership imports math/rand: cores and vocabulary do not touch",
				"pkg/membership imports net/http: cores and vocabulary do not touch",
				"pkg/membership imports os/exec: cores and vocabulary do not touch",
				"pkg/membership imports os: cores and vocabulary do not touch",
				"pkg/membership imports sync/atomic: cores and vocabulary do not touch",
				"pkg/membership imports sync: cores and vocabulary do not touch",
			},
		},
		"a core may not read the clock": {
			p:    Package{Path: "pkg/rollout", ClockUses: []string{"gate.go:7: time.Now"}},
			want: []string{"pkg/rollout uses gate.go:7: time.Now: cores and vocabulary do not read"},
		},
		"a controller may read the clock": {
			p: Package{Path: "pkg/operator/clustermember", HasDoc: true, ClockUses: []string{"sync.go:7: time.Now"}},
		},
		"a core may not hide files from the platform that checks it": {
			p:    Package{Path: "pkg/rollout", Hidden: []string{"gate_windows.go"}},
			want: []string{"pkg/rollout hides gate_windows.go: cores and vocabulary hide"},
		},
		"etcd's client may be imported by the package that wraps it and below": {
			p: Package{Path: "pkg/etcdclient/etcdclienttest", Imports: []string{"go.etcd.io/etcd/client/v3", "testing"}},
		},
		"etcd's client may be imported nowhere else, not even by a test": {
			p: Package{Path: "pkg/observe", Imports: []string{"go.etcd.io/etcd/client/v3"}, TestImports: []string{"go.etcd.io/etcd/client/v3/concurrency"}},
			want: []string{
				"pkg/observe imports go.etcd.io/etcd/client/v3/concurrency: only pkg/etcdclient",
				"pkg/observe imports go.etcd.io/etcd/client/v3: only pkg/etcdclient",
			},
		},
		"etcd's message types are not its client": {
			p: Package{Path: "pkg/observe", Imports: []string{"go.etcd.io/etcd/api/v3/etcdserverpb"}},
		},
		"an observer may import the vocabulary": {
			p: Package{Path: "pkg/mustgather", Imports: []string{ourPath("pkg/observe"), ourPath("pkg/snapshot"), "k8s.io/api/core/v1"}},
		},
		"an observer may not import a core": {
			p: Package{Path: "pkg/observe", Imports: []string{ourPath("pkg/membership")}},
			want: []string{
				"pkg/observe imports " + ourPath("pkg/membership") + ": only what carries out or explains",
				"pkg/observe imports " + ourPath("pkg/membership") + ": whoever observes",
			},
		},
		"explain may know the cores": {
			p: Package{Path: "pkg/explain", Imports: []string{ourPath("pkg/decision"), ourPath("pkg/membership")}},
		},
		"explain may not ask them one by one": {
			p:    Package{Path: "pkg/explain", Imports: []string{ourPath("pkg/membership"), ourPath("pkg/machinehook"), ourPath("pkg/quorumguard"), ourPath("pkg/rollout")}},
			want: []string{"pkg/explain does not import " + ourPath("pkg/decision") + ": cores are asked together"},
		},
		"a subcommand may not ask a core": {
			p:    Package{Path: "pkg/cmd/operator", Imports: []string{ourPath("pkg/explain"), ourPath("pkg/rollout")}},
			want: []string{"pkg/cmd/operator imports " + ourPath("pkg/rollout") + ": only what carries out or explains"},
		},
		"explain may not read a running cluster in its own way": {
			p:    Package{Path: "pkg/cmd/explain", Imports: []string{ourPath("pkg/explain"), ourPath("pkg/observe")}},
			want: []string{"pkg/cmd/explain does not import " + ourPath("pkg/observe/live") + ": explain observes as the operator does"},
		},
		"the starter may import controllers": {
			p: Package{Path: "pkg/operator", Imports: []string{ourPath("pkg/operator/clustermember"), ourPath("pkg/operator/quorumguard")}},
		},
		"a subcommand may import a controller": {
			p: Package{Path: "pkg/cmd/operator", Imports: []string{ourPath("pkg/operator/clustermember")}},
		},
		"a controller may be split into packages": {
			p: Package{Path: "pkg/operator/clustermember", Imports: []string{ourPath("pkg/operator/clustermember/write")}},
		},
		"a controller may not import another": {
			p:    Package{Path: "pkg/operator/clustermember", Imports: []string{ourPath("pkg/operator/quorumguard/pods")}},
			want: []string{"pkg/operator/clustermember imports " + ourPath("pkg/operator/quorumguard/pods") + ": controllers are known only"},
		},
		"what controllers share may not import a controller": {
			p:    Package{Path: "pkg/report", TestImports: []string{ourPath("pkg/operator/quorumguard")}},
			want: []string{"pkg/report imports " + ourPath("pkg/operator/quorumguard") + ": controllers are known only"},
		},
		"nothing may import the lab": {
			p:    Package{Path: "test/end", TestImports: []string{ourPath("lab/network")}},
			want: []string{"test/end imports " + ourPath("lab/network") + ": nothing imports the lab"},
		},
		"a package whose name only starts like the lab's is free": {
			p: Package{Path: "pkg/observe", Imports: []string{ourPath("label")}},
		},
		"code that ships may not import what is made for tests": {
			p: Package{Path: "pkg/observe", Imports: []string{"testing", "testing/fstest", "github.com/google/go-cmp/cmp", ourPath("test/model"), ourPath("pkg/etcdclient/etcdclienttest")}},
			want: []string{
				"pkg/observe imports github.com/google/go-cmp/cmp: code that ships",
				"pkg/observe imports " + ourPath("pkg/etcdclient/etcdclienttest") + ": code that ships",
				"pkg/observe imports " + ourPath("test/model") + ": code that ships",
				"pkg/observe imports testing/fstest: code that ships",
				"pkg/observe imports testing: code that ships",
			},
		},
		"a fake and the folder for tests may import what is made for tests": {
			p: Package{Path: "test/end", Imports: []string{"testing", ourPath("pkg/etcdclient/etcdclienttest")}},
		},
		"the model may import the cores, the vocabulary and itself": {
			p: Package{Path: "test/model", Imports: []string{ourPath("pkg/membership"), ourPath("pkg/reason"), ourPath("test/model/world"), "github.com/google/go-cmp/cmp"}},
		},
		"the model may not import what carries decisions out": {
			p: Package{Path: "test/model", Imports: []string{ourPath("pkg/observe")}, TestImports: []string{ourPath("test/exhaustive")}},
			want: []string{
				"test/model imports " + ourPath("pkg/observe") + ": model and enumeration",
				"test/model imports " + ourPath("test/exhaustive") + ": model and enumeration",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			test.p.HasDoc = true
			got := Violations(rules, []Package{test.p})
			if len(got) != len(test.want) {
				t.Fatalf("got %d violations, want %d:\n%s", len(got), len(test.want), strings.Join(got, "\n"))
			}
			for i, want := range test.want {
				if !strings.HasPrefix(got[i], want) {
					t.Errorf("got\n  %s\nwant it to start with\n  %s", got[i], want)
				}
			}
		})
	}
}

func TestAPackageWithoutACommentIsReported(t *testing.T) {
	for _, p := range []string{"pkg/observe", "cmd/cluster-etcd-operator", "hack/gendocs", "test/model", "bindata"} {
		got := Violations(rules, []Package{{Path: p}})
		if len(got) != 1 || !strings.HasPrefix(got[0], p+" has no package comment in doc.go") {
			t.Errorf("%s: got %q", p, got)
		}
	}
}

func TestViolationsDoNotDependOnTheOrderOfPackages(t *testing.T) {
	packages := []Package{
		{Path: "pkg/membership", Imports: []string{"os", ourPath("pkg/rollout")}},
		{Path: "pkg/rollout", Imports: []string{"context"}},
		{Path: "pkg/observe", Imports: []string{"testing"}},
		{Path: "test/model"},
	}
	want := Violations(rules, packages)
	rapid.Check(t, func(t *rapid.T) {
		shuffled := rapid.Permutation(packages).Draw(t, "packages")
		if diff := cmp.Diff(want, Violations(rules, shuffled)); diff != "" {
			t.Errorf("the order of packages changed the result (-want +got):\n%s", diff)
		}
	})
}

func TestClockUses(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		want   []string
	}{
		"arithmetic on times is allowed": {
			source: `import "time"; func f(a, b time.Time) bool { return a.Sub(b) > 5*time.Minute }`,
		},
		"a call is found": {
			source: `import "time"; func f() { time.Sleep(1) }`,
			want:   []string{"f.go:1: time.Sleep"},
		},
		"a function that is passed on and not called is found": {
			source: `import "time"; var clock = time.Now`,
			want:   []string{"f.go:1: time.Now"},
		},
		"another name for the package does not hide it": {
			source: `import when "time"; var since = when.Since`,
			want:   []string{"f.go:1: time.Since"},
		},
		"a dot import is found whatever it is used for": {
			source: `import . "time"; var second = Second`,
			want:   []string{"f.go:1: a dot import of time, which hides what is used"},
		},
		"a method of the same name on something else is allowed": {
			source: `type clock struct{}; func (clock) Now() int { return 0 }; func f(time clock) int { return time.Now() }`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, "f.go", "package p; "+test.source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, clockUses(files, f)); diff != "" {
				t.Errorf("unexpected uses (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLoad runs the go command on a module made for it: the rules are worth
// nothing if what they look at is read wrongly.
func TestLoad(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":               "module " + module + "\n\ngo 1.26.0\n",
		"pkg/a/doc.go":         "// Package a is documented.\npackage a\n",
		"pkg/a/a.go":           "package a\n\nimport (\n\t\"os\"\n\t\"time\"\n)\n\nvar Now, Exit = time.Now, os.Exit\n",
		"pkg/a/a_plan9.go":     "package a\n",
		"pkg/a/a_test.go":      "package a\n\nimport _ \"strings\"\n",
		"pkg/a/outer_test.go":  "package a_test\n\nimport _ \"testing\"\n",
		"pkg/b/b.go":           "// Package b has its comment in the wrong file.\npackage b\n",
		"pkg/c/doc.go":         "package c\n",
		"vendor/modules.txt":   "",
		"pkg/a/testdata/no.go": "package none\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := load(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []Package{
		{
			Path: "pkg/a", Imports: []string{"os", "time"}, TestImports: []string{"strings", "testing"},
			HasDoc: true, Hidden: []string{"a_plan9.go"}, ClockUses: []string{"a.go:8: time.Now"},
		},
		{Path: "pkg/b"},
		{Path: "pkg/c"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unexpected packages (-want +got):\n%s", diff)
	}

	if _, err := load(filepath.Join(root, "pkg", "none")); err == nil {
		t.Error("a folder that is not there was listed without an error")
	}
}

func has(packages []Package, path string) bool {
	for _, p := range packages {
		if p.Path == path {
			return true
		}
	}
	return false
}

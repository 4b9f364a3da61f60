package architecture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// module is the path that all our packages start with.
const module = "github.com/openshift/cluster-etcd-operator"

// Package is what the rules look at.
type Package struct {
	// Path is relative to the module: "pkg/membership".
	Path string
	// Imports are the import paths in non-test files, TestImports those in test
	// files of either package name; both in full.
	Imports, TestImports []string
	// HasDoc tells whether a file doc.go holds a package comment.
	HasDoc bool
	// Hidden are files that build constraints exclude here, so that nothing
	// in them has been looked at.
	Hidden []string
	// ClockUses are the places in non-test files that read or wait for the wall
	// clock: "decide.go:12: time.Now".
	ClockUses []string
}

// listed is the part of `go list -json` that load needs.
type listed struct {
	Dir, ImportPath                    string
	GoFiles, CgoFiles, IgnoredGoFiles  []string
	Imports, TestImports, XTestImports []string
}

// load returns every package of the module whose root folder (or a folder
// below it) is root. It fails when the go command does, or when a file cannot
// be parsed.
func load(root string) ([]Package, error) {
	list := exec.Command("go", "list", "-json", "./...")
	list.Dir = root
	var stderr bytes.Buffer
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages: %w: %s", err, stderr.String())
	}
	var packages []Package
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := in.Decode(&l); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("read what go list printed: %w", err)
		}
		p, err := l.examine()
		if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// examine adds what only the source files tell.
func (l listed) examine() (Package, error) {
	p := Package{
		Path:        strings.TrimPrefix(strings.TrimPrefix(l.ImportPath, module), "/"),
		Imports:     l.Imports,
		TestImports: slices.Concat(l.TestImports, l.XTestImports),
		Hidden:      l.IgnoredGoFiles,
	}
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, filepath.Join(l.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return Package{}, fmt.Errorf("parse %s: %w", l.ImportPath, err)
		}
		if name == "doc.go" && strings.TrimSpace(f.Doc.Text()) != "" {
			p.HasDoc = true
		}
		p.ClockUses = append(p.ClockUses, clockUses(files, f)...)
	}
	return p, nil
}

// wallClock are the functions of package time that read the wall clock or wait
// for it. The rest of the package is arithmetic.
var wallClock = []string{"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until"}

// clockUses returns where f names a function in wallClock, called or not,
// whatever name it imports package time by.
func clockUses(files *token.FileSet, f *ast.File) []string {
	at := func(n ast.Node, use string) string {
		where := files.Position(n.Pos())
		return fmt.Sprintf("%s:%d: %s", filepath.Base(where.Filename), where.Line, use)
	}
	var uses []string
	name := ""
	for _, imported := range f.Imports {
		if p, err := strconv.Unquote(imported.Path.Value); err != nil || p != "time" {
			continue
		}
		name = "time"
		if imported.Name != nil {
			name = imported.Name.Name
		}
		if name == "." {
			uses = append(uses, at(imported, "a dot import of time, which hides what is used"))
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok || name == "" {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && x.Name == name && slices.Contains(wallClock, selector.Sel.Name) {
			uses = append(uses, at(selector, "time."+selector.Sel.Name))
		}
		return true
	})
	return uses
}

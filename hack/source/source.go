package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Package is one type-checked package without its tests.
type Package struct {
	// Path is relative to the module: "pkg/membership".
	Path string
	// ImportPath is the whole path.
	ImportPath string
	Files      []File
	Types      *types.Package
	Info       *types.Info
}

// File is one source file of a Package.
type File struct {
	// Path is relative to the module.
	Path   string
	Text   string
	Syntax *ast.File
}

// Set holds packages that share positions, and what is needed to check variants of them.
type Set struct {
	Fset     *token.FileSet
	Packages []*Package
	imports  types.Importer
}

// listed is what is read of `go list -json`.
type listed struct {
	Dir, ImportPath, Export string
	GoFiles                 []string
	DepOnly                 bool
	Module                  *struct {
		Path string
		Main bool
	}
}

// Load reads the packages of the module at root that the patterns name, as for the go command ("./pkg/rollout"). Those of
// others ("os") are not read, but Check finds them. The error holds what the go command or the type checker says.
func Load(root string, patterns ...string) (*Set, error) {
	args := append([]string{"list", "-export", "-deps", "-json=Dir,ImportPath,Export,GoFiles,DepOnly,Module", "--"}, patterns...)
	command := exec.Command("go", args...)
	command.Dir = root
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages: %w\n%s", err, complaint.Bytes())
	}
	exports := map[string]string{}
	var wanted []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read list of packages: %w", err)
		}
		exports[l.ImportPath] = l.Export
		if !l.DepOnly && l.Module != nil && l.Module.Main {
			wanted = append(wanted, l)
		}
	}
	set := &Set{Fset: token.NewFileSet()}
	set.imports = importer.ForCompiler(set.Fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("find export data of %s", path)
		}
		return os.Open(exports[path])
	})
	for _, l := range wanted {
		p, err := set.read(l)
		if err != nil {
			return nil, err
		}
		set.Packages = append(set.Packages, p)
	}
	return set, nil
}

func (s *Set) read(l listed) (*Package, error) {
	p := &Package{ImportPath: l.ImportPath, Path: strings.TrimPrefix(l.ImportPath, l.Module.Path+"/")}
	texts := map[string]string{}
	for _, name := range l.GoFiles {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil {
			return nil, fmt.Errorf("read source: %w", err)
		}
		texts[p.Path+"/"+name] = string(text)
	}
	return p, s.check(p, texts)
}

// Check parses and type-checks texts, by file name, as the package of the given import path; its imports are found
// among what Load was asked for and what that imports.
func (s *Set) Check(importPath string, texts map[string]string) (*Package, error) {
	p := &Package{ImportPath: importPath, Path: importPath}
	return p, s.check(p, texts)
}

func (s *Set) check(p *Package, texts map[string]string) error {
	p.Info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
	}
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		syntax, err := parser.ParseFile(s.Fset, name, texts[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("parse source: %w", err)
		}
		p.Files = append(p.Files, File{Path: name, Text: texts[name], Syntax: syntax})
		files = append(files, syntax)
	}
	checked, err := (&types.Config{Importer: s.imports}).Check(p.ImportPath, s.Fset, files, p.Info)
	if err != nil {
		return fmt.Errorf("check types: %w", err)
	}
	p.Types = checked
	return nil
}

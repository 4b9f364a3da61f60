package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// testPackage is a package with tests.
type testPackage struct {
	importPath, dir string
	// path is relative to the module.
	path string
	// ours are the packages of this module that its test binary is made of, itself included, with their folders.
	ours map[string]string
	// usesRapid tells whether random tests are in it, which take flags of their own.
	usesRapid bool
}

// listTests returns the packages below the given patterns that have tests, sorted by path.
func listTests(root string, patterns ...string) ([]testPackage, error) {
	command := exec.Command("go", append([]string{"list", "-test", "-deps", "-json=Dir,ImportPath,ForTest,Deps,Module,Name"}, patterns...)...)
	command.Dir = root
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list test packages: %w\n%s", err, complaint.Bytes())
	}
	type listed struct {
		Dir, ImportPath, Name string
		Deps                  []string
		Module                *struct {
			Path string
			Main bool
		}
	}
	dirs := map[string]string{}
	var all []listed
	module := ""
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read list of test packages: %w", err)
		}
		all = append(all, l)
		if l.Module != nil && l.Module.Main {
			dirs[l.ImportPath] = l.Dir
			module = l.Module.Path
		}
	}
	var found []testPackage
	for _, l := range all {
		importPath, isTest := strings.CutSuffix(l.ImportPath, ".test")
		if !isTest || l.Name != "main" || dirs[importPath] == "" {
			continue
		}
		p := testPackage{importPath: importPath, dir: dirs[importPath], path: strings.TrimPrefix(importPath, module+"/"), ours: map[string]string{}}
		for _, d := range l.Deps {
			d, _, _ = strings.Cut(d, " ") // A variant compiled for tests is listed as "path [path.test]".
			if dirs[d] != "" {
				p.ours[d] = dirs[d]
			}
			p.usesRapid = p.usesRapid || d == "pgregory.net/rapid"
		}
		found = append(found, p)
	}
	slices.SortFunc(found, func(a, b testPackage) int { return strings.Compare(a.path, b.path) })
	return found, nil
}

// hash identifies all that a test package is made of: its own files and what lies in its testdata, the files of the
// packages of this module that it uses without their tests, the list of modules, and the version of Go.
func (t testPackage) hash(root string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version())
	absolute, err := filepath.Abs(root)
	if err != nil {
		return "", fmt.Errorf("hash sources: %w", err)
	}
	add := func(name string) error {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		// A clone of the same revision gives the same answers.
		relative, err := filepath.Rel(absolute, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %d\n", relative, len(text))
		h.Write(text)
		return nil
	}
	if err := add(filepath.Join(absolute, "go.mod")); err != nil {
		return "", fmt.Errorf("hash sources: %w", err)
	}
	for _, folder := range slices.Sorted(maps.Values(t.ours)) {
		err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && name != folder && (folder != t.dir || !strings.Contains(name, "testdata")):
				return fs.SkipDir
			case entry.IsDir(), folder != t.dir && strings.HasSuffix(name, "_test.go"):
				return nil
			}
			return add(name)
		})
		if err != nil {
			return "", fmt.Errorf("hash sources: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

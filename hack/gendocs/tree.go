package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// tree is what the documents may name: functions, tests and the comments that belong to them.
type tree struct {
	// functions holds, by "package.Function", the comments on and in each function outside tests; methods of a package
	// that share a name are one entry. A package is called by the last part of its path.
	functions map[string]string
	// tests holds the same names for test functions.
	tests map[string]bool
	// sentences holds the string literals of test files, by package: table tests are named by them.
	sentences map[string]map[string]bool
	// comments holds all comments of each file, by its path.
	comments map[string]string
}

// readTree parses the Go files below pkg and test.
func readTree(root string) (*tree, error) {
	t := &tree{functions: map[string]string{}, tests: map[string]bool{}, sentences: map[string]map[string]bool{}, comments: map[string]string{}}
	for _, top := range []string{"pkg", "test"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") {
				return err
			}
			relative, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			return t.readFile(name, filepath.ToSlash(relative))
		})
		if err != nil {
			return nil, fmt.Errorf("read the tree: %w", err)
		}
	}
	return t, nil
}

func (t *tree) readFile(name, relative string) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	t.add(relative, file)
	return nil
}

func (t *tree) add(relative string, file *ast.File) {
	pkg := path.Base(path.Dir(relative))
	isTest := strings.HasSuffix(relative, "_test.go")
	for _, group := range file.Comments {
		t.comments[relative] += group.Text()
	}
	for _, d := range file.Decls {
		function, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := pkg + "." + function.Name.Name
		if isTest {
			t.tests[name] = t.tests[name] || strings.HasPrefix(function.Name.Name, "Test")
			continue
		}
		t.functions[name] += commentsOf(file, function)
	}
	if !isTest {
		return
	}
	if t.sentences[pkg] == nil {
		t.sentences[pkg] = map[string]bool{}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				t.sentences[pkg][text] = true
			}
		}
		return true
	})
}

// commentsOf returns the comments on and in a function. It always ends in a newline, so that a function without a comment has
// an entry too.
func commentsOf(file *ast.File, function *ast.FuncDecl) string {
	from := function.Pos()
	if function.Doc != nil {
		from = function.Doc.Pos()
	}
	var b strings.Builder
	for _, group := range file.Comments {
		if from <= group.Pos() && group.End() <= function.End() {
			b.WriteString(group.Text())
		}
	}
	return b.String() + "\n"
}

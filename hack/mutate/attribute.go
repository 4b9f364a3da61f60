package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/openshift/cluster-etcd-operator/hack/rulebook"
	"github.com/openshift/cluster-etcd-operator/hack/source"
)

// attributor tells under which rule a place in the code stands: what it guards cites one, or the comment or statement
// nearest to it, or its function, or else whoever calls its function.
type attributor struct {
	set   *source.Set
	funcs map[string]*function
	// calls holds, by full name of a function, the places that call it, in the order of the source.
	calls map[string][]place
	// docs holds the package comments by package path.
	docs map[string]string
}

// function is a declared function or method.
type function struct {
	decl *ast.FuncDecl
	file *source.File
	pkg  *source.Package
	// receiverDoc is the comment on the type that the method belongs to.
	receiverDoc string
}

// place is a node with all that surrounds it, outermost first.
type place struct {
	path []ast.Node
	in   *function
}

func newAttributor(set *source.Set) *attributor {
	a := &attributor{set: set, funcs: map[string]*function{}, calls: map[string][]place{}, docs: map[string]string{}}
	for _, pkg := range set.Packages {
		types := typeDocs(pkg)
		for i := range pkg.Files {
			file := &pkg.Files[i]
			a.docs[pkg.ImportPath] += file.Syntax.Doc.Text()
			for _, d := range file.Syntax.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
					f := &function{decl: decl, file: file, pkg: pkg, receiverDoc: types[receiverName(decl)]}
					a.funcs[fullName(pkg.Info.Defs[decl.Name])] = f
				}
			}
		}
	}
	for _, pkg := range set.Packages {
		for i := range pkg.Files {
			for _, d := range pkg.Files[i].Syntax.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
					a.collectCalls(a.funcs[fullName(pkg.Info.Defs[decl.Name])])
				}
			}
		}
	}
	return a
}

func (a *attributor) collectCalls(f *function) {
	walk(f.decl, func(path []ast.Node) {
		// A function that is only passed on, as a method value in a list of questions, is called from there.
		name, ok := path[len(path)-1].(*ast.Ident)
		if !ok {
			return
		}
		if callee, ok := f.pkg.Info.Uses[name].(*types.Func); ok {
			full := fullName(callee)
			a.calls[full] = append(a.calls[full], place{slices.Clone(path), f})
		}
	})
}

// walk calls visit with the path to each node below root, root first.
func walk(root ast.Node, visit func(path []ast.Node)) {
	var path []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		visit(path)
		return true
	})
}

// rule returns the id of the rule that a place stands under; empty when nothing tells.
func (a *attributor) rule(p place) string { return a.ruleVia(p, nil) }

func (a *attributor) ruleVia(p place, visited []*function) string {
	for i := len(p.path) - 1; i >= 0; i-- {
		if id := a.ruleAt(p, i); id != "" {
			return id
		}
	}
	if id := a.ruleOfFunction(p.in); id != "" {
		return id
	}
	visited = append(visited, p.in)
	for _, caller := range a.calls[fullName(p.in.pkg.Info.Defs[p.in.decl.Name])] {
		if slices.Contains(visited, caller.in) {
			continue
		}
		if id := a.ruleVia(caller, visited); id != "" {
			return id
		}
	}
	if len(visited) > 1 {
		return ""
	}
	return first(rulebook.IDs(a.docs[p.in.pkg.ImportPath]))
}

// ruleAt asks the i-th node around a place.
func (a *attributor) ruleAt(p place, i int) string {
	outer := p.path[i]
	var inner ast.Node
	if i+1 < len(p.path) {
		inner = p.path[i+1]
	}
	switch outer := outer.(type) {
	case *ast.IfStmt:
		if inner == ast.Node(outer.Body) {
			return first(cites(p.in.pkg, outer.Body))
		}
		if inner != nil && inner != outer.Else {
			return a.guarded(p.in, outer.Body.List)
		}
	case *ast.CaseClause:
		if inner == nil || !slices.ContainsFunc(outer.Body, func(s ast.Stmt) bool { return s == inner }) {
			return a.guarded(p.in, outer.Body)
		}
		for _, s := range outer.Body {
			if id := first(cites(p.in.pkg, s)); id != "" {
				return id
			}
		}
	case *ast.ForStmt:
		if inner != nil && inner == ast.Node(outer.Cond) {
			return a.guarded(p.in, outer.Body.List)
		}
	case *ast.RangeStmt:
		if inner != nil && inner == ast.Node(outer.X) {
			return a.guarded(p.in, outer.Body.List)
		}
	case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt:
		if id := first(rulebook.IDs(p.in.commentAt(a.set.Fset, outer))); id != "" {
			return id
		}
		return a.guarded(p.in, []ast.Stmt{outer.(ast.Stmt)})
	}
	return ""
}

// guarded returns the rule that a body stands under: what it cites, or else what the functions say that it calls.
func (a *attributor) guarded(f *function, body []ast.Stmt) string {
	for _, s := range body {
		if id := first(cites(f.pkg, s)); id != "" {
			return id
		}
	}
	found := ""
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || found != "" {
				return found == ""
			}
			callee := a.funcs[fullName(calledIn(f.pkg, call))]
			if callee != nil && callee.pkg == f.pkg {
				found = a.ruleOfFunction(callee)
			}
			return true
		})
	}
	return found
}

// ruleOfFunction: what the function's comment cites, else what its body does, else the comment on its receiver.
func (a *attributor) ruleOfFunction(f *function) string {
	if ids := rulebook.IDs(f.decl.Doc.Text()); len(ids) > 0 {
		// A rule says more precisely what is to be decided than the invariant that it serves.
		if rules := rulesIn(f.decl.Doc.Text()); len(rules) > 0 {
			return rules[0]
		}
		if cited := first(cites(f.pkg, f.decl.Body)); cited != "" {
			return cited
		}
		return ids[0]
	}
	if id := first(cites(f.pkg, f.decl.Body)); id != "" {
		return id
	}
	return first(rulesIn(f.receiverDoc))
}

// rulesIn is rulebook.IDs without invariants.
func rulesIn(text string) []string {
	return slices.DeleteFunc(rulebook.IDs(text), func(id string) bool { return !strings.HasPrefix(id, "R") })
}

// commentAt returns the comment that fills the line above a statement, and the one at the end of its first line.
func (f *function) commentAt(fset *token.FileSet, n ast.Node) string {
	line := fset.Position(n.Pos()).Line
	text := ""
	for _, group := range f.file.Syntax.Comments {
		if group == f.decl.Doc || group.Pos() < f.decl.Pos() || group.End() > f.decl.End() {
			continue
		}
		start := fset.Position(group.Pos())
		before := f.file.Text[start.Offset-start.Column+1 : start.Offset]
		above := fset.Position(group.End()).Line == line-1 && strings.TrimSpace(before) == ""
		if above || start.Line == line {
			text += group.Text()
		}
	}
	return text
}

// cites returns the values of the constants of type reason.Rule below a node, in the order of the source.
func cites(pkg *source.Package, n ast.Node) []string {
	var ids []string
	ast.Inspect(n, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if c, ok := pkg.Info.Uses[name].(*types.Const); ok && isRule(c.Type()) {
			ids = append(ids, constant.StringVal(c.Val()))
		}
		return true
	})
	return ids
}

func isRule(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == "Rule" && named.Obj().Pkg() != nil && strings.HasSuffix(named.Obj().Pkg().Path(), "pkg/reason")
}

func calledIn(pkg *source.Package, call *ast.CallExpr) types.Object {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return pkg.Info.Uses[f]
	case *ast.SelectorExpr:
		return pkg.Info.Uses[f.Sel]
	}
	return nil
}

// fullName identifies a function across packages that were checked separately; empty for anything else.
func fullName(o types.Object) string {
	if f, ok := o.(*types.Func); ok {
		return f.FullName()
	}
	return ""
}

func typeDocs(pkg *source.Package) map[string]string {
	docs := map[string]string{}
	for _, f := range pkg.Files {
		for _, d := range f.Syntax.Decls {
			general, ok := d.(*ast.GenDecl)
			if !ok || general.Tok != token.TYPE {
				continue
			}
			for _, s := range general.Specs {
				spec, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				docs[spec.Name.Name] = general.Doc.Text() + spec.Doc.Text()
			}
		}
	}
	return docs
}

// receiverName returns the name of a method's type; empty for a function.
func receiverName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

func first(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}

package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/openshift/cluster-etcd-operator/hack/source"
)

// target is a package that is mutated.
type target struct {
	// path is relative to the module.
	path string
	// files names the files to mutate; none means all.
	files []string
}

// targets are the four cores, and of the facts what follows from them.
var targets = []target{
	{path: "pkg/machinehook"},
	{path: "pkg/membership"},
	{path: "pkg/quorumguard"},
	{path: "pkg/rollout"},
	{path: "pkg/snapshot", files: []string{"noderef.go", "owner.go", "view.go"}},
}

// site is a piece of source that becomes something else in the woven variant.
type site struct {
	from, to int
	// layer orders sites over the same piece, outermost first.
	layer int
	// weave returns the new text, given the woven text of the piece itself.
	weave func(inner string) string
}

// Layers, outermost first.
const (
	layerStatement = iota
	layerCondition
	layerOperand
	layerSwitch
	layerComparison
	layerTerm
	layerNumber
)

// generator collects the sites and mutants of one package.
type generator struct {
	set *source.Set
	pkg *source.Package
	at  *attributor
	// The function and file at hand.
	function *function
	file     *source.File
	sites    map[string][]site
	mutants  []*mutant
}

// generate returns the mutants of a package in the order of the source, and the sites by file. The mutants get their
// numbers later; a site asks for them only when it is woven.
func generate(set *source.Set, pkg *source.Package, at *attributor, only []string) ([]*mutant, map[string][]site) {
	g := &generator{set: set, pkg: pkg, at: at, sites: map[string][]site{}}
	for i := range pkg.Files {
		g.file = &pkg.Files[i]
		base := g.file.Path[strings.LastIndexByte(g.file.Path, '/')+1:]
		if len(only) > 0 && !slices.Contains(only, base) {
			continue
		}
		for _, d := range g.file.Syntax.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil || decl.Name.Name == "String" {
				continue
			}
			g.function = at.funcs[fullName(pkg.Info.Defs[decl.Name])]
			walk(decl, g.visit)
		}
	}
	return g.mutants, g.sites
}

func (g *generator) visit(path []ast.Node) {
	node := path[len(path)-1]
	var parent ast.Node
	if len(path) > 1 {
		parent = path[len(path)-2]
	}
	if s, ok := node.(ast.Stmt); ok {
		g.statement(path, parent, s)
	}
	switch n := node.(type) {
	case *ast.SwitchStmt:
		g.tagged(n)
	case *ast.RangeStmt:
		g.loop(path, n)
	case ast.Expr:
		g.expression(path, parent, n)
	}
}

// add makes a mutant of kind k at the place, with a one-line text.
func (g *generator) add(path []ast.Node, k kind, format string, args ...any) *mutant {
	position := g.set.Fset.Position(path[len(path)-1].Pos())
	m := &mutant{
		rule: g.at.rule(place{path, g.function}), kind: k, file: g.file.Path, pkg: g.pkg.Path,
		function: g.function.decl.Name.Name, line: position.Line, offset: position.Offset, text: oneLine(fmt.Sprintf(format, args...)),
	}
	g.mutants = append(g.mutants, m)
	return m
}

func (g *generator) site(n ast.Node, layer int, weave func(inner string) string) {
	from, to := g.offset(n.Pos()), g.offset(n.End())
	g.sites[g.file.Path] = append(g.sites[g.file.Path], site{from, to, layer, weave})
}

func (g *generator) offset(p token.Pos) int { return g.set.Fset.Position(p).Offset }

// source returns the text of a node as it was written.
func (g *generator) source(n ast.Node) string {
	return g.file.Text[g.offset(n.Pos()):g.offset(n.End())]
}

// statement: what has an effect is left out; what goes on with a loop ends it.
func (g *generator) statement(path []ast.Node, parent ast.Node, s ast.Stmt) {
	if !inList(parent, s) {
		return
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return
		}
	case *ast.ExprStmt:
		// Without it the compiler may miss a return.
		if call, ok := s.X.(*ast.CallExpr); ok && g.isBuiltin(call, "panic") {
			return
		}
	case *ast.IncDecStmt:
	case *ast.ReturnStmt:
		if len(s.Results) > 0 {
			return
		}
	case *ast.BranchStmt:
		if s.Tok != token.CONTINUE || s.Label != nil {
			return
		}
		if inLoopDirectly(path) {
			m := g.add(path, stop, "`continue` ends the loop instead")
			g.site(s, layerStatement, func(inner string) string {
				return fmt.Sprintf("if activeMutant == %d { break }; %s", m.number, inner)
			})
		}
	default:
		return
	}
	m := g.add(path, statement, "`%s` is left out", g.source(s))
	g.site(s, layerStatement, func(inner string) string {
		return fmt.Sprintf("if activeMutant != %d { %s }", m.number, inner)
	})
}

// inList reports whether a statement stands in a block or a case, and not in the header of an if, for or switch.
func inList(parent ast.Node, s ast.Stmt) bool {
	switch p := parent.(type) {
	case *ast.BlockStmt:
		return true
	case *ast.CaseClause:
		return slices.Contains(p.Body, s)
	}
	return false
}

// inLoopDirectly reports whether a break at the end of path would end the same loop that a continue would go on with.
func inLoopDirectly(path []ast.Node) bool {
	for i := len(path) - 1; i >= 0; i-- {
		switch path[i].(type) {
		case *ast.SwitchStmt, *ast.SelectStmt, *ast.TypeSwitchStmt, *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		}
	}
	return false
}

// tagged turns `switch x { case a:` into `switch { case x == a:`, so that each case is a condition like any other. A tag
// that calls something is left alone, except len.
func (g *generator) tagged(s *ast.SwitchStmt) {
	if s.Tag == nil || !g.pure(s.Tag) {
		return
	}
	tag := g.source(s.Tag)
	g.site(s.Tag, layerCondition, func(string) string { return "" })
	for _, c := range s.Body.List {
		for _, value := range c.(*ast.CaseClause).List {
			g.site(value, layerSwitch, func(inner string) string { return fmt.Sprintf("((%s) == (%s))", tag, inner) })
		}
	}
}

func (g *generator) pure(e ast.Expr) bool {
	isPure := true
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !g.isBuiltin(call, "len") {
			isPure = false
		}
		return isPure
	})
	return isPure
}

// loop: over nothing, and over the first only.
func (g *generator) loop(path []ast.Node, s *ast.RangeStmt) {
	switch t := g.pkg.Info.TypeOf(s.X).Underlying().(type) {
	case *types.Slice:
	case *types.Basic:
		if t.Info()&types.IsString == 0 {
			return
		}
	default:
		return
	}
	x := g.source(s.X)
	inside := append(slices.Clone(path), s.X)
	none := g.add(inside, loop, "the loop over `%s` looks at none", x)
	one := g.add(inside, loop, "the loop over `%s` looks at the first only", x)
	g.site(s.X, layerCondition, func(inner string) string {
		return fmt.Sprintf("chooseMutant(%d, (%s)[:0], chooseMutant(%d, (%s)[:min(1, len(%s))], %s))", none.number, x, one.number, x, x, inner)
	})
}

func (g *generator) expression(path []ast.Node, parent ast.Node, e ast.Expr) {
	if inConstantContext(path) {
		return
	}
	if g.isCondition(path, parent, e) {
		g.condition(path, parent, e)
	}
	switch n := e.(type) {
	case *ast.BinaryExpr:
		g.binary(path, n)
	case *ast.CallExpr:
		g.call(path, n)
	}
	if g.pkg.Info.Types[e].Value != nil && !isPartOfName(parent, e) {
		g.number(path, parent, e)
	}
}

// inConstantContext: the compiler wants a constant in the length of an array and in a declaration of constants.
func inConstantContext(path []ast.Node) bool {
	for i, n := range path[:len(path)-1] {
		switch n := n.(type) {
		case *ast.ArrayType:
			if n.Len == path[i+1] {
				return true
			}
		case *ast.GenDecl:
			if n.Tok == token.CONST {
				return true
			}
		}
	}
	return false
}

// isCondition reports whether a decision hangs on e as a whole: it is boolean, and guards, is returned, kept or passed on.
func (g *generator) isCondition(path []ast.Node, parent ast.Node, e ast.Expr) bool {
	if s, inCase := parent.(*ast.CaseClause); inCase && slices.Contains(s.List, e) {
		return g.isBool(e) || g.isTagged(path)
	}
	if !g.isBool(e) {
		return false
	}
	switch p := parent.(type) {
	case *ast.IfStmt, *ast.ForStmt:
		return true
	case *ast.ReturnStmt:
		return !(isLiteral(e) && g.isVerdict(p))
	case *ast.AssignStmt:
		return slices.Contains(p.Rhs, e)
	case *ast.KeyValueExpr:
		return p.Value == e
	case *ast.CallExpr:
		_, isName := e.(*ast.Ident)
		_, isField := e.(*ast.SelectorExpr)
		return slices.Contains(p.Args, e) && (isLiteral(e) || !isName && !isField)
	}
	return false
}

// isTagged reports whether a value in a case clause is compared with a tag that tagged rewrites.
func (g *generator) isTagged(path []ast.Node) bool {
	for i := len(path) - 1; i >= 0; i-- {
		if s, ok := path[i].(*ast.SwitchStmt); ok {
			return s.Tag != nil && g.pure(s.Tag)
		}
	}
	return false
}

// isVerdict reports whether a function returns what it found together with whether that is well: the guard before it
// is mutated, and a second mutant that says yes with a refusal in hand would tell nothing new.
func (g *generator) isVerdict(s *ast.ReturnStmt) bool {
	return len(s.Results) == 2 && g.isFinding(s.Results[0])
}

func (g *generator) isFinding(e ast.Expr) bool {
	named, ok := g.pkg.Info.TypeOf(e).(*types.Named)
	return ok && named.Obj().Name() == "Finding"
}

func isLiteral(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && (name.Name == "true" || name.Name == "false")
}

func (g *generator) isBool(e ast.Expr) bool {
	t := g.pkg.Info.TypeOf(e)
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0 && g.pkg.Info.Types[e].IsValue()
}

func (g *generator) condition(path []ast.Node, parent ast.Node, e ast.Expr) {
	what := g.source(e)
	if !g.isBool(e) {
		what = "case " + what + ":"
	}
	isTrue, isFalse := what == "true", what == "false"
	var off, on *mutant
	if !isFalse {
		off = g.add(path, never, "`%s` is never true", what)
	}
	_, isLoop := parent.(*ast.ForStmt)
	if !isTrue && !isLoop {
		on = g.add(path, always, "`%s` is always true", what)
	}
	g.site(e, layerCondition, func(inner string) string {
		if on != nil {
			inner = fmt.Sprintf("activeMutant == %d || (%s)", on.number, inner)
		}
		if off != nil {
			inner = fmt.Sprintf("activeMutant != %d && (%s)", off.number, inner)
		}
		return "(" + inner + ")"
	})
}

// turned gives for each comparison the one that differs from it at the boundary alone, or, for an equality, everywhere.
var turned = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
}

func (g *generator) binary(path []ast.Node, e *ast.BinaryExpr) {
	if g.pkg.Info.Types[e].Value != nil {
		return
	}
	switch e.Op {
	case token.LAND, token.LOR:
		for _, x := range []ast.Expr{e.X, e.Y} {
			// A chain a && b && c is ((a && b) && c): its operands are a, b and c.
			if inner, ok := x.(*ast.BinaryExpr); ok && inner.Op == e.Op {
				continue
			}
			m := g.add(append(slices.Clone(path), x), operand, "`%s` is left out of `%s`", g.source(x), g.source(e))
			keep := "activeMutant == %d || (%s)"
			if e.Op == token.LOR {
				keep = "activeMutant != %d && (%s)"
			}
			g.site(x, layerOperand, func(inner string) string { return "(" + fmt.Sprintf(keep, m.number, inner) + ")" })
		}
	case token.ADD, token.SUB:
		g.terms(path, e)
	default:
		other, ok := turned[e.Op]
		if !ok {
			return
		}
		x, y := g.source(e.X), g.source(e.Y)
		m := g.add(path, comparison, "`%s` is `%s %s %s`", g.source(e), x, other, y)
		g.site(e, layerComparison, func(inner string) string {
			return fmt.Sprintf("(activeMutant == %d && (%s) %s (%s) || activeMutant != %d && (%s))", m.number, x, other, y, m.number, inner)
		})
	}
}

// terms leaves out what a sum adds or takes away; a number in a sum is mutated as a number.
func (g *generator) terms(path []ast.Node, e *ast.BinaryExpr) {
	if !g.isInt(e) {
		return
	}
	parts := []ast.Expr{e.X, e.Y}
	if e.Op == token.SUB {
		parts = parts[1:]
	}
	for _, x := range parts {
		if g.pkg.Info.Types[x].Value != nil {
			continue
		}
		g.term(append(slices.Clone(path), x), x, "0", "`"+g.source(x)+"` is left out of `"+g.source(e)+"`")
	}
}

// call: a question about a Fact takes unknown for known; a bound of min or max, or a key of an order, is left out.
func (g *generator) call(path []ast.Node, e *ast.CallExpr) {
	switch {
	case g.isBuiltin(e, "min") || g.isBuiltin(e, "max"):
		if len(e.Args) != 2 {
			return
		}
		for i, x := range e.Args {
			other := g.source(e.Args[1-i])
			g.term(append(slices.Clone(path), x), x, other, "`"+g.source(x)+"` is left out of `"+g.source(e)+"`")
		}
	case g.isCmpOr(e):
		for _, x := range e.Args {
			g.term(append(slices.Clone(path), x), x, "0", "`"+g.source(x)+"` is left out of the order")
		}
	default:
		g.fact(path, e)
	}
}

func (g *generator) term(path []ast.Node, x ast.Expr, replacement, text string) {
	m := g.add(path, term, "%s", text)
	g.site(x, layerTerm, func(inner string) string {
		return fmt.Sprintf("%s(%d, %s, %s)", g.chooser(x), m.number, replacement, inner)
	})
}

func (g *generator) fact(path []ast.Node, e *ast.CallExpr) {
	question, ok := e.Fun.(*ast.SelectorExpr)
	if !ok || len(e.Args) > 0 {
		return
	}
	named, ok := g.pkg.Info.TypeOf(question.X).(*types.Named)
	if !ok || named.Obj().Name() != "Fact" {
		return
	}
	opposite := map[string]string{"Holds": "Fails", "Fails": "Holds"}[question.Sel.Name]
	if opposite == "" {
		return
	}
	replacement := "!" + g.source(question.X) + "." + opposite + "()"
	m := g.add(path, unknown, "`%s` is `%s`: unknown counts as known", g.source(e), replacement)
	g.site(e, layerComparison, func(inner string) string {
		return fmt.Sprintf("(activeMutant == %d && %s || activeMutant != %d && %s)", m.number, replacement, m.number, inner)
	})
}

// number: one more and one less, in seconds for a duration. A zero that is compared for equality means "none" and is mutated
// by the comparison.
func (g *generator) number(path []ast.Node, parent ast.Node, e ast.Expr) {
	value := g.pkg.Info.Types[e]
	named, isNamed := types.Unalias(value.Type).(*types.Named)
	if !g.isInt(e) || isNamed && !isDuration(named) {
		return
	}
	// -1 stands for none.
	if _, negative := e.(*ast.UnaryExpr); negative {
		return
	}
	if _, negative := parent.(*ast.UnaryExpr); negative {
		return
	}
	if b, ok := parent.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) && value.Value.ExactString() == "0" {
		return
	}
	// The product of constants is one number.
	if b, ok := parent.(*ast.BinaryExpr); ok && g.pkg.Info.Types[b].Value != nil {
		return
	}
	text, step := g.source(e), "1"
	if isNamed {
		step = "1000000000"
	}
	more := g.add(path, number, "`%s` is one more", text)
	var less *mutant
	if value.Value.ExactString() != "0" {
		less = g.add(path, number, "`%s` is one less", text)
	}
	g.site(e, layerNumber, func(inner string) string {
		inner = fmt.Sprintf("%s(%d, (%s)+%s, %s)", g.chooser(e), more.number, text, step, inner)
		if less != nil {
			inner = fmt.Sprintf("%s(%d, (%s)-%s, %s)", g.chooser(e), less.number, text, step, inner)
		}
		return inner
	})
}

// isPartOfName: the x of a.x and the key of a field are no values of their own.
func isPartOfName(parent ast.Node, e ast.Expr) bool {
	switch p := parent.(type) {
	case *ast.SelectorExpr:
		return true
	case *ast.KeyValueExpr:
		return p.Key == e
	}
	return false
}

// chooser names the function that picks between two values of the type of e. A constant without a type of its own has to be
// told which one it has here.
func (g *generator) chooser(e ast.Expr) string {
	if name, ok := e.(*ast.Ident); ok && !isUntyped(g.pkg.Info.Uses[name].Type()) {
		return "chooseMutant"
	}
	t := types.TypeString(g.pkg.Info.TypeOf(e), func(p *types.Package) string {
		if p == g.pkg.Types {
			return ""
		}
		return p.Name()
	})
	return "chooseMutant[" + t + "]"
}

func isUntyped(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Info()&types.IsUntyped != 0
}

func (g *generator) isInt(e ast.Expr) bool {
	t := g.pkg.Info.TypeOf(e)
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0
}

func isDuration(n *types.Named) bool {
	return n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Duration"
}

func (g *generator) isBuiltin(call *ast.CallExpr, name string) bool {
	f, ok := call.Fun.(*ast.Ident)
	if !ok || f.Name != name {
		return false
	}
	_, ok = g.pkg.Info.Uses[f].(*types.Builtin)
	return ok
}

func (g *generator) isCmpOr(call *ast.CallExpr) bool {
	f, ok := calledIn(g.pkg, call).(*types.Func)
	return ok && f.FullName() == "cmp.Or"
}

// oneLine makes a text fit for a list.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 160 {
		text = string(r[:157]) + "..."
	}
	return text
}

package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/openshift/cluster-etcd-operator/hack/source"
)

// Citation is one place where a rule is cited together with a Reason.
type Citation struct {
	// Rule and Reason are the values of the constants: "R6.3", "WaitingForReplacementVoter".
	Rule, Reason string
	Position     token.Position
}

// term is what is known of an expression: a constant's value, a parameter that some call decides, or, with neither,
// nothing yet.
type term struct {
	value string
	param *types.Var
}

// pair is a rule and a Reason that meet in a Finding.
type pair struct {
	rule, reason term
	position     token.Position
}

// reader finds the pairs of one package. A Finding is often made by a function that gets its rule or its Reason from
// its caller; such a pair holds a parameter, and is resolved once for each call.
type reader struct {
	set *source.Set
	pkg *source.Package
	// bodies holds the functions of the package: declared ones by their object, literals by the variable that holds them.
	bodies map[types.Object]ast.Node
	// params tells for each parameter which function it belongs to, and at which position.
	params map[*types.Var]parameter
	// values holds what is assigned to each variable.
	values map[types.Object][]ast.Expr
	// calls holds the calls of each function.
	calls map[types.Object][]*ast.CallExpr
	// seals holds the rule that a function gives to the Finding it gets at a position.
	seals map[types.Object]map[int]ast.Expr
}

type parameter struct {
	function types.Object
	position int
}

// Citations returns all pairs of rule and Reason in a package, in the order of the source. A Finding whose rule or Reason
// cannot be told is an error.
func Citations(set *source.Set, pkg *source.Package) ([]Citation, error) {
	r := &reader{
		set: set, pkg: pkg,
		bodies: map[types.Object]ast.Node{}, params: map[*types.Var]parameter{}, values: map[types.Object][]ast.Expr{},
		calls: map[types.Object][]*ast.CallExpr{}, seals: map[types.Object]map[int]ast.Expr{},
	}
	for _, f := range pkg.Files {
		ast.Inspect(f.Syntax, r.collect)
	}
	for _, f := range pkg.Files {
		ast.Inspect(f.Syntax, r.collectUses)
	}
	var found []Citation
	for _, f := range pkg.Files {
		pairs, err := r.pairsIn(f.Syntax)
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			resolved, err := r.resolve(p, nil)
			if err != nil {
				return nil, err
			}
			found = append(found, resolved...)
		}
	}
	return found, nil
}

// collect notes functions, their parameters and assignments.
func (r *reader) collect(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		r.function(r.pkg.Info.Defs[n.Name], n.Type, n)
	case *ast.AssignStmt:
		if len(n.Lhs) != len(n.Rhs) {
			return true
		}
		for i, left := range n.Lhs {
			name, ok := left.(*ast.Ident)
			if !ok {
				continue
			}
			object := r.object(name)
			r.values[object] = append(r.values[object], n.Rhs[i])
			if literal, ok := n.Rhs[i].(*ast.FuncLit); ok {
				r.function(object, literal.Type, literal)
			}
		}
	}
	return true
}

func (r *reader) function(object types.Object, signature *ast.FuncType, body ast.Node) {
	r.bodies[object] = body
	position := 0
	for _, field := range signature.Params.List {
		for _, name := range field.Names {
			if v, ok := r.pkg.Info.Defs[name].(*types.Var); ok {
				r.params[v] = parameter{object, position}
			}
			position++
		}
	}
}

// collectUses notes calls, and assignments to the rule of a parameter.
func (r *reader) collectUses(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if callee := r.callee(n); callee != nil {
			r.calls[callee] = append(r.calls[callee], n)
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			field, ok := left.(*ast.SelectorExpr)
			if !ok || field.Sel.Name != "Rule" || i >= len(n.Rhs) {
				continue
			}
			name, ok := field.X.(*ast.Ident)
			if !ok {
				continue
			}
			variable, _ := r.object(name).(*types.Var)
			if p, ok := r.params[variable]; ok {
				if r.seals[p.function] == nil {
					r.seals[p.function] = map[int]ast.Expr{}
				}
				r.seals[p.function][p.position] = n.Rhs[i]
			}
		}
	}
	return true
}

func (r *reader) object(name *ast.Ident) types.Object {
	if defined := r.pkg.Info.Defs[name]; defined != nil {
		return defined
	}
	return r.pkg.Info.Uses[name]
}

// callee returns the function of this package that a call calls, or nil.
func (r *reader) callee(call *ast.CallExpr) types.Object {
	var name *ast.Ident
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return nil
	}
	object := r.object(name)
	if _, ours := r.bodies[object]; !ours {
		return nil
	}
	return object
}

// pairsIn returns the pairs of all Findings that are written as a literal below n, unresolved. A Finding without a rule gets
// that of the function it is passed to.
func (r *reader) pairsIn(n ast.Node) ([]pair, error) {
	var pairs []pair
	var failed error
	ast.Inspect(n, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok || !isFromReason(r.pkg.Info.TypeOf(literal), "Finding") || len(literal.Elts) == 0 {
			return true
		}
		rule, why := field(literal, "Rule"), field(literal, "Reason")
		position := r.set.Fset.Position(literal.Pos())
		if why == nil {
			failed = fmt.Errorf("%s: a Finding without a Reason", position)
			return false
		}
		rules := r.terms(rule, nil)
		if rule == nil {
			rules = r.sealed(literal)
		}
		reasons := r.terms(why, nil)
		if len(rules) == 0 || len(reasons) == 0 {
			failed = fmt.Errorf("%s: it cannot be told which rule and which Reason meet here", position)
			return false
		}
		for _, a := range rules {
			for _, b := range reasons {
				pairs = append(pairs, pair{a, b, position})
			}
		}
		return true
	})
	return pairs, failed
}

// terms returns all that an expression may be; none when that is not known.
func (r *reader) terms(e ast.Expr, seen []types.Object) []term {
	if e == nil {
		return nil
	}
	if known := r.pkg.Info.Types[e].Value; known != nil {
		return []term{{value: strings.Trim(known.ExactString(), `"`)}}
	}
	name, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	object := r.object(name)
	if v, ok := object.(*types.Var); ok {
		if _, isParam := r.params[v]; isParam {
			return []term{{param: v}}
		}
	}
	for _, s := range seen {
		if s == object {
			return nil
		}
	}
	var all []term
	for _, value := range r.values[object] {
		all = append(all, r.terms(value, append(seen, object))...)
	}
	return all
}

// sealed returns the rules that a Finding without one gets from functions that it is passed to, as an argument or as the
// result of a function that is called there.
func (r *reader) sealed(literal *ast.CompositeLit) []term {
	var rules []term
	for function, positions := range r.seals {
		for _, call := range r.calls[function] {
			for position, rule := range positions {
				if position < len(call.Args) && r.yields(call.Args[position], literal) {
					rules = append(rules, r.terms(rule, nil)...)
				}
			}
		}
	}
	return rules
}

// yields reports whether an argument is a literal, or a call of a function that contains it.
func (r *reader) yields(argument ast.Expr, literal *ast.CompositeLit) bool {
	if argument == literal {
		return true
	}
	call, ok := argument.(*ast.CallExpr)
	if !ok {
		return false
	}
	body := r.bodies[r.callee(call)]
	return body != nil && body.Pos() <= literal.Pos() && literal.End() <= body.End()
}

// resolve replaces parameters by what calls pass, until only constants are left. A function whose parameter is still in
// question is never entered twice.
func (r *reader) resolve(p pair, entered []types.Object) ([]Citation, error) {
	open := p.rule.param
	if open == nil {
		open = p.reason.param
	}
	if open == nil {
		return []Citation{{Rule: p.rule.value, Reason: p.reason.value, Position: p.position}}, nil
	}
	function := r.params[open].function
	for _, e := range entered {
		if e == function {
			return nil, fmt.Errorf("%s: %s passes a rule or a Reason to itself", p.position, function.Name())
		}
	}
	calls := r.calls[function]
	if len(calls) == 0 {
		return nil, fmt.Errorf("%s: nothing calls %s, which takes a rule or a Reason", p.position, function.Name())
	}
	var found []Citation
	for _, call := range calls {
		rules, reasons := r.passed(p.rule, function, call), r.passed(p.reason, function, call)
		if len(rules) == 0 || len(reasons) == 0 {
			return nil, fmt.Errorf("%s: it cannot be told which rule or Reason is passed", r.set.Fset.Position(call.Pos()))
		}
		for _, a := range rules {
			for _, b := range reasons {
				resolved, err := r.resolve(pair{a, b, r.set.Fset.Position(call.Pos())}, append(entered, function))
				if err != nil {
					return nil, err
				}
				found = append(found, resolved...)
			}
		}
	}
	return found, nil
}

// passed returns what a term is in one call of a function: itself, unless it is a parameter of that function.
func (r *reader) passed(t term, function types.Object, call *ast.CallExpr) []term {
	if t.param == nil || r.params[t.param].function != function {
		return []term{t}
	}
	position := r.params[t.param].position
	if position >= len(call.Args) {
		return nil
	}
	return r.terms(call.Args[position], nil)
}

func field(literal *ast.CompositeLit, name string) ast.Expr {
	for _, element := range literal.Elts {
		if kv, ok := element.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == name {
				return kv.Value
			}
		}
	}
	return nil
}

// isFromReason reports whether t is the named type of package reason.
func isFromReason(t types.Type, name string) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && strings.HasSuffix(named.Obj().Pkg().Path(), "pkg/reason")
}

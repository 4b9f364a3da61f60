package exhaustive

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// vocabulary is the file that declares the rule ids and Reasons as constants; the source is the only complete list.
const vocabulary = "../../pkg/reason/table.go"

// neverCited are the ids and Reasons that no small world can make a core cite, and why. One that is cited after all fails
// the test, so the list cannot grow stale.
var neverCited = map[string]string{
	"FactsContradict": "a world has no object twice, since each host has one of everything; the tables of the cores test it",

	"R10.2":                byController,
	"ChangeOutcomeUnknown": byController,
	"LeaderUnknown":        byController,
	"LeaseNotFresh":        byController,
	"DecidedAnew":          byController,
	"RefusedByAPIServer":   byController,
	// Told of a Machine that the cores have let go.
	"MachineHeldByCordonedNode": byController,
	"RefusedByEtcd":             byController,
}

const byController = "it tells what became of carrying a decision out; the tests of the controllers give it"

// declared returns the values of all constants of a type in the vocabulary.
func declared(t *testing.T, typeName string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), vocabulary, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	for _, declaration := range file.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			s := spec.(*ast.ValueSpec)
			if name, ok := s.Type.(*ast.Ident); !ok || name.Name != typeName {
				continue
			}
			for _, v := range s.Values {
				literal, ok := v.(*ast.BasicLit)
				if !ok {
					t.Fatalf("a constant of type %s is not a literal", typeName)
				}
				value, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, value)
			}
		}
	}
	if len(values) == 0 {
		t.Fatalf("%s declares no constant of type %s", vocabulary, typeName)
	}
	return values
}

// checkCitations: every rule and every Reason that a decision can give was given somewhere, and none besides. A rule that
// is never the reason of anything is a rule that the worlds do not reach, or that no core follows.
func checkCitations(t *testing.T, checkers []*checker) {
	rules, reasons := declared(t, "Rule"), declared(t, "Reason")
	cited := map[string]bool{}
	for _, c := range checkers {
		for citation := range c.cited {
			cited[string(citation.rule)], cited[string(citation.reason)] = true, true
			if !slices.Contains(rules, string(citation.rule)) || !slices.Contains(reasons, string(citation.reason)) {
				t.Errorf("%s with %s is cited, but not declared", citation.rule, citation.reason)
			}
		}
	}
	var missing []string
	for _, id := range slices.Concat(rules, reasons) {
		why, excused := neverCited[id]
		switch {
		case cited[id] && excused:
			t.Errorf("%s is cited, although it was said that it cannot be: %s", id, why)
		case !cited[id] && !excused:
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		t.Errorf("no world makes a core cite %s", strings.Join(missing, ", "))
	}
	t.Logf("%d rules and %d Reasons are declared; all are cited but %d, each with a reason written down", len(rules), len(reasons), len(neverCited))
}

package reason_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/reason/reasontest"
)

func TestEveryReasonHasOneEntryThatSaysWhatIsSoAndWhatToDo(t *testing.T) {
	declared := constants(t, "Reason")
	entries := map[reason.Reason]int{}
	for _, e := range reason.Entries {
		entries[e.Reason]++
		if e.Message == "" || e.Unblock == "" || e.Group == "" {
			t.Errorf("%s lacks a message, a remedy or a group: %+v", e.Reason, e)
		}
		if got, ok := reason.Lookup(e.Reason); !ok || got != e {
			t.Errorf("looking up %s gives %+v, %t", e.Reason, got, ok)
		}
	}
	for name, value := range declared {
		if entries[reason.Reason(value)] != 1 {
			t.Errorf("%s has %d entries, want 1", name, entries[reason.Reason(value)])
		}
		if name != value || !regexp.MustCompile(`^([A-Z]+[a-z]+)+$`).MatchString(value) {
			t.Errorf("constant %s has value %q; it should be its own name, in CamelCase", name, value)
		}
	}
	for r := range entries {
		if !slices.Contains(slices.Collect(maps.Values(declared)), string(r)) {
			t.Errorf("entry %q is of no constant", r)
		}
	}
	if len(declared) < 100 {
		t.Errorf("found %d constants of type Reason only", len(declared))
	}
}

func TestLookupOfAWordThatIsNoReason(t *testing.T) {
	if entry, ok := reason.Lookup("NoSuchReason"); ok {
		t.Errorf("got %+v", entry)
	}
}

func TestEveryReasonAndEveryRuleIsUsed(t *testing.T) {
	used := usedOutside(t)
	for _, kind := range []string{"Reason", "Rule"} {
		for name := range constants(t, kind) {
			if !used[name] {
				t.Errorf("nothing but its declaration mentions reason.%s", name)
			}
		}
	}
}

func TestRulesAreNamedLikeTheirIDs(t *testing.T) {
	for name, value := range constants(t, "Rule") {
		if strings.ReplaceAll(name, "_", ".") != value || !regexp.MustCompile(`^R\d+(\.\d+)?$`).MatchString(value) {
			t.Errorf("constant %s has value %q", name, value)
		}
	}
}

// Rule R9.1: a message changes only when what it says does.
func TestSentences(t *testing.T) {
	placeholder := regexp.MustCompile(`\{[^}]*\}?`)
	known := []string{"{subject}", "{other}", "{have}", "{need}"}
	relative := regexp.MustCompile(`(?i)\b(ago|recently|lately|currently|now|just|today|yesterday|soon|moments?|(second|minute|hour)s? old)\b`)
	for _, e := range reason.Entries {
		for _, p := range placeholder.FindAllString(e.Message+e.Unblock, -1) {
			if !slices.Contains(known, p) {
				t.Errorf("%s has placeholder %s", e.Reason, p)
			}
		}
		if word := relative.FindString(e.Message); word != "" {
			t.Errorf("%s: %q says when, relative to the reader: %q", e.Reason, e.Message, word)
		}
		for _, sentence := range []string{e.Message, e.Unblock} {
			if strings.TrimSpace(sentence) != sentence || strings.HasSuffix(sentence, ".") || strings.Contains(sentence, "\n") {
				t.Errorf("%s: %q is no sentence that can stand in another one", e.Reason, sentence)
			}
		}
	}
}

// The deadlines that rules give: each is a number of the rules.
func TestDeadlines(t *testing.T) {
	for r, want := range map[reason.Reason]time.Duration{
		reason.DesiredReplicasUnknown:        reason.AtOnce,    // R1.3
		reason.OwnerAmbiguous:                reason.AtOnce,    // R3
		reason.NodeRefContradicted:           reason.AtOnce,    // R3
		reason.HookStripped:                  reason.AtOnce,    // R4.6
		reason.VoterMachineHasNoNode:         reason.AtOnce,    // R4.7
		reason.VoterMachineExcludedFromDrain: reason.AtOnce,    // R4.7
		reason.LearnerStalled:                reason.AtOnce,    // R5.3, once it has lasted 5 minutes
		reason.WaitingForLearnerToStart:      5 * time.Minute,  // R5.3
		reason.WaitingForAPIServer:           60 * time.Minute, // R6.2
		reason.APIServersUnknown:             60 * time.Minute, // R6.2
		reason.HealthyOrphanVoter:            reason.AtOnce,    // R6.4
		reason.NodeOfLostMemberRemains:       5 * time.Minute,  // R6.10
		reason.DrainsWaitForMachine:          30 * time.Minute, // R7.2
		reason.WaitingForLearnerToCatchUp:    0,                // R5.2, a normal wait
		reason.WaitingForAnotherChange:       0,                // R6
		reason.MembershipAsExpected:          0,
	} {
		if entry, _ := reason.Lookup(r); entry.DegradedAfter != want {
			t.Errorf("%s turns Degraded after %s, want %s", r, entry.DegradedAfter, want)
		}
	}
	if reason.AtOnce <= 0 || reason.AtOnce > time.Second {
		t.Errorf("AtOnce is %s; 0 would mean never", reason.AtOnce)
	}
}

func TestFindingFillsItsSentences(t *testing.T) {
	f := reason.Finding{
		Rule: reason.R6_2, Reason: reason.WaitingForAPIServer, Subject: "node-a", Other: "node-b", Have: 1, Need: 2,
	}
	if got, want := f.Message(), "node-a stays until the API server on node-b knows 2 of the voters that would remain (it knows 1)"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	if got, want := f.Unblock(), "let the kube-apiserver roll out the new endpoints to node node-b"; got != want {
		t.Errorf("remedy %q, want %q", got, want)
	}
	reasontest.Complete(t, f)
}

// A name is data: whoever may name an object must not write the sentence about it (rule R10.5).
func TestNamesAreNoPlaceholders(t *testing.T) {
	f := reason.Finding{Reason: reason.WaitingForRemainingVoters, Subject: "{other}{need}", Other: "{subject}"}
	if got, want := f.Message(), "{other}{need} stays while voter {subject} is not healthy"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

// constants returns the constants of a type that this package declares, name to value.
func constants(t *testing.T, kind string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, file := range parse(t, ".") {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if ident, ok := spec.Type.(*ast.Ident); ok && ident.Name == kind {
				value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				found[spec.Names[0].Name] = value
			}
			return true
		})
	}
	return found
}

// usedOutside returns the names of this package that the code of the other packages beside it mentions.
func usedOutside(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	for path, file := range parse(t, "..") {
		if strings.Contains(filepath.ToSlash(path), "/reason/") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if ident, ok := selector.X.(*ast.Ident); ok && ident.Name == "reason" {
					used[selector.Sel.Name] = true
				}
			}
			return true
		})
	}
	return used
}

// parse returns the syntax of all Go files below a folder that are no tests, by path.
func parse(t *testing.T, root string) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files[path], err = parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

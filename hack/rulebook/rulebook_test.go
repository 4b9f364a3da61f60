package rulebook

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []Rule
		err  string
	}{
		"a rule names the packages that keep it, and may add what is missing": {
			text: "# Rules\n\n## <a id=\"r6\"></a>R6 Removing\n\n<a id=\"r6-1\"></a>**R6.1 Dead.** Text. *Kept by `pkg/a`, `pkg/b`; a part is not in this revision.*\n",
			want: []Rule{{ID: "R6"}, {ID: "R6.1", KeptBy: []string{"pkg/a", "pkg/b"}}},
		},
		"a heading may be a rule of its own": {
			text: "## <a id=\"r3\"></a>R3 Owner\n\nText. *Kept by `pkg/a`.*\n",
			want: []Rule{{ID: "R3", KeptBy: []string{"pkg/a"}}},
		},
		"a rule may be kept by nobody yet": {
			text: "<a id=\"r5-6\"></a>**R5.6 Limit.** Text. *Not in this revision.*\n",
			want: []Rule{{ID: "R5.6"}},
		},
		"a rule that says nothing about it is an error": {
			text: "<a id=\"r5-6\"></a>**R5.6 Limit.** Text.\n",
			err:  "R5.6 does not say who keeps it",
		},
		"a heading without parts that says nothing is an error": {
			text: "## <a id=\"r3\"></a>R3 Owner\n\nText.\n\n## <a id=\"r30\"></a>R30 Other\n\nText. *Not in this revision.*\n",
			err:  "R3 does not say who keeps it",
		},
		"a rule that is there twice is an error": {
			text: "<a id=\"r5-6\"></a>**R5.6 A.** *Not in this revision.*\n<a id=\"r5-6\"></a>**R5.6 B.** *Not in this revision.*\n",
			err:  "R5.6 is there twice",
		},
		"a wrong anchor is an error": {
			text: "<a id=\"r5-7\"></a>**R5.6 A.** *Not in this revision.*\n",
			err:  `R5.6 has anchor "r5-7", want "r5-6"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(test.text)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("got error %v, want one with %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestOurRulesAreReadAndEachPackageThatKeepsOneExists(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, File))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) < 60 {
		t.Errorf("only %d rules were read", len(rules))
	}
	for _, r := range rules {
		for _, folder := range r.KeptBy {
			if _, err := os.Stat(filepath.Join(root, folder)); err != nil {
				t.Errorf("%s is kept by %s, which does not exist: %v", r.ID, folder, err)
			}
		}
	}
	if !slices.IsSortedFunc(rules, func(a, b Rule) int { return Compare(a.ID, b.ID) }) {
		t.Error("the rules are not in the order of their numbers")
	}
}

func TestIDsAreFoundOnceInTheOrderOfTheText(t *testing.T) {
	got := IDs("rules R6.2 and R6.10, invariant I1; R6.2 again, R11, but not XR3, R6_1 or v3.5.1")
	if diff := cmp.Diff([]string{"R6.2", "R6.10", "I1", "R11"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestCompareCountsInsteadOfSpelling(t *testing.T) {
	got := []string{"I10", "R6.10", "R10.1", "R6.2", "I2", "R6"}
	slices.SortFunc(got, Compare)
	if diff := cmp.Diff([]string{"R6", "R6.2", "R6.10", "R10.1", "I2", "I10"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

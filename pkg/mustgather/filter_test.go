package mustgather

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"
)

// keys are few, so that trees and objects often meet, and some look like what the filter gives a meaning.
var keys = []string{"metadata", "name", "spec", "status", "a", "b", "true", "a b", "a:b", "-", "#c", "7"}

func anyTree(t *rapid.T, depth int) keep {
	tree := keep{}
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 1, 4, rapid.ID).Draw(t, "kept") {
		tree[key] = keep{}
		if depth > 0 && rapid.Bool().Draw(t, "deeper") {
			tree[key] = anyTree(t, depth-1)
		}
	}
	return tree
}

func anyValue(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	switch {
	case kind < 2 || depth == 0:
		return rapid.OneOf(
			rapid.StringOf(rapid.RuneFrom([]rune("ab:-#'\"{}[]|>&*! \n\t,é"))),
			rapid.SampledFrom([]string{"---", "- x", "a: b", "items:", "", "line one\n\n  indented\nlast", "kind: List\n", "\ttab", "%"}),
		).Draw(t, "text")
	case kind == 2:
		return rapid.Float64Range(-5, 5).Draw(t, "number")
	case kind == 3:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			list = append(list, anyValue(t, depth-1))
		}
		return list
	default:
		return anyObject(t, depth-1)
	}
}

func anyObject(t *rapid.T, depth int) map[string]any {
	object := map[string]any{}
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 0, 5, rapid.ID).Draw(t, "keys") {
		object[key] = anyValue(t, depth)
	}
	return object
}

func anyKind(string) error { return nil }

func collect(text string, tree keep) (items []item, list bool, err error) {
	list, err = filterYAML(strings.NewReader(text), tree, anyKind, func(i item) error {
		items = append(items, item{i.name, i.listed, bytes.Clone(i.text)})
		return nil
	})
	// Whether it is all there makes no difference.
	next := 0
	same, sameErr := filterText([]byte(text), tree, anyKind, func(i item) error {
		if next >= len(items) || !reflect.DeepEqual(items[next], item{i.name, i.listed, bytes.Clone(i.text)}) {
			return errors.New("another item")
		}
		next++
		return nil
	})
	if same != list || fmt.Sprint(err) != fmt.Sprint(sameErr) && !errors.Is(err, errTooLarge) {
		return nil, false, fmt.Errorf("line by line it is a list: %v, error %v; as a whole: %v, error %v", list, err, same, sameErr)
	}
	return items, list, err
}

// TestTheFilterLeavesWhatItsTreeKeeps compares cutting the text and then parsing with parsing and then cutting, for single
// objects and for lists, as clients write them and with the sequences that other tools indent. What the filter does not
// know it must not take; of what clients write it knows nearly all.
func TestTheFilterLeavesWhatItsTreeKeeps(t *testing.T) {
	known, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tree := anyTree(t, 2)
		var objects []map[string]any
		for range rapid.IntRange(1, 3).Draw(t, "objects") {
			object := anyObject(t, 3)
			object["a"] = "never empty"
			objects = append(objects, object)
		}
		var text string
		layout := rapid.IntRange(0, 2).Draw(t, "layout")
		switch layout {
		case 0:
			objects = objects[:1]
			text = "---\n" + marshal(t, objects[0])
		case 1:
			text = marshal(t, map[string]any{"apiVersion": "v1", "items": objects, "kind": "List"})
		default:
			text = "items:\n"
			for _, object := range objects {
				text += "  - " + strings.TrimSuffix(strings.ReplaceAll(marshal(t, object), "\n", "\n    "), "    ")
			}
			text += "kind: List\n"
		}
		items, list, err := collect(text, tree)
		if layout < 2 {
			all++
		}
		if errors.As(err, new(*unusual)) {
			return
		}
		if err != nil || layout == 2 {
			t.Fatalf("%v in:\n%s", err, text)
		}
		known++
		if list == strings.HasPrefix(text, "---") || len(items) != len(objects) {
			t.Fatalf("list %v with %d items, want %d:\n%s", list, len(items), len(objects), text)
		}
		for i, object := range objects {
			got := map[string]any{}
			if err := yaml.Unmarshal(items[i].text, &got); err != nil {
				t.Fatalf("%v in what was left:\n%s\nof:\n%s", err, items[i].text, text)
			}
			if got == nil {
				got = map[string]any{}
			}
			want, err := project(object, tree, "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("object %d (-want +got):\n%s\nof:\n%s\nleft:\n%s", i, diff, text, items[i].text)
			}
		}
	})
	if known < all/4 {
		t.Errorf("of %d texts as clients write them the filter knows %d", all, known)
	}
}

func marshal(t *rapid.T, v any) string {
	text, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheFilterTellsObjectsApart(t *testing.T) {
	tree := keep{"kind": {}, "data": {}, "metadata": {"name": {}}}
	for name, test := range map[string]struct {
		text  string
		names []string
		list  bool
		err   error
	}{
		"one object":                           {text: "kind: A\nmetadata:\n  name: x\n", names: []string{"x"}},
		"several documents":                    {text: "---\nmetadata:\n  name: x\n---\nmetadata:\n  name: z\n", names: []string{"x", "z"}},
		"a list, then a document":              {text: "items:\n- metadata:\n    name: x\nkind: List\n---\nmetadata:\n  name: z\n", names: []string{"x", "z"}, list: true},
		"an empty list":                        {text: "items: []\nkind: List\n", list: true},
		"a name that is not the object's":      {text: "metadata:\n  ownerReferences:\n  - name: z\n  name: x\nspec:\n  name: w\n", names: []string{"x"}},
		"a name that is to be parsed":          {text: "metadata:\n  name: \"1\"\n", names: []string{""}},
		"no end of line at the end":            {text: "metadata:\n  name: x", err: errTruncated},
		"a list without its kind":              {text: "items:\n- metadata:\n    name: x\n", names: nil, list: true, err: errTruncated},
		"a line of more than an object's size": {text: "metadata:\n  name: " + strings.Repeat("x", maxItemBytes+1) + "\n", err: errTooLarge},
		"an object of more than its size":      {text: "data: |\n" + strings.Repeat("  x\n", maxItemBytes/4), err: errTooLarge},
		"much that is not kept":                {text: "metadata:\n  name: x\nspec:\n" + strings.Repeat("- x: y\n", maxItemBytes/4), names: []string{"x"}},
	} {
		t.Run(name, func(t *testing.T) {
			items, list, err := collect(test.text, tree)
			if !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
				t.Fatalf("error %v, want %v", err, test.err)
			}
			var names []string
			for _, i := range items {
				names = append(names, i.name)
			}
			if diff := cmp.Diff(test.names, names); err == nil && diff != "" || list != test.list {
				t.Errorf("list %v, names (-want +got):\n%s", list, diff)
			}
		})
	}
}

// TestTheFilterKnowsOneShapeOnly: each of these is something else for the parser than for whoever looks at columns and
// words, or is at the edge of being so.
func TestTheFilterKnowsOneShapeOnly(t *testing.T) {
	tree := keep{"kind": {}, "metadata": {"name": {}, "labels": {"app": {}}}, "status": {"phase": {}}}
	for name, text := range map[string]string{
		"spaces before a value":             "status:\n  phase:   a\n",
		"spaces behind a value":             "status:\n  phase: a \n",
		"spaces before a colon":             "status:\n  phase : a\n",
		"a key alone":                       "status:\n  phase:\nx: a\n",
		"a key alone at the end":            "kind: a\nstatus:\n",
		"a tag":                             "status:\n  phase: !!str a\n",
		"an anchor":                         "status:\n  phase: &x a\n",
		"an alias":                          "status:\n  phase: *x\n",
		"a merge":                           "<<:\n  kind: a\n",
		"a merge in quotes":                 "x: <<\n",
		"a comment":                         "# a\nkind: a\n",
		"a comment behind a value":          "kind: a # b\n",
		"a comment in a folded value":       "kind: a\n  # b\n",
		"a comment behind a quoted value":   "kind: \"a\" # b\n",
		"a value in two halves":             "kind: \"a\" b\n",
		"a tab":                             "kind:\ta\n",
		"an empty line":                     "kind: a\n\nstatus: {}\n",
		"a carriage return":                 "kind: a\r\n",
		"another end of line":               "x: a\u2028b\n",
		"a comment behind a dropped value":  "x: a # b\n",
		"a folded value that is deeper":     "x: a\n    b\n",
		"another end of line in a kind":     "kind: a\u2028metadata: b\n",
		"a mark of byte order":              "\ufeffkind: a\n",
		"a byte that is no text":            "kind: \xff\n",
		"a flow mapping":                    "status: {phase: a}\n",
		"a flow sequence":                   "status: [a]\n",
		"a flow mapping over lines":         "x: {a: 1,\nkind: b}\n",
		"a quoted value over lines":         "x: \"a\nkind: b\"\n",
		"quotes that do not end":            "x: 'a\n",
		"an escape that is none":            "x: \"\\q\"\n",
		"half of a character":               "x: \"\\ud800\"\n",
		"a folded block":                    "x: >\n  a\n",
		"a block that is deeper":            "x: |\n    a\n  b\n",
		"a block of another depth":          "x: |4\n      a\n",
		"a block with nothing":              "x: |\nkind: a\n",
		"a block with nothing at the end":   "x: |\n",
		"a block with a comment":            "x: | # c\n  a\n",
		"a deeper mapping":                  "status:\n   phase: a\n",
		"a deeper sequence":                 "x:\n  - a\n",
		"a sequence for a mapping":          "status:\n- phase\n",
		"a dash alone":                      "x:\n-\n  a: b\n",
		"a dash before spaces":              "x:\n-  a: b\n",
		"a key with a mark":                 "? kind\n: a\n",
		"a key that is there twice":         "kind: a\nkind: b\n",
		"a key that is there twice later":   "b: 1\na: 1\nb: 2\n",
		"a key that is there twice of many": "z: 1\n" + manyKeys() + "z: 2\n",
		"one key in quotes, one not":        "kind: a\n'kind': b\n",
		"a key with an escape":              "\"k\\x69nd\": a\n",
		"a key in another case":             "Status:\n  phase: a\n",
		"a key that is null":                "x:\n  null: a\n",
		"a key that is a number":            "x:\n  18446744073709551615: a\n",
		"a key of many letters":             strings.Repeat("k", 129) + ": a\n",
		"infinity":                          "x: .inf\n",
		"a sequence at the top":             "- kind: a\n",
		"text at the top":                   "kind\n",
		"something behind a start":          "--- # a\nkind: a\n",
		"a directive":                       "%YAML 1.1\n---\nkind: a\n",
		"the end of a document":             "kind: a\n...\nkind: b\n",
		"an empty document":                 "kind: a\n---\n",
		"nothing":                           "---\n",
		"items behind the kind":             "kind: List\nitems:\n- kind: a\n",
		"items that are null":               "items: null\nkind: List\n",
		"items that are texts":              "items:\n- a\nkind: List\n",
		"items that are lists":              "items:\n- - a: b\nkind: List\n",
		"items that are a mapping":          "items:\n  a: b\nkind: List\n",
		"great depth":                       "x:\n" + strings.Repeat("- ", 100) + "a\n",
	} {
		t.Run(name, func(t *testing.T) {
			items, _, err := collect(text, tree)
			if !errors.As(err, new(*unusual)) {
				t.Errorf("error %v, items %v", err, items)
			}
		})
	}
}

// manyKeys are more than are searched one by one, and out of order.
func manyKeys() string {
	var text strings.Builder
	for i := range fewKeys {
		fmt.Fprintf(&text, "k%d: 1\n", fewKeys-i)
	}
	return text.String()
}

package mustgather

import (
	"bytes"
	"errors"
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

// project is what a filter should leave, done on values instead of on text. A key that is kept for what is below it stays,
// with null when nothing is.
func project(object map[string]any, tree keep) map[string]any {
	left := map[string]any{}
	for key, value := range object {
		below, kept := tree[key]
		if !kept {
			continue
		}
		inner, isObject := value.(map[string]any)
		if len(below) == 0 || !isObject || len(inner) == 0 {
			if _, isList := value.([]any); len(below) > 0 && isList && len(value.([]any)) > 0 {
				value = nil
			}
			left[key] = value
			continue
		}
		left[key] = nil
		if projected := project(inner, below); len(projected) > 0 {
			left[key] = projected
		}
	}
	return left
}

func anyKind(string) error { return nil }

func collect(text string, tree keep) (items []item, list bool, err error) {
	list, err = filterYAML(strings.NewReader(text), tree, anyKind, func(i item) error {
		items = append(items, item{i.name, bytes.Clone(i.text)})
		return nil
	})
	return items, list, err
}

// TestTheFilterLeavesWhatItsTreeKeeps compares cutting the text and then parsing with parsing and then cutting, for single
// objects and for lists in both of the usual indentations.
func TestTheFilterLeavesWhatItsTreeKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := anyTree(t, 2)
		var objects []map[string]any
		for range rapid.IntRange(1, 3).Draw(t, "objects") {
			object := anyObject(t, 3)
			object["a"] = "never empty"
			objects = append(objects, object)
		}
		var text string
		switch rapid.IntRange(0, 2).Draw(t, "layout") {
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
		if err != nil {
			t.Fatalf("%v in:\n%s", err, text)
		}
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
			if diff := cmp.Diff(project(object, tree), got); diff != "" {
				t.Fatalf("object %d (-want +got):\n%s\nof:\n%s\nleft:\n%s", i, diff, text, items[i].text)
			}
		}
	})
}

func marshal(t *rapid.T, v any) string {
	text, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheFilterTellsObjectsApart(t *testing.T) {
	tree := keep{"kind": {}, "metadata": {"name": {}}}
	for name, test := range map[string]struct {
		text  string
		names []string
		list  bool
		err   error
	}{
		"one object":                           {text: "kind: A\nmetadata:\n  name: x\n", names: []string{"x"}},
		"a name in quotes":                     {text: "metadata:\n  name: \"x\"\n", names: []string{"x"}},
		"several documents":                    {text: "---\nmetadata:\n  name: x\n---\nmetadata:\n  name: y\n", names: []string{"x", "y"}},
		"a list, then a document":              {text: "items:\n- metadata:\n    name: x\nkind: List\n---\nmetadata:\n  name: y\n", names: []string{"x", "y"}, list: true},
		"a list with a dash alone":             {text: "items:\n-\n  metadata:\n    name: x\nkind: List\n", names: []string{"x"}, list: true},
		"an empty list":                        {text: "items: []\nkind: List\n", list: true},
		"a name that is not the object's":      {text: "metadata:\n  ownerReferences:\n  - name: z\n  name: x\nspec:\n  name: y\n", names: []string{"x"}},
		"no end of line at the end":            {text: "metadata:\n  name: x", err: errTruncated},
		"a list without its kind":              {text: "items:\n- metadata:\n    name: x\n", names: nil, list: true, err: errTruncated},
		"ends of lines as on Windows":          {text: "metadata:\r\n  name: x\r\n", names: []string{"x"}},
		"comments":                             {text: "# metadata:\nmetadata:\n  # name: y\n  name: x\n", names: []string{"x"}},
		"a line of more than an object's size": {text: "metadata:\n  name: " + strings.Repeat("x", maxItemBytes+1) + "\n", err: errTooLarge},
		"an object of more than its size":      {text: "kind: |\n" + strings.Repeat("  x\n", maxItemBytes/4), err: errTooLarge},
		"much that is not kept":                {text: "spec:\n" + strings.Repeat("  x: y\n", maxItemBytes/4) + "metadata:\n  name: x\n", names: []string{"x"}},
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

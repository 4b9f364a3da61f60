package explain

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/explain"
	"reflect"
)

const document = "../../docs/explain.md"

var session = regexp.MustCompile("(?s)<!-- session (\\S+) -->\n```\n\\$ cluster-etcd-operator explain [^\n]*\n(.*?)```")

// TestSessionsOfTheDocumentAreReal: what docs/explain.md shows is in the golden text of a case, in that order, with the
// left-out parts marked.
func TestSessionsOfTheDocumentAreReal(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	sessions := session.FindAllStringSubmatch(string(text), -1)
	if len(sessions) != 3 {
		t.Fatalf("%d sessions, not 3", len(sessions))
	}
	for _, s := range sessions {
		golden := string(read(t, filepath.Join("..", "testdata", "explain", s[1]), "golden.txt"))
		for _, part := range strings.Split(s[2], "[...]\n") {
			_, rest, found := strings.Cut(golden, part)
			if !found {
				t.Errorf("%s does not say, or not in this order:\n%s", s[1], part)
			}
			golden = rest
		}
	}
}

// TestTheDocumentNamesEachField keeps the schema and its description together.
func TestTheDocumentNamesEachField(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	_, schema, _ := strings.Cut(string(text), "## The document")
	for _, field := range fields(reflect.TypeFor[explain.Explanation]()) {
		if !strings.Contains(schema, "`"+field+"`") && !strings.Contains(schema, "`"+field+"[]`") {
			t.Errorf("no word of %s", field)
		}
	}
}

// fields are the names that a type has in JSON, with those of the types in it.
func fields(of reflect.Type) []string {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		return fields(of.Elem())
	case reflect.Struct:
	default:
		return nil
	}
	var names []string
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		if name != "" {
			names = append(names, name)
		}
		if of.Field(i).IsExported() {
			names = append(names, fields(of.Field(i).Type)...)
		}
	}
	return names
}

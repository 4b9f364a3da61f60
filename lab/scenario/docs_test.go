package scenario

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/lab.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheExampleInTheDocumentIsAScenario(t *testing.T) {
	example := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(document(t))
	if example == nil {
		t.Fatal("there is no example")
	}
	s, err := Parse("docs/lab.md", []byte(example[1]), 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Steps) < 10 || len(s.Always) == 0 || len(s.Finally) == 0 {
		t.Errorf("the example shows little: %+v", s)
	}
}

func TestTheDocumentNamesEveryStepFieldAndFunction(t *testing.T) {
	text := document(t)
	has := func(what, name string) {
		if !strings.Contains(text, "`"+name) && !strings.Contains(text, " "+name+" ") && !strings.Contains(text, name+"`") && !strings.Contains(text, name+": ") {
			t.Errorf("docs/lab.md does not name %s %s", what, name)
		}
	}
	for kind, make := range kinds {
		has("step", kind)
		for _, field := range fieldsOf(reflect.TypeOf(make()).Elem()) {
			has("the field of "+kind, field)
		}
	}
	for _, field := range fieldsOf(reflect.TypeFor[Scenario]()) {
		has("field", field)
	}
	environment := reflect.TypeFor[environment]()
	for i := range environment.NumField() {
		if field := environment.Field(i); !field.Anonymous {
			has("", field.Tag.Get("expr"))
		}
	}
	for _, name := range Builtin() {
		has("scenario", name)
	}
}

package replicas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v2"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// maxDocumentBytes is the most that the API server stores in a ConfigMap. Parsing more would only cost memory.
const maxDocumentBytes = 1 << 20

// origin is where a document stands, in the words of an InputError.
type origin struct {
	object string
	// document is the field that holds the document; field is a format for a field in it.
	document, field string
	// repair is the remedy for a document that cannot be read as a whole, renumber the one for a number in it.
	repair, renumber string
}

func (o origin) inDocument(problem string) error {
	return &snapshot.InputError{Object: o.object, Field: o.document, Problem: problem, Remedy: o.repair}
}

func (o origin) inField(path, value, problem, remedy string) error {
	return &snapshot.InputError{Object: o.object, Field: fmt.Sprintf(o.field, path), Value: value, Problem: problem, Remedy: remedy}
}

// replicas returns <pool>.replicas of a document, as far as it has one.
func (o origin) replicas(root map[any]any, pool string) (value any, found bool, err error) {
	under, found := root[pool]
	if !found {
		return nil, false, nil
	}
	mapping, ok := under.(map[any]any)
	if !ok {
		return nil, false, o.inField(pool, text(under), "is "+shape(under)+", not a mapping", o.repair)
	}
	value, found = mapping["replicas"]
	return value, found, nil
}

// requiredReplicas returns <pool>.replicas of a document that must have it, between 1 and Max.
func (o origin) requiredReplicas(root map[any]any, pool string) (int, error) {
	value, found, err := o.replicas(root, pool)
	if err != nil {
		return 0, err
	}
	if !found {
		return 0, o.inField(pool+".replicas", "", "is missing", o.renumber)
	}
	return o.count(pool+".replicas", value)
}

// count returns the number at path, between 1 and Max.
func (o origin) count(path string, value any) (int, error) {
	n, problem := count(value)
	if problem != "" {
		return 0, o.inField(path, text(value), problem, o.renumber)
	}
	return n, nil
}

// parse returns the mapping that a document holds; it is nil when the document holds nothing. No error quotes more of a
// document than its keys: what else is in it may be secret.
func (o origin) parse(document []byte) (map[any]any, error) {
	if len(document) > maxDocumentBytes {
		return nil, o.inDocument(fmt.Sprintf("has %d bytes, more than the %d that a ConfigMap can hold", len(document), maxDocumentBytes))
	}
	read := readYAML
	if json.Valid(document) {
		// Not all JSON is YAML: a key may be longer, and emoji may be written as two escapes.
		read = readJSON
	}
	root, problem := read(document)
	if problem != "" {
		return nil, o.inDocument(problem)
	}
	switch root := root.(type) {
	case nil:
		return nil, nil
	case map[any]any:
		return root, nil
	default:
		return nil, o.inDocument("is " + shape(root) + ", not a mapping")
	}
}

// readYAML reads the only document in b with the parser that wrote it (YAML 1.1), without what that parser lets pass
// in silence: keys that are there twice, and whatever follows the first document.
func readYAML(b []byte) (root any, problem string) {
	decoder := yaml.NewDecoder(bytes.NewReader(b))
	decoder.SetStrict(true)
	if err := decoder.Decode(&root); errors.Is(err, io.EOF) {
		return nil, ""
	} else if err != nil {
		return nil, "is not valid YAML: " + withoutContent(err)
	}
	var rest any
	if err := decoder.Decode(&rest); err == nil {
		return nil, "holds more than one YAML document"
	} else if !errors.Is(err, io.EOF) {
		return nil, "goes on after the end of its YAML document: " + withoutContent(err)
	}
	return root, ""
}

// withoutContent returns the first problem that the parser found, with its line, but without the values that the parser
// quotes in backquotes or in Go syntax.
func withoutContent(err error) string {
	var text string
	if several := (*yaml.TypeError)(nil); errors.As(err, &several) && len(several.Errors) > 0 {
		text = several.Errors[0]
	} else {
		text = strings.TrimPrefix(err.Error(), "yaml: ")
	}
	for _, before := range []string{" `", ": map[", ": []"} {
		text, _, _ = strings.Cut(text, before)
	}
	return text
}

// readJSON reads valid JSON into the types that the YAML parser uses; numbers stay text until they are judged.
func readJSON(b []byte) (root any, problem string) {
	decoder := json.NewDecoder(bytes.NewReader(b))
	decoder.UseNumber()
	root, err := nextValue(decoder)
	if err != nil {
		return nil, "is not valid JSON: " + err.Error()
	}
	return root, ""
}

func nextValue(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			item, err := nextValue(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err := decoder.Token()
		return list, err
	case json.Delim('{'):
		mapping := map[any]any{}
		for decoder.More() {
			key, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			if _, twice := mapping[key]; twice {
				return nil, fmt.Errorf("key %q already set in map", key)
			}
			if mapping[key], err = nextValue(decoder); err != nil {
				return nil, err
			}
		}
		_, err := decoder.Token()
		return mapping, err
	default:
		return token, nil
	}
}

// shape names what a value is, without its content.
func shape(value any) string {
	switch value.(type) {
	case map[any]any:
		return "a mapping"
	case []any:
		return "a list"
	case string:
		return "text"
	case bool:
		return "true or false"
	case nil:
		return "null"
	default:
		return "a number"
	}
}

// text returns a scalar as it may be shown; a mapping or a list is only hinted at.
func text(value any) string {
	switch value := value.(type) {
	case map[any]any:
		return "{...}"
	case []any:
		return "[...]"
	case nil:
		return "null"
	case string:
		return value
	case json.Number:
		return value.String()
	case float64:
		return strconv.FormatFloat(value, 'g', -1, 64)
	default:
		return fmt.Sprint(value)
	}
}

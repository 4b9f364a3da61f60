package mustgather

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v2"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

var (
	errNotMapping = errors.New("it is no mapping of keys to values")
	errItems      = errors.New("its items are not a list of objects")
)

// readYAML reads all documents of a text as mappings; empty documents are left out. It refuses what the parser would let
// pass in silence: a key that is there twice.
func readYAML(text []byte) ([]map[string]any, error) {
	if endsInKey(text) {
		return nil, errTruncated
	}
	in := yaml.NewDecoder(bytes.NewReader(text))
	in.SetStrict(true)
	var documents []map[string]any
	for {
		var read any
		switch err := in.Decode(&read); {
		case errors.Is(err, io.EOF):
			return documents, nil
		case err != nil:
			return nil, shortened(err)
		case read == nil:
			continue
		}
		value, err := withTextKeys(read)
		if err != nil {
			return nil, err
		}
		document, ok := value.(map[string]any)
		if !ok {
			return nil, errNotMapping
		}
		documents = append(documents, document)
	}
}

// shortened leaves the first of many problems.
func shortened(err error) error {
	var several *yaml.TypeError
	if errors.As(err, &several) && len(several.Errors) > 0 {
		return fmt.Errorf("yaml: %s", several.Errors[0])
	}
	return err
}

// isYAML reports whether a text can be read as YAML.
func isYAML(text []byte) bool {
	_, err := readYAML(text)
	return err == nil
}

// endsInKey reports whether the last line with anything in it is a key without a value. Clients write null and empty
// collections out.
func endsInKey(text []byte) bool {
	lines := bytes.Split(text, []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		line, _, _ := bytes.Cut(lines[i], []byte(" #"))
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return bytes.HasSuffix(line, []byte(":"))
		}
	}
	return false
}

// endsInItems reports whether the key items is the last one of any document that has it.
func endsInItems(text []byte) bool {
	in := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document yaml.MapSlice
		if err := in.Decode(&document); err != nil {
			return false
		}
		if last := len(document) - 1; last >= 0 && document[last].Key == "items" {
			return true
		}
	}
}

// withTextKeys makes JSON's kinds of values of YAML's.
func withTextKeys(value any) (any, error) {
	switch value := value.(type) {
	case map[any]any:
		mapping := make(map[string]any, len(value))
		for key, of := range value {
			name, err := keyText(key)
			if err != nil {
				return nil, err
			}
			if _, twice := mapping[name]; twice {
				return nil, fmt.Errorf("key %q is there twice", name)
			}
			if mapping[name], err = withTextKeys(of); err != nil {
				return nil, err
			}
		}
		return mapping, nil
	case []any:
		list := make([]any, len(value))
		for i := range value {
			var err error
			if list[i], err = withTextKeys(value[i]); err != nil {
				return nil, err
			}
		}
		return list, nil
	case float64:
		if math.IsInf(value, 0) || math.IsNaN(value) {
			return nil, fmt.Errorf("there is a number that is none: %v", value)
		}
	}
	return value, nil
}

func keyText(key any) (string, error) {
	switch key := key.(type) {
	case string:
		return key, nil
	case int, int64, uint64, bool:
		return fmt.Sprint(key), nil
	case float64:
		return strconv.FormatFloat(key, 'g', -1, 64), nil
	}
	return "", fmt.Errorf("there is a key that is no text: %v", key)
}

// readJSON reads one JSON value of limited depth. It refuses a key that is there twice.
func readJSON(text json.RawMessage) (any, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	return nextJSON(in)
}

func nextJSON(in *json.Decoder) (any, error) {
	token, err := in.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for in.More() {
			item, err := nextJSON(in)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err := in.Token()
		return list, err
	case json.Delim('{'):
		mapping := map[string]any{}
		for in.More() {
			token, err := in.Token()
			if err != nil {
				return nil, err
			}
			key, _ := token.(string)
			if _, twice := mapping[key]; twice {
				return nil, fmt.Errorf("key %q is there twice", key)
			}
			if mapping[key], err = nextJSON(in); err != nil {
				return nil, err
			}
		}
		_, err := in.Token()
		return mapping, err
	}
	return token, nil
}

// freeKeys are the mappings of an object whose keys people choose.
var freeKeys = keep{"labels": nil, "annotations": nil, "data": nil}

// project leaves of an object what a tree keeps: as filterYAML, and with the same result. name is the key that the object
// stands behind. It refuses a key that differs from one in the tree by the case of letters alone.
func project(object map[string]any, tree keep, name string) (map[string]any, error) {
	left := map[string]any{}
	for key, value := range object {
		below, kept := tree[key]
		if !kept {
			if known := misspelt(key, tree); known != "" {
				if _, free := freeKeys[name]; !free {
					return nil, errCase(key, known)
				}
			}
			continue
		}
		inner, isObject := value.(map[string]any)
		if len(below) > 0 && isObject {
			projected, err := project(inner, below, key)
			if err != nil {
				return nil, err
			}
			value = projected
		}
		left[key] = value
	}
	return left, nil
}

func errCase(key, known string) error { return fmt.Errorf("key %q should be %q", key, known) }

// decodeObject turns a value into an object of the API.
func decodeObject(value map[string]any, into any) error {
	if err := checkKeys(value, reflect.TypeOf(into).Elem(), false); err != nil {
		return err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return utiljson.Unmarshal(text, into)
}

// checkKeys refuses keys that are those of a type but for the case of letters: a decoder either takes them as well, so that
// the same thing is there twice, or drops them in silence. With strictly it refuses null for a field that no null is
// written for. A list is never null where the API server tells what it has, nor is an entry of one.
func checkKeys(value any, of reflect.Type, strictly bool) error {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if reflect.PointerTo(of).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	switch value := value.(type) {
	case []any:
		if of.Kind() != reflect.Slice {
			return nil
		}
		for _, item := range value {
			if item == nil {
				return errors.New("there is a null among its rows")
			}
			if err := checkKeys(item, of.Elem(), strictly); err != nil {
				return err
			}
		}
	case map[string]any:
		switch of.Kind() {
		case reflect.Map:
			for _, item := range value {
				if err := checkKeys(item, of.Elem(), strictly); err != nil {
					return err
				}
			}
		case reflect.Struct:
			return checkFields(value, of, strictly)
		}
	}
	return nil
}

func checkFields(value map[string]any, of reflect.Type, strictly bool) error {
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			if field.Anonymous {
				if err := checkKeys(value, field.Type, strictly); err != nil {
					return err
				}
			}
			continue
		}
		for key, item := range value {
			switch {
			case key != name && strings.EqualFold(key, name):
				return errCase(key, name)
			case key != name:
			case !strictly && item == nil && field.Type.Kind() == reflect.Slice:
				return fmt.Errorf("%s is null: clients leave out a list that is not there", name)
			case strictly && item == nil && field.Type.Kind() != reflect.Slice:
				return fmt.Errorf("%s is null", name)
			default:
				if err := checkKeys(item, field.Type, strictly); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

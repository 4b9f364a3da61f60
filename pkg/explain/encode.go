package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"

	"sigs.k8s.io/yaml"
)

// JSON returns the document as indented JSON. Characters that a terminal would obey are written as \u escapes.
func (e Explanation) JSON() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(e); err != nil {
		return nil, fmt.Errorf("encode explanation as JSON: %w", err)
	}
	return escapeUnprintable(out.Bytes(), true), nil
}

// YAML returns the document as YAML, with the same content as JSON.
func (e Explanation) YAML() ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode explanation as YAML: %w", err)
	}
	// The converter reads JSON as YAML, which has neither raw control characters nor escapes in two halves.
	out, err := yaml.JSONToYAML(escapeUnprintable(text, false))
	if err != nil {
		return nil, fmt.Errorf("encode explanation as YAML: %w", err)
	}
	return out, nil
}

// escapeUnprintable: the encoder escapes only what JSON forbids, which leaves the control characters above ASCII. Outside
// of strings JSON has none of them. What takes two escapes is left as it is unless halves are allowed.
func escapeUnprintable(text []byte, halves bool) []byte {
	var out bytes.Buffer
	for _, r := range string(text) {
		switch {
		case r == '\n' || strconv.IsPrint(r) || r > 0xffff && !halves:
			out.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.Bytes()
}

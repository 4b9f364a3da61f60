package scenario

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Error is a mistake in a scenario file.
type Error struct {
	File string
	Line int
	Text string
}

func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("line %d: %s", e.Line, e.Text)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

func quote(text string) string { return strconv.Quote(text) }

// kinds makes the action of each kind of step.
var kinds = map[string]func() any{
	"create":        func() any { return &Create{} },
	"delete":        func() any { return &Delete{} },
	"force-delete":  func() any { return &ForceDelete{} },
	"start":         func() any { return &Host{} },
	"terminate":     func() any { return &Host{} },
	"destroy":       func() any { return &Host{} },
	"partition":     func() any { return &Host{} },
	"heal":          func() any { return &Host{} },
	"pause":         func() any { return &Host{} },
	"resume":        func() any { return &Host{} },
	"slow":          func() any { return &Slow{} },
	"kill":          func() any { return &Host{} },
	"stop-kubelet":  func() any { return &Host{} },
	"start-kubelet": func() any { return &Host{} },
	"hold-boot":     func() any { return &Host{} },
	"hold-rollout":  func() any { return &Node{} },
	"let-rollout":   func() any { return &Node{} },
	"cordon":        func() any { return &Node{} },
	"uncordon":      func() any { return &Node{} },
	"drain":         func() any { return &Drain{} },
	"evict":         func() any { return &Evict{} },
	"reboot":        func() any { return &Reboot{} },
	"strip":         func() any { return &Strip{} },
	"fight":         func() any { return &Fight{} },
	"edit":          func() any { return &Edit{} },
	"operator":      func() any { return &Operator{} },
	"wait":          func() any { return &Wait{} },
	"hold":          func() any { return &Hold{} },
	"expect":        func() any { return &Expect{} },
	"assert":        func() any { return &Assert{} },
	"release":       func() any { return &Release{} },
	"sleep":         func() any { return &Sleep{} },
	"run":           func() any { return &Run{} },
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// Parse reads a scenario; file is for messages. The seed chooses the victims.
// Every error is an *Error with the line.
func Parse(file string, data []byte, seed int64) (*Scenario, error) {
	s, err := parse(data, seed)
	if err == nil {
		return s, nil
	}
	var mistake *Error
	if !errors.As(err, &mistake) {
		mistake = yamlError(err)
	}
	mistake.File = file
	return nil, mistake
}

var yamlLine = regexp.MustCompile(`line (\d+): (.*)`)

// yamlError finds the line in the text of the decoder's own errors.
func yamlError(err error) *Error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if match := yamlLine.FindStringSubmatch(text); match != nil {
		if line, parseErr := strconv.Atoi(match[1]); parseErr == nil {
			return &Error{Line: line, Text: match[2]}
		}
	}
	return &Error{Line: 1, Text: text}
}

func parse(data []byte, seed int64) (*Scenario, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	if len(document.Content) == 0 {
		return nil, &Error{Line: 1, Text: "the file is empty"}
	}
	root := document.Content[0]
	s := &Scenario{ControlPlanes: 3, Source: string(data)}
	// The victims come first: their names are replaced in all else.
	var head struct {
		Name          string   `yaml:"name"`
		Victims       []string `yaml:"victims"`
		ControlPlanes int      `yaml:"control-planes"`
		Arbiters      int      `yaml:"arbiters"`
	}
	head.ControlPlanes = s.ControlPlanes
	if root.Kind != yaml.MappingNode {
		return nil, &Error{Line: root.Line, Text: "want the fields of a scenario, such as name: and steps:"}
	}
	if err := root.Decode(&head); err != nil {
		return nil, err
	}
	if n := head.ControlPlanes; n != 1 && n != 3 && n != 5 {
		return nil, at(root, "control-planes", fmt.Sprintf("control-planes must be 1, 3 or 5, not %d", n))
	}
	if head.Arbiters != 0 && (head.Arbiters != 1 || head.ControlPlanes != 3) {
		return nil, at(root, "arbiters", "there is one arbiter among three control planes, or none")
	}
	chosen, err := choose(head.Name, head.Victims, head.ControlPlanes-head.Arbiters, seed)
	if err != nil {
		return nil, at(root, "victims", err.Error())
	}
	if err := replace(root, chosen); err != nil {
		return nil, err
	}
	if err := decode(root, s, "the scenario"); err != nil {
		return nil, err
	}
	s.Victims, s.Chosen = head.Victims, chosen
	return s, s.check(root)
}

// at is an error at a field of a mapping.
func at(mapping *yaml.Node, field, text string) *Error {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == field {
			return &Error{Line: mapping.Content[i].Line, Text: text}
		}
	}
	return &Error{Line: mapping.Line, Text: text}
}

// Random returns the source of everything that the seed decides about the part
// of a scenario.
func Random(seed int64, part string) *rand.Rand {
	hash := fnv.New64a()
	// A hash takes everything.
	_, _ = hash.Write([]byte(part))
	return rand.New(rand.NewPCG(uint64(seed), hash.Sum64()))
}

func choose(name string, victims []string, controlPlanes int, seed int64) (map[string]string, error) {
	if len(victims) > controlPlanes {
		return nil, fmt.Errorf("there are %d victims and only %d control planes", len(victims), controlPlanes)
	}
	order := Random(seed, "victims of "+name).Perm(controlPlanes)
	chosen := map[string]string{}
	for i, victim := range victims {
		if !nameForm.MatchString(victim) {
			return nil, fmt.Errorf("a victim's name has small letters, digits and dashes: %s has not", quote(victim))
		}
		if chosen[victim] != "" {
			return nil, fmt.Errorf("two victims are called %s", victim)
		}
		chosen[victim] = fmt.Sprintf("master-%d", order[i])
	}
	return chosen, nil
}

var variable = regexp.MustCompile(`\$\$|\$\{([a-z][a-z0-9-]*)\}|\$([a-z][a-z0-9-]*)`)

// replace puts hosts in the place of victims' names, in all texts below node;
// $$ stands for a dollar.
func replace(node *yaml.Node, chosen map[string]string) error {
	if node.Kind == yaml.ScalarNode {
		var unknown string
		node.Value = variable.ReplaceAllStringFunc(node.Value, func(match string) string {
			if match == "$$" {
				return "$"
			}
			groups := variable.FindStringSubmatch(match)
			name := groups[1] + groups[2]
			if host := chosen[name]; host != "" {
				return host
			}
			unknown = name
			return match
		})
		if unknown != "" {
			return &Error{Line: node.Line, Text: fmt.Sprintf("$%s is no victim; victims are: %s", unknown, list(slices.Sorted(maps.Keys(chosen))))}
		}
	}
	for _, child := range node.Content {
		if err := replace(child, chosen); err != nil {
			return err
		}
	}
	return nil
}

func list(names []string) string {
	if len(names) == 0 {
		return "(none)"
	}
	return strings.Join(names, ", ")
}

// decode reads node into target, a pointer to a struct, and refuses fields that
// it does not have: yaml's own check does not reach into what types read
// themselves.
func decode(node *yaml.Node, target any, what string) error {
	if node.Kind != yaml.MappingNode {
		return &Error{Line: node.Line, Text: fmt.Sprintf("%s has fields, such as {%s: ...}", what, strings.Join(fieldsOf(reflect.TypeOf(target).Elem()), ", "))}
	}
	if err := known(node, reflect.TypeOf(target).Elem(), what); err != nil {
		return err
	}
	return node.Decode(target)
}

var ownReader = reflect.TypeFor[yaml.Unmarshaler]()

func known(node *yaml.Node, kind reflect.Type, what string) error {
	switch {
	case reflect.PointerTo(kind).Implements(ownReader):
		return nil
	case kind.Kind() == reflect.Slice && node.Kind == yaml.SequenceNode:
		for _, element := range node.Content {
			if err := known(element, kind.Elem(), what); err != nil {
				return err
			}
		}
	case kind.Kind() == reflect.Struct && node.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			key, value := node.Content[i], node.Content[i+1]
			field, found := fieldOf(kind, key.Value)
			if !found {
				return &Error{Line: key.Line, Text: fmt.Sprintf("%s has no field %s; it has: %s", what, quote(key.Value), strings.Join(fieldsOf(kind), ", "))}
			}
			if err := known(value, field.Type, key.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

func fieldsOf(kind reflect.Type) []string {
	var names []string
	for _, field := range reflect.VisibleFields(kind) {
		name, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if name != "" && name != "-" && options != "inline" {
			names = append(names, name)
		}
	}
	return names
}

func fieldOf(kind reflect.Type, name string) (reflect.StructField, bool) {
	for _, field := range reflect.VisibleFields(kind) {
		if tag, _, _ := strings.Cut(field.Tag.Get("yaml"), ","); tag == name && tag != "-" {
			return field, true
		}
	}
	return reflect.StructField{}, false
}

// UnmarshalYAML reads a step: one key, its kind, and the fields below it.
func (s *Step) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode || len(node.Content) != 2 {
		return &Error{Line: node.Line, Text: "a step is its kind and its fields, such as `terminate: {host: master-0}`"}
	}
	key, value := node.Content[0], node.Content[1]
	make := kinds[key.Value]
	if make == nil {
		return &Error{Line: key.Line, Text: fmt.Sprintf("unknown step %s; steps are: %s", quote(key.Value), list(slices.Sorted(maps.Keys(kinds))))}
	}
	action := make()
	if err := decode(value, action, "step "+key.Value); err != nil {
		return err
	}
	*s = Step{Kind: key.Value, Line: key.Line, Action: action}
	if problem := s.problem(); problem != "" {
		return &Error{Line: key.Line, Text: "step " + key.Value + ": " + problem}
	}
	return nil
}

// UnmarshalYAML notes the line.
func (a *Assertion) UnmarshalYAML(node *yaml.Node) error {
	type plain Assertion
	var read plain
	if err := decode(node, &read, "an assertion"); err != nil {
		return err
	}
	*a = Assertion(read)
	a.Line = node.Line
	if a.Name == "" || !a.That.Given() {
		return &Error{Line: node.Line, Text: "an assertion needs a name and that"}
	}
	return nil
}

// UnmarshalYAML leaves all to the assertion.
func (a *Assert) UnmarshalYAML(node *yaml.Node) error { return a.Assertion.UnmarshalYAML(node) }

const defaultDeadline = 10 * time.Minute

func (s *Scenario) check(root *yaml.Node) error {
	switch {
	case !nameForm.MatchString(s.Name):
		return at(root, "name", "name is missing, or has more than small letters, digits and dashes")
	case s.Workers < 0 || s.Workers > 20:
		return at(root, "workers", fmt.Sprintf("workers must be between 0 and 20, not %d", s.Workers))
	case !oneOfEach(s.IPFamilies):
		return at(root, "ip-families", "ip-families are ipv4, ipv6 or both, each once")
	case len(s.Steps) == 0:
		return at(root, "steps", "there are no steps")
	case s.Load.Clients < 0 || s.Load.Writes < 0 || (s.Load.Clients == 0) != (s.Load.Writes == 0):
		return at(root, "load", "load needs clients and writes, both above zero")
	case s.MinVoters < 0 || s.MinVoters > s.ControlPlanes:
		return at(root, "min-voters", fmt.Sprintf("min-voters must be between 1 and %d", s.ControlPlanes))
	}
	if s.Deadline == 0 {
		s.Deadline = Duration(defaultDeadline)
	}
	names := map[string]bool{}
	for _, assertion := range s.Always {
		if names[assertion.Name] {
			return &Error{Line: assertion.Line, Text: fmt.Sprintf("two assertions are called %s", quote(assertion.Name))}
		}
		names[assertion.Name] = true
	}
	for _, step := range s.Steps {
		switch action := step.Action.(type) {
		case *Assert:
			if names[action.Name] {
				return &Error{Line: step.Line, Text: fmt.Sprintf("two assertions are called %s", quote(action.Name))}
			}
			names[action.Name] = true
		case *Release:
			if !names[action.Name] {
				return &Error{Line: step.Line, Text: fmt.Sprintf("there is no assertion %s to release", quote(action.Name))}
			}
			delete(names, action.Name)
		}
	}
	return nil
}

func oneOfEach(families []string) bool {
	seen := map[string]bool{}
	for _, family := range families {
		if family != "ipv4" && family != "ipv6" || seen[family] {
			return false
		}
		seen[family] = true
	}
	return true
}

// Assertions returns the names of all assertions.
func (s *Scenario) Assertions() []string {
	var names []string
	for _, assertion := range s.Always {
		names = append(names, assertion.Name)
	}
	for _, step := range s.Steps {
		if assert, is := step.Action.(*Assert); is {
			names = append(names, assert.Name)
		}
	}
	return names
}

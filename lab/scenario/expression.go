package scenario

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
	"go.yaml.in/yaml/v3"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

// Expression is a question about facts whose answer is yes or no.
type Expression struct {
	Text string
	Line int

	program *vm.Program
}

// environment is what expressions can name.
type environment struct {
	facts.Facts
	Voters        int                               `expr:"voters"`
	HealthyVoters int                               `expr:"healthyVoters"`
	Learners      int                               `expr:"learners"`
	Member        func(name string) facts.Member    `expr:"member"`
	Machine       func(name string) facts.Machine   `expr:"machine"`
	Node          func(name string) facts.Node      `expr:"node"`
	Condition     func(kind string) facts.Condition `expr:"condition"`
	Operator      func(kind string) facts.Condition `expr:"operator"`
	Hosts         func(machine string) bool         `expr:"hostsMember"`
	Guard         func(node string) facts.Guard     `expr:"guard"`
}

func newEnvironment(f facts.Facts) environment {
	e := environment{
		Facts:     f,
		Member:    f.Member,
		Machine:   f.MachineNamed,
		Node:      f.NodeNamed,
		Condition: func(kind string) facts.Condition { return facts.ConditionOf(f.EtcdConditions, kind) },
		Operator:  func(kind string) facts.Condition { return facts.ConditionOf(f.OperatorConditions, kind) },
		Hosts: func(machine string) bool {
			for _, m := range f.Members {
				if m.Name == machine || m.Machine == machine {
					return true
				}
			}
			return false
		},
		Guard: func(node string) facts.Guard {
			for _, guard := range f.Guards {
				if guard.Node == node {
					return guard
				}
			}
			return facts.Guard{}
		},
	}
	e.Voters, e.HealthyVoters = f.Voters()
	for _, m := range f.Members {
		if m.Learner {
			e.Learners++
		}
	}
	return e
}

// compile checks names and types, so that a mistake is found before a lab is
// started.
func compile(text string) (*vm.Program, error) {
	program, err := expr.Compile(text, expr.Env(environment{}), expr.AsBool())
	if err == nil {
		return program, nil
	}
	var positioned *file.Error
	if errors.As(err, &positioned) {
		return nil, fmt.Errorf("expression %s: %s (at character %d)", quote(text), positioned.Message, positioned.Column+1)
	}
	return nil, fmt.Errorf("expression %s: %s", quote(text), strings.Split(err.Error(), "\n")[0])
}

// UnmarshalYAML reads and compiles it.
func (e *Expression) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode || strings.TrimSpace(node.Value) == "" {
		return &Error{Line: node.Line, Text: "want an expression, in one piece of text"}
	}
	program, err := compile(node.Value)
	if err != nil {
		return &Error{Line: node.Line, Text: err.Error()}
	}
	*e = Expression{Text: strings.Join(strings.Fields(node.Value), " "), Line: node.Line, program: program}
	return nil
}

// Given reports whether there is one.
func (e Expression) Given() bool { return e.program != nil }

// Holds asks it about f. It fails where the expression asks for what f does not
// have, the third of two members for example.
func (e Expression) Holds(f facts.Facts) (bool, error) {
	result, err := expr.Run(e.program, newEnvironment(f))
	if err != nil {
		return false, fmt.Errorf("expression %s: %s", quote(e.Text), strings.Split(err.Error(), "\n")[0])
	}
	holds, _ := result.(bool)
	return holds, nil
}

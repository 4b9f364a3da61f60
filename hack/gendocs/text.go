package main

import (
	"errors"
	"fmt"
	"strings"
)

func lines(sentences []string) error { return errors.New(strings.Join(sentences, "\n")) }

// firstDifference shows the first line in which two texts differ; empty when they do not.
func firstDifference(got, want string) string {
	if got == want {
		return ""
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; ; i++ {
		switch {
		case i >= len(g):
			return fmt.Sprintf("line %d is missing\n+ %s", i+1, w[i])
		case i >= len(w):
			return fmt.Sprintf("line %d is too much\n- %s", i+1, g[i])
		case g[i] != w[i]:
			return fmt.Sprintf("line %d\n- %s\n+ %s", i+1, g[i], w[i])
		}
	}
}

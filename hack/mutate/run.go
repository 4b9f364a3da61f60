package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// outcome is what the tests of one level say about a mutant.
type outcome string

const (
	survived outcome = "survived"
	failed   outcome = "failed"    // a test compared and found a difference
	panicked outcome = "panicked"  // a test ended in a panic
	timedOut outcome = "timed out" // a test did not end
)

// result is the first outcome that is no survival, with its level and the test that noticed.
type result struct {
	outcome outcome
	level   int
	by      string
}

// level is one kind of test, asked after the cheaper ones.
type level struct {
	title string
	// long: a test takes so long that it is run only for mutants of which nobody has said why they cannot be noticed.
	long bool
	// packages returns the import paths of the test packages to ask about a mutant of a package, among those that there are.
	packages func(all []string, mutated string) []string
	// args and env are passed to the test binary.
	args, env []string
}

// binary is a compiled test package.
type binary struct {
	testPackage
	file string
	// args are those that every run of it needs.
	args []string
	// takes is how long it takes when no mutant is active.
	takes map[int]time.Duration
}

// builder compiles test packages with the woven variant in place of the original.
type builder struct {
	root, scratch, overlay string
	built                  map[string]*binary
}

// build returns the binary of a test package, compiled at its first use. A failure to compile is an error: the generator has
// to avoid such mutants.
func (b *builder) build(ctx context.Context, p testPackage) (*binary, error) {
	if done := b.built[p.importPath]; done != nil {
		return done, nil
	}
	out := &binary{testPackage: p, file: filepath.Join(b.scratch, strconv.Itoa(len(b.built))+".test"), takes: map[int]time.Duration{}}
	command := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", b.overlay, "-o", out.file, p.importPath)
	command.Dir = b.root
	if text, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("a mutant does not compile: build tests of %s: %w\n%s", p.importPath, err, text)
	}
	if p.usesRapid {
		out.args = []string{"-rapid.nofailfile", "-rapid.seed=1"}
	}
	b.built[p.importPath] = out
	return out, nil
}

// maxOutput is how much of what a test prints is looked at; a mutant can make a test fail a million times.
const maxOutput = 1 << 20

// run asks one test binary about one mutant; number 0 is the original.
func (b *binary) run(ctx context.Context, l level, number int, limit time.Duration) (result, string, error) {
	// The test's own limit comes first: it says that it was the limit.
	ctx, cancel := context.WithTimeout(ctx, limit+10*time.Second)
	defer cancel()
	args := append([]string{"-test.failfast", "-test.timeout=" + limit.String()}, b.args...)
	command := exec.CommandContext(ctx, b.file, append(args, l.args...)...)
	command.Dir = b.dir
	command.Env = append(append(os.Environ(), l.env...), environment+"="+strconv.Itoa(number), "GOMAXPROCS=1", "GOMEMLIMIT=3GiB")
	var out bytes.Buffer
	limited := &limitedWriter{w: &out, left: maxOutput}
	command.Stdout, command.Stderr = limited, limited
	command.WaitDelay = time.Second
	err := command.Run()
	text := out.String()
	got, ok := classify(text, err, errors.Is(ctx.Err(), context.DeadlineExceeded))
	if !ok {
		return result{}, text, fmt.Errorf("run tests of %s: %w\n%s", b.importPath, err, text)
	}
	return got, text, nil
}

// classify tells from a test's output and error what it says about a mutant; ok is false when it says nothing, as when
// the binary could not be started.
func classify(output string, err error, overtime bool) (got result, ok bool) {
	got = result{outcome: failed, by: failedTest(output)}
	switch {
	case err == nil:
		return result{outcome: survived}, true
	case overtime, strings.Contains(output, "panic: test timed out"):
		got.outcome = timedOut
	case strings.Contains(output, "\npanic: "), strings.HasPrefix(output, "panic: "), strings.Contains(output, "fatal error: "):
		got.outcome = panicked
	default:
		return got, strings.Contains(output, "--- FAIL")
	}
	return got, true
}

var failLine = regexp.MustCompile(`--- FAIL: (\S+)`)

// failedTest returns the name of the innermost test that failed; empty when the output names none.
func failedTest(output string) string {
	longest := ""
	for _, match := range failLine.FindAllStringSubmatch(output, -1) {
		if strings.HasPrefix(match[1], longest) {
			longest = match[1]
		}
	}
	return longest
}

// limitedWriter passes on what comes first and swallows the rest.
type limitedWriter struct {
	w    io.Writer
	left int
}

func (l *limitedWriter) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	if _, err := l.w.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}

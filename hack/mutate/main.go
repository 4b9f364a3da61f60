package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/openshift/cluster-etcd-operator/hack/rulebook"
)

// options are the flags.
type options struct {
	only              string
	list, check, show bool
	jobs, depth       int
}

func main() {
	var o options
	flag.StringVar(&o.only, "only", "", "mutants of this `rule`, or whose id begins so; the table is not written")
	flag.BoolVar(&o.list, "list", false, "print the mutants and run no test")
	flag.BoolVar(&o.check, "check", false, "run no test; fail when the table in "+tableFile+" is stale")
	flag.BoolVar(&o.show, "show", false, "print what the tests say")
	flag.IntVar(&o.depth, "depth", len(levels), "how many levels of tests to ask, cheapest first; with less than all the table is not written")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "test binaries to run at the same time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, ".", o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root string, o options) error {
	program, err := derive(root, targets)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, rulebook.File))
	if err != nil {
		return fmt.Errorf("read rules: %w", err)
	}
	book, err := rulebook.Parse(string(text))
	if err != nil {
		return err
	}
	if missing := uncovered(program.mutants, program.cited, book, targets); len(missing) > 0 {
		return fmt.Errorf("no mutant breaks %s", strings.Join(missing, ", "))
	}
	text, err = os.ReadFile(filepath.Join(root, equivalentFile))
	if err != nil {
		return fmt.Errorf("read equivalent mutants: %w", err)
	}
	equivalent, err := readEquivalent(string(text), program.mutants)
	if err != nil {
		return err
	}
	switch {
	case o.check:
		return checkTable(root, program.mutants)
	case o.list:
		for _, m := range matching(program.mutants, o.only) {
			fmt.Println(m)
		}
		return nil
	}
	return mutate(ctx, root, o, program, equivalent)
}

func checkTable(root string, mutants []*mutant) error {
	document, err := os.ReadFile(filepath.Join(root, tableFile))
	if err != nil {
		return fmt.Errorf("read table: %w", err)
	}
	if faults := stale(string(document), mutants); len(faults) > 0 {
		return fmt.Errorf("%s is stale (make mutate):\n%s", tableFile, strings.Join(faults, "\n"))
	}
	return nil
}

// mutate shows the mutants to the tests and writes the table.
func mutate(ctx context.Context, root string, o options, program *program, equivalent map[string]string) error {
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return fmt.Errorf("make scratch folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	tests, err := listTests(root, testPatterns(root)...)
	if err != nil {
		return err
	}
	file, err := cacheFile()
	if err != nil {
		return err
	}
	kept, err := openCache(file)
	if err != nil {
		return err
	}
	j, err := newJudge(root, scratch, program, tests, kept)
	if err != nil {
		return err
	}
	j.mutants = matching(program.mutants, o.only)
	j.equivalent = equivalent
	j.jobs, j.progress, j.show = max(o.jobs, 1), os.Stdout, o.show
	j.levels = j.levels[:min(max(o.depth, 1), len(j.levels))]
	whole := o.only == "" && len(j.levels) == len(levels)
	results, err := j.all(ctx)
	if saved := kept.save(!whole || err != nil); saved != nil && err == nil {
		err = saved
	}
	if err != nil {
		return err
	}
	left := 0
	for _, m := range j.mutants {
		if results[m.id].outcome == survived && equivalent[m.id] == "" {
			left++
			fmt.Printf("survives: %s\n", m)
		}
		if results[m.id].outcome != survived && equivalent[m.id] != "" {
			return fmt.Errorf("%s is called equivalent, and %s notices it", m.id, results[m.id].by)
		}
	}
	rows, panics, timeouts := tabulate(j.mutants, results, equivalent, j.levels)
	table := markdown(j.mutants, rows, panics, timeouts, j.levels)
	if whole {
		if err := writeTable(root, table); err != nil {
			return err
		}
	} else {
		fmt.Print(table)
	}
	if left > 0 {
		return fmt.Errorf("%d of %d mutants survive", left, len(j.mutants))
	}
	return nil
}

// testPatterns names what has tests that know the targets, as far as this revision has it.
func testPatterns(root string) []string {
	var patterns []string
	for _, folder := range []string{"pkg", "test/exhaustive", "test/model"} {
		if _, err := os.Stat(filepath.Join(root, folder)); err == nil {
			patterns = append(patterns, "./"+folder+"/...")
		}
	}
	return patterns
}

func writeTable(root, table string) error {
	file := filepath.Join(root, tableFile)
	document, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read table: %w", err)
	}
	text, err := splice(string(document), table)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

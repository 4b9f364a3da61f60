package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// levels are the tests that a mutant is shown to, cheapest first.
var levels = []level{
	{title: "own tests", packages: func(all []string, mutated string) []string {
		return keep(all, func(p string) bool { return p == mutated })
	}},
	{title: "tests of users", packages: func(all []string, mutated string) []string {
		return keep(all, func(p string) bool { return p != mutated && within(p, "pkg") })
	}},
	{title: "small worlds", long: true, args: []string{"-test.short"}, packages: func(all []string, _ string) []string {
		return keep(all, func(p string) bool { return within(p, "test/exhaustive") })
	}},
	{title: "model", long: true, args: []string{"-test.short", "-test.run=^TestModel$"}, packages: func(all []string, _ string) []string {
		return keep(all, func(p string) bool { return within(p, "test/model") })
	}},
}

func keep(all []string, wanted func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(all), func(p string) bool { return !wanted(p) })
}

func within(p, folder string) bool {
	return p == folder || len(p) > len(folder) && p[:len(folder)+1] == folder+"/"
}

// judge shows mutants to tests.
type judge struct {
	root    string
	mutants []*mutant
	tests   []testPackage
	builder *builder
	cache   *cache
	levels  []level
	jobs    int
	// equivalent are the ids of mutants that cost no long tests: somebody has said why no test can notice them.
	equivalent map[string]string
	progress   io.Writer
	// show prints what the tests say about each mutant that they notice.
	show bool
	// keys holds the part of a cache key that is the same for all mutants, by level and test package.
	keys map[string]string
}

// newJudge weaves all files and prepares the overlay that stands for the tree. Folders of packages are told as absolute paths. scratch is a folder that the caller removes.
func newJudge(root, scratch string, program *program, tests []testPackage, c *cache) (*judge, error) {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	absolute, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("prepare overlay: %w", err)
	}
	for i, name := range slices.Sorted(maps.Keys(program.woven)) {
		file := filepath.Join(scratch, fmt.Sprintf("woven%d.go", i))
		if err := os.WriteFile(file, []byte(program.woven[name]), 0o644); err != nil {
			return nil, fmt.Errorf("prepare overlay: %w", err)
		}
		overlay.Replace[filepath.Join(absolute, filepath.FromSlash(name))] = file
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return nil, fmt.Errorf("prepare overlay: %w", err)
	}
	file := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return nil, fmt.Errorf("prepare overlay: %w", err)
	}
	return &judge{
		root: absolute, mutants: program.mutants, tests: tests, cache: c, levels: levels, jobs: 1, progress: io.Discard,
		builder: &builder{root: absolute, scratch: scratch, overlay: file, built: map[string]*binary{}}, keys: map[string]string{},
	}, nil
}

// question is one mutant and one test package.
type question struct {
	m    *mutant
	test testPackage
	key  string
}

// all returns the result for each mutant, by id. It asks level after level, each about what survived so far.
func (j *judge) all(ctx context.Context) (map[string]result, error) {
	results := map[string]result{}
	for _, m := range j.mutants {
		results[m.id] = result{outcome: survived}
	}
	for i := range j.levels {
		if err := j.level(ctx, i, results); err != nil {
			return nil, err
		}
		if err := j.cache.save(true); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func (j *judge) level(ctx context.Context, i int, results map[string]result) error {
	l := j.levels[i]
	var paths []string
	byPath := map[string]testPackage{}
	for _, t := range j.tests {
		paths = append(paths, t.path)
		byPath[t.path] = t
	}
	asked, start := 0, time.Now()
	for _, path := range paths {
		var open []question
		for _, m := range j.mutants {
			if results[m.id].outcome != survived || !slices.Contains(l.packages(paths, m.pkg), path) || l.long && j.equivalent[m.id] != "" {
				continue
			}
			q, answer, known, err := j.ask(i, m, byPath[path])
			if err != nil {
				return err
			}
			switch {
			case !q.reached():
			case known:
				results[m.id] = answer
			default:
				open = append(open, q)
			}
		}
		if len(open) == 0 {
			continue
		}
		asked += len(open)
		if err := j.answer(ctx, i, byPath[path], open, results); err != nil {
			return err
		}
	}
	left := 0
	for _, r := range results {
		if r.outcome == survived {
			left++
		}
	}
	fmt.Fprintf(j.progress, "%s: %d of %d mutants left; asked %d times in %d s\n", l.title, left, len(j.mutants), asked, int(time.Since(start).Seconds()))
	return nil
}

// reached reports whether the mutated package is part of the test binary at all.
func (q question) reached() bool { return q.key != "" }

// ask looks a question up in the cache.
func (j *judge) ask(i int, m *mutant, t testPackage) (q question, answer result, known bool, err error) {
	q = question{m: m, test: t}
	reached := false
	for _, dir := range t.ours {
		reached = reached || dir == filepath.Join(j.root, filepath.FromSlash(m.pkg))
	}
	if !reached {
		return q, result{}, false, nil
	}
	id := fmt.Sprintf("%d %s", i, t.path)
	if j.keys[id] == "" {
		j.keys[id], err = t.hash(j.root)
		if err != nil {
			return q, result{}, false, err
		}
	}
	// Not the id: which rule a mutant is counted under does not change what it does.
	q.key = fmt.Sprintf("%s %s %v %s:%d %s %s", j.keys[id], t.path, j.levels[i].args, m.file, m.offset, m.kind, m.text)
	got, known := j.cache.get(q.key)
	return q, result{outcome: got.Outcome, level: i, by: got.By}, known, nil
}

// answer runs the tests of one package for all open questions, several at a time.
func (j *judge) answer(ctx context.Context, i int, t testPackage, open []question, results map[string]result) error {
	l := j.levels[i]
	b, err := j.builder.build(ctx, t)
	if err != nil {
		return err
	}
	start := time.Now()
	original, text, err := b.run(ctx, l, 0, 10*time.Minute)
	if err != nil {
		return err
	}
	if original.outcome != survived {
		return fmt.Errorf("the tests of %s fail without any mutant (%s):\n%s", t.path, original.outcome, text)
	}
	takes := time.Since(start)
	limit := 20*time.Second + 10*takes
	fmt.Fprintf(j.progress, "%s: %s, %d mutants, %.1f s each\n", l.title, t.path, len(open), takes.Seconds())
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	var mu sync.Mutex
	next, done := 0, 0
	for range j.jobs {
		wait.Go(func() {
			for {
				mu.Lock()
				if next == len(open) || ctx.Err() != nil {
					mu.Unlock()
					return
				}
				q := open[next]
				next++
				mu.Unlock()
				got, text, err := b.run(ctx, l, q.m.number, limit)
				if err == nil && got.outcome == timedOut {
					// A machine that stood still looks the same; it rarely does so twice.
					got, text, err = b.run(ctx, l, q.m.number, limit)
				}
				if err != nil {
					cancel(fmt.Errorf("%s: %w", q.m.id, err))
					return
				}
				got.level = i
				j.cache.put(q.key, cached{got.outcome, got.by})
				mu.Lock()
				results[q.m.id] = got
				done++
				if done%200 == 0 {
					fmt.Fprintf(j.progress, "  %d of %d\n", done, len(open))
					if err := j.cache.save(true); err != nil {
						cancel(err)
					}
				}
				if j.show {
					fmt.Fprintf(j.progress, "%s\n%s\n", q.m, text)
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

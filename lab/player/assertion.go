package player

import (
	"fmt"
	"slices"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

// assertion is one that is being checked on every look.
type assertion struct {
	scenario.Assertion
	// since is when it began not to hold, broken that this has counted.
	since  time.Duration
	wrong  bool
	broken bool
}

// check asks about a look, unless that saw no member at all and tells nothing;
// failed is called the first time that it counts.
func (a *assertion) check(f facts.Facts, failed func(text string)) {
	if a.broken || f.MembersProblem != "" {
		return
	}
	holds, err := a.That.Holds(f)
	if holds && err == nil {
		a.wrong = false
		return
	}
	if !a.wrong {
		a.wrong, a.since = true, f.At
	}
	if f.At-a.since < time.Duration(a.Grace) {
		return
	}
	a.broken = true
	text := a.That.Text
	if err != nil {
		text = err.Error()
	}
	failed(text)
}

func (p *Player) begin(a scenario.Assertion) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.assertions = append(p.assertions, &assertion{Assertion: a})
}

// release ends an assertion; one that was broken stays so.
func (p *Player) release(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.assertions = slices.DeleteFunc(p.assertions, func(a *assertion) bool { return a.Name == name && !a.broken })
}

func (p *Player) brokenAssertion() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.assertions {
		if a.broken {
			return fmt.Errorf("%s:%d: it did not always hold: %s", p.config.File, a.Line, a.Name)
		}
	}
	return nil
}

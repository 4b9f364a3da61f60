package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/oracle"
)

// The files that Write makes.
const (
	HTMLFile = "report.html"
	JSONFile = "report.json"
)

// mostRowsOfTable bounds the tables of the page; the JSON file has everything.
const mostRowsOfTable = 1500

// mostRowsOnPaper is how many rows of all tables together are printed in full.
const mostRowsOnPaper = 500

//go:embed page.gohtml
var pageSource string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// Write makes the report of a recording and puts it into folder, as HTMLFile and
// as JSONFile. It returns the path of the HTML file.
func Write(folder string, recording history.Recording, verdict oracle.Verdict) (string, error) {
	r := Build(recording, verdict)
	var html bytes.Buffer
	if err := Render(&html, r); err != nil {
		return "", err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("encode the report: %w", err)
	}
	if err := os.WriteFile(filepath.Join(folder, JSONFile), append(data, '\n'), 0o644); err != nil {
		return "", fmt.Errorf("keep the report: %w", err)
	}
	path := filepath.Join(folder, HTMLFile)
	if err := os.WriteFile(path, html.Bytes(), 0o644); err != nil {
		return "", fmt.Errorf("keep the report: %w", err)
	}
	return path, nil
}

// Render writes the page.
func Render(out io.Writer, r Report) error {
	if err := pageTemplate.Execute(out, newPage(r)); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// page is what the template shows.
type page struct {
	Report
	Strips []strip
	// Bad are the claims that do not hold.
	Bad []claimRow
	All []claimRow
	// Known are facts about the run, name and value.
	Known     [][2]string
	Moments   []Moment
	Decisions []decisionRow
	// The following count what the tables leave out.
	MomentsLeftOut, DecisionsLeftOut, RestLeftOut, RepeatedLeftOut int
	Replay                                                         string
	Legend                                                         []legend
}

type claimRow struct {
	Claim
	Class, Mark string
	Times       []timeLink
}

type timeLink struct{ Text, Link string }

type decisionRow struct {
	Decision
	Does string
}

// legend explains a look of the picture; W and H are of the sample.
type legend struct {
	Class, Text string
	Y, H        px
}

var results = map[oracle.Result][2]string{
	oracle.Holds: {"holds", "✓"}, oracle.Broken: {"broken", "✗"}, oracle.NotProven: {"unproven", "?"},
}

// Class and Mark are those of the whole verdict.
func (p page) Class() string { return results[p.Verdict.Result][0] }

// Mark is a sign for the whole verdict.
func (p page) Mark() string { return results[p.Verdict.Result][1] }

// Word is the whole verdict in a word.
func (p page) Word() string {
	return map[oracle.Result]string{oracle.Holds: "holds", oracle.Broken: "broken", oracle.NotProven: "not proven"}[p.Verdict.Result]
}

// Took is how long the run was.
func (p page) Took() string { return p.Length.words() }

// Long reports whether paper must do with less.
func (p page) Long() bool { return len(p.Moments)+len(p.Steps)+len(p.Decisions) > mostRowsOnPaper }

// HoldCount is how many claims hold.
func (p page) HoldCount() int { return len(p.All) - len(p.Bad) }

func newPage(r Report) page {
	p := page{Report: r, Strips: strips(&r), Legend: legends(), Replay: replay(r)}
	for _, c := range r.Verdict.Claims {
		row := claimRow{Claim: c, Class: results[c.Result][0], Mark: results[c.Result][1]}
		for _, at := range c.At {
			row.Times = append(row.Times, timeLink{Text: at.String(), Link: p.stripAt(at)})
		}
		p.All = append(p.All, row)
		if c.Result != oracle.Holds {
			p.Bad = append(p.Bad, row)
		}
	}
	// What is broken is told before what is not proven.
	slices.SortStableFunc(p.Bad, func(a, b claimRow) int { return severity(b.Result) - severity(a.Result) })
	p.Known = known(r)
	p.Moments, p.MomentsLeftOut = thinned(r.Course, func(m Moment) bool { return m.By != InCluster })
	p.decisions()
	p.unlink()
	return p
}

// decisions fills their table: without what is only as it should be, and without
// what another row says already.
func (p *page) decisions() {
	type told struct{ core, reason, subject, other string }
	said := map[told]Decision{}
	var telling []Decision
	for _, d := range p.Operator.Decisions {
		if d.Kind == Rest && d.Core != "membership" && d.Core != "budget" {
			p.RestLeftOut++
			continue
		}
		this := told{d.Core, d.Reason, d.Subject, d.Other}
		if d.Core == "drains" {
			this.core = "budget"
		}
		if before, some := said[this]; some && d.Refused && d.Kind != Act && before.From <= d.From && before.To >= d.To {
			p.RepeatedLeftOut++
			continue
		}
		said[this] = d
		telling = append(telling, d)
	}
	telling, p.DecisionsLeftOut = thinned(telling, func(d Decision) bool { return d.Kind == Act })
	for _, d := range telling {
		p.Decisions = append(p.Decisions, decisionRow{Decision: d, Does: does(d)})
	}
}

// unlink takes away links to decisions that no row is about.
func (p *page) unlink() {
	there := map[string]bool{}
	for _, d := range p.Decisions {
		there[decisionLink(d.Number)] = true
	}
	for _, s := range p.Strips {
		for i := range s.Shapes {
			if link := &s.Shapes[i].Link; strings.HasPrefix(*link, "d") && !there[*link] {
				*link = ""
			}
		}
	}
	p.Moments = slices.Clone(p.Moments)
	for i := range p.Moments {
		if d := &p.Moments[i].Decision; !there[decisionLink(*d)] {
			*d = 0
		}
	}
}

func severity(r oracle.Result) int {
	return slices.Index([]oracle.Result{oracle.Holds, oracle.NotProven, oracle.Broken}, r)
}

// thinned leaves out rows of a long table, those first that are not important.
func thinned[T any](all []T, important func(T) bool) (kept []T, leftOut int) {
	if len(all) <= mostRowsOfTable {
		return all, 0
	}
	room := mostRowsOfTable
	for _, row := range all {
		if important(row) {
			room--
		}
	}
	for _, row := range all {
		switch {
		case len(kept) >= mostRowsOfTable:
			leftOut++
		case important(row):
			kept = append(kept, row)
		case room > 0:
			room--
			kept = append(kept, row)
		default:
			leftOut++
		}
	}
	return kept, leftOut
}

// stripAt is the id of the part of the picture that shows a time.
func (p page) stripAt(at Seconds) string {
	for i, s := range slices.Backward(p.Strips) {
		if at >= s.From {
			return fmt.Sprintf("t%d", i)
		}
	}
	return "t0"
}

// does says what a decision does or does not do.
func does(d Decision) string {
	switch {
	case d.Action == "Warn":
		return "warns"
	case d.Core == "drains":
		return "no drain"
	case d.Refused:
		return strings.TrimSpace("not: " + actText(d))
	case d.Kind == Act:
		return actText(d)
	case d.Kind == Waits:
		return "waits"
	}
	return "as it should be"
}

// replay is the command that plays the scenario again.
func replay(r Report) string {
	command := fmt.Sprintf("bin/etcdlab run --seed %d", r.Seed)
	if r.Setting.EtcdVersion != "" {
		command += " --etcd-version " + r.Setting.EtcdVersion
	}
	return command + " " + r.Scenario
}

func known(r Report) [][2]string {
	var all [][2]string
	tell := func(name, format string, arguments ...any) {
		all = append(all, [2]string{name, fmt.Sprintf(format, arguments...)})
	}
	tell("began", "%s, and took %s", r.Began.UTC().Format("2 January 2006 15:04:05 UTC"), r.Length.words())
	hosts := fmt.Sprintf("%d", r.Setting.ControlPlanes)
	for _, name := range slices.Sorted(mapKeys(r.Setting.Victims)) {
		hosts += fmt.Sprintf(", $%s is %s", name, r.Setting.Victims[name])
	}
	tell("control planes", "%s", hosts)
	if r.Setting.EtcdVersion != "" {
		tell("etcd", "%s", r.Setting.EtcdVersion)
	}
	w := r.Writes
	if r.Setting.LoadClients > 0 {
		tell("load", "%d clients, %d writes/s asked; %d writes acknowledged, %d not answered, %d reads", r.Setting.LoadClients, r.Setting.LoadWrites, w.Acknowledged, w.Unknown, w.Reads)
		allowed := ""
		if r.Setting.MaxWriteGap > 0 {
			allowed = fmt.Sprintf(", allowed are %s", r.Setting.MaxWriteGap)
		}
		tell("latency of writes", "median %s, slowest %s", w.Median.milliseconds(), w.Slowest.milliseconds())
		tell("longest time without a write", "%s, from %s on%s", w.Longest.Length().milliseconds(), w.Longest.From, allowed)
	}
	if len(r.Voters) > 0 {
		fewest, most, healthy := r.Voters[0].Voters, 0, r.Voters[0].Healthy
		for _, v := range r.Voters {
			fewest, most, healthy = min(fewest, v.Voters), max(most, v.Voters), min(healthy, v.Healthy)
		}
		tell("voters", "%d to %d, at least %d of them healthy", fewest, most, healthy)
	}
	if r.Operator.Recorded {
		refused := 0
		acts := 0
		for _, d := range r.Operator.Decisions {
			if d.Refused {
				refused++
			}
			if d.Kind == Act {
				acts++
			}
		}
		text := fmt.Sprintf("%s of %s, %s decided, %s", count(len(r.Operator.Passes), "pass", "es"), count(max(len(r.Operator.Processes), 1), "process", "es"), count(acts, "change", "s"), count(refused, "refusal", "s"))
		if r.Operator.Torn > 0 {
			text += fmt.Sprintf(", %d lines of its record cannot be read", r.Operator.Torn)
		}
		tell("operator", "%s", text)
	}
	if !r.Complete {
		tell("recording", "not complete: %s", r.Defect)
	}
	return all
}

// count says how many there are.
func count(n int, what, more string) string {
	if n == 1 {
		more = ""
	}
	return fmt.Sprintf("%d %s%s", n, what, more)
}

func legends() []legend {
	return []legend{
		{"leader", "member leads", 0, 18}, {"voter", "member votes", 3, 12}, {"learner", "learner", 4, 10}, {"unstarted", "added, not started", 5, 8},
		{"unhealthy", "does not answer", 0, 18}, {"machine-running", "Machine is Running", 3, 12}, {"machine-coming", "Machine on its way", 3, 12},
		{"machine-deleting", "Machine is deleting", 3, 12}, {"machine-failed", "Machine has Failed", 3, 12}, {"hook", "Machine has the hook", 7, 4}, {"node-ready", "Node is Ready", 8, 3},
		{"node-bad", "Node is not Ready", 3, 12}, {"node-cordoned", "Node is cordoned", 3, 12}, {"guard-ready", "guard is Ready", 6, 5}, {"guard-waits", "guard is not Ready", 5, 7},
		{"guard-leaves", "guard is being deleted", 4, 9}, {"down", "host is kept from working", 0, 18}, {"budget-open", "budget lets a pod go", 2, 14}, {"budget-closed", "budget lets none go", 2, 14},
		{"acts", "operator changes something", 3, 12}, {"waits", "operator waits or refuses", 3, 12}, {"rests", "operator is content", 4, 10},
		{"gap", "no write acknowledged", 0, 18}, {"flickers", "changes too fast to show", 3, 12}, {"unseen", "not seen", 6, 6},
	}
}

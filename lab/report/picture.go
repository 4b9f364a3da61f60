package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/oracle"
)

// All lengths of the picture are in pixels at its natural size.
const (
	// labelWidth and plotWidth are its two columns; the page scales both alike.
	labelWidth, plotWidth = 128, 1040
	// letter is about how wide a letter is.
	letter = 5.5
	// bold is how wide a bold one is.
	bold = 6.4
	// narrow is how wide something must be to be drawn by itself; what is narrower
	// is put together.
	narrow = 1.5
	// pill is how high a number's frame is, and how far a row of them is from the
	// next.
	pill = 14
	// mostRows bounds how many rows of numbers lie above one another.
	mostRows = 4
)

// stripLengths are those that a long run may be cut into, in seconds. One strip
// is for all of a run that is not longer than longestStrip.
var stripLengths = []Seconds{60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14400}

const (
	longestStrip = 150
	mostStrips   = 10
)

// px is a coordinate.
type px float64

// String has one decimal at most.
func (p px) String() string {
	return strconv.FormatFloat(math.Round(float64(p)*10)/10, 'f', -1, 64)
}

// shape is one element of the picture.
type shape struct {
	// Kind is "rect", "line", "path" or "text".
	Kind, Class    string
	X, Y, W, H     px
	X2, Y2         px
	D, Text, Title string
	// Link is the id of an element of the page.
	Link string
}

// strip is a part of the run, drawn from left to right.
type strip struct {
	From, To Seconds
	// Title names it where there are several.
	Title         string
	Height        px
	Labels        []shape
	Shapes        []shape
	LabelW, PlotW px
	report        *Report
	overview      bool
	y             px
}

// strips cuts a run into parts that can be read. With more than one, the first is
// an overview of all.
func strips(r *Report) []strip {
	length := max(r.Length, 1)
	if length <= longestStrip {
		return []strip{draw(r, 0, length, false)}
	}
	size := stripLengths[len(stripLengths)-1]
	for _, s := range stripLengths {
		if length <= s*mostStrips {
			size = s
			break
		}
	}
	all := []strip{draw(r, 0, length, true)}
	all[0].Title = "All of it: " + length.words()
	for from := Seconds(0); from < length; from += size {
		// What is left at the end gets no strip of its own if it is short.
		to := from + size
		if length-to < size/5 {
			to = length
		}
		part := draw(r, from, min(to, length), false)
		part.Title = fmt.Sprintf("From %s to %s", from.clock(true), part.To.clock(true))
		all = append(all, part)
		if to >= length {
			break
		}
	}
	return all
}

func draw(r *Report, from, to Seconds, overview bool) strip {
	s := strip{From: from, To: to, LabelW: labelWidth, PlotW: plotWidth, report: r, overview: overview}
	s.y = 20
	s.wrong()
	s.scenario()
	for _, h := range r.Hosts {
		s.host(h)
	}
	s.cluster()
	s.operator()
	s.writes()
	bottom := s.y + 4
	s.Height = bottom + 16
	// Lines across come first, so that they lie below everything.
	below := append(s.grid(bottom), s.guides(bottom)...)
	s.Shapes = append(below, s.Shapes...)
	return s
}

// x is where a time is.
func (s *strip) x(at Seconds) px {
	at = min(max(at, s.From), s.To)
	return px(float64(at-s.From) / float64(s.To-s.From) * plotWidth)
}

// within reports whether a time is shown; the last strip's end is.
func (s *strip) within(at Seconds) bool {
	return at >= s.From && (at < s.To || at == s.To && s.To >= s.report.Length) || at < 0 && s.From == 0
}

// meets reports whether a span is shown in part.
func (s *strip) meets(from, to Seconds) bool {
	return from < s.To && to > s.From || s.within(from)
}

func (s *strip) add(shapes ...shape) { s.Shapes = append(s.Shapes, shapes...) }

func (s *strip) label(class, text, title string, y px) {
	room := px(labelWidth - 8)
	most := int(room / letter)
	if class == "name" {
		// It is bold.
		most = int(room / (letter + 0.8))
	}
	s.Labels = append(s.Labels, shape{Kind: "text", Class: class, X: labelWidth - 6, Y: y, Text: keepEnd(text, most), Title: title})
}

// keepEnd shortens a name: its end tells it from others sooner than its beginning.
func keepEnd(text string, most int) string {
	if letters := []rune(text); len(letters) > most {
		return "…" + string(letters[len(letters)-most+1:])
	}
	return text
}

func keepStart(text string, most int) string {
	if letters := []rune(text); len(letters) > most {
		return string(letters[:max(most-1, 1)]) + "…"
	}
	return text
}

// bar draws a span with what is said in it, as far as there is room.
type bar struct {
	from, to    Seconds
	class       string
	y, h        px
	text        string
	title, link string
}

// bars draws spans of one lane. What changes too fast to be seen is drawn as
// one: a few spans as the last of them, many as something that flickers.
func (s *strip) bars(all []bar) {
	shown := slices.DeleteFunc(slices.Clone(all), func(b bar) bool { return !s.meets(b.from, b.to) })
	edge := px(-1)
	for i := 0; i < len(shown); i++ {
		b := shown[i]
		if n := s.fast(shown[i:]); n >= manyFast {
			s.flicker(shown[i : i+n])
			i += n - 1
			continue
		}
		x, end := s.x(b.from), s.x(b.to)
		if end-x < narrow {
			if x < edge {
				continue
			}
			end = min(x+narrow, plotWidth)
			x = end - narrow
			edge = end
		}
		s.add(shape{Kind: "rect", Class: b.class, X: x, Y: b.y, W: end - x, H: b.h, Title: b.title, Link: b.link})
		s.inside(b.class, b.text, x, end, b.y, b.h)
	}
}

// inside writes into a bar, if there is room.
func (s *strip) inside(class, text string, x, end, y, h px) {
	room := int((end - x - 6) / letter)
	if text != "" && h >= 10 && (room >= len([]rune(text)) || room >= 6) {
		s.add(shape{Kind: "text", Class: "in " + class, X: x + 4, Y: y + h/2 + 3.5, Text: keepStart(text, room)})
	}
}

const (
	// fastWidth is how wide a span must be not to count as fast, and manyFast how many
	// fast ones in a row are drawn as one.
	fastWidth = 4
	manyFast  = 8
)

// fast counts the spans at the beginning of all that follow each other too fast.
func (s *strip) fast(all []bar) int {
	for n, b := range all {
		if s.x(b.to)-s.x(b.from) >= fastWidth || n > 0 && b.from > all[n-1].to {
			return n
		}
	}
	return len(all)
}

// flicker draws spans that follow each other too fast.
func (s *strip) flicker(all []bar) {
	first, last := all[0], all[len(all)-1]
	x, end, h := s.x(first.from), s.x(last.to), px(0)
	for _, b := range all {
		h = max(h, b.h)
	}
	s.add(shape{Kind: "rect", Class: "flickers", X: x, Y: first.y, W: end - x, H: h, Title: fmt.Sprintf("%s to %s: changes %d times; the last: %s", first.from, last.to, len(all), last.title)})
	s.inside("flickers", fmt.Sprintf("%d changes", len(all)), x, end, first.y, h)
}

// flag is a number with some words, at a time.
type flag struct {
	at, until         Seconds
	class, mark, text string
	title, link       string
}

// flags draws numbers with words in as few rows as they need; where there is no
// room the words go first, and then numbers are put together.
func (s *strip) flags(all []flag, rows int) {
	slices.SortStableFunc(all, func(a, b flag) int { return cmp.Compare(a.at, b.at) })
	var shown []flag
	for _, f := range all {
		if s.within(f.at) {
			shown = append(shown, f)
		}
	}
	// A number may stand this far from its time.
	const most = 10
	right := make([]px, rows)
	for i := range right {
		right[i] = -1
	}
	used := 0
	for i, f := range shown {
		markW := px(len([]rune(f.mark)))*letter + 8
		x := min(s.x(f.at), plotWidth-markW)
		row := slices.IndexFunc(right, func(edge px) bool { return edge <= x })
		if row < 0 {
			row = slices.Index(right, slices.Min(right))
			if right[row]-x > most || right[row]+markW > plotWidth {
				// There is no room: a tick tells that there is something, the tables what.
				s.add(shape{Kind: "rect", Class: f.class + " pill", X: min(s.x(f.at), plotWidth-2), Y: s.y + px(rows)*pill - 1, W: 2, H: 4, Title: f.title, Link: f.link})
				continue
			}
			x = right[row]
		}
		// How far its words may go: to the next one that finds no other row.
		next, others := px(plotWidth), 0
		for _, g := range shown[i+1:] {
			if others++; others >= rows || s.x(g.at) > x+300 {
				next = max(s.x(g.at), x+markW)
				break
			}
		}
		room := int((next - x - markW - 8) / letter)
		y := s.y + px(row)*pill
		used = max(used, row+1)
		if f.until > f.at {
			s.add(shape{Kind: "rect", Class: f.class + " lasts", X: x, Y: y + pill - 2, W: max(s.x(f.until)-x, narrow), H: 1.5})
		}
		s.add(shape{Kind: "rect", Class: f.class + " pill", X: x, Y: y, W: markW, H: pill - 2, Title: f.title, Link: f.link},
			shape{Kind: "text", Class: f.class + " number", X: x + markW/2, Y: y + 9.5, Text: f.mark})
		right[row] = x + markW + 2
		if room >= min(len([]rune(f.text)), 8) && f.text != "" {
			text := keepStart(f.text, room)
			s.add(shape{Kind: "text", Class: "beside", X: x + markW + 3, Y: y + 9.5, Text: text})
			right[row] += px(len([]rune(text)))*letter + 6
		}
	}
	s.y += px(max(used, 1)) * pill
}

// wrong marks what does not hold.
func (s *strip) wrong() {
	var all []flag
	any := false
	for _, c := range s.report.Verdict.Claims {
		if c.Result == oracle.Holds {
			continue
		}
		for _, at := range c.At {
			any = true
			class := "broken"
			if c.Result == oracle.NotProven {
				class = "unproven"
			}
			all = append(all, flag{at: at, class: class, mark: "C" + strconv.Itoa(c.Number), text: c.Text, title: fmt.Sprintf("%s %s: %s %s: %s", at, c.Result, c.Text, brackets(c.Rules), c.Evidence), link: "c" + strconv.Itoa(c.Number)})
		}
	}
	if !any {
		return
	}
	s.label("what alarm", "does not hold", "claims of the verdict that do not hold", s.y+10)
	s.flags(all, 2)
	s.y += 4
}

func (s *strip) scenario() {
	s.label("what", "scenario", "steps of the scenario", s.y+10)
	var all []flag
	for _, step := range s.report.Steps {
		if s.overview && step.Kind == StepWait && step.Failed == "" {
			continue
		}
		class := step.Kind
		if step.Failed != "" {
			class = "broken"
		}
		title := fmt.Sprintf("step %d, %s to %s: %s", step.Number, step.From, step.To, step.Text)
		if step.Failed != "" {
			title += "; failed: " + step.Failed
		}
		f := flag{at: step.From, class: class, mark: "S" + strconv.Itoa(step.Number), text: step.Text, title: title, link: "s" + strconv.Itoa(step.Number)}
		if !s.overview {
			f.until = step.To
		}
		all = append(all, f)
	}
	rows := mostRows
	if s.overview {
		rows = 2
	}
	s.flags(all, rows)
	s.y += 6
}

// lasts reports whether a fault is a span in the life of a host; others have no
// end that anybody noted.
func (s *strip) lasts(f Fault) bool {
	return f.What == history.HostDown && !strings.HasPrefix(s.stepText(f.Step), "kill")
}

func (s *strip) stepText(number int) string {
	if number == 0 {
		return ""
	}
	return s.report.Steps[number-1].Text
}

// host draws a host and what is on it; one that is not there in this part is
// left out.
func (s *strip) host(h Host) {
	there := slices.ContainsFunc(h.Lanes, func(l Lane) bool {
		return slices.ContainsFunc(l.Spans, func(span Span) bool { return s.meets(span.From, span.To) })
	})
	if !there {
		return
	}
	top := s.y
	header := px(15)
	if s.overview {
		header = 0
	} else {
		s.label("name", h.Name, h.Name, s.y+11)
	}
	s.y += header
	background := len(s.Shapes)
	for _, kind := range laneKinds {
		if s.overview && kind != MemberLane || kind == RevisionLane && !s.report.rolls() {
			continue
		}
		s.lane(h, kind)
	}
	s.Shapes = slices.Insert(s.Shapes, background, s.done(h, top)...)
	s.y += 5
	if s.overview {
		s.y -= 2
	} else {
		s.line("between", s.y-2)
	}
}

// done draws what the scenario did to a host and its Machine, behind their rows,
// which begin at top: spans of what lasted, lines of what was done once.
func (s *strip) done(h Host, top px) []shape {
	var behind []shape
	gone := lastOf(h)
	// What is said of one must not cover what is said of the next.
	taken := px(-1)
	say := func(x px, f Fault, text string) {
		if f.Step > 0 {
			text = fmt.Sprintf("S%d %s", f.Step, s.stepText(f.Step))
		}
		room := int((plotWidth - x - 8) / letter)
		if text = keepStart(text, room); room < 6 || x < taken || s.overview {
			return
		}
		taken = x + 8 + px(len([]rune(text)))*bold
		behind = append(behind, shape{Kind: "text", Class: "down-text", X: x + 5, Y: top + 10.5, Text: text, Link: stepLink(f.Step)})
	}
	for _, f := range s.report.Faults {
		if f.Subject != h.Name {
			continue
		}
		x, title := s.x(f.From), fmt.Sprintf("%s from %s to %s: %s", f.What, f.From, f.To, s.stepText(f.Step))
		edge := shape{Kind: "rect", Class: "down-edge", X: min(x, plotWidth-2), Y: top, W: 2, H: s.y - top, Title: title}
		// A host that is gone is not kept from anything.
		f.To = min(f.To, max(gone, f.From))
		switch {
		case s.lasts(f) && s.meets(f.From, f.To):
			behind = append(behind, shape{Kind: "rect", Class: "down", X: x, Y: top, W: max(s.x(f.To)-x, narrow), H: s.y - top, Title: title}, edge)
			say(x, f, f.What)
		case !s.lasts(f) && s.within(f.From):
			behind = append(behind, edge)
			say(x, f, f.What+" by the scenario")
		}
	}
	return behind
}

// lastOf is when something was last seen on a host.
func lastOf(h Host) Seconds {
	last := Seconds(0)
	for _, l := range h.Lanes {
		last = max(last, l.Spans[len(l.Spans)-1].To)
	}
	return last
}

func (s *strip) line(class string, y px) {
	s.add(shape{Kind: "line", Class: class, X: 0, Y: y, X2: plotWidth, Y2: y})
	s.Labels = append(s.Labels, shape{Kind: "line", Class: class, X: 0, Y: y, X2: labelWidth, Y2: y})
}

func decisionLink(number int) string { return "d" + strconv.Itoa(number) }

func stepLink(number int) string {
	if number == 0 {
		return ""
	}
	return "s" + strconv.Itoa(number)
}

// laneNames are what people call the rows of a host.
var laneNames = map[string]string{HostLane: "node", MachineLane: "machine", MemberLane: "member", GuardLane: "guard", RevisionLane: "revision"}

// looks says how spans are drawn: class, how high, and how far from the row's
// top.
type looks struct {
	class  string
	h, top px
	text   string
}

var laneLooks = map[string]map[string]looks{
	HostLane: {
		NodeReady: {"node-ready", 3, 4, ""}, NodeNotReady: {"node-bad", 12, 0, "not ready"}, NodeCordoned: {"node-cordoned", 12, 0, "cordoned"},
		NodeAndCordoned: {"node-bad", 12, 0, "not ready, cordoned"}, Unseen: {"unseen", 6, 3, ""},
	},
	MachineLane: {
		MachineRunning: {"machine-running", 12, 0, "Running"}, MachineComing: {"machine-coming", 12, 0, ""}, MachineDeleting: {"machine-deleting", 12, 0, "Deleting"},
		MachineFailed: {"machine-failed", 12, 0, "Failed"}, Unseen: {"unseen", 6, 3, ""},
	},
	MemberLane: {
		MemberUnstarted: {"unstarted", 8, 5, ""}, MemberLearner: {"learner", 10, 4, "learner"}, MemberVoter: {"voter", 12, 3, "voter"}, MemberLeader: {"leader", 18, 0, "★ leader"},
		MemberUnhealthy: {"unhealthy", 18, 0, "✕ unhealthy"}, MemberLearnerNotThere: {"unhealthy", 10, 4, "✕ learner"}, Unseen: {"unseen", 6, 6, ""},
	},
	RevisionLane: {
		RevisionRuns: {"revision", 10, 0, ""}, RevisionInstalling: {"installing", 10, 0, ""}, Unseen: {"unseen", 5, 2, ""},
	},
	GuardLane: {
		GuardReady: {"guard-ready", 5, 2, ""}, GuardNotReady: {"guard-waits", 7, 1, ""}, GuardLeaving: {"guard-leaves", 9, 0, ""}, Unseen: {"unseen", 5, 2, ""},
	},
}

// laneHeights are those of the rows.
var laneHeights = map[string]px{HostLane: 13, MachineLane: 19, MemberLane: 20, GuardLane: 11, RevisionLane: 13}

func (s *strip) lane(h Host, kind string) {
	var all, hooks []bar
	for _, lane := range h.Lanes {
		if lane.Kind != kind {
			continue
		}
		for _, span := range lane.Spans {
			look := laneLooks[kind][span.State]
			text := look.text
			if kind == RevisionLane {
				text = span.Text
			}
			if kind == MachineLane && span.Text != "" {
				text = span.Text
				if span.State == MachineDeleting && span.Text != "Deleting" {
					text = "deleting (" + span.Text + ")"
				}
			}
			title := fmt.Sprintf("%s %s, %s to %s: %s", laneNames[kind], lane.Name, span.From, span.To, span.State)
			if span.Text != "" && span.Text != text {
				title += " (" + span.Text + ")"
			}
			if kind == MemberLane {
				title += "; member " + lane.ID
			}
			if kind == MachineLane {
				title = fmt.Sprintf("Machine %s, %s to %s: %s; hooks: %s", lane.Name, span.From, span.To, text, cmp.Or(strings.Join(span.Hooks, ", "), "none"))
			}
			top, height := look.top, look.h
			if s.overview {
				top, height = top*0.6, height*0.6
			}
			all = append(all, bar{from: span.From, to: span.To, class: look.class, y: s.y + top, h: height, text: text, title: title})
			if kind == MachineLane && span.State != Unseen {
				b := bar{from: span.From, to: span.To, class: "hook", y: s.y + 12, h: 4, title: title}
				if !span.Hooked {
					b.class, b.y, b.h = "no-hook", s.y+13.5, 1
				}
				hooks = append(hooks, b)
			}
		}
	}
	if kind == MachineLane {
		all = joined(all)
	}
	height := laneHeights[kind]
	name := laneNames[kind]
	if s.overview {
		height, name = height*0.6, h.Name
		s.label("what", name, name, s.y+9)
	} else {
		s.label("what", name, laneNames[kind]+" of "+h.Name, s.y+10)
	}
	s.bars(all)
	s.bars(joined(hooks))
	for _, restart := range s.report.Restarts {
		if kind == MemberLane && restart.Host == h.Name && s.within(restart.At) && !s.overview {
			x := s.x(restart.At)
			s.add(shape{Kind: "rect", Class: "restart", X: x - 6, Y: s.y + 3, W: 12, H: 12, Title: fmt.Sprintf("etcd was started again at %s", restart.At)},
				shape{Kind: "text", Class: "number restart", X: x, Y: s.y + 12.5, Text: "↻"})
		}
	}
	s.y += height
}

// joined puts spans together that look the same; hooks alone tell them apart.
func joined(all []bar) []bar {
	var kept []bar
	for _, b := range all {
		if n := len(kept) - 1; n >= 0 && kept[n].class == b.class && kept[n].text == b.text && kept[n].to >= b.from {
			kept[n].to = b.to
			continue
		}
		kept = append(kept, b)
	}
	return kept
}

// cluster draws the voters' number and the budget.
func (s *strip) cluster() {
	most := 3
	for _, v := range s.report.Voters {
		most = max(most, v.Voters)
	}
	unit := px(min(8, 32/float64(most)))
	base := s.y + unit*px(most) + 2
	s.label("name", "voters", "voters, the healthy ones filled; the dashed line is what quorum needs", s.y+10)
	s.label("what", "healthy, all", "the filled part is healthy; the dashed line is what quorum needs", s.y+22)
	s.votes(base, unit, most)
	s.y = base + 6
	if s.overview {
		return
	}
	s.label("what", "disruption budget", "minAvailable, and how many evictions it allows", s.y+11)
	var all []bar
	for _, b := range s.report.Budget {
		if !b.Exists {
			continue
		}
		class := "budget-closed"
		if b.DisruptionsAllowed > 0 {
			class = "budget-open"
		}
		text := fmt.Sprintf("min %d, %d may go", b.MinAvailable, b.DisruptionsAllowed)
		title := fmt.Sprintf("%s to %s: minAvailable %d, disruptionsAllowed %d", b.From, b.To, b.MinAvailable, b.DisruptionsAllowed)
		if !b.Current {
			title += " (status not yet computed from this spec)"
		}
		all = append(all, bar{from: b.From, to: b.To, class: class, y: s.y, h: 14, text: text, title: title})
	}
	s.bars(all)
	s.y += 16
	s.evictions()
	s.y += 2
	s.line("between", s.y-1)
	s.y += 3
}

// votes draws how many voters there were above base, each as high as unit, at
// most that many.
func (s *strip) votes(base, unit px, most int) {
	var all []bar
	var spans []VoterSpan
	for _, v := range s.report.Voters {
		if s.meets(v.From, v.To) {
			spans = append(spans, v)
			all = append(all, bar{from: v.From, to: v.To, y: base - unit*px(most), h: unit * px(most), title: v.String()})
		}
	}
	edge := px(-1)
	for i := 0; i < len(spans); i++ {
		if n := s.fast(all[i:]); n >= manyFast {
			s.flicker(all[i : i+n])
			i += n - 1
			continue
		}
		v := spans[i]
		x, end := s.x(v.From), s.x(v.To)
		if end-x < narrow {
			if x < edge {
				continue
			}
			end = min(x+narrow, plotWidth)
			x = end - narrow
			edge = end
		}
		class, word := "votes-good", ""
		switch {
		case v.Healthy < v.Quorum:
			class, word = "votes-lost", " no quorum"
		case v.Healthy == v.Quorum && v.Voters > 1:
			class, word = "votes-edge", " none to spare"
		}
		s.add(shape{Kind: "rect", Class: class, X: x, Y: base - unit*px(v.Healthy), W: end - x, H: unit * px(v.Healthy), Title: v.String()})
		if v.Healthy < v.Voters {
			s.add(shape{Kind: "rect", Class: "votes-all", X: x, Y: base - unit*px(v.Voters), W: end - x, H: unit * px(v.Voters)})
		}
		s.add(shape{Kind: "line", Class: "quorum", X: x, Y: base - unit*px(v.Quorum), X2: end, Y2: base - unit*px(v.Quorum)})
		for _, text := range []string{fmt.Sprintf("%d of %d%s", v.Healthy, v.Voters, word), fmt.Sprintf("%d of %d", v.Healthy, v.Voters), fmt.Sprintf("%d/%d", v.Healthy, v.Voters)} {
			if (end-x-6)/letter >= px(len([]rune(text))) {
				s.add(shape{Kind: "text", Class: "in " + class, X: x + 4, Y: base - 4, Text: text})
				break
			}
		}
	}
}

// String says how many there were.
func (v VoterSpan) String() string {
	return fmt.Sprintf("%s to %s: %d of %d voters healthy, quorum is %d, %s, desired %d", v.From, v.To, v.Healthy, v.Voters, v.Quorum, count(v.Learners, "learner", "s"), v.Desired)
}

// evictions marks what was evicted, or was not, below the budget.
func (s *strip) evictions() {
	var granted, refused []flag
	for _, e := range s.report.Evictions {
		f := flag{at: e.At, class: "evicted", mark: "▼", text: e.Pod + " evicted", title: fmt.Sprintf("%s: %s", e.At, e)}
		if !e.Granted {
			f.class, f.mark, f.text, f.until = "refused", "✕", e.Pod+" not evicted", e.Until
			refused = append(refused, f)
			continue
		}
		granted = append(granted, f)
	}
	shown := slices.ContainsFunc(append(granted, refused...), func(f flag) bool { return s.within(f.at) })
	if !shown {
		return
	}
	s.label("what", "evictions", "what was asked to be evicted", s.y+10)
	s.flags(append(granted, refused...), 2)
}

// operatorNames are what people call the operator's rows.
var operatorNames = map[string]string{"membership": "members", "hook": "hooks", "budget": "budget", "guard": "guards", "rollout": "revisions"}

// actWords say what an action does; %s is what it is about.
var actWords = map[string]string{
	"AddLearner": "add %s as learner", "PromoteLearner": "promote %s", "RemoveMember": "remove %s",
	"hook AddHook": "hook onto %s", "hook RepairHook": "repair hook of %s", "hook RemoveHook": "hook off %s",
	"budget Set": "set budget", "guard Create": "guard on %s", "guard Delete": "no guard on %s", "rollout Install": "install on %s",
}

func actText(d Decision) string {
	words := actWords[d.Action]
	if words == "" {
		words = actWords[d.Core+" "+d.Action]
	}
	switch {
	case words == "":
		return strings.TrimSpace(d.Action + " " + d.Object)
	case strings.Contains(words, "%s"):
		return fmt.Sprintf(words, d.Object)
	}
	return words
}

// kindClasses draw what the operator did, waits for, and leaves as it is.
var kindClasses = map[string]string{Act: "acts", Waits: "waits", Rest: "rests"}

func (s *strip) operator() {
	o := s.report.Operator
	if !o.Recorded && len(o.Processes) == 0 {
		if !s.overview {
			s.label("name", "operator", "", s.y+11)
			s.add(shape{Kind: "text", Class: "beside", X: 4, Y: s.y + 11, Text: "none was run, or it kept no record"})
			s.y += 20
		}
		return
	}
	s.label("name", "operator", "processes, each pass a tick", s.y+11)
	var all []bar
	for i, p := range o.Processes {
		all = append(all, bar{from: p.From, to: p.To, class: "process", y: s.y + 2, h: 10, title: fmt.Sprintf("process %d (%s), %s to %s", i+1, p.name(), p.From, p.To)})
	}
	s.bars(all)
	for _, f := range s.report.Faults {
		if f.What == history.OperatorDown && s.meets(f.From, f.To) {
			text := cmp.Or(s.stepText(f.Step), f.What)
			if f.Step > 0 {
				text = fmt.Sprintf("S%d %s", f.Step, text)
			}
			s.bars([]bar{{from: f.From, to: f.To, class: "operator-down", y: s.y + 1, h: 12, text: "✕ " + text, title: fmt.Sprintf("%s from %s to %s", text, f.From, f.To), link: stepLink(f.Step)}})
		}
	}
	edge := px(-narrow)
	for _, p := range o.Passes {
		x := s.x(p.At)
		if s.overview || !s.within(p.At) || p.At < 0 || x < edge+narrow {
			continue
		}
		edge = x
		s.add(shape{Kind: "line", Class: "pass", X: x, Y: s.y + 2, X2: x, Y2: s.y + 12, Title: "pass at " + p.At.String()})
	}
	s.y += 16
	s.acts(o)
	for _, lane := range o.Cores {
		if s.overview && lane.Core != "membership" {
			continue
		}
		s.label("what", operatorNames[lane.Core], "what the operator says about "+lane.Core, s.y+10)
		var all []bar
		for _, span := range lane.Spans {
			d := o.Decisions[span.Decision-1]
			text := d.Reason
			if d.Object != "" {
				text += " " + d.Object
			} else if d.Subject != "" {
				text += " " + d.Subject
			}
			b := bar{from: span.From, to: span.To, class: kindClasses[d.Kind], y: s.y, h: 13, text: text, link: decisionLink(d.Number),
				title: fmt.Sprintf("D%d, %s to %s: %s (%s %s)", d.Number, span.From, span.To, d.Sentence, d.Reason, d.Rule)}
			if d.Kind == Rest {
				b.y, b.h = b.y+2, 10
			}
			all = append(all, b)
		}
		s.bars(all)
		s.y += 15
	}
	s.y += 3
	s.line("between", s.y-1)
	s.y += 3
}

func (p Process) name() string {
	if p.Operator != "" {
		return "operator " + p.Operator
	}
	return fmt.Sprintf("pid %d", p.PID)
}

// acts marks what the operator changed.
func (s *strip) acts(o Operator) {
	var all []flag
	for _, d := range o.Decisions {
		if d.Kind != Act || s.overview && d.Core != "membership" {
			continue
		}
		all = append(all, flag{at: d.From, class: "act", mark: "D" + strconv.Itoa(d.Number), text: actText(d), link: decisionLink(d.Number),
			title: fmt.Sprintf("D%d at %s: %s (%s %s)", d.Number, d.From, d.Sentence, d.Reason, d.Rule)})
	}
	s.label("what", "does", "what the operator changes", s.y+10)
	rows := mostRows
	if s.overview {
		rows = 2
	}
	s.flags(all, rows)
	s.y += 3
}

// writes draws latencies from a millisecond to ten seconds, by powers of ten.
func (s *strip) writes() {
	w := s.report.Writes
	if len(w.Latencies) == 0 {
		return
	}
	height := px(48)
	if s.overview {
		height = 30
	}
	top, base := s.y+2, s.y+2+height
	s.label("name", "writes", "latency of acknowledged writes, and times without one", top+9)
	if !s.overview {
		s.Labels[len(s.Labels)-1].X -= 36
		for i, text := range []string{"median,", "slowest,", "gaps"} {
			s.Labels = append(s.Labels, shape{Kind: "text", Class: "what", X: labelWidth - 42, Y: top + 20 + px(i)*11, Text: text})
		}
	}
	level := func(latency Seconds) px {
		decades := math.Log10(max(float64(latency), 0.001) / 0.001)
		return base - px(min(decades, 4)/4)*height
	}
	for _, line := range []Seconds{0.01, 0.1, 1} {
		y := level(line)
		s.add(shape{Kind: "line", Class: "level", X: 0, Y: y, X2: plotWidth, Y2: y})
		if !s.overview {
			s.Labels = append(s.Labels, shape{Kind: "text", Class: "level-text", X: labelWidth - 3, Y: y + 3, Text: line.milliseconds()})
		}
	}
	s.area(level, base)
	for _, l := range w.Latencies {
		if l.Unknown > 0 && s.meets(l.From, l.From+w.Bucket) {
			x := s.x(l.From)
			s.add(shape{Kind: "rect", Class: "unanswered", X: x, Y: base - 3, W: max(s.x(l.From+w.Bucket)-x, 2), H: 5, Title: fmt.Sprintf("%s: %d writes not answered", l.From, l.Unknown)})
		}
	}
	gaps := w.Gaps
	if !slices.Contains(gaps, w.Longest) && w.Longest.Length() > 0 {
		gaps = append(slices.Clone(gaps), w.Longest)
	}
	taken := px(-1)
	for _, g := range gaps {
		if !s.meets(g.From, g.To) {
			continue
		}
		x, wide := s.x(g.From), max(s.x(g.To)-s.x(g.From), narrow)
		class, words := "gap", g.Length().milliseconds()
		if g == w.Longest {
			words = "longest gap " + words
		}
		if limit := s.report.Setting.MaxWriteGap; limit > 0 && g.Length() > limit {
			class, words = "gap gap-long", words+", too long"
		}
		s.add(shape{Kind: "rect", Class: class, X: x, Y: top, W: wide, H: height, Title: fmt.Sprintf("no write was acknowledged for %s from %s on", g.Length().milliseconds(), g.From)})
		if need := px(len([]rune(words)))*letter + 6; x >= taken && !s.overview {
			at := min(x+wide+3, plotWidth-need)
			s.add(shape{Kind: "text", Class: "gap-text", X: at, Y: top + 9, Text: words})
			taken = at + need
		}
	}
	s.add(shape{Kind: "line", Class: "between", X: 0, Y: base, X2: plotWidth, Y2: base})
	s.y = base + 2
}

// area draws the band between the median and the slowest, and both its edges;
// several buckets that fall into one pixel are one.
func (s *strip) area(level func(Seconds) px, base px) {
	w := s.report.Writes
	type column struct {
		x, low, high px
		some         bool
	}
	var columns []column
	for _, l := range w.Latencies {
		at := l.From + w.Bucket/2
		if at < s.From || at > s.To {
			continue
		}
		c := column{x: s.x(at), some: l.Writes > 0}
		if c.some {
			c.low, c.high = level(l.Median), level(l.Slowest)
		}
		if n := len(columns) - 1; n >= 0 && c.x-columns[n].x < narrow && columns[n].some && c.some {
			columns[n].low, columns[n].high = max(columns[n].low, c.low), min(columns[n].high, c.high)
			continue
		}
		columns = append(columns, c)
	}
	for len(columns) > 0 {
		n := slices.IndexFunc(columns, func(c column) bool { return !c.some })
		if n < 0 {
			n = len(columns)
		}
		if run := columns[:n]; len(run) > 0 {
			var high, low strings.Builder
			for i, c := range run {
				command := "L"
				if i == 0 {
					command = "M"
				}
				fmt.Fprintf(&high, "%s%s %s", command, c.x, c.high)
				fmt.Fprintf(&low, "%s%s %s", command, c.x, c.low)
			}
			var back strings.Builder
			for _, c := range slices.Backward(run) {
				fmt.Fprintf(&back, "L%s %s", c.x, c.low)
			}
			s.add(shape{Kind: "path", Class: "band", D: high.String() + back.String() + "z"},
				shape{Kind: "path", Class: "slowest", D: high.String()}, shape{Kind: "path", Class: "median", D: low.String()})
		}
		columns = columns[min(n+1, len(columns)):]
	}
}

// grid draws the axis at the top and the bottom, and its lines.
func (s *strip) grid(bottom px) []shape {
	steps := []Seconds{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200}
	step := steps[len(steps)-1]
	for _, candidate := range steps {
		if float64(candidate)/float64(s.To-s.From)*plotWidth >= 58 {
			step = candidate
			break
		}
	}
	minutes := s.report.Length > longestStrip
	var shapes []shape
	for at := Seconds(math.Ceil(float64(s.From/step))) * step; at <= s.To; at += step {
		x := s.x(at)
		shapes = append(shapes, shape{Kind: "line", Class: "grid", X: x, Y: 15, X2: x, Y2: bottom})
		class, at := "time", at.clock(minutes)
		switch {
		case x < 14:
			class = "time begin"
		case x > plotWidth-16:
			class = "time end"
		}
		shapes = append(shapes, shape{Kind: "text", Class: class, X: x, Y: 11, Text: at}, shape{Kind: "text", Class: class, X: x, Y: bottom + 12, Text: at})
	}
	s.Labels = append(s.Labels, shape{Kind: "text", Class: "what", X: labelWidth - 6, Y: 11, Text: "time"})
	return shapes
}

// guides are lines from top to bottom: where harm was done, and where something
// does not hold.
func (s *strip) guides(bottom px) []shape {
	var shapes []shape
	edge := px(-1)
	for _, step := range s.report.Steps {
		if x := s.x(step.From); step.Kind == StepFault && s.within(step.From) && x > edge {
			edge = x + 8
			shapes = append(shapes, shape{Kind: "line", Class: "guide", X: s.x(step.From), Y: 15, X2: s.x(step.From), Y2: bottom})
		}
	}
	for _, c := range s.report.Verdict.Claims {
		for _, at := range c.At {
			if s.within(at) {
				shapes = append(shapes, shape{Kind: "line", Class: "guide-broken", X: s.x(at), Y: 15, X2: s.x(at), Y2: bottom, Title: fmt.Sprintf("%s %s: %s", at, c.Result, c.Text)})
			}
		}
	}
	return shapes
}

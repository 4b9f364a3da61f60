package report

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/oracle"
)

// element is one of a page, in the order of their beginnings.
type element struct {
	name       string
	attributes map[string]string
	// text is all that is in it, also in other elements.
	text string
}

// elements reads a page as strictly as XML is read: everything that begins ends, in
// the right order, and every attribute is quoted.
func elements(t *testing.T, page string) []element {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(page))
	var all []element
	var open []int
	var texts []*strings.Builder
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("it is not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				if _, twice := e.attributes[a.Name.Local]; twice {
					t.Fatalf("<%s> has two attributes %s", e.name, a.Name.Local)
				}
				e.attributes[a.Name.Local] = a.Value
			}
			open = append(open, len(all))
			all, texts = append(all, e), append(texts, &strings.Builder{})
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, n := range open {
				texts[n].Write(token)
			}
		}
	}
	for i := range all {
		all[i].text = texts[i].String()
	}
	return all
}

// knownElements are those of a page: none that brings in or runs anything.
var knownElements = []string{
	"html", "head", "meta", "title", "style", "body", "svg", "defs", "pattern", "rect", "line", "path", "circle", "text", "a", "header", "div", "span", "h1", "h2", "h3", "p", "b", "br", "ul", "li",
	"dl", "dt", "dd", "code", "pre", "table", "thead", "tbody", "tr", "th", "td",
}

var reference = regexp.MustCompile(`url\(\s*["']?([^"')]*)`)

// checkPage checks what is so of every page: it is whole, all its links lead
// somewhere in it, and it needs nothing from elsewhere.
func checkPage(t *testing.T, page string) []element {
	t.Helper()
	all := elements(t, page)
	ids := map[string]bool{}
	for _, e := range all {
		if id := e.attributes["id"]; id != "" {
			if ids[id] {
				t.Errorf("two elements have the id %s", id)
			}
			ids[id] = true
		}
	}
	for _, e := range all {
		if !slices.Contains(knownElements, e.name) {
			t.Errorf("there is an element <%s>", e.name)
		}
		for name, value := range e.attributes {
			if strings.HasPrefix(name, "on") || slices.Contains([]string{"src", "srcset", "data", "action", "style", "xlink:href", "background", "poster"}, name) {
				t.Errorf("<%s> has an attribute %s", e.name, name)
			}
			if name == "href" && (!strings.HasPrefix(value, "#") || !ids[value[1:]]) {
				t.Errorf("<%s> leads to %q, which is nowhere in the page", e.name, value)
			}
		}
		if e.name == "style" {
			if strings.Contains(e.text, "@import") || strings.Contains(e.text, "@font-face") || strings.Contains(e.text, "//") {
				t.Error("the style sheet brings in another one")
			}
			for _, found := range reference.FindAllStringSubmatch(e.text, -1) {
				if !strings.HasPrefix(found[1], "#") || !ids[found[1][1:]] {
					t.Errorf("the style sheet refers to %s", found[1])
				}
			}
		}
	}
	return all
}

// odd are names that no page may take for anything but text.
const odd = `<script>alert("1")</script>'&amp;"--><b onload=x>`

// hostile is a recording in which everything is called like that.
func hostile() (history.Recording, oracle.Verdict) {
	r := replacement()
	r.Start.Scenario, r.Start.Source, r.Start.EtcdVersion = odd, "about: |\n  "+odd, odd
	r.Start.Victims = map[string]string{odd: odd}
	r.Start.Gone, r.End.Stopped, r.Complete, r.Defect = []string{odd}, odd, false, odd
	for i := range r.Facts {
		f := &r.Facts[i]
		for n := range f.Members {
			f.Members[n].Name, f.Members[n].ID, f.Members[n].Problem = odd, odd, odd
		}
		for n := range f.Machines {
			f.Machines[n].Phase, f.Machines[n].Name, f.Machines[n].Node, f.Machines[n].UID, f.Machines[n].Hooks = odd, odd, odd, odd, []string{odd}
		}
		for n := range f.Nodes {
			f.Nodes[n].Name = odd
		}
		for n := range f.Guards {
			f.Guards[n].Name, f.Guards[n].Node = odd, odd
		}
		f.Revisions = []facts.Revision{{Node: odd, Current: int(f.At / second)}}
		f.Processes = []facts.Process{{Member: odd, PID: int(f.At / second)}}
	}
	for i := range r.Steps {
		r.Steps[i].Name += odd
		r.Steps[i].Failed = odd
	}
	for i := range r.Intervals {
		r.Intervals[i].What, r.Intervals[i].Subject = r.Intervals[i].What+odd, odd
	}
	r.Intervals = append(r.Intervals, history.Interval{From: second, To: 2 * second, What: history.HostDown, Subject: odd})
	for i := range r.Passes {
		p := &r.Passes[i]
		p.Membership.Name, p.Membership.Finding = odd, history.Finding{Rule: odd, Reason: odd, Subject: odd, Other: odd}
		p.Guard.Holds = []history.Finding{{Rule: odd, Reason: "DrainsWaitForMachine", Subject: odd, Other: odd}}
	}
	r.Requests = []history.Request{{At: second, User: odd, Resource: "pods/eviction", Name: odd, Namespace: odd, Code: 201}, {At: 3 * second, User: odd, Resource: "pods/eviction", Name: odd, Namespace: odd, Code: 429}}
	return r, oracle.Verdict{
		Scenario: odd, Notes: []string{odd}, Assumed: []string{odd},
		Claims: []oracle.Claim{{Text: odd, Rules: odd, Result: oracle.Broken, Evidence: odd, At: []time.Duration{3 * second}}, {Text: odd, Rules: odd, Result: oracle.NotProven, Evidence: odd}, {Text: odd, Result: oracle.Holds, Evidence: odd}},
	}
}

func TestEverythingFromARecordingIsEscaped(t *testing.T) {
	page := page1(t, Build(hostile()))
	all := checkPage(t, page)
	if n := strings.Count(page, "<script") + strings.Count(page, "<b onload"); n > 0 {
		t.Errorf("%d elements of the recording have become elements of the page", n)
	}
	// Each of these shows the name as it is.
	for _, where := range []string{"title", "h1", "p", "code", "pre", "td", "li", "dd", "text"} {
		if !slices.ContainsFunc(all, func(e element) bool {
			return e.name == where && strings.Contains(e.text, `<script>alert("1")</script>`)
		}) {
			if where == "text" {
				// The picture shortens names.
				continue
			}
			t.Errorf("no <%s> tells the name", where)
		}
	}
	if !slices.ContainsFunc(all, func(e element) bool { return e.name == "title" && strings.Contains(e.text, "member "+odd+", ") }) {
		t.Error("no tooltip tells the name of a member")
	}
	data, err := json.Marshal(Build(hostile()))
	if err != nil || strings.Contains(string(data), "<script") {
		t.Errorf("the JSON file is no better: %v", err)
	}
}

func TestEveryPageIsWholeAndNeedsNothingFromElsewhere(t *testing.T) {
	byHand := recorded(replaced)
	byHand.HasPasses, byHand.EvictionsWritten, byHand.Start.LoadClients, byHand.Operations = false, false, 0, nil
	for name, r := range map[string]history.Recording{"a replacement": replacement(), "by hand and without load": byHand, "nothing at all": {}, "long": long(5*time.Minute, false), "flapping": long(5*time.Minute, true)} {
		t.Run(name, func(t *testing.T) {
			checkPage(t, page1(t, Build(r, verdictOf(oracle.Claim{Text: "it is well", Rules: "I1", Result: oracle.Broken, Evidence: "not at 11.0 s", At: []time.Duration{11 * second}}))))
		})
	}
	if text := page1(t, Build(byHand, verdictOf())); !strings.Contains(text, "none was run, or it kept no record") {
		t.Error("it does not say that no operator was run")
	}
}

func TestWhatDoesNotHoldIsAtTheTopAndMarkedInThePicture(t *testing.T) {
	verdict := verdictOf(
		oracle.Claim{Text: "the first is fine", Result: oracle.Holds, Evidence: "evidence of the fine"},
		oracle.Claim{Text: "the second was not seen", Rules: "I4", Result: oracle.NotProven, Evidence: "nobody looked from 3.0 s on", At: []time.Duration{3 * second}},
		oracle.Claim{Text: "the third is broken", Rules: "I8 R4.4", Result: oracle.Broken, Evidence: "m-1 at 11.0 s", At: []time.Duration{11 * second}},
	)
	r := Build(replacement(), verdict)
	page := page1(t, r)
	var order []int
	for _, part := range []string{`class="verdict broken"`, "the third is broken", "I8", "R4.4", "m-1 at 11.0 s", "the second was not seen", `id="picture"`, `id="course"`, `id="decisions"`, `id="verdict"`, "the first is fine", "evidence of the fine"} {
		body := strings.Index(page, "<body")
		order = append(order, strings.Index(page[body:], part))
	}
	if !slices.IsSorted(order) || order[0] < 0 {
		t.Errorf("the parts are in another order: %v", order)
	}
	s := strips(&r)[0]
	want := px(11.0 / 16 * plotWidth)
	if !slices.ContainsFunc(s.Shapes, func(s shape) bool {
		return s.Class == "guide-broken" && math.Abs(float64(s.X-want)) < 1 && strings.Contains(s.Title, "the third is broken")
	}) {
		t.Error("no line in the picture is where it was broken")
	}
	if !slices.ContainsFunc(s.Shapes, func(s shape) bool {
		return s.Class == "broken pill" && s.Link == "c4" && math.Abs(float64(s.X-want)) < 1
	}) {
		t.Error("no number in the picture is where it was broken")
	}
	for _, e := range elements(t, page) {
		if e.name == "tr" && e.attributes["id"] == "c4" && !strings.Contains(e.text, "BROKEN") {
			t.Errorf("the row of the claim says %q", e.text)
		}
	}
	if page := page1(t, Build(replacement(), verdictOf())); strings.Contains(page, "What does not hold") || !strings.Contains(page, `class="verdict holds"`) {
		t.Error("a run without a fault is said to have one")
	}
}

// rows are the rectangles of a class, with the times that they tell.
func drawnAt(s strip, class string) [][2]Seconds {
	at := func(x px) Seconds {
		return rounded(math.Round((float64(s.From)+float64(x)/plotWidth*float64(s.To-s.From))*10) / 10)
	}
	var found [][2]Seconds
	for _, shape := range s.Shapes {
		if shape.Kind == "rect" && shape.Class == class {
			found = append(found, [2]Seconds{at(shape.X), at(shape.X + shape.W)})
		}
	}
	return found
}

func TestThePictureShowsEachStateAtItsTime(t *testing.T) {
	r := Build(replacement(), verdictOf())
	s := strips(&r)[0]
	for class, want := range map[string][][2]Seconds{
		"leader": {{0, 10}, {10, 16}}, "voter": {{10, 12}, {0, 10}, {0, 10}, {12, 16}, {8, 16}}, "learner": {{6, 8}}, "unstarted": {{5, 6}}, "unhealthy": {{10, 12}},
		"machine-deleting": {{2, 14}}, "machine-coming": {{4, 5}}, "hook": {{0, 12}, {0, 16}, {0, 16}, {5, 16}}, "no-hook": {{12, 14}, {4, 5}}, "guard-waits": {{10, 12}}, "down": {{10, 12}},
		"budget-open": {{0, 4}, {12, 16}}, "budget-closed": {{4, 8}, {8, 12}}, "operator-down": {{9, 10}}, "process": {{0, 9}, {10, 16}},
		"acts": {{7.5, 9}, {11.5, 14}}, "votes-edge": {{10, 12}}, "votes-lost": nil, "unseen": nil,
	} {
		got := drawnAt(s, class)
		if !slices.Equal(got, want) {
			t.Errorf("%s is drawn at %v, want %v", class, got, want)
		}
	}
	var labels []string
	for _, l := range s.Labels {
		labels = append(labels, l.Text)
	}
	for _, want := range []string{"m-1", "m-2", "m-3", "m-4", "node", "machine", "member", "guard", "voters", "disruption budget", "operator", "members", "writes", "scenario"} {
		if !slices.Contains(labels, want) {
			t.Errorf("no row is called %q", want)
		}
	}
	if n := strings.Count(strings.Join(labels, " "), "member "); n < 4 {
		t.Errorf("%d rows are called member", n)
	}
}

// checkLayout checks that nothing covers what is beside it, or sticks out.
func checkLayout(t *testing.T, all []strip) {
	t.Helper()
	for i, s := range all {
		var pills, words []shape
		for _, shape := range s.Shapes {
			end := shape.X + shape.W
			if shape.Kind == "text" && !strings.HasPrefix(shape.Class, "time") && !strings.HasSuffix(shape.Class, "number") && !strings.HasSuffix(shape.Class, "restart") {
				end = shape.X + px(len([]rune(shape.Text)))*letter
				words = append(words, shape)
			}
			if shape.X < -8 || end > plotWidth+8 || shape.Y < 0 || shape.Y+shape.H > s.Height+0.1 {
				t.Errorf("strip %d: %s %q sticks out: %v to %v, %v", i, shape.Class, shape.Text, shape.X, end, shape.Y)
			}
			if shape.Kind == "rect" && strings.HasSuffix(shape.Class, " pill") && shape.W > 2 {
				pills = append(pills, shape)
			}
		}
		for n, a := range words {
			for _, b := range words[:n] {
				if a.Y == b.Y && a.X < b.X+px(len([]rune(b.Text)))*letter && b.X < a.X+px(len([]rune(a.Text)))*letter {
					t.Errorf("strip %d: %q covers %q", i, a.Text, b.Text)
				}
			}
		}
		for n, a := range pills {
			for _, b := range pills[:n] {
				if a.Y == b.Y && a.X < b.X+b.W-0.1 && b.X < a.X+a.W-0.1 {
					t.Errorf("strip %d: numbers cover each other at %v and %v", i, a.X, b.X)
				}
			}
			for _, w := range words {
				if w.Class == "beside" && w.Y > a.Y && w.Y < a.Y+a.H && w.X < a.X && w.X+px(len([]rune(w.Text)))*letter > a.X+1 {
					t.Errorf("strip %d: %q runs into a number", i, w.Text)
				}
			}
		}
	}
}

func TestNothingCoversWhatIsBesideIt(t *testing.T) {
	stripped := replacement()
	for at := time.Duration(0); at < 16*second; at += 3 * second {
		stripped.Intervals = append(stripped.Intervals, history.Interval{From: at, What: history.HookStripped, Subject: "m-1"}, history.Interval{From: at, To: at + second, What: history.HostDown, Subject: "m-1"})
	}
	for name, r := range map[string]history.Recording{"a replacement": replacement(), "a fight": stripped, "long": fortyMinutes(), "flapping": long(5*time.Minute, true)} {
		t.Run(name, func(t *testing.T) {
			report := Build(r, verdictOf(oracle.Claim{Text: "it is well", Result: oracle.Broken, Evidence: "not at 11.0 s", At: []time.Duration{11 * second}}, oracle.Claim{Text: "nor is this, which has a long name that needs room", Result: oracle.Broken, Evidence: "not at 11.1 s", At: []time.Duration{11100 * time.Millisecond}}))
			checkLayout(t, strips(&report))
		})
	}
}

// megabyte is 10^6 bytes.
const megabyte = 1_000_000

func TestFortyMinutesFitIntoAFewMegabytesAndIntoStrips(t *testing.T) {
	for name, tc := range map[string]struct {
		recording  func() history.Recording
		flapping   bool
		html, json int
	}{
		"150 hosts are replaced":            {fortyMinutes, false, 7 * megabyte / 2, 2 * megabyte},
		"everything changes with each look": {flapping, true, 5 * megabyte, 16 * megabyte},
	} {
		t.Run(name, func(t *testing.T) {
			r := Build(tc.recording(), verdictOf())
			page := page1(t, r)
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) > tc.html || len(data) > tc.json {
				t.Errorf("the page has %d bytes, the data have %d", len(page), len(data))
			}
			all := strips(&r)
			if len(all) != 9 || all[0].From != 0 || all[0].To != r.Length {
				t.Fatalf("there are %d strips, the first of which is from %s to %s", len(all), all[0].From, all[0].To)
			}
			for i, s := range all[1:] {
				if s.From != Seconds(i*300) || s.To != min(Seconds((i+1)*300), r.Length) {
					t.Errorf("strip %d is from %s to %s", i+1, s.From, s.To)
				}
			}
			rows := strings.Count(page, "<tr ")
			if rows > 2*mostRowsOfTable+len(r.Steps)+len(r.Verdict.Claims) {
				t.Errorf("the tables have %d rows", rows)
			}
			if tc.flapping && !strings.Contains(page, "more are in report.json") {
				t.Error("it does not say what it leaves out")
			}
		})
	}
}

func TestAStripShowsOnlyWhoIsThereAndAllThatHappensInIt(t *testing.T) {
	r := Build(fortyMinutes(), verdictOf())
	all := strips(&r)
	names := func(s strip) []string {
		var found []string
		for _, l := range s.Labels {
			if l.Class == "name" && strings.HasPrefix(l.Text, "m-") {
				found = append(found, l.Text)
			}
		}
		return found
	}
	// 300 s are 18.75 rounds; in each a host goes and one comes.
	second := names(all[2])
	if slices.Contains(second, "m-1") || !slices.Contains(second, "m-2") || !slices.Contains(second, "m-30") || slices.Contains(second, "m-80") {
		t.Errorf("from 5:00 to 10:00 there are %v", second)
	}
	for _, s := range all {
		for _, shape := range s.Shapes {
			if shape.Kind == "rect" && strings.HasSuffix(shape.Class, " pill") && strings.HasPrefix(shape.Link, "s") {
				number, err := strconv.Atoi(shape.Link[1:])
				if at := s.x(r.Steps[number-1].From); err != nil || math.Abs(float64(shape.X-at)) > 10.1 && shape.X+shape.W < plotWidth-1 {
					t.Errorf("step %d is drawn at %v, and happens at %v", number, shape.X, at)
				}
			}
		}
	}
	// Every step is drawn once, as a number or as a tick, in the strip of its time.
	steps := 0
	for _, s := range all[1:] {
		for _, shape := range s.Shapes {
			if shape.Kind == "rect" && strings.HasSuffix(shape.Class, " pill") && strings.HasPrefix(shape.Link, "s") {
				number, err := strconv.Atoi(shape.Link[1:])
				if at := r.Steps[number-1].From; err != nil || at < s.From || at >= s.To {
					t.Errorf("step %d at %s is in the strip from %s", number, at, s.From)
				}
				steps++
			}
		}
	}
	if steps != len(r.Steps) {
		t.Errorf("%d of %d steps are drawn", steps, len(r.Steps))
	}
}

func TestRefusalsInTheWordsOfTheWaitAreNotRepeated(t *testing.T) {
	r := recorded(replaced)
	p := passed(second, 1, history.Wait, "", waiting)
	p.Membership.Refused = []history.MembershipRefusal{
		{Action: history.RemoveMember, Target: history.Target{Name: "m-1"}, Finding: waiting},
		{Action: history.PromoteLearner, Target: history.Target{Name: "m-4"}, Finding: history.Finding{Rule: "R5.2", Reason: "LearnerNotHealthy", Subject: "m-4"}},
	}
	r.Passes = []history.Pass{p}
	shown := newPage(Build(r, verdictOf()))
	var got []string
	for _, d := range shown.Decisions {
		got = append(got, d.Does+" "+d.Reason)
	}
	want := []string{"waits WaitingForReplacementVoter", "not: promote m-4 LearnerNotHealthy", "as it should be OneDrainMayPass"}
	if !slices.Equal(got, want) || shown.RepeatedLeftOut != 1 || shown.RestLeftOut != 1 {
		t.Errorf("rows %q, %d repeated, %d at rest", got, shown.RepeatedLeftOut, shown.RestLeftOut)
	}
}

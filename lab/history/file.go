package history

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

// flushInterval bounds what is lost when the writer is killed.
const flushInterval = time.Second

// maxLine bounds a line in bytes.
const maxLine = 4 << 20

// Writer writes a recording. Its methods may be called from several goroutines.
type Writer struct {
	began time.Time

	mu      sync.Mutex
	file    io.WriteCloser
	buffer  *bufio.Writer
	flushed time.Time
	number  uint64
	failure error
}

// Create begins a recording in folder, which exists.
func Create(folder string, start Start) (*Writer, error) {
	file, err := os.OpenFile(filepath.Join(folder, File), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("begin the recording: %w", err)
	}
	return newWriter(file, start), nil
}

func newWriter(file io.WriteCloser, start Start) *Writer {
	w := &Writer{began: time.Now(), file: file, buffer: bufio.NewWriterSize(file, 1<<16), flushed: time.Now()}
	start.Began = w.began.UTC()
	w.put(line{Start: &start})
	return w
}

// Now is the time since the recording began, on a clock that only goes forward.
func (w *Writer) Now() time.Duration { return time.Since(w.began) }

func (w *Writer) put(l line) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failure != nil || w.file == nil {
		return
	}
	w.write(l)
}

// write writes a line; the caller holds w.mu.
func (w *Writer) write(l line) {
	w.number++
	l.Number = w.number
	data, err := json.Marshal(l)
	if err == nil {
		_, err = w.buffer.Write(append(data, '\n'))
	}
	if err == nil && time.Since(w.flushed) > flushInterval {
		w.flushed = time.Now()
		err = w.buffer.Flush()
	}
	if err != nil {
		w.failure = fmt.Errorf("write the recording: %w", err)
	}
}

// Facts records a look.
func (w *Writer) Facts(f facts.Facts) { w.put(line{Facts: &f}) }

// Event records an event.
func (w *Writer) Event(e facts.Event) { w.put(line{Event: &e}) }

// Operation records a request of the load.
func (w *Writer) Operation(o Operation) { w.put(line{Operation: &o}) }

// Final records what a key holds in the end.
func (w *Writer) Final(f Final) { w.put(line{Final: &f}) }

// Hash records a member's digest.
func (w *Writer) Hash(h Hash) { w.put(line{Hash: &h}) }

// Step records a step.
func (w *Writer) Step(s Step) { w.put(line{Step: &s}) }

// Failure records a broken assertion.
func (w *Writer) Failure(f Failure) { w.put(line{Failure: &f}) }

// Interval records what the scenario does itself.
func (w *Writer) Interval(i Interval) { w.put(line{Interval: &i}) }

// Eviction records one that was granted.
func (w *Writer) Eviction(e Eviction) { w.put(line{Eviction: &e}) }

// Usage records what the operator has used.
func (w *Writer) Usage(u Usage) { w.put(line{Usage: &u}) }

// Load records when the load ran.
func (w *Writer) Load(span LoadSpan) { w.put(line{Load: &span}) }

// Close ends the recording; stopped is empty if the scenario was played to its
// end. It reports the first failure of all writing.
func (w *Writer) Close(stopped string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return w.failure
	}
	if w.failure == nil {
		w.write(line{End: &End{Lines: w.number, At: time.Since(w.began), Stopped: stopped}})
	}
	return w.release()
}

// Leave lets the recording break off, as that of a writer that is killed, with all
// that was written. It reports the first failure of all writing.
func (w *Writer) Leave() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return w.failure
	}
	return w.release()
}

// release writes what is buffered; the caller holds w.mu.
func (w *Writer) release() error {
	err := errors.Join(w.failure, w.buffer.Flush(), w.file.Close())
	w.file = nil
	return err
}

// Read reads the recording in folder, and what the operator and the API server
// wrote down there. What a writer that was killed left
// unfinished is no error: it is a defect of the recording.
func Read(folder string) (Recording, error) {
	file, err := os.Open(filepath.Join(folder, File))
	if err != nil {
		return Recording{}, fmt.Errorf("read the recording: %w", err)
	}
	defer file.Close()
	recording, err := Parse(file)
	if err != nil {
		return Recording{}, err
	}
	err = errors.Join(recording.readPasses(folder), recording.readRequests(folder))
	return recording, err
}

// Parse reads a recording. It fails only if there is no start to it.
func Parse(reader io.Reader) (Recording, error) {
	var r Recording
	lines := bufio.NewScanner(reader)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	number, ended := uint64(0), false
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			r.Defect = fmt.Sprintf("line %d cannot be read: %v", number+1, err)
			break
		}
		if ended {
			r.Defect = "lines follow the end"
			break
		}
		if l.Number != number+1 {
			r.Defect = fmt.Sprintf("line %d is followed by line %d", number, l.Number)
			break
		}
		number = l.Number
		if number == 1 && l.Start == nil {
			return Recording{}, errors.New("read the recording: it does not begin with its start")
		}
		r.take(l)
		if l.End != nil {
			ended = true
			if l.End.Lines != number-1 {
				r.Defect = fmt.Sprintf("%d lines were written, %d are there", l.End.Lines, number-1)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return Recording{}, fmt.Errorf("read the recording: %w", err)
	}
	if number == 0 {
		return Recording{}, errors.New("read the recording: it is empty")
	}
	if !ended && r.Defect == "" {
		r.Defect = "it was not closed: whatever wrote it was killed"
	}
	r.Complete = r.Defect == ""
	return r, nil
}

func (r *Recording) take(l line) {
	switch {
	case l.Start != nil:
		r.Start = *l.Start
	case l.Facts != nil:
		r.Facts = append(r.Facts, *l.Facts)
	case l.Event != nil:
		r.Events = append(r.Events, *l.Event)
	case l.Operation != nil:
		r.Operations = append(r.Operations, *l.Operation)
	case l.Final != nil:
		r.Finals = append(r.Finals, *l.Final)
	case l.Hash != nil:
		r.Hashes = append(r.Hashes, *l.Hash)
	case l.Step != nil:
		r.Steps = append(r.Steps, *l.Step)
	case l.Failure != nil:
		r.Failures = append(r.Failures, *l.Failure)
	case l.Interval != nil:
		r.interval(*l.Interval)
	case l.Eviction != nil:
		r.Evictions = append(r.Evictions, *l.Eviction)
	case l.Usage != nil:
		r.Usages = append(r.Usages, *l.Usage)
	case l.Load != nil:
		r.Load = *l.Load
	case l.End != nil:
		r.End = *l.End
	}
}

// interval notes that one begins, or that those of its kind end that began before.
func (r *Recording) interval(i Interval) {
	if i.To == 0 {
		r.Intervals = append(r.Intervals, i)
		return
	}
	for n := range slices.Backward(r.Intervals) {
		if open := &r.Intervals[n]; open.What == i.What && open.Subject == i.Subject && open.To == 0 && open.From <= i.To {
			open.To = i.To
		}
	}
}

// Gap is a time in which nothing was seen.
type Gap struct {
	From, To time.Duration
	// Of is what was not seen: "members" or "objects".
	Of string
}

// Length is how long it lasted.
func (g Gap) Length() time.Duration { return g.To - g.From }

// Gaps returns the times between from and to, longer than longest, in which
// nobody saw the members, or the objects.
func (r Recording) Gaps(from, to, longest time.Duration) []Gap {
	var members, objects []time.Duration
	for _, f := range r.Facts {
		if f.MembersProblem == "" {
			members = append(members, f.MembersAt)
		}
		if f.ObjectsProblem == "" {
			objects = append(objects, f.ObjectsAt)
		}
	}
	return append(gaps(members, from, to, longest, "members"), gaps(objects, from, to, longest, "objects")...)
}

func gaps(seen []time.Duration, from, to, longest time.Duration, of string) []Gap {
	var found []Gap
	last := from
	for _, at := range append(seen, to) {
		if at <= last || at > to {
			continue
		}
		if at-last > longest {
			found = append(found, Gap{From: last, To: at, Of: of})
		}
		last = at
	}
	return found
}

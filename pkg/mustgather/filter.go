package mustgather

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// keep is a tree of mapping keys that are kept of an object. An empty subtree keeps all below a key. Trees end above
// sequences.
type keep map[string]keep

// maxItemBytes bounds the kept text of one object: a Kubernetes object is at most 1.5 MiB, its YAML somewhat more.
const maxItemBytes = 8 << 20

var (
	errTruncated = errors.New("it ends in the middle")
	errTooLarge  = fmt.Errorf("an object of more than %d MiB", maxItemBytes>>20)
	errItems     = errors.New("its items are neither a list in block style nor empty")
)

// noItems are the ways to write behind the key items that there are none.
var noItems = []string{"[]", "null", "~"}

// item is one object of a file, cut down to what a tree keeps.
type item struct {
	// name is metadata.name as written in the text.
	name string
	text []byte
}

// filterYAML reads block-style YAML as the API server's clients write it: one object, several documents, or a list whose
// objects stand below the key items. It calls visit for each object, and isList with the kind of a list. list tells
// whether there was a list.
//
// It works by indentation alone: what a dropped key holds is indented deeper than the key, or is a sequence that starts in
// the key's own column. It parses no values; the YAML parser sees what is kept.
func filterYAML(r io.Reader, tree keep, isList func(kind string) error, visit func(item) error) (list bool, err error) {
	f := &yamlFilter{tree: tree, isList: isList, visit: visit}
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			return f.list, f.close(len(line) == 0)
		}
		if err != nil {
			return f.list, err
		}
		if err := f.line(bytes.TrimRight(line, "\r\n")); err != nil {
			return f.list, err
		}
	}
}

// readLine returns a line with its end. With io.EOF it returns what follows the last end of line.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	long := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = r.ReadSlice('\n')
		if len(long)+len(line) > maxItemBytes {
			return nil, errTooLarge
		}
		long = append(long, line...)
	}
	return long, err
}

type yamlFilter struct {
	tree   keep
	isList func(kind string) error
	visit  func(item) error

	// list tells whether any document was a list; inList, sawKind and inItems speak of the present document.
	list, inList, sawKind, inItems bool
	// kind is that of the present document.
	kind string
	// itemColumn is where the dashes of the list stand; -1 until the first is seen.
	itemColumn int
	object     objectFilter
	open       bool
}

func (f *yamlFilter) line(line []byte) error {
	column := indentation(line)
	if column == len(line) {
		f.object.blank()
		return nil
	}
	if column == 0 && (bytes.HasPrefix(line, []byte("--- ")) || bytes.Equal(line, []byte("---"))) {
		return f.endDocument()
	}
	if f.inItems {
		switch {
		case line[column] == '-' && (f.itemColumn < 0 || column == f.itemColumn):
			f.itemColumn = column
			if err := f.flush(); err != nil {
				return err
			}
			f.start(-1)
			column++
			column += indentation(line[column:])
			if column == len(line) {
				return nil
			}
			return f.object.line(line[column:], column)
		case column > f.itemColumn && f.itemColumn >= 0:
			return f.object.line(line[column:], column)
		default:
			f.inItems = false
			if err := f.flush(); err != nil {
				return err
			}
		}
	}
	if column == 0 {
		key, rest := splitKey(line)
		switch {
		case key == "items" && (len(rest) == 0 || rest[0] == '#'):
			// What came before is the list's own kind, not an object.
			f.list, f.inList, f.inItems, f.itemColumn, f.open = true, true, true, -1, false
			return nil
		case key == "items":
			if text, _, _ := bytes.Cut(rest, []byte(" #")); !slices.Contains(noItems, string(bytes.TrimSpace(text))) {
				return errItems
			}
			f.list, f.inList, f.open = true, true, false
			return nil
		case key == "kind":
			f.sawKind, f.kind = true, strings.Trim(string(rest), `"'`)
		}
	}
	if f.inList {
		return nil
	}
	if !f.open {
		f.start(0)
	}
	return f.object.line(line[column:], column)
}

func (f *yamlFilter) start(shift int) {
	f.object = objectFilter{text: f.object.text[:0], shift: shift}
	f.object.levels = append(f.object.levelBuffer[:0], level{column: -1, tree: f.tree})
	f.open = true
}

func (f *yamlFilter) flush() error {
	if !f.open {
		return nil
	}
	f.open = false
	return f.visit(item{name: f.object.name, text: f.object.text})
}

// endDocument ends a document. A list writes its kind behind its items, so without one the end is missing.
func (f *yamlFilter) endDocument() error {
	if f.inList && !f.sawKind {
		return errTruncated
	}
	if err := f.flush(); err != nil {
		return err
	}
	var err error
	if f.inList {
		err = f.isList(f.kind)
	}
	f.inList, f.inItems, f.sawKind, f.kind = false, false, false, ""
	return err
}

func (f *yamlFilter) close(endsWithLine bool) error {
	if !endsWithLine {
		return errTruncated
	}
	return f.endDocument()
}

// objectFilter cuts down the lines of one object.
type objectFilter struct {
	text        []byte
	name        string
	levels      []level
	levelBuffer [8]level
	// mode says what happens to lines that belong to the key in column.
	mode   mode
	column int
	// shift is how far the object stands to the right in its file; -1 until its first line tells.
	shift int
}

// level is a mapping of which some keys are kept; its column is that of its keys, -1 until the first is seen.
type level struct {
	key    string
	column int
	tree   keep
}

type mode uint8

const (
	selecting mode = iota
	keeping
	dropping
)

func (o *objectFilter) blank() {
	if o.mode == keeping {
		o.text = append(o.text, '\n')
	}
}

// line takes a line without its indentation, and the column in which it stands in its file.
func (o *objectFilter) line(line []byte, column int) error {
	if o.shift < 0 {
		o.shift = column
	}
	column = max(column-o.shift, 0)
	if o.mode != selecting {
		if column > o.column || column == o.column && line[0] == '-' && (len(line) == 1 || line[1] == ' ') {
			if o.mode == keeping {
				return o.emit(line, column)
			}
			return nil
		}
		o.mode = selecting
	}
	if line[0] == '#' {
		return nil
	}
	for len(o.levels) > 1 && o.top().column >= 0 && column < o.top().column {
		o.levels = o.levels[:len(o.levels)-1]
	}
	// A level whose first key does not stand deeper than the key that opened it has nothing in it.
	for len(o.levels) > 1 && o.top().column < 0 && column <= o.levels[len(o.levels)-2].column {
		o.levels = o.levels[:len(o.levels)-1]
	}
	if o.top().column < 0 {
		o.top().column = column
	}
	key, rest := splitKey(line)
	below, kept := o.top().tree[key]
	if !kept {
		o.mode, o.column = dropping, column
		return nil
	}
	if len(o.levels) == 2 && o.top().key == "metadata" && key == "name" {
		o.name = strings.Trim(string(rest), `"'`)
	}
	if len(below) == 0 || len(rest) > 0 {
		o.mode, o.column = keeping, column
	} else {
		o.levels = append(o.levels, level{key: key, column: -1, tree: below})
	}
	return o.emit(line, column)
}

func (o *objectFilter) top() *level { return &o.levels[len(o.levels)-1] }

func (o *objectFilter) emit(line []byte, column int) error {
	if len(o.text)+column+len(line) > maxItemBytes {
		return errTooLarge
	}
	for range column {
		o.text = append(o.text, ' ')
	}
	o.text = append(append(o.text, line...), '\n')
	return nil
}

func indentation(line []byte) int {
	n := 0
	for n < len(line) && line[n] == ' ' {
		n++
	}
	return n
}

// splitKey returns the key of "key: value" and the value without spaces around it; an empty key for anything else.
func splitKey(line []byte) (string, []byte) {
	start := 0
	if line[0] == '"' || line[0] == '\'' {
		// A colon inside of the quotes is part of the key.
		if quote := bytes.IndexByte(line[1:], line[0]); quote >= 0 {
			start = quote + 1
		}
	}
	for end := start; end < len(line); end++ {
		if line[end] == ':' && (end+1 == len(line) || line[end+1] == ' ') {
			return strings.Trim(string(line[:end]), `"'`), bytes.TrimSpace(line[end+1:])
		}
	}
	return "", nil
}

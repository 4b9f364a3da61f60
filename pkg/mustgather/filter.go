package mustgather

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// keep is a tree of mapping keys that are kept of an object. An empty subtree keeps all below a key. Trees end above
// sequences.
type keep map[string]keep

const (
	// maxItemBytes bounds the kept text of one object: a Kubernetes object is at most 1.5 MiB, its YAML somewhat more.
	maxItemBytes = 8 << 20
	// maxKeyBytes is the length up to which clients write a key without a question mark before it.
	maxKeyBytes = 128
	// maxDepth is more than any object has, and less than the parser takes.
	maxDepth = 64
	// step is how much deeper than its parent a value stands.
	step = 2
)

var (
	errTruncated = errors.New("it ends in the middle")
	errTooLarge  = fmt.Errorf("an object of more than %d MiB", maxItemBytes>>20)
)

// unusual is text that is not written as oc and kubectl write it. It may be good YAML all the same.
type unusual struct {
	line int
	what string
}

// Error implements error.
func (u *unusual) Error() string { return fmt.Sprintf("line %d has %s", u.line, u.what) }

// item is one object of a file, cut down to what a tree keeps.
type item struct {
	// name is metadata.name where it is a plain word.
	name string
	// listed tells whether it is an item of a list.
	listed bool
	// text is valid until the next item.
	text []byte
}

// filterYAML cuts down YAML of the shape in which oc adm inspect, oc adm must-gather and kubectl write it: one object,
// several documents, or a list whose objects stand below the key items. It calls visit for each object, and isList with the
// kind of a list. list tells whether there was a list.
//
// It parses no values; the YAML parser sees what is kept. What it leaves out it has to understand to the letter all the
// same, or the parser would have read something else. So with the first line of another shape it gives up with an *unusual
// error, however good that line is, and the text has to be parsed whole. In the shape that it knows, each key is on a line
// of its own and once in its mapping; a mapping stands two columns deeper than its key, and a sequence in the column of its
// key; a value stands one space behind its key, as a plain or quoted scalar that may be folded, or is a literal block; and
// there are no comments, tags, anchors, tabs, empty lines, or collections in flow style but empty ones.
func filterYAML(r io.Reader, tree keep, isList func(kind string) error, visit func(item) error) (list bool, err error) {
	f := newYAMLFilter(tree, isList, visit)
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := readLine(lines)
		switch {
		case errors.Is(err, io.EOF) && len(line) > 0:
			return f.list, errTruncated
		case errors.Is(err, io.EOF):
			return f.list, f.endDocument()
		case err != nil:
			return f.list, err
		}
		if err := f.line(line[:len(line)-1]); err != nil {
			return f.list, err
		}
	}
}

// filterText is filterYAML for text that is all there.
func filterText(text []byte, tree keep, isList func(kind string) error, visit func(item) error) (list bool, err error) {
	f := newYAMLFilter(tree, isList, visit)
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return f.list, errTruncated
		}
		if err := f.line(text[:end]); err != nil {
			return f.list, err
		}
		text = text[end+1:]
	}
	return f.list, f.endDocument()
}

func newYAMLFilter(tree keep, isList func(kind string) error, visit func(item) error) *yamlFilter {
	return &yamlFilter{tree: tree, isList: isList, visit: visit, keys: []byte{'\n'}}
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

// yamlFilter is a filter in the middle of a text.
type yamlFilter struct {
	tree   keep
	isList func(kind string) error
	visit  func(item) error

	// number counts lines.
	number int
	// list tells whether any document was a list; inList and kind speak of the present document.
	list, inList bool
	kind         string

	// levels are the open collections, the outermost first.
	levels []level
	// keys holds the keys of the open mappings, each between two ends of line; wanted is one of these that is looked for.
	keys, wanted []byte
	// scalar is a value that may go on in the next line, from scalarColumn on. begun tells that a literal block has text.
	scalar       scalar
	scalarColumn int
	begun        bool
	// shown tells whether the last value is kept.
	shown bool

	// open tells that there is an object; text is what is kept of it, shift how far it stands to the right in its file.
	open  bool
	text  []byte
	shift int
	name  string
}

// level is an open collection.
type level struct {
	column   int
	sequence bool
	rule
	// awaits tells that the value of the last key is a collection which the next line begins; next is for that.
	awaits bool
	next   rule
	// firstKey is where in yamlFilter.keys those of a mapping begin, last where the last of them stands in the order of
	// their bytes, and longest in that of their lengths. seen has them all once one is looked for among many.
	firstKey      int
	last, longest span
	seen          map[string]bool
	// begin is how much is kept up to the key of a mapping.
	begin int
}

// span is a key in yamlFilter.keys; the zero value is none.
type span struct{ from, to int }

// rule says what becomes of the entries of a collection.
type rule struct {
	mode mode
	role role
	// tree is what a selecting collection keeps.
	tree keep
}

type mode uint8

const (
	selecting mode = iota
	keeping
	dropping
)

// role tells collections apart that mean something here.
type role uint8

const (
	ordinary role = iota
	document
	items
	element
	metadata
)

type scalar uint8

const (
	none scalar = iota
	plain
	singleQuoted
	doubleQuoted
	literal
	// literalHinted tells in its header how deep its text stands, because that begins with spaces or empty lines.
	literalHinted
)

func (f *yamlFilter) unusual(what string) error { return &unusual{f.number, what} }

func (f *yamlFilter) line(line []byte) error {
	f.number++
	column := indentation(line)
	switch {
	case len(line) == 0:
		return f.blank()
	case column == len(line):
		return f.unusual("nothing but spaces")
	case !isPrintable(line):
		return f.unusual("a tab or a character that clients escape")
	case column == 0 && bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || line[3] == ' '):
		return f.startDocument(line)
	}
	if more, err := f.goOn(line, column); more || err != nil {
		return err
	}
	return f.structure(line, column)
}

// blank takes an empty line.
func (f *yamlFilter) blank() error {
	if f.scalar != literal && f.scalar != literalHinted {
		return f.unusual("nothing in it")
	}
	if f.shown {
		f.text = append(f.text, '\n')
	}
	return nil
}

func (f *yamlFilter) startDocument(line []byte) error {
	if len(line) > 3 {
		return f.unusual("something behind the start of a document")
	}
	if f.number == 1 {
		return nil
	}
	return f.endDocument()
}

// goOn takes a line that belongs to the scalar of the line before.
func (f *yamlFilter) goOn(line []byte, column int) (more bool, err error) {
	text := line[column:]
	switch f.scalar {
	case none:
		return false, nil
	case plain, literal, literalHinted:
		if column < f.scalarColumn {
			return false, f.endScalar()
		}
	}
	switch f.scalar {
	case literal, literalHinted:
		if !f.begun && f.scalar == literal && column != f.scalarColumn {
			return false, f.unusual("the text of a block too deep")
		}
		f.begun = true
	case plain:
		if column != f.scalarColumn || text[0] == '#' || !isPlain(text) {
			return false, f.unusual("something that does not go on with the value before it")
		}
	default:
		ended, good := endOfQuoted(text, f.scalar)
		if column != f.scalarColumn || !good || ended >= 0 && ended != len(text) {
			return false, f.unusual("something that does not go on with the quoted value before it")
		}
		if ended >= 0 {
			f.scalar = none
		}
	}
	return true, f.show(line)
}

// endScalar is called where a scalar cannot go on.
func (f *yamlFilter) endScalar() error {
	switch {
	case f.scalar == singleQuoted || f.scalar == doubleQuoted:
		return f.unusual("the end of a document inside of quotes")
	case !f.begun && (f.scalar == literal || f.scalar == literalHinted):
		return f.unusual("a block above it that is empty")
	}
	f.scalar = none
	return nil
}

// structure takes a line on which an entry of a collection begins.
func (f *yamlFilter) structure(line []byte, column int) error {
	dash := isDash(line[column:])
	if len(f.levels) == 0 {
		f.push(0, false, rule{mode: selecting, role: document, tree: f.tree})
		f.start(0)
	} else if f.top().awaits {
		if err := f.openCollection(column, dash); err != nil {
			return err
		}
	}
	for len(f.levels) > 1 && (f.top().column > column || f.top().column == column && f.top().sequence && !dash) {
		if err := f.pop(); err != nil {
			return err
		}
	}
	if f.top().column != column || f.top().sequence != dash {
		return f.unusual("an entry in an unexpected column")
	}
	for f.top().sequence {
		if len(f.levels) > maxDepth {
			return f.unusual("a value that is very deep")
		}
		next := column + step
		if len(line) <= next || line[column+1] != ' ' || line[next] == ' ' {
			return f.unusual("a dash that is not followed by one space and a value")
		}
		more, err := f.sequenceEntry(line, column)
		if err != nil || !more {
			return err
		}
		column = next
	}
	if len(f.levels) > maxDepth {
		return f.unusual("a value that is very deep")
	}
	return f.mappingEntry(line, column)
}

// openCollection opens what the last key awaits.
func (f *yamlFilter) openCollection(column int, sequence bool) error {
	parent := f.top()
	parent.awaits = false
	expected := parent.column + step
	if sequence {
		expected = parent.column
	}
	next := parent.next
	if column != expected || sequence != (next.role == items) && next.mode == selecting {
		return f.unusual("something else than the collection that the line before begins")
	}
	f.push(column, sequence, next)
	return nil
}

// sequenceEntry takes what stands behind the dash in a column. With more it is a collection that has been opened, and whose
// first entry comes next.
func (f *yamlFilter) sequenceEntry(line []byte, column int) (more bool, err error) {
	inside := f.top().rule
	isItem := inside.role == items
	if isItem {
		if err := f.flush(); err != nil {
			return false, err
		}
		f.start(column + step)
	}
	inside.role = ordinary
	if isItem {
		inside.role = element
	}
	text := line[column+step:]
	isCollection, sequence := isDash(text), true
	if !isCollection {
		sequence = false
		if _, _, isCollection, err = f.key(text); err != nil {
			return false, err
		}
	}
	if isItem && (sequence || !isCollection) {
		return false, f.unusual("an item that is no mapping")
	}
	if isCollection {
		f.push(column+step, sequence, inside)
		return true, nil
	}
	f.shown = inside.mode != dropping
	return false, f.value(line, text, column)
}

// mappingEntry takes the key in a column, and what follows it.
func (f *yamlFilter) mappingEntry(line []byte, column int) error {
	key, rest, isKey, err := f.key(line[column:])
	switch {
	case err != nil:
		return err
	case !isKey:
		return f.unusual("something else than a key")
	case len(rest) > 0 && (len(rest) == 1 || rest[0] != ' ' || rest[1] == ' '):
		return f.unusual("a key that is not followed by one space and a value")
	}
	if err := f.note(key); err != nil {
		return err
	}
	value := bytes.TrimPrefix(rest, []byte(" "))
	top := f.top()
	top.next = rule{mode: top.mode}
	if top.mode == selecting {
		if err := f.choose(string(key), value); err != nil {
			return err
		}
	}
	f.shown = f.open && top.next.mode != dropping
	if len(value) == 0 {
		top.awaits = true
		f.scalar = none
		return f.show(line)
	}
	return f.value(line, value, column)
}

// choose decides what becomes of the value of a key in a selecting mapping. value is empty for a collection.
func (f *yamlFilter) choose(key string, value []byte) error {
	top := f.top()
	if top.role == document {
		if key == "kind" {
			if !isWord(value) {
				return f.unusual("a kind that is not one word")
			}
			f.kind = string(value)
		}
		if misspelt(key, listKeys) != "" {
			return f.unusual("a key that is known in another case")
		}
		if key == "items" || f.inList {
			return f.chooseOfList(key, value)
		}
	}
	below, kept := top.tree[key]
	switch {
	case !kept && misspelt(key, top.tree) != "":
		return f.unusual("a key that is known in another case")
	case !kept:
		top.next.mode = dropping
	case len(below) > 0 && len(value) == 0:
		top.next = rule{mode: selecting, tree: below}
		if key == "metadata" && (top.role == document || top.role == element) {
			top.next.role = metadata
		}
	default:
		top.next.mode = keeping
		if top.role == metadata && key == "name" && isWord(value) {
			f.name = string(value)
		}
	}
	return nil
}

// chooseOfList takes the key items, and what comes behind it. Clients write the kind of a list behind its items, which
// proves that these are all there.
func (f *yamlFilter) chooseOfList(key string, value []byte) error {
	top := f.top()
	top.next.mode = dropping
	if key != "items" {
		return nil
	}
	f.list, f.inList, f.open = true, true, false
	switch {
	case f.kind != "":
		return f.unusual("items behind the kind of their list")
	case len(value) == 0:
		top.next = rule{mode: selecting, role: items, tree: f.tree}
	case string(value) != "[]":
		return f.unusual("items that are no list")
	}
	return nil
}

var listKeys = keep{"items": nil, "kind": nil}

// misspelt returns the key of a tree that differs from key in the case of letters alone; empty when there is none.
func misspelt(key string, tree keep) string {
	for known := range tree {
		if known != key && len(known) == len(key) && strings.EqualFold(known, key) {
			return known
		}
	}
	return ""
}

// key splits what begins with a key and a colon. isKey is false for anything else that begins well.
func (f *yamlFilter) key(text []byte) (key, rest []byte, isKey bool, err error) {
	if style := quotes(text); style != none {
		ended, good := endOfQuoted(text[1:], style)
		switch {
		case !good:
			return nil, nil, false, f.unusual("quotes that clients do not write")
		case ended < 0, ended == len(text)-1:
			return nil, nil, false, nil
		}
		key, rest = text[1:ended], text[1+ended:]
		if rest[0] != ':' || bytes.IndexByte(key, '\\') >= 0 || bytes.IndexByte(key, '\'') >= 0 {
			return nil, nil, false, f.unusual("a key that clients write in another way")
		}
	} else {
		end := keyEnd(text)
		if end < 0 {
			return nil, nil, false, nil
		}
		key, rest = text[:end], text[end:]
		if !startsPlain(text) || !isPlain(key) || !isPlainKey(string(key)) {
			return nil, nil, false, f.unusual("a key that clients write in another way")
		}
	}
	if len(key) > maxKeyBytes {
		return nil, nil, false, f.unusual("a key of many letters")
	}
	return key, rest[1:], true, nil
}

// value takes a scalar, or an empty collection, that ends a line. column is that of the collection which it is in.
func (f *yamlFilter) value(line, text []byte, column int) error {
	f.scalar, f.scalarColumn, f.begun = none, column+step, false
	switch style := quotes(text); {
	case style != none:
		ended, good := endOfQuoted(text[1:], style)
		if !good || ended >= 0 && ended != len(text)-1 {
			return f.unusual("quotes that clients do not write")
		}
		if ended < 0 {
			f.scalar = style
		}
	case text[0] == '{' || text[0] == '[':
		if string(text) != "{}" && string(text) != "[]" {
			return f.unusual("a collection in flow style")
		}
	case text[0] == '|':
		switch string(text) {
		case "|", "|-", "|+":
			f.scalar = literal
		case "|2", "|2-", "|2+":
			f.scalar = literalHinted
		default:
			return f.unusual("a block whose header clients do not write")
		}
	case !startsPlain(text) || !isPlain(text) || isNoJSON(text):
		return f.unusual("a value that clients do not write")
	default:
		f.scalar = plain
	}
	return f.show(line)
}

// show adds a line to what is kept of the object, unless its value is dropped.
func (f *yamlFilter) show(line []byte) error {
	if !f.shown {
		return nil
	}
	if len(f.text)+len(line) > maxItemBytes {
		return errTooLarge
	}
	f.text = append(append(f.text, line[f.shift:]...), '\n')
	return nil
}

func (f *yamlFilter) top() *level { return &f.levels[len(f.levels)-1] }

func (f *yamlFilter) push(column int, sequence bool, inside rule) {
	f.levels = append(f.levels, level{column: column, sequence: sequence, rule: inside, firstKey: len(f.keys), begin: len(f.text)})
}

func (f *yamlFilter) pop() error {
	top := f.top()
	switch {
	case top.awaits:
		return f.unusual("a key above it that has no value")
	case top.role == items:
		if err := f.flush(); err != nil {
			return err
		}
	case top.mode == selecting && top.role != document && top.role != element && len(f.text) == top.begin:
		// There was something below the key of which nothing is kept.
		f.text = append(f.text[:top.begin-1], " {}\n"...)
	}
	f.keys = f.keys[:top.firstKey]
	f.levels = f.levels[:len(f.levels)-1]
	return nil
}

// fewKeys is how many bytes of keys are searched from one end to the other.
const fewKeys = 4 << 10

// note remembers a key of the innermost mapping, which must not have it yet. A key that comes behind all others in any
// order is new. Clients write keys in the order of their letters, and of the numbers in them.
func (f *yamlFilter) note(key []byte) error {
	top := f.top()
	last, longest := f.keys[top.last.from:top.last.to], f.keys[top.longest.from:top.longest.to]
	behind := top.last.to == 0 || bytes.Compare(key, last) > 0
	longer := top.longest.to == 0 || len(key) > len(longest) || len(key) == len(longest) && bytes.Compare(key, longest) > 0
	if !behind && !longer && f.hasKey(key) {
		return f.unusual("a key that is there twice")
	}
	at := span{len(f.keys), len(f.keys) + len(key)}
	f.keys = append(append(f.keys, key...), '\n')
	if behind {
		top.last = at
	}
	if longer {
		top.longest = at
	}
	if top.seen != nil {
		top.seen[string(key)] = true
	}
	return nil
}

func (f *yamlFilter) hasKey(key []byte) bool {
	top := f.top()
	if top.seen == nil {
		if len(f.keys)-top.firstKey < fewKeys {
			f.wanted = append(append(append(f.wanted[:0], '\n'), key...), '\n')
			return bytes.Contains(f.keys[top.firstKey-1:], f.wanted)
		}
		top.seen = map[string]bool{}
		for earlier := range bytes.Lines(f.keys[top.firstKey:]) {
			top.seen[string(earlier[:len(earlier)-1])] = true
		}
	}
	return top.seen[string(key)]
}

func (f *yamlFilter) start(shift int) {
	f.open, f.text, f.shift, f.name = true, f.text[:0], shift, ""
}

// flush ends an object.
func (f *yamlFilter) flush() error {
	if !f.open {
		return nil
	}
	f.open = false
	return f.visit(item{f.name, f.inList, f.text})
}

// endDocument ends a document, which must have something in it.
func (f *yamlFilter) endDocument() error {
	if err := f.endScalar(); err != nil {
		return err
	}
	if len(f.levels) == 0 {
		return f.unusual("the end of an empty document")
	}
	for len(f.levels) > 0 {
		if err := f.pop(); err != nil {
			return err
		}
	}
	if err := f.flush(); err != nil {
		return err
	}
	inList, kind := f.inList, f.kind
	f.inList, f.kind = false, ""
	switch {
	case inList && kind == "":
		return errTruncated
	case inList:
		return f.isList(kind)
	}
	return nil
}

func indentation(line []byte) int {
	n := 0
	for n < len(line) && line[n] == ' ' {
		n++
	}
	return n
}

func isDash(text []byte) bool { return text[0] == '-' && (len(text) == 1 || text[1] == ' ') }

func quotes(text []byte) scalar {
	switch text[0] {
	case '"':
		return doubleQuoted
	case '\'':
		return singleQuoted
	}
	return none
}

// isPrintable reports whether a line has no character that the parser refuses, takes for an end of line or for a mark, and
// no tab.
func isPrintable(line []byte) bool {
	for i := 0; i < len(line); i++ {
		if c := line[i]; c < ' ' || c == 0x7f {
			return false
		} else if c < utf8.RuneSelf {
			continue
		}
		r, size := utf8.DecodeRune(line[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
			return false
		}
		i += size - 1
	}
	return true
}

// startsPlain reports whether a plain scalar may begin so.
func startsPlain(text []byte) bool {
	switch text[0] {
	case ' ', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
		return false
	case '-', '?', ':':
		return len(text) > 1 && text[1] != ' '
	}
	return true
}

// isPlain reports whether a plain scalar goes on to the end of a text: no comment in it, and no key.
func isPlain(text []byte) bool {
	if len(text) == 0 || text[len(text)-1] == ' ' || keyEnd(text) >= 0 {
		return false
	}
	for at := 0; ; at++ {
		next := bytes.IndexByte(text[at:], '#')
		if next < 0 {
			return true
		}
		if at += next; at > 0 && text[at-1] == ' ' {
			return false
		}
	}
}

// keyEnd returns where the colon is that ends a plain key, or -1.
func keyEnd(text []byte) int {
	for at := 0; ; at++ {
		next := bytes.IndexByte(text[at:], ':')
		if next < 0 {
			return -1
		}
		if at += next; at+1 == len(text) || text[at+1] == ' ' {
			return at
		}
	}
}

// isPlainKey reports whether a plain key is text for the parser, or becomes it without fail.
func isPlainKey(key string) bool {
	switch key {
	case ".":
		// That is how field managers write a field itself.
		return true
	case "<<", "~", "null", "Null", "NULL":
		return false
	}
	if !strings.Contains("0123456789+-.", key[:1]) {
		return true
	}
	number := strings.ReplaceAll(key, "_", "")
	_, notInt := strconv.ParseInt(number, 0, 64)
	_, notUint := strconv.ParseUint(number, 0, 64)
	_, notFloat := strconv.ParseFloat(number, 64)
	return notInt != nil && notUint != nil && notFloat != nil && !isNoJSON([]byte(key)) && !strings.HasPrefix(strings.TrimLeft(number, "+-"), "0b")
}

// isNoJSON reports whether a plain scalar is a number that JSON does not have, or asks to merge something.
func isNoJSON(text []byte) bool {
	if string(text) == "<<" {
		return true
	}
	word := bytes.TrimLeft(text, "+-")
	return bytes.EqualFold(word, []byte(".inf")) || bytes.EqualFold(word, []byte(".nan"))
}

// isWord reports whether a value is plain text of one word.
func isWord(value []byte) bool {
	for i, c := range value {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '-' && c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	switch strings.ToLower(string(value)) {
	case "", "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return false
	}
	return true
}

// endOfQuoted returns where the text behind an opening quote has ended, just behind the closing one; -1 when it goes on in
// the next line. good is false for an escape that clients do not write.
func endOfQuoted(text []byte, style scalar) (ended int, good bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case style == singleQuoted && c == '\'':
			if i+1 == len(text) || text[i+1] != '\'' {
				return i + 1, true
			}
			i++
		case style == doubleQuoted && c == '"':
			return i + 1, true
		case style == doubleQuoted && c == '\\':
			size := escape(text[i+1:])
			if size < 0 {
				return -1, false
			}
			i += size
		}
	}
	return -1, true
}

// escape returns how long an escape is behind its backslash; -1 for one that clients do not write. One at the end of a line
// joins it with the next.
func escape(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	digits := 0
	switch text[0] {
	case '0', 'a', 'b', 't', 'n', 'v', 'f', 'r', 'e', '"', '\\', 'N', '_', 'L', 'P', ' ':
		return 1
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		return -1
	}
	if len(text) <= digits {
		return -1
	}
	code, err := strconv.ParseUint(string(text[1:1+digits]), 16, 32)
	if err != nil || code > utf8.MaxRune || !utf8.ValidRune(rune(code)) {
		return -1
	}
	return 1 + digits
}

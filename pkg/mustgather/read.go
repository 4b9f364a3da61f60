package mustgather

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxArchiveBytes bounds what an archive may unpack to.
const maxArchiveBytes = 64 << 30

// ErrNotGathering: there is nothing of a must-gather or of `oc adm inspect` in what was given.
var ErrNotGathering = errors.New("it holds no " + clusterScoped + ", " + namespaced + " or " + etcdInfo + " folder, so it is neither a must-gather nor the output of oc adm inspect")

var (
	errNotFile   = errors.New("it is not a file")
	errClimbsOut = errors.New("its path climbs out of the archive; nothing of it is read")
)

// Read reads the folder or tar archive (plain or gzip) called name. What is missing in it is told by Gathered.Warnings;
// the error says that it could not be read at all, that it is something else (ErrNotGathering) and what to give instead,
// that it holds several must-gathers, or that it is an archive whose paths climb out.
func Read(name string) (*Gathered, error) {
	gatherings, err := readAny(name)
	if err == nil {
		err = gatherings.checkOne()
	}
	if errors.Is(err, ErrNotGathering) {
		err = fmt.Errorf("%w%s", err, above(name))
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return merge(gatherings), nil
}

func readAny(name string) (*gatherings, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, plainCause(err)
	}
	if info.IsDir() {
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, plainCause(err)
		}
		defer func() { _ = root.Close() }()
		return readFolder(root.FS())
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is neither a folder nor a file")
	}
	archive, err := os.Open(name)
	if err != nil {
		return nil, plainCause(err)
	}
	defer func() { _ = archive.Close() }()
	return readArchive(archive)
}

// above tells which folder to give instead of one that lies inside of a gathering.
func above(name string) string {
	whole, err := filepath.Abs(name)
	if err != nil {
		return ""
	}
	for folder := whole; folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if isGatheringFolder(filepath.Base(folder)) {
			return "; it lies inside of one: give " + filepath.Dir(folder)
		}
	}
	return ""
}

// checkOne refuses several must-gathers: what they tell of different times, or clusters, does not make one. What lies in
// the folder that holds the images of one belongs to it.
func (all *gatherings) checkOne() error {
	within := func(folder, other string) bool { return other == "." || strings.HasPrefix(folder+"/", other+"/") }
	bases := slices.Sorted(maps.Keys(all.byBase))
	for _, base := range bases {
		if first, other := path.Dir(bases[0]), path.Dir(base); !within(first, other) && !within(other, first) {
			return fmt.Errorf("it holds several must-gathers, such as %s and %s: choose one", first, other)
		}
	}
	return nil
}

// isArchive tells whether a file has a name as archives have it.
func isArchive(name string) bool {
	return slices.ContainsFunc([]string{".tar", ".tar.gz", ".tgz"}, func(end string) bool { return strings.HasSuffix(name, end) })
}

// notGathering names an archive that was found where a gathering was looked for; empty for none.
func notGathering(archive string) error {
	if archive == "" {
		return ErrNotGathering
	}
	return fmt.Errorf("%w; it holds the archive %s: unpack it, and give that", ErrNotGathering, archive)
}

// plainCause leaves out operation and path, which the caller names.
func plainCause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// gatherings are all that lie below one root, by their base.
type gatherings struct {
	byBase map[string]*gathering
	// stamps are the contents of files called timestamp, by the folder they are in.
	stamps map[string]string
	// head is for the beginnings of files.
	head []byte
	// archive is one that lies in what was given.
	archive string
}

func newGatherings() *gatherings {
	return &gatherings{byBase: map[string]*gathering{}, stamps: map[string]string{}}
}

func (all *gatherings) at(base string) *gathering {
	if all.byBase[base] == nil {
		all.byBase[base] = newGathering(base)
		all.byBase[base].head = &all.head
	}
	return all.byBase[base]
}

func (all *gatherings) stamp(folder string, from io.Reader) error {
	const enough = 4096
	text, err := io.ReadAll(io.LimitReader(from, enough))
	if err == nil {
		all.stamps[folder] = string(text)
	}
	return err
}

// readFolder looks for bases and opens in each only what is read.
func readFolder(root fs.FS) (*gatherings, error) {
	found := newGatherings()
	bases, archive, err := findBases(root)
	if err != nil {
		return nil, err
	}
	if len(bases) == 0 {
		return nil, notGathering(archive)
	}
	for _, base := range bases {
		g := found.at(base)
		inside := folder{root, base}
		for _, name := range filesToRead(inside, g.unread) {
			if err := readFile(inside, name, g.take); err != nil {
				g.unreadable(name, err)
			}
		}
		for folder := base; ; folder = path.Dir(folder) {
			name := path.Join(folder, timestampFile)
			if err := readFile(root, name, func(_ string, _ time.Time, from io.Reader) error { return found.stamp(folder, from) }); err != nil && !errors.Is(err, fs.ErrNotExist) {
				g.warn(FileUnreadable, fmt.Sprintf("read %s: %v", name, err))
			}
			if folder == "." {
				break
			}
		}
	}
	return found, nil
}

// folder is a folder below a root. That of fs.Sub has no Stat, and fs.Stat would open what it asks about: to open a named
// pipe is to wait for a writer.
type folder struct {
	root fs.FS
	name string
}

func (f folder) at(name string) string { return path.Join(f.name, name) }

// Open implements fs.FS.
func (f folder) Open(name string) (fs.File, error) { return f.root.Open(f.at(name)) }

// Stat implements fs.StatFS.
func (f folder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.root, f.at(name)) }

// ReadLink implements fs.ReadLinkFS.
func (f folder) ReadLink(name string) (string, error) { return fs.ReadLink(f.root, f.at(name)) }

// Lstat implements fs.ReadLinkFS.
func (f folder) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(f.root, f.at(name)) }

// findBases returns the folders that hold a gathering: those with clusterScoped, or if there are none, those with another
// of its folders. archive is one that lies beside them, or empty.
func findBases(root fs.FS) (bases []string, archive string, err error) {
	var full, partial []string
	var look func(folder string, depth int) error
	look = func(folder string, depth int) error {
		entries, err := fs.ReadDir(root, folder)
		if err != nil {
			if depth == 0 {
				return plainCause(err)
			}
			return nil
		}
		has := func(name string) bool {
			return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name && e.IsDir() })
		}
		switch {
		case has(clusterScoped):
			full = append(full, folder)
		case has(namespaced) || has(etcdInfo):
			partial = append(partial, folder)
		case depth < maxBaseDepth:
			for _, e := range entries {
				switch name := path.Join(folder, e.Name()); {
				case e.IsDir():
					if err := look(name, depth+1); err != nil {
						return err
					}
				case isArchive(name):
					archive = cmp.Or(archive, name)
				}
			}
		}
		return nil
	}
	if err := look(".", 0); err != nil {
		return nil, "", err
	}
	if len(full) > 0 {
		return full, archive, nil
	}
	return partial, archive, nil
}

// filesToRead are the files below a base, each once. A folder that is there and cannot be listed is reported to failed.
func filesToRead(base fs.FS, failed func(r *resource, name string, err error)) []string {
	var names []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, r := range resources {
		for _, place := range r.places() {
			for _, name := range matching(base, place, func(folder string, err error) { failed(r, folder, err) }) {
				if resourceOf(name) != nil {
					add(name)
				}
			}
		}
	}
	for _, name := range matching(base, etcdInfo+"/*", func(folder string, err error) { failed(nil, folder, err) }) {
		if isEtcdInfo(name) {
			add(name)
		}
	}
	return names
}

// matching returns the paths that match a pattern. Unlike fs.Glob it lists only what is known to be a folder.
func matching(root fs.FS, pattern string, failed func(folder string, err error)) []string {
	folders := []string{"."}
	segments := strings.Split(pattern, "/")
	for depth, segment := range segments {
		var next []string
		for _, folder := range folders {
			for _, name := range entriesLike(root, folder, segment, failed) {
				info, err := fs.Stat(root, name)
				switch {
				case errors.Is(err, fs.ErrNotExist):
					if _, err := fs.Lstat(root, name); err == nil && (depth < len(segments)-1 || takes(name)) {
						failed(name, errors.New("it is a link to something that is not there"))
					}
				case depth == len(segments)-1, err == nil && info.IsDir():
					next = append(next, name)
				case err != nil:
					failed(name, plainCause(err))
				case !strings.Contains(segment, "*"):
					failed(name, errors.New("it is not a folder"))
				}
			}
		}
		folders = next
	}
	return folders
}

func entriesLike(root fs.FS, folder, segment string, failed func(folder string, err error)) []string {
	if !strings.Contains(segment, "*") {
		return []string{path.Join(folder, segment)}
	}
	entries, err := fs.ReadDir(root, folder)
	if err != nil {
		failed(folder, plainCause(err))
	}
	var names []string
	for _, e := range entries {
		if match, _ := path.Match(segment, e.Name()); match {
			names = append(names, path.Join(folder, e.Name()))
		}
	}
	return names
}

func readFile(root fs.FS, name string, take func(name string, modified time.Time, from io.Reader) error) error {
	info, err := fs.Stat(root, name)
	if err != nil {
		return plainCause(err)
	}
	if !info.Mode().IsRegular() {
		return errNotFile
	}
	file, err := root.Open(name)
	if err != nil {
		return plainCause(err)
	}
	defer func() { _ = file.Close() }()
	return take(name, info.ModTime(), file)
}

// unread: a folder, or something in one, could not be looked at. r is nil for etcd_info.
func (g *gathering) unread(r *resource, name string, err error) {
	if r == nil {
		g.warnOfFile(name, err)
		return
	}
	g.fail(r, name, err)
}

// unreadable: what could not be opened is there all the same, so its resource is not complete.
func (g *gathering) unreadable(name string, err error) {
	if r := resourceOf(name); r != nil {
		g.fail(r, name, err)
		return
	}
	g.warnOfFile(name, err)
}

// readArchive reads a tar archive in one pass. What was read of a damaged one is not trusted.
func readArchive(from io.Reader) (*gatherings, error) {
	start := bufio.NewReaderSize(from, 1<<20)
	unpacked := start
	if magic, _ := start.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		unzipped, err := gzip.NewReader(start)
		if err != nil {
			return nil, damaged(err)
		}
		unzipped.Multistream(false)
		unpacked = bufio.NewReaderSize(&streams{unzipped, start}, 1<<20)
	}
	limited := &io.LimitedReader{R: unpacked, N: maxArchiveBytes}
	found := newGatherings()
	archive, entries := tar.NewReader(limited), 0
	for ; ; entries++ {
		before := limited.N
		entry, err := archive.Next()
		switch {
		case err != nil && entries == 0 && (unpacked == start || errors.Is(err, tar.ErrHeader)):
			return nil, fmt.Errorf("it is neither a folder nor a tar or tar.gz archive: %w", err)
		case errors.Is(err, io.EOF):
			if err := checkEnd(limited, before-limited.N); err != nil {
				return nil, err
			}
			return found.onlyFull()
		case limited.N <= 0:
			return nil, errArchiveTooLarge
		case err != nil:
			return nil, damaged(err)
		}
		err = found.takeEntry(entry, archive)
		if err == nil {
			// What nobody reads counts as well, and leaves nothing for Next to skip but what fills up the last block.
			_, err = io.Copy(io.Discard, archive)
		}
		if limited.N <= 0 {
			return nil, errArchiveTooLarge
		}
		switch {
		case errors.Is(err, errClimbsOut):
			return nil, fmt.Errorf("unpack %q: %w", entry.Name, err)
		case err != nil:
			return nil, damaged(err)
		}
	}
}

// streams reads packed streams that follow one another. What follows them and is none must not look like one that ends in
// the middle.
type streams struct {
	stream *gzip.Reader
	packed *bufio.Reader
}

func (s *streams) Read(p []byte) (int, error) {
	n, err := s.stream.Read(p)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	switch next, _ := s.packed.Peek(2); {
	case len(next) == 0:
		return n, io.EOF
	case len(next) == 1 || next[0] != 0x1f || next[1] != 0x8b:
		return n, gzip.ErrHeader
	}
	err = s.stream.Reset(s.packed)
	s.stream.Multistream(false)
	return n, err
}

var errArchiveTooLarge = fmt.Errorf("it unpacks to more than %d GiB", maxArchiveBytes>>30)

// checkEnd reads what is left of an archive when its reader has come to the end, with which the checksum of a packed one is
// compared. An archive ends with two empty blocks, which last tells the size of, and with nothing but zeros.
func checkEnd(from *io.LimitedReader, last int64) error {
	const block = 512
	if last < 2*block {
		return damaged(io.ErrUnexpectedEOF)
	}
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if bytes.IndexFunc(buffer[:n], func(r rune) bool { return r != 0 }) >= 0 {
			return damaged(errBehindEnd)
		}
		switch {
		case errors.Is(err, io.EOF) && from.N <= 0:
			return errArchiveTooLarge
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return damaged(err)
		}
	}
}

// damaged says what is wrong with an archive.
func damaged(err error) error {
	switch {
	case errors.Is(err, gzip.ErrChecksum):
		return errors.New("the archive is damaged: its content does not fit its checksum")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the archive is damaged: it ends in the middle")
	case errors.Is(err, gzip.ErrHeader):
		return errors.New("the archive is damaged: what stands at its beginning, or behind its end, is not packed by gzip")
	}
	return fmt.Errorf("the archive is damaged: %w", err)
}

func (all *gatherings) takeEntry(entry *tar.Header, from io.Reader) error {
	name := path.Clean(strings.TrimPrefix(entry.Name, "./"))
	if !fs.ValidPath(name) {
		return errClimbsOut
	}
	regular := entry.Typeflag == tar.TypeReg
	if entry.Typeflag == tar.TypeDir || !regular && path.Base(name) == timestampFile {
		return nil
	}
	if path.Base(name) == timestampFile {
		return all.stamp(path.Dir(name), from)
	}
	base, below, ok := splitBase(name)
	if !ok {
		if isArchive(name) {
			all.archive = cmp.Or(all.archive, name)
		}
		return nil
	}
	if base == "" {
		base = "."
	}
	g := all.at(base)
	if strings.HasPrefix(below, clusterScoped+"/") {
		g.full = true
	}
	if !takes(below) {
		return nil
	}
	if !regular {
		g.unreadable(below, errNotFile)
		return nil
	}
	return g.take(below, entry.ModTime, from)
}

// onlyFull leaves what findBases would have found.
func (all *gatherings) onlyFull() (*gatherings, error) {
	if len(all.byBase) == 0 {
		return nil, notGathering(all.archive)
	}
	full := false
	for _, g := range all.byBase {
		full = full || g.full
	}
	if full {
		for base, g := range all.byBase {
			if !g.full {
				delete(all.byBase, base)
			}
		}
	}
	return all, nil
}

package mustgather

import (
	"fmt"
	"path"
)

// The Reasons of warnings.
const (
	// FileMissing: a file that would tell something, or the row of a member in one, is not there.
	FileMissing = "FileMissing"
	// FileUnreadable: a file is there and could not be read, or not to its end.
	FileUnreadable = "FileUnreadable"
	// FilesContradict: something is there several times, with different content.
	FilesContradict = "FilesContradict"
	// TimesApart: the files of etcd and those of the API server's objects were not written at the same time.
	TimesApart = "TimesApart"
)

// Warning says what is not known because of the files.
type Warning struct {
	// Reason is one of the constants of this package.
	Reason string
	// Message names the file. It holds text of the files as it is: whoever shows it makes it fit for a terminal.
	Message string
}

func (g *gathering) warnOfFile(below string, err error) {
	g.warn(FileUnreadable, fmt.Sprintf("read %s: %v", path.Join(g.base, below), err))
}

func (g *gathering) warn(reason, message string) {
	g.warnings = append(g.warnings, Warning{Reason: reason, Message: message})
}

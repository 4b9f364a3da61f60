package operator

import (
	"fmt"
	"io"
	"os"
)

// recordMode lets nobody but the operator's own user read what a cluster is made of.
const recordMode = 0o600

// recordFile is where passes are recorded; without a file nothing is.
type recordFile struct{ file *os.File }

// openRecord opens path for appending, so that an operator that is started again goes on in the same file. An empty path
// is no record.
func openRecord(path string) (recordFile, error) {
	if path == "" {
		return recordFile{}, nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, recordMode)
	if err != nil {
		return recordFile{}, fmt.Errorf("open record of passes: %w", err)
	}
	return recordFile{file}, nil
}

// writer is nil, not an interface that holds nil, when nothing is recorded.
func (r recordFile) writer() io.Writer {
	if r.file == nil {
		return nil
	}
	return r.file
}

func (r recordFile) Close() {
	if r.file != nil {
		_ = r.file.Close()
	}
}

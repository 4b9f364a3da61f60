package cri

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// logFile writes what a container prints in the format that the kubelet reads:
// time, stream, F for a full line or P for a part of one, text.
type logFile struct {
	path string

	mu   sync.Mutex
	file *os.File
}

func newLogFile(path string) *logFile { return &logFile{path: path} }

// open opens the file, again if it was open before.
func (l *logFile) open() error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o755); err != nil {
		return fmt.Errorf("make log folder: %w", err)
	}
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Close()
	}
	l.file = file
	return nil
}

// copy writes all of stream to the log until it ends. What cannot be written is
// dropped: a full disk must not stop the container.
func (l *logFile) copy(name string, stream io.ReadCloser) {
	defer stream.Close()
	reader := bufio.NewReaderSize(stream, 16<<10)
	for {
		line, partial, err := reader.ReadLine()
		if err != nil {
			return
		}
		tag := "F"
		if partial {
			tag = "P"
		}
		l.mu.Lock()
		_, _ = fmt.Fprintf(l.file, "%s %s %s %s\n", time.Now().UTC().Format(time.RFC3339Nano), name, tag, line)
		l.mu.Unlock()
	}
}

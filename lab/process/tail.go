package process

import (
	"bytes"
	"os"
	"strings"
)

// Tail returns the last lines of a log file, at most count of them and at most
// 16 KiB; a file that cannot be read gives a text that says so.
func Tail(path string, count int) string {
	const most = 16 << 10
	file, err := os.Open(path)
	if err != nil {
		return "(no log: " + err.Error() + ")"
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "(no log: " + err.Error() + ")"
	}
	data := make([]byte, min(info.Size(), most))
	if _, err := file.ReadAt(data, info.Size()-int64(len(data))); err != nil && len(data) > 0 {
		return "(no log: " + err.Error() + ")"
	}
	lines := strings.Split(strings.TrimRight(string(bytes.ToValidUTF8(data, []byte("?"))), "\n"), "\n")
	if len(lines) > count {
		lines = lines[len(lines)-count:]
	}
	return strings.Join(lines, "\n")
}

package pass

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
)

// recorder writes each pass as one line of JSON.
type recorder struct {
	to io.Writer
	// broken: the last line may have been written in part.
	broken bool
}

func newRecorder(to io.Writer) *recorder { return &recorder{to: to} }

func (r *recorder) write(d *decision.Decisions) error {
	if r.to == nil {
		return nil
	}
	line, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("record pass: %w", err)
	}
	line = append(line, '\n')
	if r.broken {
		line = append([]byte{'\n'}, line...)
	}
	n, err := r.to.Write(line)
	if err == nil && n < len(line) {
		err = io.ErrShortWrite
	}
	r.broken = err != nil
	if err != nil {
		return fmt.Errorf("record pass: %w", err)
	}
	return nil
}

// ErrTorn says that a line of a record is not whole: its writer was stopped, or the disk was full.
var ErrTorn = errors.New("a line of the record is not whole")

// DecodeRecords reads what a Loop recorded and calls each with every pass, in order, until it returns an error, which is
// returned. A line that was not written to its end is left out; DecodeRecords goes on and returns ErrTorn at the end.
func DecodeRecords(from io.Reader, each func(decision.Decisions) error) error {
	reader := bufio.NewReader(from)
	torn := error(nil)
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read record: %w", err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var d decision.Decisions
			if broken := json.Unmarshal(line, &d); broken != nil {
				torn = fmt.Errorf("%w: line %d: %w", ErrTorn, number, broken)
			} else if stop := each(d); stop != nil {
				return stop
			}
		}
		if err != nil {
			return torn
		}
	}
}

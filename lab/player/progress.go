package player

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// Progress is what a player tells while it plays, one JSON line each.
type Progress struct {
	// Line is a line for people, or empty.
	Line string `json:",omitempty"`
	// Elapsed is since the scenario began.
	Elapsed time.Duration
	// Step of Steps is being taken (from 1), and says Doing.
	Step, Steps int
	Doing       string
	// Acknowledged and Failed count the load's operations; PerSecond is the rate of
	// acknowledged writes.
	Acknowledged, Failed int64
	PerSecond            float64
	// Waits says what the operator waits for, by its own conditions.
	Waits []string `json:",omitempty"`
}

// teller writes Progress.
type teller struct {
	mu      sync.Mutex
	encoder *json.Encoder
	last    Progress
}

func newTeller(out io.Writer) *teller { return &teller{encoder: json.NewEncoder(out)} }

func (t *teller) tell(change func(*Progress)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last.Line = ""
	change(&t.last)
	// Who listens may be gone; the recording goes on.
	_ = t.encoder.Encode(t.last)
}

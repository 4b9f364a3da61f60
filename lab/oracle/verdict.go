package oracle

import (
	"fmt"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/history"
)

// Result is what the oracle says about a claim.
type Result string

// The results.
const (
	Holds     Result = "holds"
	Broken    Result = "BROKEN"
	NotProven Result = "NOT PROVEN"
)

// Claim is one thing that must be so.
type Claim struct {
	Text string
	// Rules are ids of rules and invariants that say so.
	Rules  string
	Result Result
	// Evidence is what was seen, or what was not.
	Evidence string
	// At is when that was, from the start of the recording, in order, as far as it has
	// a time and the claim does not hold.
	At []time.Duration
	// Strained: it is not proven because the machine did not keep up with the
	// recording or the load, not because of what was seen.
	Strained bool
}

// String is the claim in a line, without its result.
func (c Claim) String() string {
	text := c.Text
	if c.Rules != "" {
		text += " [" + c.Rules + "]"
	}
	if c.Evidence != "" {
		text += ": " + c.Evidence
	}
	return text
}

// Verdict is the judgement of a recording.
type Verdict struct {
	Scenario string
	Claims   []Claim
	// Assumed are things that the judgement rests on, and that nobody saw.
	Assumed []string
	// Notes are facts about the run.
	Notes []string
}

// Result is that of all claims: broken if one is, and not proven if one is not, or if
// there is none.
func (v Verdict) Result() Result {
	overall := Holds
	for _, claim := range v.Claims {
		if claim.Result == Broken || claim.Result == NotProven && overall != Broken {
			overall = claim.Result
		}
	}
	if len(v.Claims) == 0 {
		return NotProven
	}
	return overall
}

// Holds reports whether everything does.
func (v Verdict) Holds() bool { return v.Result() == Holds }

// Strained reports whether all that keeps the verdict from holding is a machine that
// did not keep up: another run, with less beside it, may prove it.
func (v Verdict) Strained() bool {
	for _, claim := range v.Claims {
		if claim.Result != Holds && !claim.Strained {
			return false
		}
	}
	return !v.Holds() && len(v.Claims) > 0
}

// Failures are the claims that do not hold, a line each that names the scenario; a
// verdict without any claim is one too.
func (v Verdict) Failures() []string {
	if len(v.Claims) == 0 {
		return []string{fmt.Sprintf("   %s: %s: nothing was judged", v.Scenario, NotProven)}
	}
	var lines []string
	for _, claim := range v.Claims {
		if claim.Result != Holds {
			lines = append(lines, fmt.Sprintf("   %s: %s: %s", v.Scenario, claim.Result, claim))
		}
	}
	return lines
}

// Claim returns the claim with that text.
func (v Verdict) Claim(text string) Claim {
	for _, claim := range v.Claims {
		if claim.Text == text {
			return claim
		}
	}
	return Claim{}
}

// String is the verdict in lines.
func (v Verdict) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "verdict of %s: %s\n", v.Scenario, v.Result())
	for _, claim := range v.Claims {
		fmt.Fprintf(&text, "   %-10s %s\n", claim.Result, claim)
	}
	for _, assumed := range v.Assumed {
		fmt.Fprintf(&text, "   assumed    %s\n", assumed)
	}
	for _, note := range v.Notes {
		fmt.Fprintf(&text, "   %s\n", note)
	}
	return text.String()
}

// JudgeFolder judges the recording in a folder.
func JudgeFolder(folder string) (Verdict, error) {
	recording, err := history.Read(folder)
	if err != nil {
		return Verdict{}, err
	}
	return Judge(recording), nil
}

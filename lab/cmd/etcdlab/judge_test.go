package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestJudgeNamesTheFolderThatHasTheRecording(t *testing.T) {
	folder := t.TempDir()
	judge := newJudge()
	judge.SetArgs([]string{folder})
	judge.SilenceErrors, judge.SilenceUsage = true, true
	if err := judge.Execute(); err == nil || strings.Contains(err.Error(), "there is one in") {
		t.Errorf("of a folder without any it says: %v", err)
	}
	put(t, filepath.Join(folder, "1-replace-one", "recording.jsonl"), "{}\n")
	var usage usageError
	if err := judge.Execute(); !errors.As(err, &usage) || !strings.Contains(err.Error(), "there is one in "+filepath.Join(folder, "1-replace-one")) {
		t.Errorf("of a folder with one below it says: %v", err)
	}
	// The recording itself is at fault.
	judge.SetArgs([]string{filepath.Join(folder, "1-replace-one")})
	if err := judge.Execute(); err == nil || strings.Contains(err.Error(), "there is one in") {
		t.Errorf("of a recording that cannot be read it says: %v", err)
	}
}

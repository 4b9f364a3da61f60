package version

import (
	"bytes"
	"testing"
)

func TestVersionIsOneLineOnStandardOutput(t *testing.T) {
	old := version
	t.Cleanup(func() { version = old })
	version = "v1.2.3-4-gabcdef0"

	var out bytes.Buffer
	c := NewCommand()
	c.SetArgs(nil)
	c.SetOut(&out)
	if err := c.Execute(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "v1.2.3-4-gabcdef0\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

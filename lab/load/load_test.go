package load

import (
	"slices"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

func newKeys(seed int64) *keys { return &keys{random: scenario.Random(seed, "keys")} }

func TestAKeyIsPutAwayAfterItsShareOfWrites(t *testing.T) {
	k := newKeys(1)
	writes := map[string]int{}
	for range 20_000 {
		key := k.pick()
		if writes[key] >= writesPerKey {
			t.Fatalf("%s is used after %d writes", key, writes[key])
		}
		if !strings.HasPrefix(key, Prefix) {
			t.Fatalf("key %s is outside of %s", key, Prefix)
		}
		if len(k.active) != keysAtOnce {
			t.Fatalf("%d keys are in use", len(k.active))
		}
		writes[key]++
		k.wrote(key)
	}
	if len(writes) < 20_000/writesPerKey {
		t.Errorf("only %d keys were used", len(writes))
	}
	if len(k.writes) > keysAtOnce {
		t.Errorf("%d keys are remembered", len(k.writes))
	}
}

func TestTheSeedDecidesTheKeys(t *testing.T) {
	draw := func(seed int64) []string {
		k := newKeys(seed)
		var drawn []string
		for range 100 {
			drawn = append(drawn, k.pick())
		}
		return drawn
	}
	if !slices.Equal(draw(1), draw(1)) {
		t.Error("the same seed gives other keys")
	}
	if slices.Equal(draw(1), draw(2)) {
		t.Error("another seed gives the same keys")
	}
}

func TestEachClientSpeaksToAnotherMember(t *testing.T) {
	l := &Load{pinned: map[int]string{}}
	members := []string{"a", "b", "c"}
	used := map[string]int{}
	for number := range 6 {
		used[l.choose(number, members, "")]++
	}
	for _, m := range members {
		if used[m] != 2 {
			t.Errorf("%d clients speak to %s: %v", used[m], m, used)
		}
	}
	// One whose member is gone takes the one with the fewest clients, and not the
	// one that it comes from.
	if got := l.choose(0, []string{"a", "b", "c", "d"}, "a"); got != "d" {
		t.Errorf("client 0 goes to %q", got)
	}
	if got := l.choose(1, []string{"b"}, "b"); got != "b" {
		t.Errorf("client 1 has no other member and goes to %q", got)
	}
	if got := l.choose(2, nil, "b"); got != "" {
		t.Errorf("client 2 goes to %q, and there is nobody", got)
	}
}

package replicas

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// hostile are documents that a parser of YAML or JSON somewhere choked on, or took for another; they seed every target
// here.
var hostile = []string{
	"", "null", "---\n", "...\n", "{}", "[]", `""`, "\x00", "\xff\xfe", "\ufeff{}", "\x1b[2J", "!!binary Mw==", "&a [*a]", "? {}\n: 1", "? - 1\n: 1", "<<: 1", "<<: [1]", "{<<: {}}",
	"controlPlane:", "controlPlane: {replicas: 3}", "controlPlane: {replicas: 3}\narbiter: {replicas: 1}", "controlPlane: {replicas: 8}\narbiter: {replicas: 2}",
	"controlPlane: {replicas: 0x3}", "controlPlane: {replicas: 03}", "controlPlane: {replicas: 08}", "controlPlane: {replicas: 0b11}", "controlPlane: {replicas: 3_0}", "controlPlane: {replicas: +3}",
	"controlPlane: {replicas: 1:30}", "controlPlane: {replicas: .nan}", "controlPlane: {replicas: -.inf}", "controlPlane: {replicas: !!int \"3\"}", "controlPlane: {replicas: !!float 3}",
	"controlPlane: {replicas: 2001-01-01}", "controlPlane: {replicas: 3}\n---\ncontrolPlane: {replicas: 5}", "controlPlane: &a {replicas: *a}", "a: &a {replicas: 3}\ncontrolPlane: {<<: *a, <<: *a}",
	`{"controlPlane":{"replicas":3}}`, `{"controlPlane":{"replicas":3e0}}`, `{"controlPlane":{"replicas":-0}}`, `{"controlPlane":{"replicas":1e999}}`, `{"controlPlane":{"replicas":3,"replicas":5}}`,
	`{"controlPlane":{"replicas":"\ud800"}}`, `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":true}`, `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":"true"}`,
	"useUnsupportedUnsafeNonHANonProductionUnstableEtcd: yes", "useUnsupportedUnsafeNonHANonProductionUnstableEtcd: [yes]", installed,
}

// checkNumber holds what every number of replicas must be that text was turned into: a sane one without an error, or
// none with one.
func checkNumber(t *testing.T, n int, err error) {
	t.Helper()
	if err != nil {
		inputError(t, err)
		if n != 0 {
			t.Errorf("%d beside %v", n, err)
		}
		return
	}
	if n < 1 || n > Max {
		t.Errorf("%d replicas without an error", n)
	}
}

// isPlain reports whether a key can only be in document letter by letter: there are no escapes, no tags (one of them
// is base64) and no other encodings.
func isPlain(document string) bool { return !strings.ContainsAny(document, "\\!\x00\ufeff") }

func FuzzParseInstallConfig(f *testing.F) {
	for _, seed := range hostile {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, document string) {
		n, err := ParseInstallConfig(document)
		checkNumber(t, n, err)
		again, err := FromConfigMap(true, map[string]string{"install-config": document})
		checkNumber(t, again, err)
		if again != n {
			t.Errorf("%d by itself, %d from a ConfigMap", n, again)
		}
		if kept := Keep(4, n, err); err != nil && kept != 4 || err == nil && kept != n {
			t.Errorf("%d is kept of 4 and %d with %v", kept, n, err)
		}
		// Without an arbiter, the document says the same as an observed value.
		if !strings.Contains(document, "arbiter") && isPlain(document) {
			if observed, _ := ParseObservedConfig([]byte(document)); observed != n {
				t.Errorf("%d as an install-config, %d as an observed value", n, observed)
			}
		}
		if json.Valid([]byte(document)) {
			checkJSON(t, document, n)
		}
	})
}

// checkJSON reads a document in the way that a Go program usually does. Where our reading has a result, it must be the
// same.
func checkJSON(t *testing.T, document string, n int) {
	t.Helper()
	var lax map[string]any
	if n == 0 || json.Unmarshal([]byte(document), &lax) != nil {
		return
	}
	sum := 0.0
	for _, pool := range []string{"controlPlane", "arbiter"} {
		if mapping, ok := lax[pool].(map[string]any); ok {
			replicas, _ := mapping["replicas"].(float64)
			sum += replicas
		}
	}
	if sum != float64(n) {
		t.Errorf("%d, and %v when it is read by encoding/json", n, sum)
	}
}

func FuzzParseOverrides(f *testing.F) {
	for _, seed := range hostile {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := ParseOverrides(raw)
		if err != nil {
			inputError(t, err)
		}
		switch got.Replicas.Set {
		case snapshot.True:
			if got.Replicas.Replicas < 1 || got.Replicas.Replicas > Max {
				t.Errorf("an override of %d", got.Replicas.Replicas)
			}
		case snapshot.False:
			if got.Replicas.Replicas != 0 {
				t.Errorf("no override, and yet %d", got.Replicas.Replicas)
			}
		default:
			if err == nil || got.Replicas.Replicas != 0 {
				t.Errorf("unknown, and yet %d and %v", got.Replicas.Replicas, err)
			}
		}
		if got.UnsafeNonHA && isPlain(string(raw)) && !strings.Contains(string(raw), unsafeNonHAField) {
			t.Error("the unsafe flag is set without being there")
		}
		// What is no good as an observed value is no good as an override, and not the same as none.
		if _, observedErr := ParseObservedConfig(raw); observedErr != nil && got.Replicas.Set != snapshot.Unknown {
			if input := inputError(t, observedErr); input.Problem != "is missing" && input.Value != "null" {
				t.Errorf("override %+v of what is no observed value: %v", got.Replicas, observedErr)
			}
		}
		desired, unknown := Sources{Observed: 3, Set: NoMachineSet(), Override: got.Replicas}.Desired()
		if unknown != nil {
			inputError(t, unknown)
		}
		if desired.Known() == (got.Replicas.Set == snapshot.Unknown) {
			t.Errorf("desired %+v with %+v", desired, got)
		}
	})
}

func FuzzParseObservedConfig(f *testing.F) {
	for _, seed := range hostile {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		n, err := ParseObservedConfig(raw)
		checkNumber(t, n, err)
		overrides, overridesErr := ParseOverrides(raw)
		if err == nil && overrides.Replicas != (Override{Set: snapshot.True, Replicas: n}) {
			t.Errorf("%d as an observed value, %+v and %v as an override", n, overrides, overridesErr)
		}
	})
}

package replicas

import (
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// TestS16 is the case as a cluster sees it: passes of the config observer and of the observer, one after the other, with
// what each of them leaves behind for the next.
func TestS16(t *testing.T) {
	good := map[string]string{"install-config": installed}
	withReplicas := func(text string) map[string]string {
		return map[string]string{"install-config": "controlPlane:\n  name: master\n  replicas: " + text + "\n"}
	}
	type pass struct {
		exists bool
		data   map[string]string
		// restarted: the operator has just started and remembers nothing but what it wrote.
		restarted bool
		// field is what the error of the pass must name; none when it is empty.
		field string
		// want is the desired number after the pass; 0: unknown, so that nothing is removed.
		want int
	}
	for name, passes := range map[string][]pass{
		"the ConfigMap goes missing: the last good value stays in force":   {{exists: true, data: good, want: 3}, {field: documentField, want: 3}},
		"the key goes missing: the last good value stays in force":         {{exists: true, data: good, want: 3}, {exists: true, field: documentField, want: 3}},
		"replicas go missing: the last good value stays in force":          {{exists: true, data: good, want: 3}, {exists: true, data: withReplicas(""), field: controlPlaneHere, want: 3}},
		"replicas become \"three\": the last good value stays in force":    {{exists: true, data: withReplicas("5"), want: 5}, {exists: true, data: withReplicas("three"), field: controlPlaneHere, want: 5}},
		"replicas become -1: the last good value stays in force":           {{exists: true, data: withReplicas("5"), want: 5}, {exists: true, data: withReplicas("-1"), field: controlPlaneHere, want: 5}},
		"replicas become 0: the last good value stays in force":            {{exists: true, data: withReplicas("5"), want: 5}, {exists: true, data: withReplicas("0"), field: controlPlaneHere, want: 5}},
		"replicas become 1000: the last good value stays in force":         {{exists: true, data: withReplicas("5"), want: 5}, {exists: true, data: withReplicas("1000"), field: controlPlaneHere, want: 5}},
		"the document becomes junk: the last good value stays in force":    {{exists: true, data: withReplicas("5"), want: 5}, {exists: true, data: withReplicas("}{"), field: documentField, want: 5}},
		"the operator restarts meanwhile: the last good value is kept":     {{exists: true, data: withReplicas("5"), want: 5}, {exists: true, data: withReplicas("0"), field: controlPlaneHere, want: 5}, {exists: true, data: withReplicas("0"), restarted: true, field: controlPlaneHere, want: 5}},
		"the value is repaired: it takes effect":                           {{exists: true, data: withReplicas("5"), want: 5}, {exists: true, data: withReplicas("0"), field: controlPlaneHere, want: 5}, {exists: true, data: good, want: 3}},
		"no ConfigMap from the beginning: no value, so nothing is removed": {{field: documentField, want: 0}, {restarted: true, field: documentField, want: 0}},
		"replicas 1000 from the beginning: no value":                       {{exists: true, data: withReplicas("1000"), field: controlPlaneHere, want: 0}},
		"replicas \"three\" from the beginning: no value, and not 3":       {{exists: true, data: withReplicas("three"), field: controlPlaneHere, want: 0}},
		"a bad value from the beginning is repaired":                       {{exists: true, data: withReplicas("three"), field: controlPlaneHere, want: 0}, {exists: true, data: good, want: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			observedConfig := ""
			var known Sources
			for i, p := range passes {
				if p.restarted {
					known = Sources{}
				}
				// The config observer.
				previous, _ := ParseObservedConfig([]byte(observedConfig))
				parsed, err := FromConfigMap(p.exists, p.data)
				if p.field == "" && err != nil {
					t.Fatalf("pass %d: unexpected error: %v", i, err)
				}
				if p.field != "" {
					if err == nil {
						t.Fatalf("pass %d: no error", i)
					}
					if input := inputError(t, err); input.Field != p.field || input.Object != configMapObject {
						t.Errorf("pass %d: got %#v, want it to name %s", i, input, p.field)
					}
				}
				if kept := Keep(previous, parsed, err); kept > 0 {
					observedConfig = `{"controlPlane":{"replicas":` + string(rune('0'+kept)) + `}}`
				}
				// The observer.
				observed, _ := ParseObservedConfig([]byte(observedConfig))
				overrides, err := ParseOverrides(nil)
				if err != nil {
					t.Fatal(err)
				}
				known = Sources{Observed: observed, Set: NoMachineSet(), Override: overrides.Replicas}.OrLast(known)
				desired, err := known.Desired()
				if desired.Replicas != p.want || desired.Known() != (p.want > 0) || (err == nil) != desired.Known() {
					t.Errorf("pass %d: desired %+v and %v, want %d", i, desired, err, p.want)
				}
				if desired.Known() && desired.Source != snapshot.DesiredFromObserved {
					t.Errorf("pass %d: from %s", i, desired.Source)
				}
			}
		})
	}
}

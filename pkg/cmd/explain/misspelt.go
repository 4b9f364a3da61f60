package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	operatorv1 "github.com/openshift/api/operator/v1"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/pkg/explain"
)

// readOfSpec are the keys that are read of what the etcd resource holds without a schema; nil for a value.
var readOfSpec = map[string]any{
	"controlPlane": map[string]any{"replicas": nil},
	"useUnsupportedUnsafeNonHANonProductionUnstableEtcd": nil,
}

// misspelt warns of keys that differ from one that is read in the case of letters alone: nobody reads them, and whoever
// wrote them believes that they count.
func misspelt(spec *operatorv1.OperatorSpec) []explain.Warning {
	var warnings []explain.Warning
	var look func(at string, value, known any)
	look = func(at string, value, known any) {
		mapping, _ := value.(map[string]any)
		tree, _ := known.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(mapping)) {
			for name, below := range tree {
				switch {
				case key == name:
					look(at+"."+key, mapping[key], below)
				case strings.EqualFold(key, name):
					warnings = append(warnings, explain.Warning{Reason: inputUnreadable,
						Message: fmt.Sprintf("%s.%s of etcds.operator.openshift.io/cluster counts for nothing: the operator reads %s", at, key, name)})
				}
			}
		}
	}
	for field, raw := range map[string][]byte{"spec.observedConfig": spec.ObservedConfig.Raw, "spec.unsupportedConfigOverrides": spec.UnsupportedConfigOverrides.Raw} {
		var value any
		// What cannot be read at all is told by whoever reads it.
		if yaml.Unmarshal(raw, &value) == nil {
			look(field, value, readOfSpec)
		}
	}
	slices.SortFunc(warnings, func(a, b explain.Warning) int { return strings.Compare(a.Message, b.Message) })
	return warnings
}

package replicas

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

func TestParseObservedConfig(t *testing.T) {
	const here = "spec.observedConfig.controlPlane.replicas"
	for name, test := range map[string]struct {
		raw   string
		want  int
		fault fault
	}{
		"as the config observer writes it":        {raw: `{"controlPlane":{"replicas":3},"servingInfo":{"minTLSVersion":"VersionTLS12"}}`, want: 3},
		"as a must-gather shows it":               {raw: "controlPlane:\n  replicas: 5\n", want: 5},
		"an arbiter is in the number already":     {raw: `{"controlPlane":{"replicas":3},"arbiter":{"replicas":1}}`, want: 3},
		"nothing was observed yet":                {raw: "", fault: fault{here, "", "is missing"}},
		"null":                                    {raw: "null", fault: fault{here, "", "is missing"}},
		"an empty mapping":                        {raw: "{}", fault: fault{here, "", "is missing"}},
		"something else was observed":             {raw: `{"servingInfo":{}}`, fault: fault{here, "", "is missing"}},
		"the pool is null":                        {raw: `{"controlPlane":null}`, fault: fault{"spec.observedConfig.controlPlane", "null", "is null, not a mapping"}},
		"a number in quotes":                      {raw: `{"controlPlane":{"replicas":"3"}}`, fault: fault{here, "3", "is text, not a number"}},
		"zero":                                    {raw: `{"controlPlane":{"replicas":0}}`, fault: fault{here, "0", "is zero"}},
		"an absurd number":                        {raw: `{"controlPlane":{"replicas":1000}}`, fault: fault{here, "1000", "is more than 9, which no control plane has"}},
		"a list":                                  {raw: `[]`, fault: fault{"spec.observedConfig", "", "is a list, not a mapping"}},
		"what another tool wrote, which is junk":  {raw: "}{", fault: fault{"spec.observedConfig", "", "is not valid YAML: did not find expected node content"}},
		"a number that was observed with a point": {raw: `{"controlPlane":{"replicas":3.0}}`, fault: fault{here, "3.0", "is not written as a whole number"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseObservedConfig([]byte(test.raw))
			test.fault.check(t, "etcds.operator.openshift.io/cluster", err)
			if got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
			if err != nil && !strings.Contains(err.Error(), "install-config of ConfigMap cluster-config-v1 in kube-system") {
				t.Errorf("the remedy does not lead to the source: %v", err)
			}
		})
	}
}

func TestParseOverrides(t *testing.T) {
	const (
		document = "spec.unsupportedConfigOverrides"
		here     = document + ".controlPlane.replicas"
		flag     = document + ".useUnsupportedUnsafeNonHANonProductionUnstableEtcd"
	)
	none := Override{Set: snapshot.False}
	for name, test := range map[string]struct {
		raw   string
		want  Overrides
		fault fault
	}{
		"nothing":                                    {raw: "", want: Overrides{Replicas: none}},
		"null":                                       {raw: "null", want: Overrides{Replicas: none}},
		"an empty mapping":                           {raw: "{}", want: Overrides{Replicas: none}},
		"overrides of something else":                {raw: `{"servingInfo":{}}`, want: Overrides{Replicas: none}},
		"a pool without replicas":                    {raw: `{"controlPlane":{"name":"master"}}`, want: Overrides{Replicas: none}},
		"a pool that is null":                        {raw: `{"controlPlane":null}`, want: Overrides{Replicas: none}},
		"replicas null":                              {raw: `{"controlPlane":{"replicas":null}}`, want: Overrides{Replicas: none}},
		"a number":                                   {raw: `{"controlPlane":{"replicas":5}}`, want: Overrides{Replicas: Override{snapshot.True, 5}}},
		"a number in YAML":                           {raw: "controlPlane:\n  replicas: 1\n", want: Overrides{Replicas: Override{snapshot.True, 1}}},
		"the unsafe flag":                            {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":true}`, want: Overrides{Replicas: none, UnsafeNonHA: true}},
		"the unsafe flag as text":                    {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":"true"}`, want: Overrides{Replicas: none, UnsafeNonHA: true}},
		"the unsafe flag off":                        {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":false}`, want: Overrides{Replicas: none}},
		"the unsafe flag off as text":                {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":"false"}`, want: Overrides{Replicas: none}},
		"the unsafe flag null":                       {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":null}`, want: Overrides{Replicas: none}},
		"the unsafe flag and a number":               {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":"true","controlPlane":{"replicas":1}}`, want: Overrides{Replicas: Override{snapshot.True, 1}, UnsafeNonHA: true}},
		"a flag with the same letters in lower case": {raw: `{"useunsupportedunsafenonhanonproductionunstableetcd":true}`, want: Overrides{Replicas: none}},

		"a word for a number":     {raw: `{"controlPlane":{"replicas":"three"}}`, fault: fault{here, "three", "is text, not a number"}},
		"a number in quotes":      {raw: `{"controlPlane":{"replicas":"3"}}`, fault: fault{here, "3", "is text, not a number"}},
		"a broken number":         {raw: `{"controlPlane":{"replicas":3.5}}`, fault: fault{here, "3.5", "is not written as a whole number"}},
		"a negative number":       {raw: `{"controlPlane":{"replicas":-3}}`, fault: fault{here, "-3", "is negative"}},
		"zero":                    {raw: `{"controlPlane":{"replicas":0}}`, fault: fault{here, "0", "is zero"}},
		"an absurd number":        {raw: `{"controlPlane":{"replicas":1000}}`, fault: fault{here, "1000", "is more than 9, which no control plane has"}},
		"false is no number":      {raw: `{"controlPlane":{"replicas":false}}`, fault: fault{here, "false", "is true or false, not a number"}},
		"a pool that is a number": {raw: `{"controlPlane":3}`, fault: fault{document + ".controlPlane", "3", "is a number, not a mapping"}},
		"a pool that is false":    {raw: `{"controlPlane":false}`, fault: fault{document + ".controlPlane", "false", "is true or false, not a mapping"}},
		"a bad number does not hide the unsafe flag":     {raw: `{"controlPlane":{"replicas":0},"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":true}`, want: Overrides{UnsafeNonHA: true}, fault: fault{here, "0", "is zero"}},
		"a bad flag is off and does not hide a number":   {raw: `{"controlPlane":{"replicas":5},"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":"sure"}`, want: Overrides{Replicas: Override{snapshot.True, 5}}, fault: fault{flag, "sure", "is neither true nor false"}},
		"of two bad fields the number is told first":     {raw: `{"controlPlane":{"replicas":0},"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":"sure"}`, fault: fault{here, "0", "is zero"}},
		"the unsafe flag as a number":                    {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":1}`, want: Overrides{Replicas: none}, fault: fault{flag, "1", "is neither true nor false"}},
		"the unsafe flag as text in capitals":            {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":"TRUE"}`, want: Overrides{Replicas: none}, fault: fault{flag, "TRUE", "is neither true nor false"}},
		"the unsafe flag as an empty text":               {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":""}`, want: Overrides{Replicas: none}, fault: fault{flag, "", "is neither true nor false"}},
		"the unsafe flag as a list":                      {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":[true]}`, want: Overrides{Replicas: none}, fault: fault{flag, "[...]", "is neither true nor false"}},
		"the unsafe flag as a mapping":                   {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":{"a":true}}`, want: Overrides{Replicas: none}, fault: fault{flag, "{...}", "is neither true nor false"}},
		"the whole is a word, so nothing of it is known": {raw: `"junk"`, fault: fault{document, "", "is text, not a mapping"}},
		"the whole is junk":                              {raw: "\x1b", fault: fault{document, "", "is not valid YAML: control characters are not allowed"}},
		"the flag is there twice":                        {raw: `{"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":false,"useUnsupportedUnsafeNonHANonProductionUnstableEtcd":true}`, fault: fault{document, "", `is not valid JSON: key "useUnsupportedUnsafeNonHANonProductionUnstableEtcd" already set in map`}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseOverrides([]byte(test.raw))
			test.fault.check(t, "etcds.operator.openshift.io/cluster", err)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("unexpected overrides (-want +got):\n%s", diff)
			}
		})
	}
}

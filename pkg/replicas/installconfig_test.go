package replicas

import (
	"bytes"
	"strings"
	"testing"
)

// installed is an install-config as the installer leaves it in the cluster, shortened.
const installed = `additionalTrustBundlePolicy: Proxyonly
apiVersion: v1
baseDomain: example.com
compute:
- architecture: amd64
  hyperthreading: Enabled
  name: worker
  platform: {}
  replicas: 2
controlPlane:
  architecture: amd64
  hyperthreading: Enabled
  name: master
  platform: {}
  replicas: 3
metadata:
  creationTimestamp: null
  name: demo
networking:
  clusterNetwork:
  - cidr: 10.128.0.0/14
    hostPrefix: 23
  machineNetwork:
  - cidr: 10.0.0.0/16
  networkType: OVNKubernetes
  serviceNetwork:
  - 172.30.0.0/16
platform:
  aws:
    region: us-east-1
publish: External
pullSecret: ""
sshKey: |
  ssh-ed25519 AAAA user@example.com
`

const (
	configMapObject  = "ConfigMap cluster-config-v1 in kube-system"
	documentField    = "key install-config"
	controlPlaneHere = "controlPlane.replicas in key install-config"
	arbiterHere      = "arbiter.replicas in key install-config"
)

func TestParseInstallConfig(t *testing.T) {
	for name, test := range map[string]struct {
		document string
		want     int
		fault    fault
	}{
		"the document of an installation": {document: installed, want: 3},
		"JSON":                            {document: `{"controlPlane":{"replicas":3}}`, want: 3},
		"JSON with a key that is too long for YAML":              {document: `{"` + strings.Repeat("k", 2000) + `":1,"controlPlane":{"replicas":3}}`, want: 3},
		"JSON with an emoji as two escapes":                      {document: `{"metadata":{"name":"\ud83d\ude00"},"controlPlane":{"replicas":3}}`, want: 3},
		"JSON indented by tabs":                                  {document: "{\n\t\"controlPlane\": {\n\t\t\"replicas\": 3\n\t}\n}\n", want: 3},
		"a single node":                                          {document: "controlPlane: {replicas: 1}", want: 1},
		"the most that is not absurd":                            {document: "controlPlane: {replicas: 9}", want: 9},
		"an arbiter counts":                                      {document: "controlPlane: {replicas: 2}\narbiter: {name: arbiter, replicas: 1}", want: 3},
		"the document begins with a separator and a comment":     {document: "---\n# mine\ncontrolPlane: {replicas: 5}\n", want: 5},
		"the document ends with its end marker":                  {document: "controlPlane: {replicas: 5}\n...\n", want: 5},
		"lines end as on Windows":                                {document: "controlPlane:\r\n  replicas: 3\r\n", want: 3},
		"a byte order mark":                                      {document: "\ufeffcontrolPlane: {replicas: 3}", want: 3},
		"an alias stands for the number":                         {document: "compute: [{replicas: &n 3}]\ncontrolPlane: {replicas: *n}", want: 3},
		"a merged mapping brings the number":                     {document: "pool: &p {replicas: 3}\ncontrolPlane: {<<: *p}", want: 3},
		"a merged mapping brings an arbiter":                     {document: "pools: &p {arbiter: {replicas: 1}}\n<<: *p\ncontrolPlane: {replicas: 2}", want: 3},
		"the number of another pool does not count":              {document: "compute: {replicas: 7}\nreplicas: 8\ncontrolPlane: {platform: {replicas: 9}, replicas: 3}", want: 3},
		"a key with the same letters in another case is another": {document: "controlplane: {replicas: 5}\nControlPlane: {replicas: 5}\ncontrolPlane: {Replicas: 5, replicas: 3}", want: 3},

		"an empty document":                    {document: "", fault: fault{documentField, "", "is empty"}},
		"white space":                          {document: " \n\n", fault: fault{documentField, "", "is empty"}},
		"a comment":                            {document: "# controlPlane: {replicas: 3}\n", fault: fault{documentField, "", "is empty"}},
		"null":                                 {document: "null", fault: fault{documentField, "", "is empty"}},
		"a separator":                          {document: "---\n", fault: fault{documentField, "", "is empty"}},
		"a word":                               {document: "three", fault: fault{documentField, "", "is text, not a mapping"}},
		"a number":                             {document: "3", fault: fault{documentField, "", "is a number, not a mapping"}},
		"a list":                               {document: "- controlPlane: {replicas: 3}", fault: fault{documentField, "", "is a list, not a mapping"}},
		"a JSON list":                          {document: `[{"controlPlane":{"replicas":3}}]`, fault: fault{documentField, "", "is a list, not a mapping"}},
		"no pool":                              {document: "compute: {replicas: 3}", fault: fault{controlPlaneHere, "", "is missing"}},
		"a pool without replicas":              {document: "controlPlane: {name: master}", fault: fault{controlPlaneHere, "", "is missing"}},
		"a pool that is null":                  {document: "controlPlane:\ncompute: []", fault: fault{"controlPlane in key install-config", "null", "is null, not a mapping"}},
		"a pool that is a number":              {document: "controlPlane: 3", fault: fault{"controlPlane in key install-config", "3", "is a number, not a mapping"}},
		"a pool that is a list":                {document: "controlPlane: [{replicas: 3}]", fault: fault{"controlPlane in key install-config", "[...]", "is a list, not a mapping"}},
		"replicas null":                        {document: "controlPlane: {replicas: }", fault: fault{controlPlaneHere, "null", "is null, not a number"}},
		"replicas null in JSON":                {document: `{"controlPlane":{"replicas":null}}`, fault: fault{controlPlaneHere, "null", "is null, not a number"}},
		"replicas \"three\"":                   {document: "controlPlane: {replicas: three}", fault: fault{controlPlaneHere, "three", "is text, not a number"}},
		"replicas 3 in quotes":                 {document: `controlPlane: {replicas: "3"}`, fault: fault{controlPlaneHere, "3", "is text, not a number"}},
		"replicas 3 in quotes in JSON":         {document: `{"controlPlane":{"replicas":"3"}}`, fault: fault{controlPlaneHere, "3", "is text, not a number"}},
		"replicas an empty text":               {document: `controlPlane: {replicas: ""}`, fault: fault{controlPlaneHere, "", "is text, not a number"}},
		"replicas yes":                         {document: "controlPlane: {replicas: yes}", fault: fault{controlPlaneHere, "true", "is true or false, not a number"}},
		"replicas a mapping":                   {document: "controlPlane: {replicas: {secret: hunter2}}", fault: fault{controlPlaneHere, "{...}", "is a mapping, not a number"}},
		"replicas a list":                      {document: "controlPlane: {replicas: [3]}", fault: fault{controlPlaneHere, "[...]", "is a list, not a number"}},
		"replicas a date":                      {document: "controlPlane: {replicas: 2020-01-01}", fault: fault{controlPlaneHere, "2020-01-01", "is text, not a number"}},
		"replicas 3.5":                         {document: "controlPlane: {replicas: 3.5}", fault: fault{controlPlaneHere, "3.5", "is not written as a whole number"}},
		"replicas 3.0":                         {document: "controlPlane: {replicas: 3.0}", fault: fault{controlPlaneHere, "3", "is not written as a whole number"}},
		"replicas 3.0 in JSON":                 {document: `{"controlPlane":{"replicas":3.0}}`, fault: fault{controlPlaneHere, "3.0", "is not written as a whole number"}},
		"replicas 3e0 in JSON":                 {document: `{"controlPlane":{"replicas":3e0}}`, fault: fault{controlPlaneHere, "3e0", "is not written as a whole number"}},
		"replicas 0.5":                         {document: "controlPlane: {replicas: 0.5}", fault: fault{controlPlaneHere, "0.5", "is not written as a whole number"}},
		"replicas not a number, as YAML says":  {document: "controlPlane: {replicas: .nan}", fault: fault{controlPlaneHere, "NaN", "is not a number"}},
		"replicas infinite":                    {document: "controlPlane: {replicas: .inf}", fault: fault{controlPlaneHere, "+Inf", "is more than 9, which no control plane has"}},
		"replicas -1":                          {document: "controlPlane: {replicas: -1}", fault: fault{controlPlaneHere, "-1", "is negative"}},
		"replicas -1 in JSON":                  {document: `{"controlPlane":{"replicas":-1}}`, fault: fault{controlPlaneHere, "-1", "is negative"}},
		"replicas 0":                           {document: "controlPlane: {replicas: 0}", fault: fault{controlPlaneHere, "0", "is zero"}},
		"replicas -0 in JSON":                  {document: `{"controlPlane":{"replicas":-0}}`, fault: fault{controlPlaneHere, "-0", "is zero"}},
		"replicas 10":                          {document: "controlPlane: {replicas: 10}", fault: fault{controlPlaneHere, "10", "is more than 9, which no control plane has"}},
		"replicas 1000":                        {document: "controlPlane: {replicas: 1000}", fault: fault{controlPlaneHere, "1000", "is more than 9, which no control plane has"}},
		"replicas that wraps round 32 bits":    {document: "controlPlane: {replicas: 4294967299}", fault: fault{controlPlaneHere, "4294967299", "is more than 9, which no control plane has"}},
		"replicas that wraps round 64 bits":    {document: "controlPlane: {replicas: 18446744073709551615}", fault: fault{controlPlaneHere, "18446744073709551615", "is more than 9, which no control plane has"}},
		"replicas larger than any integer":     {document: "controlPlane: {replicas: 18446744073709551619}", fault: fault{controlPlaneHere, "1.8446744073709552e+19", "is more than 9, which no control plane has"}},
		"and in JSON":                          {document: `{"controlPlane":{"replicas":18446744073709551619}}`, fault: fault{controlPlaneHere, "18446744073709551619", "is more than 9, which no control plane has"}},
		"replicas larger than any number":      {document: `{"controlPlane":{"replicas":1e999}}`, fault: fault{controlPlaneHere, "1e999", "is more than 9, which no control plane has"}},
		"replicas smaller than any number":     {document: `{"controlPlane":{"replicas":-1e999}}`, fault: fault{controlPlaneHere, "-1e999", "is negative"}},
		"an arbiter that is null":              {document: "controlPlane: {replicas: 2}\narbiter:\n", fault: fault{"arbiter in key install-config", "null", "is null, not a mapping"}},
		"an arbiter without replicas":          {document: "controlPlane: {replicas: 2}\narbiter: {}\n", fault: fault{arbiterHere, "", "is missing"}},
		"an arbiter with a word":               {document: "controlPlane: {replicas: 2}\narbiter: {replicas: one}\n", fault: fault{arbiterHere, "one", "is text, not a number"}},
		"an arbiter with 0":                    {document: "controlPlane: {replicas: 2}\narbiter: {replicas: 0}\n", fault: fault{arbiterHere, "0", "is zero"}},
		"an arbiter with -1, whose sum is 2":   {document: "controlPlane: {replicas: 3}\narbiter: {replicas: -1}\n", fault: fault{arbiterHere, "-1", "is negative"}},
		"an arbiter with 1000":                 {document: "controlPlane: {replicas: 2}\narbiter: {replicas: 1000}\n", fault: fault{arbiterHere, "1000", "is more than 9, which no control plane has"}},
		"two numbers whose sum is absurd":      {document: "controlPlane: {replicas: 8}\narbiter: {replicas: 2}\n", fault: fault{"controlPlane.replicas + arbiter.replicas in key install-config", "8 + 2", "is more than 9, which no control plane has"}},
		"a good arbiter beside a bad number":   {document: "controlPlane: {replicas: three}\narbiter: {replicas: 1}\n", fault: fault{controlPlaneHere, "three", "is text, not a number"}},
		"the number is there twice":            {document: "controlPlane:\n  replicas: 3\n  replicas: 5\n", fault: fault{documentField, "", `is not valid YAML: line 3: key "replicas" already set in map`}},
		"the pool is there twice":              {document: "controlPlane: {replicas: 3}\ncontrolPlane: {replicas: 5}\n", fault: fault{documentField, "", `is not valid YAML: line 2: key "controlPlane" already set in map`}},
		"the number is there twice in JSON":    {document: `{"controlPlane":{"replicas":3,"replicas":5}}`, fault: fault{documentField, "", `is not valid JSON: key "replicas" already set in map`}},
		"another key is there twice in a list": {document: `{"compute":[{"a":1,"a":2}],"controlPlane":{"replicas":3}}`, fault: fault{documentField, "", `is not valid JSON: key "a" already set in map`}},
		"a merged mapping is overruled":        {document: "pool: &p {replicas: 3}\ncontrolPlane: {<<: *p, replicas: 5}", fault: fault{documentField, "", `is not valid YAML: line 2: key "replicas" already set in map`}},
		"two documents":                        {document: "controlPlane: {replicas: 3}\n---\ncontrolPlane: {replicas: 5}\n", fault: fault{documentField, "", "holds more than one YAML document"}},
		"an empty document, then another":      {document: "---\n---\ncontrolPlane: {replicas: 5}\n", fault: fault{documentField, "", "holds more than one YAML document"}},
		"a document and a separator":           {document: "controlPlane: {replicas: 3}\n---\n", fault: fault{documentField, "", "holds more than one YAML document"}},
		"junk after the end":                   {document: "controlPlane: {replicas: 3}\n...\n}{\n", fault: fault{documentField, "", "goes on after the end of its YAML document: line 2: did not find expected <document start>"}},
		"two JSON documents":                   {document: `{"controlPlane":{"replicas":3}} {"controlPlane":{"replicas":5}}`, fault: fault{documentField, "", "goes on after the end of its YAML document: did not find expected <document start>"}},
		"JSON that breaks off":                 {document: `{"controlPlane":{"replicas":3}`, fault: fault{documentField, "", "is not valid YAML: line 1: did not find expected ',' or '}'"}},
		"YAML that breaks off":                 {document: `controlPlane: {replicas: "3`, fault: fault{documentField, "", "is not valid YAML: found unexpected end of stream"}},
		"an alias of nothing":                  {document: "controlPlane: *p", fault: fault{documentField, "", "is not valid YAML: unknown anchor 'p' referenced"}},
		"an alias of itself":                   {document: "controlPlane: &p {replicas: *p}", fault: fault{documentField, "", "is not valid YAML: anchor 'p' value contains itself"}},
		"a number that is declared to be text": {document: "controlPlane: {replicas: !!str 3}", fault: fault{controlPlaneHere, "3", "is text, not a number"}},
		"binary":                               {document: "\x7fELF\x02\x01\x01\x00", fault: fault{documentField, "", "is not valid YAML: control characters are not allowed"}},
		"not UTF-8":                            {document: "controlPlane: {replicas: 3} # \xc3\x28", fault: fault{documentField, "", "is not valid YAML: invalid trailing UTF-8 octet"}},
		"a terminal escape":                    {document: "controlPlane: {replicas: \"\\e[2J\"}", fault: fault{controlPlaneHere, "\x1b[2J", "is text, not a number"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseInstallConfig(test.document)
			test.fault.check(t, configMapObject, err)
			if got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestParseInstallConfigDoesNotChokeOnBadDocumentsOfAnySize(t *testing.T) {
	for name, document := range map[string][]byte{
		"a megabyte of open brackets":  bytes.Repeat([]byte("["), maxDocumentBytes),
		"a megabyte of open braces":    bytes.Repeat([]byte("{a: "), maxDocumentBytes/4),
		"a megabyte of dashes":         bytes.Repeat([]byte("- "), maxDocumentBytes/2),
		"a megabyte of question marks": bytes.Repeat([]byte("? "), maxDocumentBytes/2),
		"a megabyte of quotes":         bytes.Repeat([]byte("'"), maxDocumentBytes),
		"a megabyte of ones":           bytes.Repeat([]byte("1"), maxDocumentBytes),
		"a megabyte of zero bytes":     make([]byte, maxDocumentBytes),
		"a megabyte of one key":        bytes.Repeat([]byte("a: 1\n"), maxDocumentBytes/5),
		"nested aliases":               billionLaughs(),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseInstallConfig(string(document))
			if got != 0 || err == nil {
				t.Fatalf("got %d and %v, want an error alone", got, err)
			}
			inputError(t, err)
		})
	}
}

func TestParseInstallConfigReadsAsMuchAsAConfigMapHolds(t *testing.T) {
	document := "controlPlane: {replicas: 3}\n#"
	document += strings.Repeat("x", maxDocumentBytes-len(document))
	if n, err := ParseInstallConfig(document); n != 3 || err != nil {
		t.Errorf("got %d and %v for %d bytes", n, err, len(document))
	}
	n, err := ParseInstallConfig(document + "x")
	if n != 0 {
		t.Errorf("got %d for one byte more", n)
	}
	fault{documentField, "", "has 1048577 bytes, more than the 1048576 that a ConfigMap can hold"}.check(t, configMapObject, err)
}

// billionLaughs is a small document whose aliases expand to 10^9 elements.
func billionLaughs() []byte {
	document := "controlPlane: {replicas: 3}\na: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for name := byte('b'); name < 'j'; name++ {
		before := string(name - 1)
		document += string(name) + ": &" + string(name) + " [*" + before + strings.Repeat(", *"+before, 9) + "]\n"
	}
	return []byte(document)
}

func TestErrorsAboutAnInstallConfigDoNotShowItsContent(t *testing.T) {
	for name, document := range map[string]string{
		"a value of another type than declared": "platform: !!int hunter2\ncontrolPlane: {replicas: 3}",
		"a mapping as a key":                    "? {password: hunter2}\n: 1\n",
		"a list as a key":                       "? [hunter2]\n: 1\n",
		"a line without a colon":                "controlPlane:\n  replicas: 3\n hunter2\n",
		"a value that goes on":                  "pullSecret: \"hunter2\" hunter2\n",
		"a document that is text":               "hunter2",
		"a pool that is a mapping of secrets":   "controlPlane: {replicas: {password: hunter2}}",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseInstallConfig(document)
			if err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got %v, want an error that does not show the content", err)
			}
		})
	}
}

func TestFromConfigMap(t *testing.T) {
	for name, test := range map[string]struct {
		exists bool
		data   map[string]string
		want   int
		fault  fault
	}{
		"the ConfigMap is there":          {exists: true, data: map[string]string{"install-config": installed}, want: 3},
		"the ConfigMap is missing":        {fault: fault{documentField, "", "is missing, as is the whole ConfigMap"}},
		"the ConfigMap is empty":          {exists: true, fault: fault{documentField, "", "is missing"}},
		"the key has another name":        {exists: true, data: map[string]string{"installConfig": installed}, fault: fault{documentField, "", "is missing"}},
		"the key is there and is empty":   {exists: true, data: map[string]string{"install-config": ""}, fault: fault{documentField, "", "is empty"}},
		"the field is missing":            {exists: true, data: map[string]string{"install-config": "apiVersion: v1"}, fault: fault{controlPlaneHere, "", "is missing"}},
		"what is gone has no data either": {exists: false, data: map[string]string{"install-config": installed}, fault: fault{documentField, "", "is missing, as is the whole ConfigMap"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := FromConfigMap(test.exists, test.data)
			test.fault.check(t, configMapObject, err)
			if got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestAnErrorNamesObjectKeyFieldAndRemedy(t *testing.T) {
	_, err := ParseInstallConfig("controlPlane: {replicas: three}")
	const want = `read controlPlane.replicas in key install-config of ConfigMap cluster-config-v1 in kube-system: "three" is text, not a number; ` +
		`write a whole number from 1 to 9, without quotes`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

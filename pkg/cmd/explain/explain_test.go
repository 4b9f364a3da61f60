package explain

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/pkg/cmd"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

type result struct {
	status         int
	stdout, stderr string
}

func execute(args ...string) result {
	root := &cobra.Command{Use: "operator"}
	root.AddCommand(NewCommand())
	var stdout, stderr bytes.Buffer
	status := cmd.Execute(root, args, &stdout, &stderr)
	return result{status, stdout.String(), stderr.String()}
}

// gathered writes the must-gather of a cluster whose machine a is deleting.
func gathered(t *testing.T, change func(files map[string]string)) string {
	t.Helper()
	s := snapshottest.New(snapshottest.Deleting(snapshottest.A))
	files := mustgathertest.Files(&s)
	change(files)
	root := t.TempDir()
	if err := mustgathertest.Write(root, files); err != nil {
		t.Fatal(err)
	}
	return root
}

func unchanged(map[string]string) {}

// nowhere is a kubeconfig of an API server that is not there.
func nowhere(t *testing.T) string {
	t.Helper()
	config := clientcmdapi.NewConfig()
	config.Clusters["c"] = &clientcmdapi.Cluster{Server: "https://127.0.0.1:1"}
	config.Contexts["c"] = &clientcmdapi.Context{Cluster: "c"}
	config.CurrentContext = "c"
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestWithoutTheEtcdResourceNothingIsAboutToHappen(t *testing.T) {
	s := snapshottest.New()
	const file = mustgathertest.Image + "/cluster-scoped-resources/operator.openshift.io/etcds/cluster.yaml"
	for name, change := range map[string]func(files map[string]string){
		"it is missing": func(files map[string]string) { delete(files, file) },
		"it ends before the statuses of the nodes": func(files map[string]string) {
			files[file] = files[file][:strings.Index(files[file], "  nodeStatuses:")]
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := mustgathertest.Files(&s)
			if files[file] == "" {
				t.Fatalf("there is no %s", file)
			}
			change(files)
			root := t.TempDir()
			if err := mustgathertest.Write(root, files); err != nil {
				t.Fatal(err)
			}
			got := execute("explain", "--from-dir", root).stdout
			for _, want := range []string{"UNKNOWN  the etcd resource was not read", "whether a drain may pass is unknown"} {
				if !strings.Contains(got, want) {
					t.Errorf("it does not say %q:\n%s", want, got)
				}
			}
			if strings.Contains(got, "NEXT ") || strings.Contains(got, "a drain may pass:") {
				t.Errorf("it says what comes next:\n%s", got)
			}
		})
	}
}

func TestExitStatus(t *testing.T) {
	// Whatever cluster the person who runs the test has, it is not asked.
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	whole, other := gathered(t, unchanged), t.TempDir()
	for name, test := range map[string]struct {
		args   []string
		status int
		// stderr is a part of what is said there; nothing else may be.
		stderr string
	}{
		"what could be explained exits 0":         {[]string{"explain", "--from-dir", whole}, cmd.StatusOK, ""},
		"no cluster to explain exits 1":           {[]string{"explain"}, cmd.StatusFailed, "--kubeconfig names one, --from-dir explains a must-gather"},
		"a kubeconfig that is not there exits 1":  {[]string{"explain", "--kubeconfig", filepath.Join(other, "none")}, cmd.StatusFailed, "no such file"},
		"an API server that is not there exits 1": {[]string{"explain", "--kubeconfig", nowhere(t)}, cmd.StatusFailed, "reach the API server https://127.0.0.1:1: "},
		"a directory has no kubeconfig":           {[]string{"explain", "--from-dir", whole, "--kubeconfig", "x"}, cmd.StatusUsage, "contacts no cluster"},
		"an empty directory is no live cluster":   {[]string{"explain", "--from-dir", ""}, cmd.StatusUsage, "--from-dir is given and empty"},
		"an empty kubeconfig is a mistake too":    {[]string{"explain", "--kubeconfig="}, cmd.StatusUsage, "--kubeconfig is given and empty"},
		"a directory is not watched":              {[]string{"explain", "--from-dir", whole, "--watch"}, cmd.StatusUsage, "a directory does not change"},
		"an unknown format is a mistake of usage": {[]string{"explain", "--from-dir", whole, "-o", "xml"}, cmd.StatusUsage, `unknown output format "xml"`},
		"an argument is a mistake of usage":       {[]string{"explain", whole}, cmd.StatusUsage, "unknown command"},
		"a path that is not there exits 1":        {[]string{"explain", "--from-dir", filepath.Join(whole, "none")}, cmd.StatusFailed, "no such file"},
		"a folder of something else exits 1":      {[]string{"explain", "--from-dir", other}, cmd.StatusFailed, "neither a must-gather nor the output of oc adm inspect"},
	} {
		t.Run(name, func(t *testing.T) {
			got := execute(test.args...)
			if got.status != test.status || !strings.Contains(got.stderr, test.stderr) || test.stderr == "" && got.stderr != "" {
				t.Errorf("status %d, stderr %q; want %d, %q", got.status, got.stderr, test.status, test.stderr)
			}
			if (got.stdout != "") != (test.status == cmd.StatusOK) {
				t.Errorf("stdout %q", got.stdout)
			}
		})
	}
}

func TestStandardOutputCarriesTheDocumentAlone(t *testing.T) {
	const hostile = "\x1b[2Jname"
	root := gathered(t, func(files map[string]string) {
		for name := range files {
			if strings.HasSuffix(name, "alarm_list.json") {
				delete(files, name)
			}
		}
		files[mustgathertest.Image+"/cluster-scoped-resources/core/nodes/x.yaml"] = "kind: Node\nmetadata:\n  labels:\n    node-role.kubernetes.io/master: \"\"\n  name: \"\\e[2Jname\"\nstatus:\n  addresses:\n  - address: \"\\e[2Jaddress\"\n    type: InternalIP\n"
	})
	text := execute("explain", "--from-dir", root)
	if !strings.HasPrefix(text.stdout, "etcd cluster c1") || !strings.Contains(text.stdout, "alarm_list.json") {
		t.Errorf("stdout:\n%s", text.stdout)
	}
	if !strings.Contains(text.stderr, "warning: alarms unknown: there is no etcd_info/alarm_list.json\n") {
		t.Errorf("stderr:\n%s", text.stderr)
	}
	if strings.Contains(text.stdout+text.stderr, "\x1b") {
		t.Errorf("an escape sequence came through %q", hostile)
	}
	var fromJSON, fromYAML struct {
		Kind     string
		Warnings []struct{ Reason string }
	}
	asJSON := execute("explain", "--from-dir", root, "-o", "json")
	if err := json.Unmarshal([]byte(asJSON.stdout), &fromJSON); err != nil || fromJSON.Kind != "Explanation" || len(fromJSON.Warnings) != 2 || asJSON.stderr != "" {
		t.Errorf("%v, stderr %q:\n%s", err, asJSON.stderr, asJSON.stdout)
	}
	asYAML := execute("explain", "--from-dir", root, "-o", "yaml")
	if err := yaml.Unmarshal([]byte(asYAML.stdout), &fromYAML); err != nil || fromYAML.Kind != "Explanation" || asYAML.stderr != "" {
		t.Errorf("%v, stderr %q:\n%s", err, asYAML.stderr, asYAML.stdout)
	}
}

func TestFormatsAreCompleted(t *testing.T) {
	got := execute("__complete", "explain", "-o", "")
	for _, format := range formats {
		if !strings.Contains(got.stdout, format+"\n") {
			t.Errorf("%s is not offered: %q", format, got.stdout)
		}
	}
}

func TestColourIsForTerminalsOnly(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	terminal, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = terminal.Close() }()
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	if styleFor(&bytes.Buffer{}) || styleFor(file) {
		t.Error("a buffer or a file gets colours")
	}
	// The null device is a character device, as a terminal is.
	if !styleFor(terminal) {
		t.Error("a terminal gets none")
	}
	t.Setenv("NO_COLOR", "1")
	if styleFor(terminal) {
		t.Error("NO_COLOR is not heeded")
	}
}

func TestAnOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	closed, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	root := &cobra.Command{Use: "operator"}
	root.AddCommand(NewCommand())
	var stderr bytes.Buffer
	if status := cmd.Execute(root, []string{"explain", "--from-dir", gathered(t, unchanged)}, closed, &stderr); status != cmd.StatusFailed {
		t.Errorf("status %d, stderr %q", status, stderr.String())
	}
}

func TestAFullDiskIsAnError(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("there is no device that is always full: %v", err)
	}
	defer func() { _ = full.Close() }()
	root := &cobra.Command{Use: "operator"}
	root.AddCommand(NewCommand())
	for _, format := range formats {
		var stderr bytes.Buffer
		if status := cmd.Execute(root, []string{"explain", "--from-dir", gathered(t, unchanged), "-o", format}, full, &stderr); status != cmd.StatusFailed || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("-o %s: status %d, stderr %q", format, status, stderr.String())
		}
	}
}

func TestAKeyInAnotherCaseIsSaidToCountForNothing(t *testing.T) {
	const file = mustgathertest.Image + "/cluster-scoped-resources/operator.openshift.io/etcds/cluster.yaml"
	for _, test := range []struct{ overrides, want string }{
		{"    ControlPlane:\n      replicas: 5\n", "spec.unsupportedConfigOverrides.ControlPlane of etcds.operator.openshift.io/cluster counts for nothing: the operator reads controlPlane"},
		{"    controlPlane:\n      Replicas: 5\n", "spec.unsupportedConfigOverrides.controlPlane.Replicas of"},
		{"    controlPlane:\n      replicas: 5\n    other: true\n", ""},
	} {
		root := gathered(t, func(files map[string]string) {
			before, after, found := strings.Cut(files[file], "spec:\n")
			if !found {
				t.Fatalf("no spec in %s", files[file])
			}
			files[file] = before + "spec:\n  unsupportedConfigOverrides:\n" + test.overrides + after
		})
		if got := execute("explain", "--from-dir", root).stderr; !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("of\n%s: %s", test.overrides, got)
		}
	}
}

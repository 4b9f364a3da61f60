package operator

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/spf13/cobra"

	"github.com/openshift/cluster-etcd-operator/pkg/cmd"
)

func TestWhatCannotBeStartedIsSaid(t *testing.T) {
	config := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(config, []byte("apiVersion: operator.openshift.io/v1alpha1\nkind: GenericOperatorConfig\nleaderElection: {disable: true}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args   []string
		status int
		stderr string
	}{
		"two without a lease could change members at the same time": {[]string{"--config", config}, cmd.StatusFailed, "leaderElection.disable"},
		"a configuration that is not there":                         {[]string{"--config", config + ".none"}, cmd.StatusFailed, "no such file"},
		"an argument is a mistake of usage":                         {[]string{"now"}, cmd.StatusUsage, "unknown command"},
		"an unknown flag is a mistake of usage":                     {[]string{"--fast"}, cmd.StatusUsage, "unknown flag"},
	} {
		t.Run(name, func(t *testing.T) {
			root := &cobra.Command{Use: "test"}
			root.AddCommand(NewCommand())
			var stdout, stderr bytes.Buffer
			status := cmd.Execute(root, append([]string{"operator"}, test.args...), &stdout, &stderr)
			if status != test.status || !strings.Contains(stderr.String(), test.stderr) {
				t.Errorf("status %d, stderr %q", status, stderr.String())
			}
		})
	}
}

func TestEachProcessHasAnIdentityOfItsOwn(t *testing.T) {
	one, err := newIdentity()
	if err != nil {
		t.Fatal(err)
	}
	other, err := newIdentity()
	if err != nil || one == other {
		t.Errorf("%q and %q, %v", one, other, err)
	}
}

func TestTheLeaseIsThatOfAllVersionsUnlessConfigured(t *testing.T) {
	if got := leaseName(configv1.LeaderElection{}); got != "openshift-cluster-etcd-operator-lock" {
		t.Errorf("got %q", got)
	}
	if got := leaseName(configv1.LeaderElection{Name: "other"}); got != "other" {
		t.Errorf("got %q", got)
	}
}

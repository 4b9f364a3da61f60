package explain

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	operatorv1 "github.com/openshift/api/operator/v1"
	"github.com/spf13/cobra"

	"github.com/openshift/cluster-etcd-operator/pkg/explain"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// assumed is what a directory cannot tell, and what is taken instead.
var assumed = []string{
	"every duration that a rule asks for has passed: how long a member is unhealthy, has had no owner, or an install runs",
	"lists in the directory are complete: what is not in them does not exist",
	"the operator ships the version that ClusterVersion wants",
	"guard pods are as the operator wants them, and nobody strips hooks",
}

var formats = []string{"text", "json", "yaml"}

type options struct {
	fromDir, output string
}

// NewCommand returns the subcommand `explain`. It fails on what cannot be read, and asks for a directory before it runs,
// so that the lack of one is a mistake of usage.
func NewCommand() *cobra.Command {
	o := options{}
	c := &cobra.Command{
		Use:   "explain --from-dir PATH",
		Short: "Say what the operator would do now, and which rule stops everything else",
		Long: `Reads a must-gather or the output of oc adm inspect (a directory, or a tar or tar.gz of one) and prints what the
operator would do with the etcd members, machine hooks, guards and revisions found there, what it waits for, and which
rule refuses each alternative. It changes nothing and contacts no cluster.`,
		Example: `  cluster-etcd-operator explain --from-dir must-gather.local.5413
  cluster-etcd-operator explain --from-dir must-gather.tar.gz -o json | jq .membership`,
		Args:    cobra.NoArgs,
		PreRunE: func(*cobra.Command, []string) error { return o.check() },
		RunE: func(c *cobra.Command, _ []string) error {
			return o.run(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&o.fromDir, "from-dir", "", "must-gather or oc adm inspect directory, or a tar or tar.gz of one")
	c.Flags().StringVarP(&o.output, "output", "o", "text", "format of the document: text, json or yaml")
	// It cannot fail for a flag that exists.
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (o *options) check() error {
	if o.fromDir == "" {
		return errors.New("reading a live cluster is not part of this revision yet; give a must-gather with --from-dir PATH")
	}
	if !slices.Contains(formats, o.output) {
		return fmt.Errorf("unknown output format %q: it is text, json or yaml", o.output)
	}
	return nil
}

func (o *options) run(stdout, stderr io.Writer) error {
	document, err := fromDirectory(o.fromDir)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	switch o.output {
	case "json":
		err = encoded(&out, document.JSON)
	case "yaml":
		err = encoded(&out, document.YAML)
	default:
		err = document.WriteText(&out, styleFor(stdout))
		for _, w := range document.Warnings {
			fmt.Fprintf(stderr, "warning: %s\n", explain.Printable(w.Message))
		}
	}
	if err != nil {
		return err
	}
	if _, err := stdout.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write explanation: %w", err)
	}
	return nil
}

func encoded(out *bytes.Buffer, encode func() ([]byte, error)) error {
	text, err := encode()
	out.Write(text)
	return err
}

// fromDirectory explains what was gathered.
func fromDirectory(path string) (explain.Explanation, error) {
	gathered, err := mustgather.Read(path)
	if err != nil {
		return explain.Explanation{}, err
	}
	facts, problems := observe.Snapshot(observe.Pass{
		At: gathered.At, Objects: gathered.Objects, Etcd: gathered.Etcd, OperatorVersion: gathered.OperatorVersion,
	}, observe.ElapsedMemory())
	in := explain.Input{
		Snapshot: facts, Source: explain.SourceDirectory, Assumed: assumed,
		Errors: map[snapshot.MemberID]string{}, BlockingBudgets: gathered.ForeignBudgets,
	}
	addObjects(&in, gathered.Objects)
	for _, p := range gathered.Etcd.Probes {
		in.Errors[p.Member] = p.Error
	}
	for _, w := range gathered.Warnings {
		in.Warnings = append(in.Warnings, explain.Warning{Reason: w.Reason, Message: w.Message})
	}
	for _, err := range problems {
		in.Warnings = append(in.Warnings, explain.Warning{Reason: "InputUnreadable", Message: err.Error()})
	}
	return explain.New(in), nil
}

// addObjects tells what objects say beside the facts that decisions rest on.
func addObjects(in *explain.Input, objects observe.Objects) {
	if objects.Etcd.Exists.Holds() {
		spec := &objects.Etcd.Value.Spec.OperatorSpec
		// Without one the operator works as if it were Managed.
		in.ManagementState = string(cmp.Or(spec.ManagementState, operatorv1.Managed))
		in.WritesNothing = !report.IsManaged(spec)
	}
	in.BudgetMisshapen = objects.Budget.Exists.Holds() && quorumguard.Misshapen(objects.Budget.Value)
}

// styleFor colours for a terminal only, and not where somebody has asked for none.
func styleFor(w io.Writer) explain.Style {
	file, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return explain.Plain
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return explain.Plain
	}
	return explain.Coloured
}

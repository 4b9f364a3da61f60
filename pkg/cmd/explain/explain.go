package explain

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"

	operatorv1 "github.com/openshift/api/operator/v1"
	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-etcd-operator/pkg/explain"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// What cannot be told by one look, whether live or into a directory, and what is taken instead.
const (
	durationsAssumed = "every duration that a rule asks for has passed: how long a member is unhealthy, has had no owner, or an install runs"
	versionAssumed   = "the operator ships the version that ClusterVersion wants"
	guardsAssumed    = "guard pods are as the operator wants them, and nobody strips hooks"
	hooksAssumed     = "nobody strips hooks"
)

// assumed is what a directory cannot tell, and what is taken instead.
var assumed = []string{
	durationsAssumed,
	"lists in the directory are complete: what is not in them does not exist",
	versionAssumed,
	guardsAssumed,
}

// The formats of the document.
const (
	formatText = "text"
	formatJSON = "json"
	formatYAML = "yaml"
)

var formats = []string{formatText, formatJSON, formatYAML}

type options struct {
	fromDir, kubeconfig, output string
	watch                       bool
}

// NewCommand returns the subcommand `explain`. It fails on what cannot be read at all; what cannot be read in part is told
// by the document.
func NewCommand() *cobra.Command {
	o := options{}
	c := &cobra.Command{
		Use:   "explain",
		Short: "Say what the operator would do now, and which rule stops everything else",
		Long: `Prints what the operator would do with the etcd members, machine hooks, guards and revisions of a cluster, what it waits
for, and which rule refuses each alternative. It changes nothing.

Inside of the operator's pod it uses the pod's own rights and certificates. Elsewhere, or with --kubeconfig, it reads the
secret etcd-client and reaches members by port-forward; without these rights it says so and explains what is left.

With --from-dir it reads a must-gather or the output of oc adm inspect (a directory, or a tar or tar.gz of one) and
contacts no cluster.`,
		Example: `  oc -n openshift-etcd-operator exec deploy/etcd-operator -- cluster-etcd-operator explain
  cluster-etcd-operator explain --kubeconfig admin.kubeconfig --watch
  cluster-etcd-operator explain --from-dir must-gather.tar.gz -o json | jq .membership`,
		Args: cobra.NoArgs,
		PreRunE: func(c *cobra.Command, _ []string) error {
			for _, path := range []string{"from-dir", "kubeconfig"} {
				if flag := c.Flags().Lookup(path); flag.Changed && flag.Value.String() == "" {
					return fmt.Errorf("--%s is given and empty: name a path, or leave it out to explain the running cluster", path)
				}
			}
			return o.check()
		},
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmp.Or(c.Context(), context.Background()), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return o.run(ctx, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&o.fromDir, "from-dir", "", "must-gather or oc adm inspect directory, or a tar or tar.gz of one")
	c.Flags().StringVar(&o.kubeconfig, "kubeconfig", "", "kubeconfig file of the cluster; members are reached by port-forward then")
	c.Flags().StringVarP(&o.output, "output", "o", formatText, "format of the document: text, json or yaml")
	c.Flags().BoolVarP(&o.watch, "watch", "w", false, "print the document again whenever it says something else, until interrupted")
	// These cannot fail for flags that exist.
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (o *options) check() error {
	switch {
	case !slices.Contains(formats, o.output):
		return fmt.Errorf("unknown output format %q: it is text, json or yaml", o.output)
	case o.fromDir != "" && o.kubeconfig != "":
		return errors.New("--from-dir contacts no cluster, so --kubeconfig makes no sense with it")
	case o.fromDir != "" && o.watch:
		return errors.New("a directory does not change, so --watch makes no sense with --from-dir")
	}
	return nil
}

func (o *options) run(ctx context.Context, stdout, stderr io.Writer) error {
	p := printer{format: o.output, stdout: stdout, stderr: stderr, style: styleFor(stdout)}
	if o.fromDir != "" {
		document, err := fromDirectory(o.fromDir)
		if err != nil {
			return err
		}
		return p.print(&document)
	}
	// What clients would log is told by the document, in words that say what follows from it.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	c, err := connect(ctx, o.kubeconfig)
	if err != nil {
		return err
	}
	defer c.close()
	c.start(ctx)
	if o.watch {
		return watch(ctx, c, p.printAgain)
	}
	document := c.explain(ctx)
	if err := ctx.Err(); err != nil {
		return errors.New("interrupted")
	}
	return p.print(&document)
}

// printer writes documents in one format.
type printer struct {
	format         string
	stdout, stderr io.Writer
	style          explain.Style
	printed        bool
}

// print writes one document. With text the warnings are on standard error as well.
func (p *printer) print(document *explain.Explanation) error {
	if p.format == formatText {
		for _, w := range document.Warnings {
			fmt.Fprintf(p.stderr, "warning: %s\n", explain.Printable(w.Message))
		}
	}
	return p.write(document, "")
}

// printAgain writes the next of several documents: on a terminal in the place of the last one.
func (p *printer) printAgain(document *explain.Explanation) error {
	before := ""
	switch {
	case p.format == formatText && p.style == explain.Coloured:
		before = "\x1b[H\x1b[2J\x1b[3J"
	case p.format == formatText && p.printed:
		before = "\n" + strings.Repeat("=", explain.Columns) + "\n\n"
	case p.format == formatYAML && p.printed:
		before = "---\n"
	}
	p.printed = true
	return p.write(document, before)
}

func (p *printer) write(document *explain.Explanation, before string) error {
	out := bytes.NewBufferString(before)
	var err error
	switch p.format {
	case formatJSON:
		err = encoded(out, document.JSON)
	case formatYAML:
		err = encoded(out, document.YAML)
	default:
		err = document.WriteText(out, p.style)
	}
	if err != nil {
		return err
	}
	if _, err := p.stdout.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write explanation: %w", err)
	}
	return nil
}

func encoded(out *bytes.Buffer, encode func() ([]byte, error)) error {
	text, err := encode()
	out.Write(text)
	return err
}

// partOf are the parts that are files of etcdctl.
var partOf = map[string]explain.Part{
	"member_list.json": explain.Members, "endpoint_health.json": explain.EndpointHealth,
	"endpoint_status.json": explain.EndpointStatus, "alarm_list.json": explain.Alarms,
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
	in := explain.Input{Snapshot: facts, Source: explain.SourceDirectory, Assumed: assumed, BlockingBudgets: gathered.ForeignBudgets, GuardBudgets: gathered.GuardBudgets,
		Unread: map[explain.Part]string{}, NotAsked: gathered.NotAsked}
	addObjects(&in, gathered.Objects, gathered.Etcd)
	for part, why := range gathered.Unread {
		if file, ok := partOf[part]; ok {
			in.Unread[file] = why
		} else {
			in.Unread[explain.Part(part)] = why
		}
	}
	for _, w := range gathered.Warnings {
		in.Warnings = append(in.Warnings, explain.Warning{Reason: w.Reason, Message: w.Message})
	}
	addFaults(&in, problems)
	return explain.New(in), nil
}

// addObjects tells what was read beside the facts that decisions rest on.
func addObjects(in *explain.Input, objects observe.Objects, etcd observe.Etcd) {
	in.Errors, in.Unserved = map[snapshot.MemberID]string{}, map[snapshot.MemberID]bool{}
	for _, p := range etcd.Probes {
		in.Errors[p.Member], in.Unserved[p.Member] = p.Error, p.Served == snapshot.False
	}
	in.WritesNothing = true
	if objects.Etcd.Exists.Holds() {
		spec := &objects.Etcd.Value.Spec.OperatorSpec
		// Without one the operator works as if it were Managed.
		in.ManagementState = string(cmp.Or(spec.ManagementState, operatorv1.Managed))
		in.WritesNothing = !report.IsManaged(spec)
		in.Warnings = append(in.Warnings, misspelt(spec)...)
		in.Conditions = worthALook(objects.Etcd.Value.Status.Conditions)
		in.Failed = failedRevisions(objects.Etcd.Value.Status.NodeStatuses)
	}
	in.HookOwners, in.UnknownEtcdServers = map[snapshot.MachineName]string{}, observe.UnknownEtcdServers(objects)
	in.APIServers = map[snapshot.NodeName]*explain.NodeRevision{}
	if objects.KubeAPIServer.Exists.Holds() {
		statuses := objects.KubeAPIServer.Value.Status.NodeStatuses
		failed := failedRevisions(statuses)
		for _, s := range statuses {
			runs := explain.NodeRevision{Node: s.NodeName, Current: int(s.CurrentRevision)}
			if s.TargetRevision != 0 {
				runs.Target = ptr.To(int(s.TargetRevision))
			}
			if f, ok := failed[snapshot.NodeName(s.NodeName)]; ok {
				runs.Failed = &f
			}
			in.APIServers[snapshot.NodeName(s.NodeName)] = &runs
		}
	}
	in.MachineTroubles = map[snapshot.MachineName][]string{}
	for _, m := range objects.Machines.Items {
		in.MachineTroubles[snapshot.MachineName(m.Name)] = observe.MachineTroubles(&m)
		for _, h := range m.Spec.LifecycleHooks.PreDrain {
			if h.Name == observe.HookName && h.Owner != observe.HookOwner {
				in.HookOwners[snapshot.MachineName(m.Name)] = h.Owner
			}
		}
	}
	for _, t := range observe.Troubles(objects.Pods.Items) {
		in.PodTroubles = append(in.PodTroubles, explain.PodTrouble{Pod: t.Pod, Node: explain.Text(t.Node), Guard: t.Guard, Message: t.Text})
	}
	in.BudgetMisshapen = objects.Budget.Exists.Holds() && quorumguard.Misshapen(objects.Budget.Value)
}

// failedRevisions says, by node, of the revision whose installation failed last and is not superseded.
func failedRevisions(statuses []operatorv1.NodeStatus) map[snapshot.NodeName]explain.FailedRevision {
	failed := map[snapshot.NodeName]explain.FailedRevision{}
	for _, s := range statuses {
		if s.LastFailedRevision == 0 || s.LastFailedRevision <= s.CurrentRevision {
			continue
		}
		f := explain.FailedRevision{Revision: int(s.LastFailedRevision), Times: s.LastFailedCount, Reason: explain.Text(s.LastFailedReason), Errors: []string{}}
		for _, e := range s.LastFailedRevisionErrors {
			f.Errors = append(f.Errors, observe.Shortened(e))
		}
		if s.LastFailedTime != nil {
			f.At = ptr.To(s.LastFailedTime.UTC())
		}
		failed[snapshot.NodeName(s.NodeName)] = f
	}
	return failed
}

// aboutMembers are how the types of conditions begin that tell about members, their hooks and their guards.
var aboutMembers = []string{"EtcdMembers", "ClusterMember", "MachineDeletionHooks", "QuorumGuard", "GuardController"}

// worthALook are the conditions about members that are not as they should be, and always the one that counts members.
func worthALook(conditions []operatorv1.OperatorCondition) []explain.Condition {
	var chosen []explain.Condition
	for _, c := range conditions {
		about := slices.ContainsFunc(aboutMembers, func(start string) bool { return strings.HasPrefix(c.Type, start) })
		good := operatorv1.ConditionFalse
		if strings.HasSuffix(c.Type, operatorv1.OperatorStatusTypeAvailable) {
			good = operatorv1.ConditionTrue
		}
		if about && (c.Status != good || c.Type == "EtcdMembersAvailable") {
			chosen = append(chosen, explain.Condition{Type: c.Type, Status: string(c.Status), Reason: c.Reason, Message: c.Message})
		}
	}
	slices.SortFunc(chosen, func(a, b explain.Condition) int { return strings.Compare(a.Type, b.Type) })
	return chosen
}

// The Reasons of warnings about what could not be read, or not be understood.
const (
	inputUnreadable = "InputUnreadable"
	readFailed      = "ReadFailed"
	rightMissing    = "RightMissing"
)

// denied is how an API server words that somebody may not do something.
var denied = regexp.MustCompile(`User "[^"]*" cannot ([a-z]+) resource "([^"]+)" in API group "([^"]*)" (?:at the cluster scope|in the namespace "([^"]+)")`)

// withoutRight says which right is missing, and what is unknown for the lack of it. The error names what was to be read, in
// the form "list Machines: ...". ok is false for an error that is about something else.
func withoutRight(err error) (message string, ok bool) {
	found := denied.FindStringSubmatch(err.Error())
	if !apierrors.IsForbidden(err) || found == nil {
		return "", false
	}
	before, _, _ := strings.Cut(err.Error(), ": ")
	_, what, _ := strings.Cut(before, " ")
	verb, resource, where := found[1], found[2], "for the whole cluster"
	if found[3] != "" {
		resource += "." + found[3]
	}
	if found[4] != "" {
		where = "in namespace " + found[4]
	}
	return fmt.Sprintf("%s unknown: the right to %s %s %s is missing (%s)", what, verb, resource, where, found[0]), true
}

func addFaults(in *explain.Input, faults []error) {
	for _, err := range faults {
		reason := readFailed
		if errors.As(err, new(*snapshot.InputError)) || in.Source == explain.SourceDirectory {
			reason = inputUnreadable
		}
		message := err.Error()
		if missing, ok := withoutRight(err); ok {
			reason, message = rightMissing, missing
		}
		in.Warnings = append(in.Warnings, explain.Warning{Reason: reason, Message: message})
	}
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

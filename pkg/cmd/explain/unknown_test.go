package explain

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/explain"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather/mustgathertest"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

// without explains the must-gather of a world from which the files whose paths contain one of some words were taken.
func without(t *testing.T, s snapshot.Snapshot, words ...string) (document map[string]any, text string) {
	t.Helper()
	files := mustgathertest.Files(&s)
	for _, word := range words {
		before := len(files)
		maps.DeleteFunc(files, func(name, _ string) bool { return strings.Contains(name, word) })
		if len(files) == before {
			t.Fatalf("no file is called %s", word)
		}
	}
	root := t.TempDir()
	if err := mustgathertest.Write(root, files); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(execute("explain", "--from-dir", root, "-o", "json").stdout), &document); err != nil {
		t.Fatal(err)
	}
	return document, strings.Join(strings.Fields(execute("explain", "--from-dir", root).stdout), " ")
}

// filesOfParts are words in the paths of all files that a part is read from.
var filesOfParts = map[explain.Part]string{
	explain.Members: "member_list.json", explain.EndpointHealth: "endpoint_health.json", explain.EndpointStatus: "endpoint_status.json",
	explain.Alarms: "alarm_list.json", explain.Nodes: "core/nodes", explain.Machines: "/machines/", explain.ClusterVersion: "clusterversions",
	explain.Infrastructure: "infrastructures", explain.Network: "networks", explain.ClusterOperator: "clusteroperators",
	explain.Etcd: "/etcds", explain.KubeAPIServer: "kubeapiservers", explain.APIServerConfigs: "openshift-kube-apiserver/core",
	explain.Bootstrap: "kube-system/core", explain.Endpoints: "openshift-etcd/core/configmaps", explain.Pods: "openshift-etcd/core/pods",
	explain.GuardBudget: "openshift-etcd/policy",
}

// busyWorlds have every kind of judgement: a voter that is to go with and without a replacement, a lost one, a learner, a
// node that waits, a revision that is rolled out.
func busyWorlds() map[string]snapshot.Snapshot {
	a, b, d, e := snapshottest.A, snapshottest.B, snapshottest.D, snapshottest.E
	return map[string]snapshot.Snapshot{
		"nothing to do": snapshottest.New(),
		"a replacement": snapshottest.New(snapshottest.Voter(d), snapshottest.Deleting(a)),
		"a node waits":  snapshottest.New(snapshottest.Deleting(a), snapshottest.Waiting(d)),
		"a learner":     snapshottest.New(snapshottest.Deleting(a), snapshottest.Learner(d)),
		"a lost voter":  snapshottest.New(snapshottest.Deleting(a), snapshottest.HostDead(a, 0), snapshottest.Waiting(d)),
		"a voter down":  snapshottest.New(snapshottest.Unhealthy(b, 0), snapshottest.Waiting(d), snapshottest.Learner(e)),
		"an orphan":     snapshottest.New(snapshottest.Orphaned(b, 0), snapshottest.Waiting(d)),
		"a revision":    snapshottest.New(snapshottest.Facts(func(s *snapshot.Snapshot) { s.LatestRevision = 2 })),
	}
}

// findings are the reasons and messages in a document: of what is decided, refused, held and permitted.
func findings(document map[string]any) map[string]string {
	found := map[string]string{}
	var look func(value any)
	look = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			if reason, ok := value["reason"].(string); ok {
				message, _ := value["message"].(string)
				found[reason+": "+message] = message
			}
			for key, inner := range value {
				if key != "warnings" && key != "conditions" {
					look(inner)
				}
			}
		case []any:
			for _, inner := range value {
				look(inner)
			}
		}
	}
	look(document)
	return found
}

// TestASentenceThatRestsOnAMissingFileNamesIt takes one file after the other away: whatever is found then and was not found
// before must not be stated as a fact.
func TestASentenceThatRestsOnAMissingFileNamesIt(t *testing.T) {
	for name, s := range busyWorlds() {
		whole, _ := without(t, s)
		known := findings(whole)
		for part, word := range filesOfParts {
			document, _ := without(t, s, word)
			for _, what := range slices.Sorted(maps.Keys(findings(document))) {
				message := findings(document)[what]
				// That a revision is not needed to repair something makes no difference to what is said of the voters.
				if _, before := known[what]; !before && !strings.HasPrefix(what, "RevisionMayBeCreated: ") && !strings.Contains(message, "there is no ") {
					t.Errorf("%s, without %s: %s", name, part, what)
				}
			}
		}
	}
}

func TestAHeadlineStatesNothingThatNobodyKnows(t *testing.T) {
	a, d := snapshottest.A, snapshottest.D
	for name, test := range map[string]struct {
		world   snapshot.Snapshot
		missing string
		want    string
	}{
		"no pods": {snapshottest.New(snapshottest.Waiting(d)), "openshift-etcd/core/pods",
			"WAITING whether node node-d has an etcd pod is not known: there is no namespaces/openshift-etcd/core/pods.yaml [R5.1 WaitingForEtcdPod]"},
		"no member list": {snapshottest.New(), "member_list.json",
			"WAITING the member list is not known: there is no etcd_info/member_list.json [R10.1 MemberListUnknown]"},
		"no address family": {snapshottest.New(snapshottest.Waiting(d)), "networks",
			"WAITING the address family of the cluster is not known, and so is the InternalIP of node node-d that etcd would use: there is no cluster-scoped-resources/config.openshift.io/networks.yaml"},
		"no health": {snapshottest.New(snapshottest.Voter(d), snapshottest.Deleting(a)), "endpoint_health.json",
			"WAITING whether node-a is alive is not known: there is no etcd_info/endpoint_health.json"},
		"no bootstrap, and a removal could come before an add": {snapshottest.New(snapshottest.Deleting(a), snapshottest.Waiting(d)), "kube-system/core",
			"DEPENDS node node-d is added as a learner, peer URL https://192.0.2.13:2380 [R5.1 AddingLearner], if nothing that is not known puts another change in its place: " +
				"RemoveMember node-a may come first: whether bootstrap is complete is not known, and node-a is not removed before: there is no namespaces/kube-system/core/configmaps.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			_, whole := without(t, test.world)
			_, got := without(t, test.world, test.missing)
			if !strings.Contains(got, test.want) || strings.Contains(whole, test.want) {
				t.Errorf("not %q in:\n%s", test.want, got)
			}
		})
	}
	document, _ := without(t, snapshottest.New(snapshottest.Deleting(a), snapshottest.Waiting(d)), "kube-system/core")
	if on, _ := document["membership"].(map[string]any)["dependsOn"].([]any); len(on) != 1 {
		t.Errorf("membership: %v", document["membership"])
	}
}

func TestWithoutTheEtcdResourceTheDocumentAllowsNothing(t *testing.T) {
	document, _ := without(t, snapshottest.New(snapshottest.Waiting(snapshottest.D)), "/etcds")
	guard, rollout := document["guard"].(map[string]any), document["rollout"].(map[string]any)
	for what, got := range map[string]any{"guard": guard, "hold": guard["holds"].([]any)[len(guard["holds"].([]any))-1], "create": rollout["create"], "rollout": rollout} {
		f := got.(map[string]any)
		if message := f["message"].(string); f["reason"] != "EtcdResourceUnknown" || !strings.Contains(message, "there is no cluster-scoped-resources/operator.openshift.io/etcds.yaml") {
			t.Errorf("%s: %v", what, f)
		}
	}
	if guard["minAvailable"] != nil || guard["budget"] != nil || rollout["create"].(map[string]any)["allowed"] != nil {
		t.Errorf("guard %v\nrollout %v", guard, rollout)
	}
	if on, _ := document["membership"].(map[string]any)["dependsOn"].([]any); len(on) == 0 {
		t.Errorf("membership: %v", document["membership"])
	}
}

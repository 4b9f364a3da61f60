package mustgather

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What changes from one moment to the next without telling anything that decisions read.
var (
	objectNoise = []string{"lastHeartbeatTime", "lastTransitionTime", "lastProbeTime", "message", "reason", "startedAt", "containerID", "imageID", "restartCount", "lastState", "initContainerStatuses"}
	// Why a Machine's host or drain fails is told to people alone.
	machineNoise = append([]string{"errorReason", "errorMessage", "conditions"}, objectNoise...)
	infoNoise    = []string{"took", "member_id", "revision", "raft_term", "raftTerm", "raftIndex", "raftAppliedIndex", "dbSize", "dbSizeInUse"}
)

// dropContradictions leaves what is there several times, in one gathering or in several, once. Where the copies tell
// different things nothing is known of it (invariant I4), and what it belongs to is not complete.
func (g *gathering) dropContradictions() {
	g.nodes = once(g, nodes, g.nodes)
	g.clusterVersions = once(g, clusterVersions, g.clusterVersions)
	g.infrastructures = once(g, infrastructures, g.infrastructures)
	g.networks = once(g, networks, g.networks)
	g.clusterOperators = once(g, clusterOperators, g.clusterOperators)
	g.etcds = once(g, etcds, g.etcds)
	g.kubeAPIServers = once(g, kubeAPIServers, g.kubeAPIServers)
	g.machines = once(g, machines, g.machines)
	g.machineSets = once(g, machineSets, g.machineSets)
	g.pods = once(g, pods, g.pods)
	g.etcdConfigMaps = once(g, etcdConfigMaps, g.etcdConfigMaps)
	g.bootstrapConfigMaps = once(g, bootstrapConfigMaps, g.bootstrapConfigMaps)
	g.apiServerConfigMaps = once(g, apiServerConfigMaps, g.apiServerConfigMaps)
	g.budgets = once(g, budgets, g.budgets)
	g.foreignBudgets = once(g, foreignBudgets, g.foreignBudgets)
}

func once[T any](g *gathering, r *resource, list []T) []T {
	var kept []T
	at := map[string]int{}
	contradicted := map[string]bool{}
	for i := range list {
		key := r.key(any(&list[i]).(metav1.Object))
		first, known := at[key]
		switch {
		case !known:
			at[key] = len(kept)
			kept = append(kept, list[i])
		case !sameButNoise(&kept[first], &list[i]):
			contradicted[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(contradicted)) {
		g.read[r].broken = true
		g.contradict(key, g.places[key])
	}
	return slices.DeleteFunc(kept, func(object T) bool { return contradicted[r.key(any(&object).(metav1.Object))] })
}

func (g *gathering) contradict(what string, places []string) {
	sorted := slices.Sorted(slices.Values(places))
	g.warn(FilesContradict, fmt.Sprintf("%s is there several times with different content and counts as unknown: see %s", what, strings.Join(slices.Compact(sorted), ", ")))
}

// sameInfo compares what etcdctl wrote; it writes rows in any order.
func sameInfo(a, b json.RawMessage) bool {
	return reflect.DeepEqual(sortRows(withoutNoise(a, infoNoise)), sortRows(withoutNoise(b, infoNoise)))
}

func sortRows(v any) any {
	if rows, ok := v.([]any); ok {
		slices.SortFunc(rows, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	return v
}

func sameButNoise(a, b any) bool {
	noise := objectNoise
	if _, is := a.(*machinev1beta1.Machine); is {
		noise = machineNoise
	}
	return reflect.DeepEqual(a, b) || reflect.DeepEqual(withoutNoise(a, noise), withoutNoise(b, noise))
}

// withoutNoise returns v as JSON reads it again, without some keys wherever they stand.
func withoutNoise(v any, noise []string) any {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var plain any
	if err := in.Decode(&plain); err != nil {
		return err
	}
	return strip(plain, noise)
}

func strip(v any, noise []string) any {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range noise {
			delete(v, key)
		}
		for key, value := range v {
			v[key] = strip(value, noise)
		}
	case []any:
		for i := range v {
			v[i] = strip(v[i], noise)
		}
	}
	return v
}

package observer

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/etcd/api/v3/etcdserverpb"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

func entry(id uint64, name, host string, learner bool) *etcdserverpb.Member {
	return &etcdserverpb.Member{ID: id, Name: name, PeerURLs: []string{"https://" + host + ":2380"}, IsLearner: learner}
}

func TestFactsAboutMembersComeFromTheNewestListAndEachMembersOwnAnswer(t *testing.T) {
	old := []*etcdserverpb.Member{entry(1, "a", "10.0.0.1", false), entry(2, "b", "10.0.0.2", false)}
	newest := append(old, entry(3, "", "[fd00::3]", true))
	var f facts.Facts
	compose(&f, []answer{
		{address: "10.0.0.1", members: newest, id: 1, leader: 1, applied: 20},
		{address: "10.0.0.2", members: old, id: 2, leader: 1, applied: 10, problem: "slow"},
		{address: "10.0.0.9", problem: "no route"},
	})
	want := facts.Facts{
		Members: []facts.Member{
			{ID: "1", Name: "a", Address: "10.0.0.1", Started: true, Voter: true, Healthy: true, Leader: true, Applied: 20},
			{ID: "2", Name: "b", Address: "10.0.0.2", Started: true, Voter: true, Problem: "slow", Applied: 10},
			{ID: "3", Address: "fd00::3", Learner: true, Problem: "not asked"},
		},
		Lists: []facts.List{
			{From: "10.0.0.1", Voters: []string{"1", "2"}, Learners: []string{"3"}, Applied: 20},
			{From: "10.0.0.2", Voters: []string{"1", "2"}, Applied: 10},
		},
	}
	byName := func(f facts.Facts) map[string]facts.Member {
		m := map[string]facts.Member{}
		for _, member := range f.Members {
			m[member.ID] = member
		}
		return m
	}
	if diff := cmp.Diff(byName(want), byName(f)); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Lists, f.Lists); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
}

func TestAnAddressThatAnswersForAnotherMemberIsNotHealthy(t *testing.T) {
	var f facts.Facts
	compose(&f, []answer{{address: "10.0.0.1", members: []*etcdserverpb.Member{entry(1, "a", "10.0.0.1", false)}, id: 7, leader: 7}})
	if f.Members[0].Healthy || f.Members[0].Leader {
		t.Errorf("member is %+v", f.Members[0])
	}
}

func TestWithoutAnyAnswerMembersAreUnknown(t *testing.T) {
	var f facts.Facts
	compose(&f, []answer{{address: "10.0.0.1", problem: "timeout"}})
	if f.MembersProblem == "" || len(f.Members) > 0 {
		t.Errorf("facts are %+v", f)
	}
}

func TestDesiredIsReadFromWhatPeopleEdit(t *testing.T) {
	config := func(text string) []corev1.ConfigMap {
		return []corev1.ConfigMap{{Data: map[string]string{"install-config": text}}}
	}
	set := func(state string, replicas int64) []unstructured.Unstructured {
		return []unstructured.Unstructured{{Object: map[string]any{"metadata": map[string]any{"name": "cluster"}, "spec": map[string]any{"state": state, "replicas": replicas}}}}
	}
	for name, test := range map[string]struct {
		configs []corev1.ConfigMap
		sets    []unstructured.Unstructured
		want    int
	}{
		"control planes":                {config("controlPlane: {replicas: 3}"), nil, 3},
		"control planes and arbiters":   {config("controlPlane: {replicas: 2}\narbiter: {replicas: 1}"), nil, 3},
		"an active set that is larger":  {config("controlPlane: {replicas: 3}"), set("Active", 5), 5},
		"an active set that is smaller": {config("controlPlane: {replicas: 5}"), set("Active", 3), 5},
		"an inactive set":               {config("controlPlane: {replicas: 3}"), set("Inactive", 5), 3},
		"a word":                        {config("controlPlane: {replicas: three}"), nil, 0},
		"an absurd number":              {config("controlPlane: {replicas: 1000}"), nil, 0},
		"no YAML":                       {config("{"), nil, 0},
		"nothing":                       {nil, nil, 0},
	} {
		if got := desired(test.configs, test.sets); got != test.want {
			t.Errorf("%s: desired is %d, want %d", name, got, test.want)
		}
	}
}

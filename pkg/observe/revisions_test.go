package observe_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	operatorv1 "github.com/openshift/api/operator/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

func TestWhyTheEtcdServersOfAnAPIServerAreNotKnown(t *testing.T) {
	servers := &operatorv1.KubeAPIServer{}
	servers.Status.NodeStatuses = []operatorv1.NodeStatus{{NodeName: "known", CurrentRevision: 1}, {NodeName: "broken", CurrentRevision: 2}, {NodeName: "pruned", CurrentRevision: 3}, {NodeName: "new"}}
	config := func(name, text string) corev1.ConfigMap {
		return corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"config.yaml": text}}
	}
	configs := []corev1.ConfigMap{config("config-0", "{}"), config("config-1", "{}"), config("config-2", "{")}
	want := map[snapshot.NodeName]string{
		"broken": "it runs revision 2, and ConfigMap config-2 in openshift-kube-apiserver is not understood",
		"pruned": "it runs revision 3, and ConfigMap config-3 in openshift-kube-apiserver is not there",
		"new":    "it runs no revision yet",
	}
	objects := observe.Objects{KubeAPIServer: observe.Found(servers), APIServerConfigs: observe.Listed(configs)}
	if diff := cmp.Diff(want, observe.UnknownEtcdServers(objects)); diff != "" {
		t.Error(diff)
	}
	objects.APIServerConfigs.Complete = snapshot.Unknown
	want["pruned"] = "it runs revision 3, and ConfigMap config-3 in openshift-kube-apiserver was not read"
	if diff := cmp.Diff(want, observe.UnknownEtcdServers(objects)); diff != "" {
		t.Errorf("of a list that was not read to the end: %s", diff)
	}
	if got := observe.UnknownEtcdServers(observe.Objects{}); len(got) > 0 {
		t.Errorf("without a resource of API servers: %v", got)
	}
}

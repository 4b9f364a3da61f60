package observe_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
)

func TestALongMessageKeepsItsBeginAndItsEnd(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"short":               {"installer: failed", "installer: failed"},
		"on several lines":    {"installer:\n  failed\n", "installer: failed"},
		"as long as may be":   {strings.Repeat("x", 240), strings.Repeat("x", 240)},
		"longer":              {"installer: " + strings.Repeat("x", 4000) + " timed out", "installer: " + strings.Repeat("x", 49) + " ... " + strings.Repeat("x", 170) + " timed out"},
		"cut in a character":  {"x" + strings.Repeat("\u00e9", 200), "x" + strings.Repeat("\u00e9", 29) + " ... " + strings.Repeat("\u00e9", 90)},
		"of nothing but room": {" \n ", ""},
	} {
		if diff := cmp.Diff(test.want, observe.Shortened(test.text)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWhyPodsDoNotRun(t *testing.T) {
	running := corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	waiting := func(reason, message string) corev1.ContainerState {
		return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}
	}
	ended := func(code int32, reason, message string) corev1.ContainerState {
		at := metav1.NewTime(time.Date(2026, 1, 1, 0, 58, 0, 0, time.UTC))
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason, Message: message, FinishedAt: at}}
	}
	for name, test := range map[string]struct {
		status corev1.PodStatus
		want   string
	}{
		"all run": {corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "etcd", Ready: true, State: running}}}, ""},
		"one that restarted once and is ready": {corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{
			{Name: "etcd", Ready: true, State: running, RestartCount: 1, LastTerminationState: ended(0, "Completed", "")}}}, ""},
		"one that starts": {corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "etcd", State: waiting("ContainerCreating", "")}}}, ""},
		"one whose image cannot be pulled": {corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "guard", State: waiting("ImagePullBackOff", "Back-off\npulling image")}}},
			"container guard waits: ImagePullBackOff: Back-off pulling image"},
		"one that crashes": {corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{
			{Name: "etcd", State: waiting("CrashLoopBackOff", ""), RestartCount: 7, LastTerminationState: ended(137, "OOMKilled", "")}}},
			"container etcd waits: CrashLoopBackOff, has restarted 7 times and last ended with exit code 137 at 2026-01-01T00:58:00Z: OOMKilled"},
		"one that runs again and is not ready": {corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{
			{Name: "etcd", State: running, RestartCount: 7, LastTerminationState: ended(2, "Error", "")}}},
			"container etcd has restarted 7 times and last ended with exit code 2 at 2026-01-01T00:58:00Z: Error"},
		"one that ended":                      {corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "etcd", State: ended(1, "Error", "panic: x")}}}, "container etcd ended with exit code 1 at 2026-01-01T00:58:00Z: Error: panic: x"},
		"an init container that did its work": {corev1.PodStatus{InitContainerStatuses: []corev1.ContainerStatus{{Name: "setup", State: ended(0, "Completed", "")}}}, ""},
		"an init container that fails": {corev1.PodStatus{InitContainerStatuses: []corev1.ContainerStatus{{Name: "setup", State: waiting("CrashLoopBackOff", "")}}},
			"container setup waits: CrashLoopBackOff"},
		"a pod that was evicted": {corev1.PodStatus{Phase: corev1.PodFailed, Reason: "Evicted", Message: "The node was low on resource: memory."},
			"the pod failed: Evicted: The node was low on resource: memory."},
	} {
		t.Run(name, func(t *testing.T) {
			pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "etcd-node-a", Labels: map[string]string{"app": "etcd"}}, Spec: corev1.PodSpec{NodeName: "node-a"}, Status: test.status}
			var want []observe.Trouble
			if test.want != "" {
				want = []observe.Trouble{{Pod: "etcd-node-a", Node: "node-a", Text: test.want}}
			}
			if diff := cmp.Diff(want, observe.Troubles([]corev1.Pod{pod})); diff != "" {
				t.Error(diff)
			}
			other := pod
			other.Labels = map[string]string{"app": "installer"}
			if got := observe.Troubles([]corev1.Pod{other}); got != nil {
				t.Errorf("of a pod that is neither etcd nor a guard: %v", got)
			}
			pod.DeletionTimestamp = &metav1.Time{}
			if got := observe.Troubles([]corev1.Pod{pod}); got != nil {
				t.Errorf("of a pod that goes: %v", got)
			}
		})
	}
}

package observe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Trouble is what a pod's status says of why it does not run as it should. It is for people; no decision rests on it.
type Trouble struct {
	Pod   string
	Node  snapshot.NodeName
	Guard bool
	// Text names containers and the kubelet's own reasons, such as CrashLoopBackOff.
	Text string
}

// starting are the reasons for which every container waits for a while.
var starting = []string{"", "ContainerCreating", "PodInitializing"}

// Troubles are those of etcd pods and guards that are not being deleted, by the names of the pods.
func Troubles(pods []corev1.Pod) []Trouble {
	var troubles []Trouble
	for i := range pods {
		pod := &pods[i]
		// A directory has the pods of installers and pruners as well, which end when they have done their work.
		if pod.DeletionTimestamp != nil || pod.Labels[appLabel] != appEtcd && !IsGuard(pod) {
			continue
		}
		var told []string
		if pod.Status.Phase == corev1.PodFailed {
			told = append(told, because("the pod failed", pod.Status.Reason, pod.Status.Message))
		}
		for _, c := range pod.Status.InitContainerStatuses {
			// One that has ended well has done its work.
			if c.State.Terminated == nil || c.State.Terminated.ExitCode != 0 {
				told = append(told, troubleOf(&c)...)
			}
		}
		for _, c := range pod.Status.ContainerStatuses {
			told = append(told, troubleOf(&c)...)
		}
		if len(told) > 0 {
			node := snapshot.NodeName(pod.Spec.NodeName)
			if IsGuard(pod) {
				node = GuardNode(pod)
			}
			troubles = append(troubles, Trouble{Pod: pod.Name, Node: node, Guard: IsGuard(pod), Text: strings.Join(told, "; ")})
		}
	}
	slices.SortStableFunc(troubles, func(a, b Trouble) int { return cmp.Compare(a.Pod, b.Pod) })
	return troubles
}

// MachineTroubles says why a Machine's host is not made, and why its drain fails; nothing of one that says neither.
func MachineTroubles(m *machinev1beta1.Machine) []string {
	var told []string
	if m.Status.ErrorReason != nil || m.Status.ErrorMessage != nil {
		told = append(told, because("it has failed", string(ptr.Deref(m.Status.ErrorReason, "")), ptr.Deref(m.Status.ErrorMessage, "")))
	}
	for _, c := range m.Status.Conditions {
		if c.Type == machinev1beta1.MachineDrained && c.Status == corev1.ConditionFalse {
			told = append(told, because("it is not drained", c.Reason, c.Message))
		}
	}
	return told
}

// troubleOf says why a container does not run, and how it ended before; nothing of one that is as it should be.
func troubleOf(c *corev1.ContainerStatus) []string {
	var told []string
	switch waiting, ended := c.State.Waiting, c.State.Terminated; {
	case waiting != nil && !slices.Contains(starting, waiting.Reason):
		told = append(told, because("waits", waiting.Reason, waiting.Message))
	case ended != nil:
		told = append(told, endedBy(ended))
	case c.Ready || waiting != nil && c.RestartCount == 0:
		return nil
	}
	if last := c.LastTerminationState.Terminated; last != nil {
		told = append(told, fmt.Sprintf("has restarted %d times and last %s", c.RestartCount, endedBy(last)))
	}
	if len(told) == 0 {
		return nil
	}
	return []string{"container " + c.Name + " " + strings.Join(told, ", ")}
}

func endedBy(t *corev1.ContainerStateTerminated) string {
	how := fmt.Sprintf("ended with exit code %d", t.ExitCode)
	if !t.FinishedAt.IsZero() {
		how += " at " + t.FinishedAt.UTC().Format(time.RFC3339)
	}
	return because(how, t.Reason, t.Message)
}

// How much of a message is told, in bytes.
const (
	longest  = 240
	itsBegin = 60
)

// Shortened puts a message on one line and leaves out the middle of a long one: an ended container's may be the end of its
// log, which begins with who tells and ends with why.
func Shortened(message string) string {
	message = strings.Join(strings.Fields(message), " ")
	if len(message) <= longest {
		return message
	}
	return strings.ToValidUTF8(message[:itsBegin], "") + " ... " + strings.ToValidUTF8(message[len(message)-(longest-itsBegin):], "")
}

func because(what, reason, message string) string {
	for _, why := range []string{reason, Shortened(message)} {
		if why != "" {
			what += ": " + why
		}
	}
	return what
}

package exhaustive

import (
	"fmt"
	"strings"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// String describes a world in words, one line for the cluster and one for each host.
func (w *world) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  cluster: desired %d, topology %q, external etcd in charge %s, unsafe override %t; bootstrap complete %s, version current %s\n",
		w.desired, w.topology, w.external, w.unsafeNonHA, w.bootstrapComplete, w.versionCurrent)
	fmt.Fprintf(&b, "  known: member list %s, Machine API %s, Machines %s, Nodes %s, guards %s; revision known %t, API servers exist %s\n",
		w.memberList, w.machineAPI, w.machineList, w.nodeList, w.guardList, w.revisionKnown, w.apiServers)
	fmt.Fprintf(&b, "  endpoints: %s; budget present %s, minAvailable %d, observed %t, disruptions allowed %d; drains held back for %s; leader %s\n",
		[...]string{"those of the voters", "one too many", "one too few", "one wrong", "unreadable"}[w.endpoints],
		w.budget.present, w.budget.minimum, w.budget.observed, w.budget.allowed, w.label(w.planned), w.label(w.leader))
	for i := 0; i < w.n; i++ {
		fmt.Fprintf(&b, "  %s: %s\n", w.label(i), w.hosts[i].words())
	}
	return b.String()
}

// label names a host; -1 is nobody.
func (w *world) label(i int) string {
	if i < 0 {
		return "nobody"
	}
	return nodeNames[w.names[i]]
}

func (h *host) words() string {
	var s []string
	say := func(when bool, format string, args ...any) {
		if when {
			s = append(s, fmt.Sprintf(format, args...))
		}
	}
	if h.role == noMember {
		say(true, "no member")
	} else {
		say(true, "%s", [...]string{voter: "voter", learner: "learner", unstartedVoter: "unstarted voter", unstartedLearner: "unstarted learner"}[h.role])
		say(h.bootstrap, "of the bootstrap host")
		say(h.health == healthy, "healthy")
		say(h.health == unhealthy, "unhealthy for %s", h.unhealthyFor)
		say(h.health == healthUnknown, "health unknown")
		say(h.cannotServe == yes, "says that it cannot serve")
		say(h.cannotServe == unknown, "not known whether it says that it cannot serve")
		say(h.corrupt != noAlarm, "CORRUPT %s", h.corrupt.fact())
		say(h.noSpace != noAlarm, "NOSPACE %s", h.noSpace.fact())
		say(h.lag != inSync, "%s", [...]string{lagAtLimit: "5000 entries behind", lagBeyondLimit: "5001 entries behind", indexUnknown: "applied index unknown"}[max(h.lag, lagAtLimit)])
		say(h.stalledFor > 0, "no progress for %s", h.stalledFor)
		say(h.unreadable, "peer URL unreadable")
		say(h.moved, "its Node has another address")
		say(h.claimed != yes, "address claimed by any Node or Machine: %s", h.claimed)
		say(h.unclaimedFor > 0, "unclaimed for %s", h.unclaimedFor)
	}
	say(h.sharesAddressOfFirst, "has the address of the first host")
	if h.machine == noMachine {
		say(true, "no Machine")
	} else {
		say(true, "Machine %s with hook %s", [...]string{live: "live", deleting: "deleting"}[h.machine],
			[...]string{snapshot.HookMissing: "missing", snapshot.HookPresent: "present", snapshot.HookWrongOwner: "of a wrong owner"}[h.hook])
		say(h.failed, "phase Failed")
		say(h.noNodeRef, "no nodeRef")
		say(h.namesGoneNode, "names a Node that is gone")
		say(h.namesNodeOfFirst, "names the Node of the first host")
		say(h.noMachineAddress, "no address of its own")
		say(h.excluded, "excluded from draining")
		say(h.hookBackOff, "hook write backed off")
		say(h.foreignHook, "another's hook")
		say(h.zone > 0, "zone %d", h.zone)
		say(h.machine == deleting && h.age > 0, "deleted %d s later", h.age)
	}
	say(true, "Node %s", [...]string{nodeReady: "Ready", nodeNotReady: "NotReady", nodeReadinessUnknown: "of unknown readiness", nodeAbsent: "gone", nodeUnread: "unread"}[h.node])
	say(h.cordoned, "cordoned")
	say(h.nodeDeleting, "Node deleting")
	say(h.noPeerAddress, "no peer address")
	if h.present() {
		say(true, "etcd pod %s", [...]string{podReady: "ready", podNotReady: "not ready, etcd ready", podWaiting: "running, not ready", podContainerDown: "down", podAbsent: "absent", podUnknown: "unknown", podReadinessUnknown: "running, readiness unknown"}[h.pod])
	}
	say(h.guard != noGuard, "guard %s", [...]string{noGuard: "", guardReady: "ready", guardNotReady: "not ready", guardPending: "pending", guardFinished: "finished", guardOutdated: "outdated, ready", guardOutdatedNotReady: "outdated, not ready", guardDeleting: "deleting"}[h.guard])
	say(h.revision != noStatus, "revision %s", [...]string{noStatus: "", atLatest: "latest", behind: "older", inFlight: "latest in flight", inFlightToOlder: "an older one in flight"}[h.revision])
	say(h.api != noAPIServer, "API server %s", [...]string{noAPIServer: "", apiServerCurrent: "knows all voters", apiServerOfFirstTwo: "knows the first two voters", apiServerOfFirst: "knows the first voter", apiServerUnread: "unread"}[h.api])
	return strings.Join(s, ", ")
}

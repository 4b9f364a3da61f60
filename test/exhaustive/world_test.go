package exhaustive

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// fact abbreviates the type that worlds and Snapshots share; a world uses its three values and none of its methods.
type fact = snapshot.Fact

const (
	unknown = snapshot.Unknown
	no      = snapshot.False
	yes     = snapshot.True
)

// maxHosts is how many hosts a world has at most: S13 has six voters.
const maxHosts = 6

type role uint8

const (
	noMember role = iota
	voter
	learner
	unstartedVoter
	unstartedLearner
)

func (r role) votes() bool  { return r == voter || r == unstartedVoter }
func (r role) learns() bool { return r == learner || r == unstartedLearner }

func (r role) started() bool { return r == voter || r == learner }

type health uint8

const (
	healthy health = iota
	unhealthy
	healthUnknown
)

// Durations on both sides of each limit that a rule names.
const (
	briefly  = 10 * time.Second
	moment   = time.Nanosecond
	long     = 11 * time.Minute
	seconds  = time.Second
	minutes  = time.Minute
	lagLimit = 5000
)

type machineState uint8

const (
	noMachine machineState = iota
	live
	deleting
)

type nodeState uint8

const (
	nodeReady nodeState = iota
	nodeNotReady
	nodeReadinessUnknown
	// nodeAbsent: a live read by name did not find it.
	nodeAbsent
	// nodeUnread: nobody could read it, so the Snapshot has no entry.
	nodeUnread
)

type podState uint8

const (
	podReady podState = iota
	// podNotReady: etcd's container is ready, the pod is not.
	podNotReady
	// podWaiting: etcd's container runs and is not ready, as it does before its member is added.
	podWaiting
	podContainerDown
	podAbsent
	podUnknown
	// podReadinessUnknown: etcd's container runs, and whether it is ready is not known.
	podReadinessUnknown
)

type guardState uint8

const (
	noGuard guardState = iota
	guardReady
	guardNotReady
	guardPending
	guardFinished
	guardOutdated
	guardOutdatedNotReady
	guardDeleting
)

func (g guardState) ready() bool { return g == guardReady || g == guardOutdated }

func (g guardState) running() bool {
	return g == guardReady || g == guardNotReady || g == guardOutdated || g == guardOutdatedNotReady
}

type revisionState uint8

const (
	noStatus revisionState = iota
	atLatest
	// behind: runs an older revision, and no install is under way.
	behind
	inFlight
	// inFlightToOlder: the install of a revision that was superseded meanwhile.
	inFlightToOlder
)

func (r revisionState) targetSet() bool { return r == inFlight || r == inFlightToOlder }

type apiServerState uint8

const (
	noAPIServer apiServerState = iota
	// apiServerCurrent connects to all voters.
	apiServerCurrent
	// apiServerOfFirstTwo connects to the first two voters; apiServerOfFirst to the first only.
	apiServerOfFirstTwo
	apiServerOfFirst
	apiServerUnread
)

type lag uint8

const (
	inSync lag = iota
	lagAtLimit
	lagBeyondLimit
	indexUnknown
)

// host is one control-plane host: the member that runs there, if any, its Machine, its Node and the pods on it. The zero
// value is a host without member and Machine whose Node is Ready.
type host struct {
	role         role
	health       health
	unhealthyFor time.Duration
	cannotServe  fact
	// corrupt and noSpace are yes or unknown; the zero value stands for "no alarm" (see alarm).
	corrupt, noSpace alarm
	lag              lag
	stalledFor       time.Duration
	// unreadable: the peer URLs of the member are garbage.
	unreadable bool
	// bootstrap: the member is the installer's temporary one.
	bootstrap bool
	// claimed tells whether any Node or Machine, of any label, has the member's address.
	claimed      fact
	unclaimedFor time.Duration

	machine                               machineState
	hook                                  snapshot.Hook
	failed, noNodeRef, noMachineAddress   bool
	excluded, hookBackOff, foreignHook    bool
	zone, age                             uint8
	node                                  nodeState
	cordoned, nodeDeleting, noPeerAddress bool
	// moved: the Node has another address than the member.
	moved    bool
	pod      podState
	guard    guardState
	revision revisionState
	api      apiServerState
	// sharesAddressOfFirst: it has the address of host 0 instead of its own.
	sharesAddressOfFirst bool
	// namesNodeOfFirst: its Machine names the Node of host 0 instead of its own. For that to be doubted its own address must be
	// known, and the Machine of host 0 must name its Node, which is there.
	namesNodeOfFirst bool
	// namesGoneNode: its Machine names a Node that is gone, although its own Node is there.
	namesGoneNode bool
}

// alarm is whether a member has an alarm. Unlike a fact, its zero value is "no": most members have none.
type alarm uint8

const (
	noAlarm alarm = iota
	alarmRaised
	alarmUnknown
)

func (a alarm) fact() fact { return [...]fact{no, yes, unknown}[a] }

func (h *host) present() bool {
	return h.node == nodeReady || h.node == nodeNotReady || h.node == nodeReadinessUnknown
}

func (h *host) hasNodeRef() bool { return h.machine != noMachine && !h.noNodeRef }

type endpointsState uint8

const (
	endpointsAgree endpointsState = iota
	// endpointsTooMany also name a member that is gone; endpointsTooFew lack the last voter; endpointsOther name one
	// that is gone in place of the last voter.
	endpointsTooMany
	endpointsTooFew
	endpointsOther
	endpointsUnread
)

type budgetState struct {
	present  fact
	minimum  int
	observed bool
	allowed  int
}

// world is the description of a cluster. Members, Machines, Nodes and pods are those of its hosts.
type world struct {
	n     int
	hosts [maxHosts]host
	// names[i] is which name host i has: the order of names is not the order of hosts.
	names [maxHosts]uint8
	// numbered: the Machines' names end in numbers, so that they tell a failure domain.
	numbered bool
	// dualStack: each host has an IPv6 address as well, listed first.
	dualStack bool

	memberList, machineAPI, machineList, nodeList, guardList fact
	desired                                                  int
	topology                                                 snapshot.Topology
	external                                                 fact
	bootstrapComplete                                        fact
	versionCurrent                                           fact
	unsafeNonHA                                              bool
	endpoints                                                endpointsState
	revisionKnown                                            bool
	apiServers                                               fact
	budget                                                   budgetState
	// planned is the host for whose install drains are held back, -1 for none; holdFromRollout takes it from the rollout
	// decision instead, as the operator does.
	planned         int
	holdFromRollout bool
	// leader is the host of the leader, -1 for unknown.
	leader int

	// cores are those that decide this world; all of them unless a family says why not.
	cores coreSet
}

type coreSet uint8

const (
	membershipCore coreSet = 1 << iota
	hookCore
	guardCore
	rolloutCore
	allCores = membershipCore | hookCore | guardCore | rolloutCore
)

// ordinary is a world without hosts in which nothing is in doubt and nothing goes on.
func ordinary() world {
	w := world{
		memberList: yes, machineAPI: yes, machineList: yes, nodeList: yes, guardList: yes,
		desired: 3, topology: snapshot.HighlyAvailable, bootstrapComplete: yes, versionCurrent: yes,
		revisionKnown: true, apiServers: no, budget: budgetState{present: yes, minimum: 2, observed: true, allowed: 1},
		planned: -1, leader: -1, cores: allCores,
	}
	for i := range w.names {
		w.names[i] = uint8(i)
	}
	return w
}

// member returns a healthy member on a host where everything is as it should be.
func member(r role) host {
	h := host{
		role: r, claimed: yes, machine: live, hook: snapshot.HookPresent,
		guard: guardReady, revision: atLatest, api: apiServerCurrent, cannotServe: no,
	}
	if !r.started() {
		h.health, h.pod, h.guard = healthUnknown, podWaiting, noGuard
		if r == unstartedVoter {
			h.guard = guardNotReady
		}
	}
	return h
}

// knownBy returns the hosts of the voters that the API server on host i connects to, as bits.
func (w *world) knownBy(i int) uint8 {
	limit := 0
	switch w.hosts[i].api {
	case apiServerCurrent:
		limit = maxHosts
	case apiServerOfFirstTwo:
		limit = 2
	case apiServerOfFirst:
		limit = 1
	}
	var known uint8
	for j := 0; j < w.n && limit > 0; j++ {
		if w.hosts[j].role.votes() {
			known |= 1 << j
			limit--
		}
	}
	return known
}

// named returns the host with a name, or -1.
func (w *world) named(name uint8) int {
	for i := 0; i < w.n; i++ {
		if w.names[i] == name {
			return i
		}
	}
	return -1
}

// addressOf returns the name after which the address of host i is numbered: its own, unless it shares another's.
func (w *world) addressOf(i int) uint8 {
	if w.hosts[i].sharesAddressOfFirst {
		return w.names[0]
	}
	return w.names[i]
}

// contradictory: live reads are said to have found nobody who has a member's address, although the address could not be
// read, or its Node is there, or the Node of its name was not read. One of the two is wrong already: there is nothing to be
// learnt from forgetting a third, and no core but membership, which asks for both, needs to notice.
func (w *world) contradictory() bool {
	for i := 0; i < w.n; i++ {
		h := &w.hosts[i]
		if h.role == noMember || h.claimed != no || h.bootstrap {
			continue
		}
		if h.unreadable || h.present() || h.machine != noMachine || h.role.started() && h.node == nodeUnread {
			return true
		}
	}
	return false
}

// knownByNodeAlone: of two Machines with one address, one is known to have it from its Node alone. When that Node cannot be
// read any more, the other is the only one that claims the address, and rule R3 gives it the member.
func (w *world) knownByNodeAlone() bool {
	for i := 0; i < w.n; i++ {
		if h := &w.hosts[i]; h.noMachineAddress && w.sharesAddress() {
			return true
		}
	}
	return false
}

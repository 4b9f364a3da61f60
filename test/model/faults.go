package model

// fault is a kind of event that a world grants only so many times. Whatever is not a fault may happen as often as it can.
type fault uint8

const (
	deletion fault = iota
	hostDeath
	kubeletStop
	memberCrash
	operatorCrash
	hookStrip
	hookTheft
	upkeep
	revisionWish
	badRevision
	operatorCut
	peerCut
	extraMachine
	failedProvisioning
	lostAddresses
	reusedAddress
	forcedDeletion
	lostNode
	drainExclusion
	guardEnd
	guardChange
	foreignHook
	blinding
	faultKinds
)

// bitsPerFault is the room of one counter in a packed state; faultKinds counters share a word.
const bitsPerFault = 2

var faultNames = [faultKinds]string{
	deletion:           "deletions",
	hostDeath:          "host deaths",
	kubeletStop:        "kubelet stops",
	memberCrash:        "member crashes",
	operatorCrash:      "operator crashes",
	hookStrip:          "hooks stripped",
	hookTheft:          "hooks overwritten",
	upkeep:             "drains by others",
	revisionWish:       "revisions",
	badRevision:        "broken revisions",
	operatorCut:        "cuts from the operator",
	peerCut:            "cuts from the peers",
	extraMachine:       "extra machines",
	failedProvisioning: "failed provisionings",
	lostAddresses:      "lost addresses",
	reusedAddress:      "reused addresses",
	forcedDeletion:     "forced deletions",
	lostNode:           "nodes deleted",
	drainExclusion:     "exclusions from draining",
	guardEnd:           "ended guards",
	guardChange:        "changed guards",
	foreignHook:        "foreign hooks",
	blinding:           "unreadable facts",
}

// involuntary faults take a voter down without asking anybody.
var involuntary = [...]fault{hostDeath, memberCrash, peerCut, drainExclusion, guardEnd}

// blindness is the one fact, or kind of object, that is not readable or not so at the moment.
type blindness uint8

const (
	seeingAll blindness = iota
	blindToMachineAPI
	blindToMachines
	blindToNodes
	blindToMembers
	blindToTopology
	blindToVersion
	blindToBootstrap
	blindToDesired
	blindToEndpoints
	blindToRevision
	blindToAPIServers
	blindToGuards
	blindToBudget
	blindToExternalEtcd
	blindToPeerURL
	blindToAddress
	blindToAlarms
	blindKinds
)

var blindNames = [blindKinds]string{
	seeingAll:           "nothing",
	blindToMachineAPI:   "whether the Machine API works",
	blindToMachines:     "the Machines",
	blindToNodes:        "the Nodes",
	blindToMembers:      "the member list",
	blindToTopology:     "the topology",
	blindToVersion:      "a version that is current (an upgrade is under way)",
	blindToBootstrap:    "the end of bootstrap",
	blindToDesired:      "the desired number of replicas",
	blindToEndpoints:    "etcd-endpoints",
	blindToRevision:     "the latest revision",
	blindToAPIServers:   "the API servers' endpoints",
	blindToGuards:       "the guards",
	blindToBudget:       "the budget",
	blindToExternalEtcd: "whether another etcd has taken over",
	blindToPeerURL:      "the peer URLs of the first member",
	blindToAddress:      "the old address of the first member's host (it reports another one)",
	blindToAlarms:       "the alarms of etcd",
}

// stopsGuards: while this is in doubt, rule R7.5 has nothing deleted and nothing lowered.
func (b blindness) stopsGuards() bool {
	switch b {
	case blindToMachineAPI, blindToMachines, blindToNodes, blindToMembers, blindToTopology, blindToVersion, blindToGuards:
		return true
	}
	return false
}

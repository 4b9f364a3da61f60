package model

// moveKind is one kind of move, of the operator or of the environment.
type moveKind uint8

const (
	// Moves of the operator: one write each.
	opAddLearner moveKind = iota
	opPromote
	opRemove
	opAddHook
	opRepairHook
	opRemoveHook
	opCreateGuard
	opDeleteGuard
	opSetBudget
	opDeleteBudget
	opGrowEndpoints
	opShrinkEndpoints
	opCreateRevision
	opCreateBadRevision
	opInstall

	// Moves of the environment that nobody has to be afraid of.
	machineAppears
	hostComesUp
	nodeIsLinked
	installLands
	etcdComesBack
	installIsDone
	learnerStarts
	learnerCatchesUp
	nodeSilenceIsTold
	guardReadinessIsTold
	evictionsAreComputed
	drainBegins
	drainEvictsGuard
	hostIsDestroyed
	nodeGoes
	machineGoes
	machineFails
	deadMachineIsDeleted
	leftNodeIsDeleted
	orphanIsRemovedByHand
	backOffPasses
	upkeepEvictsGuard
	upkeepReboots
	rebootEnds
	upkeepEnds
	timePasses
	probePeriodPasses
	cutHeals
	apiServerRolls
	revisionIsCorrected
	exclusionIsTakenBack
	foreignHookGoes
	factIsKnownAgain

	// Faults, each with a budget.
	faultDeletion
	faultHostDeath
	faultKubeletStop
	faultMemberCrash
	faultOperatorCrash
	faultHookStrip
	faultHookTheft
	faultUpkeep
	faultRevisionWish
	faultOperatorCut
	faultPeerCut
	faultExtraMachine
	faultFailedProvisioning
	faultLostAddresses
	faultReusedAddress
	faultForcedDeletion
	faultLostNode
	faultDrainExclusion
	faultGuardEnd
	faultGuardChange
	faultForeignHook
	faultBlinding

	moveKinds
)

// moveWords say each move in words; % stands for the slot it is about.
var moveWords = [moveKinds]string{
	opAddLearner:        "operator: add a learner on %",
	opPromote:           "operator: promote %",
	opRemove:            "operator: remove member %",
	opAddHook:           "operator: add the hook to machine %",
	opRepairHook:        "operator: repair the hook of machine %",
	opRemoveHook:        "operator: remove the hook from machine %",
	opCreateGuard:       "operator: create the guard on %",
	opDeleteGuard:       "operator: delete the guard on %",
	opSetBudget:         "operator: set the budget",
	opDeleteBudget:      "operator: delete the budget",
	opGrowEndpoints:     "operator: write the new voters into etcd-endpoints",
	opShrinkEndpoints:   "operator: take the former voters out of etcd-endpoints",
	opCreateRevision:    "operator: create a revision",
	opCreateBadRevision: "operator: create a revision that never becomes ready",
	opInstall:           "operator: install the latest revision on %",

	machineAppears:        "a replacement machine % appears",
	hostComesUp:           "host % comes up and its node appears",
	nodeIsLinked:          "machine % gets its nodeRef",
	installLands:          "the installer restarts the etcd pod of %",
	etcdComesBack:         "etcd on % comes back",
	installIsDone:         "the install on % is noted as done",
	learnerStarts:         "learner % starts",
	learnerCatchesUp:      "learner % has caught up",
	nodeSilenceIsTold:     "node % is told NotReady",
	guardReadinessIsTold:  "the readiness of the guard on % is told",
	evictionsAreComputed:  "the disruption controller computes what is allowed",
	drainBegins:           "the machine controller cordons node % to drain it",
	drainEvictsGuard:      "the machine controller has drained %",
	hostIsDestroyed:       "the machine controller destroys host %",
	nodeGoes:              "node % goes",
	machineGoes:           "machine % goes",
	machineFails:          "machine % is told Failed",
	deadMachineIsDeleted:  "a health check deletes machine %",
	leftNodeIsDeleted:     "a person deletes node %, as told",
	orphanIsRemovedByHand: "a person removes the healthy orphan %, as told",
	backOffPasses:         "the pause before the hook of % is written again ends",
	upkeepEvictsGuard:     "an upgrade has drained %",
	upkeepReboots:         "an upgrade reboots %",
	rebootEnds:            "% is back from its reboot",
	upkeepEnds:            "an upgrade uncordons %",
	timePasses:            "time passes for %",
	probePeriodPasses:     "a probe period passes for %",
	cutHeals:              "% is reachable again",
	apiServerRolls:        "the API server on % takes the current etcd-endpoints",
	revisionIsCorrected:   "a person corrects what broke the revision",
	exclusionIsTakenBack:  "a person takes back that % is excluded from draining",
	foreignHookGoes:       "the owner of the other hook on machine % removes it",
	factIsKnownAgain:      "what could not be read is readable again",

	faultDeletion:           "a person deletes machine %",
	faultHostDeath:          "host % dies",
	faultKubeletStop:        "the kubelet on % stops for good",
	faultMemberCrash:        "etcd on % crashes",
	faultOperatorCrash:      "the operator crashes and starts again",
	faultHookStrip:          "a person strips the hook from machine %",
	faultHookTheft:          "somebody overwrites the owner of the hook of machine %",
	faultUpkeep:             "an upgrade cordons %",
	faultRevisionWish:       "a person changes etcd's configuration",
	faultOperatorCut:        "the operator alone cannot reach %",
	faultPeerCut:            "% is cut off from its peers",
	faultExtraMachine:       "a person adds machine %",
	faultFailedProvisioning: "machine % fails before it has a host",
	faultLostAddresses:      "machine % loses its addresses",
	faultReusedAddress:      "a replacement machine % appears with the address of a lost host",
	faultForcedDeletion:     "a person force-deletes machine %",
	faultLostNode:           "somebody deletes the node of the lost host %",
	faultDrainExclusion:     "a person excludes machine % from draining",
	faultGuardEnd:           "the guard on % ends",
	faultGuardChange:        "all guards differ from what is wanted now",
	faultForeignHook:        "somebody adds another hook to machine %",
	faultBlinding:           "something cannot be read any more",
}

// isFault reports whether a move is a fault; all others count as progress when the way to the goal is looked for.
func (k moveKind) isFault() bool { return k >= faultDeletion }

// move is one move: what kind, about which slot; -1 when about none.
type move struct {
	kind moveKind
	slot int8
}

// step is a move and where it leads.
type step struct {
	move
	to state
}

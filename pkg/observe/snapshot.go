package observe

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Pass is everything that one pass read.
type Pass struct {
	// At is when the pass began.
	At      time.Time
	Objects Objects
	Etcd    Etcd
	// OperatorVersion is the version that the operator ships, which ClusterOperator etcd must report (rule R7.5); empty
	// when it is not known.
	OperatorVersion string
	// GuardOutdated tells whether image, probe, host name or service account of a guard pod differ from the wanted ones
	// (rule R7.4). Without it none does.
	GuardOutdated func(*corev1.Pod) bool
}

// Snapshot returns the facts of a pass, and what in it could not be turned into facts: errors that name object, field
// and remedy, each once, in no order that depends on the order of lists. PlannedInstall and HookBackOff are left to the
// caller, since they come from decisions and writes.
func Snapshot(p Pass, memory *Memory) (snapshot.Snapshot, []error) {
	memory.begin()
	c := conversion{Pass: p, memory: memory}
	c.convertCluster()
	c.convertDesired()
	c.convertMachines()
	c.convertMachineAPI()
	c.convertMembers()
	c.convertNodes()
	c.claimAddresses()
	c.convertRevisions()
	c.convertGuards()
	memory.end(c.s.Members)
	return c.s, c.sortedProblems()
}

// conversion is one Snapshot in the making.
type conversion struct {
	Pass
	memory   *Memory
	s        snapshot.Snapshot
	problems []error
}

func (c *conversion) report(err error) {
	if err != nil {
		c.problems = append(c.problems, err)
	}
}

func (c *conversion) sortedProblems() []error {
	slices.SortFunc(c.problems, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return slices.CompactFunc(c.problems, func(a, b error) bool { return a.Error() == b.Error() })
}

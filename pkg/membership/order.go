package membership

import (
	"cmp"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// removalOrder is what rule R6.6 compares: dead first, then the one whose failure domain keeps a voter that stays, then
// the oldest deletion, then the name of the Machine.
type removalOrder struct {
	alive      bool
	lastInZone bool
	deleted    time.Time
	machine    snapshot.MachineName
}

func (a removalOrder) compare(b removalOrder) int {
	return cmp.Or(compareBools(a.alive, b.alive), compareBools(a.lastInZone, b.lastInZone), a.deleted.Compare(b.deleted), cmp.Compare(a.machine, b.machine))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

func (p *pass) orderOf(i int, dead bool) removalOrder {
	o := removalOrder{alive: !dead, lastInZone: !p.zoneKeepsVoter(i)}
	if machine := p.Owners[i].Machine; machine != nil {
		o.deleted, o.machine = machine.DeletionTimestamp, machine.Name
	}
	return o
}

// zoneKeepsVoter reports whether another voter, whose Machine is not deleting, is in the same failure domain.
func (p *pass) zoneKeepsVoter(subject int) bool {
	zone := failureDomain(p.Owners[subject].Machine)
	if zone == "" {
		return false
	}
	for i, m := range p.SortedMembers {
		machine := p.Owners[i].Machine
		if i != subject && !m.Learner && machine != nil && !machine.Deleting && failureDomain(machine) == zone {
			return true
		}
	}
	return false
}

// failureDomain is the Machine's zone, else the number after the last dash of its name, else empty (rule R6.6).
func failureDomain(machine *snapshot.Machine) string {
	if machine == nil {
		return ""
	}
	if machine.Zone != "" {
		return machine.Zone
	}
	name := string(machine.Name)
	suffix := name[strings.LastIndexByte(name, '-')+1:]
	for _, c := range suffix {
		if c < '0' || c > '9' {
			return ""
		}
	}
	return suffix
}

// nextLeader returns the voter that takes over leadership from subject (rule R6.7): the first by name that is healthy
// and whose Machine stays. 0 when the subject does not lead or nobody qualifies; then etcd elects a leader by itself.
func (p *pass) nextLeader(subject *snapshot.Member) snapshot.MemberID {
	if p.Leader == 0 || p.Leader != subject.ID {
		return 0
	}
	for i, m := range p.SortedMembers {
		owner := p.Owners[i]
		if m == subject || m.Learner || !m.IsHealthy() || owner.State == snapshot.OwnerAmbiguous || owner.State == snapshot.OwnerUnknown {
			continue
		}
		if owner.Machine == nil || !owner.Machine.Deleting {
			return m.ID
		}
	}
	return 0
}

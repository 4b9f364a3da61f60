package observe

import (
	"slices"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// convertMembers joins the member list with the probes of the same pass.
func (c *conversion) convertMembers() {
	c.s.ClusterID = c.Etcd.ClusterID
	c.s.MemberList = c.Etcd.MemberList
	probes := map[snapshot.MemberID]Probe{}
	for _, p := range c.Etcd.Probes {
		probes[p.Member] = p
	}
	quorumAnswered := c.quorumOfVoters(func(m Member) bool { return probes[m.ID].Served.Holds() })
	for _, from := range c.Etcd.Members {
		c.s.Members = append(c.s.Members, c.convertMember(from, probes[from.ID], quorumAnswered))
	}
	c.s.Leader = c.leader(probes)
}

func (c *conversion) convertMember(from Member, probe Probe, quorumAnswered bool) snapshot.Member {
	m := snapshot.Member{
		ID: from.ID, Name: from.Name, PeerURLs: from.PeerURLs,
		Started: len(from.ClientURLs) > 0, Learner: from.Learner,
		CannotServe: probe.CannotServe, Corrupt: probe.Corrupt, NoSpace: probe.NoSpace,
	}
	label := m.Name
	if label == "" {
		label = m.ID.String()
	}
	addresses, err := snapshot.PeerAddresses(label, from.PeerURLs)
	c.report(err)
	m.PeerAddresses = addresses
	if probe.Status != nil {
		m.Version, m.DatabaseBytes, m.AppliedIndex = probe.Status.Version, probe.Status.DatabaseBytes, probe.Status.AppliedIndex
	}
	m.Health = health(probe.Served, quorumAnswered)
	if m.Health == snapshot.Unhealthy {
		m.UnhealthyFor = c.memory.lasting(unhealthy, m.ID)
	}
	if m.Learner {
		m.StalledFor = c.memory.stalledFor(&m)
	}
	return m
}

// health: requirements, "Words". A probe that failed while no quorum answered either may say more about the operator's
// network than about the member.
func health(served snapshot.Fact, quorumAnswered bool) snapshot.Health {
	switch {
	case served.Holds():
		return snapshot.Healthy
	case served.Fails() && quorumAnswered:
		return snapshot.Unhealthy
	default:
		return snapshot.HealthUnknown
	}
}

// quorumOfVoters tells whether enough voters of the list are such.
func (c *conversion) quorumOfVoters(such func(Member) bool) bool {
	voters, matching := 0, 0
	for _, m := range c.Etcd.Members {
		if m.Learner {
			continue
		}
		voters++
		if such(m) {
			matching++
		}
	}
	return matching >= snapshot.Quorum(voters)
}

// leader is the member that a quorum of voters takes for the leader.
func (c *conversion) leader(probes map[snapshot.MemberID]Probe) snapshot.MemberID {
	names := func(id snapshot.MemberID) func(Member) bool {
		return func(m Member) bool { return probes[m.ID].Status != nil && probes[m.ID].Status.Leader == id }
	}
	i := slices.IndexFunc(c.Etcd.Members, func(m Member) bool { return m.ID != 0 && c.quorumOfVoters(names(m.ID)) })
	if i < 0 {
		return 0
	}
	return c.Etcd.Members[i].ID
}

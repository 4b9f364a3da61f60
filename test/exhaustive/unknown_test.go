package exhaustive

import (
	"fmt"
	"net/netip"
	"reflect"
	"slices"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// checkUnknown is I4: whichever single thing is not known any more, nothing becomes possible that was not possible before.
func (c *checker) checkUnknown(w *world) {
	if w.contradictory() || w.knownByNodeAlone() {
		return
	}
	c.world, c.failed = w, false
	defer c.reportPanic()
	s := c.build(w)
	before := c.decide(s, w)
	c.decisions = before
	forget(s, func(what func() string) {
		c.unknowns++
		after := c.decide(s, w)
		c.checkNothingGained(s, &before, &after, what)
	})
	s.PlannedInstall = ""
}

func (c *checker) checkNothingGained(s *snapshot.Snapshot, before, after *decisions, what func() string) {
	gained := func(format string, args ...any) {
		c.decisions, c.without = *after, what()
		c.fail("I4", "%s\n  before: %s", fmt.Sprintf(format, args...), before.words(c.world.cores))
		c.decisions, c.without = *before, ""
	}
	for change := range changesAllowed(&after.membership) {
		if !allows(&before.membership, change) {
			gained("%s of %s becomes possible", change.action, change.label())
		}
	}
	for i := range after.hooks.Machines {
		if a, b := &after.hooks.Machines[i], &before.hooks.Machines[i]; a.Action != machinehook.None && a.Action != b.Action {
			gained("the hook of %s: %s becomes possible", a.Machine, a.Action)
		}
	}
	for i := range after.guards.Pods {
		if p := &after.guards.Pods[i]; p.Action == quorumguard.PodDelete && !deletesGuard(&before.guards, p.Node) {
			gained("deleting the guard on %s becomes possible", p.Node)
		}
	}
	// With nothing to install any more, there is nothing to hold drains back for.
	calledOff := before.rollout.Step != rollout.NoStep && after.rollout.Step == rollout.NoStep
	if s.Budget.Present != no && !calledOff && after.guards.MinAvailable < min(s.Budget.MinAvailable, before.guards.MinAvailable) ||
		after.guards.Budget == quorumguard.DeleteBudget && before.guards.Budget != quorumguard.DeleteBudget {
		gained("lowering the budget to %d becomes possible, it was %d and should be %d", after.guards.MinAvailable, s.Budget.MinAvailable, before.guards.MinAvailable)
	}
	if after.rollout.Create.Allowed && !before.rollout.Create.Allowed {
		gained("creating a revision becomes possible")
	}
	for i := range after.rollout.Install {
		if p := &after.rollout.Install[i]; p.Allowed && !mayTake(&before.rollout, p.Node) {
			gained("installing on %s becomes possible", p.Node)
		}
	}
	if after.rollout.Step == rollout.Install && before.rollout.Step == rollout.CloseBudget && after.rollout.Next == before.rollout.Next {
		gained("installing on %s without holding back drains becomes possible", after.rollout.Next)
	}
}

// change is one action on one member or node.
type change struct {
	action membership.Action
	member snapshot.MemberID
	node   snapshot.NodeName
}

func (c change) label() string {
	if c.member != 0 {
		return "member " + c.member.String()
	}
	return string(c.node)
}

func changeOf(a membership.Action, t *membership.Target) change {
	if a == membership.AddLearner {
		return change{action: a, node: t.Node}
	}
	return change{action: a, member: t.Member}
}

// changesAllowed yields what a decision allows: what it does, and what only waits for that.
func changesAllowed(d *membership.Decision) func(func(change) bool) {
	return func(yield func(change) bool) {
		if d.Action != membership.Wait && d.Action != "" && !yield(changeOf(d.Action, &d.Target)) {
			return
		}
		for i := range d.Refused {
			if r := &d.Refused[i]; r.Reason == reason.WaitingForAnotherChange && !yield(changeOf(r.Action, &r.Target)) {
				return
			}
		}
	}
}

func allows(d *membership.Decision, wanted change) bool {
	for c := range changesAllowed(d) {
		if c == wanted {
			return true
		}
	}
	return false
}

// deletesGuard: the guard is deleted, or is only put off until another one is made anew.
func deletesGuard(d *quorumguard.Decision, node snapshot.NodeName) bool {
	for i := range d.Pods {
		if p := &d.Pods[i]; p.Node == node {
			return p.Action == quorumguard.PodDelete || p.Reason == reason.GuardRemakeWaits && p.Other == ""
		}
	}
	return false
}

// mayTake reports whether a node may take the latest revision; one without an entry runs it already.
func mayTake(d *rollout.Decision, node snapshot.NodeName) bool {
	for i := range d.Install {
		if d.Install[i].Node == node {
			return d.Install[i].Allowed
		}
	}
	return false
}

// forget calls try once for each single thing that could be unknown in s, and restores it after each. The Facts are found
// by reflection, so that one that is added later is forgotten too.
func forget(s *snapshot.Snapshot, try func(what func() string)) {
	forgetFacts(reflect.ValueOf(s).Elem(), "Snapshot", try)
	forgetValue(&s.LatestRevision, "LatestRevision", try)
	forgetValue(&s.Desired.Replicas, "Desired.Replicas", try)
	forgetValue(&s.Topology, "Topology", try)
	for i := range s.Members {
		m := &s.Members[i]
		name := "member " + m.ID.String()
		forgetValue(&m.Health, name+" Health", try)
		forgetValue(&m.UnhealthyFor, name+" UnhealthyFor", try)
		forgetValue(&m.UnclaimedFor, name+" UnclaimedFor", try)
		forgetValue(&m.AppliedIndex, name+" AppliedIndex", try)
		addresses, claimed := m.PeerAddresses, m.AddressClaimed
		m.PeerAddresses, m.AddressClaimed = nil, unknown
		try(func() string { return name + " PeerAddresses unreadable" })
		m.PeerAddresses, m.AddressClaimed = addresses, claimed
	}
	for i := range s.Nodes {
		name := "node " + string(s.Nodes[i].Name)
		forgetValue(&s.Nodes[i].PeerAddress, name+" PeerAddress", try)
		// A control-plane Node that exists is in a list that was read.
		if s.Nodes[i].Present == no {
			forgetNode(s, i, name, try)
		}
	}
}

// forgetNode tries without the entry of a Node. Whose address nobody has is then not known of any member.
func forgetNode(s *snapshot.Snapshot, i int, name string, try func(what func() string)) {
	nodes, members := s.Nodes, s.Members
	s.Nodes = slices.Concat(nodes[:i], nodes[i+1:])
	s.Members = slices.Clone(members)
	for k := range s.Members {
		if s.Members[k].AddressClaimed == no {
			s.Members[k].AddressClaimed = unknown
		}
	}
	try(func() string { return name + " not read" })
	s.Nodes, s.Members = nodes, members
}

// forgetValue tries the zero value, which stands for unknown; a value that is zero already is not tried.
func forgetValue[T comparable](v *T, name string, try func(func() string)) {
	var none T
	if *v == none {
		return
	}
	kept := *v
	*v = none
	try(func() string { return name + " unknown" })
	*v = kept
}

var factType, addrType = reflect.TypeFor[snapshot.Fact](), reflect.TypeFor[netip.Addr]()

func forgetFacts(v reflect.Value, name string, try func(func() string)) {
	switch {
	case v.Type() == factType:
		forgetValue(v.Addr().Interface().(*snapshot.Fact), name, try)
	case v.Type() == addrType:
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				forgetFacts(v.Field(i), name+"."+f.Name, try)
			}
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		for i := range v.Len() {
			forgetFacts(v.Index(i), fmt.Sprintf("%s[%d]", name, i), try)
		}
	}
}

package model

import (
	"fmt"
	"strings"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
)

// wordsOf says a move in words.
func (e *examiner) wordsOf(m *step) string {
	words := moveWords[m.kind]
	if m.slot >= 0 {
		words = strings.ReplaceAll(words, "%", letter(int(m.slot)))
	}
	switch m.kind {
	case opSetBudget:
		words += fmt.Sprintf(" to %d", m.to.minAvailable)
	case evictionsAreComputed:
		words += fmt.Sprintf(": %d", m.to.allowed)
	case faultBlinding:
		words += ": " + blindNames[m.to.blind]
	case faultReusedAddress:
		words += fmt.Sprintf(" (%s)", letter(m.to.addressOf(int(m.slot))))
	case timePasses:
		words += fmt.Sprintf(": unhealthy or unclaimed for %s", durations[m.to.slots[m.slot].down])
	}
	return words
}

// describe says a state in words, with what the operator makes of it.
func (e *examiner) describe(s *state) string {
	var b strings.Builder
	t := e.truth(s)
	fmt.Fprintf(&b, "state: %d voters, %d of them connected (quorum %d)", t.voters, count(t.connected), t.quorum)
	fmt.Fprintf(&b, "; endpoints %s; budget %s", maskWords(s.endpoints), budgetWords(s))
	if s.wanted {
		b.WriteString("; a revision is wanted")
	}
	if s.latestBad {
		b.WriteString("; the latest revision is broken")
	}
	if s.blind != seeingAll {
		fmt.Fprintf(&b, "; not readable: %s", blindNames[s.blind])
	}
	b.WriteByte('\n')
	for i := range e.slots {
		if s.slots[i] != (slot{}) {
			fmt.Fprintf(&b, "  %s: %s\n", letter(i), slotWords(s, i))
		}
	}
	d := e.cores.decide(e.scene.draw(e.world, s, &t))
	fmt.Fprintf(&b, "  membership: %s %s %s: %s\n", d.membership.Action, d.membership.Rule, d.membership.Reason, d.membership.Message())
	for _, r := range d.membership.Refused {
		fmt.Fprintf(&b, "    not %s (%s): %s\n", r.Action, r.Rule, r.Message())
	}
	for _, v := range d.machinehook.Machines {
		if v.Action != machinehook.None || v.Refused != machinehook.None {
			fmt.Fprintf(&b, "  hook: %s (%s) %s\n", v.Action, v.Rule, v.Message())
		}
	}
	fmt.Fprintf(&b, "  guard: %s budget %d\n", d.quorumguard.Budget, d.quorumguard.MinAvailable)
	for _, h := range d.quorumguard.Holds {
		fmt.Fprintf(&b, "    %s (%s)\n", h.Message(), h.Rule)
	}
	for _, p := range d.quorumguard.Pods {
		if p.Reason != reason.GuardInPlace {
			fmt.Fprintf(&b, "    guard of %s: %s (%s) %s\n", p.Node, p.Action, p.Rule, p.Message())
		}
	}
	fmt.Fprintf(&b, "  rollout: create allowed=%t (%s); %s %s: %s\n", d.rollout.Create.Allowed, d.rollout.Create.Message(), d.rollout.Step, d.rollout.Next, d.rollout.Message())
	return b.String()
}

func budgetWords(s *state) string {
	if !s.budget {
		return "absent"
	}
	words := fmt.Sprintf("%d, allows %d evictions", s.minAvailable, s.allowed)
	if !s.observed {
		words += " as computed before its last change"
	}
	return words
}

func maskWords(mask uint16) string {
	words := ""
	for i := range maxSlots {
		if mask&bit(i) != 0 {
			words += letter(i)
		}
	}
	if words == "" {
		return "none"
	}
	return words
}

var (
	machineWords = [...]string{"no machine", "machine", "deleting machine"}
	hookWords    = [...]string{" without hook", "", " with an overwritten hook"}
	hostWords    = [...]string{"no host", "host up", "host rebooting", "host dead"}
	processWords = [...]string{"no etcd", "etcd runs", "etcd restarts", "etcd broken"}
	cutWords     = [...]string{"", " (the operator cannot reach it)", " (cut off from its peers)"}
	memberWords  = [...]string{"no member", "unstarted learner", "learner behind", "learner caught up", "voter"}
	guardWords   = [...]string{"no guard", "guard pending", "guard running", "guard finished"}
)

func slotWords(s *state, i int) string {
	c := &s.slots[i]
	parts := []string{memberWords[c.member], machineWords[c.machine], hostWords[c.host], processWords[c.etcd] + cutWords[c.cut], guardWords[c.guard]}
	if c.machine != noMachine {
		parts[1] += hookWords[c.hook]
	}
	if c.guardReady {
		parts[4] += " and told ready"
	}
	for _, f := range []struct {
		holds bool
		words string
	}{
		{c.machine != noMachine && !c.linked, "no nodeRef"},
		{c.failed, "phase Failed"},
		{c.bare, "machine without addresses"},
		{c.excluded, "excluded from draining"},
		{c.backOff, "hook writes pause"},
		{c.heldBy, "another hook"},
		{c.address != 0, "address of " + letter(s.addressOf(i))},
		{c.kubeletStopped, "kubelet stopped"},
		{!c.node, "no node"},
		{c.node && !c.ready, "node told NotReady"},
		{c.upkeep == upkeepEvicts, "cordoned by an upgrade"},
		{c.upkeep == upkeepDrained, "drained by an upgrade"},
		{c.drain == drainEvicts, "cordoned by the machine controller"},
		{c.drain == drained, "drained by the machine controller"},
		{c.guardDeleting, "guard deleting"},
		{c.guardOld, "guard outdated"},
		{c.node && c.current == oldRevision, "old revision"},
		{c.node && c.current == noRevision, "no revision"},
		{c.target == oldRevision, "install of a superseded revision in flight"},
		{c.target == latestRevision, "install in flight"},
		{c.landed, "pod restarted for it"},
		{c.bad, "with a broken revision"},
		{c.down > justNow, "unhealthy or unclaimed for " + durations[c.down].String()},
		{c.fresh, "failed within the last probe period"},
		{c.granted && c.upkeep != upkeepDrained && c.drain != drained, "a drain would not be asked about"},
		{c.exposed, "its guard ended by itself"},
	} {
		if f.holds {
			parts = append(parts, f.words)
		}
	}
	return strings.Join(parts, ", ")
}

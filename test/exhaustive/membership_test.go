package exhaustive

import (
	"time"

	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// changes is what the rules allow to do to the member list, judged member by member from the description.
type changes struct {
	remove, promote, add [maxHosts]bool
	dead                 [maxHosts]bool
	any                  bool
}

// allowedChanges applies rules R5.1, R5.2 and R6 to every host of a world.
func allowedChanges(w *world, t *tally) changes {
	var c changes
	switch {
	case w.memberList != yes, w.machineAPI == unknown, w.machineAPI == yes && w.machineList != yes, w.nodeList != yes:
		return c
	case w.topology == snapshot.TopologyUnknown, w.topology == snapshot.DualReplica && w.external != no:
		return c
	}
	for i := 0; i < w.n; i++ {
		switch h := &w.hosts[i]; {
		case h.role == noMember:
			c.add[i] = mayAdd(w, t, i)
		default:
			c.remove[i], c.dead[i] = mayRemove(w, t, i)
			c.promote[i] = h.role.learns() && mayPromote(w, t, i)
		}
		c.any = c.any || c.add[i] || c.remove[i] || c.promote[i]
	}
	return c
}

// mayRemove tells whether rule R6 lets the member of host i go, and whether as a dead one.
func mayRemove(w *world, t *tally, i int) (allowed, dead bool) {
	h := &w.hosts[i]
	if w.bootstrapComplete != yes || t.bootstrap || w.desired == 0 {
		return false, false
	}
	switch t.kind[i] {
	case ownerNone:
		if !w.isOrphan(i) {
			return false, false
		}
		if h.role.learns() {
			wait := 2 * time.Minute
			if w.machineAPI == no {
				wait = 10 * time.Minute
			}
			return h.unclaimedFor >= wait && t.wellVoters >= quorum(t.voters), false
		}
		settled := w.machineAPI == yes || h.unclaimedFor >= 10*time.Minute
		return w.isDown(i) && h.unhealthyFor >= 30*time.Second && settled && t.quorumWithout(i), true
	case ownerFound:
		machine := t.hostOf(w, i)
		switch {
		case machine.machine != deleting:
			return false, false
		case h.role.learns():
			return t.wellVoters >= quorum(t.voters), false
		case t.healthy[i]:
			return mayRemoveReplaced(w, t, i), false
		default:
			return w.isDown(i) && isWitnessed(w, t, i) && h.unhealthyFor >= deathTakes(w, t, i) && t.quorumWithout(i), true
		}
	}
	return false, false
}

// quorumWithout: the healthy voters are a quorum now, and are one of the voters that remain without member i, who is down.
func (t *tally) quorumWithout(i int) bool {
	return !t.healthy[i] && t.wellVoters >= quorum(t.voters) && t.wellVoters >= quorum(t.voters-1)
}

// isWitnessed: the second witness of rule R6.1.
func isWitnessed(w *world, t *tally, i int) bool {
	if w.hosts[i].cannotServe == yes {
		return true
	}
	n := t.nodeHost(w, i)
	if n == nil {
		return false
	}
	switch n.node {
	case nodeAbsent, nodeNotReady:
		return true
	case nodeUnread:
		return false
	}
	return n.pod == podNotReady || n.pod == podWaiting || n.pod == podContainerDown || n.pod == podAbsent
}

// deathTakes: for how long rule R6.1 wants a member to have been unhealthy.
func deathTakes(w *world, t *tally, i int) time.Duration {
	n := t.nodeHost(w, i)
	switch {
	case n != nil && n.node == nodeAbsent, t.hostOf(w, i).failed, t.wellVoters >= w.desired:
		return 30 * time.Second
	case n != nil && n.present() && n.cordoned:
		return 10 * time.Minute
	default:
		return 5 * time.Minute
	}
}

// mayRemoveReplaced: rules R6.2 and R6.3.
func mayRemoveReplaced(w *world, t *tally, i int) bool {
	if t.voters-1 < w.desired || !t.votersWell(w, i) || !w.revisionKnown || w.endpoints != endpointsAgree {
		return false
	}
	for j := 0; j < w.n; j++ {
		if !w.hosts[j].role.votes() || t.lost(w, j) || t.kind[j] == ownerNone && w.isOrphan(j) {
			continue
		}
		n := t.nodeHost(w, j)
		if n == nil || !n.present() || n.revision.targetSet() || n.pod != podReady {
			return false
		}
	}
	if w.apiServers == no {
		return true
	}
	if w.apiServers == unknown {
		return false
	}
	need := min(2, t.voters-1)
	for j := 0; j < w.n; j++ {
		h := &w.hosts[j]
		if h.api == noAPIServer || h.node == nodeNotReady || h.node == nodeAbsent || h.machine == deleting {
			continue
		}
		if known := ones(w.knownBy(j) &^ (1 << i)); h.api == apiServerUnread || known < need {
			return false
		}
	}
	return true
}

// mayPromote: rule R5.2.
func mayPromote(w *world, t *tally, i int) bool {
	h := &w.hosts[i]
	if !h.role.started() || !t.healthy[i] || h.noSpace != noAlarm || h.unreadable {
		return false
	}
	if w.desired == 0 || t.voters+1 > w.desired+1 || !t.votersWell(w, -1) {
		return false
	}
	if t.kind[i] == ownerUnknown || t.kind[i] == ownerAmbiguous {
		return false
	}
	if w.machineAPI == yes {
		if m := t.hostOf(w, i); m == nil || !m.holds() {
			return false
		}
	}
	n := t.nodeHost(w, i)
	if n == nil || n.node != nodeReady || n.cordoned {
		return false
	}
	if w.topology != snapshot.SingleReplica && (w.guardList != yes || !n.guard.ready()) || n.revision.targetSet() {
		return false
	}
	highest := uint64(0)
	for j := 0; j < w.n; j++ {
		if w.hosts[j].role.votes() {
			if w.hosts[j].lag == indexUnknown {
				return false
			}
			highest = max(highest, appliedIndex[w.hosts[j].lag])
		}
	}
	return h.lag != indexUnknown && appliedIndex[h.lag]+lagLimit >= highest
}

// holds: the Machine stays and its hook will be honoured (rules R5.1, R5.2).
func (h *host) holds() bool {
	return h.machine == live && h.hasNodeRef() && h.hook == snapshot.HookPresent && !h.excluded
}

// mayAdd: rule R5.1.
func mayAdd(w *world, t *tally, i int) bool {
	h := &w.hosts[i]
	if h.node != nodeReady || h.cordoned || h.nodeDeleting || h.noPeerAddress || h.pod != podWaiting {
		return false
	}
	if w.machineAPI == yes && !h.holds() {
		return false
	}
	for j := 0; j < w.n; j++ {
		if m := &w.hosts[j]; m.role != noMember && (m.unreadable || w.addressOf(j) == w.addressOf(i) && !h.moved || t.node[j] == i) {
			return false
		}
	}
	return t.joining == 0 && t.votersWell(w, -1)
}

// first returns the change that rules R6 and R6.6 put first among those allowed.
func (c *changes) first(w *world, t *tally) (membership.Action, int) {
	best := -1
	for i := 0; i < w.n; i++ {
		if c.remove[i] && (best < 0 || c.before(w, t, i, best)) {
			best = i
		}
	}
	if best >= 0 {
		return membership.RemoveMember, best
	}
	if i := firstByName(w, &c.promote); i >= 0 {
		return membership.PromoteLearner, i
	}
	if i := firstByName(w, &c.add); i >= 0 {
		return membership.AddLearner, i
	}
	return membership.Wait, -1
}

func firstByName(w *world, allowed *[maxHosts]bool) int {
	best := -1
	for i := 0; i < w.n; i++ {
		if allowed[i] && (best < 0 || w.names[i] < w.names[best]) {
			best = i
		}
	}
	return best
}

// before is rule R6.6. What it leaves open is settled so that the same facts give the same choice: a member without a
// Machine has no deletion time and no Machine's name, and comes first.
func (c *changes) before(w *world, t *tally, a, b int) bool {
	if c.dead[a] != c.dead[b] {
		return c.dead[a]
	}
	if keptA, keptB := domainKeepsVoter(w, t, a), domainKeepsVoter(w, t, b); keptA != keptB {
		return keptA
	}
	machineA, machineB := t.hostOf(w, a), t.hostOf(w, b)
	if (machineA == nil) != (machineB == nil) {
		return machineA == nil
	}
	if machineA != nil {
		if machineA.age != machineB.age {
			return machineA.age < machineB.age
		}
		return w.machineName(t.owner[a]) < w.machineName(t.owner[b])
	}
	if startedA, startedB := w.hosts[a].role.started(), w.hosts[b].role.started(); startedA != startedB {
		return startedB
	} else if !startedA {
		return idOf(w.names[a]) < idOf(w.names[b])
	}
	return w.names[a] < w.names[b]
}

// domainKeepsVoter: another voter, whose Machine is not deleting, is in the failure domain of member i.
func domainKeepsVoter(w *world, t *tally, i int) bool {
	domain := w.domain(t, i)
	if domain == 0 {
		return false
	}
	for j := 0; j < w.n; j++ {
		if j != i && w.hosts[j].role.votes() && t.kind[j] == ownerFound && !t.leaves(w, j) && w.domain(t, j) == domain {
			return true
		}
	}
	return false
}

// domain returns a number for the zone label, another for the number that ends the Machine's name, 0 for neither.
func (w *world) domain(t *tally, i int) int {
	m := t.hostOf(w, i)
	switch {
	case m == nil:
		return 0
	case m.zone > 0:
		return int(m.zone)
	case w.numbered:
		return 100 + int(w.names[t.owner[i]]%3)
	default:
		return 0
	}
}

func ones(bits uint8) int {
	n := 0
	for ; bits != 0; bits &= bits - 1 {
		n++
	}
	return n
}

// checkMembership holds a decision against what the rules allow, in both directions, and against the invariants.
func (c *checker) checkMembership(w *world, t *tally, d *membership.Decision) {
	allowed := allowedChanges(w, t)
	c.membershipInvariants(w, t, d)
	action, subject := allowed.first(w, t)
	decided := c.subjectOf(w, d.Action, &d.Target)
	if d.Action != action || action != membership.Wait && decided != subject {
		c.fail("R6", "the rules make it %s of %s, the decision is %s of %s", action, w.label(subject), d.Action, w.label(decided))
		return
	}
	if action != membership.Wait {
		allowed.take(action, subject)
	}
	for i := range d.Refused {
		r := &d.Refused[i]
		c.cite(&r.Finding)
		if r.Reason != reason.WaitingForAnotherChange {
			continue
		}
		other := c.subjectOf(w, r.Action, &r.Target)
		if other < 0 || !allowed.take(r.Action, other) {
			c.fail("R6", "%s of %s is refused only for another change, but no rule allows it", r.Action, w.label(other))
		}
	}
	if allowed.left() {
		c.fail("R6", "a change that the rules allow is neither taken nor put off for another one: %v", allowed)
	}
	c.cite(&d.Finding)
	for i := range d.Warnings {
		c.cite(&d.Warnings[i].Finding)
	}
	c.checkLeader(w, t, d, subject)
	c.checkWaitIsVisible(w, t, d)
	c.checkOrphanIsNamed(w, t, d)
}

// take marks an allowed change as found; false if it was not allowed, or found before.
func (c *changes) take(a membership.Action, i int) bool {
	list := &c.add
	switch a {
	case membership.RemoveMember:
		list = &c.remove
	case membership.PromoteLearner:
		list = &c.promote
	}
	was := list[i]
	list[i] = false
	return was
}

func (c *changes) left() bool {
	if !c.any {
		return false
	}
	for i := range maxHosts {
		if c.add[i] || c.remove[i] || c.promote[i] {
			return true
		}
	}
	return false
}

// subjectOf returns the host that a target names, after checking that all its names belong together; -1 if there is none.
func (c *checker) subjectOf(w *world, a membership.Action, target *membership.Target) int {
	if a == membership.AddLearner {
		for i := 0; i < w.n; i++ {
			if string(target.Node) == nodeNames[w.names[i]] {
				if target.Member != 0 || target.Name != "" {
					c.fail("I3", "an add names member %s, which cannot exist yet", target.Member)
				}
				return i
			}
		}
		return -1
	}
	name, ok := nameOfID(target.Member)
	if !ok {
		return -1
	}
	i := w.named(name)
	if i < 0 || w.hosts[i].role == noMember {
		return -1
	}
	wantName := ""
	switch {
	case w.hosts[i].bootstrap:
		wantName = snapshot.BootstrapMember
	case w.hosts[i].role.started():
		wantName = memberNames[name]
	}
	if target.Name != wantName {
		c.fail("R6", "the target's name is %q, but member %s is called %q", target.Name, target.Member, wantName)
	}
	return i
}

// membershipInvariants checks I1, I2, I3, I4, I5, I6, I9 and I12 by arithmetic on the description, with no regard to which
// rule the core followed.
func (c *checker) membershipInvariants(w *world, t *tally, d *membership.Decision) {
	if d.ClusterID != clusterID || d.MemberDigest == 0 {
		c.fail("I6", "the decision does not say which member set was judged")
	}
	c.rememberDigest(w, d.MemberDigest)
	subject := c.subjectOf(w, d.Action, &d.Target)
	switch d.Action {
	case membership.Wait:
		if d.PeerURL != "" || d.MoveLeaderTo != 0 {
			c.fail("I2", "a wait carries out part of a change")
		}
		return
	case membership.RemoveMember, membership.PromoteLearner, membership.AddLearner:
	default:
		c.fail("I2", "%q is no action", d.Action)
		return
	}
	if subject < 0 {
		c.fail("I2", "the target %+v does not exist", d.Target)
		return
	}
	h := &w.hosts[subject]
	if w.memberList != yes {
		c.fail("I4", "the member list is not known")
	}
	switch d.Action {
	case membership.RemoveMember:
		c.removalInvariants(w, t, h, subject)
	case membership.PromoteLearner:
		if !h.role.learns() || !h.role.started() || h.health != healthy {
			c.fail("I3", "%s is no healthy, started learner", w.label(subject))
		}
		if t.voters+1 > w.desired+1 {
			c.fail("I3", "%d voters would be more than desired + 1 = %d", t.voters+1, w.desired+1)
		}
		if w.machineAPI != no && (h.machine != live || h.hook != snapshot.HookPresent) {
			c.fail("I9", "%s would vote without a hook that holds", w.label(subject))
		}
	case membership.AddLearner:
		if h.role != noMember || d.PeerURL != "https://"+addressText[w.addressOf(subject)]+":2380" {
			c.fail("I3", "peer URL %q for %s", d.PeerURL, w.label(subject))
		}
		if t.joining > 0 {
			c.fail("I2", "another member has not finished joining")
		}
	}
}

func (c *checker) removalInvariants(w *world, t *tally, h *host, subject int) {
	if h.role == noMember {
		c.fail("I2", "%s hosts no member", w.label(subject))
	}
	if w.bootstrapComplete != yes || t.bootstrap {
		c.fail("I12", "a removal before bootstrap is complete")
	}
	if w.desired == 0 {
		c.fail("I4", "a removal with no desired number ever observed")
	}
	if !h.role.votes() {
		if t.wellVoters < quorum(t.voters) {
			c.fail("I5", "a learner is removed with %d of %d voters healthy; it may vote all the same", t.wellVoters, t.voters)
		}
		return
	}
	remaining, well := t.voters-1, t.wellVoters
	if t.healthy[subject] {
		well--
	}
	if well < quorum(remaining) || t.wellVoters < quorum(t.voters) {
		c.fail("I1", "%d of the %d voters that remain would be healthy", well, remaining)
	}
	if well == 0 {
		c.fail("I5", "the last healthy voter is removed")
	}
	if t.healthy[subject] && well < w.desired {
		c.fail("I1", "a healthy voter is removed and %d healthy voters remain of %d desired", well, w.desired)
	}
	if h.health == healthUnknown || h.health == healthy && !t.healthy[subject] {
		c.fail("I4", "a voter is removed of which it is not known whether it lives")
	}
}

// checkLeader: rule R6.7.
func (c *checker) checkLeader(w *world, t *tally, d *membership.Decision, subject int) {
	if d.Action != membership.RemoveMember || w.leader != subject {
		if d.MoveLeaderTo != 0 {
			c.fail("R6.7", "leadership is moved although nobody who leads is removed")
		}
		return
	}
	qualified := 0
	for i := 0; i < w.n; i++ {
		if i == subject || !w.hosts[i].role.votes() || !t.healthy[i] || t.leaves(w, i) {
			continue
		}
		if t.kind[i] == ownerUnknown || t.kind[i] == ownerAmbiguous {
			continue
		}
		qualified++
		if d.MoveLeaderTo == idOf(w.names[i]) {
			return
		}
	}
	if qualified > 0 || d.MoveLeaderTo != 0 {
		c.fail("R6.7", "leadership goes to %s; %d voters qualify", d.MoveLeaderTo, qualified)
	}
}

// checkWaitIsVisible: L4 at the level of one state. Who is not as it should be has a refusal that says what it waits for;
// the bootstrap member is the business of bootstrap teardown.
func (c *checker) checkWaitIsVisible(w *world, t *tally, d *membership.Decision) {
	if d.Action != membership.Wait || d.Reason != reason.MembershipAsExpected {
		return
	}
	for i := 0; i < w.n; i++ {
		if h := &w.hosts[i]; !h.bootstrap && (h.role.learns() || h.role.votes() && !t.healthy[i] || h.role != noMember && t.leaves(w, i)) {
			c.fail("L4", "all is said to be as expected, but not so %s", w.label(i))
		}
	}
}

// checkOrphanIsNamed: rule R6.4, a healthy orphan voter is named in a condition, whatever else is decided. The
// bootstrap member is nobody's orphan.
func (c *checker) checkOrphanIsNamed(w *world, t *tally, d *membership.Decision) {
	if d.Action == membership.Wait && len(d.Refused) == 0 {
		return
	}
	for i := 0; i < w.n; i++ {
		if h := &w.hosts[i]; h.bootstrap || !h.role.votes() || !t.healthy[i] || t.kind[i] != ownerNone || !w.isOrphan(i) {
			continue
		}
		named := false
		for j := range d.Warnings {
			named = named || d.Warnings[j].Reason == reason.HealthyOrphanVoter && d.Warnings[j].Member == idOf(w.names[i])
		}
		if !named {
			c.fail("R6.4", "no warning names the healthy orphan %s", w.label(i))
		}
	}
}

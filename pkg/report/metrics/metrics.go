package metrics

import (
	"strings"

	"k8s.io/component-base/metrics"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const prefix = "openshift_etcd_operator_"

func describe(name, help string, labels ...string) *metrics.Desc {
	return metrics.NewDesc(prefix+name, help, labels, nil, metrics.ALPHA, "")
}

var (
	members = describe("members",
		"Members of etcd as the last pass saw them, by role (leader, voter, learner, unstarted) and health (healthy, unhealthy, unknown). Absent while the member list is unknown.",
		"role", "health")
	member = describe("member",
		"1 for each member of etcd, with its role and health. An unstarted member has no name yet.",
		"member", "id", "role", "health")
	action = describe("action",
		"1 for what the last pass decided to do with the member list (Wait, AddLearner, PromoteLearner, RemoveMember), and why.",
		"action", "reason")
	refused = describe("refused_actions",
		"Alternatives that the last pass refused, by what they are about (membership, hook, guard, revision), action and the rule that refused them.",
		"about", "action", "rule")
	lastPass = describe("last_pass_timestamp_seconds",
		"When the last pass began.")
	faults = describe("last_pass_faults",
		"Objects that the last pass could not read, or could not make sense of.")
	phaseTime = describe("replacement_phase_timestamp_seconds",
		"When a deleting control-plane machine reached a phase of its replacement: deleting, joined (enough other voters), removed (its member), released (its hook).",
		"machine", "phase")
	lastPhase = describe("last_replacement_phase_duration_seconds",
		"How long the machine that went last took from one phase to the next: joined, removed, released, gone.",
		"phase")
	lastReplacement = describe("last_replacement_timestamp_seconds",
		"When the control-plane machine whose member was replaced last was gone.")
	replacements = describe("replacements_total",
		"Control-plane machines that hosted a member and are gone, since this process began to lead.")

	all = []*metrics.Desc{members, member, action, refused, lastPass, faults, phaseTime, lastPhase, lastReplacement, replacements}
)

// Collector implements metrics.StableCollector.
type Collector struct {
	metrics.BaseStableCollector
	source  pass.Source
	history history
}

// New returns a Collector of the passes of source.
func New(source pass.Source) *Collector {
	c := &Collector{source: source}
	source.Subscribe(func() { c.history.note(source.Latest()) })
	return c
}

// DescribeWithStability implements metrics.StableCollector.
func (c *Collector) DescribeWithStability(out chan<- *metrics.Desc) {
	for _, d := range all {
		out <- d
	}
}

// CollectWithStability implements metrics.StableCollector. Before the first pass there is nothing to tell.
func (c *Collector) CollectWithStability(out chan<- metrics.Metric) {
	p := c.source.Latest()
	if p == nil {
		return
	}
	gauge := func(d *metrics.Desc, value float64, labels ...string) {
		out <- metrics.NewLazyConstMetric(d, metrics.GaugeValue, value, labels...)
	}
	gauge(lastPass, seconds(p.Snapshot.ObservedAt))
	gauge(faults, float64(len(p.Faults)))
	gauge(action, 1, string(p.Membership.Action), string(p.Membership.Reason))
	if p.Snapshot.MemberList.Holds() {
		collectMembers(&p.Snapshot, gauge)
	}
	for r, n := range refusals(p) {
		gauge(refused, float64(n), r.about, r.action, string(r.rule))
	}
	c.history.collect(gauge, func(value float64) {
		out <- metrics.NewLazyConstMetric(replacements, metrics.CounterValue, value)
	})
}

type gauge = func(d *metrics.Desc, value float64, labels ...string)

// The roles, as package report words them too.
const (
	leader    = "leader"
	voter     = "voter"
	learner   = "learner"
	unstarted = "unstarted"
)

var (
	roles   = []string{leader, voter, learner, unstarted}
	healths = []snapshot.Health{snapshot.Healthy, snapshot.Unhealthy, snapshot.HealthUnknown}
)

func collectMembers(s *snapshot.Snapshot, gauge gauge) {
	type key struct {
		role   string
		health snapshot.Health
	}
	counts := map[key]int{}
	told := map[snapshot.MemberID]bool{}
	for i := range s.Members {
		m := &s.Members[i]
		if told[m.ID] {
			// A list with a member twice is bad input (rule R10.5), and a series twice would spoil all metrics of the process.
			continue
		}
		told[m.ID] = true
		k := key{roleOf(s, m), healthOf(m)}
		counts[k]++
		gauge(member, 1, strings.ToValidUTF8(m.Name, "\uFFFD"), m.ID.String(), k.role, k.health.String())
	}
	// Zeros too, so that an alert can tell none from unknown.
	for _, role := range roles {
		for _, health := range healths {
			gauge(members, float64(counts[key{role, health}]), role, health.String())
		}
	}
}

func roleOf(s *snapshot.Snapshot, m *snapshot.Member) string {
	switch {
	case !m.Started:
		return unstarted
	case m.Learner:
		return learner
	case m.ID == s.Leader:
		return leader
	default:
		return voter
	}
}

// healthOf calls a member that answers and is known to be corrupt unhealthy (requirements, "Words").
func healthOf(m *snapshot.Member) snapshot.Health {
	if m.Health != snapshot.Healthy || m.IsHealthy() {
		return m.Health
	}
	if m.Corrupt.Holds() {
		return snapshot.Unhealthy
	}
	return snapshot.HealthUnknown
}

type refusal struct {
	about, action string
	rule          reason.Rule
}

func refusals(p *pass.Pass) map[refusal]int {
	counts := map[refusal]int{}
	for _, r := range p.Membership.Refused {
		counts[refusal{"membership", string(r.Action), r.Rule}]++
	}
	for _, v := range p.Hooks.Machines {
		if v.Refused != "" && v.Refused != machinehook.None {
			counts[refusal{"hook", string(v.Refused), v.Rule}]++
		}
	}
	for _, g := range p.Guard.Pods {
		if g.Refused != "" && g.Refused != quorumguard.PodNone {
			counts[refusal{"guard", string(g.Refused), g.Rule}]++
		}
	}
	for _, f := range p.Guard.Holds {
		counts[refusal{"guard", "Drain", f.Rule}]++
	}
	if !p.Rollout.Create.Allowed && p.Rollout.Create.Rule != "" {
		counts[refusal{"revision", "Create", p.Rollout.Create.Rule}]++
	}
	for _, n := range p.Rollout.Install {
		if !n.Allowed {
			counts[refusal{"revision", "Install", n.Rule}]++
		}
	}
	return counts
}

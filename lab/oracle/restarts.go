package oracle

import (
	"fmt"
	"slices"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
)

// restartExcuse is how long after the scenario did something to a host its etcd may
// be started again because of it.
const restartExcuse = 90 * time.Second

// doneToHost begins the names of steps after which a host's etcd may start again.
var doneToHost = []string{"start ", "reboot ", "start-kubelet ", "stop-kubelet ", "terminate ", "destroy ", "kill etcd on ", "resume ", "resume etcd on "}

// restarts: no voter that stays is restarted by anybody but the scenario.
func (j *judge) restarts() {
	const text = "no voter is restarted but by the scenario"
	running := map[string]facts.Process{}
	var restarted []fault
	seen, excused := map[facts.Process]bool{}, 0
	for _, f := range j.fresh(false) {
		for _, m := range f.Members {
			now, before := f.Process(m.Name), running[m.Name]
			if now.PID == 0 {
				continue
			}
			seen[now] = true
			running[m.Name] = now
			if before.PID == 0 || before == now || !m.Voter {
				continue
			}
			if j.touched(m.Name, f.At) {
				excused++
				continue
			}
			voters, healthy := f.Voters()
			restarted = append(restarted, faultAt(times(f.At), "%s at %s, with %d healthy of %d voters", m.Name, seconds(f.At), healthy, voters))
		}
	}
	if len(seen) == 0 {
		j.unproven(text, "I11 R8.6", "no process of etcd was seen")
		return
	}
	j.claim(text, "I11 R8.6", restarted, fmt.Sprintf("%d processes of etcd, %d started again by the scenario", len(seen), excused))
}

// touched reports whether the scenario did something to the host lately, or may have.
func (j *judge) touched(host string, at time.Duration) bool {
	return j.mayBeDoing(at) || j.during(history.HostDown, host, at, restartExcuse) || slices.ContainsFunc(j.Steps, func(s history.Step) bool {
		return s.From <= at && at <= s.To+restartExcuse && slices.ContainsFunc(doneToHost, func(done string) bool { return s.Name == done+host })
	})
}

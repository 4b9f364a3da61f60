package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

// silence is how long a Machine may be deleting, with a member or the hook, and no
// condition tell of it: the operator has to see it and to write what it says. A
// pass waits up to 5 s for a member that hangs (R10.3), and the one that was under
// way when the Machine was deleted did not see it yet.
const silence = 12 * time.Second

// waits: whatever a deleting Machine waits for is told, at every moment.
func (j *judge) waits() {
	const text = "a condition tells of every deleting Machine, with a Reason"
	if j.Start.ByHand {
		return
	}
	quiet := newLasting(silence)
	var untold []fault
	waiting := map[string]bool{}
	for _, f := range j.fresh(true) {
		down := j.unled(f.At)
		for _, m := range f.Machines {
			if !m.ControlPlane() || !m.Deleting {
				continue
			}
			members := f.MembersOn(m)
			if !m.Hooked && len(members) == 0 {
				continue
			}
			waiting[machineKey(m)] = true
			names := []string{m.Name, m.Node}
			for _, on := range members {
				names = append(names, on.Name)
			}
			if quiet.look(machineKey(m), f.ObjectsAt, !down && !told(f.EtcdConditions, names)) {
				untold = append(untold, faultAt(times(f.ObjectsAt), "none told of Machine %s for %s at %s", m.Name, silence, seconds(f.ObjectsAt)))
			}
		}
	}
	j.claim(text, "L4 R9.1 R9.2", untold, fmt.Sprintf("%d Machines", len(waiting)))
}

// told reports whether a condition that says that something goes on, or is wrong,
// names one of them and has a Reason.
func told(conditions []facts.Condition, names []string) bool {
	return slices.ContainsFunc(conditions, func(c facts.Condition) bool {
		kind := strings.HasSuffix(c.Type, "Progressing") || strings.HasSuffix(c.Type, "Degraded")
		return kind && c.Status == "True" && c.Reason != "" && slices.ContainsFunc(names, func(name string) bool { return named(c.Message, name) })
	})
}

// named reports whether a text has the name, and not only as a part of another.
func named(text, name string) bool {
	if name == "" || !strings.Contains(text, name) {
		return false
	}
	return regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(name) + `($|[^\w-])`).MatchString(text)
}

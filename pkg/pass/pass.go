package pass

import (
	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
)

// Pass is one round. Whoever gets one must not change it: others read it at the same time.
type Pass struct {
	// Number counts the passes of this process, from 1.
	Number uint64
	// Objects and Etcd are what was read; objects belong to caches.
	Objects observe.Objects
	Etcd    observe.Etcd
	// Endpoints are the client URLs that the member list was read from; writers start from them too.
	Endpoints []string
	// Faults are errors that name object, field and remedy for what was read but could not be turned into facts, and what
	// could not be read at all.
	Faults []error
	// Decisions hold the Snapshot, whose ObservedAt is when the pass began, and what the cores say about it.
	decision.Decisions
}

// Source publishes passes.
type Source interface {
	// Latest returns the last pass, or nil before the first.
	Latest() *Pass
	// Subscribe has notify called after each pass, and at once when there is a pass already. notify must return quickly.
	Subscribe(notify func())
	// LookAgain asks for another pass soon: after a write, or when a wait may have ended. It returns at once; several
	// calls before the pass begins ask for one pass.
	LookAgain()
}

package replicas

import "github.com/openshift/cluster-etcd-operator/pkg/snapshot"

// Override is controlPlane.replicas of spec.unsupportedConfigOverrides. The zero value is unknown.
type Override struct {
	Set snapshot.Fact
	// Replicas is the number, between 1 and Max; 0 unless it is set.
	Replicas int
}

// Keep is rule R1.3: it returns parsed if that is a sane number without an error, else previous, the value that was in
// force until now, else 0: no value was ever observed. It never returns a number that it was not given.
func Keep(previous, parsed int, err error) int {
	switch {
	case err == nil && sane(parsed):
		return parsed
	case sane(previous):
		return previous
	default:
		return 0
	}
}

// Sources are the three places that the desired number comes from, each as far as it is known. The zero value knows
// nothing.
type Sources struct {
	// Observed is controlPlane.replicas of spec.observedConfig; 0 when it cannot be read or was never written.
	Observed int
	Set      MachineSet
	Override Override
}

// OrLast returns s with what it does not know taken from last, the result of the pass before (the zero value after a
// start). A source that cannot be read any more keeps the value that it had, so that neither a slip of the pen nor a
// failed read lowers the desired number (rule R1.3, invariant I4).
func (s Sources) OrLast(last Sources) Sources {
	s.Observed = Keep(last.Observed, s.Observed, nil)
	if !s.Set.known() {
		s.Set = last.Set
	}
	if !s.Override.known() {
		s.Override = last.Override
	}
	return s
}

// Desired returns the desired number of control-plane replicas: the override if there is one, else the larger of the
// observed number and that of an active set (rule R1.2). While a source that could raise or replace the result is
// unknown, so is the result, and nothing is removed; the error, an *snapshot.InputError, then names that source.
func (s Sources) Desired() (snapshot.Desired, error) {
	switch {
	case !s.Override.known():
		return unknown(overrides.object, overrides.document, overrides.renumber)
	case s.Override.Set.Holds():
		return snapshot.Desired{Replicas: s.Override.Replicas, Source: snapshot.DesiredFromOverrides}, nil
	case !sane(s.Observed):
		return unknown(observedConfig.object, observedConfig.document, observedConfig.renumber)
	case !s.Set.known():
		return unknown(machineSetObject, "spec", "let the operator read the set: look for its errors about this object")
	case s.Set.Active.Holds() && s.Set.Replicas > s.Observed:
		return snapshot.Desired{Replicas: s.Set.Replicas, Source: snapshot.DesiredFromSet}, nil
	default:
		return snapshot.Desired{Replicas: s.Observed, Source: snapshot.DesiredFromObserved}, nil
	}
}

func unknown(object, field, remedy string) (snapshot.Desired, error) {
	return snapshot.Desired{Source: snapshot.DesiredFromNone}, &snapshot.InputError{Object: object, Field: field,
		Problem: "was not readable since the operator started, so the desired number of control-plane replicas is unknown", Remedy: remedy}
}

// known reports whether the override was read; a number that is not sane proves nothing.
func (o Override) known() bool { return o.Set.Fails() || o.Set.Holds() && sane(o.Replicas) }

// known reports whether the set was read; a number that is not sane proves nothing.
func (m MachineSet) known() bool { return m.Active.Fails() || m.Active.Holds() && sane(m.Replicas) }

package replicas

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

func set(n int) MachineSet    { return MachineSet{Active: snapshot.True, Replicas: n} }
func override(n int) Override { return Override{Set: snapshot.True, Replicas: n} }

var noOverride = Override{Set: snapshot.False}

func TestKeep(t *testing.T) {
	failure := errors.New("read install-config")
	for name, test := range map[string]struct {
		previous, parsed int
		err              error
		want             int
	}{
		"a good value takes effect":                       {previous: 3, parsed: 5, want: 5},
		"a smaller good value takes effect":               {previous: 5, parsed: 3, want: 3},
		"the first good value takes effect":               {parsed: 3, want: 3},
		"an error keeps the value":                        {previous: 5, err: failure, want: 5},
		"an error keeps the value whatever comes with it": {previous: 5, parsed: 3, err: failure, want: 5},
		"an error with no value before leaves none":       {err: failure, want: 0},
		"no value is not zero replicas":                   {previous: 5, parsed: 0, want: 5},
		"a negative value keeps the value":                {previous: 5, parsed: -1, want: 5},
		"an absurd value keeps the value":                 {previous: 5, parsed: 10, want: 5},
		"an absurd value before is no value":              {previous: 1000, err: failure, want: 0},
		"a negative value before is no value":             {previous: -3, err: failure, want: 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Keep(test.previous, test.parsed, test.err); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestDesired(t *testing.T) {
	const (
		etcd       = "etcds.operator.openshift.io/cluster"
		machineSet = "controlplanemachinesets.machine.openshift.io/cluster in openshift-machine-api"
	)
	for name, test := range map[string]struct {
		sources Sources
		want    snapshot.Desired
		// object and field of the error; none when object is empty.
		object, field string
	}{
		"no set: the observed value alone":                         {sources: Sources{3, NoMachineSet(), noOverride}, want: snapshot.Desired{Replicas: 3, Source: snapshot.DesiredFromObserved}},
		"an active set that asks for more":                         {sources: Sources{3, set(5), noOverride}, want: snapshot.Desired{Replicas: 5, Source: snapshot.DesiredFromSet}},
		"an active set that asks for less":                         {sources: Sources{5, set(3), noOverride}, want: snapshot.Desired{Replicas: 5, Source: snapshot.DesiredFromObserved}},
		"an active set that asks for the same":                     {sources: Sources{3, set(3), noOverride}, want: snapshot.Desired{Replicas: 3, Source: snapshot.DesiredFromObserved}},
		"an override wins although it is smaller":                  {sources: Sources{3, set(5), override(1)}, want: snapshot.Desired{Replicas: 1, Source: snapshot.DesiredFromOverrides}},
		"an override wins although it is larger":                   {sources: Sources{3, set(5), override(7)}, want: snapshot.Desired{Replicas: 7, Source: snapshot.DesiredFromOverrides}},
		"an override needs no observed value":                      {sources: Sources{0, NoMachineSet(), override(3)}, want: snapshot.Desired{Replicas: 3, Source: snapshot.DesiredFromOverrides}},
		"an override needs no set":                                 {sources: Sources{3, MachineSet{}, override(3)}, want: snapshot.Desired{Replicas: 3, Source: snapshot.DesiredFromOverrides}},
		"nothing observed: a set does not stand in for it":         {sources: Sources{0, set(3), noOverride}, want: snapshot.Desired{Source: snapshot.DesiredFromNone}, object: etcd, field: "spec.observedConfig"},
		"nothing observed and no set":                              {sources: Sources{0, NoMachineSet(), noOverride}, want: snapshot.Desired{Source: snapshot.DesiredFromNone}, object: etcd, field: "spec.observedConfig"},
		"the set was never read: it may ask for more":              {sources: Sources{3, MachineSet{}, noOverride}, want: snapshot.Desired{Source: snapshot.DesiredFromNone}, object: machineSet, field: "spec"},
		"the override was never read: it may ask for anything":     {sources: Sources{3, set(3), Override{}}, want: snapshot.Desired{Source: snapshot.DesiredFromNone}, object: etcd, field: "spec.unsupportedConfigOverrides"},
		"nothing was ever read":                                    {want: snapshot.Desired{Source: snapshot.DesiredFromNone}, object: etcd, field: "spec.unsupportedConfigOverrides"},
		"an absurd observed value proves nothing, and so on":       {sources: Sources{1000, set(3), noOverride}, want: snapshot.Desired{Source: snapshot.DesiredFromNone}, object: etcd, field: "spec.observedConfig"},
		"an absurd set proves nothing, whoever filled it in":       {sources: Sources{3, set(1000), noOverride}, want: snapshot.Desired{Source: snapshot.DesiredFromNone}, object: machineSet, field: "spec"},
		"an absurd override proves nothing, whoever filled it in":  {sources: Sources{3, set(3), override(0)}, want: snapshot.Desired{Source: snapshot.DesiredFromNone}, object: etcd, field: "spec.unsupportedConfigOverrides"},
		"a set without activity is no set, whatever its number is": {sources: Sources{3, MachineSet{snapshot.False, 5}, noOverride}, want: snapshot.Desired{Replicas: 3, Source: snapshot.DesiredFromObserved}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := test.sources.Desired()
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("unexpected result (-want +got):\n%s", diff)
			}
			if test.object == "" {
				if err != nil {
					t.Errorf("unexpected error: %v", err)
				}
				return
			}
			if err == nil {
				t.Fatal("the number is unknown and no error says why")
			}
			if input := inputError(t, err); input.Object != test.object || input.Field != test.field {
				t.Errorf("got %#v, want %s of %s", input, test.field, test.object)
			}
		})
	}
}

// TestDesiredHoldsItsRuleForAllSources goes through every combination of what may be known of each source, sane or not.
func TestDesiredHoldsItsRuleForAllSources(t *testing.T) {
	numbers := []int{math.MinInt, -1, 0, 1, 3, 5, Max, Max + 1, math.MaxInt}
	facts := []snapshot.Fact{snapshot.Unknown, snapshot.False, snapshot.True}
	checked := 0
	for _, observed := range numbers {
		for _, inSet := range numbers {
			for _, inOverride := range numbers {
				for _, active := range facts {
					for _, overridden := range facts {
						s := Sources{observed, MachineSet{active, inSet}, Override{overridden, inOverride}}
						got, err := s.Desired()
						checked++
						switch {
						case got.Known() != (err == nil), got.Known() != (got.Source != snapshot.DesiredFromNone):
							t.Fatalf("%+v: %+v and %v contradict each other", s, got, err)
						case !got.Known() && got.Replicas != 0:
							t.Fatalf("%+v: unknown, and yet %d", s, got.Replicas)
						case got.Known() && (got.Replicas < 1 || got.Replicas > Max):
							t.Fatalf("%+v: absurd %d", s, got.Replicas)
						case got.Known() && !slices.Contains([]int{observed, inSet, inOverride}, got.Replicas):
							t.Fatalf("%+v: %d is from nowhere", s, got.Replicas)
						case got.Known() && overridden == snapshot.True && got.Replicas != inOverride:
							t.Fatalf("%+v: %d is not the override", s, got.Replicas)
						case got.Known() && overridden == snapshot.False && got.Replicas < observed:
							t.Fatalf("%+v: %d is less than was observed", s, got.Replicas)
						case got.Known() && overridden == snapshot.False && active == snapshot.True && got.Replicas < inSet:
							t.Fatalf("%+v: %d is less than the set asks for", s, got.Replicas)
						case got.Known() && (overridden == snapshot.Unknown || overridden == snapshot.False && active == snapshot.Unknown):
							t.Fatalf("%+v: known although a source that decides is not", s)
						}
					}
				}
			}
		}
	}
	if want := 9 * 9 * 9 * 3 * 3; checked != want {
		t.Errorf("checked %d combinations, want %d", checked, want)
	}
}

func TestOrLast(t *testing.T) {
	full := Sources{3, set(5), noOverride}
	for name, test := range map[string]struct{ now, last, want Sources }{
		"what is read takes effect":                            {now: full, last: Sources{5, set(3), override(7)}, want: full},
		"what is not read keeps its value":                     {now: Sources{}, last: full, want: full},
		"each source is kept for itself":                       {now: Sources{Observed: 4}, last: full, want: Sources{4, set(5), noOverride}},
		"a set that is gone is not kept":                       {now: Sources{Set: NoMachineSet()}, last: full, want: Sources{3, NoMachineSet(), noOverride}},
		"a set that cannot be read is kept as the larger":      {now: Sources{3, MachineSet{}, noOverride}, last: full, want: full},
		"an absurd set is one that cannot be read":             {now: Sources{3, set(1000), noOverride}, last: full, want: full},
		"an override that is gone is not kept":                 {now: Sources{3, set(5), noOverride}, last: Sources{3, set(5), override(7)}, want: full},
		"an override that cannot be read is kept":              {now: Sources{3, set(5), Override{}}, last: Sources{3, set(5), override(7)}, want: Sources{3, set(5), override(7)}},
		"that there was no override is kept as well":           {now: Sources{3, set(5), Override{}}, last: full, want: full},
		"nothing is known after a start":                       {now: Sources{}, last: Sources{}, want: Sources{}},
		"after a start only what is read is known":             {now: Sources{Observed: 3}, last: Sources{}, want: Sources{Observed: 3}},
		"an absurd value is not kept, whoever filled it in":    {now: Sources{}, last: Sources{Observed: 1000}, want: Sources{}},
		"a negative value is not read, and the last one stays": {now: Sources{Observed: -1}, last: full, want: full},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.now.OrLast(test.last)); diff != "" {
				t.Errorf("unexpected sources (-want +got):\n%s", diff)
			}
		})
	}
}

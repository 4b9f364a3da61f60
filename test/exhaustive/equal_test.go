package exhaustive

import (
	"reflect"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/machinehook"
	"github.com/openshift/cluster-etcd-operator/pkg/membership"
	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/reason"
	"github.com/openshift/cluster-etcd-operator/pkg/rollout"
)

// Equality of decisions, field by field: each world is decided twice (invariant I7), so reflection would cost more than
// deciding. TestEqualityLooksAtEveryField sees that no field is forgotten.

func sameMembership(a, b *membership.Decision) bool {
	return a.Action == b.Action && a.Target == b.Target && a.PeerURL == b.PeerURL && a.MoveLeaderTo == b.MoveLeaderTo &&
		a.Finding == b.Finding && a.ClusterID == b.ClusterID && a.MemberDigest == b.MemberDigest &&
		sameItems(a.Refused, b.Refused) && sameItems(a.Warnings, b.Warnings)
}

func sameHooks(a, b *machinehook.Decision) bool {
	return sameItems(a.Machines, b.Machines) && sameItems(a.Warnings, b.Warnings)
}

func sameGuards(a, b *quorumguard.Decision) bool {
	return a.Budget == b.Budget && a.MinAvailable == b.MinAvailable && a.Finding == b.Finding &&
		sameItems(a.Pods, b.Pods) && sameItems(a.Holds, b.Holds)
}

func sameRollout(a, b *rollout.Decision) bool {
	return a.Create == b.Create && a.Next == b.Next && a.Step == b.Step && a.Hold == b.Hold && a.Stable == b.Stable &&
		a.Finding == b.Finding && sameItems(a.Install, b.Install)
}

func sameItems[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestEqualityLooksAtEveryField(t *testing.T) {
	checkEquality(t, sameMembership, membership.Decision{Refused: make([]membership.Refusal, 1), Warnings: make([]membership.Warning, 1)})
	checkEquality(t, sameHooks, machinehook.Decision{Machines: make([]machinehook.Verdict, 1), Warnings: make([]machinehook.Verdict, 1)})
	checkEquality(t, sameGuards, quorumguard.Decision{Pods: make([]quorumguard.Pod, 1), Holds: make([]reason.Finding, 1)})
	checkEquality(t, sameRollout, rollout.Decision{Install: make([]rollout.NodePermission, 1)})
}

// checkEquality changes one field of a decision after the other, and shortens each list, and sees that the decision is no
// longer the same.
func checkEquality[T any](t *testing.T, same func(a, b *T) bool, original T) {
	t.Helper()
	changed := original
	fields := 0
	var walk func(v reflect.Value, name string)
	differs := func(name string) {
		fields++
		if same(&original, &changed) {
			t.Errorf("%T: a change of %s is not noticed", original, name)
		}
	}
	walk = func(v reflect.Value, name string) {
		kept := reflect.New(v.Type()).Elem()
		kept.Set(v)
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i), name+"."+v.Type().Field(i).Name)
			}
			return
		case reflect.Slice:
			if v.Len() != 1 {
				t.Fatalf("%T: give %s one item", original, name)
			}
			v.Set(reflect.Append(reflect.MakeSlice(v.Type(), 0, 1), v.Index(0)))
			walk(v.Index(0), name)
			v.SetLen(0)
		case reflect.String:
			v.SetString("changed")
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Int:
			v.SetInt(1)
		case reflect.Uint8, reflect.Uint64:
			v.SetUint(1)
		default:
			t.Fatalf("%T: do not know how to change %s", original, name)
		}
		differs(name)
		v.Set(kept)
	}
	walk(reflect.ValueOf(&changed).Elem(), "Decision")
	if !same(&original, &changed) || fields == 0 {
		t.Errorf("%T: %d fields were changed, and not all of them back", original, fields)
	}
}

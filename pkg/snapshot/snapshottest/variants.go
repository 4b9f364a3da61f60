package snapshottest

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// Variant is a Snapshot that differs from another one in the way that its Name says.
type Variant struct {
	Name     string
	Snapshot snapshot.Snapshot
}

// Reordered returns s with the same facts in other orders: every slice without an order of its own reversed, and every
// one rotated by one. Decisions must not differ (invariant I7).
func Reordered(s snapshot.Snapshot) []Variant {
	return []Variant{
		{"reversed", reorder(s, func(slice reflect.Value) { reverse(slice, 0, slice.Len()) })},
		{"rotated", reorder(s, func(slice reflect.Value) {
			if slice.Len() > 1 {
				reverse(slice, 0, slice.Len())
				reverse(slice, 1, slice.Len())
			}
		})},
	}
}

func reverse(slice reflect.Value, from, to int) {
	swap := reflect.Swapper(slice.Interface())
	for to--; from < to; from, to = from+1, to-1 {
		swap(from, to)
	}
}

// ordered are the fields whose order means something: the first peer URL is the one that etcd-endpoints holds, and hooks
// are shown in their order.
var ordered = []string{"PeerURLs", "PeerAddresses", "OtherHooks"}

func reorder(s snapshot.Snapshot, shuffle func(reflect.Value)) snapshot.Snapshot {
	root := deepCopy(s)
	walk(root.Elem(), "", func(field reflect.Value, name string) {
		if field.Kind() == reflect.Slice && !slices.Contains(ordered, name[strings.LastIndex(name, ".")+1:]) {
			shuffle(field)
		}
	})
	return *root.Interface().(*snapshot.Snapshot)
}

// Forgotten yields, for each Fact in s that is known, where it is (such as "Members[0].Corrupt") and the same Snapshot with
// that Fact unknown. No action may become possible that s forbids (invariant I4). What is yielded is valid until the next
// one: they share their slices.
func Forgotten(s snapshot.Snapshot) iter.Seq2[string, snapshot.Snapshot] {
	return func(yield func(string, snapshot.Snapshot) bool) {
		root := deepCopy(s)
		goOn := true
		walk(root.Elem(), "", func(field reflect.Value, name string) {
			fact, ok := field.Interface().(snapshot.Fact)
			if !goOn || !ok || fact == snapshot.Unknown {
				return
			}
			field.Set(reflect.ValueOf(snapshot.Unknown))
			goOn = yield(name, *root.Interface().(*snapshot.Snapshot))
			field.Set(reflect.ValueOf(fact))
		})
	}
}

// walk visits every field below value with its path, such as "Members[0].Corrupt"; only types of package snapshot are
// entered.
func walk(value reflect.Value, path string, visit func(field reflect.Value, name string)) {
	switch {
	case value.Kind() == reflect.Slice:
		for i := range value.Len() {
			walk(value.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	case value.Kind() == reflect.Struct && value.Type().PkgPath() == reflect.TypeFor[snapshot.Snapshot]().PkgPath():
		for i := range value.NumField() {
			name := value.Type().Field(i).Name
			if path != "" {
				name = path + "." + name
			}
			visit(value.Field(i), name)
			walk(value.Field(i), name, visit)
		}
	}
}

// deepCopy returns a pointer to a copy of s that shares no slice with it.
func deepCopy(s snapshot.Snapshot) reflect.Value {
	root := reflect.ValueOf(&s)
	walk(root.Elem(), "", func(field reflect.Value, _ string) {
		if field.Kind() == reflect.Slice && !field.IsNil() {
			clone := reflect.MakeSlice(field.Type(), field.Len(), field.Len())
			reflect.Copy(clone, field)
			field.Set(clone)
		}
	})
	return root
}
